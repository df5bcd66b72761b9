//! What a line of a brief is, before Markdown reads it: Markdown already, an item of a list, a slide's title, the label of a
//! part, or plain text.

use gtm_lexicon::documents::{DECKS, DIRECTION_LABELS, HINTS, ORDERS, SLIDE_UNITS};
use gtm_lexicon::{fold, split};

use super::{private_notes, speakers};

/// Longest label of a part, in words.
const LABEL_WORDS: usize = 6;
/// Signs that people write before the items of a list, and Markdown doesn't know.
pub const BULLETS: [&str; 6] = ["• ", "· ", "‣ ", "→ ", "– ", "▪ "];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    Blank,
    /// Markdown that is read as it is.
    Markdown,
    /// A line of a block of code, and its fence.
    Code,
    Item,
    Plain,
}

pub fn kinds(lines: &[&str]) -> Vec<Line> {
    let mut fence: Option<char> = None;
    let mut kinds = Vec::with_capacity(lines.len());
    for line in lines {
        let bare = line.trim_start();
        let mark = ['`', '~']
            .into_iter()
            .find(|mark| bare.starts_with(&mark.to_string().repeat(3)));
        let kind = match (fence, mark) {
            (Some(open), Some(mark)) if open == mark => {
                fence = None;
                Line::Code
            }
            (Some(_), _) => Line::Code,
            (None, Some(mark)) => {
                fence = Some(mark);
                Line::Code
            }
            (None, None) => kind_of(line, bare),
        };
        kinds.push(kind);
    }
    kinds
}

fn kind_of(line: &str, bare: &str) -> Line {
    if bare.is_empty() {
        return Line::Blank;
    }
    if item_of(bare).is_some() {
        return Line::Item;
    }
    let indented = line.starts_with("    ") || line.starts_with('\t');
    let only_signs = bare
        .chars()
        .all(|c| matches!(c, '-' | '=' | '*' | '_' | ' '));
    if indented || only_signs || bare.starts_with(['#', '>', '|', '!']) {
        return Line::Markdown;
    }
    // `[internal] …` is no link.
    let looks_like_markdown = bare.starts_with('[') || bare.contains(" | ");
    if looks_like_markdown && !private_notes::opens(bare) {
        return Line::Markdown;
    }
    Line::Plain
}

/// What stands behind the mark of an item.
pub fn item_of(bare: &str) -> Option<&str> {
    let bullets = ["- ", "* ", "+ "].iter().chain(&BULLETS);
    if let Some(rest) = bullets.into_iter().find_map(|mark| bare.strip_prefix(mark)) {
        return Some(rest.trim_start());
    }
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    let rest = bare.get(digits..).filter(|_| (1..=3).contains(&digits))?;
    let rest = rest.strip_prefix(['.', ')'])?;
    rest.starts_with(' ').then(|| rest.trim_start())
}

pub fn is_heading(line: &str) -> bool {
    let bare = line.trim_start();
    let marks = bare.bytes().take_while(|byte| *byte == b'#').count();
    let under = bare.len() >= 3 && bare.bytes().all(|byte| byte == b'=');
    under || (1..=6).contains(&marks) && bare.get(marks..).is_some_and(|rest| rest.starts_with(' '))
}

/// Whether a line ends with the backslash that is Markdown's end of a line, and not with one that is escaped.
pub fn has_hard_end(line: &str) -> bool {
    let line = line.trim_end();
    let signs = line.bytes().rev().take_while(|byte| *byte == b'\\').count();
    signs % 2 == 1 && line.len() > signs
}

/// Takes off the backslash of lines behind which nothing goes on: there Markdown would print it.
pub fn without_ends_of_paragraphs(lines: &mut [&str], kinds: &[Line]) {
    for at in 0..lines.len() {
        let ends = kinds
            .get(at + 1)
            .is_none_or(|next| *next == Line::Blank || *next == Line::Item);
        let is_code = kinds.get(at) == Some(&Line::Code);
        let line = lines.get(at).copied().unwrap_or_default();
        if ends
            && !is_code
            && has_hard_end(line)
            && let Some(place) = lines.get_mut(at)
        {
            let bare = line.trim_end();
            *place = bare.strip_suffix('\\').unwrap_or(bare).trim_end();
        }
    }
}

/// Whether a line begins a block by itself, so that the one above it ends its paragraph.
pub fn begins_a_block(line: &str) -> bool {
    let bare = line.trim_start();
    item_of(bare).is_some()
        || is_heading(line)
        || bare.starts_with(['>', '|'])
        || bare.starts_with("```")
}

/// A line without the marks of emphasis around it.
pub fn without_emphasis(line: &str) -> &str {
    let line = line.trim();
    ["**", "__", "*", "_"]
        .iter()
        .find_map(|mark| {
            let inner = line.strip_prefix(mark)?.strip_suffix(mark)?;
            (!inner.is_empty() && !inner.contains(mark)).then_some(inner.trim())
        })
        .unwrap_or(line)
}

/// The line as a slide's: what stands on it, without the mark of an item and emphasis.
pub fn slide_of(line: &str, kind: Line) -> Option<String> {
    let bare = line.trim();
    let said = match kind {
        Line::Plain => bare,
        Line::Item => item_of(bare)?,
        Line::Blank | Line::Markdown | Line::Code => return None,
    };
    let said = without_emphasis(said);
    // `**Slide 3:** Costs`
    let said = said.replace("**", "").replace("__", "");
    slide_mark(&said).map(|_| said)
}

pub fn is_slide(line: &str, kind: Line) -> bool {
    slide_of(line, kind).is_some()
}

/// `Costs:`, and in bold `Costs`: a line that names the part below it.
pub fn label_of(line: &str) -> Option<&str> {
    let bare = line.trim();
    let inner = without_emphasis(bare);
    let bold = inner.len() < bare.len() && bare.starts_with("**");
    let label = match inner.strip_suffix([':', '：']) {
        Some(label) => label,
        None => bare
            .strip_suffix([':', '：'])
            .map(without_emphasis)
            .or(bold.then_some(inner))?,
    };
    let label = label.trim();
    let folded = fold(label);
    let words = split(&folded);
    let names = (1..=LABEL_WORDS).contains(&words.len())
        && !label.contains([':', '：', '.', '!', '?'])
        && label.starts_with(char::is_alphanumeric);
    let asks = ORDERS.open(&words) || HINTS.open(&words) || speakers::is_label(label);
    (names && !asks).then_some(label)
}

pub fn is_direction_label(label: &str) -> bool {
    let folded = fold(label);
    DIRECTION_LABELS.are(&split(&folded))
}

/// Whether a line begins with a label that is content: `When: 4 May`.
pub fn begins_with_label(line: &str) -> bool {
    let labeled = line.trim().split_once(": ");
    labeled.is_some_and(|(label, _)| {
        let words = label.split_whitespace().count();
        (1..=3).contains(&words)
            && label.starts_with(char::is_uppercase)
            && !is_direction_label(label)
    })
}

pub fn is_sentence(line: &str) -> bool {
    line.trim_end_matches(['"', '”', '“', '»', ')', '*', '_', ' '])
        .ends_with(['.', '!', '?', '…', '。', '！', '？', '؟'])
}

/// Whether a line is as long as it is because the next word did not fit.
pub fn is_full(line: &str, next: &str, width: usize) -> bool {
    let word = next.split_whitespace().next().unwrap_or_default();
    line.trim().chars().count() + 1 + word.chars().count() > width
}

/// The mark and the title of a line that begins a slide: `Slide 3` and `Costs` of `Slide 3 – Costs`.
pub fn slide_mark(line: &str) -> Option<(String, String)> {
    let line = line.trim();
    let end = line.find(char::is_whitespace)?;
    let (word, behind) = line.split_at(end);
    let behind = behind.trim_start();
    let number = behind.find(|c: char| !(c.is_ascii_digit() || matches!(c, '-' | '–')));
    let (number, rest) = behind.split_at(number.unwrap_or(behind.len()));
    let number = number.trim_end_matches(['-', '–']);
    let folded = fold(word);
    let named = DECKS.has_word(&folded) || SLIDE_UNITS.has_word(&folded);
    if !named || !number.starts_with(|c: char| c.is_ascii_digit()) || number.len() > 7 {
        return None;
    }
    let rest = behind.get(number.len()..).unwrap_or(rest).trim_start();
    let title = match rest.chars().next() {
        None => rest,
        Some(':' | '–' | '—' | '：' | '-' | '.' | ')') => {
            rest.trim_start_matches([':', '–', '—', '：', '-', '.', ')', ' '])
        }
        Some(_) => return None,
    };
    Some((format!("{word} {number}"), title.trim().to_owned()))
}
