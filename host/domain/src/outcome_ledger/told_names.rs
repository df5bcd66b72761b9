//! By what a person is told from others where a list writes less of the name than another: `Dr. Anna M. Schmidt`,
//! `Anna Schmidt` and `A. Schmidt` may be one.
//!
//! DANGER: ledgers keep HMACs alone, so two names can only be compared by what both sides write out before. An entry is
//! kept under each pair of its words, and under each word with the initial of another; a candidate is sought under the
//! same. So two names fit if they share two words, or a word and an initial. Whoever fits is not written to.

use std::collections::BTreeSet;

include!(concat!(env!("OUT_DIR"), "/names_of_people.rs"));

/// Most words of an entry that are paired: its first ones and its last. Each pair is an entry of the ledger for ever.
const MOST_KEPT: usize = 4;
/// Most words of a candidate's name that are paired.
const MOST_SOUGHT: usize = 6;
/// Fewer letters than this before a full stop stand for a name that begins with them: `Th. Meier`.
const ABBREVIATED: usize = 4;

/// The parts of a name, folded.
struct Parts {
    /// What tells persons apart.
    words: Vec<String>,
    /// First letters of words that are left out, but for those of a middle name where two words are there: these say
    /// nothing.
    initials: Vec<String>,
    /// Titles and small words.
    others: Vec<String>,
}

/// The names besides its own under which an entry is kept.
pub(super) fn kept(name: &str) -> BTreeSet<String> {
    let mut parts = Parts::of(name);
    if parts.words.len() < 2 && parts.initials.is_empty() {
        parts.words.append(&mut parts.others);
    }
    let words = ends(parts.words, MOST_KEPT);
    let mut kept = BTreeSet::new();
    for (one, other) in ordered_pairs(&words) {
        kept.insert(pair(one, other));
        kept.extend(first_letter(one).map(|initial| known_by(initial, other)));
    }
    kept.extend(each_with(&parts.initials, &words, pair));
    kept
}

/// The names besides its own under which an entry may be kept that speaks of this candidate.
pub(super) fn sought(name: &str) -> BTreeSet<String> {
    let parts = Parts::of(name);
    let all = [parts.words.as_slice(), &parts.others].concat();
    let all = ends(all, MOST_SOUGHT);
    let words = match parts.words.len() {
        0 | 1 => all.clone(),
        _ => ends(parts.words, MOST_SOUGHT),
    };
    let mut sought = BTreeSet::new();
    // An entry has its small words and titles in a pair only where it has nothing else.
    let both = ordered_pairs(&all);
    sought.extend(both.into_iter().map(|(one, other)| pair(one, other)));
    for (one, other) in ordered_pairs(&words) {
        sought.extend(first_letter(one).map(|initial| pair(initial, other)));
    }
    sought.extend(each_with(&parts.initials, &words, pair));
    sought.extend(each_with(&parts.initials, &words, known_by));
    sought
}

impl Parts {
    fn of(name: &str) -> Self {
        let mut parts = Self {
            words: Vec::new(),
            initials: Vec::new(),
            others: Vec::new(),
        };
        let mut middle = Vec::new();
        // `O'Neil` is one word.
        let name = name.replace(['\'', '’'], "");
        let mut rest = name.as_str();
        while let Some(begin) = rest.find(char::is_alphanumeric) {
            let (_, from_here) = rest.split_at(begin);
            let is_end = |c: char| !c.is_alphanumeric() && !is_mark(c);
            let (token, behind) =
                from_here.split_at(from_here.find(is_end).unwrap_or(from_here.len()));
            middle.extend(parts.take(token, behind.starts_with('.')));
            rest = behind;
        }
        if parts.words.len() < 2 {
            parts.initials.append(&mut middle);
        }
        parts
    }

    /// Takes the next word of the name; returns the initial of one behind the first.
    fn take(&mut self, token: &str, has_stop: bool) -> Option<String> {
        let folded = any_ascii::any_ascii(token).to_lowercase();
        let folded: String = folded.chars().filter(char::is_ascii_alphanumeric).collect();
        let letters = token.chars().filter(|c| !is_mark(*c)).count();
        // Scripts without capitals have no initials: a letter may be a name.
        let is_cased = token.chars().any(|c| c.is_lowercase() || c.is_uppercase());
        if folded.is_empty() {
            return None;
        }
        if letters > 1 && (is_one_of(&folded, TITLES) || is_one_of(&folded, PARTICLES)) {
            self.others.push(folded);
        } else if is_cased && (letters == 1 || has_stop && letters < ABBREVIATED) {
            let initial = first_letter(&folded).map(str::to_owned);
            if !self.words.is_empty() {
                return initial;
            }
            self.initials.extend(initial);
        } else {
            self.words.push(folded);
        }
        None
    }
}

/// Accents that stand behind their letter.
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

fn is_one_of(word: &str, list: &[&str]) -> bool {
    list.binary_search(&word).is_ok()
}

fn first_letter(word: &str) -> Option<&str> {
    word.get(..1)
}

/// The first words and the last.
fn ends(mut words: Vec<String>, most: usize) -> Vec<String> {
    if words.len() > most
        && let Some(last) = words.pop()
    {
        words.truncate(most - 1);
        words.push(last);
    }
    words
}

/// Each word with each other, in both orders.
fn ordered_pairs(words: &[String]) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    for (at, one) in words.iter().enumerate() {
        let others = words.iter().enumerate().filter(|(other, _)| *other != at);
        pairs.extend(others.map(|(_, other)| (one.as_str(), other.as_str())));
    }
    pairs
}

fn each_with(
    initials: &[String],
    words: &[String],
    named: fn(&str, &str) -> String,
) -> BTreeSet<String> {
    let of_one = |initial: &'_ String| -> Vec<String> {
        words.iter().map(|word| named(initial, word)).collect()
    };
    initials.iter().flat_map(of_one).collect()
}

/// Two words as a name: in alphabetical order, as all names are kept.
fn pair(one: &str, other: &str) -> String {
    match one <= other {
        true => format!("{one} {other}"),
        false => format!("{other} {one}"),
    }
}

/// Somebody whose other name is known, and begins so. No name is kept with this mark, so only who is sought by an initial
/// meets it: `Andreas Schmidt` is not `Anna Schmidt`.
fn known_by(initial: &str, word: &str) -> String {
    format!("~{initial} {word}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn an_entry_is_kept_under_what_tells_it_apart() {
        let schmidt = names(&["anna schmidt", "~a schmidt", "~s anna"]);
        for written in [
            "Anna Schmidt",
            "Dr. Anna M. Schmidt",
            "Schmidt, Anna (Ph.D.)",
            "Frau Prof. Anna Schmidt",
        ] {
            assert_eq!(kept(written), schmidt, "{written}");
        }
        assert_eq!(kept("A. Schmidt"), names(&["a schmidt"]));
        assert_eq!(
            kept("Dr. A. M. Schmidt"),
            names(&["a schmidt", "m schmidt"])
        );
        assert_eq!(
            kept("Jan van der Berg"),
            names(&["berg jan", "~b jan", "~j berg"])
        );
        assert_eq!(kept("Th. Meier"), names(&["meier t"]));
        assert_eq!(kept("Sam"), names(&[]));
    }

    #[test]
    fn lists_are_folded() {
        for word in TITLES.iter().chain(PARTICLES) {
            assert!(word.bytes().all(|b| b.is_ascii_lowercase()), "{word}");
        }
    }

    #[test]
    fn a_long_name_is_kept_and_sought_within_bounds() {
        let long = "Ana Bela Clara Dora Eva Fida Gina Hela Ida Jana";
        assert!(kept(long).len() <= 18 && sought(long).len() <= 45);
        assert!(kept(long).contains("ana jana"));
    }
}
