//! Which values of a playbook are claims, and how they are named.
//!
//! A claim unit is a scalar (`/business_summary`, `/company_profile/industry`) or one element of a list
//! (`/sales_angles/0`). Risks, target and language are not claims: they say what is unknown and what the job
//! is about.

use gtm_domain::playbook::PlaybookSection;
use serde_json::Value;

/// A place in the result that holds claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimField {
    /// Section that the field belongs to.
    pub section: PlaybookSection,
    /// RFC 6901 pointer of the scalar, or of the list.
    pub pointer: &'static str,
    /// Whether each element is a claim of its own.
    pub list: bool,
}

const fn scalar(section: PlaybookSection, pointer: &'static str) -> ClaimField {
    ClaimField {
        section,
        pointer,
        list: false,
    }
}
const fn list(section: PlaybookSection, pointer: &'static str) -> ClaimField {
    ClaimField {
        section,
        pointer,
        list: true,
    }
}

/// What the pages say, in their own words.
pub const SITE_DIGEST: &str = "/site_digest";

/// All claim fields, in the order of annex A3, then those that come with a section of it (docs/decisions/0070).
pub const CLAIM_FIELDS: [ClaimField; 27] = {
    use PlaybookSection as S;
    [
        scalar(S::BusinessSummary, "/business_summary"),
        list(S::SalesAngles, "/sales_angles"),
        scalar(S::CompanyProfile, "/company_profile/industry"),
        scalar(S::CompanyProfile, "/company_profile/employee_range"),
        scalar(S::CompanyProfile, "/company_profile/headquarters"),
        scalar(S::CompanyProfile, "/company_profile/business_model"),
        list(S::CompanyProfile, "/company_profile/offerings"),
        list(S::CompanyProfile, "/company_profile/markets"),
        list(S::CompanyProfile, "/company_profile/particulars"),
        list(S::Priorities, "/priorities"),
        list(S::PainPoints, "/pain_points"),
        list(S::BuyingSignals, "/buying_signals"),
        list(S::BuyingCommittee, "/buying_committee"),
        list(S::ValueMap, "/value_map"),
        list(S::ProofPoints, "/proof_points"),
        list(S::DiscoveryQuestions, "/discovery_questions"),
        list(S::Objections, "/objections"),
        list(S::CompetitivePosition, "/competitive_position"),
        scalar(S::TalkTrack, "/talk_track/opening"),
        scalar(S::TalkTrack, "/talk_track/bridge"),
        scalar(S::TalkTrack, "/talk_track/ask"),
        list(S::NextSteps, "/next_steps"),
        list(S::SalesAngles, "/fit/reasons"),
        list(S::BuyingSignals, "/why_now"),
        list(S::TalkTrack, "/messages_by_persona"),
        list(S::ValueMap, "/business_case"),
        list(S::CompanyProfile, SITE_DIGEST),
    ]
};

/// The free texts of a claim: all texts except dates and the values of enumerations.
#[must_use]
pub fn texts(claim: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    collect(claim, &mut found);
    found
}

fn collect<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Object(map) => {
            let free = map.iter().filter(|(key, _)| {
                !matches!(
                    key.as_str(),
                    "severity" | "kind" | "stance" | "origin" | "observed_at"
                )
            });
            free.for_each(|(_, member)| collect(member, found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether there is a claim at all: a text, or an object with at least one text that is not empty.
#[must_use]
pub fn is_populated(claim: &Value) -> bool {
    texts(claim).iter().any(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::draft::DraftResult;
    use serde_json::json;

    #[test]
    fn every_field_exists_and_every_section_but_risks_has_one() {
        let result = serde_json::to_value(DraftResult::default()).unwrap();
        for field in CLAIM_FIELDS {
            let value = result.pointer(field.pointer).expect(field.pointer);
            assert_eq!(value.is_array(), field.list, "{}", field.pointer);
        }
        for section in PlaybookSection::ALL {
            let has = CLAIM_FIELDS.iter().any(|f| f.section == section);
            assert_eq!(has, section != PlaybookSection::Risks, "{section:?}");
        }
    }

    #[test]
    fn enumerations_are_no_texts() {
        let claim = json!({"signal": "Hiring", "kind": "hiring", "observed_at": "2026-01-01"});
        assert_eq!(texts(&claim), ["Hiring"]);
        assert!(!is_populated(
            &json!({"pain": "", "affected_roles": [], "severity": "high"})
        ));
    }
}
