//! Colours in WordprocessingML: the colour itself, and the slot of the theme that it stands in, so that a changed
//! theme changes the document.

use gtm_document_model::theme::Theme;
use gtm_ooxml::Xml;
use gtm_ooxml::theme::{Role, hex};

/// A colour and its slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ink {
    pub hex: String,
    slot: Option<&'static str>,
}

const ACCENTS: [&str; 6] = [
    "accent1", "accent2", "accent3", "accent4", "accent5", "accent6",
];

impl Ink {
    /// The colour of a role.
    #[must_use]
    pub fn of(theme: &Theme, role: Role) -> Self {
        let colors = &theme.colors;
        let slots = [
            (colors.background, "background1"),
            (colors.text, "text1"),
            (colors.surface, "background2"),
            (colors.muted, "text2"),
            (colors.accent_text, "hyperlink"),
            (colors.primary, "followedHyperlink"),
        ];
        let rgb = match role {
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
            Role::Chart(index) => theme.chart[index % theme.chart.len()],
        };
        let charts = theme.chart.iter().copied().zip(ACCENTS);
        // The brand's colours are those of its charts; text and grounds are not looked for there.
        let prefers_charts = matches!(
            role,
            Role::Primary | Role::Secondary | Role::Accent | Role::Chart(_)
        );
        let found = if prefers_charts {
            charts.chain(slots).find(|(color, _)| *color == rgb)
        } else {
            slots.into_iter().find(|(color, _)| *color == rgb)
        };
        Self {
            hex: hex(rgb),
            slot: found.map(|(_, slot)| slot),
        }
    }

    /// `w:color`.
    pub fn color(&self, xml: &mut Xml) {
        match self.slot {
            Some(slot) => xml.empty("w:color", &[("w:val", &self.hex), ("w:themeColor", &slot)]),
            None => xml.empty("w:color", &[("w:val", &self.hex)]),
        };
    }

    /// `w:shd`.
    pub fn shade(&self, xml: &mut Xml) {
        match self.slot {
            Some(slot) => xml.empty(
                "w:shd",
                &[
                    ("w:val", &"clear"),
                    ("w:color", &"auto"),
                    ("w:fill", &self.hex),
                    ("w:themeFill", &slot),
                ],
            ),
            None => xml.empty(
                "w:shd",
                &[
                    ("w:val", &"clear"),
                    ("w:color", &"auto"),
                    ("w:fill", &self.hex),
                ],
            ),
        };
    }

    /// A border; `eighths` of a point wide, `space` points away.
    pub fn border(&self, xml: &mut Xml, side: &'static str, eighths: u32, space: u32) {
        match self.slot {
            Some(slot) => xml.empty(
                side,
                &[
                    ("w:val", &"single"),
                    ("w:sz", &eighths),
                    ("w:space", &space),
                    ("w:color", &self.hex),
                    ("w:themeColor", &slot),
                ],
            ),
            None => xml.empty(
                side,
                &[
                    ("w:val", &"single"),
                    ("w:sz", &eighths),
                    ("w:space", &space),
                    ("w:color", &self.hex),
                ],
            ),
        };
    }
}
