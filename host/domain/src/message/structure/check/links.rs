//! The links of a structure: how many there are, and where they lead.

use super::{Checker, Line};
use crate::message::link::HttpsAddress;
use crate::message::placeholder::{Placeholder, ValueKind};
use crate::message::structure::{Block, Href, Inline};

impl Checker {
    pub(super) fn href(&mut self, href: &Href, at: &str, line: Line) {
        match href {
            Href::Https(text) if has_token(text) => self.fault(
                format!("{at}/https"),
                "token_in_link",
                "A link must not contain a placeholder or braces, which would go out as they stand; a link leads to a fixed address, or to offer.url or next_step.url.",
            ),
            Href::Https(text) => {
                if let Err(fault) = HttpsAddress::read(text) {
                    self.fault(
                        format!("{at}/https"),
                        fault.rule(),
                        format!("The link {fault}."),
                    );
                }
            }
            Href::Var(name) => {
                let at = format!("{at}/var");
                let Some(placeholder) = self.listed(name, &at) else {
                    return;
                };
                if placeholder.kind() != ValueKind::HttpsUrl {
                    self.fault(
                        &at,
                        "placeholder_not_allowed",
                        "A link leads to offer.url or next_step.url.",
                    );
                }
                self.may_miss(placeholder, &at, line);
            }
        }
    }

    /// Counts each block as the longer of itself and its fallback.
    pub(super) fn links(&mut self, blocks: &[Block], most: u32) {
        let mut count = 0;
        for (index, block) in blocks.iter().enumerate() {
            let before = count;
            count += links(&block.inlines).max(links(&block.fallback));
            let most = most as usize;
            if before <= most && count > most {
                self.fault(
                    format!("/blocks/{index}/inlines"),
                    "too_many_links",
                    format!("With this block there are more than {most} links."),
                );
            }
        }
    }
}

fn links(inlines: &[Inline]) -> usize {
    let is_link = |inline: &&Inline| match inline {
        Inline::Text { .. } => false,
        Inline::Link { .. } => true,
        // It is shown as a link.
        Inline::Var { name } => Placeholder::from_name(name)
            .is_some_and(|placeholder| placeholder.kind() == ValueKind::HttpsUrl),
    };
    inlines.iter().filter(is_link).count()
}

/// Whether an address has braces, plain or percent-encoded, which no address has but around what somebody meant to fill.
fn has_token(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    ["{", "}", "%7b", "%7d"]
        .iter()
        .any(|brace| lower.contains(brace))
}

/// Where a link leads, if that is fixed.
pub(super) fn target(href: &Href) -> Option<HttpsAddress> {
    match href {
        Href::Https(text) => HttpsAddress::read(text).ok(),
        Href::Var(_) => None,
    }
}
