//! What other words, marks and numbers were read as facts, in several languages.

use gtm_sdk::json::json;

use crate::run::{acme, at, proofs_of};
use crate::web::{Web, home};

#[test]
fn a_sign_with_lights_is_no_trade_name() {
    let name = |main: &str| {
        at(
            &acme(home("fr", &[], main, "")).draft(),
            "/identity/brand_name",
        )
        .clone()
    };
    for main in [
        "<h1>Acme</h1><p>Enseigne lumineuse</p><p>Lettres en relief</p>",
        "<h1>Acme</h1><h2>Enseigne</h2><p>Lumineuse</p>",
        "<h1>Acme</h1><table><tr><td>Enseigne</td><td>lumineuse</td></tr></table>",
    ] {
        assert_eq!(name(main), "Acme", "{main}");
    }
}

#[test]
fn the_code_of_a_country_is_no_region() {
    let seat = |language: &str, address: &str| {
        let main = format!("<h1>Contact</h1><p>Acme</p>{address}");
        let web = home(language, &[("/contact", "Contact")], "<h1>Acme</h1>", "")
            .text("https://acme.example/contact", &main);
        at(&acme(web).draft(), "/identity/headquarters").clone()
    };
    assert_eq!(
        seat(
            "de",
            "<p>Mühlgasse 4</p><p>1010 Wien (AT)</p><p>Tel. +43 1 5550120</p>"
        ),
        json!({"locality": "Wien", "region": null, "country": "AT"})
    );
    assert_eq!(
        seat(
            "it",
            "<p>Via Roma 4</p><p>36022 Cassola (VI)</p><p>Tel. +39 0424 555012</p>"
        ),
        json!({"locality": "Cassola", "region": "VI", "country": "IT"})
    );
}

#[test]
fn a_company_called_like_a_register_has_no_number_there() {
    let web = home(
        "en",
        &[],
        "<h1>Acme</h1>",
        "<p>REA Group: 12.500 agents</p>",
    );
    assert_eq!(at(&acme(web).draft(), "/identity/identifiers"), &json!([]));
}

#[test]
fn a_department_for_computers_is_no_italian_version() {
    let locales = |links: &[(&str, &str)]| {
        let web = home("en", links, "<h1>Acme</h1>", "");
        at(&acme(web).draft(), "/identity/locales").clone()
    };
    assert_eq!(
        locales(&[("/it/", "IT"), ("/legal/", "Legal")]),
        json!(["en"])
    );
    assert_eq!(
        locales(&[("/it/", "IT"), ("/de/", "DE")]),
        json!(["en", "it", "de"])
    );
    assert_eq!(locales(&[("/it/", "Italiano")]), json!(["en", "it"]));
    assert_eq!(locales(&[("/fr/", "FR")]), json!(["en", "fr"]));
}

#[test]
fn numbers_of_houses_are_no_figures() {
    let main = "<h1>Acme</h1><ul><li>10-12 Bridge Street</li><li>4-6 Mill Lane</li><li>7-9 Elm Road</li></ul>";
    assert_eq!(
        proofs_of(&acme(home("en", &[], main, "")).draft(), "metric"),
        [""; 0]
    );
}

#[test]
fn a_grade_proves_something_with_the_number_of_those_who_gave_it() {
    for (language, told, bare) in [
        ("en", "4.9/5 from 320 reviews", "4.9/5 on Google"),
        ("de", "4,8 von 5 Sternen bei 1.204 Bewertungen", "4,8/5"),
        ("fr", "Note de 4,7 sur 5 (89 avis)", "4,7/5 avis clients"),
        ("ja", "口コミ 4.8（152件）", "口コミ 4.8"),
    ] {
        let main = format!("<h1>Acme</h1><p>{told}</p><p>{bare}</p>");
        assert_eq!(
            proofs_of(&acme(home(language, &[], &main, "")).draft(), "metric"),
            [told]
        );
    }
}

#[test]
fn the_staff_of_an_author_is_not_the_company_s() {
    let range = |language: &str, card: &str| {
        let main = format!("<h1>Acme</h1><p>Acme builds rail signals.</p>{card}");
        at(
            &acme(home(language, &[], &main, "")).draft(),
            "/identity/employee_range",
        )
        .clone()
    };
    for (language, card) in [
        (
            "en",
            "<blockquote>The signals of Acme have run through two winters.</blockquote><p>JR</p><p>★★★★★</p><p>Jane Roe</p><p>Globex Rail</p><p>15,000+ employees</p>",
        ),
        (
            "en",
            "<p>“The signals of Acme have run through two winters.”</p><p>Jane Roe</p><p>Globex Rail, with 15,000 employees.</p>",
        ),
        (
            "en",
            "<p>“The signals of Acme have run through two winters.”</p><p>Jane Roe</p><p>Globex Rail</p><ul><li>15,000 employees</li></ul>",
        ),
        (
            "de",
            "<blockquote>Die Signale von Acme laufen seit zwei Wintern ohne Fehler.</blockquote><p>Jana Roth</p><p>Globex Bahn</p><p>Über 15.000 Mitarbeiter</p>",
        ),
        (
            "fr",
            "<blockquote>Les signaux d'Acme tournent depuis deux hivers sans panne.</blockquote><p>Jeanne Roux, Globex</p><p>15 000 salariés.</p>",
        ),
    ] {
        assert!(range(language, card).is_null(), "{card}");
    }
    assert_eq!(range("en", "<p>We have 120 employees.</p>"), "51-200");
}

#[test]
fn a_motto_behind_the_name_is_a_tagline_and_a_trade_is_none() {
    let tagline = |heading: &str| {
        let web = Web::new().page(
            "https://acme.example/",
            &format!("<html lang=en><head><title>Acme</title></head><body><main><h1>{heading}</h1></main></body></html>"),
        );
        at(&acme(web).draft(), "/identity/tagline").clone()
    };
    for heading in ["Acme – Roofer Leeds", "Acme | Roofs and gutters in Leeds"] {
        assert!(tagline(heading).is_null(), "{heading}");
    }
    let motto = "Acme – Your roof is our word for life";
    assert_eq!(tagline(motto), motto);
}

#[test]
fn courses_on_a_home_page_are_no_certificates_of_the_company() {
    let main = "<h1>Acme</h1><p>Acme forme vos équipes.</p><ul><li>Certification QUVA Excel</li><li>Certification QVX Nord</li></ul>";
    let draft = acme(home("fr", &[], main, "")).draft();
    assert_eq!(proofs_of(&draft, "certification"), [""; 0]);
}

#[test]
fn what_a_card_tells_of_one_service_does_not_describe_the_company() {
    let cards = |first: &str| {
        format!(
            "<h1>Bells and clocks</h1><h2>What to expect</h2><h3>Clocks</h3><p>{first}</p><h3>Ropes</h3><p>Hemp for every tower.</p>"
        )
    };
    let short = |main: &str| {
        at(
            &acme(home("en", &[], main, "")).draft(),
            "/identity/description_short",
        )
        .clone()
    };
    assert_eq!(
        short(&cards("We repair old tower clocks of iron and brass.")),
        json!(null)
    );
    let named = "Acme repairs old tower clocks of iron and brass.";
    assert_eq!(short(&cards(named)), named);
}

#[test]
fn words_of_a_sentence_are_no_names() {
    let names = |language: &str, main: &str| {
        at(
            &acme(home(language, &[], main, "")).draft(),
            "/voice/vocabulary/preferred",
        )
        .clone()
    };
    for (language, main) in [
        (
            "en",
            "<h1>Acme</h1><p>We supply ropes, steel nets and sails to ports in the north.</p>",
        ),
        (
            "en",
            "<h1>Acme</h1><p>Services: ropes, steel nets and sails, made by hand for every port of the north.</p>",
        ),
        (
            "it",
            "<h1>Acme</h1><p>Servizi: corde, reti d'acciaio e vele cucite a mano per i porti del nord.</p>",
        ),
    ] {
        assert_eq!(names(language, main), json!([]), "{main}");
    }
    let listed = "<h1>Acme</h1><p>Services: Rope making, Steel nets, Sails</p>";
    assert_eq!(
        names("en", listed),
        json!(["Rope making", "Steel nets", "Sails"])
    );
}

#[test]
fn a_part_of_a_word_announces_nothing() {
    let purpose = |heading: &str| {
        let main = format!(
            "<h1>Acme</h1><h2>{heading}</h2><p>Winches that lift one kind of bell and no other.</p>"
        );
        at(
            &acme(home("en", &[], &main, "")).draft(),
            "/foundations/purpose",
        )
        .clone()
    };
    assert_eq!(purpose("Special-purpose winches"), json!(null));
    assert_eq!(purpose("Special-purpose"), json!(null));
    assert!(purpose("Our purpose").is_string());
}

#[test]
fn goods_in_a_portfolio_are_no_projects() {
    let cases = |title: &str| {
        let main = format!(
            "<h1>{title}</h1><h2>Light winch</h2><p>Lifts 250 kg with one hand.</p><h2>Deck winch</h2><p>Lifts 900 kg on any deck.</p><h2>Quay winch</h2><p>Lifts 4 tonnes over the quay.</p>"
        );
        let path = format!("/{}", title.to_lowercase());
        let web = crate::languages::site(
            "en",
            "<h1>Acme</h1><p>Acme builds winches.</p>",
            &[(path.as_str(), title, main.as_str())],
        );
        proofs_of(&acme(web).draft(), "case_study").len()
    };
    assert_eq!(cases("Portfolio"), 0);
    assert_eq!(cases("Projects"), 3);
}

#[test]
fn clauses_in_bold_on_a_page_of_rules_are_no_titles() {
    let rules = "<h1>Privacy</h1><h2>Our services</h2><p><strong>Contact form</strong></p><p>We keep what you write to us for as long as the law asks.</p>\
        <p><strong>Server logs</strong></p><p>We keep the time of each visit for as long as the law asks.</p>\
        <p><strong>Newsletter</strong></p><p>We keep your address until you ask us to forget it.</p>";
    let web = crate::languages::site(
        "en",
        "<h1>Acme</h1><p>Acme casts bells.</p>",
        &[("/privacy-and-more", "Privacy", rules)],
    );
    let draft = acme(web).draft();
    assert_eq!(at(&draft, "/voice/vocabulary/preferred"), &json!([]));
}
