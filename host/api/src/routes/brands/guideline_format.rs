//! The form in which a guideline is requested (annex A2): JSON, or Markdown by `Accept`.

use gtm_domain::brand::StoredGuideline;
use gtm_domain::guideline::{Guideline, markdown};
use http::{HeaderMap, HeaderValue};

use crate::error::ApiError;
use crate::media_range::Accepted;

/// The form of a guideline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuidelineFormat {
    Json,
    /// A rendering for people.
    Markdown,
}

impl GuidelineFormat {
    /// The form that the caller prefers; JSON if both or neither are equally welcome.
    pub fn wanted(headers: &HeaderMap) -> Self {
        let accepted = Accepted::of(headers);
        let markdown = accepted.quality(&["text/markdown", "text/*", "*/*"]);
        if markdown > accepted.quality(&["application/json", "application/*", "*/*"]) {
            Self::Markdown
        } else {
            Self::Json
        }
    }

    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Markdown => "text/markdown; charset=utf-8",
        }
    }

    /// The entity tag: the hash, marked so that a cache of both forms can tell them apart.
    pub fn tag(self, stored: &StoredGuideline) -> HeaderValue {
        let form = match self {
            Self::Json => "",
            Self::Markdown => "+markdown",
        };
        // A digest is visible ASCII without quotes.
        HeaderValue::try_from(format!("\"{}{form}\"", stored.revision.hash))
            .unwrap_or(HeaderValue::from_static("\"\""))
    }

    /// Renders the guideline.
    ///
    /// # Errors
    /// 500 if the stored document is not a guideline of this version.
    pub fn render(self, stored: &StoredGuideline) -> Result<Vec<u8>, ApiError> {
        match self {
            Self::Json => {
                serde_json::to_vec(&stored.document).map_err(|cause| ApiError::internal(&cause))
            }
            Self::Markdown => Guideline::read(&stored.document)
                .map(|guideline| markdown(&guideline).into_bytes())
                .map_err(|cause| ApiError::internal(&cause)),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use http::header::ACCEPT;
    use proptest::prelude::*;

    fn of(accept: &str) -> GuidelineFormat {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_str(accept).unwrap());
        GuidelineFormat::wanted(&headers)
    }

    #[test]
    fn markdown_is_for_those_who_prefer_it() {
        assert_eq!(
            GuidelineFormat::wanted(&HeaderMap::new()),
            GuidelineFormat::Json
        );
        for json in [
            "application/json",
            "*/*",
            "",
            "image/png",
            "text/html, application/xhtml+xml, */*;q=0.8",
            "application/json, text/markdown",
            "text/markdown;q=0.5, application/json",
            "text/markdown;q=0, */*;q=0.1",
        ] {
            assert_eq!(of(json), GuidelineFormat::Json, "{json}");
        }
        for markdown in [
            "text/markdown",
            "Text/Markdown; charset=utf-8",
            "text/markdown, */*;q=0.1",
            "application/json;q=0.4, text/*;q=0.5",
        ] {
            assert_eq!(of(markdown), GuidelineFormat::Markdown, "{markdown}");
        }
    }

    proptest! {
        #[test]
        fn no_header_panics(accept in "[ -~]{0,60}") {
            let _ = of(&accept);
        }
    }
}
