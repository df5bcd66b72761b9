//! Evidence for the company's claims, verbatim: figures, cases, testimonials, awards and certificates.

use gtm_lexicon::company::THE_COMPANY;
use gtm_lexicon::figures::{HEADINGS, RESULTS};
use gtm_lexicon::foundations::{COMMITS, MISSION_PHRASES};
use gtm_lexicon::proofs::{AWARDS, PLAIN_FACTS, PLANNED};
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::sentences;
use gtm_site_research::staff;
use gtm_site_research::words;
use serde_json::json;

use super::certificates::is_certificate;
use super::figures::{at_least, has_hundreds, has_number, is_bare, is_figure, is_price};
use super::outline::sections;
use super::speaker::says_what_it_is;
use super::{counters, keys, unique_slug};
use crate::draft::{Draft, PROOF_POINTS};
use crate::part::Part;
use crate::site::Site;

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
    let mut add = |kind: &str, text: &str, page: usize, carrier: &str, most: usize| {
        let of_kind = draft
            .many(PROOF_POINTS)
            .iter()
            .filter(|claim| claim.value["kind"] == kind)
            .count();
        let taken = keys(draft, PROOF_POINTS);
        let known = draft
            .many(PROOF_POINTS)
            .iter()
            .any(|claim| claim.value["text"] == text);
        if of_kind >= most || known {
            return;
        }
        let value = json!({"key": unique_slug(text, "proof", &taken), "kind": kind, "text": text});
        let excerpt = Excerpt {
            page,
            text: carrier.to_owned(),
        };
        draft.push(PROOF_POINTS, Claim::stated(value, vec![excerpt]));
    };
    let figures: Vec<(usize, usize)> = sections(site, evidence)
        .into_iter()
        .filter(|section| section.is_headed(&HEADINGS))
        .flat_map(|section| section.body)
        .map(|passage| (passage.page, passage.block))
        .collect();
    let mut previous: Option<&Passage> = None;
    for passage in evidence
        .passages
        .iter()
        .filter(|passage| passage.main && own(site.part(passage.page)))
    {
        let length = passage.text.chars().count();
        // What the company says of itself in quotation marks is no customer's word.
        let quoted = passage.kind == BlockKind::Quote
            && !is_attribution(passage, previous)
            && site.part(passage.page) != Part::Careers
            && !speaks_as_owner(&passage.text, site);
        previous = Some(passage);
        if quoted && (25..=600).contains(&length) {
            add("testimonial", &passage.text, passage.page, &passage.text, 4);
        }
        let folded = words::fold(&passage.text);
        let words = words::split(&folded);
        let short = matches!(
            passage.kind,
            BlockKind::ListItem | BlockKind::Heading | BlockKind::Other | BlockKind::TableRow
        ) && (6..=140).contains(&length);
        let certified = (short || passage.kind == BlockKind::Paragraph && length <= 60)
            && words::count(&passage.text) <= 20;
        if certified && is_certificate(&passage.text, passage.kind == BlockKind::Heading, site) {
            add(
                "certification",
                &passage.text,
                passage.page,
                &passage.text,
                4,
            );
        } else if short
            && AWARDS.any_in(&words)
            && says_what_it_is(&passage.text, site)
            // A short heading such as `Our awards` only announces awards.
            && (passage.kind != BlockKind::Heading || words.len() >= 5)
        {
            add("award", &passage.text, passage.page, &passage.text, 3);
        } else if short
            && passage.kind != BlockKind::TableRow
            && !is_bare(&passage.text)
            && !counters::is_numbered(&passage.text)
            && !is_price(&words, &passage.text)
            && !PLAIN_FACTS.any_in(&words)
            && (is_figure(&words, &passage.text)
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
            site.part(passage.page),
            Part::Home | Part::About | Part::Customers | Part::Press | Part::Careers
        )
    };
    for passage in counters::rows(evidence, is_headed, may_stand_alone) {
        let folded = words::fold(&passage.text);
        let is_plain = PLAIN_FACTS.any_in(&words::split(&folded));
        if own(site.part(passage.page)) && !is_plain {
            add("metric", &passage.text, passage.page, &passage.text, 5);
        }
    }
    for (page, text) in shown_large(site, evidence) {
        if own(site.part(page)) {
            add("metric", &text, page, &text, 5);
        }
    }
    for sentence in evidence
        .sentences
        .iter()
        .filter(|sentence| own(site.part(sentence.page)))
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
                4,
            );
        } else if AWARDS.any_in(&words) && says_what_it_is(&sentence.text, site) {
            add("award", &sentence.text, sentence.page, &sentence.text, 3);
        } else if (has_number(&sentence.text)
            // When a company describes itself, numbers in words are usually promises, not results.
            || counters::in_words(&words) && !says_what_it_is(&sentence.text, site))
            && (RESULTS.any_in(&words)
                && (site.part(sentence.page) == Part::Customers
                    || says_what_it_is(&sentence.text, site))
                || site.part(sentence.page) == Part::Customers
                    && counters::is_share(&words, &sentence.text)
                || at_least(&words)
                    && (has_hundreds(&sentence.text) || says_what_it_is(&sentence.text, site)))
            && !PLAIN_FACTS.any_in(&words)
            && staff::stated(sentence).is_none()
            && !is_price(&words, &sentence.text)
        {
            let kind = if site.part(sentence.page) == Part::Customers {
                "case_study"
            } else {
                "metric"
            };
            add(kind, &sentence.text, sentence.page, &sentence.text, 5);
        }
    }
}

/// Whether the company's own people speak: they say `we` and name no one else, or what the company stands for.
fn speaks_as_owner(text: &str, site: &Site) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let named = site.research.names.iter().any(|name| {
        let name = words::fold(super::legal_names::without_form(name));
        !name.is_empty() && folded.contains(&name)
    });
    !named && THE_COMPANY.any_in(&words) || MISSION_PHRASES.any_in(&words) || COMMITS.any_in(&words)
}

/// Figures shown above their label, each in a block of its own: `4,200+` above `pumps in service`.
fn shown_large(site: &Site, evidence: &Evidence) -> Vec<(usize, String)> {
    let ordinals = counters::ordinals(evidence);
    let mut found = Vec::new();
    for (at, pair) in evidence.passages.windows(2).enumerate() {
        let [figure, label] = pair else { continue };
        // Between two headings, the figure belongs to the one above.
        let under_heading = label.kind == BlockKind::Heading
            && at
                .checked_sub(1)
                .and_then(|before| evidence.passages.get(before))
                .is_some_and(|before| {
                    before.page == figure.page && before.kind == BlockKind::Heading
                });
        if under_heading {
            continue;
        }
        let beside = figure.page == label.page
            && figure.block + 1 == label.block
            && !matches!(figure.kind, BlockKind::TableRow | BlockKind::Quote);
        // `1 Choose`, `2 Order`, `3 Enjoy` and `01`, `02` are numbered steps and cards, not figures.
        let orders =
            ordinals.contains(&(figure.page, figure.block)) || counters::is_numbered(&figure.text);
        if !beside || orders || !is_bare(&figure.text) || label.text.ends_with(['.', '?', '!', ':'])
        {
            continue;
        }
        let folded = words::fold(&label.text);
        let words = words::split(&folded);
        let is_link = site.research.pages.get(label.page).is_some_and(|visited| {
            visited
                .page
                .links
                .iter()
                .any(|link| link.text == label.text)
        });
        let fits = (1..=7).contains(&words.len())
            && !has_number(&label.text)
            && !is_link
            && !PLAIN_FACTS.any_in(&words)
            && !is_price(&words, &figure.text);
        if fits {
            found.push((figure.page, format!("{} {}", figure.text, label.text)));
        }
    }
    found
}

/// Whether the block names the author of the quotation before it: a block of its own, without the end of a
/// sentence.
fn is_attribution(passage: &Passage, previous: Option<&Passage>) -> bool {
    let text = passage.text.trim();
    let whole = text
        .trim_end_matches(['"', '”', '“', '»', '’', ')'])
        .ends_with(['.', '!', '?', '…', '؟']);
    let words = text.split_whitespace().count();
    // `They cast a spare. Jane Roe, Acme` is a quotation with its author, not just the author.
    let alone = sentences::split(text, "en").len() == 1;
    let dashed = text.starts_with(['—', '–', '-', '―', '~']);
    let follows = previous.is_some_and(|previous| {
        previous.kind == BlockKind::Quote
            && previous.page == passage.page
            && previous.block + 1 == passage.block
    });
    alone && words <= 16 && (dashed || !whole && (follows || text.contains(',') && words <= 10))
}
