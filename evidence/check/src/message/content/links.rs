//! The links of a message, and addresses that are none.

use gtm_domain::message::Placeholder;
use gtm_domain::message::compliance::{CheckKey, ContentCheck};
use gtm_domain::message::page_addresses::leads_only_to;
use serde_json::json;
use url::Url;

use super::super::bare_addresses::{bare_addresses, is_of_link, is_word_of};
use super::super::passage::Source;
use super::super::said_by::is_written;
use super::{Hit, Reader, result};

impl Reader<'_> {
    pub(super) fn link_limit(&self) -> ContentCheck {
        let (links, most) = (
            self.given.message.counts.links,
            self.given.options.max_links,
        );
        let (mut places, mut foreign) = (Vec::new(), Vec::new());
        let mut of_links = 0_usize;
        // DANGER: whoever signs may write another's host for a name, and nobody looked at that before.
        let may_stand = |word: &str| {
            leads_only_to(word, self.given.own_sites) || is_word_of(word, self.given.offer.texts)
        };
        for paragraph in &self.filled.paragraphs {
            let passage = &paragraph.passage;
            let written = (0..passage.parts.len()).filter(|at| is_of_link(passage, *at));
            for part in written.filter_map(|at| passage.parts.get(at)) {
                of_links += 1;
                if self.is_foreign(passage.text.get(part.range.clone())) {
                    foreign.push(Hit::of(self.filled, paragraph, &part.range));
                }
            }
            // The words of a link may be its host, and lead there.
            let is_left_out = |at, source| {
                is_linked(source) || is_of_link(passage, at) || is_of_link(passage, at + 2)
            };
            let bare = bare_addresses(passage, is_left_out, is_written, may_stand);
            places.extend(self.hits(paragraph, &bare));
        }
        for (pointer, line) in self.shown_first() {
            let bare = bare_addresses(line, |_, _| false, is_written, may_stand);
            let bare = bare.into_iter();
            places.extend(bare.map(|range| Hit::of_line(pointer, line, &range)));
        }
        // More of them than there are links: some only look like what a renderer writes.
        let bare = places.len() + of_links.saturating_sub(links);
        let fits = u32::try_from(links).is_ok_and(|links| links <= most);
        let observed = match (bare, foreign.len()) {
            (0, 0) => json!(links),
            (0, foreign) => json!(format!("{links}, of which {foreign} lead to others")),
            (bare, 0) => json!(format!("{links}, and {bare} addresses that are no links")),
            (bare, foreign) => json!(format!(
                "{links}, of which {foreign} lead to others, and {bare} addresses that are no links"
            )),
        };
        let passed = fits && bare == 0 && foreign.is_empty();
        places.extend(foreign);
        places.sort_by_key(Hit::begins_at);
        result(CheckKey::LinkLimit, passed, observed, json!(most), places)
    }

    /// Whether an address leads to a host that is neither the offer's nor the sender's.
    fn is_foreign(&self, address: Option<&str>) -> bool {
        let url = address.and_then(|address| Url::parse(address).ok());
        let host = url.as_ref().and_then(Url::host_str);
        host.is_some_and(|host| self.given.foreign_hosts.iter().any(|it| it == host))
    }
}

/// Whether the renderer makes a link of it, or it is a notice of the policy with its own address.
const fn is_linked(source: Source) -> bool {
    use Placeholder::{ComplianceOptOut, CompliancePrivacyNotice, NextStepUrl, OfferUrl};
    matches!(
        source,
        Source::Value(ComplianceOptOut | CompliancePrivacyNotice | NextStepUrl | OfferUrl)
    )
}
