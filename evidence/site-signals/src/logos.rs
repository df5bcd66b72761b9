//! Finds which of a page's pictures are the company's logo.

use gtm_lexicon::Words;
use gtm_lexicon::class_names::{
    CONTROLS, FLAGS, FOR_DARK_PAGES, FOR_LIGHT_PAGES, LOGOS, OF_OTHERS, SCAFFOLDS, SYMBOLS,
    WORDMARKS,
};
use gtm_lexicon::countries::{self, Country};
use gtm_lexicon::{is_language_code, is_language_name, networks};
use gtm_page_text::{is_same_host, is_same_site};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use url::Url;

use crate::css::words;
use crate::markup::{Icon, Image, InlineSvg, Markup};

/// The part of the logo that a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// The whole logo, or unknown.
    Logo,
    /// The symbol alone.
    Symbol,
    /// The name alone.
    Wordmark,
}

/// The kind of page that a picture is meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// Light pages.
    Light,
    /// Dark pages.
    Dark,
}

/// Where a candidate was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum From {
    /// The `logo` member of structured data.
    JsonLd,
    /// A `link` element.
    Icon,
    /// The web manifest.
    Manifest,
    /// A drawing inside the page.
    InlineSvg,
    /// A picture of the page.
    HeaderImage,
    /// The picture that the page declares for sharing.
    OpenGraph,
}

/// A picture that may be the logo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogoCandidate {
    /// Absolute URL; for a drawing inside the page, the page's URL with the fragment `inline-svg-<n>`.
    pub url: String,
    /// [`InlineSvg::index`], for a drawing inside the page.
    pub inline_svg: Option<usize>,
    pub variant: Variant,
    /// The kind of page that it is meant for, if known.
    pub theme: Option<Theme>,
    pub from: From,
    /// How likely it is the logo, 0 to 100. From 50 on, something names it a logo.
    pub score: u32,
}

const MOST: usize = 24;
/// How deep structured data is searched.
const MAX_DEPTH: usize = 4;

/// The pictures of a page or of a web manifest that may be the company's logo, best first; at most 24.
/// `json_ld` is the page's structured data.
pub fn candidates(markup: &Markup, json_ld: &[Value], page: &Url) -> Vec<LogoCandidate> {
    let mut found: Vec<LogoCandidate> = Vec::new();
    let mut stated = Vec::new();
    for object in json_ld {
        stated_logos(object, page, 0, &mut stated);
    }
    for address in stated {
        if let Some(url) = page.join(address.trim()).ok().filter(is_web) {
            let (variant, theme) = by_name(url.path());
            found.push(LogoCandidate {
                variant,
                theme,
                from: From::JsonLd,
                score: 90,
                inline_svg: None,
                url: url.into(),
            });
        }
    }
    found.extend(
        markup
            .images
            .iter()
            .filter_map(|image| picture(image, page)),
    );
    found.extend(
        markup
            .inline_svgs
            .iter()
            .filter_map(|drawing| inside(drawing, page)),
    );
    let own = |icon: &&Icon| !is_scaffold(&icon.url);
    found.extend(markup.icons.iter().filter(own).map(|icon| {
        let (_, theme) = by_name(&icon.url);
        let size = largest(icon.sizes.as_deref());
        let is_vector = icon.media_type.as_deref() == Some("image/svg+xml")
            || icon.sizes.as_deref() == Some("any")
            || path_of(&icon.url).ends_with(".svg");
        let from_manifest = icon.rel == "manifest";
        LogoCandidate {
            url: icon.url.clone(),
            inline_svg: None,
            variant: Variant::Symbol,
            theme: icon.media.as_deref().and_then(by_media).or(theme),
            from: if from_manifest {
                From::Manifest
            } else {
                From::Icon
            },
            // A mask has only one colour.
            score: match (icon.rel.as_str(), is_vector, size) {
                ("mask-icon", ..) => 15,
                (_, true, _) => 45,
                (rel, ..) if rel.starts_with("apple-touch-icon") => 40,
                (_, _, Some(size)) if size >= 128 => 38,
                (_, _, Some(size)) if size >= 48 => 30,
                _ => 20,
            },
        }
    }));
    found.extend(markup.social_images.iter().map(|url| {
        let (variant, theme) = by_name(path_of(url));
        LogoCandidate {
            url: url.clone(),
            inline_svg: None,
            variant,
            theme,
            from: From::OpenGraph,
            // Usually a card for sharing, occasionally the logo.
            score: if says_logo(path_of(url)) { 50 } else { 10 },
        }
    }));
    // Of several candidates with the same picture, the best score counts.
    found.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
    let mut best: Vec<LogoCandidate> = Vec::new();
    for candidate in found {
        match best.iter_mut().find(|known| known.url == candidate.url) {
            Some(known) => known.theme = known.theme.or(candidate.theme),
            None => best.push(candidate),
        }
    }
    best.truncate(MOST);
    best
}

/// Addresses of logos that structured data declares for the company itself.
fn stated_logos<'v>(value: &'v Value, page: &Url, depth: usize, found: &mut Vec<&'v str>) {
    if depth > MAX_DEPTH || found.len() >= MOST {
        return;
    }
    let members = match value {
        Value::Array(items) => {
            for item in items.iter().take(MOST) {
                stated_logos(item, page, depth + 1, found);
            }
            return;
        }
        Value::Object(members) => members,
        _ => return,
    };
    if let Some(logo) = members.get("logo")
        && !is_of_another_site(members, page)
    {
        image_urls(logo, found);
    }
    // The publisher of the page is the company; those it reviews or sells to are not.
    for name in [
        "@graph",
        "publisher",
        "provider",
        "mainEntity",
        "about",
        "sourceOrganization",
        "copyrightHolder",
    ] {
        if let Some(inner) = members.get(name) {
            stated_logos(inner, page, depth + 1, found);
        }
    }
}

/// Whether a node of structured data declares another site than the page's.
fn is_of_another_site(members: &Map<String, Value>, page: &Url) -> bool {
    let address = ["url", "@id"]
        .into_iter()
        .find_map(|name| members.get(name).and_then(Value::as_str));
    let Some(url) = address.and_then(|address| page.join(address.trim()).ok()) else {
        return false;
    };
    // On whatever port: a staging copy names the address that the site will have.
    let (mut url, mut page) = (url, page.clone());
    for address in [&mut url, &mut page] {
        // Fails only for addresses without a host, which are of no site.
        let _ = address.set_port(None);
    }
    url.has_host() && !is_same_site(&url, &page)
}

/// The addresses of an `ImageObject`, of a text, or of a list of these.
fn image_urls<'v>(logo: &'v Value, found: &mut Vec<&'v str>) {
    match logo {
        Value::String(url) => found.push(url),
        Value::Object(members) => {
            let url = ["url", "contentUrl", "@id"]
                .into_iter()
                .find_map(|name| members.get(name).and_then(Value::as_str));
            found.extend(url.filter(|url| !url.trim().starts_with('#')));
        }
        Value::Array(items) => {
            for item in items.iter().take(4) {
                match item {
                    Value::Array(_) => {}
                    item => image_urls(item, found),
                }
            }
        }
        _ => {}
    }
}

/// Longest side of an icon, in pixels.
const SMALL: u32 = 48;

fn picture(image: &Image, page: &Url) -> Option<LogoCandidate> {
    let path = path_of(&image.url).to_owned();
    let called = [
        Some(path.as_str()),
        image.alt.as_deref(),
        image.class.as_deref(),
    ];
    let file = path.rsplit('/').next().unwrap_or_default();
    let file = file.split_once('.').map_or(file, |(stem, _)| stem);
    if names_a_network(file) || image.alt.as_deref().is_some_and(names_a_network) {
        return None;
    }
    if is_flag(&path, image.alt.as_deref()) || image.class.as_deref().is_some_and(says_flag) {
        return None;
    }
    let named = called.iter().flatten().any(|text| says_logo(text));
    // A small picture beside a label is an icon.
    let is_small = |side: Option<u32>| side.is_some_and(|side| side <= SMALL);
    if !named && is_small(image.width) && is_small(image.height) {
        return None;
    }
    let is_here = |url: &str| Url::parse(url).is_ok_and(|url| is_same_host(&url, page));
    let score = match (named, image.in_header, image.in_home_link) {
        (true, true, true) => 85,
        // Headers also show the signs of those who accredit the company.
        (true, true, false) if !says_own(image) => 12,
        (true, true, false) | (true, false, true) => 75,
        (false, _, true) => 60,
        // Pages also show the logos of customers and partners.
        (true, false, false) if is_here(&image.url) && says_own(image) => 45,
        (true, false, false) => 12,
        (false, true, false) => 20,
        (false, false, false) => return None,
    };
    let (variant, theme) = by_name(&path);
    let (by_class, class_theme) = image
        .class
        .as_deref()
        .map_or((Variant::Logo, None), by_classes);
    Some(LogoCandidate {
        url: image.url.clone(),
        inline_svg: None,
        variant: if variant == Variant::Logo {
            by_class
        } else {
            variant
        },
        theme: image
            .media
            .as_deref()
            .and_then(by_media)
            .or(theme)
            .or(class_theme),
        from: From::HeaderImage,
        score,
    })
}

fn inside(drawing: &InlineSvg, page: &Url) -> Option<LogoCandidate> {
    if drawing.refers {
        return None;
    }
    if drawing.label.as_deref().is_some_and(is_language_name)
        || drawing.class.as_deref().is_some_and(says_flag)
    {
        return None;
    }
    let called = [drawing.label.as_deref(), drawing.class.as_deref()];
    let named = called.iter().flatten().any(|text| says_logo(text));
    let is_control = |text: &str| words(&text.to_lowercase()).any(|word| CONTROLS.contains(word));
    if drawing.label.as_deref().is_some_and(names_a_network)
        || !named && called.iter().flatten().any(|text| is_control(text))
    {
        return None;
    }
    let score = match (named, drawing.in_header, drawing.in_home_link) {
        (true, true, true) => 84,
        (true, true, false) | (true, false, true) => 74,
        (false, true, true) => 65,
        // Outside of headers, sites link to themselves with signs, too: a house, a globe beside their address.
        (false, false, true) => 20,
        (true, false, false) => 30,
        // Pictures in menus and search fields are icons.
        (false, _, false) => return None,
    };
    let (variant, theme) = drawing
        .class
        .as_deref()
        .map_or((Variant::Logo, None), by_classes);
    let mut url = page.clone();
    url.set_fragment(Some(&format!("inline-svg-{}", drawing.index)));
    Some(LogoCandidate {
        url: url.into(),
        inline_svg: Some(drawing.index),
        variant,
        theme,
        from: From::InlineSvg,
        score,
    })
}

/// Whether a text is a network's name and nothing more: its sign leads to the company's page there.
fn names_a_network(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    networks().iter().any(|network| network.is_called(&text))
}

/// Whether an icon is one with which a tool fills a new site: `/vite.svg`.
fn is_scaffold(url: &str) -> bool {
    let path = path_of(url).to_lowercase();
    let file = path.rsplit('/').next().unwrap_or_default();
    let stem = file.split_once('.').map_or(file, |(stem, _)| stem);
    words(stem).any(|word| SCAFFOLDS.contains(word))
}

/// Whether a text has a word for a flag.
fn says_flag(text: &str) -> bool {
    words(&text.to_lowercase()).any(|word| FLAGS.contains(word))
}

/// Whether a picture is the flag of a language switch: it is called so, or after a country, a language or both, and
/// nothing else: `flags/de.svg`, `en-GB.png`, alt `Deutsch`.
fn is_flag(path: &str, alt: Option<&str>) -> bool {
    let path = path.to_lowercase();
    let file = path.rsplit('/').next().unwrap_or_default();
    let stem = file.split_once('.').map_or(file, |(stem, _)| stem);
    let is_code = |word: &str| {
        word.len() == 2
            && (is_language_code(word) || Country::of_code(&word.to_uppercase()).is_some())
    };
    let mut codes = words(stem).peekable();
    let by_code = codes.peek().is_some() && codes.all(is_code);
    let by_name = alt.is_some_and(|alt| {
        let alt = alt.trim();
        is_language_name(alt) || countries::all().any(|country| country.names().any(|n| n == alt))
    });
    says_flag(&path) || by_code || by_name
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.as_str().len() <= 2048
}

fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.split_once('/').map_or("", |(_, path)| path);
    path.split(['?', '#']).next().unwrap_or_default()
}

/// Whether a picture's name, classes and description call it nobody else's logo.
fn says_own(image: &Image) -> bool {
    let own = |text: &str| {
        let text = text.to_lowercase();
        !words(&text).any(|word| OF_OTHERS.contains(word))
    };
    let alt = || image.alt.as_deref().is_none_or(own);
    own(path_of(&image.url)) && image.class.as_deref().is_none_or(own) && alt()
}

/// Whether a name contains a form of the word "logo".
fn says_logo(text: &str) -> bool {
    let text = text.to_lowercase();
    words(&text)
        .any(|word| LOGOS.contains(word) || word.starts_with("logo") || word.ends_with("logo"))
}

fn variant_of(words: &[&str]) -> Variant {
    let has = |wanted: Words| words.iter().any(|word| wanted.contains(word));
    if has(WORDMARKS) {
        Variant::Wordmark
    } else if has(SYMBOLS) {
        Variant::Symbol
    } else {
        Variant::Logo
    }
}

/// Variant and theme according to a file's name.
fn by_name(path: &str) -> (Variant, Option<Theme>) {
    let file = path.rsplit('/').next().unwrap_or_default().to_lowercase();
    let words: Vec<&str> = words(&file).collect();
    (variant_of(&words), theme_of(&words))
}

/// A file called dark is meant for the dark theme, and one called white for a dark background.
fn theme_of(words: &[&str]) -> Option<Theme> {
    let has = |wanted: Words| words.iter().any(|word| wanted.contains(word));
    if has(FOR_DARK_PAGES) {
        Some(Theme::Dark)
    } else if has(FOR_LIGHT_PAGES) {
        Some(Theme::Light)
    } else {
        None
    }
}

/// Variant and theme according to classes; `dark:hidden` is shown on light pages only.
fn by_classes(classes: &str) -> (Variant, Option<Theme>) {
    let classes = classes.to_lowercase();
    let mut theme = None;
    for class in classes.split(' ') {
        match class.split_once(':') {
            Some(("dark", "hidden")) => theme = Some(Theme::Light),
            Some(("dark", "block" | "inline" | "inline-block" | "flex")) => {
                theme = Some(Theme::Dark);
            }
            Some(_) => {}
            None => {
                let words: Vec<&str> = words(class).collect();
                if words.iter().any(|word| word.starts_with("logo")) {
                    theme = theme.or(theme_of(&words));
                }
            }
        }
    }
    let words: Vec<&str> = words(&classes).collect();
    (variant_of(&words), theme)
}

fn by_media(media: &str) -> Option<Theme> {
    let (_, value) = media.split_once("prefers-color-scheme")?;
    let value = value.trim_start_matches(|c: char| c == ':' || c.is_whitespace());
    if value.starts_with("dark") {
        Some(Theme::Dark)
    } else if value.starts_with("light") {
        Some(Theme::Light)
    } else {
        None
    }
}

/// The largest width of a `sizes` attribute.
fn largest(sizes: Option<&str>) -> Option<u32> {
    sizes?
        .split_ascii_whitespace()
        .filter_map(|size| size.to_ascii_lowercase().split_once('x')?.0.parse().ok())
        .max()
}
