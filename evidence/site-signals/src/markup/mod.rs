//! What a page's markup tells about how the company looks: icons, pictures, drawings, colours, stylesheets,
//! other languages and microdata.

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

/// The signals in a page's markup. All addresses are absolute, http or https, without user information. Empty
/// for anything other than HTML or a web manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Markup {
    /// `link` elements that name an icon, or a web manifest's icons; at most 40.
    pub icons: Vec<Icon>,
    /// Address of the web manifest. To get its icons, read it with [`Markup::read`] as well.
    pub web_manifest: Option<String>,
    /// Pictures in document order, the variants of a `picture` after its `img`; at most 300. Embedded data
    /// and hidden pictures are left out.
    pub images: Vec<Image>,
    /// Rows of at least three named pictures without text between them, such as logos of customers; at most 20.
    pub picture_rows: Vec<PictureRow>,
    /// Drawings inside the page, at most 100; hidden ones are left out.
    pub inline_svgs: Vec<InlineSvg>,
    /// Pictures that the page declares for sharing (Open Graph, Twitter); at most 8.
    pub social_images: Vec<String>,
    /// Theme colours that the page or manifest declares, as `#rrggbb`; at most 8.
    pub theme_colors: Vec<String>,
    /// Top-level microdata items; at most 100.
    pub microdata: Vec<Item>,
    /// Versions of the page in other languages; at most 100.
    pub alternates: Vec<Alternate>,
    /// Linked stylesheets for ordinary screens and the light scheme; at most 20, the last ones.
    pub stylesheets: Vec<String>,
    /// Kinds of elements: name, classes with a full stop and id with a hash, in lower case and separated by
    /// spaces; at most 1,000, in alphabetical order. Elements for browsers without scripts are left out.
    pub elements: Vec<String>,
    /// The places at which visible text stands, with the number of its letters: the elements around it from the outermost on,
    /// parted by ` > `, each with its own colours in braces; at most 250.
    pub texts: BTreeMap<String, u32>,
    /// The page's own styles, including those of single elements; at most a megabyte.
    pub inline_css: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Icon {
    /// Absolute URL.
    pub url: String,
    /// The link's relation in lower case, or `manifest` if the icon is from a web manifest.
    pub rel: String,
    /// As written, for example `180x180` or `any`.
    pub sizes: Option<String>,
    /// Media type as declared.
    pub media_type: Option<String>,
    /// Media query for which it is meant.
    pub media: Option<String>,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// Absolute URL.
    pub url: String,
    /// Its alternative text.
    pub alt: Option<String>,
    /// Width as declared, in pixels.
    pub width: Option<u32>,
    /// Height as declared, in pixels.
    pub height: Option<u32>,
    /// Whether it is in the page's header or navigation bar.
    pub in_header: bool,
    /// Whether it is in a link to the site's home page.
    pub in_home_link: bool,
    /// Its classes and id, as written.
    pub class: Option<String>,
    /// Media query for which it is meant, for the `source` of a `picture`.
    pub media: Option<String>,
}

/// A row of named pictures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PictureRow {
    /// The heading that it stands under.
    pub heading: Option<String>,
    /// The last line of text above it.
    pub line: Option<String>,
    /// The alternative texts of its pictures, each once; at most 60.
    pub names: Vec<String>,
}

/// A drawing inside the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InlineSvg {
    /// Index among the page's drawings, from 0; drawings inside another one do not count.
    pub index: usize,
    /// Its label, from the drawing itself or from the link around it.
    pub label: Option<String>,
    /// Its classes and id, as written.
    pub class: Option<String>,
    /// Whether it is in the page's header or navigation bar.
    pub in_header: bool,
    /// Whether it is in a link to the site's home page.
    pub in_home_link: bool,
    /// Whether it shows something defined elsewhere (`use`), so that it cannot stand alone.
    pub refers: bool,
    /// Where it starts in the received bytes.
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
    /// Text in normal form, or an absolute URL; at most 1,000 characters. For an item, the text inside it.
    pub text: String,
    /// Types, if it is an item.
    pub types: Vec<String>,
    /// Properties, if it is an item; items inside these are reduced to text.
    pub properties: BTreeMap<String, Vec<String>>,
}

/// A version of the page in another language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternate {
    /// `hreflang` as written.
    pub language: String,
    /// Absolute URL.
    pub url: String,
}

impl Markup {
    /// Reads a page, or a web manifest, received from `base`. `content_type` is the value of the response
    /// header. Linear in the input.
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
        // Icons for systems that paint them in one colour do not show the logo.
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
