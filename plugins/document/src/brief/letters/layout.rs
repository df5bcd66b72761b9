//! Where the lines of a letter stand. In Japanese, `敬具` and `以上` stand at the end of theirs, `記` in the middle, and who
//! writes at the end, across from who reads.
//!
//! Danger: such words stand within sentences, too. So only a line that is nothing else is moved.

use gtm_document_model::block::{Block, Paragraph};
use gtm_document_model::plain_text;
use gtm_document_model::table::Align;
use gtm_lexicon::documents::{LINES_AT_THE_END, LINES_IN_THE_MIDDLE, READER_ENDINGS};
use gtm_lexicon::{Phrases, fold, split};

use super::super::line_kinds;
use super::super::texts::text_of;
use super::formulas::is_unspaced;
use crate::runs::{part_of, trimmed};

/// Longest line of a signature, in characters.
const SIGNATURE_CHARS: usize = 40;

/// The head of a letter: who reads it where lines begin, and who writes it where they end.
pub fn of_head(blocks: Vec<Block>) -> Vec<Block> {
    let names_reader = |line: &str| READER_ENDINGS.iter().any(|end| line.ends_with(end));
    let told = blocks.iter().any(|block| {
        let text = text_of(block).unwrap_or_default();
        is_unspaced(&text) && text.lines().any(|line| names_reader(line.trim()))
    });
    if !told {
        return blocks;
    }
    let place = |block: Block| {
        let text = text_of(&block).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        // Below the last line that names a reader, the same block may go on with who writes.
        let last = lines.iter().rposition(|line| names_reader(line.trim()));
        moved(block, |at, _| match last {
            Some(last) if at <= last => None,
            _ => Some(Align::End),
        })
    };
    blocks.into_iter().flat_map(place).collect()
}

/// What a letter says from its salutation on.
pub fn of_body(blocks: Vec<Block>) -> Vec<Block> {
    // Behind the formula that closes it stands who signs, up to what is listed.
    let mut is_closed = false;
    let mut found = Vec::with_capacity(blocks.len());
    for block in blocks {
        if text_of(&block).is_none() {
            is_closed = false;
        }
        found.extend(moved(block, |_, line| {
            let side = side_of(line);
            let signs = is_closed
                && side.is_none()
                && is_unspaced(line)
                && !line_kinds::is_sentence(line)
                && line.chars().count() <= SIGNATURE_CHARS;
            is_closed = match side {
                Some(side) => side == Align::End,
                None => signs,
            };
            side.or(signs.then_some(Align::End))
        }));
    }
    found
}

/// Where a line stands that is nothing but one of these words.
fn side_of(line: &str) -> Option<Align> {
    let bare: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let folded = fold(&bare);
    let words = split(&folded);
    let is = |lines: &'static Phrases| lines.are(&words);
    if is(&LINES_AT_THE_END) {
        Some(Align::End)
    } else if is(&LINES_IN_THE_MIDDLE) {
        Some(Align::Center)
    } else {
        None
    }
}

/// A paragraph parted where its lines stand elsewhere than those above them.
fn moved(block: Block, mut side: impl FnMut(usize, &str) -> Option<Align>) -> Vec<Block> {
    let Block::Paragraph(paragraph) = block else {
        return vec![block];
    };
    let text = plain_text(&paragraph.runs);
    let mut places: Vec<(std::ops::Range<usize>, Option<Align>)> = Vec::new();
    let mut begin = 0;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let end = begin + line.len();
        let wanted = side(at, line.trim());
        match places.last_mut() {
            Some((place, known)) if *known == wanted => place.end = end,
            _ => places.push((begin..end, wanted)),
        }
        begin = end;
    }
    let parted = places.into_iter().filter_map(|(place, align)| {
        let runs = trimmed(part_of(&paragraph.runs, &[place]));
        (!runs.is_empty()).then_some(Block::Paragraph(Paragraph { runs, align }))
    });
    parted.collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::Brief;
    use super::*;

    /// Each paragraph of a letter with where it stands.
    fn lines(letter: &str, language: &str) -> Vec<(String, Option<Align>)> {
        let brief = Brief::read(letter, language);
        assert!(brief.is_letter, "{:?}", brief.directions);
        let blocks = brief.chapters.iter().flat_map(|it| &it.blocks);
        let paragraphs = blocks.filter_map(|block| match block {
            Block::Paragraph(paragraph) => Some((plain_text(&paragraph.runs), paragraph.align)),
            _ => None,
        });
        paragraphs.collect()
    }

    #[test]
    fn a_japanese_letter_has_its_lines_where_they_belong() {
        let found = lines(
            "2027年5月3日\n\n株式会社ヴェラ 御中\n\n有限会社ハルデン\n営業部 森 亮\n\n料金改定のお願い\n\n拝啓 貴社ますますご清栄のことと\
             お慶び申し上げます。\n料金を改定いたします。\n\n敬　具\n\n記\n\n- 月額：480円\n- 期日：5月10日\n\n以上",
            "ja",
        );
        let at = |said: &str| {
            let line = found.iter().find(|(text, _)| text.contains(said));
            line.map(|(_, align)| *align)
        };
        assert_eq!(at("御中"), Some(None), "{found:?}");
        assert_eq!(at("ハルデン"), Some(Some(Align::End)), "{found:?}");
        assert_eq!(at("拝啓"), Some(None), "{found:?}");
        assert_eq!(at("敬　具"), Some(Some(Align::End)), "{found:?}");
        assert_eq!(at("記"), Some(Some(Align::Center)), "{found:?}");
        assert_eq!(at("以上"), Some(Some(Align::End)), "{found:?}");
    }

    #[test]
    fn who_signs_stands_below_the_formula() {
        let found = lines(
            "株式会社ヴェラ\n川村 恵 様\n有限会社ハルデン 森 亮\n\n拝啓 時下ますますご清栄のことと存じます。\n以上の理由により、料金を改定いたします。\n\
             敬具\n\n有限会社ハルデン\n代表取締役 森 亮",
            "ja",
        );
        let sides: Vec<Option<Align>> = found.iter().map(|(_, align)| *align).collect();
        let ends = sides.iter().filter(|side| **side == Some(Align::End));
        assert!(ends.count() >= 2, "{found:?}");
        let said = found.iter().find(|(text, _)| text.contains("以上の理由"));
        assert_eq!(said.map(|(_, align)| *align), Some(None), "{found:?}");
        assert_eq!(sides.first(), Some(&None), "{found:?}");
        let last = found.last().map(|(_, align)| *align);
        assert_eq!(last, Some(Some(Align::End)), "{found:?}");
    }

    #[test]
    fn other_letters_stay_as_they_are() {
        let found = lines(
            "Halden Lifts\n4 Quay Lane, Hull\n\n3 May 2027\n\nMs Petra Olsen\nVela Ltd\n\nDear Ms Olsen,\n\nThe door costs £480.\n\n\
             Yours sincerely,\n\nJo Marsh",
            "en",
        );
        assert!(found.iter().all(|(_, align)| align.is_none()), "{found:?}");
    }
}
