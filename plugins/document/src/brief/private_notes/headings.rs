//! Headings below which everything is private.

use super::brackets::private_brackets;
use super::labels::{BRACKETS, announces, has_long_label, is_label, is_shouted, label_in};
use super::made_labels::is_made_heading;
use super::orders::{is_ordered_private, is_statement};

/// Whether a heading, or a part of it, is private: then all that stands below it is.
pub fn is_private_heading(text: &str) -> bool {
    let parts = text.replace(" - ", "|");
    let is_sign = |c: char| {
        matches!(c, ':' | '：' | '|' | '｜' | '–' | '—')
            || BRACKETS.iter().any(|(begin, end)| c == *begin || c == *end)
    };
    parts.split(is_sign).any(is_label)
        || announces(text)
        || parts.split(is_sign).any(is_made_heading)
        || has_long_label(text)
        || is_shouted(text)
        || !private_brackets(text).is_empty()
        || label_in(text).is_some()
        || is_ordered_private(text)
        || is_statement(text)
}
