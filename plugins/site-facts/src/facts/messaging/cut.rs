//! Links inside of running text, whose words are a part of its sentence.

use std::collections::BTreeSet;

use gtm_site_research::words;

const SENTENCE_ENDS: [char; 6] = ['.', '!', '?', '。', '！', '？'];
/// Most words beside the links of a line that is nothing but a row of links: `Book a visit or call us`.
const BESIDE_LINKS: usize = 2;

/// Whether a link's text is cut out of the middle of a sentence: `Call now for a [free quote]`, `Take [contact] with us`.
pub(super) fn is_cut(text: &str, line: &str, links: &BTreeSet<&str>) -> bool {
    let Some((before, behind)) = line.split_once(text) else {
        return false;
    };
    let mut rest = line.replacen(text, " ", 1);
    for link in links.iter().filter(|link| link.chars().count() > 1) {
        rest = rest.replace(link, " ");
    }
    if words::split(&rest).len() <= BESIDE_LINKS {
        return false;
    }
    let is_link = |part: &str, ends: bool| {
        let mut links = links.iter().filter(|link| !link.is_empty());
        links.any(|link| {
            if ends {
                part.ends_with(link)
            } else {
                part.starts_with(link)
            }
        })
    };
    let (before, behind) = (before.trim_end(), behind.trim_start());
    let mark = |c: char| {
        !c.is_alphanumeric() && !matches!(c, ',' | '-' | '–' | '—' | '(' | '„' | '“' | '"')
    };
    let begins = before.is_empty() || before.ends_with(mark) || is_link(before, true);
    let ended = text.ends_with(SENTENCE_ENDS);
    let ends = ended
        || behind.is_empty()
        || behind.starts_with(|c: char| !c.is_alphanumeric() && c != ',')
        || behind.starts_with(char::is_uppercase) && !before.is_empty()
        || is_link(behind, false);
    !(begins && ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_no_part_of_a_sentence() {
        let is_cut =
            |text: &str, line: &str| is_cut(text, line, &BTreeSet::from([text, "Call us"]));
        for (text, line) in [
            (
                "free quote!",
                "Fast and safe repairs. Call now for a free quote!",
            ),
            ("Kontakt", "Nehmen Sie Kontakt zu uns auf, wir freuen uns."),
            (
                "kontaktieren",
                "Wir sind Experten für Holz - kontaktieren Sie uns!",
            ),
            ("free assessment", "Contact us for a free assessment today!"),
        ] {
            assert!(is_cut(text, line), "{line}");
        }
        for (text, line) in [
            (
                "Book today!",
                "Get peace of mind for your house. Book today!",
            ),
            ("Book a visit", "Book a visit or Call us"),
            ("Book a visit", "Call us Book a visit"),
            ("Book a visit", "Book a visit"),
            (
                "Book a visit",
                "Come and see the yard for yourself: Book a visit →",
            ),
        ] {
            assert!(!is_cut(text, line), "{line}");
        }
    }
}
