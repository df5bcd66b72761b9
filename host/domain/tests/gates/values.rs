//! Which values fill which placeholder.

use gtm_domain::message::compliance::{CheckKey, GateKey};
use gtm_domain::message::decision::{Causes, reasons};
use gtm_domain::message::gates::{evaluate, foreign_hosts, own_sites};
use gtm_domain::message::prospect_message::{MessageOffer, MessagePurpose};
use gtm_domain::message::values::{VariableProblem, values};
use gtm_domain::message::{Href, Inline, Placeholder};
use gtm_domain::policy::Finding;

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
fn a_notice_of_others_fills_nothing() {
    for (url, is_shown) in [
        ("https://northwind-metering.example/privacy", true),
        ("https://legal.northwind-metering.example/privacy", true),
        ("https://prizes.example/win", false),
        ("https://northwind-metering.example:8443/privacy", false),
        ("https://10.0.0.1/privacy", false),
        ("ftp://northwind-metering.example/privacy", false),
    ] {
        let mut world = World::sound();
        let notice = world.request.privacy_notice.as_mut().unwrap();
        notice.url = url.into();
        let shown = value(&world, Placeholder::CompliancePrivacyNotice);
        assert_eq!(shown.is_some(), is_shown, "{url}");
    }
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
fn a_mailbox_where_everybody_has_one_makes_no_host_the_senders() {
    let mut world = World::sound();
    world.request.sender.email = "ada.byrne@gmail.com".into();
    world.request.next_step.url = Some("https://sites.gmail.com/call".into());
    assert_eq!(value(&world, Placeholder::NextStepUrl), None);
}

#[test]
fn links_of_the_template_lead_to_the_offer_or_the_sender() {
    let mut world = World::sound();
    let link = |address: &str| Inline::Link {
        href: Href::Https(address.into()),
        label: "Read more".into(),
    };
    let block = &mut world.revision.structure.blocks[0];
    block
        .inlines
        .push(link("https://book.northwind-metering.example/a"));
    block.fallback.push(link("https://tracker.example/a"));
    assert_eq!(foreign_hosts(&world.facts()), ["tracker.example"]);
}

#[test]
fn the_senders_sites_and_mailboxes_are_his_own() {
    let mut world = World::sound();
    world.request.reply.email = "Ada@Answers.example".into();
    assert_eq!(
        own_sites(&world.facts()),
        [
            "northwind-metering.example",
            "northwind-metering.example",
            "ada@mail.northwind-metering.example",
            "answers.example",
            "ada@answers.example",
        ]
    );
    // At a public mail domain a mailbox is one's own, and nothing else.
    world.offer_content = None;
    for email in [
        &mut world.request.sender.email,
        &mut world.request.reply.email,
    ] {
        *email = "ada.byrne@gmail.com".into();
    }
    let mailbox = "ada.byrne@gmail.com";
    assert_eq!(own_sites(&world.facts()), [mailbox, mailbox]);
}

#[test]
fn where_no_host_is_allowed_the_message_tells_what_would_allow_one() {
    let message = |world: &World| {
        let gates = evaluate(&world.facts());
        let gate = gates.into_iter().find(|it| it.gate == GateKey::NextStep);
        gate.and_then(|gate| gate.message).unwrap()
    };
    let mut world = World::sound();
    world.request.next_step.url = Some("https://calls.example/ada".into());
    let told = message(&world);
    assert!(told.contains("revision of the offer"), "{told}");
    assert!(!told.contains("no domain of the sender's own"), "{told}");
    // A summary has no list of hosts, and behind a public mail domain no host is the sender's.
    world.request.offer = MessageOffer::Summary {
        offer_summary: "Metering".into(),
    };
    world.offer_content = None;
    world.request.sender.email = "ada.byrne@gmail.com".into();
    let told = message(&world);
    assert!(told.contains("offer_summary allows no host"), "{told}");
    assert!(told.contains("no domain of the sender's own"), "{told}");
    let own = Inline::Link {
        href: Href::Https("https://calls.example/ada".into()),
        label: "Pick a time".into(),
    };
    world.revision.structure.blocks[0].inlines.push(own);
    assert_eq!(foreign_hosts(&world.facts()), ["calls.example"]);
    let advice = CheckKey::LinkLimit.advice();
    for way in ["allowed_link_hosts", "offer_summary", "public mail domain"] {
        assert!(advice.contains(way), "{advice}");
    }
}

#[test]
fn an_undecided_ground_names_the_legal_form() {
    for (form, told) in [(Some("partnership"), "partnership"), (None, "legal form")] {
        let mut world = World::sound();
        world.candidate().company.legal_form = form.map(str::to_owned);
        world.verdict().basis = Finding::Unknown;
        let gates = evaluate(&world.facts());
        let basis = gates
            .iter()
            .find(|gate| gate.gate == GateKey::Basis)
            .unwrap();
        assert_eq!(basis.reason_code.as_deref(), Some("policy_undecided"));
        let message = basis.message.as_deref().unwrap();
        assert!(message.contains(told), "{message}");
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
fn what_nobody_is_meant_to_read_fills_nothing() {
    let mut world = World::sound();
    world.request.next_step.ask = "Shall we **talk** about it?".into();
    let found = values(&world.facts());
    let unfilled = &found.unfilled[0];
    assert_eq!(unfilled.problem, VariableProblem::Unsupported);
    assert_eq!(unfilled.pointer.as_deref(), Some("/next_step/ask"));
    assert!(
        unfilled.message.contains("Markdown"),
        "{}",
        unfilled.message
    );
    world.request.next_step.ask = "Shall we talk about 5 * 3 flats*?".into();
    assert!(values(&world.facts()).unfilled.is_empty());
    world.request.next_step.ask = "Would gu\u{430}ranteed savings help?".into();
    let message = &values(&world.facts()).unfilled[0].message;
    assert!(message.contains("look like Latin"), "{message}");
    world.request.next_step.ask = "Shall we talk?".into();
    // Who has no name that is seen is greeted without one.
    world.candidate().person.first_name = Some("\u{3164}".into());
    assert_eq!(value(&world, Placeholder::RecipientFirstName), None);
    // What may be absent is left out, so that its block's fallback stands there.
    world.candidate().person.first_name = Some("*Sam*".into());
    let found = values(&world.facts());
    assert!(found.unfilled.is_empty());
    assert_eq!(value(&world, Placeholder::RecipientFirstName), None);
    // A policy's notice says what it says.
    world.verdict().opt_out.text = "*Reply stop* and we will not write to you again.".into();
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
