//! Numbers that are written as words.

use super::InWords;
use crate::figures::{IMPLIED, JOINTS, MULTIPLES, NOT_NUMBERS, NUMBERS, SCALES, SHARES};

/// What words say of a quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Quantity {
    /// So many.
    Count(f64),
    /// This part of a whole.
    Share(f64),
    /// So many times as much.
    Multiple(f64),
}

/// Shortest word that may be tens and units in one.
const SHORTEST_COMPOUND: usize = 6;
/// Fewest words of a share that counts for certain: `half` has many other uses, `two thirds` has none.
const CERTAIN_SHARE: usize = 2;

/// Whether a number may begin with the word.
pub(super) fn may_begin(word: &str, wanted: InWords<'_>) -> bool {
    let idiom = || {
        NOT_NUMBERS
            .iter()
            .any(|phrase| phrase.first().is_some_and(|first| *first == word))
    };
    let begins = |word: &str| {
        [NUMBERS, SHARES, MULTIPLES, SCALES, IMPLIED]
            .iter()
            .any(|values| values.begins(word))
    };
    begins(word) || may_be_compound(word) || (wanted != InWords::All && idiom())
}

fn may_be_compound(word: &str) -> bool {
    word.len() >= SHORTEST_COMPOUND && NUMBERS.longest_prefix_of(word).is_some()
}

/// The quantities that the words begin with, each with the number of its words, and how many words were read.
pub(super) fn read(words: &[&str], wanted: InWords<'_>) -> (Vec<Quantity>, usize) {
    let language = match wanted {
        InWords::Ignored => return (Vec::new(), 0),
        InWords::Of(language) => Some(language),
        InWords::All => None,
    };
    let certain = language.is_some();
    if certain && let Some(idiom) = NOT_NUMBERS.at_start(words).map(<[_]>::len).max() {
        return (Vec::new(), idiom);
    }
    let mut found = Vec::new();
    let mut longest = 0;
    for (_, length, share) in SHARES.at_start(words, language) {
        if !certain || length >= CERTAIN_SHARE {
            found.push(Quantity::Share(share));
            longest = longest.max(length);
        }
    }
    if !certain {
        for (_, length, times) in MULTIPLES.at_start(words, None) {
            found.push(Quantity::Multiple(times));
            longest = longest.max(length);
        }
        for (_, length, count) in IMPLIED.at_start(words, None) {
            found.push(Quantity::Count(count));
            longest = longest.max(length);
        }
    }
    // A claim's share is not a count, too: `two thirds`.
    if certain && !found.is_empty() {
        return (found, longest);
    }
    let mut values: Vec<f64> = Vec::new();
    for language in languages_of(words, language) {
        let Some((value, length)) = count(words, language, certain) else {
            continue;
        };
        if !values.contains(&value) {
            values.push(value);
        }
        longest = longest.max(length);
    }
    found.extend(values.into_iter().map(Quantity::Count));
    (found, longest)
}

/// Languages in which the words may begin with a number.
fn languages_of<'l>(words: &[&str], language: Option<&'l str>) -> Vec<&'l str>
where
    'static: 'l,
{
    if let Some(language) = language {
        return vec![language];
    }
    let mut found: Vec<&str> = NUMBERS
        .at_start(words, None)
        .into_iter()
        .chain(SCALES.at_start(words, None))
        .map(|(code, ..)| code)
        .collect();
    if words.first().is_some_and(|word| may_be_compound(word)) {
        found.extend(NUMBERS.languages());
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The number with which the words begin, and how many words it takes.
fn count(words: &[&str], language: &str, certain: bool) -> Option<(f64, usize)> {
    let mut thousands = 0.0;
    let mut current: Option<f64> = None;
    let mut last = f64::INFINITY;
    let mut at = 0;
    loop {
        let rest = words.get(at..).unwrap_or_default();
        if let Some((length, scale)) = scale(rest, language) {
            // `thousands` alone counts nothing, `mil doscientos` does.
            let behind = rest.get(length..).unwrap_or_default();
            let counts = scale == 1_000.0 && (!certain || part_of(behind, language).is_some());
            if current.is_none() && (!counts || thousands > 0.0) {
                break;
            }
            thousands += current.take().unwrap_or(1.0) * scale;
            last = scale;
            at += length;
            continue;
        }
        let joined = at > 0 && rest.first().is_some_and(|word| JOINTS.contains(word));
        let part = rest.get(usize::from(joined)..).unwrap_or_default();
        let Some((length, value)) = part_of(part, language) else {
            break;
        };
        match current {
            _ if joined && !adds(last, value) => break,
            None if at == 0 || value < last => current = Some(value),
            Some(before) if value >= 100.0 && before < 100.0 && !joined => {
                current = Some(before * value);
            }
            Some(before) if adds(last, value) => current = Some(before + value),
            _ => break,
        }
        last = value;
        at += length + usize::from(joined);
    }
    (at > 0).then_some((thousands + current.unwrap_or(0.0), at))
}

/// Whether a number may be added to the one before: `twenty` and `five`, `hundred` and `twelve`, `soixante` and `douze`.
fn adds(before: f64, value: f64) -> bool {
    let after_tens = (20.0..100.0).contains(&before) && before % 10.0 == 0.0;
    let french = before == 60.0 || before == 80.0;
    value >= 1.0
        && ((after_tens && value < 10.0)
            || (french && value < 20.0)
            || ((100.0..1_000.0).contains(&before) && value < 100.0)
            || ((1_000.0..f64::INFINITY).contains(&before) && value < 1_000.0))
}

fn scale(words: &[&str], language: &str) -> Option<(usize, f64)> {
    let found = SCALES.at_start(words, Some(language));
    let (_, length, value) = found.into_iter().find(|(code, ..)| *code == language)?;
    Some((length, value))
}

fn part_of(words: &[&str], language: &str) -> Option<(usize, f64)> {
    let whole = NUMBERS.at_start(words, Some(language));
    if let Some((_, length, value)) = whole.first() {
        return Some((*length, *value));
    }
    let word = words.first().filter(|word| may_be_compound(word))?;
    Some((1, compound(word, language)?))
}

/// A number that is one word: `funfundzwanzig`, `dreihundert`, `trentacinque`.
fn compound(word: &str, language: &str) -> Option<f64> {
    let pieces = pieces(word, language)?;
    let mut value = 0.0;
    let mut current = 0.0;
    for piece in pieces {
        if piece >= 1_000.0 {
            value += f64::max(current, 1.0) * piece;
            current = 0.0;
        } else if piece >= 100.0 && current > 0.0 && current < 10.0 {
            current *= piece;
        } else {
            current += piece;
        }
    }
    Some(value + current)
}

/// The numbers of which the word consists.
fn pieces(word: &str, language: &str) -> Option<Vec<f64>> {
    let mut found: Vec<f64> = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let begins = (3..=rest.len().min(12))
            .rev()
            .filter_map(|end| Some((end, rest.get(..end)?)))
            .find_map(|(end, part)| {
                // Italian drops a vowel before another: `quarantotto`.
                let known = ["", "a", "i"].iter().find_map(|vowel| {
                    let whole = format!("{part}{vowel}");
                    let known = NUMBERS.at_start(&[whole.as_str()], Some(language));
                    known.first().map(|(.., value)| *value)
                });
                Some((
                    end,
                    known.or_else(|| scale(&[part], language).map(|(_, v)| v))?,
                ))
            });
        if let Some((end, value)) = begins {
            found.push(value);
            rest = rest.get(end..)?;
        } else {
            // The word for `and`, as in `funfundzwanzig`.
            let joint = (1..=3)
                .rev()
                .filter_map(|end| Some((end, rest.get(..end)?)))
                .find(|(_, part)| JOINTS.contains(part))?;
            if found.is_empty() {
                return None;
            }
            rest = rest.get(joint.0..)?;
        }
    }
    (found.len() > 1).then_some(found)
}
