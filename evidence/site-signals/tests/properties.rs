//! What must hold for any bytes: no panic, well-formed values, limits, the same result twice, and work that
//! grows linearly with the input.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use gtm_page_text::BlockKind;
use gtm_site_signals::css::{Sheet, joined};
use gtm_site_signals::elements::Elements;
use gtm_site_signals::markup::Markup;
use gtm_site_signals::{contrast, image, logos, palette, prose, typography};
use gtm_test_support::growth::is_linear;
use proptest::prelude::*;
use url::Url;

fn page() -> Url {
    Url::parse("https://www.acme.example/en/").unwrap()
}

fn is_hex(hex: &str) -> bool {
    hex.len() == 7
        && hex.starts_with('#')
        && hex[1..]
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// A sheet without its rules.
fn looks(sheet: &Sheet) -> Sheet {
    Sheet {
        rules: String::new(),
        ..sheet.clone()
    }
}

fn check_css(css: &str) {
    let sheet = Sheet::read(css);
    assert_eq!(sheet, Sheet::read(css), "not deterministic");
    let json = serde_json::to_value(&sheet).unwrap();
    assert_eq!(serde_json::from_value::<Sheet>(json).unwrap(), sheet);
    let whole = joined(&[&sheet], None);
    // The kept rules say as much as the sheet did, and duplicates count once.
    assert_eq!(looks(&whole), looks(&sheet));
    assert_eq!(
        palette::palette(&[&sheet, &sheet], &[], None),
        palette::palette(&[&sheet], &[], None)
    );
    for color in sheet.colors.iter().chain(&whole.colors) {
        assert!(is_hex(&color.hex), "{color:?}");
        assert!(color.background + color.text + color.border + color.fill <= color.count);
        assert!(color.selectors.len() <= 12 && color.names.len() <= 8);
    }
    assert!(sheet.colors.len() <= 128 && sheet.pairs.len() <= 200);
    for pair in contrast::failing(&[&sheet], None, 4.5) {
        assert!(is_hex(&pair.foreground) && is_hex(&pair.background));
        assert!((1.0..4.5).contains(&pair.ratio), "{pair:?}");
    }
    let all = contrast::failing(&[&sheet], None, 4.5);
    let shown = contrast::failing(&[&sheet], Some(&Elements::default()), 4.5);
    assert!(shown.iter().all(|pair| all.contains(pair)));
    let swatches = palette::palette(&[&sheet], &[], None);
    assert!(swatches.len() <= 12);
    let mut hexes: Vec<_> = swatches.iter().map(|swatch| &swatch.hex).collect();
    hexes.sort();
    hexes.dedup();
    assert_eq!(hexes.len(), swatches.len(), "a colour twice: {swatches:?}");
    for face in typography::typography(&[&sheet], None) {
        assert!(!face.family.is_empty());
        assert!(face.weights.is_sorted() && face.weights.iter().all(|w| (1..=1000).contains(w)));
    }
}

/// Whether a kind of element needs no escapes in a selector.
fn is_plain(kind: &str) -> bool {
    let mut marks = kind.split(' ');
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric())
    };
    let name = marks.next().is_some_and(is_name);
    name && marks.all(|mark| mark.strip_prefix(['.', '#']).is_some_and(is_name))
}

fn check_markup(content_type: Option<&str>, bytes: &[u8]) {
    let markup = Markup::read(content_type, bytes, &page());
    assert_eq!(markup, Markup::read(content_type, bytes, &page()));
    let json = serde_json::to_value(&markup).unwrap();
    assert_eq!(serde_json::from_value::<Markup>(json).unwrap(), markup);
    assert!(markup.elements.len() <= 1_000);
    // An element is matched by each of its names.
    let elements = Elements::of([&markup]);
    for kind in markup.elements.iter().filter(|kind| is_plain(kind)) {
        assert!(elements.can_match(&[kind.replace(' ', "")]), "{kind}");
    }
    for url in markup
        .images
        .iter()
        .map(|image| &image.url)
        .chain(markup.icons.iter().map(|icon| &icon.url))
        .chain(&markup.stylesheets)
    {
        assert!(matches!(
            Url::parse(url).unwrap().scheme(),
            "http" | "https"
        ));
    }
    for drawing in &markup.inline_svgs {
        assert!(drawing.start < drawing.end && drawing.end <= bytes.len());
        if !content_type.is_some_and(|kind| kind.contains("utf-16")) {
            let text = String::from_utf8_lossy(&bytes[drawing.start..drawing.end]).to_lowercase();
            assert!(text.starts_with("<svg"), "{text}");
            assert!(
                text.trim_end_matches(['>', ' ', '\n']).ends_with("svg"),
                "{text}"
            );
        }
    }
    for candidate in logos::candidates(&markup, &[], &page()) {
        assert!(candidate.score <= 100);
        Url::parse(&candidate.url).unwrap();
    }
}

/// Complete rules with few distinct selectors, so that they override each other.
fn whole_rules() -> impl Strategy<Value = String> {
    let selector = prop::sample::select(vec![
        "a",
        "body",
        ".btn",
        ".btn:hover",
        "h1,h2",
        ".x .btn",
        ".btn--on",
        ":root",
    ]);
    let declaration = prop::sample::select(vec![
        "color:#a12",
        "color:#1a2!important",
        "background:#21a",
        "background-color:var(--x)",
        "background:url(x.png) #123",
        "border:1px solid #f80",
        "border-color:#08f",
        "--x:#b0b",
        "--y:#0bb",
        "color:var(--y)",
        "font:700 1rem Inter,serif",
        "font-weight:500",
    ]);
    let around = prop::sample::select(vec![
        "",
        "",
        "",
        "@layer a{",
        "@layer b{",
        "@media (min-width:1px){",
        "@media (prefers-color-scheme:dark){",
    ]);
    let declarations = prop::collection::vec(declaration, 1..3);
    let rule = (around, selector, declarations).prop_map(|(around, selector, declarations)| {
        let end = if around.is_empty() { "" } else { "}" };
        format!("{around}{selector}{{{}}}{end}", declarations.join(";"))
    });
    prop::collection::vec(rule, 0..8).prop_map(|rules| rules.concat())
}

/// CSS-like soup reaches further than random characters do.
fn css_soup() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "a",
        ".btn",
        "{",
        "}",
        ";",
        ":",
        "color",
        "background",
        "#f80",
        "#ff8800cc",
        "rgb(",
        "1,2,3",
        ")",
        "hsl(",
        "oklch(.5 .2 30)",
        "var(--x",
        "var(--y, red)",
        "--x",
        "--y",
        "--brand-primary",
        "@media",
        "(prefers-color-scheme:dark)",
        "@font-face",
        "font-family",
        "font",
        "Inter",
        "'Open Sans'",
        "sans-serif",
        ",",
        " ",
        "/*",
        "*/",
        "!important",
        "\\",
        "\"",
        "url(",
        "&",
        ":is(",
        "[",
        "]",
        "<!--",
        "-->",
        "700",
        "12px/1.5",
        "border",
        "1px solid",
        "red",
        ":root",
        "body",
        "h1",
        "calc(",
        "\u{0}",
        "é",
    ]);
    prop::collection::vec(pieces, 0..60).prop_map(|pieces| pieces.concat())
}

fn html_soup() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "<svg>",
        "<svg class=logo>",
        "</svg>",
        "<svg/>",
        "<path d='x'/>",
        "<title>",
        "</title>",
        "<use href=#a>",
        "<a href=/>",
        "</a>",
        "<header>",
        "</header>",
        "<img src=logo.png alt=Logo>",
        "<picture>",
        "<source srcset='a.png 2x' media='(prefers-color-scheme: dark)'>",
        "</picture>",
        "<link rel=icon href=i.png sizes=32x32>",
        "<link rel=stylesheet href=s.css>",
        "<style>",
        "a{color:red}",
        "</style>",
        "<div itemscope itemtype=https://schema.org/X>",
        "<span itemprop=name>",
        "</span>",
        "</div>",
        "<meta name=theme-color content=#f80>",
        "<base href=//b.example/>",
        "text",
        " ",
        "&amp;",
        "<!--",
        "-->",
        "<p hidden>",
        "</p>",
        "<template>",
        "</template>",
        "é",
        "\r\n",
        "\u{0}",
        "<",
        ">",
        "<script>",
        "</script>",
        "<table>",
        "<td>",
        "</table>",
        "style=\"color:red\"",
        "<b style='color:#111'>",
    ]);
    prop::collection::vec(pieces, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_css(css in any::<String>()) {
        check_css(&css);
    }

    #[test]
    fn sheets_of_a_page_are_read_as_one(one in whole_rules(), other in whole_rules()) {
        let joined = joined(&[&Sheet::read(&one), &Sheet::read(&other)], None);
        prop_assert_eq!(joined, looks(&Sheet::read(&format!("{one}{other}"))));
    }

    #[test]
    fn any_css_soup(css in css_soup()) {
        check_css(&css);
    }

    #[test]
    fn any_page(bytes in prop::collection::vec(any::<u8>(), 0..400), kind in prop::sample::select(vec!["text/html", "text/html; charset=utf-16le", "application/json"])) {
        check_markup(Some(kind), &bytes);
    }

    #[test]
    fn any_html_soup(html in html_soup()) {
        check_markup(Some("text/html"), html.as_bytes());
    }

    #[test]
    fn offsets_hold_in_any_encoding(html in html_soup()) {
        let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(&html);
        check_markup(Some("text/html; charset=windows-1252"), &bytes);
    }

    #[test]
    fn any_picture(bytes in prop::collection::vec(any::<u8>(), 0..200), head in prop::sample::select(vec![
        &b""[..], b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\xff\xd8\xff", b"GIF89a", b"RIFF\0\0\0\0WEBPVP8 ", b"RIFF\0\0\0\0WEBPVP8X", b"\0\0\x01\0", b"<svg "])) {
        image::read(&[head, &bytes].concat());
    }

    #[test]
    fn any_prose(text in "[A-Za-zéß0-9 .,!?'’😀-]{0,300}", language in prop::sample::select(vec![None, Some("en"), Some("de-AT"), Some("fr"), Some("es"), Some("x"), Some("")])) {
        let prose = prose::measure(&[(BlockKind::Paragraph, &text), (BlockKind::Heading, &text)], language);
        prop_assert!(prose.formality.is_none_or(|level| (1..=5).contains(&level)));
        prop_assert!(prose.mean_sentence_words.is_none_or(f64::is_finite));
    }

    #[test]
    fn contrast_is_symmetric_and_bounded(one in "#[0-9a-f]{6}", other in "#[0-9a-f]{6}") {
        let ratio = contrast::ratio(&one, &other);
        prop_assert!((1.0..=21.0).contains(&ratio));
        prop_assert_eq!(ratio, contrast::ratio(&other, &one));
    }
}

#[test]
fn hostile_css_takes_linear_work() {
    let read = |css: &str| {
        let sheet = Sheet::read(css);
        contrast::failing(&[&sheet], None, 4.5);
        palette::palette(&[&sheet], &[], None);
    };
    is_linear(
        "rules",
        |n| ".a b{color:#123;background:#456}".repeat(2_000 * n),
        read,
    );
    is_linear("blocks", |n| "a{".repeat(10_000 * n), read);
    is_linear(
        "functions",
        |n| format!("a{{color:{}", "f(".repeat(10_000 * n)),
        read,
    );
    is_linear(
        "selectors",
        |n| format!("{}b{{color:red}}", "a,".repeat(10_000 * n)),
        read,
    );
    is_linear("comments", |n| "/*".repeat(20_000 * n), read);
    is_linear(
        "variables",
        |n| {
            let chain: String = (0..500 * n)
                .map(|i| format!("--v{i}:var(--v{}) var(--v{});", i + 1, i + 2))
                .collect();
            format!(":root{{{chain}}} a{{color:var(--v0)}}")
        },
        read,
    );
}

#[test]
fn hostile_pages_take_linear_work() {
    let read = |html: &str| {
        let markup = Markup::read(Some("text/html"), html.as_bytes(), &page());
        logos::candidates(&markup, &[], &page());
    };
    is_linear(
        "elements",
        |n| "<i class=a style='color:red'>x</i>".repeat(3_000 * n),
        read,
    );
    is_linear(
        "depth",
        |n| "<div itemscope itemprop=a>".repeat(3_000 * n),
        read,
    );
    is_linear(
        "drawings",
        |n| "<header><svg class=logo><path/></svg>".repeat(2_000 * n),
        read,
    );
    is_linear("open drawings", |n| "<svg><path>".repeat(3_000 * n), read);
    is_linear(
        "pictures",
        |n| {
            (0..2_000 * n)
                .map(|i| format!("<img src={i}.png alt=logo>"))
                .collect()
        },
        read,
    );
    is_linear(
        "microdata",
        |n| format!("<div itemscope>{}", "<b itemprop=a>x".repeat(3_000 * n)),
        read,
    );
    is_linear(
        "hidden text",
        |n| {
            format!(
                "<div hidden>{}</div>",
                "words and more words ".repeat(10_000 * n)
            )
        },
        read,
    );
}
