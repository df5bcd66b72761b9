//! The actions that the audit log records (annex A15).

/// Defines each action once: variant, name and meaning.
macro_rules! actions {
    ($($variant:ident = $name:literal: $meaning:literal;)*) => {
        /// An action, `<resource>.<past participle>`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum AuditAction {
            $(#[doc = $meaning] $variant,)*
        }

        impl AuditAction {
            /// All actions, grouped by resource.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Name in the log, such as `api_key.created`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// What the action means, for people.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => $meaning,)*
                }
            }
        }
    };
}

actions! {
    OrganizationCreated = "organization.created": "An organization was made.";
    OrganizationUpdated = "organization.updated": "Tier, billing or name of an organization changed.";
    OrganizationArchived = "organization.archived": "An organization was archived with all its projects.";
    OrganizationCapabilityEnabled = "organization.capability_enabled": "A capability was enabled for an organization.";
    OrganizationCapabilityDisabled = "organization.capability_disabled": "A capability was disabled for an organization.";
    ProjectCreated = "project.created": "A project was made.";
    ProjectArchived = "project.archived": "A project was archived; its queued jobs were canceled.";
    ApiKeyCreated = "api_key.created": "A key was made.";
    ApiKeyUpdated = "api_key.updated": "Name, scopes, addresses or expiry of a key changed.";
    ApiKeyRotated = "api_key.rotated": "A key was replaced and ends after an overlap.";
    ApiKeyRevoked = "api_key.revoked": "A key was ended.";
    CreditGranted = "credit.granted": "Prepaid credit was added.";
    CreditRevoked = "credit.revoked": "Prepaid credit was taken back.";
    LimitSet = "limit.set": "A budget, quota or cap was set.";
    LimitCleared = "limit.cleared": "A budget, quota or cap was taken away.";
    ConnectionCreated = "connection.created": "A connection to a provider was made.";
    ConnectionUpdated = "connection.updated": "Settings or credentials of a connection changed.";
    ConnectionChecked = "connection.checked": "A connection was verified with its provider.";
    ConnectionDisabled = "connection.disabled": "A connection was switched off.";
    ConnectionEnabled = "connection.enabled": "A connection was switched on again.";
    BindingCreated = "binding.created": "A capability was bound.";
    BindingUpdated = "binding.updated": "A binding leads elsewhere or has other settings.";
    BindingStartUrlsChanged = "binding.start_urls_changed": "Research of some domains begins elsewhere; before and after are the hashes of the whole list.";
    BindingDeleted = "binding.deleted": "A binding was taken away.";
    PluginAdded = "plugin.added": "A package was seen for the first time.";
    PluginApproved = "plugin.approved": "A version that may do more than the one before it was approved.";
    PluginTransferred = "plugin.transferred": "A plug-in went to another publisher.";
    KeyRingRotated = "key_ring.rotated": "A new master key is in use.";
    KeyRingResealed = "key_ring.resealed": "Stored credentials were sealed with the newest master key.";
    BrandCreated = "brand.created": "A brand was made.";
    BrandArchived = "brand.archived": "A brand was archived.";
    BrandUnarchived = "brand.unarchived": "A brand is active again.";
    BrandMadeDefault = "brand.made_default": "A brand became its organization's default.";
    BrandDefaultRequested = "brand.default_requested": "A brand is to become its organization's default with its first guideline.";
    BrandDefaultCleared = "brand.default_cleared": "An organization has no default brand any more.";
    BrandReviewed = "brand.reviewed": "A guideline was reviewed; before and after are its hashes.";
    OfferCreated = "offer.created": "An offer was made, as a draft; after is the hash of its revision.";
    OfferRevised = "offer.revised": "An offer got another revision, as a draft; before and after are the hashes of the revisions.";
    OfferApproved = "offer.approved": "A revision of an offer was approved; before and after are the hashes of the approved revisions.";
    OfferArchived = "offer.archived": "An offer was archived for good.";
    DocumentTemplateAdded = "document_template.added": "A template of documents was registered; before and after are the digests of the files.";
    DocumentTemplateRemoved = "document_template.removed": "A template of documents is not used any more; before is the digest of its file.";
    ProspectsImported = "prospecting_job.imported": "Candidates were imported as a job; after is the hash of the file.";
    ProspectingAnswerErased = "prospecting_job.answer_erased": "What a search for people received was erased, because a person in it asked for it.";
    ProspectQualified = "prospect.qualified": "A candidate was accepted or rejected; before and after are the hashes of the decisions.";
    ProspectAddressShown = "prospect.address_shown": "An operator read the address of a candidate in clear.";
    ProspectErased = "prospect.erased": "A candidate was erased with its evidence.";
    MessageErased = "prospect_message.erased": "The text of a message was erased, because the person whom it was written to asked for it.";
    OutcomesRecorded = "outcome_ledger.recorded": "Outcomes were entered; before and after are the hashes of the last entries.";
    DoNotContactAdded = "do_not_contact.added": "The platform's list of whom nobody writes to got entries; after is the hash of them.";
    PolicyAllowed = "policy.allowed": "A policy with its evaluator was put on the allow-list.";
    PolicyRevoked = "policy.revoked": "A policy was taken off the allow-list.";
    JobCreated = "job.created": "A job was accepted.";
    JobCanceled = "job.canceled": "A job was canceled before it ran.";
    JobCancelRequested = "job.cancel_requested": "A running job was asked to end.";
    JobSettled = "job.settled": "What was missing of the end of a job was written.";
    JobExpired = "job.expired": "The data of a job was removed by retention.";
    MessageTemplateRevisionCreated = "message_template_revision.created": "A reviewed revision of a message template was stored; after is its hash.";
    CompanyDossierSpecificationCreated = "company_dossier_specification.created": "A company dossier specification was made.";
    ProviderCallReconciled = "provider_call.reconciled": "The cost of a call with a lost answer was settled.";
    AuditChainBegun = "audit_chain.begun": "A chain of this log began.";
}

impl AuditAction {
    /// The kind of resource that the action applies to: the word before the dot.
    #[must_use]
    pub fn resource(self) -> &'static str {
        let name = self.as_str();
        name.split_once('.').map_or(name, |(noun, _)| noun)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operators' reference lists exactly these actions, with these meanings.
    #[test]
    fn the_documentation_lists_every_action() {
        let page = include_str!("../../../../docs/audit-log.md");
        let listed: Vec<&str> = page
            .lines()
            .filter(|line| line.starts_with("| `"))
            .filter(|line| {
                line.contains('.') && line.split('`').nth(1).is_some_and(|n| n.contains('.'))
            })
            .collect();
        let known: Vec<String> = AuditAction::ALL
            .iter()
            .map(|action| format!("| `{}` | {} |", action.as_str(), action.meaning()))
            .collect();
        assert_eq!(listed, known);
    }
}
