//! Filters which facts of a backend's failure reach callers.
//!
//! DANGER: third parties write backends, and providers' answers pass through them, so a detail could leak
//! any text. A caller therefore receives only members listed here for the error's code, and only values too
//! narrow to carry an answer: numbers, ids of receipts, short lower-case words, and reasons from a closed
//! list.

use gtm_domain::{JobErrorCode, ReceiptId};
use serde_json::{Map, Value};

use crate::failure_messages::Reason;

/// Maximum length of a word in bytes.
const WORD_BYTES: usize = 64;

/// The form that a member's value must have.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// A whole number, not negative.
    Count,
    HttpStatus,
    /// A code, a capability or a field, checked by [`is_word`].
    Word,
    /// The id of one of the job's receipts.
    Receipt,
    Reason,
}

impl Form {
    fn fits(self, value: &Value) -> bool {
        let whole = value.as_u64();
        let text = value.as_str();
        match self {
            Self::Count => whole.is_some(),
            Self::HttpStatus => whole.is_some_and(|status| (100..=599).contains(&status)),
            Self::Word => text.is_some_and(is_word),
            Self::Receipt => text.is_some_and(|id| id.parse::<ReceiptId>().is_ok()),
            Self::Reason => text.is_some_and(|name| Reason::parse(name).is_some()),
        }
    }
}

/// Members about a provider call.
const CALL: &[(&str, Form)] = &[
    ("capability", Form::Word),
    ("status", Form::HttpStatus),
    ("provider_code", Form::Word),
    ("failure_code", Form::Word),
    ("receipt_id", Form::Receipt),
];
/// Members about the results of research.
const RESEARCH: &[(&str, Form)] = &[
    ("reason", Form::Reason),
    ("failure_code", Form::Word),
    ("pages", Form::Count),
    ("receipt_id", Form::Receipt),
    ("status", Form::HttpStatus),
];
/// Members about a draft that was insufficient.
const DRAFT: &[(&str, Form)] = &[
    ("attempts", Form::Count),
    ("max", Form::Count),
    ("field", Form::Word),
];

/// Members about a file that could not be made.
const FILE: &[(&str, Form)] = &[
    ("reason", Form::Reason),
    ("attempts", Form::Count),
    ("max", Form::Count),
    ("field", Form::Word),
];

const fn members(code: JobErrorCode) -> &'static [(&'static str, Form)] {
    use JobErrorCode as C;
    match code {
        C::ConnectorNotConfigured
        | C::BackendUnavailable
        | C::BackendTimeout
        | C::BackendError
        | C::BackendInvalidResponse
        | C::BackendRefused
        | C::ConnectorUnavailable
        | C::ConnectorError
        | C::ConnectorInvalidResponse
        | C::ConnectorCredentialsRejected
        | C::BudgetExceeded
        | C::QuotaExceeded => CALL,
        C::InsufficientEvidence | C::SourceFetchFailed | C::SourceNotAllowed => RESEARCH,
        C::QualityThresholdNotMet
        | C::PlaceholderNotAllowed
        | C::ForbiddenClaim
        | C::OutputTooLarge => DRAFT,
        C::RenderFailed => FILE,
        // The host's own findings, which have details of their own.
        C::BackendNotConfigured
        | C::RendererNotConfigured
        | C::PluginTrapped
        | C::PluginLimitExceeded
        | C::PluginEgressDenied
        | C::PluginContractViolation
        | C::PluginUnavailable
        | C::ProviderOutcomeUnknown
        | C::InsufficientCredits
        | C::GuidelineUnavailable
        | C::DeadlineExceeded
        | C::SettlementFailed
        | C::InternalError => &[],
    }
}

/// The members of a backend's detail that callers may see with this code.
pub fn known(code: JobErrorCode, detail: Option<&Value>) -> Map<String, Value> {
    let given = |name: &str| detail?.as_object()?.get(name);
    members(code)
        .iter()
        .filter_map(|(name, form)| {
            let value = given(name).filter(|value| form.fits(value))?;
            Some(((*name).to_owned(), value.clone()))
        })
        .collect()
}

/// Whether a text is a machine-readable word, such as `http_502`, `web.fetch` or `no-store`.
pub fn is_word(text: &str) -> bool {
    let begins = text.starts_with(|c: char| c.is_ascii_lowercase());
    let rest = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b);
    begins && text.len() <= WORD_BYTES && text.bytes().all(rest)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn each_code_has_its_own_members() {
        let all = json!({"status": 404, "pages": 3, "attempts": 2, "capability": "web.fetch"});
        let of = |code| Value::Object(known(code, Some(&all)));
        assert_eq!(
            of(JobErrorCode::BackendError),
            json!({"status": 404, "capability": "web.fetch"})
        );
        assert_eq!(
            of(JobErrorCode::InsufficientEvidence),
            json!({"status": 404, "pages": 3})
        );
        assert_eq!(of(JobErrorCode::RenderFailed), json!({"attempts": 2}));
        assert_eq!(of(JobErrorCode::InternalError), json!({}));
        assert!(known(JobErrorCode::BackendError, Some(&json!([1]))).is_empty());
    }

    proptest! {
        #[test]
        fn no_text_with_a_space_or_a_capital_passes(text in "\\PC{0,80}", code in 0..JobErrorCode::ALL.len()) {
            let detail = json!({"capability": text, "provider_code": text, "field": text,
                "failure_code": text, "reason": text, "status": text, "pages": text, "receipt_id": text});
            for (name, value) in known(JobErrorCode::ALL[code], Some(&detail)) {
                let value = value.as_str().unwrap();
                let word = is_word(value) || value.parse::<ReceiptId>().is_ok();
                prop_assert!(word && value.len() <= WORD_BYTES, "{}: {}", name, value);
            }
        }
    }
}
