//! The draft of a playbook as a generation backend returns it, read strictly.

use gtm_domain::evidence::Unknown;
use gtm_domain::playbook::{
    BusinessCaseItem, BuyingSignal, CommitteeRole, CompanyProfile, CompetitivePosition,
    DigestEntry, DiscoveryQuestion, Fit, Objection, PainPoint, PersonaMessage, ProofPoint, Risk,
    TalkTrack, Target, ValueMapping,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::basis::{DraftBasis, DraftError, DraftSource, named_receipts, one_basis_each};
use super::bounds::{bounded_evidence, within_bounds};
use super::claims::CLAIM_FIELDS;
use super::left_out::{self, LeftOut};

#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The playbook's fields, with the names and shapes of annex A3.
    pub result: DraftResult,
    /// The basis of each claim; at most one entry per pointer.
    pub basis: Vec<DraftBasis>,
    /// What the backend says about its sources.
    pub sources: Vec<DraftSource>,
    /// Fields that pages would have filled that could not be read.
    pub unknowns: Vec<Unknown>,
    /// What the backend's own check dropped.
    pub left_out: Vec<LeftOut>,
}

/// The fields of the result that a backend fills.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DraftResult {
    pub target: Target,
    pub language: String,
    pub business_summary: Option<String>,
    pub sales_angles: Vec<String>,
    pub company_profile: CompanyProfile,
    pub priorities: Vec<String>,
    pub pain_points: Vec<PainPoint>,
    pub buying_signals: Vec<BuyingSignal>,
    pub buying_committee: Vec<CommitteeRole>,
    pub value_map: Vec<ValueMapping>,
    pub proof_points: Vec<ProofPoint>,
    pub discovery_questions: Vec<DiscoveryQuestion>,
    pub objections: Vec<Objection>,
    pub competitive_position: Vec<CompetitivePosition>,
    pub talk_track: TalkTrack,
    pub next_steps: Vec<String>,
    pub fit: Fit,
    pub why_now: Vec<String>,
    pub messages_by_persona: Vec<PersonaMessage>,
    pub business_case: Vec<BusinessCaseItem>,
    pub site_digest: Vec<DigestEntry>,
    pub risks: Vec<Risk>,
}

/// Where a backend may have left something out besides the claims: risks, what it did not find out, a verdict.
const OTHER_FIELDS: [&str; 3] = ["/risks", "/gaps", "/fit/verdict"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    result: Value,
    basis: Vec<DraftBasis>,
    sources: Vec<DraftSource>,
    #[serde(default)]
    unknowns: Vec<Unknown>,
    #[serde(default)]
    left_out: Vec<LeftOut>,
}

impl Draft {
    /// Reads a draft and brings every text into normal form (NFC, single spaces, no control characters). A
    /// text with nothing visible in it becomes null, or leaves its list.
    ///
    /// # Errors
    /// If a field is unknown or has the wrong shape, an enumeration has an unknown value, two basis entries
    /// name the same pointer, or it is too large.
    pub fn read(output: &Value) -> Result<Self, DraftError> {
        within_bounds(output)?;
        let envelope = Envelope::deserialize(output).map_err(|e| DraftError::new(e.to_string()))?;
        let tidy = tidy(&envelope.result).unwrap_or(Value::Null);
        let result: DraftResult = serde_path_to_error::deserialize(&tidy)
            .map_err(|e| DraftError::new(format!("result.{}: {}", e.path(), e.inner())))?;
        let understood =
            serde_json::to_value(&result).map_err(|e| DraftError::new(e.to_string()))?;
        if let Some(pointer) = unknown_member(&tidy, &understood, "/result") {
            return Err(DraftError::new(format!("{pointer} is not part of it")));
        }
        one_basis_each(&envelope.basis)?;
        bounded_evidence(&envelope.basis)?;
        left_out::within_bounds(&envelope.left_out)?;
        let fields: Vec<&str> = (CLAIM_FIELDS.iter().map(|field| field.pointer))
            .chain(OTHER_FIELDS)
            .collect();
        Ok(Self {
            result,
            basis: envelope.basis,
            sources: envelope.sources,
            unknowns: envelope.unknowns,
            left_out: left_out::of_fields(envelope.left_out, &fields),
        })
    }

    /// The receipts that the draft names, without duplicates, in order of first mention.
    #[must_use]
    pub fn receipts(&self) -> Vec<String> {
        named_receipts(&self.basis, &self.sources)
    }
}

/// The value with every text in normal form; `None` for a text with nothing visible in it.
fn tidy(value: &Value) -> Option<Value> {
    match value {
        Value::String(text) => {
            let text = gtm_page_text::normalize(text);
            (!text.is_empty()).then_some(Value::String(text))
        }
        // Keep a placeholder for an element that held only an empty text: pointers of basis entries count the
        // elements as the backend wrote them.
        Value::Array(items) => Some(Value::Array(
            items
                .iter()
                .map(|item| tidy(item).unwrap_or_else(|| Value::String(String::new())))
                .collect(),
        )),
        Value::Object(map) => Some(Value::Object(
            map.iter()
                .map(|(key, member)| {
                    let emptied = if is_nullable(key) {
                        Value::Null
                    } else {
                        Value::String(String::new())
                    };
                    (key.clone(), tidy(member).unwrap_or(emptied))
                })
                .collect(),
        )),
        other => Some(other.clone()),
    }
}

/// Members that may be null in annex A3; an empty text in one of them means "unknown".
fn is_nullable(key: &str) -> bool {
    matches!(
        key,
        "business_summary"
            | "company"
            | "domain"
            | "industry"
            | "employee_range"
            | "headquarters"
            | "business_model"
            | "severity"
            | "observed_at"
            | "function"
            | "outcome"
            | "opening"
            | "bridge"
            | "ask"
            | "verdict"
            | "page"
            | "heading"
    )
}

/// Pointer of the first member of `given` that `understood` lacks.
fn unknown_member(given: &Value, understood: &Value, at: &str) -> Option<String> {
    match (given, understood) {
        (Value::Object(given), Value::Object(understood)) => {
            given.iter().find_map(|(key, member)| {
                let pointer = format!("{at}/{key}");
                match understood.get(key) {
                    None => Some(pointer),
                    Some(other) => unknown_member(member, other, &pointer),
                }
            })
        }
        (Value::Array(given), Value::Array(understood)) => given
            .iter()
            .zip(understood)
            .enumerate()
            .find_map(|(index, (a, b))| unknown_member(a, b, &format!("{at}/{index}"))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use serde_json::json;

    fn envelope(result: Value) -> Value {
        json!({"result": result, "basis": [], "sources": []})
    }

    #[test]
    fn missing_members_are_unknowns_and_texts_come_tidy() {
        let draft = Draft::read(&envelope(json!({
            "business_summary": "  A\u{0}\n b ", "sales_angles": ["x", " "], "talk_track": {"opening": " ", "bridge": null, "ask": null}
        })))
        .unwrap();
        assert_eq!(draft.result.business_summary.as_deref(), Some("A b"));
        assert_eq!(
            draft.result.sales_angles,
            ["x", ""],
            "pointers must not shift"
        );
        assert_eq!(draft.result.talk_track.opening, None);
    }

    #[test]
    fn strangers_are_refused() {
        for (result, what) in [
            (json!({"extra": 1}), "/result/extra"),
            (
                json!({"target": {"company": null, "domain": null, "ceo": "x"}}),
                "/result/target/ceo",
            ),
            (
                json!({"objections": [{"objection": "a", "response": "b", "by": "c"}]}),
                "/result/objections/0/by",
            ),
            (
                json!({"buying_signals": [{"signal": "a", "kind": "rumour", "observed_at": null}]}),
                "kind",
            ),
            (json!({"sales_angles": [1]}), "string"),
        ] {
            let error = Draft::read(&envelope(result)).unwrap_err();
            assert!(error.to_string().contains(what), "{error}");
        }
        assert!(Draft::read(&json!({"result": {}, "basis": []})).is_err());
        let twice =
            json!([{"pointer": "/a", "basis": "stated"}, {"pointer": "/a", "basis": "inferred"}]);
        assert!(Draft::read(&json!({"result": {}, "basis": twice, "sources": []})).is_err());
    }
}
