//! What a brief asks its writer to mention: "Mention that we support SAP." says that we support SAP, and that is content.
//!
//! A playbook is left alone: there it advises whoever sells, and is meant as it stands.

use std::ops::Range;

use gtm_document_model::block::{Block, Bullets, Item};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{
    FINAL_VERBS, FORBIDDING_LABELS, JOINTS, MENTIONS, NEGATIONS, POLITENESS, REMINDERS,
    THINGS_MENTIONED,
};
use gtm_lexicon::{Phrases, fold, split};
use gtm_page_text::primary_language;

use super::{Part, soft_breaks};
use crate::capital::capital;
use crate::labels::TO_BE_NOTED;
use crate::runs::{part_of, sentences_of, trimmed};

/// Fewest words that say something.
const LEAST_WORDS: usize = 2;
/// Longest label before an order.
const LABEL_WORDS: usize = 2;
/// Signs behind a label.
const LABEL_SIGNS: [&str; 5] = [":", "：", "–", "—", " - "];
/// Longest label that forbids one.
const FORBIDDING_WORDS: usize = 6;

/// The parts with what is to be mentioned instead of the orders to mention it, and the orders behind which nothing stands:
/// `Please mention that:` above a list.
pub fn told(parts: Vec<Part>, language: &str) -> (Vec<Part>, Vec<String>) {
    let mut orders = Vec::new();
    let mut told = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Part::Block(Block::Paragraph(mut paragraph)) => {
                paragraph.runs = said(paragraph.runs, language, &mut orders);
                if !paragraph.runs.is_empty() {
                    told.push(Part::Block(Block::Paragraph(paragraph)));
                }
            }
            Part::Block(Block::Bullets(Bullets { ordered, items })) => {
                let items = items_told(items, language, &mut orders);
                if !items.is_empty() {
                    told.push(Part::Block(Block::Bullets(Bullets { ordered, items })));
                }
            }
            other => told.push(other),
        }
    }
    (told, orders)
}

fn items_told(items: Vec<Item>, language: &str, orders: &mut Vec<String>) -> Vec<Item> {
    let mut kept = Vec::with_capacity(items.len());
    for item in items {
        let runs = match thing_of(&item.runs, language) {
            Some(thing) => thing,
            None => said(item.runs, language, orders),
        };
        let items = items_told(item.items, language, orders);
        match runs.is_empty() {
            // What was listed below the order is what it asks for.
            true => kept.extend(items),
            false => kept.push(Item { runs, items }),
        }
    }
    kept
}

fn said(runs: Vec<Run>, language: &str, orders: &mut Vec<String>) -> Vec<Run> {
    let text = plain_text(&runs);
    let places = sentences_of(&text, language);
    let asks = |place: &Range<usize>| {
        let sentence = text.get(place.clone()).unwrap_or_default();
        clause_of(sentence).map(|at| place.start + at..place.end)
    };
    let named = |place: &Range<usize>| {
        let sentence = text.get(place.clone()).unwrap_or_default();
        behind(&THINGS_MENTIONED, sentence).is_some() || reminds(sentence)
    };
    if !places
        .iter()
        .any(|place| asks(place).is_some() || named(place))
    {
        return runs;
    }
    let mut found = Vec::new();
    for place in places {
        match asks(&place) {
            // A thing by itself is no sentence, and nobody but the writer knows what to say of it.
            None if named(&place) => {
                orders.push(super::one_line(text.get(place).unwrap_or_default()));
            }
            None => found.extend(part_of(&runs, &[place])),
            Some(clause) => {
                let clause_runs = part_of(&runs, std::slice::from_ref(&clause));
                if words_of(&plain_text(&clause_runs)).len() < LEAST_WORDS {
                    let order = text.get(place).unwrap_or_default();
                    orders.push(super::one_line(order));
                } else {
                    found.push(Run::plain(soft_breaks::ASKED_FOR));
                    found.extend(sentence(clause_runs, language));
                }
            }
        }
    }
    trimmed(found)
}

/// Of an item that asks to mention a thing, the thing: `Mention our certificate` lists the certificate.
fn thing_of(runs: &[Run], language: &str) -> Option<Vec<Run>> {
    let text = plain_text(runs);
    if clause_of(&text).is_some() || sentences_of(&text, language).len() > 1 {
        return None;
    }
    let at = behind(&THINGS_MENTIONED, &text)?;
    let place = at..text.len();
    let mut thing = trimmed(part_of(runs, std::slice::from_ref(&place)));
    let first = thing.first_mut()?;
    first.text = capital(&first.text);
    let last = thing.last_mut()?;
    last.text = last.text.trim_end_matches('.').to_owned();
    (words_of(&plain_text(&thing)).len() >= LEAST_WORDS).then_some(thing)
}

/// Whether a sentence asks to mention something.
pub fn asks(sentence: &str) -> bool {
    clause_of(sentence).is_some() || behind(&THINGS_MENTIONED, sentence).is_some()
}

/// Whether a label forbids what stands behind it: `Not yet`, `Strictly forbidden`.
pub fn forbids(label: &str) -> bool {
    let folded = fold(label);
    let words = split(&folded);
    (1..=FORBIDDING_WORDS).contains(&words.len())
        && !reminds(label)
        && (NEGATIONS.any_in(&words) || FORBIDDING_LABELS.any_in(&words))
}

/// Whether a text reminds a writer of something, and says nothing else: `Please don't forget`. It only sounds like a ban.
fn reminds(text: &str) -> bool {
    let words = plain_words(text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    REMINDERS.are(&words)
}

/// Whether a sentence asks to mention something behind a label that forbids it: `Not yet: say that we hold ISO 27001.`
pub fn is_forbidden(sentence: &str) -> bool {
    // `Important: never say that …`
    let clause = labeled(sentence).map(|(_, rest)| rest);
    let negated = [Some(sentence), clause].into_iter().flatten().any(|part| {
        let words = plain_words(part);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        NEGATIONS.at_start(&words).any(|negation| {
            let rest = words.get(negation.len()..).unwrap_or_default();
            MENTIONS.open(rest) || THINGS_MENTIONED.open(rest)
        })
    });
    let mut parts = LABEL_SIGNS
        .iter()
        .filter_map(|sign| sentence.split_once(sign));
    negated || parts.any(|(label, rest)| forbids(label) && asks(rest))
}

/// Whether a sentence forbids to say something, and says it: `Do not mention that we know their price.`
pub fn forbids_a_clause(sentence: &str) -> bool {
    let words = plain_words(sentence);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    NEGATIONS.places(&words).any(|(at, negation)| {
        let rest = words.get(at + negation.len()..).unwrap_or_default();
        MENTIONS.open(rest)
    })
}

/// What stands before and behind the first sign that ends a label.
fn labeled(sentence: &str) -> Option<(&str, &str)> {
    let parts = LABEL_SIGNS
        .iter()
        .filter_map(|sign| sentence.split_once(sign));
    parts.min_by_key(|(label, _)| label.len())
}

/// Where the clause behind an order to mention it begins.
fn clause_of(sentence: &str) -> Option<usize> {
    // `Important: say that we run in Leeds.`
    let labeled = || {
        let (label, rest) = labeled(sentence)?;
        let short = words_of(label).len() <= LABEL_WORDS && !forbids(label);
        let at = behind(&MENTIONS, rest).filter(|_| short || reminds(label))?;
        Some(sentence.len() - rest.len() + at)
    };
    behind(&MENTIONS, sentence).or_else(labeled)
}

/// Where the words begin that stand behind one of the phrases with which a sentence opens.
fn behind(phrases: &'static Phrases, sentence: &str) -> Option<usize> {
    let words = words_of(sentence);
    let open = without_politeness(&words);
    let folded: Vec<&str> = open.iter().map(|(_, word)| word.as_str()).collect();
    let phrase = phrases
        .at_start(&folded)
        .max_by_key(|phrase| phrase.len())?;
    let (last, word) = open.get(phrase.len().checked_sub(1)?)?;
    // `Say we support SAP`: the clause begins with the last word of the phrase.
    if WE.has_word(word) {
        return Some(last.start);
    }
    let behind = sentence.get(last.end..)?;
    let clause =
        behind.trim_start_matches([' ', ',', ':', '\'', '’', '\n', soft_breaks::SOFT_BREAK_CHAR]);
    Some(sentence.len() - clause.len())
}

/// The clause as a sentence of its own.
fn sentence(mut clause: Vec<Run>, language: &str) -> Vec<Run> {
    if !FINAL_VERBS
        .of(primary_language(language))
        .iter()
        .any(|_| true)
    {
        if let Some(first) = clause.first_mut() {
            first.text = capital(&first.text);
        }
        return clause;
    }
    // The verb stands at the end. It may stand second only where the subject is one word, and nothing else is a clause.
    if let [run] = clause.as_mut_slice()
        && let Some(text) = verb_second(&run.text, language)
    {
        run.text = text;
        return clause;
    }
    let (before, behind) = TO_BE_NOTED
        .in_language(language)
        .split_once("{clause}")
        .unwrap_or_default();
    clause.insert(0, Run::plain(before));
    if !behind.is_empty() {
        clause.push(Run::plain(behind));
    }
    clause
}

/// `wir Anlagen aller Hersteller warten` with its verb behind the subject.
fn verb_second(clause: &str, language: &str) -> Option<String> {
    let primary = primary_language(language);
    let (verbs, joints) = (FINAL_VERBS.of(primary), JOINTS.of(primary));
    let words = words_of(clause);
    let (first, subject) = words.first()?;
    let (last, verb) = words.last()?;
    let inner = words.get(1..words.len().checked_sub(1)?)?;
    let body = clause.get(first.end..last.start)?;
    let simple = words.len() > 2
        && first.start == 0
        && WE.has_word(subject)
        && verbs.contains(verb.as_str())
        && !inner.iter().any(|(_, word)| joints.contains(word.as_str()))
        && !body.contains([',', ';', ':', '(', '–']);
    if !simple {
        return None;
    }
    let (subject, verb) = (clause.get(first.clone())?, clause.get(last.clone())?);
    let end = clause.get(last.end..)?;
    Some(format!("{} {verb} {}{end}", capital(subject), body.trim()))
}

/// The words without those of politeness.
fn without_politeness(words: &[(Range<usize>, String)]) -> Vec<(Range<usize>, String)> {
    let mut kept = Vec::with_capacity(words.len());
    let mut rest = words;
    while let Some((first, behind)) = rest.split_first() {
        let folded: Vec<&str> = rest.iter().take(4).map(|(_, word)| word.as_str()).collect();
        let polite = POLITENESS.at_start(&folded).map(<[_]>::len).max();
        match polite {
            Some(length) => rest = rest.get(length..).unwrap_or_default(),
            None => {
                kept.push(first.clone());
                rest = behind;
            }
        }
    }
    kept
}

/// The folded words of a sentence without those of politeness.
pub fn plain_words(sentence: &str) -> Vec<String> {
    let words = without_politeness(&words_of(sentence));
    words.into_iter().map(|(_, word)| word).collect()
}

/// The folded words of a text, with their places.
fn words_of(text: &str) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    let mut begin = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match begin {
            None if c.is_alphanumeric() => begin = Some(at),
            Some(from) if !c.is_alphanumeric() => {
                found.push((from..at, fold(text.get(from..at).unwrap_or_default())));
                begin = None;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::{Brief, texts_of};

    fn read(brief: &str, language: &str) -> Vec<String> {
        let brief = Brief::read(brief, language);
        let blocks = brief.chapters.iter();
        blocks
            .flat_map(|chapter| texts_of(&chapter.blocks))
            .collect()
    }

    #[test]
    fn what_is_to_be_mentioned_is_said() {
        for (language, order, said) in [
            ("en", "Mention that we support SAP.", "We support SAP."),
            (
                "en",
                "Please also point out that the gate is new.",
                "The gate is new.",
            ),
            (
                "en",
                "Don't forget to mention that **SAP** runs.",
                "SAP runs.",
            ),
            (
                "de",
                "Erwähnen Sie, dass wir SAP unterstützen.",
                "Wir unterstützen SAP.",
            ),
            (
                "de",
                "Bitte weisen Sie auch darauf hin, dass wir seit 2019 zertifiziert sind.",
                "Wir sind seit 2019 zertifiziert.",
            ),
            (
                "de",
                "Erwähne bitte, dass wir Tore warten und Lager prüfen.",
                "Zu erwähnen ist, dass wir Tore warten und Lager prüfen.",
            ),
            (
                "de",
                "Bitte erwähnen, dass die Leitstelle immer besetzt ist.",
                "Zu erwähnen ist, dass die Leitstelle immer besetzt ist.",
            ),
            (
                "fr",
                "Mentionnez que nous prenons en charge SAP.",
                "Nous prenons en charge SAP.",
            ),
            (
                "fr",
                "Veuillez préciser qu'un essai dure six jours.",
                "Un essai dure six jours.",
            ),
            (
                "es",
                "Mencione también que ofrecemos SAP.",
                "Ofrecemos SAP.",
            ),
        ] {
            let brief = format!("# A\n\n## B\n\nThe 14 gates. {order}\n\n- {order}\n");
            let texts = read(&brief, language);
            assert_eq!(
                texts,
                [format!("The 14 gates. {said}"), said.to_owned()],
                "{order}"
            );
        }
    }

    #[test]
    fn an_order_above_a_list_goes_and_the_list_stays() {
        assert_eq!(
            read(
                "# A\n\n## B\n\nPlease mention that:\n\n- we support SAP\n- we sit in Leeds\n",
                "en"
            ),
            ["we support SAP", "we sit in Leeds"]
        );
    }

    #[test]
    fn a_thing_to_mention_is_listed_in_a_list_and_told_elsewhere() {
        assert_eq!(
            read(
                "# A\n\n## B\n\nTwo gates. Also mention our certificate.\n\n- Please mention our ISO 14001 certificate.\n- Two gates",
                "en"
            ),
            ["Two gates.", "Our ISO 14001 certificate", "Two gates"]
        );
    }

    #[test]
    fn what_only_speaks_of_mentions_and_what_advises_sellers_stays() {
        for brief in [
            "# A\n\n## B\n\nTwo auditors mention that the record has gaps.",
            "# Playbook for the winter\n\n## B\n\nMention that we support SAP.",
        ] {
            let last = brief.lines().last().map(str::to_owned);
            assert_eq!(read(brief, "en").last().cloned(), last);
        }
    }
}
