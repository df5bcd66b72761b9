#![allow(clippy::unwrap_used)]

use gtm_test_support::growth::is_linear;
use url::Url;

use crate::css::Sheet;
use crate::elements::Elements;
use crate::markup::Markup;
use crate::palette::{ColorRole, Swatch, palette};
use crate::typography::typography;

fn page(head: &str, body: &str) -> Markup {
    let html = format!("<!DOCTYPE html><html><head>{head}</head>{body}</html>");
    let base = Url::parse("https://acme.example/").unwrap();
    Markup::read(Some("text/html"), html.as_bytes(), &base)
}

fn swatches(page: &Markup) -> Vec<Swatch> {
    let sheet = Sheet::read(&page.inline_css);
    palette(&[&sheet], &[], Some(&Elements::of([page])))
}

fn told(page: &Markup) -> Vec<(String, ColorRole)> {
    let all = swatches(page).into_iter();
    all.map(|swatch| (swatch.hex, swatch.role)).collect()
}

const BUILDER: &str = "<script src=\"https://cdn.tailwindcss.com?plugins=forms\"></script>";

#[test]
fn classes_of_the_build_for_browsers_colour_a_page() {
    let page = page(
        BUILDER,
        "<body class=\"bg-slate-50 text-slate-800\"><h1>Lamps</h1>\
         <p>We mend lamps.</p><a class=\"rounded px-4 py-2 bg-blue-700 hover:bg-blue-800 text-white\">Ask</a>\
         <p class=\"dark:bg-red-600\">Come in.</p></body>",
    );
    assert_eq!(
        told(&page),
        [
            ("#1d4ed8".to_owned(), ColorRole::Primary),
            ("#f8fafc".to_owned(), ColorRole::Background),
            ("#1e293b".to_owned(), ColorRole::Text),
        ]
    );
}

#[test]
fn the_theme_in_a_script_names_colours_and_typefaces() {
    let head = format!(
        "{BUILDER}<script>tailwind.config = {{ theme: {{ extend: {{ colors: {{ primary: '#0f766e', \
         'accent': {{ DEFAULT: '#b45309', light: '#fde68a' }} }}, fontFamily: {{ sans: ['Lato', 'sans-serif'], \
         display: ['Playfair Display', 'serif'] }} }} }} }}</script>"
    );
    let page = page(
        &head,
        "<body><h2 class=\"font-display font-bold text-primary\">Lamps</h2><p class=\"text-gray-700\">We mend lamps.</p>\
         <button class=\"bg-accent\">Ask</button></body>",
    );
    let found = swatches(&page);
    let primary = found
        .iter()
        .find(|swatch| swatch.role == ColorRole::Primary);
    let primary = primary.unwrap();
    assert_eq!(
        (primary.hex.as_str(), primary.name.as_deref()),
        ("#0f766e", Some("color-primary"))
    );
    assert!(
        found
            .iter()
            .any(|swatch| swatch.hex == "#b45309" && swatch.role == ColorRole::Accent)
    );
    let sheet = Sheet::read(&page.inline_css);
    let fonts = typography(&[&sheet], Some(&Elements::of([&page])));
    let fonts: Vec<(&str, &[u16])> = fonts
        .iter()
        .map(|font| (font.family.as_str(), font.weights.as_slice()))
        .collect();
    assert_eq!(fonts, [("Playfair Display", &[][..]), ("Lato", &[])]);
}

#[test]
fn values_in_brackets_and_of_version_4_are_read() {
    let head = "<script src=\"https://cdn.jsdelivr.net/npm/@tailwindcss/browser@4\"></script>\
                <style type=\"text/tailwindcss\">@theme { --color-moss: #3f6212; --font-sans: \"Work Sans\", sans-serif; }\
                .cta { @apply bg-moss text-white; }</style>";
    let page = page(
        head,
        "<body class=\"bg-[#111213] text-[#f4f2ed]\"><h2 class=\"font-['Abril_Fatface'] text-[rgb(255_136_0)]\">Lamps</h2>\
         <p>We mend lamps.</p><a class=\"cta\">Ask</a></body>",
    );
    let found = told(&page);
    for expected in [
        ("#111213", ColorRole::Background),
        ("#f4f2ed", ColorRole::Text),
    ] {
        assert!(
            found.contains(&(expected.0.to_owned(), expected.1)),
            "{found:?}"
        );
    }
    for hex in ["#3f6212", "#ff8800"] {
        assert!(found.iter().any(|(known, _)| known == hex), "{found:?}");
    }
    let sheet = Sheet::read(&page.inline_css);
    let fonts = typography(&[&sheet], Some(&Elements::of([&page])));
    let fonts: Vec<&str> = fonts.iter().map(|font| font.family.as_str()).collect();
    assert_eq!(fonts, ["Abril Fatface", "Work Sans"]);
}

#[test]
fn classes_mean_nothing_without_the_builder_and_break_no_rule_with_it() {
    let body = "<body class=\"bg-red-600\"><p class=\"text-[}] bg-[url('x] font-['a;b'] from-[#fff]\">Lamps</p>\
                <p class=\"bg-green-700\">We mend lamps.</p></body>";
    assert_eq!(page("", body).inline_css, "");
    let css = page(BUILDER, body).inline_css;
    let sheet = Sheet::read(&css);
    let hexes: Vec<&str> = sheet
        .colors
        .iter()
        .map(|color| color.hex.as_str())
        .collect();
    assert!(
        hexes.contains(&"#15803d") && hexes.contains(&"#dc2626") && !css.contains("}]"),
        "{css}"
    );
}

#[test]
fn what_a_page_asks_of_the_builder_is_written_within_limits() {
    let families: String = (0..2_000).map(|at| format!("'Lamp {at}',")).collect();
    let head = format!(
        "{BUILDER}<script>tailwind.config = {{ theme: {{ fontFamily: {{ sans: ['Lato', {families}] }} }} }}</script>"
    );
    let states = ["active", "focus", "hover"];
    let classes: String = (1..30)
        .flat_map(|times| {
            states.map(|state| format!("{}font-sans ", format!("{state}:").repeat(times)))
        })
        .collect();
    let css = page(
        &head,
        &format!("<body class=\"{classes}\"><p>Lamps</p></body>"),
    )
    .inline_css;
    let found: Vec<&str> = css.lines().filter(|line| line.starts_with('.')).collect();
    assert_eq!(found.len(), states.len(), "{found:?}");
    assert!(css.contains("Lato") && css.len() < 2_000, "{css}");
}

#[test]
fn rules_that_are_applied_stay_short_enough_to_be_read() {
    let families: String = (0..10)
        .map(|at| format!(",'{at}{}'", "x".repeat(58)))
        .collect();
    let applied = "font-lamp ".repeat(5_000);
    let head = format!(
        "<script src=\"https://cdn.jsdelivr.net/npm/@tailwindcss/browser@4\"></script>\
         <style type=\"text/tailwindcss\">@theme {{ --font-lamp: Lato{families}; --color-moss: #3f6212; }}\
         .cta {{ @apply {applied}; }}</style>"
    );
    let css = page(
        &head,
        "<body class=\"bg-moss\"><p class=\"cta\">Lamps</p></body>",
    )
    .inline_css;
    let applied = css.matches("font-family:'Lato'").count();
    assert!((100..1_000).contains(&applied), "{applied}");
    assert!(css.contains(".bg-moss{"), "{applied}");
}

#[test]
fn hostile_themes_take_linear_work() {
    is_linear(
        "themes",
        |n| {
            let themes = "tailwind.config={".repeat(200 * n);
            format!("{BUILDER}<script>{themes}</script>")
        },
        |head| drop(page(head, "<body><p>Lamps</p></body>")),
    );
}
