//! What others write about a company: searches, and the pages that they find.

use std::collections::BTreeSet;

use gtm_page_text::is_same_site;
use serde_json::json;
use url::Url;

use super::{Miss, Reading, Wanted};
use crate::address::comparable;
use crate::failure::{self, Failure, FailureKind};
use crate::host::Call;
use crate::roles::Role;
use crate::site;

/// Longest name of a company in a query, in characters.
const LONGEST_NAME: usize = 120;

/// A search for what others write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// The capability that performs it: `web.search` or `news.search`.
    pub capability: &'static str,
    /// What to search for.
    pub query: String,
    /// The same for people, without names.
    pub subject: &'static str,
}

impl Search {
    /// A search for these words beside the company's name, which must stand in the result as it is.
    #[must_use]
    pub fn about(
        company: &str,
        words: &str,
        capability: &'static str,
        subject: &'static str,
    ) -> Self {
        let name: String = company
            .chars()
            .filter(|letter| *letter != '"')
            .take(LONGEST_NAME)
            .collect();
        Self {
            capability,
            query: format!("\"{}\" {words}", name.trim()),
            subject,
        }
    }
}

impl Reading<'_> {
    /// Reads what others write: of each search its first result, then further ones in turn, as many pages as the reach allows.
    /// A failed search only means less to read.
    ///
    /// # Errors
    /// `canceled`, or the failure of a quota while pages are read.
    pub fn read_about(&mut self, searches: &[Search]) -> Result<(), Failure> {
        if searches.is_empty() {
            return Ok(());
        }
        if self.host.canceled() {
            return Err(failure::canceled());
        }
        let calls: Vec<Call> = searches
            .iter()
            .map(|search| Call {
                capability: search.capability,
                input: json!({"query": search.query, "max_results": 10}),
            })
            .collect();
        let mut found: Vec<Vec<Url>> = Vec::new();
        for (search, answer) in searches.iter().zip(self.host.invoke(&calls)) {
            match answer {
                Ok(answer) => found.push(self.of_others(site::result_urls(&answer))),
                Err(failure) if failure.kind == FailureKind::Canceled => {
                    return Err(failure::canceled());
                }
                Err(failure) => {
                    self.host.note(&format!(
                        "search for {} failed: {}",
                        search.subject, failure.code
                    ));
                    self.misses.push(Miss::Search {
                        subject: search.subject,
                        code: failure.code,
                    });
                }
            }
        }
        let picked = in_turn(found, self.reach.max_search_pages)
            .into_iter()
            .map(|url| Wanted {
                url,
                role: Role::External,
                signals: false,
            })
            .collect();
        self.fetch(picked)
    }

    fn of_others(&self, urls: Vec<Url>) -> Vec<Url> {
        urls.into_iter()
            .filter(|url| !is_same_site(&self.home, url) && !site::is_directory(url))
            .filter(|url| !self.has_seen(url))
            .collect()
    }
}

/// The first of each list, then the second of each, and so on, each address once, until there are enough.
fn in_turn(lists: Vec<Vec<Url>>, most: usize) -> Vec<Url> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut taken = BTreeSet::new();
    let mut picked = Vec::new();
    loop {
        let before = picked.len();
        for list in &mut lists {
            if picked.len() < most
                && let Some(url) = list.find(|url| taken.insert(comparable(url)))
            {
                picked.push(url);
            }
        }
        if picked.len() == before {
            return picked;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn searches_share_the_pages() {
        let list = |names: &[&str]| -> Vec<Url> {
            let of = |name: &&str| Url::parse(&format!("https://{name}.example/")).unwrap();
            names.iter().map(of).collect()
        };
        let lists = || vec![list(&["a", "b", "c"]), list(&["a", "d"]), list(&[])];
        assert_eq!(in_turn(lists(), 3), list(&["a", "d", "b"]));
        assert_eq!(in_turn(lists(), 9), list(&["a", "d", "b", "c"]));
        assert_eq!(in_turn(lists(), 0), list(&[]));
    }

    #[test]
    fn a_name_stays_inside_its_quotation_marks() {
        let search = Search::about("Acme \"Rail\" Ltd", "news", "web.search", "news");
        assert_eq!(search.query, "\"Acme Rail Ltd\" news");
        assert!(
            Search::about(&"x".repeat(900), "news", "web.search", "news")
                .query
                .len()
                < 200
        );
    }
}
