//! What a company holds to and where it comes from, as sentences tell it without a heading or a label.

use gtm_sdk::Value;

use crate::languages::site;
use crate::run::{acme, at, members};
use crate::web::Web;

/// The draft of a site whose page about itself has this text.
fn about(text: &str) -> Value {
    acme(site("de", "<h1>Acme</h1>", &[("/about", "About us", text)])).draft()
}

/// The draft of a site whose home page has this text.
fn home(text: &str) -> Value {
    acme(site("de", text, &[])).draft()
}

#[test]
fn sentences_list_what_a_company_holds_to() {
    let values = |draft: &Value| members(at(draft, "/foundations/values"), "name").join(" | ");
    let draft = home(
        "<h1>Acme</h1><p>Acme arbeitet mit Lieferanten, die unsere Werte – Sorgfalt, Ruhe und Offenheit – teilen.</p>",
    );
    assert_eq!(values(&draft), "Sorgfalt | Ruhe | Offenheit");
    let draft = about(
        "<h1>Über uns</h1><h3>Unsere Werte</h3><p>Sorgfalt, Ruhe und ein offenes Ohr für alle prägen unsere Tage.</p>",
    );
    assert_eq!(values(&draft), "Sorgfalt | Ruhe");
}

#[test]
fn what_drives_a_company_is_told_in_a_paragraph_without_a_stop() {
    let purpose = "Die Freude daran, aus alten Glocken neue zu gießen - das ist die Motivation für unsere Arbeit";
    let draft = home(&format!("<h1>Acme</h1><p>{purpose}</p>"));
    assert_eq!(at(&draft, "/foundations/purpose"), purpose);
}

#[test]
fn a_family_tells_how_long_it_has_owned_the_company() {
    let story = "Acme ist ein Familienbetrieb in dritter Generation und gießt Glocken für die ganze Region.";
    let draft = about(&format!(
        "<h1>Über uns</h1><p>{story}</p><p>Derzeit sind sechs gelernte Fachkräfte in unserem Unternehmen tätig.</p>"
    ));
    assert_eq!(at(&draft, "/foundations/origin_story"), story);
    assert_eq!(at(&draft, "/identity/employee_range"), "1-10");
}

#[test]
fn what_lasts_for_generations_is_no_origin() {
    for text in [
        "<p>Wir bauen Tische aus Eiche, die für drei Generationen halten und sich reparieren lassen.</p>",
        "<blockquote>Wir kaufen unser Brot hier im Familienbetrieb schon seit drei Generationen jeden Samstag.</blockquote>",
    ] {
        let draft = about(&format!("<h1>Über uns</h1>{text}"));
        assert_eq!(at(&draft, "/foundations/origin_story"), &Value::Null);
    }
}

#[test]
fn a_longer_question_may_ask_why_one_should_choose_the_company() {
    let cards = "<h3>Ruhig und sorgfältig</h3><p>Unsere Glocken hängen nach zwei Tagen.</p><h3>Aus der Region</h3><p>Wir gießen selbst in Ulm.</p>";
    let told = |heading: &str| {
        let draft = home(&format!("<h1>Acme</h1><h2>{heading}</h2>{cards}"));
        members(at(&draft, "/positioning/value_propositions"), "statement").join(" | ")
    };
    assert_eq!(
        told("Warum sollten Sie sich gerade hier für uns entscheiden?"),
        "Ruhig und sorgfältig | Aus der Region"
    );
}

#[test]
fn what_a_company_stands_for_is_its_purpose_unless_it_is_a_list() {
    let text = "Acme steht für die Verbindung von altem Handwerk und neuer Technik.";
    let draft = home(&format!("<h1>Willkommen</h1><p>{text}</p>"));
    assert_eq!(at(&draft, "/foundations/purpose"), text);
    let text = "Acme steht für Sorgfalt, Ruhe und Offenheit in jedem Gespräch.";
    let draft = home(&format!("<h1>Willkommen</h1><p>{text}</p>"));
    assert_eq!(at(&draft, "/foundations/purpose"), &Value::Null);
}

#[test]
fn words_that_spell_the_domain_are_the_company() {
    let page = |main: &str| {
        format!(
            "<html lang=de><head><title>Anna Beck - Glockengießerin</title></head><body><main>{main}</main></body></html>"
        )
    };
    let web = Web::new().page(
        "https://giesserei-holmgart.example/",
        &page("<h1>Willkommen</h1><p>Die Gießerei Holmgart ist eine Glockenwerkstatt für Türme am See.</p>"),
    );
    // The label has no sharp s.
    let draft = crate::run::site(web, "https://giesserei-holmgart.example/").draft();
    assert_ne!(at(&draft, "/positioning/category"), &Value::Null);
}
