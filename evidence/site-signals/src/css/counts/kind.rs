//! The part that a property colours, and how central that use is.

use super::super::selector::{Selector, Subject};

/// The part that a property colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Kind {
    Background,
    Text,
    Border,
    Fill,
    Other,
}

impl Kind {
    /// The part that a property colours; `None` if the property takes no colour.
    pub(in super::super) fn of(property: &str) -> Option<Self> {
        Some(match property {
            "color" | "-webkit-text-fill-color" => Self::Text,
            "background" | "background-color" | "background-image" => Self::Background,
            "fill" | "stroke" | "stop-color" => Self::Fill,
            "box-shadow"
            | "text-shadow"
            | "accent-color"
            | "caret-color"
            | "text-decoration"
            | "text-decoration-color"
            | "scrollbar-color" => Self::Other,
            _ if property.starts_with("border")
                || property.starts_with("outline")
                || property.starts_with("column-rule") =>
            {
                Self::Border
            }
            _ => return None,
        })
    }
}

/// How central a use is. A surface is a background with text of its own, such as a panel.
pub(super) fn centrality(kind: Kind, selector: &Selector, surface: bool) -> u32 {
    if selector.is_preset()
        || selector.is_network()
        || selector.is_widget()
        || selector.is_in_message()
    {
        return 0;
    }
    let weight = match (kind, selector.subject()) {
        (_, Subject::Status) => 0,
        (Kind::Other, _) => 1,
        (Kind::Background, Subject::Button) => 8,
        (Kind::Text, Subject::Link | Subject::Heading)
        | (Kind::Text | Kind::Fill, Subject::Logo) => 6,
        (Kind::Background, Subject::Banner) => 4,
        (Kind::Background, Subject::Other) if surface => 4,
        (_, Subject::Button | Subject::Link | Subject::Logo) => 3,
        (_, Subject::Page) => 3,
        (_, Subject::Heading) | (Kind::Background, _) => 2,
        _ => 1,
    };
    if selector.is_state() {
        weight / 2
    } else {
        weight
    }
}
