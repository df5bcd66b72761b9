//! What the document cites: pages and reference documents that were read in this job.

use gtm_document_model::cleaned;
use gtm_site_research::claim::Excerpt;
use gtm_site_research::reading::Visited;
use jiff::Timestamp;
use serde_json::{Value, json};
use url::Url;

/// Most excerpts of one source, and most characters of one.
const MOST_EXCERPTS: usize = 200;
const LONGEST_EXCERPT: usize = 4_000;
/// Most characters of a title.
const LONGEST_TITLE: usize = 300;

/// The sources by the index of their page, with the words that are cited of each.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    cited: Vec<(usize, Vec<String>)>,
}

impl Sources {
    /// The id by which to cite words of a page.
    pub fn cite(&mut self, page: usize, words: &str) -> String {
        let at = match self.cited.iter().position(|(known, _)| *known == page) {
            Some(at) => at,
            None => {
                self.cited.push((page, Vec::new()));
                self.cited.len() - 1
            }
        };
        if let Some((_, excerpts)) = self.cited.get_mut(at) {
            let words: String = words.chars().take(LONGEST_EXCERPT).collect();
            let new = !words.trim().is_empty() && !excerpts.contains(&words);
            if new && excerpts.len() < MOST_EXCERPTS {
                excerpts.push(words);
            }
        }
        format!("s{}", at + 1)
    }

    /// The ids by which to cite excerpts.
    pub fn cite_all(&mut self, excerpts: &[Excerpt]) -> Vec<String> {
        let mut ids: Vec<String> = Vec::new();
        for excerpt in excerpts {
            let id = self.cite(excerpt.page, &excerpt.text);
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        ids
    }

    /// The sources as a draft has them, those of `used` only.
    #[must_use]
    pub fn to_json(
        &self,
        pages: &[Visited],
        now_ms: u64,
        used: &dyn Fn(&str) -> bool,
    ) -> Vec<Value> {
        let read_at = i64::try_from(now_ms).ok();
        let read_at = read_at.and_then(|now| Timestamp::from_millisecond(now).ok());
        let read_at = read_at.map(|now| now.to_string());
        let listed = self.cited.iter().enumerate().filter_map(|(index, (page, excerpts))| {
            let id = format!("s{}", index + 1);
            let page = &pages.get(*page)?.page;
            let plain = |c: u8| c.is_ascii_graphic() && !b"\"<>\\`".contains(&c);
            let url = Some(&page.final_url)
                .filter(|url| url.len() <= 2_048 && url.bytes().all(plain))
                .filter(|url| Url::parse(url).is_ok_and(|url| url.username().is_empty() && url.has_host()));
            let title = page.title.as_deref().map(line).filter(|title| !title.is_empty());
            used(&id).then(|| {
                json!({
                    "id": id,
                    "title": title.unwrap_or_else(|| line(&page.final_url)),
                    "url": url,
                    "publisher": page.site_name.as_deref().map(line).filter(|name| !name.is_empty()),
                    "retrieved_at": read_at,
                    "receipt_id": page.receipt_id,
                    "excerpts": excerpts,
                })
            })
        });
        listed.collect()
    }
}

fn line(text: &str) -> String {
    let text = cleaned(text);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(LONGEST_TITLE).collect()
}
