//! Words of claims: which of them are forms of one, and what says nothing beside them.

use std::sync::OnceLock;

use gtm_lexicon::numbers::{is_currency, is_unspaced};

use crate::forms::{Splits, without_opening};
use crate::small_words::is_small;

/// Letters that forms of one word share at least.
pub(super) const SHARED: usize = 5;
/// Most letters by which they differ behind them.
const ENDING: usize = 3;

/// Whether a word beside a claim's says nothing of its own: `we guarantee it`.
pub(super) fn says_little(word: &str) -> bool {
    is_small(word) || (word.chars().count() <= 2 && !word.starts_with(is_unspaced))
}

/// Whether it means something in a claim: `100 %` is not `100`.
pub(super) fn is_sign(c: char) -> bool {
    "%‰+<>=".contains(c) || is_currency(c)
}

/// Whether it only parts words.
pub(super) fn is_mark(c: char) -> bool {
    "-‑–—'’‘‚\"“”„«».,;:!?¡¿…&/()[]".contains(c)
}

pub(super) fn are_different(places: &[Option<usize>]) -> bool {
    let mut seen: Vec<usize> = places.iter().flatten().copied().collect();
    seen.sort_unstable();
    seen.windows(2).all(|pair| pair.first() != pair.last())
}

/// Whether a word is long enough to be known in another form, or is of a script without blanks.
pub(super) fn has_forms(word: &str) -> bool {
    word.starts_with(is_unspaced) || word.chars().filter(|c| c.is_alphabetic()).count() >= SHARED
}

/// A folded word, read once for comparisons with many others.
#[derive(Debug)]
pub(super) struct ReadWord {
    word: String,
    letters: Vec<char>,
    has_forms: bool,
    /// Made for those words alone that begin as a claim's.
    splits: OnceLock<Splits>,
    /// A participle as its verb has it.
    verb: OnceLock<Option<Box<Self>>>,
}

/// How a word of a text is a form of a claim's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Near enough where another word of the claim bears it out.
    Borne,
    /// Near enough by itself: one of the two is the other's beginning.
    Alone,
}

impl ReadWord {
    pub(super) fn of(word: &str) -> Self {
        Self {
            word: word.to_owned(),
            letters: word.chars().collect(),
            has_forms: has_forms(word),
            splits: OnceLock::new(),
            verb: OnceLock::new(),
        }
    }

    fn splits(&self) -> &Splits {
        self.splits.get_or_init(|| Splits::of(&self.word))
    }

    /// The verb of a participle; of any other word itself.
    fn verb(&self) -> &Self {
        let read = || without_opening(&self.word).map(|verb| Box::new(Self::of(&verb)));
        self.verb.get_or_init(read).as_deref().unwrap_or(self)
    }

    pub(super) fn as_str(&self) -> &str {
        &self.word
    }

    /// The letters with which every form of it begins; none if it has no other forms, or is of a script without blanks.
    pub(super) fn opening(&self) -> Option<&[char]> {
        let first = self.letters.first()?;
        self.letters
            .get(..SHARED)
            .filter(|_| self.has_forms && !is_unspaced(*first))
    }

    /// How this word of a text is a form of a claim's.
    pub(super) fn form_of(&self, claims: &Self) -> Option<Form> {
        self.form_as_written_of(claims).or_else(|| {
            let form = self.verb().form_as_written_of(claims.verb());
            form.map(|_| Form::Borne)
        })
    }

    fn form_as_written_of(&self, claims: &Self) -> Option<Form> {
        if self.letters == claims.letters {
            return Some(Form::Alone);
        }
        if claims.letters.first().copied().is_some_and(is_unspaced) {
            return self.word.contains(&claims.word).then_some(Form::Alone);
        }
        if !claims.has_forms || self.letters.iter().any(char::is_ascii_digit) {
            return None;
        }
        let both = self.letters.iter().zip(&claims.letters);
        let shared = both.take_while(|(a, b)| a == b).count();
        if shared < SHARED {
            return None;
        }
        let (rest, rest_of_claims) = (self.letters.len() - shared, claims.letters.len() - shared);
        // `contrast` and `contribute` share five letters and little more.
        let mostly = |rest: usize| shared >= 2 * rest;
        let is_short = |rest: usize| rest <= ENDING && mostly(rest);
        let differ_little = is_short(rest) && is_short(rest_of_claims);
        if differ_little && (rest == 0 || rest_of_claims == 0) {
            Some(Form::Alone)
        } else if differ_little || self.splits().meet(claims.splits(), shared) {
            Some(Form::Borne)
        } else {
            None
        }
    }
}
