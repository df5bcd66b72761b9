//! The usable text of the pages that were read: blocks and sentences, verbatim, without boilerplate.

use std::collections::{BTreeMap, BTreeSet};

use gtm_page_text::primary_language;

use crate::boilerplate;
use crate::instructions;
use crate::page::BlockKind;
use crate::reading::{Research, Visited};
use crate::roles::Role;
use crate::sentences;
use crate::words;

/// Maximum number of sentences kept per page.
const MAX_SENTENCES_A_PAGE: usize = 400;
/// Longest sentence that is quoted, in characters.
const LONGEST: usize = 420;

/// A block of text that may be quoted.
#[derive(Debug, Clone)]
pub struct Passage {
    /// Index of the page in the research.
    pub page: usize,
    /// Index of the block on the page.
    pub block: usize,
    /// The page's role.
    pub role: Role,
    /// What the block is.
    pub kind: BlockKind,
    /// Level of a heading.
    pub level: u8,
    /// Whether it is in the page's main part (or nothing is marked as such).
    pub main: bool,
    /// Verbatim.
    pub text: String,
}

/// A sentence of a passage.
#[derive(Debug, Clone)]
pub struct Sentence {
    /// Index of the page in the research.
    pub page: usize,
    /// Index of the block on the page.
    pub block: usize,
    /// Position among the page's sentences, from 0.
    pub position: usize,
    /// The page's role.
    pub role: Role,
    /// What the block is.
    pub kind: BlockKind,
    /// Verbatim.
    pub text: String,
    /// Folded, for matching words.
    pub folded: String,
}

impl Sentence {
    /// The folded words.
    pub fn words(&self) -> Vec<&str> {
        words::split(&self.folded)
    }

    /// Whether it is a whole sentence, with an end.
    pub fn is_whole(&self) -> bool {
        let end = self
            .text
            .trim_end_matches(['"', '\'', ')', '»', '\u{201d}', '\u{2019}']);
        end.ends_with(['.', '!', '?', '…', '。', '！', '？'])
    }

    /// Whether it may be quoted on its own.
    pub fn is_quotable(&self) -> bool {
        let length = self.text.chars().count();
        let least = if self.text.is_ascii() || self.text.chars().any(char::is_whitespace) {
            30
        } else {
            12
        };
        // Some sites end paragraphs without a full stop; long ones are sentences anyway.
        let whole =
            self.is_whole() || (self.kind == BlockKind::Paragraph && self.words().len() >= 8);
        whole
            && length >= least
            && !self.text.ends_with(['?', '？'])
            && !matches!(
                self.kind,
                BlockKind::Heading | BlockKind::TableRow | BlockKind::Code
            )
            && !boilerplate::is_call_to_act(&self.text)
    }
}

/// Everything that may be quoted.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// Passages in the order of pages and blocks.
    pub passages: Vec<Passage>,
    /// Sentences of main passages in the same order, each text only once.
    pub sentences: Vec<Sentence>,
    /// How many blocks were left out because they address a model.
    pub addressed_to_models: usize,
}

impl Evidence {
    /// Sentences in which the company speaks about itself.
    pub fn own_sentences(&self) -> impl Iterator<Item = &Sentence> {
        self.sentences.iter().filter(|sentence| {
            matches!(
                sentence.role,
                Role::About | Role::Home | Role::Careers | Role::Imprint | Role::Products
            )
        })
    }
}

/// Collects what may be quoted.
pub fn collect(research: &Research) -> Evidence {
    let repeated = repeated_texts(&research.pages);
    let names: Vec<String> = research
        .names
        .iter()
        .map(|name| words::fold(name))
        .collect();
    let mut passages = Vec::new();
    let mut addressed_to_models = 0usize;
    for (page, visited) in research.pages.iter().enumerate() {
        let marked = visited.page.blocks.iter().any(|block| block.main);
        for (block, content) in visited.page.blocks.iter().enumerate() {
            if content.kind == BlockKind::Code {
                continue;
            }
            if instructions::addressed_to_a_model(&content.text) {
                addressed_to_models += 1;
                continue;
            }
            if boilerplate::is_boilerplate(&content.text) {
                continue;
            }
            let template = repeated.contains(content.text.as_str());
            passages.push(Passage {
                page,
                block,
                role: visited.role,
                kind: content.kind,
                level: content.level.unwrap_or(6),
                main: if marked { content.main } else { !template },
                text: content.text.clone(),
            });
        }
    }
    let sentences = sentences_of(research, &passages, &names);
    Evidence {
        passages,
        sentences,
        addressed_to_models,
    }
}

fn sentences_of(research: &Research, passages: &[Passage], names: &[String]) -> Vec<Sentence> {
    let mut known = BTreeSet::new();
    let mut positions: BTreeMap<usize, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for passage in passages.iter().filter(|passage| passage.main) {
        let visited = research.pages.get(passage.page);
        let declared = visited
            .and_then(|visited| visited.page.language.as_deref())
            .unwrap_or(&research.language);
        for text in sentences::split(&passage.text, primary_language(declared)) {
            let folded = words::fold(text);
            // Other sites write about many companies.
            if passage.role == Role::External
                && !names.iter().any(|name| folded.contains(name.as_str()))
            {
                continue;
            }
            if text.chars().count() > LONGEST
                || !known.insert(folded.trim_end_matches('.').to_owned())
            {
                continue;
            }
            let position = positions.entry(passage.page).or_insert(0);
            if *position >= MAX_SENTENCES_A_PAGE {
                continue;
            }
            found.push(Sentence {
                page: passage.page,
                block: passage.block,
                position: *position,
                role: passage.role,
                kind: passage.kind,
                text: text.to_owned(),
                folded,
            });
            *position += 1;
        }
    }
    found
}

/// Texts found on three or more pages of the site: navigation, banners, footers.
fn repeated_texts(pages: &[Visited]) -> BTreeSet<&str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for visited in pages.iter().filter(|visited| visited.first_party()) {
        let texts: BTreeSet<&str> = visited
            .page
            .blocks
            .iter()
            .map(|block| block.text.as_str())
            .collect();
        for text in texts {
            *counts.entry(text).or_insert(0) += 1;
        }
    }
    counts
        .into_iter()
        .filter(|&(_, count)| count >= 3)
        .map(|(text, _)| text)
        .collect()
}
