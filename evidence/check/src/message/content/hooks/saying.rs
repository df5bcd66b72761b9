//! What a part of a text says of its subject: on which side it stands, whether that is denied, and who does it.

use std::collections::BTreeSet;
use std::ops::Range;

use gtm_lexicon::Phrases;
use gtm_lexicon::denials::UNDONE;
use gtm_lexicon::messages::{AGENTS, GOALS, OPPOSITES, ORIGINS, STOPS};

use super::super::super::passage::{Word, gap};
use super::super::super::stems::bare;
use super::super::super::vocabulary::Vocabulary;
use super::read::Read;

/// Most words between a verb that stops something and what it stops: `stopped all our hiring`.
const TO_THE_STOPPED: usize = 2;
/// The first of the sides in the lexicon that tell no deed: last or next, fewer or more.
const NO_DEEDS: f64 = 8.0;
/// Those of what somebody does to somebody: buys or sells, wins or loses, joins or leaves.
const TO_SOMEBODY: std::ops::RangeInclusive<f64> = 4.0..=6.0;

/// On which sides the words of a part stand, and whether it says that something is not so.
pub(super) struct Saying {
    sides: Vec<f64>,
    pub(super) is_denied: bool,
}

impl Saying {
    /// What is stopped stands on its other side, and what is never stopped on its own: `we never stop hiring`.
    pub(super) fn of(words: &[Word], vocabulary: &Vocabulary) -> Self {
        let bare: Vec<&str> = bare(words).collect();
        let mut sides = sides(&bare, &vocabulary.language);
        let mut negations = negations(&bare, vocabulary);
        for stop in within(&bare, STOPS.of(&vocabulary.language)) {
            let is_behind = |(at, _): &(Range<usize>, f64)| {
                at.start >= stop.end && at.start - stop.end <= TO_THE_STOPPED
            };
            let is_before = |(at, _): &(Range<usize>, f64)| {
                at.end <= stop.start && stop.start - at.end < TO_THE_STOPPED
            };
            let behind = sides.iter().position(is_behind);
            let Some(stopped) = behind.or_else(|| sides.iter().rposition(is_before)) else {
                continue;
            };
            let before = negations.len();
            negations.retain(|it| gap(it, &stop) >= TO_THE_STOPPED);
            if negations.len() == before
                && let Some((_, side)) = sides.get_mut(stopped)
            {
                *side = -*side;
            }
            sides.retain(|(at, _)| at.end <= stop.start || stop.end <= at.start);
        }
        let mut different: Vec<f64> = Vec::new();
        for (_, side) in sides {
            if !different.contains(&side) {
                different.push(side);
            }
        }
        Self {
            sides: different,
            is_denied: !negations.is_empty(),
        }
    }

    /// `Does not close` says what `opens` says; where more than one thing is done nobody can tell which is denied.
    pub(super) fn agrees_with(&self, other: &Self) -> bool {
        let opposed = are_opposed(&self.sides, &other.sides);
        if self.is_denied == other.is_denied {
            return !opposed;
        }
        let (own, others) = (self.deeds(), other.deeds());
        own.len() == 1 && others.len() == 1 && are_opposed(&own, &others)
    }

    /// Whether it says that something is not so where another says that it is, or the other way round.
    pub(super) const fn turns(&self, is_denied: bool) -> bool {
        self.is_denied != is_denied
    }

    /// The sides of what is done, without those of when and how much.
    fn deeds(&self) -> Vec<f64> {
        let sides = self.sides.iter().copied();
        sides.filter(|side| side.abs() < NO_DEEDS).collect()
    }
}

/// The names of a text that something comes from, and those that it goes to: of a move from York to Leeds nobody moves to
/// York.
#[derive(Debug, Default)]
pub(super) struct Ways {
    from: BTreeSet<String>,
    to: BTreeSet<String>,
}

impl Ways {
    pub(super) fn of(read: &Read, part: &Range<usize>, vocabulary: &Vocabulary) -> Self {
        let words = read.words_in(part);
        let behind = |openings: gtm_lexicon::Words| {
            let mut found = BTreeSet::new();
            for pair in words.windows(2) {
                if let [before, name] = pair
                    && openings.contains(&before.folded)
                {
                    found.extend(read.names_in(std::slice::from_ref(name)));
                }
            }
            found
        };
        Self {
            from: behind(ORIGINS.of(&vocabulary.language)),
            to: behind(GOALS.of(&vocabulary.language)),
        }
    }

    /// Whether something goes to where the other comes from, and does not do so there as well.
    pub(super) fn are_turned(&self, other: &Self) -> bool {
        let turned = |one: &BTreeSet<String>, back: &BTreeSet<String>, same: &BTreeSet<String>| {
            one.iter()
                .any(|name| back.contains(name) && !same.contains(name))
        };
        turned(&self.to, &other.from, &other.to) || turned(&self.from, &other.to, &other.from)
    }
}

/// What is done in a part, and the names before and behind it.
pub(super) struct Deed {
    side: f64,
    before: BTreeSet<String>,
    behind: BTreeSet<String>,
    /// Whether who does it stands behind: `was bought by`.
    is_passive: bool,
}

impl Deed {
    /// All that somebody does to somebody in a part; none in a language without words for who did it.
    pub(super) fn all(read: &Read, part: &Range<usize>, vocabulary: &Vocabulary) -> Vec<Self> {
        let words = read.words_in(part);
        let bare: Vec<&str> = bare(words).collect();
        let Some(agents) = AGENTS.of(&vocabulary.language) else {
            return Vec::new();
        };
        let names = |range: Range<usize>| {
            let words = words.get(range).unwrap_or_default();
            read.names_in(words)
        };
        let deeds = sides(&bare, &vocabulary.language).into_iter();
        deeds
            .filter(|(_, side)| TO_SOMEBODY.contains(&side.abs()))
            .map(|(at, side)| Self {
                side,
                before: names(0..at.start),
                behind: names(at.end..words.len()),
                is_passive: bare.get(at.end..).is_some_and(|rest| agents.open(rest)),
            })
            .collect()
    }

    /// Whether the other one does it: `Hollis was bought by Tarn`, `Tarn bought Hollis` and `Hollis bought Tarn`.
    pub(super) fn is_turned(&self, other: &Self) -> bool {
        let share = |one: &BTreeSet<String>, other: &BTreeSet<String>| !one.is_disjoint(other);
        let nobody = self.before.is_empty() && other.before.is_empty();
        if (self.side - other.side).abs() > f64::EPSILON {
            return false;
        }
        if self.is_passive == other.is_passive {
            return share(&self.before, &other.behind)
                && share(&self.behind, &other.before)
                && !share(&self.before, &other.before)
                && !share(&self.behind, &other.behind);
        }
        (nobody || share(&self.before, &other.before))
            && share(&self.behind, &other.behind)
            && !share(&self.before, &other.behind)
            && !share(&self.behind, &other.before)
    }
}

/// Words that say that something is not so. `Not only` does not.
fn negations(bare: &[&str], vocabulary: &Vocabulary) -> Vec<Range<usize>> {
    let undone: &'static Phrases = &UNDONE;
    let undone = within(bare, Some(undone));
    let mut negations = within(bare, vocabulary.negations);
    // A verb and its particle: `sagen die Eröffnung ab`.
    if let Some((phrases, last)) = vocabulary.negations.zip(bare.last()) {
        let is_parted = |word: &str| {
            let both = [word, *last];
            let mut phrases = phrases.at_start(&both);
            phrases.any(|phrase| phrase.len() == 2)
        };
        let verbs = bare.iter().enumerate().filter(|(_, word)| is_parted(word));
        negations.extend(verbs.map(|(at, _)| at..at + 1));
    }
    negations.retain(|it| {
        !undone
            .iter()
            .any(|un| un.start < it.end && it.start < un.end)
    });
    negations
}

fn within(bare: &[&str], phrases: Option<&'static Phrases>) -> Vec<Range<usize>> {
    let places = phrases.into_iter().flat_map(|it| it.places(bare));
    places.map(|(at, phrase)| at..at + phrase.len()).collect()
}

/// Whether one stands on one side and the other on the other: `opens` and `closes`.
fn are_opposed(one: &[f64], other: &[f64]) -> bool {
    one.iter().any(|side| {
        let back = -side;
        !one.contains(&back) && other.contains(&back) && !other.contains(side)
    })
}

/// The words with a side, and which it is. A verb may have its particle at the end: `stellen zehn Schweißer ein`.
pub(super) fn sides(bare: &[&str], language: &str) -> Vec<(Range<usize>, f64)> {
    let first = |words: &[&str]| {
        let found = OPPOSITES.at_start(words, Some(language));
        found.first().map(|(_, length, side)| (*length, *side))
    };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = bare.get(at..).filter(|rest| !rest.is_empty()) {
        let here = first(rest);
        let parted = (rest.first().zip(rest.last()))
            .and_then(|(verb, particle)| first(&[*verb, *particle]))
            .filter(|(length, _)| *length == 2)
            .map(|(_, side)| (1, side));
        let longer = here.filter(|(length, _)| *length > 1);
        let (length, side) = longer.or(parted).or(here).unwrap_or((1, 0.0));
        if side != 0.0 {
            found.push((at..at + length, side));
        }
        at += length.max(1);
    }
    found
}
