//! The truth table of a connection's status and verification.
#![allow(clippy::unwrap_used)]

use gtm_domain::{Digest, OrganizationId};

use super::*;
use gtm_runtime::manifest::CredentialField;
use serde_json::{Value, json};

const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

fn field(key: &str, required: bool) -> CredentialField {
    serde_json::from_value(json!({
        "key": key, "label": key, "description": key, "environment_aliases": [], "required": required, "secret": true,
        "required_unless": (!required).then(|| json!({ "setting": "authentication", "equals": "none" })),
    }))
    .unwrap()
}

fn facts(mode: VerificationMode, fields: Vec<CredentialField>) -> ConnectorFacts {
    ConnectorFacts::new(mode, fields)
}

fn state(fields: &[&str], settings: Value) -> ConnectionState {
    let uuid = uuid::Uuid::from_u128(1);
    ConnectionState {
        connection: Connection {
            id: ConnectionId::from_uuid(uuid),
            project: ProjectId::from_uuid(uuid),
            organization: OrganizationId::from_uuid(uuid),
            provider_key: "sample".into(),
            manifest_version: "1.0.0".into(),
            name: "sample".into(),
            status: ConnectionStatus::Configured,
            settings,
            configured_fields: fields.iter().map(|f| (*f).to_owned()).collect(),
            credentials_version: 1,
            created_at: NOW,
            updated_at: NOW,
        },
        verification: None,
        verification_is_current: false,
        secrets_open: true,
    }
}

fn checked(result: VerificationResult, method: VerificationMethod) -> ConnectionState {
    let mut state = state(&["api_key"], json!({}));
    state.verification = Some(VerificationRecord {
        method,
        result,
        network_request_made: method == VerificationMethod::LiveProbe,
        revoked: false,
        detail: None,
        subject: Digest::of(b"x"),
        at: NOW,
    });
    state.verification_is_current = true;
    state
}

fn seen(state: &ConnectionState, mode: VerificationMode, now: Timestamp) -> (&'static str, bool) {
    let facts = facts(mode, vec![field("api_key", true)]);
    let view = describe(state, Some(&facts), now).verification;
    assert_eq!(view.mode, mode);
    (view.status.as_str(), view.network_request_made)
}

#[test]
fn a_connection_is_incomplete_without_what_it_needs() {
    let needs = facts(VerificationMode::LiveProbe, vec![field("api_key", true)]);
    let keyless = facts(VerificationMode::LiveProbe, vec![field("api_key", false)]);
    for (fields, settings, facts, status) in [
        (&[][..], json!({}), &needs, "incomplete"),
        (&["api_key"], json!({}), &needs, "configured"),
        (
            &["other"],
            json!({"authentication": "none"}),
            &needs,
            "incomplete",
        ),
        (&[], json!({}), &keyless, "incomplete"),
        (
            &[],
            json!({"authentication": "bearer"}),
            &keyless,
            "incomplete",
        ),
        (
            &[],
            json!({"authentication": "none"}),
            &keyless,
            "configured",
        ),
        (
            &["api_key"],
            json!({"authentication": "bearer"}),
            &keyless,
            "configured",
        ),
    ] {
        let view = describe(&state(fields, settings.clone()), Some(facts), NOW);
        assert_eq!(view.status.as_str(), status, "{fields:?} {settings}");
    }
    // Nothing is claimed about a connector that the catalog does not have.
    let view = describe(&state(&[], json!({})), None, NOW);
    assert_eq!(view.status, PublicStatus::Configured);
    assert_eq!(view.verification.status, VerificationStatus::Unavailable);
}

#[test]
fn what_its_owner_wants_comes_before_what_is_wrong_with_it() {
    let needs = facts(VerificationMode::LiveProbe, vec![field("api_key", true)]);
    let mut state = checked(VerificationResult::Failed, VerificationMethod::LiveProbe);
    state.verification.as_mut().unwrap().revoked = true;
    let status = |state: &ConnectionState| describe(state, Some(&needs), NOW).status.as_str();
    assert_eq!(status(&state), "revoked");
    state.verification_is_current = false;
    assert_eq!(
        status(&state),
        "configured",
        "that was of other credentials"
    );
    state.verification_is_current = true;
    state.connection.configured_fields.clear();
    assert_eq!(status(&state), "incomplete");
    state.secrets_open = false;
    assert_eq!(status(&state), "error");
    state.connection.status = ConnectionStatus::Disabled;
    assert_eq!(status(&state), "disabled");
}

#[test]
fn a_verification_says_no_more_than_was_seen() {
    use VerificationMode::{Format, LiveProbe, Unavailable};
    let fresh = state(&["api_key"], json!({}));
    assert_eq!(seen(&fresh, LiveProbe, NOW), ("not_attempted", false));
    assert_eq!(seen(&fresh, Format, NOW), ("not_attempted", false));
    assert_eq!(seen(&fresh, Unavailable, NOW), ("unavailable", false));
    for (result, status) in [
        (VerificationResult::Pending, "pending"),
        (VerificationResult::Verified, "verified"),
        (VerificationResult::Failed, "failed"),
    ] {
        let probed = checked(result, VerificationMethod::LiveProbe);
        assert_eq!(seen(&probed, LiveProbe, NOW), (status, true));
        // The connector lost its probe, or its component: the earlier probe no longer counts.
        assert_eq!(seen(&probed, Format, NOW), ("not_attempted", false));
        assert_eq!(seen(&probed, Unavailable, NOW), ("unavailable", false));
        let read = checked(result, VerificationMethod::Format);
        assert_eq!(seen(&read, Format, NOW), (status, false));
        assert_eq!(seen(&read, LiveProbe, NOW), ("not_attempted", false));
    }
}

#[test]
fn a_verification_expires_with_time_and_says_nothing_of_other_credentials() {
    let mut state = checked(VerificationResult::Verified, VerificationMethod::LiveProbe);
    let mode = VerificationMode::LiveProbe;
    let last = NOW.plus(VERIFICATION_SPAN);
    assert_eq!(seen(&state, mode, last), ("verified", true));
    let after = last.plus(Duration::from_millis(1));
    assert_eq!(seen(&state, mode, after), ("expired", true));
    state.verification_is_current = false;
    assert_eq!(seen(&state, mode, NOW), ("not_attempted", false));
}

#[test]
fn fields_are_named_once_and_never_shown() {
    let state = state(
        &["b", "a"],
        json!({"a": "canary-setting", "c": {"deep": 1}}),
    );
    let view = describe(&state, None, NOW);
    assert_eq!(view.configured_fields, ["a", "b", "c"]);
    assert!(!serde_json::to_string(&view).unwrap().contains("canary"));
}
