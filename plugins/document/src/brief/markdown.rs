//! Markdown into parts: headings, and the blocks of the document model. Nothing in it is refused; what the model has no
//! block for stays as text, pictures are counted, and lists deeper than the model allows become flat.

use std::borrow::Cow;

use gtm_document_model::block::{Block, Bullets, Callout, Item, Paragraph, Quote, Tone};
use gtm_document_model::bounds;
use gtm_document_model::text::Run;
use pulldown_cmark::{
    Alignment, BlockQuoteKind, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd,
};

use super::links::Links;
use super::private_notes::is_label;
use super::soft_breaks::SOFT_BREAK;
use super::{Part, tables};
use crate::runs::trimmed;

/// What was read.
#[derive(Debug, Default)]
pub struct Read {
    pub parts: Vec<Part>,
    /// What is struck out or fenced as private, and so no part of the text.
    pub struck: Vec<String>,
    pub pictures: usize,
    /// The texts of links that lead elsewhere than they say.
    pub unlinked: Vec<String>,
}

/// Reads a text.
pub fn read(text: &str) -> Read {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM;
    let text = &with_products(text);
    let mut reader = Reader::default();
    for (event, place) in Parser::new_ext(text, options).into_offset_iter() {
        reader.event(event, text.get(place).unwrap_or_default());
    }
    reader.end_paragraph();
    Read {
        parts: reader.parts,
        struck: reader.struck,
        pictures: reader.pictures,
        unlinked: reader.links.parted,
    }
}

/// The text with each `*` between two figures as a sign: Markdown would make `58` of `5*8 hours and 6*9 hours`.
fn with_products(text: &str) -> Cow<'_, str> {
    let is_product = |at: usize| {
        let (before, behind) = (text.get(..at), text.get(at + 1..));
        before.is_some_and(|it| it.ends_with(|c: char| c.is_ascii_digit()))
            && behind.is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()))
    };
    let places: Vec<usize> = text
        .match_indices('*')
        .map(|(at, _)| at)
        .filter(|at| is_product(*at))
        .collect();
    // A block of code would show the escape.
    if places.is_empty() || text.contains("```") {
        return Cow::Borrowed(text);
    }
    let mut out = text.to_owned();
    places.iter().rev().for_each(|at| out.insert(*at, '\\'));
    Cow::Owned(out)
}

#[derive(Debug, Default)]
struct OpenList {
    ordered: bool,
    items: Vec<Item>,
    current: Option<Item>,
}

#[derive(Debug, Default)]
struct OpenTable {
    alignments: Vec<Alignment>,
    head: Vec<Vec<Run>>,
    rows: Vec<Vec<Vec<Run>>>,
    row: Vec<Vec<Run>>,
}

#[derive(Debug, Default)]
struct Reader {
    parts: Vec<Part>,
    pictures: usize,
    runs: Vec<Run>,
    bold: usize,
    italic: usize,
    /// What is between tildes, and whether it is struck out.
    strikes: Vec<bool>,
    struck: Vec<String>,
    links: Links,
    in_picture: usize,
    lists: Vec<OpenList>,
    /// Lists deeper than the model allows, which are read as part of the deepest one.
    flat_lists: usize,
    /// Blocks inside of a list, which come behind it.
    behind: Vec<Block>,
    quotes: usize,
    quote: Vec<Run>,
    tone: Option<Tone>,
    code: Option<String>,
    /// Whether the fence of the code says that it is private: ` ```internal `.
    is_private_code: bool,
    table: Option<OpenTable>,
}

/// Whether what stands between tildes is struck out. One before a number means `about`.
fn is_struck(source: &str) -> bool {
    source.starts_with("~~")
        || source
            .strip_prefix('~')
            .is_some_and(|said| said.starts_with(char::is_alphabetic))
}

impl Reader {
    fn event(&mut self, event: Event<'_>, source: &str) {
        match event {
            Event::Start(Tag::Strikethrough) => self.strike(is_struck(source)),
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None => self.text(&text),
            },
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.text(&text);
            }
            // Tags are gone before; what the parser still takes for HTML is text.
            Event::InlineHtml(text) | Event::Html(text) => self.text(&text),
            Event::SoftBreak => self.text(SOFT_BREAK),
            Event::HardBreak => self.text("\n"),
            Event::Rule => self.end_paragraph(),
            Event::TaskListMarker(_) | Event::FootnoteReference(_) => {}
        }
    }

    fn strike(&mut self, is_struck: bool) {
        if is_struck {
            self.struck.push(String::new());
        } else {
            self.text("~");
        }
        self.strikes.push(is_struck);
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.end_paragraph(),
            Tag::Heading { .. } => self.end_paragraph(),
            Tag::BlockQuote(kind) => {
                self.end_paragraph();
                if self.quotes == 0 {
                    self.tone = kind.map(|kind| match kind {
                        BlockQuoteKind::Note | BlockQuoteKind::Important => Tone::Info,
                        BlockQuoteKind::Tip => Tone::Success,
                        BlockQuoteKind::Warning | BlockQuoteKind::Caution => Tone::Warning,
                    });
                }
                self.quotes += 1;
            }
            Tag::CodeBlock(kind) => {
                self.end_paragraph();
                self.is_private_code =
                    matches!(kind, CodeBlockKind::Fenced(info) if is_label(&info));
                self.code = Some(String::new());
            }
            Tag::List(first) => {
                self.end_paragraph();
                if self.lists.len() < bounds::NESTING {
                    self.lists.push(OpenList {
                        ordered: first.is_some(),
                        ..OpenList::default()
                    });
                } else {
                    self.flat_lists += 1;
                }
            }
            Tag::Item => {
                self.end_paragraph();
                if let Some(list) = self.lists.last_mut() {
                    list.items.extend(list.current.take());
                    list.current = Some(Item::default());
                }
            }
            Tag::Table(alignments) => {
                self.end_paragraph();
                self.table = Some(OpenTable {
                    alignments,
                    ..OpenTable::default()
                });
            }
            Tag::Strong => self.bold += 1,
            Tag::Emphasis => self.italic += 1,
            Tag::Link { dest_url, .. } => self.links.begin(&dest_url, self.runs.len()),
            Tag::Image { .. } => {
                self.pictures += 1;
                self.in_picture += 1;
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.end_paragraph(),
            TagEnd::Heading(level) => {
                let runs = trimmed(std::mem::take(&mut self.runs));
                if !runs.is_empty() && self.lists.is_empty() && self.quotes == 0 {
                    let level = level_of(level);
                    self.parts.push(Part::Heading { level, runs });
                } else {
                    self.runs = runs;
                    self.end_paragraph();
                }
            }
            TagEnd::BlockQuote(_) => {
                self.end_paragraph();
                self.quotes = self.quotes.saturating_sub(1);
                if self.quotes == 0 {
                    self.end_quote();
                }
            }
            TagEnd::CodeBlock => {
                let code = self.code.take().unwrap_or_default();
                if self.is_private_code {
                    self.struck.push(code);
                    return;
                }
                let runs = trimmed(vec![Run::plain(code)]);
                if !runs.is_empty() {
                    self.push(Block::Callout(Callout {
                        tone: Tone::Note,
                        title: None,
                        runs,
                    }));
                }
            }
            TagEnd::List(_) => self.end_list(),
            TagEnd::Item => self.end_paragraph(),
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    let blocks = tables::blocks(&table.alignments, table.head, table.rows);
                    blocks.into_iter().for_each(|block| self.push(block));
                }
            }
            TagEnd::TableCell => {
                let runs = trimmed(std::mem::take(&mut self.runs));
                if let Some(table) = &mut self.table {
                    table.row.push(runs);
                }
            }
            TagEnd::TableHead => {
                if let Some(table) = &mut self.table {
                    table.head = std::mem::take(&mut table.row);
                }
            }
            TagEnd::TableRow => {
                if let Some(table) = &mut self.table {
                    let row = std::mem::take(&mut table.row);
                    table.rows.push(row);
                }
            }
            TagEnd::Strong => self.bold = self.bold.saturating_sub(1),
            TagEnd::Emphasis => self.italic = self.italic.saturating_sub(1),
            TagEnd::Strikethrough => {
                let mark = self.strikes.pop().filter(|is_struck| !is_struck);
                self.text(mark.map_or("", |_| "~"));
            }
            TagEnd::Link => self.links.end(&mut self.runs),
            TagEnd::Image => self.in_picture = self.in_picture.saturating_sub(1),
            _ => {}
        }
    }

    /// Adds text to what is open, in the look that holds.
    fn text(&mut self, text: &str) {
        if self.in_picture > 0 || text.is_empty() {
            return;
        }
        let is_struck = self.strikes.contains(&true);
        if let Some(struck) = self.struck.last_mut().filter(|_| is_struck) {
            struck.push_str(text);
            return;
        }
        let (bold, italic) = (self.bold > 0, self.italic > 0);
        self.links.say(text);
        let href = self.links.href();
        let full = self.runs.len() + 1 >= bounds::RUNS;
        match self.runs.last_mut() {
            Some(last) if last.bold == bold && last.italic == italic && last.href == href => {
                last.text.push_str(text);
            }
            // Beyond what one text may have, looks are lost and words stay.
            Some(last) if full => last.text.push_str(text),
            _ => self.runs.push(Run {
                text: text.to_owned(),
                bold,
                italic,
                href,
                cite: Vec::new(),
            }),
        }
    }

    /// Ends a paragraph, wherever it stands.
    fn end_paragraph(&mut self) {
        let runs = trimmed(std::mem::take(&mut self.runs));
        if runs.is_empty() {
            return;
        }
        if self.quotes > 0 && self.lists.is_empty() {
            join(&mut self.quote, runs, "\n");
        } else if let Some(list) = self.lists.last_mut() {
            match &mut list.current {
                Some(item) if item.items.is_empty() => join(&mut item.runs, runs, "\n"),
                // Text behind an inner list.
                Some(item) if !item.runs.is_empty() => {
                    let whole = list.current.take();
                    list.items.extend(whole);
                    list.current = Some(Item {
                        runs,
                        items: Vec::new(),
                    });
                }
                current => {
                    *current = Some(Item {
                        runs,
                        items: Vec::new(),
                    });
                }
            }
        } else {
            self.push(Block::Paragraph(Paragraph::of(runs)));
        }
    }

    fn end_quote(&mut self) {
        let runs = std::mem::take(&mut self.quote);
        let tone = self.tone.take();
        if runs.is_empty() {
            return;
        }
        let block = match tone {
            Some(tone) => Block::Callout(Callout {
                tone,
                title: None,
                runs,
            }),
            None => quote(runs),
        };
        self.push(block);
    }

    fn end_list(&mut self) {
        self.end_paragraph();
        if self.flat_lists > 0 {
            self.flat_lists -= 1;
            return;
        }
        let Some(mut list) = self.lists.pop() else {
            return;
        };
        list.items.extend(list.current.take());
        let mut items: Vec<Item> = Vec::new();
        for item in list.items {
            // An item that only holds a list is that list.
            if item.runs.is_empty() {
                items.extend(item.items);
            } else {
                items.push(item);
            }
        }
        if items.is_empty() {
            return;
        }
        match self.lists.last_mut() {
            Some(outer) => outer
                .current
                .get_or_insert_with(Item::default)
                .items
                .extend(items),
            None if self.quotes > 0 => {
                for item in items {
                    join(&mut self.quote, item.runs, "\n");
                }
            }
            None => {
                // A list of more items than one may have goes on in the next.
                let mut items = items.into_iter().peekable();
                while items.peek().is_some() {
                    let items = items.by_ref().take(bounds::ITEMS).map(bounded).collect();
                    self.parts.push(Part::Block(Block::Bullets(Bullets {
                        ordered: list.ordered,
                        items,
                    })));
                }
            }
        }
        if self.lists.is_empty() {
            let behind = std::mem::take(&mut self.behind);
            behind.into_iter().for_each(|block| self.push(block));
        }
    }

    fn push(&mut self, block: Block) {
        if self.lists.is_empty() {
            self.parts.push(Part::Block(block));
        } else {
            self.behind.push(block);
        }
    }
}

/// An item whose inner lists have no more items than they may.
fn bounded(mut item: Item) -> Item {
    item.items.truncate(bounds::ITEMS);
    item.items = item.items.into_iter().map(bounded).collect();
    item
}

/// A quotation; its last line names who said it, if it begins with a dash.
fn quote(mut runs: Vec<Run>) -> Block {
    let whole: String = runs.iter().map(|run| run.text.as_str()).collect();
    let last = whole.rfind(['\n', '\u{b}']).map(|at| whole.split_at(at));
    if let Some((said, last)) = last
        && let Some(who) = last.trim().strip_prefix(['—', '–', '-', '―'])
        && !said.trim().is_empty()
        && (1..=200).contains(&who.trim().chars().count())
    {
        let mut left = said.chars().count();
        for run in &mut runs {
            let long = run.text.chars().count();
            if long > left {
                run.text = run.text.chars().take(left).collect();
            }
            left -= long.min(left);
        }
        runs.retain(|run| !run.text.is_empty());
        return Block::Quote(Quote {
            runs,
            attribution: Some(super::one_line(who)),
            cite: Vec::new(),
        });
    }
    Block::Quote(Quote {
        runs,
        attribution: None,
        cite: Vec::new(),
    })
}

fn join(to: &mut Vec<Run>, runs: Vec<Run>, between: &str) {
    if let Some(last) = to.last_mut() {
        last.text.push_str(between);
    }
    if to.len() + runs.len() > bounds::RUNS {
        let text: String = runs.into_iter().map(|run| run.text).collect();
        match to.last_mut() {
            Some(last) => last.text.push_str(&text),
            None => to.push(Run::plain(text)),
        }
        return;
    }
    to.extend(runs);
}

fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}
