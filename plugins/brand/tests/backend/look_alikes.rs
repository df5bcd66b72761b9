//! What has the form of a claim and is none: steps of a method, features of a product, words of the company's own people,
//! statistics of a market.

use gtm_sdk::{Value, json::json};

use crate::run::{acme, at, members, proofs_of};
use crate::web::{Web, home};

fn draft(language: &str, main: &str) -> Value {
    acme(home(language, &[], &format!("<h1>Acme</h1>{main}"), "")).draft()
}

fn statements(language: &str, main: &str) -> Vec<String> {
    let draft = draft(language, main);
    let list = at(&draft, "/positioning/value_propositions");
    let texts = members(list, "statement").into_iter();
    texts.map(str::to_owned).collect()
}

#[test]
fn steps_of_a_method_are_no_promises() {
    for (language, main) in [
        (
            "en",
            "<h2>Stairs made for you</h2><h3>1. We look at your house</h3><p>We measure every wall with you.</p>\
             <h3>2. You choose the wood</h3><p>We bring samples of oak and ash to you.</p>",
        ),
        (
            "de",
            "<h2>So läuft es ab</h2><h3>Wir messen bei Ihnen</h3><p>Wir sehen uns das Haus mit Ihnen an.</p>\
             <h3>Sie wählen das Holz</h3><p>Wir bringen Ihnen Muster von Eiche und Esche mit.</p>",
        ),
        (
            "fr",
            "<h2>Notre méthode</h2><h3>Nous mesurons chez vous</h3><p>Nous regardons la maison avec vous.</p>\
             <h3>Vous choisissez le bois</h3><p>Nous apportons des échantillons chez vous.</p>",
        ),
        (
            "en",
            "<h2>Stairs made for you</h2><div>Step 1</div><h3>We look at your house</h3><p>We measure every wall with you.</p>\
             <div>Step 2</div><h3>You choose the wood</h3><p>We bring samples of oak and ash to you.</p>",
        ),
    ] {
        assert_eq!(statements(language, main), [""; 0], "{main}");
    }
    // Reasons may have numbers.
    let reasons = "<h2>Why customers choose us</h2><h3>1. One price for everything</h3><p>You know what you pay before we begin.</p>\
        <h3>2. One team from start to end</h3><p>You talk to the people who build it.</p>";
    assert_eq!(statements("en", reasons).len(), 2);
}

#[test]
fn numbered_reasons_without_headings_are_told() {
    let reason = |number: &str, name: &str, text: &str| {
        format!("<div><div>{number}</div><div>{name}</div><div>{text}</div></div>")
    };
    let main = format!(
        "<h2>Reasons for Acme</h2>{}{}",
        reason(
            "01",
            "One price for everything",
            "You know what you pay before anybody begins with the work."
        ),
        reason(
            "02",
            "One team from start to end",
            "You talk to the people who build the stairs in your house."
        ),
    );
    assert_eq!(
        statements("en", &main),
        ["One price for everything", "One team from start to end"]
    );
}

#[test]
fn what_the_company_counts_of_itself_is_a_figure() {
    let main = "<p>Acme runs 340 vans between Leeds and the sea every week.</p>\
        <p>We work to EN 1090 in every one of our halls in town.</p>\
        <p>We moved into the yard at 12345 Leeds some time ago.</p>";
    assert_eq!(
        proofs_of(&draft("en", main), "metric"),
        ["Acme runs 340 vans between Leeds and the sea every week."]
    );
}

#[test]
fn features_of_a_product_are_no_promises_of_the_company() {
    let products = "<h2>Our products</h2><h3>Ram pumps</h3><p>For streams and springs.</p><h3>Hand pumps</h3><p>For gardens.</p>";
    let page = |under: &str| {
        let main = format!("<h1>Acme</h1>{products}");
        let web = home(
            "en",
            &[("/ram-pumps", "Ram pumps"), ("/hand-pumps", "Hand pumps")],
            &main,
            "",
        );
        let page = format!(
            "<html lang=en><body><main><h1>Pumping</h1><h2>Ram pumps</h2>{under}</main></body></html>"
        );
        let draft = acme(web.page("https://acme.example/ram-pumps", &page)).draft();
        members(at(&draft, "/positioning/value_propositions"), "statement").len()
    };
    let advantages = "<h3>Advantages</h3><h4>Runs without any power</h4><p>Your stream lifts the water by itself.</p>\
        <h4>Lasts for forty years</h4><p>You replace one valve in ten years.</p>";
    assert_eq!(page(advantages), 0);
}

#[test]
fn the_company_s_own_people_are_no_customers() {
    let quote = "<blockquote><p>We build stairs because a house deserves good ones.</p><cite>Jane Roe</cite></blockquote>";
    let of_customer = "<blockquote><p>They built the stairs in one day and left no dust.</p><cite>Ann Poe, Globex</cite></blockquote>";
    let main = format!("<h1>Acme</h1>{quote}{of_customer}");
    let said = |web: Web| proofs_of(&acme(web).draft(), "testimonial");
    let customer = "They built the stairs in one day and left no dust. Ann Poe, Globex";
    let imprint = home("en", &[("/imprint", "Imprint")], &main, "").text(
        "https://acme.example/imprint",
        "<h1>Imprint</h1><p>Acme Ltd</p><p>Managing Director: Jane Roe</p>",
    );
    assert_eq!(said(imprint), [customer]);
    let team = home("en", &[("/about", "About us")], &main, "").text(
        "https://acme.example/about",
        "<h1>About us</h1><h3>Jane Roe</h3><p>Builds the stairs.</p>",
    );
    assert_eq!(said(team), [customer]);
    let data = r#"<script type="application/ld+json">{"@type": "Organization", "name": "Acme", "founder": {"@type": "Person", "name": "Jane Roe"}}</script>"#;
    let declared = Web::new().page(
        "https://acme.example/",
        &format!("<html lang=en><head><title>Acme</title>{data}</head><body><main>{main}</main></body></html>"),
    );
    assert_eq!(said(declared), [customer]);
}

#[test]
fn initials_in_place_of_a_picture_stand_between_a_quotation_and_its_author() {
    let main = "<div>“They built the stairs in one day and left no dust behind.”</div><div>AP</div><div>Ann Poe</div><div>Leeds</div>";
    assert_eq!(
        proofs_of(&draft("en", main), "testimonial"),
        ["“They built the stairs in one day and left no dust behind.” Ann Poe Leeds"]
    );
}

#[test]
fn statistics_of_a_market_and_lengths_of_events_prove_nothing() {
    for main in [
        "<div>70 %</div><div>of companies lose their data</div><div>45 %</div><div>of employees know it</div>",
        "<div><b>70 %</b> of companies lose their data</div><div><b>45 %</b> of employees know it</div>",
        "<h2>A market that grows</h2><div>350+</div><div>new reactors by then</div><p>Source: Institute of Reactors</p>",
        "<div>1h30</div><div>On site</div><div>14</div><div>days</div>",
    ] {
        assert_eq!(proofs_of(&draft("en", main), "metric"), [""; 0], "{main}");
    }
    let own = "<div>98 %</div><div>of our customers come back</div><div>350+</div><div>stairs built</div>";
    assert_eq!(
        proofs_of(&draft("en", own), "metric"),
        ["98 % of our customers come back", "350+ stairs built"]
    );
}

#[test]
fn names_under_a_heading_for_accreditations_need_not_be_known() {
    let main = "<h2>Accreditations</h2><ul><li>NRTC</li><li>WaterSafe Plus</li><li>SMAS Worksafe</li></ul>";
    assert_eq!(
        proofs_of(&draft("en", main), "certification"),
        ["NRTC", "WaterSafe Plus", "SMAS Worksafe"]
    );
    let shop = "<h2>Certificates</h2><ul><li>How to read them</li><li>Where to ask</li></ul>";
    assert_eq!(proofs_of(&draft("en", shop), "certification"), [""; 0]);
}

#[test]
fn a_button_to_where_one_books_is_a_call() {
    let main = "<p>Come and sit down.</p><a href=https://booking.acme.example/>Online appointments</a> <a href=https://blog.acme.example/>Old letters</a>";
    assert_eq!(
        at(&draft("en", main), "/messaging/calls_to_action"),
        &json!(["Online appointments"])
    );
}
