//! Questions of buyers that the site answers.

use gtm_sdk::json::json;

use crate::offer::home;
use crate::run::{acme, at, members};

#[test]
fn questions_of_buyers_are_answered() {
    let questions = "<h1>Häufige Fragen</h1><h3>Wie pflege ich mein Brett?</h3><p>Mit Leinöl, zweimal im Jahr, und nie in der Spülmaschine.</p>\
        <h3>Kann ich es zurückgeben?</h3><p>Ja, innerhalb von 30 Tagen und ohne Angabe von Gründen.</p><h3>Noch Fragen offen geblieben?</h3><p>Schreiben Sie uns eine Nachricht, wir antworten gern.</p>";
    let web = home("de", &[("/faq", "FAQ")], "<h1>Acme</h1>");
    let draft = acme(web.clone().text("https://acme.example/faq", questions)).draft();
    assert_eq!(
        members(at(&draft, "/messaging/objections"), "objection"),
        ["Wie pflege ich mein Brett?", "Kann ich es zurückgeben?"]
    );
    // A single question is probably rhetorical.
    let single = "<h2>What would a green light be worth to you?</h2><p>More than you think, on a line with one track.</p>";
    let draft = acme(web.text("https://acme.example/faq", single)).draft();
    assert_eq!(at(&draft, "/messaging/objections"), &json!([]));
}

#[test]
fn questions_stand_on_contact_pages_under_their_heading() {
    let questions = "<h3>Is there a minimum order?</h3><p>No. We cut one gear if one is what you need.</p><h3>Can you work from a sample?</h3><p>Yes. We measure it and send you a drawing.</p>";
    let asked = |heading: &str| {
        let web = home("en", &[("/contact", "Contact")], "<h1>Acme</h1>").text(
            "https://acme.example/contact",
            &format!("<h1>Contact</h1><h2>{heading}</h2>{questions}"),
        );
        let draft = acme(web).draft();
        at(&draft, "/messaging/objections")
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(asked("Frequently Asked Questions"), 2);
    assert_eq!(asked("Around the fire"), 0);
}

#[test]
fn questions_without_blanks_are_answered() {
    let faq = "<h1>よくある質問</h1><h3>Q1. 見積もりは無料ですか？</h3><p>A. はい、県内であれば現地の確認まで無料でお受けします。</p>\
        <h3>Q2. 土曜日も相談できますか。</h3><p>A. はい、第二と第四の土曜日は午前中に受け付けています。</p>";
    let web = crate::web::home("ja", &[("/faq", "よくある質問")], "<h1>青葉設備</h1>", "").page(
        "https://acme.example/faq",
        &format!("<html lang=ja><head><title>よくある質問</title></head><body><main>{faq}</main></body></html>"),
    );
    let draft = acme(web).draft();
    assert_eq!(
        at(&draft, "/messaging/objections"),
        &json!([
            {"objection": "見積もりは無料ですか？", "response": "はい、県内であれば現地の確認まで無料でお受けします。"},
            {"objection": "土曜日も相談できますか。", "response": "はい、第二と第四の土曜日は午前中に受け付けています。"}
        ])
    );
}

#[test]
fn of_many_questions_those_on_which_a_purchase_depends_are_kept() {
    for (language, how, pressing) in [
        (
            "en",
            "How do I clean step number {n}?",
            [
                "How much does a new step cost?",
                "How long does the fitting take?",
            ],
        ),
        (
            "it",
            "Come si pulisce il gradino {n}?",
            [
                "Quanto costa un gradino nuovo?",
                "Quanto tempo serve per il lavoro?",
            ],
        ),
    ] {
        let plain = (1..=6).map(|n| how.replace("{n}", &n.to_string()));
        let all: Vec<String> = plain.chain(pressing.map(str::to_owned)).collect();
        let faq: String = all
            .iter()
            .map(|text| {
                format!("<h3>{text}</h3><p>Acme answers this one at length and with care.</p>")
            })
            .collect();
        let web = home(language, &[("/faq", "FAQ")], "<h1>Acme</h1>");
        let draft =
            acme(web.text("https://acme.example/faq", &format!("<h1>FAQ</h1>{faq}"))).draft();
        let kept = members(at(&draft, "/messaging/objections"), "objection");
        let expected: Vec<&str> = all[..4]
            .iter()
            .chain(&all[6..])
            .map(String::as_str)
            .collect();
        assert_eq!(kept, expected, "{language}");
    }
}
