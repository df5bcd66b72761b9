//! Pages that site maps list.

use url::Url;

use super::{Candidate, Reading, fetch_call};
use crate::host::invoke_one;
use crate::page::Page;

/// Most site maps that are read beside the one that lists them.
const MAX_SITE_MAPS: usize = 3;

impl Reading<'_> {
    /// Where pages have no more links without scripts, the site map may have some. A large one lists further maps, of
    /// which the first are read.
    pub fn links_of_site_map(&mut self) -> Vec<Candidate> {
        let Ok(map) = self.home.join("/sitemap.xml") else {
            return Vec::new();
        };
        let Some(page) = self.site_map(&map) else {
            return Vec::new();
        };
        let addresses = |page: &Page| -> Vec<String> {
            let texts = page.blocks.iter().map(|block| block.text.trim().to_owned());
            texts.collect()
        };
        let mut all = addresses(&page);
        let further: Vec<Url> = all
            .iter()
            .filter_map(|address| self.own_address(address))
            .filter(|url| url.path().ends_with(".xml") && *url != map)
            .take(MAX_SITE_MAPS)
            .collect();
        for map in further {
            all.extend(self.site_map(&map).iter().flat_map(addresses));
        }
        all.iter()
            .filter_map(|address| self.candidate(address, "", false))
            .collect()
    }

    fn site_map(&self, address: &Url) -> Option<Page> {
        let call = fetch_call(address, self.reach, false);
        invoke_one(self.host, call).and_then(Page::read).ok()
    }
}
