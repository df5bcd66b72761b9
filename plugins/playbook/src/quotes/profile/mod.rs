//! Facts of the company profile, as far as the site's own words support them.

mod offer;
mod seat;
mod staff;
mod trade;

use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::Evidence;
use gtm_site_research::reading::Research;
use gtm_site_research::trade::industry;

use crate::draft::{Profile, Risk};

/// The profile. Contradictions between pages are added to `risks`.
pub fn profile(research: &Research, evidence: &Evidence, risks: &mut Vec<Risk>) -> Profile {
    Profile {
        industry: industry(research, evidence),
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
