//! What a policy answers (`wit/results/policy-verdict.schema.json`).

use serde::Serialize;

use crate::question::LawfulBasis;

/// Whether something is fulfilled, as far as the facts tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// It is.
    Met,
    NotMet,
    /// The facts do not tell.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PolicyVerdict {
    /// Whether the policy covers the recipient's country.
    pub jurisdiction: Finding,
    /// The rule that was applied.
    pub basis_rule: Option<&'static str>,
    /// Whether that rule wants consent before the first message.
    pub opt_in_required: Option<bool>,
    /// Whether the ground is good enough.
    pub basis: Finding,
    /// The ground that is accepted; none unless `basis` is met.
    pub lawful_basis: Option<LawfulBasis>,
    /// Whether an address from this source may be used.
    pub address_source: Finding,
    /// Whether the message must point to a privacy notice.
    pub privacy_notice_required: bool,
    /// The sentence before the address of that notice; ends in a colon.
    pub privacy_notice_text: Option<&'static str>,
    /// The canonical notice on how to object.
    pub opt_out: OptOutNotice,
    /// First words of a subject and first line of a body that is only a demonstration.
    pub demonstration_marker: &'static str,
}

/// The canonical notice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OptOutNotice {
    /// Such as `opt-out-en-1`. Another text gets another id.
    pub notice_id: String,
    /// BCP 47 tag of its text.
    pub language: &'static str,
    /// The text, one paragraph.
    pub text: &'static str,
}
