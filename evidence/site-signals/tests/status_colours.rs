//! The colours of messages of success or failure, which are alike on every site and no brand's.
#![allow(clippy::unwrap_used)]

use gtm_site_signals::css::Sheet;
use gtm_site_signals::palette::palette;

fn colours(css: &str) -> Vec<String> {
    let sheet = Sheet::read(css);
    let found = palette(&[&sheet], &[], None).into_iter();
    found.map(|swatch| swatch.hex).collect()
}

#[test]
fn what_only_messages_show_is_no_colour_of_the_brand() {
    let brand = "a{color:#5b2a86}h1,h2{color:#5b2a86}";
    for status in [
        ":root{--success:#2a9d4a;--green:#2a9d4a}.mark{border-color:var(--success)}",
        ".alert-danger .inner{background:#e4002b;color:#fff}.alert-danger p{background:#e4002b;color:#fff}",
        ".is-invalid a{color:#e4002b}.is-invalid .box{background:#e4002b}",
        ":root{--bs-danger:#e4002b}.tip{border-color:var(--bs-danger)}",
        ".form-error h3{color:#e4002b}",
    ] {
        assert_eq!(
            colours(&format!("{brand}{status}")),
            ["#5b2a86"],
            "{status}"
        );
    }
}

#[test]
fn a_brands_own_colour_stays_though_messages_have_it_too() {
    let css = ":root{--green:#2a9d4a;--success:#2a9d4a}.btn{background:var(--green);color:#fff}\
        a{color:var(--green)}.alert-success{background:var(--success)}";
    assert!(colours(css).contains(&"#2a9d4a".to_owned()));
    let css = ".contact-info a{color:#e4002b}h1,h2{color:#e4002b}";
    assert!(colours(css).contains(&"#e4002b".to_owned()));
}
