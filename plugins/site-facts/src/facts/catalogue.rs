//! The articles of catalogues: very many like cards or rows of one page, with numbers of articles, prices or the same
//! labels. They are goods, of which none says what the company offers as a whole; the headings above them may.

use std::collections::{BTreeMap, BTreeSet};

use gtm_site_research::page::{Block, BlockKind};
use gtm_site_research::words;

use super::figures::names_a_sum;
use super::letters;
use crate::part::Part;
use crate::site::Site;

/// Fewest cards of one page with the numbers or labels of articles, fewest with prices alone, as services have them, too,
/// and fewest without any mark.
const LEAST: usize = 8;
const LEAST_PRICED: usize = 16;
const LEAST_PLAIN: usize = 24;
/// Most words of the name of an article.
const LONGEST_NAME: usize = 9;
/// Most blocks of one card, and most characters of a line in it that may hold a price or a number.
const LONGEST_CARD: usize = 40;
const LONGEST_LINE: usize = 60;
/// Fewest labels that a card has alike with at least half of the others.
const LABELS: usize = 2;
/// Fewest times that a short line stands on a page as a part of every row, and most words of it.
const LEAST_REPEATED: usize = 8;
const LONGEST_REPEATED: usize = 6;
/// Most words of a line above a card that has its number: `Ref. AB-12`.
const LONGEST_MARK: usize = 4;

/// The blocks of articles on the pages of a site, and what they are called.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// Page and place of each block.
    pub blocks: BTreeSet<(usize, usize)>,
    /// The letters of the articles' names.
    pub names: BTreeSet<String>,
}

impl Catalogue {
    /// The catalogues on pages where a company shows what it sells.
    pub fn of(site: &Site) -> Self {
        let mut found = Self::default();
        for (page, part, content) in site.own_pages() {
            if matches!(
                part,
                Part::Home | Part::Product | Part::Pricing | Part::Other
            ) {
                found.cards(page, &content.blocks);
                found.rows(page, &content.blocks);
                found.keep_kinds(page, &content.blocks);
            }
        }
        found.names.remove("");
        found
    }

    /// What a heading above articles is called is no article, though each may have its kind as a line.
    fn keep_kinds(&mut self, page: usize, blocks: &[Block]) {
        let headings = blocks.iter().enumerate();
        let headings = headings.filter(|(_, block)| block.kind == BlockKind::Heading);
        for (at, heading) in headings {
            if !self.blocks.contains(&(page, at)) {
                self.names.remove(&letters(&heading.text));
            }
        }
    }

    /// Cards under headings of one level, none of which has a smaller heading.
    fn cards(&mut self, page: usize, blocks: &[Block]) {
        for level in 1..=6 {
            let cards: Vec<Card> = cards_of(blocks, level);
            if cards.len() < LEAST {
                continue;
            }
            let mut alike: BTreeMap<&str, usize> = BTreeMap::new();
            for label in cards.iter().flat_map(|card| &card.labels) {
                *alike.entry(label.as_str()).or_default() += 1;
            }
            let common = |label: &&String| {
                let count = alike.get(label.as_str());
                count.is_some_and(|count| count * 2 >= cards.len())
            };
            let specified = |card: &Card| card.labels.iter().filter(common).count() >= LABELS;
            let priced = cards.iter().filter(|card| card.has_price).count() >= LEAST_PRICED;
            let marked =
                |card: &&Card| card.has_code || specified(card) || priced && card.has_price;
            let count = cards.iter().filter(marked).count();
            let are_articles = count >= LEAST && count * 3 >= cards.len() * 2;
            let plain = cards.len() >= LEAST_PLAIN && cards.iter().all(|card| card.is_named);
            if !are_articles && !plain {
                continue;
            }
            for card in cards.iter().filter(|card| plain || marked(card)) {
                let name = blocks.get(card.begin).map(|block| letters(&block.text));
                self.names.extend(name);
                let above = card.begin.checked_sub(1);
                let above = above.filter(|above| blocks.get(*above).is_some_and(is_mark));
                let places = above.into_iter().chain(card.begin..card.end);
                self.blocks.extend(places.map(|at| (page, at)));
            }
        }
    }

    /// Rows without headings: stretches of the page of which at least half are short lines that stand there again and
    /// again, as the labels and values of like articles do. Headings among them name their kinds and stay.
    fn rows(&mut self, page: usize, blocks: &[Block]) {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let short = |block: &&Block| {
            block.main
                && block.kind != BlockKind::Heading
                && words::count(&block.text) <= LONGEST_REPEATED
        };
        for block in blocks.iter().filter(short) {
            *counts.entry(block.text.as_str()).or_default() += 1;
        }
        let repeated = |block: &Block| {
            let count = counts.get(block.text.as_str());
            short(&block) && count.is_some_and(|count| *count >= LEAST_REPEATED)
        };
        let first = blocks.iter().position(repeated);
        let last = blocks.iter().rposition(repeated);
        let (Some(first), Some(last)) = (first, last) else {
            return;
        };
        let stretch = blocks.get(first..=last).unwrap_or_default();
        let all = stretch.iter().filter(|block| repeated(block)).count();
        // Two lines for each article at least: one alone may be the call of every card.
        let kinds = counts.values().filter(|count| **count >= LEAST_REPEATED);
        if kinds.count() < LABELS || all * 2 < stretch.len() {
            return;
        }
        // The name of the first article stands above its first label.
        let begin = first.saturating_sub(1);
        for (at, block) in blocks.iter().enumerate().take(last + 1).skip(begin) {
            if block.kind != BlockKind::Heading {
                self.names.insert(letters(&block.text));
                self.blocks.insert((page, at));
            }
        }
    }
}

/// A heading with what stands under it.
struct Card {
    begin: usize,
    end: usize,
    has_price: bool,
    /// Whether it has the number of an article.
    has_code: bool,
    /// Whether it has a short name and a text below.
    is_named: bool,
    /// The first words of its rows, folded, each once.
    labels: BTreeSet<String>,
}

fn cards_of(blocks: &[Block], level: u8) -> Vec<Card> {
    let heads = |block: &Block| {
        let own = (block.kind == BlockKind::Heading).then_some(block.level)?;
        Some(own.unwrap_or(6))
    };
    let mut found = Vec::new();
    for (begin, block) in blocks.iter().enumerate() {
        if heads(block) != Some(level) || !block.main {
            continue;
        }
        let behind = blocks.get(begin + 1..).unwrap_or_default();
        let length = behind
            .iter()
            .take(LONGEST_CARD)
            .take_while(|next| heads(next).is_none() && next.main)
            .count();
        let next = behind.get(length).and_then(heads);
        // What has smaller headings is a kind of articles.
        if next.is_some_and(|next| next > level) {
            continue;
        }
        let end = begin + 1 + length;
        let body = blocks.get(begin + 1..end).unwrap_or_default();
        // Whoever can be reached is a person or a place.
        let reaches = body.iter().any(|line| line.text.contains('@'));
        if body.is_empty() || reaches || block.text.ends_with(['?', '？']) {
            continue;
        }
        let above = begin.checked_sub(1).and_then(|above| blocks.get(above));
        let is_short = |line: &&Block| line.text.chars().count() <= LONGEST_LINE;
        let has_price = body
            .iter()
            .filter(is_short)
            .any(|line| names_a_sum(&line.text));
        let is_row = |line: &&Block| matches!(line.kind, BlockKind::ListItem | BlockKind::TableRow);
        let labels = body.iter().filter(is_row).filter(is_short);
        found.push(Card {
            begin,
            end,
            has_price,
            has_code: has_code(&block.text) || above.is_some_and(is_mark),
            is_named: words::count(&block.text) <= LONGEST_NAME,
            labels: labels.filter_map(|line| label(&line.text)).collect(),
        });
    }
    found
}

/// The first word of a row that has more.
fn label(row: &str) -> Option<String> {
    let (first, rest) = row.split_once(char::is_whitespace)?;
    let bare = first.trim_end_matches([':', '：']);
    let folded = words::fold(bare);
    (!rest.trim().is_empty() && folded.chars().all(char::is_alphabetic)).then_some(folded)
}

/// Whether a line is the number of an article and hardly anything else.
fn is_mark(line: &Block) -> bool {
    line.kind != BlockKind::Heading
        && words::count(&line.text) <= LONGEST_MARK
        && has_code(&line.text)
}

/// Whether a name has a word that mixes capitals with digits, as numbers of models do: `VX-1`, `RX 20-16`, `A4711`.
fn has_code(text: &str) -> bool {
    let capitals = |word: &str| word.chars().filter(|c| c.is_uppercase()).count();
    let is_digit = |c: char| c.is_ascii_digit();
    let tokens: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let mixed = |word: &&str| {
        word.contains(is_digit)
            && capitals(word) >= 1
            && word.chars().filter(char::is_ascii_lowercase).count() <= 1
    };
    // Letters and number in two words: `RX 20-16`.
    let parted = tokens.windows(2).any(|pair| match pair {
        [letters, number] => {
            (2..=4).contains(&letters.chars().count())
                && letters.chars().all(char::is_uppercase)
                && number.starts_with(is_digit)
        }
        _ => false,
    });
    parted || tokens.iter().any(mixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_mix_capitals_and_digits() {
        for text in ["VX-1 apron", "Ref. AB-12", "RX 20-16 P", "Bench A4711"] {
            assert!(has_code(text), "{text}");
        }
        for text in [
            "Roof repairs",
            "24h service",
            "3 steps",
            "Since 1987",
            "CAD planning",
            "Level 2",
            "100 % local",
        ] {
            assert!(!has_code(text), "{text}");
        }
    }

    #[test]
    fn rows_have_labels() {
        assert_eq!(label("Länge 85–130 cm").as_deref(), Some("lange"));
        assert_eq!(label("Marca: ACME").as_deref(), Some("marca"));
        assert_eq!(label("Stairs"), None);
        assert_eq!(label("12 pieces"), None);
    }
}
