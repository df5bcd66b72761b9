//! The founding year that a sentence gives.

use gtm_lexicon::Words;
use gtm_lexicon::company::THE_COMPANY;
use gtm_lexicon::founding::{
    ARTICLES, BEGAN, BEHIND_OBJECTS, CAPITALIZED_ARTICLES, CLAUSE_ENDS, EXPERIENCE, FOLLOWS,
    FOUNDED, FOUNDS_IT, GENERATIONS, IN_BUSINESS, LEADS, ON_THE_MARKET, OTHER_OBJECTS, OTHERS, OUR,
    SERVING, SINCE, STARTED, WITHOUT,
};
use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::places::STREETS_AT;
use gtm_lexicon::trade::BUSINESSES;
use gtm_site_research::dates;
use gtm_site_research::words;

/// Most words of a sentence that says since when there is the business.
const LONGEST_OF_BUSINESS: usize = 20;

/// How surely a sentence gives the founding year, the least sure first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Said {
    /// By a word such as `since` beside experience, which may be older or younger than the company.
    OfExperience,
    /// By a word such as `since`.
    Since,
    /// By a verb such as `founded`.
    ByVerb,
}

/// A founding year, and how it is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Founded {
    /// The founding year.
    pub year: i64,
    /// How the sentence says it.
    pub said: Said,
}

/// Parses a word as a year.
pub fn year(text: &str) -> Option<i64> {
    (text.len() == 4)
        .then(|| text.parse::<i64>().ok())
        .flatten()
        .filter(|year| (1500..=2099).contains(year))
}

/// The first year in the value of a label: four digits, or a year of a Japanese era.
pub fn year_in(folded: &str) -> Option<i64> {
    let plain = folded.split(|c: char| !c.is_ascii_digit()).find_map(year);
    plain.or_else(|| Some(gtm_lexicon::year_of_era(folded)?.0))
}

/// Whether a value is a date or a year and nothing else.
pub fn is_date(value: &str) -> bool {
    let folded = words::fold(value);
    let marks = |c: char| {
        c.is_ascii_digit()
            || c.is_whitespace()
            || matches!(c, '年' | '月' | '日' | '(' | ')' | '（' | '）' | '.')
    };
    let year = year_in(&folded).is_some();
    let bare = folded.chars().filter(|c| !marks(*c)).count();
    year && (bare == 0 || value.contains('年') && bare <= 2 || dates::is_only_a_date(value))
}

/// Whether a verb between the two positions founds the company and not something else: checks the word after
/// it.
fn founds(words: &[&str], from: usize, to: usize, names: &[String]) -> bool {
    (from..to.min(words.len())).any(|at| {
        let is_verb = words.get(at).is_some_and(|word| FOUNDED.contains(word));
        let rest = words.get(at + 1..).unwrap_or_default();
        is_verb
            && rest.first().is_none_or(|next| {
                year(next).is_some()
                    || FOLLOWS.open(rest)
                    || names.iter().any(|name| name == next)
                    || words.get(at).is_some_and(|verb| CLAUSE_ENDS.contains(verb))
            })
    })
}

/// Whether a German clause ends with the participle and mentions the company: `2011 haben sie das Unternehmen
/// in einer alten Bootshalle gegründet`.
fn ends_with_participle(words: &[&str], year_at: usize) -> bool {
    let rest = words.get(year_at..).unwrap_or_default();
    rest.last().is_some_and(|last| CLAUSE_ENDS.contains(last))
        && THE_COMPANY.any_in(rest)
        && rest.iter().filter(|word| year(word).is_some()).count() == 1
}

/// Whether a German sentence about the company itself ends with the participle and has one year: `Die Acme wurde am
/// 1. April 2013 von Anna Beck am alten Hafen der kleinen Stadt gegründet`.
fn is_founded_at_its_end(words: &[&str]) -> bool {
    words.last().is_some_and(|last| CLAUSE_ENDS.contains(last))
        && words.iter().filter(|word| year(word).is_some()).count() == 1
        && !OTHER_OBJECTS
            .places(words)
            .any(|(at, _)| !is_where(words.get(..at).unwrap_or_default()))
}

/// Most words by which a text says that a place follows, and a word about that: `am heutigen`, `in der alten`.
const BEFORE_PLACE: usize = 3;

/// Whether words end as before a place where something is done, and not before what is done.
fn is_where(before: &[&str]) -> bool {
    let near = before.get(before.len().saturating_sub(BEFORE_PLACE)..);
    let near = near.unwrap_or_default();
    STREETS_AT
        .places(near)
        .any(|(at, phrase)| near.len() <= at + phrase.len() + 1)
}

/// Whether words say that something has been so for the whole business, and not for one of its things: a crane is on the
/// market, too. `is_own` tells whether a text is about the company.
fn is_of_business(sentence: &str, words: &[&str], is_own: impl Fn(&str) -> bool) -> bool {
    let mut said = IN_BUSINESS.places(words);
    let only_of_business = said.any(|(at, _)| {
        let rest = words.get(at..).unwrap_or_default();
        !ON_THE_MARKET.open(rest)
    });
    let without_our = || {
        let others = sentence.split_whitespace().filter(|word| {
            let folded = words::fold(word);
            let word = words::split(&folded).join(" ");
            !OUR.has_word(&word)
        });
        others.collect::<Vec<_>>().join(" ")
    };
    // `Unsere Schreinerei besteht seit 1950.`
    let our_business = || {
        OUR.places(words).any(|(at, phrase)| {
            let behind = words.get(at + phrase.len()..).unwrap_or_default();
            BUSINESSES.open(behind)
        })
    };
    // Machines have generations, too, but nobody's name.
    let of_family =
        || GENERATIONS.any_in(words) && words.iter().any(|word| GIVEN_NAMES.contains(word));
    IN_BUSINESS.any_in(words)
        && is_own(sentence)
        && (only_of_business
            || THE_COMPANY.any_in(words)
            || our_business()
            || of_family()
            || is_own(&without_our()))
}

/// Whether the company follows a verb of beginning, at most a few words before or after the year.
fn starts_company(words: &[&str], year_at: usize, names: &[String]) -> bool {
    (year_at.saturating_sub(10)..words.len().min(year_at + 10)).any(|at| {
        let rest = words.get(at..).unwrap_or_default();
        STARTED.at_start(rest).any(|verb| {
            let object = rest.get(verb.len()..).unwrap_or_default();
            let it = matches!(verb, [verb] if FOUNDS_IT.contains(verb))
                && object.first().is_some_and(|word| ARTICLES.contains(word))
                && !OTHER_OBJECTS.any_in(object.get(..4).unwrap_or(object));
            it || THE_COMPANY.open(object)
                || object
                    .first()
                    .is_some_and(|word| names.iter().any(|name| name == word))
        })
    })
}

/// Whether a founding verb and an article introduce a named company that is not this one: `founded the
/// instrument maker Farrance`. Names are recognized by the capitals in the original sentence.
fn founds_another(sentence: &str, names: &[String]) -> bool {
    let is_break = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’' | '-');
    let tokens: Vec<(&str, String)> = sentence
        .split(is_break)
        .filter(|token| !token.is_empty())
        .map(|token| (token, words::fold(token)))
        .collect();
    let is = |at: usize, list: Words| {
        let token = tokens.get(at);
        token.is_some_and(|(_, folded)| list.contains(folded))
    };
    (0..tokens.len()).any(|at| {
        if !is(at, FOUNDS_IT) || !is(at + 1, ARTICLES) {
            return false;
        }
        let object: Vec<&(&str, String)> = tokens
            .iter()
            .skip(at + 2)
            .take_while(|(_, folded)| !BEHIND_OBJECTS.contains(folded) && year(folded).is_none())
            .collect();
        let capitals = object
            .iter()
            .filter(|(token, _)| token.chars().next().is_some_and(char::is_uppercase))
            .count();
        let nouns = usize::from(is(at + 1, CAPITALIZED_ARTICLES));
        let own = object.iter().any(|(_, folded)| names.contains(folded));
        capitals > nouns && !own
    })
}

/// The founding year that a sentence gives. `is_own` tells whether a text is about the company; `names` holds
/// the first words of its names.
pub fn founding_year(
    sentence: &str,
    names: &[String],
    is_own: impl Fn(&str) -> bool,
) -> Option<Founded> {
    let folded = words::fold(sentence);
    let words = words::split(&folded);
    if OTHERS.any_in(&words) || founds_another(sentence, names) {
        return None;
    }
    let short = words.len() <= 8;
    let tells_otherwise = WITHOUT.any_in(&words) || LEADS.any_in(&words);
    for (at, word) in words.iter().enumerate() {
        let Some(year) = year(word) else { continue };
        let before = words.get(at.saturating_sub(6)..at).unwrap_or_default();
        let after = words
            .get(at + 1..(at + 9).min(words.len()))
            .unwrap_or_default();
        let from = at.saturating_sub(6);
        let founded = founds(&words, from, at, names) || founds(&words, at + 1, at + 9, names);
        let began = short && (BEGAN.any_in(before) || BEGAN.any_in(after));
        let started = starts_company(&words, at, names) || ends_with_participle(&words, at);
        let founded = founded || is_founded_at_its_end(&words);
        if founded && (short || is_own(sentence)) || began || started {
            return Some(Founded {
                year,
                said: Said::ByVerb,
            });
        }
        let since = before.last().is_some_and(|word| SINCE.has_word(word));
        // `Since 1988 we …`: the company has been there for so long.
        let we = || {
            words.get(at + 1).is_some_and(|next| is_own(next))
                || words.get(at + 1..).is_some_and(|rest| SERVING.open(rest))
        };
        let since_said = if short && EXPERIENCE.any_in(&words) {
            Said::OfExperience
        } else {
            Said::Since
        };
        if since && at == 1 && we() && !tells_otherwise {
            return Some(Founded {
                year,
                said: since_said,
            });
        }
        // A longer sentence may date anything, unless it says that it is the business.
        let of_business = || {
            words.len() <= LONGEST_OF_BUSINESS
                && is_of_business(sentence, &words, &is_own)
                && words
                    .iter()
                    .filter(|word| self::year(word).is_some())
                    .count()
                    == 1
        };
        if since && !short && !tells_otherwise && of_business() {
            return Some(Founded {
                year,
                said: Said::Since,
            });
        }
        if since
            && short
            && words.len() >= 2
            && at + 1 >= words.len().saturating_sub(5)
            && !tells_otherwise
        {
            return Some(Founded {
                year,
                said: since_said,
            });
        }
    }
    None
}

#[cfg(test)]
mod tests;
