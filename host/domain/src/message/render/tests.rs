#![allow(clippy::unwrap_used)]
use serde_json::{Value, json};

use super::*;
use crate::message::placeholder::Placeholder;
use crate::message::rendered::PieceSource;
use crate::message::structure::BlockKind;

fn block(id: &str, kind: &str, inlines: &Value) -> Value {
    json!({"id": id, "kind": kind, "inlines": inlines, "optional": false, "fallback": []})
}

fn var(name: &str) -> Value {
    json!({"t": "var", "name": name})
}

fn text(v: &str) -> Value {
    json!({"t": "text", "v": v})
}

/// A template whose block 0 is as given.
fn template(first: Value) -> Value {
    json!({
        "subject": [text("For "), var("company.name")],
        "preview_text": [],
        "blocks": [
            first,
            block("ask", "cta", &json!([var("next_step.ask")])),
            block("from", "signature", &json!([text("Alex")])),
            block("post", "postal_identity", &json!([text("1 Canal Street")])),
            block("stop", "opt_out", &json!([var("compliance.opt_out")])),
        ],
    })
}

fn values(more: &[(&str, &str)]) -> BTreeMap<String, String> {
    let all = [
        ("company.name", "Acme"),
        ("next_step.ask", "Shall we talk?"),
        ("compliance.opt_out", "Reply stop."),
    ];
    let all = all.iter().chain(more);
    all.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn filled(
    template: &Value,
    values: &BTreeMap<String, String>,
) -> Result<RenderedMessage, Vec<MessageFault>> {
    let structure: Structure = serde_json::from_value(template.clone()).unwrap();
    render(&structure, "en", values, Digest::of(b"t"))
}

fn faults(template: &Value, values: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let faults = filled(template, values).unwrap_err();
    let faults = faults.into_iter().map(|it| (it.pointer, it.rule));
    faults.collect()
}

fn value_block() -> Value {
    block(
        "v",
        "value",
        &json!([text("We "), var("offer.value_proposition")]),
    )
}

#[test]
fn blocks_stand_apart_and_nothing_ends_the_text() {
    let message = filled(
        &template(value_block()),
        &values(&[("offer.value_proposition", "  help\r\n\r\nyou\u{0}\u{202e} ")]),
    )
    .unwrap();
    assert_eq!(message.subject, "For Acme");
    assert_eq!(
        message.text,
        "We help you\r\n\r\nShall we talk?\r\n\r\nAlex\r\n\r\n1 Canal Street\r\n\r\nReply stop."
    );
    assert_eq!(message.counts.words, 6);
    assert_eq!(message.counts.links, 0);
    assert_eq!(message.counts.subject_chars, 8);
}

/// Without the mark, the figure behind a Hebrew name would be shown before it.
#[test]
fn what_follows_a_value_in_the_other_direction_stays_there() {
    let greeting = json!([
        text("Hello "),
        var("recipient.first_name"),
        text(", 5 flats of "),
        var("company.name"),
    ]);
    let template = template(block("v", "greeting", &greeting));
    let (name, company) = ("\u{5d3}\u{5e0}\u{5d4}", "\u{5d7}\u{5d1}\u{5e8}\u{5d4}");
    let values = values(&[("recipient.first_name", name), ("company.name", company)]);
    let message = filled(&template, &values).unwrap();
    // Nothing stands behind the company, so it needs no mark.
    let line = format!("Hello {name}\u{200e}, 5 flats of {company}");
    assert!(message.text.starts_with(&format!("{line}\r\n")));
    assert!(message.html.contains(&line));
    let structure: Structure = serde_json::from_value(template).unwrap();
    let arabic = render(&structure, "ar", &values, Digest::of(b"t")).unwrap();
    assert!(!arabic.text.contains('\u{200f}'), "the same direction");
}

#[test]
fn a_value_that_ends_its_sentence_takes_no_second_stop() {
    let sentence = |behind: &str| {
        block(
            "v",
            "value",
            &json!([text("We "), var("offer.value_proposition"), text(behind)]),
        )
    };
    for (value, behind, expected) in [
        ("help you.", ".", "We help you."),
        ("help you!", ". Today.", "We help you! Today."),
        ("help you", ".", "We help you."),
        ("help you.", " now.", "We help you. now."),
        ("help you.", "...", "We help you...."),
        ("help you。", "。", "We help you。"),
    ] {
        let given = values(&[("offer.value_proposition", value)]);
        let message = filled(&template(sentence(behind)), &given).unwrap();
        let first = message.text.lines().next().unwrap();
        assert_eq!(first, expected);
        assert!(message.html.contains(expected), "{}", message.html);
    }
}

#[test]
fn what_is_missing_is_dropped_or_replaced() {
    let mut first = block(
        "g",
        "greeting",
        &json!([text("Hello "), var("recipient.first_name"), text(",")]),
    );
    first["fallback"] = json!([text("Hello "), var("company.name")]);
    for blank in [&[][..], &[("recipient.first_name", " \u{85}\u{0}")][..]] {
        let message = filled(&template(first.clone()), &values(blank)).unwrap();
        assert!(message.text.starts_with("Hello Acme\r\n"));
        assert_eq!(message.used_fallbacks, ["g"]);
        assert_eq!(message.dropped_blocks, [""; 0]);
    }
    // With a fallback it is not dropped, even if it is optional.
    first["optional"] = json!(true);
    let message = filled(&template(first.clone()), &values(&[])).unwrap();
    assert_eq!(message.used_fallbacks, ["g"]);
    first["fallback"] = json!([]);
    let message = filled(&template(first.clone()), &values(&[])).unwrap();
    assert!(message.text.starts_with("Shall we talk?"));
    assert_eq!(message.dropped_blocks, ["g"]);
    let message = filled(
        &template(first),
        &values(&[("recipient.first_name", "Sam")]),
    )
    .unwrap();
    assert!(message.text.starts_with("Hello Sam,"));
    assert_eq!(message.dropped_blocks, [""; 0]);
}

#[test]
fn a_required_value_must_be_there_even_in_an_optional_block() {
    let mut first = block("e", "evidence_hook", &json!([var("evidence.hook")]));
    first["optional"] = json!(true);
    let missing = |name: &str| {
        let pointer = format!("/values/{name}");
        (pointer, "required_value_missing".to_owned())
    };
    assert_eq!(
        faults(&template(first.clone()), &values(&[])),
        [missing("evidence.hook")]
    );
    assert_eq!(
        faults(&template(first), &values(&[("evidence.hook", "\r\n")])),
        [missing("evidence.hook")]
    );
    let none = BTreeMap::new();
    assert_eq!(
        faults(&template(block("v", "value", &json!([text("x")]))), &none),
        ["company.name", "next_step.ask", "compliance.opt_out"].map(missing)
    );
}

#[test]
fn values_are_those_of_the_template_in_their_form() {
    let first = block(
        "v",
        "value",
        &json!([
            var("sender.reply_email"),
            {"t": "link", "href": {"var": "offer.url"}, "label": "page"},
            var("evidence.observed_on"),
        ]),
    );
    let mut first = first;
    first["optional"] = json!(true);
    let good = values(&[
        ("sender.reply_email", "a@b.example"),
        ("offer.url", "https://a.example"),
        ("evidence.observed_on", "2026-03-01"),
    ]);
    assert!(filled(&template(first.clone()), &good).is_ok());
    let long = "é".repeat(121);
    for (name, value, rule) in [
        ("recipient.email", "x", "placeholder_not_allowed"),
        ("a/b~", "x", "placeholder_not_allowed"),
        ("recipient.role", "x", "placeholder_not_declared"),
        ("company.name", long.as_str(), "value_too_long"),
        ("offer.url", "http://a.example", "link_not_https"),
        (
            "offer.url",
            "https://me:secret@a.example",
            "link_user_information",
        ),
        ("offer.url", "https://bücher.example", "link_host_not_ascii"),
        (
            "sender.reply_email",
            "Alex <a@b.example>",
            "value_not_an_address",
        ),
        ("evidence.observed_on", "yesterday", "value_not_a_date"),
    ] {
        let mut values = good.clone();
        values.insert(name.to_owned(), value.to_owned());
        let pointer = format!("/values/{}", name.replace('~', "~0").replace('/', "~1"));
        assert_eq!(
            faults(&template(first.clone()), &values),
            [(pointer, rule.to_owned())]
        );
        let told = filled(&template(first.clone()), &values).unwrap_err();
        assert!(!told[0].message.contains(value) || value == "x", "{told:?}");
    }
    // Limits are for what is left.
    let mut values = good;
    values.insert(
        "company.name".to_owned(),
        format!(" {}\u{0}\u{301} ", "e".repeat(120)),
    );
    assert!(filled(&template(first), &values).is_ok());
}

#[test]
fn the_filled_subject_has_a_limit() {
    let mut template = template(block("v", "value", &json!([text("x")])));
    template["subject"] = json!([text(&"a".repeat(31)), var("company.name")]);
    let most = "é".repeat(119);
    assert!(filled(&template, &values(&[("company.name", &most)])).is_ok());
    let more = "é".repeat(120);
    assert_eq!(
        faults(&template, &values(&[("company.name", &more)])),
        [("/subject".to_owned(), "subject_too_long".to_owned())]
    );
    let structure: Structure = serde_json::from_value(template).unwrap();
    let values = values(&[("company.name", &most)]);
    let marked = render_demonstration(&structure, "en", &values, Digest::of(b"t"), "Demo").unwrap();
    assert_eq!(marked.subject.chars().count(), 155);
    assert_eq!(marked.counts.subject_chars, 150);
}

#[test]
fn links_show_their_address_in_plain_text_alone() {
    let first = block(
        "v",
        "value",
        &json!([
            text("See "),
            {"t": "link", "href": {"https": "https://a.example/?a=1&b='2'"}, "label": " the <plan> "},
            text(" or "),
            var("next_step.url"),
        ]),
    );
    let mut first = first;
    first["optional"] = json!(true);
    let message = filled(
        &template(first),
        &values(&[("next_step.url", "https://b.example:8443/x")]),
    )
    .unwrap();
    let line = message.text.split("\r\n").next().unwrap();
    assert_eq!(
        line,
        "See the <plan> (https://a.example/?a=1&b=%272%27) or b.example (https://b.example:8443/x)"
    );
    assert!(message.html.contains("See <a href=\"https://a.example/?a=1&amp;b=%272%27\" style=\"text-decoration:underline\">the &lt;plan&gt;</a> or <a href=\"https://b.example:8443/x\""));
    assert_eq!(message.counts.links, 2);
    // Addresses are no words, and a host is one.
    assert_eq!(message.counts.words, 5 + 3);

    let of = |piece: &crate::message::rendered::Piece| -> String {
        message
            .text
            .chars()
            .skip(piece.start)
            .take(piece.end - piece.start)
            .collect()
    };
    let next = PieceSource::Value(Placeholder::NextStepUrl);
    let found: Vec<(String, PieceSource)> = message
        .pieces
        .iter()
        .filter(|piece| piece.block == BlockKind::Value && piece.block_index == 0)
        .map(|piece| (of(piece), piece.source))
        .collect();
    let want = [
        ("See ", PieceSource::Literal),
        ("the <plan>", PieceSource::Literal),
        (" (", PieceSource::Literal),
        ("https://a.example/?a=1&b=%272%27", PieceSource::Literal),
        (")", PieceSource::Literal),
        (" or ", PieceSource::Literal),
        ("b.example", next),
        (" (", PieceSource::Literal),
        ("https://b.example:8443/x", next),
        (")", PieceSource::Literal),
    ];
    let want = want.map(|(text, source)| (text.to_owned(), source));
    assert_eq!(found, want);
}

#[test]
fn a_privacy_notice_is_text() {
    let first = block(
        "p",
        "privacy_notice",
        &json!([var("compliance.privacy_notice")]),
    );
    let mut first = first;
    first["optional"] = json!(true);
    let notice = "Your data: https://a.example/privacy";
    let message = filled(
        &template(first),
        &values(&[("compliance.privacy_notice", notice)]),
    )
    .unwrap();
    assert!(message.text.starts_with(&format!("{notice}\r\n")));
    assert!(message.html.contains(&format!(">{notice}</td>")));
    assert_eq!((message.counts.links, message.counts.words), (0, 3));
}

#[test]
fn a_value_is_text_whatever_it_looks_like() {
    let value = "{{company.name}} <b>[a](https://a.example)</b> &amp;";
    let message = filled(
        &template(value_block()),
        &values(&[("offer.value_proposition", value)]),
    )
    .unwrap();
    assert!(message.text.starts_with(&format!("We {value}\r\n")));
    assert!(
        message.html.contains(
            "We {{company.name}} &lt;b&gt;[a](https://a.example)&lt;/b&gt; &amp;amp;</td>"
        )
    );
}

#[test]
fn hashes_are_over_what_is_given_and_what_is_made() {
    let template = template(value_block());
    let given = values(&[("offer.value_proposition", "help")]);
    let spaced = values(&[("offer.value_proposition", " help ")]);
    let (one, two) = (
        filled(&template, &given).unwrap(),
        filled(&template, &spaced).unwrap(),
    );
    assert_eq!(one.text, two.text);
    assert_ne!(one.values_hash, two.values_hash);
    assert_ne!(one.render_hash, two.render_hash);
    assert_eq!(one.values_hash, canonical_digest(&given).unwrap());
    let all = json!({
        "template_hash": Digest::of(b"t"),
        "values_hash": one.values_hash,
        "renderer": {"key": "message-renderer", "version": "1.1.0"},
        "subject": one.subject,
        "preview_text": null,
        "text": one.text,
        "html": one.html,
    });
    assert_eq!(one.render_hash, canonical_digest(&all).unwrap());
}

#[test]
fn a_structure_that_is_not_closed_is_not_filled() {
    for inline in [
        var("recipient.email"),
        json!({"t": "link", "href": {"https": "javascript:alert(1)"}, "label": "x"}),
        json!({"t": "link", "href": {"var": "company.name"}, "label": "x"}),
    ] {
        let template = template(block("v", "value", &json!([inline])));
        assert_eq!(
            faults(&template, &values(&[])),
            [(
                "/structure/blocks/0".to_owned(),
                "structure_not_closed".to_owned()
            )]
        );
    }
}

#[test]
fn pieces_say_what_is_a_value_in_subject_and_preview() {
    let mut template = template(value_block());
    template["preview_text"] = json!([text(" Bills at "), var("company.name"), text(" ")]);
    let message = filled(
        &template,
        &values(&[("offer.value_proposition", "help you")]),
    )
    .unwrap();
    let company = PieceSource::Value(Placeholder::CompanyName);
    assert_eq!(
        message.subject_pieces,
        [(0, 4, PieceSource::Literal), (4, 8, company)]
    );
    assert_eq!(message.preview_text.as_deref(), Some("Bills at Acme"));
    assert_eq!(
        message.preview_pieces,
        [(0, 9, PieceSource::Literal), (9, 13, company)]
    );
}

#[test]
fn a_signature_names_the_organization_once() {
    let mut template = template(block("hello", "greeting", &json!([text("Hello")])));
    template["blocks"][2]["inlines"] = json!([
        var("sender.full_name"),
        text(", "),
        var("sender.role"),
        text(", "),
        var("sender.organization"),
    ]);
    let written = |template: &Value, name: &str, role: &str| {
        let given = values(&[
            ("sender.full_name", name),
            ("sender.role", role),
            ("sender.organization", "Meters Ltd"),
        ]);
        let text = filled(template, &given).unwrap().text;
        let mut paragraphs = text.split("\r\n\r\n");
        paragraphs
            .find(|it| it.starts_with("Ana"))
            .unwrap()
            .to_owned()
    };
    let signed = |name: &str, role: &str| written(&template, name, role);
    assert_eq!(signed("Ana Reyes", "Sales"), "Ana Reyes, Sales, Meters Ltd");
    let told = signed("Ana Reyes", "Sales, meters ltd");
    assert_eq!(told, "Ana Reyes, Sales, meters ltd");
    // The name of something else that ends alike.
    let told = signed("Ana Reyes", "Sales at Supermeters Ltd");
    assert_eq!(told, "Ana Reyes, Sales at Supermeters Ltd, Meters Ltd");
    // Brackets around the name go with it.
    let mut bracketed = template.clone();
    bracketed["blocks"][2]["inlines"] = json!([
        var("sender.full_name"),
        text(", "),
        var("sender.role"),
        text(" ("),
        var("sender.organization"),
        text("), by letter"),
    ]);
    for (role, told) in [
        ("Sales", "Ana Reyes, Sales (Meters Ltd), by letter"),
        (
            "Sales, Meters Ltd",
            "Ana Reyes, Sales, Meters Ltd, by letter",
        ),
    ] {
        assert_eq!(written(&bracketed, "Ana Reyes", role), told);
    }
}

/// Whoever copies the call of `docs/calling.md` gets a message.
#[test]
fn the_documented_call_fills_the_sample() {
    let page = include_str!("../../../../../docs/calling.md");
    let call = page.split("/render -H").nth(1).unwrap();
    let call = call.split("<<'JSON'\n").nth(1).unwrap();
    let call: Value = serde_json::from_str(call.split("\nJSON").next().unwrap()).unwrap();
    let values = serde_json::from_value(call["values"].clone()).unwrap();
    let sample = include_str!("../../../../../samples/message-template.json");
    let sample: Value = serde_json::from_str(sample).unwrap();
    let message = filled(&sample["structure"], &values).unwrap();
    assert!(message.text.starts_with("Hello Sam,"), "{}", message.text);
}
