//! A line or paragraph as it is read: its text, and which parts of it are the template's own words and which are
//! values. In a template, where values are not known, something stands in for each.

mod sentences;

use std::borrow::Cow;
use std::ops::Range;

use gtm_domain::message::characters::{is_decoration, is_default_ignorable};
use gtm_domain::message::letters::undressed;
use gtm_domain::message::letters_apart::letters_apart;
use gtm_domain::message::page_addresses::is_host;
use gtm_domain::message::plain_letters::Reading;
use gtm_domain::message::{Inline, Placeholder, ValueKind};
use gtm_lexicon::{Phrases, fold, split};
use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

use self::sentences::sentences;

/// Stands in for a value: one word with a capital, in letters that no message has.
const STAND_IN: &str = "Ⰰⰰ";
/// The word of what is not to be read. No phrase has it, so none goes across it.
pub(super) const UNREAD: &str = "\u{fffc}";

/// What a part of a passage is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The template's own words.
    Literal,
    /// The words of a link.
    Label,
    /// The value of a placeholder, or what stands in for it.
    Value(Placeholder),
    /// Neither, such as the address that a renderer writes behind a link.
    Added,
}

impl Source {
    /// Whether the template's author wrote it.
    pub(super) const fn is_own(self) -> bool {
        matches!(self, Self::Literal | Self::Label)
    }
}

/// A part of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// Bytes of the text.
    pub range: Range<usize>,
    pub source: Source,
}

/// A line or paragraph.
#[derive(Debug, Clone, Default)]
pub(super) struct Passage {
    pub text: String,
    /// In order. Together they are the text.
    pub parts: Vec<Part>,
}

/// A word of a passage, folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub folded: String,
    /// Bytes of the text.
    pub range: Range<usize>,
}

impl Passage {
    /// A passage of a template.
    pub(super) fn of_inlines(inlines: &[Inline]) -> Self {
        let mut passage = Self::default();
        for (at, inline) in inlines.iter().enumerate() {
            match inline {
                Inline::Text { v } => passage.push(v, Source::Literal),
                Inline::Link { label, .. } => passage.push(label, Source::Label),
                Inline::Var { name } => match Placeholder::from_name(name) {
                    // Refused before; a word all the same.
                    None => passage.push(STAND_IN, Source::Literal),
                    Some(placeholder) => {
                        let sentence = placeholder.kind() == ValueKind::Sentence;
                        let next = inlines.get(at + 1);
                        let ends = sentence && !next.is_some_and(goes_on_at_once);
                        let text = format!("{STAND_IN}{}", if ends { "." } else { "" });
                        passage.push(&text, Source::Value(placeholder));
                    }
                },
            }
        }
        passage
    }

    pub(super) fn push(&mut self, text: &str, source: Source) {
        let start = self.text.len();
        self.text.push_str(text);
        self.parts.push(Part {
            range: start..self.text.len(),
            source,
        });
    }

    /// The index of the part that has this byte.
    pub(super) fn part_at(&self, byte: usize) -> usize {
        let behind = self.parts.partition_point(|part| part.range.end <= byte);
        behind.min(self.parts.len().saturating_sub(1))
    }

    /// What the part is that has this byte.
    pub(super) fn source_at(&self, byte: usize) -> Option<Source> {
        self.parts.get(self.part_at(byte)).map(|part| part.source)
    }

    /// The placeholders whose values stand in the range.
    pub(super) fn values_in(&self, range: &Range<usize>) -> impl Iterator<Item = Placeholder> {
        let first = self
            .parts
            .partition_point(|part| part.range.end <= range.start);
        let (end, parts) = (range.end, self.parts.get(first..).unwrap_or_default());
        parts
            .iter()
            .take_while(move |part| part.range.start < end)
            .filter_map(|part| match part.source {
                Source::Value(placeholder) => Some(placeholder),
                _ => None,
            })
    }

    pub(super) fn values(&self) -> impl Iterator<Item = Placeholder> {
        self.parts.iter().filter_map(|part| match part.source {
            Source::Value(placeholder) => Some(placeholder),
            _ => None,
        })
    }

    /// The folded words of the parts that are read; of each other part one word that is none.
    ///
    /// DANGER: a reader sees no seam between two parts. A word that is cut over neighbours, `La` and `st chance`, is read
    /// as one.
    pub(super) fn words(&self, reads: impl Fn(Source) -> bool) -> Vec<Word> {
        let mut found = Vec::new();
        for parts in self
            .parts
            .chunk_by(|one, next| reads(one.source) && reads(next.source))
        {
            let [
                Part {
                    range: first,
                    source,
                },
                ..,
            ] = parts
            else {
                continue;
            };
            let end = parts.last().map_or(first.end, |part| part.range.end);
            let range = first.start..end;
            if !reads(*source) {
                let folded = UNREAD.to_owned();
                found.push(Word { folded, range });
                continue;
            }
            let text = self.text.get(range).unwrap_or_default();
            words_of(text, first.start, &mut found);
        }
        found
    }

    /// The folded words of one part.
    pub(super) fn words_of(&self, part: &Part) -> Vec<Word> {
        let mut found = Vec::new();
        let text = self.text.get(part.range.clone()).unwrap_or_default();
        words_of(text, part.range.start, &mut found);
        found
    }

    /// The text in which all but the parts that are read, and all addresses, are blank. Bytes keep their places.
    pub(super) fn blanked(&self, reads: impl Fn(Source) -> bool) -> String {
        let mut out = String::with_capacity(self.text.len());
        for part in &self.parts {
            let text = self.text.get(part.range.clone()).unwrap_or_default();
            if !reads(part.source) {
                out.extend(std::iter::repeat_n(' ', text.len()));
                continue;
            }
            for word in text.split_inclusive(char::is_whitespace) {
                match is_address(word) {
                    true => out.extend(std::iter::repeat_n(' ', word.len())),
                    false => out.push_str(word),
                }
            }
        }
        out
    }

    /// The text of a range, with the placeholder in the place of what stands in for a value.
    pub(super) fn shown(&self, range: &Range<usize>) -> String {
        let mut out = String::new();
        for part in &self.parts {
            let (start, end) = (
                part.range.start.max(range.start),
                part.range.end.min(range.end),
            );
            let Some(text) = self.text.get(start..end).filter(|text| !text.is_empty()) else {
                continue;
            };
            match part.source {
                Source::Value(placeholder) if text.starts_with(STAND_IN) => {
                    out.push_str(&format!("{{{{{}}}}}", placeholder.name()));
                }
                _ => out.push_str(text),
            }
        }
        out
    }

    /// The text in which these parts are blank. Bytes keep their places.
    pub(super) fn without(&self, is_left_out: impl Fn(Source) -> bool) -> String {
        let mut out = String::with_capacity(self.text.len());
        for part in &self.parts {
            let text = self.text.get(part.range.clone()).unwrap_or_default();
            match is_left_out(part.source) {
                true => out.extend(std::iter::repeat_n(' ', text.len())),
                false => out.push_str(text),
            }
        }
        out
    }

    /// The ranges of the sentences by the rules of Unicode (UAX #29), without white space around them. A full stop
    /// behind an abbreviation, an initial or an ordinal ends none.
    pub(super) fn sentences(&self) -> Vec<Range<usize>> {
        sentences(&self.text)
    }
}

/// Whether what follows a value belongs to the same sentence: a mark comes at once, or a small letter.
fn goes_on_at_once(next: &Inline) -> bool {
    let Inline::Text { v } = next else {
        return false;
    };
    let first = v.chars().next();
    let marked = first.is_some_and(|c| !c.is_whitespace() && !c.is_alphanumeric());
    marked
        || v.trim_start()
            .chars()
            .next()
            .is_some_and(char::is_lowercase)
}

/// Adds the folded words of a text, in plain letters and compatibility form: `Ｂｏｏｋ`, `𝗕𝗼𝗼𝗸` and `ʙᴏᴏᴋ` are read like `book`.
/// Signs that show nothing do not part a word: they would hide it.
/// A word whose letters stand one by one is one word.
fn words_of(text: &str, offset: usize, found: &mut Vec<Word>) {
    let mut from = 0;
    for apart in letters_apart(text) {
        words_between(text, from..apart.start, offset, found);
        add_words(text, apart.clone(), offset, found);
        from = apart.end;
    }
    words_between(text, from..text.len(), offset, found);
}

/// Adds the words of a range, as marks and blanks part them.
fn words_between(text: &str, range: Range<usize>, offset: usize, found: &mut Vec<Word>) {
    let mut start = None;
    let within = text.get(range.clone()).unwrap_or_default();
    for (at, c) in within.char_indices() {
        let at = range.start + at;
        let is_within = c.is_alphanumeric()
            || matches!(c, '\u{300}'..='\u{36f}')
            || is_default_ignorable(c)
            || is_decoration(c)
            || undressed(c).is_some();
        match (is_within, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                add_words(text, from..at, offset, found);
                start = None;
            }
            _ => {}
        }
    }
    if let Some(from) = start {
        add_words(text, from..range.end, offset, found);
    }
}

fn add_words(text: &str, range: Range<usize>, offset: usize, found: &mut Vec<Word>) {
    let raw = Reading::joined(text.get(range.clone()).unwrap_or_default());
    let folded = fold(&raw.as_str().nfkc().collect::<String>());
    let words = split(&folded).into_iter().filter(|it| !it.is_empty());
    found.extend(words.map(|word| Word {
        folded: word.to_owned(),
        range: offset + range.start..offset + range.end,
    }));
}

/// The text in which signs that show nothing have moved behind the word that they stand in, as blanks. It is as long as
/// before, and words keep their places.
pub(super) fn without_hidden_signs(text: &str) -> Cow<'_, str> {
    if !text.contains(is_default_ignorable) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end();
        let begin = out.len();
        out.extend(bare.chars().filter(|c| !is_default_ignorable(*c)));
        let hidden = bare.len() - (out.len() - begin);
        out.extend(std::iter::repeat_n(' ', hidden));
        out.push_str(word.get(bare.len()..).unwrap_or_default());
    }
    Cow::Owned(out)
}

/// Whether a word is the address of a page or of a mailbox and nothing else. `90%@once` is none: it would hide a number.
fn is_address(word: &str) -> bool {
    let word =
        word.trim_matches(|c: char| c.is_whitespace() || "()<>[]\"'„“”‚‘’«».,;:!?".contains(c));
    if let Some((name, host)) = word.split_once('@')
        && !name.contains('/')
    {
        let plain = |c: char| c.is_alphanumeric() || "._+-".contains(c);
        return !name.is_empty() && name.chars().all(plain) && is_host(host);
    }
    let begins = |with: &str| {
        let start = word.get(..with.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(with))
    };
    if begins("www.") {
        let host = word.split(['/', '?', '#']).next();
        return host.is_some_and(is_host);
    }
    (begins("https://") || begins("http://"))
        && url::Url::parse(word).is_ok_and(|url| url.host_str().is_some_and(is_host))
}

/// Where the phrases stand among the words: from the first byte of the first to the last of the last.
pub(super) fn places(words: &[Word], phrases: &'static Phrases) -> Vec<Range<usize>> {
    let bare: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    phrases
        .places(&bare)
        .filter_map(|(at, phrase)| {
            let last = words.get(at + phrase.len() - 1)?;
            Some(words.get(at)?.range.start..last.range.end)
        })
        .collect()
}

/// How many words a text has: runs of letters and digits by the rules of Unicode (UAX #29).
pub(super) fn count_words(text: &str) -> usize {
    text.unicode_words().count()
}

/// Where the phrases stand; nowhere if the language has none.
pub(super) fn found(words: &[Word], phrases: Option<&'static Phrases>) -> Vec<Range<usize>> {
    phrases
        .map(|phrases| places(words, phrases))
        .unwrap_or_default()
}

/// How many words stand between two places.
pub(super) fn gap(one: &Range<usize>, other: &Range<usize>) -> usize {
    let behind = other.start.saturating_sub(one.end);
    behind.max(one.start.saturating_sub(other.end))
}

#[cfg(test)]
mod tests;
