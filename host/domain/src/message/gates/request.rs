//! The gates of the request: who writes, what is offered, and what is asked for.

use std::collections::BTreeSet;

use super::{Facts, Finding, OfferStanding, PASSED, failed, is_blank};
use crate::domain_name::registrable_domain;
use crate::message::link::HttpsAddress;
use crate::message::prospect_message::{MessageOffer, Sender};
use crate::message::structure::{Href, Inline};
use crate::outcome_ledger::public_mail::is_public_mail_domain;

/// Asks for a sender with a reply address that somebody reads and a postal identity.
pub(super) fn sender(facts: &Facts<'_>) -> Finding {
    let (sender, reply) = (&facts.request.sender, &facts.request.reply);
    let postal = &facts.request.postal_identity;
    let lines = &postal.address_lines;
    let has_lines = !lines.is_empty() && !lines.iter().any(|line| is_blank(line));
    let given = [
        ("/sender/full_name", !is_blank(&sender.full_name)),
        ("/sender/role", !is_blank(&sender.role)),
        ("/sender/organization", !is_blank(&sender.organization)),
        ("/sender/email", !is_blank(&sender.email)),
        ("/reply/email", !is_blank(&reply.email)),
        (
            "/postal_identity/organization",
            !is_blank(&postal.organization),
        ),
        ("/postal_identity/address_lines", has_lines),
        ("/postal_identity/locality", !is_blank(&postal.locality)),
        (
            "/postal_identity/postal_code",
            !is_blank(&postal.postal_code),
        ),
    ];
    if let Some((pointer, _)) = given.into_iter().find(|(_, is_given)| !is_given) {
        return failed("blank", pointer, "This part of the sender says nothing.");
    }
    if !reply.monitored {
        return failed(
            "reply_not_monitored",
            "/reply/monitored",
            "Nobody reads what arrives at the reply address, so nobody could object there.",
        );
    }
    if facts.sender_country.is_none() {
        return failed(
            "country_unknown",
            "/postal_identity/country",
            "There is no country with this code. Codes have two letters (ISO 3166-1), such as GB for the United Kingdom.",
        );
    }
    PASSED
}

/// Asks for the offer that the template was made for, as it is approved now.
pub(super) fn offer(facts: &Facts<'_>) -> Finding {
    const AT: &str = "/offer";
    const OTHER: &str = "The template was made for another offer.";
    let made_for = &facts.revision.offer;
    match &facts.request.offer {
        MessageOffer::Summary { offer_summary } => {
            if is_blank(offer_summary) {
                return failed("blank", AT, "The summary of the offer says nothing.");
            }
            if made_for.summary.as_ref() != Some(offer_summary) {
                return failed("not_of_the_revision", AT, OTHER);
            }
            PASSED
        }
        MessageOffer::Offer { offer_id } => {
            if made_for.offer_id != Some(*offer_id) {
                return failed("not_of_the_revision", AT, OTHER);
            }
            match facts.offer {
                OfferStanding::Archived => failed("archived", AT, "The offer is archived."),
                OfferStanding::NotApproved | OfferStanding::Summary => {
                    failed("not_approved", AT, "No revision of the offer is approved.")
                }
                OfferStanding::Approved { offer_hash } if offer_hash != made_for.offer_hash => {
                    failed(
                        "changed",
                        AT,
                        "Another revision of the offer is approved than the one that the template was made for.",
                    )
                }
                OfferStanding::Approved { .. } => PASSED,
            }
        }
    }
}

/// Asks for one thing that the recipient is to do, and for a link, if any, that leads to the seller.
pub(super) fn next_step(facts: &Facts<'_>) -> Finding {
    let step = &facts.request.next_step;
    if is_blank(&step.ask) {
        return failed("blank", "/next_step/ask", "The next step says nothing.");
    }
    let Some(url) = &step.url else {
        return PASSED;
    };
    let Ok(link) = HttpsAddress::read(url) else {
        return failed(
            "link_malformed",
            "/next_step/url",
            "The link is no https address without user information.",
        );
    };
    if !may_lead_to(facts, link.host()) {
        return failed(
            "link_not_allowed",
            "/next_step/url",
            format!(
                "The link leads neither to a host that the offer allows nor to the sender's domain. {}",
                what_would_allow(facts)
            ),
        );
    }
    PASSED
}

/// The link of the next step, if the message may have it.
#[must_use]
pub fn allowed_link<'f>(facts: &Facts<'f>) -> Option<&'f str> {
    let url = facts.request.next_step.url.as_deref()?;
    let link = HttpsAddress::read(url).ok()?;
    may_lead_to(facts, link.host()).then_some(url)
}

/// Whether the message may show this address: the seller's, by name and without a port, behind which others may answer.
pub(super) fn may_show(facts: &Facts<'_>, link: &HttpsAddress) -> bool {
    may_lead_to(facts, link.host()) && !link.has_number_for_host() && !link.has_port()
}

fn may_lead_to(facts: &Facts<'_>, host: &str) -> bool {
    let of_the_offer = (facts.offer_content)
        .is_some_and(|offer| offer.allowed_link_hosts.iter().any(|it| it == host));
    of_the_offer || is_of_the_sender(&facts.request.sender, host)
}

/// What would let a link lead to where it may not, so that nobody has to guess who holds it back.
pub(super) fn what_would_allow(facts: &Facts<'_>) -> String {
    let offer = match &facts.request.offer {
        MessageOffer::Summary { .. } => {
            "An offer_summary allows no host: approve an offer with the host in its allowed_link_hosts, and make the \
             template for that offer."
        }
        MessageOffer::Offer { .. } => {
            "Approve a revision of the offer with the host in its allowed_link_hosts."
        }
    };
    let sender = match domain_of(&facts.request.sender) {
        Some(_) => "Or write from an address at the domain of the link.",
        None => {
            "Or write from an address at the domain of the link: the one given is at no domain of the sender's own."
        }
    };
    format!("{offer} {sender}")
}

/// The hosts of the template's own links that the message may not lead to, each once.
#[must_use]
pub fn foreign_hosts(facts: &Facts<'_>) -> Vec<String> {
    let blocks = facts.revision.structure.blocks.iter();
    let inlines = blocks.flat_map(|block| block.inlines.iter().chain(&block.fallback));
    let hosts = inlines.filter_map(|inline| match inline {
        Inline::Link {
            href: Href::Https(address),
            ..
        } => Some(HttpsAddress::read(address).ok()?.host().to_owned()),
        _ => None,
    });
    let foreign: BTreeSet<String> = hosts.filter(|host| !may_lead_to(facts, host)).collect();
    foreign.into_iter().collect()
}

/// Where the message may lead in words alone: the offer's hosts, the domain of the sender's address, that of the address for
/// answers, and both addresses themselves.
#[must_use]
pub fn own_sites(facts: &Facts<'_>) -> Vec<String> {
    let offer = facts.offer_content.into_iter();
    let hosts = offer.flat_map(|offer| offer.allowed_link_hosts.iter().cloned());
    let mailboxes = [&facts.request.sender.email, &facts.request.reply.email];
    let own = mailboxes.into_iter().flat_map(|address| {
        let address = address.trim();
        [own_domain(address), Some(address.to_lowercase())]
    });
    hosts.chain(own.flatten()).collect()
}

/// Whether a host belongs to whom the sender's address belongs to.
fn is_of_the_sender(sender: &Sender, host: &str) -> bool {
    let links = registrable_domain(host);
    domain_of(sender).is_some_and(|senders| links == Some(senders.as_str()))
}

/// The domain of the sender's address. Behind a domain where everybody may have a mailbox, the pages are not the sender's.
fn domain_of(sender: &Sender) -> Option<String> {
    own_domain(&sender.email)
}

/// The registrable domain of an address, where not everybody may have a mailbox.
fn own_domain(address: &str) -> Option<String> {
    let (_, domain) = address.rsplit_once('@')?;
    let ascii = idna::domain_to_ascii_strict(domain.trim()).ok()?;
    let is_own = !is_public_mail_domain(&ascii);
    let registrable = registrable_domain(&ascii).filter(|_| is_own);
    registrable.map(str::to_owned)
}
