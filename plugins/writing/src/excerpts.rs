//! The excerpts that a model is shown: everything of the pages that says something, in order, under the pages' titles and
//! headings.
//!
//! Sentences alone don't show a site: who decides what stands in headings, whom a company serves in lists, how big it is in
//! counters. So all of it is shown, page by page, as long as the room lasts; only then are excerpts chosen by what they say.

use std::collections::BTreeSet;

use gtm_page_text::primary_language;
use gtm_site_research::boilerplate;
use gtm_site_research::evidence::{Evidence, Passage, Sentence};
use gtm_site_research::instructions;
use gtm_site_research::page::BlockKind;
use gtm_site_research::reading::{Research, Visited};
use gtm_site_research::roles::Role;
use gtm_site_research::{sentences, words};

use crate::prompt::{neutral, one_line};

/// Longest excerpt, in characters; a longer one is cut.
const LONGEST: usize = 1_200;
/// Characters that an excerpt's number takes.
const NUMBER_CHARS: usize = 8;
/// Longest title of a page, and longest path of headings, in characters.
const LONGEST_TITLE: usize = 140;
/// Longest address of a page, in characters.
const LONGEST_ADDRESS: usize = 160;

/// The numbered excerpts of a job.
#[derive(Debug, Clone, Default)]
pub struct Excerpts {
    /// The excerpts in the order of the pages; the first has the number 1.
    pub all: Vec<Sentence>,
    /// As the prompt shows them.
    pub text: String,
}

impl Excerpts {
    /// As many excerpts as `budget` characters hold. `worth` is compared where not all of them do.
    pub fn choose(
        research: &Research,
        evidence: &Evidence,
        budget: usize,
        worth: &dyn Fn(&Sentence) -> i32,
    ) -> Self {
        let material = material(research, evidence);
        let whole = Self::of(material.clone(), research, evidence);
        if whole.text.chars().count() <= budget {
            return whole;
        }
        let mut order: Vec<(i32, Sentence)> = material
            .into_iter()
            .map(|excerpt| (worth(&excerpt), excerpt))
            .collect();
        order.sort_by_key(|(worth, _)| -worth);
        let mut left = budget;
        let mut of_page = vec![0usize; research.pages.len()];
        let mut chosen = Vec::new();
        for (_, excerpt) in order {
            let cost = excerpt.text.chars().count() + NUMBER_CHARS;
            let Some(used) = of_page.get_mut(excerpt.page) else {
                continue;
            };
            // No page fills more than half: one long page does not represent the company.
            if cost > left || *used + cost > budget / 2 + 200 {
                continue;
            }
            *used += cost;
            left -= cost;
            chosen.push(excerpt);
        }
        // The lines of pages and headings take room, too.
        loop {
            let shown = Self::of(chosen.clone(), research, evidence);
            let over = shown.text.chars().count().saturating_sub(budget);
            if over == 0 || chosen.is_empty() {
                return shown;
            }
            let mut freed = 0;
            while freed < over
                && let Some(last) = chosen.pop()
            {
                freed += last.text.chars().count() + NUMBER_CHARS;
            }
        }
    }

    fn of(mut excerpts: Vec<Sentence>, research: &Research, evidence: &Evidence) -> Self {
        excerpts.sort_by_key(|excerpt| (excerpt.page, excerpt.block, excerpt.position));
        let text = rendered(&excerpts, research, evidence);
        Self {
            all: excerpts,
            text,
        }
    }

    /// The excerpt with a number.
    pub fn get(&self, number: u64) -> Option<&Sentence> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.all.get(index)
    }

    /// The number of the first excerpt of a page that holds these words or lies in them.
    pub fn number_of(&self, page: usize, words: &str) -> Option<u64> {
        let at = self.all.iter().position(|excerpt| {
            excerpt.page == page
                && (excerpt.text.contains(words) || words.contains(excerpt.text.as_str()))
        })?;
        u64::try_from(at + 1).ok()
    }
}

/// Everything that may be shown, in the order of the pages, each text once.
fn material(research: &Research, evidence: &Evidence) -> Vec<Sentence> {
    let names: Vec<String> = research
        .names
        .iter()
        .map(|name| words::fold(name))
        .collect();
    let mut known = BTreeSet::new();
    let mut found: Vec<Sentence> = Vec::new();
    for passage in &evidence.passages {
        let Some(visited) = research.pages.get(passage.page) else {
            continue;
        };
        for text in pieces(passage, visited, research) {
            let folded = words::fold(text);
            if !says_something(passage, text, &folded)
                || (passage.role == Role::External
                    && !names.iter().any(|name| folded.contains(name.as_str())))
                || !known.insert(folded.trim_end_matches('.').to_owned())
            {
                continue;
            }
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
                text: text.to_owned(),
                folded,
            });
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
fn length_in_words(text: &str, folded: &str) -> usize {
    let unspaced = text.chars().filter(|c| is_unspaced(*c)).count();
    if unspaced * 2 > text.chars().filter(|c| c.is_alphanumeric()).count() {
        return unspaced / 2;
    }
    words::split(folded).len()
}

/// Whether the letter belongs to a script that is written without spaces: Thai to Khmer, kana, Han.
pub fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

fn rendered(excerpts: &[Sentence], research: &Research, evidence: &Evidence) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut page = None;
    let mut told: Vec<usize> = Vec::new();
    let mut shown_headings = BTreeSet::new();
    let mut headings = Headings::new(evidence);
    for (index, excerpt) in excerpts.iter().enumerate() {
        if page != Some(excerpt.page) {
            page = Some(excerpt.page);
            told.clear();
            shown_headings.clear();
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.push(page_line(excerpt, research));
        }
        let above = headings.above(excerpt);
        let blocks: Vec<usize> = above.iter().map(|heading| heading.block).collect();
        if blocks != told {
            let hidden = blocks.iter().any(|block| !shown_headings.contains(block));
            if hidden || above.len() > 1 {
                let titles: Vec<&str> = above.iter().map(|heading| heading.text.as_str()).collect();
                lines.push(format!(
                    "Under: {}",
                    neutral(&one_line(&titles.join(" > "), LONGEST_TITLE))
                ));
            }
            told = blocks;
        }
        if excerpt.kind == BlockKind::Heading {
            shown_headings.insert(excerpt.block);
        }
        lines.push(format!(
            "[E{}] {}",
            index + 1,
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
        // An address is written by strangers too, and may be long enough to hold a sentence.
        let address = visited.page.final_url.split(['?', '#']).next();
        if let Some(address) = address
            .filter(|text| !instructions::addressed_to_a_model(&text.replace(['-', '/', '_'], " ")))
        {
            line.push_str(" | ");
            line.push_str(&one_line(address, LONGEST_ADDRESS));
        }
        if let Some(date) = visited.page.published_at.as_deref() {
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
