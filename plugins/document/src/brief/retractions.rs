//! Corrections in a text: `Monitoring is 10k a year. Scrap that, make it 12k.`
//!
//! Danger: what was taken back would be printed, and the reader would hold the writer to it. Nobody can put the right words in its
//! place by rule. So the correction goes together with what it corrects: the sentence before it, and if the correction has a
//! figure and that sentence none, the last one that has.

use gtm_document_model::block::{Block, Paragraph};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::company::REFERRING;
use gtm_lexicon::documents::RETRACTIONS;
use gtm_lexicon::{fold, split};

use super::{Part, one_line, soft_breaks};
use crate::runs::{part_of, sentences_of, trimmed};

/// Most words of a clause before those that take something back, and behind them: `ok no, scrap that please`.
const WORDS_BEFORE: usize = 3;
const WORDS_BEHIND: usize = 1;
/// How many sentences back a figure is looked for.
const REACH: usize = 6;

/// Whether a sentence takes back what was said before it.
pub fn retracts(sentence: &str) -> bool {
    let parts = |c: char| matches!(c, ',' | ';' | ':' | '–' | '—' | '(' | ')' | '.' | '!' | '?');
    sentence
        .split(parts)
        .flat_map(|clause| clause.split(" - "))
        .any(|clause| {
            let folded = fold(clause);
            let words = split(&folded);
            RETRACTIONS.places(&words).any(|(at, phrase)| {
                at <= WORDS_BEFORE && words.len() <= at + phrase.len() + WORDS_BEHIND
            })
        })
}

/// A sentence of a paragraph or an item of a list.
#[derive(Debug)]
struct Said {
    part: usize,
    runs: Vec<Run>,
    text: String,
    is_gone: bool,
}

/// The parts without corrections and what they correct, and these sentences.
pub fn without(parts: Vec<Part>, language: &str) -> (Vec<Part>, Vec<String>) {
    let is_one = |text: &str| {
        sentences_of(text, language)
            .into_iter()
            .any(|place| text.get(place).is_some_and(retracts))
    };
    let any = parts
        .iter()
        .any(|part| texts(part).iter().any(|text| is_one(text)));
    if !any {
        return (parts, Vec::new());
    }
    let mut said: Vec<Said> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Block(Block::Paragraph(Paragraph { runs })) => {
                let text = plain_text(runs);
                for place in sentences_of(&text, language) {
                    said.push(Said {
                        part: at,
                        runs: part_of(runs, std::slice::from_ref(&place)),
                        text: text.get(place).unwrap_or_default().to_owned(),
                        is_gone: false,
                    });
                }
            }
            Part::Block(Block::Bullets(list)) => said.extend(list.items.iter().map(|item| Said {
                part: at,
                runs: item.runs.clone(),
                text: plain_text(&item.runs),
                is_gone: false,
            })),
            _ => {}
        }
    }
    mark(&mut said);
    let withheld = said.iter().filter(|said| said.is_gone);
    let withheld = withheld.map(|said| one_line(&said.text)).collect();
    let kept = parts.into_iter().enumerate().filter_map(|(at, part)| {
        let mut own = said.iter().filter(|said| said.part == at);
        if !own.clone().any(|said| said.is_gone) {
            return Some(part);
        }
        match part {
            Part::Block(Block::Bullets(mut list)) => {
                list.items
                    .retain(|_| own.next().is_some_and(|said| !said.is_gone));
                (!list.items.is_empty()).then_some(Part::Block(Block::Bullets(list)))
            }
            _ => {
                let kept = own.filter(|said| !said.is_gone);
                let runs = trimmed(kept.flat_map(|said| said.runs.clone()).collect());
                (!runs.is_empty()).then_some(Part::Block(Block::Paragraph(Paragraph { runs })))
            }
        }
    });
    (kept.collect(), withheld)
}

fn mark(said: &mut [Said]) {
    let has_figure = |text: &str| text.contains(char::is_numeric);
    for at in 0..said.len() {
        let Some((before, rest)) = said.split_at_mut_checked(at) else {
            continue;
        };
        let Some((correction, behind)) = rest.split_first_mut() else {
            continue;
        };
        if !retracts(&correction.text.replace(soft_breaks::SOFT_BREAK, " ")) {
            continue;
        }
        correction.is_gone = true;
        let mut figure = has_figure(&correction.text);
        // `Scrap that. It is 12k.` speaks of what is gone.
        if let Some(next) = behind
            .first_mut()
            .filter(|next| next.part == correction.part)
        {
            let folded = fold(&next.text);
            let refers = split(&folded)
                .first()
                .is_some_and(|word| REFERRING.contains(word));
            if refers {
                figure |= has_figure(&next.text);
                next.is_gone = true;
            }
        }
        let mut left = before
            .iter_mut()
            .rev()
            .filter(|said| !said.is_gone)
            .take(REACH);
        let Some(last) = left.next() else {
            continue;
        };
        last.is_gone = true;
        if figure && !has_figure(&last.text) {
            let figure = left.find(|said| has_figure(&said.text));
            if let Some(corrected) = figure {
                corrected.is_gone = true;
            }
        }
    }
}

fn texts(part: &Part) -> Vec<String> {
    match part {
        Part::Block(Block::Paragraph(paragraph)) => vec![plain_text(&paragraph.runs)],
        Part::Block(Block::Bullets(list)) => list
            .items
            .iter()
            .map(|item| plain_text(&item.runs))
            .collect(),
        _ => Vec::new(),
    }
}
