//! The values for a revision's variables: each comes from one place, and what is not there is missing. Nothing is
//! guessed, and no sample ever stands in for a value (`docs/message-gates.md`).

use std::collections::BTreeMap;

use super::characters::{clean, has_letter, is_seen};
use super::directions::has_misleading_mark;
use super::encoded_words::has_encoded_word;
use super::gates::{Facts, allowed_link, privacy_notice_value};
use super::language::is_latin;
use super::letters_apart::has_letters_apart;
use super::lookalikes::{has_lookalikes, has_masked_words};
use super::markup::{has_html, has_markdown};
use super::notices::{demonstration_marker, demonstration_notice};
use super::placeholder::{Placeholder, ValueKind, ValueSource};
use super::prospect_message::{MessageOffer, MessagePurpose, PostalIdentity};
use super::rendered::MessageFault;
use super::revision::Variable;
use crate::policy::OptOutNotice;
use crate::prospecting::EvidenceRecord;

/// What keeps a required variable from being filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum VariableProblem {
    /// There is no value.
    Missing,
    /// There is one that it cannot hold.
    Unsupported,
}

/// A required variable that cannot be filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfilledVariable {
    /// Why.
    pub problem: VariableProblem,
    /// Pointer into the request to what can be mended; `None` where nothing there can.
    pub pointer: Option<String>,
    /// One sentence.
    pub message: String,
}

/// The values for a revision's variables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values {
    /// By name of the placeholder; what is missing is absent.
    pub filled: BTreeMap<String, String>,
    /// Required variables without a fitting value, in the revision's order.
    pub unfilled: Vec<UnfilledVariable>,
    /// The notice with which the body ends; `None` where no policy gave one.
    pub notice: Option<OptOutNotice>,
    /// First words of a preview's subject and first line of its body; `None` for a message to a real person.
    pub marker: Option<String>,
    /// The record that the hook is taken from.
    pub hook: Option<crate::EvidenceId>,
}

/// The values that these facts give.
#[must_use]
pub fn values(facts: &Facts<'_>) -> Values {
    let is_preview = facts.request.purpose == MessagePurpose::Demonstration;
    let language = &facts.revision.language;
    // DANGER: a notice or a mark without a letter is none, whatever the policy calls it.
    let worded = |text: &str| has_letter(&clean(text));
    let notice = match facts.verdict().map(|verdict| &verdict.opt_out) {
        Some(notice) if worded(&notice.text) => Some(notice.clone()),
        _ if is_preview => Some(demonstration_notice(language)),
        _ => None,
    };
    let marker = is_preview.then(|| match facts.verdict() {
        Some(verdict) if worded(&verdict.demonstration_marker) => {
            verdict.demonstration_marker.clone()
        }
        _ => demonstration_marker(language).to_owned(),
    });
    let record = hook_record(facts);
    let mut values = Values {
        notice,
        marker,
        hook: record
            .filter(|record| is_given(record.hook.as_deref()))
            .map(|record| record.id),
        ..Values::default()
    };
    let is_latin = is_latin(language);
    let unread = |variable: &Variable, value: &str| unread_marks(variable, value, is_latin);
    for variable in &facts.revision.variables {
        let value = Placeholder::from_name(&variable.name)
            .and_then(|placeholder| value(facts, placeholder, record, values.notice.as_ref()))
            .filter(|value| is_given(Some(value)));
        match value {
            Some(value) if variable.holds(&value) && unread(variable, &value).is_none() => {
                values.filled.insert(variable.name.clone(), value);
            }
            Some(value) if variable.required => {
                let mut unfilled = unfilled(VariableProblem::Unsupported, variable);
                if let Some(problem) = unread(variable, &value) {
                    unfilled.message = format!("The value for {} {problem}.", variable.name);
                }
                values.unfilled.push(unfilled);
            }
            None if variable.required && !is_the_gates(facts, variable) => {
                let unfilled = unfilled(VariableProblem::Missing, variable);
                values.unfilled.push(unfilled);
            }
            Some(_) | None => {}
        }
    }
    values
}

impl UnfilledVariable {
    /// What a renderer says of values that do not fit.
    #[must_use]
    pub fn of_fault(fault: &MessageFault) -> Self {
        Self {
            problem: VariableProblem::Unsupported,
            pointer: fault
                .pointer
                .strip_prefix("/values/")
                .and_then(Placeholder::from_name)
                .and_then(mended_at)
                .map(str::to_owned),
            message: fault.message.clone(),
        }
    }
}

/// What a value has that a reader would see as it stands, in words that say what to do. What a policy says is its own.
/// `is_latin`: whether the message is written in Latin letters.
fn unread_marks(variable: &Variable, value: &str, is_latin: bool) -> Option<&'static str> {
    let value = &clean(value);
    if has_placeholder(value) {
        return Some(
            "has a placeholder in braces that nobody filled; write out what it stands for",
        );
    }
    // An address is read by programs, whatever signs it has.
    if variable.kind == ValueKind::HttpsUrl {
        return None;
    }
    // A policy's text has the address of the notice in it, and stands in no head of a mail.
    if variable.source != ValueSource::Policy && has_encoded_word(value) {
        return Some(
            "has an encoded word of mail (=?charset?Q?…?=), of which mail programs would show other words; write it in plain letters",
        );
    }
    if has_lookalikes(value) || (is_latin && has_masked_words(value)) {
        return Some(
            "has a word with letters of another script that look like Latin ones, or in circles or squares; write it with plain letters",
        );
    }
    // The initials of a person or a company may be many: `K R M S Reddy`.
    let is_name = matches!(
        variable.source,
        ValueSource::Prospect | ValueSource::Company
    );
    if !is_name && has_letters_apart(value) {
        return Some(
            "has a word that is written letter by letter; write it without what stands between them",
        );
    }
    if has_misleading_mark(value) {
        return Some(
            "has a mark of direction that serves no letter from the right, or parts a number, so that readers see another order; leave it out",
        );
    }
    let is_the_policys = variable.source == ValueSource::Policy;
    if !is_the_policys && has_html(value) {
        return Some(
            "has tags or entities of HTML, which the message would show as they stand; write plain words",
        );
    }
    (!is_the_policys && has_markdown(value)).then_some(
        "has marks of Markdown, which the message would show as they stand; leave them out",
    )
}

/// Whether a value came out of another template unfilled. A person would be greeted as `{{first_name}}`.
#[must_use]
pub(crate) fn has_placeholder(value: &str) -> bool {
    value
        .split_once("{{")
        .is_some_and(|(_, rest)| rest.contains("}}"))
}

fn is_given(text: Option<&str>) -> bool {
    text.is_some_and(is_seen)
}

/// Whether the gate of the allow-list says already why the variable is empty.
fn is_the_gates(facts: &Facts<'_>, variable: &Variable) -> bool {
    facts.loaded.is_none() && variable.name == Placeholder::ComplianceOptOut.name()
}

fn unfilled(problem: VariableProblem, variable: &Variable) -> UnfilledVariable {
    let pointer = Placeholder::from_name(&variable.name).and_then(mended_at);
    let name = &variable.name;
    let message = match problem {
        VariableProblem::Missing => {
            format!("There is no value for {name}, which the template needs.")
        }
        VariableProblem::Unsupported => format!(
            "The value for {name} has more than the {} characters that the template has room for.",
            variable.max_length
        ),
    };
    UnfilledVariable {
        problem,
        pointer: pointer.map(str::to_owned),
        message,
    }
}

/// The member of the request that another value can come from.
#[must_use]
pub const fn mended_at(placeholder: Placeholder) -> Option<&'static str> {
    use Placeholder as P;
    Some(match placeholder {
        P::RecipientFirstName
        | P::RecipientFullName
        | P::RecipientRole
        | P::CompanyName
        | P::CompanyIndustry
        | P::CompanyLocation => "/prospect_id",
        P::EvidenceHook | P::EvidenceSourceLabel | P::EvidenceObservedOn => {
            "/evidence/personalization_evidence_ids"
        }
        P::OfferName | P::OfferValueProposition | P::OfferProofPoint | P::OfferUrl => "/offer",
        P::NextStepAsk => "/next_step/ask",
        P::NextStepUrl => "/next_step/url",
        P::SenderFullName => "/sender/full_name",
        P::SenderRole => "/sender/role",
        P::SenderOrganization => "/sender/organization",
        P::SenderReplyEmail => "/reply/email",
        P::CompliancePostalIdentity => "/postal_identity",
        P::CompliancePrivacyNotice => "/privacy_notice",
        P::ComplianceOptOut => "/policy",
    })
}

/// The first cited record of this prospect that has a hook, or else the first one.
fn hook_record<'f>(facts: &Facts<'f>) -> Option<&'f EvidenceRecord> {
    let cited = &facts.request.evidence.personalization_evidence_ids;
    let records = || cited.iter().filter_map(|id| facts.record(*id));
    records()
        .find(|record| is_given(record.hook.as_deref()))
        .or_else(|| records().next())
}

fn value(
    facts: &Facts<'_>,
    placeholder: Placeholder,
    record: Option<&EvidenceRecord>,
    notice: Option<&OptOutNotice>,
) -> Option<String> {
    use Placeholder as P;
    let request = facts.request;
    let person = facts.candidate.map(|candidate| &candidate.person);
    let company = facts.candidate.map(|candidate| &candidate.company);
    let offer = facts.offer_content;
    match placeholder {
        P::RecipientFirstName => person?.first_name.clone(),
        P::RecipientFullName => person?.full_name.clone(),
        P::RecipientRole => person?.role.clone(),
        P::CompanyName => company?.name.clone(),
        P::CompanyIndustry => company?.industry.clone(),
        P::CompanyLocation => company?.location.clone(),
        P::EvidenceHook => record?.hook.clone(),
        P::EvidenceSourceLabel => record?.source_label.clone(),
        P::EvidenceObservedOn => record?.observed_on.clone(),
        P::OfferName => offer.map(|offer| offer.name.clone()),
        P::OfferValueProposition => match &request.offer {
            MessageOffer::Summary { .. } => facts.revision.offer.summary.clone(),
            MessageOffer::Offer { .. } => {
                offer?.value_propositions.first().map(|it| it.text.clone())
            }
        },
        P::OfferProofPoint => offer?.proof_points.first().map(|it| it.text.clone()),
        P::OfferUrl => offer?.url.clone(),
        P::NextStepAsk => Some(request.next_step.ask.clone()),
        P::NextStepUrl => allowed_link(facts).map(str::to_owned),
        P::SenderFullName => Some(request.sender.full_name.clone()),
        P::SenderRole => Some(request.sender.role.clone()),
        P::SenderOrganization => Some(request.sender.organization.clone()),
        P::SenderReplyEmail => Some(request.reply.email.clone()),
        P::CompliancePostalIdentity => {
            let country = facts.sender_country?;
            Some(postal_identity(&request.postal_identity, country))
        }
        P::CompliancePrivacyNotice => privacy_notice_value(facts),
        P::ComplianceOptOut => notice.map(|notice| notice.text.clone()),
    }
}

fn caseless(text: &str) -> String {
    text.trim().to_lowercase()
}

/// The postal identity in one line. `country` is the country's English short name.
#[must_use]
pub fn postal_identity(postal: &PostalIdentity, country: &str) -> String {
    let lines = postal.address_lines.iter().map(String::as_str);
    // Who copies the lines of a letterhead has the name in them as well.
    let organization = caseless(&postal.organization);
    let lines = lines.filter(|line| caseless(line) != organization);
    let parts = std::iter::once(postal.organization.as_str())
        .chain(lines)
        .chain([postal.locality.as_str()])
        .chain(postal.region.as_deref())
        .chain([postal.postal_code.as_str(), country]);
    let given: Vec<&str> = parts.map(str::trim).filter(|part| is_seen(part)).collect();
    given.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_no_marks_to_read() {
        let marks = |kind: ValueKind, value: &str| {
            let variable = Variable {
                name: "next_step.url".to_owned(),
                kind,
                max_length: 200,
                required: true,
                source: ValueSource::Caller,
            };
            unread_marks(&variable, value, true).is_some()
        };
        let mixed = "https://kontor.example/R\u{435}";
        assert!(!marks(ValueKind::HttpsUrl, mixed));
        assert!(marks(ValueKind::Text, mixed));
        assert!(marks(ValueKind::HttpsUrl, "https://kontor.example/{{id}}"));
        assert!(!marks(
            ValueKind::HttpsUrl,
            "https://kontor.example/f-r-e-e"
        ));
        assert!(marks(ValueKind::Text, "It is f r e e"));
        assert!(marks(ValueKind::Text, "\u{13d4}\u{13a2}\u{13e6} now"));
        let encoded = "=?us-ascii?Q?Re:_your_order?=";
        assert!(marks(ValueKind::Text, encoded));
        assert!(!marks(ValueKind::HttpsUrl, "https://kontor.example/?a=?b"));
    }
}
