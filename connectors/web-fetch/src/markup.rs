//! What a page says besides its text: title, metadata, JSON-LD and links.

mod actions;
mod menus;

use std::collections::{BTreeMap, HashMap};

use gtm_page_text::html::{Element, PageHead, Place, Visitor, resolve, scan};
use gtm_page_text::{Region, normalize};
use gtm_sdk::Value;
use url::Url;

pub(crate) use self::actions::Action;
use self::actions::{Actions, Opens};
use self::menus::Menus;

/// Limits that keep the output within the host's, for any page.
const MAX_LINKS: usize = 2000;
/// Maximum number of texts that one address is listed with.
const MAX_LINK_TEXTS: usize = 8;
const MAX_METADATA: usize = 100;
const MAX_METADATA_CHARS: usize = 2000;
const MAX_JSON_LD: usize = 50;
/// JSON parsers stop at a depth of 128; the output adds some levels of its own.
const MAX_JSON_LD_DEPTH: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) url: Url,
    pub(crate) text: String,
    pub(crate) rel: Option<String>,
    pub(crate) navigation: bool,
    /// Whether its class calls it a button.
    pub(crate) button: bool,
    /// The text of the menu's entry below which it stands.
    pub(crate) under: Option<String>,
}

/// What a page says besides its text. Empty for anything that is not HTML.
#[derive(Debug, Default)]
pub(crate) struct Markup {
    pub(crate) title: Option<String>,
    /// The `lang` attribute of the root element.
    pub(crate) language: Option<String>,
    pub(crate) metadata: BTreeMap<String, String>,
    pub(crate) json_ld: Vec<Value>,
    pub(crate) links: Vec<Link>,
    /// Links that open no other page.
    pub(crate) actions: Vec<Action>,
}

impl Markup {
    /// Reads the HTML found at `url`.
    pub(crate) fn read(html: &str, url: &Url) -> Self {
        let mut reader = Reader {
            markup: Self::default(),
            head: PageHead::at(url),
            title: None,
            page: url.clone(),
            link: None,
            link_label: None,
            known_links: HashMap::new(),
            actions: Actions::default(),
            menus: Menus::default(),
        };
        scan(html, &mut reader);
        reader.finish_link();
        reader.markup.actions = reader.actions.finish();
        reader.markup.language = reader.head.language().map(str::to_owned);
        reader.markup
    }
}

struct Reader {
    markup: Markup,
    head: PageHead,
    /// The text of the title element being read.
    title: Option<String>,
    page: Url,
    link: Option<Link>,
    /// The name of the open link if it has no text.
    link_label: Option<String>,
    /// Where in the list a URL is already, once for each of its texts.
    known_links: HashMap<String, Vec<usize>>,
    actions: Actions,
    menus: Menus,
}

impl Visitor for Reader {
    fn start(&mut self, element: &Element<'_>, place: &Place) {
        self.head.start(element);
        if element.has_end && !place.hidden {
            self.menus.start(element.name);
        }
        match element.name {
            "title" if self.markup.title.is_none() => self.title = Some(String::new()),
            "meta" => self.metadata(element),
            "a" | "area" => self.start_link(element, place),
            "img" => {
                // A link around an image takes the image's name.
                if let (Some(link), Some(text)) = (&mut self.link, element.attribute("alt")) {
                    link.text.push(' ');
                    link.text.push_str(text);
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str, place: &Place) {
        if !place.hidden {
            self.menus.end(name);
        }
        match name {
            "title" => self.finish_title(),
            "script" => {
                let data = self.head.end(name);
                data.into_iter().for_each(|data| self.json_ld(data));
            }
            "a" => self.finish_link(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str, place: &Place) {
        if self.head.text(text) {
            return;
        }
        if let Some(title) = &mut self.title {
            title.push_str(text);
        } else if let Some(link) = &mut self.link
            && !place.hidden
        {
            link.text.push_str(text);
        }
        if !place.hidden {
            self.menus.text(text);
            self.actions.text(text);
        }
    }
}

impl Reader {
    fn metadata(&mut self, element: &Element<'_>) {
        let name = ["property", "name", "itemprop", "http-equiv"]
            .into_iter()
            .find_map(|attribute| element.attribute(attribute))
            .map(|name| normalize(name).to_lowercase());
        let content = element.attribute("content").map(normalize);
        if let (Some(name), Some(content)) = (name, content)
            && !name.is_empty()
            && name.len() <= 100
            && !content.is_empty()
            && self.markup.metadata.len() < MAX_METADATA
        {
            let content: String = content.chars().take(MAX_METADATA_CHARS).collect();
            self.markup.metadata.entry(name).or_insert(content);
        }
    }

    fn start_link(&mut self, element: &Element<'_>, place: &Place) {
        self.finish_link();
        let Some(href) = element.attribute("href") else {
            return;
        };
        if place.hidden {
            return;
        }
        // A header that is a plain `div` navigates too.
        let navigation = place.region == Region::Boilerplate || place.in_header;
        if let Some(opens) = Opens::of(self.head.base(), &self.page, href) {
            self.actions.start(opens, navigation);
        }
        // A link within the page does not lead anywhere else.
        if href.trim().starts_with('#') {
            return;
        }
        let Some(url) = resolve(self.head.base(), href) else {
            return;
        };
        self.link = Some(Link {
            url,
            text: String::new(),
            rel: element
                .attribute("rel")
                .map(normalize)
                .filter(|rel| !rel.is_empty()),
            navigation,
            button: is_button(element),
            under: self.menus.above().filter(|_| navigation),
        });
        self.link_label = ["aria-label", "title", "alt"]
            .into_iter()
            .find_map(|attribute| element.attribute(attribute))
            .map(str::to_owned);
        if element.name == "area" {
            self.finish_link();
        }
    }

    fn finish_link(&mut self) {
        self.actions.end();
        let Some(mut link) = self.link.take() else {
            return;
        };
        let label = self.link_label.take().unwrap_or_default();
        link.text = [link.text, label]
            .iter()
            .map(|text| normalize(text))
            .find(|text| !text.is_empty())
            .map(|text| text.chars().take(300).collect())
            .unwrap_or_default();
        let known = self.known_links.entry(link.url.to_string()).or_default();
        // One address may have one text in the navigation and another in a call to action.
        let same = known.iter().copied().find(|index| {
            self.markup.links.get(*index).is_some_and(|other| {
                other.text == link.text || other.text.is_empty() || link.text.is_empty()
            })
        });
        match same {
            Some(index) => {
                if let Some(other) = self.markup.links.get_mut(index) {
                    if other.text.is_empty() {
                        other.text = link.text;
                    }
                    other.navigation &= link.navigation;
                    other.button |= link.button;
                    if other.under.is_none() {
                        other.under = link.under;
                    }
                }
            }
            None if self.markup.links.len() < MAX_LINKS && known.len() < MAX_LINK_TEXTS => {
                known.push(self.markup.links.len());
                self.markup.links.push(link);
            }
            None => {}
        }
    }

    fn finish_title(&mut self) {
        if let Some(text) = self.title.take() {
            let title: String = normalize(&text).chars().take(500).collect();
            self.markup.title = (!title.is_empty()).then_some(title);
        }
    }

    /// Arrays are split into their elements.
    fn json_ld(&mut self, data: Value) {
        let objects = match data {
            Value::Array(items) => items,
            value => vec![value],
        };
        for object in objects {
            if object.is_object()
                && self.markup.json_ld.len() < MAX_JSON_LD
                && is_shallow(&object, MAX_JSON_LD_DEPTH)
            {
                self.markup.json_ld.push(object);
            }
        }
    }
}

/// Words of classes that make a link a button.
const BUTTONS: [&str; 3] = ["btn", "button", "cta"];

/// Whether an element's role or one of its classes says that it is a button: `btn-primary`, `nav__cta`.
fn is_button(element: &Element<'_>) -> bool {
    let class = element.attribute("class").unwrap_or_default();
    let mut words = class.split(|c: char| !c.is_ascii_alphanumeric());
    element.attribute("role") == Some("button")
        || words.any(|word| BUTTONS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

fn is_shallow(value: &Value, depth: usize) -> bool {
    let inside: Vec<&Value> = match value {
        Value::Object(members) => members.values().collect(),
        Value::Array(items) => items.iter().collect(),
        _ => return true,
    };
    depth > 0 && inside.into_iter().all(|value| is_shallow(value, depth - 1))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(html: &str) -> Markup {
        Markup::read(html, &Url::parse("https://www.x.example/a/b?c").unwrap())
    }

    #[test]
    fn titles_languages_and_metadata_are_read() {
        let markup = read(
            "<html LANG=de-AT><head><title> A &amp;\n B </title><meta name=Description content=' Says  it '>\
             <meta property=og:site_name content=X><meta name=description content=second></head>\
             <svg><title>no</title></svg>",
        );
        assert_eq!(markup.title.as_deref(), Some("A & B"));
        assert_eq!(markup.language.as_deref(), Some("de-AT"));
        assert_eq!(markup.metadata["description"], "Says it");
        assert_eq!(markup.metadata["og:site_name"], "X");
    }

    #[test]
    fn links_are_resolved_named_and_counted_once() {
        let markup = read(
            "<base href=/base/><nav><a href='one#x'> </a></nav><a href=one rel='nofollow  me'>One <b>more</b></a>\
             <a href='mailto:a@b.example'>m</a><a href='#here'>h</a><a href='javascript:x()'>j</a>\
             <a href='//other.example/p'><img alt=Logo></a><a href=hid hidden>no</a><a href=last aria-label=Last>",
        );
        let found: Vec<_> = markup
            .links
            .iter()
            .map(|link| (link.url.as_str(), link.text.as_str(), link.navigation))
            .collect();
        assert_eq!(
            found,
            [
                ("https://www.x.example/base/one", "One more", false),
                ("https://other.example/p", "Logo", false),
                ("https://www.x.example/base/last", "Last", false),
            ]
        );
    }

    #[test]
    fn a_header_by_name_navigates_too() {
        let markup = read(
            "<div id=header><a href=/><img alt=Acme></a><ul class=menu><li><a href=/x>X</a></ul></div><p><a href=/y>Y</a>",
        );
        let found: Vec<_> = markup
            .links
            .iter()
            .map(|link| (link.text.as_str(), link.navigation))
            .collect();
        assert_eq!(found, [("Acme", true), ("X", true), ("Y", false)]);
    }

    #[test]
    fn entries_of_submenus_name_the_entry_above() {
        let markup = read(
            "<nav><ul><li><a href=/>Home</a><li><a href='#s'>Services <i>▾</i></a><ul><li><a href=/roofs>Roofs</a>\
             <li><div><a href=/walls>Walls</a></div></ul><li>Trades<div><a href=/a>A</a></div><li><a href=/b>B</a></ul></nav>\
             <main><ul><li>Rails<ul><li><a href=/c>C</a></ul></ul></main>",
        );
        let found: Vec<_> = markup
            .links
            .iter()
            .map(|link| (link.text.as_str(), link.under.as_deref()))
            .collect();
        assert_eq!(
            found,
            [
                ("Home", None),
                ("Roofs", Some("Services ▾")),
                ("Walls", Some("Services ▾")),
                ("A", Some("Trades")),
                ("B", None),
                ("C", None),
            ]
        );
    }

    #[test]
    fn classes_and_roles_tell_buttons() {
        let markup = read(
            "<nav><a href=/x>X</a><li class=nav__cta><a class='btn btn--small' href=/y>Y</a></li><a class=header-CTA href=/z>Z</a>\
             <a class=buttonless href=/v>V</a><a role=button href=/w>W</a></nav>",
        );
        let buttons = markup.links.iter().filter(|link| link.button);
        let texts: Vec<&str> = buttons.map(|link| link.text.as_str()).collect();
        assert_eq!(texts, ["Y", "Z", "W"]);
        assert!(markup.links.iter().all(|link| link.navigation));
    }

    #[test]
    fn one_address_is_listed_under_each_of_its_texts() {
        let markup = read(
            "<nav><a href=/contact>Contact</a></nav><main><a href=/contact><img src=x></a><a href=/contact>Get a quote</a>\
             <a href=/contact>Get a quote</a><a href=/contact>C</a><a href=/contact>D</a><a href=/contact>E</a><a href=/contact>F</a>\
             <a href=/contact>G</a><a href=/contact>H</a><a href=/contact>I</a></main>",
        );
        let found: Vec<_> = markup
            .links
            .iter()
            .map(|link| (link.text.as_str(), link.navigation))
            .collect();
        assert_eq!(
            found,
            [
                ("Contact", false),
                ("Get a quote", false),
                ("C", false),
                ("D", false),
                ("E", false),
                ("F", false),
                ("G", false),
                ("H", false),
            ]
        );
    }

    #[test]
    fn invalid_json_ld_is_left_out() {
        let deep = format!("{}1{}", "{\"a\":".repeat(100), "}".repeat(100));
        let markup = read(&format!(
            "<script type='application/ld+json'>{{bad</script><script type='Application/LD+JSON; charset=utf-8'>\
             [{{\"@type\":\"A\"}},{{\"@type\":\"B\"}},3]</script><script>{{}}</script>\
             <script type='application/ld+json'>{deep}</script>"
        ));
        let types: Vec<_> = markup
            .json_ld
            .iter()
            .map(|object| &object["@type"])
            .collect();
        assert_eq!(types, ["A", "B"]);
    }
}
