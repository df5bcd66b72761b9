//! What links and headings of a site say, by their letters. A site has thousands of both, and each heading of a page is
//! looked for among them all, so they are read once.

use std::collections::{BTreeMap, BTreeSet};

use gtm_site_research::evidence::Passage;
use gtm_site_research::page::{BlockKind, Page};

use crate::letters::letters;
use crate::part::Part;
use crate::site::Site;

/// Links and headings by the letters of their texts.
#[derive(Debug, Clone, Default)]
pub struct Named {
    /// The pages with a link of this text to another page.
    links: BTreeMap<String, BTreeSet<usize>>,
    headings: BTreeMap<String, Vec<Titled>>,
    /// How many texts were folded.
    #[cfg(test)]
    pub(in crate::facts) folded: usize,
}

/// A heading of the main part of a page.
#[derive(Debug, Clone, Copy)]
struct Titled {
    page: usize,
    part: Part,
    level: u8,
}

impl Named {
    pub fn of(site: &Site) -> Self {
        let mut found = Self::default();
        for (page, part, content) in site.own_pages() {
            found.add_links(page, content);
            for block in content.blocks.iter().filter(|block| block.main) {
                let Some(level) = block.level.filter(|_| block.kind == BlockKind::Heading) else {
                    continue;
                };
                let key = found.letters(&block.text);
                let titled = Titled { page, part, level };
                found.headings.entry(key).or_default().push(titled);
            }
        }
        found
    }

    fn letters(&mut self, text: &str) -> String {
        #[cfg(test)]
        {
            self.folded += 1;
        }
        letters(text)
    }

    /// A link to a place of its own page belongs to a table of contents.
    fn add_links(&mut self, page: usize, content: &Page) {
        for link in &content.links {
            let (to, place) = link.url.split_once('#').unwrap_or((&link.url, ""));
            let elsewhere = place.is_empty() || to != content.url && to != content.final_url;
            if is_page(to) && elsewhere {
                let key = self.letters(&link.text);
                self.links.entry(key).or_default().insert(page);
            }
        }
    }

    /// Whether a heading's words are a link to another page, or the link of a whole card begins with them.
    pub fn has_page(&self, heading: &Passage) -> bool {
        let key = letters(&heading.text);
        let begun = self.links.range(key.clone()..);
        let mut begun = begun.take_while(|(text, _)| text.starts_with(&key));
        self.links.contains_key(&key)
            || !key.is_empty() && begun.any(|(_, pages)| pages.contains(&heading.page))
    }

    /// Whether a heading's words are the title of another page that may be about something sold.
    pub fn heads_page(&self, heading: &Passage) -> bool {
        let title = |titled: &Titled| {
            titled.page != heading.page
                && titled.level == 1
                && matches!(titled.part, Part::Product | Part::Pricing | Part::Other)
        };
        self.recurs(heading) && self.headed(heading).iter().any(title)
    }

    /// Whether a heading's words are a link, or a heading of another page: a thing that has a page or a chapter of its
    /// own. What heads something on a page about customers, jobs or news is one of these.
    ///
    /// The same small heading on several pages is a label or a part of the page's frame.
    pub fn recurs(&self, heading: &Passage) -> bool {
        let headed = self.headed(heading);
        let of_others =
            |titled: &Titled| matches!(titled.part, Part::Customers | Part::Careers | Part::Press);
        if headed.iter().any(of_others) {
            return false;
        }
        let larger = headed.iter().filter(|titled| {
            titled.page != heading.page
                && titled.part != Part::External
                && titled.level < heading.level
        });
        let chapters: BTreeSet<usize> = larger.map(|titled| titled.page).collect();
        let titles = |titled: &Titled| titled.level == 1 && chapters.contains(&titled.page);
        // A thing has one chapter, or the title of a page; a slogan heads parts of several pages.
        let has_chapter = chapters.len() == 1 || headed.iter().any(titles);
        has_chapter || self.has_page(heading)
    }

    fn headed(&self, heading: &Passage) -> &[Titled] {
        let found = self.headings.get(&letters(&heading.text));
        found.map_or(&[], Vec::as_slice)
    }
}

/// Whether an address is that of a page rather than of a document or picture, as far as its ending tells.
pub fn is_page(url: &str) -> bool {
    let path = url.split('?').next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').is_none_or(|(_, ending)| {
        ending.starts_with("htm") || ending.starts_with("php") || ending.starts_with("asp")
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use gtm_site_research::evidence;
    use gtm_site_research::page::Page as Read;
    use gtm_site_research::reading::{Research, Visited};
    use gtm_site_research::roles::Role;
    use serde_json::{Value, json};

    use super::*;
    use crate::identity::identified;

    const MANY: usize = 400;

    #[test]
    fn each_text_of_a_site_is_read_once() {
        let blocks: Vec<Value> = (0..MANY)
            .map(|at| json!({"kind": "heading", "level": 3, "text": format!("Thing {at}"), "main": true}))
            .collect();
        let links: Vec<Value> = (0..MANY)
            .map(|at| json!({"url": format!("https://a.example/{at}"), "text": format!("Thing {at}")}))
            .collect();
        let page = Read::read(json!({
            "receipt_id": "rcp_1", "url": "https://a.example/", "final_url": "https://a.example/",
            "blocks": blocks, "links": links,
        }));
        let research = Research {
            company: None,
            names: Vec::new(),
            domain: "a.example".to_owned(),
            language: "en".to_owned(),
            pages: vec![Visited {
                page: page.unwrap(),
                role: Role::Home,
            }],
            misses: Vec::new(),
        };
        let site = identified(research, vec![Part::Home], None, None);
        let found = evidence::collect(&site.research);
        let named = Named::of(&site);
        assert!(found.passages.iter().all(|heading| named.recurs(heading)));
        assert_eq!(found.passages.len(), MANY);
        assert_eq!(named.folded, 2 * MANY);
    }
}
