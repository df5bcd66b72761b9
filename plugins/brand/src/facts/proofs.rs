//! What proves a company's word, verbatim: figures, cases, testimonials, awards and certificates.

use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::facts;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;
use serde_json::json;

use super::{keys, unique_slug};
use crate::draft::{Draft, PROOF_POINTS};
use crate::plan::Part;
use crate::research::Site;

/// Words of an award.
const AWARDS: &[&str] = &[
    "award*",
    "prize",
    "winner of",
    "won the",
    "auszeichnung*",
    "preis",
    "ausgezeichnet",
    "prix",
    "premio*",
    "laureat*",
];
/// Words of a certificate.
const CERTIFICATES: &[&str] = &[
    "iso",
    "iec 27001",
    "soc 2",
    "tuv",
    "b corp",
    "certified",
    "certification*",
    "certificate*",
    "accredited",
    "accreditation",
    "zertifi*",
    "akkreditiert",
    "certifie*",
    "certificad*",
    "gdpr compliant",
    "fda approved",
    "ukas",
];
/// Words of a result.
const RESULTS: &[&str] = &[
    "reduc*",
    "cut",
    "cuts",
    "saved",
    "saves",
    "saving*",
    "increas*",
    "percent",
    "customers",
    "clients",
    "trusted by",
    "used by",
    "rely on",
    "relies on",
    "projects",
    "installed",
    "delivered",
    "shipped",
    "countries",
    "sites",
    "faster",
    "fewer",
    "less",
    "uptime",
    "senk*",
    "kunden",
    "prozent",
    "projekte",
    "lander*",
    "standorte*",
    "weniger",
    "schneller",
    "ausgeliefert",
    "clients",
    "pays",
    "projets",
    "reduit*",
    "clientes",
    "paises",
    "proyectos",
    "years",
    "jahre*",
    "litres",
    "tonnes",
    "hours",
    "homes",
    "flats",
    "users",
    "members",
];
/// Words of what a company is, which proves nothing.
const PLAIN_FACTS: &[&str] = &[
    "employ*",
    "employees",
    "headquartered",
    "founded",
    "established",
    "registered",
    "beschaftigt*",
    "mitarbeit*",
    "gegrundet",
    "fonde*",
    "emplea*",
    "fundad*",
];
/// Words of something that is to come, which proves nothing.
const PLANNED: &[&str] = &[
    "will",
    "plan to",
    "plans to",
    "aim to",
    "want to",
    "by the end of",
    "wollen",
    "werden",
    "bis ende",
    "goal*",
    "target*",
    "prevo*",
    "objectif*",
    "objetivo*",
];

/// Collect figures, cases, testimonials, awards and certificates.
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
    for passage in evidence
        .passages
        .iter()
        .filter(|passage| passage.main && own(site.part(passage.page)))
    {
        let length = passage.text.chars().count();
        if passage.kind == BlockKind::Quote && (25..=600).contains(&length) {
            add("testimonial", &passage.text, passage.page, &passage.text, 4);
        }
        let folded = words::fold(&passage.text);
        let words = words::split(&folded);
        let short = matches!(
            passage.kind,
            BlockKind::ListItem | BlockKind::Heading | BlockKind::Other | BlockKind::TableRow
        ) && (6..=140).contains(&length);
        if short && is_certificate(&words, &passage.text) {
            add(
                "certification",
                &passage.text,
                passage.page,
                &passage.text,
                4,
            );
        } else if short && is_figure(&words, &passage.text) && passage.kind != BlockKind::TableRow {
            add("metric", &passage.text, passage.page, &passage.text, 5);
        }
    }
    for sentence in evidence
        .sentences
        .iter()
        .filter(|sentence| own(site.part(sentence.page)))
    {
        let words = sentence.words();
        if !sentence.is_quotable()
            || sentence.kind == BlockKind::Quote
            || words::has_any(&words, PLANNED)
        {
            continue;
        }
        if is_certificate(&words, &sentence.text) {
            add(
                "certification",
                &sentence.text,
                sentence.page,
                &sentence.text,
                4,
            );
        } else if words::has_any(&words, AWARDS)
            && super::names::says_what_it_is(&sentence.text, site)
        {
            add("award", &sentence.text, sentence.page, &sentence.text, 3);
        } else if has_figure(sentence)
            && words::has_any(&words, RESULTS)
            && !words::has_any(&words, PLAIN_FACTS)
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

fn is_certificate(words: &[&str], text: &str) -> bool {
    let iso = words
        .iter()
        .position(|word| *word == "iso")
        .is_some_and(|at| {
            words
                .get(at + 1..)
                .unwrap_or_default()
                .iter()
                .take(2)
                .any(|word| word.len() >= 4 && word.chars().all(|c| c.is_ascii_digit()))
        });
    iso || words::has_any(words, CERTIFICATES) && !words.contains(&"iso") && !text.ends_with('?')
}

/// A number that isn't only a year.
fn has_number(text: &str) -> bool {
    facts::numbers(text).iter().any(|number| {
        !(number.len() == 4 && (number.starts_with("19") || number.starts_with("20")))
    })
}

fn has_figure(sentence: &Sentence) -> bool {
    has_number(&sentence.text)
}

/// A short block such as `18,000 flats billed monthly`: a quantity, not an address or a date.
fn is_figure(words: &[&str], text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let quantity = first.contains(['%', '+', '>'])
        || (first.contains([',', '.', '\''])
            && facts::numbers(first)
                .iter()
                .any(|number| number.len() >= 4 && !number.contains('.')));
    // `96,000pallets` is two texts that a style sheet keeps apart.
    let glued = first
        .trim_start_matches(|c: char| !c.is_alphabetic())
        .chars()
        .count()
        > 3;
    first.contains(|c: char| c.is_ascii_digit())
        && !glued
        && has_number(text)
        && (2..=14).contains(&words.len())
        && (quantity || words::has_any(words, RESULTS))
        && !text.ends_with('?')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificates_have_a_standard_or_say_so() {
        let is = |text: &str| is_certificate(&words::split(&words::fold(text)), text);
        assert!(is("ISO 9001:2015") && is("ISO/IEC 27001") && is("Certified B Corp"));
        assert!(!is("Isolated pipes") && !is("We read meters."));
        assert!(has_number("18,000 flats billed") && !has_number("Since 2014"));
    }
}
