//! Which excerpts say most about a brand, where a prompt can't show them all.

use gtm_lexicon::company::FOR_CUSTOMERS;
use gtm_site_research::evidence::Sentence;
use gtm_site_research::facts;
use gtm_site_research::page::BlockKind;

use crate::facts::says_what_it_is;
use crate::plan::Part;
use crate::site::Site;

/// How much an excerpt says about what the company is, does and promises.
pub fn worth(excerpt: &Sentence, site: &Site) -> i32 {
    let words = excerpt.words();
    let mut score = match site.part(excerpt.page) {
        Part::Home => 40,
        Part::About => 35,
        Part::Product => 30,
        Part::Customers => 22,
        Part::Pricing | Part::Press => 12,
        // Others speak of a brand, but it's the brand's own words that make a guideline.
        Part::Legal | Part::External => -40,
        _ => 5,
    };
    score += match excerpt.position {
        0 => 20,
        1 | 2 => 14,
        3..=6 => 6,
        _ => 0,
    };
    if says_what_it_is(&excerpt.text, site) {
        score += 15;
    }
    if FOR_CUSTOMERS.any_in(&words) {
        score += 8;
    }
    if !facts::numbers(&excerpt.text).is_empty() {
        score += 4;
    }
    if excerpt.kind == BlockKind::Quote {
        score -= 25;
    }
    score
}
