//! Four themes: those that the host makes of four guidelines, and the gallery's logo on them.

use serde_json::{Value, json};

/// Name of the asset that a theme's logo is.
pub const LOGO: &str = "logo";

#[derive(Debug, Clone, Copy)]
pub struct Theme {
    pub name: &'static str,
    json: &'static str,
}

pub const THEMES: &[Theme] = &[
    Theme {
        name: "light",
        json: include_str!("../../../host/domain/tests/themes/light.json"),
    },
    Theme {
        name: "dark",
        json: include_str!("../../../host/domain/tests/themes/dark.json"),
    },
    Theme {
        name: "serif",
        json: include_str!("../../../host/domain/tests/themes/serif.json"),
    },
    Theme {
        name: "vivid",
        json: include_str!("../../../host/domain/tests/themes/vivid.json"),
    },
];

impl Theme {
    /// The theme with the logo.
    ///
    /// # Panics
    /// Never: a test reads each theme.
    #[must_use]
    #[expect(clippy::expect_used, reason = "compiled in, and read by a test")]
    pub fn value(&self) -> Value {
        let mut theme: Value = serde_json::from_str(self.json).expect("a golden theme is JSON");
        let mode = theme["mode"].clone();
        theme["logo"] = json!({
            "asset": LOGO, "alt": "Nordhaven", "width": 396, "height": 96, "for": mode,
        });
        theme
    }

    /// The logo for the theme's background.
    pub(crate) fn logo(&self) -> &'static [u8] {
        if self.value()["mode"] == "dark" {
            include_bytes!("../assets/logo-dark.svg")
        } else {
            include_bytes!("../assets/logo-light.svg")
        }
    }
}
