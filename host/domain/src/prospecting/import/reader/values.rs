//! Reads the values of a file: objects, texts, choices and instants.

use serde::Serialize;
use serde_json::Value;

use super::{Part, Reader};
use crate::message::characters::is_refused;
use crate::message::page_addresses::has_address;
use crate::{Timestamp, json_pointer};

/// Longest RFC 3339 instant that is worth reading.
const INSTANT_CHARS: usize = 40;

impl Reader {
    pub(in crate::prospecting::import) fn object<'v>(
        &mut self,
        value: &'v Value,
        at: &'v str,
        names: &[&str],
    ) -> Option<Part<'v>> {
        let Some(members) = value.as_object() else {
            self.fault(
                at,
                format!("must be an object with members such as {}", names[0]),
            );
            return None;
        };
        for name in members
            .keys()
            .filter(|name| !names.contains(&name.as_str()))
        {
            self.fault(
                json_pointer::below(at, name),
                format!("is not known; known are {}", names.join(", ")),
            );
        }
        Some(Part { members, at })
    }

    /// A text of one line, which nothing in it hides or reverses.
    pub(in crate::prospecting::import) fn text(
        &mut self,
        part: Part<'_>,
        name: &str,
        most: usize,
    ) -> Option<String> {
        let (value, at) = part.given(name)?;
        let Some(text) = value.as_str().map(str::trim) else {
            self.fault(at, "must be a text; put it in quotes");
            return None;
        };
        let chars = text.chars().count();
        let fault = if text.is_empty() {
            "must not be blank".to_owned()
        } else if text.contains(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
            "must not contain line breaks or other control characters".to_owned()
        } else if text.contains(is_refused) {
            "must not contain characters that change the direction of text or annotate it"
                .to_owned()
        } else if chars > most {
            format!("must have at most {most} characters, and has {chars}")
        } else {
            return Some(text.to_owned());
        };
        self.fault(at, fault);
        None
    }

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
        Some(text)
    }

    pub(in crate::prospecting::import) fn required(
        &mut self,
        part: Part<'_>,
        name: &str,
        most: usize,
    ) -> Option<String> {
        if part.given(name).is_none() {
            self.fault(part.pointer(name), "is required");
        }
        self.text(part, name, most)
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
        let (value, at) = part.given(name)?;
        let named = |one: &T| serde_json::to_value(one).unwrap_or_default();
        let found = all.iter().find(|one| named(one) == *value);
        if found.is_none() {
            let names: Vec<String> = all
                .iter()
                .filter_map(|one| Some(named(one).as_str()?.to_owned()))
                .collect();
            self.fault(at, format!("must be one of {}", names.join(", ")));
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
