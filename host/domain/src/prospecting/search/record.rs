//! A person's record in the bytes of a provider's answer: its texts, each with the place where it stands.
//!
//! DANGER: what is shown of a person must stand in retained bytes, and the bytes hold what nobody is to be shown. So
//! an excerpt has the members that say what is shown, and nothing around them.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

/// How deep a record is read.
const MAX_DEPTH: usize = 6;
/// Most steps of a pointer to a record. DANGER: each step reads the rest of the document again.
const MAX_STEPS: usize = 8;
/// Most texts of a record that are read.
const MAX_TEXTS: usize = 2000;

/// A text of a record.
struct Text<'b> {
    /// What it says.
    value: String,
    /// As it is written, with the name before it.
    written: &'b str,
    /// Only what it says, as it is written.
    literal: &'b str,
    /// The lists that it stands in, by where each begins, with the position in it.
    elements: Vec<(usize, usize)>,
}

/// A record's texts, in the order of the bytes.
pub(super) struct Record<'b>(Vec<Text<'b>>);

impl<'b> Record<'b> {
    /// The record that an RFC 6901 pointer leads to in a JSON document, in at most [`MAX_STEPS`]; `None` if there is none.
    pub(super) fn at(document: &'b str, pointer: &str) -> Option<Self> {
        let mut part = serde_json::from_str::<&RawValue>(document).ok()?.get();
        let steps: Vec<&str> = pointer.strip_prefix('/')?.split('/').collect();
        if steps.len() > MAX_STEPS {
            return None;
        }
        for token in steps {
            let token = token.replace("~1", "/").replace("~0", "~");
            part = match members(part) {
                Some(members) => members.get(&token)?.get(),
                None => elements(part)?.get(token.parse::<usize>().ok()?)?.get(),
            };
        }
        members(part)?;
        let mut texts = Vec::new();
        collect(document, part, MAX_DEPTH, &mut Vec::new(), &mut texts);
        Some(Self(texts))
    }

    /// Where the record says exactly this.
    pub(super) fn saying(&self, value: &str) -> Option<usize> {
        self.0.iter().position(|text| text.value == value)
    }

    /// Where the record says exactly this of whom or what the text at another place is about.
    pub(super) fn saying_beside(&self, value: &str, other: usize) -> Option<usize> {
        self.beside(other, |text| text == value)
    }

    /// The first such text that may stand beside another. DANGER: a record may hold a list of people, and a name of one
    /// element belongs to no address of another.
    fn beside(&self, other: usize, is: impl Fn(&str) -> bool) -> Option<usize> {
        let other = self.0.get(other)?;
        let parted = |text: &Text<'_>| {
            let differs = |(list, at): &(usize, usize)| {
                (other.elements.iter()).any(|(of_other, place)| of_other == list && place != at)
            };
            text.elements.iter().any(differs)
        };
        (self.0.iter()).position(|text| is(&text.value) && !parted(text))
    }

    /// Where the record has an address of a site with this host, or the host itself, beside another text.
    pub(super) fn naming_host(&self, host: &str, other: usize) -> Option<usize> {
        self.beside(other, |text| {
            let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
            let own = rest.split(['/', '?', '#']).next().unwrap_or(rest);
            own.eq_ignore_ascii_case(host)
        })
    }

    /// The texts at these places as they are written, one of them under its mask.
    pub(super) fn excerpt(&self, places: &[usize], masked: Option<(usize, &str)>) -> String {
        let mut places = places.to_vec();
        places.sort_unstable();
        places.dedup();
        let parts = places.iter().filter_map(|place| {
            let text = self.0.get(*place)?;
            Some(match masked {
                Some((hidden, mask)) if hidden == *place => {
                    let name = text.written.strip_suffix(text.literal).unwrap_or_default();
                    format!("{name}\"{mask}\"")
                }
                _ => text.written.to_owned(),
            })
        });
        parts.collect::<Vec<_>>().join(" … ")
    }
}

fn members(text: &str) -> Option<BTreeMap<String, &RawValue>> {
    if !text.starts_with('{') {
        return None;
    }
    serde_json::from_str(text).ok()
}

fn elements(text: &str) -> Option<Vec<&RawValue>> {
    serde_json::from_str(text).ok()
}

fn collect<'b>(
    document: &'b str,
    part: &'b str,
    depth: usize,
    within: &mut Vec<(usize, usize)>,
    texts: &mut Vec<Text<'b>>,
) {
    if depth == 0 || texts.len() >= MAX_TEXTS {
        return;
    }
    let raw = |inner: Vec<&'b RawValue>| inner.into_iter().map(RawValue::get).collect::<Vec<_>>();
    if let Some(members) = members(part) {
        let mut inner = raw(members.into_values().collect());
        // A map has them by name.
        inner.sort_by_key(|part| offset(document, part));
        for part in inner {
            collect(document, part, depth - 1, within, texts);
        }
    } else if part.starts_with('[') {
        let list = offset(document, part);
        let inner = raw(elements(part).unwrap_or_default());
        for (position, part) in inner.into_iter().enumerate() {
            within.push((list, position));
            collect(document, part, depth - 1, within, texts);
            within.pop();
        }
    } else {
        texts.extend(text(document, part, within));
    }
}

/// Where a part of the document begins in it.
fn offset(document: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(document.as_ptr() as usize)
}

fn text<'b>(document: &'b str, literal: &'b str, within: &[(usize, usize)]) -> Option<Text<'b>> {
    let value: String = serde_json::from_str(literal).ok()?;
    let start = offset(document, literal);
    let end = start + literal.len();
    let before = document.get(..start)?;
    let named = name_before(before).unwrap_or(start);
    Some(Text {
        value,
        written: document.get(named..end)?,
        literal,
        elements: within.to_vec(),
    })
}

/// Where the name of the member begins whose value begins at the end of this text; `None` for an element of a list.
fn name_before(text: &str) -> Option<usize> {
    let quoted = text.trim_end().strip_suffix(':')?.trim_end();
    let mut rest = quoted.strip_suffix('"')?;
    loop {
        let quote = rest.rfind('"')?;
        let escapes = rest[..quote].bytes().rev().take_while(|b| *b == b'\\');
        if escapes.count() % 2 == 0 {
            return Some(quote);
        }
        rest = &rest[..quote];
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    const ANSWER: &str = r#"{"status": 200, "data": [{"full_name" : "Sam Okafor", "a\"b\\": "x",
        "work_email": "Sam@acme.example", "tel": "+44 1", "site": "https://www.Acme.example/en",
        "also": ["Sam Okafor", {"role": "Chef d\u2019\u00e9quipe"}]}, 3]}"#;

    #[test]
    fn an_excerpt_is_written_as_the_bytes_are_and_hides_the_address() {
        let record = Record::at(ANSWER, "/data/0").unwrap();
        let name = record.saying("Sam Okafor").unwrap();
        let mail = record.saying("Sam@acme.example").unwrap();
        let mask = Some((mail, "s***@acme.example"));
        assert_eq!(
            record.excerpt(&[mail, name, mail], mask),
            r#""full_name" : "Sam Okafor" … "work_email": "s***@acme.example""#
        );
        let role = record.saying("Chef d\u{2019}\u{e9}quipe").unwrap();
        assert_eq!(
            record.excerpt(&[role], None),
            r#""role": "Chef d\u2019\u00e9quipe""#
        );
        let odd = record.saying("x").unwrap();
        assert_eq!(record.excerpt(&[odd], None), r#""a\"b\\": "x""#);
        assert!(record.naming_host("www.acme.example", mail).is_some());
        assert!(record.naming_host("acme.example", mail).is_none());
        assert!(record.saying("sam okafor").is_none());
    }

    #[test]
    fn what_is_no_record_is_none() {
        for pointer in [
            "", "/", "/data", "/data/1", "/data/2", "/data/x", "/status", "data/0",
        ] {
            assert!(Record::at(ANSWER, pointer).is_none(), "{pointer}");
        }
        assert!(Record::at(&ANSWER[..60], "/data/0").is_none());
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(Record::at(&deep, "/0").is_none());
        for (steps, is_read) in [(MAX_STEPS, true), (MAX_STEPS + 1, false)] {
            let nested = format!("{}{{}}{}", "[".repeat(steps), "]".repeat(steps));
            assert_eq!(Record::at(&nested, &"/0".repeat(steps)).is_some(), is_read);
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[{}\\[\\]\":,\\\\a0 ]{0,60}", pointer in "(/[a0~1]{0,3}){0,3}") {
            let _ = Record::at(&text, &pointer);
        }
    }
}
