//! Where the company has its head office.

use serde_json::Value;

use super::{own_sentences, part, tokens};
use crate::draft::{Basis, Claim, Excerpt};
use crate::evidence::Evidence;
use crate::page::ORGANIZATION_TYPES;
use crate::research::Research;
use crate::roles::Role;
use crate::words;

/// Phrases before the place of a head office, folded.
const SEATS: &[&str] = &[
    "headquartered in ",
    "headquarters in ",
    "headquarters are in ",
    "headquarters is in ",
    "head office in ",
    "head office is in ",
    "based in ",
    "hauptsitz in ",
    "mit sitz in ",
    "sitz in ",
    "siege social a ",
    "siege a ",
    "siege est a ",
    "basee a ",
    "base a ",
    "sede en ",
    "sede central en ",
];

/// Place of the head office.
pub fn headquarters(research: &Research, evidence: &Evidence) -> Option<Claim> {
    for sentence in own_sentences(evidence).filter(|sentence| sentence.role != Role::Products) {
        // Folding may change the length of the text: look the place up in the original by its words.
        for seat in SEATS {
            if !sentence.folded.contains(seat) {
                continue;
            }
            let Some(at) = find_folded(&sentence.text, seat) else {
                continue;
            };
            let place = place_at(sentence.text.get(at..).unwrap_or_default());
            if !place.is_empty() {
                return Some(part(place, &sentence.text, sentence.page));
            }
        }
    }
    declared_locality(research, evidence)
}

/// Byte offset behind the first occurrence of the folded phrase.
fn find_folded(text: &str, phrase: &str) -> Option<usize> {
    text.char_indices().map(|(at, _)| at).find_map(|start| {
        let before = text.get(..start)?.chars().next_back();
        if before.is_some_and(char::is_alphanumeric) {
            return None;
        }
        let mut left = phrase;
        for (offset, c) in text.get(start..)?.char_indices() {
            if left.is_empty() {
                return Some(start + offset);
            }
            let folded = words::fold(c.encode_utf8(&mut [0; 4]));
            left = left.strip_prefix(folded.as_str())?;
        }
        None
    })
}

/// The capitalized words at the start of the text, with the small words of place names between them.
fn place_at(text: &str) -> &str {
    const SMALL: [&str; 14] = [
        "am", "an", "der", "den", "de", "del", "la", "le", "les", "sur", "upon", "of", "the", "in",
    ];
    let mut end = 0usize;
    // End of what stands before the last comma: what follows may begin the next clause.
    let mut before_comma = 0usize;
    for (count, (start, stop, word)) in tokens(text).into_iter().enumerate() {
        let bare = word.trim_end_matches(['.', ',', ';', ':', '!', ')', '(']);
        let capital = bare.starts_with(char::is_uppercase);
        if count >= 6 || !(capital || SMALL.contains(&bare)) {
            if before_comma > 0 {
                end = before_comma;
            }
            break;
        }
        if capital {
            end = start + bare.len();
        }
        if word.ends_with(',') {
            before_comma = end;
        } else if word.len() != bare.len() || stop == text.len() {
            break;
        }
    }
    text.get(..end).unwrap_or_default()
}

/// The locality of the address that structured data declares, if it stands on a page as well.
fn declared_locality(research: &Research, evidence: &Evidence) -> Option<Claim> {
    let locality = research
        .pages
        .iter()
        .filter(|visited| visited.first_party())
        .flat_map(|visited| visited.page.json_ld_of(ORGANIZATION_TYPES))
        .find_map(|organization| {
            organization
                .get("address")?
                .get("addressLocality")?
                .as_str()
                .map(str::trim)
        })
        .filter(|locality| locality.chars().count() >= 2)?;
    let carrier = evidence
        .passages
        .iter()
        .filter(|passage| matches!(passage.role, Role::Imprint | Role::About | Role::Home))
        .filter(|passage| passage.text.chars().count() <= 400)
        .find(|passage| passage.text.contains(locality))?;
    Some(Claim {
        value: Value::from(locality),
        basis: Basis::Inferred,
        reasoning: Some("The site's structured data gives this as the company's address, and the page shows it.".to_owned()),
        excerpts: vec![Excerpt { page: carrier.page, text: carrier.text.clone() }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_end_where_names_end() {
        assert_eq!(
            place_at("Leeds, England, with depots in Ghent"),
            "Leeds, England"
        );
        assert_eq!(place_at("Leeds, England, Acme makes"), "Leeds, England");
        assert_eq!(place_at("Leeds and ships"), "Leeds");
        assert_eq!(place_at("Frankfurt am Main. Wir"), "Frankfurt am Main");
        assert_eq!(place_at("the north"), "");
        assert_eq!(
            find_folded("Die Firma mit Sitz in Köln baut", "mit sitz in "),
            Some("Die Firma mit Sitz in ".len())
        );
        assert_eq!(
            find_folded("Siège à Lyon", "siege a "),
            Some("Siège à ".len())
        );
    }
}
