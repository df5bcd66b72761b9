//! What buyers get and what sets the company apart, in the site's own words.

mod checklists;
mod promise;
mod traits;

use gtm_lexicon::company::{US, WE_AND_YOU};
use gtm_lexicon::offer::{ALONE, APART_HEADINGS, BENEFIT_HEADINGS, OTHER_LIST_HEADINGS, WHY};
use gtm_lexicon::questions::HEADINGS as QUESTIONS;
use gtm_site_research::boilerplate;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::fixed_texts::FORM_SAYS_SO;
use gtm_site_research::page::BlockKind;
use gtm_site_research::sentences;
use gtm_site_research::words;
use serde_json::json;

use self::promise::hero;
use super::doubles;
use super::founding::{is_date, year};
use super::introduction::is_doubled;
use super::messaging::asks_at_its_end;
use super::outline::{Item, Section, headed, sections};
use super::speaker::{addresses, says_what_it_is};
use super::steps;
use super::{keys, letters, offerings, unique_slug};
use crate::draft::{DIFFERENTIATORS, Draft, Many, VALUE_PROPOSITIONS, VALUES};
use crate::part::Part;
use crate::site::Site;

/// Most elements kept of a list.
const MOST: usize = 6;
/// Fewest cards that are promises elsewhere than on the home page.
const LEAST_CARDS: usize = 3;
/// Fewest words that say something by themselves.
const LEAST_WORDS: usize = 4;
/// Most words of a question that asks why one should choose the company.
const LONGEST_WHY: usize = 10;
/// Fewest letters of the name of a thing that a question is known to be about.
const LEAST_LETTERS: usize = 4;
const SENTENCE_ENDS: [char; 6] = ['.', '!', '…', '。', '！', ')'];

/// Collects the offer.
pub fn collect(site: &Site, evidence: &Evidence, draft: &mut Draft) {
    // Pages named after a trade tell of it like those of products.
    let trades = site.trades();
    let part = |page: usize| site.part_among(&trades, page);
    let mut sections = sections(site, evidence);
    for section in &mut sections {
        section.part = part(section.heading.page);
    }
    let sold = offerings::named_under_headings(site, &sections);
    // What the company calls its values tells nothing of its offer.
    let values: Vec<String> = draft
        .many(VALUES)
        .iter()
        .filter_map(|claim| claim.value["name"].as_str().map(letters))
        .collect();
    let is_told = |item: &Item<'_>| {
        let name = letters(item.name);
        !sold.contains(&name) && !values.contains(&name) && !leads_to_questions(item.name)
    };
    let apart = headed(&sections, &APART_HEADINGS);
    let apart = || {
        apart.iter().filter(|section| match section.part {
            // `Why choose an electric truck` tells of the truck.
            Part::Product => section
                .announced()
                .any(|text| says_what_it_is(text, site) || has_us(text)),
            part => is_own(part) || part == Part::Other,
        })
    };
    let of_a_thing =
        |section: &Section<'_>| section.is_about_a_thing(over(&sections, section), &sold, site);
    let apart = || apart().filter(|section| !of_a_thing(section));
    let announced = apart().flat_map(|section| section.items());
    let announced: Vec<Item<'_>> = announced.filter(is_told).collect();
    // Other cards that praise how the company works are doubtful, and needed only where no heading announces any.
    let praised = sections.iter().filter(|section| !of_a_thing(section));
    let praised: Vec<Item<'_>> = match announced.is_empty() {
        true => praised.flat_map(traits::cards).filter(is_told).collect(),
        false => Vec::new(),
    };
    let by_form: Vec<String> = praised
        .iter()
        .flat_map(|item| [Some(item.name), item.text])
        .flatten()
        .map(str::to_owned)
        .collect();
    for item in announced.iter().chain(&praised) {
        let at = |passage: &Passage| (passage.page, passage.block);
        let whole = item.text_passage.map(at) == Some(at(item.name_passage));
        // `From the order to the fitting: one week.` is one sentence, cut at its colon.
        if whole && words::count(item.name) >= LEAST_WORDS {
            let passage = item.name_passage;
            let all = sentences::split(&passage.text, &site.research.language);
            differentiator(all.first().unwrap_or(&item.name), passage, draft);
            continue;
        }
        // A name of some words says it all; a shorter one needs the text.
        let names_it = words::count(item.name) > LEAST_WORDS;
        let passage = item.text_passage.filter(|_| !names_it);
        let text = item.text.filter(|_| !names_it).unwrap_or(item.name);
        differentiator(text, passage.unwrap_or(item.name_passage), draft);
    }
    draft.doubt(DIFFERENTIATORS, &site.research.language, |claim| {
        let told = claim.value.as_str();
        told.is_some_and(|text| by_form.iter().any(|known| known == text))
    });
    if draft.many(DIFFERENTIATORS).is_empty() {
        let presents = |section: &&&Section<'_>| matches!(section.part, Part::Home | Part::About);
        for lead in apart()
            .filter(presents)
            .filter_map(|section| section.lead())
        {
            differentiator(&lead.text, lead, draft);
        }
    }
    // If scripts build the home page, it has no text of its own; the product page takes its place.
    let home_speaks = evidence.passages.iter().any(|passage| {
        passage.main
            && matches!(passage.kind, BlockKind::Heading | BlockKind::Paragraph)
            && site.part(passage.page) == Part::Home
    });
    for section in sections
        .iter()
        .filter(|section| is_own(section.part) && !section.is_headed(&APART_HEADINGS))
        .filter(|section| !of_a_thing(section) && !steps::announces(section))
        .filter(|section| !section.is_timeline())
    {
        let is_front = section.part == Part::Home || !home_speaks && section.part == Part::Product;
        // Where it tells of itself, two may be anything; three cards in which it speaks are its promises. On the page of a
        // service, it tells what that consists of.
        let has_cards = || {
            section.part == Part::About && {
                let items = section.items();
                let speaks =
                    |item: &&Item<'_>| item.text.is_some_and(|text| says_what_it_is(text, site));
                items.len() >= LEAST_CARDS && items.iter().filter(speaks).count() * 2 >= items.len()
            }
        };
        let benefits = section.heading.level == 2
            && (is_front || has_cards())
            && section.lists_benefits(&site.research.language);
        if section.is_headed(&BENEFIT_HEADINGS) && !(home_speaks && section.tells_of_a_thing())
            || benefits
            || section.asks_why() && !section.asks_about_a_thing(&sold, site)
        {
            let items: Vec<Item<'_>> = section.items().into_iter().filter(is_told).collect();
            // Cards that no word announces are told by their form alone.
            let sure = !benefits || section.is_headed(&BENEFIT_HEADINGS) || section.asks_why();
            for item in &items {
                proposition(item, sure, &site.research.language, draft);
            }
        }
    }
    for sentence in evidence
        .sentences
        .iter()
        .filter(|sentence| is_own(part(sentence.page)))
    {
        let speaks = sentence.is_quotable()
            && sentence.kind != BlockKind::Quote
            && says_what_it_is(&sentence.text, site);
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
    if draft.many(VALUE_PROPOSITIONS).is_empty() {
        for item in checklists::items(site, evidence)
            .iter()
            .filter(|item| is_told(item))
        {
            proposition(item, false, &site.research.language, draft);
        }
    }
    hero(site, evidence, draft);
    doubles::tell_once(draft);
}

/// Whether a heading is a question or one over questions and answers: `Costs and frequently asked questions`.
fn leads_to_questions(heading: &str) -> bool {
    heading.ends_with(['?', '？']) || QUESTIONS.any_in(&words::split(&words::fold(heading)))
}

/// Whether the company tells on such pages what it offers.
fn is_own(part: Part) -> bool {
    matches!(
        part,
        Part::Home | Part::Product | Part::About | Part::Customers | Part::Pricing
    )
}

fn has_us(text: &str) -> bool {
    let folded = words::fold(text);
    words::split(&folded).iter().any(|word| US.contains(word))
}

impl Section<'_> {
    /// Whether the section lists benefits: smaller headings that are phrases, each with a paragraph, where the
    /// company speaks to its buyers, under a heading that announces no other kind of list.
    fn lists_benefits(&self, language: &str) -> bool {
        let items = self.items();
        let told = |item: &Item<'_>| {
            item.name_passage.kind == BlockKind::Heading
                && item.text_passage.is_some_and(|text| {
                    matches!(text.kind, BlockKind::Paragraph | BlockKind::Other)
                        && text.text.ends_with(SENTENCE_ENDS)
                })
        };
        let words: usize = items.iter().map(|item| words::count(item.name)).sum();
        let announces_others = self
            .announced()
            .any(|text| OTHER_LIST_HEADINGS.any_in(&words::split(&words::fold(text))));
        // News have a date above each headline, services and steps a number.
        let numbered = self.body.iter().any(|passage| {
            let text = passage.text.as_str();
            is_date(text) || text.chars().all(|c| c.is_ascii_digit())
        }) || steps::are_numbered(self);
        // Where no card speaks to the reader or of the company, they are things: fields of work, products.
        let speaks = |item: &&Item<'_>| {
            let texts = [Some(item.name), item.text].into_iter().flatten();
            let mut texts = texts;
            texts.any(|text| addresses(&WE_AND_YOU, text, language) || has_us(text))
        };
        items.len() >= 2
            && items.iter().all(told)
            && items.iter().filter(speaks).count() * 3 >= items.len()
            && words * 2 >= items.len() * 5
            && !announces_others
            && !numbered
    }

    /// Whether most of what the section lists is dated, as a company's history is.
    fn is_timeline(&self) -> bool {
        let items = self.items();
        let dated = |item: &&Item<'_>| {
            let mut words = words::split(item.name).into_iter();
            words.any(|word| year(word).is_some())
        };
        items.iter().filter(dated).count() * 2 > items.len()
    }

    /// Whether the section tells the benefits of one thing that is sold, such as `Benefits of leasing` or `Benefits` on
    /// the page of a pump: they are not what this company promises.
    fn tells_of_a_thing(&self) -> bool {
        let folded = words::fold(&self.heading.text);
        let words = words::split(&folded);
        let whole = || {
            BENEFIT_HEADINGS
                .at_start(&words)
                .any(|phrase| phrase.len() == words.len())
        };
        self.part == Part::Product
            && !WE_AND_YOU.any_in(&words)
            && !(self.heading.level == 1 && whole())
    }

    /// Whether the heading, or the label above it, asks why.
    fn asks_why(&self) -> bool {
        self.announced().any(|text| {
            let folded = words::fold(text);
            let words = words::split(&folded);
            // A longer question is one about the company if it says so.
            let of_company = || WE_AND_YOU.any_in(&words) || has_us(text);
            let longest = if of_company() { LONGEST_WHY } else { 6 };
            words.len() <= longest && WHY.open(&words)
        })
    }
}

impl Section<'_> {
    /// Whether the question why is one about something that is sold: `Why a heat pump?` above heat pumps, or any on a
    /// page of products that does not ask for the company.
    fn asks_about_a_thing(&self, sold: &[String], site: &Site) -> bool {
        let asks_for_us = self.announced().any(|text| {
            let folded = words::fold(text);
            WE_AND_YOU.any_in(&words::split(&folded)) || has_us(text) || says_what_it_is(text, site)
        });
        !asks_for_us && (self.part == Part::Product || self.names_a_thing(sold))
    }

    /// Whether the heading names something that is sold, or stands below the name of one, such as `Advantages` below
    /// `Ram pumps`, and does not speak of the company.
    fn is_about_a_thing(&self, over: Option<&Section<'_>>, sold: &[String], site: &Site) -> bool {
        let of_company = self.announced().any(|text| {
            let folded = words::fold(text);
            WE_AND_YOU.any_in(&words::split(&folded)) || has_us(text) || says_what_it_is(text, site)
        });
        let below = || {
            over.is_some_and(|over| {
                let name = letters(&over.heading.text);
                let front = over.part == Part::Home && over.heading.level == 1;
                !front && name.chars().count() >= LEAST_LETTERS && sold.contains(&name)
            })
        };
        !of_company && (self.names_a_thing(sold) || below())
    }

    fn names_a_thing(&self, sold: &[String]) -> bool {
        let heading = letters(&self.heading.text);
        let mut names = sold
            .iter()
            .filter(|name| name.chars().count() >= LEAST_LETTERS);
        names.any(|name| heading.contains(name.as_str()))
    }
}

/// The section of the larger heading over a section.
fn over<'s, 'a>(sections: &'s [Section<'a>], section: &Section<'_>) -> Option<&'s Section<'a>> {
    let own = section.heading;
    sections.iter().rev().find(|other| {
        let other = other.heading;
        other.page == own.page && other.block < own.block && other.level < own.level
    })
}

fn differentiator(text: &str, passage: &Passage, draft: &mut Draft) {
    let fits = words::count(text) >= 2 && text.chars().count() <= 400;
    if fits && !boilerplate::is_call_to_act(text) {
        add(draft, DIFFERENTIATORS, text, passage.page, &passage.text);
    }
}

/// Whether a text says all that another says: the same with hardly anything else, or all of it as a part.
fn says_all_of(text: &str, other: &str) -> bool {
    is_doubled(text, other) && is_doubled(other, text) || is_part(other, text)
}

fn is_part(part: &str, whole: &str) -> bool {
    let part = letters(part);
    !part.is_empty() && letters(whole).contains(&part)
}

/// The places of those claims that say only a part of a text; `None` if one of them says it all.
fn parts_of(
    known: &[Claim],
    told: impl Fn(&Claim) -> Option<&str>,
    text: &str,
) -> Option<Vec<usize>> {
    let mut parts = Vec::new();
    for (at, claim) in known.iter().enumerate() {
        let Some(known) = told(claim) else { continue };
        if says_all_of(known, text) {
            return None;
        }
        if is_part(known, text) {
            parts.push(at);
        }
    }
    Some(parts)
}

/// Adds a claim in place of those that say only a part of it.
fn push_over(draft: &mut Draft, field: Many, claim: Claim, parts: &[usize]) {
    let before = draft.many(field).len();
    draft.push(field, claim);
    let Some(first) = parts.first() else { return };
    // A claim that exceeds the draft's limits takes no place.
    if draft.many(field).len() == before {
        return;
    }
    let mut claims = draft.take_many(field);
    if let Some(claim) = claims.pop()
        && let Some(place) = claims.get_mut(*first)
    {
        *place = claim;
    }
    let kept = claims.into_iter().enumerate();
    let kept = kept.filter(|(at, _)| at == first || !parts.contains(at));
    draft.extend(field, kept.map(|(_, claim)| claim));
}

fn add(draft: &mut Draft, field: Many, text: &str, page: usize, carrier: &str) {
    let known = draft.many(field);
    let Some(parts) = parts_of(known, |claim| claim.value.as_str(), text) else {
        return;
    };
    if parts.is_empty() && known.len() >= MOST {
        return;
    }
    let excerpt = Excerpt {
        page,
        text: carrier.to_owned(),
    };
    push_over(draft, field, Claim::stated(text, vec![excerpt]), &parts);
}

fn proposition(item: &Item<'_>, sure: bool, language: &str, draft: &mut Draft) {
    let text = item
        .text
        .filter(|text| words::count(text) >= LEAST_WORDS)
        .map(|text| match text.chars().count() {
            ..=300 => text,
            _ => sentences::split(text, "en")
                .into_iter()
                .next()
                .unwrap_or(text),
        });
    // One word is no statement; the sentence about it is.
    let (statement, benefit) = match text {
        Some(text) if words::count(item.name) < 2 => (text, None),
        text => (item.name, text),
    };
    let taken = keys(draft, VALUE_PROPOSITIONS);
    let known = draft.many(VALUE_PROPOSITIONS);
    let Some(parts) = parts_of(known, |claim| claim.value["statement"].as_str(), statement) else {
        return;
    };
    if words::count(statement) < 2
        || statement.chars().count() > 300
        || parts.is_empty() && taken.len() >= MOST
        || boilerplate::is_call_to_act(item.name)
        || asks_at_its_end(item.name, language)
    {
        return;
    }
    let excerpts = item.excerpts(text.is_some());
    let key = unique_slug(statement, "value", &taken);
    let value = json!({"key": key, "statement": statement, "benefit": benefit});
    let claim = match sure {
        true => Claim::stated(value, excerpts),
        false => Claim::inferred(value, FORM_SAYS_SO.in_language(language), excerpts),
    };
    push_over(draft, VALUE_PROPOSITIONS, claim, &parts);
}
