//! The sentences that callers read about a backend's failure, in the host's words.
//!
//! DANGER: a third party writes a backend's texts, and they may contain anything that the backend saw: the
//! input of a job that other projects see too, a provider's answer, a connector's message. So callers never
//! see them (decision 0055): the code, and a reason from a closed list, select one of these sentences. The
//! operator's log has the backend's text under the job's id.

use gtm_domain::JobErrorCode;

/// The reason for a code, where callers can act on it: the backend names one of these in its detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The company's site is unknown, and no search is bound.
    SiteUnknown,
    /// No search result matches the company.
    SiteNotFound,
    /// The pages read contain nothing that could be cited.
    NothingToCite,
    /// No font of a renderer has most of a document's letters.
    MissingGlyphs,
}

impl Reason {
    const ALL: [Self; 4] = [
        Self::SiteUnknown,
        Self::SiteNotFound,
        Self::NothingToCite,
        Self::MissingGlyphs,
    ];

    /// The value of `details.reason`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SiteUnknown => "site_unknown",
            Self::SiteNotFound => "site_not_found",
            Self::NothingToCite => "nothing_to_cite",
            Self::MissingGlyphs => "missing_glyphs",
        }
    }

    /// The reason with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name)
    }
}

/// The sentence for a backend's failure.
pub const fn of(code: JobErrorCode, reason: Option<Reason>) -> &'static str {
    use JobErrorCode as C;
    match (code, reason) {
        (C::InsufficientEvidence, Some(Reason::SiteUnknown)) => {
            "The company's site is not known: give its address (website_url or target_company_domain), or have a connection bound to web.search."
        }
        (C::InsufficientEvidence, Some(Reason::SiteNotFound)) => {
            "No site was found whose name fits the company: give its address (website_url or target_company_domain)."
        }
        (C::InsufficientEvidence, Some(Reason::NothingToCite)) => {
            "No page that was read says what the company does."
        }
        (C::InsufficientEvidence, _) => "Research found too little to write from.",
        (C::ConnectorNotConfigured, _) => {
            "A capability that the job needs has no usable connection."
        }
        (C::BackendUnavailable, _) => {
            "The generation backend, or the provider behind it, is not available at present."
        }
        (C::BackendTimeout, _) => {
            "The generation backend, or the provider behind it, did not answer in time."
        }
        (C::BackendInvalidResponse, _) => {
            "The provider behind the generation backend returned an unusable answer."
        }
        (C::BackendRefused, _) => {
            "The provider behind the generation backend declined the content."
        }
        (C::ConnectorUnavailable, _) => "A provider could not be reached, or had an error.",
        (C::ConnectorError, _) => "A call of a provider failed.",
        (C::ConnectorInvalidResponse, _) => "A provider's answer could not be used.",
        (C::ConnectorCredentialsRejected, _) => {
            "A provider refused the credentials of its connection."
        }
        (C::SourceFetchFailed, _) => "None of the pages that the job needs could be fetched.",
        (C::SourceNotAllowed, _) => "A page that the job needs may not be fetched.",
        (C::QualityThresholdNotMet, _) => {
            "The generated content did not reach the required quality."
        }
        (C::PlaceholderNotAllowed, _) => "The generated content contains an unknown placeholder.",
        (C::ForbiddenClaim, _) => "The generated content makes a forbidden claim.",
        (C::RenderFailed, Some(Reason::MissingGlyphs)) => {
            "No font has most of the document's letters: ask the operator for one of its script (document_fonts_dir), or ask for another format."
        }
        (C::RenderFailed, _) => "The document could not be rendered.",
        (C::OutputTooLarge, _) => "The output exceeds a size limit.",
        (C::BudgetExceeded, _) => "The generation backend ran out of budget.",
        (C::QuotaExceeded, _) => {
            "A provider's own quota is used up; the provider alone knows when it resets."
        }
        // Any other code is the host's own finding; a backend cannot claim it.
        _ => "The generation backend failed.",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_code_that_a_backend_may_claim_has_a_sentence_of_its_own() {
        let claimable = JobErrorCode::ALL.iter().filter(|code| code.is_backends());
        let sentences: BTreeSet<&str> = claimable.clone().map(|code| of(*code, None)).collect();
        assert_eq!(sentences.len(), claimable.count());
    }

    #[test]
    fn reasons_are_a_closed_list() {
        for reason in Reason::ALL {
            assert_eq!(Reason::parse(reason.as_str()), Some(reason));
        }
        assert_eq!(Reason::parse("the_offer_was_about_tanks"), None);
    }
}
