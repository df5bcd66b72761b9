//! What stands where a fact could: details that are still to come, labels, counters before they count, words of another
//! tile, and answers to why one should have a thing.

use gtm_sdk::{Value, json::json};

use crate::run::{acme, at, members, proofs_of};
use crate::web::{Web, home};

fn imprint(language: &str, body: &str) -> Value {
    let web = home(language, &[("/imprint", "Imprint")], "<h1>Acme</h1>", "");
    acme(web.text("https://acme.example/imprint", body)).draft()
}

#[test]
fn details_to_come_are_no_particulars() {
    let draft = imprint(
        "it",
        "<h1>Note legali</h1><p>Acme Srl</p><p>Sede legale: Via da indicare, 00000 Città</p><p>Partita IVA: 00000000000</p><p>REA: da indicare</p>",
    );
    assert_eq!(at(&draft, "/identity/identifiers"), &json!([]));
    assert!(at(&draft, "/identity/headquarters").is_null());
    let draft = imprint("de", "<h1>Impressum</h1><p>Musterfirma GmbH</p>");
    assert!(at(&draft, "/identity/legal_name").is_null());
}

#[test]
fn a_label_of_contacts_is_no_town() {
    let seat = |language: &str, label: &str, next: &str| {
        let body = format!(
            "<h1>Contact</h1><p>Made in Italy</p><dl><dt>{label}</dt><dd>{next}</dd></dl><p>Via Roma 1</p>"
        );
        at(&imprint(language, &body), "/identity/headquarters").clone()
    };
    for (language, label, next) in [
        ("it", "Sede", "Indirizzo"),
        ("de", "Hauptsitz", "Anschrift"),
        ("fr", "Siège", "Adresse"),
    ] {
        assert!(seat(language, label, next).is_null(), "{next}");
    }
}

#[test]
fn the_number_of_a_tile_stands_above_its_label() {
    let main = "<h1>Acme</h1><h2>Who we are</h2><div>150</div><div>Employees</div><div>12</div><div>Locations</div>";
    let draft = acme(home("en", &[], main, "")).draft();
    assert_eq!(at(&draft, "/identity/employee_range"), "51-200");
}

#[test]
fn counters_that_have_not_counted_yet_tell_nothing() {
    let metrics = |main: &str| {
        let main = format!("<h1>Acme</h1>{main}");
        proofs_of(&acme(home("en", &[], &main, "")).draft(), "metric")
    };
    let waiting = "<h2>In figures</h2><ul><li><b data-count=64>0</b> systems renewed</li><li><b data-target=250>0</b> sites served</li><li><b data-to=40>0</b> crews at work</li></ul>";
    assert_eq!(metrics(waiting), [""; 0]);
    let counted = "<h2>In figures</h2><ul><li>64 systems renewed</li><li>250 sites served</li><li>0 accidents so far</li></ul>";
    assert_eq!(metrics(counted).len(), 3);
}

#[test]
fn capital_and_whole_sentences_are_no_figures() {
    let metrics = |main: &str| {
        let main = format!("<h1>Acme</h1><h2>数字で見る</h2>{main}");
        proofs_of(&acme(home("ja", &[], &main, "")).draft(), "metric")
    };
    assert_eq!(metrics("<div>3,000万円</div><div>資本金</div>"), [""; 0]);
    assert_eq!(
        metrics("<div>640社</div><div>とのお取引があります。</div>"),
        [""; 0]
    );
    assert_eq!(
        metrics("<div>640社</div><div>お取引先</div>"),
        ["640社 お取引先"]
    );
}

#[test]
fn why_one_should_have_a_thing_is_no_promise_of_the_company() {
    let promises = |heading: &str| {
        let cards = "<h3>Less noise at night</h3><p>It runs below the sound of a fridge.</p><h3>Half the power</h3><p>It takes half of what others take.</p>";
        let web = home("en", &[("/services", "Services")], "<h1>Acme</h1>", "").text(
            "https://acme.example/services",
            &format!("<h1>Heat pumps</h1><h2>{heading}</h2>{cards}"),
        );
        members(
            at(&acme(web).draft(), "/positioning/value_propositions"),
            "statement",
        )
        .len()
    };
    assert_eq!(promises("Why a heat pump?"), 0);
    assert_eq!(promises("Why with us?"), 2);
}

#[test]
fn hours_of_opening_are_no_case() {
    let web = home("en", &[("/customers", "Customers")], "<h1>Acme</h1>", "").text(
        "https://acme.example/customers",
        "<h1>Customers</h1><p>Our desk answers more than 200 customers from Monday to Friday between 9:00 and 18:00.</p>\
         <p>Our desk has saved more than 200 customers the way to town.</p>",
    );
    let draft = acme(web).draft();
    let cases = [proofs_of(&draft, "case_study"), proofs_of(&draft, "metric")].concat();
    assert_eq!(
        cases,
        ["Our desk has saved more than 200 customers the way to town."]
    );
}

#[test]
fn lines_that_differ_by_a_dash_are_one() {
    let page = |line: &str| {
        format!(
            "<html lang=en><head><title>Acme</title></head><body><main><h1>Acme</h1></main><footer><nav><a href=/about>About us</a></nav><p>{line}</p></footer></body></html>"
        )
    };
    let web = Web::new()
        .page(
            "https://acme.example/",
            &page("© 2026 Acme Ltd – All rights reserved"),
        )
        .page(
            "https://acme.example/about",
            &page("© 2026 Acme Ltd - All rights reserved"),
        );
    let draft = acme(web).draft();
    let lines = at(&draft, "/governance/required_legal_lines");
    assert_eq!(lines, &json!(["© 2026 Acme Ltd – All rights reserved"]));
}

#[test]
fn two_links_in_a_line_are_no_call_together() {
    let main = "<h1>Acme</h1><p>Acme.</p><h2>Acme</h2><p><a href=/a>Call us</a> <a href=/b>Our yards</a></p><p><a href=tel:1>Call us instead</a></p>";
    let draft = acme(home("en", &[], main, "")).draft();
    let calls = at(&draft, "/messaging/calls_to_action");
    assert_eq!(calls, &json!(["Call us"]));
}

#[test]
fn the_company_s_history_is_no_promise() {
    let body = |names: [&str; 3]| {
        let cards: String = names
            .iter()
            .map(|name| {
                format!("<h3>{name}</h3><p>We grew our halls, and we built more for you.</p>")
            })
            .collect();
        format!("<h1>Acme</h1><h2>What we have done</h2>{cards}")
    };
    let statements = |names: [&str; 3]| {
        let draft = acme(home("en", &[], &body(names), "")).draft();
        let told = members(at(&draft, "/positioning/value_propositions"), "statement");
        told.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let promises = [
        "More room for ropes",
        "Ropes of real hemp",
        "Knots that always hold",
    ];
    assert_eq!(statements(promises), promises);
    assert_eq!(
        statements([
            "The first shed (2010-2015)",
            "More halls (2015–2020)",
            "By the sea, 2020 to today"
        ]),
        [""; 0]
    );
}

#[test]
fn terms_and_policies_commit_to_nothing() {
    let policy = |path: &str, title: &str| {
        let web = home("en", &[(path, title)], "<h1>Acme</h1>", "");
        let main = format!(
            "<h1>{title}</h1><p>We are committed to delivering ropes that hold what we say.</p>"
        );
        let draft = acme(web.text(&format!("https://acme.example{path}"), &main)).draft();
        at(&draft, "/foundations/commitments").clone()
    };
    assert_eq!(
        policy("/our-commitment", "Our commitment")
            .as_array()
            .unwrap()
            .len(),
        1
    );
    for (path, title) in [
        ("/refund-policy", "Refund policy"),
        ("/terms-of-sale", "Terms of sale"),
    ] {
        assert_eq!(policy(path, title), json!([]), "{path}");
    }
}
