//! How each paragraph style looks: sizes, spaces, colours and frames. How that is written stands beside this file.

use gtm_ooxml::Xml;
use gtm_ooxml::theme::Role;

use super::id;
use crate::design::{Cover, Design, size};

/// How a paragraph's style differs from the one that it is based on.
#[derive(Default)]
pub struct Look<'a> {
    pub id: &'static str,
    pub name: &'static str,
    pub based_on: Option<&'static str>,
    pub next: Option<&'static str>,
    /// Half points.
    pub size: Option<u32>,
    pub bold: bool,
    pub italic: bool,
    pub heading_font: bool,
    pub color: Option<Role>,
    /// Points above and below.
    pub space: Option<(u32, u32)>,
    /// 240ths of a line.
    pub line: Option<u32>,
    /// Whether lines are exactly one and a fifth of the size, whichever typeface a character is from.
    pub is_exact: bool,
    pub keep_next: bool,
    pub keep_lines: bool,
    pub outline: Option<u32>,
    /// Twips at the start and the end.
    pub indent: Option<(u32, u32)>,
    /// Borders and shading.
    pub frame: Option<&'a dyn Fn(&mut Xml)>,
    pub tabs: Option<&'a dyn Fn(&mut Xml)>,
    pub numbering: Option<u32>,
    pub is_contextual: bool,
}

/// Borders, shading and tabs, which depend on the theme.
pub struct Frames<'a> {
    pub quote: &'a dyn Fn(&mut Xml),
    pub callout: &'a dyn Fn(&mut Xml),
    pub notes: &'a dyn Fn(&mut Xml),
    pub contents_tab: &'a dyn Fn(&mut Xml),
}

/// All paragraph styles.
pub fn looks<'a>(design: &Design, frames: Option<&'a Frames<'a>>) -> Vec<Look<'a>> {
    let dense = |points: u32| points * design.density / 100;
    // A page or two have no room for the largest headings.
    let [first, second, third] = if design.cover == Cover::Letter {
        [
            (size::HEADING_3, 14, 10),
            (size::BODY, 12, 4),
            (size::BODY, 8, 3),
        ]
    } else if design.has_small_headings() {
        [
            (size::HEADING_2, 18, 6),
            (size::HEADING_3, 12, 4),
            (size::BODY, 8, 3),
        ]
    } else {
        [
            (size::HEADING_1, 30, 10),
            (size::HEADING_2, 20, 7),
            (size::HEADING_3, 16, 5),
        ]
    };
    let heading = |index: usize, name, (size, before, after), color| Look {
        id: id::HEADINGS[index],
        name,
        based_on: Some(id::NORMAL),
        next: Some(id::BODY),
        size: Some(size),
        bold: true,
        heading_font: true,
        color: Some(color),
        space: Some((dense(before), dense(after))),
        line: Some(252),
        keep_next: true,
        keep_lines: true,
        outline: Some(index as u32),
        ..Look::default()
    };
    let base = |id, name| Look {
        id,
        name,
        based_on: Some(id::NORMAL),
        ..Look::default()
    };
    vec![
        Look {
            id: id::NORMAL,
            name: "Normal",
            ..Look::default()
        },
        Look {
            space: Some((0, dense(8))),
            ..base(id::BODY, "Body Text")
        },
        Look {
            next: Some(id::SUBTITLE),
            size: Some(size::TITLE),
            bold: true,
            heading_font: true,
            color: Some(design.title),
            space: Some((0, 14)),
            line: Some(240),
            keep_next: true,
            keep_lines: true,
            ..base(id::TITLE, "Title")
        },
        Look {
            based_on: Some(id::TITLE),
            next: Some(id::SUBTITLE),
            size: Some(size::HEADING_1),
            bold: true,
            heading_font: true,
            color: Some(design.title),
            space: Some((0, 14)),
            line: Some(252),
            keep_next: true,
            keep_lines: true,
            ..base(id::SMALL_TITLE, "Title Small")
        },
        Look {
            size: Some(size::HEADING_2),
            color: Some(Role::Muted),
            space: Some((0, 12)),
            line: Some(264),
            ..base(id::SUBTITLE, "Subtitle")
        },
        Look {
            color: Some(Role::Muted),
            space: Some((0, 4)),
            ..base(id::COVER_LINE, "Cover Line")
        },
        heading(
            0,
            "heading 1",
            first,
            match design.cover {
                // What a letter is about stands in the colour of its text.
                Cover::Letter => Role::Text,
                _ => design.title,
            },
        ),
        heading(1, "heading 2", second, Role::Text),
        heading(2, "heading 3", third, Role::Text),
        heading(3, "heading 4", (size::BODY, 12, 4), Role::AccentText),
        Look {
            next: Some(id::BODY),
            size: Some(size::LEAD),
            space: Some((0, dense(12))),
            line: Some(288),
            keep_lines: true,
            ..base(id::LEAD, "Lead")
        },
        Look {
            space: Some((0, dense(4))),
            is_contextual: false,
            ..base(id::LIST, "List Paragraph")
        },
        Look {
            bold: true,
            space: Some((dense(6), dense(2))),
            keep_next: true,
            next: Some(id::STEP_TEXT),
            ..base(id::STEP, "Step")
        },
        Look {
            space: Some((0, dense(8))),
            indent: Some((480, 0)),
            ..base(id::STEP_TEXT, "Step Text")
        },
        Look {
            size: Some(size::LEAD),
            italic: true,
            heading_font: true,
            space: Some((dense(14), dense(4))),
            line: Some(300),
            indent: Some((320, 320)),
            keep_lines: true,
            frame: frames.map(|frames| frames.quote),
            ..base(id::QUOTE, "Quote")
        },
        Look {
            color: Some(Role::Muted),
            space: Some((0, dense(14))),
            indent: Some((320, 320)),
            frame: frames.map(|frames| frames.quote),
            ..base(id::QUOTE_SOURCE, "Quote Source")
        },
        Look {
            size: Some(size::SMALL),
            color: Some(Role::Muted),
            space: Some((dense(5), dense(14))),
            keep_lines: true,
            ..base(id::CAPTION, "caption")
        },
        Look {
            bold: true,
            space: Some((dense(12), 0)),
            indent: Some((240, 200)),
            keep_next: true,
            frame: frames.map(|frames| frames.callout),
            ..base(id::CALLOUT_TITLE, "Callout Title")
        },
        Look {
            space: Some((0, dense(14))),
            indent: Some((240, 200)),
            keep_lines: true,
            frame: frames.map(|frames| frames.callout),
            ..base(id::CALLOUT, "Callout")
        },
        Look {
            space: Some((0, 0)),
            line: Some(252),
            ..base(id::CELL, "Table Text")
        },
        Look {
            based_on: Some(id::CELL),
            size: Some(size::SMALL),
            space: Some((0, 0)),
            line: Some(252),
            ..base(id::SMALL_CELL, "Table Text Small")
        },
        Look {
            based_on: Some(id::CELL),
            bold: true,
            color: Some(Role::OnPrimary),
            space: Some((0, 0)),
            line: Some(252),
            keep_next: true,
            ..base(id::HEAD, "Table Head")
        },
        Look {
            based_on: Some(id::HEAD),
            size: Some(size::SMALL),
            bold: true,
            color: Some(Role::OnPrimary),
            space: Some((0, 0)),
            line: Some(252),
            keep_next: true,
            ..base(id::SMALL_HEAD, "Table Head Small")
        },
        Look {
            space: Some((dense(8), dense(4))),
            line: Some(240),
            keep_next: true,
            ..base(id::FIGURE, "Figure")
        },
        Look {
            size: Some(size::HEADING_1),
            bold: true,
            heading_font: true,
            color: Some(Role::AccentText),
            space: Some((2, 0)),
            line: Some(240),
            is_exact: true,
            keep_next: true,
            ..base(id::KPI_VALUE, "KPI Value")
        },
        Look {
            based_on: Some(id::KPI_VALUE),
            size: Some(size::HEADING_2),
            bold: true,
            heading_font: true,
            color: Some(Role::AccentText),
            space: Some((2, 1)),
            line: Some(240),
            is_exact: true,
            keep_next: true,
            ..base(id::SMALL_KPI_VALUE, "KPI Value Small")
        },
        Look {
            space: Some((0, 0)),
            line: Some(252),
            ..base(id::KPI_LABEL, "KPI Label")
        },
        Look {
            size: Some(size::SMALL),
            color: Some(Role::Muted),
            space: Some((2, 0)),
            line: Some(252),
            ..base(id::KPI_DETAIL, "KPI Detail")
        },
        Look {
            size: Some(size::LEAD),
            bold: true,
            color: Some(Role::AccentText),
            space: Some((2, 2)),
            line: Some(264),
            ..base(id::ACTION, "Call To Action")
        },
        Look {
            color: Some(Role::Muted),
            space: Some((0, dense(6))),
            indent: Some((280, 0)),
            frame: frames.map(|frames| frames.notes),
            ..base(id::NOTES, "Speaker Notes")
        },
        Look {
            size: Some(8),
            space: Some((0, 0)),
            line: Some(240),
            ..base(id::GAP, "Gap")
        },
        Look {
            size: Some(size::HEADING_1),
            bold: true,
            heading_font: true,
            color: Some(design.title),
            space: Some((0, 16)),
            keep_next: true,
            ..base(id::TOC_HEADING, "TOC Heading")
        },
        Look {
            bold: true,
            space: Some((8, 3)),
            tabs: frames.map(|frames| frames.contents_tab),
            keep_lines: true,
            ..base(id::TOC[0], "toc 1")
        },
        Look {
            space: Some((0, 3)),
            indent: Some((280, 0)),
            tabs: frames.map(|frames| frames.contents_tab),
            color: Some(Role::Muted),
            ..base(id::TOC[1], "toc 2")
        },
        Look {
            space: Some((0, 3)),
            indent: Some((560, 0)),
            tabs: frames.map(|frames| frames.contents_tab),
            color: Some(Role::Muted),
            ..base(id::TOC[2], "toc 3")
        },
        Look {
            based_on: Some(id::HEADER),
            size: Some(size::LEAD),
            bold: true,
            heading_font: true,
            color: Some(design.title),
            line: Some(240),
            ..base(id::LETTERHEAD, "Letterhead")
        },
        Look {
            size: Some(size::SMALL),
            color: Some(Role::Muted),
            line: Some(240),
            ..base(id::HEADER, "header")
        },
        Look {
            size: Some(size::SMALL),
            color: Some(Role::Muted),
            line: Some(240),
            ..base(id::FOOTER, "footer")
        },
        Look {
            size: Some(size::SMALL),
            color: Some(Role::Muted),
            space: Some((0, 2)),
            line: Some(252),
            ..base(id::FOOTNOTE, "footnote text")
        },
    ]
}
