//! What the classes of elements say of their texts: `review-text`, `author`.

use gtm_lexicon::class_names::{BODY_TEXT, CREDITS, QUOTATIONS};

use super::scan::Element;

/// What the class of an element says of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// What somebody says.
    Says,
    /// A whole card with what somebody says.
    Card,
    /// Who says so, and where.
    Credit,
}

/// The role that an element's class names.
pub(super) fn role_of(element: &Element<'_>) -> Option<Role> {
    let class = element.attribute("class")?.to_ascii_lowercase();
    let mut role = None;
    for name in class.split_ascii_whitespace() {
        let words = || {
            let words = name.split(|c: char| !c.is_alphanumeric());
            words.filter(|word| !word.is_empty())
        };
        if words()
            .next_back()
            .is_some_and(|word| CREDITS.contains(word))
        {
            return Some(Role::Credit);
        }
        let quotes = words().any(|word| QUOTATIONS.contains(word));
        if quotes
            && words()
                .next_back()
                .is_some_and(|word| BODY_TEXT.contains(word))
        {
            role = Some(Role::Says);
        } else if words().count() == 1 && quotes && role.is_none() {
            role = Some(if element.name == "p" {
                Role::Says
            } else {
                Role::Card
            });
        }
    }
    role
}
