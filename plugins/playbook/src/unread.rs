//! What pages that could not be read would have said: a note for the operator, and the reason for fields that stay empty.

use std::collections::BTreeSet;

use gtm_site_research::failure::FailureKind;
use gtm_site_research::host::Host;
use gtm_site_research::reading::Miss;
use gtm_site_research::roles::Role;
use gtm_writing::prompt::one_line;
use serde_json::{Value, json};

/// Longest milestone, in characters.
const LONGEST: usize = 300;

/// Tells in the job's progress what could not be read. It is no risk of the sale.
pub fn report(host: &dyn Host, percent: u8, misses: &[Miss]) {
    if !misses.is_empty() {
        let told: Vec<String> = misses.iter().map(ToString::to_string).collect();
        host.report(percent, &one_line(&told.join(" "), LONGEST));
    }
}

/// Fields of the result that a page would fill that may not be read, as the draft's `unknowns`. The host takes those that stayed
/// empty.
pub fn fields(misses: &[Miss]) -> Vec<Value> {
    let blocked: BTreeSet<&str> = misses
        .iter()
        .filter_map(|miss| match miss {
            Miss::Page {
                role,
                kind: FailureKind::Denied,
                ..
            } => Some(said_by(*role)),
            _ => None,
        })
        .flatten()
        .copied()
        .collect();
    blocked
        .into_iter()
        .map(|pointer| json!({"pointer": pointer, "reason": "blocked"}))
        .collect()
}

/// The fields that a page of this role is there for.
fn said_by(role: Role) -> &'static [&'static str] {
    match role {
        Role::About => &[
            "/business_summary",
            "/company_profile/industry",
            "/company_profile/employee_range",
            "/company_profile/headquarters",
        ],
        Role::Products => &["/company_profile/offerings"],
        Role::Customers => &["/company_profile/markets", "/proof_points"],
        Role::News => &["/buying_signals", "/why_now"],
        Role::Careers => &["/buying_signals"],
        Role::Pricing => &["/company_profile/business_model"],
        Role::Imprint => &["/company_profile/headquarters"],
        Role::Home | Role::Other | Role::External => &[],
    }
}
