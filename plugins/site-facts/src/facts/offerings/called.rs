//! Cards that ask the reader to write or to call, which stand beside those of what is sold.

use gtm_lexicon::calls::{TELEPHONE, VERBS};
use gtm_site_research::boilerplate;
use gtm_site_research::sentences;
use gtm_site_research::words;

use crate::facts::outline::Section;

/// Whether the text of a card asks the reader and then tells what to do: `Do you plan a roof? Give us a call.`
pub(super) fn ends_with_call(section: &Section<'_>) -> bool {
    section.lead().is_some_and(|lead| {
        let said = sentences::split(&lead.text, "en");
        let asks = said.iter().any(|sentence| sentence.ends_with(['?', '？']));
        let last = said.last().copied().unwrap_or_default();
        let folded = words::fold(last);
        let words = words::split(&folded);
        let calls =
            boilerplate::is_call_to_act(last) || VERBS.open(&words) || TELEPHONE.any_in(&words);
        asks && calls
    })
}
