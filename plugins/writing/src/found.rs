//! Facts that were found without a model: the model is shown them and decides what becomes of each, so that a fact stands only
//! once.

use std::collections::BTreeMap;

use gtm_site_research::claim::Claim;
use gtm_site_research::words;
use serde_json::Value;

use crate::answer::number;
use crate::excerpts::Excerpts;
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
    /// By index; a fact that the model did not see has none.
    shown: BTreeMap<usize, Option<Decision>>,
}

impl Found {
    /// Adds facts of a path.
    pub fn add(&mut self, path: &str, claims: impl IntoIterator<Item = Claim>) {
        self.facts
            .extend(claims.into_iter().map(|claim| (path.to_owned(), claim)));
    }

    /// The facts as a prompt shows them: those whose excerpt it shows, each with a number, as many as `room` characters hold. Empty
    /// if there is none.
    pub fn show(&mut self, excerpts: &Excerpts, room: usize) -> String {
        let mut lines: Vec<String> = Vec::new();
        let mut used = 0;
        for (index, (path, claim)) in self.facts.iter().enumerate() {
            let carrier = claim
                .excerpts
                .iter()
                .find_map(|excerpt| excerpts.number_of(excerpt.page, &excerpt.text));
            let (Some(carrier), Some(text)) = (carrier, main_text(&claim.value)) else {
                continue;
            };
            let line = format!(
                "F{} ({path}; E{carrier}) {}",
                index + 1,
                neutral(&one_line(&text, LONGEST))
            );
            used += line.chars().count() + 1;
            if used > room {
                break;
            }
            self.shown.insert(index, None);
            lines.push(line);
        }
        lines.join("\n")
    }

    /// Takes the decisions of an answer.
    pub fn decide(&mut self, answer: &Value) {
        let decisions = answer.get("found").and_then(Value::as_array);
        for decision in decisions.into_iter().flatten() {
            let fact = match decision.get("fact") {
                Some(Value::String(text)) => text.trim_start_matches(['F', 'f']).parse().ok(),
                Some(other) => number(other),
                None => None,
            };
            let index = fact
                .and_then(|fact| usize::try_from(fact).ok())
                .and_then(|fact| fact.checked_sub(1));
            let word = decision.get("decision").and_then(Value::as_str);
            let decided = [Decision::Keep, Decision::Merge, Decision::Reject]
                .into_iter()
                .zip(DECISIONS)
                .find(|(_, known)| Some(*known) == word);
            if let (Some(index), Some((decided, _))) = (index, decided)
                && let Some(known) = self.shown.get_mut(&index)
            {
                known.get_or_insert(decided);
            }
        }
    }

    /// The list of a path: the model's claims, and the facts that stay beside them.
    pub fn beside(&self, path: &str, written: Vec<Claim>) -> Vec<Claim> {
        let mut written = written;
        let mut kept = Vec::new();
        for (index, (_, fact)) in self.at(path) {
            let has_twin = written.iter().any(|claim| is_same(claim, fact));
            match self.shown.get(&index) {
                Some(Some(Decision::Reject)) => {}
                // The model didn't see it, or wants the site's own words.
                None | Some(Some(Decision::Keep)) => {
                    written.retain(|claim| !rests_on(claim, fact));
                    kept.push(fact.clone());
                }
                Some(None | Some(Decision::Merge)) if has_twin => {}
                Some(None | Some(Decision::Merge)) => kept.push(fact.clone()),
            }
        }
        written.extend(kept);
        written
    }

    /// The one claim of a path: the fact, unless the model replaced or rejected it.
    pub fn or(&self, path: &str, written: Option<Claim>) -> Option<Claim> {
        let Some((index, (_, fact))) = self.at(path).next() else {
            return written;
        };
        match self.shown.get(&index) {
            Some(Some(Decision::Reject)) => written,
            Some(Some(Decision::Merge)) => written.or_else(|| Some(fact.clone())),
            _ => Some(fact.clone()),
        }
    }

    fn at<'a>(&'a self, path: &'a str) -> impl Iterator<Item = (usize, &'a (String, Claim))> {
        let facts = self.facts.iter().enumerate();
        facts.filter(move |(_, (known, _))| known == path)
    }
}

/// Whether two claims say the same: in the same words, or from the same excerpt.
fn is_same(one: &Claim, other: &Claim) -> bool {
    let text = |claim: &Claim| main_text(&claim.value).map(|text| words::fold(&text));
    text(one) == text(other) || shares_an_excerpt(one, other)
}

fn shares_an_excerpt(one: &Claim, other: &Claim) -> bool {
    one.excerpts.iter().any(|excerpt| {
        other.excerpts.iter().any(|known| {
            known.page == excerpt.page
                && (known.text.contains(&excerpt.text) || excerpt.text.contains(&known.text))
        })
    })
}

/// Whether a claim says nothing beyond a fact: the same words, or all of its excerpts are the fact's.
fn rests_on(claim: &Claim, fact: &Claim) -> bool {
    let text = |claim: &Claim| main_text(&claim.value).map(|text| words::fold(&text));
    text(claim) == text(fact)
        || (!claim.excerpts.is_empty()
            && claim.excerpts.iter().all(|excerpt| {
                let alone = Claim {
                    excerpts: vec![excerpt.clone()],
                    ..claim.clone()
                };
                shares_an_excerpt(&alone, fact)
            }))
}

/// The text that identifies a value: the value itself, or its first text other than its key.
#[must_use]
pub fn main_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(members) => ["role", "signal", "text"]
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
mod tests {
    use super::*;
    use gtm_site_research::claim::Excerpt;
    use gtm_site_research::evidence::Sentence;
    use gtm_site_research::page::BlockKind;
    use gtm_site_research::roles::Role;
    use serde_json::json;

    fn claim(text: &str, from: &str) -> Claim {
        let excerpt = Excerpt {
            page: 0,
            text: from.to_owned(),
        };
        Claim::stated(text, vec![excerpt])
    }

    fn shown(facts: &[Claim]) -> Found {
        let excerpts = Excerpts {
            all: facts
                .iter()
                .enumerate()
                .map(|(position, fact)| Sentence {
                    page: 0,
                    block: position,
                    position,
                    role: Role::News,
                    kind: BlockKind::Paragraph,
                    text: fact.excerpts[0].text.clone(),
                    folded: String::new(),
                })
                .collect(),
            text: String::new(),
        };
        let mut found = Found::default();
        found.add("signals", facts.to_vec());
        assert_eq!(found.show(&excerpts, 10_000).lines().count(), facts.len());
        found
    }

    #[test]
    fn a_fact_stands_once() {
        let facts = [
            claim("The loan", "The loan pays for pumps."),
            claim("A head", "A new head."),
        ];
        let mut found = shown(&facts);
        let written = vec![claim("A loan for pumps", "The loan pays for pumps.")];
        let list = |found: &Found| -> Vec<Value> {
            let list = found.beside("signals", written.clone());
            list.into_iter().map(|claim| claim.value).collect()
        };
        assert_eq!(list(&found), [json!("A loan for pumps"), json!("A head")]);
        found.decide(&json!({"found": [{"fact": 1, "decision": "keep"}, {"fact": "F2", "decision": "reject"}, {"fact": 9, "decision": "keep"}]}));
        assert_eq!(list(&found), [json!("The loan")]);
    }

    #[test]
    fn one_value_is_the_site_s_unless_the_model_knows_better() {
        let facts = [claim("Wrong line", "A wrong line.")];
        let mut found = shown(&facts);
        let better = Some(claim("Right", "A right line."));
        assert_eq!(found.or("signals", better.clone()), Some(facts[0].clone()));
        found.decide(&json!({"found": [{"fact": 1, "decision": "reject"}]}));
        assert_eq!(found.or("signals", better.clone()), better);
        assert_eq!(found.or("elsewhere", None), None);
    }
}
