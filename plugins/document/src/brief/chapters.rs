//! The chapters of a brief: what stands under each of its upper headings.

use std::ops::Range;

use gtm_document_model::block::{Block, Paragraph, Quote};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::READING_ROLES;
use gtm_lexicon::{fold, split};

use super::{
    Chapter, Part, count_words, line_kinds, lists, may_be_a_persons_name, one_line, speakers,
};
use crate::capital::capital;
use crate::runs::{part_of, trimmed};

/// Fewest words that somebody said, and most words of who it was.
const QUOTED_WORDS: usize = 4;
const NAME_WORDS: usize = 14;
/// Longest name or role of a speaker behind a dash, in words.
const SPEAKER_WORDS: usize = 9;
/// Marks around what somebody said.
const QUOTES: [char; 7] = ['"', '“', '”', '„', '«', '»', '「'];

/// The chapters of parts, and how many of their headings name a slide.
pub fn of(parts: Vec<Part>) -> (Vec<Chapter>, usize) {
    let levels = parts.iter().filter_map(|part| match part {
        Part::Heading { level, .. } => Some(*level),
        Part::Block(_) => None,
    });
    let top = levels.min().unwrap_or(1);
    let mut chapter = Chapter::default();
    let mut slides = 0;
    let mut done: Vec<Chapter> = Vec::new();
    for part in parts {
        match part {
            Part::Heading { level, runs } if level <= top => {
                let heading = one_line(&plain_text(&runs));
                let marked = line_kinds::slide_mark(&heading);
                slides += usize::from(marked.is_some());
                let heading = marked.map_or(heading, |(_, title)| capital(&title));
                let next = Chapter {
                    heading: Some(heading).filter(|heading| !heading.is_empty()),
                    ..Chapter::default()
                };
                done.push(std::mem::replace(&mut chapter, next));
            }
            Part::Heading { level, runs } => {
                let level = (level - top + 1).clamp(2, 4);
                let heading = gtm_document_model::block::Heading { level, runs };
                chapter.blocks.push(Block::Heading(heading));
            }
            Part::Block(Block::Paragraph(paragraph)) => match speakers::notes(&paragraph.runs) {
                Some(notes) => chapter.notes.extend(notes),
                None => chapter.blocks.extend(with_quotation(paragraph)),
            },
            Part::Block(Block::Bullets(list)) => {
                // A dash before a name makes no list of it.
                let quote = match (chapter.blocks.last(), list.items.as_slice()) {
                    (Some(Block::Paragraph(said)), [who]) if who.items.is_empty() => {
                        signed(said, &plain_text(&who.runs))
                    }
                    _ => None,
                };
                match (quote, chapter.blocks.last_mut()) {
                    (Some(quote), Some(last)) => *last = quote,
                    _ => chapter.blocks.push(Block::Bullets(list)),
                }
            }
            Part::Block(Block::Quote(quote)) => chapter.blocks.push(with_its_speaker(quote)),
            Part::Block(block) => chapter.blocks.push(block),
        }
    }
    done.push(chapter);
    done.retain(|chapter| !chapter.blocks.is_empty() || chapter.heading.is_some());
    for chapter in &mut done {
        let heading = chapter.heading.clone().unwrap_or_default();
        chapter.blocks = lists::recognized(std::mem::take(&mut chapter.blocks), &heading);
    }
    (done, slides)
}

/// A paragraph of nothing but quoted words, and who said them.
fn signed(said: &Paragraph, who: &str) -> Option<Block> {
    let mut runs = said.runs.clone();
    runs.push(Run::plain(format!(" – {who}")));
    let text = plain_text(&runs);
    let spoken = quoted(&text)?;
    Some(Block::Quote(quotation(&runs, spoken)))
}

/// A paragraph as a quotation, if it is one, or with the quotation that ends it: `Late pay fell. "We sleep again." - head of pay`.
fn with_quotation(paragraph: Paragraph) -> Vec<Block> {
    let text = plain_text(&paragraph.runs);
    let Some(spoken) = quoted_at_the_end(&text).or_else(|| quoted(&text)) else {
        return vec![Block::Paragraph(paragraph)];
    };
    let opening = text.get(..spoken.0.start).unwrap_or_default();
    let opening = opening.trim_end_matches(|c: char| c.is_whitespace() || QUOTES.contains(&c));
    let before = trimmed(part_of(
        &paragraph.runs,
        std::slice::from_ref(&(0..opening.len())),
    ));
    let quote = Block::Quote(quotation(&paragraph.runs, spoken));
    let before = (!before.is_empty()).then_some(Block::Paragraph(Paragraph::of(before)));
    before.into_iter().chain([quote]).collect()
}

/// A quotation with the speaker whom its own line names: `> "It works in May." — head of sites`.
fn with_its_speaker(quote: Quote) -> Block {
    let text = plain_text(&quote.runs);
    let is_all = |(said, _): &(Range<usize>, &str)| {
        let before = text.get(..said.start);
        before.is_some_and(|before| before.chars().count() <= 1)
    };
    let spoken =
        quoted_at_the_end(&text).filter(|spoken| quote.attribution.is_none() && is_all(spoken));
    Block::Quote(match spoken {
        Some(spoken) => quotation(&quote.runs, spoken),
        None => quote,
    })
}

/// What of runs somebody said, with who it was.
fn quotation(runs: &[Run], (said, who): (Range<usize>, &str)) -> Quote {
    Quote {
        runs: trimmed(part_of(runs, &[said])),
        attribution: Some(capital(&one_line(who))),
        cite: Vec::new(),
    }
}

/// What stands between the last quotation marks of a text, and behind them, after a dash, who said it.
fn quoted_at_the_end(text: &str) -> Option<(Range<usize>, &str)> {
    let end = text.rfind(['"', '”', '“', '»', '«', '」'])?;
    let closing = text.get(end..)?.chars().next()?;
    let before = text.get(..end)?;
    let openings: &[char] = match closing {
        '"' => &['"'],
        '”' => &['“', '„', '"'],
        '“' => &['„'],
        '»' => &['«'],
        '«' => &['»'],
        _ => &['「'],
    };
    let at = before.rfind(openings)?;
    let begin = at + before.get(at..)?.chars().next()?.len_utf8();
    let said = text.get(begin..end)?;
    let who = text.get(end + closing.len_utf8()..)?.trim();
    let who = who.strip_prefix(['—', '–', '-', '―', '－'])?.trim();
    // `The sign says "Do not enter here." - It never helped.` goes on, too.
    let may_go_on = who.ends_with('.');
    let who = who.trim_end_matches('.');
    let is_somebody = || READING_ROLES.any_in(&split(&fold(who))) || may_be_a_persons_name(who);
    // `"Smart" rooms - "cold" ones` quotes words, and `"Halt." - It never stops.` goes on.
    let is_whole = line_kinds::is_sentence(said) && count_words(said) >= QUOTED_WORDS;
    let names = !who.is_empty()
        && !line_kinds::is_sentence(who)
        && !who.contains(':')
        && who.split_whitespace().count() <= SPEAKER_WORDS
        && (!may_go_on || is_somebody());
    (is_whole && names).then_some((begin..end, who))
}

/// What stands between quotation marks with which a text begins, and the name behind them: `"It works." Jo Marsh, Leeds`.
fn quoted(text: &str) -> Option<(Range<usize>, &str)> {
    let opening = text.chars().next()?;
    let closing = match opening {
        '"' => '"',
        '“' => '”',
        '„' => '“',
        '«' => '»',
        '»' => '«',
        '「' => '」',
        _ => return None,
    };
    let begin = opening.len_utf8();
    let end = text.rfind(closing).filter(|end| *end > begin)?;
    let said = text.get(begin..end)?;
    let who = text.get(end + closing.len_utf8()..)?;
    let named = who.trim_start_matches([' ', '\n', ',', '–', '—', '-', '－', '―', '(', '（']);
    let lead = who.get(..who.len() - named.len()).unwrap_or_default();
    let who = named.trim_end_matches(['.', ' ']);
    let who = match lead.contains(['(', '（']) {
        true => who.strip_suffix([')', '）']).unwrap_or(who),
        false => who,
    };
    // `"Stop guessing" Coldwise Pulse` is a slogan with what it is for.
    let is_parted = line_kinds::is_sentence(said)
        || lead.contains(|c: char| c != ' ')
        || who.contains([',', '(']);
    // `"Smart" sensors in "cold" rooms, …` quotes words.
    let is_whole = !said.contains([opening, closing]) && count_words(said) >= QUOTED_WORDS;
    let is_name = may_be_a_persons_name(who)
        && !line_kinds::is_sentence(who)
        && who.split_whitespace().count() <= NAME_WORDS;
    (is_whole && is_name && is_parted).then_some((begin..end, who))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::Brief;
    use super::*;

    #[test]
    fn what_somebody_said_is_a_quotation_with_a_name() {
        for (text, who) in [
            (
                "\"Da quando c'è la sonda dormo anche a settembre.\" Giulia Ferrante, enologa, Tenuta Monteluce",
                Some("Giulia Ferrante, enologa, Tenuta Monteluce"),
            ),
            (
                "„Seit es die Fühler gibt, schlafe ich.“ – Jana Voss (Tannach)",
                Some("Jana Voss (Tannach)"),
            ),
            (
                "\"It works well in May.\" (Jo Marsh, Leeds)",
                Some("Jo Marsh, Leeds"),
            ),
            (
                "\"Stop guessing, start measuring the cold\" Coldwise Pulse",
                None,
            ),
            (
                "「数を数える仕事がなくなり、数を使う仕事ができるようになりました」\n－ 東灘ポンプ工業 資材課長 大西様",
                Some("東灘ポンプ工業 資材課長 大西様"),
            ),
            (
                "\"It works well in May.\"\n- Jo Marsh, Leeds",
                Some("Jo Marsh, Leeds"),
            ),
            ("\"It works well in May.\"\n- It never breaks", None),
            ("\"Cold\" rooms and \"warm\" ones: Jo Marsh", None),
            ("\"It never works in May.\" So they said.", None),
            (
                "The sign says \"Do not enter here.\" - It never helped.",
                None,
            ),
            (
                "Late pay fell. \"We sleep well again.\" - head of pay.",
                Some("Head of pay"),
            ),
        ] {
            let brief = Brief::read(&format!("# A\n\n## B\n\nOne.\n\n{text}\n"), "en");
            let block = brief.chapters[0].blocks.last().unwrap();
            let found = match block {
                Block::Quote(quote) => quote.attribution.as_deref(),
                _ => None,
            };
            assert_eq!(found, who, "{text}");
        }
    }
}
