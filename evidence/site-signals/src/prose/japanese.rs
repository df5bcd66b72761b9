//! Japanese, which parts neither words nor sentences by blanks: measured by how its sentences end.

use gtm_lexicon::company::WE;
use gtm_lexicon::prose::POLITE_ENDINGS;
use gtm_lexicon::{fold, split};

use super::{Person, Prose};

/// Fewest sentences from which a style can be told.
const LEAST_SENTENCES: usize = 8;

/// Adds what the sentences of the texts tell of the voice.
pub(super) fn measure<'t>(texts: impl Iterator<Item = &'t str>, prose: &mut Prose) {
    let sentences: Vec<&str> = texts
        .flat_map(|text| text.split_inclusive(['。', '！', '？']))
        .filter_map(|sentence| sentence.trim().strip_suffix(['。', '！', '？']))
        .collect();
    if sentences.len() < LEAST_SENTENCES {
        return;
    }
    let is_polite = |sentence: &&&str| {
        POLITE_ENDINGS
            .iter()
            .any(|ending| sentence.ends_with(ending))
    };
    if sentences.iter().filter(is_polite).count() * 3 >= sentences.len() * 2 {
        prose.formality = Some(4);
    }
    let says_we = |sentence: &&&str| WE.any_in(&split(&fold(sentence)));
    if sentences.iter().filter(says_we).count() >= 3 {
        prose.person = Some(Person::FirstPlural);
    }
}
