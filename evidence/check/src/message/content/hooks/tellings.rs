//! What a part of a hook or a clause of its excerpt tells of, and what it ties to that by a preposition. There is no grammar
//! behind it, only forms.

use std::collections::BTreeSet;
use std::ops::Range;

use gtm_lexicon::messages::{
    AGENTS, DETERMINERS, EXPLETIVE_JOINTS, EXPLETIVES, FUNCTION_WORDS, GENITIVES, NOT_PREPOSITIONS,
    PASSIVES, PREPOSITIONS, REFERENCES,
};

use super::super::super::passage::Word;
use super::super::super::stems::bare;
use super::super::super::strangers::NOUNS_IN_CAPITALS;
use super::super::super::vocabulary::Vocabulary;
use super::read::{Read, is_month};
use super::said::Content;

/// Languages that put most adjectives behind their nouns: there, what is tied ends with the first word.
const NOUN_FIRST: [&str; 4] = ["es", "fr", "it", "pt"];

/// Years that texts tell of.
const YEARS: std::ops::Range<u32> = 1800..2200;
/// The class of prepositions before whose something is.
const OF: &str = "of";

/// How a word belongs to what is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It says nothing by itself.
    Grammar,
    /// It is told of: who does what to whom.
    Core,
    /// It is a circumstance, tied by a preposition; the number of the tie.
    Tied(usize),
}

/// A part of a hook or a clause of its excerpt, with the places of its words.
pub(super) struct Telling<'r> {
    pub(super) read: &'r Read,
    pub(super) words: &'r [Word],
    pub(super) places: Vec<Place>,
    /// The class of the preposition of each tie.
    ties: Vec<&'static str>,
    pub(super) language: &'r str,
}

impl<'r> Telling<'r> {
    /// Nothing in a language without prepositions.
    pub(super) fn of(
        read: &'r Read,
        range: &Range<usize>,
        content: &Content<'_>,
        vocabulary: &'r Vocabulary,
    ) -> Option<Self> {
        let language = vocabulary.language.as_str();
        PREPOSITIONS.of(language).next()?;
        let words = read.words_in(range);
        let says: BTreeSet<usize> = content.content().map(|(at, _)| at).collect();
        let mut telling = Self {
            read,
            words,
            places: vec![Place::Grammar; words.len()],
            ties: Vec::new(),
            language,
        };
        telling.find_places(&says);
        Some(telling)
    }

    fn find_places(&mut self, says: &BTreeSet<usize>) {
        let bare: Vec<&str> = bare(self.words).collect();
        // Whether a tie waits for its first word, and which of its words stands just before.
        let (mut is_open, mut before): (bool, Option<usize>) = (false, None);
        for at in 0..self.words.len() {
            if !says.contains(&at) {
                if let Some(class) = self.preposition_at(&bare, at) {
                    self.ties.push(class);
                    is_open = true;
                } else if self.is_owner_at(at) {
                    self.ties.push(OF);
                    is_open = true;
                } else if !self.may_stand_in_a_tie(at) {
                    is_open = false;
                }
                before = None;
                continue;
            }
            let goes_on = before.is_some_and(|before| self.goes_on(before, at));
            let place = match self.ties.len().checked_sub(1) {
                Some(tie) if is_open || goes_on => Place::Tied(tie),
                _ => Place::Core,
            };
            if let Some(slot) = self.places.get_mut(at) {
                *slot = place;
            }
            before = matches!(place, Place::Tied(_)).then_some(at);
            is_open = false;
        }
    }

    /// Whether a word that says nothing may stand between a preposition and what it ties: `with all 40 vans`. A year ends
    /// what is tied: `by 2028 extended`.
    fn may_stand_in_a_tie(&self, at: usize) -> bool {
        let Some(word) = self.words.get(at) else {
            return false;
        };
        let is_small = FUNCTION_WORDS.of(self.language).contains(&word.folded);
        match is_small {
            true => DETERMINERS.of(self.language).contains(&word.folded),
            false => {
                !YEARS.contains(&word.folded.parse().unwrap_or_default())
                    && !is_month(self.read.printed(word))
            }
        }
    }

    /// Whether a word stands between a noun and whose it is: `die Halle unserer Schule`.
    fn is_owner_at(&self, at: usize) -> bool {
        let word = self.words.get(at);
        let is_genitive =
            word.is_some_and(|word| GENITIVES.of(self.language).contains(&word.folded));
        let before = at.checked_sub(1);
        is_genitive
            && before.is_some_and(|before| {
                self.is_capital(before) && self.places.get(before) != Some(&Place::Grammar)
            })
    }

    fn preposition_at(&self, bare: &[&str], at: usize) -> Option<&'static str> {
        let printed = self.read.printed(self.words.get(at)?);
        if NOT_PREPOSITIONS.of(self.language).contains(printed) {
            return None;
        }
        let rest = bare.get(at..)?;
        let mut classes = PREPOSITIONS.of(self.language);
        let class = classes.find(|(_, phrases)| phrases.open(rest));
        class.map(|(class, _)| class)
    }

    /// Whether a tie goes on with the next word: a name with the rest of it, an adjective with its noun.
    fn goes_on(&self, at: usize, next: usize) -> bool {
        let (is_capital, is_next) = (self.is_capital(at), self.is_capital(next));
        if self.language == NOUNS_IN_CAPITALS {
            return !is_capital || is_next;
        }
        match NOUN_FIRST.contains(&self.language) {
            true => is_next,
            false => is_capital == is_next,
        }
    }

    pub(super) fn is_capital(&self, at: usize) -> bool {
        let printed = self.words.get(at).map(|word| self.read.printed(word));
        printed.is_some_and(|it| it.starts_with(char::is_uppercase))
    }

    /// The class of the preposition that ties a word.
    pub(super) fn tie_of(&self, at: usize) -> Option<&'static str> {
        match self.places.get(at) {
            Some(Place::Tied(tie)) => self.ties.get(*tie).copied(),
            _ => None,
        }
    }

    /// Whether it is told what is done to somebody, with who does it: `was bought by Tarn`.
    pub(super) fn is_passive(&self) -> bool {
        let passives = PASSIVES.of(self.language);
        let mut words = self.words.iter();
        words.any(|word| passives.contains(&word.folded))
            && (0..self.words.len()).any(|at| self.is_agent(at))
    }

    /// Whether a word is tied like who does what is done to another.
    pub(super) fn is_agent(&self, at: usize) -> bool {
        let Some(class) = self.tie_of(at) else {
            return false;
        };
        let agents = AGENTS.of(self.language);
        let mut classes = PREPOSITIONS.of(self.language);
        let phrases = classes.find(|(name, _)| *name == class);
        (phrases.zip(agents))
            .is_some_and(|((_, phrases), agents)| agents.iter().any(|agent| phrases.are(agent)))
    }

    /// Whether it stands for something that was told before: `there`, `they`.
    pub(super) fn refers_back(&self) -> bool {
        let references = REFERENCES.of(self.language);
        let mut words = self.words.iter().enumerate();
        words.any(|(at, word)| {
            // German `Sie` is the reader, but at the beginning.
            references.contains(&word.folded)
                && (at == 0 || !self.is_capital(at))
                && !self.stands_for_nothing(at)
        })
    }

    /// Whether a pronoun only announces what follows: `it is said that`. Then it goes on with nothing that was told before.
    fn stands_for_nothing(&self, at: usize) -> bool {
        let is_in = |at: usize, list: gtm_lexicon::Words| {
            let word = self.words.get(at);
            word.is_some_and(|word| list.contains(&word.folded))
        };
        let joints = EXPLETIVE_JOINTS.of(self.language);
        is_in(at, EXPLETIVES.of(self.language))
            && is_in(at + 1, PASSIVES.of(self.language))
            && (at + 2..self.words.len()).any(|at| is_in(at, joints))
    }

    /// Words that are tied with the number directly behind each, as places: `in hall 2`.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (usize, &str)> {
        let pairs = self.words.windows(2).enumerate();
        pairs.filter_map(|(at, pair)| {
            let [_, number] = pair else { return None };
            let is_number = number.folded.bytes().all(|byte| byte.is_ascii_digit());
            let is_tied = matches!(self.places.get(at), Some(Place::Tied(_)));
            (is_number && is_tied).then_some((at, number.folded.as_str()))
        })
    }

    /// How many words are told of.
    pub(super) fn core(&self) -> usize {
        let places = self.places.iter();
        places.filter(|place| **place == Place::Core).count()
    }

    /// Each tie with the class of its preposition and the places of its words.
    pub(super) fn tied(&self) -> Vec<(&'static str, Vec<usize>)> {
        let ties = self.ties.iter().enumerate();
        let all = ties.map(|(tie, class)| {
            let words =
                (0..self.places.len()).filter(|at| self.places.get(*at) == Some(&Place::Tied(tie)));
            (*class, words.collect::<Vec<usize>>())
        });
        all.filter(|(_, words)| !words.is_empty()).collect()
    }

    /// Takes a noun behind a tied name into the tie, where the excerpt has both in a row: `at the Selby plant`. What a noun
    /// is, and what a verb, only the excerpt tells.
    pub(super) fn lengthen(&mut self, is_in_excerpt: impl Fn(&[Word]) -> bool) {
        if NOUN_FIRST.contains(&self.language) || self.language == NOUNS_IN_CAPITALS {
            return;
        }
        for at in 1..self.words.len() {
            let before = self.places.get(at - 1).copied();
            let tie = before.filter(|it| matches!(it, Place::Tied(_)) && self.is_capital(at - 1));
            let row = self.words.get(at - 1..=at).unwrap_or_default();
            let is_noun = !self.is_capital(at) && is_in_excerpt(row);
            if let Some(place) = self.places.get_mut(at)
                && *place == Place::Core
                && let Some(tie) = tie.filter(|_| is_noun)
            {
                *place = tie;
            }
        }
    }

    /// Takes words of a tie for told of: no clause has them beside the others.
    pub(super) fn untie(&mut self, words: &[usize]) {
        for at in words {
            if let Some(place) = self.places.get_mut(*at) {
                *place = Place::Core;
            }
        }
    }

    /// Names of more than one word.
    pub(super) fn names(&self) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        for at in 0..self.words.len() {
            if !self.is_capital(at) || self.places.get(at) == Some(&Place::Grammar) {
                continue;
            }
            match found.last_mut() {
                Some(last) if last.end == at => last.end = at + 1,
                _ => found.push(at..at + 1),
            }
        }
        found.retain(|name| name.len() > 1);
        found
    }
}
