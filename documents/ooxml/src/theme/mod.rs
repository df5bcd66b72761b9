//! The theme part, and how a colour's role is said in the words of its colour scheme. Everything that a
//! renderer colours names a slot of the scheme where there is one, so that changing the theme in Office
//! changes the document.

mod part;
mod script;

use gtm_document_model::Rgb;
use gtm_document_model::theme::{Mode, TEXT_CONTRAST, Theme};

use crate::xml::Xml;

pub use part::{CONTENT_TYPE, write};
pub use script::{Script, script_of_language};

/// A colour by what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    Background,
    Surface,
    Text,
    Muted,
    /// Hairlines.
    Rule,
    Primary,
    OnPrimary,
    Secondary,
    Accent,
    OnAccent,
    AccentText,
    /// A colour of the charts, from 0; further ones begin anew.
    Chart(usize),
}

/// The colour of titles on the page: the brand's first one, or that of text where it is too near the page. That one has the
/// contrast of graphics only.
#[must_use]
pub fn title_role(theme: &Theme) -> Role {
    let colors = &theme.colors;
    if colors.primary.contrast(colors.background) >= TEXT_CONTRAST {
        Role::Primary
    } else {
        Role::Text
    }
}

/// A colour as DrawingML says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ink {
    color: Color,
    /// Opacity in percent.
    alpha: u32,
    /// Lightness in percent, and what is added to it.
    lightness: (u32, u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Color {
    /// A slot of the colour scheme, such as `accent1`.
    Scheme(&'static str),
    /// A colour that the scheme has no slot for.
    Fixed(Rgb),
}

impl Color {
    const fn ink(self) -> Ink {
        Ink {
            color: self,
            alpha: 100,
            lightness: (100, 0),
        }
    }
}

/// A theme's colours in the slots of a colour scheme.
#[derive(Debug, Clone, PartialEq)]
pub struct Palette {
    theme: Theme,
}

impl Palette {
    #[must_use]
    pub fn of(theme: &Theme) -> Self {
        Self {
            theme: theme.clone(),
        }
    }

    /// Whether light text stands on a dark page.
    #[must_use]
    pub fn is_dark(&self) -> bool {
        self.theme.mode == Mode::Dark
    }

    /// The colour of a role.
    #[must_use]
    pub fn rgb(&self, role: Role) -> Rgb {
        let colors = &self.theme.colors;
        match role {
            Role::Background => colors.background,
            Role::Surface => colors.surface,
            Role::Text => colors.text,
            Role::Muted => colors.muted,
            Role::Rule => colors.rule,
            Role::Primary => colors.primary,
            Role::OnPrimary => colors.on_primary,
            Role::Secondary => colors.secondary,
            Role::Accent => colors.accent,
            Role::OnAccent => colors.on_accent,
            Role::AccentText => colors.accent_text,
            Role::Chart(index) => self.theme.chart[index % self.theme.chart.len()],
        }
    }

    /// How the role is said: by a slot that has exactly its colour, otherwise by the colour itself.
    #[must_use]
    pub fn ink(&self, role: Role) -> Ink {
        const CHART: [&str; 6] = [
            "accent1", "accent2", "accent3", "accent4", "accent5", "accent6",
        ];
        let slot = match role {
            Role::Background => "bg1",
            Role::Surface => "bg2",
            Role::Text => "tx1",
            Role::Muted => "tx2",
            // A little off the boxes' colour. Readers other than Office know no opacity of borders.
            Role::Rule => {
                let lightness = if self.is_dark() { (85, 15) } else { (88, 0) };
                return Ink {
                    lightness,
                    ..Color::Scheme("bg2").ink()
                };
            }
            Role::AccentText => "hlink",
            Role::Chart(index) => CHART[index % CHART.len()],
            Role::Primary => match self.chart_slot(role) {
                Some(index) => CHART[index],
                None => "folHlink",
            },
            Role::Secondary | Role::Accent => match self.chart_slot(role) {
                Some(index) => CHART[index],
                None => return self.ground(role),
            },
            Role::OnPrimary | Role::OnAccent => return self.ground(role),
        };
        Color::Scheme(slot).ink()
    }

    /// The same with an opacity in percent, for what only decorates.
    #[must_use]
    pub fn faint(&self, role: Role, percent: u32) -> Ink {
        Ink {
            alpha: percent.min(100),
            ..self.ink(role)
        }
    }

    fn chart_slot(&self, role: Role) -> Option<usize> {
        let color = self.rgb(role);
        self.theme.chart.iter().position(|chart| *chart == color)
    }

    fn ground(&self, role: Role) -> Ink {
        let color = self.rgb(role);
        let colors = &self.theme.colors;
        let grounds = [
            (colors.background, "bg1"),
            (colors.text, "tx1"),
            (colors.surface, "bg2"),
            (colors.accent_text, "hlink"),
        ];
        let slot = grounds.iter().find(|(ground, _)| *ground == color);
        slot.map_or(Color::Fixed(color), |(_, slot)| Color::Scheme(slot))
            .ink()
    }
}

impl Ink {
    /// The colour's element: `a:schemeClr` or `a:srgbClr`.
    pub fn write(self, xml: &mut Xml) {
        match self.color {
            Color::Scheme(slot) => xml.open("a:schemeClr", &[("val", &slot)]),
            Color::Fixed(rgb) => xml.open("a:srgbClr", &[("val", &hex(rgb))]),
        };
        let (modulated, offset) = self.lightness;
        for (name, percent, neutral) in [
            ("a:lumMod", modulated, 100),
            ("a:lumOff", offset, 0),
            ("a:alpha", self.alpha, 100),
        ] {
            if percent != neutral {
                xml.empty(name, &[("val", &(percent * 1_000))]);
            }
        }
        xml.close();
    }

    /// A solid fill of this colour.
    pub fn fill(self, xml: &mut Xml) {
        xml.element("a:solidFill", &[], |xml| self.write(xml));
    }
}

/// Six digits in capitals, as DrawingML has them.
#[must_use]
pub fn hex(Rgb([r, g, b]): Rgb) -> String {
    format!("{r:02X}{g:02X}{b:02X}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gtm_document_model::Document;

    #[test]
    fn a_title_can_be_read_on_the_page() {
        let sample = include_str!("../../../model/tests/model/sample.json");
        let mut theme = Document::read(sample).unwrap().theme;
        assert_eq!(title_role(&theme), Role::Primary);
        theme.colors.primary = Rgb([0xe4, 0x57, 0x2e]);
        assert!(theme.colors.primary.contrast(theme.colors.background) > 3.0);
        assert_eq!(title_role(&theme), Role::Text);
    }
}
