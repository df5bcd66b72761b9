//! Who says a part of a filled message: the template's author, the caller who signs it, the policy.

use gtm_domain::message::Placeholder;

use super::passage::Source;

/// Whether it is what the template's author wrote, or what the caller wrote of the ask and of the sender: nobody else
/// looked at that.
pub(super) const fn is_written(source: Source) -> bool {
    source.is_own()
        || is_signing(source)
        || matches!(source, Source::Value(Placeholder::NextStepAsk))
}

/// Whether it is read for wording: what [`is_written`] has, and the hook, which whoever imports it may word freely.
pub(super) const fn is_worded(source: Source) -> bool {
    is_written(source) || is_hook(source)
}

/// Whether it is the sentence that says why this recipient is written to.
pub(super) const fn is_hook(source: Source) -> bool {
    matches!(source, Source::Value(Placeholder::EvidenceHook))
}

/// Whether the caller says in it who writes. DANGER: it stands outside of the letter, where a name, a role or the lines
/// of an address may hold anything.
pub(super) const fn is_signing(source: Source) -> bool {
    use Placeholder::{CompliancePostalIdentity, SenderRole};
    is_name(source) || matches!(source, Source::Value(CompliancePostalIdentity | SenderRole))
}

/// Whether praise is looked for in it. A name such as `Best Meters` is none.
pub(super) const fn is_praising(source: Source) -> bool {
    use Placeholder::{NextStepAsk, SenderRole};
    source.is_own() || is_hook(source) || matches!(source, Source::Value(NextStepAsk | SenderRole))
}

/// Whether it is a name of the sender.
pub(super) const fn is_name(source: Source) -> bool {
    use Placeholder::{SenderFullName, SenderOrganization};
    matches!(source, Source::Value(SenderFullName | SenderOrganization))
}

/// Whether it is the text of the policy.
pub(super) const fn is_notice(source: Source) -> bool {
    use Placeholder::{ComplianceOptOut, CompliancePrivacyNotice};
    matches!(
        source,
        Source::Value(ComplianceOptOut | CompliancePrivacyNotice)
    )
}
