//! What reference documents say of the brief's subject: a few of their own sentences, quoted with their source.

use std::collections::BTreeSet;

use gtm_document_model::block::{Block, Quote};
use gtm_document_model::text::Run;
use gtm_page_text::is_in_another_language;
use gtm_site_research::evidence;
use gtm_writing::wording;

use crate::chapter::{Chapter, Role};
use crate::labels;
use crate::material::Material;

/// Most sentences that are quoted, and most of one document.
const MOST: usize = 3;
const MOST_OF_ONE: usize = 2;
/// Subjects that a sentence must share with what the document is about.
const LEAST_SHARED: usize = 2;

/// The chapter of quotations; none where no sentence is about the subject.
pub fn chapter(material: &mut Material<'_>) -> Option<Chapter> {
    let references = material.references.as_ref()?;
    let about = subjects(material);
    let evidence = evidence::collect(references);
    let mut scored: Vec<(usize, usize)> = evidence
        .sentences
        .iter()
        .enumerate()
        .filter(|(_, sentence)| {
            sentence.is_quotable() && !is_in_another_language(&sentence.text, &material.language)
        })
        .map(|(at, sentence)| {
            (
                wording::subjects(&sentence.text)
                    .intersection(&about)
                    .count(),
                at,
            )
        })
        .filter(|(shared, _)| *shared >= LEAST_SHARED)
        .collect();
    scored.sort_by_key(|(shared, at)| (std::cmp::Reverse(*shared), *at));
    let mut chosen: Vec<usize> = Vec::new();
    for (_, at) in scored {
        let page = |at: usize| evidence.sentences.get(at).map(|sentence| sentence.page);
        let of_page = chosen
            .iter()
            .filter(|known| page(**known) == page(at))
            .count();
        if chosen.len() < MOST && of_page < MOST_OF_ONE {
            chosen.push(at);
        }
    }
    chosen.sort_unstable();
    let first = material.target_pages();
    let mut blocks = Vec::new();
    for at in chosen {
        let Some(sentence) = evidence.sentences.get(at) else {
            continue;
        };
        let page = references
            .pages
            .get(sentence.page)
            .map(|visited| &visited.page);
        let title = page.and_then(|page| page.title.clone().or_else(|| page.site_name.clone()));
        let title = title.map(|title| crate::brief::one_line(&title));
        let id = material.sources.cite(first + sentence.page, &sentence.text);
        blocks.push(Block::Quote(Quote {
            runs: vec![Run::plain(&sentence.text)],
            attribution: title
                .map(|title| crate::runs::cut(&title, 200))
                .filter(|title| !title.is_empty()),
            cite: vec![id],
        }));
    }
    let heading = labels::BACKGROUND
        .in_language(&material.language)
        .to_owned();
    Chapter::of(heading, Role::Content, blocks)
}

/// What the document is about.
fn subjects(material: &Material<'_>) -> BTreeSet<String> {
    let mut text = material.brief.text();
    text.push_str(&material.brief.directions.join("\n"));
    for source in [crate::sender::OFFER, crate::sender::BRAND] {
        text.push('\n');
        text.push_str(&material.sender.texts_of(source).join("\n"));
    }
    wording::subjects(&text)
}
