//! Evidence for the company's claims, verbatim: figures, cases, testimonials, awards and certificates.

mod cases;
mod shown;

use std::collections::BTreeSet;

use gtm_lexicon::company::{THE_COMPANY, WE, YOU};
use gtm_lexicon::figures::{HEADINGS, RESULTS};
use gtm_lexicon::foundations::{COMMITS, MISSION_PHRASES};
use gtm_lexicon::founding::FOUNDED;
use gtm_lexicon::legal::CAPITAL;
use gtm_lexicon::proofs::{DISCOUNTS, PLAIN_FACTS, PLANNED};
use gtm_lexicon::questions::DEFINITIONS;
use gtm_lexicon::roles::JOBS;
use gtm_lexicon::segments::{HEADINGS as SEGMENT_HEADINGS, SECTORS};
use gtm_site_research::boilerplate;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage, Sentence};
use gtm_site_research::page::BlockKind;
use gtm_site_research::staff;
use gtm_site_research::words;
use serde_json::json;

use super::awards::names_award;
use super::certificates::{is_certificate, names_norm};
use super::doubles;
use super::figures::{
    at_least, counts_from_zero, has_hundreds, has_number, is_bare, is_duration, is_figure,
    is_in_a_name, is_of_market, is_price, is_price_of_goods, names_a_sum, promises_all,
    proves_nothing, tells_when,
};
use super::opening_hours::tells_opening_hours;
use super::others::Own;
use super::outline::{Section, sections};
use super::ratings::rates;
use super::speaker::{addresses, says_what_it_is};
use super::{clients, counters, keys, memberships, testimonials, unique_slug};
use crate::draft::{Draft, FOUNDED_YEAR, PROOF_POINTS};
use crate::part::Part;
use crate::site::Site;

/// A company that counts its years rounds them down, by at most this many.
const MOST_YEARS_BEHIND: u64 = 5;
/// Most cases told in sentences.
const MOST_CASES: usize = 12;
/// Most certificates and memberships.
const MOST_CERTIFICATES: usize = 10;

/// Collects figures, cases, testimonials, awards and certificates.
pub fn collect(site: &Site, evidence: &Evidence, draft: &mut Draft) {
    let own = |part: Part| {
        matches!(
            part,
            Part::Home
                | Part::Product
                | Part::About
                | Part::Customers
                | Part::Press
                | Part::Pricing
                | Part::Careers
                | Part::Trust
        )
    };
    // Pages named after a trade tell of it like those of products.
    let trades = site.trades();
    let part = |page: usize| site.part_among(&trades, page);
    let today = copyright_year(site);
    let founded = draft
        .one(FOUNDED_YEAR)
        .and_then(|claim| claim.value.as_u64());
    // Years that the founding contradicts were true when somebody wrote them.
    let is_stale = |text: &str| {
        let [Some(today), Some(founded)] = [today, founded] else {
            return false;
        };
        doubles::years(text).is_some_and(|years| founded + years + MOST_YEARS_BEHIND < today)
    };
    let own_names = Own::new(site, None);
    let mut add = |kind: &str, text: &str, page: usize, carrier: &str, most: usize| {
        let of_kind = draft
            .many(PROOF_POINTS)
            .iter()
            .filter(|claim| claim.value["kind"] == kind)
            .count();
        let taken = keys(draft, PROOF_POINTS);
        if of_kind >= most
            || matches!(kind, "metric" | "case_study") && tells_opening_hours(text)
            || kind != "testimonial" && defines(text, &own_names)
            || kind == "case_study" && promises_all(text)
            || kind == "metric"
                && (tells_when(text)
                    || is_duration(text)
                    || is_of_market(text)
                    || proves_nothing(text)
                    || is_stale(text)
                    || CAPITAL.any_in(&words::split(&words::fold(text)))
                    || DISCOUNTS.any_in(&words::split(&words::fold(text))))
            || doubles::is_told(kind, text, draft.many(PROOF_POINTS))
        {
            return;
        }
        let value = json!({"key": unique_slug(text, "proof", &taken), "kind": kind, "text": text});
        let excerpt = Excerpt {
            page,
            text: carrier.to_owned(),
        };
        draft.push(PROOF_POINTS, Claim::stated(value, vec![excerpt]));
    };
    let buyers: Vec<Section<'_>> = sections(site, evidence)
        .into_iter()
        .filter(|section| {
            let by_sector = |text: &str| SECTORS.any_in(&words::split(&words::fold(text)));
            section.is_headed(&SEGMENT_HEADINGS) || section.announced().any(by_sector)
        })
        .collect();
    let of_industries: BTreeSet<usize> = buyers
        .iter()
        .filter(|section| section.heading.level == 1)
        .map(|section| section.heading.page)
        .collect();
    // What stands under the heading of a group of customers is a standard of their trade.
    let of_buyers: BTreeSet<(usize, usize)> = buyers
        .into_iter()
        .flat_map(|section| section.body)
        .map(|passage| (passage.page, passage.block))
        .collect();
    let figures: Vec<(usize, usize)> = sections(site, evidence)
        .into_iter()
        .filter(|section| section.is_headed(&HEADINGS))
        .flat_map(|section| section.body)
        .map(|passage| (passage.page, passage.block))
        .collect();
    let house = testimonials::House::of(site);
    let sourced = counters::sourced(evidence);
    let is_sourced = |passage: &Passage| sourced.contains(&(passage.page, passage.block));
    let mut previous: Option<&Passage> = None;
    for (at, passage) in evidence.passages.iter().enumerate() {
        let length = passage.text.chars().count();
        if !passage.main && own(part(passage.page)) && is_footer_certificate(passage, site) {
            add(
                "certification",
                &passage.text,
                passage.page,
                &passage.text,
                MOST_CERTIFICATES,
            );
        }
        if !passage.main || !own(part(passage.page)) {
            continue;
        }
        // What the company says of itself in quotation marks is no customer's word.
        let quoted = passage.kind == BlockKind::Quote
            && !testimonials::is_attribution(passage, previous)
            && part(passage.page) != Part::Careers
            && !speaks_as_owner(&passage.text, site);
        let above = previous.replace(passage);
        let behind = evidence.passages.get(at + 1..).unwrap_or_default();
        let told = if quoted && (25..=600).contains(&length) {
            testimonials::with_author(passage, behind, &house)
        } else {
            testimonials::on_card(passage, above, behind, &house).filter(|_| {
                part(passage.page) != Part::Careers && !speaks_as_owner(&passage.text, site)
            })
        };
        if let Some(text) = told {
            add("testimonial", &text, passage.page, &text, 4);
        }
        let folded = words::fold(&passage.text);
        let words = words::split(&folded);
        let short = matches!(
            passage.kind,
            BlockKind::ListItem | BlockKind::Heading | BlockKind::Other | BlockKind::TableRow
        ) && (6..=140).contains(&length);
        let certified = (short || passage.kind == BlockKind::Paragraph && length <= 60)
            && words::count(&passage.text) <= 20
            && !is_glued(&passage.text, site)
            && !of_buyers.contains(&(passage.page, passage.block))
            // One of a list of standards is what the company works by.
            && ![above, behind.first()].into_iter().flatten().any(|beside| {
                is_beside(beside, passage) && names_norm(&beside.text)
            });
        if certified && is_certificate(&passage.text, passage.kind == BlockKind::Heading, site) {
            add(
                "certification",
                &passage.text,
                passage.page,
                &passage.text,
                MOST_CERTIFICATES,
            );
        } else if short
            && names_award(&passage.text)
            && says_what_it_is(&passage.text, site)
            // A short heading such as `Our awards` only announces awards.
            && (passage.kind != BlockKind::Heading || words.len() >= 5)
        {
            add("award", &passage.text, passage.page, &passage.text, 3);
        } else if rates(&passage.text) && may_rate(passage, part(passage.page))
            || short
                && passage.kind != BlockKind::TableRow
                && !is_bare(&passage.text)
                && !counters::is_numbered(&passage.text)
                && !is_price(&words, &passage.text)
                && !PLAIN_FACTS.any_in(&words)
                && !is_sourced(passage)
                && !is_of_person(evidence, at)
                // On product pages, figures are data of products.
                && (is_figure(&words, &passage.text)
                    && part(passage.page) != Part::Product
                    && !counters::measures_goods(&passage.text)
                    && !is_price_of_goods(&words, &passage.text)
                    || (words.len() >= 3 && figures.contains(&(passage.page, passage.block)))
                        && has_number(&passage.text))
        {
            add("metric", &passage.text, passage.page, &passage.text, 5);
        }
    }
    let is_headed = |passage: &Passage| figures.contains(&(passage.page, passage.block));
    // On product and price pages, rows of figures are product data.
    let may_stand_alone = |passage: &Passage| {
        matches!(
            part(passage.page),
            Part::Home | Part::About | Part::Customers | Part::Press | Part::Careers
        )
    };
    let rows = counters::rows(evidence, is_headed, may_stand_alone);
    let zeros: Vec<usize> = rows
        .iter()
        .filter(|passage| counts_from_zero(&passage.text))
        .map(|passage| passage.page)
        .collect();
    for passage in rows {
        // One may be an achievement, as `0 accidents`; several are counters that a script has not counted up.
        let waits = counts_from_zero(&passage.text)
            && (passage.text.contains('+')
                || zeros.iter().filter(|page| **page == passage.page).count() > 1);
        if waits {
            continue;
        }
        let folded = words::fold(&passage.text);
        let is_plain = PLAIN_FACTS.any_in(&words::split(&folded));
        if own(part(passage.page)) && !is_plain && !is_sourced(passage) {
            add("metric", &passage.text, passage.page, &passage.text, 5);
        }
    }
    for (page, text) in testimonials::declared(site, &house) {
        add("testimonial", &text, page, &text, 4);
    }
    for (figure, text) in shown::shown_large(site, evidence) {
        if own(part(figure.page)) && !is_sourced(figure) {
            add("metric", &text, figure.page, &text, 5);
        }
    }
    for (page, text) in cases::cases(site, evidence) {
        add("case_study", &text, page, &text, MOST_CASES);
    }
    for sentence in evidence
        .sentences
        .iter()
        .filter(|sentence| own(part(sentence.page)))
    {
        let words = sentence.words();
        if !sentence.is_quotable() || sentence.kind == BlockKind::Quote || PLANNED.any_in(&words) {
            continue;
        }
        if is_certificate(&sentence.text, false, site) {
            add(
                "certification",
                &sentence.text,
                sentence.page,
                &sentence.text,
                MOST_CERTIFICATES,
            );
        } else if names_award(&sentence.text) && says_what_it_is(&sentence.text, site) {
            add("award", &sentence.text, sentence.page, &sentence.text, 3);
        } else if (has_number(&sentence.text)
            // When a company describes itself, numbers in words are usually promises, not results.
            || counters::in_words(&words) && !says_what_it_is(&sentence.text, site))
            && (RESULTS.any_in(&words)
                && (part(sentence.page) == Part::Customers
                    || says_what_it_is(&sentence.text, site))
                || part(sentence.page) == Part::Customers
                    && counters::is_share(&words, &sentence.text)
                || at_least(&words)
                    // Numbers of product pages are data of products.
                    && (has_hundreds(&sentence.text) && part(sentence.page) != Part::Product
                        || says_what_it_is(&sentence.text, site))
                || matches!(part(sentence.page), Part::Home | Part::About)
                    && counts_its_own(sentence, &own_names))
            && !PLAIN_FACTS.any_in(&words)
            // A sentence for the reader sells, and a number in a name counts nothing.
            && !addresses(&YOU, &sentence.text, &site.research.language)
            && !is_in_a_name(&sentence.text)
            && staff::stated(sentence).is_none()
            && !is_price(&words, &sentence.text)
        {
            // What the company says of itself on a page about industries is no case of a customer.
            let of_itself =
                of_industries.contains(&sentence.page) && says_what_it_is(&sentence.text, site);
            let kind = if part(sentence.page) == Part::Customers && !of_itself {
                "case_study"
            } else {
                "metric"
            };
            add(kind, &sentence.text, sentence.page, &sentence.text, 5);
        }
    }
    for told in memberships::told(site, evidence) {
        add(
            "certification",
            &told.text,
            told.page,
            &told.carrier,
            MOST_CERTIFICATES,
        );
    }
    // Whom the company works for comes last: what it has done for them says more.
    for customer in clients::named(site, evidence) {
        let most = MOST_CASES + clients::MOST;
        add(
            "case_study",
            &customer.name,
            customer.page,
            &customer.carrier,
            most,
        );
    }
}

/// Whether a block can hold a grade of the company: on pages of products it is theirs.
fn may_rate(passage: &Passage, part: Part) -> bool {
    part != Part::Product && !matches!(passage.kind, BlockKind::Quote | BlockKind::TableRow)
}

/// Most words of a line that is what somebody does in the company.
const LONGEST_JOB: usize = 4;
/// Most lines between that and what is told of the person.
const LINES_OF_PERSON: usize = 2;

/// Whether a line tells how many years somebody has worked: it counts years and stands right below what the person does.
fn is_of_person(evidence: &Evidence, at: usize) -> bool {
    let is_job = |line: &Passage| {
        let folded = words::fold(&line.text);
        let words = words::split(&folded);
        words.len() <= LONGEST_JOB
            && JOBS
                .places(&words)
                .any(|(at, phrase)| at + phrase.len() == words.len())
    };
    let passage = evidence.passages.get(at);
    let above = evidence
        .passages
        .get(at.saturating_sub(LINES_OF_PERSON)..at)
        .unwrap_or_default();
    passage.is_some_and(|passage| {
        doubles::years(&passage.text).is_some()
            && above
                .iter()
                .any(|line| line.page == passage.page && is_job(line))
    })
}

/// Whether two passages are of one kind and follow each other, as items of a list do.
fn is_beside(one: &Passage, other: &Passage) -> bool {
    one.page == other.page && one.block.abs_diff(other.block) == 1 && one.kind == other.kind
}

/// Whether the company says of itself how much it has or does: it is what the sentence begins with, and a large number
/// stands there that is no sum, no year and no part of an address or a name.
fn counts_its_own(sentence: &Sentence, own: &Own) -> bool {
    let words = sentence.words();
    let tokens: Vec<&str> = sentence.text.split_whitespace().collect();
    let number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    // `EN 1090`, `0113 555 0100`, `89073 Ulm`
    let named = |pair: &[&str]| match pair {
        [one, two] => {
            number(two) && (one.chars().filter(|c| c.is_uppercase()).count() > 1 || number(one))
        }
        _ => false,
    };
    let is_code = |word: &&str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let digits = bare.len() > 4 && bare.bytes().all(|byte| byte.is_ascii_digit());
        word.starts_with(['+', '0']) || digits
    };
    let begins = words.first().is_some_and(|first| WE.are(&[first]))
        || own.is_named_in(&tokens.iter().take(2).copied().collect::<String>());
    begins
        && has_hundreds(&sentence.text)
        && !names_a_sum(&sentence.text)
        && !tokens.windows(2).any(named)
        && !tokens.iter().any(is_code)
}

/// Whether a text says what something else than the company is: `X制度とは、国が…`.
fn defines(text: &str, own: &Own) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let first = words.first().copied().unwrap_or_default();
    DEFINITIONS.open(&words) && !own.is_named_in(first)
}

/// Whether a line outside the main part, where certificates often stand, is nothing but one.
fn is_footer_certificate(passage: &Passage, site: &Site) -> bool {
    passage.kind != BlockKind::Heading
        && !passage.text.contains('©')
        && (3..=12).contains(&words::count(&passage.text))
        && !boilerplate::is_boilerplate(&passage.text)
        && !boilerplate::is_call_to_act(&passage.text)
        && !is_glued(&passage.text, site)
        && is_certificate(&passage.text, false, site)
}

/// The latest year of the copyright lines, which tells about when the pages were kept up.
fn copyright_year(site: &Site) -> Option<u64> {
    let lines = site.own_pages().flat_map(|(_, _, page)| &page.blocks);
    lines
        .filter(|block| block.text.contains('©'))
        .flat_map(|block| words::split(&block.text))
        .filter_map(|word| word.parse().ok())
        .filter(|year| (1990..2100).contains(year))
        .max()
}

/// Whether the company's own people speak: they say `we` and name no one else, or what the company stands for.
fn speaks_as_owner(text: &str, site: &Site) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let named = site.research.names.iter().any(|name| {
        let name = words::fold(super::legal_names::without_form(name));
        !name.is_empty() && folded.contains(&name)
    });
    !named && THE_COMPANY.any_in(&words)
        || named && words.iter().any(|word| FOUNDED.contains(word))
        || MISSION_PHRASES.any_in(&words)
        || COMMITS.any_in(&words)
}

/// Whether a line holds several facts that only points or bars part, and not only certificates.
fn is_glued(text: &str, site: &Site) -> bool {
    let parts: Vec<&str> = text.split(['·', '|', '•']).collect();
    parts.len() > 1
        && !parts
            .iter()
            .all(|part| is_certificate(part.trim(), true, site))
}
