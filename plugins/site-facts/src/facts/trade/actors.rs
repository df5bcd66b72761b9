//! Words for whoever is good in a field, which name no trade: `a key player in the field of pumps`.

use gtm_lexicon::trade::{BUSINESSES, IN_THE_FIELD_OF};
use gtm_site_research::words;

/// Whether words with which a text begins name no trade, but whoever is good in the one that the text goes on to.
pub(super) fn is_actor(what: &[&str], text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let field = IN_THE_FIELD_OF.places(&words).next();
    field.is_some_and(|(at, _)| {
        let before = words.get(..at).unwrap_or_default();
        at <= what.len() && !BUSINESSES.any_in(before)
    })
}
