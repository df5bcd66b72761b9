//! What the company is, in a few sentences of its own: how it describes itself, what it does, and what it is there for.

use gtm_site_facts::draft::{Draft as Facts, MISSION, PURPOSE};
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::fixed_texts::OWN_SENTENCES;
use gtm_site_research::words;

use super::{descriptions, excerpt, repeats};
use crate::salience::Cues;

/// Most characters of the summary, as long as the first text alone is not longer.
const LONGEST: usize = 1_400;
/// The marks with which a whole text ends.
const ENDS: [char; 9] = ['.', '!', '?', '…', '。', '！', '？', ')', '”'];

/// The summary of the business: texts of the company that do not repeat each other, the best first. `sentences` are those
/// that say what it does; `priorities` are told elsewhere.
pub fn snapshot(
    facts: &Facts,
    (sentences, priorities): (&[&Sentence], &[Claim]),
    evidence: &Evidence,
    (cues, language): (&Cues, &str),
) -> Option<Claim> {
    // What a company declares of itself, or says of itself by its name, is written to stand alone; other sentences are not.
    let stands_alone = |claim: &&Claim| {
        let shown = |excerpt: &Excerpt| {
            let mut passages = evidence.passages.iter();
            passages.any(|known| known.text == excerpt.text)
        };
        let text = claim.value.as_str().unwrap_or_default();
        cues.names_company(&words::fold(text)) || !claim.excerpts.iter().any(shown)
    };
    let described = descriptions(facts);
    let (mut parts, others): (Vec<Claim>, Vec<Claim>) = {
        let (first, others): (Vec<&Claim>, Vec<&Claim>) =
            described.into_iter().partition(stands_alone);
        let owned = |claims: Vec<&Claim>| -> Vec<Claim> { claims.into_iter().cloned().collect() };
        (owned(first), owned(others))
    };
    let quoted =
        |sentence: &&Sentence| Claim::stated(sentence.text.as_str(), vec![excerpt(sentence)]);
    parts.extend(sentences.iter().map(quoted));
    // A description that needs the page around it is better than nothing.
    if parts.is_empty() {
        parts.extend(others.into_iter().take(1));
    }
    let told = |claim: &&Claim| priorities.iter().any(|known| known.value == claim.value);
    let aims = [MISSION, PURPOSE].into_iter();
    let aims = aims.filter_map(|field| facts.one(field));
    // What it is there for is better than nothing, too.
    parts.extend(aims.filter(|claim| !told(claim)).cloned());
    joined(parts, language)
}

/// Texts as one, each ended by its stop.
fn joined(parts: Vec<Claim>, language: &str) -> Option<Claim> {
    let mut parts = parts.into_iter();
    let mut whole = parts.next()?;
    let mut texts = vec![whole.value.as_str().unwrap_or_default().to_owned()];
    for part in parts {
        let text = part.value.as_str().unwrap_or_default();
        let length: usize = texts.iter().map(|known| known.chars().count() + 1).sum();
        let again = || texts.iter().any(|known| repeats(text, known));
        if length + text.chars().count() > LONGEST || again() {
            continue;
        }
        texts.push(text.to_owned());
        for excerpt in part.excerpts {
            if !whole.excerpts.contains(&excerpt) {
                whole.excerpts.push(excerpt);
            }
        }
    }
    if texts.len() > 1 {
        whole.reasoning = Some(OWN_SENTENCES.in_language(language).to_owned());
    }
    let ended: Vec<String> = texts.iter().map(|text| ended(text)).collect();
    whole.value = match ended.as_slice() {
        [_] => texts.concat().into(),
        several => several.join(" ").into(),
    };
    Some(whole)
}

/// The text, with a full stop if its author left it out.
fn ended(text: &str) -> String {
    let text = text.trim_end();
    let stop = if text.ends_with(ENDS) { "" } else { "." };
    format!("{text}{stop}")
}
