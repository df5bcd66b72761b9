//! Lines of hurried text, before Markdown reads them.
//!
//! Markdown joins lines: `Slide 2: Costs` becomes the end of the paragraph above it, `Costs:` opens no part, and notes that
//! stand one a line run together into one sentence. Here such lines become headings and lists. Text that was only wrapped
//! stays a paragraph, and whatever is Markdown already stays as it is.

use std::cell::Cell;
use std::collections::BTreeSet;

use gtm_lexicon::{fold, split};

use super::line_kinds::{
    BULLETS, Line, is_direction_label, is_full, is_heading, is_slide, item_of, kinds, label_of,
    slide_of, without_emphasis, without_ends_of_paragraphs,
};
use super::{
    document_names, orders, outline, plain_headings, plain_tables, price_lines, private_notes,
    slide_mark, wishes,
};

/// Longest title of a slide that is one as a whole, in characters.
const LONGEST_TITLE: usize = 90;
/// Longest first line that may be a title, in words.
const TITLE_WORDS: usize = 14;
/// Nobody wraps lines that are shorter than this, in characters.
const SHORTEST_WRAPPED: usize = 50;

/// Longest title in a script without blanks, in characters: nobody can cut it between two words.
const UNSPACED_TITLE_CHARS: usize = 60;
/// Most lines of a block between blank lines that are asked in vain whether they begin a table.
const MOST_REFUSALS: usize = 20;

mod notes;

/// The text with its lines as what they are.
pub fn as_markdown(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let kinds = kinds(&lines);
    without_ends_of_paragraphs(&mut lines, &kinds);
    let has_slides = lines
        .iter()
        .zip(&kinds)
        .filter(|(line, kind)| is_slide(line, **kind))
        .count()
        >= 2;
    let headings = lines.iter().filter(|line| is_heading(line)).count();
    let titled = lines.iter().any(|line| line.trim_start().starts_with("# "));
    let has_parts = headings > usize::from(titled);
    let plain_headings::Headings {
        lines: titles,
        title,
    } = match has_parts || has_slides {
        true => plain_headings::Headings::default(),
        false => plain_headings::of(&lines, &kinds),
    };
    let rewriting = Rewriting {
        lines: &lines,
        kinds: &kinds,
        has_slides,
        has_parts,
        titles,
        title: title.filter(|_| !titled),
        ends: ends_of(&kinds),
        refused: Cell::new((0, 0)),
        private_label: None,
        private_item: false,
        out: String::with_capacity(text.len() + 64),
        dedent: 0,
    };
    rewriting.run(titled)
}

struct Rewriting<'t> {
    lines: &'t [&'t str],
    kinds: &'t [Line],
    has_slides: bool,
    /// Whether Markdown's own headings part the text.
    has_parts: bool,
    /// Short lines that name the part below them, where nothing else parts the text.
    titles: BTreeSet<usize>,
    /// The line that names the whole above them.
    title: Option<usize>,
    /// For each line, where the next blank line or block of code stands.
    ends: Vec<usize>,
    /// Where the lines end that look like one table, and how many of them begin none.
    refused: Cell<(usize, usize)>,
    /// The private label of a line that stands above, with no blank line between.
    private_label: Option<&'t str>,
    /// Whether that line is an item.
    private_item: bool,
    out: String,
    /// Blanks that what stands below an item loses, because the item became a heading.
    dedent: usize,
}

/// For each line, where the next blank line or line of code stands.
fn ends_of(kinds: &[Line]) -> Vec<usize> {
    let mut end = kinds.len();
    let ends = kinds.iter().enumerate().rev().map(|(at, kind)| {
        if matches!(kind, Line::Code | Line::Blank) {
            end = at;
        }
        end
    });
    let mut ends: Vec<usize> = ends.collect();
    ends.reverse();
    ends
}

impl<'t> Rewriting<'t> {
    fn run(mut self, titled: bool) -> String {
        let mut at = 0;
        if !titled && let Some(first) = self.kinds.iter().position(|kind| *kind != Line::Blank) {
            at = self.title(first);
        }
        if at == 0
            && let Some(first) = self.title
            && let Some((line, _)) = self.get(first)
        {
            self.heading(1, without_emphasis(line));
            at = first + 1;
        }
        while at < self.lines.len() {
            at = self.line(at);
        }
        self.out
    }

    fn get(&self, at: usize) -> Option<(&'t str, Line)> {
        Some((*self.lines.get(at)?, *self.kinds.get(at)?))
    }

    /// The first line as a title, if it names a document: `Proposal for Northwind`.
    fn title(&mut self, first: usize) -> usize {
        let Some((line, Line::Plain)) = self.get(first) else {
            return 0;
        };
        let folded = fold(line);
        let words = split(&folded);
        let is_title = (2..=TITLE_WORDS).contains(&words.len())
            && document_names::of_types().any(|names| names.open(&words))
            && !line.trim().ends_with(['.', '!', '?', ':', ','])
            && !is_too_long_for_a_title(line)
            && !orders::is_order(line)
            && slide_mark(line).is_none()
            && !wishes::has_count(&words)
            && self.lines.len() > first + 1;
        if !is_title {
            return 0;
        }
        let bare = without_emphasis(line);
        let mut letters = bare.chars();
        let begin: String = letters
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .collect();
        self.heading(1, &format!("{begin}{}", letters.as_str()));
        first + 1
    }

    fn heading(&mut self, level: usize, text: &str) {
        let marks = "#".repeat(level);
        self.out
            .push_str(&format!("\n\n{marks} {}\n\n", super::one_line(text)));
    }

    fn push(&mut self, line: &str) {
        // A tab that parts no columns is a blank.
        self.out.push_str(&line.replace('\t', " "));
        self.out.push('\n');
    }

    /// Rewrites the line, and those that belong to it; the place of the next.
    fn line(&mut self, at: usize) -> usize {
        let Some((line, kind)) = self.get(at) else {
            return at + 1;
        };
        if self.has_slides
            && let Some(said) = slide_of(line, kind)
        {
            return self.slide(at, &said, kind);
        }
        if kind == Line::Blank {
            self.private_label = None;
        } else if let Some((table, taken)) = self.table(at) {
            self.repeat_private_label();
            self.out.push_str(&table);
            return at + taken;
        }
        // Another item stands beside a private one, not below it.
        if kind == Line::Item && !self.private_item && self.before(at) != Some(Line::Item) {
            self.repeat_private_label();
        }
        if self.titles.contains(&at) {
            self.heading(2, &crate::capital::capital(line.trim()));
            return at + 1;
        }
        match kind {
            Line::Plain => {
                if let Some(label) = label_of(line) {
                    if is_direction_label(label) || self.lists_parts(at, label) {
                        return self.direction(at, label);
                    }
                    let opens = !self.has_parts && !self.has_slides && !self.is_below_label(at);
                    if opens && self.says_something(at + 1) {
                        self.heading(2, label);
                        return at + 1;
                    }
                }
                self.plain(at)
            }
            Line::Item => {
                self.item(line);
                self.behind_item(at);
                self.note_private_label(item_of(line.trim_start()).unwrap_or(line), true);
                at + 1
            }
            Line::Blank | Line::Markdown | Line::Code => {
                self.push(line);
                self.note_private_label(line, false);
                at + 1
            }
        }
    }

    fn before(&self, at: usize) -> Option<Line> {
        self.kinds.get(at.checked_sub(1)?).copied()
    }

    fn note_private_label(&mut self, line: &'t str, is_item: bool) {
        if let Some(label) = private_notes::opening_label(line) {
            self.private_label = Some(label);
            self.private_item = is_item;
        }
    }

    /// Says the label once more above a table or a list: Markdown no longer tells that it stood directly below a private
    /// line, and a label alone speaks of what stands below it.
    fn repeat_private_label(&mut self) {
        if let Some(label) = self.private_label {
            self.out.push_str(&format!("\n\n{label}:\n\n"));
        }
    }

    /// The table that begins with the line: what is in a block of code is none.
    fn table(&self, at: usize) -> Option<(String, usize)> {
        let (until, refusals) = self.refused.get();
        if at < until && refusals >= MOST_REFUSALS {
            return None;
        }
        let lines = self.lines.get(at..*self.ends.get(at)?)?;
        let found = plain_tables::at_start(lines);
        if found.is_none() {
            self.refused.set(match at < until {
                true => (until, refusals + 1),
                false => (at + plain_tables::length(lines), 1),
            });
        }
        found
    }

    /// Whether the last line above, with at most blank lines between, is a private label alone: it speaks of what this one
    /// announces, so this one begins no part.
    fn is_below_label(&self, at: usize) -> bool {
        let above = (0..at).rev().find_map(|at| {
            let (line, kind) = self.get(at)?;
            (kind != Line::Blank).then_some(line)
        });
        above.is_some_and(|line| private_notes::is_label_alone(without_emphasis(line)))
    }

    /// Whether something stands below a label that is no label itself.
    fn says_something(&self, from: usize) -> bool {
        let next = (from..self.lines.len()).find_map(|at| {
            let (line, kind) = self.get(at)?;
            (kind != Line::Blank).then_some((line, kind))
        });
        next.is_some_and(|(line, kind)| kind != Line::Plain || label_of(line).is_none())
    }

    fn slide(&mut self, at: usize, said: &str, kind: Line) -> usize {
        let Some((mark, mut title)) = slide_mark(said) else {
            return at + 1;
        };
        self.dedent = 0;
        if kind == Line::Item
            && let Some((line, _)) = self.get(at)
        {
            let bare = line.trim_start();
            let inner = item_of(bare).map_or(0, str::len);
            self.dedent = line.len() - line.trim_start().len() + bare.len() - inner;
        }
        let mut next = at + 1;
        // `Slide 3` alone: the line below names it.
        if title.is_empty()
            && let Some((line, Line::Plain)) = self.get(next)
            && line.chars().count() <= LONGEST_TITLE
            && slide_mark(line).is_none()
        {
            title = line.trim().trim_end_matches([':', '：']).to_owned();
            next += 1;
        }
        if title.chars().count() <= LONGEST_TITLE {
            self.heading(2, &format!("{mark}: {title}"));
            return next;
        }
        // A title of a whole paragraph: its beginning names the slide, and all of it stands below.
        let fits = |begin: &str| (1..=LONGEST_TITLE).contains(&begin.chars().count());
        let begin = [": ", " – ", " — ", " - "]
            .into_iter()
            .filter_map(|sign| title.split_once(sign))
            .filter(|(begin, _)| fits(begin))
            .min_by_key(|(begin, _)| begin.len());
        let clause = || title.split_once(", ").filter(|(begin, _)| fits(begin));
        let (heading, rest) = match begin {
            Some((begin, rest)) => (begin.to_owned(), rest.to_owned()),
            None => match clause() {
                Some((begin, _)) => (begin.to_owned(), title.clone()),
                None => (crate::runs::cut(&title, LONGEST_TITLE), title.clone()),
            },
        };
        self.heading(2, &format!("{mark}: {heading}"));
        self.push(&rest);
        next
    }

    /// Whether a label announces the parts of the document, and names of parts stand below it as a list.
    fn lists_parts(&self, at: usize, label: &str) -> bool {
        let below = self.kinds.iter().zip(self.lines).skip(at + 1);
        let mut items = below
            .skip_while(|(kind, _)| **kind == Line::Blank)
            .take_while(|(kind, _)| **kind == Line::Item)
            .map(|(_, line)| item_of(line.trim_start()).unwrap_or_default())
            .peekable();
        outline::is_label(label) && items.peek().is_some() && items.all(outline::is_name)
    }

    /// A label of a direction alone on its line: what stands directly below it belongs to it, and nothing else.
    fn direction(&mut self, at: usize, label: &str) -> usize {
        let mut next = at + 1;
        while self.get(next).is_some_and(|(_, kind)| kind == Line::Blank) {
            next += 1;
        }
        self.out.push('\n');
        match self.get(next) {
            Some((_, Line::Item)) => {
                while let Some((line, Line::Item)) = self.get(next) {
                    let said = item_of(line.trim_start()).unwrap_or_default();
                    self.push(&format!("- {label}: {said}"));
                    next += 1;
                }
            }
            Some((line, Line::Plain)) if label_of(line).is_none() => {
                self.push(&format!("{label}: {}\n", line.trim()));
                next += 1;
            }
            // It says nothing.
            _ => {}
        }
        self.out.push('\n');
        next
    }

    fn item(&mut self, line: &str) {
        let indent = line.len() - line.trim_start().len();
        let line = line.get(self.dedent.min(indent)..).unwrap_or(line);
        let bare = line.trim_start();
        let sign = BULLETS.iter().find_map(|sign| bare.strip_prefix(sign));
        match sign {
            Some(rest) => {
                let indent = line.get(..line.len() - bare.len()).unwrap_or_default();
                self.push(&format!("{indent}- {}", rest.trim_start()));
            }
            None => self.push(line),
        }
    }

    /// Ends a list where a line follows that was not wrapped: Markdown would take it for the rest of the item.
    fn behind_item(&mut self, at: usize) {
        if let (Some((line, _)), Some((next, Line::Plain))) = (self.get(at), self.get(at + 1))
            && !next.starts_with([' ', '\t'])
            && !is_full(line, next, SHORTEST_WRAPPED + 10)
            && !self.goes_on_in_small(at)
        {
            self.out.push('\n');
        }
    }

    /// Whether a numbered item goes on in the next line, in small letters, with the next number below that.
    fn goes_on_in_small(&self, at: usize) -> bool {
        let numbered = |at: usize| {
            let line = self.lines.get(at).map(|line| line.trim_start());
            line.is_some_and(|line| {
                line.starts_with(|c: char| c.is_ascii_digit()) && item_of(line).is_some()
            })
        };
        let small = self.lines.get(at + 1);
        small.is_some_and(|line| line.starts_with(char::is_lowercase))
            && numbered(at)
            && numbered(at + 2)
    }

    /// Lines of plain text: a paragraph, or notes that stand one a line.
    fn plain(&mut self, at: usize) -> usize {
        let mut end = at;
        while let Some((line, Line::Plain)) = self.get(end) {
            let opens_part = end > at
                && (label_of(line).is_some()
                    || self.has_slides && is_slide(line, Line::Plain)
                    || self.table(end).is_some());
            if opens_part {
                break;
            }
            end += 1;
        }
        let lines: Vec<&str> = self.lines.get(at..end).unwrap_or_default().to_vec();
        // As items, what stands directly below a private line would stand beside it.
        let label = lines.iter().position(|line| private_notes::opens(line));
        let (open, private) = lines.split_at(label.unwrap_or(lines.len()));
        let whole = notes::joined(open);
        let ends_text = (end..self.lines.len()).all(|at| self.kinds.get(at) == Some(&Line::Blank));
        if ends_text && notes::sign(&lines) {
            self.out.push('\n');
            for (at, line) in lines.iter().enumerate() {
                let ends = if at + 1 < lines.len() { "\\" } else { "" };
                self.push(&format!("{}{ends}", line.trim()));
            }
        } else if notes::are_notes(&whole) || price_lines::are_priced(&whole) {
            self.out.push('\n');
            for line in &whole {
                self.push(&format!("- {}", notes::with_capital(line.trim())));
            }
            self.out.push('\n');
        } else {
            open.iter().for_each(|line| self.push(line));
        }
        if !private.is_empty() {
            self.out.push('\n');
            private.iter().for_each(|line| self.push(line));
        }
        for line in lines {
            self.note_private_label(line, false);
        }
        // At least one line was taken, so this ends.
        end.max(at + 1)
    }
}

/// Whether a text in a script without blanks is too long for a title, or a sentence.
pub fn is_too_long_for_a_title(text: &str) -> bool {
    let text = text.trim();
    let is_unspaced = text.chars().any(gtm_writing::excerpts::is_unspaced);
    is_unspaced
        && (text.chars().count() > UNSPACED_TITLE_CHARS || text.ends_with(['。', '！', '？']))
}

#[cfg(test)]
mod tests;
