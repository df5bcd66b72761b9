#![allow(clippy::unwrap_used)]
use gtm_test_support::growth;
use serde_json::json;

use super::*;
use crate::message::TemplateOptions;
use crate::message::structure::check;

fn draft(text: &str) -> Value {
    json!({"subject": "Metering", "preview_text": null, "blocks": [{"kind": "value", "text": text, "optional": false, "fallback": null}]})
}

fn inlines(text: &str) -> Value {
    let structure = read(&draft(text)).unwrap();
    serde_json::to_value(&structure.blocks[0].inlines).unwrap()
}

#[test]
fn tokens_and_links_become_pieces() {
    let read = read(&json!({
        "subject": "Metering at {{company.name}}",
        "preview_text": "One bill",
        "blocks": [
            {"kind": "greeting", "text": "Hello {{recipient.first_name}},", "optional": false, "fallback": "Hello,"},
            {"kind": "proof", "text": "{{offer.proof_point}} [See (all) figures]({{offer.url}})", "optional": true, "fallback": ""},
            {"kind": "opt_out", "text": "{{compliance.opt_out}}"},
        ],
    }))
    .unwrap();
    assert_eq!(
        serde_json::to_value(&read).unwrap(),
        json!({
            "subject": [{"t": "text", "v": "Metering at "}, {"t": "var", "name": "company.name"}],
            "preview_text": [{"t": "text", "v": "One bill"}],
            "blocks": [
                {"id": "b1", "kind": "greeting", "optional": false,
                    "inlines": [{"t": "text", "v": "Hello "}, {"t": "var", "name": "recipient.first_name"}, {"t": "text", "v": ","}],
                    "fallback": [{"t": "text", "v": "Hello,"}]},
                {"id": "b2", "kind": "proof", "optional": true,
                    "inlines": [{"t": "var", "name": "offer.proof_point"}, {"t": "text", "v": " "},
                        {"t": "link", "href": {"var": "offer.url"}, "label": "See (all) figures"}],
                    "fallback": []},
                {"id": "b3", "kind": "opt_out", "optional": false,
                    "inlines": [{"t": "var", "name": "compliance.opt_out"}], "fallback": []},
            ],
        })
    );
}

#[test]
fn what_is_no_link_is_text() {
    for text in [
        "[sic]",
        "[a] (b)",
        "a ]( b",
        "[a](b",
        "[[a](b",
        "1 < 2 > 0, {a}",
    ] {
        assert_eq!(inlines(text), json!([{"t": "text", "v": text}]), "{text}");
    }
    assert_eq!(
        inlines("[a](https://a.example/b_(c))."),
        json!([{"t": "link", "href": {"https": "https://a.example/b_(c)"}, "label": "a"}, {"t": "text", "v": "."}])
    );
    assert_eq!(inlines(" a\r\nb\u{0} "), json!([{"t": "text", "v": "a b"}]));
}

#[test]
fn everything_else_is_refused_where_it_stands() {
    for (text, rule) in [
        ("{{recipient.email}}", "placeholder_not_allowed"),
        ("{{ company.name }}", "placeholder_not_allowed"),
        ("{{company.name|upper}}", "placeholder_not_allowed"),
        ("{{{company.name}}}", "placeholder_not_allowed"),
        ("{{#if company.name}}", "placeholder_not_allowed"),
        ("{\u{0}{company.domain}}", "placeholder_not_allowed"),
        ("{{company.name", "placeholder_not_allowed"),
        ("company.name}}", "placeholder_not_allowed"),
        ("[a]({{company.name}})", "placeholder_not_allowed"),
        (
            "[a](https://a.example/{{company.name}})",
            "placeholder_not_allowed",
        ),
        (
            "[{{company.name}}](https://a.example)",
            "placeholder_not_allowed",
        ),
        ("[a](http://a.example)", "link_not_https"),
        ("[a](javascript:alert(1))", "link_not_https"),
        ("[a](mailto:a@b.example)", "link_not_https"),
        ("[a]()", "link_not_https"),
        ("[a](https://b@a.example)", "link_user_information"),
        ("", "draft_shape"),
        (" \n", "draft_shape"),
    ] {
        let faults = read(&draft(text)).unwrap_err();
        let rules: Vec<(&str, &str)> = faults
            .iter()
            .map(|it| (it.pointer.as_str(), it.rule.as_str()))
            .collect();
        assert_eq!(rules, [("/blocks/0/text", rule)], "{text}");
        let message = &faults[0].message;
        assert!(
            !message.contains("domain") && !message.contains("javascript"),
            "{message}"
        );
    }
}

/// Marks are told once, by the rules of a structure.
#[test]
fn marks_of_a_draft_are_told_once() {
    for (text, rule) in [
        ("<b>bold</b>", "markup_not_allowed"),
        ("a <!-- b -->", "markup_not_allowed"),
        ("Acme &amp; Sons", "markup_not_allowed"),
        ("<img src=x", "markup_not_allowed"),
        ("It is **free**.", "markup_not_allowed"),
        ("Sam\u{200f} and Ada", "direction_mark_not_allowed"),
        ("[<img src=x>](https://a.example)", "markup_not_allowed"),
        ("=?us-ascii?Q?Re:_offer?= it", "encoded_word_not_allowed"),
        ("It is f r e e.", "letters_not_allowed"),
        ("\u{13d4}\u{13a2}\u{13e6} it", "letters_not_allowed"),
    ] {
        let read = read(&draft(text)).unwrap();
        let options = TemplateOptions {
            tone: TemplateOptions::DEFAULT_TONE.to_owned(),
            locale: "en".to_owned(),
            max_words: 100,
            max_links: 1,
            forbidden_claims: Vec::new(),
        };
        let faults = check(&read, &options).unwrap_err();
        let told = faults
            .iter()
            .filter(|it| pointer_into_draft(&it.pointer) == "/blocks/0/text");
        let told: Vec<&str> = told.map(|it| it.rule.as_str()).collect();
        assert_eq!(told, [rule], "{text}");
    }
    // The address of a link is no text.
    for address in ["https://a.example/_x_", "https://a.example/?a=1&b=2;c"] {
        assert!(
            read(&draft(&format!("[a]({address})"))).is_ok(),
            "{address}"
        );
    }
}

#[test]
fn a_draft_that_cannot_be_read_is_told_its_marks_as_well() {
    let mut unread = draft("It is <b>yours</b>.");
    unread["preview_text"] = json!(3);
    let faults = read(&unread).unwrap_err();
    let told: Vec<(&str, &str)> = faults
        .iter()
        .map(|it| (it.pointer.as_str(), it.rule.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("/preview_text", "draft_shape"),
            ("/blocks/0/text", "markup_not_allowed")
        ]
    );
}

#[test]
fn the_shape_of_a_draft_is_closed() {
    let good = draft("Text.");
    for (place, value, pointer, rule) in [
        ("", json!([]), "", "draft_shape"),
        ("/subject", json!(null), "/subject", "draft_shape"),
        ("/subject", json!(["a"]), "/subject", "draft_shape"),
        ("/preview_text", json!(5), "/preview_text", "draft_shape"),
        ("/blocks", json!({}), "/blocks", "draft_shape"),
        ("/blocks/0", json!("Text."), "/blocks/0", "draft_shape"),
        (
            "/blocks/0/kind",
            json!("footer"),
            "/blocks/0/kind",
            "block_kind_unknown",
        ),
        (
            "/blocks/0/optional",
            json!("no"),
            "/blocks/0/optional",
            "draft_shape",
        ),
        (
            "/blocks/0/fallback",
            json!([]),
            "/blocks/0/fallback",
            "draft_shape",
        ),
        (
            "/blocks/0/fallback",
            json!("{{x}}"),
            "/blocks/0/fallback",
            "placeholder_not_allowed",
        ),
    ] {
        let mut draft = good.clone();
        *draft.pointer_mut(place).unwrap() = value;
        let faults = read(&draft).unwrap_err();
        let faults: Vec<(&str, &str)> = faults
            .iter()
            .map(|it| (it.pointer.as_str(), it.rule.as_str()))
            .collect();
        assert_eq!(faults, [(pointer, rule)]);
    }
    assert!(read(&good).is_ok());
}

/// A backend chose the name.
#[test]
fn the_name_of_an_unknown_member_is_not_told() {
    let name = format!("secret{}", "x".repeat(100_000));
    for place in ["", "/blocks/0"] {
        let mut draft = draft("Text.");
        let members = draft.pointer_mut(place).unwrap().as_object_mut().unwrap();
        members.insert(name.clone(), json!("<p>"));
        members.insert("html".to_owned(), json!("<p>"));
        let faults = read(&draft).unwrap_err();
        assert_eq!(faults.len(), 1);
        assert_eq!(faults[0].pointer, place);
        let told = serde_json::to_string(&faults).unwrap();
        assert!(told.len() < 300 && !told.contains("secret"), "{place}");
    }
}

#[test]
fn pointers_lead_back_into_the_draft() {
    for (structure, draft) in [
        ("/subject/0/v", "/subject"),
        ("/subject", "/subject"),
        ("/preview_text/1/name", "/preview_text"),
        ("/blocks/2/inlines/1/href/https", "/blocks/2/text"),
        ("/blocks/2/fallback/0/v", "/blocks/2/fallback"),
        ("/blocks/2/kind", "/blocks/2/kind"),
        ("/blocks", "/blocks"),
    ] {
        assert_eq!(pointer_into_draft(structure), draft);
    }
}

/// Each beginning of a link looks for its end.
#[test]
fn a_long_text_of_beginnings_is_read_in_time() {
    let text = "[a](".repeat(2_500);
    let block = json!({"kind": "value", "text": text, "fallback": text});
    let whole = json!({"subject": text, "preview_text": text, "blocks": vec![block; 20]});
    // Much: a build without optimization takes about 50 ms, and took 5 s when each looked for its own end.
    growth::takes_at_most(2, || assert!(read(&whole).is_ok()));
}

#[test]
fn a_target_ends_where_its_parentheses_do() {
    let long = format!("https://a.example/{}", "x".repeat(2_000));
    for (text, targets) in [
        (
            "[a](https://a.example/(b)c)",
            vec!["https://a.example/(b)c"],
        ),
        ("[a](((([b](https://b.example)", vec!["https://b.example"]),
        (") [a](https://a.example) )", vec!["https://a.example"]),
        ("([a](https://a.example))", vec!["https://a.example"]),
        (&*format!("[a]({long})"), vec![&*long]),
        (&*format!("[a]({})", "x".repeat(2_200)), vec![]),
    ] {
        let read = inlines(text);
        let links = read.as_array().unwrap().iter();
        let found: Vec<&str> = links
            .filter_map(|it| it.pointer("/href/https")?.as_str())
            .collect();
        assert_eq!(found, targets, "{text}");
    }
}

/// The rules of all faults of a draft.
fn rules(draft: &Value) -> Vec<String> {
    let faults = read(draft).unwrap_err();
    faults.into_iter().map(|it| it.rule).collect()
}

#[test]
fn what_is_too_long_is_refused_before_it_is_read() {
    let exact = "é".repeat(10_000);
    assert!(read(&draft(&exact)).is_ok());
    assert_eq!(rules(&draft(&format!("{exact}}}}}"))), ["text_too_long"]);
    assert_eq!(
        rules(&draft(&"{{company.name}} ".repeat(101))),
        ["text_too_long"]
    );
    let block = json!({"kind": "value", "text": "a }}"});
    let many = json!({"subject": "Metering", "blocks": vec![block; 21]});
    assert_eq!(rules(&many), ["block_count"]);
}

#[test]
fn no_more_faults_are_gathered_than_are_told() {
    let mut reader = Reader::default();
    reader.draft(&draft(&"}".repeat(10_000)));
    assert_eq!(reader.faults.len(), MAX_FAULTS);
}
