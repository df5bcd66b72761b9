//! Slides of a deck: a title that states the point, and what a room can read beside a speaker.
//!
//! A paragraph does not go onto a slide: its short sentences do, and the speaker says the rest, which stands in the notes.

mod lines;

use gtm_document_model::block::{Block, Bullets, Item, Steps, Timeline};
use gtm_document_model::document::{Layout, Section};
use gtm_document_model::text::Run;
use gtm_document_model::{Table, plain_text};

use self::lines::{LEAD_LINE, block_lines, item_lines, lines_in, words_in};
use super::merged::{Part, parts_of};
use super::section;
use super::titles::{names_a_subject, statement};
use crate::brief::{count_words, one_line, words_of};
use crate::chapter::{Chapter, Role, lead};
use crate::labels::{self, CONTINUED};
use crate::runs::{part_of, sentences_of, trimmed};

/// Most items of a slide's list.
const MOST_ITEMS: usize = 6;
/// About how many words a slide has at most.
const MOST_WORDS: usize = 75;
/// Longest title of a part with its chapter's, in characters.
const PART_CHARS: usize = 60;
/// Lines of text for which a slide has room below its title; exhibits count as the lines that they displace.
const MOST_LINES: usize = 11;
/// Longest sentence of a list, in words; a longer one is spoken.
const LONGEST_ITEM: usize = 22;
/// Most sentences of a paragraph, and most words of a slide, that stand whole although one of them is longer.
const FEW_SENTENCES: usize = 4;
const FEW_WORDS: usize = 60;
/// Lines of a slide that has room for a short part below them.
const ROOMY_LINES: usize = 9;
/// Longest sentence that stands alone.
const LONGEST_LEAD: usize = 36;
/// Most rows of a table on a slide, and most steps or events.
const MOST_ROWS: usize = 8;
const MOST_STEPS: usize = 5;
/// Most words of a list below one, and of a text that explains it.
const WORDS_BELOW: usize = 16;
const WORDS_EXPLAINING: usize = 30;

/// The slides of the chapters. `as_written` keeps the titles of a brief that is written slide by slide; `most_items` is how
/// many items the brief wants on a slide, if it says so.
#[must_use]
pub fn slides(
    chapters: Vec<Chapter>,
    language: &str,
    as_written: bool,
    most_items: Option<usize>,
) -> Vec<Section> {
    let mut found = Vec::new();
    for chapter in chapters {
        let closing = chapter.role == Role::NextSteps;
        let mut maker = Maker {
            language,
            heading: chapter.heading.clone(),
            title: chapter.heading.clone(),
            chapter: chapter.heading.clone(),
            as_written,
            may_state: !as_written && !closing && chapter.role != Role::Price,
            notes: chapter.notes,
            most_items: most_items.map_or(MOST_ITEMS, |most| most.clamp(1, MOST_ITEMS)),
            is_title: chapter.blocks.is_empty(),
            is_alone: chapter.blocks.len() == 1,
            ..Maker::default()
        };
        let parts = parts_of(chapter.blocks);
        // Several parts are alike, and have slides of their own.
        let is_lone = parts.iter().filter(|part| part.heading.is_some()).count() == 1;
        for part in parts {
            if !(is_lone && maker.takes_below(&part)) {
                maker.part(part);
            }
        }
        maker.end();
        if closing && let Some(last) = maker.done.last_mut() {
            last.layout = Some(Layout::Closing);
        }
        found.extend(maker.done);
    }
    found
}

#[derive(Debug, Default)]
struct Maker<'a> {
    language: &'a str,
    /// Heading of the chapter or of its part.
    heading: String,
    /// Heading of the chapter.
    chapter: String,
    as_written: bool,
    /// Title of the slide that is open.
    title: String,
    /// Whether the first sentence may become the title.
    may_state: bool,
    blocks: Vec<Block>,
    notes: Vec<Run>,
    done: Vec<Section>,
    /// Most items of a slide's list.
    most_items: usize,
    /// Whether the open slide goes on with the one before it.
    goes_on: bool,
    /// Whether the title is all that there is.
    is_title: bool,
    /// Whether one block is all that stands below it.
    is_alone: bool,
}

impl Maker<'_> {
    fn part(&mut self, part: Part) {
        for block in part
            .heading
            .map(Block::Heading)
            .into_iter()
            .chain(part.blocks)
        {
            self.block(block);
        }
    }

    /// Whether a short part stands below what the open slide shows: alone on a slide, a line says little.
    fn takes_below(&mut self, part: &Part) -> bool {
        let Some(blocks) = part.below() else {
            return false;
        };
        let is_text = |block: &Block| matches!(block, Block::Lead(_) | Block::Bullets(_));
        let lines: usize = blocks.iter().map(block_lines).sum();
        // A slide with the name of another part is that part's.
        let fits = !self.as_written
            && self.heading == self.chapter
            && !self.blocks.is_empty()
            && self.blocks.iter().all(is_text)
            && self.lines() + lines < ROOMY_LINES;
        if fits {
            self.blocks.extend(blocks);
        }
        fits
    }

    fn block(&mut self, block: Block) {
        match block {
            Block::Heading(heading) => {
                self.end();
                self.heading = self.title_of_part(&one_line(&plain_text(&heading.runs)));
                self.title.clone_from(&self.heading);
                self.may_state = false;
            }
            Block::Paragraph(paragraph) => self.spoken(paragraph.runs),
            Block::Lead(known) => self.spoken(known.runs),
            Block::Bullets(list) => self.list(list),
            Block::Table(table) => self.table(table),
            Block::Chart(chart) => {
                // A room sees the chart; whoever wants each number asks for the text.
                let same = matches!(self.blocks.last(), Some(Block::Table(table)) if table.columns.len() == chart.series.len() + 1);
                if same {
                    self.blocks.pop();
                }
                self.exhibit(Block::Chart(chart));
            }
            Block::Steps(steps) => {
                let mut items = steps.items.into_iter().peekable();
                while items.peek().is_some() {
                    let items = items.by_ref().take(MOST_STEPS).collect();
                    self.exhibit(Block::Steps(Steps { items }));
                }
            }
            Block::Timeline(timeline) => {
                let mut events = timeline.events.into_iter().peekable();
                while events.peek().is_some() {
                    let events = events.by_ref().take(MOST_STEPS + 1).collect();
                    self.exhibit(Block::Timeline(Timeline { events }));
                }
            }
            other => self.exhibit(other),
        }
    }

    /// Title of a part: with the chapter's, where no slide bears that.
    fn title_of_part(&self, part: &str) -> String {
        let title = format!("{} – {part}", self.chapter);
        let short = title.chars().count() <= PART_CHARS && !self.chapter.is_empty();
        let own_slide = self
            .done
            .first()
            .is_some_and(|slide| !slide.title.starts_with(&format!("{} – ", self.chapter)));
        match short && !self.as_written && !own_slide {
            true => title,
            false => part.to_owned(),
        }
    }

    /// A paragraph: what of it is shown, and the whole of it for the speaker if that is less.
    fn spoken(&mut self, runs: Vec<Run>) {
        let text = plain_text(&runs);
        let mut places = sentences_of(&text, self.language);
        let mut whole = true;
        let first = places.first().cloned();
        // A sentence that is all of a chapter stands large below its heading: as the title of an empty slide it would cost the
        // heading that says what it is about.
        let named = self.heading != labels::AT_A_GLANCE.in_language(self.language);
        let whole_chapter = self.is_alone && places.len() == 1 && named;
        if let Some(first) = first
            && self.may_state
            && !whole_chapter
            && self.blocks.is_empty()
            && names_a_subject(&self.heading)
            && let Some(title) = statement(&runs, &text, first)
        {
            self.title = title;
            places.remove(0);
        }
        self.may_state = false;
        let mut items: Vec<Item> = Vec::new();
        let alone = places.len() == 1;
        // A few sentences stand as they are, be one of them long: the room is there.
        let said: Vec<usize> = (places.iter())
            .map(|place| count_words(text.get(place.clone()).unwrap_or_default()))
            .collect();
        let few = said.len() <= FEW_SENTENCES
            && said.iter().sum::<usize>() + words_of(&self.blocks) <= FEW_WORDS
            && said.iter().all(|words| *words <= LONGEST_LEAD);
        let longest = if few { LONGEST_LEAD } else { LONGEST_ITEM };
        for place in places {
            let part = trimmed(part_of(&runs, std::slice::from_ref(&place)));
            let words = count_words(&plain_text(&part));
            if words == 0 {
                continue;
            }
            if words <= longest && !alone {
                items.push(Item {
                    runs: part,
                    items: Vec::new(),
                });
            } else if words <= LONGEST_LEAD && items.is_empty() {
                self.room_for(words);
                self.blocks.push(lead(part));
            } else {
                whole = false;
            }
        }
        if items.len() == 1
            && let Some(item) = items.pop()
        {
            self.room_for(count_words(&plain_text(&item.runs)));
            self.blocks.push(lead(item.runs));
        } else if !items.is_empty() {
            self.list(Bullets {
                ordered: false,
                items,
            });
        }
        if !whole {
            self.say(runs);
        }
    }

    /// Adds what the speaker says.
    fn say(&mut self, runs: Vec<Run>) {
        if let Some(last) = self.notes.last_mut() {
            last.text.push('\n');
        }
        self.notes
            .extend(runs.into_iter().map(|run| Run { href: None, ..run }));
    }

    fn say_items(&mut self, items: Vec<Item>) {
        for item in items {
            self.say(item.runs);
            self.say_items(item.items);
        }
    }

    fn list(&mut self, list: Bullets) {
        self.may_state = false;
        let words: usize = list.items.iter().map(words_in).sum();
        if matches!(self.blocks.last(), Some(Block::Kpis(_)))
            && list.items.len() <= 3
            && words <= WORDS_BELOW
        {
            return self.blocks.push(Block::Bullets(list));
        }
        let items: Vec<Item> = list
            .items
            .into_iter()
            .map(|item| self.shortened(item))
            .collect();
        let all: usize = items.iter().map(item_lines).sum();
        // A list that would be torn begins on a slide of its own, and is torn into parts of about the same length.
        if all > self.room() && self.lines() * 2 >= MOST_LINES {
            self.next();
        }
        let slides = all.div_ceil(MOST_LINES).max(1);
        let fair = match all > self.room() {
            true => all.div_ceil(slides),
            false => MOST_LINES,
        };
        let mut open: Vec<Item> = Vec::new();
        let (mut lines, mut words) = (0, words_of(&self.blocks));
        for item in items {
            let (more, more_words) = (item_lines(&item), words_in(&item));
            let most = self.room().min(fair);
            let listed = open
                .iter()
                .chain(self.listed())
                .map(lines_in)
                .sum::<usize>();
            let full = listed + lines_in(&item) > self.most_items
                || lines + more > most
                || words + more_words > MOST_WORDS;
            if full && !(open.is_empty() && self.blocks.is_empty()) {
                if !open.is_empty() {
                    self.push_list(list.ordered, std::mem::take(&mut open));
                }
                self.next();
                (lines, words) = (0, 0);
            }
            lines += more;
            words += more_words;
            open.push(item);
        }
        if !open.is_empty() {
            self.push_list(list.ordered, open);
        }
    }

    /// Lines that are taken.
    fn lines(&self) -> usize {
        self.blocks.iter().map(block_lines).sum()
    }

    /// The items of the lists that the slide has.
    fn listed(&self) -> impl Iterator<Item = &Item> {
        self.blocks.iter().flat_map(|block| match block {
            Block::Bullets(list) => list.items.as_slice(),
            _ => &[],
        })
    }

    fn room(&self) -> usize {
        MOST_LINES.saturating_sub(self.lines())
    }

    fn push_list(&mut self, ordered: bool, items: Vec<Item>) {
        self.blocks.push(Block::Bullets(Bullets { ordered, items }));
    }

    /// An item of at most so many words; the speaker has all of it.
    fn shortened(&mut self, mut item: Item) -> Item {
        let text = plain_text(&item.runs);
        if count_words(&text) > LONGEST_ITEM {
            let first = sentences_of(&text, self.language).into_iter().next();
            let short = first.map(|place| trimmed(part_of(&item.runs, &[place])));
            if let Some(short) = short.filter(|short| plain_text(short).len() < text.trim().len()) {
                self.say(std::mem::replace(&mut item.runs, short));
            }
        }
        if lines_in(&item) > self.most_items {
            // On a slide, a list in a list has one line for each of its items.
            let inner = std::mem::take(&mut item.items);
            for (index, inner) in inner.into_iter().enumerate() {
                if index + 1 < self.most_items {
                    let items = Vec::new();
                    item.items.push(Item {
                        runs: inner.runs,
                        items,
                    });
                    self.say_items(inner.items);
                } else {
                    self.say(inner.runs);
                    self.say_items(inner.items);
                }
            }
        }
        item
    }

    fn table(&mut self, table: Table) {
        if table.rows.len() <= MOST_ROWS {
            return self.exhibit(Block::Table(table));
        }
        let Table {
            columns,
            rows,
            caption,
            header_column,
        } = table;
        let mut rows = rows.into_iter().peekable();
        while rows.peek().is_some() {
            self.exhibit(Block::Table(Table {
                columns: columns.clone(),
                rows: rows.by_ref().take(MOST_ROWS).collect(),
                caption: caption.clone(),
                header_column,
            }));
        }
    }

    fn exhibit(&mut self, block: Block) {
        self.may_state = false;
        let shows = |block: &Block| matches!(block, Block::Chart(_) | Block::Table(_));
        let second = shows(&block) && self.blocks.iter().any(shows);
        if second || block_lines(&block) > self.room() {
            self.next();
        }
        self.blocks.push(block);
    }

    fn room_for(&mut self, words: usize) {
        // A line below what is shown explains it; a longer text begins something new.
        let behind = self.blocks.last().is_some_and(is_exhibit) && words > WORDS_EXPLAINING;
        let crowded =
            words.div_ceil(LEAD_LINE) > self.room() || words_of(&self.blocks) + words > MOST_WORDS;
        if behind || crowded {
            self.next();
        }
    }

    /// Ends the slide; the next goes on under the same heading.
    fn next(&mut self) {
        if self.blocks.is_empty() {
            return;
        }
        self.close();
        self.title = CONTINUED.filled(self.language, &[("title", &self.heading)]);
        self.goes_on = true;
    }

    /// Ends the slide.
    fn end(&mut self) {
        if self.blocks.is_empty() && !self.notes.is_empty() {
            // What is only spoken leaves its beginning on the slide, as far as the title does not say it.
            let text = plain_text(&self.notes);
            let places = sentences_of(&text, self.language).into_iter();
            let mut said = places.map(|place| trimmed(part_of(&self.notes, &[place])));
            let is_title =
                |runs: &[Run]| plain_text(runs).trim_end_matches(['.', '。']) == self.title;
            let first = said.find(|runs| !runs.is_empty() && !is_title(runs));
            self.blocks.extend(first.map(lead));
        }
        let stated = self.title != self.heading && !self.title.is_empty();
        let alone = self.is_title && !self.title.is_empty();
        if !self.blocks.is_empty() || ((stated || alone) && self.done.is_empty()) {
            self.close();
        }
    }

    fn close(&mut self) {
        let blocks = std::mem::take(&mut self.blocks);
        let goes_on = std::mem::take(&mut self.goes_on);
        let layout = match blocks.as_slice() {
            // What did not fit on the slide before is no statement.
            [Block::Lead(_)] if goes_on => Layout::Content,
            [] | [Block::Lead(_)] | [Block::Quote(_)] | [Block::Callout(_)] => Layout::Statement,
            [Block::Kpis(_)] => Layout::Figures,
            [Block::Comparison(_)] => Layout::Comparison,
            _ => Layout::Content,
        };
        let notes = std::mem::take(&mut self.notes);
        self.done.push(section(&self.title, layout, blocks, notes));
        self.title.clone_from(&self.heading);
    }
}

fn is_exhibit(block: &Block) -> bool {
    matches!(
        block,
        Block::Table(_) | Block::Chart(_) | Block::Kpis(_) | Block::Steps(_) | Block::Timeline(_)
    )
}

#[cfg(test)]
mod tests;
