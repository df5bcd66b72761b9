//! The values that fill a template: which may be given, which must be, and what form they have.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain_name::DomainName;
use crate::json_pointer;
use crate::message::characters::{clean, is_seen};
use crate::message::link::HttpsAddress;
use crate::message::placeholder::{Placeholder, ValueKind, not_listed};
use crate::message::rendered::MessageFault;
use crate::message::structure::{Href, Inline, Structure};

/// A value that is there, cleaned and trimmed.
#[derive(Debug, Clone)]
pub(super) enum FilledValue {
    Text(String),
    Link(HttpsAddress),
}

pub(super) type Values = BTreeMap<Placeholder, FilledValue>;

/// Longest part of an e-mail address before its @ (RFC 5321, section 4.5.3.1.1).
const LOCAL_PART_CHARS: usize = 64;

/// Reads the values for a structure.
pub(super) fn read(
    structure: &Structure,
    given: &BTreeMap<String, String>,
) -> Result<Values, Vec<MessageFault>> {
    let used = used(structure);
    let mut values = Values::new();
    let mut faults = Vec::new();
    for (name, value) in given {
        let at = json_pointer::below("/values", name);
        let Some(placeholder) = Placeholder::from_name(name) else {
            faults.push(MessageFault::new(
                at,
                "placeholder_not_allowed",
                not_listed(name),
            ));
            continue;
        };
        if !used.contains(&placeholder) {
            faults.push(MessageFault::new(
                at,
                "placeholder_not_declared",
                "The template has no such placeholder.",
            ));
            continue;
        }
        match filled(placeholder, value) {
            Ok(Some(value)) => {
                values.insert(placeholder, value);
            }
            Ok(None) => {}
            Err((rule, message)) => faults.push(MessageFault::new(at, rule, message)),
        }
    }
    for placeholder in used {
        let name = placeholder.name();
        let refused = faults.iter().any(|fault| fault.pointer == pointer(name));
        if placeholder.is_required() && !values.contains_key(&placeholder) && !refused {
            faults.push(MessageFault::new(
                pointer(name),
                "required_value_missing",
                format!("The template cannot be filled without {name}."),
            ));
        }
    }
    if faults.is_empty() {
        Ok(values)
    } else {
        Err(faults)
    }
}

fn pointer(name: &str) -> String {
    json_pointer::below("/values", name)
}

fn used(structure: &Structure) -> BTreeSet<Placeholder> {
    let blocks = structure.blocks.iter();
    let of_blocks = blocks.flat_map(|block| block.inlines.iter().chain(&block.fallback));
    let all = structure.subject.iter().chain(&structure.preview_text);
    let names = all.chain(of_blocks).filter_map(|inline| match inline {
        Inline::Var { name }
        | Inline::Link {
            href: Href::Var(name),
            ..
        } => Some(name),
        Inline::Text { .. } | Inline::Link { .. } => None,
    });
    names
        .filter_map(|name| Placeholder::from_name(name))
        .collect()
}

/// The value in its form; nothing if it is blank.
fn filled(
    placeholder: Placeholder,
    given: &str,
) -> Result<Option<FilledValue>, (&'static str, String)> {
    let cleaned = clean(given);
    let text = cleaned.trim();
    if !is_seen(text) {
        return Ok(None);
    }
    let name = placeholder.name();
    let most = placeholder.max_chars();
    let chars = text.chars().count();
    if chars > most {
        return Err((
            "value_too_long",
            format!("The value of {name} has {chars} characters; it may have {most}."),
        ));
    }
    match placeholder.kind() {
        ValueKind::HttpsUrl => match HttpsAddress::read(text) {
            Ok(address) => return Ok(Some(FilledValue::Link(address))),
            Err(fault) => return Err((fault.rule(), format!("The value of {name} {fault}."))),
        },
        ValueKind::AddrSpec if !is_addr_spec(text) => {
            return Err((
                "value_not_an_address",
                format!("The value of {name} must be an e-mail address without a display name."),
            ));
        }
        ValueKind::Date if !is_date(text) => {
            return Err((
                "value_not_a_date",
                format!("The value of {name} must be a date such as 2026-03-01."),
            ));
        }
        ValueKind::Name
        | ValueKind::Text
        | ValueKind::Sentence
        | ValueKind::AddrSpec
        | ValueKind::Date => {}
    }
    Ok(Some(FilledValue::Text(text.to_owned())))
}

/// Whether it is an address in the form that every mail program reads (RFC 5322, section 3.4.1, without quotes and
/// comments).
fn is_addr_spec(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let is_atom = |atom: &str| {
        !atom.is_empty()
            && atom
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c))
    };
    local.len() <= LOCAL_PART_CHARS
        && local.split('.').all(is_atom)
        && domain.is_ascii()
        && domain.parse::<DomainName>().is_ok()
}

/// Whether it is a full date of RFC 3339.
fn is_date(text: &str) -> bool {
    let form = text.len() == 10 && text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    form && text.parse::<jiff::civil::Date>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_plain() {
        for text in [
            "a@b.example",
            "first.last+tag@mail.b.example",
            "o'n@b.example",
        ] {
            assert!(is_addr_spec(text), "{text}");
        }
        let long = format!("{}@b.example", "a".repeat(65));
        for text in [
            "",
            "a",
            "@b.example",
            "a@",
            "a@b",
            "a b@b.example",
            "A <a@b.example>",
            "\"a\"@b.example",
            "a..b@b.example",
            "a@b@c.example",
            "a@bücher.example",
            "a@b.example,c@d.example",
            &long,
        ] {
            assert!(!is_addr_spec(text), "{text}");
        }
    }

    #[test]
    fn dates_are_whole() {
        assert!(is_date("2026-02-28"));
        for text in [
            "2026-02-30",
            "20260228",
            "2026-2-28",
            "March 2026",
            "2026-W10-1",
        ] {
            assert!(!is_date(text), "{text}");
        }
    }
}
