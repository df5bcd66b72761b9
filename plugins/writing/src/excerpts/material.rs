//! What of the pages may be shown to a model.

use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::numbers::is_unspaced;
use gtm_page_text::primary_language;
use gtm_site_research::boilerplate;
use gtm_site_research::evidence::{Evidence, Passage, Sentence};
use gtm_site_research::instructions;
use gtm_site_research::page::BlockKind;
use gtm_site_research::reading::{Research, Visited};
use gtm_site_research::roles::Role;
use gtm_site_research::{sentences, words};

use super::{LONGEST, MOST_WORDS_OF_A_LABEL};

/// How often a page may show the same short text without digits; more often, it is a button.
const MOST_REPEATS: usize = 3;

/// Whether the text has a digit of any script.
pub fn has_digits(text: &str) -> bool {
    text.chars().any(char::is_numeric)
}

/// A text that may be shown.
struct Piece<'a> {
    passage: &'a Passage,
    text: &'a str,
    folded: String,
}

impl Piece<'_> {
    /// What must differ from all that was shown before. A short text says something else beside other texts: the number of a
    /// counter, a word that stands in a menu, too.
    fn identity(&self, before: Option<&Self>, behind: Option<&Self>) -> String {
        let plain = self.folded.trim_end_matches('.');
        let short = length_in_words(self.text, &self.folded) <= MOST_WORDS_OF_A_LABEL;
        if !short || !self.passage.main {
            return plain.to_owned();
        }
        let of = |other: Option<&Self>| {
            let same_page = other.filter(|other| other.passage.page == self.passage.page);
            same_page.map_or(String::new(), |other| other.folded.clone())
        };
        // A heading belongs to what follows it.
        let before = match self.passage.kind {
            BlockKind::Heading => String::new(),
            _ => of(before),
        };
        format!("{plain}\n{before}\n{}", of(behind))
    }
}

/// Everything that may be shown, in the order of the pages, each text once; short ones once in each place where they mean something.
pub fn material(research: &Research, evidence: &Evidence) -> Vec<Sentence> {
    let pieces = sayings(research, evidence);
    let mut known = BTreeSet::new();
    let mut repeats: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    let mut found: Vec<Sentence> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let passage = piece.passage;
        let before = at.checked_sub(1).and_then(|before| pieces.get(before));
        if !known.insert(piece.identity(before, pieces.get(at + 1))) {
            continue;
        }
        let shown = repeats
            .entry((passage.page, piece.folded.as_str()))
            .or_insert(0);
        if *shown >= MOST_REPEATS && !has_digits(piece.text) {
            continue;
        }
        *shown += 1;
        let position = found
            .last()
            .filter(|last| last.page == passage.page)
            .map_or(0, |last| last.position + 1);
        found.push(Sentence {
            page: passage.page,
            block: passage.block,
            position,
            role: passage.role,
            kind: passage.kind,
            text: piece.text.to_owned(),
            folded: piece.folded.clone(),
        });
    }
    found
}

/// All texts that say something, in the order of the pages.
fn sayings<'a>(research: &Research, evidence: &'a Evidence) -> Vec<Piece<'a>> {
    let names: Vec<String> = research
        .names
        .iter()
        .map(|name| words::fold(name))
        .collect();
    let mut found = Vec::new();
    for passage in &evidence.passages {
        let Some(visited) = research.pages.get(passage.page) else {
            continue;
        };
        for text in pieces(passage, visited, research) {
            let folded = words::fold(text);
            let of_others = passage.role == Role::External
                && !names.iter().any(|name| folded.contains(name.as_str()));
            if says_something(passage, text, &folded) && !of_others {
                found.push(Piece {
                    passage,
                    text,
                    folded,
                });
            }
        }
    }
    found
}

/// A passage's sentences; headings and rows stay whole.
fn pieces<'a>(passage: &'a Passage, visited: &Visited, research: &Research) -> Vec<&'a str> {
    let pieces = match passage.kind {
        BlockKind::Heading | BlockKind::TableRow => vec![passage.text.trim()],
        _ => {
            let language = visited
                .page
                .language
                .as_deref()
                .unwrap_or(&research.language);
            sentences::split(&passage.text, primary_language(language))
        }
    };
    pieces
        .into_iter()
        .map(|piece| match piece.char_indices().nth(LONGEST) {
            Some((end, _)) => piece.get(..end).unwrap_or(piece).trim_end(),
            None => piece,
        })
        .collect()
}

fn says_something(passage: &Passage, text: &str, folded: &str) -> bool {
    if !text.chars().any(char::is_alphanumeric) || boilerplate::is_call_to_act(text) {
        return false;
    }
    let long = length_in_words(text, folded);
    // Outside of the main part stand menus, and the address that a footer gives.
    let wanted = passage.main
        || (passage.kind != BlockKind::Heading
            && passage.role != Role::External
            && (long >= 4 || text.chars().any(|c| c.is_ascii_digit())));
    wanted && !(long > 3 && instructions::addressed_to_a_model(text))
}

/// How many words a text has. Scripts without spaces are measured by characters: two make about one word.
pub fn length_in_words(text: &str, folded: &str) -> usize {
    let unspaced = text.chars().filter(|c| is_unspaced(*c)).count();
    if unspaced * 2 > text.chars().filter(|c| c.is_alphanumeric()).count() {
        return unspaced / 2;
    }
    words::split(folded).len()
}
