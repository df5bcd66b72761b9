//! The canonical notices and the mark of a demonstration, by language (`notices.toml` of `gtm-fixed-texts`).
//!
//! A notice's id stands for exactly one text: who changes a text raises its number.

use gtm_fixed_texts::notices::{
    DEMONSTRATION_MARKER, OPT_OUT, OPT_OUT_COMMERCIAL, OPT_OUT_OBJECTION, PRIVACY,
};

use crate::verdict::OptOutNotice;

/// What the notice on objecting must say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptOutForm {
    /// How to object.
    Plain,
    /// Besides, that the message is an advertisement.
    Commercial,
    /// Besides, that objecting is possible at any time and costs no more than transmission.
    RightToObject,
}

/// The texts of one language.
#[derive(Debug, Clone, Copy)]
pub struct Notices {
    language: &'static str,
}

impl Notices {
    /// The canonical notice.
    pub fn opt_out(self, form: OptOutForm) -> OptOutNotice {
        let (name, text) = match form {
            OptOutForm::Plain => ("opt-out", &OPT_OUT),
            OptOutForm::Commercial => ("opt-out-commercial", &OPT_OUT_COMMERCIAL),
            OptOutForm::RightToObject => ("opt-out-objection", &OPT_OUT_OBJECTION),
        };
        OptOutNotice {
            notice_id: format!("{name}-{}-1", self.language),
            language: self.language,
            text: text.in_language(self.language),
        }
    }

    /// Stands before the address of the privacy notice.
    pub fn privacy(self) -> &'static str {
        PRIVACY.in_language(self.language)
    }

    /// Marks what is only a demonstration.
    pub fn demonstration_marker(self) -> &'static str {
        DEMONSTRATION_MARKER.in_language(self.language)
    }
}

/// The languages that have notices. A message in another one gets the English notices, and says so.
pub fn languages() -> impl Iterator<Item = &'static str> {
    OPT_OUT.languages()
}

/// The texts for a BCP 47 tag.
pub fn of(tag: &str) -> Notices {
    Notices {
        language: OPT_OUT.language_for(tag),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    const FORMS: [OptOutForm; 3] = [
        OptOutForm::Plain,
        OptOutForm::Commercial,
        OptOutForm::RightToObject,
    ];

    #[test]
    fn an_id_stands_for_one_text() {
        let mut known = BTreeMap::new();
        for notice in languages().flat_map(|language| FORMS.map(|form| of(language).opt_out(form)))
        {
            assert_eq!(known.insert(notice.notice_id, notice.text), None);
        }
        assert_eq!(known.len(), 21);
    }

    #[test]
    fn a_language_is_found_by_its_tag() {
        for (tag, language) in [
            ("en-GB", "en"),
            ("de", "de"),
            ("DE-at", "de"),
            ("pt-BR", "pt"),
            ("fi", "en"),
            ("", "en"),
        ] {
            assert_eq!(of(tag).opt_out(OptOutForm::Plain).language, language);
        }
        assert!(of("de").privacy().ends_with(':'));
        assert!(of("de").demonstration_marker().starts_with('['));
    }
}
