//! What of a brief is not in the document that was composed of it.
//!
//! Danger: whoever sends a document believes that what the brief says is in it. So what is not there is told, whatever
//! the reason is.

use std::collections::HashSet;

use gtm_document_model::block::Block;
use gtm_document_model::document::Section;
use gtm_document_model::plain_text;
use gtm_lexicon::documents::BENEFITS;
use gtm_lexicon::{fold, split};
use gtm_site_research::words::letters;

use crate::brief::{Brief, count_words, texts_of};
use crate::runs::sentences_of;

/// Most sentences that are looked for one by one.
const MOST_SOUGHT: usize = 400;

/// The sentences of the brief that stand nowhere in the document.
#[must_use]
pub fn missing(brief: &Brief, sections: &[Section], title: &str, language: &str) -> Vec<String> {
    let mut printed: Vec<String> = vec![letters(title)];
    for section in sections {
        printed.push(letters(&section.title));
        printed.extend(texts_of(&section.blocks).iter().map(|text| letters(text)));
        let mut plotted = Vec::new();
        values_of(&section.blocks, &mut plotted);
        printed.extend(plotted.iter().map(|value| letters(value)));
        printed.push(letters(&plain_text(&section.notes)));
    }
    let whole: String = printed.concat();
    let known: HashSet<&str> = printed.iter().map(String::as_str).collect();
    let mut sought = 0;
    let mut found: Vec<String> = Vec::new();
    for text in texts(brief) {
        if known.contains(letters(&text).as_str()) {
            continue;
        }
        for place in sentences_of(&text, language) {
            let sentence = text.get(place).unwrap_or_default().trim();
            let wanted = letters(sentence);
            if wanted.is_empty() || known.contains(wanted.as_str()) {
                continue;
            }
            sought += 1;
            // Beyond a bound nobody reads on, and a search in a huge text takes its time.
            if sought > MOST_SOUGHT {
                return found;
            }
            if !whole.contains(&wanted) {
                found.push(sentence.to_owned());
            }
        }
    }
    found
}

/// The numbers that charts show, which stand beside their columns and slices.
fn values_of(blocks: &[Block], found: &mut Vec<String>) {
    for block in blocks {
        match block {
            Block::Chart(chart) => {
                let values = chart.series.iter().flat_map(|series| &series.values);
                let unit = chart.unit.as_deref().or(chart.y_label.as_deref());
                for value in values.flatten() {
                    found.push(value.to_string());
                    // The unit stands on the axis.
                    found.extend(unit.map(|unit| format!("{value} {unit}")));
                }
            }
            Block::Columns(columns) => {
                for column in &columns.columns {
                    values_of(&column.blocks, found);
                }
            }
            _ => {}
        }
    }
}

/// What the brief says to its readers.
fn texts(brief: &Brief) -> Vec<String> {
    let mut found = Vec::new();
    for chapter in &brief.chapters {
        let heading = chapter.heading.iter().cloned();
        // A label above nothing is not missed.
        let says = !chapter.blocks.is_empty();
        // A chapter of benefits may bear the benefit for its title.
        let named = |text: &String| (says || count_words(text) > 1) && !is_benefit(text);
        found.extend(heading.filter(named));
        found.extend(texts_without_names_of_rows(&chapter.blocks));
        found.push(plain_text(&chapter.notes));
    }
    found.extend(brief.asks.iter().map(|ask| plain_text(ask)));
    found.retain(|text| text.chars().any(char::is_alphanumeric));
    found
}

/// The texts of blocks. What the rows of a table are, `Month`, a chart of them says without a word.
fn texts_without_names_of_rows(blocks: &[Block]) -> Vec<String> {
    let texts = blocks.iter().flat_map(|block| {
        let mut texts = texts_of(std::slice::from_ref(block));
        if let Block::Table(table) = block
            && table.header_column
            && let Some(first) = table.columns.first()
            && texts.first() == Some(&first.label)
        {
            texts.remove(0);
        }
        texts
    });
    texts.collect()
}

fn is_benefit(heading: &str) -> bool {
    let folded = fold(heading);
    BENEFITS.are(&split(&folded))
}
