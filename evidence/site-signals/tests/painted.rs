//! What text is painted in where the elements around it are known.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use gtm_site_signals::contrast;
use gtm_site_signals::css::Sheet;
use gtm_site_signals::elements::Elements;
use gtm_site_signals::markup::Markup;
use gtm_site_signals::palette::{ColorRole, palette};
use url::Url;

fn page(body: &str) -> Markup {
    let base = Url::parse("https://acme.example/").unwrap();
    let html = format!("<html><head><title>Acme</title></head>{body}</html>");
    Markup::read(Some("text/html"), html.as_bytes(), &base)
}

/// The failing pairs and the colour of text of a page with these sheets and its own styles.
fn looks(sheets: &[&str], body: &str) -> (Vec<(String, String)>, Option<String>) {
    let markup = page(body);
    let mut sheets: Vec<Sheet> = sheets.iter().map(|css| Sheet::read(css)).collect();
    sheets.push(Sheet::read(&markup.inline_css));
    let sheets: Vec<&Sheet> = sheets.iter().collect();
    let elements = Elements::of([&markup]);
    let failing = contrast::failing(&sheets, Some(&elements), 4.5).into_iter();
    let swatches = palette(&sheets, &[], Some(&elements)).into_iter();
    let mut text = swatches.filter(|swatch| swatch.role == ColorRole::Text);
    (
        failing
            .map(|pair| (pair.foreground, pair.background))
            .collect(),
        text.next().map(|swatch| swatch.hex),
    )
}

const FRAMEWORK: &str = "body{background:#fff;color:#212529}a{color:#4d9dff}";

#[test]
fn a_colour_that_others_paint_over_is_no_failing_pair() {
    let own = ".menu a{color:#333333}.foot{background:#222222}.foot a,.note{color:#ffffff}";
    let link = ("#4d9dff".to_owned(), "#ffffff".to_owned());
    let menu = "<body><div class=menu><a href=/>Home</a></div><p>We build stairs. <a href=/ style='color: #123456'>Write</a></p>\
        <div class=foot><a href=/imprint>Imprint</a></div></body>";
    assert_eq!(looks(&[FRAMEWORK, own], menu).0, []);
    let bare = "<body><div class=menu><a href=/>Home</a></div><p>We build stairs. <a href=/>Write</a></p></body>";
    assert_eq!(looks(&[FRAMEWORK, own], bare).0, [link]);
    // Later and closer rules win, and what they say of all elements is inherited by none.
    let star = "*{color:#ffffff}body{background:#111111}p{color:#666666}";
    assert_eq!(
        looks(&[star], "<body><p>We <b>build stairs</b>.</p></body>").0,
        [("#666666".to_owned(), "#111111".to_owned())]
    );
}

#[test]
fn the_colour_of_text_is_that_of_most_running_text() {
    let text = |css: &str, body: &str| looks(&[FRAMEWORK, css], body).1;
    let long = "We build stairs of oak and ash, and we mend the ones that our grandparents built.";
    let styled = format!(
        "<body><h1>Acme</h1><p style='color: #727371'>{long}</p><a href=/>Write to us</a></body>"
    );
    assert_eq!(text("", &styled).as_deref(), Some("#727371"));
    let plain = format!(
        "<body><h1>Acme</h1><p>{long}</p><p style='color:#727371'>Open on weekdays.</p></body>"
    );
    assert_eq!(text("", &plain).as_deref(), Some("#212529"));
    let by_class = format!("<body><div class=copy><p>{long}</p></div></body>");
    assert_eq!(
        text(".copy{color:#334455}", &by_class).as_deref(),
        Some("#334455")
    );
    let by_all = format!("<body><p>{long}</p></body>");
    assert_eq!(
        text("body{background:#1e1d1a}*{color:#fefefe}", &by_all).as_deref(),
        Some("#fefefe")
    );
}

#[test]
fn a_muted_colour_of_paragraphs_is_not_the_ink() {
    let css = ":root{--ink:#1a2433;--muted:#6b7a96}body{color:var(--ink);background:#ffffff}p{color:var(--muted)}";
    let long = "We build stairs of oak and ash, and we mend the ones that our grandparents built.";
    let page = format!(
        "<body><h1>Stairs of oak</h1><p>{long}</p><ul><li>Stairs and rails</li><li>Repairs</li></ul></body>"
    );
    assert_eq!(looks(&[css], &page).1.as_deref(), Some("#1a2433"));
    // What the page hardly shows is no colour of its text.
    let muted = format!("<body><p>{long} {long}</p><ul><li>Repairs</li></ul></body>");
    assert_eq!(looks(&[css], &muted).1.as_deref(), Some("#6b7a96"));
}

#[test]
fn the_places_of_text_are_bounded() {
    let many: String = (0..5_000)
        .map(|at| format!("<div class=c{at}><p>Text {at}</p></div>"))
        .collect();
    let deep = format!("{}x{}", "<div>".repeat(5_000), "</div>".repeat(5_000));
    for body in [many, deep] {
        let markup = page(&format!("<body>{body}</body>"));
        assert!(markup.texts.len() <= 250);
        assert!(markup.texts.keys().map(String::len).sum::<usize>() <= 60_000);
    }
}
