//! Evidence for the company's claims, verbatim: figures, cases, testimonials, awards and certificates.

mod cases;
mod exceptions;
mod honours;
mod projects;
mod shown;

use std::collections::BTreeSet;

use gtm_lexicon::company::{WE, YOU};
use gtm_lexicon::figures::{HEADINGS, RESULTS};
use gtm_lexicon::legal::CAPITAL;
use gtm_lexicon::proofs::{DISCOUNTS, PLAIN_FACTS, PLANNED};
use gtm_lexicon::roles::JOBS;
use gtm_lexicon::segments::{HEADINGS as SEGMENT_HEADINGS, SECTORS};
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage, Sentence, replies_to};
use gtm_site_research::fixed_texts::RATING_DECLARED;
use gtm_site_research::page::BlockKind;
use gtm_site_research::staff;
use gtm_site_research::words;
use serde_json::json;

use self::exceptions::{
    ages_of_persons, copyright_year, defines, is_footer_certificate, is_glued, joins_figures,
    names_a_standard, parts_of_a_list, speaks_as_owner, tells_experience,
};
use super::awards::names_award;
use super::certificates::{is_certificate, names_norm};
use super::doubles;
use super::figures::{
    at_least, counts_from_zero, has_hundreds, has_number, is_bare, is_duration, is_figure,
    is_in_a_name, is_of_market, is_price, is_price_of_goods, names_a_sum, promises_all,
    proves_nothing, tells_measures, tells_when,
};
use super::introduction::gives_contact;
use super::opening_hours::tells_opening_hours;
use super::others::Own;
use super::outline::{Section, sections};
use super::ratings::{self, rates};
use super::speaker::{addresses, says_what_it_is};
use super::{clients, counters, keys, memberships, testimonials, unique_slug};
use crate::draft::{Draft, FOUNDED_YEAR, PROOF_POINTS};
use crate::part::Part;
use crate::site::Site;

/// A company that counts its years rounds them down, by at most this many.
const MOST_YEARS_BEHIND: u64 = 5;
/// Most cases told in sentences.
const MOST_CASES: usize = 12;
/// Most awards under headings for them.
const MOST_AWARDS: usize = 6;
/// Most words of customers.
const MOST_TESTIMONIALS: usize = 8;
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
    let of_persons = ages_of_persons(evidence);
    let mut add = |kind: &str, text: &str, page: usize, carriers: &[&str], most: usize| {
        let of_kind = draft
            .many(PROOF_POINTS)
            .iter()
            .filter(|claim| claim.value["kind"] == kind)
            .count();
        let taken = keys(draft, PROOF_POINTS);
        if of_kind >= most
            || matches!(kind, "metric" | "case_study")
                && tells_opening_hours(text, &site.research.language)
            || kind != "testimonial" && defines(text, &own_names)
            || kind == "case_study" && promises_all(text)
            || kind == "metric"
                && (tells_when(text)
                    || is_duration(text)
                    || is_of_market(text)
                    || proves_nothing(text)
                    || is_stale(text)
                    || doubles::years(text).is_some() && of_persons.contains(&page)
                    || names_a_standard(text)
                    || joins_figures(text)
                    || gives_contact(text)
                    || CAPITAL.any_in(&words::split(&words::fold(text)))
                    || DISCOUNTS.any_in(&words::split(&words::fold(text))))
            || doubles::is_told(kind, text, draft.many(PROOF_POINTS))
        {
            return;
        }
        let value = json!({"key": unique_slug(text, "proof", &taken), "kind": kind, "text": text});
        let excerpts = carriers.iter().map(|text| Excerpt {
            page,
            text: (*text).to_owned(),
        });
        draft.push(PROOF_POINTS, Claim::stated(value, excerpts.collect()));
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
    let in_rows = memberships::in_rows(site, evidence);
    for told in memberships::certificates(site, evidence)
        .iter()
        .chain(&in_rows)
    {
        add(
            "certification",
            &told.text,
            told.page,
            &[&told.carrier],
            MOST_CERTIFICATES,
        );
    }
    let mut previous: Option<&Passage> = None;
    for (at, passage) in evidence.passages.iter().enumerate() {
        let length = passage.text.chars().count();
        if !passage.main && own(part(passage.page)) && is_footer_certificate(passage, site) {
            add(
                "certification",
                &passage.text,
                passage.page,
                &[&passage.text],
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
            testimonials::with_author(&evidence.passages, at, &house)
        } else {
            testimonials::on_card(&evidence.passages, at, above, &house).filter(|_| {
                part(passage.page) != Part::Careers && !speaks_as_owner(&passage.text, site)
            })
        };
        if let Some(text) = told {
            add(
                "testimonial",
                &text,
                passage.page,
                &[&text],
                MOST_TESTIMONIALS,
            );
        }
        let folded = words::fold(&passage.text);
        let words = words::split(&folded);
        let short = matches!(
            passage.kind,
            BlockKind::ListItem | BlockKind::Heading | BlockKind::Other | BlockKind::TableRow
        ) && (6..=140).contains(&length);
        let certified = (short || passage.kind == BlockKind::Paragraph && length <= 60)
            && words::count(&passage.text) <= longest_certificate(&passage.text)
            && !is_glued(&passage.text, site)
            && !above.is_some_and(|above| is_reply(above, passage))
            && !of_buyers.contains(&(passage.page, passage.block))
            // One of a list of standards is what the company works by.
            && ![above, behind.first()].into_iter().flatten().any(|beside| {
                is_beside(beside, passage) && names_norm(&beside.text)
            });
        if certified && is_certificate(&passage.text, passage.kind == BlockKind::Heading, site) {
            for part in parts_of_a_list(&passage.text, site) {
                add(
                    "certification",
                    part,
                    passage.page,
                    &[&passage.text],
                    MOST_CERTIFICATES,
                );
            }
        } else if short
            && names_award(&passage.text)
            && says_what_it_is(&passage.text, site)
            // A short heading such as `Our awards` only announces awards, and one to the reader sells.
            && (passage.kind != BlockKind::Heading
                || words.len() >= 5
                    && !addresses(&YOU, &passage.text, &site.research.language))
        {
            add("award", &passage.text, passage.page, &[&passage.text], 3);
        } else if rates(&passage.text) && may_rate(passage, part(passage.page))
            || short
                && passage.kind != BlockKind::TableRow
                && !is_bare(&passage.text)
                && !counters::is_numbered(&passage.text)
                && !is_price(&words, &passage.text)
                && !PLAIN_FACTS.any_in(&words)
                && !is_sourced(passage)
                && !tells_years_of_work(evidence, at)
                // On product pages, figures are data of products.
                && (is_figure(&words, &passage.text)
                    && part(passage.page) != Part::Product
                    && !counters::measures_goods(&passage.text)
                    && !is_price_of_goods(&words, &passage.text)
                    || (words.len() >= 3 && figures.contains(&(passage.page, passage.block)))
                        && has_number(&passage.text))
        {
            add("metric", &passage.text, passage.page, &[&passage.text], 5);
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
            add("metric", &passage.text, passage.page, &[&passage.text], 5);
        }
    }
    for quotation in testimonials::quotations(site, evidence, &house) {
        let page = quotation.page();
        let Some((text, excerpts)) = quotation.told().filter(|(text, _)| {
            own(part(page)) && part(page) != Part::Careers && !speaks_as_owner(text, site)
        }) else {
            continue;
        };
        let carriers: Vec<&str> = excerpts.iter().map(|known| known.text.as_str()).collect();
        add("testimonial", &text, page, &carriers, MOST_TESTIMONIALS);
    }
    for (page, text) in testimonials::declared(site, &house) {
        add("testimonial", &text, page, &[&text], MOST_TESTIMONIALS);
    }
    for (figure, text) in shown::shown_large(site, evidence) {
        if own(part(figure.page)) && !is_sourced(figure) {
            add("metric", &text, figure.page, &[&text], 5);
        }
    }
    for (page, text) in cases::cases(site, evidence) {
        add("case_study", &text, page, &[&text], MOST_CASES);
    }
    let mut by_form: Vec<String> = Vec::new();
    for (page, text, is_particular) in projects::projects(site, evidence) {
        add("case_study", &text, page, &[&text], MOST_CASES);
        if !is_particular {
            by_form.push(text);
        }
    }
    for (page, text) in honours::awards(site, evidence) {
        add("award", &text, page, &[&text], MOST_AWARDS);
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
                &[&sentence.text],
                MOST_CERTIFICATES,
            );
        } else if names_award(&sentence.text)
            && says_what_it_is(&sentence.text, site)
            && (sentence.kind != BlockKind::Heading
                || !addresses(&YOU, &sentence.text, &site.research.language))
        {
            add("award", &sentence.text, sentence.page, &[&sentence.text], 3);
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
                    && (counts_its_own(sentence, &own_names)
                        || tells_experience(&words) && says_what_it_is(&sentence.text, site)))
            && !PLAIN_FACTS.any_in(&words)
            // A sentence for the reader sells, and a number in a name counts nothing.
            && !addresses(&YOU, &sentence.text, &site.research.language)
            && !is_in_a_name(&sentence.text)
            && !tells_measures(&sentence.text)
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
            add(kind, &sentence.text, sentence.page, &[&sentence.text], 5);
        }
    }
    for told in memberships::told(site, evidence) {
        add(
            "certification",
            &told.text,
            told.page,
            &[&told.carrier],
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
            &[&customer.carrier],
            most,
        );
    }
    draft.doubt(PROOF_POINTS, &site.research.language, |claim| {
        let told = claim.value["text"].as_str();
        told.is_some_and(|text| by_form.iter().any(|known| known == text))
    });
    let is_rated = |claim: &Claim| claim.value["text"].as_str().is_some_and(rates);
    let declared = ratings::declared(site).filter(|(text, _)| {
        // A tile may show the same grade with a star beside it.
        let grade = text.split(' ').find(|word| word.contains(['.', ',']));
        let is_shown = |claim: &Claim| {
            let shown = claim.value["text"].as_str().unwrap_or_default();
            grade.is_some_and(|grade| shown.replace(',', ".").contains(&grade.replace(',', ".")))
        };
        !draft.many(PROOF_POINTS).iter().any(is_shown)
    });
    if !draft.many(PROOF_POINTS).iter().any(is_rated)
        && let Some((text, excerpts)) = declared
    {
        let taken = keys(draft, PROOF_POINTS);
        let key = unique_slug(&text, "proof", &taken);
        let value = json!({"key": key, "kind": "metric", "text": text});
        let reasoning = RATING_DECLARED.in_language(&site.research.language);
        draft.push(PROOF_POINTS, Claim::inferred(value, reasoning, excerpts));
    }
}

/// Most words of a certificate: what goes on for long without being a sentence is the texts of several tiles.
fn longest_certificate(text: &str) -> usize {
    let is_sentence = text.ends_with(['.', '!', '。', '！', ')']);
    if is_sentence { 20 } else { 12 }
}

/// Whether a passage answers the question right above it.
fn is_reply(above: &Passage, passage: &Passage) -> bool {
    let follows = above.page == passage.page && above.block + 1 == passage.block;
    follows && replies_to(&above.text, &passage.text)
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
fn tells_years_of_work(evidence: &Evidence, at: usize) -> bool {
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
