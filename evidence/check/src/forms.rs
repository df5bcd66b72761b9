//! Whether two words are forms of one by the endings of their language, where the stems of messages are too broad: a
//! hook that says `understaffed` of what its excerpt says `understand` shares eight letters with it, and lies.

use std::borrow::Cow;

use gtm_lexicon::Words;
use gtm_lexicon::messages::{COMPOUND_JOINTS, ENDINGS, PARTICIPLE_OPENINGS, PARTICLES};

/// Fewest letters that two forms share.
const SHARED: usize = 3;
/// Letters that they share if one has a long ending.
const SHARED_BY_LONG: usize = 4;
/// Most letters of a short ending.
const SHORT: usize = 3;
/// Most letters that an ending begins before the forms differ: of `move` and `moving` it is `e`.
const BACK: usize = 3;
/// Fewest letters of a particle by which a verb and its participle begin alike.
const LONG_PARTICLE: usize = 5;
/// Letters of the longest ending that is looked for.
const LONGEST_ENDING: usize = 12;
/// Fewest letters of a part of a compound.
const PART: usize = 3;
/// Fewest letters of what a compound has besides a word that is said for it: `Halle` for `Lagerhalle`.
const REST: usize = 4;

/// How words are formed in a language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Forms {
    endings: Words,
    openings: Words,
    pub(crate) particles: Words,
    joints: Words,
}

impl Forms {
    pub(crate) fn of(language: &str) -> Self {
        Self {
            endings: ENDINGS.of(language),
            openings: PARTICIPLE_OPENINGS.of(language),
            particles: PARTICLES.of(language),
            joints: COMPOUND_JOINTS.of(language),
        }
    }

    /// Whether two folded words are forms of one.
    pub(crate) fn are_one(&self, one: &str, other: &str) -> bool {
        let (ones, others) = (self.stripped(one), self.stripped(other));
        (ones.iter()).any(|one| {
            others
                .iter()
                .any(|other| self.differ_by_endings(one, other))
        })
    }

    /// A word, and what it is without the opening of a participle.
    fn stripped<'w>(&self, word: &'w str) -> Vec<Cow<'w, str>> {
        let openings = self.openings.iter();
        let bare = openings.filter_map(|opening| word.strip_prefix(opening));
        let bare = bare.filter(|rest| rest.len() > SHARED).map(Cow::Borrowed);
        let behind = self.opened_behind(word, 0).map(Cow::Owned);
        std::iter::once(Cow::Borrowed(word))
            .chain(bare)
            .chain(behind)
            .collect()
    }

    /// A participle as its verb has it, by a particle of so many bytes at least: `weitergegeben` is `weitergeben`.
    fn opened_behind(&self, word: &str, fewest: usize) -> impl Iterator<Item = String> {
        let particles = self.particles.iter().filter(move |it| it.len() >= fewest);
        particles.flat_map(move |particle| {
            let behind = word.strip_prefix(particle);
            let openings = self.openings.iter();
            let rests = openings.filter_map(move |opening| behind?.strip_prefix(opening));
            let rests = rests.filter(|rest| rest.len() > SHARED);
            rests.map(move |rest| format!("{particle}{rest}"))
        })
    }

    fn differ_by_endings(&self, one: &str, other: &str) -> bool {
        if one == other {
            return true;
        }
        let both = one.chars().zip(other.chars());
        let shared = both.take_while(|(a, b)| a == b).count();
        let from = shared.saturating_sub(BACK).max(SHARED);
        (from..=shared).any(|from| {
            let (end, other_end) = (behind(one, from), behind(other, from));
            let last = one.chars().nth(from.saturating_sub(1));
            [end, other_end].into_iter().all(|end| {
                let is_short = end.chars().count() <= SHORT;
                (from >= SHARED_BY_LONG || is_short) && self.is_ending(end, last)
            })
        })
    }

    /// Whether a word may end so behind this letter, which may be doubled: `plan`, `planned`.
    fn is_ending(&self, end: &str, behind: Option<char>) -> bool {
        let doubled = behind.and_then(|letter| end.strip_prefix(letter));
        end.is_empty()
            || self.endings.contains(end)
            || doubled.is_some_and(|rest| self.endings.contains(rest))
    }

    /// Whether a compound is made of words that are said, or is said by another compound that ends or begins with it.
    pub(crate) fn is_compound_of<'w>(
        &self,
        word: &str,
        said: impl Iterator<Item = &'w str> + Clone,
    ) -> bool {
        if self.joints.iter().next().is_none() {
            return false;
        }
        let is_said = |part: &str| {
            part.chars().count() >= PART && said.clone().any(|it| self.are_one(part, it))
        };
        let cuts = word.char_indices().map(|(at, _)| word.split_at(at));
        let is_made = |(first, last): (&str, &str)| {
            let joint = (self.joints.iter()).filter_map(|joint| first.strip_suffix(joint));
            is_said(last) && (is_said(first) || joint.into_iter().any(is_said))
        };
        cuts.clone().any(is_made) || said.clone().any(|it| self.is_part_of(word, it))
    }

    /// Whether a longer compound has the word as its first part or its last. `Kauf` is no part of `Rückkauf`.
    fn is_part_of(&self, word: &str, compound: &str) -> bool {
        let mut cuts = (compound.char_indices()).map(|(at, _)| compound.split_at(at));
        word.chars().count() > PART
            && cuts.any(|(first, last)| {
                let (is_head, is_first) = (
                    first.chars().count() >= REST && !self.particles.contains(first),
                    last.chars().count() >= REST,
                );
                (is_head && self.differ_by_endings(word, last)) || (is_first && word == first)
            })
    }
}

/// A participle of a verb with a long particle as the verb has it, in some language.
pub(crate) fn without_opening(word: &str) -> Option<String> {
    let mut languages = ENDINGS.iter();
    languages.find_map(|(code, _)| Forms::of(code).opened_behind(word, LONG_PARTICLE).next())
}

/// Where a folded word may end before an ending of some language, for comparisons with many others.
#[derive(Debug)]
pub(crate) struct Splits {
    /// For each number of letters, a bit for each language in which the rest is an ending. Nothing else has one.
    by_letters: Vec<u32>,
}

impl Splits {
    pub(crate) fn of(word: &str) -> Self {
        let ends: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
        let mut by_letters = vec![0; ends.len() + 1];
        let from = ends.len().saturating_sub(LONGEST_ENDING).max(SHARED);
        for (letters, languages) in by_letters.iter_mut().enumerate().skip(from) {
            let end = ends
                .get(letters)
                .map_or("", |at| word.get(*at..).unwrap_or_default());
            let last = word.chars().nth(letters.saturating_sub(1));
            for (bit, (code, _)) in ENDINGS.iter().enumerate() {
                if Forms::of(code).is_ending(end, last) {
                    *languages |= 1_u32.wrapping_shl(u32::try_from(bit).unwrap_or_default());
                }
            }
        }
        Self { by_letters }
    }

    /// Whether two words that begin with so many same letters are forms of one in some language.
    pub(crate) fn meet(&self, other: &Self, shared: usize) -> bool {
        let from = shared.saturating_sub(BACK).max(SHARED);
        let languages = |splits: &Self, letters: usize| {
            let languages = splits.by_letters.get(letters).copied().unwrap_or_default();
            let rest = splits.by_letters.len().saturating_sub(letters + 1);
            match letters >= SHARED_BY_LONG || rest <= SHORT {
                true => languages,
                false => 0,
            }
        };
        (from..=shared).any(|letters| languages(self, letters) & languages(other, letters) != 0)
    }
}

fn behind(word: &str, letters: usize) -> &str {
    let at = word.char_indices().nth(letters).map(|(at, _)| at);
    at.and_then(|at| word.get(at..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_differ_by_endings_of_their_language() {
        for (language, one, other) in [
            ("en", "opens", "opening"),
            ("en", "hire", "hiring"),
            ("en", "plans", "planned"),
            ("en", "deliveries", "delivers"),
            ("en", "hen", "hens"),
            ("de", "eroffnet", "eroffnung"),
            ("de", "ausgebaut", "ausbauen"),
            ("de", "einzustellen", "einstellung"),
            ("de", "gekauft", "kaufen"),
            ("fr", "recrutez", "recrutons"),
            ("fr", "preparez", "prepares"),
            ("es", "venden", "vendemos"),
            ("es", "ampliacion", "amplia"),
        ] {
            let forms = Forms::of(language);
            assert!(forms.are_one(one, other), "{one} {other}");
            assert!(forms.are_one(other, one), "{other} {one}");
        }
        for (language, one, other) in [
            ("en", "understaffed", "understand"),
            ("en", "profit", "profile"),
            ("en", "contract", "contrary"),
            ("en", "unsafe", "safe"),
            ("en", "car", "carpet"),
            ("de", "unternehmen", "unterschlagen"),
            ("de", "einstellen", "abstellen"),
            ("fr", "", "livrer"),
            ("it", "apre", "chiude"),
        ] {
            let forms = Forms::of(language);
            assert!(!forms.are_one(one, other), "{one} {other}");
        }
    }

    #[test]
    fn splits_tell_what_endings_tell() {
        let words = [
            "deliveries",
            "delivers",
            "eroffnet",
            "eroffnung",
            "planned",
            "plans",
            "contract",
            "contrary",
            "recrutons",
            "recrutez",
            "move",
            "moving",
        ];
        for one in words {
            for other in words {
                let shared = one
                    .chars()
                    .zip(other.chars())
                    .take_while(|(a, b)| a == b)
                    .count();
                let mut languages = ENDINGS.iter();
                let are_one =
                    languages.any(|(code, _)| Forms::of(code).differ_by_endings(one, other));
                let meet = Splits::of(one).meet(&Splits::of(other), shared);
                assert_eq!(meet, are_one, "{one} {other}");
            }
        }
    }

    #[test]
    fn compounds_are_made_of_words_that_are_said() {
        let forms = Forms::of("de");
        let is_said = |word: &str, said: &[&str]| forms.is_compound_of(word, said.iter().copied());
        assert!(is_said("klinikeroffnung", &["klinik", "eroffnet"]));
        assert!(is_said("sonntagslieferung", &["liefern", "sonntag"]));
        assert!(is_said("halle", &["lagerhalle"]) && is_said("lager", &["lagerhalle"]));
        assert!(!is_said("kauf", &["ruckkauf"]) && !is_said("sicher", &["unsicher"]));
        assert!(!is_said("klinikbrand", &["klinik"]));
        let english = Forms::of("en");
        assert!(!english.is_compound_of("house", ["warehouse"].into_iter()));
    }
}
