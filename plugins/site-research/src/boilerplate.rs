//! Text that every site has and that says nothing about the company: consent, navigation, calls to act.

use crate::words;

/// Patterns that mark a block as boilerplate wherever they stand in it.
const ANYWHERE: &[&str] = &[
    "cookie*",
    "all rights reserved",
    "alle rechte vorbehalten",
    "tous droits reserves",
    "todos los derechos reservados",
    "privacy policy",
    "privacy notice",
    "datenschutz*",
    "politique de confidentialite",
    "politica de privacidad",
    "terms of service",
    "terms of use",
    "enable javascript",
    "activate javascript",
    "javascript is disabled",
    "skip to content",
    "skip to main",
    "zum inhalt springen",
    "aller au contenu",
    "saltar al contenido",
    "subscribe to our newsletter",
    "newsletter abonnieren",
    "unsubscribe*",
    "your browser",
    "captcha",
    "einwilligung*",
    "consent preferences",
    "back to top",
    "follow us on",
    "share this",
    "liability for links",
    "haftung fur links",
    "we use analytics",
    "by submitting this form",
    "required fields",
    "pflichtfeld*",
];

/// Openings of a call to act.
const CALLS_TO_ACT: &[&str] = &[
    "contact us",
    "contact our",
    "contact sales",
    "get in touch",
    "get started",
    "get a",
    "get your",
    "book a",
    "book your",
    "request a",
    "request your",
    "learn more",
    "read more",
    "find out",
    "see how",
    "see our",
    "see all",
    "see plans",
    "view all",
    "view our",
    "sign up",
    "sign in",
    "log in",
    "subscribe",
    "download",
    "try",
    "click",
    "discover",
    "explore",
    "watch",
    "join us",
    "join our",
    "join the",
    "call us",
    "talk to",
    "speak to",
    "write to",
    "send us",
    "apply",
    "start your",
    "start now",
    "start free",
    "ask us",
    "schedule a",
    "visit us",
    "read the",
    "browse",
    "check out",
    "tell us",
    "questions about",
    "jetzt",
    "mehr erfahren",
    "mehr lesen",
    "erfahren sie",
    "kontaktieren",
    "kontakt",
    "entdecken sie",
    "vereinbaren sie",
    "fordern sie",
    "schreiben sie",
    "rufen sie",
    "sprechen sie",
    "bewerben",
    "bewirb",
    "en savoir plus",
    "contactez",
    "demandez",
    "demander",
    "decouvrez",
    "telechargez",
    "essayez",
    "inscrivez",
    "descubra",
    "descubre",
    "contacte",
    "contactanos",
    "solicite",
    "solicita",
    "saber mas",
    "leer mas",
    "descargue",
    "pruebe",
    "unete",
];

/// Whether a whole block is boilerplate.
pub fn is_boilerplate(text: &str) -> bool {
    let folded = words::fold(text);
    let trimmed = folded.trim_start();
    if trimmed.starts_with('©') || trimmed.starts_with("(c) ") || trimmed.starts_with("copyright")
    {
        return true;
    }
    words::has_any(&words::split(&folded), ANYWHERE)
}

/// Whether a sentence asks the reader to do something, instead of saying something.
pub fn is_call_to_act(sentence: &str) -> bool {
    let folded = words::fold(sentence);
    let words = words::split(&folded);
    words::starts_with_any(&words, CALLS_TO_ACT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_what_says_nothing() {
        assert!(is_boilerplate("We use cookies to improve your visit."));
        assert!(is_boilerplate("© 2026 Fernhollow Ltd"));
        assert!(is_boilerplate(
            "Bitte beachten Sie unsere Datenschutzerklärung."
        ));
        assert!(!is_boilerplate("Fernhollow builds temperature loggers."));
        assert!(is_call_to_act("Book a demo today."));
        assert!(is_call_to_act("Erfahren Sie mehr über uns."));
        assert!(!is_call_to_act("We booked 40 new customers in 2025."));
    }
}
