//! Certificates: a named standard, or a statement that the company is certified.

use gtm_lexicon::company::REFERRING;
use gtm_lexicon::offer::ALONE;
use gtm_lexicon::places::ARTICLES as PLACE_ARTICLES;
use gtm_lexicon::proofs::{
    CERTIFIED, CERTIFIED_BY, CERTIFIED_VERBS, FOLLOWS, MANAGEMENT_SYSTEMS, NATIONAL_STANDARDS,
    NUMBERED_STANDARDS, PRODUCT_LABELS, STANDARDS,
};
use gtm_lexicon::trade::ARTICLES;
use gtm_lexicon::{Phrase, Words};
use gtm_page_text::primary_language;
use gtm_site_research::words;

use super::speaker::says_what_it_is;
use crate::site::Site;

/// Most words of a line that names a label and tells nothing else.
const LEAST_TOLD: usize = 2;
/// Most words of a line that names a standard of management systems without a word of certification.
const LONGEST_ALONE: usize = 12;
/// Among how many words behind the mark of a standard its number stands.
const BEHIND: usize = 3;
/// Among how many words a standard stands that is not what something else is made by.
const FIRST: usize = 1;
/// Among how many words a sentence refers to what stands before it.
const OPENING: usize = 2;
/// Fewest digits of the number of a standard.
const DIGITS: usize = 4;
/// Opening and closing marks of a quotation.
const QUOTES: [(char, char); 7] = [
    ('"', '"'),
    ('“', '”'),
    ('„', '“'),
    ('«', '»'),
    ('»', '«'),
    ('「', '」'),
    ('『', '』'),
];

/// Whether a text names a certificate that the company has. Headings such as `Certifications` and sentences
/// that merely mention certification don't count, nor does what stands in quotation marks.
pub fn is_certificate(text: &str, is_heading: bool, site: &Site) -> bool {
    let text = outside_quotes(text);
    let folded = words::fold(&text);
    let words = words::split(&folded);
    let speaks = says_what_it_is(&text, site);
    !text.ends_with('?')
        && (names_standard(&words, speaks)
            || !is_heading && says_certified(&words, speaks, &site.research.language))
}

/// Whether a text names a standard that one works by rather than is certified for: `ISO 13849`.
pub fn names_norm(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    numbers(&words).any(|number| !MANAGEMENT_SYSTEMS.contains(number)) && !CERTIFIED.any_in(&words)
}

/// A text without its quotations.
fn outside_quotes(text: &str) -> String {
    let mut left = String::new();
    let mut rest = text;
    while let Some((at, open)) = rest
        .char_indices()
        .find(|(_, c)| QUOTES.iter().any(|(open, _)| open == c))
    {
        let behind = rest.get(at + open.len_utf8()..).unwrap_or_default();
        let ends = QUOTES.iter().filter(|(known, _)| *known == open);
        let end = ends
            .filter_map(|(_, close)| Some((behind.find(*close)?, close.len_utf8())))
            .min();
        let Some((end, length)) = end else { break };
        left.push_str(rest.get(..at).unwrap_or_default());
        rest = behind.get(end + length..).unwrap_or_default();
    }
    left.push_str(rest);
    left
}

/// Whether a word may be the number of a standard.
fn is_number(word: &str) -> bool {
    word.len() >= DIGITS && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The first number behind each mark of a standard, or in one word with it: 9001 of `ISO 9001:2015` and `ISO9001`.
fn numbers<'w>(words: &'w [&'w str]) -> impl Iterator<Item = &'w str> {
    words.iter().enumerate().filter_map(|(at, word)| {
        if NUMBERED_STANDARDS.contains(word) {
            let behind = words.get(at + 1..)?.iter().take(BEHIND);
            return behind.copied().find(|word| is_number(word));
        }
        let mut marks = NUMBERED_STANDARDS.iter();
        let glued = marks.find_map(|mark| word.strip_prefix(mark));
        glued.filter(|number| is_number(number))
    })
}

/// Whether the words name a known standard. Standards of management systems count alone, unless the words tell that
/// something follows them, or others stand beside them; others count beside a word of certification.
fn names_standard(words: &[&str], speaks: bool) -> bool {
    let certified = CERTIFIED.any_in(words);
    let follows = !certified && FOLLOWS.any_in(words);
    let mut numbers = numbers(words).peekable();
    let is_long = words.len() > LONGEST_ALONE;
    let numbered = numbers.peek().is_some()
        && (certified || !is_long && numbers.all(|number| MANAGEMENT_SYSTEMS.contains(number)));
    // `EN 1090`, `DIN EN 9100`: these count only next to a word such as `certified`.
    let european = words.windows(2).any(|pair| match pair {
        [mark, number] => NATIONAL_STANDARDS.contains(mark) && is_number(number),
        _ => false,
    });
    let labelled = words.iter().any(|word| PRODUCT_LABELS.contains(word));
    // Products are made by a standard: `Tanks to AD 2000`.
    let stands_first = || STANDARDS.places(words).any(|(at, _)| at <= FIRST);
    (certified || speaks || stands_first()) && STANDARDS.any_in(words) && !(follows && is_long)
        || numbered && !follows
        || european && certified
        || labelled && !follows && (words.len() <= LEAST_TOLD || certified)
}

/// Whether the company says that it is certified, or an item says who certified it.
fn says_certified(words: &[&str], speaks: bool, language: &str) -> bool {
    let places: Vec<(usize, Phrase)> = CERTIFIED.places(words).collect();
    // What sets the company apart from others is no certificate.
    let Some((first, _)) = places.first().filter(|_| !ALONE.any_in(words)) else {
        return false;
    };
    // `This accreditation shows`: which one stands elsewhere.
    let refers = |at: usize| {
        let before = at.checked_sub(1).filter(|before| *before < OPENING);
        let word = before.and_then(|before| words.get(before));
        word.is_some_and(|word| REFERRING.contains(word))
    };
    let verbs = CERTIFIED_VERBS.of(primary_language(language));
    let named = places.iter().any(|(at, phrase)| {
        !refers(*at) && (phrase.len() > 1 || is_said_of_somebody(words, *at, &verbs))
    });
    let by = places.iter().any(|(at, _)| {
        let behind = words.get(at + 1..).unwrap_or_default();
        behind
            .iter()
            .take(3)
            .any(|word| CERTIFIED_BY.contains(word))
    });
    // What comes late in a long sentence is certified, not the company: products, a service.
    let early = *first <= 3 || words.len() <= 12;
    words.len() >= 3 && early && (named && speaks && words.len() >= 4 || by)
}

/// Whether a word for certified behind one of a language's verbs tells what somebody is. Others stand beside what is certified
/// or are a noun: `We use certified cotton`, `con el certificado`. A language without known verbs shows no difference.
fn is_said_of_somebody(words: &[&str], at: usize, verbs: &Words) -> bool {
    let before = words.get(..at).unwrap_or_default();
    let is_article = |word: &&str| PLACE_ARTICLES.contains(word) || ARTICLES.any_has(word);
    let said = match before.split_last() {
        // `We are a certified firm`
        Some((article, rest)) if is_article(article) => rest.get(rest.len().saturating_sub(1)..),
        _ => Some(before),
    };
    let mut said = said.unwrap_or_default().iter();
    verbs.iter().next().is_none() || said.any(|word| verbs.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certified_things_and_certificates_are_not_the_company_s() {
        for (language, text) in [
            ("en", "We use certified organic cotton."),
            ("es", "Cada lote sale de la planta con certificado."),
            (
                "es",
                "No es opcional, lo cumplimos o perdemos el certificado.",
            ),
            ("it", "Usiamo soltanto legno certificato."),
        ] {
            let folded = words::fold(text);
            let words = words::split(&folded);
            assert!(!says_certified(&words, true, language), "{text}");
        }
        for (language, text) in [
            ("en", "We are a certified firm."),
            ("es", "Desde 2014 estamos certificados."),
            ("de", "Wir sind seit 2014 als Fachbetrieb zertifiziert."),
        ] {
            let folded = words::fold(text);
            let words = words::split(&folded);
            assert!(says_certified(&words, true, language), "{text}");
        }
    }

    #[test]
    fn certificates_have_a_standard_or_say_so() {
        let is = |text: &str, speaks: bool| {
            let folded = words::fold(text);
            let words = words::split(&folded);
            names_standard(&words, speaks) || says_certified(&words, speaks, "")
        };
        for text in [
            "ISO 9001:2015",
            "ISO/IEC 27001",
            "Certified B Corp",
            "Certified organic by the Soil Association",
            "Zertifiziert nach DIN EN 1090",
            "Certifié Ecocert",
            "FSC-zertifiziert (FSC C123456)",
            "Licensed by Elmham District Council",
            "PEFC",
            "HACCP",
            "IATF 16949:2016",
            "ISO 9001 quality management systems",
            "Certified to ISO 3834-2",
            "JIS Q 9001",
            "JIS Q 15001:2017",
            "ISO 9001 certified and GDPR compliant",
        ] {
            assert!(is(text, false), "{text}");
        }
        for text in [
            "We are an authorised economic operator.",
            "Wir sind seit 2014 als Fachbetrieb zertifiziert.",
            "Every one of our fitters is fully licensed.",
            "Siamo un’impresa abilitata per gli impianti a gas.",
            "Wir sind von der Stadt konzessioniert und versichert.",
            "Nous sommes agréés et notre atelier est labellisé depuis 2015.",
            "Onze werkplaats is gecertificeerd voor gas en warmte.",
        ] {
            assert!(is(text, true), "{text}");
        }
        for text in [
            "Certifications",
            "Our certificates",
            "Zertifizierungen",
            "Certificaciones",
            "Isolated pipes",
            "We cut stairs from PEFC oak and local ash.",
            "Licensed software for stairs",
            "We read meters.",
            "Le registre est prêt pour les visites de certification.",
            "We prepare you for every certification audit.",
            "All products that we use for cleaning come from known makers and are certified and approved by the authorities.",
            "We sell new and used lifting trucks, rent them by the day, and offer certified service and parts.",
            "Download the certificate of conformity.",
            "Unlike others, our fitters are certified and insured.",
            "This accreditation strengthens our devotion to better roofs.",
            "Together, these accreditations highlight our devotion to safe work.",
            "Wir sind anders als andere, weil jeder von uns zertifiziert ist.",
            "ISO 13849 and IEC 62061 safety of machines",
            "ISO 12100 (risk assessment)",
            "JIS G 3101",
            "ISO 9001, ISO 13849 and IEC 62061",
            "ISO 9001 implementations",
            "IATF 16949 compliant conveyors for car makers",
            "IATF-16949-konforme Förderanlagen",
            "HACCP compliant",
            "GMP compliant lines, clean rooms, and FDA approved ways of working for makers of medicine",
            "ISO 9001 is what many of our customers ask for, and we know what their auditors want to see.",
        ] {
            assert!(!is(text, true), "{text}");
        }
        assert!(is("We hold a TISAX label since last year", true));
        for text in [
            "Pressure vessels to AD 2000",
            "Plants up to the pressure vessel to AD 2000, tested and documented",
        ] {
            assert!(!is(text, false), "{text}");
        }
        assert!(!is("Certified technicians repair it", false));
    }

    #[test]
    fn quotations_are_what_others_say() {
        for (text, left) in [
            ("\"ISO 9001 is theirs.\" Jo Roe", " Jo Roe"),
            ("„ISO 9001“ und “ISO 14001”", " und "),
            ("12\" pipes, ISO 9001", "12\" pipes, ISO 9001"),
            ("« ISO 9001 », dit-elle", ", dit-elle"),
        ] {
            assert_eq!(outside_quotes(text), left);
        }
    }
}
