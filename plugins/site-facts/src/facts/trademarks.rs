//! What the site says about its trademarks, and how others may write its name and use its logo.

use gtm_lexicon::trademarks::{MARKS, SPELLING, WRITE};
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::words;

use super::Line;
use super::others::Own;
use crate::draft::{Draft, TRADEMARK_USAGE};
use crate::site::Site;

/// Collects the statements about trademarks.
pub fn collect(site: &Site, lines: &[Line<'_>], draft: &mut Draft) {
    let own = Own::new(site, None);
    for line in lines {
        let folded = words::fold(line.text);
        let words = words::split(&folded);
        if MARKS.any_in(&words) || WRITE.any_in(&words) {
            for sentence in gtm_site_research::sentences::split(line.text, "en") {
                let folded = words::fold(sentence);
                let words = words::split(&folded);
                // `Write Acme as one word` is about the name; `Write us a letter` is not.
                let asks =
                    WRITE.open(&words) && SPELLING.any_in(&words) && own.is_named_in(sentence);
                let says = (MARKS.any_in(&words) || asks)
                    && (20..=400).contains(&sentence.chars().count());
                if says && draft.many(TRADEMARK_USAGE).len() < 4 {
                    let excerpt = Excerpt {
                        page: line.page,
                        text: sentence.to_owned(),
                    };
                    draft.push(TRADEMARK_USAGE, Claim::stated(sentence, vec![excerpt]));
                }
            }
        }
    }
}
