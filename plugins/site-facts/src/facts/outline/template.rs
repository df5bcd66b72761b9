//! What belongs to no section that tells of the company: frames of all pages, and pages that set rules.

use std::collections::{BTreeMap, BTreeSet};

use crate::part::Part;
use crate::site::Site;

/// Whether a page sets rules for orders or data: what is set in bold there is a clause, and no title of anything.
pub(super) fn tells_of_rules(site: &Site, page: usize) -> bool {
    match site.part(page) {
        Part::Legal => true,
        Part::Other | Part::Trust => site.is_policy(page),
        _ => false,
    }
}

/// The texts that most pages of the site have, and whether each stands in their main parts: footers without markup of
/// their own. What is named in the navigation of all pages and is a heading of one is no template.
pub(super) fn template(site: &Site) -> BTreeSet<(&str, bool)> {
    let mut counts: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    let mut pages = 0;
    for (.., page) in site.own_pages() {
        pages += 1;
        let texts: BTreeSet<(&str, bool)> = page
            .blocks
            .iter()
            .map(|block| (block.text.as_str(), block.main))
            .collect();
        for text in texts {
            *counts.entry(text).or_default() += 1;
        }
    }
    counts.retain(|_, count| *count >= 3 && *count * 3 >= pages * 2);
    counts.into_keys().collect()
}
