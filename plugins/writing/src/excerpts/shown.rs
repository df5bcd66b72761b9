//! How a prompt shows the excerpts: numbered, under the lines of their pages and headings.

use std::collections::BTreeSet;

use gtm_site_research::evidence::{Evidence, Passage, Sentence};
use gtm_site_research::instructions;
use gtm_site_research::page::BlockKind;
use gtm_site_research::reading::Research;
use gtm_site_research::roles::Role;

use super::LONGEST;
use crate::prompt::{is_order_in_address, neutral, one_line};

/// Longest title of a page, and longest path of headings, in characters.
const LONGEST_TITLE: usize = 140;
/// Longest address of a page, in characters.
const LONGEST_ADDRESS: usize = 160;

/// The excerpts with their numbers, which must be in the order of pages and blocks.
pub fn rendered<'e>(
    excerpts: impl Iterator<Item = (u64, &'e Sentence)>,
    research: &Research,
    evidence: &Evidence,
) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut page = None;
    let mut told: Vec<usize> = Vec::new();
    let mut shown_headings = BTreeSet::new();
    let mut heading_before: Option<usize> = None;
    let mut headings = Headings::new(evidence);
    for (number, excerpt) in excerpts {
        if page != Some(excerpt.page) {
            page = Some(excerpt.page);
            told.clear();
            shown_headings.clear();
            heading_before = None;
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.push(page_line(excerpt, research));
        }
        let above = headings.above(excerpt);
        let blocks: Vec<usize> = above.iter().map(|heading| heading.block).collect();
        // What follows its heading needs no line that says so.
        let follows = heading_before.is_some() && heading_before == blocks.last().copied();
        if blocks != told && follows {
            told = blocks;
        } else if blocks != told {
            let hidden = blocks.iter().any(|block| !shown_headings.contains(block));
            let titles: Vec<&str> = above.iter().map(|heading| heading.text.as_str()).collect();
            // Headings that are harmless alone may address a model together.
            if (hidden || above.len() > 1) && !instructions::addressed_to_a_model(&titles.join(" "))
            {
                // What stood in the line before is not told again.
                let same = told
                    .iter()
                    .zip(&blocks)
                    .take_while(|(one, other)| one == other);
                let same = same.count().min(titles.len().saturating_sub(1));
                let new = titles.get(same..).unwrap_or_default().join(" > ");
                let before = if same > 0 { "… > " } else { "" };
                lines.push(format!(
                    "Under: {before}{}",
                    neutral(&one_line(&new, LONGEST_TITLE))
                ));
            }
            told = blocks;
        }
        heading_before = None;
        if excerpt.kind == BlockKind::Heading {
            shown_headings.insert(excerpt.block);
            heading_before = Some(excerpt.block);
        }
        lines.push(format!(
            "[E{number}] {}",
            neutral(&one_line(&excerpt.text, LONGEST + 1))
        ));
    }
    lines.join("\n")
}

/// What is known of the page: its kind, title, address and date.
fn page_line(excerpt: &Sentence, research: &Research) -> String {
    let kind = match excerpt.role {
        Role::Careers => "job offers",
        role => role.title(),
    };
    let mut line = format!("Page {} ({kind})", excerpt.page + 1);
    if let Some(visited) = research.pages.get(excerpt.page) {
        let title = visited
            .page
            .title
            .as_deref()
            .filter(|title| !instructions::addressed_to_a_model(title));
        if let Some(title) = title {
            line.push_str(": ");
            line.push_str(&one_line(title, LONGEST_TITLE));
        }
        let address = visited.page.final_url.split(['?', '#']).next();
        if let Some(address) = address.filter(|address| !is_order_in_address(address)) {
            line.push_str(" | ");
            line.push_str(&one_line(address, LONGEST_ADDRESS));
        }
        let date = visited.page.published_at.as_deref();
        if let Some(date) = date.filter(|date| !instructions::addressed_to_a_model(date)) {
            line.push_str(" | published ");
            line.push_str(&one_line(date, 30));
        }
    }
    neutral(&line)
}

/// Walks through the headings of the pages, beside the excerpts.
struct Headings<'a> {
    passages: std::iter::Peekable<std::slice::Iter<'a, Passage>>,
    page: usize,
    path: Vec<&'a Passage>,
}

impl<'a> Headings<'a> {
    fn new(evidence: &'a Evidence) -> Self {
        Self {
            passages: evidence.passages.iter().peekable(),
            page: 0,
            path: Vec::new(),
        }
    }

    /// The headings under which an excerpt stands, outermost first. Excerpts must come in the order of pages and blocks.
    fn above(&mut self, excerpt: &Sentence) -> &[&'a Passage] {
        let place = (excerpt.page, excerpt.block);
        while let Some(passage) = self
            .passages
            .next_if(|passage| (passage.page, passage.block) <= place)
        {
            if passage.page != self.page {
                self.page = passage.page;
                self.path.clear();
            }
            if passage.main && passage.kind == BlockKind::Heading {
                self.path.retain(|known| known.level < passage.level);
                self.path.push(passage);
            }
        }
        // A heading does not stand under itself.
        match self.path.split_last() {
            Some((last, above)) if last.page == excerpt.page && last.block == excerpt.block => {
                above
            }
            _ => &self.path,
        }
    }
}
