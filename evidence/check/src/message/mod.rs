//! What can be told of a message without a model: the deterministic checks of the rubric and the hard failures of a
//! draft ([`assess`]), and the ten content checks of a message to one prospect ([`content_checks`]).
//!
//! DANGER: a backend writes drafts, and whoever creates a reviewed template may paste anything. Neither is believed: a
//! number that nobody approved, a claim that is forbidden, a pretended reply or a made-up deadline fails a draft whatever
//! its points, and fails a message again after it is filled.
//!
//! Lives here: reading a line ([`passage`], [`template`]), finding asks, facts, numbers and wordings in it. The words
//! are the lexicon's; `docs/message-rubric.md` says in plain English what each check looks at. Does not live here: what
//! points are worth and how they add up (`gtm_domain::message::rubric`), which structures are allowed and how they are
//! filled (domain), what a judge decides, and the gates.
//!
//! A language without a list of words has full points for what would be looked up in it, and `observed` says so. What no
//! points outweigh is looked for in the words of English then, and of the language that the text is in ([`text_language`]).

mod amounts;
mod asks;
mod assess;
mod bare_addresses;
mod beside;
mod clauses;
mod contact_numbers;
mod content;
mod dates;
mod facts;
mod filled;
mod hard_failures;
mod lapses;
mod mailbox_line;
mod multiples;
mod notices;
mod numbers;
mod passage;
mod postal_addresses;
mod praise;
mod pretences;
mod reading_grade;
mod readings;
mod results;
mod said_by;
#[cfg(test)]
mod sample_draft;
mod sentences_in_names;
mod signs;
mod stems;
mod strangers;
mod template;
mod text_language;
mod value_lengths;
mod vocabulary;
mod wording;

use std::collections::BTreeMap;

use gtm_domain::EvidenceId;
use gtm_domain::message::compliance::{Anchor, ContentCheck};
use gtm_domain::message::{HardFailure, RenderedMessage, RubricCheck, Structure, TemplateOptions};

pub use assess::{DraftLimits, assess, limits};
pub use content::content_checks;
pub use text_language::{WRONG_LANGUAGE, draft_differs, offer_differs};
pub use value_lengths::usual_words;

/// A draft of a template, with what it is measured by.
#[derive(Debug, Clone, Copy)]
pub struct DraftToScore<'d> {
    /// The text. It keeps the rules of structures: unknown placeholders were refused before.
    pub structure: &'d Structure,
    /// BCP 47 tag of its text.
    pub language: &'d str,
    /// Limits, and what the request forbids to claim.
    pub options: &'d TemplateOptions,
    /// Whom it is written for, in the caller's words.
    pub audience: &'d str,
    /// What it is meant to achieve, in the caller's words.
    pub objective: &'d str,
    /// What the recipient is asked to do, in the caller's words. Its numbers are approved beside the words there.
    pub desired_next_step: &'d str,
    /// What the template may say in its own words: the offer's words, or the summary that stands for it. Their numbers
    /// are approved beside the words there.
    pub approved_texts: &'d [String],
    /// What the offer forbids to claim, beside what `options` forbid.
    pub forbidden_claims: &'d [String],
}

/// What the host can tell of a draft by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// All deterministic checks of the rubric. The judged ones are not among them.
    pub checks: Vec<RubricCheck>,
    /// What fails the draft whatever its points.
    pub hard_failures: Vec<HardFailure>,
    /// Whether all that is claimed of the offer in value and proof rests on something. Where it does not, there is nothing
    /// that a paraphrase could be faithful to.
    pub value_is_founded: bool,
}

/// An evidence record that a message cites for what it says of its recipient.
#[derive(Debug, Clone, Copy)]
pub struct CitedEvidence<'m> {
    pub id: EvidenceId,
    /// Its words.
    pub excerpt: &'m str,
    /// The sentence that was reviewed for messages.
    pub hook: Option<&'m str>,
    /// What the source is called.
    pub source_label: Option<&'m str>,
    /// The day of which it tells, such as `2026-11-21`.
    pub observed_on: Option<&'m str>,
}

/// What a message sells, as far as it may be repeated.
#[derive(Debug, Clone, Copy)]
pub struct OfferToRepeat<'m> {
    /// The offer's id, or `offer_summary` for a summary that stands for one.
    pub reference: &'m str,
    /// Its words. Their numbers may be repeated beside the words there.
    pub texts: &'m [String],
    /// What must not be claimed about it.
    pub forbidden_claims: &'m [String],
}

/// A filled message to one prospect, with what it must rest on.
#[derive(Debug, Clone, Copy)]
pub struct MessageToCheck<'m> {
    /// The filled template.
    pub message: &'m RenderedMessage,
    /// BCP 47 tag of its text.
    pub language: &'m str,
    /// Limits, and what the template forbids to claim.
    pub options: &'m TemplateOptions,
    /// What the template asks for. Its numbers are approved beside the words there.
    pub desired_next_step: &'m str,
    /// The records that the request names for what is said of the recipient. All of them are this prospect's.
    pub evidence: &'m [CitedEvidence<'m>],
    /// What is retained of the recipient and the company besides: names, role, trade, place. A hook may name them.
    pub recipient: &'m [&'m str],
    /// What it sells.
    pub offer: OfferToRepeat<'m>,
    /// Hosts that the template's own links lead to although they are neither the offer's nor the sender's.
    pub foreign_hosts: &'m [String],
    /// Domains and mailboxes of the sender and of the offer, which may stand in the text.
    pub own_sites: &'m [String],
    /// The values that the template was filled with, by placeholder.
    pub values: &'m BTreeMap<String, String>,
    /// Whether the policy wants the message to point to a privacy notice.
    pub privacy_notice_required: bool,
    /// The notice with which the body must end.
    pub opt_out_notice: &'m str,
    /// Code points that stand in the body before the message's text, such as a demonstration marker and the lines behind
    /// it: spans and anchors are places in the body.
    pub text_begins_at: usize,
}

/// Checks in the order of [`CheckKey::ALL`](gtm_domain::message::compliance::CheckKey::ALL), and what the parts of the body rest on, in the order of the body.
pub type CheckedMessage = (Vec<ContentCheck>, Vec<Anchor>);
