//! What business the company is in, and how it earns.

use super::{own_sentences, part, tokens};
use crate::draft::Claim;
use crate::evidence::Evidence;
use crate::research::Research;
use crate::roles::Role;
use crate::salience;
use crate::words;

/// Nouns that end the description of a company.
const COMPANY_NOUNS: &[&str] = &[
    "company",
    "firm",
    "business",
    "group",
    "provider",
    "manufacturer",
    "supplier",
    "developer",
    "maker",
    "operator",
    "specialist",
    "agency",
    "consultancy",
    "distributor",
    "retailer",
    "startup",
    "start-up",
    "cooperative",
    "bank",
    "insurer",
    "platform",
];
/// Praise before it.
const PRAISE: &[&str] = &[
    "leading",
    "global",
    "independent",
    "family-owned",
    "family-run",
    "fast-growing",
    "growing",
    "innovative",
    "trusted",
    "premier",
    "world-class",
    "young",
    "small",
    "large",
    "private",
    "privately",
    "owned",
    "modern",
];
const INDUSTRY_LABELS: &[&str] = &[
    "industry",
    "sector",
    "branche",
    "secteur",
    "industria",
    "settore",
];

/// What business the company is in.
pub fn industry(research: &Research, evidence: &Evidence) -> Option<Claim> {
    for passage in evidence
        .passages
        .iter()
        .filter(|passage| passage.role != Role::External)
    {
        if let Some((label, value)) = passage.text.split_once(':')
            && INDUSTRY_LABELS.contains(&words::fold(label.trim()).as_str())
            && (3..=80).contains(&value.trim().chars().count())
            && passage.text.chars().count() <= 200
        {
            return Some(part(value.trim(), &passage.text, passage.page));
        }
    }
    let names: Vec<String> = research
        .names
        .iter()
        .map(|name| words::fold(name))
        .collect();
    let first_words: Vec<&str> = names
        .iter()
        .filter_map(|name| words::split(name).first().copied())
        .collect();
    own_sentences(evidence)
        .filter(|sentence| {
            let words = sentence.words();
            words.first().is_some_and(|first| *first == "we")
                || first_words.iter().any(|name| words.contains(name))
        })
        .find_map(|sentence| {
            described_as(&sentence.text).map(|value| part(value, &sentence.text, sentence.page))
        })
}

/// `… is a cold-chain logistics company …` → `cold-chain logistics`.
fn described_as(sentence: &str) -> Option<&str> {
    let tokens = tokens(sentence);
    for (at, pair) in tokens.windows(2).enumerate() {
        let [(_, _, verb), (_, _, article)] = pair else {
            continue;
        };
        if !(matches!(*verb, "is" | "are" | "as") && matches!(*article, "a" | "an")) {
            continue;
        }
        let mut first = at + 2;
        while tokens.get(first).is_some_and(|(_, _, word)| {
            PRAISE.contains(&words::fold(word.trim_end_matches(',')).as_str())
        }) {
            first += 1;
        }
        for noun_at in first..first + 6 {
            let Some(&(start, end, word)) = tokens.get(noun_at) else {
                break;
            };
            let bare = word.trim_end_matches(['.', ',', ';', ':']);
            if COMPANY_NOUNS.contains(&words::fold(bare).as_str()) && noun_at > first {
                let begin = tokens.get(first)?.0;
                let plain = matches!(
                    words::fold(bare).as_str(),
                    "company" | "firm" | "business" | "group"
                );
                let stop = if plain {
                    tokens.get(noun_at - 1)?.1
                } else {
                    start + bare.len()
                };
                return sentence.get(begin..stop.min(end.max(stop)));
            }
            if bare.len() != word.len() {
                break;
            }
        }
    }
    None
}

const MODEL_CUES: &[&str] = &[
    "per month",
    "a month",
    "per user",
    "per site",
    "per year",
    "a year",
    "per device",
    "subscription*",
    "licence*",
    "license*",
    "pay as",
    "free trial",
    "billed",
    "pricing is",
    "one off",
    "commission",
    "pro monat",
    "im monat",
    "monatlich*",
    "jahrlich*",
    "abo",
    "abonnement*",
    "lizenz*",
    "par mois",
    "par an",
    "al mes",
    "al ano",
    "suscripcion*",
    "licencia*",
    "mensual*",
];

/// How the company earns its money.
pub fn business_model(evidence: &Evidence) -> Option<Claim> {
    evidence
        .sentences
        .iter()
        .filter(|sentence| {
            matches!(
                sentence.role,
                Role::Pricing | Role::About | Role::Products | Role::Home
            )
        })
        .filter(|sentence| {
            salience::is_quotable(sentence) && words::has_any(&sentence.words(), MODEL_CUES)
        })
        .max_by_key(|sentence| {
            // The first of equal ones: `max_by_key` keeps the last, hence the position counts against.
            let cues = MODEL_CUES
                .iter()
                .filter(|cue| words::has(&sentence.words(), cue))
                .count();
            (
                sentence.role == Role::Pricing,
                cues,
                std::cmp::Reverse((sentence.page, sentence.block, sentence.position)),
            )
        })
        .map(|sentence| part(&sentence.text, &sentence.text, sentence.page))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_name_the_industry() {
        assert_eq!(
            described_as("Acme is a leading cold-chain logistics company based in Leeds."),
            Some("cold-chain logistics")
        );
        assert_eq!(
            described_as("We are an independent packaging manufacturer."),
            Some("packaging manufacturer")
        );
        assert_eq!(described_as("Acme is a joy to work with."), None);
        assert_eq!(described_as("It is a company."), None);
    }
}
