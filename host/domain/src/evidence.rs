//! Evidence: sources, excerpts, the basis of a claim, and the confidence that the host computes (annex A1).
//! Only the rules are here; the engine fetches stored bytes and matches text.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::open_enumeration::open_enumeration;
use crate::{Digest, ReceiptId, Timestamp};

/// How well retained bytes support a value. It says nothing about whether a company's own
/// statement is true.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Inferred from at least one source.
    Low,
    /// One verified third-party excerpt, or computed by the host from bytes.
    Medium,
    /// Stated by a first-party or registry source, or by two independent domains.
    High,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// A source states it.
    Stated,
    /// Visible in a source, but not stated there.
    Observed,
    /// Concluded from sources.
    Inferred,
    /// Provided by the caller.
    Provided,
}

/// The kind of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// The company's own site.
    FirstParty,
    /// An official register.
    Registry,
    /// Press.
    News,
    /// A social network.
    Social,
    /// A marketplace or directory.
    Marketplace,
    CustomerUpload,
    /// Anything else.
    Other,
}

/// The connector that fetched a source.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub struct ConnectorRef {
    /// Key of the connector.
    pub key: String,
    /// The connector's version.
    pub version: String,
    /// Digest of the component that fetched the bytes.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    pub component_digest: Digest,
}

/// A passage of the source, found in the text of its stored bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Excerpt {
    /// Stable inside one result.
    #[schema(examples("ex_01"))]
    pub id: String,
    /// Whitespace-normalized NFC text.
    pub text: String,
    /// First code point in the text extracted from the bytes.
    pub text_start: u64,
    /// Code point after the last.
    pub text_end: u64,
    /// Always true in a finished result: what fails verification is dropped.
    pub verified: bool,
}

/// A document that values of the result rest on, with the excerpts that were found in its stored bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Source {
    /// Stable inside one result.
    #[schema(examples("src_01"))]
    pub id: String,
    /// URL that was asked for.
    pub url: String,
    /// URL of the document after redirects.
    pub final_url: String,
    /// Kind of source.
    #[schema(value_type = String, extensions(("x-extensible-enum" = json!(open_enumeration::<SourceKind>()))))]
    pub kind: SourceKind,
    /// Publisher if known.
    #[schema(required)]
    pub publisher: Option<String>,
    /// Title if known.
    #[schema(required)]
    pub title: Option<String>,
    /// Language tag if known.
    #[schema(required)]
    pub language: Option<String>,
    /// When the bytes arrived.
    #[schema(value_type = String, format = DateTime)]
    pub retrieved_at: Timestamp,
    /// Publication date as the page itself states it.
    #[schema(required)]
    pub published_at: Option<String>,
    /// Media type.
    #[schema(required)]
    pub content_type: Option<String>,
    /// Number of bytes.
    pub bytes: u64,
    /// Digest of exactly the bytes received.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    pub content_digest: Digest,
    /// The connector that fetched them.
    #[schema(inline)]
    pub connector: ConnectorRef,
    /// The receipt of the exchange that brought them.
    #[schema(value_type = String, pattern = "^rcp_")]
    pub receipt_id: ReceiptId,
    /// Excerpts that values cite.
    #[schema(inline)]
    pub excerpts: Vec<Excerpt>,
}

/// The evidence behind one value of the result. The host computes the confidence from the retained bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FieldBasis {
    /// JSON Pointer (RFC 6901) into the result.
    pub pointer: String,
    /// How well the sources support the value.
    #[schema(inline, required)]
    pub confidence: Option<Confidence>,
    /// Where the value comes from.
    #[schema(inline)]
    pub basis: Basis,
    /// The reasoning, in one sentence.
    #[schema(required)]
    pub reasoning: Option<String>,
    /// Sources that support the value.
    pub source_ids: Vec<String>,
    /// Excerpts that support the value.
    pub excerpt_ids: Vec<String>,
}

/// Why a value of a result is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnknownReason {
    /// No source of the job says anything about it.
    NotFound,
    /// A value was drafted, but the stored sources did not support it.
    Unverified,
    /// Sources contradict one another.
    Conflicting,
    /// The source that would contain it may not be read.
    Blocked,
    /// The job's budget was exhausted first.
    Budget,
}

/// A value that a result does not have, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Unknown {
    /// JSON Pointer (RFC 6901) into the result. For an element that was left out of an array, it points to
    /// the array.
    pub pointer: String,
    /// Why the value is not known.
    #[schema(inline)]
    pub reason: UnknownReason,
}

/// A verified piece of support for a claim, reduced to what confidence depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Support<'a> {
    pub kind: SourceKind,
    pub domain: &'a str,
    /// Whether a verified excerpt of that source supports the claim.
    pub excerpt: bool,
}

/// The confidence of a claim (annex A1), or `None` if nothing supports it and it must be dropped.
#[must_use]
pub fn confidence(basis: Basis, support: &[Support<'_>]) -> Option<Confidence> {
    let excerpts: Vec<_> = support.iter().filter(|s| s.excerpt).collect();
    match basis {
        Basis::Provided => Some(Confidence::High),
        Basis::Stated | Basis::Observed if !excerpts.is_empty() => {
            let own = excerpts
                .iter()
                .any(|s| matches!(s.kind, SourceKind::FirstParty | SourceKind::Registry));
            let mut domains: Vec<_> = excerpts.iter().map(|s| s.domain).collect();
            domains.sort_unstable();
            domains.dedup();
            if basis == Basis::Stated && (own || domains.len() >= 2) {
                Some(Confidence::High)
            } else {
                Some(Confidence::Medium)
            }
        }
        // Values that the host itself computes from bytes never take this path, so a backend's observation
        // without an excerpt is an inference.
        Basis::Observed | Basis::Inferred if !support.is_empty() => Some(Confidence::Low),
        Basis::Stated | Basis::Observed | Basis::Inferred => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn support(kind: SourceKind, domain: &str, excerpt: bool) -> Support<'_> {
        Support {
            kind,
            domain,
            excerpt,
        }
    }

    #[test]
    fn the_annex_table() {
        use Basis::*;
        use SourceKind::*;
        let own = support(FirstParty, "a.example", true);
        let news = support(News, "n.example", true);
        let blog = support(Other, "b.example", true);
        let silent = support(FirstParty, "a.example", false);
        let cases: &[(Basis, &[Support<'_>], Option<Confidence>)] = &[
            (Stated, std::slice::from_ref(&own), Some(Confidence::High)),
            (
                Stated,
                std::slice::from_ref(&news),
                Some(Confidence::Medium),
            ),
            (
                Stated,
                &[news.clone(), news.clone()],
                Some(Confidence::Medium),
            ),
            (Stated, &[news.clone(), blog], Some(Confidence::High)),
            (Stated, std::slice::from_ref(&silent), None),
            (Stated, &[], None),
            (
                Observed,
                std::slice::from_ref(&own),
                Some(Confidence::Medium),
            ),
            (
                Observed,
                std::slice::from_ref(&silent),
                Some(Confidence::Low),
            ),
            (
                Inferred,
                std::slice::from_ref(&silent),
                Some(Confidence::Low),
            ),
            (Inferred, std::slice::from_ref(&own), Some(Confidence::Low)),
            (Inferred, &[], None),
        ];
        for (basis, support, want) in cases {
            assert_eq!(confidence(*basis, support), *want, "{basis:?} {support:?}");
        }
    }
}
