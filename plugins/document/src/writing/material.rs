//! What a model is shown: brief, offer and guideline as pages beside those of the target and of the reference documents,
//! so that all of it is numbered and cited alike.

use gtm_site_research::claim::Excerpt;
use gtm_site_research::page::{Block, BlockKind, Page};
use gtm_site_research::reading::{Research, Visited};
use gtm_site_research::roles::Role;

use crate::brief::texts_of;
use crate::material::Material;
use crate::sender::{BRAND, OFFER};

/// Characters of the brief on one page: no page fills more than half of a prompt.
const PAGE_CHARS: usize = 8_000;

/// The pages with where they come from.
#[derive(Debug)]
pub struct Shown {
    pub research: Research,
    /// How many pages at the beginning are the caller's own words.
    pub own: usize,
}

/// Everything as pages.
#[must_use]
pub fn shown(material: &Material<'_>) -> Shown {
    let language = Some(material.language.clone());
    let mut pages: Vec<Visited> = Vec::new();
    let mut open: Vec<Block> = Vec::new();
    let mut used = 0;
    for chapter in &material.brief.chapters {
        let heading = chapter.heading.clone();
        let heading = heading.map(|text| block(BlockKind::Heading, Some(2), text));
        let texts = texts_of(&chapter.blocks);
        let notes = gtm_document_model::plain_text(&chapter.notes);
        let texts = texts
            .into_iter()
            .chain(Some(notes).filter(|notes| !notes.is_empty()));
        let blocks = texts.map(|text| block(BlockKind::Paragraph, None, text));
        for block in heading.into_iter().chain(blocks) {
            let long = block.text.chars().count();
            if used + long > PAGE_CHARS && !open.is_empty() {
                pages.push(own(
                    "The brief",
                    language.clone(),
                    std::mem::take(&mut open),
                ));
                used = 0;
            }
            used += long;
            open.push(block);
        }
    }
    if !open.is_empty() {
        pages.push(own("The brief", language, open));
    }
    let sender = &material.sender;
    for (source, title, extra) in [
        (OFFER, "The sender's offer", sender.offer.clone()),
        (BRAND, "The sender", sender.name.clone()),
    ] {
        let texts = extra.into_iter().chain(sender.texts_of(source));
        let blocks: Vec<Block> = texts
            .map(|text| block(BlockKind::Paragraph, None, text))
            .collect();
        if blocks.len() > 1 {
            pages.push(own(title, sender.language().map(str::to_owned), blocks));
        }
    }
    let count = pages.len();
    pages.extend(material.pages());
    let target = material.target.as_ref().map(|target| &target.site.research);
    let mut names: Vec<String> = target.map(|read| read.names.clone()).unwrap_or_default();
    names.extend(sender.name.clone());
    Shown {
        research: Research {
            company: target.and_then(|read| read.company.clone()),
            names,
            domain: target.map(|read| read.domain.clone()).unwrap_or_default(),
            language: material.language.clone(),
            pages,
            misses: Vec::new(),
        },
        own: count,
    }
}

fn block(kind: BlockKind, level: Option<u8>, text: String) -> Block {
    Block {
        kind,
        level,
        text,
        main: true,
        title: false,
        form: false,
    }
}

fn own(title: &str, language: Option<String>, blocks: Vec<Block>) -> Visited {
    Visited {
        page: Page {
            receipt_id: String::new(),
            url: String::new(),
            final_url: String::new(),
            title: Some(title.to_owned()),
            description: None,
            language,
            site_name: None,
            published_at: None,
            blocks,
            links: Vec::new(),
            actions: Vec::new(),
            metadata: std::collections::BTreeMap::new(),
            json_ld: Vec::new(),
            signals: None,
            image: None,
            hidden_texts: 0,
        },
        role: Role::Other,
    }
}

impl Shown {
    /// The ids by which a document cites excerpts: what the caller's own words say needs none.
    pub fn cite(&self, excerpts: &[Excerpt], material: &mut Material<'_>) -> Vec<String> {
        let mut ids: Vec<String> = Vec::new();
        for excerpt in excerpts {
            let Some(page) = excerpt.page.checked_sub(self.own) else {
                continue;
            };
            let id = material.sources.cite(page, &excerpt.text);
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        ids
    }
}
