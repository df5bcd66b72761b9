//! What business a company is in, told from its own words.

use gtm_lexicon::trade::{
    COMPANY_NOUNS, DESCRIBES, INDEFINITE_ARTICLES, INDUSTRY_LABELS, PLAIN_NOUNS, PRAISE, STATUS, WE,
};

use crate::claim::{Claim, Excerpt};
use crate::evidence::Evidence;
use crate::reading::Research;
use crate::roles::Role;
use crate::words::{self, tokens};

pub fn industry(research: &Research, evidence: &Evidence) -> Option<Claim> {
    for passage in evidence
        .passages
        .iter()
        // What a vacancy is about is a job.
        .filter(|passage| !matches!(passage.role, Role::External | Role::Careers))
    {
        if let Some((label, value)) = passage.text.split_once(':')
            && INDUSTRY_LABELS.are(&words::split(&words::fold(label)))
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
    evidence
        .own_sentences()
        .filter(|sentence| sentence.role != Role::Careers)
        .filter(|sentence| {
            let words = sentence.words();
            words.first().is_some_and(|first| WE.contains(first))
                || first_words.iter().any(|name| words.contains(name))
        })
        .find_map(|sentence| {
            described_as(&sentence.text).map(|value| part(value, &sentence.text, sentence.page))
        })
}

fn part(value: &str, text: &str, page: usize) -> Claim {
    Claim::stated(
        value,
        vec![Excerpt {
            page,
            text: text.to_owned(),
        }],
    )
}

/// `… is a cold-chain logistics company …` → `cold-chain logistics`.
fn described_as(sentence: &str) -> Option<&str> {
    let tokens = tokens(sentence);
    for (at, pair) in tokens.windows(2).enumerate() {
        let [(_, _, verb), (_, _, article)] = pair else {
            continue;
        };
        if !(DESCRIBES.contains(verb) && INDEFINITE_ARTICLES.contains(article)) {
            continue;
        }
        let mut first = at + 2;
        while tokens.get(first).is_some_and(|(_, _, word)| {
            PRAISE.contains(&words::fold(word.trim_end_matches(','))) || word.ends_with("-based")
        }) {
            first += 1;
        }
        let has_status = tokens
            .get(first)
            .is_some_and(|(_, _, word)| STATUS.contains(&words::fold(word)));
        if has_status {
            continue;
        }
        let capital = |at: usize| {
            tokens
                .get(at)
                .is_some_and(|(_, _, word)| word.starts_with(char::is_uppercase))
        };
        for noun_at in first..first + 9 {
            let Some(&(start, end, word)) = tokens.get(noun_at) else {
                break;
            };
            let bare = word.trim_end_matches(['.', ',', ';', ':']);
            if COMPANY_NOUNS.contains(&words::fold(bare)) && noun_at > first {
                let begin = tokens.get(first)?.0;
                let plain = PLAIN_NOUNS.contains(&words::fold(bare));
                let stop = if plain {
                    tokens.get(noun_at - 1)?.1
                } else {
                    start + bare.len()
                };
                return sentence.get(begin..stop.min(end.max(stop)));
            }
            // Names of several trades follow each other with capitals: `Sourcing, Import and Trading Company`.
            let goes_on = word.ends_with(',') && capital(noun_at) && capital(noun_at + 1);
            if bare.len() != word.len() && !goes_on {
                break;
            }
        }
    }
    None
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
        assert_eq!(
            described_as(
                "Acme is a family-owned Kent-based Sourcing, Storage, Export and Parts Trading Company."
            ),
            Some("Sourcing, Storage, Export and Parts Trading")
        );
        assert_eq!(
            described_as("We are an authorised economic operator."),
            None
        );
        assert_eq!(described_as("Acme is a joy to work with."), None);
        assert_eq!(described_as("It is a company."), None);
    }
}
