//! Briefs that are the text of a letter: it begins by addressing its reader, and somebody signs it.
//!
//! Danger: read like any other brief, a letter loses its end. A closing formula greets the writer in an order, and a name below
//! it signs that order. So what stands between salutation and signature is printed as it is, and what stands around it is told
//! to the writer. But a note to a colleague who is to write something has both, too: it asks for a document.

use std::borrow::Cow;

use gtm_document_model::block::{Block, Paragraph};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::{READER_ENDINGS, REPLY_MARKS, SUBJECT_LABELS};
use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::{fold, split};

mod address;
mod formulas;
mod head;
mod layout;
mod notes;

use super::mails::{self, Mails};
use super::verdicts::{Place, Verdict};
use super::{
    Beside, Brief, Chapter, Part, Reading, asides, corrections, line_kinds, markdown, marks,
    one_line, orders, own_date, private_notes, soft_breaks, texts_of,
};
use crate::capital::capital;
use address::Reader;
pub use formulas::is_salutation;
use formulas::{closes, closing_by_form, is_hello, is_postscript, is_unspaced};
use notes::For;

/// Most lines before the salutation, behind the closing formula, and behind the signature.
const LINES_BEFORE: usize = 12;
const LINES_BEHIND: usize = 14;
/// Longest name with which a note calls somebody, in words.
const CALL_WORDS: usize = 2;
/// Longest line of a signature, in characters.
const SIGNATURE_CHARS: usize = 90;
/// Most lines and words of the signature of a quoted mail.
const SIGNATURE_LINES: usize = 4;
const SIGNATURE_WORDS: usize = 5;
/// Most lines that are asked whether a letter begins there.
const MOST_BEGINS: usize = 4;

/// What a brief is that has a salutation and a closing formula.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    Letter(Letter),
    /// A note to whoever writes: what it says, and the lines that only say who writes to whom.
    Note {
        text: String,
        frame: Vec<String>,
    },
}

impl Found {
    /// The letter or the note of a brief, if it is one.
    pub fn of(text: &str, language: &str) -> Option<Self> {
        // A letter has Markdown's own ends of lines besides those that it gets: `\` would be printed.
        let text = with_blanks_at_ends(text);
        let lines: Vec<&str> = text.lines().collect();
        // Above the letter its writer may be greeted, too: so the last that may be its beginning is asked first.
        let begins =
            (0..lines.len()).filter(|at| lines.get(*at).is_some_and(|line| is_salutation(line)));
        let begins: Vec<usize> = begins.take(MOST_BEGINS).collect();
        let mut found = None;
        for begin in begins.into_iter().rev() {
            match Letter::beginning(&lines, begin, language) {
                Some(Self::Letter(letter)) => return Some(Self::Letter(letter)),
                // A note may stand above the letter that it orders, and below none.
                Some(note) => found = Some(found.unwrap_or(note)),
                None => {}
            }
        }
        found
    }
}

/// A letter in a brief.
#[derive(Debug, PartialEq, Eq)]
pub struct Letter {
    /// What stands around it.
    outside: String,
    subject: Option<String>,
    /// The day that stands above it.
    date: Option<String>,
    date_words: Option<String>,
    /// The lines that address its reader.
    salutation: String,
    /// Who reads it and who writes, above the salutation.
    head: String,
    body: String,
}

impl Letter {
    fn beginning(lines: &[&str], salutation: usize, language: &str) -> Option<Found> {
        let begin = with_reader(lines, salutation);
        let closings =
            (begin + 1..lines.len()).filter(|at| lines.get(*at).is_some_and(|line| closes(line)));
        let closings: Vec<usize> = closings.collect();
        // Below the signature of the letter may stand how the mail ends in which it is: `Thanks! Mia`.
        let (closing, below) = match closings.as_slice() {
            [.., first, last] if is_signed_between(lines, *first, *last) => (*first, Some(*last)),
            [.., last] => (*last, None),
            [] => (closing_by_form(lines).filter(|at| *at > salutation)?, None),
        };
        let end = end_of(lines, closing, language);
        let end = below.map_or(end, |below| end.min(below));
        let end = without_second_sign_off(lines, closing, end);
        let (before, rest) = lines.split_at(begin);
        let (letter, behind) = rest.split_at(end - begin);
        let body = letter.get(..closing - begin)?;
        let said = |lines: &[&str]| lines.iter().filter(|line| !line.trim().is_empty()).count();
        let near = said(before) <= LINES_BEFORE
            && said(behind) <= LINES_BEHIND
            && before
                .iter()
                .filter(|line| line_kinds::is_heading(line))
                .count()
                <= 1;
        let formula = lines.get(closing).copied().unwrap_or_default();
        let is_far = said(before) > LINES_BEFORE;
        if !is_far && notes::reader_of(body, formula, before, language) == For::Writer {
            let (text, frame) = notes::without_frame(lines, begin, salutation, closing);
            let frame = frame.into_iter().map(one_line).collect();
            return Some(Found::Note { text, frame });
        }
        if !near {
            return None;
        }
        let addressing = lines.get(begin..=salutation).unwrap_or_default();
        let addressed = addressing.join(" ");
        let head::Head {
            above,
            lines: head,
            mut subject,
            mut date,
            mut date_words,
        } = head::of(before, &addressed, language);
        let mut outside: Vec<&str> = Vec::new();
        for line in above.iter().chain(&[""]).chain(behind) {
            let day = || own_date::of_line(line, language, own_date::Lines::OfLetters);
            if let Some(said) = subject_of(line).filter(|_| subject.is_none()) {
                subject = Some(said);
            } else if let Some(day) = day().filter(|_| date.is_none()) {
                date = Some(day);
                date_words = own_date::words_of(line);
            } else {
                outside.push(line);
            }
        }
        let mut letter: Vec<&str> = letter.to_vec();
        let mut closing = closing - begin;
        if subject.is_none()
            && let Some(at) = head::subject_below(&letter, salutation - begin, closing)
        {
            subject = Some(one_line(line_kinds::without_emphasis(letter.remove(at))));
            closing -= 1;
        }
        // Lines that name the reader may stand directly above the words that address him.
        let opens = |line: &&str| is_salutation(line) && Reader::of(line, language).is_none();
        let opening = addressing.iter().position(opens);
        let opening = opening.unwrap_or(addressing.len().saturating_sub(1));
        let reader = letter.get(..opening).unwrap_or_default();
        let reader = reader
            .iter()
            .flat_map(|line| match Reader::of(line, language) {
                Some(reader) => reader.lines,
                None => vec![(*line).to_owned()],
            });
        let head: Vec<String> = head.into_iter().chain(reader).collect();
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let body = letter.get(opening..).unwrap_or_default();
        Some(Found::Letter(Self {
            outside: outside.join("\n"),
            subject,
            date,
            date_words,
            salutation: addressed,
            head: as_markdown(&head, head.len(), head.len()),
            body: as_markdown(body, 0, closing.saturating_sub(opening)),
        }))
    }

    /// Whether it is surely no note to a colleague: it greets formally, or somebody ordered it above.
    pub fn is_for_its_reader(&self, language: &str) -> bool {
        let ordered = |line: &str| orders::orders_a_letter(line.trim(), language);
        !self.salutation.lines().any(is_hello) || self.outside.lines().any(ordered)
    }

    /// A letter with what stands around it, which is told to its writer.
    pub fn brief(self, language: &str) -> Brief {
        let mut brief = Brief::of_text(&self.outside, Reading::of(language), Beside::default());
        // Beside a letter, a short first line is told like all others.
        let mut lines = self.outside.lines().map(str::trim);
        let first = lines.find(|line| !line.is_empty()).map(capital);
        let named = brief.title.take_if(|title| Some(&*title) == first.as_ref());
        brief.directions.extend(named);
        let around = std::mem::take(&mut brief.chapters);
        for chapter in around {
            brief.directions.extend(chapter.heading);
            brief.directions.extend(texts_of(&chapter.blocks));
            brief
                .directions
                .extend(Some(plain_text(&chapter.notes)).filter(|notes| !notes.is_empty()));
        }
        let asks = std::mem::take(&mut brief.asks);
        brief
            .directions
            .extend(asks.iter().map(|ask| plain_text(ask)));
        let mut of_part = |markdown: &str| {
            let read = Read::of(markdown, language);
            brief.withheld.extend(read.withheld);
            brief.corrected.extend(read.corrected);
            brief.doubtful.extend(read.doubtful);
            read.blocks
        };
        let (head, body) = (of_part(&self.head), of_part(&self.body));
        let parts = [layout::of_head(head), layout::of_body(body)].into_iter();
        brief.title = self.subject.or(brief.title);
        if self.date.is_some() || self.date_words.is_some() {
            brief.date = self.date;
            brief.date_words = self.date_words;
        }
        let filled = parts.filter(|blocks| !blocks.is_empty());
        brief.chapters = filled
            .map(|blocks| Chapter {
                blocks,
                ..Chapter::default()
            })
            .collect();
        brief.is_letter = true;
        brief
    }
}

/// What a part of a letter says.
struct Read {
    blocks: Vec<Block>,
    withheld: Vec<String>,
    corrected: Vec<String>,
    doubtful: Vec<String>,
}

impl Read {
    /// Reads a part, and what of it is private. A heading in it is a line of it.
    fn of(text: &str, language: &str) -> Self {
        let read = markdown::read(text);
        let private_notes::Parted { parts, notes, bans } =
            private_notes::parted(read.parts, language, private_notes::Kind::Letter);
        let (parts, told) = asides::parted_in_a_letter(parts, language);
        let corrected = corrections::made_in_a_letter(parts);
        let blocks = corrected
            .parts
            .into_iter()
            .map(|part| match soft_breaks::settled(part) {
                Part::Heading { runs, .. } => Block::Paragraph(Paragraph::of(runs)),
                Part::Block(block) => block,
            });
        let struck = read.struck.iter().map(|text| one_line(text));
        let withheld = notes
            .into_iter()
            .chain(bans)
            .chain(told)
            .chain(struck.filter(|text| !text.is_empty()));
        Self {
            blocks: blocks.collect(),
            withheld: withheld.collect(),
            corrected: corrected.corrected,
            doubtful: corrected.doubtful,
        }
    }
}

/// Where a letter begins that addresses its reader at this line: lines above it may do so, too, and name the reader.
fn with_reader(lines: &[&str], at: usize) -> usize {
    let above = lines.iter().enumerate().take(at).rev();
    let mut begin = at;
    // The firm stands directly above the name of who works there.
    let mut in_address = false;
    for (at, line) in above {
        let line = line.trim();
        let names = READER_ENDINGS.iter().any(|end| line.ends_with(end));
        let belongs = names
            || in_address && !line_kinds::is_sentence(line)
            || is_salutation(line) && !is_hello(line);
        in_address = !line.is_empty() && (in_address || names);
        match line.is_empty() {
            true => {}
            false if belongs => begin = at,
            false => break,
        }
    }
    begin
}

/// Where the signature ends: below the closing formula stand the name and the role, with blank lines between, and what the
/// letter says behind `P.S.`, however long. What is said to a colleague there is none of the letter.
fn end_of(lines: &[&str], closing: usize, language: &str) -> usize {
    let behind = lines.iter().enumerate().skip(closing + 1);
    let mut end = closing + 1;
    let mut in_postscript = false;
    let letter = lines.get(..closing).unwrap_or_default();
    for (at, line) in behind {
        let line = line.trim();
        in_postscript = !line.is_empty() && (in_postscript || is_postscript(line));
        let is_long = line_kinds::is_sentence(line) && line.chars().count() > SIGNATURE_CHARS;
        let ends = Verdict::of(line, language, Place::Beginning).is_order()
            || line_kinds::is_heading(line)
            || !in_postscript && (is_long || private_notes::is_said_to_a_colleague(line, letter));
        if ends {
            break;
        }
        if !line.is_empty() {
            end = at + 1;
        }
    }
    end
}

/// Where a letter ends below whose signature its mail is signed again, by a name that it has: `groetjes Wiebe`.
fn without_second_sign_off(lines: &[&str], closing: usize, end: usize) -> usize {
    let line = |at: usize| lines.get(at).map_or("", |line| line.trim());
    let last = line(end - 1);
    let words: Vec<&str> = last.split_whitespace().collect();
    let apart = end - 1 > closing + 1 && line(end.saturating_sub(2)).is_empty();
    let signature = lines.get(closing + 1..end - 1).unwrap_or_default();
    let named = words.last().is_some_and(|name| {
        words.len() == 2 && signature.iter().any(|line| split(line).contains(name))
    });
    let small = last.starts_with(char::is_lowercase);
    match apart && named && small {
        true => (closing + 1..end - 1)
            .rev()
            .find(|at| !line(*at).is_empty())
            .map_or(end, |at| at + 1),
        false => end,
    }
}

/// Whether nothing but a signature stands between two formulas that close, and a blank line before the second.
fn is_signed_between(lines: &[&str], first: usize, last: usize) -> bool {
    let between = lines.get(first + 1..last).unwrap_or_default();
    let is_apart = between.last().is_some_and(|line| line.trim().is_empty());
    let signs = |line: &&&str| {
        !line_kinds::is_sentence(line) && line.split_whitespace().count() <= SIGNATURE_WORDS
    };
    let filled: Vec<&&str> = between
        .iter()
        .filter(|line| !line.trim().is_empty())
        .collect();
    is_apart && (1..=SIGNATURE_LINES).contains(&filled.len()) && filled.iter().all(signs)
}

/// The letter that stands above the mail that it answers, if it is one. What the other mail says is told to the writer, and
/// printed nowhere: it is what the reader wrote. A note to a colleague may stand above a customer's mail, too, which is its
/// material; so the letter must address whom the lines above the mail name, or its signature.
pub fn above(mails: &Mails, language: &str) -> Option<Brief> {
    let (own, quoted) = mails.text.split_at_checked(mails.quoted_from?)?;
    let Some(Found::Letter(letter)) = Found::of(own, language) else {
        return None;
    };
    let mut names = split(&letter.salutation)
        .into_iter()
        .skip(1)
        .filter(|word| word.starts_with(char::is_uppercase));
    let filled = mails.quoted.iter().rev().filter(|line| !line.is_empty());
    let signature = filled
        .take(SIGNATURE_LINES)
        .filter(|line| line.split_whitespace().count() <= SIGNATURE_WORDS);
    let named: Vec<&String> = mails.heads.iter().chain(signature).collect();
    let answers = names.any(|name| named.iter().any(|line| split(line).contains(&name)));
    if !answers {
        return None;
    }
    let mut brief = letter.brief(language);
    let quoted = quoted.lines().map(one_line);
    brief.mail_frame = quoted.filter(|line| !line.is_empty()).collect();
    Some(brief)
}

/// The line with which a text begins if it only calls somebody by name, and what stands below it: `Priya,`. A letter to a reader
/// has a formula.
pub fn call_at_the_top(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let (line, rest) = text.split_once('\n')?;
    let name = line.trim().strip_suffix([',', '，'])?;
    let words: Vec<&str> = name.split_whitespace().collect();
    let is_name = |word: &&str| {
        word.starts_with(char::is_uppercase)
            && word
                .chars()
                .all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’'))
    };
    // `Smarter Metering,` may be the first half of a title.
    let is_one = match words.as_slice() {
        [_] => true,
        [first, ..] => GIVEN_NAMES.contains(&fold(first)),
        [] => false,
    };
    let names = is_one && words.len() <= CALL_WORDS && words.iter().all(is_name);
    (names && !rest.trim().is_empty()).then_some((line.trim(), rest))
}

/// The reader whom one of the lines names with an address.
pub fn reader_in(lines: &[String], language: &str) -> Option<Vec<String>> {
    let mut found = lines.iter().filter_map(|line| Reader::of(line, language));
    found.find(Reader::is_an_address).map(|reader| reader.lines)
}

/// Gives a letter without a head the reader and the day of the lines above its mail.
pub fn headed(brief: &mut Brief, mail: &[String], language: &str) {
    let day = || {
        let mut days = mail.iter();
        days.find_map(|line| own_date::of_line(line, language, own_date::Lines::OfLetters))
    };
    if brief.date_words.is_none() {
        brief.date = brief.date.take().or_else(day);
    }
    if let [_] = brief.chapters.as_slice()
        && let Some(lines) = reader_in(mail, language)
    {
        let runs = vec![Run::plain(lines.join("\n"))];
        let blocks = layout::of_head(vec![Block::Paragraph(Paragraph::of(runs))]);
        let head = Chapter {
            blocks,
            ..Chapter::default()
        };
        brief.chapters.insert(0, head);
    }
}

fn subject_of(line: &str) -> Option<String> {
    let (label, said) = line_kinds::without_emphasis(line).split_once([':', '：'])?;
    let folded = fold(label);
    let words = split(&folded);
    let said = one_line(mails::without_reply_marks(said));
    let is_subject = SUBJECT_LABELS.are(&words) || REPLY_MARKS.are(&words);
    (is_subject && !said.is_empty()).then_some(said)
}

/// The text with two blanks where a line ends with a backslash. Both mean to Markdown that it ends there.
fn with_blanks_at_ends(text: &str) -> Cow<'_, str> {
    if !text.lines().any(line_kinds::has_hard_end) {
        return Cow::Borrowed(text);
    }
    let lines = text
        .lines()
        .map(|line| match line_kinds::has_hard_end(line) {
            true => format!("{}  ", line.trim_end_matches('\\')),
            false => line.to_owned(),
        });
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

/// The letter as Markdown: the lines of its head, which are so many, those of its signature, and those of a script without blanks, end where they end.
fn as_markdown(letter: &[&str], head: usize, closing: usize) -> String {
    let mut markdown = String::new();
    for (at, line) in letter.iter().enumerate() {
        let marked = marks::of_letter(letter, at);
        let line = marked.as_deref().unwrap_or(line);
        let bare = line.trim();
        // Markdown reads a table only behind a blank line.
        let is_row = |line: &str| line.trim_start().starts_with('|');
        let above = at.checked_sub(1).and_then(|above| letter.get(above));
        if is_row(bare) != above.is_some_and(|above| is_row(above)) {
            markdown.push('\n');
        }
        if is_row(bare) {
            markdown.push_str(bare);
            markdown.push('\n');
            continue;
        }
        let next = letter.get(at + 1).map_or("", |next| next.trim());
        let next_marked = marks::of_letter(letter, at + 1);
        let next = next_marked.as_deref().unwrap_or(next);
        let keeps_end = at < head
            || at >= closing
            || is_unspaced(bare)
            || at + 1 == closing
            || line.ends_with("  ");
        let is_item = line_kinds::item_of(bare).is_some();
        markdown.push_str(if is_item { line.trim_end() } else { bare });
        // What begins a block of its own ends the line as it is.
        let next_is_text = !next.is_empty() && !is_row(next) && !line_kinds::begins_a_block(next);
        markdown.push_str(match keeps_end && !bare.is_empty() && next_is_text {
            true => "\\\n",
            false => "\n",
        });
    }
    markdown
}

#[cfg(test)]
mod tests;
