//! Judging a document section by section, and what stands about it as a whole.

use gtm_document_model::block::{Block, Item};
use gtm_document_model::document::Layout;
use gtm_document_model::{Section, bounds, plain_text};
use gtm_domain::document::DocumentInput;

use super::draft::DraftMeta;
use super::evidence::Evidence;
use super::own_date;
use crate::library::Stored;
use crate::verdict::Dropped;

/// Longest title that is made of a section's own text, in characters.
const MADE_TITLE_CHARS: usize = 120;

/// A part of the draft that was taken out.
pub(super) struct Taken {
    pub(super) pointer: String,
    pub(super) reason: Dropped,
    /// What it says; empty where it says nothing.
    pub(super) said: String,
}

/// Judges the parts of one document.
pub(super) struct Judge<'a, 'e> {
    pub(super) evidence: &'e Evidence<'a>,
    /// Name of the asset that an image may show.
    pub(super) image: Option<&'e str>,
    pub(super) dropped: Vec<Taken>,
    /// How many things the lists of the section have, each written as a list of so many.
    counts: Vec<String>,
}

impl<'a, 'e> Judge<'a, 'e> {
    pub(super) const fn new(evidence: &'e Evidence<'a>, image: Option<&'e str>) -> Self {
        Self {
            evidence,
            image,
            dropped: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// Notes what is taken out.
    pub(super) fn take(&mut self, pointer: String, reason: Dropped, said: &str) {
        let said = said.trim().to_owned();
        self.dropped.push(Taken {
            pointer,
            reason,
            said,
        });
    }

    /// The sections of which something is left.
    pub(super) fn sections(&mut self, sections: Vec<Section>) -> Vec<Section> {
        let all = sections.len();
        let mut kept = Vec::with_capacity(all);
        for (index, section) in sections.into_iter().enumerate() {
            if let Some(section) = self.section(index, all, section) {
                kept.push(section);
            }
        }
        kept
    }

    fn section(&mut self, index: usize, all: usize, section: Section) -> Option<Section> {
        let pointer = format!("/sections/{index}");
        self.counts = section
            .blocks
            .iter()
            .flat_map(counted)
            .map(listed)
            .collect();
        self.counts.push(listed(all));
        let cites: Vec<String> = cites_of(&section.blocks);
        let had_blocks = !section.blocks.is_empty();
        let before = self.dropped.len();
        let blocks = self.blocks(&format!("{pointer}/blocks"), section.blocks);
        let blocks = if self.dropped.len() > before {
            without_bare_headings(blocks)
        } else {
            blocks
        };
        if had_blocks && blocks.is_empty() {
            return None;
        }
        let cited = self.evidence.sources(&cites);
        let numbered = without_number(&section.title, |n| (1..=all).contains(&n));
        let title = match self.fault(numbered, &cited) {
            None => section.title,
            Some(reason) => {
                self.take(format!("{pointer}/title"), reason, &section.title);
                blocks.iter().find_map(own_words)?
            }
        };
        let notes = self.runs(&format!("{pointer}/notes"), section.notes, &cites);
        self.counts.clear();
        Some(Section {
            id: section.id,
            title,
            layout: section.layout,
            notes,
            blocks,
        })
    }

    /// What stands about the document as a whole. The caller's title is the caller's to choose.
    pub(super) fn meta(
        &mut self,
        meta: DraftMeta,
        input: &DocumentInput,
        sections: &[Section],
    ) -> DraftMeta {
        let cites: Vec<String> = sections.iter().flat_map(|s| cites_of(&s.blocks)).collect();
        let cited = self.evidence.sources(&cites);
        let mut checked = |pointer: &str, text: String| match self.fault(&text, &cited) {
            None => Some(text),
            Some(reason) => {
                self.take(pointer.to_owned(), reason, &text);
                None
            }
        };
        let content = |section: &&Section| section.layout != Some(Layout::Cover);
        let first = sections.iter().find(content).or(sections.first());
        let title = match &input.title {
            Some(asked) => Some(asked.clone()),
            None => checked("/meta/title", meta.title),
        };
        DraftMeta {
            title: title
                .or_else(|| first.map(|section| section.title.clone()))
                .unwrap_or_default(),
            subtitle: meta
                .subtitle
                .and_then(|text| checked("/meta/subtitle", text)),
            keywords: meta
                .keywords
                .into_iter()
                .filter_map(|word| checked("/meta/keywords", word))
                .collect(),
            classification: meta
                .classification
                .and_then(|text| checked("/meta/classification", text)),
            date_words: (meta.date_words)
                .filter(|words| own_date::is_in_these_words(&input.brief, words))
                .and_then(|text| checked("/meta/date_words", text)),
            language: meta.language,
            direction: meta.direction,
            date: (meta.date).filter(|date| own_date::is_said(&input.brief, date)),
        }
    }

    /// What is wrong with a text that cites these sources.
    pub(super) fn fault(&self, text: &str, cited: &[&'a Stored]) -> Option<Dropped> {
        let lists: Vec<&str> = self.counts.iter().map(String::as_str).collect();
        self.evidence.fault(text, cited, &lists)
    }
}

/// The text without the number with which it counts itself: `Phase 2: Rollout` is the second phase, not two of
/// anything. `is_own` says whether it may have that number.
pub(super) fn without_number(text: &str, is_own: impl Fn(usize) -> bool) -> &str {
    let mut rest = text.trim_start();
    // One word may stand before it.
    if let Some((word, behind)) = rest.split_once(' ')
        && word.chars().all(char::is_alphabetic)
    {
        rest = behind;
    }
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, behind) = rest.split_at(digits);
    let ends = behind.is_empty() || behind.starts_with([':', '.', ')', '–', '—']);
    // `3.5` is no numbering.
    let decimal = behind.chars().nth(1).is_some_and(|c| c.is_ascii_digit());
    match number.parse() {
        Ok(number) if digits <= 2 && ends && !decimal && is_own(number) => behind,
        _ => text,
    }
}

/// A list of so many things, in which a number in words is looked for.
fn listed(count: usize) -> String {
    vec!["x"; count.min(20)].join(", ")
}

/// How many things the lists of a block have.
fn counted(block: &Block) -> Vec<usize> {
    match block {
        Block::Bullets(list) => vec![list.items.len()],
        Block::Steps(steps) => vec![steps.items.len()],
        Block::Timeline(timeline) => vec![timeline.events.len()],
        Block::Kpis(kpis) => vec![kpis.items.len()],
        Block::Table(table) => vec![table.rows.len(), table.columns.len()],
        Block::Comparison(comparison) => vec![comparison.items.len(), comparison.criteria.len()],
        Block::Columns(columns) => {
            let inside = columns.columns.iter().flat_map(|column| &column.blocks);
            let inside = inside.flat_map(counted);
            std::iter::once(columns.columns.len())
                .chain(inside)
                .collect()
        }
        _ => Vec::new(),
    }
}

/// What the blocks cite.
pub(super) fn cites_of(blocks: &[Block]) -> Vec<String> {
    let mut found = Vec::new();
    for block in blocks {
        super::citations::of_block(block, &mut |ids| {
            for id in ids {
                if !found.contains(id) {
                    found.push(id.clone());
                }
            }
        });
    }
    found
}

/// The blocks without headings below which nothing is left.
fn without_bare_headings(blocks: Vec<Block>) -> Vec<Block> {
    let mut kept: Vec<Block> = Vec::with_capacity(blocks.len());
    // From the end: a heading is bare if nothing follows it, or a heading of its own level or above.
    let mut next_level: Option<u8> = Some(0);
    for block in blocks.into_iter().rev() {
        if let Block::Heading(heading) = &block {
            if next_level.is_some_and(|next| next <= heading.level) {
                continue;
            }
            next_level = Some(heading.level);
        } else {
            next_level = None;
        }
        kept.push(block);
    }
    kept.reverse();
    kept
}

/// Words of a block that can stand as the title of its section.
fn own_words(block: &Block) -> Option<String> {
    let text = match block {
        Block::Heading(heading) => plain_text(&heading.runs),
        Block::Lead(lead) => plain_text(&lead.runs),
        Block::Paragraph(paragraph) => plain_text(&paragraph.runs),
        Block::Bullets(list) => list
            .items
            .first()
            .map(|item: &Item| plain_text(&item.runs))?,
        Block::Chart(chart) => chart.title.clone().unwrap_or_else(|| chart.alt.clone()),
        Block::Table(table) => {
            let labels = table.columns.iter().map(|column| column.label.as_str());
            let labels: Vec<&str> = labels.filter(|label| !label.is_empty()).collect();
            labels.join(" · ")
        }
        Block::Kpis(kpis) => kpis.items.first()?.label.clone(),
        Block::Quote(quote) => plain_text(&quote.runs),
        Block::Callout(callout) => callout
            .title
            .clone()
            .unwrap_or_else(|| plain_text(&callout.runs)),
        Block::Steps(steps) => steps.items.first()?.title.clone(),
        Block::Timeline(timeline) => timeline.events.first()?.title.clone(),
        Block::Comparison(comparison) => comparison.items.join(" · "),
        Block::Columns(columns) => {
            let mut blocks = columns.columns.iter().flat_map(|column| &column.blocks);
            blocks.find_map(own_words)?
        }
        Block::Cta(cta) => cta.label.clone(),
        Block::Image(_) => return None,
    };
    let first = super::sentences::sentences(&text).into_iter().next()?;
    let sentence = gtm_page_text::normalize(text.get(first)?);
    let sentence = sentence.trim_end_matches(['.', ':', '。']);
    let mut title: String = sentence
        .chars()
        .take(MADE_TITLE_CHARS.min(bounds::LINE))
        .collect();
    if title.chars().count() == MADE_TITLE_CHARS
        && let Some((whole, _)) = title.rsplit_once(' ')
    {
        title = format!("{whole} …");
    }
    (!title.is_empty()).then_some(title)
}
