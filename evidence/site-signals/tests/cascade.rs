//! Declarations that another rule overrides yield no colour, typeface or failing pair of the page.
#![allow(clippy::unwrap_used)]

use gtm_site_signals::contrast;
use gtm_site_signals::css::{FontRole, Sheet};
use gtm_site_signals::palette::{ColorRole, palette};
use gtm_site_signals::typography::typography;

fn sheets(css: &[&str]) -> Vec<Sheet> {
    css.iter().map(|css| Sheet::read(css)).collect()
}

fn swatches(css: &[&str]) -> Vec<(ColorRole, String)> {
    let sheets = sheets(css);
    palette(&sheets.iter().collect::<Vec<_>>(), &[], None)
        .into_iter()
        .map(|swatch| (swatch.role, swatch.hex))
        .collect()
}

fn hexes(css: &[&str]) -> Vec<String> {
    swatches(css).into_iter().map(|(_, hex)| hex).collect()
}

fn failing(css: &[&str]) -> Vec<(String, String)> {
    let sheets = sheets(css);
    contrast::failing(&sheets.iter().collect::<Vec<_>>(), None, 4.5)
        .into_iter()
        .map(|pair| (pair.foreground, pair.background))
        .collect()
}

fn weights(css: &[&str], role: FontRole) -> Vec<u16> {
    let sheets = sheets(css);
    typography(&sheets.iter().collect::<Vec<_>>(), None)
        .into_iter()
        .find(|face| face.role == role)
        .unwrap()
        .weights
}

/// A framework's button, link and page.
const FRAMEWORK: &str = ":root{--fw-text:#212529}body{color:var(--fw-text);background:#ffffff}a{color:#0d6efd}\
    .btn-primary{color:#fff;background-color:#0d6efd;border-color:#0d6efd}";

#[test]
fn what_a_site_s_own_sheet_sets_anew_replaces_the_framework_s() {
    let own =
        "body{color:#30363b}a{color:#14304f}.btn-primary{border-color:#c2410c;background:#c2410c}";
    assert_eq!(
        swatches(&[FRAMEWORK, own]),
        [
            (ColorRole::Primary, "#c2410c".to_owned()),
            (ColorRole::Secondary, "#14304f".to_owned()),
            (ColorRole::Background, "#ffffff".to_owned()),
            (ColorRole::Text, "#30363b".to_owned()),
        ]
    );
    // In the other order, the framework wins.
    assert!(hexes(&[own, FRAMEWORK]).contains(&"#0d6efd".to_owned()));
    assert!(hexes(&[own, FRAMEWORK]).contains(&"#212529".to_owned()));
}

#[test]
fn importance_and_layers_come_before_order() {
    for css in [
        "a{color:#a00000!important}a{color:#0000a0}",
        "@layer base,theme;@layer theme{a{color:#a00000}}@layer base{a{color:#0000a0}}",
        "a{color:#a00000}@layer base{a{color:#0000a0}}",
        "@layer base{a{color:#a00000!important}}a{color:#0000a0!important}",
    ] {
        assert_eq!(hexes(&[css]), ["#a00000"], "{css}");
        let (one, other) = css
            .rsplit_once("}a{")
            .map_or((css, ""), |(one, other)| (one, other));
        if !other.is_empty() {
            let sheets = [format!("{one}}}"), format!("a{{{other}")];
            assert_eq!(hexes(&[&sheets[0], &sheets[1]]), ["#a00000"], "{css}");
        }
    }
}

#[test]
fn what_holds_at_times_overrides_nothing_that_holds_always() {
    for narrow in [
        "@media (max-width:40em)",
        "@container (width<40em)",
        "@supports not (display:grid)",
    ] {
        let css = format!("a{{color:#a00000}}{narrow}{{a{{color:#0000a0}}}}");
        assert_eq!(hexes(&[&css]).len(), 2, "{css}");
        let page = format!("body{{color:#111111}}{narrow}{{body{{color:#222222}}}}");
        assert_eq!(hexes(&[&page]), ["#111111"], "{page}");
    }
    let wide = "@media screen{a{color:#a00000}}@supports (display:grid){a{color:#0000a0}}";
    assert_eq!(hexes(&[wide]), ["#0000a0"]);
    let dark = "a{color:#a00000}@media (prefers-color-scheme:dark){a{color:#0000a0}}";
    assert_eq!(hexes(&[dark]), ["#a00000"]);
}

#[test]
fn a_shorthand_replaces_its_parts_and_a_colour_that_of_its_shorthand() {
    for css in [
        "a{border-bottom-color:#0000a0}a{border-bottom:1px solid #a00000}",
        "a{border-bottom:1px solid #0000a0}a{border-color:#a00000}",
        ".x{background-color:#0000a0}.x{background:#a00000}",
        ".x{background:#0000a0}.x{background-color:#a00000}",
    ] {
        assert_eq!(hexes(&[css]), ["#a00000"], "{css}");
    }
    // A gradient is drawn in front of the background colour.
    let gradient = ".x{background:linear-gradient(#0000a0,#00a000)}.x{background-color:#a00000}";
    assert_eq!(Sheet::read(gradient).colors.len(), 3);
    // Each selector of a list counts separately.
    let list = "a,.x{color:#0000a0}a{color:#a00000}";
    assert_eq!(hexes(&[list]).len(), 2);
}

#[test]
fn colours_that_a_variant_lends_to_its_button_are_overridden_with_it() {
    let framework = ".btn{--b-color:#111111;--b-bg:transparent;color:var(--b-color);background-color:var(--b-bg)}.btn-primary{--b-color:#ffffff;--b-bg:#0d6efd}";
    assert_eq!(hexes(&[framework]), ["#0d6efd", "#111111"]);
    for own in [
        ".btn-primary{background-color:#c2410c}",
        ".btn-primary{--b-bg:#c2410c}",
    ] {
        assert_eq!(hexes(&[framework, own]), ["#c2410c", "#111111"], "{own}");
    }
}

#[test]
fn text_fails_on_the_background_that_it_really_has() {
    let framework =
        ".btn-warn-me{color:#ffffff;background:#ffc107}.tag{color:#ffffff;background:#005f73}";
    assert_eq!(failing(&[framework]).len(), 1);
    assert_eq!(
        failing(&[framework, ".btn-warn-me{background:#7a3e00}"]),
        []
    );
    assert_eq!(failing(&[framework, ".btn-warn-me{color:#1a1a1a}"]), []);
    assert_eq!(
        failing(&[
            framework,
            ".btn-warn-me{color:#111111}.tag{background:#c9a227}"
        ]),
        [("#ffffff".to_owned(), "#c9a227".to_owned())]
    );
}

#[test]
fn the_body_s_colour_comes_before_that_of_what_it_stands_in() {
    let css = "body{color:#202020;background:#fffaf0}html{color:#000000;background:#eeeeee}";
    assert_eq!(hexes(&[css]), ["#fffaf0", "#202020"]);
}

#[test]
fn overridden_weights_are_not_asked_for() {
    let framework = "h1,h2{font-weight:500}.lead{font-weight:300}";
    let own = "body{font-family:Acme;font-weight:400}h1{font:800 2rem Acmehead}h2{font:700 1rem Acmehead}.lead{font-weight:600}";
    assert_eq!(weights(&[framework, own], FontRole::Heading), [700, 800]);
    assert_eq!(weights(&[framework, own], FontRole::Body), [400, 600]);
}

#[test]
fn bold_words_are_set_in_the_page_s_typeface() {
    // Even though another typeface is used for something that is neither heading nor text.
    let css = "body{font:400 1rem Acme}.figure{font-family:Acmehead}strong{font-weight:700}";
    assert_eq!(weights(&[css], FontRole::Body), [400, 700]);
    // A weight without a font file is drawn with the file of another weight.
    let faces = "@font-face{font-family:Acme;font-weight:400;src:url(a)}@font-face{font-family:Acme;font-weight:600;src:url(b)}";
    let asks = "body{font:400 1rem Acme}strong{font-weight:600}.x{font-weight:800}";
    assert_eq!(weights(&[faces, asks], FontRole::Body), [400, 600]);
    let named = "body{font:400 1rem Acme}p{font-family:Acme;font-weight:300}";
    assert_eq!(weights(&[faces, named], FontRole::Body), [400]);
    let range = "@font-face{font-family:Acme;font-weight:100 900;src:url(a)}";
    assert_eq!(weights(&[range, asks], FontRole::Body), [400, 600, 800]);
}
