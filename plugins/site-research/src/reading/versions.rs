//! Versions of a site in other languages: where links lead that say nothing but what a language calls itself.

use std::collections::BTreeSet;

use gtm_lexicon::language_named;
use gtm_page_text::{UNDETERMINED, is_same_site, primary_language};
use url::Url;

use crate::address::comparable;
use crate::page::Page;

/// The places of versions.
#[derive(Debug, Clone, Default)]
pub(super) struct Versions {
    /// First folders: `cn` of `/cn/`.
    folders: BTreeSet<String>,
    /// Pages in no folder of their own.
    pages: BTreeSet<String>,
}

impl Versions {
    /// The versions to which the home page leads.
    pub(super) fn of(home: &Url, page: &Page, language: &str) -> Self {
        let mut found = Self::default();
        let own = primary_language(language);
        if own == UNDETERMINED {
            return found;
        }
        for link in &page.links {
            let other = language_named(&link.text).is_some_and(|named| named != own);
            let Ok(url) = Url::parse(&link.url) else {
                continue;
            };
            if !other || !is_same_site(home, &url) || comparable(&url) == comparable(home) {
                continue;
            }
            match front_of(&url).filter(|folder| first_folder(home) != Some(*folder)) {
                Some(folder) => found.folders.insert(folder.to_owned()),
                None => found.pages.insert(comparable(&url)),
            };
        }
        found
    }

    /// Whether an address is in one of the versions.
    pub(super) fn have(&self, url: &Url) -> bool {
        first_folder(url).is_some_and(|folder| self.folders.contains(folder))
            || self.pages.contains(&comparable(url))
    }
}

/// The first folder of an address, or the name of what stands in none.
fn first_folder(url: &Url) -> Option<&str> {
    url.path_segments()?
        .next()
        .filter(|first| !first.is_empty())
}

/// The folder of which an address is the front page: `en` of `/en/`, `/en` and `/en/index.html`.
fn front_of(url: &Url) -> Option<&str> {
    let mut segments = url.path_segments()?;
    let folder = segments.next().filter(|first| !first.contains('.'))?;
    let page = segments.next().unwrap_or_default();
    let is_front = page.is_empty() || page.split('.').next() == Some("index");
    (is_front && segments.next().is_none() && !folder.is_empty() && url.query().is_none())
        .then_some(folder)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    fn versions(links: &[(&str, &str)], language: &str) -> Versions {
        let home = Url::parse("https://a.example/").unwrap();
        let links: Vec<_> = links
            .iter()
            .map(|(path, text)| json!({"url": home.join(path).unwrap().as_str(), "text": text}))
            .collect();
        let page = Page::read(json!({
            "receipt_id": "rcp_1", "url": home.as_str(), "final_url": home.as_str(), "links": links,
        }))
        .unwrap();
        Versions::of(&home, &page, language)
    }

    #[test]
    fn what_a_language_calls_itself_leads_to_another_version() {
        let found = versions(
            &[
                ("/zhongwen/", "中文"),
                ("/english.html", "English"),
                ("/pages/deutsch", "Deutsch"),
                ("/?lang=fr", "Français"),
                ("/nihongo/", "日本語"),
                ("/company/", "会社案内"),
            ],
            "ja",
        );
        let has = |path: &str| {
            let home = Url::parse("https://a.example/").unwrap();
            found.have(&home.join(path).unwrap())
        };
        for path in [
            "/zhongwen/company.html",
            "/zhongwen/",
            "/english.html",
            "/pages/deutsch",
            "/?lang=fr",
        ] {
            assert!(has(path), "{path}");
        }
        for path in [
            "/",
            "/pages/company",
            "/nihongo/x",
            "/company/",
            "/english/x",
        ] {
            assert!(!has(path), "{path}");
        }
        assert!(
            !versions(&[("/en/", "English")], "und")
                .have(&Url::parse("https://a.example/en/").unwrap())
        );
    }
}
