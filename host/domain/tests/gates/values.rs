//! Which values fill which placeholder.

use gtm_domain::message::Placeholder;
use gtm_domain::message::decision::{Causes, reasons};
use gtm_domain::message::prospect_message::{MessageOffer, MessagePurpose};
use gtm_domain::message::values::{VariableProblem, values};

use super::world::{NOTICE, World, evidence_id};

fn value(world: &World, placeholder: Placeholder) -> Option<String> {
    values(&world.facts()).filled.remove(placeholder.name())
}

#[test]
fn each_value_comes_from_its_place() {
    use Placeholder as P;
    let world = World::sound();
    for (placeholder, wanted) in [
        (P::RecipientFirstName, "Sam"),
        (P::CompanyName, "Acme Estates"),
        (
            P::EvidenceHook,
            "Your March notice says that the Canal Street block opens in June.",
        ),
        (P::OfferValueProposition, "One bill per flat from day one."),
        (P::NextStepUrl, "https://northwind-metering.example/call"),
        (
            P::CompliancePostalIdentity,
            "Northwind Metering Ltd, 1 Quay Street, Bristol, BS1 4DJ, United Kingdom",
        ),
        (
            P::CompliancePrivacyNotice,
            "How we use your data: https://northwind-metering.example/privacy",
        ),
        (P::ComplianceOptOut, NOTICE),
    ] {
        assert_eq!(
            value(&world, placeholder).as_deref(),
            Some(wanted),
            "{placeholder:?}"
        );
    }
    let values = values(&world.facts());
    assert_eq!(values.hook, Some(evidence_id(4)));
    assert_eq!(values.marker, None);
    // Not declared by the revision, though there would be a value.
    assert!(!values.filled.contains_key(P::OfferName.name()));
}

#[test]
fn a_link_that_is_not_allowed_fills_nothing() {
    let mut world = World::sound();
    for (url, is_allowed) in [
        ("https://northwind-metering.example/call", true),
        ("https://book.northwind-metering.example/call", true),
        ("https://northwind-metering.example.evil.example/", false),
        ("https://ada@northwind-metering.example/", false),
        ("http://northwind-metering.example/", false),
        ("javascript:alert(1)", false),
    ] {
        world.request.next_step.url = Some(url.into());
        assert_eq!(
            value(&world, Placeholder::NextStepUrl).is_some(),
            is_allowed,
            "{url}"
        );
    }
}

#[test]
fn a_mark_or_notice_that_shows_nothing_is_none() {
    for nothing in [" ", "\u{202e}\u{2066}", "...", "\u{3164}"] {
        let mut world = World::sound();
        world.verdict().demonstration_marker = nothing.into();
        world.verdict().opt_out.text = nothing.into();
        let real = values(&world.facts());
        assert_eq!(real.notice, None);
        assert_eq!(real.unfilled.len(), 1, "{nothing:?}");
        assert_eq!(real.unfilled[0].pointer.as_deref(), Some("/policy"));
        world.request.purpose = MessagePurpose::Demonstration;
        let preview = values(&world.facts());
        let marker = preview.marker.unwrap();
        assert_eq!(marker, "[Demonstration, not to be sent]", "{nothing:?}");
        assert_eq!(preview.notice.unwrap().notice_id, "host-demonstration-en");
        assert_eq!(preview.unfilled, []);
    }
}

#[test]
fn a_summary_is_the_value_proposition_if_it_is_the_revisions() {
    let mut world = World::sound();
    world.offer_content = None;
    world.revision.offer.offer_id = None;
    world.revision.offer.summary = Some("Meters before handover.".into());
    world.request.offer = MessageOffer::Summary {
        offer_summary: "Something else.".into(),
    };
    let found = value(&world, Placeholder::OfferValueProposition);
    assert_eq!(found.as_deref(), Some("Meters before handover."));
}

#[test]
fn what_a_variable_cannot_hold_is_unsupported_or_left_out() {
    let mut world = World::sound();
    world.request.next_step.ask = "a".repeat(161);
    world.candidate().person.first_name = Some("S".repeat(61));
    let facts = world.facts();
    let values = values(&facts);
    assert_eq!(values.unfilled.len(), 1, "a first name is not required");
    assert_eq!(values.unfilled[0].problem, VariableProblem::Unsupported);
    let causes = Causes {
        purpose: world.request.purpose,
        blocks: &[],
        gates: &[],
        unfilled: &values.unfilled,
        checks: &[],
    };
    let reasons = reasons(&causes);
    assert_eq!(reasons[0].code, "variables_unsupported");
    assert_eq!(reasons[0].pointer.as_deref(), Some("/next_step/ask"));
}

#[test]
fn nobody_is_greeted_as_a_placeholder() {
    let mut world = World::sound();
    world.request.next_step.ask = "Shall we talk, {{first_name}}?".into();
    let found = values(&world.facts());
    let unfilled = &found.unfilled[0];
    assert_eq!(unfilled.problem, VariableProblem::Unsupported);
    assert_eq!(unfilled.pointer.as_deref(), Some("/next_step/ask"));
    assert!(
        unfilled.message.contains("in braces"),
        "{}",
        unfilled.message
    );
    world.request.next_step.ask = "Shall we talk about {{ and }}?".replace(" and }}", "");
    assert!(values(&world.facts()).unfilled.is_empty());
}

#[test]
fn a_letterhead_names_its_organization_once() {
    let mut world = World::sound();
    let lines = &mut world.request.postal_identity.address_lines;
    lines.insert(0, "Northwind metering ltd ".into());
    assert_eq!(
        value(&world, Placeholder::CompliancePostalIdentity).as_deref(),
        Some("Northwind Metering Ltd, 1 Quay Street, Bristol, BS1 4DJ, United Kingdom")
    );
}
