//! How many people work at the company.

use super::part;
use crate::draft::{Risk, RiskKind};
use gtm_site_research::claim::Claim;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::staff;

/// Number of employees, in the site's words. Contradictions are added to `risks`.
pub fn employees(evidence: &Evidence, risks: &mut Vec<Risk>) -> Option<Claim> {
    let mut found: Vec<(String, Claim)> = Vec::new();
    for sentence in evidence.own_sentences() {
        if let Some((number, value)) = staff::stated(sentence) {
            found.push((number, part(&value, &sentence.text, sentence.page)));
        }
    }
    let first = found.first()?.0.clone();
    if let Some((other, _)) = found.iter().find(|(number, _)| *number != first) {
        risks.push(Risk {
            text: format!("The site gives different numbers of employees: {first} and {other}."),
            kind: RiskKind::Conflict,
        });
    }
    found.into_iter().next().map(|(_, claim)| claim)
}
