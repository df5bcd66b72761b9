//! Composes the chapters of a document without a model: the brief's own, and what guideline, offer, the target's site and
//! reference documents say. Nothing is said that they do not say.

pub mod references;
pub mod sender;
pub mod target;

use gtm_document_model::block::Block;
use gtm_document_model::document::DocumentType;
use gtm_lexicon::documents::{ABOUT_US, PRICE_HEADINGS};
use gtm_lexicon::{fold, split};

use crate::brief::{Brief, announces_steps, chart_of};
use crate::chapter::{Chapter, Role};
use crate::labels;
use crate::material::Material;

/// Most chapters of a one-pager.
const ONE_PAGER_CHAPTERS: usize = 5;
/// Most blocks of one of them.
const ONE_PAGER_BLOCKS: usize = 2;
/// Most items of a one-pager's list.
const ONE_PAGER_ITEMS: usize = 5;

/// The chapters of the document, in order.
#[must_use]
pub fn chapters(material: &mut Material<'_>, kind: DocumentType) -> Vec<Chapter> {
    let language = material.language.clone();
    let own = of_brief(material.brief, &language);
    let has_content = !own.is_empty();
    let (closing, own): (Vec<Chapter>, Vec<Chapter>) = own
        .into_iter()
        .partition(|chapter| chapter.role == Role::NextSteps);
    // What it costs comes after what it is worth.
    let (prices, own): (Vec<Chapter>, Vec<Chapter>) = own
        .into_iter()
        .partition(|chapter| chapter.role == Role::Price && kind != DocumentType::Report);
    let has = |role: Role| own.iter().any(|chapter| chapter.role == role);
    let (has_price, has_about) = (!prices.is_empty(), has(Role::AboutUs));
    let sender = material.sender.clone();
    let mut found: Vec<Chapter> = Vec::new();
    let target = target::chapter(material);
    let background = references::chapter(material);
    // What opens a brief without a heading opens the document.
    let intro = usize::from(
        own.first().is_some_and(|first| first.role == Role::Content)
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
    match kind {
        DocumentType::Proposal | DocumentType::Deck | DocumentType::OnePager => {
            found.extend(sender::offer(&sender, &language, has_content, false));
            found.extend(sender::proof(&sender, &language));
            if !has_about {
                found.extend(sender::why(&sender, &language));
            }
            if !has_price {
                found.extend(sender::price(&sender, &language));
            }
        }
        DocumentType::Playbook | DocumentType::GtmStrategy => {
            found.extend(sender::segments(&sender, &language));
            found.extend(sender::roles(&sender, &language));
            found.extend(sender::offer(&sender, &language, has_content, true));
            found.extend(sender::proof(&sender, &language));
            found.extend(sender::why(&sender, &language));
            found.extend(sender::objections(&sender, &language));
            found.extend(sender::exclusions(&sender, &language));
            if !has_price {
                found.extend(sender::price(&sender, &language));
            }
        }
        // A report reports; it sells nothing.
        DocumentType::Report if has_content => {}
        DocumentType::Report => {
            found.extend(sender::offer(&sender, &language, false, false));
            found.extend(sender::proof(&sender, &language));
            found.extend(sender::why(&sender, &language));
        }
    }
    found.extend(prices);
    if kind == DocumentType::OnePager {
        shorten(&mut found);
    }
    found.extend(closing);
    let mut dropped = 0;
    let forbidden = &material.sender.forbidden;
    for chapter in &mut found {
        let blocks = std::mem::take(&mut chapter.blocks);
        let (blocks, count) = crate::chapter::without(blocks, forbidden);
        chapter.blocks = blocks;
        dropped += count;
        if crate::chapter::is_forbidden(&chapter.heading, forbidden) {
            chapter.heading = labels::AT_A_GLANCE.in_language(&language).to_owned();
            dropped += 1;
        }
        let notes = gtm_document_model::plain_text(&chapter.notes);
        if crate::chapter::is_forbidden(&notes, forbidden) {
            chapter.notes.clear();
            dropped += 1;
        }
    }
    material.lose("/sections", "forbidden", dropped);
    found.retain(|chapter| !chapter.blocks.is_empty());
    found
}

/// The chapters that the brief itself has.
#[must_use]
pub fn of_brief(brief: &Brief, language: &str) -> Vec<Chapter> {
    let mut found = Vec::new();
    for chapter in &brief.chapters {
        if chapter.blocks.is_empty() {
            continue;
        }
        let heading = chapter.heading.clone();
        let role = heading.as_deref().map_or(Role::Content, role_of);
        let heading =
            heading.unwrap_or_else(|| labels::AT_A_GLANCE.in_language(language).to_owned());
        found.push(Chapter {
            blocks: with_charts(chapter.blocks.clone(), &heading, language),
            heading,
            notes: chapter.notes.clone(),
            role,
        });
    }
    found
}

fn role_of(heading: &str) -> Role {
    let folded = fold(heading);
    let words = split(&folded);
    if announces_steps(heading) {
        Role::NextSteps
    } else if words.len() <= 5 && PRICE_HEADINGS.any_in(&words) {
        Role::Price
    } else if words.len() <= 5 && ABOUT_US.any_in(&words) {
        Role::AboutUs
    } else {
        Role::Content
    }
}

/// The blocks with a chart behind each table that a chart shows well.
#[must_use]
pub fn with_charts(blocks: Vec<Block>, heading: &str, language: &str) -> Vec<Block> {
    let mut found = Vec::with_capacity(blocks.len());
    for block in blocks {
        let chart = match &block {
            Block::Table(table) => chart_of(table, Some(heading), language),
            _ => None,
        };
        found.push(block);
        found.extend(chart.map(Block::Chart));
    }
    found
}

fn shorten(chapters: &mut Vec<Chapter>) {
    let price = |chapter: &Chapter| chapter.role == Role::Price;
    let last = chapters
        .iter()
        .position(price)
        .map(|at| chapters.remove(at));
    chapters.truncate(ONE_PAGER_CHAPTERS - usize::from(last.is_some()));
    chapters.extend(last);
    for chapter in chapters {
        let charted = chapter
            .blocks
            .iter()
            .any(|block| matches!(block, Block::Chart(_)));
        chapter
            .blocks
            .retain(|block| !charted || !matches!(block, Block::Table(_)));
        chapter.blocks.truncate(ONE_PAGER_BLOCKS);
        for block in &mut chapter.blocks {
            if let Block::Bullets(list) = block {
                list.items.truncate(ONE_PAGER_ITEMS);
            }
        }
    }
}
