//! What stands on pages in passing and is no claim of the company's: parts of sentences, answers, old notices.

use gtm_sdk::json::json;

use crate::run::{acme, at, proofs_of};
use crate::web::home;

#[test]
fn a_link_within_a_sentence_is_no_call() {
    let calls = |main: &str| {
        let draft = acme(home(
            "de",
            &[],
            &format!("<h1>Acme</h1><p>Acme.</p>{main}"),
            "",
        ))
        .draft();
        at(&draft, "/messaging/calls_to_action").clone()
    };
    let cut = "<h2>Treppen</h2><p>Wir sind die Experten für Ihre Treppe. Also, <a href=/kontakt>kontaktieren</a> Sie uns, wann Sie wollen!</p>";
    assert_eq!(calls(cut), json!([]));
    let whole = "<h2>Treppen</h2><p>Wir sind die Experten für Ihre Treppe. <a href=/kontakt>Kontaktieren Sie uns!</a></p>";
    assert_eq!(calls(whole), json!(["Kontaktieren Sie uns!"]));
}

#[test]
fn an_answer_is_no_proof_without_its_question() {
    let questions = "<h1>Acme</h1><h2>Frequently asked questions</h2><details><summary>Are you qualified and insured?</summary>\
        <p>Yes, Acme is fully certified and insured for every job.</p></details>";
    let draft = acme(home("en", &[], questions, "")).draft();
    assert_eq!(proofs_of(&draft, "certification"), [""; 0]);
    let said = "<h1>Acme</h1><p>Acme is fully certified and insured for every job.</p>";
    let draft = acme(home("en", &[], said, "")).draft();
    assert_eq!(
        proofs_of(&draft, "certification"),
        ["Acme is fully certified and insured for every job."]
    );
}

#[test]
fn the_number_of_a_standard_counts_nothing() {
    let tiles = "<h1>Acme</h1><h2>Unsere Zahlen</h2><div>18363</div><h3>DIN-Norm</h3><p>Nach dieser Norm arbeiten wir.</p>\
        <div>640</div><h3>Treppen gebaut</h3><p>Und jede steht noch.</p>";
    let draft = acme(home("de", &[], tiles, "")).draft();
    let metrics = proofs_of(&draft, "metric");
    assert!(
        !metrics.iter().any(|text| text.contains("DIN")),
        "{metrics:?}"
    );
    assert!(
        metrics.iter().any(|text| text.contains("640")),
        "{metrics:?}"
    );
}

#[test]
fn a_notice_of_long_ago_is_no_required_line() {
    let lines = |notice: &str| {
        let draft = acme(home("en", &[], "<h1>Acme</h1>", notice)).draft();
        at(&draft, "/governance/required_legal_lines").clone()
    };
    assert_eq!(lines("© 2011 Acme Ltd"), json!([]));
    assert_eq!(
        lines("© 2011–2026 Acme Ltd"),
        json!(["© 2011–2026 Acme Ltd"])
    );
    assert_eq!(lines("© Acme Ltd"), json!(["© Acme Ltd"]));
    // Links that open no page are no part of it.
    let linked = "<p>© 2026 Acme Ltd | <a href=\"#\">Imprint</a> | <a href=\"#\">Privacy</a></p>";
    assert_eq!(lines(linked), json!(["© 2026 Acme Ltd"]));
}
