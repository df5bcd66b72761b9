//! Whether the brief says itself what the thing costs.
//!
//! Danger: two prices of one thing stand in one document, and its reader holds the sender to the lower one. So the offer's
//! price is left out beside any price of the brief's own, and in doubt, because a price that is missing is told and asked for.

use gtm_document_model::block::Block;
use gtm_document_model::plain_text;
use gtm_document_model::table::{ColumnKind, Table};
use gtm_lexicon::documents::{PERIODS, PRICE_HEADINGS, TOTALS};
use gtm_lexicon::figures::PRICES;
use gtm_lexicon::{fold, messages, split};
use gtm_writing::wording::subjects;

use super::role_of;
use crate::brief::{Brief, has_money, one_line, texts_of};
use crate::chapter::Role;
use crate::runs::sentences_of;
use crate::sender::Sender;

/// Longest label before a price, in words.
const LABEL_WORDS: usize = 5;
/// Subjects that an amount must share with the offer's price where no word calls it a price.
const LEAST_SHARED: usize = 2;

/// The first words of the brief that say what the offer, or what the brief itself proposes, costs.
#[must_use]
pub fn of_brief(brief: &Brief, sender: &Sender, language: &str) -> Option<String> {
    let thing = Thing::of(sender);
    let asked = || {
        let mut asks = brief.asks.iter().map(|ask| plain_text(ask));
        asks.find_map(|ask| thing.priced_in(&ask, language))
    };
    let in_chapters = brief.chapters.iter().find_map(|chapter| {
        let heading = chapter.heading.as_deref().unwrap_or_default();
        if role_of(heading) == Role::Price {
            return said_at(heading, &chapter.blocks);
        }
        let mut nearest = heading.to_owned();
        chapter.blocks.iter().find_map(|block| {
            if let Block::Heading(below) = block {
                nearest = plain_text(&below.runs);
            }
            match block {
                Block::Table(table) => is_of_prices(table, &nearest).then(|| said_in(table)),
                Block::Kpis(kpis) => kpis.items.iter().find_map(|item| {
                    thing.priced_in(&format!("{}: {}", item.label, item.value), language)
                }),
                other => texts_of(std::slice::from_ref(other))
                    .iter()
                    .find_map(|text| thing.priced_in(text, language)),
            }
        })
    });
    in_chapters.or_else(asked)
}

/// What a chapter of prices says: its first amount, or its first words.
fn said_at(heading: &str, blocks: &[Block]) -> Option<String> {
    let texts = texts_of(blocks);
    let amount = texts.iter().find(|text| has_money(text));
    let said = amount.or_else(|| texts.iter().find(|text| !text.trim().is_empty()))?;
    Some(one_line(&format!("{heading}: {said}")))
}

/// The first row that says an amount, with its heading.
fn said_in(table: &Table) -> String {
    let texts = |row: &[Vec<gtm_document_model::Run>]| -> Vec<String> {
        row.iter()
            .map(|cell| one_line(&plain_text(cell)))
            .filter(|cell| !cell.is_empty())
            .collect()
    };
    let mut rows = table.rows.iter().map(|row| texts(row));
    let row = rows.find(|row| row.iter().any(|cell| has_money(cell)));
    row.unwrap_or_default().join(" – ")
}

/// Whether a table says what things cost: it has a column of money, and heading, column or a total says that this is a price.
fn is_of_prices(table: &Table, heading: &str) -> bool {
    let mut money = table
        .columns
        .iter()
        .filter(|column| column.kind == ColumnKind::Currency);
    let called = |text: &str| {
        let folded = fold(text);
        let words = split(&folded);
        PRICE_HEADINGS.any_in(&words) || PRICES.any_in(&words)
    };
    let is_total = |row: &Vec<Vec<gtm_document_model::Run>>| {
        let first = row.first().map(|cell| fold(&plain_text(cell)));
        first.is_some_and(|first| TOTALS.open(&split(&first)))
    };
    let has_money = money.clone().next().is_some();
    let named = {
        let folded = fold(heading);
        PRICE_HEADINGS.any_in(&split(&folded))
    };
    has_money
        && (named
            || money.any(|column| called(&column.label))
            || called(&plain_text(&table.caption))
            || table.rows.iter().any(is_total))
}

/// What the offer is and what its price counts.
struct Thing {
    name: Vec<String>,
    counted: Vec<String>,
}

impl Thing {
    fn of(sender: &Sender) -> Self {
        let tells = |text: &str| -> Vec<String> {
            let found = subjects(text).into_iter();
            found
                .filter(|word| !word.starts_with(|c: char| c.is_ascii_digit()))
                .filter(|word| !PERIODS.has_word(word))
                .collect()
        };
        let text = |text: Option<&str>| text.map(tells).unwrap_or_default();
        Self {
            name: text(sender.offer.as_deref()),
            counted: text(sender.price.as_ref().map(|price| price.text.as_str())),
        }
    }

    /// The sentence of a text that says what the offer costs.
    fn priced_in(&self, text: &str, language: &str) -> Option<String> {
        let sentences = sentences_of(text, language).into_iter();
        let mut sentences = sentences.filter_map(|place| text.get(place));
        let found = sentences.find(|sentence| has_money(sentence) && self.is_priced(sentence));
        found.map(one_line)
    }

    fn is_priced(&self, sentence: &str) -> bool {
        // `Price: £24 a month` says it of whatever the brief proposes.
        let label = sentence.split_once([':', '：']).map(|(label, _)| label);
        let labeled = label.is_some_and(|label| {
            let folded = fold(label);
            let words = split(&folded);
            words.len() <= LABEL_WORDS && PRICE_HEADINGS.any_in(&words)
        });
        if labeled {
            return true;
        }
        let said = subjects(sentence);
        let shared = |words: &[String]| words.iter().filter(|word| said.contains(*word)).count();
        let named = !self.name.is_empty() && shared(&self.name) == self.name.len();
        let counted = shared(&self.counted);
        let folded = fold(sentence);
        let words = split(&folded);
        let called = PRICE_HEADINGS.any_in(&words) || messages::PRICES.any_in(&words);
        named || counted >= LEAST_SHARED || (called && counted + shared(&self.name) > 0)
    }
}
