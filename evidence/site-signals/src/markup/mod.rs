//! What a page's markup says about how the company looks: icons, pictures, drawings, colours,
//! stylesheets, other languages and microdata.

mod home;
mod microdata;
mod offsets;
mod reader;

use std::collections::BTreeMap;

use gtm_page_text::html::resolve;
use gtm_page_text::{Media, classify};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use crate::css::hex_of;

/// What a page's markup says. All addresses are absolute, http or https, without user
/// information. Empty for anything that is neither HTML nor a web manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Markup {
    /// `link` elements that name an icon, or a web manifest's icons; at most 40.
    pub icons: Vec<Icon>,
    /// Address of the web manifest. Read that with [`Markup::read`] as well for its icons.
    pub web_manifest: Option<String>,
    /// Pictures in document order, the variants of a `picture` behind its `img`; at most 300.
    /// Embedded data and what is not shown are left out.
    pub images: Vec<Image>,
    /// Drawings inside the page, at most 100; what is not shown is left out.
    pub inline_svgs: Vec<InlineSvg>,
    /// Pictures that the page wants shown where it is shared (Open Graph, Twitter); at most 8.
    pub social_images: Vec<String>,
    /// Colours that the page or manifest names as its theme, `#rrggbb`; at most 8.
    pub theme_colors: Vec<String>,
    /// Microdata items that stand in no other; at most 100.
    pub microdata: Vec<Item>,
    /// The page in other languages; at most 100.
    pub alternates: Vec<Alternate>,
    /// Linked stylesheets for an ordinary screen and the light scheme; at most 20.
    pub stylesheets: Vec<String>,
    /// Kinds of elements: name, classes with a full stop and id with a hash, in lower case and
    /// divided by spaces; at most 1,000, in the order of the alphabet. Those for browsers without
    /// scripts are left out.
    pub elements: Vec<String>,
    /// The page's own styles, those of single elements included; at most a megabyte.
    pub inline_css: String,
}

/// An icon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Icon {
    /// Absolute URL.
    pub url: String,
    /// The link's relation in lower case, or `manifest` for one of a web manifest.
    pub rel: String,
    /// As written, for example `180x180` or `any`.
    pub sizes: Option<String>,
    /// Media type as declared.
    pub media_type: Option<String>,
    /// Media query under which it is meant.
    pub media: Option<String>,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Absolute URL.
    pub url: String,
    /// What it is called.
    pub alt: Option<String>,
    /// Width as declared, in pixels.
    pub width: Option<u32>,
    /// Height as declared, in pixels.
    pub height: Option<u32>,
    /// Whether it stands in the page's header or navigation bar.
    pub in_header: bool,
    /// Whether it stands in a link to the site's first page.
    pub in_home_link: bool,
    /// Its classes and id, as written.
    pub class: Option<String>,
    /// Media query under which it is meant, for the `source` of a `picture`.
    pub media: Option<String>,
}

/// A drawing inside the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InlineSvg {
    /// Which of the page's drawings it is, from 0; those inside another don't count.
    pub index: usize,
    /// What it is called, by itself or by the link it stands in.
    pub label: Option<String>,
    /// Its classes and id, as written.
    pub class: Option<String>,
    /// Whether it stands in the page's header or navigation bar.
    pub in_header: bool,
    /// Whether it stands in a link to the site's first page.
    pub in_home_link: bool,
    /// Whether it shows something that is defined elsewhere (`use`), so that it can't stand alone.
    pub refers: bool,
    /// Where it begins in the received bytes.
    pub start: usize,
    /// Where it ends in the received bytes, exclusive.
    pub end: usize,
}

/// A microdata item.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Types as written, for example `https://schema.org/Organization`.
    pub types: Vec<String>,
    /// Values by property; at most 60 properties of 20 values.
    pub properties: BTreeMap<String, Vec<PropertyValue>>,
}

/// The value of a microdata property.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PropertyValue {
    /// Text in normal form, or an absolute URL; at most 1,000 characters. For an item the text
    /// inside of it.
    pub text: String,
    /// Types, if it is an item.
    pub types: Vec<String>,
    /// Properties, if it is an item; items in these are text.
    pub properties: BTreeMap<String, Vec<String>>,
}

/// The page in another language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternate {
    /// `hreflang` as written.
    pub language: String,
    /// Absolute URL.
    pub url: String,
}

impl Markup {
    /// Reads a page, or a web manifest, that was received from `base`. `content_type` is the
    /// response header's value. Linear in the input.
    pub fn read(content_type: Option<&str>, bytes: &[u8], base: &Url) -> Self {
        let media = classify(content_type, bytes);
        match media {
            Media::Html => {
                let decoded = gtm_page_text::decode(content_type, media, bytes);
                let mut markup = reader::read(&decoded.text, base);
                offsets::received(&mut markup.inline_svgs, &decoded, bytes);
                markup
            }
            Media::Json => {
                let decoded = gtm_page_text::decode(content_type, media, bytes);
                manifest(&decoded.text, base)
            }
            Media::Xml | Media::Text | Media::Binary => Self::default(),
        }
    }
}

/// Reads a web manifest (W3C Web Application Manifest).
fn manifest(text: &str, base: &Url) -> Markup {
    let mut markup = Markup::default();
    let Ok(manifest) = serde_json::from_str::<Value>(text) else {
        return markup;
    };
    let icons = manifest.get("icons").and_then(Value::as_array);
    for icon in icons.into_iter().flatten().take(reader::MAX_ICONS) {
        let member = |name: &str| icon.get(name).and_then(Value::as_str).map(str::to_owned);
        // Icons for systems that paint them in one colour are no pictures of the logo.
        let purpose = member("purpose").unwrap_or_default();
        let is_plain = purpose.is_empty() || purpose.split_whitespace().any(|word| word == "any");
        if let (true, Some(url)) = (is_plain, member("src").and_then(|src| resolve(base, &src))) {
            markup.icons.push(Icon {
                url: url.into(),
                rel: "manifest".to_owned(),
                sizes: member("sizes"),
                media_type: member("type"),
                media: None,
            });
        }
    }
    let theme = manifest.get("theme_color").and_then(Value::as_str);
    markup.theme_colors.extend(theme.and_then(hex_of));
    markup
}
