//! Which documents are rendered and checked: each of the gallery in two themes, and the hostile ones.

use gtm_document_gallery::hostile::{self, Expected};
use gtm_document_gallery::{Asset, SAMPLES, THEMES};
use serde_json::Value;

/// A document, and what a renderer makes of it.
pub struct Fixture {
    pub name: String,
    pub formats: Vec<&'static str>,
    pub expected: Expected,
    pub document: Value,
    pub assets: Vec<Asset>,
    /// Whether LibreOffice converts it, which takes longest.
    pub converted: bool,
}

/// The fixtures.
pub fn all() -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for (index, sample) in SAMPLES.iter().enumerate() {
        // Light and vivid, dark and serif, in turn: each theme meets each direction and length.
        for (turn, theme) in THEMES.iter().enumerate() {
            let is_chosen = (index + turn) % 2 == 0;
            if is_chosen {
                fixtures.push(Fixture {
                    name: format!("{}-{}", sample.name, theme.name),
                    formats: sample.formats.to_vec(),
                    expected: Expected::File,
                    document: sample.document(theme),
                    assets: sample.assets(theme),
                    converted: turn < 2,
                });
            }
        }
    }
    fixtures.extend(hostile::documents().into_iter().map(|hostile| Fixture {
        name: hostile.name.to_owned(),
        formats: vec!["pptx", "docx", "pdf"],
        expected: hostile.expected,
        document: hostile.document,
        assets: hostile.assets,
        converted: false,
    }));
    fixtures
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_document_and_each_theme_is_checked() {
        let names: BTreeSet<String> = all().into_iter().map(|fixture| fixture.name).collect();
        for sample in SAMPLES {
            let themes = (THEMES.iter())
                .filter(|theme| names.contains(&format!("{}-{}", sample.name, theme.name)));
            assert_eq!(themes.count(), 2, "{}", sample.name);
        }
        for theme in THEMES {
            let end = format!("-{}", theme.name);
            assert!(names.iter().any(|name| name.ends_with(&end)), "{end}");
        }
    }
}
