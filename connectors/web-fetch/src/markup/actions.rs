//! Links that open no other page but a part of this one, a letter or a telephone. Only their texts are told, never the
//! address or number that they hold.

use std::collections::HashMap;

use gtm_page_text::normalize;
use serde::Serialize;
use url::Url;

/// Maximum number of actions told of one page.
const MAX_ACTIONS: usize = 200;
/// Longest text, and longest name of a part, in characters; what asks the reader to act is shorter.
const MAX_CHARS: usize = 100;
/// Fewest digits of a text that is a telephone number.
const NUMBER_DIGITS: usize = 4;

/// What such a link opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Part,
    Letter,
    Telephone,
}

/// What such a link opens, and the name of the part.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Opens {
    kind: Kind,
    part: Option<String>,
}

impl Opens {
    /// What an address opens, as the page means it; nothing if it leads to another page.
    pub(super) fn of(base: &Url, page: &Url, href: &str) -> Option<Self> {
        let href = href.trim();
        let begins = |scheme: &str| {
            let start = href.get(..scheme.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        };
        let of_kind = |kind| Some(Self { kind, part: None });
        if begins("mailto:") {
            return of_kind(Kind::Letter);
        }
        if begins("tel:") {
            return of_kind(Kind::Telephone);
        }
        if !href.contains('#') {
            return None;
        }
        let url = base.join(href).ok()?;
        let part = url.fragment().filter(|part| !part.is_empty())?;
        let is_here = href.starts_with('#')
            || url.origin() == page.origin() && (url.path() == page.path() || url.path() == "/");
        // A name that holds an address or a number would tell it.
        let is_told = part.chars().count() <= MAX_CHARS && !holds_address(part);
        (is_here && is_told).then(|| Self {
            kind: Kind::Part,
            part: Some(part.to_owned()),
        })
    }
}

/// Whether a text may hold an address of a mailbox, escaped or not, or a telephone number.
fn holds_address(text: &str) -> bool {
    let digits = text.chars().filter(|c| c.is_numeric()).count();
    text.contains('@') || text.contains("%40") || digits >= NUMBER_DIGITS
}

/// A link that opens no other page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Action {
    opens: Kind,
    part: Option<String>,
    text: String,
    navigation: bool,
}

/// The actions of a page as they are read.
#[derive(Debug, Default)]
pub(super) struct Actions {
    /// The link being read.
    open: Option<(Opens, bool, String)>,
    /// Where in the list an action is already.
    known: HashMap<(Opens, String), usize>,
    found: Vec<Action>,
}

impl Actions {
    pub(super) fn start(&mut self, opens: Opens, navigation: bool) {
        self.open = Some((opens, navigation, String::new()));
    }

    pub(super) fn text(&mut self, text: &str) {
        if let Some((.., known)) = &mut self.open {
            // A longer text is dropped anyway.
            if known.len() <= MAX_CHARS * 16 {
                known.push_str(text);
            }
        }
    }

    pub(super) fn end(&mut self) {
        let Some((opens, navigation, text)) = self.open.take() else {
            return;
        };
        let text = normalize(&text);
        let tells_address = opens.kind != Kind::Part && holds_address(&text);
        if text.is_empty() || text.chars().count() > MAX_CHARS || tells_address {
            return;
        }
        let key = (opens, text);
        if let Some(action) = self
            .known
            .get(&key)
            .and_then(|index| self.found.get_mut(*index))
        {
            action.navigation &= navigation;
        } else if self.found.len() < MAX_ACTIONS {
            self.known.insert(key.clone(), self.found.len());
            let (opens, text) = key;
            self.found.push(Action {
                opens: opens.kind,
                part: opens.part,
                text,
                navigation,
            });
        }
    }

    pub(super) fn finish(self) -> Vec<Action> {
        self.found
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use gtm_sdk::{Value, json::json};

    use super::*;
    use crate::markup::Markup;

    fn read(html: &str) -> Value {
        let markup = Markup::read(html, &Url::parse("https://x.example/a?b").unwrap());
        json!(markup.actions)
    }

    #[test]
    fn links_to_parts_letters_and_telephones_are_told_by_their_texts() {
        let found = read(
            "<nav><a href='#team'>Team</a></nav><a href='#contact'>Request a <b>quote</b></a><a href='/#team'>Who we are</a>\
             <a href=' MAILTO:a@x.example'>Write to us</a><a href='tel:+15550100'>Call us now</a>",
        );
        let action = |opens: &str, part: Value, text: &str, navigation: bool| json!({"opens": opens, "part": part, "text": text, "navigation": navigation});
        assert_eq!(
            found,
            json!([
                action("part", json!("team"), "Team", true),
                action("part", json!("contact"), "Request a quote", false),
                action("part", json!("team"), "Who we are", false),
                action("letter", Value::Null, "Write to us", false),
                action("telephone", Value::Null, "Call us now", false),
            ])
        );
    }

    #[test]
    fn addresses_and_other_pages_are_not_told() {
        for html in [
            "<a href='mailto:a@x.example'>a@x.example</a>",
            "<a href='tel:5550100'>Call 555 0100</a>",
            "<a href='tel:5550100' aria-label='555 0100'><img alt='555 0100'></a>",
            "<a href='/b#part'>Other page</a>",
            "<a href='//y.example/#part'>Other site</a>",
            "<a href='#'>Nowhere</a>",
            "<a href='javascript:x()'>Script</a>",
            "<a href='#x' hidden>Hidden</a>",
            "<a href='#sam@x.example'>Sam</a>",
            "<a href='#sam%40x.example'>Sam</a>",
            "<a href='#tel-5550100'>Call</a>",
        ] {
            assert_eq!(read(html), json!([]), "{html}");
        }
    }

    #[test]
    fn the_list_is_bounded() {
        let html: String = (0..2 * MAX_ACTIONS)
            .map(|n| format!("<a href='#p{n}'>Part {n}</a>"))
            .collect();
        assert_eq!(read(&html).as_array().unwrap().len(), MAX_ACTIONS);
        assert_eq!(
            read(&format!("<a href='#p'>{}</a>", "x".repeat(5_000))),
            json!([])
        );
    }
}
