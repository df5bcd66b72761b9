//! Facts that were found without a model: the model is shown them and decides what becomes of each, so that a fact stands only
//! once.

use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::words::STOPWORDS;
use gtm_site_research::claim::{Basis, Claim, Excerpt};
use gtm_site_research::words;
use serde_json::Value;

use crate::answer::number;
use crate::excerpts::{Excerpts, is_unspaced};
use crate::prompt::{neutral, one_line};
use crate::schema::DECISIONS;

/// Longest text of a fact in the prompt, in characters.
const LONGEST: usize = 200;

/// What becomes of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It stays as it is.
    Keep,
    /// The model's own claim says it, too.
    Merge,
    /// It is none.
    Reject,
}

/// Facts that rules found, by the path where they belong.
#[derive(Debug, Clone, Default)]
pub struct Found {
    facts: Vec<(String, Claim)>,
    /// By index; nothing for a fact on which the model did not decide.
    decided: BTreeMap<usize, Decision>,
    /// Those that a call showed which was answered.
    judged: BTreeSet<usize>,
}

/// The facts that one call shows.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// As the prompt shows them; empty if there is none.
    pub text: String,
    facts: BTreeSet<usize>,
}

impl Found {
    /// Adds facts of a path.
    pub fn add(&mut self, path: &str, claims: impl IntoIterator<Item = Claim>) {
        self.facts
            .extend(claims.into_iter().map(|claim| (path.to_owned(), claim)));
    }

    /// The facts of the wanted paths that nobody decided on yet, each with a number and the excerpt or the page that has it, as many
    /// as `room` characters hold.
    pub fn show(&self, excerpts: &Excerpts, room: usize, wanted: impl Fn(&str) -> bool) -> Shown {
        let mut lines: Vec<String> = Vec::new();
        let mut shown = Shown::default();
        let mut left = room;
        for (index, (path, claim)) in self.facts.iter().enumerate() {
            if self.decided.contains_key(&index) || !wanted(path) {
                continue;
            }
            let carrier = claim
                .excerpts
                .iter()
                .find_map(|excerpt| excerpts.number_of(excerpt.page, &excerpt.text))
                .map(|number| format!("E{number}"));
            // What a page says in its head, in the text for an image or where no room was left is no excerpt, and can still be
            // judged.
            let behind = claim.excerpts.first();
            let carrier = carrier.or_else(|| Some(format!("page {}", behind?.page + 1)));
            let (Some(carrier), Some(text)) = (carrier, main_text(&claim.value)) else {
                continue;
            };
            let line = format!(
                "F{} ({path}; {carrier}) {}",
                index + 1,
                neutral(&one_line(&text, LONGEST))
            );
            let Some(rest) = left.checked_sub(line.chars().count() + 1) else {
                continue;
            };
            left = rest;
            shown.facts.insert(index);
            lines.push(line);
        }
        shown.text = lines.join("\n");
        shown
    }

    /// Takes the decisions of an answer on the facts that its call showed.
    pub fn decide(&mut self, shown: &Shown, answer: &Value) {
        self.judged.extend(&shown.facts);
        let decisions = answer.get("found").and_then(Value::as_array);
        for decision in decisions.into_iter().flatten() {
            let fact = match decision.get("fact") {
                Some(Value::String(text)) => text.trim_start_matches(['F', 'f']).parse().ok(),
                Some(other) => number(other),
                None => None,
            };
            let index = fact
                .and_then(|fact| usize::try_from(fact).ok())
                .and_then(|fact| fact.checked_sub(1))
                .filter(|index| shown.facts.contains(index));
            let word = decision.get("decision").and_then(Value::as_str);
            let decided = [Decision::Keep, Decision::Merge, Decision::Reject]
                .into_iter()
                .zip(DECISIONS)
                .find(|(_, known)| Some(*known) == word);
            if let (Some(index), Some((decided, _))) = (index, decided) {
                self.decided.entry(index).or_insert(decided);
            }
        }
    }

    /// The list of a path: the model's claims, and the facts that stay beside them.
    pub fn beside(&self, path: &str, written: Vec<Claim>) -> Vec<Claim> {
        let mut written = written;
        let mut kept = Vec::new();
        for (index, fact) in self.at(path) {
            let fuller = written
                .iter()
                .any(|claim| is_twin(claim, fact) && says_more(claim, fact));
            let has_twin = fuller || written.iter().any(|claim| is_twin(claim, fact));
            match self.decided.get(&index) {
                Some(Decision::Reject) => {}
                // The model says that its own claim has it; a row of several facts does not tell which.
                Some(Decision::Merge)
                    if has_twin
                        || (fills_its_excerpts(fact) || self.is_alone(path, index))
                            && written.iter().any(|claim| shares_an_excerpt(claim, fact)) => {}
                None if self.is_passed_over(path, index) => {}
                // The model wants the site's own words.
                Some(Decision::Keep) if !fuller => {
                    written.retain(|claim| !is_twin(claim, fact));
                    kept.push(fact.clone());
                }
                _ if has_twin => {}
                _ => kept.push(fact.clone()),
            }
        }
        written.extend(kept);
        written
    }

    /// Whether no other fact of the path stands in the excerpts of this one.
    fn is_alone(&self, path: &str, index: usize) -> bool {
        let own = self.facts.get(index).map(|(_, fact)| fact);
        own.is_some_and(|own| {
            !self
                .at(path)
                .any(|(other, fact)| other != index && shares_an_excerpt(fact, own))
        })
    }

    /// Whether the model judged others of the path and this one had no room: a fact that no reader saw is left out where a reader
    /// chose. One without excerpts is no page's, and none that a reader could judge.
    fn is_passed_over(&self, path: &str, index: usize) -> bool {
        let fact = self.facts.get(index).map(|(_, fact)| fact);
        fact.is_some_and(|fact| !fact.excerpts.is_empty() && main_text(&fact.value).is_some())
            && !self.judged.contains(&index)
            && self.at(path).any(|(other, _)| self.judged.contains(&other))
    }

    /// How many of the claims are facts that the model wants to keep.
    pub fn kept(&self, path: &str, claims: &[Claim]) -> usize {
        self.at(path)
            .filter(|(index, _)| self.decided.get(index) == Some(&Decision::Keep))
            .filter(|(_, fact)| claims.contains(fact))
            .count()
    }

    /// At most this many claims of a list in their order: those that are supported best.
    pub fn best(&self, path: &str, claims: Vec<Claim>, most: usize) -> Vec<Claim> {
        if claims.len() <= most {
            return claims;
        }
        let rank = |claim: &Claim| {
            let fact = self.at(path).find(|(_, fact)| *fact == claim);
            match (fact, claim.basis) {
                // What rules found and nobody looked at says less than what a reader confirmed.
                (Some((index, _)), _) if self.decided.get(&index) != Some(&Decision::Keep) => 2,
                (None, Basis::Stated | Basis::Provided) => 0,
                (Some(_), _) | (None, Basis::Observed) => 1,
                (None, Basis::Inferred) if is_full(&claim.value) => 1,
                (None, Basis::Inferred) => 2,
            }
        };
        let mut order: Vec<(u8, usize)> = claims
            .iter()
            .enumerate()
            .map(|(at, claim)| (rank(claim), at))
            .collect();
        order.sort_unstable();
        let chosen: BTreeSet<usize> = order.into_iter().take(most).map(|(_, at)| at).collect();
        claims
            .into_iter()
            .enumerate()
            .filter(|(at, _)| chosen.contains(at))
            .map(|(_, claim)| claim)
            .collect()
    }

    /// The one claim of a path: what the model wrote, unless it prefers a fact or wrote nothing.
    pub fn or(&self, path: &str, written: Option<Claim>) -> Option<Claim> {
        let stands = |wanted: Option<Decision>| {
            let mut facts = self.at(path);
            facts.find_map(|(index, fact)| {
                let decided = self.decided.get(&index).copied();
                let fits = match wanted {
                    Some(_) => decided == wanted,
                    None => decided != Some(Decision::Reject),
                };
                fits.then(|| fact.clone())
            })
        };
        match (written, stands(Some(Decision::Keep))) {
            (Some(claim), Some(fact)) if is_twin(&claim, &fact) && says_more(&claim, &fact) => {
                Some(claim)
            }
            (_, Some(fact)) => Some(fact),
            (Some(claim), None) => Some(claim),
            (None, None) => stands(None),
        }
    }

    /// How many facts the model rejected.
    pub fn rejected(&self) -> usize {
        let decided = self.decided.values();
        decided.filter(|known| **known == Decision::Reject).count()
    }

    fn at<'a>(&'a self, path: &'a str) -> impl Iterator<Item = (usize, &'a Claim)> {
        let facts = self.facts.iter().enumerate();
        facts
            .filter(move |(_, (known, _))| known == path)
            .map(|(index, (_, fact))| (index, fact))
    }
}

/// Whether a claim says what a fact says: in the same words, or from the same excerpt and with its words. An excerpt may be a whole
/// list, so it alone does not tell, unless there is nothing in it but the fact.
fn is_twin(claim: &Claim, fact: &Claim) -> bool {
    let text = |claim: &Claim| main_text(&claim.value).unwrap_or_default();
    let (one, other) = (text(claim), text(fact));
    if words::fold(&one) == words::fold(&other) || has_the_same_words(&one, &other) {
        return true;
    }
    if !shares_an_excerpt(claim, fact) {
        return false;
    }
    (fills_its_excerpts(fact) && rests_on(claim, fact)) || agree(&one, &other)
}

/// Whether two texts have the same words, apart from what brackets at the end explain: `VRD (voirie et réseaux divers)`.
fn has_the_same_words(one: &str, other: &str) -> bool {
    let bare = |text: &str| {
        let explained = text.trim_end().ends_with([')', '）']);
        match text.split_once(['(', '（']) {
            Some((before, _)) if explained && !before.trim().is_empty() => subject(before),
            _ => subject(text),
        }
    };
    let (one, other) = (bare(one), bare(other));
    !one.is_empty() && one == other
}

/// Whether there is nothing in its excerpts but the fact.
fn fills_its_excerpts(fact: &Claim) -> bool {
    let text = main_text(&fact.value).unwrap_or_default();
    fact.excerpts
        .iter()
        .all(|excerpt| text.chars().count() * 3 >= excerpt.text.chars().count() * 2)
}

/// Whether more than half of the words of the shorter text stand in the other one.
fn agree(one: &str, other: &str) -> bool {
    let (one, other) = (subject(one), subject(other));
    let shared = one.intersection(&other).count();
    shared * 2 > one.len().min(other.len())
}

/// Whether a claim holds all words of a fact and more, or has further evidence.
fn says_more(claim: &Claim, fact: &Claim) -> bool {
    let words_of = |claim: &Claim| subject(&main_text(&claim.value).unwrap_or_default());
    let (said, known) = (words_of(claim), words_of(fact));
    (said.len() > known.len() && said.is_superset(&known))
        || (shares_an_excerpt(claim, fact) && !rests_on(claim, fact))
}

/// The words that tell what a text is about, cut so that their forms agree: numbers and short names count, too. Scripts without
/// spaces are taken by pairs of letters.
pub(crate) fn subject(text: &str) -> BTreeSet<String> {
    let folded = words::fold(text);
    let mut found = BTreeSet::new();
    for word in words::split(&folded) {
        let letters: Vec<char> = word.chars().collect();
        if letters.iter().any(|c| is_unspaced(*c)) && letters.len() > 2 {
            found.extend(
                letters
                    .windows(2)
                    .map(|pair| pair.iter().collect::<String>()),
            );
        } else if !STOPWORDS.contains(word) {
            found.insert(letters.iter().take(5).collect());
        }
    }
    found
}

fn shares_an_excerpt(one: &Claim, other: &Claim) -> bool {
    one.excerpts
        .iter()
        .any(|excerpt| other.excerpts.iter().any(|known| overlaps(excerpt, known)))
}

/// Whether all of a claim's excerpts are the fact's.
fn rests_on(claim: &Claim, fact: &Claim) -> bool {
    claim
        .excerpts
        .iter()
        .all(|excerpt| fact.excerpts.iter().any(|known| overlaps(excerpt, known)))
}

fn overlaps(one: &Excerpt, other: &Excerpt) -> bool {
    one.page == other.page && (one.text.contains(&other.text) || other.text.contains(&one.text))
}

/// Fewest members of an object that says more than a label.
const FULL: usize = 3;

/// Whether a value has several members, such as a segment with its needs and pains. A label says less, however well it is borne out.
fn is_full(value: &Value) -> bool {
    let is_filled = |member: &&Value| match member {
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    };
    let members = value
        .as_object()
        .into_iter()
        .flat_map(|members| members.values());
    members.filter(is_filled).count() >= FULL
}

/// The text that identifies a value: the value itself, or its first text other than its key.
#[must_use]
pub fn main_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(members) => ["role", "signal", "text", "label", "name", "statement"]
            .into_iter()
            .find_map(|name| members.get(name).and_then(Value::as_str))
            .or_else(|| {
                members
                    .iter()
                    .filter(|(name, _)| *name != "key")
                    .find_map(|(_, member)| member.as_str())
            })
            .map(str::to_owned),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
