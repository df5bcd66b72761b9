//! For whom a document is, and what about, as its orders say: "a proposal for Northwind about the spring campaign".

use std::ops::Range;

use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{
    ABSENT_READERS, ATTENTION_LABELS, ATTITUDES, CASE_STUDIES, LIKENESSES, NO_RECIPIENTS, ORDERS,
    PAGE_UNITS, PERIODS, PLEAS, POLITENESS, READER_ENDINGS, RECIPIENT_ENDS, RECIPIENT_LABELS,
    RECIPIENTS, SHARING, SLIDE_UNITS, SUBJECTS,
};
use gtm_lexicon::foundations::AND;
use gtm_lexicon::founding::OUR;
use gtm_lexicon::names::{PARTICLES, WEEKDAYS};
use gtm_lexicon::sentences::ABBREVIATIONS;
use gtm_lexicon::trade::{ARTICLES, WE as PRONOUNS};
use gtm_lexicon::{ByLanguage, fold, is_month, split};
use gtm_page_text::primary_language;

use super::company_forms::is_legal_form;
use super::openings::opens;
use super::placed_words::tokens;
use super::told_readers::Told;
use super::{document_names, one_line, orders};

/// Most words of a name, and of a subject.
const NAME_WORDS: usize = 8;
const SUBJECT_WORDS: usize = 12;
/// Most words behind a label that names the reader.
const FACT_WORDS: usize = 16;
/// How many words after what a document is called its reader is named.
const REACH: usize = 10;
/// Longest name before the words behind which a language names the reader, in characters.
const SUFFIXED_CHARS: usize = 40;

/// For whom, and what about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Addressee {
    pub recipient: Option<String>,
    /// Who reads it there, with a role, where a sentence says so.
    pub person: Option<String>,
    pub subject: Option<String>,
}

impl Addressee {
    /// What the orders say, the first that does.
    pub fn of(orders: &[String], language: &str) -> Self {
        let primary = primary_language(language);
        // Whoever writes `Client: Northwind Ltd` gives the full name, and short ones in sentences.
        let mut found = Self {
            recipient: orders.iter().find_map(|order| labeled_firm(order)),
            ..Self::default()
        };
        let told = orders.iter().find_map(|order| Told::of(order, language));
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
        if found.recipient.is_none() {
            // Behind the sentence that orders the document, others say how it is to be.
            let end = orders.iter().position(|order| is_the_order(order));
            let mut until = orders.iter().take(end.map_or(orders.len(), |end| end + 1));
            found.recipient = until.find_map(|order| for_a_name(order, primary));
        }
        let Told { person, firm } = told.unwrap_or_default();
        match found.recipient {
            Some(_) => found.person = person,
            None if firm.is_some() => (found.recipient, found.person) = (firm, person),
            None => found.recipient = person,
        }
        found
    }
}

/// The reader behind a label that is not the one of a person beside the firm: `Attn`.
fn labeled_firm(order: &str) -> Option<String> {
    labeled(order).filter(|_| !names_a_person_beside(order))
}

/// Whether a line names the person beside the firm: `Attn: Jo Marsh`.
pub fn names_a_person_beside(line: &str) -> bool {
    let label = line.split([':', '：']).next().map(fold);
    label.is_some_and(|label| ATTENTION_LABELS.are(&split(&label)))
}

/// For whom what is asked for is, where its kind is told elsewhere: `can you turn this into something for Brackwell?` German has
/// capitals everywhere.
fn for_a_name(order: &str, primary: &str) -> Option<String> {
    let asks = order.contains(['?', '？']) || opens(&ORDERS, order);
    if !asks || primary == "de" {
        return None;
    }
    let before = RECIPIENTS.of(primary);
    let tokens = tokens(order);
    let named = tokens.windows(2).find_map(|pair| {
        let [(end, preposition), (place, word)] = pair else {
            return None;
        };
        let rest = order.get(place.start..)?;
        let is_time = is_month(word) || WEEKDAYS.contains(word) || NO_RECIPIENTS.open(&[word]);
        let is_name = before.contains(preposition)
            && rest.starts_with(char::is_uppercase)
            && !is_time
            && !ABSENT_READERS.open(&[word])
            && !WE.has_word(word);
        is_name.then_some((end.start, rest))
    });
    let (end, name) = named?;
    let before = order.get(..end)?;
    (!is_of_another(before, primary)).then(|| one_line(capitals_of(name)))
}

/// Whether a sentence orders the document, and not only says `please`.
fn is_the_order(order: &str) -> bool {
    let folded = fold(order);
    let words = split(&folded);
    let opens = ORDERS
        .at_start(&words)
        .any(|phrase| !POLITENESS.are(phrase));
    opens || document_names::of_types().any(|names| names.any_in(&words))
}

/// Whether the words before a name tell of another document or of sending this one: `like the one we did for Globex`, `please
/// send it to Jonas`. `Our notes` tell of none, nor does what is shared before the document is ordered: `go through these and make
/// something for Brackwell`.
fn is_of_another(before: &str, primary: &str) -> bool {
    let folded = fold(before);
    let words = split(&folded);
    let likenesses = LIKENESSES.of(primary);
    let mut shares = false;
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        // `We need something for Brackwell`
        if let Some(order) = ORDERS.at_start(rest).max_by_key(|phrase| phrase.len()) {
            shares &= POLITENESS.are(order);
            at += order.len().max(1);
            continue;
        }
        let is_like = likenesses.is_some_and(|phrases| phrases.open(rest));
        let first = rest.first().copied().unwrap_or_default();
        if is_like || PRONOUNS.contains(first) && !OUR.has_word(first) {
            return true;
        }
        shares |= SHARING.open(rest);
        at += 1;
    }
    shares
}

/// The words with capitals with which a text begins.
fn capitals_of(text: &str) -> &str {
    let mut end = 0;
    for word in text.split_inclusive(' ') {
        let bare = word.trim_end_matches([' ', ',', '.', '?', '!', ';', ':']);
        let next = text.get(end + word.len()..).unwrap_or_default();
        let joins = bare == "&" || is_joint(&fold(bare), next);
        if !word.starts_with(char::is_uppercase) && !joins {
            break;
        }
        let begin = end;
        end = begin + word.len();
        if bare.len() < word.trim_end().len() {
            return text.get(..begin + bare.len()).unwrap_or_default();
        }
    }
    text.get(..end)
        .unwrap_or_default()
        .trim_end_matches([' ', '&'])
}

/// Whether a word joins the parts of a firm's name: `Harrow and Finch Dairies`.
fn is_joint(word: &str, next: &str) -> bool {
    AND.contains(word) && next.trim_start().starts_with(char::is_uppercase)
}

/// Whether it is a subject that a reader understands, and no time: `on Thursday`, `on 3 March`.
fn is_a_subject(subject: &str) -> bool {
    let folded = fold(subject);
    let words = split(&folded);
    let times = NO_RECIPIENTS.open(&words) || PERIODS.open(&words);
    let first = words.first().copied().unwrap_or_default();
    let month = is_month(first);
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
    // `dott.ssa Anna Riva`, `T.a.v. mevrouw De Wit`
    let attends = ATTENTION_LABELS.are(&words);
    let named = match named.split_once(' ') {
        Some((title, behind)) if title.contains('.') || attends => behind,
        _ => named,
    };
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
    // `S. A.`
    word.contains('.')
        || word.chars().count() == 1 && word.chars().all(char::is_uppercase)
        || ABBREVIATIONS.contains(word.to_lowercase().as_str())
}

/// The name before what is told of it behind a comma. A comma may be a part of the name: `Doe, Roe & Sons`, `Northwind, Inc`,
/// `Vela, s.r.o.`
fn without_facts(said: &str) -> &str {
    let mut ends = marks(said).into_iter().filter(|end| *end > 0).peekable();
    let mut has_form = false;
    while let Some(end) = ends.next() {
        let (name, behind) = said.split_at(end);
        let behind = behind.trim_start_matches([' ', '-', ',', ';', '(', '–', '—']);
        let segment = behind.split([',', ';', '(', '–', '—']).next();
        if !has_form && segment.is_some_and(is_legal_form) {
            has_form = true;
            continue;
        }
        let folded = fold(behind);
        let words = split(&folded);
        let is_fact = ends.peek().is_some() || behind.contains(char::is_numeric);
        let joined = behind.contains(['&', '+']);
        // `Halden, slow payer`: names go on with a capital, or with a word of names.
        let is_told = behind.starts_with(char::is_lowercase)
            && !words.first().is_some_and(|word| PARTICLES.contains(word));
        // `picky & stingy` joins no names.
        if has_form || is_fact && !joined || is_told || ATTITUDES.any_in(&words) {
            return name.trim();
        }
        return said;
    }
    said
}

/// Where something may be told of a name.
fn marks(said: &str) -> Vec<usize> {
    let signs = said.match_indices([',', ';', '(', '–', '—']);
    let mut found: Vec<usize> = signs.map(|(at, _)| at).collect();
    found.extend(said.match_indices(" - ").map(|(at, _)| at));
    found.sort_unstable();
    found
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
    (!own && !NO_RECIPIENTS.open(&words) && !is_anybody(&name)).then_some(name)
}

/// Whether words only point to a reader who is named elsewhere: `the client below`. `Our client Halden` has a name.
fn is_anybody(name: &str) -> bool {
    let folded = fold(name);
    let words = split(&folded);
    let printed = split(name);
    let article = words
        .first()
        .is_some_and(|word| ARTICLES.iter().any(|(_, articles)| articles.contains(word)));
    let from = usize::from(article);
    let rest = words.get(from..).unwrap_or_default();
    let called = [&ABSENT_READERS, &RECIPIENT_LABELS]
        .into_iter()
        .flat_map(|names| {
            let whole = names.at_start(&words).map(|phrase| phrase.len());
            let behind = names.at_start(rest).map(|phrase| phrase.len() + from);
            whole.chain(behind).collect::<Vec<_>>()
        });
    called.max().is_some_and(|length| {
        let behind = printed.get(length..).unwrap_or_default();
        !behind
            .iter()
            .any(|word| word.starts_with(|c: char| c.is_uppercase() || !c.is_ascii()))
    })
}

/// Whether `und` may stand within a name. German has capitals everywhere, so nothing but one more word may follow: `Harms und Söhne`.
fn may_join(order: &str, end: usize, primary: &str) -> bool {
    if primary != "de" {
        return true;
    }
    let behind = order.get(end..).unwrap_or_default();
    let clause = behind.split([',', ';', ':', '.', '!', '?', '(']).next();
    let words: Vec<&str> = clause.unwrap_or_default().split_whitespace().collect();
    let last = words.last().copied().unwrap_or_default();
    words.len() == 1 || words.len() == 2 && is_legal_form(last)
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
        let names = next.is_some_and(|next| next.starts_with(char::is_uppercase));
        let inside = PARTICLES.contains(word) && !SUBJECTS.of(primary).contains(word) && names
            || is_joint(word, next.unwrap_or_default()) && may_join(order, place.end, primary);
        if count >= most || (ends.contains(word) && !is_article && !inside) {
            break;
        }
        range = Some(match range {
            Some(range) => range.start..place.end,
            None => place.clone(),
        });
        let behind = order.get(place.end..).unwrap_or_default();
        let closed = behind.starts_with([',', ';', ':', '(', '!', '?', '\n'])
            || behind.starts_with(".,")
            || (behind == "." || (behind.starts_with(". ") && word.chars().count() > 2))
            || behind.trim_start().starts_with(['–', '—', '(', '-']);
        if closed {
            break;
        }
    }
    let name = without_plea(without_facts(order.get(range?)?.trim()));
    (!name.is_empty()).then(|| crate::brief::one_line(name))
}

/// A name without the words behind it that ask politely: `Northwind please`.
fn without_plea(name: &str) -> &str {
    let mut begins: Vec<usize> = name.match_indices(' ').map(|(at, _)| at).collect();
    begins.reverse();
    let plea = begins.into_iter().find(|at| {
        let folded = fold(name.get(*at..).unwrap_or_default());
        PLEAS.are(&split(&folded))
    });
    let kept = plea.and_then(|at| name.get(..at)).unwrap_or(name);
    kept.trim_end_matches([' ', ','])
}

fn names_a_document(word: &str) -> bool {
    let kinds = document_names::of_any().chain([&PAGE_UNITS, &SLIDE_UNITS]);
    // `one-pager` is one word here, and two in the lexicon; `pager` is what both end in.
    let words = split(word);
    let last = words.last().copied().unwrap_or_default();
    // `case study` is told by its last word.
    let ends = CASE_STUDIES
        .iter()
        .any(|phrase| phrase.len() > 1 && phrase.last().is_some_and(|end| *end == last));
    ends || { kinds }.any(|kind| kind.are(&words) || kind.has_word(last))
}

#[cfg(test)]
mod tests;
