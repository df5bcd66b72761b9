//! What several places say of one fact: agreement adds up, contradiction is kept.

use gtm_site_research::claim::{Claim, Excerpt};
use serde_json::Value;

use crate::draft::{Candidate, Draft, One};

/// Excerpts of one value that are kept.
const MOST_EXCERPTS: usize = 4;
/// Values of one conflict that are kept.
const MOST_CANDIDATES: usize = 4;
/// Places that are heard; a page that says a thousand things says nothing.
const MOST_STATEMENTS: usize = 400;

/// One place that says something of a fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// What makes two statements the same, in folded form.
    pub key: String,
    /// The value, as it is to stand.
    pub value: Value,
    /// The words.
    pub excerpts: Vec<Excerpt>,
    /// How much the place counts: more for a visible text than for structured data, more for a legal page
    /// than for a slogan, least for strangers.
    pub weight: u32,
}

/// Fill the field with the value that is said most, and record the others. Of equally well supported
/// values none stands.
pub fn settle(draft: &mut Draft, field: One, statements: Vec<Statement>) {
    let mut groups: Vec<Statement> = Vec::new();
    for statement in statements.into_iter().take(MOST_STATEMENTS) {
        match groups.iter_mut().find(|group| group.key == statement.key) {
            None => groups.push(statement),
            Some(group) => {
                // The same words twice, as in a footer, are one statement.
                let new: Vec<Excerpt> = statement
                    .excerpts
                    .into_iter()
                    .filter(|excerpt| {
                        group
                            .excerpts
                            .iter()
                            .all(|known| known.text != excerpt.text)
                    })
                    .collect();
                if !new.is_empty() {
                    group.weight += statement.weight;
                    group.excerpts.extend(new);
                    group.excerpts.truncate(MOST_EXCERPTS);
                }
            }
        }
    }
    // Stable: of equal ones the first said stands first.
    groups.sort_by_key(|group| std::cmp::Reverse(group.weight));
    let stands = match groups.as_slice() {
        [] => return,
        [_] => true,
        [first, second, ..] => first.weight > second.weight,
    };
    if groups.len() > 1 {
        let candidates = groups
            .iter()
            .take(MOST_CANDIDATES)
            .map(|group| Candidate {
                value: group.value.clone(),
                excerpts: group.excerpts.clone(),
            })
            .collect();
        draft.conflict(field, candidates);
    }
    if stands && let Some(first) = groups.into_iter().next() {
        draft.set(field, Some(Claim::stated(first.value, first.excerpts)));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::draft::FOUNDED_YEAR;

    fn said(year: i64, words: &str, weight: u32) -> Statement {
        Statement {
            key: year.to_string(),
            value: year.into(),
            excerpts: vec![Excerpt {
                page: 0,
                text: words.to_owned(),
            }],
            weight,
        }
    }

    fn settled(statements: Vec<Statement>) -> Option<Value> {
        let mut draft = Draft::default();
        settle(&mut draft, FOUNDED_YEAR, statements);
        draft.one(FOUNDED_YEAR).map(|claim| claim.value.clone())
    }

    #[test]
    fn the_better_supported_value_stands() {
        assert_eq!(settled(vec![]), None);
        assert_eq!(settled(vec![said(1998, "a", 2)]), Some(1998.into()));
        assert_eq!(
            settled(vec![
                said(1998, "a", 2),
                said(2001, "b", 2),
                said(2001, "c", 1)
            ]),
            Some(2001.into())
        );
        assert_eq!(settled(vec![said(1998, "a", 2), said(2001, "b", 2)]), None);
        // A footer on every page is one voice.
        assert_eq!(
            settled(vec![
                said(1998, "a", 2),
                said(1998, "a", 2),
                said(2001, "b", 2)
            ]),
            None
        );
    }
}
