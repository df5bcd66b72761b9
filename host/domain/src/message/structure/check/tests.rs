#![allow(clippy::unwrap_used)]
use serde_json::{Value, json};

use super::*;

fn text(v: &str) -> Value {
    json!({"t": "text", "v": v})
}

fn var(name: &str) -> Value {
    json!({"t": "var", "name": name})
}

fn link(href: &Value, label: &str) -> Value {
    json!({"t": "link", "href": href, "label": label})
}

fn block(id: &str, kind: &str, inlines: &Value) -> Value {
    json!({"id": id, "kind": kind, "inlines": inlines, "optional": false, "fallback": []})
}

/// Blocks 0 to 4: greeting, cta, signature, postal identity, opt-out.
fn letter() -> Value {
    let mut greeting = block(
        "b1",
        "greeting",
        &json!([text("Hello "), var("recipient.first_name"), text(",")]),
    );
    greeting["fallback"] = json!([text("Hello,")]);
    json!({
        "subject": [text("Metering at "), var("company.name")],
        "preview_text": [text("One bill per flat")],
        "blocks": [
            greeting,
            block("b2", "cta", &json!([var("next_step.ask")])),
            block("b3", "signature", &json!([var("sender.full_name"), text(", "), var("sender.organization")])),
            block("b4", "postal_identity", &json!([var("compliance.postal_identity")])),
            block("b5", "opt_out", &json!([var("compliance.opt_out")])),
        ],
    })
}

fn options(max_links: u32) -> TemplateOptions {
    TemplateOptions {
        tone: TemplateOptions::DEFAULT_TONE.to_owned(),
        locale: "en-GB".to_owned(),
        max_words: TemplateOptions::DEFAULT_MAX_WORDS,
        max_links,
        forbidden_claims: Vec::new(),
    }
}

fn checked(letter: &Value) -> Result<Vec<Variable>, Vec<MessageFault>> {
    let structure: Structure = serde_json::from_value(letter.clone()).unwrap();
    check(&structure, &options(1))
}

/// Pointers and rules of what is wrong.
fn faults(letter: &Value) -> Vec<(String, String)> {
    let faults = checked(letter).err().unwrap_or_default();
    let faults = faults.into_iter().map(|it| (it.pointer, it.rule));
    faults.collect()
}

#[test]
fn variables_are_those_of_the_list_in_the_order_of_their_first_use() {
    let variables = checked(&letter()).unwrap();
    let names: Vec<&str> = variables.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "company.name",
            "recipient.first_name",
            "next_step.ask",
            "sender.full_name",
            "sender.organization",
            "compliance.postal_identity",
            "compliance.opt_out",
        ]
    );
    assert!(variables[0].required && !variables[1].required);
    assert_eq!(variables[1].max_length, 60);
    assert_eq!(
        serde_json::to_value(&variables[0]).unwrap(),
        json!({"name": "company.name", "type": "text", "max_length": 120, "required": true, "source": "company"})
    );
}

/// Each case puts one value in the letter's place and breaks one rule.
#[test]
fn each_rule_is_told_where_it_is_broken() {
    let long = "a".repeat(601);
    let proof = block("x", "proof", &json!([text("Proof.")]));
    let blocks_with = |index: usize, block: Value| {
        let mut blocks = letter()["blocks"].as_array().unwrap().clone();
        blocks.insert(index, block);
        Value::Array(blocks)
    };
    let many = |count: usize| {
        let proofs =
            (0..count).map(|index| block(&format!("p{index}"), "proof", &json!([text("x")])));
        let mut blocks: Vec<Value> = proofs.collect();
        blocks.extend(letter()["blocks"].as_array().unwrap().clone());
        Value::Array(blocks)
    };
    let drop_block = |index: usize| {
        let mut blocks = letter()["blocks"].as_array().unwrap().clone();
        blocks.remove(index);
        Value::Array(blocks)
    };
    let privacy = |fallback: &Value| {
        let mut privacy = block(
            "x",
            "privacy_notice",
            &json!([var("compliance.privacy_notice")]),
        );
        privacy["fallback"] = fallback.clone();
        privacy
    };
    let privacy_with = |label: &str| {
        let line = json!([text(label), var("compliance.privacy_notice")]);
        let mut notice = block("x", "privacy_notice", &line);
        notice["optional"] = json!(true);
        notice
    };
    let https = |text: &str| link(&json!({"https": text}), "more");
    #[rustfmt::skip]
    let cases: Vec<(&str, Value, &str, &str)> = vec![
        ("/subject", json!([]), "/subject", "subject_size"),
        ("/subject", json!(vec![text("a"); 7]), "/subject", "subject_size"),
        ("/subject", json!([text(" ")]), "/subject", "subject_blank"),
        ("/subject", json!([text(&"a".repeat(100)), text(&"b".repeat(51))]), "/subject", "subject_too_long"),
        ("/subject/0", https("https://a.example"), "/subject/0", "link_not_allowed"),
        ("/subject/0/v", json!("Re:\r\nBcc: x"), "/subject/0/v", "text_characters"),
        ("/subject/0/v", json!("a\u{2028}b"), "/subject/0/v", "text_characters"),
        ("/subject/1", var("recipient.first_name"), "/subject/1/name", "variable_without_fallback"),
        ("/preview_text/0", https("https://a.example"), "/preview_text/0", "link_not_allowed"),
        ("/preview_text/0", var("company.industry"), "/preview_text/0/name", "variable_without_fallback"),
        ("/preview_text/0", var("next_step.ask"), "/preview_text/0/name", "placeholder_misplaced"),
        ("/preview_text/0", var("sender.role"), "/preview_text/0/name", "placeholder_misplaced"),
        ("/preview_text/0", var("compliance.postal_identity"), "/preview_text/0/name", "placeholder_misplaced"),
        ("/blocks/2/inlines/0", text("Sam"), "/blocks/2/inlines", "block_value_missing"),
        ("/blocks/2/inlines/2", text("Northwind"), "/blocks/2/inlines", "block_value_missing"),
        ("/blocks/2/fallback", json!([var("sender.full_name")]), "/blocks/2/fallback", "block_value_missing"),
        ("/blocks/2/inlines/1", text(&"a".repeat(41)), "/blocks/2/inlines", "block_text"),
        ("/blocks/3/inlines", json!([var("compliance.postal_identity"), text(", floor 3")]), "/blocks/3/inlines", "block_text"),
        ("/blocks", blocks_with(4, privacy_with(&"a".repeat(81))), "/blocks/4/inlines", "block_text"),
        ("/blocks", blocks_with(4, privacy_with("60 percent: ")), "/blocks/4/inlines", "block_text"),
        ("/blocks/1/inlines/0", link(&json!({"https": "https://a.example"}), "a.example/x"), "/blocks/1/inlines/0/label", "label_is_address"),
        ("/blocks/2/inlines/1", text("? "), "/blocks/2/inlines", "block_text"),
        ("/blocks/2/inlines/1", text(" www.a.example "), "/blocks/2/inlines", "block_text"),
        ("/blocks/2/inlines/1", https("https://a.example"), "/blocks/2/inlines/1", "link_not_allowed"),
        ("/blocks/2/inlines/1", var("next_step.ask"), "/blocks/2/inlines/1/name", "placeholder_misplaced"),
        ("/blocks/3/inlines/0", text("Fake Street"), "/blocks/3/inlines", "block_value_missing"),
        ("/blocks/3/fallback", json!([text("Fake Street")]), "/blocks/3/fallback", "block_value_missing"),
        ("/blocks/1/inlines/0", link(&json!({"https": "https://a.example"}), "bank.example"), "/blocks/1/inlines/0/label", "label_is_address"),
        ("/blocks/1/inlines/0", link(&json!({"https": "https://a.example"}), "https://a.example"), "/blocks/1/inlines/0/label", "label_is_address"),
        ("/blocks", blocks_with(4, block("x", "privacy_notice", &json!([text("Notice")]))), "/blocks/4/inlines", "block_value_missing"),
        ("/blocks", blocks_with(4, privacy(&json!([text("Notice")]))), "/blocks/4/fallback", "block_value_missing"),
        ("/blocks", many(10), "/blocks", "block_count"),
        ("/blocks", drop_block(1), "/blocks", "block_missing"),
        ("/blocks", drop_block(2), "/blocks", "block_missing"),
        ("/blocks", drop_block(3), "/blocks", "block_missing"),
        ("/blocks", drop_block(4), "/blocks", "block_missing"),
        ("/blocks", blocks_with(5, proof.clone()), "/blocks/4/kind", "opt_out_not_last"),
        ("/blocks/0/kind", json!("cta"), "/blocks/1/kind", "block_repeated"),
        ("/blocks/1/id", json!("b1"), "/blocks/1/id", "block_id_repeated"),
        ("/blocks/1/id", json!(""), "/blocks/1/id", "block_id_invalid"),
        ("/blocks/1/id", json!("a b"), "/blocks/1/id", "block_id_invalid"),
        ("/blocks/1/id", json!("a".repeat(41)), "/blocks/1/id", "block_id_invalid"),
        ("/blocks/1/inlines", json!([]), "/blocks/1/inlines", "block_blank"),
        ("/blocks/1/inlines", json!([text(" ")]), "/blocks/1/inlines", "block_blank"),
        ("/blocks/0/fallback", json!([text(" ")]), "/blocks/0/fallback", "block_blank"),
        ("/blocks/0/fallback", json!([]), "/blocks/0/inlines/1/name", "variable_without_fallback"),
        ("/blocks/0/fallback/0", var("recipient.role"), "/blocks/0/fallback/0/name", "variable_without_fallback"),
        ("/blocks/1/inlines/0", text(&long), "/blocks/1/inlines/0/v", "text_too_long"),
        ("/blocks/1/inlines/0", text("a\u{202e}b"), "/blocks/1/inlines/0/v", "text_characters"),
        ("/blocks/1/inlines/0", text("a\u{2069}b"), "/blocks/1/inlines/0/v", "text_characters"),
        ("/blocks/1/inlines/0", text("a\u{200b}b"), "/blocks/1/inlines/0/v", "text_characters"),
        ("/blocks/1/inlines/0", text("\u{feff}"), "/blocks/1/inlines/0/v", "text_characters"),
        ("/blocks/1/inlines/0", text("a\u{e0041}b"), "/blocks/1/inlines/0/v", "text_characters"),
        ("/blocks/1/inlines/0", text("n\u{336}o\u{336}t\u{336}"), "/blocks/1/inlines/0/v", "text_characters"),
        ("/blocks/1/inlines/0", text("x\u{20d2}y"), "/blocks/1/inlines/0/v", "text_characters"),
        ("/blocks/1/inlines/0", text("x\u{338}"), "/blocks/1/inlines/0/v", "text_characters"),
        ("/blocks/1/inlines/0", text("e\u{301}"), "/blocks/1/inlines/0/v", "text_not_nfc"),
        ("/blocks/1/inlines/0", text("{{recipient.role}}"), "/blocks/1/inlines/0/v", "token_in_text"),
        ("/blocks/1/inlines", json!([text("a{"), text(""), text("{b")]), "/blocks/1/inlines/2/v", "token_in_text"),
        ("/blocks/1/inlines/0", var("recipient.email"), "/blocks/1/inlines/0/name", "placeholder_not_allowed"),
        ("/blocks/1/inlines/0", var("company.name "), "/blocks/1/inlines/0/name", "placeholder_not_allowed"),
        ("/blocks/1/inlines/0", var("compliance.opt_out"), "/blocks/1/inlines/0/name", "placeholder_misplaced"),
        ("/blocks/4/inlines", json!([text("Bye")]), "/blocks/4/inlines", "opt_out_content"),
        ("/blocks/4/inlines", json!([text("P.S. "), var("compliance.opt_out")]), "/blocks/4/inlines", "opt_out_content"),
        ("/blocks/4/fallback", json!([text("Bye")]), "/blocks/4/fallback", "opt_out_content"),
        ("/blocks/1/inlines/0", https("http://a.example"), "/blocks/1/inlines/0/href/https", "link_not_https"),
        ("/blocks/1/inlines/0", https("javascript:alert(1)"), "/blocks/1/inlines/0/href/https", "link_not_https"),
        ("/blocks/1/inlines/0", https("https://me@a.example"), "/blocks/1/inlines/0/href/https", "link_user_information"),
        ("/blocks/1/inlines/0", https("https://bücher.example"), "/blocks/1/inlines/0/href/https", "link_host_not_ascii"),
        ("/blocks/1/inlines/0", https("https://a.example/{{company.name}}"), "/blocks/1/inlines/0/href/https", "token_in_link"),
        ("/blocks/1/inlines/0", https("https://a.example/?for={first_name}"), "/blocks/1/inlines/0/href/https", "token_in_link"),
        ("/blocks/1/inlines/0", https("https://a.example/%7B%7Bname%7D%7D"), "/blocks/1/inlines/0/href/https", "token_in_link"),
        ("/blocks/1/inlines/0", https("https://{{company.name}}.a.example"), "/blocks/1/inlines/0/href/https", "token_in_link"),
        ("/blocks/1/inlines/0", https("https://"), "/blocks/1/inlines/0/href/https", "link_invalid"),
        ("/blocks/1/inlines/0", link(&json!({"var": "company.name"}), "x"), "/blocks/1/inlines/0/href/var", "placeholder_not_allowed"),
        ("/blocks/1/inlines/0", link(&json!({"var": "sender.url"}), "x"), "/blocks/1/inlines/0/href/var", "placeholder_not_allowed"),
        ("/blocks/1/inlines/0", link(&json!({"var": "offer.url"}), "x"), "/blocks/1/inlines/0/href/var", "variable_without_fallback"),
        ("/blocks/1/inlines/0", link(&json!({"https": "https://a.example"}), " "), "/blocks/1/inlines/0/label", "label_blank"),
        ("/blocks/1/inlines/0", link(&json!({"https": "https://a.example"}), "{{x}}"), "/blocks/1/inlines/0/label", "token_in_text"),
        ("/blocks/1/inlines", json!([https("https://a.example"), https("https://b.example")]), "/blocks/1/inlines", "too_many_links"),
    ];
    for (place, value, pointer, rule) in cases {
        let mut letter = letter();
        *letter.pointer_mut(place).unwrap() = value.clone();
        let want = vec![(pointer.to_owned(), rule.to_owned())];
        assert_eq!(faults(&letter), want, "{place} {value}");
    }
    assert_eq!(faults(&letter()), []);
}

/// What the closing blocks and labels of honest senders say.
#[test]
fn numbers_of_a_signature_and_own_hosts_are_let_pass() {
    for (place, value) in [
        (
            "/blocks/2/inlines/1",
            text(", Tel. +49 351 4567890, HRB 12345, "),
        ),
        ("/blocks/2/inlines/1", text(", Dipl.-Ing., M.Sc., ")),
        (
            "/blocks/1/inlines/0",
            link(&json!({"https": "https://a.example/plan"}), "a.example"),
        ),
        (
            "/blocks/1/inlines/0",
            link(
                &json!({"https": "https://a.example/plan"}),
                "Our Node.js plan",
            ),
        ),
    ] {
        let mut letter = letter();
        *letter.pointer_mut(place).unwrap() = value.clone();
        assert_eq!(faults(&letter), [], "{value}");
    }
    let mut letter = letter();
    let mut notice = block(
        "n",
        "privacy_notice",
        &json!([
            text("Informationen zur Verarbeitung Ihrer Daten nach Artikel XIV der DSGVO: "),
            var("compliance.privacy_notice"),
        ]),
    );
    notice["optional"] = json!(true);
    letter["blocks"].as_array_mut().unwrap().insert(4, notice);
    assert_eq!(faults(&letter), []);
}

#[test]
fn two_blocks_are_too_few() {
    let mut letter = letter();
    let blocks = letter["blocks"].as_array_mut().unwrap();
    blocks.drain(0..3);
    let rules: Vec<String> = faults(&letter).into_iter().map(|it| it.1).collect();
    assert_eq!(rules, ["block_count", "block_missing", "block_missing"]);
}

#[test]
fn limits_themselves_are_kept() {
    let mut letter = letter();
    letter["subject"] = json!(vec![text(&"é".repeat(25)); 6]);
    letter["blocks"][1]["inlines"] = json!([text(&"é".repeat(600))]);
    letter["blocks"][1]["id"] = json!("a".repeat(40));
    assert_eq!(faults(&letter), []);
}

#[test]
fn the_blocks_that_must_stand_cannot_be_dropped() {
    let mut letter = letter();
    letter["blocks"][1]["inlines"] = json!([
        text("See "),
        link(&json!({"var": "next_step.url"}), "the plan")
    ]);
    letter["blocks"][1]["optional"] = json!(true);
    let want = (
        "/blocks/1/optional".to_owned(),
        "block_not_optional".to_owned(),
    );
    assert_eq!(faults(&letter), [want]);
    letter["blocks"][1]["fallback"] = json!([text("Shall I send the plan?")]);
    assert_eq!(faults(&letter), []);
}

#[test]
fn a_link_and_its_fallback_are_not_counted_twice() {
    let mut letter = letter();
    let mut cta = block("b2", "cta", &json!([var("offer.url")]));
    cta["fallback"] = json!([link(&json!({"https": "https://a.example"}), "the plan")]);
    letter["blocks"][1] = cta;
    assert_eq!(faults(&letter), []);
    letter["blocks"][0]["fallback"] = json!([link(&json!({"https": "https://b.example"}), "us")]);
    let want = ("/blocks/1/inlines".to_owned(), "too_many_links".to_owned());
    assert_eq!(faults(&letter), [want]);
}

#[test]
fn no_more_faults_are_told_than_the_limit() {
    let mut letter = letter();
    letter["blocks"][0]["inlines"] = json!(vec![text("{{"); 40]);
    letter["blocks"][0]["fallback"] = json!(vec![text("{{"); 40]);
    assert_eq!(faults(&letter).len(), MAX_FAULTS);
}

/// DANGER: each text is read many times, so of a structure that is too large nothing but that is looked at.
#[test]
fn of_what_is_too_large_only_that_is_told() {
    let fault = |pointer: &str, rule: &str| [(pointer.to_owned(), rule.to_owned())];
    let mut many = letter();
    many["blocks"][0]["fallback"] = json!(vec![text("{{"); 41]);
    let want = fault("/blocks/0/fallback", "too_many_pieces");
    assert_eq!(faults(&many), want);
    let mut long = letter();
    long["preview_text"] = json!([vec![text(&"{{".repeat(250)); 6], vec![text("a")]].concat());
    assert_eq!(faults(&long), fault("/preview_text", "line_too_long"));
    let mut subject = letter();
    subject["subject"] = json!(vec![text("{{"); 7]);
    assert_eq!(faults(&subject), fault("/subject", "subject_size"));
    let mut whole = letter();
    let mut blocks = whole["blocks"].as_array().unwrap().clone();
    for at in 0..4 {
        let mut proof = block(
            &format!("p{at}"),
            "proof",
            &json!(vec![text(&"{{".repeat(300)); 5]),
        );
        proof["fallback"] = proof["inlines"].clone();
        blocks.insert(1, proof);
    }
    whole["blocks"] = Value::Array(blocks);
    assert_eq!(faults(&whole), fault("", "template_too_long"));
    // Bytes are not what counts.
    let mut wide = letter();
    wide["blocks"][1]["inlines"] = json!(vec![text(&"é".repeat(600)); 5]);
    assert_eq!(faults(&wide), []);
}

#[test]
fn cleaning_leaves_nothing_to_refuse() {
    let mut letter = letter();
    letter["blocks"][1]["inlines"] = json!([
        text("Caf\u{65}\u{301}\r\n\tnext\u{0}\u{202e}"),
        link(&json!({"https": "https://a.example"}), "a\u{2028}b"),
    ]);
    let structure: Structure = serde_json::from_value(letter).unwrap();
    let cleaned = structure.cleaned();
    assert!(check(&cleaned, &options(1)).is_ok());
    let cleaned = serde_json::to_value(&cleaned).unwrap();
    assert_eq!(cleaned["blocks"][1]["inlines"][0]["v"], "Café next");
    assert_eq!(cleaned["blocks"][1]["inlines"][1]["label"], "a b");
}

#[test]
fn unknown_members_and_kinds_are_no_structure() {
    for (place, value) in [
        ("/subject/0", json!({"t": "html", "v": "<b>"})),
        ("/subject/0", json!({"t": "text", "v": "a", "raw": true})),
        ("/blocks/0/kind", json!("footer")),
        (
            "/blocks/0",
            json!({"id": "b1", "kind": "cta", "inlines": [], "optional": false, "fallback": [], "if": "x"}),
        ),
        (
            "/blocks/0/inlines/0",
            link(&json!({"mailto": "a@b.example"}), "x"),
        ),
    ] {
        let mut letter = letter();
        *letter.pointer_mut(place).unwrap() = value.clone();
        assert!(
            serde_json::from_value::<Structure>(letter).is_err(),
            "{value}"
        );
    }
}

#[test]
fn one_privacy_notice_may_stand_and_no_second() {
    let notice = |id: &str| {
        let mut notice = block(
            id,
            "privacy_notice",
            &json!([var("compliance.privacy_notice")]),
        );
        notice["optional"] = json!(true);
        notice
    };
    let mut letter = letter();
    letter["blocks"]
        .as_array_mut()
        .unwrap()
        .insert(4, notice("n1"));
    assert_eq!(faults(&letter), []);
    letter["blocks"]
        .as_array_mut()
        .unwrap()
        .insert(5, notice("n2"));
    let want = ("/blocks/5/kind".to_owned(), "block_repeated".to_owned());
    assert_eq!(faults(&letter), [want]);
}

#[test]
fn marks_are_shown_as_they_stand() {
    for (at, inlines, rule) in [
        (
            "/subject",
            json!([text("Bcc: all@x.example")]),
            "address_not_allowed",
        ),
        (
            "/preview_text",
            json!([text("Write to ada@acme.example")]),
            "address_not_allowed",
        ),
        (
            "/subject",
            json!([text("**Metering**")]),
            "markup_not_allowed",
        ),
        (
            "/blocks/1/inlines",
            json!([text("**"), var("next_step.ask"), text("**")]),
            "markup_not_allowed",
        ),
        (
            "/blocks/0/fallback",
            json!([text("# Hello,")]),
            "markup_not_allowed",
        ),
        (
            "/subject",
            json!([text("R\u{435}: metering")]),
            "letters_not_allowed",
        ),
        (
            "/subject",
            json!([text("\u{29f}\u{1d00}s\u{1d1b} chance")]),
            "letters_not_allowed",
        ),
        (
            "/preview_text",
            json!([text("\u{13d4}\u{13a2}\u{13e6} it")]),
            "letters_not_allowed",
        ),
        (
            "/subject",
            json!([text("It is f r e e")]),
            "letters_not_allowed",
        ),
        (
            "/subject",
            json!([text("=?us-ascii?B?UmU6IG9yZGVy?=")]),
            "encoded_word_not_allowed",
        ),
        (
            "/subject",
            json!([text("=?us-ascii?"), var("company.name"), text("?=")]),
            "encoded_word_not_allowed",
        ),
    ] {
        let mut letter = letter();
        *letter.pointer_mut(at).unwrap() = inlines;
        assert_eq!(faults(&letter), [(at.to_owned(), rule.to_owned())]);
    }
    // An empty piece, two values in a row, what shows nothing at the seam, letters of Vietnamese.
    let seams = "Un|=|subscribe Un|=|\u{ad}|subscribe Un|=|=|subscribe Un\u{200d}|=|\u{ad}subscribe b\u{1ea1}|=|n";
    for pieces in seams.split(' ') {
        let pieces = pieces.split('|').map(|piece| match piece {
            "=" => var("company.name"),
            own => text(own),
        });
        let mut letter = letter();
        letter["subject"] = pieces.collect();
        let fault = ("/subject".to_owned(), "value_within_word".to_owned());
        assert_eq!(faults(&letter), [fault]);
    }
    let mut letter = letter();
    letter["blocks"][0]["fallback"] = json!([text("Hello* (5 * 3), write to ada@acme.example")]);
    letter["preview_text"] = json!([text("d’"), var("company.name"), text("s")]);
    assert_eq!(faults(&letter), []);
}

#[test]
fn letters_beside_a_variable_are_no_part_of_its_name() {
    let mut letter = letter();
    letter["subject"] = json!([
        var("company.name"),
        text("\u{443}: \u{443}\u{447}\u{451}\u{442}")
    ]);
    assert_eq!(faults(&letter), []);
}
