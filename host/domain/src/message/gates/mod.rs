//! The fourteen gates of a message to one prospect: what each asks for, and what it finds in the facts
//! (`docs/message-gates.md`). Pure: the facts are read elsewhere, once, and the same facts give the same gates.
//!
//! DANGER: whoever a gate lets pass wrongly receives a message that nobody was allowed to write. A missing fact
//! closes a gate, and a new gate or a new fact needs its row in the table first.

pub mod facts;
mod policy;
mod prospect;
mod question;
mod request;
mod revision;

pub use facts::{Facts, LoadedPolicy, OfferStanding, PolicyStanding};
pub(super) use policy::{is_of_a_ground, privacy_notice_value};
pub use question::question;
pub use request::{allowed_link, foreign_hosts, own_sites};

use std::borrow::Cow;

use super::characters::is_seen;
use super::compliance::{Gate, GateKey, GateOutcome};

/// A gate that is not passed: why, and where the request can mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Closed {
    outcome: GateOutcome,
    code: &'static str,
    pointer: Option<String>,
    message: Cow<'static, str>,
}

/// What a gate found.
type Finding = Result<GateOutcome, Closed>;

const PASSED: Finding = Ok(GateOutcome::Passed);

/// What the gate asks for is missing or wrong.
fn failed(code: &'static str, pointer: &str, message: impl Into<Cow<'static, str>>) -> Finding {
    Err(closed(GateOutcome::Failed, code, pointer, message))
}

/// The facts do not tell.
fn unknown(code: &'static str, pointer: &str, message: impl Into<Cow<'static, str>>) -> Finding {
    Err(closed(GateOutcome::Unknown, code, pointer, message))
}

/// `pointer` is empty where nothing in the request mends it.
fn closed(
    outcome: GateOutcome,
    code: &'static str,
    pointer: &str,
    message: impl Into<Cow<'static, str>>,
) -> Closed {
    Closed {
        outcome,
        code,
        pointer: (!pointer.is_empty()).then(|| pointer.to_owned()),
        message: message.into(),
    }
}

/// The retained prospect is gone, so nothing that the gate looks at is known.
fn prospect_gone() -> Closed {
    closed(
        GateOutcome::Unknown,
        "prospect_gone",
        "/prospect_id",
        "The prospect is no longer retained.",
    )
}

/// All gates, in the order in which they are reported.
#[must_use]
pub fn evaluate(facts: &Facts<'_>) -> Vec<Gate> {
    let gate = |key: GateKey| {
        let finding = match key {
            GateKey::TemplateRevision => revision::template_revision(facts),
            GateKey::ProspectFreshness => prospect::freshness(facts),
            GateKey::Qualification => prospect::qualification(facts),
            GateKey::Identity => prospect::identity(facts),
            GateKey::Evidence => prospect::evidence(facts),
            GateKey::Sender => request::sender(facts),
            GateKey::Offer => request::offer(facts),
            GateKey::NextStep => request::next_step(facts),
            GateKey::CompanyJurisdiction => policy::company_jurisdiction(facts),
            GateKey::PrivacyNotice => policy::privacy_notice(facts),
            GateKey::PolicyAllowList => policy::allow_list(facts),
            GateKey::Basis => policy::basis(facts),
            GateKey::AddressProvenance => policy::address_provenance(facts),
            GateKey::Suppression => prospect::suppression(facts),
        };
        reported(key, finding)
    };
    GateKey::ALL.into_iter().map(gate).collect()
}

fn reported(gate: GateKey, finding: Finding) -> Gate {
    match finding {
        Ok(outcome) => Gate {
            gate,
            outcome,
            reason_code: None,
            pointer: None,
            message: None,
        },
        Err(closed) => Gate {
            gate,
            outcome: closed.outcome,
            reason_code: Some(closed.code.to_owned()),
            pointer: closed.pointer,
            message: Some(closed.message.into_owned()),
        },
    }
}

/// Whether a text says nothing.
fn is_blank(text: &str) -> bool {
    !is_seen(text)
}
