//! Paragraphs of a brief that are notes as a whole, by whom they speak to and of.

use gtm_lexicon::documents::ADDRESSING;
use gtm_lexicon::split;

use super::super::texts::text_of;
use super::super::{Part, speakers, texts_of};
use super::clauses::{is_colon, parts_clauses};
use super::colleagues::{calls_to_do_something, named_first};
use super::{others, postscripts};

/// Most notes to colleagues below one another: more are what people say in turn.
const MOST_NOTES: usize = 2;

/// Which paragraphs of a text are said to a colleague, who is named or called first, or are a postscript for one. Whoever is named
/// elsewhere in it may be its reader.
pub fn notes_among(parts: &[Part], in_letter: bool) -> Vec<usize> {
    let texts: Vec<Option<String>> = parts.iter().map(paragraph_of).collect();
    let named = texts.iter().flatten();
    let many = named.filter(|text| named_first(text).is_some()).count() > MOST_NOTES;
    let is_note = |at: &usize| {
        let Some(Some(text)) = texts.get(*at) else {
            return false;
        };
        let is_cast = |name: &str| {
            let mut others = parts.iter().enumerate().filter(|(other, _)| other != at);
            others.any(|(_, part)| names(part, name))
        };
        if *at > 0 && calls_to_do_something(text, &is_cast)
            || tells_a_speaker_of_others(text)
            || postscripts::is_private(text, in_letter, &is_cast)
        {
            return true;
        }
        let Some((name, said)) = named_first(text).filter(|_| !many) else {
            return false;
        };
        let to_the_reader = split(said).iter().any(|word| ADDRESSING.any_has(word));
        let asks = said.ends_with(['?', '？']);
        others::are_told_of(said) || (asks || !to_the_reader) && !is_cast(name)
    };
    (0..parts.len()).filter(is_note).collect()
}

/// Whether a note for whoever speaks tells of the reader. The notes of slides go with them: `Speaker note: they sacked their last
/// supplier.`
fn tells_a_speaker_of_others(text: &str) -> bool {
    text.split_once(is_colon).is_some_and(|(label, said)| {
        speakers::is_named_by(label) && said.split(parts_clauses).any(others::are_gossiped_of)
    })
}

fn paragraph_of(part: &Part) -> Option<String> {
    match part {
        Part::Block(block) => text_of(block),
        Part::Heading { .. } => None,
    }
}

/// Whether a part has somebody's name, which may be of a script without blanks.
fn names(part: &Part, name: &str) -> bool {
    let texts = match part {
        Part::Heading { runs, .. } => vec![gtm_document_model::plain_text(runs)],
        Part::Block(block) => texts_of(std::slice::from_ref(block)),
    };
    let found = |text: &String| match name.is_ascii() {
        true => split(text).contains(&name),
        false => text.contains(name),
    };
    texts.iter().any(found)
}
