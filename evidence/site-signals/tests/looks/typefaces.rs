//! Typefaces with their roles and weights.

use gtm_site_signals::css::{FontRole, Sheet};
use gtm_site_signals::typography::typography;

use crate::COMPANY;

#[test]
fn typefaces_have_roles_weights_and_licences() {
    let sheet = Sheet::read(&format!(
        "{COMPANY} strong{{font-weight:700}} .icon{{font-family:'Font Awesome 6 Free'}} button{{font:500 14px 'Source Sans 3'}}\
         /* Acme Grotesk, SIL Open Font License */@font-face{{font-family:'Acme Grotesk';src:url(a.woff2) format('woff2'),url(data:font/woff;base64,AAAA);font-weight:100 900}}\
         .claim{{font-family:'Acme Grotesk'}}"
    ));
    let found: Vec<_> = typography(&[&sheet], None)
        .into_iter()
        .map(|face| (face.family, face.role, face.weights, face.license))
        .collect();
    let ofl = || Some("OFL-1.1".to_owned());
    assert_eq!(
        found,
        [
            ("Fraunces".to_owned(), FontRole::Heading, vec![600], ofl()),
            (
                "Source Sans 3".to_owned(),
                FontRole::Body,
                vec![400, 700],
                ofl()
            ),
            ("Fira Code".to_owned(), FontRole::Mono, vec![], ofl()),
            (
                "Acme Grotesk".to_owned(),
                FontRole::Other,
                vec![100, 900],
                ofl()
            ),
        ]
    );
    assert_eq!(sheet.faces[0].urls, ["a.woff2"]);
    let body = typography(&[&sheet], None).remove(1);
    assert_eq!(body.fallbacks, ["Arial", "sans-serif"]);
    // The licence of a family is unknown if neither the table nor a comment names it.
    let own = typography(&[&Sheet::read("body{font-family:Acmesans}")], None);
    assert_eq!(own[0].license, None);
    assert_eq!(
        typography(&[&Sheet::read("body{font-family:system-ui,Arial}")], None),
        []
    );
}

#[test]
fn headings_without_a_typeface_lend_the_page_s_their_weight() {
    let sheet = Sheet::read("body{font-family:Inter;font-weight:400}h1{font-weight:800}");
    let found = typography(&[&sheet], None);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].weights, [400, 800]);
}

#[test]
fn the_page_s_own_typeface_comes_before_those_of_classes() {
    let css = "body{font-family:'Acme Text',serif}.card{}.card p,.tile p{font-family:Lato}.box li{font-family:Lato}\
        .a .content{font-family:Lato}h1{font-family:'Acme Head'}.title{font-family:Oswald}.box .title{font-family:Oswald}";
    let sheet = Sheet::read(css);
    let first = |role: FontRole| {
        let mut all = typography(&[&sheet], None).into_iter();
        all.find(|face| face.role == role).map(|face| face.family)
    };
    assert_eq!(first(FontRole::Body).as_deref(), Some("Acme Text"));
    assert_eq!(first(FontRole::Heading).as_deref(), Some("Acme Head"));
}

#[test]
fn a_typeface_of_headings_is_none_for_code() {
    let css = ":root{--font-mono:'Roboto Condensed',sans-serif;--font-code:Hack,monospace}h1{font-family:'Roboto Condensed'}.number{font-family:var(--font-mono)}.x{font-family:var(--font-code)}";
    let found = typography(&[&Sheet::read(css)], None);
    let found: Vec<_> = found
        .iter()
        .map(|face| (face.family.as_str(), face.role))
        .collect();
    assert_eq!(
        found,
        [
            ("Roboto Condensed", FontRole::Heading),
            ("Hack", FontRole::Mono)
        ]
    );
}

#[test]
fn a_typeface_of_marks_only_is_none_of_the_brand() {
    let sheet = Sheet::read("body{font-family:YakuHanJP,'Noto Sans JP',sans-serif}");
    let found = typography(&[&sheet], None);
    let families: Vec<&str> = found.iter().map(|face| face.family.as_str()).collect();
    assert_eq!(families, ["Noto Sans JP"]);
}
