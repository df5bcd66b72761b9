//! Who a firm is, told by the form of its addresses, its structured data and its names.

use gtm_sdk::json::json;

use crate::run::{acme, at, basis};
use crate::web::{Web, home};

fn contact_page(language: &str, main: &str) -> Web {
    let page = |main: &str| {
        format!(
            "<html lang={language}><head><title>Acme</title></head><body><nav><a href=/contact>Contact</a></nav><main>{main}</main></body></html>"
        )
    };
    Web::new()
        .page("https://acme.example/", &page("<h1>Acme</h1>"))
        .page("https://acme.example/contact", &page(main))
}

#[test]
fn a_further_unit_is_no_head_office() {
    let main = "<h1>Contact</h1><h3>Acme Seals Pvt. Ltd. - Unit 2</h3><p>Gala No. 6, Mill Estate, Thane - 401 208, India.</p>\
        <h3>Acme Seals Pvt. Ltd.</h3><p>Trust Estate, Off Mill Road, Mumbai - 400 063, India.</p>";
    let draft = acme(contact_page("en", main)).draft();
    assert_eq!(
        at(&draft, "/identity/headquarters"),
        &json!({"locality": "Mumbai", "region": null, "country": "IN"})
    );
}

#[test]
fn canadian_addresses_have_their_town() {
    let main =
        "<h1>Contact</h1><p><b>12 Mill St, Unit 18</b><br><b>Delta BC, V4G 1E2, Canada</b></p>";
    let draft = acme(contact_page("en", main)).draft();
    assert_eq!(
        at(&draft, "/identity/headquarters"),
        &json!({"locality": "Delta", "region": "BC", "country": "CA"})
    );
}

#[test]
fn structured_data_of_any_type_of_firm_is_read() {
    let node = json!({"@context": "https://schema.org", "@type": "RoofingCompany", "name": "Acme", "url": "https://acme.example/",
        "foundingDate": "1998", "areaServed": "Ulm",
        "address": {"@type": "PostalAddress", "addressLocality": "Ulm", "addressCountry": "DE"}});
    let main = format!(
        "<h1>Acme</h1><p>Wir freuen uns auf Ihren Anruf.</p><script type=\"application/ld+json\">{node}</script>"
    );
    let draft = acme(home("de", &[], &main, "")).draft();
    assert_eq!(at(&draft, "/identity/founded_year"), &json!(1998));
    let industry = at(&draft, "/identity/industries/0");
    assert_eq!(industry["label"], "Roofing company");
    assert_eq!(basis(&draft, "/identity/industries/0")["basis"], "inferred");
}

#[test]
fn a_french_form_may_stand_before_the_name() {
    let main = "<h1>Mentions légales</h1><p>Le présent site est édité par :</p>\
        <table><tr><td>Dénomination sociale</td><td>SARL Acme Terrassement</td></tr></table>";
    let page = |main: &str| {
        format!(
            "<html lang=fr><head><title>Acme Terrassement</title></head><body><nav><a href=/mentions-legales>Mentions légales</a></nav><main>{main}</main></body></html>"
        )
    };
    let web = Web::new()
        .page("https://acme.example/", &page("<h1>Acme Terrassement</h1>"))
        .page("https://acme.example/mentions-legales", &page(main));
    assert_eq!(
        at(&acme(web).draft(), "/identity/legal_name"),
        "SARL Acme Terrassement"
    );
}

#[test]
fn a_roll_of_a_trade_is_no_register() {
    let footer = "<p>P. IVA 01234560247 · REA VI-123456 · Albo autotrasportatori VI/1234567/A</p>";
    let draft = acme(home("it", &[], "<h1>Acme</h1>", footer)).draft();
    let identifiers = at(&draft, "/identity/identifiers").to_string();
    assert!(!identifiers.contains("1234567/A"), "{identifiers}");
}
