//! Figures that a brief corrects by others: `14 sensors, sorry 12`, `14 sensors. Correction: 12.` The reader gets the right one.
//!
//! Danger: printed together they contradict each other, and the wrong one put right prints what nobody said. So one takes the
//! place of another only where it is clear which: it stands alone in its sentence, directly before the words that correct it,
//! or both have the same unit. Elsewhere both stay, and the doubt is told.

use std::ops::Range;

use gtm_document_model::block::{Block, Item};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::{CORRECTION_NOUNS, CORRECTIONS, HESITATIONS, NEGATIONS, RETRACTIONS};
use gtm_lexicon::foundations::AND;
use gtm_lexicon::{Phrases, fold, split};

use super::soft_breaks::SOFT_BREAK_CHAR;
use super::{Part, one_line};
use crate::runs::{part_of, trimmed};

/// Most phrases in a row that correct or hesitate: `no, sorry, I mean 12`.
const MOST_PHRASES: usize = 4;
/// How many words and figures before a correction the corrected figure stands at most.
const REACH: usize = 8;
/// Longest text whose figure a paragraph or an item below it corrects, in bytes.
const MOST_BEFORE: usize = 2_000;
/// Most corrections of one text.
const MOST: usize = 8;

/// Parts with the right figures, and what was told of it.
#[derive(Debug, Default)]
pub struct Corrected {
    pub parts: Vec<Part>,
    /// The corrections with what they correct, as the brief has them.
    pub corrected: Vec<String>,
    /// Those of which nobody can tell what they correct. They stay.
    pub doubtful: Vec<String>,
}

/// Puts the right figures in the place of those that the parts correct.
pub fn made(parts: Vec<Part>) -> Corrected {
    let mut made = Corrected::default();
    for part in parts {
        let part = match part {
            Part::Heading { level, runs } => Part::Heading {
                level,
                runs: made.text(runs),
            },
            Part::Block(block) => Part::Block(made.block(block)),
        };
        made.push(part);
    }
    made
}

impl Corrected {
    /// Takes a part on; a paragraph that only corrects the one before it is no part of its own.
    fn push(&mut self, part: Part) {
        if let (Some(Part::Block(Block::Paragraph(before))), Part::Block(Block::Paragraph(own))) =
            (self.parts.last_mut(), &part)
            && let Some((runs, told)) = corrected_by_the_next(&before.runs, &own.runs)
        {
            before.runs = runs;
            self.corrected.push(told);
            return;
        }
        self.parts.push(part);
    }

    fn block(&mut self, block: Block) -> Block {
        match block {
            Block::Paragraph(mut paragraph) => {
                paragraph.runs = self.text(paragraph.runs);
                Block::Paragraph(paragraph)
            }
            Block::Bullets(mut list) => {
                list.items = self.items(list.items);
                Block::Bullets(list)
            }
            Block::Table(mut table) => {
                for cell in table.rows.iter_mut().flatten() {
                    *cell = self.text(std::mem::take(cell));
                }
                Block::Table(table)
            }
            other => other,
        }
    }

    fn items(&mut self, items: Vec<Item>) -> Vec<Item> {
        let mut kept: Vec<Item> = Vec::with_capacity(items.len());
        for mut item in items {
            item.runs = self.text(item.runs);
            item.items = self.items(item.items);
            if item.items.is_empty()
                && let Some(before) = kept.last_mut()
                && let Some((runs, told)) = corrected_by_the_next(&before.runs, &item.runs)
            {
                before.runs = runs;
                self.corrected.push(told);
                continue;
            }
            kept.push(item);
        }
        kept
    }

    fn text(&mut self, mut runs: Vec<Run>) -> Vec<Run> {
        for _ in 0..MOST {
            let text = plain_text(&runs);
            match found_in(&text) {
                Some(Found::Clear(correction)) => {
                    self.corrected.push(correction.told(&text));
                    runs = correction.applied(&runs, text.len());
                }
                Some(Found::Doubtful(place)) => {
                    self.doubtful
                        .extend(text.get(place).map(one_line).filter(|it| !it.is_empty()));
                    break;
                }
                None => break,
            }
        }
        runs
    }
}

/// Whether a text only corrects a figure, and says nothing behind the right one but a unit: `sorry, 12`, `sorry, 12 sensors`.
/// `Sorry, 5 min late` is of somebody.
pub fn opens(text: &str) -> bool {
    let pieces = pieces_of(text);
    let Some(end) = chain_at(text, &pieces, 0).map(|chain| chain.end) else {
        return false;
    };
    match pieces.get(end..).unwrap_or_default() {
        [right] => right.is_number,
        [right, unit] => {
            let figure = text.get(right.place.clone()).unwrap_or_default();
            right.is_number && !unit.is_number && figure.ends_with(|c: char| c.is_ascii_digit())
        }
        _ => false,
    }
}

/// The text before a text that only corrects its figure, with the right one, and both as they were.
fn corrected_by_the_next(before: &[Run], next: &[Run]) -> Option<(Vec<Run>, String)> {
    let own = plain_text(next);
    let pieces = pieces_of(&own);
    let chain = chain_at(&own, &pieces, 0)?;
    // `Korrektur: 90 €` below `Übersetzung: 400 €` is another price.
    if chain.takes_back
        || chain.may_name_work
        || plain_text(before).len() > MOST_BEFORE
        || !pieces.get(chain.end).is_some_and(|piece| piece.is_number)
    {
        return None;
    }
    let mut runs = before.to_vec();
    runs.push(Run::plain("\n"));
    runs.extend(next.iter().cloned());
    let text = plain_text(&runs);
    match found_in(&text) {
        Some(Found::Clear(correction)) if correction.gone.end + 1 >= text.trim_end().len() => {
            let told = correction.told(&text);
            Some((correction.applied(&runs, text.len()), told))
        }
        _ => None,
    }
}

/// A word or a figure of a text.
#[derive(Debug, Clone)]
struct Piece {
    place: Range<usize>,
    is_number: bool,
}

/// What corrects something in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Found {
    Clear(Correction),
    Doubtful(Range<usize>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Correction {
    wrong: Range<usize>,
    right: Range<usize>,
    /// The words that correct it, the right figure included.
    gone: Range<usize>,
}

impl Correction {
    fn told(&self, text: &str) -> String {
        let whole = self.wrong.start.min(self.gone.start)..self.gone.end.max(self.wrong.end);
        one_line(text.get(whole).unwrap_or_default())
    }

    fn applied(&self, runs: &[Run], length: usize) -> Vec<Run> {
        let places = [
            0..self.wrong.start,
            self.right.clone(),
            self.wrong.end..self.gone.start,
            self.gone.end..length,
        ];
        let kept = places.iter().filter(|place| place.start < place.end);
        trimmed(
            kept.flat_map(|place| part_of(runs, std::slice::from_ref(place)))
                .collect(),
        )
    }
}

/// Whether a sign between two digits belongs to one figure: `9:30`, `14/5`, `10–12`, `1 200`.
const fn joins_digits(c: char) -> bool {
    matches!(
        c,
        '.' | ',' | '\'' | '’' | ':' | '/' | '-' | '–' | ' ' | '\u{a0}' | '\u{202f}'
    )
}

/// The words and figures of a text. Letters directly behind digits belong to the figure: `12k`, `14%`.
fn pieces_of(text: &str) -> Vec<Piece> {
    let mut found: Vec<Piece> = Vec::new();
    let mut letters = text.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        if !c.is_alphanumeric() {
            continue;
        }
        let is_number = c.is_ascii_digit();
        let mut end = at + c.len_utf8();
        let mut last = c;
        while let Some((next, c)) = letters.peek().copied() {
            let behind = text.get(next + c.len_utf8()..).unwrap_or_default();
            let goes_on = match is_number {
                true => {
                    c.is_ascii_alphanumeric()
                        || c == '%'
                        || joins_digits(c)
                            && last.is_ascii_digit()
                            && behind.starts_with(|c: char| c.is_ascii_digit())
                }
                false => c.is_alphabetic(),
            };
            if !goes_on {
                break;
            }
            end = next + c.len_utf8();
            last = c;
            letters.next();
        }
        found.push(Piece {
            place: at..end,
            is_number,
        });
    }
    found
}

/// Phrases in a row that correct something.
struct Chain {
    /// The piece behind them.
    end: usize,
    /// Whether the first of them takes something back as a whole.
    takes_back: bool,
    /// Whether one of them also names work: `Rettifica: 5 ore` is grinding.
    may_name_work: bool,
}

/// The phrases that correct something and begin at a piece.
fn chain_at(text: &str, pieces: &[Piece], begin: usize) -> Option<Chain> {
    let rest = pieces.get(begin..)?;
    let words: Vec<String> = rest
        .iter()
        .take_while(|piece| !piece.is_number)
        .take(3 * MOST_PHRASES)
        .map(|piece| fold(text.get(piece.place.clone()).unwrap_or_default()))
        .collect();
    let words: Vec<&str> = words.iter().flat_map(|word| split(word)).collect();
    let longest = |phrases: &Phrases, at: usize| {
        let rest = words.get(at..).unwrap_or_default();
        phrases.at_start(rest).map(<[_]>::len).max()
    };
    let takes_back = longest(&RETRACTIONS, 0).is_some();
    let mut may_name_work = false;
    let mut at = 0;
    let mut corrects = false;
    for _ in 0..MOST_PHRASES {
        let correcting = longest(&CORRECTIONS, at).or_else(|| longest(&RETRACTIONS, at));
        corrects |= correcting.is_some();
        may_name_work |= longest(&CORRECTION_NOUNS, at).is_some();
        match correcting.or_else(|| longest(&HESITATIONS, at)) {
            Some(length) => at += length,
            None => break,
        }
    }
    (corrects && at > 0).then_some(Chain {
        end: begin + at,
        takes_back,
        may_name_work,
    })
}

/// The first correction in a text.
fn found_in(text: &str) -> Option<Found> {
    let pieces = pieces_of(text);
    (0..pieces.len()).find_map(|at| correction_at(text, &pieces, at))
}

fn correction_at(text: &str, pieces: &[Piece], at: usize) -> Option<Found> {
    let marker = pieces.get(at).filter(|piece| !piece.is_number)?;
    let chain = chain_at(text, pieces, at)?;
    let right = pieces.get(chain.end).filter(|piece| piece.is_number)?;
    let (wrong_at, wrong) = (0..at)
        .rev()
        .take(REACH)
        .find_map(|at| pieces.get(at).filter(|it| it.is_number).map(|it| (at, it)))?;
    let gap = text.get(wrong.place.end..marker.place.start)?;
    // A sign stands before the words, or the figure itself: `They make it 12 % cheaper` corrects nothing, nor does `We make it 3`.
    let unit = gap.trim_matches(|c: char| c.is_whitespace() || parts(c));
    let bare_gap = gap.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    let behind_unit = bare_gap.strip_prefix(unit)?;
    let parted = behind_unit.contains(parts) || wrong_at + 1 == at;
    if !parted || unit.contains(parts) {
        return None;
    }
    let unit_end = match unit.is_empty() {
        true => wrong.place.end,
        false => wrong.place.end + gap.find(unit)? + unit.len(),
    };
    // `14 not 12`
    let denied = denied_behind(text, pieces, chain.end);
    let last = denied.as_ref().map_or(right, |(_, piece)| piece);
    let whole = wrong.place.start..last.place.end;
    let doubt = || {
        let told = !chain.takes_back;
        told.then_some(Found::Doubtful(whole.clone()))
    };
    let sign = |place: &Range<usize>| {
        let before = text.get(..place.start).unwrap_or_default();
        let mut before = before.chars().rev();
        let sign = before.next()?;
        // `-18 °C`
        let is_minus =
            matches!(sign, '-' | '–' | '−') && before.next().is_none_or(char::is_whitespace);
        let is_other = !sign.is_alphanumeric() && !sign.is_whitespace() && !parts(sign);
        (is_minus || is_other).then_some(if is_minus { '-' } else { sign })
    };
    let behind = text.get(last.place.end..)?;
    let bare = behind.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    let repeats = !unit.is_empty() && starts_with_words(bare, unit);
    // `€400. Make it 3, and the third is free`: a sentence of its own corrects only with nothing behind its figure.
    let crosses = ends_a_sentence(gap) || gap.trim_end().ends_with('.');
    let ends = bare.chars().next().is_none_or(|c| match crosses {
        true => matches!(c, '.' | '!' | '?' | '。' | '\n' | SOFT_BREAK_CHAR),
        false => parts(c) || matches!(c, ')' | ']'),
    });
    let digits_of = |piece: &Piece| text.get(piece.place.clone()).unwrap_or_default();
    let (_, wrong_suffix) = parted_figure(digits_of(wrong));
    let (_, right_suffix) = parted_figure(digits_of(right));
    let same_suffix = right_suffix.is_empty() || right_suffix == wrong_suffix;
    // `9:30, sorry, 10` and `900, sorry 1 200` may be of two kinds.
    let same_shape = shape_of(digits_of(wrong)) == shape_of(digits_of(right));
    let alone = is_alone(text, pieces, wrong_at);
    let same_unit = repeats || ends || unit.is_empty() && !crosses;
    // `Satz 14 Tage, Korrektur 5`; only a sentence of its own corrects by such a word: `Correction: 12.`
    let says_more = !right_suffix.is_empty() || sign(&right.place).is_some() || !ends;
    let is_apart = gap.trim_end().ends_with(['.', '!', '?', '。']);
    let names_work = chain.may_name_work && (says_more || !is_apart);
    let which = alone || repeats;
    let denies_another = denied.as_ref().is_some_and(|(_, piece)| {
        parted_figure(digits_of(piece)).0 != parted_figure(digits_of(wrong)).0
    });
    let same_sign = sign(&right.place) == sign(&wrong.place) || sign(&right.place).is_none();
    // `Not 14, but rather 12`
    let negated = wrong_at
        .checked_sub(1)
        .and_then(|at| pieces.get(at))
        .is_some_and(|piece| NEGATIONS.has_word(&fold(digits_of(piece))));
    let same_kind = same_unit && same_suffix && same_sign && same_shape && !names_work;
    if !(which && same_kind) || denies_another || negated {
        return doubt();
    }
    // The suffix and the sign that the right figure does not repeat stay.
    let mut wrong_place = wrong.place.clone();
    if right_suffix.is_empty() {
        wrong_place.end -= wrong_suffix.len();
    }
    let mut gone_end = last.place.end;
    if repeats {
        gone_end += behind.len() - bare.len() + unit.len();
    }
    let opened = text.get(unit_end..marker.place.start)?.contains(['(', '[']);
    if opened && text.get(gone_end..)?.starts_with([')', ']']) {
        gone_end += 1;
    }
    let gone_start = match unit.is_empty() {
        true => wrong.place.end,
        false => unit_end,
    };
    Some(Found::Clear(Correction {
        wrong: wrong_place,
        right: right.place.clone(),
        gone: gone_start..gone_end,
    }))
}

/// Whether no other figure stands before this one in its sentence.
fn is_alone(text: &str, pieces: &[Piece], at: usize) -> bool {
    let before = pieces.get(..=at).unwrap_or_default();
    for pair in before.windows(2).rev() {
        let [one, next] = pair else { break };
        let between = text.get(one.place.end..next.place.start);
        if ends_a_sentence(between.unwrap_or_default()) {
            return true;
        }
        if one.is_number {
            return false;
        }
    }
    true
}

/// The signs within a figure that tell what it is, but for those of thousands and decimals.
fn shape_of(figure: &str) -> String {
    let signs = figure.chars().filter(|c| joins_digits(*c));
    signs
        .filter(|c| !matches!(c, '.' | ',' | '\'' | '’'))
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .collect()
}

/// The figure that a negation behind another one denies.
fn denied_behind<'p>(text: &str, pieces: &'p [Piece], right: usize) -> Option<(usize, &'p Piece)> {
    let word = |at: usize| {
        let piece = pieces.get(at).filter(|piece| !piece.is_number)?;
        Some(fold(text.get(piece.place.clone())?))
    };
    let and = word(right + 1).is_some_and(|word| AND.contains(word.as_str()));
    let at = right + 1 + usize::from(and);
    let denied = pieces.get(at + 1).filter(|piece| piece.is_number)?;
    word(at)
        .is_some_and(|word| NEGATIONS.has_word(&word))
        .then_some((at + 1, denied))
}

/// The digits of a figure, and the letters behind them.
fn parted_figure(figure: &str) -> (&str, &str) {
    let end = figure
        .rfind(|c: char| c.is_ascii_digit())
        .map_or(0, |at| at + 1);
    figure.split_at(end)
}

fn starts_with_words(text: &str, words: &str) -> bool {
    text.get(..words.len()).is_some_and(|begin| {
        let behind = text.get(words.len()..).unwrap_or_default();
        fold(begin) == fold(words) && !behind.starts_with(char::is_alphabetic)
    })
}

fn ends_a_sentence(text: &str) -> bool {
    text.contains(['!', '?', '\n', SOFT_BREAK_CHAR, '。']) || text.contains(". ")
}

const fn parts(c: char) -> bool {
    matches!(
        c,
        ',' | ';'
            | ':'
            | '.'
            | '!'
            | '?'
            | '…'
            | '–'
            | '—'
            | '-'
            | '('
            | '['
            | '\n'
            | SOFT_BREAK_CHAR
            | '、'
            | '。'
            | '，'
            | '（'
    )
}

#[cfg(test)]
mod tests {
    use super::super::Brief;

    fn read(text: &str) -> (String, usize, usize) {
        let brief = Brief::read(&format!("# A\n\n## B\n\n{text}\n"), "en");
        let said = brief.text();
        let said = said.lines().skip(2).filter(|line| !line.is_empty());
        let said: Vec<&str> = said.collect();
        (
            said.join(" | "),
            brief.corrected.len(),
            brief.doubtful.len(),
        )
    }

    #[test]
    fn the_right_figure_takes_the_place_of_the_corrected_one() {
        for (text, said) in [
            (
                "We fit 14 sensors, sorry 12, in May.",
                "We fit 12 sensors, in May.",
            ),
            (
                "We fit 14 … sorry 12 sensors in May.",
                "We fit 12 sensors in May.",
            ),
            ("We fit 12 sensors – sorry 14 not 12.", "We fit 14 sensors."),
            (
                "We fit 14 sensors (sorry, 12) in May.",
                "We fit 12 sensors in May.",
            ),
            ("We fit 14 sensors. Correction: 12.", "We fit 12 sensors."),
            (
                "We fit 14 sensors, scratch that, 12 sensors.",
                "We fit 12 sensors.",
            ),
            ("It costs €14, sorry €12, each.", "It costs €12, each."),
            (
                "It costs 10k a year. Scrap that, make it 12k.",
                "It costs 12k a year.",
            ),
            (
                "Wir setzen 14 Sensoren ein, Entschuldigung, 12.",
                "Wir setzen 12 Sensoren ein.",
            ),
            (
                "Nous posons 14 capteurs, pardon, 12 capteurs.",
                "Nous posons 12 capteurs.",
            ),
            (
                "Posiamo 14 sensori, anzi 12, a maggio.",
                "Posiamo 12 sensori, a maggio.",
            ),
            ("Ponemos 14 sensores. Perdón, 12.", "Ponemos 12 sensores."),
            ("- We fit 14 sensors\n- Sorry, 12", "We fit 12 sensors"),
            ("We start at 9:30, sorry, 10:00.", "We start at 10:00."),
            (
                "Wir beginnen am 14/5, sorry, 12/5.",
                "Wir beginnen am 12/5.",
            ),
            ("It takes 10–12, sorry 14–16 days.", "It takes 14–16 days."),
            (
                "Nous posons 1 200, pardon 1 400 capteurs.",
                "Nous posons 1 400 capteurs.",
            ),
            (
                "Call 0113 496 0000, sorry 0113 496 0001.",
                "Call 0113 496 0001.",
            ),
            ("We fit 14 sensors.\n\nSorry, 12.", "We fit 12 sensors."),
        ] {
            assert_eq!(read(text), (said.to_owned(), 1, 0), "{text}");
        }
    }

    #[test]
    fn where_it_is_not_clear_both_stay_and_the_doubt_is_told() {
        for text in [
            "We fit 14 sensors at 90 euros, sorry 12.",
            "It takes 14 days, sorry 12 weeks in all.",
            "We fit 14 sensors, sorry 12 not 13.",
            "Two sites cost €400. Make it 3, and the third is free.",
            "Two sites cost 400 euros. Make it 3 sites for less.",
            "We start at 9:30, sorry, 10.",
            "Proofreading takes 14 days, correction 5 days.",
            "Satz 14 Tage, Korrektur 5, Druck 3.",
            "We fit 12 sensors at €90, sorry 14 sensors at €90.",
            "We start on 3 May 2026, sorry 5 May 2026.",
            "We grew by 12 % in 2024, sorry 14 %.",
            "We store at 20 °C, sorry -18 °C.",
        ] {
            assert_eq!(read(text), (text.to_owned(), 0, 1), "{text}");
        }
    }

    #[test]
    fn work_that_is_called_a_correction_stays() {
        for text in [
            "- Tornitura: 14 ore\n- Rettifica: 5 ore",
            "- Übersetzung: 14 Tage\n- Korrektur: 5 Tage",
            "- Traduction : 14 jours\n- Correction : 5 jours",
            "- Übersetzung: 400 €\n- Korrektur: 90 €",
            "- Copywriting: £400\n- Correction: £90",
            "- Layout 90 %\n- Korrektur 40 %",
            "- Layout 14\n- Korrektur 5",
        ] {
            let said = text.replace("- ", "").replace('\n', " | ");
            assert_eq!(read(text).0, said, "{text}");
        }
    }

    #[test]
    fn a_text_of_nothing_but_corrections_is_read_in_time() {
        let text = "1 a. nvm 2 b. ".repeat(3_500);
        let (said, ..) = read(&text);
        assert!(said.len() > 1_000);
    }

    #[test]
    fn what_corrects_no_figure_stays() {
        for text in [
            "We fit 14 sensors. Sorry for the 12 days of delay.",
            "We fit 14 sensors that make it 12 percent cheaper.",
            "Sorry, 12 rooms are closed.",
            "Others need 14 days. We make it 3.",
            "Other firms take 14 days, we make it 5.",
            "In 2024, that meant 300, in 2025 it was 480.",
            "14 rooms, 12 of them new.",
            "Rooms 14, 12 and 9.",
        ] {
            assert_eq!(read(text), (text.to_owned(), 0, 0), "{text}");
        }
    }
}
