//! Has the text of a message checked against what it must rest on.

use gtm_domain::message::RenderedMessage;
use gtm_domain::message::compliance::{Anchor, ContentCheck};
use gtm_domain::message::gates::{Facts, foreign_hosts, own_sites};
use gtm_domain::message::values::Values;
use gtm_evidence_check::message::{CitedEvidence, MessageToCheck, OfferToRepeat, content_checks};

use crate::offered_words::OfferedWords;

/// What stands for the offer's id where a summary stands for the offer.
const OFFER_SUMMARY: &str = "offer_summary";

/// The ten checks of a message, and what its parts rest on. `text_begins_at`: code points of the body before the text,
/// such as a preview's mark.
pub(super) fn checked(
    facts: &Facts<'_>,
    values: &Values,
    message: &RenderedMessage,
    text_begins_at: usize,
) -> (Vec<ContentCheck>, Vec<Anchor>) {
    let revision = facts.revision;
    let cited = &facts.request.evidence.personalization_evidence_ids;
    let evidence: Vec<CitedEvidence<'_>> = cited
        .iter()
        .filter_map(|id| facts.record(*id))
        .map(|record| CitedEvidence {
            id: record.id,
            excerpt: &record.excerpt,
            hook: record.hook.as_deref(),
            source_label: record.source_label.as_deref(),
            observed_on: record.observed_on.as_deref(),
        })
        .collect();
    let offered = OfferedWords::of(facts.offer_content, revision.offer.summary.as_deref());
    let reference = match revision.offer.offer_id {
        Some(id) => id.to_string(),
        None => OFFER_SUMMARY.to_owned(),
    };
    let recipient: Vec<&str> = facts.candidate.map_or_else(Vec::new, |candidate| {
        let (person, company) = (&candidate.person, &candidate.company);
        let texts = [
            &person.full_name,
            &person.role,
            &company.name,
            &company.industry,
            &company.location,
        ];
        texts.into_iter().flatten().map(String::as_str).collect()
    });
    let notice = values.notice.as_ref().map_or("", |notice| &notice.text);
    content_checks(&MessageToCheck {
        message,
        language: &revision.language,
        options: &revision.options,
        desired_next_step: &revision.desired_next_step,
        evidence: &evidence,
        recipient: &recipient,
        offer: OfferToRepeat {
            reference: &reference,
            texts: &offered.texts,
            forbidden_claims: &offered.forbidden_claims,
        },
        foreign_hosts: &foreign_hosts(facts),
        own_sites: &own_sites(facts),
        values: &values.filled,
        privacy_notice_required: facts
            .verdict()
            .is_some_and(|verdict| verdict.privacy_notice_required),
        opt_out_notice: notice,
        text_begins_at,
    })
}
