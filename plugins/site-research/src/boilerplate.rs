//! Text that every site has and that says nothing about the company: consent banners, navigation, calls to
//! action.

use gtm_lexicon::calls::OPENINGS;
use gtm_lexicon::legal::COPYRIGHT;
use gtm_lexicon::pages::BOILERPLATE;

use crate::{sentences, words};

/// Most words of a note before the text of a block, such as the one on the fields of a form.
const LONGEST_NOTE: usize = 2;

/// Whether a whole block is boilerplate.
pub fn is_boilerplate(text: &str) -> bool {
    let folded = words::fold(text);
    let trimmed = folded.trim_start();
    if COPYRIGHT.iter().any(|mark| trimmed.starts_with(mark)) {
        return true;
    }
    BOILERPLATE.any_in(&words::split(&folded))
}

/// A block without the short note that it begins with; nothing if all of it is boilerplate.
pub fn without<'t>(text: &'t str, language: &str) -> Option<&'t str> {
    if !is_boilerplate(text) {
        return Some(text);
    }
    let note = sentences::split(text, language).into_iter().next()?;
    let folded = words::fold(note);
    let rest = text.trim_start().strip_prefix(note)?.trim_start();
    let is_note = words::split(&folded).len() <= LONGEST_NOTE;
    (is_note && !rest.is_empty() && !is_boilerplate(rest)).then_some(rest)
}

/// Whether a sentence asks the reader to do something instead of stating something.
pub fn is_call_to_act(sentence: &str) -> bool {
    let folded = words::fold(sentence);
    let words = words::split(&folded);
    OPENINGS.open(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_what_says_nothing() {
        assert!(is_boilerplate("We use cookies to improve your visit."));
        assert!(is_boilerplate("© 2026 Fernhollow Ltd"));
        assert!(is_boilerplate(
            "Bitte beachten Sie unsere Datenschutzerklärung."
        ));
        assert!(!is_boilerplate("Fernhollow builds temperature loggers."));
        assert!(is_call_to_act("Book a demo today."));
        assert!(is_call_to_act("Erfahren Sie mehr über uns."));
        assert!(!is_call_to_act("We booked 40 new customers in 2025."));
    }
}
