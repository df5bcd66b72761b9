//! The usable text of the pages that were read: blocks and sentences, verbatim, without boilerplate.

mod breaks;

pub use breaks::replies_to;

use std::collections::{BTreeMap, BTreeSet};

use gtm_page_text::{is_in_another_language, primary_language};

use self::breaks::{continues, leads_to_list};
use crate::boilerplate;
use crate::instructions;
use crate::page::BlockKind;
use crate::reading::{Research, Visited};
use crate::roles::Role;
use crate::sentences;
use crate::words;

/// Maximum number of sentences kept per page.
const MAX_SENTENCES_A_PAGE: usize = 400;
/// Fewest words of a paragraph without a full stop that is quoted as a sentence, and of a heading with one.
const LEAST_WORDS: usize = 8;
const LEAST_WORDS_OF_HEADING: usize = 6;
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

    /// Whether it has this many words or, in a script without blanks, as many signs as they take.
    fn is_long(&self, words: usize) -> bool {
        let signs = self
            .text
            .chars()
            .filter(|c| !c.is_ascii() && c.is_alphabetic());
        self.words().len() >= words || (!self.text.contains(' ') && signs.count() >= words * 5 / 2)
    }

    /// Whether nothing announces that it goes on.
    fn is_closed(&self) -> bool {
        !self
            .text
            .ends_with([',', ';', ':', '-', '–', '—', '、', '，', '：', '('])
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
        let whole = match self.kind {
            BlockKind::Heading => self.is_whole() && self.is_long(LEAST_WORDS_OF_HEADING),
            BlockKind::Paragraph => {
                self.is_whole() || (self.is_long(LEAST_WORDS) && self.is_closed())
            }
            _ => self.is_whole(),
        };
        whole
            && length >= least
            && !self.text.ends_with(['?', '？'])
            && !matches!(self.kind, BlockKind::TableRow | BlockKind::Code)
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
            let declared = visited.page.language.as_deref();
            let declared = declared.unwrap_or(&research.language);
            let Some(text) = boilerplate::without(&content.text, declared) else {
                continue;
            };
            let template = repeated.contains(content.text.as_str());
            // A sentence that goes on in the next block is none by itself.
            let next = visited.page.blocks.get(block + 1);
            let goes_on = next.is_some_and(|next| {
                continues(&content.text, content.kind, next)
                    || leads_to_list(&content.text, content.kind, next)
            });
            passages.push(Passage {
                page,
                block,
                role: visited.role,
                kind: if goes_on {
                    BlockKind::Other
                } else {
                    content.kind
                },
                level: content.level.unwrap_or(6),
                main: if marked { content.main } else { !template },
                text: text.to_owned(),
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
    let foreign = pages_in_another_language(research, passages);
    for passage in passages.iter().filter(|passage| passage.main) {
        let visited = research.pages.get(passage.page);
        // Somebody's own words stay in their language; the rest of such a block is another version of the site.
        if passage.role != Role::External
            && passage.kind != BlockKind::Quote
            && (foreign.contains(&passage.page)
                || is_in_another_language(&passage.text, &research.language))
        {
            continue;
        }
        let before = passage
            .block
            .checked_sub(1)
            .and_then(|block| visited?.page.blocks.get(block));
        let own = visited.and_then(|visited| visited.page.blocks.get(passage.block));
        let is_rest = before
            .zip(own)
            .is_some_and(|(before, own)| continues(&before.text, before.kind, own));
        let declared = visited
            .and_then(|visited| visited.page.language.as_deref())
            .unwrap_or(&research.language);
        let sentences = sentences::split(&passage.text, primary_language(declared));
        let is_reply = before.is_some_and(|before| replies_to(&before.text, &passage.text));
        for text in sentences.into_iter().skip(usize::from(is_rest || is_reply)) {
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

/// Fewest characters of a block by which the language of its page is judged.
const LONG_BLOCK: usize = 60;

/// The site's own pages of which most long blocks are in another language than the site: their short blocks are, too, though
/// they are too short to tell.
pub fn pages_in_another_language(research: &Research, passages: &[Passage]) -> BTreeSet<usize> {
    let mut counts: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    let long = |passage: &&Passage| {
        passage.main
            && passage.role != Role::External
            && passage.kind != BlockKind::Quote
            && passage.text.chars().count() >= LONG_BLOCK
    };
    for passage in passages.iter().filter(long) {
        let (others, all) = counts.entry(passage.page).or_default();
        *all += 1;
        *others += usize::from(is_in_another_language(&passage.text, &research.language));
    }
    let mostly = |(_, (others, all)): &(usize, (usize, usize))| others * 2 > *all;
    counts
        .into_iter()
        .filter(mostly)
        .map(|(page, _)| page)
        .collect()
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use serde_json::{Value, json};

    use super::*;
    use crate::page::Page;

    fn quotable(language: &str, blocks: &[(&str, &str)]) -> Vec<String> {
        let blocks: Vec<Value> = blocks
            .iter()
            .map(|(kind, text)| json!({"kind": kind, "text": text, "main": true}))
            .collect();
        let page = Page::read(json!({
            "receipt_id": "rcp_1", "url": "https://a.example/", "final_url": "https://a.example/", "blocks": blocks,
        }));
        let research = Research {
            company: None,
            names: Vec::new(),
            domain: "a.example".to_owned(),
            language: language.to_owned(),
            pages: vec![Visited {
                page: page.unwrap(),
                role: Role::Home,
            }],
            misses: Vec::new(),
        };
        let sentences = collect(&research).sentences.into_iter();
        sentences
            .filter(Sentence::is_quotable)
            .map(|sentence| sentence.text)
            .collect()
    }

    #[test]
    fn quotations_are_whole_sentences_of_one_block() {
        let blocks = [
            (
                "heading",
                "We keep the cold chain cold from the farm to the shop.",
            ),
            ("heading", "Cold chain made simple."),
            (
                "paragraph",
                "For thirty years we have built loggers that dairies trust without",
            ),
            (
                "paragraph",
                "any paper at all. We repair each of them ourselves in Ripon.",
            ),
            (
                "paragraph",
                "Our loggers count every hour and every degree of the way",
            ),
            (
                "paragraph",
                "Our new loggers for the last mile of the way are:",
            ),
        ];
        assert_eq!(
            quotable("en", &blocks),
            [
                "We keep the cold chain cold from the farm to the shop.",
                "We repair each of them ourselves in Ripon.",
                "Our loggers count every hour and every degree of the way",
            ]
        );
    }

    #[test]
    fn a_sentence_that_ends_in_a_list_is_none_by_itself() {
        for (above, whole) in [
            ("For every dairy of the region we keep and repair", false),
            (
                "For every dairy of the region we keep and repair scales.",
                true,
            ),
        ] {
            let blocks = [("paragraph", above), ("list_item", "Scales of wood")];
            assert_eq!(quotable("en", &blocks).len(), usize::from(whole), "{above}");
        }
    }

    #[test]
    fn what_begins_like_an_answer_is_no_sentence_without_its_question() {
        let blocks = [
            ("heading", "Are you qualified and insured?"),
            (
                "paragraph",
                "Yes, we are fully certified and insured for every trade. We work to the latest standard.",
            ),
            (
                "paragraph",
                "Then, in 2004, we moved to the larger yard beside the canal.",
            ),
            ("heading", "Who is Acme?"),
            (
                "paragraph",
                "Acme, a family firm from Leeds, builds boats for the whole of the coast.",
            ),
            ("heading", "Who are we?"),
            (
                "paragraph",
                "Today, we employ 40 people in two yards beside the canal.",
            ),
            ("heading", "Do you repair old boats?"),
            (
                "paragraph",
                "Of course, we repair every boat that we have ever built.",
            ),
            ("heading", "どなたでも利用できますか？"),
            ("paragraph", "はい、どなたでもご利用いただけます。"),
        ];
        assert_eq!(
            quotable("en", &blocks[..9]),
            [
                "We work to the latest standard.",
                "Then, in 2004, we moved to the larger yard beside the canal.",
                "Acme, a family firm from Leeds, builds boats for the whole of the coast.",
                "Today, we employ 40 people in two yards beside the canal.",
            ]
        );
        assert_eq!(quotable("ja", &blocks[9..]).len(), 0);
    }

    #[test]
    fn blocks_in_another_language_are_no_evidence_but_quotations_are() {
        let english =
            "We build the tools that keep the cold chain cold for our customers and for you.";
        let german = "Wir bauen Messgeräte, mit denen die Kühlkette unserer Kunden auch im Sommer kalt bleibt.";
        let blocks = [
            ("paragraph", english),
            ("paragraph", german),
            (
                "quote",
                "They mend what others throw away, and we have never been disappointed by them.",
            ),
        ];
        assert_eq!(
            quotable("de", &blocks),
            [
                german,
                "They mend what others throw away, and we have never been disappointed by them."
            ]
        );
        assert_eq!(quotable("en", &blocks).len(), 2);
    }

    #[test]
    fn short_blocks_of_a_page_in_another_language_are_no_evidence_either() {
        let short = "Seit 1950 drehen wir Glocken in Ulm.";
        let german = [
            ("paragraph", short),
            (
                "paragraph",
                "Wir bauen Messgeräte, mit denen die Kühlkette unserer Kunden auch im Sommer kalt bleibt.",
            ),
        ];
        assert_eq!(quotable("en", &german), [""; 0]);
        assert!(!quotable("de", &german).is_empty());
    }

    #[test]
    fn a_note_on_a_form_does_not_cost_the_sentence_behind_it() {
        let promise = "We answer every letter within 24 hours of the working week.";
        let block = format!("* Required fields. {promise}");
        assert_eq!(quotable("en", &[("paragraph", block.as_str())]), [promise]);
        let consent =
            "We use cookies. We answer every letter within 24 hours if you accept cookies.";
        assert_eq!(quotable("en", &[("paragraph", consent)]), [""; 0]);
    }

    #[test]
    fn japanese_sentences_are_long_enough() {
        let blocks = [
            (
                "paragraph",
                "当社は建物の施設管理と清掃を行っています。お客様の信頼にお応えします。",
            ),
            (
                "paragraph",
                "創業以来、地域の皆さまとともに歩んできた清掃と管理の専門会社",
            ),
        ];
        assert_eq!(quotable("ja", &blocks).len(), 3);
    }
}
