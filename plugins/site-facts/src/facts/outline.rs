//! Pages as sections: a heading and the text under it.

mod compounds;
mod link_texts;
mod template;
mod translated;

use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::Phrases;
use gtm_site_research::claim::Excerpt;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use self::link_texts::{LinkTexts, is_menu};
use self::template::{tells_of_rules, template};
use super::numbering;
use crate::part::Part;
use crate::site::Site;

/// A heading with the passages up to the next heading of the same or a higher level.
#[derive(Debug, Clone)]
pub struct Section<'a> {
    /// The part of its page.
    pub part: Part,
    /// The section's heading.
    pub heading: &'a Passage,
    /// The short line directly above the heading, in which pages say what the section is: `Our values` above
    /// `Different in all we do`.
    pub label: Option<&'a Passage>,
    /// The passages under it, including smaller headings.
    pub body: Vec<&'a Passage>,
}

/// A list element under a heading: a name and a text about it.
#[derive(Debug, Clone, Copy)]
pub struct Item<'a> {
    pub name_passage: &'a Passage,
    /// The name, a substring of its passage.
    pub name: &'a str,
    /// The passage with the text; it may be the passage with the name.
    pub text_passage: Option<&'a Passage>,
    /// The text about the name.
    pub text: Option<&'a str>,
}

impl Item<'_> {
    /// The excerpts that carry the item: that of its name, and that of its text if used.
    pub fn excerpts(&self, with_text: bool) -> Vec<Excerpt> {
        let text = self
            .text_passage
            .filter(|passage| with_text && passage.text != self.name_passage.text);
        [Some(self.name_passage), text]
            .into_iter()
            .flatten()
            .map(|passage| Excerpt {
                page: passage.page,
                text: passage.text.clone(),
            })
            .collect()
    }
}

/// The sections of the site's own pages, in page order.
pub fn sections<'a>(site: &Site, evidence: &'a Evidence) -> Vec<Section<'a>> {
    let passages = standing(site, evidence);
    let mut found = Vec::new();
    for (at, heading) in passages.iter().enumerate() {
        if heading.kind != BlockKind::Heading {
            continue;
        }
        let body: Vec<&Passage> = passages
            .iter()
            .skip(at + 1)
            .take_while(|passage| {
                passage.page == heading.page
                    && !(passage.kind == BlockKind::Heading && passage.level <= heading.level)
            })
            .copied()
            .collect();
        found.push(Section {
            part: site.part(heading.page),
            heading,
            label: label_above(site, evidence, heading),
            body,
        });
    }
    found
}

/// Most words of a label above a heading.
const LONGEST_LABEL: usize = 6;

/// Whether a passage may be a label: a few words, no sentence.
fn is_label(passage: &Passage) -> bool {
    matches!(passage.kind, BlockKind::Other | BlockKind::Paragraph)
        && (1..=LONGEST_LABEL).contains(&words::count(&passage.text))
        && !passage.text.ends_with(['.', '!', '…', '。', '！'])
}

fn label_above<'a>(site: &Site, evidence: &'a Evidence, heading: &Passage) -> Option<&'a Passage> {
    let at = evidence
        .passages
        .partition_point(|passage| (passage.page, passage.block) < (heading.page, heading.block));
    let above = evidence.passages.get(at.checked_sub(1)?)?;
    let page = &site.research.pages.get(heading.page)?.page;
    // A page may be called in its navigation what the label says.
    let mut links = page
        .links
        .iter()
        .filter(|link| !(link.navigation && above.main));
    let links = links.any(|link| link.text == above.text) || is_menu(page, &above.text);
    (above.page == heading.page && above.block + 1 == heading.block && is_label(above) && !links)
        .then_some(above)
}

/// The passages of main content, and short list items under their headings. Such items look like navigation,
/// so only those without link texts count.
fn standing<'a>(site: &Site, evidence: &'a Evidence) -> Vec<&'a Passage> {
    let template = template(site);
    let mut links: BTreeMap<usize, LinkTexts> = BTreeMap::new();
    let pages = site.own_pages().map(|(page, ..)| page);
    let rules: BTreeSet<usize> = pages.filter(|page| tells_of_rules(site, *page)).collect();
    let mut found: Vec<&Passage> = Vec::new();
    for passage in &evidence.passages {
        let of_template = template.contains(&(passage.text.as_str(), passage.main));
        let elsewhere = site.part(passage.page) == Part::External || rules.contains(&passage.page);
        if elsewhere || of_template {
            continue;
        }
        let follows = found.last().is_some_and(|last| {
            last.page == passage.page
                && last.block + 1 == passage.block
                && matches!(last.kind, BlockKind::Heading | BlockKind::ListItem)
        });
        // Where a whole card is a link, its text looks like navigation too.
        let of_card = || {
            passage.kind == BlockKind::Paragraph
                && found.last().is_some_and(|last| {
                    last.page == passage.page
                        && last.block + 1 == passage.block
                        && last.kind == BlockKind::Heading
                        && last.main
                })
        };
        let mut item = || {
            let visited = site.research.pages.get(passage.page);
            passage.kind == BlockKind::ListItem
                && follows
                && visited.is_some_and(|visited| {
                    let known = links.entry(passage.page);
                    let known = known.or_insert_with(|| LinkTexts::of(&visited.page));
                    !known.any_in(&passage.text)
                })
        };
        if passage.main || of_card() || item() {
            found.push(passage);
        }
    }
    found
}

/// Short lines in a row right under a heading, or under the paragraphs that lead to them: tiles without any markup of a list,
/// which look like navigation. The last one may be the label of the next heading, where headings have such labels.
pub fn tiles<'a>(
    section: &Section<'a>,
    evidence: &'a Evidence,
    is_name: impl Fn(&str) -> bool,
) -> Vec<Item<'a>> {
    let heading = section.heading;
    let here = (heading.page, heading.block);
    let begin = evidence
        .passages
        .partition_point(|passage| (passage.page, passage.block) <= here);
    let behind = evidence.passages.get(begin..).unwrap_or_default();
    let mut behind = behind
        .iter()
        .take_while(|passage| passage.page == heading.page)
        .skip_while(|passage| passage.kind == BlockKind::Paragraph)
        .peekable();
    let mut found = Vec::new();
    while let Some(tile) =
        behind.next_if(|passage| passage.kind == BlockKind::Other && is_name(&passage.text))
    {
        found.push(Item {
            name_passage: tile,
            name: &tile.text,
            text_passage: None,
            text: None,
        });
    }
    let ends_at_heading = behind
        .next()
        .is_some_and(|next| next.kind == BlockKind::Heading);
    if ends_at_heading && section.label.is_some() {
        found.pop();
    }
    found
}

/// The sections headed by one of these phrases that hold no other such section.
pub fn headed<'s, 'a>(
    sections: &'s [Section<'a>],
    phrases: &'static Phrases,
) -> Vec<&'s Section<'a>> {
    let all = || sections.iter().filter(|section| section.is_headed(phrases));
    all()
        .filter(|outer| !all().any(|inner| outer.holds(inner)))
        .collect()
}

/// The lines that are nothing but one of these phrases and head no section by their markup, each with what
/// directly follows it: a paragraph, or a list. Links to such sections are no labels.
pub fn labelled<'a>(
    site: &Site,
    evidence: &'a Evidence,
    phrases: &'static Phrases,
) -> Vec<Section<'a>> {
    let passages: Vec<&Passage> = evidence.passages.iter().collect();
    let mut found = Vec::new();
    for (at, label) in passages.iter().enumerate() {
        let folded = words::fold(&label.text);
        let links = site.research.pages.get(label.page);
        let is_link = links.is_none_or(|visited| {
            visited
                .page
                .links
                .iter()
                .any(|link| link.text == label.text)
        });
        if is_link || label.kind == BlockKind::Heading || !phrases.are(&words::split(&folded)) {
            continue;
        }
        let mut body: Vec<&Passage> = passages
            .iter()
            .skip(at + 1)
            .take_while(|next| next.page == label.page && next.kind == BlockKind::ListItem)
            .copied()
            .collect();
        if body.is_empty() || label.kind == BlockKind::ListItem {
            body = passages.get(at + 1).copied().into_iter().collect();
        }
        if body
            .iter()
            .all(|next| next.page == label.page && next.kind != BlockKind::Heading)
        {
            found.push(Section {
                part: site.part(label.page),
                heading: label,
                label: None,
                body,
            });
        }
    }
    found
}

impl<'a> Section<'a> {
    /// Whether no smaller heading stands under the heading.
    pub fn is_leaf(&self) -> bool {
        self.body
            .iter()
            .all(|passage| passage.kind != BlockKind::Heading)
    }

    /// What stands under the heading before any smaller one.
    pub fn before_headings(&self) -> Self {
        let is_text = |passage: &&&Passage| passage.kind != BlockKind::Heading;
        Self {
            body: self.body.iter().take_while(is_text).copied().collect(),
            ..self.clone()
        }
    }

    /// Whether another section is part of this one.
    pub fn holds(&self, other: &Section<'_>) -> bool {
        let heading = other.heading;
        self.body
            .iter()
            .any(|passage| (passage.page, passage.block) == (heading.page, heading.block))
    }

    /// Whether the heading or the label above it is one of these phrases, with at most a few words around it.
    pub fn is_headed(&self, phrases: &'static Phrases) -> bool {
        self.announced().any(|text| {
            // `Four principles, on every site`: what follows the comma says less.
            [Some(text), text.split([',', '、', ':', '：']).next()]
                .into_iter()
                .flatten()
                .any(|text| {
                    let folded = words::fold(text);
                    let words = words::split(&folded);
                    let parts = compounds::parts(text);
                    let stands = |at: usize, phrase: &[&str]| {
                        phrase.len() > 1 || parts.get(at) != Some(&true)
                    };
                    phrases
                        .places(&words)
                        .any(|(at, phrase)| words.len() <= phrase.len() + 3 && stands(at, phrase))
                })
        })
    }

    /// The texts that say what the section is: its heading, and the label above.
    pub fn announced(&self) -> impl Iterator<Item = &'a str> {
        [Some(self.heading), self.label]
            .into_iter()
            .flatten()
            .map(|passage| passage.text.as_str())
    }

    /// The first paragraph under the heading, before any smaller heading.
    pub fn lead(&self) -> Option<&'a Passage> {
        self.body
            .iter()
            .take_while(|passage| passage.kind != BlockKind::Heading)
            .filter(|passage| passage.kind != BlockKind::Other || !is_label(passage))
            .find(|passage| {
                matches!(
                    passage.kind,
                    BlockKind::Paragraph | BlockKind::Quote | BlockKind::Other
                )
            })
            .copied()
    }

    /// The elements listed under the heading: smaller headings with their first paragraphs; otherwise list
    /// items, whose name is a short beginning before a colon or dash.
    pub fn items(&self) -> Vec<Item<'a>> {
        let is_heading = |passage: &&&Passage| passage.kind == BlockKind::Heading;
        // Headings below those of the first level are details of one element.
        let level = self
            .body
            .iter()
            .find(is_heading)
            .map_or(0, |first| first.level);
        let headings: Vec<Item<'a>> = self
            .body
            .iter()
            .enumerate()
            .filter(|(_, passage)| passage.kind == BlockKind::Heading && passage.level <= level)
            .map(|(at, passage)| {
                let after = self.body.get(at + 2);
                let next = self
                    .body
                    .get(at + 1)
                    .filter(|next| {
                        matches!(
                            next.kind,
                            BlockKind::Paragraph | BlockKind::Other | BlockKind::ListItem
                        )
                    })
                    // `No. 2` above the next heading belongs to that.
                    .filter(|next| {
                        !(next.kind == BlockKind::Other
                            && is_label(next)
                            && after.is_none_or(|after| after.kind == BlockKind::Heading))
                    })
                    .copied();
                Item {
                    name_passage: passage,
                    name: &passage.text,
                    text_passage: next,
                    text: next.map(|next| next.text.as_str()),
                }
            })
            .collect();
        if !headings.is_empty() {
            return headings;
        }
        let listed: Vec<&'a Passage> = self
            .body
            .iter()
            .filter(|passage| passage.kind == BlockKind::ListItem)
            .copied()
            .collect();
        if let Some(pairs) = pairs(&listed) {
            return pairs;
        }
        if listed.is_empty() {
            let named = self.named_paragraphs();
            if !named.is_empty() {
                return named;
            }
            let whole = |(name_passage, name)| Item {
                name_passage,
                name,
                text_passage: None,
                text: None,
            };
            let ticked = numbering::ticked(&self.body);
            if !ticked.is_empty() {
                return ticked.into_iter().map(whole).collect();
            }
            let numbered = numbering::numbered(&self.body).into_iter();
            return numbered
                .map(|(name, text)| Item {
                    name_passage: name,
                    name: &name.text,
                    text_passage: text,
                    text: text.map(|text| text.text.as_str()),
                })
                .collect();
        }
        listed
            .into_iter()
            .map(|passage| {
                let (name, text) = named(&passage.text);
                Item {
                    name_passage: passage,
                    name,
                    text_passage: text.map(|_| passage),
                    text,
                }
            })
            .collect()
    }
}

impl<'a> Section<'a> {
    /// Paragraphs that begin with a name, if there are several: `Craft: no board leaves unchecked.`
    fn named_paragraphs(&self) -> Vec<Item<'a>> {
        let items: Vec<Item<'a>> = self
            .body
            .iter()
            .filter(|passage| passage.kind == BlockKind::Paragraph)
            .filter_map(|passage| {
                let (name, text) = passage.text.split_once(": ")?;
                let short = (1..=5).contains(&name.split_whitespace().count());
                (short && !text.trim().is_empty()).then_some(Item {
                    name_passage: passage,
                    name: name.trim(),
                    text_passage: Some(passage),
                    text: Some(text.trim()),
                })
            })
            .collect();
        if items.len() >= 2 { items } else { Vec::new() }
    }
}

/// A list that alternates terms and explanations: every second item is a sentence, and the items between are
/// short and are not.
fn pairs<'a>(listed: &[&'a Passage]) -> Option<Vec<Item<'a>>> {
    let is_term = |text: &str| {
        text.split_whitespace().count() <= 6 && !text.ends_with(['.', '!', '?', '…', '؟'])
    };
    let is_sentence =
        |text: &str| text.split_whitespace().count() >= 3 && text.ends_with(['.', '!', '…']);
    let (chunks, rest) = listed.as_chunks::<2>();
    let fits = rest.is_empty()
        && chunks.len() >= 2
        && chunks
            .iter()
            .all(|[term, text]| is_term(&term.text) && is_sentence(&text.text));
    fits.then(|| {
        chunks
            .iter()
            .map(|[term, text]| Item {
                name_passage: term,
                name: &term.text,
                text_passage: Some(text),
                text: Some(&text.text),
            })
            .collect()
    })
}

/// Splits `Honesty: we say what we know` into name and text; a text without such a mark is all name.
fn named(text: &str) -> (&str, Option<&str>) {
    for mark in [": ", " – ", " — ", " - ", ". "] {
        if let Some((name, rest)) = text.split_once(mark) {
            let short = name.split_whitespace().count() <= 5;
            let (name, rest) = (name.trim(), rest.trim());
            if short && !name.is_empty() && !rest.is_empty() {
                return (name, Some(rest));
            }
        }
    }
    (text.trim(), None)
}

#[cfg(test)]
mod tests;
