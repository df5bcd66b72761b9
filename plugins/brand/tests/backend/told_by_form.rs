//! What only the form of a page tells, what it tells twice, and what it tells of somebody or something else.

use gtm_sdk::json::json;

use crate::run::{acme, at, basis, members, proofs_of};
use crate::web::home;

#[test]
fn cards_that_speak_to_nobody_are_no_promises_and_those_without_a_word_for_it_are_doubtful() {
    for (language, heading, cards) in [
        (
            "fr",
            "Là où nous intervenons",
            "<h3>Maisons et villas</h3><p>Toits en pente, cours et murets pour projets privés.</p>\
             <h3>Bâtiments publics</h3><p>Écoles, mairies et places de village en pierre claire.</p>\
             <h3>Sites de production</h3><p>Dalles lourdes et quais pour camions de grand tonnage.</p>",
        ),
        (
            "de",
            "Hier arbeiten wir",
            "<h3>Häuser und Villen</h3><p>Steile Dächer, Höfe und Mauern für private Bauten.</p>\
             <h3>Bauten der Stadt</h3><p>Schulen, Rathäuser und Plätze aus hellem Stein.</p>\
             <h3>Hallen und Werke</h3><p>Schwere Böden und Rampen für große Lastwagen.</p>",
        ),
    ] {
        let main = format!("<h1>Acme</h1><h2>{heading}</h2>{cards}");
        let draft = acme(home(language, &[], &main, "")).draft();
        assert_eq!(
            at(&draft, "/positioning/value_propositions"),
            &json!([]),
            "{language}"
        );
    }
    let main = "<h1>Acme</h1><h2>Stone that stays</h2>\
        <h3>One team for your roof</h3><p>Your roof is in the hands of the people you talked to.</p>\
        <h3>Prices without surprises</h3><p>You know the sum before we lift the first stone.</p>";
    let draft = acme(home("en", &[], main, "")).draft();
    let told = at(&draft, "/positioning/value_propositions");
    assert_eq!(members(told, "statement").len(), 2);
    assert_eq!(
        basis(&draft, "/positioning/value_propositions/0")["basis"],
        "inferred"
    );
}

#[test]
fn lists_of_certificates_are_parted_and_told_in_one_language() {
    let certified = |language: &str, main: &str| {
        let main = format!("<h1>Acme</h1>{main}");
        proofs_of(
            &acme(home(language, &[], &main, "")).draft(),
            "certification",
        )
    };
    assert_eq!(
        certified(
            "ja",
            "<p>◆ ISO 9001:2015 ◆ ISO 14001:2015</p><p>青波株式会社はプライバシーマークを取得しております。</p>\
             <ul><li>プライバシーマーク取得しており、適切な管理を行っています。</li></ul>"
        )[..2],
        ["ISO 9001:2015", "ISO 14001:2015"]
    );
    assert_eq!(
        certified(
            "en",
            "<h2>Certificates</h2><ul><li>FSC certificate</li><li>PEFC certificate</li><li>FSC-Zertifikat</li></ul>"
        )
        .len(),
        2
    );
}

#[test]
fn figures_of_several_badges_in_one_line_are_none() {
    let metrics = |language: &str, main: &str| {
        let main = format!("<h1>Acme</h1>{main}");
        proofs_of(&acme(home(language, &[], &main, "")).draft(), "metric")
    };
    let badges = "<div>10+ ans de toits 100% local · Val-Clair Devis sous 24h</div><div>50+</div><div>Toits livrés</div>";
    assert_eq!(metrics("fr", badges), ["50+ Toits livrés"]);
    let badges =
        "<div>30+ Jahre Erfahrung · 400+ Dächer</div><div>98 %</div><div>Weiterempfehlung</div>";
    assert_eq!(metrics("de", badges), ["98 % Weiterempfehlung"]);
}

#[test]
fn sentences_about_who_leads_the_company_do_not_describe_it() {
    for (language, text) in [
        (
            "en",
            "Jane Roe is the Managing Director of Acme, a maker of bells in Leeds.",
        ),
        (
            "de",
            "Anna Beck ist Geschäftsführerin der Acme, die Glocken und Uhren baut.",
        ),
    ] {
        let main = format!("<h1>Acme</h1><h2>Who leads</h2><p>{text}</p>");
        let draft = acme(home(language, &[], &main, "")).draft();
        assert!(
            at(&draft, "/identity/description_short").is_null(),
            "{language}"
        );
    }
}

#[test]
fn a_company_is_not_as_old_as_its_sister() {
    for (language, text) in [
        (
            "en",
            "Acme is a sister concern of the Globex group which was established in 1942.",
        ),
        (
            "de",
            "Acme ist ein Schwesterunternehmen der Globex-Gruppe, die 1942 gegründet wurde.",
        ),
    ] {
        let draft = acme(home(
            language,
            &[],
            &format!("<h1>Acme</h1><p>{text}</p>"),
            "",
        ))
        .draft();
        assert!(at(&draft, "/identity/founded_year").is_null(), "{language}");
    }
}

#[test]
fn a_message_says_more_than_the_description() {
    for (language, text) in [
        (
            "en",
            "Acme builds bells and clocks for towers of all kinds in the north of England, from the first drawing to the last screw, and cares for them as long as they strike, whatever the weather does to them.",
        ),
        (
            "de",
            "Acme baut Glocken und Uhren für Türme aller Art im Norden, von der ersten Zeichnung bis zur letzten Schraube, und pflegt sie, solange sie schlagen, was auch immer das Wetter mit ihnen macht.",
        ),
    ] {
        let draft = acme(home(
            language,
            &[],
            &format!("<h1>Acme</h1><p>{text}</p>"),
            "",
        ))
        .draft();
        assert_eq!(at(&draft, "/identity/description_long"), text);
        assert!(
            at(&draft, "/messaging/core_message").is_null(),
            "{language}"
        );
    }
}

#[test]
fn policies_that_only_their_link_names_state_no_mission() {
    for (language, label, text) in [
        (
            "ja",
            "プライバシーポリシー",
            "<h1>方針</h1><h2>ミッション</h2><p>私たちは、情報を適切に管理し、信頼される会社を目指すことを使命とします。</p>",
        ),
        (
            "en",
            "Privacy policy",
            "<h1>Our rules</h1><h2>Our mission</h2><p>We want to keep all data that you give us safe and sound at all times.</p>",
        ),
    ] {
        let web = home(language, &[("/rule.html", label)], "<h1>Acme</h1>", "");
        let draft = acme(web.text("https://acme.example/rule.html", text)).draft();
        assert!(at(&draft, "/foundations/mission").is_null(), "{language}");
    }
}

#[test]
fn a_list_under_its_heading_holds_the_values_not_a_heading_below_it() {
    for (language, heading, values, below) in [
        (
            "en",
            "Our values",
            ["Care", "Honesty"],
            "Snapshot of our skills",
        ),
        (
            "de",
            "Unsere Werte",
            ["Sorgfalt", "Ehrlichkeit"],
            "Was wir können",
        ),
    ] {
        let [one, other] = values;
        let main = format!(
            "<h1>Acme</h1><h2>{heading}</h2><ul><li>{one}</li><li>{other}</li></ul><h3>{below}</h3><ul><li>Stairs and rails</li><li>Gates and doors</li></ul>"
        );
        let web = home(language, &[("/about", "About us")], "<h1>Acme</h1>", "");
        let draft = acme(web.text("https://acme.example/about", &main)).draft();
        assert_eq!(
            members(at(&draft, "/foundations/values"), "name"),
            values,
            "{language}"
        );
    }
}

#[test]
fn the_years_of_several_persons_are_no_age_of_the_company() {
    let metrics = |language: &str, about: &str| {
        let web = home(language, &[("/about", "About us")], "<h1>Acme</h1>", "");
        let draft = acme(web.text("https://acme.example/about", about)).draft();
        proofs_of(&draft, "metric")
    };
    let english = "<h1>Team</h1><div>Jane Roe</div><div>7+ years of experience</div><div>Tom Hill</div><div>6+ years of experience</div><div>Ann Lee</div><div>25+ years of experience</div>";
    assert_eq!(metrics("en", english), [""; 0]);
    let german = "<h1>Team</h1><div>Anna Beck</div><div>7+ Jahre Erfahrung</div><div>Jan Holt</div><div>6+ Jahre Erfahrung</div><div>Ida Moor</div><div>25+ Jahre Erfahrung</div>";
    assert_eq!(metrics("de", german), [""; 0]);
    let company = "<h1>About us</h1><div>25+ years of experience</div><div>400+ roofs</div>";
    assert_eq!(
        metrics("en", company),
        ["25+ years of experience", "400+ roofs"]
    );
}
