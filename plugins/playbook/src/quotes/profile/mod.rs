//! Facts of the company profile, as far as the site's own words carry them.

mod offer;
mod seat;
mod staff;
mod trade;

use crate::draft::{Claim, Excerpt, Profile, Risk};
use crate::evidence::{Evidence, Sentence};
use crate::research::Research;
use crate::roles::Role;

/// The profile. Contradictions among the pages are added to `risks`.
pub fn profile(research: &Research, evidence: &Evidence, risks: &mut Vec<Risk>) -> Profile {
    Profile {
        industry: trade::industry(research, evidence),
        employee_range: staff::employees(evidence, risks),
        headquarters: seat::headquarters(research, evidence),
        business_model: trade::business_model(evidence),
        offerings: offer::offerings(research, evidence),
        markets: offer::markets(evidence),
    }
}

fn part(text: &str, passage_text: &str, page: usize) -> Claim {
    Claim::stated(
        text,
        vec![Excerpt {
            page,
            text: passage_text.to_owned(),
        }],
    )
}

fn own_sentences(evidence: &Evidence) -> impl Iterator<Item = &Sentence> {
    evidence.sentences.iter().filter(|sentence| {
        matches!(
            sentence.role,
            Role::About | Role::Home | Role::Careers | Role::Imprint | Role::Products
        )
    })
}

/// Byte ranges of the words between white space.
fn tokens(text: &str) -> Vec<(usize, usize, &str)> {
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (c.is_whitespace(), start) {
            (false, None) => start = Some(at),
            (true, Some(begin)) => {
                found.push((begin, at, text.get(begin..at).unwrap_or_default()));
                start = None;
            }
            _ => {}
        }
    }
    found
}
