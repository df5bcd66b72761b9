//! Colours, typefaces and logos come from the bytes of pages, stylesheets and images.

use gtm_sdk::{Value, json::json};
use gtm_site_signals::css::Sheet;
use gtm_site_signals::elements::Elements;
use gtm_site_signals::markup::Markup;
use gtm_site_signals::palette::palette;
use url::Url;

use crate::run::{acme, at, basis, members, site};
use crate::sites;
use crate::web::{Web, receipt};

#[test]
fn colours_and_typefaces_are_those_of_the_stylesheets() {
    let draft = site(sites::harrow(), "https://harrowgate.example/").draft();
    let palette = at(&draft, "/visual/palette");
    let role = |hex: &str| {
        palette
            .as_array()
            .unwrap()
            .iter()
            .find(|swatch| swatch["hex"] == hex)
            .map(|swatch| swatch["role"].clone())
    };
    assert_eq!(role("#14532d"), Some(json!("primary")), "{palette}");
    assert!(role("#ea580c").is_some(), "{palette}");
    let families = members(at(&draft, "/visual/typography"), "family");
    assert!(
        families.contains(&"Bitter") && families.contains(&"Source Sans 3"),
        "{families:?}"
    );
    let entry = basis(&draft, "/visual/palette/0");
    assert_eq!(entry["basis"], "observed");
    let receipts: Vec<&str> = entry["receipt_ids"]
        .as_array()
        .unwrap()
        .iter()
        .map(|id| id.as_str().unwrap())
        .collect();
    // The last citation overrides the others, and it is the first page's inline styles.
    assert_eq!(
        receipts.last(),
        Some(&receipt("https://harrowgate.example/").as_str())
    );
    // A stylesheet that three pages share is cited once.
    assert_eq!(
        receipts
            .iter()
            .filter(|id| **id == receipt("https://harrowgate.example/site.css"))
            .count(),
        1
    );
}

#[test]
fn the_palette_is_what_the_cited_receipts_give_in_their_order() {
    let html = "<html><head><style>h1{color:var(--c)}</style><link rel=stylesheet href=/a.css><link rel=stylesheet href=/b.css></head><body><main><h1>Acme Rail</h1><p>Acme Rail builds signals. <a class=button href=/>Go</a></p></main></body></html>";
    let web = Web::new()
        .page("https://acme.example/", html)
        .file(
            "https://acme.example/a.css",
            "text/css",
            b":root{--c:#aa2200}.button{background:#0044cc}.badge{background:#8800aa}",
        )
        .file(
            "https://acme.example/b.css",
            "text/css",
            b":root{--c:#117733}",
        );
    let draft = acme(web).draft();
    let own = Sheet::read("h1{color:var(--c)}");
    let (a, b) = (
        Sheet::read(":root{--c:#aa2200}.button{background:#0044cc}.badge{background:#8800aa}"),
        Sheet::read(":root{--c:#117733}"),
    );
    let home = Url::parse("https://acme.example/").unwrap();
    let markup = Markup::read(Some("text/html"), html.as_bytes(), &home);
    let elements = Elements::of([&markup]);
    let expected: Vec<Value> = palette(&[&a, &b, &own], &[], Some(&elements))
        .iter()
        .map(|swatch| json!(swatch))
        .collect();
    assert_eq!(members(&json!(expected), "hex"), ["#0044cc", "#117733"]);
    assert_eq!(at(&draft, "/visual/palette"), &json!(expected));
}

#[test]
fn a_page_s_own_styles_come_after_linked_ones_and_the_first_page_after_others() {
    let page = |own: &str| {
        format!(
            "<html><head><style>{own}</style><link rel=stylesheet href=/a.css></head><body><main><h1>Acme Rail</h1>\
             <p>Acme Rail builds signals. <a href=/about>About us</a></p></main></body></html>"
        )
    };
    let web = Web::new()
        .page(
            "https://acme.example/",
            &page("h1{color:#117733}body{color:#101010}"),
        )
        .page("https://acme.example/about", &page("h1{color:#8800aa}"))
        .file(
            "https://acme.example/a.css",
            "text/css",
            b"h1{color:#aa2200}body{color:#202020;background:#fafafa}",
        );
    let draft = acme(web).draft();
    assert_eq!(
        members(at(&draft, "/visual/palette"), "hex"),
        ["#117733", "#fafafa", "#101010"]
    );
}

#[test]
fn logos_are_fetched_and_cite_picture_and_page() {
    let draft = site(sites::harrow(), "https://harrowgate.example/").draft();
    let logos = at(&draft, "/visual/logos");
    assert_eq!(logos[0]["url"], "https://harrowgate.example/logo.svg");
    assert_eq!(logos[0]["variant"], "logo");
    assert!(
        logos
            .as_array()
            .unwrap()
            .iter()
            .any(|logo| logo["url"] == "https://harrowgate.example/touch.png"
                && logo["variant"] == "symbol"),
        "{logos}"
    );
    assert_eq!(
        basis(&draft, "/visual/logos/0")["receipt_ids"],
        json!([
            receipt("https://harrowgate.example/logo.svg"),
            receipt("https://harrowgate.example/")
        ])
    );
}

#[test]
fn a_wide_picture_is_no_symbol() {
    for (size, variant) in [("233 88", "logo"), ("88 88", "symbol")] {
        let web = Web::new()
            .page("https://acme.example/", "<html><body><header><a href=/><img class='nav__logo-mark' src=/logo.svg alt='Acme Rail'></a></header><main><p>Acme Rail builds signals.</p></main></body></html>")
            .file(
                "https://acme.example/logo.svg",
                "image/svg+xml",
                format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {size}'><path d='M0 0h9v9z'/></svg>").as_bytes(),
            );
        let draft = acme(web).draft();
        assert_eq!(at(&draft, "/visual/logos")[0]["variant"], variant, "{size}");
    }
}

#[test]
fn an_inline_drawing_is_a_logo_of_its_page() {
    let web = Web::new().page(
        "https://acme.example/",
        "<html><body><header><a href=/ aria-label='Acme logo'><svg class=logo viewBox='0 0 10 10' width=10 height=10><path d='M0 0h9v9z'/></svg></a></header><main><p>Acme Rail builds signals.</p></main></body></html>",
    );
    let draft = acme(web).draft();
    assert_eq!(
        at(&draft, "/visual/logos")[0]["url"],
        "https://acme.example/#inline-svg-0"
    );
    assert_eq!(at(&draft, "/visual/logos")[0]["inline_svg"], 0);
    assert_eq!(
        basis(&draft, "/visual/logos/0")["receipt_ids"],
        json!([receipt("https://acme.example/")])
    );
}

#[test]
fn icons_of_the_web_manifest_count() {
    let png = [
        0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0,
        2, 0, 0, 0, 2, 0, 8, 6, 0, 0, 0, 0, 0, 0, 0,
    ];
    let web = Web::new()
        .page("https://acme.example/", "<html><head><link rel=manifest href=/app.webmanifest></head><body><main><h1>Acme Rail</h1><p>Acme Rail builds signals.</p></main></body></html>")
        .file("https://acme.example/app.webmanifest", "application/manifest+json", br##"{"name":"Acme","icons":[{"src":"/icon-512.png","sizes":"512x512","type":"image/png"}],"theme_color":"#0044cc"}"##)
        .file("https://acme.example/icon-512.png", "image/png", &png);
    let draft = acme(web).draft();
    assert_eq!(
        at(&draft, "/visual/logos")[0]["url"],
        "https://acme.example/icon-512.png"
    );
    assert_eq!(
        basis(&draft, "/visual/logos/0")["receipt_ids"],
        json!([
            receipt("https://acme.example/icon-512.png"),
            receipt("https://acme.example/app.webmanifest")
        ])
    );
}

#[test]
fn what_is_no_picture_is_no_logo() {
    let web = Web::new()
        .page("https://acme.example/", "<html><body><header><a href=/><img src=/logo.png alt='Acme logo'></a></header><main><p>Acme Rail builds signals.</p></main></body></html>")
        .file("https://acme.example/logo.png", "image/png", b"<html>not found</html>");
    assert_eq!(at(&acme(web).draft(), "/visual/logos"), &json!([]));
}

#[test]
fn another_company_s_structured_data_does_not_hide_the_logo() {
    let svg: &[u8] =
        b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><path d='M0 0h9v9z'/></svg>";
    let web = Web::new()
        .page("https://acme.example/", r#"<html><head><script type="application/ld+json">{"@type":"Organization","name":"Globex","url":"https://globex.example/","logo":"https://globex.example/logo.svg"}</script></head>
            <body><header><a href=/><img src=/acme.svg alt='Acme Rail'></a></header><main><p>Acme Rail builds signals.</p></main></body></html>"#)
        .file("https://globex.example/logo.svg", "image/svg+xml", svg)
        .file("https://acme.example/acme.svg", "image/svg+xml", svg);
    let draft = acme(web).draft();
    assert_eq!(
        members(at(&draft, "/visual/logos"), "url"),
        ["https://acme.example/acme.svg"]
    );
}

#[test]
fn the_next_best_stands_in_for_a_logo_that_is_gone() {
    let svg: &[u8] =
        b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><path d='M0 0h9v9z'/></svg>";
    let web = Web::new()
        .page("https://acme.example/", r#"<html><head><script type="application/ld+json">{"@type":"Organization","name":"Acme Rail","url":"https://www.acme.example/","logo":"/old-logo.png"}</script></head>
            <body><header><a href=/><img src=/acme.svg alt='Acme Rail'></a></header><main><p>Acme Rail builds signals.</p></main></body></html>"#)
        .file("https://acme.example/acme.svg", "image/svg+xml", svg);
    let draft = acme(web).draft();
    assert_eq!(
        members(at(&draft, "/visual/logos"), "url"),
        ["https://acme.example/acme.svg"]
    );
}

#[test]
fn a_file_of_the_sign_stands_beside_its_drawing() {
    let svg: &[u8] =
        b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><path d='M0 0h9v9z'/></svg>";
    let web = Web::new()
        .page("https://acme.example/", "<html><head><link rel=icon href=/sign.svg type=image/svg+xml></head><body><header><a href=/><svg class=brandmark viewBox='0 0 9 9'><path d='M0 0h9v9z'/></svg></a></header>            <main><p>Acme Rail builds signals.</p></main></body></html>")
        .file("https://acme.example/sign.svg", "image/svg+xml", svg);
    let draft = acme(web).draft();
    assert_eq!(
        members(at(&draft, "/visual/logos"), "url"),
        [
            "https://acme.example/#inline-svg-0",
            "https://acme.example/sign.svg"
        ]
    );
}

#[test]
fn habits_are_measured_on_the_pages_they_cite() {
    let draft = site(sites::harrow(), "https://harrowgate.example/").draft();
    let entry = basis(&draft, "/voice/person");
    assert_eq!(at(&draft, "/voice/person"), "first_plural");
    assert_eq!(entry["basis"], "observed");
    assert!(entry["receipt_ids"].as_array().unwrap().len() >= 4);
    let samples = at(&draft, "/voice/samples").as_array().unwrap();
    assert!((2..=5).contains(&samples.len()), "{samples:?}");
}
