//! One pass over a page's markup.

use std::collections::BTreeSet;

use gtm_page_text::html::{Element, Place, Visitor, scan};
use gtm_page_text::normalize;
use url::Url;

use super::microdata::Microdata;
use super::{Alternate, Icon, Image, InlineSvg, Markup};
use crate::css::hex_of;

/// Bounds on what is reported of any page.
pub(super) const MAX_ICONS: usize = 40;
const MAX_IMAGES: usize = 300;
const MAX_DRAWINGS: usize = 100;
const MAX_SOCIAL: usize = 8;
const MAX_THEME: usize = 8;
const MAX_ALTERNATES: usize = 100;
const MAX_SHEETS: usize = 20;
const MAX_CSS: usize = 1_000_000;
const MAX_ELEMENTS: usize = 1_000;
const MAX_MARK: usize = 80;
const MAX_MARKS: usize = 40;
const MAX_URL: usize = 2048;
const MAX_TEXT: usize = 300;

/// Reads HTML that stands at `base`. Offsets of drawings are those of `html`.
pub(super) fn read(html: &str, base: &Url) -> Markup {
    let mut reader = Reader {
        html,
        page: base,
        base: base.clone(),
        base_is_set: false,
        markup: Markup::default(),
        microdata: Microdata::default(),
        depth: 0,
        home_link: None,
        drawing: None,
        drawings: 0,
        sources: Vec::new(),
        style: None,
        elements: BTreeSet::new(),
    };
    scan(html, &mut reader);
    reader.markup.microdata = reader.microdata.finish();
    reader.markup.elements = reader.elements.into_iter().collect();
    reader.markup
}

/// An address that may be asked for, without its fragment.
pub(super) fn resolve(base: &Url, address: &str) -> Option<Url> {
    let mut url = base.join(address.trim()).ok()?;
    url.set_fragment(None);
    let fits = matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none()
        && url.as_str().len() <= MAX_URL;
    fits.then_some(url)
}

/// Whether an address is the site's first page, in whatever language.
pub(crate) fn is_home(url: &Url, page: &Url) -> bool {
    let host = |url: &Url| {
        let host = url.host_str().unwrap_or_default();
        host.strip_prefix("www.").unwrap_or(host).to_owned()
    };
    if host(url) != host(page) {
        return false;
    }
    let path = url.path().trim_matches('/').to_ascii_lowercase();
    let is_language = |path: &str| {
        let mut parts = path.split(['-', '_']);
        parts.next().is_some_and(|language| language.len() == 2)
            && parts.next().is_none_or(|region| region.len() == 2)
            && parts.next().is_none()
            && path
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_'))
    };
    matches!(
        path.as_str(),
        "" | "index.html" | "index.htm" | "index.php" | "home"
    ) || is_language(&path)
}

struct HomeLink {
    depth: usize,
    label: Option<String>,
}

struct Drawing {
    depth: usize,
    found: InlineSvg,
    /// The text of its `title`, while that is open.
    title: Option<String>,
    in_title: bool,
    draws: bool,
    concealed: bool,
}

/// The variant of a `picture`.
struct Source {
    url: Url,
    media: String,
}

struct Reader<'a> {
    html: &'a str,
    page: &'a Url,
    base: Url,
    base_is_set: bool,
    markup: Markup,
    microdata: Microdata,
    /// Open elements whose end will be told.
    depth: usize,
    home_link: Option<HomeLink>,
    drawing: Option<Drawing>,
    /// Drawings so far.
    drawings: usize,
    sources: Vec<Source>,
    /// The open `style` element's text, with the condition it stands under.
    style: Option<(Option<String>, String)>,
    elements: BTreeSet<String>,
}

impl Visitor for Reader<'_> {
    fn start(&mut self, element: &Element<'_>, place: &Place) {
        if element.has_end {
            self.depth += 1;
        }
        self.microdata.start(element, self.depth, &self.base);
        if self.elements.len() < MAX_ELEMENTS {
            self.elements.insert(kind_of(element));
        }
        if let Some(drawing) = &mut self.drawing {
            inside_drawing(drawing, element);
            return;
        }
        match element.name {
            "base" => self.set_base(element),
            "link" => self.link(element),
            "meta" => self.meta(element),
            "style" => self.start_style(element),
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
        self.depth = self.depth.saturating_sub(1);
    }

    fn text(&mut self, text: &str, place: &Place) {
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
        }
    }
}

impl Reader<'_> {
    fn set_base(&mut self, element: &Element<'_>) {
        let base = element
            .attribute("href")
            .and_then(|href| resolve(&self.base, href));
        if let (false, Some(base)) = (self.base_is_set, base) {
            self.base = base;
            self.base_is_set = true;
        }
    }

    fn link(&mut self, element: &Element<'_>) {
        let rel = lower(element, "rel");
        let has = |wanted: &str| rel.split_ascii_whitespace().any(|word| word == wanted);
        let Some(url) = element
            .attribute("href")
            .and_then(|href| resolve(&self.base, href))
        else {
            return;
        };
        let media = text_of(element, "media");
        if has("stylesheet") {
            let on_screen = media.as_deref().is_none_or(is_for_light_screens);
            if !has("alternate") && on_screen {
                push(&mut self.markup.stylesheets, url.into(), MAX_SHEETS);
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
                if let Some(url) = resolve(&self.base, content) {
                    push(&mut self.markup.social_images, url.into(), MAX_SOCIAL);
                }
            }
            _ => {}
        }
    }

    fn start_link(&mut self, element: &Element<'_>) {
        let home = element
            .attribute("href")
            .and_then(|href| resolve(&self.base, href))
            .is_some_and(|url| is_home(&url, self.page));
        // A link within the first page is none to it.
        let within = element
            .attribute("href")
            .is_some_and(|href| href.trim().len() > 1 && href.trim().starts_with('#'));
        if home && !within {
            self.home_link = Some(HomeLink {
                depth: self.depth,
                label: text_of(element, "aria-label").or_else(|| text_of(element, "title")),
            });
        }
    }

    fn source(&mut self, element: &Element<'_>) {
        let url = element
            .attribute("srcset")
            .and_then(first_candidate)
            .and_then(|address| resolve(&self.base, address));
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
        let Some(url) = address.and_then(|address| resolve(&self.base, address)) else {
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

    fn start_drawing(&mut self, element: &Element<'_>, place: &Place) {
        let index = self.drawings;
        self.drawings += 1;
        if !element.has_end {
            return;
        }
        let link_label = self.home_link.as_ref().and_then(|link| link.label.clone());
        self.drawing = Some(Drawing {
            depth: self.depth,
            found: InlineSvg {
                index,
                label: text_of(element, "aria-label").or(link_label),
                class: classes(element),
                in_header: place.in_header,
                in_home_link: self.home_link.is_some(),
                refers: false,
                start: place.offset,
                end: place.offset,
            },
            title: None,
            in_title: false,
            draws: false,
            concealed: place.concealed,
        });
    }

    fn finish_drawing(&mut self, end: usize) {
        let Some(drawing) = self.drawing.take() else {
            return;
        };
        let mut found = drawing.found;
        found.end = end;
        let title = drawing.title.as_deref().and_then(tidy);
        found.label = title.or(found.label);
        // Cut off or ended by something else, it is no drawing.
        let is_whole = self.html.get(found.start..end).is_some_and(|text| {
            let begins = text
                .get(..4)
                .is_some_and(|begin| begin.eq_ignore_ascii_case("<svg"));
            let last_tag = text.rsplit_once("</").map(|(_, tag)| tag);
            begins
                && last_tag.is_some_and(|tag| {
                    tag.trim_end_matches(|c: char| c == '>' || c.is_whitespace())
                        .eq_ignore_ascii_case("svg")
                })
        });
        if is_whole && !drawing.concealed && (drawing.draws || found.refers) {
            push(&mut self.markup.inline_svgs, found, MAX_DRAWINGS);
        }
    }

    fn start_style(&mut self, element: &Element<'_>) {
        let media = text_of(element, "media");
        let dark = media.as_deref().is_some_and(is_dark);
        if media.as_deref().is_none_or(is_for_light_screens) {
            self.style = Some((None, String::new()));
        } else if dark {
            self.style = Some((
                Some("@media (prefers-color-scheme:dark)".to_owned()),
                String::new(),
            ));
        }
    }

    fn finish_style(&mut self) {
        let Some((condition, css)) = self.style.take() else {
            return;
        };
        match condition {
            Some(condition) => self.add_css(&[&condition, "{", &css, "}"]),
            None => self.add_css(&[&css]),
        }
    }

    /// An element's own style, as a rule for elements of that name and class.
    fn element_style(&mut self, element: &Element<'_>, style: &str) {
        let is_name = |name: &str| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        };
        if style.contains(['{', '}']) || !is_name(element.name) {
            return;
        }
        let class = element
            .attribute("class")
            .and_then(|classes| classes.split_ascii_whitespace().next())
            .filter(|class| is_name(class) && !class.starts_with(|c: char| c.is_ascii_digit()));
        match class {
            Some(class) if !matches!(element.name, "html" | "body") => {
                self.add_css(&[element.name, ".", class, "{", style, "}"]);
            }
            _ => self.add_css(&[element.name, "{", style, "}"]),
        }
    }

    fn add_css(&mut self, pieces: &[&str]) {
        let length: usize = pieces.iter().map(|piece| piece.len()).sum();
        let css = &mut self.markup.inline_css;
        if css.len() + length < MAX_CSS {
            for piece in pieces {
                css.push_str(piece);
            }
            css.push('\n');
        }
    }
}

/// What selectors can name an element by.
fn kind_of(element: &Element<'_>) -> String {
    let fits = |mark: &&str| mark.len() <= MAX_MARK;
    let class = element.attribute("class").unwrap_or_default();
    let mut classes: Vec<&str> = class.split_ascii_whitespace().filter(fits).collect();
    classes.sort_unstable();
    classes.dedup();
    let mut kind = element.name.to_owned();
    for class in classes.into_iter().take(MAX_MARKS) {
        kind.push_str(" .");
        kind.push_str(class);
    }
    let id = element.attribute("id").map(str::trim);
    if let Some(id) = id.filter(|id| !id.is_empty() && !id.contains(char::is_whitespace))
        && fits(&id)
    {
        kind.push_str(" #");
        kind.push_str(id);
    }
    kind.to_lowercase()
}

fn inside_drawing(drawing: &mut Drawing, element: &Element<'_>) {
    match element.name {
        "title" if drawing.title.is_none() => {
            drawing.title = Some(String::new());
            drawing.in_title = true;
        }
        "use" => drawing.found.refers = true,
        "path" | "polygon" | "rect" | "circle" | "ellipse" | "polyline" | "line" | "text"
        | "image" => drawing.draws = true,
        _ => {}
    }
}

/// Whether a media query lets a sheet hold on screens in the light scheme.
fn is_for_light_screens(media: &str) -> bool {
    let media = media.to_ascii_lowercase();
    let elsewhere = media.contains("print") && !media.contains("screen") && !media.contains("not");
    !elsewhere && !is_dark(&media)
}

fn is_dark(media: &str) -> bool {
    let media = media.to_ascii_lowercase();
    media
        .split_once("prefers-color-scheme")
        .is_some_and(|(_, value)| {
            value
                .trim_start_matches(|c: char| c == ':' || c.is_whitespace())
                .starts_with("dark")
        })
}

/// The first address of a `srcset`.
fn first_candidate(srcset: &str) -> Option<&str> {
    srcset
        .split_whitespace()
        .next()
        .map(|address| address.trim_end_matches(','))
        .filter(|address| !address.is_empty())
}

fn classes(element: &Element<'_>) -> Option<String> {
    let both = ["class", "id"]
        .into_iter()
        .filter_map(|name| element.attribute(name))
        .collect::<Vec<_>>()
        .join(" ");
    tidy(&both)
}

fn lower(element: &Element<'_>, name: &str) -> String {
    element
        .attribute(name)
        .map(normalize)
        .unwrap_or_default()
        .to_lowercase()
}

fn text_of(element: &Element<'_>, name: &str) -> Option<String> {
    element.attribute(name).and_then(tidy)
}

fn tidy(text: &str) -> Option<String> {
    let text: String = normalize(text).chars().take(MAX_TEXT).collect();
    (!text.is_empty()).then_some(text)
}

fn pixels(element: &Element<'_>, name: &str) -> Option<u32> {
    let value = element.attribute(name)?.trim();
    let value = value.strip_suffix("px").unwrap_or(value);
    value
        .parse()
        .ok()
        .filter(|pixels| (1..=20_000).contains(pixels))
}

fn push<T: PartialEq>(list: &mut Vec<T>, item: T, most: usize) {
    if list.len() < most && !list.contains(&item) {
        list.push(item);
    }
}
