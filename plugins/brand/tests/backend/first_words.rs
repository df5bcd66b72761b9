//! What a home page says first, why one should choose the company, and what its readers may ask.

use gtm_sdk::{Value, json::json};

use crate::run::{acme, at, members};
use crate::web::home;

fn told(language: &str, main: &str, pointer: &str) -> Value {
    let draft = acme(home(language, &[], main, "")).draft();
    at(&draft, pointer).clone()
}

#[test]
fn the_first_heading_and_its_text_are_the_message() {
    for (language, main, expected) in [
        (
            "de",
            "<h1>Treppen, die tragen.</h1><p>Wir bauen Treppen aus Eiche für alte Häuser in Ulmingen und im Umland.</p>",
            json!(
                "Treppen, die tragen. Wir bauen Treppen aus Eiche für alte Häuser in Ulmingen und im Umland."
            ),
        ),
        (
            "en",
            "<h1>Stairs that carry</h1><p>We build oak stairs for old houses in and around Ripon.</p>",
            json!("We build oak stairs for old houses in and around Ripon."),
        ),
        (
            "fr",
            "<h1>Acme</h1><h2>Des escaliers qui tiennent</h2><p>Nous construisons des escaliers en chêne pour les vieilles maisons.</p>",
            json!("Nous construisons des escaliers en chêne pour les vieilles maisons."),
        ),
        (
            "en",
            "<h1>Summer offer</h1><p>Get 20% off your first pair of stairs until the end of August.</p>",
            json!(null),
        ),
        (
            "de",
            "<h1>Willkommen bei Acme</h1><p>Herzlich willkommen auf unseren neuen Seiten, liebe Gäste.</p>",
            json!(null),
        ),
        (
            "en",
            "<h1>Stairs, doors and floors</h1><p>for old houses and for those who love to live in them</p>",
            json!("Stairs, doors and floors for old houses and for those who love to live in them"),
        ),
        (
            "en",
            "<h1>Stairs that carry.</h1><p>Since 1987 ✦ Oak and ash ✦ Ripon and around</p>",
            // That is the tagline already.
            json!(null),
        ),
        (
            "en",
            "<h1>Acme</h1><h2>Stairs</h2><h2>Doors</h2><p>We build them all for old houses.</p>",
            json!(null),
        ),
    ] {
        assert_eq!(
            told(language, main, "/messaging/core_message"),
            expected,
            "{main}"
        );
    }
}

#[test]
fn cards_whose_words_are_differentiators_are_no_pillars() {
    let cards = "<h1>Acme</h1><p>Acme builds stairs.</p><h2>Why choose us</h2>\
        <h3>Fixed prices</h3><p>You know what a staircase costs before we cut the first board.</p>\
        <h3>One team</h3><p>Whoever measures your house also fits the stairs.</p>\
        <h3>Long repair</h3><p>We keep every drawing for thirty years and mend what we built.</p>";
    assert_eq!(told("en", cards, "/messaging/pillars"), json!([]));
    assert_eq!(
        told("en", cards, "/positioning/differentiators"),
        json!([
            "You know what a staircase costs before we cut the first board.",
            "Whoever measures your house also fits the stairs.",
            "We keep every drawing for thirty years and mend what we built."
        ])
    );
}

#[test]
fn a_heading_over_questions_is_no_promise() {
    let cards = "<h1>Acme</h1><p>Acme builds stairs.</p><h2>Benefits</h2>\
        <h3>Fixed prices before the first cut</h3><p>You know what your staircase costs before we start.</p>\
        <h3>Stairs: costs and frequently asked questions</h3><p>We answer what you may want to know of them.</p>";
    let found = told("en", cards, "/positioning/value_propositions");
    assert_eq!(
        members(&found, "statement"),
        ["Fixed prices before the first cut"]
    );
}

#[test]
fn ticks_make_a_list() {
    let main = "<h1>Acme</h1><p>Acme baut Treppen.</p><h2>Warum wir</h2><div>✓ Feste Preise vor dem ersten Schnitt</div>\
        <div>✓ Einbau in nur zwei Tagen</div><div>✔ Dreißig Jahre Gewähr auf jede Stufe</div><div>Bis bald</div>";
    assert_eq!(
        told("de", main, "/positioning/differentiators"),
        json!([
            "Feste Preise vor dem ersten Schnitt",
            "Einbau in nur zwei Tagen",
            "Dreißig Jahre Gewähr auf jede Stufe"
        ])
    );
}

#[test]
fn one_claim_is_told_once() {
    let cards = "<h1>Acme</h1><h2>What sets us apart</h2>\
        <ul><li>Every staircase is drawn, cut and fitted by the same two people.</li>\
        <li>Each staircase is drawn, cut and fitted by the same two people!</li><li>We mend what we built for thirty years.</li></ul>";
    let found = told("en", cards, "/positioning/differentiators");
    assert_eq!(found.as_array().unwrap().len(), 2, "{found}");
    // Of a claim and a longer one that contains it, the longer is told.
    let cards = "<h1>Acme</h1><h2>What sets us apart</h2><ul><li>Safe delivery to every village</li>\
        <li>We mend what we built for thirty years</li><li>Safe delivery to every village within a single working day</li></ul>";
    assert_eq!(
        told("en", cards, "/positioning/differentiators"),
        json!([
            "Safe delivery to every village within a single working day",
            "We mend what we built for thirty years"
        ])
    );
}

#[test]
fn a_heading_below_a_label_is_the_vision_itself() {
    let main = "<h1>Acme</h1><p>Acme builds stairs.</p><p>Vision</p>\
        <h2>To make every old house in the county safe to climb.</h2><p>We get there by measuring twice and by training fitters every winter.</p>";
    assert_eq!(
        told("en", main, "/foundations/vision"),
        "To make every old house in the county safe to climb."
    );
    let main = "<h1>Acme</h1><p>Acme builds stairs.</p><p>Our vision</p><h2>Climbing made safe</h2>\
        <p>We want every old house in the county to be safe to climb within ten years.</p>";
    assert_eq!(
        told("en", main, "/foundations/vision"),
        "We want every old house in the county to be safe to climb within ten years."
    );
}

#[test]
fn questions_may_have_the_sign_that_opens_their_answer() {
    let item = |question: &str, answer: &str| {
        format!("<details><summary>{question}<span>+</span></summary><div>{answer}</div></details>")
    };
    let main = format!(
        "<h1>Häufige Fragen</h1>{}{}{}",
        item(
            "Was kostet eine Treppe?",
            "Das hängt von Holz und Höhe ab; nach dem Aufmaß nennen wir einen festen Preis."
        ),
        item(
            "Wie lange dauert der Einbau?",
            "Meistens zwei Tage, wenn die alte Treppe schon draußen ist."
        ),
        item(
            "Kann ich in Raten zahlen?",
            "Ja, in drei Raten ohne Aufschlag, die letzte nach der Abnahme."
        ),
    );
    let found = told("de", &main, "/messaging/objections");
    assert_eq!(
        members(&found, "objection"),
        [
            "Was kostet eine Treppe?",
            "Wie lange dauert der Einbau?",
            "Kann ich in Raten zahlen?"
        ]
    );
}

#[test]
fn calls_lead_to_maps_chats_and_the_part_for_contact() {
    let calls = |language: &str, links: &[(&str, &str)], main: &str| {
        let draft = acme(home(language, links, main, "")).draft();
        at(&draft, "/messaging/calls_to_action").clone()
    };
    let below = |links: &str| {
        format!(
            "<h1>Acme</h1><p>Acme.</p><h2>Acme</h2><p>{links}</p><h2 id=contact>Contact</h2><p>Acme, Ripon.</p>"
        )
    };
    assert_eq!(
        calls(
            "en",
            &[],
            &below("<a href='https://www.google.com/maps/dir/Acme'>Get directions</a>")
        ),
        json!(["Get directions"])
    );
    assert_eq!(
        calls(
            "de",
            &[],
            &below("<a href='https://wa.me/4973615550'>Über WhatsApp schreiben</a>")
        ),
        json!(["Über WhatsApp schreiben"])
    );
    assert_eq!(
        calls(
            "fr",
            &[],
            &below("<a href='/#contact'>Demander un devis</a>")
        ),
        json!(["Demander un devis"])
    );
    for (language, link) in [
        ("es", "<a href=/visita>Tras tu visita</a>"),
        ("de", "<a href=/planung>Beratung &amp; Planung</a>"),
    ] {
        assert_eq!(calls(language, &[], &below(link)), json!([]), "{link}");
    }
    let both = "<a href=/a>Book a visit</a> <a href=/b>Read more about our method</a>";
    assert_eq!(calls("en", &[], &below(both)), json!(["Book a visit"]));
}
