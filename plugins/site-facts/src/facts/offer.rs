//! What buyers get and what sets the company apart, in the site's own words.

use gtm_lexicon::offer::{
    ALONE, APART_HEADINGS, BENEFIT_HEADINGS, MAKES, OTHER_LIST_HEADINGS, WE_MAKE, WHY,
};
use gtm_site_research::boilerplate;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::Evidence;
use gtm_site_research::page::BlockKind;
use gtm_site_research::sentences;
use gtm_site_research::words;
use serde_json::json;

use super::outline::{Item, sections};
use super::{keys, letters, offerings, unique_slug};
use crate::draft::{DIFFERENTIATORS, Draft, VALUE_PROPOSITIONS};
use crate::part::Part;
use crate::site::Site;

/// Most elements kept of a list.
const MOST: usize = 6;

/// Collects the offer.
pub fn collect(site: &Site, evidence: &Evidence, draft: &mut Draft) {
    let sections = sections(site, evidence);
    let sold = offerings::named_under_headings(site, &sections);
    // If scripts build the home page, it has no text of its own; the product page takes its place.
    let home_speaks = evidence.passages.iter().any(|passage| {
        passage.main
            && matches!(passage.kind, BlockKind::Heading | BlockKind::Paragraph)
            && site.part(passage.page) == Part::Home
    });
    for section in &sections {
        if !matches!(
            section.part,
            Part::Home | Part::Product | Part::About | Part::Customers | Part::Pricing
        ) {
            continue;
        }
        let is_front = section.part == Part::Home || !home_speaks && section.part == Part::Product;
        let benefits = is_front && section.heading.level == 2 && section.lists_benefits();
        if section.is_headed(&BENEFIT_HEADINGS)
            || benefits
            || (section.heading_begins_with_why() && !section.is_headed(&APART_HEADINGS))
        {
            for item in section.items() {
                if !sold.contains(&letters(item.name)) {
                    proposition(&item, draft);
                }
            }
        }
        if section.is_headed(&APART_HEADINGS) {
            for item in section.items() {
                let passage = item.text_passage.unwrap_or(item.name_passage);
                let text = item.text.unwrap_or(item.name);
                if (12..=400).contains(&text.chars().count()) {
                    add(draft, DIFFERENTIATORS, text, passage.page, &passage.text);
                }
            }
        }
    }
    let own = |part: Part| {
        matches!(
            part,
            Part::Home | Part::Product | Part::About | Part::Customers | Part::Pricing
        )
    };
    for sentence in evidence
        .sentences
        .iter()
        .filter(|sentence| own(site.part(sentence.page)))
    {
        let speaks = sentence.is_quotable()
            && sentence.kind != BlockKind::Quote
            && super::speaker::says_what_it_is(&sentence.text, site);
        if speaks && ALONE.any_in(&sentence.words()) {
            add(
                draft,
                DIFFERENTIATORS,
                &sentence.text,
                sentence.page,
                &sentence.text,
            );
        }
    }
    hero(site, evidence, draft);
}

impl super::outline::Section<'_> {
    /// Whether the section lists benefits: smaller headings, each with text, under a heading that announces
    /// no other kind of list.
    fn lists_benefits(&self) -> bool {
        let folded = words::fold(&self.heading.text);
        let items = self.items();
        let told = items
            .iter()
            .filter(|item| item.name_passage.kind == BlockKind::Heading && item.text.is_some())
            .count();
        told >= 2 && told == items.len() && !OTHER_LIST_HEADINGS.any_in(&words::split(&folded))
    }

    fn heading_begins_with_why(&self) -> bool {
        let folded = words::fold(&self.heading.text);
        let words = words::split(&folded);
        words.len() <= 6 && WHY.open(&words)
    }
}

fn add(draft: &mut Draft, field: crate::draft::Many, text: &str, page: usize, carrier: &str) {
    if draft.many(field).len() < MOST {
        let excerpt = Excerpt {
            page,
            text: carrier.to_owned(),
        };
        draft.push(field, Claim::stated(text, vec![excerpt]));
    }
}

fn proposition(item: &Item<'_>, draft: &mut Draft) {
    let length = item.name.chars().count();
    let taken = keys(draft, VALUE_PROPOSITIONS);
    if !(6..=200).contains(&length)
        || taken.len() >= MOST
        || boilerplate::is_call_to_act(item.name)
        || item.name.ends_with('?')
    {
        return;
    }
    let known = draft
        .many(VALUE_PROPOSITIONS)
        .iter()
        .any(|claim| claim.value["statement"] == item.name);
    if known {
        return;
    }
    let benefit = item
        .text
        .and_then(|text| sentences::split(text, "en").into_iter().next())
        .filter(|text| (10..=300).contains(&text.chars().count()));
    let excerpts = item.excerpts(benefit.is_some());
    let value = json!({"key": unique_slug(item.name, "value", &taken), "statement": item.name, "benefit": benefit});
    draft.push(VALUE_PROPOSITIONS, Claim::stated(value, excerpts));
}

fn says_what_it_makes(sentence: &str, site: &Site) -> bool {
    let folded = words::fold(sentence);
    if WE_MAKE.open(&words::split(&folded)) {
        return true;
    }
    site.research.names.iter().any(|name| {
        let name = words::fold(super::legal_names::without_form(name));
        folded
            .strip_prefix(name.as_str())
            .is_some_and(|rest| MAKES.open(&words::split(rest)))
    })
}

/// The text under the home page's first heading is the company's main promise.
fn hero(site: &Site, evidence: &Evidence, draft: &mut Draft) {
    let lead = sections(site, evidence)
        .into_iter()
        .find(|section| section.part == Part::Home && section.heading.level == 1)
        .and_then(|section| section.lead().map(|lead| (lead.page, lead.text.clone())));
    let Some((page, text)) = lead else { return };
    let sentences = sentences::split(&text, &site.research.language);
    // A sentence about what the company makes is a description; the benefit for buyers follows it.
    let Some(first) = sentences
        .iter()
        .copied()
        .find(|sentence| !says_what_it_makes(sentence, site))
    else {
        return;
    };
    let words = first.split_whitespace().count();
    let taken = keys(draft, VALUE_PROPOSITIONS);
    let known = draft
        .many(VALUE_PROPOSITIONS)
        .iter()
        .any(|claim| claim.value["statement"] == first);
    if !(5..=40).contains(&words)
        || first.ends_with('?')
        || boilerplate::is_call_to_act(first)
        || known
        || taken.len() >= MOST
        // A sentence that says what the company is describes its category instead.
        || super::trade::says_category(first, site)
    {
        return;
    }
    let value =
        json!({"key": unique_slug(first, "value", &taken), "statement": first, "benefit": null});
    draft.push(
        VALUE_PROPOSITIONS,
        Claim::stated(value, vec![Excerpt { page, text }]),
    );
}
