//! The layouts of the slide master: which placeholders they have, where, and how their text looks.

use gtm_ooxml::theme::Role;

use crate::geometry::{BODY_END, Emu, MARGIN, Rect, SLIDE, columns, of_size, pt};
use crate::look::{Cover, Head, Look};
use crate::slide::Anchor;
use crate::text::{Inherited, TITLE_LINE};

/// A layout of the master, in the order in which Office lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layout {
    Cover,
    Agenda,
    Divider,
    Content,
    TwoColumns,
    Statement,
    Figures,
    Comparison,
    Closing,
}

/// What a placeholder is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    Title,
    Subtitle,
    Body,
    /// Whatever stands beside the text of two columns.
    Beside,
    /// Who made the document, and when.
    Imprint,
}

/// A placeholder of a layout.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub slot: Slot,
    pub rect: Rect,
    pub anchor: Anchor,
    pub style: Inherited,
}

impl Slot {
    /// Type and index in the format.
    pub const fn mark(self, layout: Layout) -> (Option<&'static str>, Option<u32>) {
        match (self, layout) {
            (Self::Title, Layout::Cover) => (Some("ctrTitle"), None),
            (Self::Title, _) => (Some("title"), None),
            (Self::Subtitle, _) => (Some("subTitle"), Some(1)),
            (Self::Body, Layout::Divider | Layout::Statement | Layout::Closing) => {
                (Some("body"), Some(1))
            }
            (Self::Body, _) => (None, Some(1)),
            (Self::Beside, _) => (None, Some(2)),
            (Self::Imprint, _) => (Some("body"), Some(13)),
        }
    }

    /// Its name, and what it says while it is empty.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Title => "Title",
            Self::Subtitle => "Subtitle",
            Self::Body => "Text",
            Self::Beside => "Content",
            Self::Imprint => "Imprint",
        }
    }
}

impl Layout {
    pub const ALL: [Self; 9] = [
        Self::Cover,
        Self::Agenda,
        Self::Divider,
        Self::Content,
        Self::TwoColumns,
        Self::Statement,
        Self::Figures,
        Self::Comparison,
        Self::Closing,
    ];

    /// Its name, and its type where Office has one for it.
    pub const fn name(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Cover => ("Cover", Some("title")),
            Self::Agenda => ("Agenda", None),
            Self::Divider => ("Divider", Some("secHead")),
            Self::Content => ("Content", Some("obj")),
            Self::TwoColumns => ("Two columns", Some("twoObj")),
            Self::Statement => ("Statement", None),
            Self::Figures => ("Figures", Some("titleOnly")),
            Self::Comparison => ("Comparison", None),
            Self::Closing => ("Closing", None),
        }
    }

    /// Whether it has the master's shapes: the decoration beside titles and the logo.
    pub const fn has_master_shapes(self) -> bool {
        !matches!(self, Self::Cover | Self::Divider | Self::Closing)
    }

    /// The colour that it stands on, and the colour of text there.
    pub const fn ground(self, look: &Look) -> (Role, Role) {
        match (self, look.cover) {
            (Self::Cover, Cover::Full) | (Self::Closing, _) => (Role::Primary, Role::OnPrimary),
            (Self::Divider, Cover::Quiet | Cover::Band) => (Role::Surface, Role::Text),
            (Self::Divider, _) => (Role::Primary, Role::OnPrimary),
            _ => (Role::Background, Role::Text),
        }
    }

    /// Its placeholders, in reading order.
    pub fn places(self, look: &Look) -> Vec<Place> {
        let (_, text) = self.ground(look);
        let head = Place {
            slot: Slot::Title,
            // Longer titles say their height themselves, and what stands below them makes room.
            rect: title_rect(look, 1),
            anchor: Anchor::Top,
            style: style(look.title, look.title_role, true),
        };
        let top = body_top(look, 1);
        let body = style(look.body_size(), Role::Text, false);
        let at = |slot, rect, anchor, style| Place {
            slot,
            rect,
            anchor,
            style,
        };
        match self {
            Self::Cover => cover(look),
            Self::Agenda | Self::Content => {
                let rect = Rect::on_grid(0, 12, top, BODY_END);
                vec![head, at(Slot::Body, rect, Anchor::Top, body)]
            }
            Self::TwoColumns => vec![
                head,
                at(
                    Slot::Body,
                    Rect::on_grid(0, 5, top, BODY_END),
                    Anchor::Top,
                    body,
                ),
                at(
                    Slot::Beside,
                    Rect::on_grid(5, 12, top, BODY_END),
                    Anchor::Top,
                    body,
                ),
            ],
            Self::Divider => {
                let title = style(4_000, text, true);
                let lower = style(2_000, text, false);
                vec![
                    at(
                        Slot::Title,
                        Rect::on_grid(0, 9, pt(150), pt(290)),
                        Anchor::Bottom,
                        title,
                    ),
                    at(
                        Slot::Body,
                        Rect::on_grid(0, 9, pt(322), pt(450)),
                        Anchor::Top,
                        lower,
                    ),
                ]
            }
            Self::Statement => {
                let title = style(3_600, Role::Primary, true);
                let lower = style(2_000, Role::Text, false);
                vec![
                    at(
                        Slot::Title,
                        Rect::on_grid(0, 11, pt(110), pt(260)),
                        Anchor::Bottom,
                        title,
                    ),
                    at(
                        Slot::Body,
                        Rect::on_grid(0, 9, pt(298), pt(480)),
                        Anchor::Top,
                        lower,
                    ),
                ]
            }
            Self::Figures | Self::Comparison => vec![head],
            Self::Closing => {
                let title = style(4_000, text, true);
                let lower = style(2_000, text, false);
                vec![
                    at(
                        Slot::Title,
                        Rect::on_grid(0, 10, pt(96), pt(220)),
                        Anchor::Bottom,
                        title,
                    ),
                    at(
                        Slot::Body,
                        Rect::on_grid(0, 8, pt(244), pt(470)),
                        Anchor::Top,
                        lower,
                    ),
                ]
            }
        }
    }

    /// The placeholder of a kind.
    pub fn place(self, look: &Look, slot: Slot) -> Option<Place> {
        self.places(look)
            .into_iter()
            .find(|place| place.slot == slot)
    }
}

const fn style(size: u32, role: Role, is_title: bool) -> Inherited {
    Inherited {
        size,
        bold: is_title,
        role,
        is_heading: is_title,
    }
}

/// The placeholders of a cover.
fn cover(look: &Look) -> Vec<Place> {
    let (_, text) = Layout::Cover.ground(look);
    let title_role = if matches!(look.cover, Cover::Full | Cover::Quiet) {
        text
    } else {
        Role::Primary
    };
    let title = style(4_400, title_role, true);
    let imprint_role = match look.cover {
        Cover::Full | Cover::Field => Role::OnPrimary,
        Cover::Panel | Cover::Band | Cover::Quiet => Role::Muted,
    };
    let subtitle_role = match look.cover {
        Cover::Full => Role::OnPrimary,
        Cover::Field | Cover::Panel | Cover::Band | Cover::Quiet => Role::Text,
    };
    let (title_rect, subtitle_rect, imprint_rect) = match look.cover {
        Cover::Full | Cover::Quiet => (
            Rect::on_grid(0, 9, pt(120), pt(300)),
            Rect::on_grid(0, 9, pt(332), pt(410)),
            Rect::on_grid(0, 9, pt(446), pt(494)),
        ),
        Cover::Panel => (
            Rect::on_grid(0, 8, pt(120), pt(300)),
            Rect::on_grid(0, 8, pt(332), pt(410)),
            Rect::on_grid(0, 8, pt(446), pt(494)),
        ),
        Cover::Band => (
            Rect::on_grid(2, 12, pt(120), pt(300)),
            Rect::on_grid(2, 11, pt(332), pt(410)),
            Rect::on_grid(2, 11, pt(446), pt(494)),
        ),
        Cover::Field => (
            Rect::on_grid(0, 11, pt(80), pt(250)),
            Rect::on_grid(0, 10, pt(270), pt(334)),
            Rect::on_grid(0, 9, pt(420), pt(494)),
        ),
    };
    let at = |slot, rect, anchor, style| Place {
        slot,
        rect,
        anchor,
        style,
    };
    vec![
        at(Slot::Title, title_rect, Anchor::Bottom, title),
        at(
            Slot::Subtitle,
            subtitle_rect,
            Anchor::Top,
            style(2_000, subtitle_role, false),
        ),
        at(
            Slot::Imprint,
            imprint_rect,
            Anchor::Bottom,
            style(1_400, imprint_role, false),
        ),
    ]
}

/// Where titles begin.
pub const fn title_top(look: &Look) -> Emu {
    match look.head {
        Head::Top if look.is_one_page => pt(30),
        Head::Bar | Head::Top => pt(44),
        Head::Edge => pt(52),
        Head::Rule | Head::Plain => pt(36),
    }
}

/// The place of a title of so many lines.
pub fn title_rect(look: &Look, lines: i64) -> Rect {
    let top = title_top(look);
    let height = of_size(look.title, TITLE_LINE) * lines + pt(2);
    Rect::on_grid(0, look.title_columns, top, top + height)
}

/// Where what stands below such a title begins.
pub fn body_top(look: &Look, lines: i64) -> Emu {
    let gap = match look.head {
        Head::Rule => pt(30),
        Head::Bar | Head::Edge | Head::Top | Head::Plain => pt(22),
    };
    title_rect(look, lines).bottom() + gap
}

/// A rectangle that only decorates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decoration {
    pub rect: Rect,
    pub role: Role,
    /// Opacity in percent.
    pub alpha: u32,
}

const fn solid(rect: Rect, role: Role) -> Decoration {
    Decoration {
        rect,
        role,
        alpha: 100,
    }
}

/// The decoration that a look has on every slide.
pub fn decoration(look: &Look) -> Vec<Decoration> {
    match look.head {
        Head::Bar => vec![solid(
            Rect::new(MARGIN, pt(30), pt(40), pt(4)),
            Role::Accent,
        )],
        Head::Edge => vec![solid(Rect::new(0, 0, pt(14), SLIDE.h), Role::Primary)],
        Head::Top => vec![solid(Rect::new(0, 0, SLIDE.w, pt(12)), Role::Primary)],
        Head::Rule | Head::Plain => Vec::new(),
    }
}

/// Bars that rise along the lower edge, from the first of the columns to the last.
fn rising(from: i64, heights: &[i64]) -> Vec<Decoration> {
    let bars = (from..12).zip(heights);
    let bar = |(column, height): (i64, &i64)| {
        let (x, width) = columns(column, column + 1);
        Decoration {
            rect: Rect::new(x, SLIDE.h - pt(*height), width, pt(*height)),
            role: Role::OnPrimary,
            alpha: 12,
        }
    };
    bars.map(bar).collect()
}

/// The decoration of a layout of its own.
pub fn own_decoration(layout: Layout, look: &Look) -> Vec<Decoration> {
    let bar = |x, y, role| solid(Rect::new(x, y, pt(64), pt(4)), role);
    match (layout, look.cover) {
        (Layout::Cover, Cover::Full) => {
            let mut all = rising(9, &[120, 230, 380]);
            all.push(bar(MARGIN, pt(314), Role::OnPrimary));
            all
        }
        (Layout::Cover, Cover::Panel) => {
            let (x, _) = columns(9, 12);
            let x = x - pt(24);
            let panel = Rect::new(x, 0, SLIDE.w - x, SLIDE.h);
            let mut all = vec![solid(panel, Role::Primary)];
            all.extend(rising(9, &[120, 230, 380]));
            all.push(bar(MARGIN, pt(314), Role::Accent));
            all
        }
        (Layout::Cover, Cover::Band) => {
            let (x, _) = columns(2, 12);
            vec![
                solid(Rect::new(0, 0, pt(112), SLIDE.h), Role::Primary),
                solid(Rect::new(pt(112), 0, pt(8), SLIDE.h), Role::Accent),
                bar(x, pt(314), Role::Accent),
            ]
        }
        (Layout::Cover, Cover::Field) => {
            let field = Rect::new(0, pt(350), SLIDE.w, SLIDE.h - pt(350));
            let mut all = vec![solid(field, Role::Primary)];
            all.extend(rising(8, &[40, 75, 115, 160]));
            all.push(bar(MARGIN, pt(258), Role::Accent));
            all
        }
        (Layout::Cover, Cover::Quiet) => vec![
            bar(MARGIN, pt(314), Role::Primary),
            solid(
                Rect::new(MARGIN, pt(436), SLIDE.w - 2 * MARGIN, pt(1)),
                Role::Rule,
            ),
        ],
        (Layout::Divider, _) => {
            let (_, role) = layout.ground(look);
            vec![bar(MARGIN, pt(304), role)]
        }
        (Layout::Statement, _) => vec![bar(MARGIN, pt(276), Role::Accent)],
        (Layout::Closing, _) => vec![bar(MARGIN, pt(228), Role::OnPrimary)],
        _ => Vec::new(),
    }
}
