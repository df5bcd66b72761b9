//! Drawings inside the page.

use gtm_page_text::html::{Element, Place};

use super::attributes::{classes, text_of, tidy};
use super::{Reader, push};
use crate::markup::InlineSvg;

const MAX_DRAWINGS: usize = 100;

/// A drawing whose end has not been reached.
pub(super) struct Drawing {
    pub(super) depth: usize,
    found: InlineSvg,
    /// The text of its `title`, while that element is open.
    pub(super) title: Option<String>,
    pub(super) in_title: bool,
    draws: bool,
    concealed: bool,
}

impl Reader<'_> {
    pub(super) fn start_drawing(&mut self, element: &Element<'_>, place: &Place) {
        let index = self.drawings;
        self.drawings += 1;
        if !element.has_end {
            return;
        }
        let link_label = self.home_link.as_ref().and_then(|link| link.label.clone());
        self.drawing = Some(Drawing {
            depth: self.depth,
            found: InlineSvg {
                index,
                label: text_of(element, "aria-label").or(link_label),
                class: classes(element),
                in_header: place.in_header,
                in_home_link: self.home_link.is_some(),
                refers: false,
                start: place.offset,
                end: place.offset,
            },
            title: None,
            in_title: false,
            draws: false,
            concealed: place.concealed,
        });
    }

    pub(super) fn finish_drawing(&mut self, end: usize) {
        let Some(drawing) = self.drawing.take() else {
            return;
        };
        let mut found = drawing.found;
        found.end = end;
        let title = drawing.title.as_deref().and_then(tidy);
        found.label = title.or(found.label);
        // A drawing that is cut off or ended by another tag does not count.
        let is_whole = self.html.get(found.start..end).is_some_and(|text| {
            let begins = text
                .get(..4)
                .is_some_and(|begin| begin.eq_ignore_ascii_case("<svg"));
            let last_tag = text.rsplit_once("</").map(|(_, tag)| tag);
            begins
                && last_tag.is_some_and(|tag| {
                    tag.trim_end_matches(|c: char| c == '>' || c.is_whitespace())
                        .eq_ignore_ascii_case("svg")
                })
        });
        if is_whole && !drawing.concealed && (drawing.draws || found.refers) {
            if let Some(link) = self.home_link.as_mut().filter(|link| link.has_text) {
                link.letter = Some(found.index);
            }
            push(&mut self.markup.inline_svgs, found, MAX_DRAWINGS);
        }
    }
}

impl Reader<'_> {
    /// Text of the link to the home page: a drawing between two pieces of it is one of the letters of a name, and no logo.
    pub(super) fn beside_drawing(&mut self, text: &str) {
        if self.drawing.is_some() || text.trim().is_empty() {
            return;
        }
        let Some(link) = &mut self.home_link else {
            return;
        };
        link.has_text = true;
        if let Some(letter) = link.letter.take() {
            let drawings = &mut self.markup.inline_svgs;
            drawings.retain(|drawing| drawing.index != letter);
        }
    }
}

/// Notes what an element inside a drawing tells about the drawing.
pub(super) fn inside_drawing(drawing: &mut Drawing, element: &Element<'_>) {
    match element.name {
        "title" if drawing.title.is_none() => {
            drawing.title = Some(String::new());
            drawing.in_title = true;
        }
        "use" => drawing.found.refers = true,
        "path" | "polygon" | "rect" | "circle" | "ellipse" | "polyline" | "line" | "text"
        | "image" => drawing.draws = true,
        _ => {}
    }
}
