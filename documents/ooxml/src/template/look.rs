//! The colours and typefaces of a template, in the roles of the document model.

use gtm_document_model::Rgb;
use gtm_document_model::theme::{
    Colors, Font, FontClass, Fonts, GRAPHICS_CONTRAST, Mode, TEXT_CONTRAST, Theme,
};

use super::{Parts, TemplateError};
use crate::tree::Element;

/// Names of the slots of a theme, in the order in which [`Look`] keeps them.
const SLOTS: [&str; 12] = [
    "dk1", "lt1", "dk2", "lt2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6",
    "hlink", "folHlink",
];
const FIRST_ACCENT: usize = 4;

/// The look of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    slots: [Rgb; 12],
    /// Slots that are page, text, second page and second text.
    map: [usize; 4],
    heading: Option<String>,
    body: Option<String>,
}

impl Look {
    /// The look of the theme of a slide master, with its map of colours.
    ///
    /// # Errors
    /// If the master has no theme that can be read.
    pub(super) fn of_master(parts: &Parts, master: &str) -> Result<Self, TemplateError> {
        let theme = parts
            .get(master)
            .and_then(|part| part.related("theme").next());
        let theme = theme.map(|(_, name)| name.to_owned());
        let theme = theme.ok_or_else(|| TemplateError::Missing("theme".to_owned()))?;
        let mut look = Self::of_theme(parts, &theme)?;
        let root = parts.tree(master)?;
        if let Some(map) = root.child("p:clrMap") {
            for (index, name) in ["bg1", "tx1", "bg2", "tx2"].iter().enumerate() {
                let slot = map.attribute(name);
                let slot = slot.and_then(|slot| SLOTS.iter().position(|known| *known == slot));
                look.map[index] = slot.unwrap_or(look.map[index]);
            }
        }
        Ok(look)
    }

    /// The look of a theme in which text is dark.
    ///
    /// # Errors
    /// If the theme cannot be read.
    pub(super) fn of_theme(parts: &Parts, theme: &str) -> Result<Self, TemplateError> {
        let root = parts.tree(theme)?;
        let missing = || TemplateError::Missing("theme with a colour scheme".to_owned());
        let scheme = root
            .at(&["a:themeElements", "a:clrScheme"])
            .ok_or_else(missing)?;
        let mut slots = [Rgb::BLACK; 12];
        for (slot, name) in slots.iter_mut().zip(SLOTS) {
            let color = scheme.child(&format!("a:{name}")).and_then(color);
            *slot = color.ok_or_else(missing)?;
        }
        let family = |kind| {
            let found = root.at(&["a:themeElements", "a:fontScheme", kind, "a:latin"]);
            let family = found?.attribute("typeface")?.trim();
            let family: String = family.chars().take(80).collect();
            (!family.is_empty() && !family.starts_with('+')).then_some(family)
        };
        Ok(Self {
            slots,
            map: [1, 0, 3, 2],
            heading: family("a:majorFont"),
            body: family("a:minorFont"),
        })
    }

    /// The theme that a document has in this look. Where a colour of the template cannot be read in a role, a mixture
    /// of its page and its text stands in.
    #[must_use]
    pub fn theme(&self, own: &Theme) -> Theme {
        let [background, text, second, muted] = self.map.map(|slot| self.slots[slot]);
        let mut text = text;
        if text.contrast(background) < TEXT_CONTRAST {
            text = background.black_or_white();
        }
        let is_box = text.contrast(second) >= TEXT_CONTRAST
            && second.contrast(background) >= 1.03
            && second.contrast(background) <= 1.8;
        let surface = if is_box {
            second
        } else {
            mixed(background, text, 6)
        };
        let reads = |color: Rgb, least: f64| {
            color.contrast(background) >= least && color.contrast(surface) >= least
        };
        let muted = [muted, mixed(background, text, 65), text]
            .into_iter()
            .find(|color| reads(*color, TEXT_CONTRAST))
            .unwrap_or(text);
        let accents: Vec<Rgb> = self.slots[FIRST_ACCENT..FIRST_ACCENT + 6].to_vec();
        let mut strong = accents
            .iter()
            .copied()
            .filter(|color| reads(*color, GRAPHICS_CONTRAST));
        let primary = strong.next().unwrap_or(text);
        let secondary = strong.next().unwrap_or(primary);
        let accent_text = [primary, secondary]
            .into_iter()
            .chain(accents.iter().copied())
            .chain([muted])
            .find(|color| reads(*color, TEXT_CONTRAST))
            .unwrap_or(text);
        let mut chart = own.chart;
        for (color, accent) in chart.iter_mut().zip(&accents) {
            *color = *accent;
        }
        let is_dark = background.luminance() < text.luminance();
        Theme {
            mode: if is_dark { Mode::Dark } else { Mode::Light },
            colors: Colors {
                background,
                surface,
                text,
                muted,
                rule: mixed(background, text, 18),
                primary,
                on_primary: primary.black_or_white(),
                secondary,
                accent: secondary,
                on_accent: secondary.black_or_white(),
                accent_text,
            },
            chart,
            fonts: Fonts {
                heading: font(self.heading.as_deref(), &own.fonts.heading),
                body: font(self.body.as_deref(), &own.fonts.body),
            },
            // The template has the organization's logo where it belongs.
            logo: None,
            defaults: Vec::new(),
            repairs: Vec::new(),
        }
    }

    /// Says the colours of a part that our roles name by a slot, where the template has another colour in that slot.
    /// True if there were any.
    pub fn say_colors(&self, root: &mut Element, colors: &Colors) -> bool {
        let roles = [
            ("bg1", colors.background),
            ("tx1", colors.text),
            ("bg2", colors.surface),
            ("tx2", colors.muted),
            ("hlink", colors.accent_text),
            ("folHlink", colors.primary),
        ];
        let mut has_changed = false;
        root.visit_mut(&mut |element| {
            if element.name != "a:schemeClr" {
                return;
            }
            let slot = element.attribute("val").unwrap_or_default();
            let role = roles.iter().find(|(known, _)| *known == slot);
            if let Some((slot, color)) = role
                && self.slot(slot) != Some(*color)
            {
                element.name = "a:srgbClr".to_owned();
                element.set("val", super::super::theme::hex(*color));
                has_changed = true;
            }
        });
        has_changed
    }

    /// The colour of a slot as slides name it: `tx1`, `accent3`.
    #[must_use]
    pub fn slot(&self, name: &str) -> Option<Rgb> {
        let mapped = ["bg1", "tx1", "bg2", "tx2"]
            .iter()
            .position(|known| *known == name);
        let slot = match mapped {
            Some(index) => Some(self.map[index]),
            None => SLOTS.iter().position(|known| *known == name),
        };
        slot.map(|slot| self.slots[slot])
    }
}

/// The colour of a slot.
fn color(slot: &Element) -> Option<Rgb> {
    let hex = slot
        .elements()
        .find_map(|color| match color.name.as_str() {
            "a:srgbClr" => color.attribute("val"),
            "a:sysClr" => color.attribute("lastClr").or(match color.attribute("val") {
                Some("window") => Some("FFFFFF"),
                Some("windowText") => Some("000000"),
                _ => None,
            }),
            _ => None,
        })?;
    format!("#{}", hex.to_ascii_lowercase()).parse().ok()
}

/// The second colour at so many percent on the first.
fn mixed(Rgb(on): Rgb, Rgb(color): Rgb, percent: u16) -> Rgb {
    let mut parts = on;
    for (part, other) in parts.iter_mut().zip(color) {
        let sum = u16::from(*part) * (100 - percent) + u16::from(other) * percent;
        // Both are at most 255, so their mean is.
        *part = u8::try_from(sum / 100).unwrap_or(u8::MAX);
    }
    Rgb(parts)
}

/// The template's typeface, with what the document falls back to.
fn font(family: Option<&str>, own: &Font) -> Font {
    let Some(family) = family.filter(|family| *family != own.family) else {
        return own.clone();
    };
    let lower = family.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let class = if has(&["mono", "courier", "consolas"]) {
        FontClass::Mono
    } else if has(&["sans"]) {
        FontClass::Sans
    } else if has(&[
        "serif", "times", "georgia", "garamond", "cambria", "book", "palatino", "roman",
    ]) {
        FontClass::Serif
    } else {
        FontClass::Sans
    };
    Font {
        family: family.to_owned(),
        fallbacks: Vec::new(),
        class,
    }
}
