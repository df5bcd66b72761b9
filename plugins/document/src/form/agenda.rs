//! A deck's list of contents: every chapter with its parts, in two columns where one would be too long. Where even these are
//! too short, the parts go, and further slides come.

use gtm_document_model::block::{Block, Bullets, Column, Columns, Item};
use gtm_document_model::document::{DocumentType, Layout, Section};
use gtm_document_model::text::Run;

use super::frame::Entry;
use super::section;
use crate::kind::Kind;
use crate::labels;
use crate::runs::excerpt;

/// Fewest chapters for an agenda, or lines of fewer chapters with their parts; and most lines of a column.
const LEAST: usize = 4;
const LEAST_LINES: usize = 6;
const MOST_LINES: usize = 8;
/// Longest entry of one column and of one of two, in characters.
const LONGEST: usize = 80;
const LONGEST_OF_TWO: usize = 44;

/// The slides of the agenda; none where the deck is too short to need one. Texts have a table of contents, which renderers
/// make.
#[must_use]
pub fn slides(entries: &[Entry], kind: &Kind, language: &str) -> Vec<Section> {
    if !kind.has_slides() || kind.document_type == DocumentType::OnePager {
        return Vec::new();
    }
    let mut entries = entries.to_vec();
    let all = lines(&entries);
    let is_short = entries.len() < LEAST && (entries.len() < 2 || all < LEAST_LINES);
    if is_short {
        return Vec::new();
    }
    if columns(&entries).len() > 2 || entries.iter().any(|entry| entry.lines() > MOST_LINES) {
        entries.iter_mut().for_each(|entry| entry.parts.clear());
        if entries.len() < LEAST {
            return Vec::new();
        }
    }
    let label = labels::AGENDA.in_language(language);
    let pages = lines(&entries).div_ceil(2 * MOST_LINES);
    let most = entries.len().div_ceil(pages).max(MOST_LINES);
    let pages = entries.chunks(most).enumerate();
    pages
        .map(|(page, entries)| {
            let title = match page {
                0 => label.to_owned(),
                _ => labels::CONTINUED.filled(language, &[("title", label)]),
            };
            let blocks = listed(entries, language);
            section(&title, Layout::Agenda, blocks, Vec::new())
        })
        .collect()
}

fn lines(entries: &[Entry]) -> usize {
    entries.iter().map(Entry::lines).sum()
}

/// The entries in columns of about the same length; a chapter and its parts stand together.
fn columns(entries: &[Entry]) -> Vec<&[Entry]> {
    let all = lines(entries);
    let fair = match all <= MOST_LINES {
        true => MOST_LINES,
        false => all.div_ceil(2).min(MOST_LINES),
    };
    let mut found = Vec::new();
    let (mut from, mut taken) = (0, 0);
    for (at, entry) in entries.iter().enumerate() {
        // The column that is cut in the middle of a chapter takes it whole, if it has room.
        let full = taken > 0 && (taken >= fair || taken + entry.lines() > MOST_LINES);
        if full {
            found.extend(entries.get(from..at));
            (from, taken) = (at, 0);
        }
        taken += entry.lines();
    }
    found.extend(entries.get(from..));
    found
}

fn listed(entries: &[Entry], language: &str) -> Vec<Block> {
    let list = |entries: &[Entry], longest: usize| {
        let runs = |text: &String| vec![Run::plain(excerpt(text, longest, language))];
        let item = |entry: &Entry| Item {
            runs: runs(&entry.heading),
            items: entry
                .parts
                .iter()
                .map(|part| Item {
                    runs: runs(part),
                    items: Vec::new(),
                })
                .collect(),
        };
        Block::Bullets(Bullets {
            ordered: false,
            items: entries.iter().map(item).collect(),
        })
    };
    let columns = columns(entries);
    if let [entries] = columns.as_slice() {
        return vec![list(entries, LONGEST)];
    }
    let columns = columns.into_iter().map(|entries| Column {
        blocks: vec![list(entries, LONGEST_OF_TWO)],
    });
    vec![Block::Columns(Columns {
        columns: columns.collect(),
    })]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(parts: &[usize]) -> Vec<Entry> {
        let entry = |(at, count): (usize, &usize)| Entry {
            heading: format!("Chapter {at}"),
            parts: (0..*count).map(|part| format!("Part {part}")).collect(),
        };
        parts.iter().enumerate().map(entry).collect()
    }

    fn lengths(parts: &[usize]) -> Vec<usize> {
        let entries = entries(parts);
        columns(&entries).into_iter().map(lines).collect()
    }

    #[test]
    fn chapters_stand_in_columns_with_their_parts() {
        assert_eq!(lengths(&[0; 5]), [5]);
        assert_eq!(lengths(&[0; 9]), [5, 4]);
        assert_eq!(lengths(&[2, 3, 0]), [8]);
        assert_eq!(lengths(&[3, 2, 3]), [7, 4]);
        assert_eq!(lengths(&[0; 16]), [8, 8]);
    }
}
