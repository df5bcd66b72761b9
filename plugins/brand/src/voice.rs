//! How the brand writes: habits measured on its pages, and samples in its own words.

use std::collections::BTreeSet;

use gtm_lexicon::company::WE_AND_YOU;
use gtm_page_text::{BlockKind, UNDETERMINED};
use gtm_site_research::boilerplate;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::Evidence;
use gtm_site_research::facts;
use gtm_site_research::page;
use gtm_site_research::sentences;
use gtm_site_research::words;
use gtm_site_signals::prose;
use serde_json::{Value, json};

use crate::draft::{
    CONTRACTIONS, CORE_MESSAGE, DESCRIPTION_SHORT, Draft, EMOJI, EXCLAMATION_MARKS, FORMALITY,
    HEADLINE_CASE, OXFORD_COMMA, PERSON, SAMPLES, SPELLING_LOCALE, TAGLINE,
};
use crate::facts::addresses;
use crate::plan::Part;
use crate::site::Site;

/// Most samples kept.
const MOST_SAMPLES: usize = 5;

/// Fewest and most letters of a sample.
const SAMPLE: std::ops::RangeInclusive<usize> = 40..=240;

/// How long a text is, in letters of an alphabet: a sign of a script without blanks stands for about two.
fn length(text: &str) -> usize {
    let is_sign = |c: char| c > '\u{2e80}';
    text.chars().map(|c| if is_sign(c) { 2 } else { 1 }).sum()
}

/// Measures the habits and chooses the samples.
pub fn observe(site: &Site, evidence: &Evidence, draft: &mut Draft) {
    // The host repeats this measurement: the same blocks of the same pages in the same order.
    let measured: Vec<(usize, &page::Page)> = site
        .own_pages()
        .filter(|(_, part, _)| {
            matches!(
                part,
                Part::Home | Part::About | Part::Product | Part::Customers | Part::Press
            )
        })
        .map(|(index, _, content)| (index, content))
        .collect();
    let receipts: Vec<String> = measured
        .iter()
        .map(|(_, page)| page.receipt_id.clone())
        .collect();
    let blocks: Vec<(BlockKind, &str)> = measured
        .iter()
        .flat_map(|(_, page)| &page.blocks)
        .map(|block| (kind(block.kind), block.text.as_str()))
        .collect();
    let language = Some(site.research.language.as_str()).filter(|tag| *tag != UNDETERMINED);
    let prose = prose::measure(&blocks, language);
    let mut set = |field, value: Value| {
        if !value.is_null() {
            draft.set(field, Some(Claim::observed(value, receipts.clone())));
        }
    };
    set(FORMALITY, json!(prose.formality));
    set(PERSON, json!(prose.person));
    set(SPELLING_LOCALE, json!(prose.spelling_locale));
    set(CONTRACTIONS, json!(prose.contractions));
    set(OXFORD_COMMA, json!(prose.oxford_comma));
    set(EMOJI, json!(prose.emoji));
    set(EXCLAMATION_MARKS, json!(prose.exclamation_marks));
    set(HEADLINE_CASE, json!(prose.headline_case));
    let told: BTreeSet<String> = [TAGLINE, CORE_MESSAGE, DESCRIPTION_SHORT]
        .into_iter()
        .filter_map(|field| draft.one(field)?.value.as_str().map(words::fold))
        .collect();
    draft.extend(SAMPLES, samples(site, evidence, &told));
}

fn kind(kind: page::BlockKind) -> BlockKind {
    match kind {
        page::BlockKind::Heading => BlockKind::Heading,
        page::BlockKind::Paragraph => BlockKind::Paragraph,
        page::BlockKind::ListItem => BlockKind::ListItem,
        page::BlockKind::Quote => BlockKind::Quote,
        page::BlockKind::TableRow => BlockKind::TableRow,
        page::BlockKind::Code => BlockKind::Code,
        page::BlockKind::Other => BlockKind::Other,
    }
}

/// Whether a sentence needs nothing around it: it neither points back nor begins in the middle or with a label.
fn stands_alone(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let folded = words::fold(text);
    let words = words::split(&folded);
    let labelled = text
        .char_indices()
        .find(|(_, c)| matches!(c, ':' | '：'))
        .is_some_and(|(at, _)| {
            text.get(..at)
                .is_some_and(|label| label.chars().count() <= 24)
        });
    let is_cut = first.ends_with('.') && first.chars().count() <= 5;
    // One mark of a quotation alone is the end of somebody else's words.
    let marks = |marks: [char; 3]| text.matches(marks).count();
    let opens = marks(['“', '„', '«']) + marks(['"', '”', '»']);
    let is_quoted = opens % 2 == 1;
    !sentences::refers_back(&words) && !labelled && !is_cut && !is_quoted
}

/// Whether a sentence begins with what may be a person's name: three words with capitals, as in `Dame Anna Bell`.
/// DANGER: a guideline names no persons, and a sentence about one is no example of the brand's voice.
fn begins_with_a_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().take(3).collect();
    let capital = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
    words.len() == 3 && words.iter().all(capital)
}

/// Whether one of the texts has a sentence in it, as a message may join several.
fn is_told(sentence: &str, told: &BTreeSet<String>) -> bool {
    told.iter().any(|text| text.contains(sentence))
}

/// Whether most words of the shorter of two sentences stand in the other.
fn are_alike(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let least = one.len().min(other.len());
    least > 0 && one.intersection(other).count() * 3 >= least * 2
}

/// Sentences in which the brand speaks about itself, taken from several pages.
fn samples(site: &Site, evidence: &Evidence, told: &BTreeSet<String>) -> Vec<Claim> {
    let mut scored: Vec<(i32, usize, &gtm_site_research::evidence::Sentence)> = evidence
        .sentences
        .iter()
        .enumerate()
        .filter(|(_, sentence)| {
            matches!(
                site.part(sentence.page),
                Part::Home | Part::About | Part::Product
            )
        })
        .filter(|(_, sentence)| stands_alone(&sentence.text) && !told.contains(&sentence.folded))
        .filter(|(_, sentence)| !begins_with_a_name(&sentence.text))
        .filter(|(_, sentence)| {
            // Items of lists are no sentences of the brand's own making.
            sentence.is_quotable()
                && sentence.is_whole()
                && !matches!(
                    sentence.kind,
                    page::BlockKind::Quote | page::BlockKind::ListItem | page::BlockKind::TableRow
                )
        })
        .filter(|(_, sentence)| {
            SAMPLE.contains(&length(&sentence.text)) && !boilerplate::is_boilerplate(&sentence.text)
        })
        .map(|(at, sentence)| {
            let language = &site.research.language;
            let speaks = addresses(&WE_AND_YOU, &sentence.text, language);
            let place = match site.part(sentence.page) {
                Part::Home => 12,
                Part::About => 10,
                _ => 4,
            };
            let score = place + if speaks { 20 } else { 0 }
                - if facts::numbers(&sentence.text).is_empty() {
                    0
                } else {
                    4
                };
            (score, at, sentence)
        })
        .collect();
    // What a message joins with others is told already, but better than nothing.
    if scored
        .iter()
        .any(|(.., sentence)| !is_told(&sentence.folded, told))
    {
        scored.retain(|(.., sentence)| !is_told(&sentence.folded, told));
    }
    scored.sort_by_key(|(score, at, _)| (-score, *at));
    let mut of_page: Vec<usize> = Vec::new();
    let mut known: Vec<BTreeSet<String>> = Vec::new();
    let mut found = Vec::new();
    for (_, _, sentence) in scored {
        let taken = of_page
            .iter()
            .filter(|page| **page == sentence.page)
            .count();
        if found.len() >= MOST_SAMPLES || taken >= 2 {
            continue;
        }
        // Pages say the same in nearly the same words.
        let stems = words::stems(&sentence.text);
        if known.iter().any(|known| are_alike(known, &stems)) {
            continue;
        }
        known.push(stems);
        of_page.push(sentence.page);
        found.push(Claim::stated(
            sentence.text.as_str(),
            vec![Excerpt {
                page: sentence.page,
                text: sentence.text.clone(),
            }],
        ));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_again_is_no_other_sample() {
        let alike = |one: &str, other: &str| are_alike(&words::stems(one), &words::stems(other));
        assert!(alike(
            "We mend what others throw away, every day.",
            "Every day we mend what others throw away in our yard."
        ));
        assert!(!alike(
            "We mend what others throw away.",
            "Our yard is open from spring to autumn."
        ));
        let told = BTreeSet::from(["we mend. we care.".to_owned()]);
        assert!(is_told("we care.", &told) && !is_told("we build.", &told));
    }

    #[test]
    fn names_at_the_beginning_are_told_from_other_words() {
        assert!(begins_with_a_name(
            "Dame Anna Bell has been our patron since 2018."
        ));
        for text in [
            "We mend what others throw away.",
            "Our Leeds workshop is open.",
            "Bell",
        ] {
            assert!(!begins_with_a_name(text), "{text}");
        }
    }
}
