//! Which parts of a filled message make a forbidden claim.

use std::ops::Range;

use gtm_domain::message::Placeholder;

use super::super::MessageToCheck;
use super::super::filled::Filled;
use super::super::mailbox_line::MailboxLine;
use super::super::passage::{Passage, Source};
use super::super::said_by::is_notice;
use crate::forbidden::ForbiddenClaims;

/// Found once for all languages in which a message is read.
pub(super) struct Claimed {
    /// For each paragraph.
    pub paragraphs: Vec<bool>,
    /// For subject and preview text.
    pub shown_first: [bool; 2],
    /// Whether these two make one together.
    pub across: bool,
}

impl Claimed {
    pub(super) fn of(message: &MessageToCheck<'_>, filled: &Filled) -> Self {
        let of_request = message.options.forbidden_claims.as_slice();
        let forbidden = ForbiddenClaims::of(&[of_request, message.offer.forbidden_claims]);
        let names = Names::of(message);
        let claims = |passage: &Passage| forbidden.first_in(&names.without_them(passage)).is_some();
        let paragraphs = filled.paragraphs.iter();
        let line = MailboxLine::of(&filled.subject, &filled.preview);
        Self {
            paragraphs: paragraphs.map(|it| claims(&it.passage)).collect(),
            shown_first: [&filled.subject, &filled.preview].map(claims),
            across: line.is_some_and(|line| line.claim(&forbidden).is_some()),
        }
    }
}

/// What the recipient, the company and the sites are called to which a message may link. A company called `RiskFree Ltd`
/// promises nothing.
struct Names(Vec<String>);

impl Names {
    fn of(message: &MessageToCheck<'_>) -> Self {
        use Placeholder::{CompanyName, RecipientFirstName, RecipientFullName};
        let of_recipient = [CompanyName, RecipientFullName, RecipientFirstName];
        let of_recipient = of_recipient
            .iter()
            .filter_map(|it| message.values.get(it.name()));
        let names = of_recipient.chain(message.own_sites);
        let mut names: Vec<String> = names.filter(|it| !it.trim().is_empty()).cloned().collect();
        // Whatever has another one in it goes first.
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        Self(names)
    }

    /// What a passage may claim something with: all but the policy's notice, which says nothing of the offer, and, in what the
    /// template's author did not write, the names.
    fn without_them(&self, passage: &Passage) -> String {
        let mut text = passage.without(is_notice);
        for name in &self.0 {
            let places: Vec<Range<usize>> = text
                .match_indices(name.as_str())
                .map(|(at, found)| at..at + found.len())
                .filter(|place| is_whole(&text, place) && !is_own(passage, place))
                .collect();
            for place in places {
                let blank = " ".repeat(place.len());
                text.replace_range(place, &blank);
            }
        }
        text
    }
}

fn is_whole(text: &str, place: &Range<usize>) -> bool {
    let before = text.get(..place.start).unwrap_or_default();
    let behind = text.get(place.end..).unwrap_or_default();
    !before.ends_with(char::is_alphanumeric) && !behind.starts_with(char::is_alphanumeric)
}

fn is_own(passage: &Passage, place: &Range<usize>) -> bool {
    passage.source_at(place.start).is_some_and(Source::is_own)
}
