//! What the company's messages rest on: the cards of the section that says why one should choose it.

use gtm_site_research::boilerplate;
use gtm_site_research::claim::Claim;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;
use serde_json::json;

use super::{MOST, SENTENCE_ENDS};
use crate::draft::{Draft, PILLARS};
use crate::facts::messaging::asks_at_its_end;
use crate::facts::outline::Item;
use crate::facts::{keys, unique_slug};

/// Fewest cards that together are what the company always comes back to.
const LEAST_PILLARS: usize = 3;
/// Most words of a card's name and fewest of its text.
const LONGEST_PILLAR: usize = 8;
const LEAST_OF_PILLAR: usize = 5;

/// The cards of the first section that says why one should choose the company, each with its text: what its messages rest on.
pub(super) fn pillars(items: &[Item<'_>], language: &str, draft: &mut Draft) {
    let is_card = |item: &&Item<'_>| {
        item.name_passage.kind == BlockKind::Heading
            && (1..=LONGEST_PILLAR).contains(&words::count(item.name))
            && !boilerplate::is_call_to_act(item.name)
            && !asks_at_its_end(item.name, language)
            && item.text.is_some_and(|text| {
                words::count(text) >= LEAST_OF_PILLAR
                    && text.chars().count() <= 400
                    && text.ends_with(SENTENCE_ENDS)
            })
    };
    let cards: Vec<&Item<'_>> = items.iter().filter(is_card).collect();
    if !draft.many(PILLARS).is_empty() || cards.len() < LEAST_PILLARS || cards.len() < items.len() {
        return;
    }
    for card in cards.into_iter().take(MOST) {
        let taken = keys(draft, PILLARS);
        let value = json!({
            "key": unique_slug(card.name, "pillar", &taken),
            "title": card.name,
            "message": card.text,
            "proof_point_keys": [],
        });
        draft.push(PILLARS, Claim::stated(value, card.excerpts(true)));
    }
}
