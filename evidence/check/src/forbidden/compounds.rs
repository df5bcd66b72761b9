//! Claims in one word, in languages that join nouns: `Spargarantie`, `besparingsgarantie`.

use gtm_lexicon::Phrases;

/// Fewest and most letters of a compound that is looked at, and fewest of each of its parts.
const LENGTH: std::ops::RangeInclusive<usize> = 8..=40;
const PART: usize = 4;
/// Most letters that a stem has more or less at the joint: `Spar` of `sparen`, `Einsparungs` of `einspar`.
const JOINT: usize = 4;
/// Languages that join nouns.
pub(super) const JOINING: [&str; 2] = ["de", "nl"];

/// A beginning of words that say one part of a claim.
#[derive(Debug)]
pub(super) struct Stem {
    letters: String,
    /// Whether any letters may follow.
    is_open: bool,
}

impl Stem {
    /// Of a claim's own word.
    pub(super) fn of_word(word: &str) -> Self {
        Self {
            letters: word.to_owned(),
            is_open: false,
        }
    }

    /// Those of the phrases of one word.
    pub(super) fn of_phrases(phrases: &'static Phrases) -> impl Iterator<Item = Self> {
        let single = phrases.iter().filter_map(|phrase| match phrase {
            [word] => Some(*word),
            _ => None,
        });
        let stems = single.map(|word| Self {
            letters: word.trim_end_matches('*').to_owned(),
            is_open: word.ends_with('*'),
        });
        stems.filter(|stem| stem.letters.len() >= PART)
    }

    /// Whether it is the first part of a compound.
    fn opens(&self, part: &str) -> bool {
        let stem = self.letters.as_str();
        match part.strip_prefix(stem) {
            Some(rest) if self.is_open => rest.len() <= JOINT,
            Some(rest) => matches!(rest, "" | "s" | "es"),
            None => stem
                .strip_prefix(part)
                .is_some_and(|rest| rest.len() < JOINT),
        }
    }
}

/// Whether a word joins a stem of one part to a stem of another.
pub(super) fn joins(word: &str, one: &[Stem], other: &[Stem]) -> bool {
    LENGTH.contains(&word.len())
        && (joins_in_order(word, one, other) || joins_in_order(word, other, one))
}

fn joins_in_order(word: &str, firsts: &[Stem], seconds: &[Stem]) -> bool {
    seconds.iter().any(|second| {
        let at = word.rfind(second.letters.as_str());
        let first = at.filter(|at| *at >= PART).and_then(|at| word.get(..at));
        first.is_some_and(|first| firsts.iter().any(|stem| stem.opens(first)))
    })
}
