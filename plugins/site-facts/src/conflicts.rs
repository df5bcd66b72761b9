//! Combines what several places say about one fact: agreement adds up, contradictions are recorded.

use gtm_site_research::claim::{Claim, Excerpt};
use serde_json::Value;

use crate::draft::{Candidate, Draft, One};

/// Most excerpts kept for one value.
const MOST_EXCERPTS: usize = 4;
/// Most values kept for one conflict.
const MOST_CANDIDATES: usize = 4;
/// Most statements considered for one fact; a page with a thousand of them is not reliable.
const MOST_STATEMENTS: usize = 400;

/// What one place says about a fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// Folded form of the value: two statements with the same key agree.
    pub key: String,
    /// The value as it appears in the draft.
    pub value: Value,
    /// The excerpts that carry the value.
    pub excerpts: Vec<Excerpt>,
    /// How much the place counts: visible text more than structured data, a legal page more than a slogan,
    /// and other sites least.
    pub weight: u32,
}

/// Fills the field with the value that has the most weight, and records the others. If the best values tie,
/// the field stays empty.
pub fn settle(draft: &mut Draft, field: One, statements: Vec<Statement>) {
    let mut groups: Vec<Statement> = Vec::new();
    for statement in statements.into_iter().take(MOST_STATEMENTS) {
        match groups.iter_mut().find(|group| group.key == statement.key) {
            None => groups.push(statement),
            Some(group) => {
                // The same words twice, as in a footer, count as one statement.
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
    // The sort is stable: among equal weights, the value found first stays first.
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
        // A footer repeated on every page counts once.
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
