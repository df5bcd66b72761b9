//! Reads the values of a file: texts without links, choices and instants.

use serde::Serialize;

use super::Reader;
use crate::Timestamp;
use crate::message::directions::has_misleading_mark;
use crate::message::encoded_words::has_encoded_word;
use crate::message::markup::{has_html, has_markdown};
use crate::message::page_addresses::has_address;
use crate::message::values::has_placeholder;
use crate::written::{Part, Written};

/// Longest RFC 3339 instant that is worth reading.
const INSTANT_CHARS: usize = 40;

impl Reader {
    /// A text that may come to stand in a message. DANGER: mail programs make a link of the address of a page, and a
    /// message that has one beside its own links is refused.
    pub(in crate::prospecting::import) fn without_links(
        &mut self,
        part: Part<'_>,
        name: &str,
        most: usize,
    ) -> Option<String> {
        let text = self.text(part, name, most)?;
        if has_address(&text) {
            self.fault(
                part.pointer(name),
                "must not contain the address of a page, of which mail programs make a link; write what the page is called",
            );
            return None;
        }
        if has_placeholder(&text) {
            self.fault(
                part.pointer(name),
                "must not contain a placeholder in braces, which nobody filled; write out what it stands for",
            );
            return None;
        }
        if has_encoded_word(&text) {
            self.fault(
                part.pointer(name),
                "must not contain an encoded word of mail (=?charset?Q?…?=), of which mail programs show other words; write it in plain letters",
            );
            return None;
        }
        if has_markdown(&text) {
            self.fault(
                part.pointer(name),
                "must not contain marks of Markdown, which a message would show as they stand",
            );
            return None;
        }
        if has_html(&text) {
            self.fault(
                part.pointer(name),
                "must not contain tags or entities of HTML, which a message would show as they stand; write plain words",
            );
            return None;
        }
        if has_misleading_mark(&text) {
            self.fault(
                part.pointer(name),
                "must not contain a mark of direction that serves no letter from the right, or parts a number",
            );
            return None;
        }
        Some(text)
    }

    /// True, false, or nothing.
    pub(in crate::prospecting::import) fn flag(
        &mut self,
        part: Part<'_>,
        name: &str,
    ) -> Option<bool> {
        let (value, at) = part.given(name)?;
        if value.as_bool().is_none() {
            self.fault(at, "must be true or false");
        }
        value.as_bool()
    }

    /// One of these values, by the name that it is serialized as.
    pub(in crate::prospecting::import) fn choice<T: Copy + Serialize>(
        &mut self,
        part: Part<'_>,
        name: &str,
        all: &[T],
    ) -> Option<T> {
        self.choice_or(part, name, all, "")
    }

    /// The same, with what to do where none of them is right.
    pub(in crate::prospecting::import) fn choice_or<T: Copy + Serialize>(
        &mut self,
        part: Part<'_>,
        name: &str,
        all: &[T],
        otherwise: &str,
    ) -> Option<T> {
        let (value, at) = part.given(name)?;
        let named = |one: &T| serde_json::to_value(one).unwrap_or_default();
        let found = all.iter().find(|one| named(one) == *value);
        if found.is_none() {
            let names: Vec<String> = all
                .iter()
                .filter_map(|one| Some(named(one).as_str()?.to_owned()))
                .collect();
            self.fault(
                at,
                format!("must be one of {}{otherwise}", names.join(", ")),
            );
        }
        found.copied()
    }

    pub(in crate::prospecting::import) fn required_choice<T: Copy + Serialize>(
        &mut self,
        part: Part<'_>,
        name: &str,
        all: &[T],
    ) -> Option<T> {
        if part.given(name).is_none() {
            self.fault(part.pointer(name), "is required");
        }
        self.choice(part, name, all)
    }

    /// An instant in milliseconds, as answers show it.
    pub(in crate::prospecting::import) fn instant(
        &mut self,
        part: Part<'_>,
        name: &str,
    ) -> Option<Timestamp> {
        let text = self.text(part, name, INSTANT_CHARS)?;
        match text.parse::<Timestamp>() {
            Ok(at) => Some(Timestamp::from_millis(at.millis())),
            Err(_) => {
                self.fault(
                    part.pointer(name),
                    "must be an instant of RFC 3339, such as 2026-11-21T15:00:00Z",
                );
                None
            }
        }
    }

    /// An instant that is not in the future.
    pub(in crate::prospecting::import) fn past_instant(
        &mut self,
        part: Part<'_>,
        name: &str,
    ) -> Option<Timestamp> {
        let at = self.instant(part, name)?;
        if at > self.terms.now {
            self.fault(part.pointer(name), "must not be in the future");
        }
        Some(at)
    }
}
