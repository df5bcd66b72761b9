//! The elements of a page decide which rules of its sheets count.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use gtm_site_signals::contrast;
use gtm_site_signals::css::{FontRole, Sheet};
use gtm_site_signals::elements::Elements;
use gtm_site_signals::markup::Markup;
use gtm_site_signals::palette::{ColorRole, palette};
use gtm_site_signals::typography::typography;
use url::Url;

fn page(html: &str) -> Markup {
    let base = Url::parse("https://www.acme.example/").unwrap();
    Markup::read(Some("text/html"), html.as_bytes(), &base)
}

fn can_match(html: &str, selector: &str) -> bool {
    Elements::of([&page(html)]).can_match(&[selector.to_owned()])
}

/// A site's own rules after a framework of which it uses little.
const FRAMEWORK: &str = ":root{--fw-pink:#d63384}.text-orange{color:#e8590c}.btn-outline-info{color:#0dcaf0}\
    .link-pink{color:var(--fw-pink)}.btn-pink{background:#d63384;color:#fff}code{font-family:Menlo,monospace}";
const OWN: &str = "body{background:#ffffff;color:#222222;font-family:Karla}h1{font-family:Lora}\
    .lead{color:#999999}.btn{background:#005f73;color:#ffffff}";

#[test]
fn kinds_of_elements_are_kept_once() {
    let markup = page(
        "<body><p class='b a'>x</p><p class='a b'>y</p><A ID=Top CLASS='Btn md:flex'>z</A><svg class=s><path d=''/></svg></body>",
    );
    assert_eq!(
        markup.elements,
        ["a .btn .md:flex #top", "body", "p .a .b", "path", "svg .s"]
    );
}

#[test]
fn a_selector_needs_an_element_with_all_that_it_names() {
    let html = "<body><nav class=top><a class='btn big' href=/>x</a></nav><p id=lead>y</p></body>";
    for selector in [
        "a",
        ".btn.big",
        ".top a:hover",
        "nav > .btn",
        "#lead",
        "body p",
        "*",
        ":root",
        ":is(.gone,.btn)",
        "p:not(.x)",
        "a[href]",
        ".top + p",
    ] {
        assert!(can_match(html, selector), "{selector}");
    }
    for selector in [
        ".gone",
        "p.btn",
        ".btn.gone",
        "a#lead",
        ".gone a",
        "footer a",
        ".gone :is(a,p)",
        "",
    ] {
        assert!(!can_match(html, selector), "{selector}");
    }
    assert!(can_match("<p class='md:text-lg'>x</p>", r".md\:text-lg"));
}

#[test]
fn what_a_framework_offers_and_no_page_uses_fails_nowhere() {
    let sheets = [Sheet::read(FRAMEWORK), Sheet::read(OWN)];
    let sheets: Vec<&Sheet> = sheets.iter().collect();
    let page = page("<body><h1>x</h1><p class=lead>y</p><a class='btn'>z</a></body>");
    let elements = Elements::of([&page]);
    let failing = |elements: Option<&Elements>| -> Vec<String> {
        contrast::failing(&sheets, elements, 4.5)
            .into_iter()
            .map(|pair| pair.foreground)
            .collect()
    };
    assert_eq!(failing(Some(&elements)), ["#999999"]);
    assert!(failing(None).contains(&"#e8590c".to_owned()));
}

#[test]
fn a_named_second_colour_may_be_shown_elsewhere() {
    let css = ":root{--color-primary:#005f73;--color-accent:#ee9b00;--chart:#9b2226}a{color:var(--color-primary)}\
        .price-tag{background:var(--color-accent)}.chart{background:var(--chart)}";
    let hexes: Vec<String> = palette(
        &[&Sheet::read(css)],
        &[],
        Some(&Elements::of([&page("<body><a href=/>x</a></body>")])),
    )
    .into_iter()
    .map(|swatch| swatch.hex)
    .collect();
    assert_eq!(hexes, ["#005f73", "#ee9b00"]);
}

#[test]
fn what_a_framework_offers_and_no_page_uses_is_no_colour_or_typeface_of_the_brand() {
    let sheets = [Sheet::read(FRAMEWORK), Sheet::read(OWN)];
    let sheets: Vec<&Sheet> = sheets.iter().collect();
    let made = page("<body><h1>x</h1><p class=lead>y</p><a class='btn'>z</a></body>");
    let hexes = |page: &Markup, theme: &[String]| -> Vec<String> {
        palette(&sheets, theme, Some(&Elements::of([page])))
            .into_iter()
            .map(|swatch| swatch.hex)
            .collect()
    };
    assert_eq!(hexes(&made, &[]), ["#005f73", "#ffffff", "#222222"]);
    // A colour that the page declares as its theme colour is its own.
    assert!(hexes(&made, &["#d63384".to_owned()]).contains(&"#d63384".to_owned()));
    // A brand without colours doesn't inherit the framework's.
    let black = Sheet::read("body{background:#fff;color:#111}.btn{background:#000;color:#fff}");
    let plain: Vec<String> = palette(
        &[&Sheet::read(FRAMEWORK), &black],
        &[],
        Some(&Elements::of([&made])),
    )
    .into_iter()
    .map(|swatch| swatch.hex)
    .collect();
    assert_eq!(plain, ["#000000", "#ffffff", "#111111"]);
    // A page that a script builds shows no elements yet, so every rule counts.
    assert!(hexes(&page("<body><div id=root></div></body>"), &[]).contains(&"#d63384".to_owned()));
    let families = |page: &Markup| -> Vec<String> {
        typography(&sheets, Some(&Elements::of([page])))
            .into_iter()
            .map(|face| face.family)
            .collect()
    };
    assert_eq!(families(&made), ["Lora", "Karla"]);
    let docs = page("<body><code>x</code></body>");
    assert_eq!(families(&docs), ["Lora", "Karla", "Menlo"]);
}

#[test]
fn a_typeface_for_code_that_no_computer_brings_was_chosen() {
    let elements = Elements::of([&page("<body><h1>x</h1></body>")]);
    let families = |css: &str| -> Vec<String> {
        typography(&[&Sheet::read(css)], Some(&elements))
            .into_iter()
            .map(|face| face.family)
            .collect()
    };
    let css = |family: &str| {
        format!("h1{{color:#a00;font-family:Lora}}code{{font-family:{family},monospace}}")
    };
    assert_eq!(families(&css("'Acme Mono'")), ["Lora", "Acme Mono"]);
    assert_eq!(families(&css("Consolas")), ["Lora"]);
}

#[test]
fn weights_that_nothing_shows_are_not_asked_for() {
    let css = "body{color:#222;font:400 1rem Karla}.fw-thin{font-weight:100}b{font-weight:700}";
    let elements = Elements::of([&page("<body><p><b>x</b></p></body>")]);
    let faces = typography(
        &[&Sheet::read(css), &Sheet::read("p{color:#333}")],
        Some(&elements),
    );
    assert_eq!(faces[0].weights, [400, 700]);
}

#[test]
fn what_browsers_without_scripts_get_is_no_part_of_the_page() {
    let markup = page(
        "<body><div id=app></div><noscript><p>x <a href=/>y</a></noscript><script>1</script></body>",
    );
    assert_eq!(markup.elements, ["body", "div #app", "script"]);
    assert_eq!(
        page("<body><noscript>x</noscript><p>y</body>").elements,
        ["body", "p"]
    );
}

#[test]
fn a_page_that_a_script_builds_may_show_anything() {
    let sheet = Sheet::read(".note{color:#b09a84;background:#f1e6da}p{color:#222222}");
    let failing =
        |pages: &[Markup]| contrast::failing(&[&sheet], Some(&Elements::of(pages)), 4.5).len();
    let made = || page("<body><div><p>x</p></div><script>1</script></body>");
    let shell = || {
        page(
            "<html><head><title>x</title></head><body><div id=app></div><script src=/a.js></script></body></html>",
        )
    };
    assert_eq!(failing(&[made()]), 0);
    assert_eq!(failing(&[shell()]), 1);
    assert_eq!(failing(&[made(), shell()]), 1);
    // A page without text and without a script is just empty.
    assert_eq!(failing(&[made(), page("<body><div></div></body>")]), 0);
}

#[test]
fn classes_of_looks_count_by_the_elements_that_have_them() {
    let css = "body{background:#ffffff}.bg-sky-700{--tw-bg-opacity:1;background-color:rgb(3 105 161/var(--tw-bg-opacity,1))}\
        .bg-rose-700{background-color:#be123c}.font-display{font-family:Lora}.font-sans{font-family:Karla}\
        .bg-stone-100{background-color:#f5f5f4}.text-stone-800{color:#292524}";
    let html = "<body class='bg-stone-100 text-stone-800 font-sans'><h2 class=font-display>Lamps</h2>\
        <a class='px-4 py-2 bg-sky-700'>Ask</a><a class='px-4 py-3 bg-sky-700'>Call</a><span class=bg-rose-700>New</span>\
        <p>We mend lamps of every age.</p></body>";
    let (sheet, page) = (Sheet::read(css), page(html));
    let elements = Elements::of([&page]);
    let found = palette(&[&sheet], &[], Some(&elements));
    let role = |hex: &str| {
        let swatch = found.iter().find(|swatch| swatch.hex == hex);
        swatch.map(|swatch| swatch.role)
    };
    assert_eq!(role("#0369a1"), Some(ColorRole::Primary), "{found:?}");
    assert_eq!(role("#f5f5f4"), Some(ColorRole::Background), "{found:?}");
    assert_eq!(role("#292524"), Some(ColorRole::Text), "{found:?}");
    let fonts: Vec<(FontRole, String)> = typography(&[&sheet], Some(&elements))
        .into_iter()
        .map(|font| (font.role, font.family))
        .collect();
    assert_eq!(
        fonts,
        [
            (FontRole::Heading, "Lora".to_owned()),
            (FontRole::Body, "Karla".to_owned())
        ]
    );
}
