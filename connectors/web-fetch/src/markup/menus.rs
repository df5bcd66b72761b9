//! Entries of menus that have further ones below them: `Services` over `Roofs` and `Gutters`.

use gtm_page_text::normalize;

/// Longest text of such an entry, in characters; a longer one is a text with a list.
const LONGEST: usize = 60;

/// The open items of lists.
#[derive(Debug, Default)]
pub(super) struct Menus {
    items: Vec<Item>,
}

#[derive(Debug, Default)]
struct Item {
    /// The text before anything stands below it.
    label: String,
    /// Whether what follows stands below the label.
    is_closed: bool,
}

impl Menus {
    pub(super) fn start(&mut self, name: &str) {
        match (name, self.items.last_mut()) {
            ("li", _) => self.items.push(Item::default()),
            // What wraps the label itself comes before its text.
            ("ul" | "ol" | "menu" | "div" | "nav" | "section", Some(item)) => {
                item.is_closed |= !item.label.trim().is_empty();
            }
            _ => {}
        }
    }

    pub(super) fn end(&mut self, name: &str) {
        if name == "li" {
            self.items.pop();
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        if let Some(item) = self.items.last_mut().filter(|item| !item.is_closed) {
            let room = (LONGEST + 1).saturating_sub(item.label.chars().count());
            item.label.extend(normalize(text).chars().take(room));
            item.label.push(' ');
        }
    }

    /// The text of the entry below which a link stands that begins here.
    pub(super) fn above(&self) -> Option<String> {
        let closed = self.items.last().filter(|item| item.is_closed);
        let outer = self.items.iter().rev().nth(1);
        let label = normalize(&closed.or(outer)?.label);
        (1..=LONGEST)
            .contains(&label.chars().count())
            .then_some(label)
    }
}
