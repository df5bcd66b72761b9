//! The roles of buyers: groups of customers that are people with one occupation, `facility managers`.

use gtm_lexicon::segments::PERSONS;
use gtm_site_research::claim::Claim;
use gtm_site_research::words;
use serde_json::json;

use crate::draft::{Draft, PERSONAS, SEGMENTS};

/// Most words of a role.
const LONGEST: usize = 4;

/// Adds a persona for each of the groups of customers that names an occupation at its end.
pub(super) fn collect(draft: &mut Draft) {
    let roles: Vec<Claim> = draft
        .many(SEGMENTS)
        .iter()
        .filter_map(|segment| {
            let name = segment.value["name"]
                .as_str()
                .filter(|name| is_role(name))?;
            let value = json!({"role": name, "seniority": null, "goals": [], "objections": []});
            Some(Claim {
                value,
                ..segment.clone()
            })
        })
        .collect();
    draft.extend(PERSONAS, roles);
}

fn is_role(name: &str) -> bool {
    let folded = words::fold(name);
    let words = words::split(&folded);
    let ends = |(at, phrase): (usize, gtm_lexicon::Phrase)| at + phrase.len() == words.len();
    (1..=LONGEST).contains(&words.len()) && PERSONS.places(&words).any(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occupations_are_roles_and_other_buyers_are_none() {
        for name in [
            "Architects",
            "plant engineers",
            "Hausverwalter",
            "Progettisti",
        ] {
            assert!(is_role(name), "{name}");
        }
        for name in ["Schools", "Architects' offices", "Hotels", "Private homes"] {
            assert!(!is_role(name), "{name}");
        }
    }
}
