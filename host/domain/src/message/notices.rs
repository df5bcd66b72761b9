//! The host's own notice on how to object, and the mark of a demonstration, for previews under a policy that the
//! operator does not allow. No message to a real person ever ends with them: those have the policy's.

use crate::policy::OptOutNotice;

/// A language with the host's texts in it.
struct Texts {
    language: &'static str,
    opt_out: &'static str,
    marker: &'static str,
}

/// The first one serves all other languages.
const ALL: [Texts; 7] = [
    Texts {
        language: "en",
        opt_out: "If you would rather not hear from us again, answer with \u{201c}no thanks\u{201d}, and we will not write to you again.",
        marker: "[Demonstration, not to be sent]",
    },
    Texts {
        language: "de",
        opt_out: "Wenn Sie nichts mehr von uns h\u{f6}ren m\u{f6}chten, antworten Sie mit \u{201e}nein danke\u{201c}, und wir schreiben Ihnen nicht wieder.",
        marker: "[Vorf\u{fc}hrung, nicht zum Versand]",
    },
    Texts {
        language: "fr",
        opt_out: "Si vous ne souhaitez plus recevoir de messages de notre part, r\u{e9}pondez \u{ab}\u{a0}non merci\u{a0}\u{bb} et nous ne vous \u{e9}crirons plus.",
        marker: "[D\u{e9}monstration, \u{e0} ne pas envoyer]",
    },
    Texts {
        language: "es",
        opt_out: "Si no desea recibir m\u{e1}s mensajes nuestros, responda \u{ab}no, gracias\u{bb} y no volveremos a escribirle.",
        marker: "[Demostraci\u{f3}n, no enviar]",
    },
    Texts {
        language: "it",
        opt_out: "Se non desidera pi\u{f9} ricevere nostri messaggi, risponda \u{ab}no, grazie\u{bb} e non le scriveremo pi\u{f9}.",
        marker: "[Dimostrazione, da non inviare]",
    },
    Texts {
        language: "nl",
        opt_out: "Wilt u niets meer van ons horen? Antwoord met \u{201c}nee, bedankt\u{201d} en wij schrijven u niet meer.",
        marker: "[Demonstratie, niet verzenden]",
    },
    Texts {
        language: "pt",
        opt_out: "Se n\u{e3}o quiser receber mais mensagens nossas, responda \u{ab}n\u{e3}o, obrigado\u{bb} e n\u{e3}o voltaremos a escrever-lhe.",
        marker: "[Demonstra\u{e7}\u{e3}o, n\u{e3}o enviar]",
    },
];

fn texts(language: &str) -> &'static Texts {
    let primary = language.split('-').next().unwrap_or_default();
    let same = |texts: &&Texts| texts.language.eq_ignore_ascii_case(primary);
    ALL.iter().find(same).unwrap_or(&ALL[0])
}

/// The host's notice for a message in this language (BCP 47). Languages without one have the English notice.
#[must_use]
pub fn demonstration_notice(language: &str) -> OptOutNotice {
    let texts = texts(language);
    OptOutNotice {
        notice_id: format!("host-demonstration-{}", texts.language),
        language: texts.language.to_owned(),
        text: texts.opt_out.to_owned(),
    }
}

/// The host's mark of a demonstration in this language, or the English one.
#[must_use]
pub fn demonstration_marker(language: &str) -> &'static str {
    texts(language).marker
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
    fn texts_fit_their_placeholder_and_no_two_are_the_same() {
        use crate::message::Placeholder;
        for (index, texts) in ALL.iter().enumerate() {
            let most = Placeholder::ComplianceOptOut.max_chars();
            assert!(texts.opt_out.chars().count() <= most);
            assert!(texts.marker.starts_with('[') && texts.marker.ends_with(']'));
            let others = ALL.iter().skip(index + 1);
            let is_same = |it: &Texts| it.opt_out == texts.opt_out || it.marker == texts.marker;
            assert!(!others.into_iter().any(is_same));
        }
    }
}
