//! Small pages, and what a person finds on them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use gtm_site_signals::image;
use gtm_site_signals::logos::{self, From, LogoCandidate, Theme, Variant};
use gtm_site_signals::markup::Markup;
use serde_json::{Value, json};
use url::Url;

fn page() -> Url {
    Url::parse("https://www.acme.example/en/about").unwrap()
}

fn read(html: &str) -> Markup {
    Markup::read(Some("text/html; charset=utf-8"), html.as_bytes(), &page())
}

fn candidates(html: &str, json_ld: &[Value]) -> Vec<LogoCandidate> {
    logos::candidates(&read(html), json_ld, &page())
}

const PAGE: &str = r##"<!DOCTYPE html><html lang="en"><head>
<link rel="icon" href="/favicon.ico" sizes="32x32"><link rel="apple-touch-icon" sizes="180x180" href="/touch.png">
<link rel="icon" type="image/svg+xml" href="/icon.svg"><link rel="manifest" href="/site.webmanifest">
<meta name="theme-color" content="rgb(10,92,54)"><meta name="theme-color" media="(prefers-color-scheme: dark)" content="#000">
<meta property="og:image" content="/share.jpg"><link rel="alternate" hreflang="de-DE" href="/de/">
<link rel="stylesheet" href="/a.css"><link rel="stylesheet" media="print" href="/print.css">
<link rel="stylesheet" media="(prefers-color-scheme: dark)" href="/dark.css">
<style>a{color:red}</style><style media="(prefers-color-scheme: dark)">a{color:blue}</style></head>
<body style="background:#fff"><header class="top"><a href="/en/" aria-label="Acme home"><picture>
<source srcset="/logo-dark.svg 1x" media="(prefers-color-scheme: dark)"><img src="/logo.svg" alt="Acme" width="120" height="32px"></picture></a>
<nav><a href="/products"><svg aria-hidden="true"><path d="M0 0"/></svg>Products</a></nav></header>
<main><img src="hero.jpg" alt="A tower"><img src="/clients/globex-logo.png" alt="Globex logo">
<img src="data:image/png;base64,AAAA"><img hidden src="/pixel.gif"><p style="color:#123456" class="lead">Hi</p></main></body></html>"##;

#[test]
fn a_page_s_markup_is_read() {
    let markup = read(PAGE);
    let icons: Vec<_> = markup
        .icons
        .iter()
        .map(|icon| (icon.url.as_str(), icon.rel.as_str(), icon.sizes.as_deref()))
        .collect();
    assert_eq!(
        icons,
        [
            (
                "https://www.acme.example/favicon.ico",
                "icon",
                Some("32x32")
            ),
            (
                "https://www.acme.example/touch.png",
                "apple-touch-icon",
                Some("180x180")
            ),
            ("https://www.acme.example/icon.svg", "icon", None),
        ]
    );
    assert_eq!(
        markup.web_manifest.as_deref(),
        Some("https://www.acme.example/site.webmanifest")
    );
    assert_eq!(markup.theme_colors, ["#0a5c36"]);
    assert_eq!(markup.social_images, ["https://www.acme.example/share.jpg"]);
    assert_eq!(markup.stylesheets, ["https://www.acme.example/a.css"]);
    assert_eq!(markup.alternates[0].language, "de-DE");
    assert_eq!(
        markup.inline_css,
        "a{color:red}\n@media (prefers-color-scheme:dark){a{color:blue}}\nbody{background:#fff}\np.lead{color:#123456}\n"
    );
    let images: Vec<_> = markup
        .images
        .iter()
        .map(|image| (image.url.as_str(), image.in_header, image.in_home_link))
        .collect();
    assert_eq!(
        images,
        [
            ("https://www.acme.example/logo.svg", true, true),
            ("https://www.acme.example/logo-dark.svg", true, true),
            ("https://www.acme.example/en/hero.jpg", false, false),
            (
                "https://www.acme.example/clients/globex-logo.png",
                false,
                false
            ),
        ]
    );
    assert_eq!(
        (markup.images[0].width, markup.images[0].height),
        (Some(120), Some(32))
    );
    assert_eq!(markup.inline_svgs.len(), 1);
}

#[test]
fn the_logo_comes_first_and_customers_logos_last() {
    let found = candidates(PAGE, &[]);
    assert_eq!(found[0].url, "https://www.acme.example/logo.svg");
    assert_eq!((found[0].from, found[0].theme), (From::HeaderImage, None));
    assert_eq!(found[1].url, "https://www.acme.example/logo-dark.svg");
    assert_eq!(found[1].theme, Some(Theme::Dark));
    let globex = found
        .iter()
        .find(|candidate| candidate.url.contains("globex"))
        .unwrap();
    assert!(globex.score < 20, "{globex:?}");
    let icon = found
        .iter()
        .find(|candidate| candidate.url.ends_with("icon.svg"))
        .unwrap();
    assert_eq!((icon.variant, icon.from), (Variant::Symbol, From::Icon));
    assert!(
        !found.iter().any(|candidate| candidate.inline_svg.is_some()),
        "a menu's icon is no logo"
    );
}

#[test]
fn icons_with_which_tools_fill_new_sites_are_no_logos() {
    let icons = |name: &str| {
        let html = format!("<link rel=icon type=image/svg+xml href='/{name}'>");
        candidates(&html, &[]).len()
    };
    assert_eq!(icons("vite.svg"), 0);
    assert_eq!(icons("favicon-placeholder.png"), 0);
    assert_eq!(icons("favicon.svg"), 1);
}

#[test]
fn signs_of_networks_and_arrows_are_no_logos() {
    let html = "<header><a href='#' aria-label='Facebook'><svg><path d='M0 0'/></svg></a>
        <a href='/'><svg><title>arrow_right</title><path d='M0 0'/></svg></a>
        <img src='/img/instagram.png' alt='Instagram'></header>";
    assert_eq!(candidates(html, &[]), []);
}

#[test]
fn flags_of_a_language_switch_are_no_logos() {
    for flag in [
        "<img src=/flags/de.svg>",
        "<img src=/img/gb.png alt=''>",
        "<img src=/img/fr-FR.webp>",
        "<img src=/img/x1.png alt=Deutsch>",
        "<img src=/img/x2.png alt=Deutschland>",
        "<img class=lang-flag src=/img/x3.png>",
        "<svg viewBox='0 0 4 3'><title>Français</title><path d='M0'/></svg>",
    ] {
        let html = format!("<header><ul><li><a href=/>{flag}</a></li></ul></header>");
        assert_eq!(candidates(&html, &[]), [], "{flag}");
    }
    let html = "<header><a href=/><img src=/img/acme-de.svg alt=Acme></a></header>";
    assert_eq!(candidates(html, &[]).len(), 1);
}

#[test]
fn stated_logos_beat_found_ones() {
    let stated = json!({"@graph": [
        {"@type": "Organization", "name": "Acme", "logo": {"@type": "ImageObject", "url": "/brand/acme-wordmark-white.png"}},
        {"@type": "Review", "itemReviewed": {"@type": "Organization", "logo": "/no.png"}},
    ]});
    let found = candidates(PAGE, &[stated]);
    assert_eq!(
        found[0].url,
        "https://www.acme.example/brand/acme-wordmark-white.png"
    );
    assert_eq!(
        (found[0].from, found[0].variant, found[0].theme),
        (From::JsonLd, Variant::Wordmark, Some(Theme::Dark))
    );
    assert!(
        !found
            .iter()
            .any(|candidate| candidate.url.ends_with("no.png"))
    );
}

#[test]
fn a_stated_logo_of_another_site_is_none_of_this_one() {
    let of = |url: &str| {
        let node =
            json!({"@type": "Organization", "name": "Acme", "url": url, "logo": "/stated.png"});
        let found = candidates("<p>x</p>", &[node]);
        found.iter().any(|logo| logo.url.ends_with("/stated.png"))
    };
    assert!(of("https://acme.example/"));
    assert!(of("https://shop.acme.example/"));
    assert!(of("/en/"));
    assert!(of("https://acme.example:8443/"), "a staging copy's port");
    assert!(!of("https://globex.example/"));
    assert!(!of("https://notacme.example/"));
}

#[test]
fn a_drawing_in_the_page_can_be_the_logo() {
    let html = "<header><a href='https://acme.example/' class=x><svg class='logo dark:hidden' viewBox='0 0 40 10'><title>Acme</title><path d='M0'/></svg></a>\
        <a href=/menu><svg class=icon><path d='M1'/></svg></a></header><a href=/><svg class=logo><use href='#a'/></svg></a>";
    let markup = read(html);
    let drawing = &markup.inline_svgs[0];
    assert_eq!(
        (drawing.label.as_deref(), drawing.in_home_link),
        (Some("Acme"), true)
    );
    let bytes = &html.as_bytes()[drawing.start..drawing.end];
    let info = image::read(bytes).unwrap();
    assert_eq!(
        (info.media_type.as_str(), info.width, info.height),
        ("image/svg+xml", Some(40), Some(10))
    );
    let found = candidates(html, &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        found[0].url,
        "https://www.acme.example/en/about#inline-svg-0"
    );
    assert_eq!(
        (found[0].inline_svg, found[0].theme),
        (Some(0), Some(Theme::Light))
    );
}

#[test]
fn a_letter_of_a_name_is_no_logo() {
    let html = |inside: &str| {
        format!("<body><header><a href=/ aria-label='Acmo home'>{inside}</a></header></body>")
    };
    let drawing = "<svg viewBox='0 0 9 9'><path d='M0 0h9v9z'/></svg>";
    let of = |inside: &str| candidates(&html(inside), &[]).len();
    assert_eq!(of(&format!("<span>acm</span>{drawing}<span>.</span>")), 0);
    // A symbol stands before or behind the name.
    assert_eq!(of(&format!("{drawing}<span>Acmo</span>")), 1);
    assert_eq!(of(&format!("<span>Acmo</span>{drawing}")), 1);
}

#[test]
fn microdata_is_read_with_items_in_items() {
    let markup = read(
        "<div itemscope itemtype='https://schema.org/Organization'><h1 itemprop=name>Acme <b>Ltd</b></h1>\
         <a itemprop='url sameAs' href='/x'>x</a><time itemprop=foundingDate datetime=2014>ten years ago</time><meta itemprop=vatID content=GB1>\
         <div itemprop=address itemscope itemtype=https://schema.org/PostalAddress><span itemprop=streetAddress>1 Mill Rd</span><br>\
         <span itemprop=addressLocality>Leeds</span><span hidden>no</span></div></div><p itemprop=name>outside</p>\
         <section itemscope><p itemprop=name>Second</section>",
    );
    assert_eq!(markup.microdata.len(), 2);
    let organization = &markup.microdata[0];
    assert_eq!(organization.types, ["https://schema.org/Organization"]);
    let text = |name: &str| organization.properties[name][0].text.as_str();
    assert_eq!(text("name"), "Acme Ltd");
    assert_eq!(text("url"), "https://www.acme.example/x");
    assert_eq!(text("sameAs"), "https://www.acme.example/x");
    assert_eq!(text("foundingDate"), "2014");
    assert_eq!(text("vatID"), "GB1");
    let address = &organization.properties["address"][0];
    assert_eq!(address.text, "1 Mill Rd Leeds");
    assert_eq!(address.properties["addressLocality"], ["Leeds"]);
    assert_eq!(markup.microdata[1].properties["name"][0].text, "Second");
}

#[test]
fn pictures_tell_their_kind_and_size() {
    let info =
        |bytes: &[u8]| image::read(bytes).map(|info| (info.media_type, info.width, info.height));
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x20\0\0\0\x10\x08\0\0\0\0";
    assert_eq!(
        info(png),
        Some(("image/png".to_owned(), Some(32), Some(16)))
    );
    assert_eq!(
        info(b"GIF89a\x05\0\x07\0\0\0\0\0"),
        Some(("image/gif".to_owned(), Some(5), Some(7)))
    );
    let ico = b"\0\0\x01\0\x02\0\x10\x10\0\0\x01\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\x20\0\0\0\0\0\0\0\0\0";
    assert_eq!(
        info(ico),
        Some(("image/vnd.microsoft.icon".to_owned(), Some(256), Some(256)))
    );
    let svg = |text: &str| info(text.as_bytes()).map(|(_, width, height)| (width, height));
    assert_eq!(
        svg("<?xml version='1.0'?><!-- x --><svg width='20px' height='10.4'/>"),
        Some((Some(20), Some(10)))
    );
    assert_eq!(
        svg("<svg viewBox='0,0 120 24' width='100%'>"),
        Some((Some(120), Some(24)))
    );
    assert_eq!(svg("<SVG>"), Some((None, None)));
    assert_eq!(info(b"<!DOCTYPE html><html><svg/></html>"), None);
    assert_eq!(info(b"plain"), None);
    assert_eq!(info(b""), None);
}
