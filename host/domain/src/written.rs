//! Reads JSON objects that a person wrote in a file, an offer or candidates to import, and says of everything that
//! is wrong where it stands. What the members mean is known to whoever reads them.

use serde_json::{Map, Value};

use crate::json_pointer;
use crate::message::characters::is_refused;

/// An object of the file, and where it stands.
#[derive(Clone, Copy)]
pub struct Part<'v> {
    pub members: &'v Map<String, Value>,
    /// RFC 6901 pointer to it.
    pub at: &'v str,
}

impl<'v> Part<'v> {
    /// A member that is given, with its pointer. Null means the same as nothing.
    pub fn given(&self, name: &str) -> Option<(&'v Value, String)> {
        let value = self.members.get(name).filter(|value| !value.is_null())?;
        Some((value, self.pointer(name)))
    }

    pub fn pointer(&self, name: &str) -> String {
        json_pointer::below(self.at, name)
    }
}

/// A reader that collects what is wrong.
pub trait Written {
    /// Notes a fault. The message is the end of a sentence that begins with the pointer.
    fn fault(&mut self, pointer: impl Into<String>, message: impl Into<String>);

    /// An object with no members but these.
    fn object<'v>(&mut self, value: &'v Value, at: &'v str, names: &[&str]) -> Option<Part<'v>> {
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

    /// A text of one line and at most so many characters, in which nothing hides or reverses what it says.
    fn line(&mut self, value: &Value, at: &str, most: usize) -> Option<String> {
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

    /// A member of that kind.
    fn text(&mut self, part: Part<'_>, name: &str, most: usize) -> Option<String> {
        let (value, at) = part.given(name)?;
        self.line(value, &at, most)
    }

    /// A member of that kind, which must be given.
    fn required(&mut self, part: Part<'_>, name: &str, most: usize) -> Option<String> {
        if part.given(name).is_none() {
            self.fault(part.pointer(name), "is required");
        }
        self.text(part, name, most)
    }
}
