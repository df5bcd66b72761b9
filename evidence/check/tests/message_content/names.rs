//! Sentences in the place of names, roles and addresses.

use gtm_domain::message::compliance::CheckKey;
use gtm_domain::message::{BlockKind, Placeholder};

use super::message::{HOOK, Message, Own, Value, keys};

/// The pointers into the request and whether the values' check fails.
fn mended(placeholder: Placeholder, words: &'static str) -> Option<&'static str> {
    let kind = match placeholder {
        Placeholder::CompliancePostalIdentity => BlockKind::PostalIdentity,
        _ => BlockKind::Signature,
    };
    let value = vec![Value(placeholder, words)];
    let mut message = match kind {
        BlockKind::PostalIdentity => Message::good().and(kind, value),
        _ => Message::good().with(kind, value),
    };
    if placeholder == Placeholder::SenderFullName {
        message.given_name = words;
    }
    let ((checks, _), _) = message.checked();
    let mut failed = checks.into_iter().filter(|check| {
        check.check == CheckKey::ApprovedValueAnchors && !check.pointers.is_empty()
    });
    failed.next().map(|check| check.mend.unwrap_or_default())
}

#[test]
fn a_sentence_is_no_name() {
    use Placeholder::{CompliancePostalIdentity, SenderFullName, SenderOrganization, SenderRole};
    for (placeholder, words, at) in [
        (
            SenderRole,
            "Head of Metering. Every flat will pay its own bill.",
            "/sender/role",
        ),
        (SenderRole, "The readings are done by noon.", "/sender/role"),
        (
            SenderFullName,
            "Ana Reyes. Metering is simple now.",
            "/sender/full_name",
        ),
        (
            SenderFullName,
            "Ana Reyes, whose meters have no faults.",
            "/sender/full_name",
        ),
        (
            SenderOrganization,
            "Tarnbeck Ltd. Meters can read themselves.",
            "/sender/organization",
        ),
        (
            CompliancePostalIdentity,
            "Tarnbeck Ltd, 40 Canal Street, Readings are free of charge here., Leeds, LS1 7BT, United Kingdom",
            "/postal_identity",
        ),
    ] {
        assert_eq!(mended(placeholder, words), Some(at), "{words}");
    }
    for (placeholder, words) in [
        (SenderRole, "Head of Metering, North and South"),
        (SenderRole, "Managing Director, Tarnbeck Ltd."),
        (SenderFullName, "Dr. Ana B. Reyes Jr."),
        (SenderOrganization, "J. B. Tarnbeck & Sons Ltd."),
        (
            CompliancePostalIdentity,
            "St. John’s Ltd., P.O. Box 12, 4 High St., Leeds, LS1 7BT, United Kingdom",
        ),
    ] {
        assert_eq!(mended(placeholder, words), None, "{words}");
    }
}

/// Whoever is called so promises nothing, nor does an allowed host.
#[test]
fn a_name_is_no_claim() {
    let claims = |message: Message| {
        let mut message = message;
        message.forbidden = vec!["risk-free".to_owned()];
        keys(&message.failing()).contains(&CheckKey::ProhibitedLanguage)
    };
    let called = |name| {
        let mut message = Message::good();
        message.subject = vec![Own("Metering at "), Value(Placeholder::CompanyName, name)];
        message.company = name;
        message
    };
    assert!(!claims(called("Risk Free Ltd")));
    const OF_IT: &str = "Your March notice says that Risk Free Ltd opens the Canal Street block.";
    let hooked = vec![Value(Placeholder::EvidenceHook, OF_IT)];
    assert!(!claims(
        called("Risk Free Ltd").with(BlockKind::EvidenceHook, hooked)
    ));
    let hosted = Message::good().signed(Placeholder::SenderReplyEmail, "ana@risk-free.example");
    assert!(!claims(hosted));
    // The template's own words, and others than the name.
    let own = |words| called("Risk Free Ltd").with(BlockKind::Proof, vec![Own(words)]);
    assert!(claims(own("We install risk free.")));
    assert!(claims(own("Ask Risk Free Ltd.")));
    const CLAIM: &str = "Your March notice says that metering is risk-free.";
    let hooked = vec![Value(Placeholder::EvidenceHook, CLAIM)];
    assert!(claims(
        called("Risk Free Ltd").with(BlockKind::EvidenceHook, hooked)
    ));
    assert!(!claims(Message::good().hooked("The block opens.", HOOK)));
}
