//! A statement stands once: what one section says, another does not repeat.

use std::collections::BTreeSet;

use gtm_site_research::claim::{Basis, Claim};
use gtm_site_research::words;

use crate::draft::Draft;
use crate::request::{Request, Section};

/// Fewest characters of a text that is told if it stands inside of another one: a short one may mean something else.
const LONG: usize = 25;

/// Leaves out the priorities and the proof points that another section of the result says in the same words.
pub fn once(request: &Request, draft: &mut Draft) {
    let mut told = Told::default();
    if request.wants(Section::BusinessSummary) {
        told.extend(draft.business_summary.iter(), None);
    }
    if request.wants(Section::SalesAngles) {
        told.extend(draft.sales_angles.iter(), None);
    }
    if request.wants(Section::BuyingSignals) {
        told.extend(draft.buying_signals.iter(), Some("signal"));
    }
    draft.priorities.retain(|claim| !told.has(claim, None));
    if request.wants(Section::Priorities) {
        told.extend(draft.priorities.iter(), None);
    }
    if request.wants(Section::CompanyProfile) {
        let profile = &draft.company_profile;
        told.extend(profile.particulars.iter(), None);
        told.extend(profile.business_model.iter(), None);
    }
    // What the seller says stands for itself.
    let is_sellers = |claim: &Claim| claim.basis == Basis::Provided;
    (draft.proof_points).retain(|claim| is_sellers(claim) || !told.has(claim, Some("text")));
}

/// The folded texts that stand in the result.
#[derive(Default)]
struct Told(BTreeSet<String>);

impl Told {
    fn extend<'c>(&mut self, claims: impl Iterator<Item = &'c Claim>, member: Option<&str>) {
        self.0
            .extend(claims.filter_map(|claim| bare(claim, member)));
    }

    /// Whether a claim's text is one of them, or stands inside of one.
    fn has(&self, claim: &Claim, member: Option<&str>) -> bool {
        bare(claim, member).is_some_and(|text| {
            let is_long = text.chars().count() >= LONG;
            self.0.contains(&text) || is_long && self.0.iter().any(|known| known.contains(&text))
        })
    }
}

/// The folded text of a claim without its stop.
fn bare(claim: &Claim, member: Option<&str>) -> Option<String> {
    let value = match member {
        Some(member) => claim.value.get(member)?,
        None => &claim.value,
    };
    let folded = words::fold(value.as_str()?);
    let text = folded.trim().trim_end_matches(['.', '!', '。', '！']);
    (!text.is_empty()).then(|| text.to_owned())
}
