//! Dark colours of a brand, and dark greys that are none.

use gtm_site_signals::css::Sheet;
use gtm_site_signals::palette::{ColorRole, palette};

fn brand(css: &str) -> Vec<(ColorRole, String)> {
    let sheet = Sheet::read(css);
    palette(&[&sheet], &[], None)
        .into_iter()
        .filter(|swatch| !matches!(swatch.role, ColorRole::Background | ColorRole::Text))
        .map(|swatch| (swatch.role, swatch.hex))
        .collect()
}

#[test]
fn a_dark_colour_that_paints_header_footer_or_buttons_is_the_brand_s() {
    let page = "body{background:#fff;color:#222}";
    for css in [
        ".site-header{background:#1b2433} footer{background:#1b2433}",
        ".btn{background:#1b2433;color:#fff}",
        "footer{background-color:#2b2b2b;color:#eee}",
    ] {
        let found = brand(&format!("{page}{css}"));
        let hex = css.split('#').nth(1).and_then(|rest| rest.get(..6));
        let hex = format!("#{}", hex.unwrap_or_default());
        assert_eq!(found, [(ColorRole::Primary, hex)], "{css}");
    }
}

#[test]
fn a_clear_colour_stays_the_first_and_text_is_no_paint() {
    let found = brand(
        "body{background:#fff;color:#222} .btn{background:#c2410c} header{background:#1b2433} footer{background:#1b2433}",
    );
    assert_eq!(
        found.first(),
        Some(&(ColorRole::Primary, "#c2410c".to_owned()))
    );
    assert!(found.iter().any(|(_, hex)| hex == "#1b2433"), "{found:?}");
    let text =
        brand("body{background:#fff;color:#1b2433} .btn{background:#c2410c} p{color:#1b2433}");
    assert!(!text.iter().any(|(_, hex)| hex == "#1b2433"), "{text:?}");
    let whole = brand("body{background:#1b2433;color:#fff} .btn{background:#c2410c}");
    assert!(!whole.iter().any(|(_, hex)| hex == "#1b2433"), "{whole:?}");
}
