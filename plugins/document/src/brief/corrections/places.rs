//! Where a text corrects a figure, and which one.

use std::ops::Range;

use gtm_document_model::text::Run;
use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{NEGATIONS, PER, RECIPIENTS, SUBJECTS, TIME_UNITS};
use gtm_lexicon::foundations::AND;
use gtm_lexicon::places::BEFORE;
use gtm_lexicon::trade::{ARTICLES, BEYOND};
use gtm_lexicon::{fold, is_month, split};

use super::super::soft_breaks::SOFT_BREAK_CHAR;
use super::super::{one_line, wishes};
use super::chains::Chain;
use super::pieces::{
    Piece, ends_a_sentence, parted_figure, parts, pieces_of, shape_of, starts_with_words,
};
use crate::runs::{part_of, trimmed};

/// How many words and figures before a correction the corrected figure stands at most.
const REACH: usize = 8;
/// Most words of a sentence's end that no comma parts from what stands before a correction: `14 sensors, sorry 12, in May.`
const END_WORDS: usize = 3;
/// Fewest letters of an article that may open a clause.
const ARTICLE_LETTERS: usize = 3;
/// Blanks before a unit.
const BLANKS: [char; 3] = [' ', '\u{a0}', '\u{202f}'];

/// What corrects something in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    Clear(Correction),
    Doubtful(Range<usize>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    wrong: Range<usize>,
    right: Range<usize>,
    /// The words that correct it, the right figure included.
    pub gone: Range<usize>,
}

impl Correction {
    pub fn told(&self, text: &str) -> String {
        let whole = self.wrong.start.min(self.gone.start)..self.gone.end.max(self.wrong.end);
        let told = one_line(text.get(whole).unwrap_or_default());
        told.trim_end_matches(',').to_owned()
    }

    pub fn applied(&self, runs: &[Run], length: usize) -> Vec<Run> {
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

/// The first correction in a text.
pub fn found_in(text: &str) -> Option<Found> {
    let pieces = pieces_of(text);
    (0..pieces.len()).find_map(|at| correction_at(text, &pieces, at))
}

fn correction_at(text: &str, pieces: &[Piece], at: usize) -> Option<Found> {
    pieces.get(at).filter(|piece| !piece.is_number)?;
    let chain = Chain::at(text, pieces, at)?;
    let Some(figures) = Figures::around(text, pieces, at, &chain) else {
        return doubt_of_words(text, pieces, at, &chain).map(Found::Doubtful);
    };
    if !figures.is_parted {
        return None;
    }
    if Conditions::of(&figures, &chain)?.are_clear() {
        return figures.correction().map(Found::Clear);
    }
    (!chain.takes_back).then(|| Found::Doubtful(figures.whole()))
}

/// A figure, and the one that stands behind the words that correct it.
struct Figures<'t> {
    text: &'t str,
    pieces: &'t [Piece],
    wrong_at: usize,
    wrong: &'t Piece,
    right: &'t Piece,
    /// Where the words begin that correct it.
    marker: usize,
    /// What stands between the figure and these words.
    gap: &'t str,
    /// The unit behind the figure.
    unit: &'t str,
    /// Whether a sign or nothing parts the words from the figure. `They make it 12 % cheaper` corrects nothing.
    is_parted: bool,
    /// The figure that a negation behind the right one denies: `14 not 12`.
    denied: Option<&'t Piece>,
}

impl<'t> Figures<'t> {
    fn around(text: &'t str, pieces: &'t [Piece], at: usize, chain: &Chain) -> Option<Self> {
        let (wrong_at, wrong) = (0..at)
            .rev()
            .take(REACH)
            .find_map(|at| pieces.get(at).filter(|it| it.is_number).map(|it| (at, it)))?;
        let repeated = unit_before(text, pieces, wrong_at)
            .is_some_and(|unit| Some(unit) == unit_before(text, pieces, chain.end + 1));
        let right_at = chain.end + usize::from(repeated);
        let right = pieces.get(right_at).filter(|piece| piece.is_number)?;
        let marker = pieces.get(at)?.place.start;
        let gap = text.get(wrong.place.end..marker)?;
        // A sign stands before the words, or the figure itself: `We make it 3` corrects nothing either.
        let unit = gap.trim_matches(|c: char| c.is_whitespace() || parts(c));
        let behind_unit = gap.trim_start_matches(BLANKS).strip_prefix(unit);
        let is_parted = behind_unit.is_some_and(|behind| {
            (behind.contains(parts) || wrong_at + 1 == at) && !unit.contains(parts)
        });
        Some(Self {
            text,
            pieces,
            wrong_at,
            wrong,
            right,
            marker,
            gap,
            unit,
            is_parted,
            denied: denied_behind(text, pieces, right_at),
        })
    }

    /// The last figure of them all.
    fn last(&self) -> &Piece {
        self.denied.unwrap_or(self.right)
    }

    fn whole(&self) -> Range<usize> {
        self.wrong.place.start..self.last().place.end
    }

    /// What stands behind the last figure.
    fn behind(&self) -> &'t str {
        self.text.get(self.last().place.end..).unwrap_or_default()
    }

    /// Whether the unit behind the figure stands behind the right one, too.
    fn repeats_behind(&self) -> bool {
        let bare = self.behind().trim_start_matches(BLANKS);
        !self.unit.is_empty() && starts_with_words(bare, self.unit)
    }

    /// The sign before a figure: `€`, or a minus.
    fn sign(&self, piece: &Piece) -> Option<char> {
        let before = self.text.get(..piece.place.start).unwrap_or_default();
        let mut before = before.chars().rev();
        let sign = before.next()?;
        // `-18 °C`
        let is_minus =
            matches!(sign, '-' | '–' | '−') && before.next().is_none_or(char::is_whitespace);
        let is_other = !sign.is_alphanumeric() && !sign.is_whitespace() && !parts(sign);
        (is_minus || is_other).then_some(if is_minus { '-' } else { sign })
    }

    /// The right figure in the place of the wrong one.
    fn correction(&self) -> Option<Correction> {
        let (_, wrong_suffix) = parted_figure(self.wrong.of(self.text));
        let (_, right_suffix) = parted_figure(self.right.of(self.text));
        // The suffix and the sign that the right figure does not repeat stay.
        let mut wrong_place = self.wrong.place.clone();
        if right_suffix.is_empty() {
            wrong_place.end -= wrong_suffix.len();
        }
        let mut end = self.last().place.end;
        if self.repeats_behind() {
            let behind = self.behind();
            let blanks = behind.len() - behind.trim_start_matches(BLANKS).len();
            end += blanks + self.unit.len();
        }
        let begin = match self.unit.is_empty() {
            true => self.wrong.place.end,
            false => self.wrong.place.end + self.gap.find(self.unit)? + self.unit.len(),
        };
        let opening = self.text.get(begin..self.marker)?;
        let behind = self.text.get(end..)?;
        let is_bracketed = opening.contains(['(', '[']) && behind.starts_with([')', ']']);
        let leaves_comma = opening.trim_end().ends_with(',') && needs_no_comma(behind);
        if is_bracketed || leaves_comma {
            end += 1;
        }
        Some(Correction {
            wrong: wrong_place,
            right: self.right.place.clone(),
            gone: begin..end,
        })
    }
}

/// What makes it clear that one figure takes the place of the other.
#[derive(Debug)]
struct Conditions {
    /// Nothing else in its sentence can be meant.
    is_the_one: bool,
    /// Both are of the same unit, or the right one has none of its own.
    has_same_unit: bool,
    has_same_suffix: bool,
    has_same_sign: bool,
    /// `9:30, sorry, 10` and `900, sorry 1 200` may be of two kinds.
    has_same_shape: bool,
    /// `Satz 14 Tage, Korrektur 5`
    names_work: bool,
    denies_another: bool,
    /// `Not 14, but rather 12`
    is_negated: bool,
}

impl Conditions {
    fn of(figures: &Figures<'_>, chain: &Chain) -> Option<Self> {
        let Figures {
            text,
            pieces,
            wrong_at,
            wrong,
            right,
            gap,
            unit,
            denied,
            ..
        } = *figures;
        let repeats = figures.repeats_behind();
        // `€400. Make it 3, and the third is free`: a sentence of its own corrects only with nothing behind its figure.
        let crosses = ends_a_sentence(gap) || gap.trim_end().ends_with('.');
        let bare = figures.behind().trim_start_matches(BLANKS);
        let ends = ends_there(bare, crosses);
        let behind_unit = bare.get(unit.len()..).unwrap_or_default();
        let (wrong_digits, wrong_suffix) = parted_figure(wrong.of(text));
        let (_, right_suffix) = parted_figure(right.of(text));
        let right_sign = figures.sign(right);
        // Only a sentence of its own corrects by a word that names work, too: `Correction: 12.`
        let says_more = !right_suffix.is_empty() || right_sign.is_some() || !ends;
        let is_apart = gap.trim_end().ends_with(['.', '!', '?', '。']);
        let before = wrong_at.checked_sub(1).and_then(|at| pieces.get(at));
        Some(Self {
            is_the_one: repeats || is_alone(text, pieces, wrong_at),
            has_same_unit: match crosses {
                true => {
                    let is_rate = unit.is_empty() && is_per_time(bare);
                    ends || is_rate || repeats && ends_there(behind_unit, true)
                }
                false => repeats || ends || unit.is_empty(),
            },
            has_same_suffix: right_suffix.is_empty() || right_suffix == wrong_suffix,
            has_same_sign: right_sign.is_none() || right_sign == figures.sign(wrong),
            has_same_shape: shape_of(wrong.of(text)) == shape_of(right.of(text)),
            names_work: chain.may_name_work && (says_more || !is_apart),
            denies_another: denied
                .is_some_and(|piece| parted_figure(piece.of(text)).0 != wrong_digits),
            is_negated: before.is_some_and(|piece| NEGATIONS.has_word(&fold(piece.of(text)))),
        })
    }

    const fn are_clear(&self) -> bool {
        self.is_the_one
            && self.has_same_unit
            && self.has_same_suffix
            && self.has_same_sign
            && self.has_same_shape
            && !self.names_work
            && !self.denies_another
            && !self.is_negated
    }
}

/// Whether what stands behind a figure says nothing more of it.
fn ends_there(behind: &str, is_a_sentence: bool) -> bool {
    behind.chars().next().is_none_or(|c| match is_a_sentence {
        true => ends_it(c),
        false => parts(c) || matches!(c, ')' | ']'),
    })
}

/// Whether a sign directly behind a figure ends its sentence.
const fn ends_it(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '。' | '\n' | SOFT_BREAK_CHAR)
}

/// Whether a sentence ends with the time behind a figure, which tells no other thing than the figure before: `12 a month.`
fn is_per_time(behind: &str) -> bool {
    let said = behind.split(ends_it).next().unwrap_or_default();
    let folded = fold(said);
    let words = split(&folded);
    let per = PER.at_start(&words).map(<[_]>::len).max();
    let unit = per.and_then(|length| words.get(length..));
    unit.is_some_and(|unit| unit.is_empty() || TIME_UNITS.are(unit))
}

/// The word directly before a figure, which may be its unit: `EUR 14`, `Room 14`.
fn unit_before(text: &str, pieces: &[Piece], at: usize) -> Option<String> {
    let figure = pieces.get(at).filter(|piece| piece.is_number)?;
    let unit = pieces.get(at.checked_sub(1)?)?;
    let between = text.get(unit.place.end..figure.place.start)?;
    let is_near = !unit.is_number && between.chars().all(|c| BLANKS.contains(&c));
    is_near.then(|| fold(unit.of(text)))
}

/// Where words correct a figure by one in letters, or by one with a unit before it that another figure has: nobody can tell
/// whether it takes its place. `Sorry, two of us are ill` corrects none.
fn doubt_of_words(text: &str, pieces: &[Piece], at: usize, chain: &Chain) -> Option<Range<usize>> {
    let before = || (at.saturating_sub(REACH)..at).rev();
    let figure = |piece: &Piece| {
        piece.is_number || wishes::number_of(&fold(piece.of(text))).is_some_and(|it| it > 1)
    };
    let wrong = before()
        .find(|at| pieces.get(*at).is_some_and(figure))
        .filter(|_| !chain.takes_back)?;
    let right = pieces.get(chain.end)?;
    let behind = text.get(right.place.end..)?.trim_start_matches(BLANKS);
    let spelled = !right.is_number && figure(right);
    let unit = pieces.get(wrong + 1).filter(|_| wrong + 1 < at);
    let repeats = unit.is_some_and(|unit| starts_with_words(behind, unit.of(text)));
    let with_unit = unit_before(text, pieces, chain.end + 1).is_some_and(|unit| {
        before().any(|at| unit_before(text, pieces, at).as_ref() == Some(&unit))
    });
    let end = match with_unit {
        true => pieces.get(chain.end + 1)?.place.end,
        false => right.place.end,
    };
    let is_one = spelled && (repeats || ends_there(behind, false));
    (is_one || with_unit).then(|| pieces.get(wrong).map(|wrong| wrong.place.start..end))?
}

/// Whether a comma behind a correction only closed it: the sentence ends with a few words that belong to what stands before,
/// as a preposition or a unit tells.
/// German parts a clause by one: `12 Sensoren, die wir liefern`.
fn needs_no_comma(behind: &str) -> bool {
    let Some(said) = behind.strip_prefix(", ") else {
        return false;
    };
    let end = said.find(['.', '!', '?', '\n', SOFT_BREAK_CHAR, ',', ';', ':', '–']);
    let (said, rest) = said.split_at(end.unwrap_or(said.len()));
    let folded = fold(said);
    let words = split(&folded);
    let is_article = |word: &str| {
        // `a` is Italian for `in`, too.
        word.chars().count() >= ARTICLE_LETTERS
            && ARTICLES.iter().any(|(_, articles)| articles.contains(word))
    };
    let opens_a_clause = words
        .first()
        .is_some_and(|first| WE.has_word(first) || is_article(first));
    // `12 sensors, 3 hubs`, `12 Sensoren, Kabel`, `12 sensors, cables and hubs`
    let is_list = !said.starts_with(char::is_lowercase) || words.iter().any(|it| AND.contains(it));
    // `12 sensors, gateways` is a list as well.
    let goes_on = match words.as_slice() {
        [first, rest @ ..]
            if ARTICLES
                .iter()
                .any(|(_, articles)| articles.contains(first)) =>
        {
            TIME_UNITS.open(rest) || (rest.first()).is_some_and(|next| is_month(next))
        }
        [first, ..] => {
            PER.open(&words)
                || TIME_UNITS.open(&words)
                || BEFORE.contains(first)
                || [&BEYOND, &RECIPIENTS, &SUBJECTS]
                    .iter()
                    .any(|prepositions| prepositions.any_has(first))
        }
        [] => false,
    };
    !rest.starts_with([',', ';', ':', '–'])
        && (1..=END_WORDS).contains(&words.len())
        && !opens_a_clause
        && goes_on
        && !is_list
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

/// The figure that a negation behind another one denies.
fn denied_behind<'p>(text: &str, pieces: &'p [Piece], right: usize) -> Option<&'p Piece> {
    let word = |at: usize| {
        let piece = pieces.get(at).filter(|piece| !piece.is_number)?;
        Some(fold(piece.of(text)))
    };
    let and = word(right + 1).is_some_and(|word| AND.contains(word.as_str()));
    let at = right + 1 + usize::from(and);
    let denied = pieces.get(at + 1).filter(|piece| piece.is_number)?;
    word(at)
        .is_some_and(|word| NEGATIONS.has_word(&word))
        .then_some(denied)
}
