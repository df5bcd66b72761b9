//! Corrections that stand apart from what they correct: `Sorry, the pilot has 6 trucks, not 5`, paragraphs below `a pilot with 5
//! trucks`.
//!
//! Such a sentence opens with words that correct something, and denies one of its two figures. The right one takes the place of
//! the denied one where that stands beside the same word, first in the same text, or where nothing beside it says what else it
//! counts; else the sentence stays.

use std::ops::Range;

use gtm_document_model::block::{Block, Item};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::NEGATIONS;
use gtm_lexicon::fold;

use super::super::{Part, count_words, one_line};
use super::chains::Chain;
use super::denied_places::{
    Figure, Place, are_alike, chosen, has_word, label_before, names_a_day, unit_behind, word_before,
};
use super::pieces::{Piece, pieces_of};
use crate::runs::{part_of, sentences_of, trimmed};

/// Longest sentence that only corrects a figure, in words.
const MOST_WORDS: usize = 18;
/// Most sentences of a brief for which all of its texts are searched.
const MOST_DENIALS: usize = 20;
/// How many words of a sentence before the figures tell what it speaks of, from how many letters on.
const TELLING_LETTERS: usize = 4;

/// What a sentence corrects.
#[derive(Debug)]
struct Denial {
    /// The right figure as it is written.
    right: String,
    /// Whether letters stand behind its digits: `12k`.
    has_suffix: bool,
    /// The figure that it denies.
    wrong: Figure,
    /// The word behind one of the figures.
    unit: Option<String>,
    /// The words directly before the figures.
    before: Vec<String>,
    /// Words that tell of what it speaks.
    about: Vec<String>,
}

/// Puts the right figures in the place of those that sentences of their own deny; returns these sentences.
pub fn made(parts: &mut Vec<Part>, language: &str) -> Vec<String> {
    let mut told = Vec::new();
    let mut left = MOST_DENIALS;
    for at in 0..parts.len() {
        told.extend(items_applied(parts, at, &mut left));
        told.extend(sentences_applied(parts, at, language, &mut left));
    }
    parts.retain(|part| match part {
        Part::Block(Block::Paragraph(paragraph)) => !paragraph.runs.is_empty(),
        Part::Block(Block::Bullets(list)) => !list.items.is_empty(),
        _ => true,
    });
    told
}

/// Applies the sentences of a paragraph that correct something, and takes them out.
fn sentences_applied(
    parts: &mut [Part],
    at: usize,
    language: &str,
    left: &mut usize,
) -> Vec<String> {
    let mut told = Vec::new();
    let mut passed = 0;
    while *left > 0 {
        let Some(runs) = paragraph_at(parts, at).cloned() else {
            break;
        };
        let text = plain_text(&runs);
        let places = sentences_of(&text, language);
        let mut sentences = places.iter().enumerate().skip(passed);
        let found = sentences.find_map(|(number, place)| {
            let sentence = text.get(place.clone())?;
            Some((number, place.clone(), sentence, Denial::of(sentence)?))
        });
        let Some((number, place, sentence, denial)) = found else {
            break;
        };
        *left -= 1;
        // It must not find its own figure.
        let others = [0..place.start, place.end..text.len()];
        set_text(parts, (at, 0), trimmed(part_of(&runs, &others)));
        if denial.apply(parts, (at, 0)) {
            told.push(one_line(sentence));
            passed = number;
        } else {
            set_text(parts, (at, 0), runs);
            passed = number + 1;
        }
    }
    told
}

/// Applies the items of a list that correct something, and takes them out. What stands below them stays.
fn items_applied(parts: &mut [Part], at: usize, left: &mut usize) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    if let Some(part @ Part::Block(Block::Bullets(_))) = parts.get_mut(at) {
        each_text(part, &mut |_, runs| said.push(plain_text(runs)));
    }
    let mut told = Vec::new();
    let mut gone = Vec::new();
    for (number, text) in said.iter().enumerate() {
        let Some(denial) = Denial::of(text).filter(|_| *left > 0) else {
            continue;
        };
        *left -= 1;
        // It must not find its own figure.
        let own = set_text(parts, (at, number), Vec::new());
        if denial.apply(parts, (at, number)) {
            gone.push(number);
            told.push(one_line(text));
        } else {
            set_text(parts, (at, number), own);
        }
    }
    if let Some(Part::Block(Block::Bullets(list))) = parts.get_mut(at).filter(|_| !gone.is_empty())
    {
        list.items = without(std::mem::take(&mut list.items), &mut 0, &gone);
    }
    told
}

/// The items but those of these numbers. What stands below one of them takes its place.
fn without(items: Vec<Item>, number: &mut usize, gone: &[usize]) -> Vec<Item> {
    let mut kept = Vec::with_capacity(items.len());
    for mut item in items {
        let own = *number;
        *number += 1;
        item.items = without(item.items, number, gone);
        if gone.contains(&own) {
            kept.append(&mut item.items);
        } else {
            kept.push(item);
        }
    }
    kept
}

fn paragraph_at(parts: &[Part], at: usize) -> Option<&Vec<Run>> {
    match parts.get(at) {
        Some(Part::Block(Block::Paragraph(paragraph))) => Some(&paragraph.runs),
        _ => None,
    }
}

/// Gives a text these runs, by the number of its part and of the text in that; returns those that it had.
fn set_text(parts: &mut [Part], (at, number): (usize, usize), mut runs: Vec<Run>) -> Vec<Run> {
    if let Some(part) = parts.get_mut(at) {
        each_text(part, &mut |own, text| {
            if own == number {
                std::mem::swap(text, &mut runs);
            }
        });
    }
    runs
}

impl Denial {
    fn of(sentence: &str) -> Option<Self> {
        if count_words(sentence) > MOST_WORDS {
            return None;
        }
        let pieces = pieces_of(sentence);
        let chain = Chain::at(sentence, &pieces, 0).filter(|chain| !chain.takes_back)?;
        let figures: Vec<usize> = (chain.end..pieces.len())
            .filter(|at| pieces.get(*at).is_some_and(|piece| piece.is_number))
            .collect();
        let [first, second] = figures.as_slice() else {
            return None;
        };
        let denies = |at: usize| {
            at.checked_sub(1)
                .and_then(|before| pieces.get(before))
                .is_some_and(|piece| NEGATIONS.has_word(&fold(piece.of(sentence))))
        };
        let (right, wrong) = match (denies(*first), denies(*second)) {
            (false, true) => (*first, *second),
            (true, false) => (*second, *first),
            _ => return None,
        };
        let unit = |at: usize| unit_behind(sentence, &pieces, at);
        let about = pieces.get(chain.end..*first)?.iter().filter_map(|piece| {
            let word = fold(piece.of(sentence));
            (word.chars().count() >= TELLING_LETTERS).then_some(word)
        });
        let before = [*first, *second].into_iter();
        let before = before.filter_map(|at| word_before(sentence, &pieces, at));
        let right_piece = pieces.get(right)?;
        let right_figure = Figure::of(sentence, right_piece);
        let wrong_figure = Figure::of(sentence, pieces.get(wrong)?);
        // `9:30, not 9` is of two kinds.
        let is_other =
            !right_figure.has_value_of(&wrong_figure) && right_figure.has_shape_of(&wrong_figure);
        is_other.then(|| Self {
            right: right_piece.of(sentence).to_owned(),
            has_suffix: right_figure.suffix_length() > 0,
            wrong: wrong_figure.written_like(&right_figure),
            unit: unit(right).or_else(|| unit(wrong)),
            before: before.filter(|word| !NEGATIONS.has_word(word)).collect(),
            about: about.collect(),
        })
    }

    /// Applies it to all texts, and to its own, by the number of its part and of the text in that, first. False where nobody can
    /// tell which figure is meant.
    fn apply(&self, parts: &mut [Part], own: (usize, usize)) -> bool {
        let mut places: Vec<Place> = Vec::new();
        for (at, part) in parts.iter_mut().enumerate() {
            each_text(part, &mut |number, runs| {
                let text = plain_text(runs);
                let pieces = pieces_of(&text);
                let is_about = self.about.iter().any(|word| has_word(&text, &pieces, word));
                for (index, piece) in pieces.iter().enumerate() {
                    if piece.is_number && Figure::of(&text, piece) == self.wrong {
                        places.push(Place {
                            part: at,
                            number,
                            place: self.replaced(&text, piece),
                            is_own: (at, number) == own,
                            has_unit: self.has_unit(&text, &pieces, index),
                            is_bare: self.is_bare(&text, &pieces, index, is_about),
                            is_about,
                        });
                    }
                }
            });
        }
        let chosen = chosen(&places);
        for found in chosen.iter().rev() {
            let Some(part) = parts.get_mut(found.part) else {
                continue;
            };
            each_text(part, &mut |number, runs| {
                if number == found.number {
                    *runs = self.corrected(runs, &found.place);
                }
            });
        }
        !chosen.is_empty()
    }

    /// What of a figure the right one replaces: letters behind its digits stay where the right one has none.
    fn replaced(&self, text: &str, piece: &Piece) -> Range<usize> {
        let suffix = match self.has_suffix {
            true => 0,
            false => Figure::of(text, piece).suffix_length(),
        };
        piece.place.start..piece.place.end - suffix
    }

    /// The runs with the right figure, which looks like the wrong one.
    fn corrected(&self, runs: &[Run], place: &Range<usize>) -> Vec<Run> {
        let length = plain_text(runs).len();
        let mut kept = part_of(runs, std::slice::from_ref(&(0..place.start)));
        let wrong = part_of(runs, std::slice::from_ref(place));
        kept.extend(wrong.into_iter().next().map(|run| Run {
            text: self.right.clone(),
            ..run
        }));
        kept.extend(part_of(runs, std::slice::from_ref(&(place.end..length))));
        kept
    }

    fn has_unit(&self, text: &str, pieces: &[Piece], at: usize) -> bool {
        let behind = unit_behind(text, pieces, at);
        match (&self.unit, behind) {
            (Some(unit), Some(behind)) => are_alike(unit, &behind),
            _ => false,
        }
    }

    /// Whether a figure counts and numbers nothing else: `Trucks: 5`, `The pilot has 5.` `Phase 5` may, and `5 May`.
    fn is_bare(&self, text: &str, pieces: &[Piece], at: usize, is_about: bool) -> bool {
        let is_told = label_before(text, pieces, at).is_some_and(|label| {
            let mut known = self.about.iter().chain(&self.unit);
            known.any(|known| are_alike(known, &label))
        });
        let follows = is_about
            && word_before(text, pieces, at).is_some_and(|word| self.before.contains(&word));
        unit_behind(text, pieces, at).is_none()
            && !names_a_day(text, pieces, at)
            && (is_told || follows)
    }
}

/// Calls with each text of a part that a figure may stand in, and its number.
fn each_text(part: &mut Part, visit: &mut dyn FnMut(usize, &mut Vec<Run>)) {
    fn items(list: &mut [Item], number: &mut usize, visit: &mut dyn FnMut(usize, &mut Vec<Run>)) {
        for item in list {
            visit(*number, &mut item.runs);
            *number += 1;
            items(&mut item.items, number, visit);
        }
    }
    let mut number = 0;
    match part {
        Part::Heading { runs, .. } => visit(0, runs),
        Part::Block(Block::Paragraph(paragraph)) => visit(0, &mut paragraph.runs),
        Part::Block(Block::Bullets(list)) => items(&mut list.items, &mut number, visit),
        Part::Block(Block::Table(table)) => {
            for (number, cell) in table.rows.iter_mut().flatten().enumerate() {
                visit(number, cell);
            }
        }
        Part::Block(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Brief;
    use super::*;

    fn read(brief: &str, language: &str) -> (String, usize) {
        let brief = Brief::read(brief, language);
        (
            brief.text().trim().replace('\n', " | "),
            brief.corrected.len(),
        )
    }

    #[test]
    fn a_sentence_that_denies_a_figure_corrects_it_wherever_it_stands() {
        for (language, brief, said) in [
            (
                "en",
                "# Pilot\n\nWe plan a 6-week pilot with 5 trucks.\n\nWe cut 11 losses.\n\nsorry the pilot has 6 trucks not 5",
                "Pilot | We plan a 6-week pilot with 6 trucks. | We cut 11 losses.",
            ),
            (
                "fr",
                "# Sacs\n\n- le minimum : 5 000 sacs\n- le délai : 4 semaines\n\nErratum : le minimum c'est 3 000 sacs et pas 5 000.",
                "Sacs | 3 000 sacs | le minimum | 4 semaines | le délai",
            ),
            (
                "es",
                "# Caso\n\nTamaño: 62 empleados.\n\nAhorra un 34 %.\n\nCorrección: son 69 empleados, no 62.",
                "Caso | Tamaño: 69 empleados. | Ahorra un 34 %.",
            ),
            (
                "de",
                "# Fall\n\n| Was | Wert |\n|---|---|\n| Größe | 62 Leute |\n| Dauer | 3 Tage |\n\nKorrektur: es sind nicht 62, sondern 69 Leute.",
                "Fall | 69 Leute | Größe | 3 Tage | Dauer",
            ),
        ] {
            assert_eq!(read(brief, language), (said.to_owned(), 1), "{brief}");
        }
    }

    #[test]
    fn the_sentences_beside_it_are_corrected_first() {
        let (text, corrected) = read(
            "# Pilot\n\nThe pilot has 5 trucks. Sorry, the pilot has 6 trucks, not 5.\n\nLeeds has 5 trucks.",
            "en",
        );
        assert_eq!(
            text,
            "Pilot | The pilot has 6 trucks. | Leeds has 5 trucks."
        );
        assert_eq!(corrected, 1);
    }

    #[test]
    fn what_stands_below_an_item_that_goes_stays() {
        let (text, corrected) = read(
            "# Pilot\n\nWe send 5 trucks.\n\n- Sorry, 6 trucks, not 5\n  - They come from Leeds",
            "en",
        );
        assert_eq!(text, "Pilot | We send 6 trucks. | They come from Leeds");
        assert_eq!(corrected, 1);
    }

    #[test]
    fn a_figure_without_a_unit_is_told_by_the_words_before_it() {
        for (brief, said) in [
            (
                "# Pilot\n\nThe price is 5.\n\nSorry, the price is 6, not 5.",
                "Pilot | The price is 6.",
            ),
            (
                "# Pilot\n\nTrucks: 5\n\nSorry, the pilot has 6 trucks, not 5.",
                "Pilot | Trucks: 6",
            ),
        ] {
            assert_eq!(read(brief, "en"), (said.to_owned(), 1), "{brief}");
        }
    }

    #[test]
    fn the_right_figure_looks_like_the_wrong_one() {
        let brief = Brief::read(
            "# Pilot\n\nWe send **5 trucks** today.\n\nSorry, it is 6 trucks, not 5.",
            "en",
        );
        let blocks = brief.chapters.iter().flat_map(|chapter| &chapter.blocks);
        let bold: Vec<String> = blocks
            .filter_map(|block| match block {
                Block::Paragraph(paragraph) => Some(&paragraph.runs),
                _ => None,
            })
            .flatten()
            .filter(|run| run.bold)
            .map(|run| run.text.clone())
            .collect();
        assert_eq!(bold.concat(), "6 trucks");
    }

    #[test]
    fn only_so_many_sentences_are_searched_for() {
        // Figures that stand nowhere else, so nothing is corrected by them.
        let vain: Vec<String> = (0..MOST_DENIALS)
            .map(|n| format!("Sorry, it has {} doors, not {}.\n\n", 100 + n, 200 + n))
            .collect();
        for (before, corrections) in [(MOST_DENIALS - 1, 1), (MOST_DENIALS, 0)] {
            let before = vain[..before].concat();
            let last = "Sorry, the pilot has 6 trucks, not 5.";
            let brief = format!("# Pilot\n\nThe pilot has 5 trucks.\n\n{before}{last}");
            assert_eq!(read(&brief, "en").1, corrections);
        }
    }

    #[test]
    fn where_nobody_can_tell_which_figure_is_meant_the_sentence_stays() {
        for brief in [
            "# Pilot\n\nHull has 5 trucks.\n\nLeeds has 5 trucks.\n\nSorry, it is 6 trucks, not 5.",
            "# Pilot\n\nIt takes 9 weeks.\n\nSorry, it is 6 trucks, not 5.",
            "# Pilot\n\nThe pilot takes 5 weeks.\n\nSorry, the pilot has 6 trucks, not 5.",
            "# Pilot\n\nThe pilot starts on 5 May.\n\nSorry, the pilot has 6 trucks, not 5.",
            "# Pilot, phase 5\n\nIt is cold.\n\nSorry, the pilot has 6 trucks, not 5.",
            "# Pilot\n\nThe margin holds in 5 regions.\n\nSorry, the margin is 6%, not 5%.",
            "# Pilot\n\nThe pilot has 1.5 trucks.\n\nSorry, the pilot has 16 trucks, not 15.",
            "# Pilot\n\nThe shift has 930 calls.\n\nSorry, the shift has 9:45 calls, not 9:30.",
            "# Pilot\n\nOthers work 5 days.\n\nWe work 6 days a week, not 5.",
        ] {
            let (text, corrected) = read(brief, "en");
            assert_eq!(corrected, 0, "{brief}");
            assert!(text.contains(", not "), "{text}");
        }
    }
}
