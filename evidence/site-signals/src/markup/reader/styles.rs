//! The page's own styles.

use gtm_page_text::html::Element;

use super::Reader;
use super::attributes::text_of;
use crate::css::asks_for_dark;

const MAX_CSS: usize = 1_000_000;

impl Reader<'_> {
    pub(super) fn start_style(&mut self, element: &Element<'_>) {
        let media = text_of(element, "media");
        let dark = media.as_deref().is_some_and(asks_for_dark);
        if media.as_deref().is_none_or(is_for_light_screens) {
            self.style = Some((None, String::new()));
        } else if dark {
            self.style = Some((
                Some("@media (prefers-color-scheme:dark)".to_owned()),
                String::new(),
            ));
        }
    }

    pub(super) fn finish_style(&mut self) {
        let Some((condition, css)) = self.style.take() else {
            return;
        };
        match condition {
            Some(condition) => self.add_css(&[&condition, "{", &css, "}"]),
            None => self.add_css(&[&css]),
        }
    }

    /// Adds an element's inline style as a rule for elements of that name and class.
    pub(super) fn element_style(&mut self, element: &Element<'_>, style: &str) {
        let is_name = |name: &str| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        };
        if style.contains(['{', '}']) || !is_name(element.name) {
            return;
        }
        let class = element
            .attribute("class")
            .and_then(|classes| classes.split_ascii_whitespace().next())
            .filter(|class| is_name(class) && !class.starts_with(|c: char| c.is_ascii_digit()));
        match class {
            Some(class) if !matches!(element.name, "html" | "body") => {
                self.add_css(&[element.name, ".", class, "{", style, "}"]);
            }
            // Not for all elements of that name: `p[style]` is not every paragraph.
            _ if !matches!(element.name, "html" | "body") => {
                self.add_css(&[element.name, "[style]{", style, "}"]);
            }
            _ => self.add_css(&[element.name, "{", style, "}"]),
        }
    }

    pub(super) fn add_css(&mut self, pieces: &[&str]) {
        let length: usize = pieces.iter().map(|piece| piece.len()).sum();
        let css = &mut self.markup.inline_css;
        if css.len() + length < MAX_CSS {
            for piece in pieces {
                css.push_str(piece);
            }
            css.push('\n');
        }
    }
}

/// Whether a media query lets a sheet apply to screens in the light scheme.
pub(super) fn is_for_light_screens(media: &str) -> bool {
    let media = media.to_ascii_lowercase();
    let elsewhere = media.contains("print") && !media.contains("screen") && !media.contains("not");
    !elsewhere && !asks_for_dark(&media)
}
