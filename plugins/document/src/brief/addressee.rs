//! For whom a document is, and what about, as its orders say: "a proposal for Northwind about the spring campaign".

use std::ops::Range;

use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{
    CASE_STUDIES, CONTACT_LABELS, DECKS, NO_RECIPIENTS, ONE_PAGERS, PAGE_UNITS, PERIODS, PLAYBOOKS,
    PROPOSALS, READER_ENDINGS, RECIPIENT_ENDS, RECIPIENT_LABELS, RECIPIENTS, REPORTS, SLIDE_UNITS,
    STRATEGIES, SUBJECTS, TEXTS,
};
use gtm_lexicon::names::PARTICLES;
use gtm_lexicon::sentences::ABBREVIATIONS;
use gtm_lexicon::trade::ARTICLES;
use gtm_lexicon::{ByLanguage, fold, months, split};
use gtm_page_text::primary_language;

use super::orders;

/// Most words of a name, and of a subject.
const NAME_WORDS: usize = 8;
const SUBJECT_WORDS: usize = 12;
/// Most words behind a label that names the reader.
const FACT_WORDS: usize = 16;
/// How many words after what a document is called its reader is named.
const REACH: usize = 10;
/// Longest name before the words behind which a language names the reader, in characters.
const SUFFIXED_CHARS: usize = 40;
/// Most words of a contact, and of a label beside the one for a contact: `Contact on site`.
const CONTACT_WORDS: usize = 10;
const WORDS_BESIDE: usize = 2;

/// For whom, and what about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Addressee {
    pub recipient: Option<String>,
    pub subject: Option<String>,
}

impl Addressee {
    /// What the orders say, the first that does.
    pub fn of(orders: &[String], language: &str) -> Self {
        let primary = primary_language(language);
        let mut found = Self::default();
        for order in orders {
            if found.recipient.is_none() {
                found.recipient = labeled(order).or_else(|| recipient(order, primary));
            }
            if found.subject.is_none() {
                let subject = named(order, &SUBJECTS, primary, SUBJECT_WORDS);
                // `our bridge` is what the sender calls it, and no title for a reader.
                found.subject = subject.filter(|subject| is_a_subject(subject));
            }
        }
        found
    }
}

/// Whether it is a subject that a reader understands, and no time: `on Thursday`, `on 3 March`.
fn is_a_subject(subject: &str) -> bool {
    let folded = fold(subject);
    let words = split(&folded);
    let times = NO_RECIPIENTS.open(&words) || PERIODS.open(&words);
    let first = words.first().copied().unwrap_or_default();
    let month = months().any(|(month, _)| fold(month) == first);
    // `our bridge` is what the sender calls it.
    !(times || month || first.starts_with(|c: char| c.is_ascii_digit()) || WE.any_in(&words))
}

/// `Client: Northwind`, and `Client: Northwind, Leeds, 140 employees`, which names it and tells its writer who that is.
pub fn labeled(line: &str) -> Option<String> {
    let (label, rest) = line.split_once([':', '：'])?;
    let folded = fold(label);
    let words = split(&folded);
    let rest = rest.trim().trim_end_matches([',', ';']).trim();
    // The full stop of `S.L.` belongs to the name.
    let dots = rest.rsplit(' ').next().unwrap_or_default();
    let rest = match dots.matches('.').count() {
        1 => rest.trim_end_matches('.'),
        _ => rest,
    };
    let name = without_facts(rest);
    // Titles add the ending themselves: `佐藤様`.
    let ending = READER_ENDINGS.iter().find(|end| name.ends_with(end));
    let name = ending.map_or(name, |end| name.trim_end_matches(end).trim_end());
    let short = (1..=NAME_WORDS).contains(&name.split_whitespace().count())
        && rest.split_whitespace().count() <= FACT_WORDS;
    // `ing. Paolo Ferri`
    let titled = name.split_once(". ");
    let named = titled.map_or(name, |(title, behind)| match is_abbreviated(title) {
        true => behind,
        false => name,
    });
    let names = named.starts_with(|c: char| c.is_uppercase() || !c.is_ascii());
    (RECIPIENT_LABELS.are(&words) && short && names && is_one_sentence(rest))
        .then(|| name.to_owned())
}

/// Whether no full stop within a text ends a sentence: those of abbreviations do not, as in `S.p.A. Milano`.
fn is_one_sentence(text: &str) -> bool {
    let mut stops = text.match_indices(". ");
    stops.all(|(at, stop)| {
        let behind = text.get(at + stop.len()..).unwrap_or_default();
        // What stands behind the name of a company belongs to it: `S.p.A. Milano`, and not `S.p.A. Haggles over every cent`.
        let goes_on = behind.split([',', ';', '(']).next().is_some_and(|behind| {
            behind.split_whitespace().all(|word| {
                !word.starts_with(char::is_lowercase) || PARTICLES.contains(fold(word).as_str())
            })
        });
        goes_on && text.get(..at).is_some_and(is_abbreviated)
    })
}

/// Whether the last word of a text is an abbreviation whose full stop follows.
fn is_abbreviated(text: &str) -> bool {
    let word = text.rsplit(' ').next().unwrap_or_default();
    word.contains('.') || ABBREVIATIONS.contains(word.to_lowercase().as_str())
}

/// The name before what is told of it behind a comma. A comma may be a part of the name: `Doe, Roe & Sons`, `Northwind, Inc`.
fn without_facts(said: &str) -> &str {
    let ends = said.match_indices([',', ';', '(', '–', '—']);
    let mut ends = ends.filter(|(at, _)| *at > 0);
    let Some((end, sign)) = ends.next() else {
        return said;
    };
    let behind = said.get(end + sign.len()..).unwrap_or_default();
    let is_fact = ends.next().is_some() || behind.contains(char::is_numeric);
    let joined = behind.contains(['&', '+']);
    match is_fact && !joined {
        true => said.get(..end).unwrap_or(said).trim(),
        false => said,
    }
}

/// The person whom a line names behind a label, with what stands behind the name: `Contact there: Anna Lindt, Head of Sales`.
/// An address or a number to call is the sender's own as often.
pub fn contact(line: &str) -> Option<&str> {
    let (label, said) = line.split_once([':', '：'])?;
    let said = said.trim();
    let folded = fold(label);
    let words = split(&folded);
    let length = CONTACT_LABELS.at_start(&words).map(<[_]>::len).max()?;
    let names = said.starts_with(|c: char| c.is_uppercase() || !c.is_ascii())
        && !said.contains(|c: char| c.is_numeric() || matches!(c, '@' | '/'))
        && (1..=CONTACT_WORDS).contains(&said.split_whitespace().count());
    // `Contact surface: steel` names nobody.
    let beside = words.len() - length;
    let named_well = beside == 0 || said.contains(' ');
    (beside <= WORDS_BESIDE && named_well && names).then_some(said)
}

/// The name before the words behind which a language names the reader: `みどり物流様向け`.
pub fn before_suffix(line: &str, primary: &str) -> Option<String> {
    let suffixes = RECIPIENTS.of(primary);
    let at = suffixes
        .iter()
        .filter(|suffix| !suffix.is_ascii())
        .filter_map(|suffix| line.find(suffix))
        .min()?;
    let before = line.get(..at)?;
    let ends =
        |c: char| c.is_whitespace() || matches!(c, '、' | '。' | '，' | '：' | ':' | '「' | '（');
    let name = before.rsplit(ends).next()?.trim();
    (!name.is_empty() && name.chars().count() <= SUFFIXED_CHARS).then(|| name.to_owned())
}

/// Who is named before the document: `Für Tannach brauchen wir ein Angebot`, `Tannach will ein Angebot`.
fn named_first(order: &str, primary: &str) -> Option<String> {
    let place = orders::reader_named_first(order)?;
    let printed = split(order);
    let mut found: Vec<Range<usize>> = Vec::new();
    for word in &printed {
        let from = found.last().map_or(0, |place| place.end);
        let at = order.get(from..)?.find(word)? + from;
        found.push(at..at + word.len());
    }
    let (ends, articles) = (RECIPIENT_ENDS.of(primary), ARTICLES.of(primary));
    let folded: Vec<String> = printed.iter().map(|word| fold(word)).collect();
    // `Für Tannach bis Freitag brauchen wir …`; an article opens a name or stands within it.
    let ends_name = |at: &usize| {
        let word = folded.get(*at).map_or("", String::as_str);
        ends.contains(word) && !articles.contains(word) && !PARTICLES.contains(word)
    };
    let end = place.clone().skip(1).find(ends_name).unwrap_or(place.end);
    let said = found.get(place.start)?.start..found.get(end)?.start;
    let name = order.get(said)?.trim().trim_end_matches([',', ';', '–']);
    let short = (1..=NAME_WORDS).contains(&name.split_whitespace().count());
    (short && !name.contains([':', '(', ';'])).then(|| crate::brief::one_line(name))
}

fn recipient(order: &str, primary: &str) -> Option<String> {
    let name = named(order, &RECIPIENTS, primary, NAME_WORDS)
        .or_else(|| named_first(order, primary))
        .or_else(|| before_suffix(order, primary))?;
    let folded = fold(&name);
    let words = split(&folded);
    // `for our site` is a place of the sender's own.
    let own = words.first().is_some_and(|word| WE.has_word(word));
    (!own && !NO_RECIPIENTS.open(&words)).then_some(name)
}

/// The words behind the first of the prepositions that follows what the document is called.
fn named(
    order: &str,
    prepositions: &'static ByLanguage,
    primary: &str,
    most: usize,
) -> Option<String> {
    let tokens: Vec<(Range<usize>, String)> = tokens(order);
    let called = tokens.iter().position(|(_, word)| names_a_document(word))?;
    let before = prepositions.of(primary);
    let at = tokens
        .iter()
        .enumerate()
        .skip(called + 1)
        .take(REACH)
        .position(|(_, (_, word))| before.contains(word))?
        + called
        + 1;
    let ends = RECIPIENT_ENDS.of(primary);
    let mut range: Option<Range<usize>> = None;
    for (count, (place, word)) in tokens.iter().skip(at + 1).enumerate() {
        let first = count == 0;
        // An article may open a name, though it ends another.
        let is_article = first && word.chars().count() <= 3;
        // `Conservas de Ardiela` is one name.
        let next = tokens.get(at + count + 2);
        let next = next.and_then(|(place, _)| order.get(place.clone()));
        let inside = PARTICLES.contains(word)
            && !SUBJECTS.of(primary).contains(word)
            && next.is_some_and(|next| next.starts_with(char::is_uppercase));
        if count >= most || (ends.contains(word) && !is_article && !inside) {
            break;
        }
        range = Some(match range {
            Some(range) => range.start..place.end,
            None => place.clone(),
        });
        let behind = order.get(place.end..).unwrap_or_default();
        let closed = behind.starts_with([',', ';', ':', '(', '!', '?', '\n'])
            || (behind == "." || (behind.starts_with(". ") && word.chars().count() > 2))
            || behind.trim_start().starts_with(['–', '—', '(', '-']);
        if closed {
            break;
        }
    }
    let name = order.get(range?)?.trim();
    (!name.is_empty()).then(|| crate::brief::one_line(name))
}

/// Words with their places, without the marks around them.
fn tokens(text: &str) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    let mut begin = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let inside = c.is_alphanumeric() || matches!(c, '\'' | '’' | '&' | '-' | '/' | '@');
        let dot = matches!(c, '.')
            && begin.is_some()
            && text
                .get(at + 1..)
                .is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
        match begin {
            None if inside && c != '-' => begin = Some(at),
            Some(from) if !inside && !dot => {
                let word = text.get(from..at).unwrap_or_default();
                found.push((from..at, fold(word)));
                begin = None;
            }
            _ => {}
        }
    }
    found
}

fn names_a_document(word: &str) -> bool {
    let kinds = [
        &CASE_STUDIES,
        &DECKS,
        &ONE_PAGERS,
        &PAGE_UNITS,
        &PLAYBOOKS,
        &PROPOSALS,
        &REPORTS,
        &SLIDE_UNITS,
        &STRATEGIES,
        &TEXTS,
    ];
    // `one-pager` is one word here, and two in the lexicon; `pager` is what both end in.
    let words = split(word);
    let last = words.last().copied().unwrap_or_default();
    // `case study` is told by its last word.
    let ends = CASE_STUDIES
        .iter()
        .any(|phrase| phrase.len() > 1 && phrase.last().is_some_and(|end| *end == last));
    ends || kinds
        .into_iter()
        .any(|kind| kind.are(&words) || kind.has_word(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(order: &str, language: &str) -> (Option<String>, Option<String>) {
        let found = Addressee::of(&[order.to_owned()], language);
        (found.recipient, found.subject)
    }

    #[test]
    fn titles_and_legal_forms_with_full_stops_are_parts_of_a_name() {
        for (line, name) in [
            (
                "Destinatario: ing. Paolo Ferri, Vela S.p.A. Lodi",
                "ing. Paolo Ferri, Vela S.p.A. Lodi",
            ),
            ("Cliente: Vela S.p.A. Lodi", "Vela S.p.A. Lodi"),
            ("ご担当：佐藤様", "佐藤"),
        ] {
            assert_eq!(labeled(line).as_deref(), Some(name), "{line}");
        }
        assert_eq!(labeled("Client: Leeds. They pay late"), None);
        assert_eq!(labeled("Client: Vela S.p.A. Haggles over every cent"), None);
    }

    #[test]
    fn contacts_are_people_and_no_addresses() {
        for (line, said) in [
            (
                "Ansprechpartner dort: Frau Dr. Ellen Brandt, Betriebsleitung",
                Some("Frau Dr. Ellen Brandt, Betriebsleitung"),
            ),
            ("Contact: Anna Lindt", Some("Anna Lindt")),
            ("Contact: sales@coldwise.example", None),
            ("Kontakt: Frau Dietz, Telefon 03741 555 010", None),
            ("Contact surface: Steel", None),
            ("Rooms: Four", None),
        ] {
            assert_eq!(contact(line), said, "{line}");
        }
    }

    #[test]
    fn readers_and_subjects_are_told() {
        for (order, language, recipient, subject) in [
            (
                "Write a two-page proposal for the Head of Engineering at Tarnbeck.",
                "en",
                Some("the Head of Engineering at Tarnbeck"),
                None,
            ),
            (
                "need a one pager for Lidl by friday, pls keep it friendly",
                "en",
                Some("Lidl"),
                None,
            ),
            ("8 slides, for the board", "en", Some("the board"), None),
            (
                "Please write a report on cold chain failures in Q3 for the CFO.",
                "en",
                Some("the CFO"),
                Some("cold chain failures in Q3"),
            ),
            ("Client: Northwind Ltd.", "en", Some("Northwind Ltd"), None),
            (
                "Client : Biscuiterie Kerhoz, Lorient, 140 salariés.",
                "fr",
                Some("Biscuiterie Kerhoz"),
                None,
            ),
            (
                "Kunde: Holzwerk Brandl (85 Mitarbeitende)",
                "de",
                Some("Holzwerk Brandl"),
                None,
            ),
            (
                "Cliente: Conservas Ardiela, Vigo, conservas desde 1932",
                "es",
                Some("Conservas Ardiela"),
                None,
            ),
            (
                "Client: Doe, Roe & Sons",
                "en",
                Some("Doe, Roe & Sons"),
                None,
            ),
            ("Write a case study for our website.", "en", None, None),
            (
                "Erstelle bitte ein Angebot für die Stadtwerke Ulm über Funkzähler.",
                "de",
                Some("die Stadtwerke Ulm"),
                Some("Funkzähler"),
            ),
            (
                "8 Folien für den Vorstand",
                "de",
                Some("den Vorstand"),
                None,
            ),
            (
                "Rédigez une présentation pour la direction technique.",
                "fr",
                Some("la direction technique"),
                None,
            ),
            ("Make me a deck for tomorrow", "en", None, None),
            (
                "build a deck for Northwind, I present on Thursday",
                "en",
                Some("Northwind"),
                None,
            ),
            ("Write a report on our bridge", "en", None, None),
            (
                "für die Molkerei Tannhof brauchen wir bis Freitag ein Angebot, zwei Seiten genügen",
                "de",
                Some("die Molkerei Tannhof"),
                None,
            ),
            (
                "Für Tannach bis Freitag brauchen wir ein Angebot",
                "de",
                Some("Tannach"),
                None,
            ),
            (
                "Der Tannhof will ein Angebot, zwei Seiten",
                "de",
                Some("Tannhof"),
                None,
            ),
            (
                "For Northwind we need a proposal by Friday",
                "en",
                Some("Northwind"),
                None,
            ),
            (
                "Conservas de Ardiela quiere una propuesta",
                "es",
                Some("Conservas de Ardiela"),
                None,
            ),
            (
                "株式会社みなと製氷様向けに、提案書をスライド5枚以内で作成してください。",
                "ja",
                Some("株式会社みなと製氷"),
                None,
            ),
            ("For Friday we need a proposal", "en", None, None),
            ("Write a proposal.", "en", None, None),
            (
                "Prepare a deck for J. P. Doe, Acme",
                "en",
                Some("J. P. Doe"),
                None,
            ),
        ] {
            let expected = (recipient.map(str::to_owned), subject.map(str::to_owned));
            assert_eq!(of(order, language), expected, "{order}");
        }
    }
}
