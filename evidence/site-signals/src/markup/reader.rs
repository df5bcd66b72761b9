//! Reads a page's markup in one pass.

mod attributes;
mod drawings;
mod families;
mod rows;
mod styles;
mod texts;

use std::collections::BTreeSet;

use gtm_page_text::html::{Element, PageHead, Place, Visitor, resolve, scan};
use url::Url;

use self::attributes::{classes, first_candidate, kind_of, lower, pixels, text_of};
use self::drawings::{Drawing, inside_drawing};
use self::rows::Rows;
use self::styles::is_for_light_screens;
use self::texts::Texts;
use super::home::is_home;
use super::microdata::Microdata;
use super::{Alternate, Icon, Image, Markup};
use crate::css::hex_of;
use crate::utilities::Utilities;

/// Limits on what is reported for any page.
pub(super) const MAX_ICONS: usize = 40;
const MAX_IMAGES: usize = 300;
const MAX_SOCIAL: usize = 8;
const MAX_THEME: usize = 8;
const MAX_ALTERNATES: usize = 100;
const MAX_SHEETS: usize = 20;
const MAX_ELEMENTS: usize = 1_000;

/// Reads HTML whose address is `base`. Offsets of drawings refer to `html`.
pub(super) fn read(html: &str, base: &Url) -> Markup {
    let mut reader = Reader {
        html,
        page: base,
        head: PageHead::at(base),
        markup: Markup::default(),
        microdata: Microdata::default(),
        depth: 0,
        home_link: None,
        drawing: None,
        drawings: 0,
        sources: Vec::new(),
        style: None,
        elements: BTreeSet::new(),
        noscript: None,
        rows: Rows::default(),
        texts: Texts::default(),
        utilities: Utilities::default(),
    };
    scan(html, &mut reader);
    if let Some(css) = reader.utilities.css() {
        reader.add_css(&[&css]);
    }
    reader.markup.picture_rows = reader.rows.finish();
    reader.markup.microdata = reader.microdata.finish();
    reader.markup.texts = reader.texts.finish();
    reader.markup.elements = reader.elements.into_iter().collect();
    reader.markup
}

struct HomeLink {
    depth: usize,
    label: Option<String>,
    /// Whether text of it has been read.
    has_text: bool,
    /// The last drawing inside of it, if text stands before that.
    letter: Option<usize>,
}

/// A `source` of a `picture`.
struct Source {
    url: Url,
    media: String,
}

struct Reader<'a> {
    html: &'a str,
    page: &'a Url,
    head: PageHead,
    markup: Markup,
    microdata: Microdata,
    /// Number of open elements whose end the scanner will report.
    depth: usize,
    home_link: Option<HomeLink>,
    drawing: Option<Drawing>,
    /// Number of drawings so far.
    drawings: usize,
    sources: Vec<Source>,
    /// The open `style` element's text, with the condition that applies to it.
    style: Option<(Option<String>, String)>,
    elements: BTreeSet<String>,
    /// Depth of the open `noscript`; browsers that run scripts do not show its elements.
    noscript: Option<usize>,
    rows: Rows,
    texts: Texts,
    utilities: Utilities,
}

impl Visitor for Reader<'_> {
    fn start(&mut self, element: &Element<'_>, place: &Place) {
        if element.has_end {
            self.depth += 1;
        }
        self.head.start(element);
        self.rows.start(element, place);
        self.microdata.start(element, self.depth, self.head.base());
        if element.name == "noscript" && element.has_end {
            self.noscript.get_or_insert(self.depth);
        }
        let kind = kind_of(element);
        self.texts.start(element, &kind);
        self.utilities.start(element);
        if self.noscript.is_none() && self.elements.len() < MAX_ELEMENTS {
            self.elements.insert(kind);
        }
        if let Some(drawing) = &mut self.drawing {
            inside_drawing(drawing, element);
            return;
        }
        match element.name {
            "link" => self.link(element),
            "meta" => self.meta(element),
            "style" if !self.utilities.reads_style() => self.start_style(element),
            "a" if element.has_end => self.start_link(element),
            "picture" => self.sources.clear(),
            "source" => self.source(element),
            "img" if !place.concealed => self.image(element, place),
            "svg" => self.start_drawing(element, place),
            _ => {}
        }
        if let Some(style) = element.attribute("style")
            && !place.concealed
        {
            self.element_style(element, style);
        }
    }

    fn end(&mut self, name: &str, place: &Place) {
        self.microdata.end(self.depth);
        self.texts.end();
        self.utilities.end(name);
        self.rows.end(name);
        if let Some(drawing) = &mut self.drawing {
            if name == "title" {
                drawing.in_title = false;
            }
            if drawing.depth == self.depth {
                self.finish_drawing(place.offset);
            }
        }
        match name {
            "style" => self.finish_style(),
            "picture" => self.sources.clear(),
            _ => {}
        }
        if self
            .home_link
            .as_ref()
            .is_some_and(|link| link.depth == self.depth)
        {
            self.home_link = None;
        }
        if self.noscript == Some(self.depth) {
            self.noscript = None;
        }
        self.depth = self.depth.saturating_sub(1);
    }

    fn text(&mut self, text: &str, place: &Place) {
        self.rows.text(text, place);
        self.utilities.text(text);
        self.beside_drawing(text);
        if let Some((_, css)) = &mut self.style {
            css.push_str(text);
        } else if let Some(drawing) = &mut self.drawing {
            if drawing.in_title
                && let Some(title) = &mut drawing.title
            {
                title.push_str(text);
            }
        } else if !place.hidden {
            self.microdata.text(text);
            if self.noscript.is_none() {
                self.texts.text(text);
            }
        }
    }
}

impl Reader<'_> {
    fn link(&mut self, element: &Element<'_>) {
        let rel = lower(element, "rel");
        let has = |wanted: &str| rel.split_ascii_whitespace().any(|word| word == wanted);
        let Some(url) = element
            .attribute("href")
            .and_then(|href| resolve(self.head.base(), href))
        else {
            return;
        };
        let media = text_of(element, "media");
        let faces = families::faces(&url);
        if !faces.is_empty() {
            self.add_css(&[&faces]);
        }
        if has("stylesheet") {
            let on_screen = media.as_deref().is_none_or(is_for_light_screens);
            if !has("alternate") && on_screen {
                // A site's own sheets come last, after those that it builds on.
                if self.markup.stylesheets.len() >= MAX_SHEETS {
                    self.markup.stylesheets.remove(0);
                }
                self.markup.stylesheets.push(url.into());
            }
        } else if has("icon")
            || has("apple-touch-icon")
            || has("apple-touch-icon-precomposed")
            || has("mask-icon")
            || has("fluid-icon")
        {
            let icon = Icon {
                url: url.into(),
                rel,
                sizes: text_of(element, "sizes"),
                media_type: text_of(element, "type"),
                media,
            };
            push(&mut self.markup.icons, icon, MAX_ICONS);
        } else if has("manifest") {
            self.markup.web_manifest.get_or_insert(url.into());
        } else if has("alternate")
            && let Some(language) = text_of(element, "hreflang")
        {
            let alternate = Alternate {
                language,
                url: url.into(),
            };
            push(&mut self.markup.alternates, alternate, MAX_ALTERNATES);
        }
    }

    fn meta(&mut self, element: &Element<'_>) {
        let name = match lower(element, "property") {
            name if name.is_empty() => lower(element, "name"),
            name => name,
        };
        let Some(content) = element.attribute("content") else {
            return;
        };
        match name.as_str() {
            "theme-color" => {
                let in_light = element.attribute("media").is_none_or(is_for_light_screens);
                if let (true, Some(hex)) = (in_light, hex_of(content)) {
                    push(&mut self.markup.theme_colors, hex, MAX_THEME);
                }
            }
            "og:image"
            | "og:image:url"
            | "og:image:secure_url"
            | "twitter:image"
            | "twitter:image:src" => {
                if let Some(url) = resolve(self.head.base(), content) {
                    push(&mut self.markup.social_images, url.into(), MAX_SOCIAL);
                }
            }
            _ => {}
        }
    }

    fn start_link(&mut self, element: &Element<'_>) {
        let home = element
            .attribute("href")
            .and_then(|href| resolve(self.head.base(), href))
            .is_some_and(|url| is_home(&url, self.page));
        // A link to a place within the page does not count as a link to the home page.
        let within = element
            .attribute("href")
            .is_some_and(|href| href.trim().len() > 1 && href.trim().starts_with('#'));
        if home && !within {
            self.home_link = Some(HomeLink {
                depth: self.depth,
                label: text_of(element, "aria-label").or_else(|| text_of(element, "title")),
                has_text: false,
                letter: None,
            });
        }
    }

    fn source(&mut self, element: &Element<'_>) {
        let url = element
            .attribute("srcset")
            .and_then(first_candidate)
            .and_then(|address| resolve(self.head.base(), address));
        if let (Some(url), Some(media)) = (url, text_of(element, "media"))
            && self.sources.len() < 8
        {
            self.sources.push(Source { url, media });
        }
    }

    fn image(&mut self, element: &Element<'_>, place: &Place) {
        let sources = std::mem::take(&mut self.sources);
        let address = ["src", "data-src", "data-lazy-src"]
            .into_iter()
            .filter_map(|name| element.attribute(name))
            .chain(element.attribute("srcset").and_then(first_candidate))
            .find(|address| {
                let address = address.trim();
                !address.is_empty() && !address.to_ascii_lowercase().starts_with("data:")
            });
        let Some(url) = address.and_then(|address| resolve(self.head.base(), address)) else {
            return;
        };
        let image = Image {
            url: url.into(),
            alt: text_of(element, "alt")
                .or_else(|| self.home_link.as_ref().and_then(|link| link.label.clone())),
            width: pixels(element, "width"),
            height: pixels(element, "height"),
            in_header: place.in_header,
            in_home_link: self.home_link.is_some(),
            class: classes(element),
            media: None,
        };
        push(&mut self.markup.images, image.clone(), MAX_IMAGES);
        for source in sources {
            let variant = Image {
                url: source.url.into(),
                media: Some(source.media),
                ..image.clone()
            };
            push(&mut self.markup.images, variant, MAX_IMAGES);
        }
    }
}

fn push<T: PartialEq>(list: &mut Vec<T>, item: T, most: usize) {
    if list.len() < most && !list.contains(&item) {
        list.push(item);
    }
}
