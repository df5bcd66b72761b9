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

    /// The facts of the wanted paths that nobody decided on yet and whose excerpt the prompt shows, each with a number, as many as
    /// `room` characters hold.
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
                .find_map(|excerpt| excerpts.number_of(excerpt.page, &excerpt.text));
            let (Some(carrier), Some(text)) = (carrier, main_text(&claim.value)) else {
                continue;
            };
            let line = format!(
                "F{} ({path}; E{carrier}) {}",
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
                (Some(_), _) | (None, Basis::Stated | Basis::Provided) => 0,
                (None, Basis::Observed) => 1,
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
    if words::fold(&one) == words::fold(&other) {
        return true;
    }
    if !shares_an_excerpt(claim, fact) {
        return false;
    }
    let fills_it = fact
        .excerpts
        .iter()
        .all(|excerpt| other.chars().count() * 3 >= excerpt.text.chars().count() * 2);
    (fills_it && rests_on(claim, fact)) || agree(&one, &other)
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
    use gtm_site_research::evidence::Sentence;
    use gtm_site_research::page::BlockKind;
    use gtm_site_research::roles::Role;
    use serde_json::json;

    fn claim(text: &str, from: &[&str]) -> Claim {
        let excerpts = from.iter().map(|text| Excerpt {
            page: 0,
            text: (*text).to_owned(),
        });
        Claim::stated(text, excerpts.collect())
    }

    /// Facts at `signals`, and what a prompt with all their excerpts shows of them.
    fn shown(facts: &[Claim], room: usize) -> (Found, Shown) {
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
        let shown = found.show(&excerpts, room, |path| path == "signals");
        (found, shown)
    }

    fn decided(facts: &[Claim], decisions: &[&str]) -> Found {
        let (mut found, shown) = shown(facts, 10_000);
        let decisions: Vec<Value> = (1..)
            .zip(decisions)
            .map(|(fact, decision)| json!({"fact": fact, "decision": decision}))
            .collect();
        found.decide(&shown, &json!({"found": decisions}));
        found
    }

    fn texts(list: Vec<Claim>) -> Vec<Value> {
        list.into_iter().map(|claim| claim.value).collect()
    }

    #[test]
    fn a_fact_stands_once() {
        let facts = [
            claim("The loan", &["The loan pays for pumps."]),
            claim("A head", &["A new head."]),
        ];
        let written = vec![claim("Loan", &["The loan pays for pumps."])];
        let list = |decisions: &[&str]| {
            texts(decided(&facts, decisions).beside("signals", written.clone()))
        };
        assert_eq!(list(&[]), [json!("Loan"), json!("A head")]);
        assert_eq!(list(&["keep", "reject"]), [json!("The loan")]);
        assert_eq!(list(&["reject", "reject"]), [json!("Loan")]);
    }

    #[test]
    fn a_kept_fact_does_not_push_out_a_claim_that_says_more() {
        let row = "Loan of 18 million for pumps and doors.";
        let facts = [claim("Loan of 18 million", &[row])];
        let found = decided(&facts, &["keep"]);
        let fuller = claim("A loan of 18 million pays for the pumps", &[row]);
        let list = |claim: &Claim| texts(found.beside("signals", vec![claim.clone()]));
        assert_eq!(list(&fuller), std::slice::from_ref(&fuller.value));
        let further = claim(
            "The loan of 18 million is green",
            &[row, "It is a green loan."],
        );
        assert_eq!(list(&further), std::slice::from_ref(&further.value));
        let thinner = claim("A loan of millions", &[row]);
        assert_eq!(list(&thinner), [json!("Loan of 18 million")]);
        assert_eq!(
            found.or("signals", Some(fuller.clone())),
            Some(fuller),
            "one value, too"
        );
    }

    #[test]
    fn two_facts_of_one_row_both_stand() {
        let row = "Customers: Harrow Dairies, Finch Foods, Northern Rail and others all over the north of England";
        let facts = [
            claim("Harrow Dairies", &[row]),
            claim("Finch Foods", &[row]),
        ];
        for decisions in [&[][..], &["keep", "keep"], &["merge", "merge"]] {
            let found = decided(&facts, decisions);
            let written = vec![
                claim("Northern Rail", &[row]),
                claim("Finch Foods Ltd", &[row]),
            ];
            let list = texts(found.beside("signals", written));
            for name in ["Northern Rail", "Finch Foods Ltd", "Harrow Dairies"] {
                assert!(list.contains(&json!(name)), "{name}: {list:?}");
            }
            assert_eq!(list.len(), 3, "{list:?}");
        }
    }

    #[test]
    fn a_fact_that_nobody_decided_on_does_not_replace_what_the_model_wrote() {
        let facts = [
            claim("Wrong line", &["A wrong line."]),
            claim("Second line", &["A second line."]),
        ];
        let better = Some(claim("Right", &["A right line."]));
        let or = |decisions: &[&str], written: &Option<Claim>| {
            decided(&facts, decisions).or("signals", written.clone())
        };
        assert_eq!(or(&[], &better), better);
        assert_eq!(or(&["merge"], &better), better);
        assert_eq!(or(&["keep"], &better), Some(facts[0].clone()));
        assert_eq!(or(&[], &None), Some(facts[0].clone()));
        assert_eq!(or(&["reject"], &None), Some(facts[1].clone()));
        assert_eq!(or(&["reject", "reject"], &None), None);
        let (found, _) = shown(&facts, 0);
        assert_eq!(found.or("signals", better.clone()), better);
        assert_eq!(found.or("elsewhere", None), None);
    }

    #[test]
    fn a_long_fact_hides_no_shorter_one_and_answers_decide_on_their_own() {
        let long = "A long line that takes more room than there is. ".repeat(3);
        let facts = [
            claim(&long, &[long.as_str()]),
            claim("Short", &["A short line."]),
        ];
        let (mut found, shown) = shown(&facts, 60);
        assert_eq!(shown.text, "F2 (signals; E2) Short");
        let both = json!({"found": [{"fact": 1, "decision": "reject"}, {"fact": "F2", "decision": "reject"}, {"fact": 9, "decision": "keep"}]});
        found.decide(&shown, &both);
        assert_eq!(found.rejected(), 1);
        assert_eq!(found.beside("signals", Vec::new()).len(), 1);
    }

    #[test]
    fn of_too_many_the_best_supported_stay_in_order() {
        let facts = [claim("A fact", &["A fact."])];
        let of = |text: &str, basis| Claim {
            basis,
            ..claim(text, &["Some other line."])
        };
        let written = vec![
            of("First guess", Basis::Inferred),
            of("Confirmed", Basis::Observed),
            of("Second guess", Basis::Inferred),
            of("Quoted", Basis::Stated),
        ];
        let list = |decisions: &[&str], most| {
            let found = decided(&facts, decisions);
            let all = found.beside("signals", written.clone());
            texts(found.best("signals", all, most))
        };
        assert_eq!(list(&[], 2), [json!("Confirmed"), json!("Quoted")]);
        assert_eq!(
            list(&[], 3),
            [json!("First guess"), json!("Confirmed"), json!("Quoted")]
        );
        assert_eq!(list(&["keep"], 2), [json!("Quoted"), json!("A fact")]);
    }
}
