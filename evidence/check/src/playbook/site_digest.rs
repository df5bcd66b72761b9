//! What pages say in their own words: an entry stands only if every word of it is quoted from one page.

use gtm_domain::evidence::Basis;
use gtm_page_text::BETWEEN_QUOTATIONS;
use serde_json::Value;

use crate::claims::{ClaimField, SITE_DIGEST};
use crate::numbering::known;
use crate::verdict::{ClaimChecker, ClaimText, Dropped, VerifiedClaim, Wording};

/// The quotations of an entry: its heading, and its text without the marks between them.
#[must_use]
pub fn quotations(entry: &Value) -> ClaimText<'_> {
    let text = |member: &str| entry.get(member).and_then(Value::as_str);
    let parts = text("text").unwrap_or_default().split(BETWEEN_QUOTATIONS);
    ClaimText {
        texts: text("heading")
            .into_iter()
            .chain(parts)
            .map(Into::into)
            .collect(),
        wording: Wording::Verbatim,
        ..ClaimText::default()
    }
}

/// Refuses an entry of the digest that is not quoted, or was put together from several pages, and leaves its page's name out if
/// neither the page nor its title has it. What else there is stays as it is.
///
/// # Errors
/// If a word of it stands in none of its excerpts, or they are of several sources.
pub fn confirmed(
    field: &ClaimField,
    entry: &mut Value,
    verdict: VerifiedClaim,
    checker: &ClaimChecker<'_>,
) -> Result<VerifiedClaim, Dropped> {
    if field.pointer != SITE_DIGEST {
        return Ok(verdict);
    }
    let [source] = verdict.sources.as_slice() else {
        return Err(Dropped::Misquoted);
    };
    if verdict.basis != Basis::Stated {
        return Err(Dropped::Misquoted);
    }
    let stored = checker.library.find(&source.to_string());
    if let Some(page) = entry.get_mut("page") {
        let name = page.as_str();
        let stands = (name.zip(stored)).is_some_and(|(name, stored)| known(stored, name));
        if !stands {
            *page = Value::Null;
        }
    }
    Ok(verdict)
}
