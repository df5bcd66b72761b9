//! Corrections in a text: `Monitoring is 10k a year. Scrap that, make it 12k.`
//!
//! Danger: what was taken back would be printed, and the reader would hold the writer to it. Nobody can put the right words in its
//! place by rule. So the correction goes together with what it corrects: the sentence before it, and if the correction has a
//! figure and that sentence none, the last one that has. `Set it and forget it` takes nothing back: the words open a sentence
//! that does, behind words of hesitation at most. And no correction reaches over a heading.

use gtm_document_model::block::{Block, Paragraph};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::company::REFERRING;
use gtm_lexicon::documents::{HESITATIONS, RETRACTIONS};
use gtm_lexicon::{fold, split};

use super::{Part, one_line, soft_breaks};
use crate::runs::{part_of, sentences_of, trimmed};

/// Most words behind those that take something back, in their clause: `scrap that please`.
const WORDS_BEHIND: usize = 1;
/// Most phrases of hesitation before them: `ok no, scrap that`.
const MOST_HESITATIONS: usize = 3;
/// How many sentences back a figure is looked for.
const REACH: usize = 6;

/// Whether a sentence takes back what was said before it.
pub fn retracts(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let mut at = 0;
    for _ in 0..=MOST_HESITATIONS {
        let rest = words.get(at..).unwrap_or_default();
        let taken_back = RETRACTIONS.at_start(rest).map(<[_]>::len).max();
        if let Some(length) = taken_back {
            return words_left_in_clause(&folded, at + length) <= WORDS_BEHIND;
        }
        let hesitation = HESITATIONS.at_start(rest).map(<[_]>::len).max();
        let Some(length) = hesitation else {
            break;
        };
        at += length;
    }
    false
}

/// How many words stand behind so many, up to the end of their clause. A colon ends none: `Never mind the gap: it closes.`
fn words_left_in_clause(folded: &str, words: usize) -> usize {
    let ends = |c: char| matches!(c, ',' | ';' | '–' | '—' | '(' | ')' | '.' | '!' | '?' | '…');
    let mut seen = 0;
    for clause in folded.split(ends).flat_map(|clause| clause.split(" - ")) {
        seen += split(clause).len();
        if seen >= words {
            return seen - words;
        }
    }
    0
}

/// A sentence of a paragraph or an item of a list.
#[derive(Debug)]
struct Said {
    part: usize,
    /// How many headings stand before it.
    section: usize,
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
    let mut section = 0;
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Heading { .. } => section += 1,
            Part::Block(Block::Paragraph(Paragraph { runs, .. })) => {
                let text = plain_text(runs);
                for place in sentences_of(&text, language) {
                    said.push(Said {
                        part: at,
                        section,
                        runs: part_of(runs, std::slice::from_ref(&place)),
                        text: text.get(place).unwrap_or_default().to_owned(),
                        is_gone: false,
                    });
                }
            }
            Part::Block(Block::Bullets(list)) => said.extend(list.items.iter().map(|item| Said {
                part: at,
                section,
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
                (!runs.is_empty()).then_some(Part::Block(Block::Paragraph(Paragraph::of(runs))))
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
        let section = correction.section;
        let mut left = before
            .iter_mut()
            .rev()
            .take_while(|said| said.section == section)
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

#[cfg(test)]
mod tests {
    use super::super::Brief;
    use super::*;

    #[test]
    fn only_words_that_open_a_sentence_take_something_back() {
        for sentence in [
            "Scrap that.",
            "ok no, scrap that please",
            "Actually ignore that, it is 12k.",
            "Hmm wait, no, forget it - make it 12k",
            "Nein, streich das.",
            "Non, oublie ça.",
            "No, espera, olvida eso.",
            "Nee, laat maar.",
        ] {
            assert!(retracts(sentence), "{sentence}");
        }
        for sentence in [
            "Set it and forget it",
            "You repair it or we scrap that",
            "Our customers forget it.",
            "Never mind the gap: it closes by itself.",
            "Forget that old ladder.",
            "We never ignore that.",
        ] {
            assert!(!retracts(sentence), "{sentence}");
        }
    }

    #[test]
    fn a_correction_stays_within_its_part_and_is_told_as_one() {
        let brief = Brief::read(
            "# Gates\n\n## Price\n\nEach gate costs 900 euros.\n\n## Service\n\nScrap that. We come twice a year.",
            "en",
        );
        let text = brief.text();
        assert!(
            text.contains("900 euros") && text.contains("twice a year"),
            "{text}"
        );
        assert_eq!(brief.corrected, ["Scrap that."]);
        assert!(brief.withheld.is_empty());
        let kept =
            "# Gates\n\n## Drive\n\nA chain of 900 links.\n\n## Care\n\nSet it and forget it.";
        let brief = Brief::read(kept, "en");
        assert!(brief.corrected.is_empty());
        assert!(brief.text().contains("900 links") && brief.text().contains("forget it"));
    }
}
