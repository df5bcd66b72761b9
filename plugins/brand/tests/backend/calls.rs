//! What links ask the reader to do, and what they only lead to.

use gtm_sdk::{Value, json::json};

use crate::run::{acme, at};
use crate::web::{Web, home};

fn calls(language: &str, links: &[(&str, &str)], main: &str) -> Value {
    let draft = acme(home(language, links, main, "")).draft();
    at(&draft, "/messaging/calls_to_action").clone()
}

#[test]
fn calls_are_told_in_the_language_of_the_page() {
    for (language, links, expected) in [
        (
            "fr",
            "<a href=/a>Choisir un vélo</a> <a href=/d>Nos vélos</a>",
            json!(["Choisir un vélo"]),
        ),
        (
            "de",
            "<a href=/b>Angebot anfordern</a> <a href=/e>Die Werkstatt</a>",
            json!(["Angebot anfordern"]),
        ),
        (
            "es",
            "<a href=/c>Reserva tu visita</a>",
            json!(["Reserva tu visita"]),
        ),
        (
            "it",
            "<a href=/f>Come lavoriamo</a> <a href=/g>Prenota una prova</a>",
            json!(["Prenota una prova"]),
        ),
        (
            "fr",
            "<a href=/h>Demande de devis</a>",
            json!(["Demande de devis"]),
        ),
    ] {
        let main = format!("<h1>Acme</h1><p>{links}</p>");
        assert_eq!(calls(language, &[], &main), expected, "{links}");
    }
}

#[test]
fn one_word_calls_where_it_leads_to_the_company() {
    for (language, word) in [("it", "Contattaci"), ("de", "Anrufen")] {
        let links = format!(
            "<h1>Acme</h1><p>Acme.</p><h2>Acme</h2><p><a href=mailto:a@acme.example>{word}</a></p>"
        );
        assert_eq!(calls(language, &[], &links), json!([word]));
        let links = format!("<h1>Acme</h1><p>Acme.</p><h2>Acme</h2><p><a href=/x>{word}</a></p>");
        assert_eq!(calls(language, &[], &links), json!([]));
    }
}

#[test]
fn what_stands_below_the_first_heading_counts_wherever_it_leads() {
    let site = |main: &str| {
        let web = home("de", &[("/produkte", "Produkte")], main, "");
        let web = web.text("https://acme.example/produkte", "<h1>Produkte</h1>");
        at(&acme(web).draft(), "/messaging/calls_to_action").clone()
    };
    let hero = "<h1>Acme</h1><p>Treppen.</p><a href=/produkte>Produkte entdecken</a>";
    assert_eq!(site(hero), json!(["Produkte entdecken"]));
    let below =
        "<h1>Acme</h1><p>Treppen.</p><h2>Auswahl</h2><a href=/produkte>Produkte entdecken</a>";
    assert_eq!(site(below), json!([]));
}

#[test]
fn files_and_other_sites_are_no_calls_unless_one_books_there() {
    let below = |links: &str| {
        let main = format!("<h1>Acme</h1><p>Acme.</p><h2>Acme</h2><p>{links}</p><p>{links}</p>");
        calls("en", &[], &main)
    };
    assert_eq!(
        below("<a href=/sheet.pdf>Get the data sheet</a>"),
        json!([])
    );
    assert_eq!(
        below("<a href=https://globex.example/a>Order the parts</a>"),
        json!([])
    );
    assert_eq!(
        below("<a href=https://acme.booking.example/a>Book a table</a>"),
        json!(["Book a table"])
    );
}

#[test]
fn a_link_that_stands_alone_in_a_footer_is_a_call() {
    let asked = |footer: &str| {
        let web = home("en", &[], "<h1>Acme</h1><p>Acme.</p>", footer);
        at(&acme(web).draft(), "/messaging/calls_to_action").clone()
    };
    assert_eq!(
        asked(
            "<h3>Ready for dry cellars?</h3><div><a href=/contact>Contact our engineers</a></div><p>© Acme</p>"
        ),
        json!(["Contact our engineers"])
    );
    let menu = "<h3>Acme</h3><ul><li><a href=/contact>Contact our engineers</a></li><li><a href=/p>Pumps</a></li></ul>";
    assert_eq!(asked(menu), json!([]));
}

#[test]
fn links_that_open_no_other_page_are_calls() {
    let below = |links: &str| {
        let main = format!("<h1>Acme</h1><p>Acme.</p><h2>Acme</h2><p>{links}</p>");
        calls("en", &[], &main)
    };
    assert_eq!(
        below("<a href='#contact'>Request a quote</a>"),
        json!(["Request a quote"])
    );
    assert_eq!(
        below("<a href='#book-now'>Reserve a table</a>"),
        json!(["Reserve a table"])
    );
    assert_eq!(
        below("<a href='tel:+15550100'>Call the workshop</a>"),
        json!(["Call the workshop"])
    );
    assert_eq!(
        below("<a href='mailto:a@acme.example'>Ask an engineer</a>"),
        json!(["Ask an engineer"])
    );
    for other in [
        "<a href='#pumps'>See our pumps</a>",
        "<a href='#contact'>Our workshop</a>",
        "<a href='tel:+15550100'>555 0100</a>",
        "<a href='mailto:a@acme.example'>a@acme.example</a>",
    ] {
        assert_eq!(below(other), json!([]), "{other}");
    }
}

#[test]
fn what_only_a_menu_has_is_no_call() {
    let menu = [
        ("#contact", "Request a quote"),
        ("#pumps", "Discover pumps"),
    ];
    assert_eq!(calls("en", &menu, "<h1>Acme</h1><p>Acme.</p>"), json!([]));
    let main = "<h1>Acme</h1><p>Acme.</p><p><a href=/contact>Request a quote</a></p>";
    assert_eq!(
        calls("en", &[("/contact", "Request a quote")], main),
        json!(["Request a quote"])
    );
}

#[test]
fn calls_by_telephone_are_seen_in_the_text() {
    for (language, text) in [
        ("en", "Call us now"),
        ("de", "Jetzt anrufen"),
        ("ja", "今すぐ電話する"),
    ] {
        let main = format!("<h1>Acme</h1><p>Acme.</p><h2>Acme</h2><div><span>{text}</span></div>");
        assert_eq!(calls(language, &[], &main), json!([text]));
    }
    let text = "<h1>Acme</h1><h2>Call us now</h2><p>Call us now and we come today.</p>";
    assert_eq!(calls("en", &[], text), json!([]));
}

#[test]
fn a_button_in_a_header_asks_and_a_link_to_questions_does_not() {
    let page = |button: &str| {
        let html = format!(
            "<html lang=it><head><title>Acme</title></head><body><header><nav><ul><li><a href=/chi>Chi siamo</a></li><li class=nav__cta>{button}</li></ul></nav></header>\
             <main><h1>Acme</h1><p>Acme costruisce pompe.</p></main></body></html>"
        );
        let draft = acme(Web::new().page("https://acme.example/", &html)).draft();
        at(&draft, "/messaging/calls_to_action").clone()
    };
    assert_eq!(
        page("<a class='btn btn--small' href=/contatti>Contattaci</a>"),
        json!(["Contattaci"])
    );
    assert_eq!(page("<a href=/contatti>Contattaci</a>"), json!([]));
    for text in ["Leggi le FAQ", "Vai alle domande frequenti"] {
        let main =
            format!("<h1>Acme</h1><p>Acme costruisce pompe.</p><p><a href=/faq>{text}</a></p>");
        assert_eq!(calls("it", &[], &main), json!([]), "{text}");
    }
}
