//! How high a text is, and where it can be split.

use gtm_document_model::theme::Fonts;
use gtm_ooxml::measure::{Face, Line, lines};
use gtm_ooxml::phrases::in_lines;

use super::{Mark, Paragraph, Span};
use crate::geometry::{Emu, of_size};
use crate::look::LEAST;

/// Bytes of a paragraph that are measured: twice what a slide holds in the least size. What is longer is split
/// in any case, and measured again then.
const MOST_MEASURED: usize = 30_000;

/// Measures text in a theme's typefaces.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    heading: Face,
    body: Face,
}

impl Measure {
    pub fn new(fonts: &Fonts) -> Self {
        Self {
            heading: Face::new(&fonts.heading, false),
            body: Face::new(&fonts.body, false),
        }
    }

    fn face(&self, paragraph: &Paragraph, span: &Span) -> Face {
        let face = if paragraph.is_heading {
            self.heading
        } else {
            self.body
        };
        face.with_bold(paragraph.bold || span.bold)
    }

    /// The lines of a paragraph in a width.
    pub fn lines(&self, paragraph: &Paragraph, width: Emu) -> Vec<Line> {
        let mut left = MOST_MEASURED;
        let spans = paragraph.spans.iter().map_while(|span| {
            let size = if span.is_reference {
                LEAST
            } else {
                paragraph.size
            };
            let begin = span.text.get(..left).unwrap_or(&span.text);
            let is_first = left == MOST_MEASURED;
            left = left.saturating_sub(begin.len());
            (is_first || left > 0).then_some((begin, self.face(paragraph, span), size))
        });
        lines(spans, width - of_size(paragraph.indent(), 1_000))
    }

    /// A title whose lines end between phrases, in a language without blanks. It has only plain text.
    pub fn phrased(&self, title: &Paragraph, language: &str, width: Emu) -> Paragraph {
        let [span] = title.spans.as_slice() else {
            return title.clone();
        };
        let face = self.face(title, span);
        let text = in_lines(&span.text, language, width, |text| {
            face.width(text, title.size)
        });
        let span = Span {
            text,
            ..span.clone()
        };
        Paragraph {
            spans: vec![span],
            ..title.clone()
        }
    }

    /// Width of the paragraph on one line, and of its longest word.
    pub fn widths(&self, paragraph: &Paragraph) -> (Emu, Emu) {
        let indent = of_size(paragraph.indent(), 1_000);
        let whole = self.lines(paragraph, Emu::MAX / 4);
        let line = whole.iter().map(|line| line.width).max().unwrap_or(0);
        let mut word = 0;
        for span in &paragraph.spans {
            let face = self.face(paragraph, span);
            let width = |word: &str| face.width(word, paragraph.size);
            let pieces = span.text.split(|c: char| c.is_whitespace() || c == '-');
            word = word.max(pieces.map(width).max().unwrap_or(0));
        }
        (line + indent, word + indent)
    }

    /// Height of one line of the paragraph.
    pub fn line_height(&self, paragraph: &Paragraph) -> Emu {
        of_size(paragraph.size, paragraph.line)
    }

    /// Height of the paragraph without the space before it.
    pub fn height(&self, paragraph: &Paragraph, width: Emu) -> Emu {
        let count = Emu::try_from(self.lines(paragraph, width).len()).unwrap_or(Emu::MAX / 4);
        self.line_height(paragraph).saturating_mul(count)
    }

    /// Height of paragraphs in one box. Counting ends where `limit` is passed: nobody asks by how much.
    pub fn total(&self, paragraphs: &[Paragraph], width: Emu, limit: Emu) -> Emu {
        let mut total: Emu = 0;
        for (index, paragraph) in paragraphs.iter().enumerate() {
            if index > 0 {
                total = total.saturating_add(of_size(paragraph.before, 1_000));
            }
            total = total.saturating_add(self.height(paragraph, width));
            if total > limit {
                break;
            }
        }
        total
    }
}

/// The least width in which a paragraph has as many lines as in this one, with a little to spare: its lines are
/// then about as long as each other, and none has a single word.
pub fn balanced(measure: &Measure, paragraph: &Paragraph, width: Emu) -> Emu {
    let count = measure.lines(paragraph, width).len();
    if count < 2 {
        return width;
    }
    let (mut narrow, mut wide) = (width / 3, width);
    for _ in 0..12 {
        let middle = (narrow + wide) / 2;
        if measure.lines(paragraph, middle).len() > count {
            narrow = middle;
        } else {
            wide = middle;
        }
    }
    (wide * 26 / 25).min(width)
}

/// Takes as many paragraphs from the beginning as fit into `room`: to the end of a paragraph where that leaves
/// no heading alone, otherwise to the end of a line. Nothing where not even two lines fit.
pub fn split(
    measure: &Measure,
    paragraphs: &mut Vec<Paragraph>,
    width: Emu,
    room: Emu,
) -> Option<Vec<Paragraph>> {
    let mut used: Emu = 0;
    let mut whole = 0;
    let mut part = None;
    for (index, paragraph) in paragraphs.iter().enumerate() {
        let before = if index > 0 {
            of_size(paragraph.before, 1_000)
        } else {
            0
        };
        let height = measure.height(paragraph, width);
        if used + before + height <= room {
            used += before + height;
            whole = index + 1;
            continue;
        }
        let line_height = measure.line_height(paragraph).max(1);
        let count = usize::try_from((room - used - before) / line_height).unwrap_or(0);
        let found = measure.lines(paragraph, width);
        // Two lines on either side, so that no line stands alone.
        let count = count.min(found.len().saturating_sub(2));
        if count >= 2 {
            part = found.get(count).map(|line| cut(paragraph, line.start));
        }
        break;
    }
    if let Some((head, tail)) = part {
        let mut first: Vec<Paragraph> = paragraphs.drain(..whole).collect();
        first.push(head);
        if let Some(begun) = paragraphs.first_mut() {
            *begun = tail;
        }
        return Some(first);
    }
    if whole == paragraphs.len() {
        return None;
    }
    let mut kept = whole;
    while kept > 0 && paragraphs.get(kept - 1).is_some_and(is_head) {
        kept -= 1;
    }
    // Where there is nothing but headings, they stand alone.
    if kept > 0 {
        whole = kept;
    }
    (whole > 0).then(|| paragraphs.drain(..whole).collect())
}

/// Whether the paragraph belongs to what follows it.
pub fn is_head(paragraph: &Paragraph) -> bool {
    paragraph.bold && paragraph.mark == Mark::None && paragraph.level == 0
}

/// Cuts a paragraph before a character.
fn cut(paragraph: &Paragraph, at: usize) -> (Paragraph, Paragraph) {
    let with = |spans| Paragraph {
        spans,
        ..paragraph.clone()
    };
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    let mut before = 0;
    for span in &paragraph.spans {
        let length = span.text.chars().count();
        if before + length <= at {
            head.push(span.clone());
        } else if before >= at {
            tail.push(span.clone());
        } else {
            let byte = span.text.char_indices().nth(at - before);
            let (left, right) = span.text.split_at(byte.map_or(0, |(byte, _)| byte));
            let part = |text: &str| Span {
                text: text.to_owned(),
                ..span.clone()
            };
            head.push(part(left.trim_end()));
            tail.push(part(right));
        }
        before += length;
    }
    let mut tail = with(tail);
    // What goes on has no bullet of its own, and stands where it stood.
    if let Mark::Bullet | Mark::Number(_) = tail.mark {
        tail.mark = Mark::None;
        tail.level = tail.level.saturating_add(1);
    }
    (with(head), tail)
}
