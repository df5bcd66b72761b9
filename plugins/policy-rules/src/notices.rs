//! The canonical notices and the mark of a demonstration, by language.
//!
//! A notice's id stands for exactly one text: who changes a text raises its number. Texts are one paragraph,
//! name no product and have no digits, so that the host's checks of numbers and links pass them.

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
#[derive(Debug)]
pub struct Notices {
    /// Primary language subtag.
    language: &'static str,
    plain: &'static str,
    commercial: &'static str,
    right_to_object: &'static str,
    /// Stands before the address of the privacy notice.
    pub privacy: &'static str,
    /// Marks what is only a demonstration.
    pub demonstration_marker: &'static str,
}

impl Notices {
    /// The canonical notice.
    pub fn opt_out(&self, form: OptOutForm) -> OptOutNotice {
        let (name, text) = match form {
            OptOutForm::Plain => ("opt-out", self.plain),
            OptOutForm::Commercial => ("opt-out-commercial", self.commercial),
            OptOutForm::RightToObject => ("opt-out-objection", self.right_to_object),
        };
        OptOutNotice {
            notice_id: format!("{name}-{}-1", self.language),
            language: self.language,
            text,
        }
    }
}

/// The languages that have notices. A message in another one gets the English notices, and says so.
pub fn languages() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|notices| notices.language)
}

/// The texts for a BCP 47 tag.
pub fn of(tag: &str) -> &'static Notices {
    let primary = tag.split(['-', '_']).next().unwrap_or_default();
    ALL.iter()
        .find(|notices| notices.language.eq_ignore_ascii_case(primary))
        .unwrap_or(&ALL[0])
}

const ENGLISH: Notices = Notices {
    language: "en",
    plain: "Reply \"stop\" and we will not write to you again.",
    commercial: "This is a commercial message. Reply \"stop\" and we will not write to you again.",
    right_to_object: "You may object to the use of your address for advertising at any time, at no cost beyond the basic rate of transmission: reply \"stop\" and we will not write to you again.",
    privacy: "Where we found your address, why we write to you and what rights you have is set out in our privacy notice:",
    demonstration_marker: "[Demonstration – not for sending]",
};

/// English first.
static ALL: [Notices; 7] = [
    ENGLISH,
    Notices {
        language: "de",
        plain: "Antworten Sie mit „Stopp“, dann schreiben wir Ihnen nicht mehr.",
        commercial: "Dies ist eine Werbenachricht. Antworten Sie mit „Stopp“, dann schreiben wir Ihnen nicht mehr.",
        right_to_object: "Sie können der Verwendung Ihrer Adresse für Werbung jederzeit widersprechen, ohne dass dafür andere als die Übermittlungskosten nach den Basistarifen entstehen: Antworten Sie mit „Stopp“, dann schreiben wir Ihnen nicht mehr.",
        privacy: "Woher wir Ihre Adresse haben, warum wir Ihnen schreiben und welche Rechte Sie haben, steht in unserem Datenschutzhinweis:",
        demonstration_marker: "[Demonstration – nicht zum Versand]",
    },
    Notices {
        language: "fr",
        plain: "Répondez «\u{a0}stop\u{a0}» et nous ne vous écrirons plus.",
        commercial: "Ceci est un message publicitaire. Répondez «\u{a0}stop\u{a0}» et nous ne vous écrirons plus.",
        right_to_object: "Vous pouvez à tout moment vous opposer à l'utilisation de votre adresse à des fins publicitaires, sans autres frais que les coûts de transmission au tarif de base\u{a0}: répondez «\u{a0}stop\u{a0}» et nous ne vous écrirons plus.",
        privacy: "L'origine de votre adresse, la raison de notre message et vos droits sont exposés dans notre avis de confidentialité\u{a0}:",
        demonstration_marker: "[Démonstration – ne pas envoyer]",
    },
    Notices {
        language: "es",
        plain: "Responda «baja» y no le escribiremos más.",
        commercial: "Este es un mensaje publicitario. Responda «baja» y no le escribiremos más.",
        right_to_object: "Puede oponerse en cualquier momento al uso de su dirección con fines publicitarios, sin más coste que el de transmisión según la tarifa básica: responda «baja» y no le escribiremos más.",
        privacy: "De dónde procede su dirección, por qué le escribimos y qué derechos tiene se explica en nuestro aviso de privacidad:",
        demonstration_marker: "[Demostración – no enviar]",
    },
    Notices {
        language: "it",
        plain: "Risponda «stop» e non le scriveremo più.",
        commercial: "Questo è un messaggio pubblicitario. Risponda «stop» e non le scriveremo più.",
        right_to_object: "Può opporsi in qualsiasi momento all'uso del suo indirizzo a fini pubblicitari, senza altri costi che quelli di trasmissione secondo la tariffa di base: risponda «stop» e non le scriveremo più.",
        privacy: "Da dove proviene il suo indirizzo, perché le scriviamo e quali diritti ha è spiegato nella nostra informativa sulla privacy:",
        demonstration_marker: "[Dimostrazione – da non inviare]",
    },
    Notices {
        language: "nl",
        plain: "Antwoord met \"stop\" en wij schrijven u niet meer.",
        commercial: "Dit is een reclamebericht. Antwoord met \"stop\" en wij schrijven u niet meer.",
        right_to_object: "U kunt op elk moment bezwaar maken tegen het gebruik van uw adres voor reclame, zonder andere kosten dan die van verzending tegen het basistarief: antwoord met \"stop\" en wij schrijven u niet meer.",
        privacy: "Waar wij uw adres vandaan hebben, waarom wij u schrijven en welke rechten u hebt, staat in onze privacyverklaring:",
        demonstration_marker: "[Demonstratie – niet verzenden]",
    },
    Notices {
        language: "pt",
        plain: "Responda «parar» e não voltaremos a escrever-lhe.",
        commercial: "Esta é uma mensagem publicitária. Responda «parar» e não voltaremos a escrever-lhe.",
        right_to_object: "Pode opor-se a qualquer momento ao uso do seu endereço para fins publicitários, sem outros custos além dos de transmissão segundo a tarifa básica: responda «parar» e não voltaremos a escrever-lhe.",
        privacy: "De onde vem o seu endereço, porque lhe escrevemos e que direitos tem está explicado no nosso aviso de privacidade:",
        demonstration_marker: "[Demonstração – não enviar]",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    const FORMS: [OptOutForm; 3] = [
        OptOutForm::Plain,
        OptOutForm::Commercial,
        OptOutForm::RightToObject,
    ];

    /// What the host's rendering would refuse or change must not stand in a notice: its hash is that of the
    /// bytes in the message.
    #[test]
    fn texts_survive_rendering_and_checks() {
        for notices in &ALL {
            let opt_outs = FORMS.map(|form| notices.opt_out(form).text);
            for text in opt_outs
                .into_iter()
                .chain([notices.privacy, notices.demonstration_marker])
            {
                assert!(text.chars().count() <= 300, "{text}");
                assert_eq!(text, text.trim());
                let foreign = |c: char| c.is_control() || c.is_ascii_digit() || "{}<>".contains(c);
                assert!(!text.contains(foreign), "{text}");
            }
            assert!(notices.privacy.ends_with(':'), "{}", notices.privacy);
        }
    }

    #[test]
    fn an_id_stands_for_one_text() {
        let mut known = BTreeMap::new();
        for notice in ALL
            .iter()
            .flat_map(|notices| FORMS.map(|form| notices.opt_out(form)))
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
    }
}
