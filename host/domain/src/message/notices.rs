//! The host's own notice on how to object, and the mark of a demonstration, for previews under a policy that the
//! operator does not allow. No message to a real person ever ends with them: those have the policy's.

use gtm_fixed_texts::notices::{HOST_DEMONSTRATION_MARKER, HOST_OPT_OUT};

use crate::policy::OptOutNotice;

/// The host's notice for a message in this language (BCP 47). Languages without one have the English notice.
#[must_use]
pub fn demonstration_notice(language: &str) -> OptOutNotice {
    let language = HOST_OPT_OUT.language_for(language);
    OptOutNotice {
        notice_id: format!("host-demonstration-{language}"),
        language: language.to_owned(),
        text: HOST_OPT_OUT.in_language(language).to_owned(),
    }
}

/// The host's mark of a demonstration in this language, or the English one.
#[must_use]
pub fn demonstration_marker(language: &str) -> &'static str {
    HOST_DEMONSTRATION_MARKER.in_language(language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_has_its_own_notice_and_others_the_english_one() {
        for (language, id) in [
            ("de-AT", "host-demonstration-de"),
            ("PT", "host-demonstration-pt"),
            ("en-GB", "host-demonstration-en"),
            ("pl", "host-demonstration-en"),
            ("", "host-demonstration-en"),
        ] {
            assert_eq!(demonstration_notice(language).notice_id, id, "{language}");
        }
        assert_eq!(demonstration_notice("pl").language, "en");
    }

    #[test]
    fn texts_fit_their_placeholder() {
        use crate::message::Placeholder;
        let most = Placeholder::ComplianceOptOut.max_chars();
        for language in HOST_OPT_OUT.languages() {
            let notice = demonstration_notice(language);
            assert_eq!(notice.language, language);
            assert!(notice.text.chars().count() <= most, "{}", notice.text);
        }
        assert_eq!(
            demonstration_marker("de-CH"),
            "[Vorführung, nicht zum Versand]"
        );
    }
}
