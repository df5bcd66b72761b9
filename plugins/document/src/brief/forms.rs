//! Orders without a verb that name a document's type, format and length: `Propuesta en PDF`, `Format Word.`, `Deck, 10 slides max`.
//!
//! Danger: `Two pages of the proposal were missing` names as much and orders nothing. So every word must be one of such an order;
//! only behind what it names may it say for whom the document is.

use gtm_lexicon::documents::{
    CAPITALIZED_FORMATS, FORM_JOINTS, FORMAT_LABELS, FORMATS, LIMITS, NEGATIONS, POLITENESS,
    RECIPIENTS, SUBJECTS, TEXTS,
};
use gtm_lexicon::foundations::AND;
use gtm_lexicon::{Phrases, fold, split};
use gtm_page_text::primary_language;

use super::{document_names, wishes};

/// Longest clause that bans something behind such an order, in words.
const BAN_WORDS: usize = 4;
/// Longest order without a verb, in words.
const FORM_WORDS: usize = 16;

/// What the words of such an order name.
#[derive(Debug, Default)]
struct Named {
    kind: bool,
    format: bool,
    label: bool,
    length: bool,
    /// Whether a word stood before the type that nobody knows: `A short proposal`.
    stranger: bool,
    asked: bool,
    /// Whether a format stood directly before the type: `PDF reports`.
    is_attribute: bool,
}

/// Whether a sentence without a verb orders the type, the format or the length of a document: two of them, one with its label
/// (`Format Word`), or a format that is asked for (`As PDF please`).
pub fn are_named(sentence: &str, language: &str) -> bool {
    let bare = without_bans(sentence).filter(|bare| !bare.is_empty());
    let named = named_in(sentence, language)
        .or_else(|| named_in(bare?, language).filter(|it| !it.stranger))
        .or_else(|| asked_behind_a_name(sentence, language));
    let Some(named) = named else {
        return false;
    };
    let Named {
        kind,
        format,
        label,
        length,
        asked,
        ..
    } = named;
    (format && (kind || label || length || asked)) || (kind && length)
}

/// A sentence up to the clauses at its end that ban something in a few words: `Word, 3 pages, no blah`.
fn without_bans(sentence: &str) -> Option<&str> {
    let mut commas = sentence.match_indices([',', ';', '、', '،']);
    commas.find_map(|(at, comma)| {
        let (before, behind) = sentence.split_at(at);
        let behind = behind.get(comma.len()..)?;
        let mut clauses = behind.split([',', ';', '、', '،']);
        clauses.all(is_ban).then_some(before)
    })
}

/// Whether a clause bans something in a few words: `no blah`.
fn is_ban(clause: &str) -> bool {
    let folded = fold(clause);
    let words = split(&folded);
    (1..=BAN_WORDS).contains(&words.len())
        && NEGATIONS.open(&words)
        && !clause.contains(char::is_numeric)
}

/// What clauses ask for behind a few words that name the document: `Price list 2027, please as Word, no blah`.
fn asked_behind_a_name(sentence: &str, language: &str) -> Option<Named> {
    let mut clauses = sentence.trim_end_matches('.').split([',', ';', '、', '،']);
    let name = clauses.next()?;
    if !(1..=BAN_WORDS).contains(&name.split_whitespace().count()) {
        return None;
    }
    let mut found = None;
    for clause in clauses.filter(|clause| !is_ban(clause)) {
        let named = named_in(clause, language)?;
        let asks = named.format && (named.asked || named.label || named.length);
        found = Some(named).filter(|named| asks && !named.stranger);
        found.as_ref()?;
    }
    found
}

/// Whether a title orders type, format or length. `PDF reports for clinics` names what is offered.
pub fn are_named_by_title(title: &str, language: &str) -> bool {
    let names_a_thing = named_in(title, language)
        .is_some_and(|named| named.is_attribute && !(named.label || named.length || named.asked));
    are_named(title, language) && !names_a_thing
}

fn named_in(sentence: &str, language: &str) -> Option<Named> {
    let primary = primary_language(language);
    let joints = FORM_JOINTS.of(primary);
    let joint = |words: &[&str]| longest_in(joints, words);
    let folded = fold(sentence);
    let words = split(&folded);
    let printed: Vec<&str> = split(sentence);
    if words.len() > FORM_WORDS {
        return None;
    }
    let lengths = wishes::lengths(&words);
    let mut named = Named::default();
    let mut at = 0;
    let mut behind_format = false;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let is_behind_format = std::mem::take(&mut behind_format);
        let kind = document_names::of_types_and_letters()
            .filter_map(|kind| longest(kind, rest))
            .max();
        if let Some(length) = lengths.iter().find(|length| length.start == at) {
            named.length = true;
            at = length.end;
        } else if printed
            .get(at)
            .is_some_and(|word| CAPITALIZED_FORMATS.contains(word))
        {
            named.format = true;
            behind_format = true;
            at += 1;
        } else if let Some(length) = longest(&FORMATS, rest) {
            named.format = true;
            behind_format = true;
            at += length;
        } else if let Some(length) = kind {
            named.kind = true;
            named.is_attribute |= is_behind_format;
            at += length;
        } else if let Some(length) = longest(&FORMAT_LABELS, rest) {
            named.label = true;
            at += length;
        } else if let Some(length) = longest(&POLITENESS, rest) {
            // `PDF and Word` asks for nothing.
            named.asked |= !rest.first().is_some_and(|word| AND.contains(word));
            at += length;
        } else if let Some(length) = [&LIMITS, &TEXTS]
            .iter()
            .filter_map(|known| longest(known, rest))
            .max()
            .or_else(|| joint(rest))
        {
            at += length;
        } else if named.format || named.kind || named.length {
            // Behind what it names it says for whom the document is, or what about.
            let word = rest.first().copied().unwrap_or_default();
            let prepositions = [&RECIPIENTS, &SUBJECTS];
            let goes_on = prepositions
                .iter()
                .any(|known| known.of(primary).contains(word));
            return goes_on.then_some(named);
        } else if !named.stranger {
            named.stranger = true;
            at += 1;
        } else {
            return None;
        }
    }
    // `Hospital report, PDF` may be anything; a word alone before the type is an adjective.
    (!named.stranger || named.kind).then_some(named)
}

fn longest(phrases: &Phrases, words: &[&str]) -> Option<usize> {
    phrases.at_start(words).map(<[_]>::len).max()
}

fn longest_in(phrases: Option<&'static Phrases>, words: &[&str]) -> Option<usize> {
    phrases.and_then(|phrases| longest(phrases, words))
}

#[cfg(test)]
mod tests {
    use super::super::Brief;
    use super::*;

    #[test]
    fn types_formats_and_lengths_are_ordered_without_a_verb() {
        for (order, language) in [
            ("Format Word.", "fr"),
            ("Formato Word.", "es"),
            ("Formaat: PDF", "nl"),
            ("Propuesta en PDF para Conservas Ardiela.", "es"),
            ("Proposta em PDF, 2 páginas", "pt"),
            ("Deck de 10 diapositives", "fr"),
            ("2 pages max, as PDF", "en"),
            ("Angebot als PDF, max. 3 Seiten", "de"),
            ("Kurzes Angebot als Word-Dokument", "de"),
            ("Presentazione in PowerPoint per il comitato", "it"),
            ("As PDF please.", "en"),
            ("One-pager, Word", "en"),
            ("Courrier d'une page, Word", "fr"),
            ("Letter, one page, PDF", "en"),
            ("Produktblatt als PDF", "de"),
            ("Scheda prodotto, PDF, 1 pagina", "it"),
            ("Word, 3 pages, no blah", "en"),
            ("PDF bitte, max. 2 Seiten", "de"),
            ("Deck, 10 slides", "en"),
            ("Word, 3 Seiten, ohne Geschwafel", "de"),
            ("PDF, 2 pages, sans blabla", "fr"),
            ("Preisliste 2027, bitte als Word, ohne Geschwafel.", "de"),
            ("PDF, 2 páginas, sin rollo", "es"),
            ("PDF, 2 pagine, senza fronzoli", "it"),
            ("Word, 2 pagina's, zonder gezwam", "nl"),
        ] {
            assert!(are_named(order, language), "{order}");
        }
        for (sentence, language) in [
            ("Two pages of the proposal were missing.", "en"),
            ("The format of the report", "en"),
            ("Report on the PDF import", "en"),
            ("Proposal for Northwind", "en"),
            ("Word gets around in Leeds", "en"),
            ("Die Angebote liegen als PDF im Archiv", "de"),
            ("Export: PDF, CSV", "en"),
            ("PDF and PowerPoint", "en"),
            ("PDF, 3 pages, 40 tables, no errors found", "en"),
            ("Letters, 3 pages each", "en"),
            ("Nous livrons en PDF", "fr"),
        ] {
            assert!(!are_named(sentence, language), "{sentence}");
        }
    }

    #[test]
    fn a_title_that_names_what_is_offered_is_no_order() {
        let brief = Brief::read(
            "# PDF reports for clinics\n\n## How\n\nEach clinic gets 40 a day.",
            "en",
        );
        assert_eq!(brief.title.as_deref(), Some("PDF reports for clinics"));
        assert!(!are_named_by_title("Word reports for clinics", "en"));
        for order in [
            "PDF proposal, 2 pages",
            "Proposal as PDF",
            "PDF report please",
        ] {
            assert!(are_named_by_title(order, "en"), "{order}");
        }
    }

    #[test]
    fn they_are_directions_wherever_they_stand_alone() {
        for (language, brief, directions) in [
            (
                "es",
                "Propuesta en PDF para Conservas Ardiela.\n\nEtiquetamos 900 latas al día.\n\nFormato Word.",
                ["Propuesta en PDF para Conservas Ardiela.", "Formato Word."],
            ),
            (
                "de",
                "Angebot als PDF, max. 3 Seiten\n\nTannach liest 900 Zähler von Hand ab.\n\nBitte als Word-Datei.",
                ["Angebot als PDF, max. 3 Seiten", "Bitte als Word-Datei."],
            ),
            (
                "fr",
                "# Deck de 10 diapositives\n\nPrésentation PDF pour le comité.\n\n## Lieux\n\nKerhoz livre 40 magasins.",
                [
                    "Deck de 10 diapositives",
                    "Présentation PDF pour le comité.",
                ],
            ),
        ] {
            let brief = Brief::read(brief, language);
            assert_eq!(brief.directions, directions, "{}", brief.text());
            assert_eq!(
                brief.text().lines().filter(|line| !line.is_empty()).count(),
                1 + usize::from(language == "fr")
            );
        }
        let list = Brief::read(
            "# A\n\n## What you get\n\n- Report as PDF\n- Slides as PowerPoint",
            "en",
        );
        assert!(list.directions.is_empty(), "{:?}", list.directions);
    }
}
