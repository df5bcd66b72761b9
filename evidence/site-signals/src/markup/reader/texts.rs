//! In which elements a page's text stands, so that the rules that paint it can be told from those that others paint over.

use std::collections::BTreeMap;

use gtm_page_text::html::Element;

/// Most different places of one page, most bytes of one and of all.
const MOST: usize = 250;
const LONGEST: usize = 1_500;
const MOST_BYTES: usize = 60_000;
/// Most bytes of an element's own styles.
const LONGEST_STYLE: usize = 200;
/// Parts the elements of a place.
const WITHIN: &str = " > ";

/// The elements that are open, and how much text stands in such elements.
#[derive(Default)]
pub(super) struct Texts {
    open: Vec<String>,
    /// How long their place is: counted as they come and go, so that deep pages with many texts stay linear work.
    length: usize,
    found: BTreeMap<String, u32>,
    bytes: usize,
}

impl Texts {
    pub(super) fn start(&mut self, element: &Element<'_>, kind: &str) {
        // The ends of the elements around everything are not told, so they stay open.
        let encloses = matches!(element.name, "html" | "body") && kind.contains(' ');
        let around = |open: &String| open.starts_with("html");
        if element.has_end || encloses && self.open.iter().all(around) {
            let style = element.attribute("style").and_then(own_colors);
            let open = match style {
                Some(style) => format!("{kind} {{{style}}}"),
                None => kind.to_owned(),
            };
            self.length += open.len() + WITHIN.len();
            self.open.push(open);
        }
    }

    pub(super) fn end(&mut self) {
        if let Some(closed) = self.open.pop() {
            self.length -= closed.len() + WITHIN.len();
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        let letters = text.chars().filter(|c| !c.is_whitespace()).count();
        let length = self.length;
        if letters == 0 || length > LONGEST {
            return;
        }
        let place = self.open.join(WITHIN);
        let letters = u32::try_from(letters).unwrap_or(u32::MAX);
        if let Some(known) = self.found.get_mut(&place) {
            *known = known.saturating_add(letters);
        } else if self.found.len() < MOST && self.bytes + length <= MOST_BYTES {
            self.bytes += length;
            self.found.insert(place, letters);
        }
    }

    pub(super) fn finish(self) -> BTreeMap<String, u32> {
        self.found
    }
}

/// The declarations of colours among an element's own styles, without blanks.
fn own_colors(style: &str) -> Option<String> {
    let is_color = |declared: &&str| {
        let name = declared.split(':').next().unwrap_or_default().trim();
        [
            "color",
            "background",
            "background-color",
            "background-image",
        ]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
    };
    let mut kept: Vec<String> = style
        .split(';')
        .filter(is_color)
        .map(|declared| declared.split_whitespace().collect())
        .collect();
    kept.retain(|declared| !declared.contains(['{', '}', '>']));
    let joined = kept.join(";");
    (!joined.is_empty() && joined.len() <= LONGEST_STYLE).then_some(joined)
}
