//! Composes the chapters of a document without a model: the brief's own, and what guideline, offer, the target's site and
//! reference documents say. Nothing is said that they do not say.

pub mod courses;
pub mod coverage;
pub mod prices;
pub mod references;
pub mod said;
pub mod sender;
pub mod target;

use gtm_document_model::block::Block;
use gtm_document_model::document::DocumentType;
use gtm_document_model::text::Run;
use gtm_document_model::{Chart, Table, plain_text};
use gtm_lexicon::documents::{ABOUT_US, ASKS, PRICE_HEADINGS, SUMMARIES};
use gtm_lexicon::{fold, split};

use crate::brief::{
    Brief, Shown, addresses_a_reader, announces_steps, chart_of, count_words, course_of,
    names_total,
};
use crate::capital::capital;
use crate::chapter::{Chapter, Role, bullets, paragraph};
use crate::labels;
use crate::material::Material;

/// Fewest words of a heading that says something by itself.
const STATEMENT_WORDS: usize = 5;

/// The chapters of the document: the brief's own in its own order, then what nobody asked for, and at the end what the reader
/// is asked to do.
#[must_use]
pub fn chapters(material: &mut Material<'_>, kind: DocumentType) -> Vec<Chapter> {
    let language = material.language.clone();
    let own = of_brief(material.brief, &language);
    if material.brief.is_letter || material.brief.orders_letter {
        let head = reader_of_letter(material.brief);
        return allowed(head.into_iter().chain(own).collect(), material, &language);
    }
    let has_content = !own.is_empty() || !material.brief.asks.is_empty();
    let (own, closing) = parted(own, material.brief, &language);
    let has = |role: Role| own.iter().any(|chapter| chapter.role == role);
    let (has_price, has_about) = (has(Role::Price), has(Role::AboutUs));
    let sender = said::without_repetition(&material.sender, material.brief, &language);
    let mut found: Vec<Chapter> = Vec::new();
    let target = target::chapter(material);
    let background = references::chapter(material);
    // What opens a brief without a heading opens the document.
    let intro = usize::from(
        own.first()
            .is_some_and(|first| matches!(first.role, Role::Content | Role::Opening))
            && material
                .brief
                .chapters
                .first()
                .is_some_and(|first| first.heading.is_none()),
    );
    let mut own = own.into_iter();
    found.extend(own.by_ref().take(intro));
    if !has_content {
        found.extend(sender::summary(&sender, &language));
    }
    found.extend(target);
    found.extend(own);
    found.extend(background);
    let price = sender::price(&sender, &language).filter(|_| !has_price);
    let extras: Vec<(u8, Option<Chapter>)> = match kind {
        DocumentType::Proposal | DocumentType::Deck | DocumentType::OnePager => vec![
            (2, sender::offer(&sender, &language, has_content, false)),
            (3, sender::proof(&sender, &language)),
            (4, sender::why(&sender, &language).filter(|_| !has_about)),
            (1, price),
        ],
        DocumentType::Playbook | DocumentType::GtmStrategy => vec![
            (5, sender::segments(&sender, &language)),
            (6, sender::roles(&sender, &language)),
            (2, sender::offer(&sender, &language, has_content, true)),
            (3, sender::proof(&sender, &language)),
            (4, sender::why(&sender, &language)),
            (7, sender::objections(&sender, &language)),
            (8, sender::exclusions(&sender, &language)),
            (1, price),
        ],
        // A report reports; it sells nothing.
        DocumentType::Report if has_content => Vec::new(),
        DocumentType::Report => vec![
            (2, sender::offer(&sender, &language, false, false)),
            (3, sender::proof(&sender, &language)),
            (4, sender::why(&sender, &language)),
        ],
    };
    for (missed, chapter) in extras {
        found.extend(chapter.map(|chapter| Chapter {
            // Where the brief says nothing itself, this is what it asks for.
            unasked: Some(missed).filter(|missed| has_content || *missed > 2),
            ..chapter
        }));
    }
    found.extend(closing);
    allowed(found, material, &language)
}

/// Who reads the letter that a brief orders and gives no text of: name, company, street and town, a line each.
fn reader_of_letter(brief: &Brief) -> Option<Chapter> {
    let lines = &brief.letter_reader;
    let is_known = !lines.is_empty() && !brief.is_letter;
    let blocks = vec![paragraph(vec![Run::plain(lines.join("\n"))])];
    is_known.then(|| Chapter {
        role: Role::LetterHead,
        blocks,
        ..Chapter::default()
    })
}

/// The chapters without what must not be claimed.
fn allowed(mut found: Vec<Chapter>, material: &mut Material<'_>, language: &str) -> Vec<Chapter> {
    let mut dropped: Vec<String> = Vec::new();
    let forbidden = &material.sender.forbidden;
    for chapter in &mut found {
        let blocks = std::mem::take(&mut chapter.blocks);
        let had_blocks = !blocks.is_empty();
        let (blocks, bad) = crate::chapter::without(blocks, forbidden, language);
        chapter.blocks = blocks;
        dropped.extend(bad);
        if crate::chapter::is_forbidden(&chapter.heading, forbidden) {
            let heading = labels::AT_A_GLANCE.in_language(language).to_owned();
            dropped.push(std::mem::replace(&mut chapter.heading, heading));
        }
        let notes = plain_text(&chapter.notes);
        if crate::chapter::is_forbidden(&notes, forbidden) {
            chapter.notes.clear();
            dropped.push(notes);
        }
        if had_blocks && chapter.blocks.is_empty() {
            chapter.heading.clear();
        }
    }
    material.lose_texts("/sections", "forbidden", dropped);
    found.retain(|chapter| !chapter.blocks.is_empty() || !chapter.heading.is_empty());
    found
}

/// Parts what the reader is asked to do from the rest. A brief that is written slide by slide has its own order to the end.
fn parted(own: Vec<Chapter>, brief: &Brief, language: &str) -> (Vec<Chapter>, Vec<Chapter>) {
    let closes = |chapter: &Chapter| chapter.role == Role::NextSteps;
    // A chapter that ends with a call to the reader ends the document.
    let calls = brief.calls && brief.asks.is_empty() && own.len() > 1;
    let has_closing = own.iter().any(closes);
    let (mut own, mut closing): (Vec<Chapter>, Vec<Chapter>) = match brief.has_slides() {
        true => {
            let at = own.iter().rposition(|chapter| !closes(chapter));
            let mut own = own;
            let closing = own.split_off(at.map_or(0, |at| at + 1));
            (own, closing)
        }
        false => own.into_iter().partition(|chapter| !closes(chapter)),
    };
    if calls && !has_closing {
        closing.extend(own.pop());
    }
    let mut asks: Vec<Vec<Run>> = brief.asks.clone();
    for first in asks.iter_mut().filter_map(|ask| ask.first_mut()) {
        first.text = capital(&first.text);
    }
    let blocks: Vec<Block> = match asks.as_slice() {
        [] => Vec::new(),
        [ask] => vec![paragraph(ask.clone())],
        _ => bullets(asks).into_iter().collect(),
    };
    match closing.last_mut() {
        Some(last) => last.blocks.extend(blocks),
        None => {
            let heading = (brief.ask_heading.clone())
                .unwrap_or_else(|| labels::NEXT_STEPS.in_language(language).to_owned());
            closing.extend(Chapter::of(heading, Role::NextSteps, blocks));
        }
    }
    // A document of nothing but an ask has it for its content.
    if own.is_empty() && closing.len() > 1 {
        own.push(closing.remove(0));
    }
    (own, closing)
}

/// The chapters that the brief itself has.
#[must_use]
pub fn of_brief(brief: &Brief, language: &str) -> Vec<Chapter> {
    let mut found = Vec::new();
    // A brief that sums up itself gets no second summary.
    let sums_up = brief.chapters.iter().any(|chapter| {
        let heading = chapter.heading.as_deref().map(fold);
        heading.is_some_and(|heading| SUMMARIES.are(&split(&heading)))
    });
    for (at, chapter) in brief.chapters.iter().enumerate() {
        let heading = chapter.heading.clone();
        // A heading above nothing says nothing, unless it is a statement: `We need your decision by May`.
        if chapter.blocks.is_empty() && !heading.as_deref().is_some_and(|it| states(it, brief)) {
            continue;
        }
        let role = match heading.as_deref() {
            _ if brief.is_letter && at + 1 < brief.chapters.len() => Role::LetterHead,
            _ if brief.is_letter => Role::Letter,
            Some(heading) => role_of(heading),
            None => Role::Content,
        };
        let opens = heading.is_none()
            && role == Role::Content
            && (sums_up || begins_as_a_letter(&chapter.blocks));
        let role = if opens { Role::Opening } else { role };
        let heading =
            heading.unwrap_or_else(|| labels::AT_A_GLANCE.in_language(language).to_owned());
        found.push(Chapter {
            blocks: match role {
                Role::LetterHead | Role::Letter => chapter.blocks.clone(),
                _ => with_charts(chapter.blocks.clone(), &heading, language),
            },
            heading,
            notes: chapter.notes.clone(),
            role,
            unasked: None,
        });
    }
    found
}

/// Whether a chapter begins by addressing its reader: `Dear Ms Olsen, thank you for the visit.`
fn begins_as_a_letter(blocks: &[Block]) -> bool {
    let Some(Block::Paragraph(first)) = blocks.first() else {
        return false;
    };
    let text = plain_text(&first.runs);
    let begin = text.split_inclusive([',', ':', '!', '、', '。']).next();
    begin.is_some_and(addresses_a_reader)
}

fn states(heading: &str, brief: &Brief) -> bool {
    brief.has_slides()
        || count_words(heading) >= STATEMENT_WORDS
        || heading.contains(char::is_numeric)
}

fn role_of(heading: &str) -> Role {
    let folded = fold(heading);
    let words = split(&folded);
    if announces_steps(heading) || ASKS.are(&words) {
        Role::NextSteps
    } else if words.len() <= 5 && PRICE_HEADINGS.any_in(&words) {
        Role::Price
    } else if words.len() <= 5 && ABOUT_US.any_in(&words) {
        Role::AboutUs
    } else {
        Role::Content
    }
}

/// Makes the rows bold that say what the others add up to.
fn with_bold_totals(table: &mut Table) {
    let is_total = |row: &[Vec<Run>]| {
        let name = row.first().map(|cell| plain_text(cell));
        name.is_some_and(|name| names_total(&name))
    };
    for row in table.rows.iter_mut().filter(|row| is_total(row)) {
        for run in row.iter_mut().flatten() {
            run.bold = true;
        }
    }
}

/// The blocks with a chart for each table that a chart shows well, and behind each sentence that tells a course. A list that
/// tells a course is a table, too. Where a chart says all that its table says, it stands alone.
#[must_use]
pub fn with_charts(blocks: Vec<Block>, heading: &str, language: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::with_capacity(blocks.len());
    let mut nearest = heading.to_owned();
    for block in blocks {
        match block {
            Block::Table(mut table) => {
                let chart = chart_of(&table, Some(heading), language);
                with_bold_totals(&mut table);
                found.extend(shown(table, chart));
            }
            Block::Timeline(timeline) => {
                match courses::of_list(&timeline, found.last(), &nearest, language) {
                    Some((table, chart)) => found.extend(shown(table, Some(chart))),
                    None => found.push(Block::Timeline(timeline)),
                }
            }
            Block::Paragraph(paragraph) => {
                let chart = course_of(&plain_text(&paragraph.runs), heading, language);
                found.push(Block::Paragraph(paragraph));
                found.extend(chart.map(Block::Chart));
            }
            Block::Heading(below) => {
                nearest = plain_text(&below.runs);
                found.push(Block::Heading(below));
            }
            other => found.push(other),
        }
    }
    found
}

/// What stands for a table with such a chart.
fn shown(table: Table, chart: Option<Chart>) -> Vec<Block> {
    match chart {
        None => vec![Block::Table(table)],
        Some(chart) => match Shown::of(&table, &chart) {
            Shown::ByChart => vec![Block::Chart(chart)],
            Shown::ByTable => vec![Block::Table(table)],
            Shown::ByBoth => vec![Block::Table(table), Block::Chart(chart)],
        },
    }
}
