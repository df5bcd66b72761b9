//! How dear the company is: the level that structured data declare by the number of their currency signs.

use gtm_lexicon::numbers::is_currency;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::fixed_texts::PRICE_LEVEL_DECLARED;

use crate::draft::{Draft, PRICE_POSITION};
use crate::site::Site;

/// Most signs of a level.
const MOST_SIGNS: usize = 5;

/// Collects the level of the prices.
pub fn collect(site: &Site, draft: &mut Draft) {
    let declared = site.of_the_whole().find_map(|organization| {
        let text = organization.text("priceRange")?;
        Some((level(&text)?, organization.page, text))
    });
    let Some((level, page, text)) = declared else {
        return;
    };
    let reasoning = PRICE_LEVEL_DECLARED.in_language(&site.research.language);
    let mut claim = Claim::inferred(level, reasoning, vec![Excerpt { page, text }]);
    // DANGER: the host takes no sign or two for an excerpt, so the page itself has to bear the claim out.
    let cited = site.research.pages.get(page);
    claim.receipts = cited
        .map(|visited| visited.page.receipt_id.clone())
        .into_iter()
        .collect();
    draft.set(PRICE_POSITION, Some(claim));
}

/// The level that nothing but signs of one currency tell: `££` stands between `£` and `£££`. One sign alone mostly tells
/// the currency.
fn level(text: &str) -> Option<&'static str> {
    let text = text.trim();
    let first = text.chars().next().filter(|sign| is_currency(*sign))?;
    if !text.chars().all(|sign| sign == first) {
        return None;
    }
    match text.chars().count() {
        2 => Some("mid"),
        3..=MOST_SIGNS => Some("premium"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::level;

    #[test]
    fn the_number_of_signs_is_the_level() {
        for (text, expected) in [
            ("$", None),
            ("££", Some("mid")),
            (" €€€ ", Some("premium")),
            ("¥¥¥¥", Some("premium")),
            ("$$-$$$", None),
            ("€ 20–90", None),
            ("", None),
        ] {
            assert_eq!(level(text), expected, "{text}");
        }
    }
}
