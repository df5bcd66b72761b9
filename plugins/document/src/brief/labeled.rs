//! Paragraphs of prose that begin with a label: `Risks: two sites have no network.` The label is the heading of a part.
//!
//! Only a brief without headings is read so: whoever wrote headings meant the other labels as they stand.

use std::ops::Range;

use gtm_document_model::block::{Block, Bullets, Item, Paragraph};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::company::REFERRING;
use gtm_lexicon::documents::{
    ABOUT_US, ASKS, BENEFITS, NEXT_STEPS, NOTICES, PRICE_HEADINGS, RECIPIENT_LABELS, SUMMARIES,
};
use gtm_lexicon::{fold, split};

use super::charts::is_period;
use super::line_kinds::{is_direction_label, is_sentence};
use super::{Part, one_line, private_notes, speakers, wishes};
use crate::capital::capital;
use crate::runs::{part_of, sentences_of, trimmed};

/// Longest label, and longest one that stands alone in its brief, in words.
const LABEL_WORDS: usize = 5;
const LONE_LABEL_WORDS: usize = 3;
/// Longest label in the middle of a paragraph, in words.
const INNER_LABEL_WORDS: usize = 3;
/// Longest words that only go on with what stands before: `This means`. `Ce que nous avons fait` is a label.
const REFERRING_WORDS: usize = 3;
/// Fewest letters of a label.
const LABEL_CHARS: usize = 3;
/// Fewest words behind a label that make a part, in a paragraph and in an item of a list.
const PART_WORDS: usize = 3;
const ITEM_WORDS: usize = 5;

/// A label, and where the text behind it begins.
struct Label {
    text: String,
    behind: usize,
}

/// Parts the paragraphs at the labels in them, and lists whose items are labeled sentences into paragraphs. The labels stay.
pub fn parted(parts: Vec<Part>, language: &str) -> Vec<Part> {
    if has_headings(&parts) {
        return parts;
    }
    let mut found = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Part::Block(Block::Paragraph(Paragraph { runs, .. })) => {
                let places = paragraphs_in(&plain_text(&runs), language);
                let said = places
                    .into_iter()
                    .map(|place| trimmed(part_of(&runs, &[place])))
                    .filter(|runs| !runs.is_empty());
                found.extend(said.map(paragraph));
            }
            Part::Block(Block::Bullets(Bullets { ordered, items })) => {
                let all = !ordered && items.len() > 1 && items.iter().all(is_labeled_sentence);
                match all {
                    true => found.extend(items.into_iter().map(|item| paragraph(item.runs))),
                    false => found.push(Part::Block(Block::Bullets(Bullets { ordered, items }))),
                }
            }
            other => found.push(other),
        }
    }
    found
}

/// The parts with headings instead of the labels with which paragraphs begin. `is_marked` says that the brief marks its
/// headings: whoever does meant the other labels as they stand. Beside headings that only stand on lines of their own, a label
/// that documents often have is one as well.
pub fn headed(parts: Vec<Part>, is_marked: bool) -> Vec<Part> {
    if has_headings(&parts) {
        return match is_marked {
            true => parts,
            false => usually_headed(parts),
        };
    }
    let labels: Vec<Option<Label>> = parts.iter().map(label_of).collect();
    let several = labels.iter().flatten().count() > 1;
    let mut found = Vec::with_capacity(parts.len());
    for (part, label) in parts.into_iter().zip(labels) {
        let long = if several {
            LABEL_WORDS
        } else {
            LONE_LABEL_WORDS
        };
        let label = label.filter(|label| label.text.split_whitespace().count() <= long);
        match (part, label) {
            (Part::Block(Block::Paragraph(Paragraph { runs, .. })), Some(label)) => {
                let text = plain_text(&runs);
                let place = label.behind..text.len();
                let mut said = trimmed(part_of(&runs, &[place]));
                if let Some(first) = said.first_mut() {
                    first.text = capital(&first.text);
                }
                let runs = vec![Run::plain(label.text)];
                found.push(Part::Heading { level: 2, runs });
                found.push(paragraph(said));
            }
            (part, _) => found.push(part),
        }
    }
    found
}

/// The parts with headings instead of usual labels: `Price: £29 a month` below the list of another part.
fn usually_headed(parts: Vec<Part>) -> Vec<Part> {
    let mut found: Vec<Part> = Vec::with_capacity(parts.len());
    let mut level = 2;
    for part in parts {
        if let Part::Heading { level: own, .. } = &part {
            level = *own;
        }
        // What stands directly below a heading is what that names.
        let is_named = !matches!(found.last(), None | Some(Part::Heading { .. }));
        match part {
            Part::Block(Block::Paragraph(Paragraph { mut runs, .. })) if is_named => {
                let label = usual_label(&runs);
                if let Some(label) = label {
                    let text = plain_text(&runs);
                    let place = label.behind..text.len();
                    runs = trimmed(part_of(&runs, std::slice::from_ref(&place)));
                    if let Some(first) = runs.first_mut() {
                        first.text = capital(&first.text);
                    }
                    let runs = vec![Run::plain(label.text)];
                    found.push(Part::Heading { level, runs });
                }
                found.push(paragraph(runs));
            }
            part => found.push(part),
        }
    }
    found
}

/// The usual label with which a paragraph begins, in small letters too.
fn usual_label(runs: &[Run]) -> Option<Label> {
    let text = plain_text(runs);
    let named = capital(&text);
    let label = label_at_start(&named).filter(|_| named.len() == text.len())?;
    is_usual(&label.text).then_some(label)
}

fn paragraph(runs: Vec<Run>) -> Part {
    Part::Block(Block::Paragraph(Paragraph::of(runs)))
}

fn has_headings(parts: &[Part]) -> bool {
    parts
        .iter()
        .any(|part| matches!(part, Part::Heading { .. }))
}

/// The label of a paragraph that says enough for a part of its own.
fn label_of(part: &Part) -> Option<Label> {
    let Part::Block(Block::Paragraph(paragraph)) = part else {
        return None;
    };
    let text = plain_text(&paragraph.runs);
    let label = label_at_start(&text)?;
    let words = text.get(label.behind..)?.split_whitespace().count();
    (words >= PART_WORDS || is_usual(&label.text)).then_some(label)
}

fn is_labeled_sentence(item: &Item) -> bool {
    let text = plain_text(&item.runs);
    let said = label_at_start(&text).and_then(|label| text.get(label.behind..));
    let long = said.is_some_and(|said| said.split_whitespace().count() >= ITEM_WORDS);
    long && item.items.is_empty() && is_sentence(text.trim())
}

/// A text as the paragraphs that its labels make of it: `We start in May. Risks: none. Price: £4.`
fn paragraphs_in(text: &str, language: &str) -> Vec<Range<usize>> {
    let begins: Vec<usize> = sentences_of(text, language)
        .into_iter()
        .filter(|place| {
            let sentence = text.get(place.clone()).unwrap_or_default();
            label_at_start(sentence).is_some_and(|label| {
                let words = label.text.split_whitespace().count();
                place.start == 0 || words <= INNER_LABEL_WORDS || is_usual(&label.text)
            })
        })
        .map(|place| place.start)
        .collect();
    let mut found = Vec::with_capacity(begins.len() + 1);
    let mut from = 0;
    // One label in the middle of a sentence's company is none.
    let several = begins.len() > 1;
    for begin in begins.into_iter().filter(|begin| several && *begin > 0) {
        found.push(from..begin);
        from = begin;
    }
    found.push(from..text.len());
    found
}

/// The label with which a text begins.
fn label_at_start(text: &str) -> Option<Label> {
    let (label, rest) = text.split_once([':', '：'])?;
    let behind = text.len() - rest.len();
    let label = one_line(label);
    let folded = fold(&label);
    let words = split(&folded);
    // `10:30` and `https://…` have no blank behind the colon.
    let apart = rest.starts_with(char::is_whitespace) || text.get(..behind)?.ends_with('：');
    let said = rest.trim_start();
    let quoted = said.starts_with(['"', '“', '„', '«', '»', '‘', '‚']);
    let names = (1..=LABEL_WORDS).contains(&words.len())
        && label.chars().count() >= LABEL_CHARS
        && label
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '\'' | '’' | '&' | '?'))
        && !label.starts_with(char::is_lowercase);
    // `We see three ways:` announces something, `This means:` goes on with what stands before.
    let goes_on = words.len() <= REFERRING_WORDS
        && words.first().is_some_and(|word| REFERRING.contains(word))
        || words.iter().any(|word| wishes::number_of(word).is_some());
    let otherwise = NOTICES.are(&words)
        || speakers::is_label(&label)
        || RECIPIENT_LABELS.are(&words)
        || is_direction_label(&label)
        || is_period(&label)
        || private_notes::opens(text);
    (apart && !said.is_empty() && !quoted && names && !goes_on && !otherwise).then_some(Label {
        text: label,
        behind,
    })
}

/// Whether a label is one that documents often have.
fn is_usual(label: &str) -> bool {
    let folded = fold(label);
    let words = split(&folded);
    [
        &ABOUT_US,
        &ASKS,
        &BENEFITS,
        &NEXT_STEPS,
        &PRICE_HEADINGS,
        &SUMMARIES,
    ]
    .into_iter()
    .any(|known| known.are(&words))
}

#[cfg(test)]
mod tests {
    use super::super::Brief;

    /// Headings with the first words below each.
    fn parts(brief: &str, language: &str) -> Vec<(String, String)> {
        let brief = Brief::read(brief, language);
        let chapters = brief.chapters.iter();
        chapters
            .map(|chapter| {
                let heading = chapter.heading.clone().unwrap_or_default();
                (heading, super::super::texts_of(&chapter.blocks).join(" | "))
            })
            .collect()
    }

    fn headings(brief: &str, language: &str) -> Vec<String> {
        let parts = parts(brief, language).into_iter();
        parts.map(|(heading, _)| heading).collect()
    }

    #[test]
    fn labels_of_paragraphs_are_headings() {
        for (language, brief, expected) in [
            (
                "en",
                "Marrow bakes at night.\n\nWhy now: the ovens start in June.\n\nRisks: older bakers have no phones.",
                ["", "Why now", "Risks"],
            ),
            (
                "de",
                "Tannach liest von Hand ab.\n\nNutzen: die Abrechnung ist früher fertig.\n\nRisiken: im Tal fehlt der Empfang.",
                ["", "Nutzen", "Risiken"],
            ),
            (
                "fr",
                "Kerhoz livre le matin.\n\nPourquoi maintenant : le bail finit en juin.\n\nCe que nous avons fait : un plan chaque nuit.",
                ["", "Pourquoi maintenant", "Ce que nous avons fait"],
            ),
            (
                "es",
                "Ardiela etiqueta latas.\n\nBeneficio: menos paradas por turno.\n\nPor qué ahora: la campaña empieza pronto.",
                ["", "Beneficio", "Por qué ahora"],
            ),
        ] {
            assert_eq!(headings(brief, language), expected, "{brief}");
        }
    }

    #[test]
    fn labels_in_the_middle_of_a_paragraph_part_it() {
        let brief = "We read 9 meters by hand. Why now: the lease ends. Risks: the cellar is damp.";
        assert_eq!(
            parts(brief, "en"),
            [
                ("", "We read 9 meters by hand."),
                ("Why now", "The lease ends."),
                ("Risks", "The cellar is damp.")
            ]
            .map(|(heading, text)| (heading.to_owned(), text.to_owned()))
        );
    }

    #[test]
    fn lines_that_are_labeled_sentences_are_parts() {
        let brief =
            "Why now: the lease of the hall ends in June.\nRisks: the cellar of the hall is damp.";
        assert_eq!(headings(brief, "en"), ["Why now", "Risks"]);
        // Short ones are a list.
        assert_eq!(headings("When: 4 May\nWhere: Leeds", "en"), [""]);
    }

    #[test]
    fn beside_plain_headings_usual_labels_are_headings() {
        let brief = "Today\n\n- 3 loads were lost\n- nobody reads it\n\nWhat we do\n\n- we read it\n- we call\n\nProof: it works in Leeds.\n\n\
            Price: £29 a month.\n\nnext step: a pilot in May.";
        assert_eq!(
            headings(brief, "en"),
            ["Today", "What we do", "Price", "Next step"]
        );
    }

    #[test]
    fn what_only_looks_like_a_label_stays() {
        for brief in [
            "The hall has three gates: north, east and a small one.",
            "Dr Olsen said: \"We never wait for a reading.\"",
            "We start at 10:30 in the hall of the plant.",
            "Week 3: the hall is measured and swept.",
            "This means: nobody waits for a reading.",
            "Please note: the hall is closed on Sunday.",
        ] {
            assert_eq!(headings(brief, "en"), [""], "{brief}");
        }
        let brief = "# Meters\n\n## How\n\nRisks: the cellar is damp in May.\n\nPrice: £3 for each of them.";
        assert_eq!(headings(brief, "en"), ["How"]);
    }
}
