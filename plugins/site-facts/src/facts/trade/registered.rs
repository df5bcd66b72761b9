//! The line of business in the registered name.

use gtm_page_text::primary_language;
use gtm_site_research::claim::Excerpt;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::words;

use super::is_plain;
use super::titles::is_compound;
use crate::draft::{Draft, LEGAL_NAME};
use crate::facts::legal_names;
use crate::site::Site;

/// The compound before the legal form, if the site says it elsewhere than in the name, too: `Präzisionsfertigung` of
/// `Acme Präzisionsfertigung GmbH`. Of a name alone nobody knows how old it is.
pub(super) fn in_registered_name(
    site: &Site,
    evidence: &Evidence,
    draft: &Draft,
) -> Option<(String, Excerpt)> {
    let language = primary_language(&site.research.language);
    let claim = draft.one(LEGAL_NAME)?;
    let name = legal_names::without_form(claim.value.as_str()?);
    let label = name.split_whitespace().next_back()?;
    let word = words::fold(label);
    if !is_compound(&word, language) || is_plain(label) {
        return None;
    }
    let own = words::fold(name);
    let recurs = evidence.passages.iter().any(|passage| {
        let rest = words::fold(&passage.text).replace(&own, " ");
        words::split(&rest).contains(&word.as_str())
    });
    let excerpt = claim
        .excerpts
        .iter()
        .find(|excerpt| excerpt.text.contains(label))?;
    recurs.then(|| (label.to_owned(), excerpt.clone()))
}
