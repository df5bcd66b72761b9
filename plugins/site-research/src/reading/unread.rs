//! What of a site's own pages could not be read, in words for people.

use std::collections::BTreeMap;

use url::Url;

use super::{Miss, Visited};
use crate::roles::Role;

/// How many addresses are told of each reason.
const NAMED: usize = 3;

/// Which linked pages could not be read and why; none if all could.
///
/// A page that nobody hears of makes a result look complete: a wrong `<base href>` sends all links of a site to pages that are
/// not there, and what is left is the home page.
pub fn told(pages: &[Visited], misses: &[Miss]) -> Option<String> {
    let mut by_code: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for miss in misses {
        if let Miss::Page {
            url, role, code, ..
        } = miss
            && *role != Role::External
        {
            let path = Url::parse(url).map_or_else(|_| url.clone(), |url| url.path().to_owned());
            by_code.entry(code).or_default().push(path);
        }
    }
    let reasons: Vec<String> = by_code
        .into_iter()
        .map(|(code, paths)| {
            let named = paths.iter().take(NAMED).cloned().collect::<Vec<_>>();
            let more = match paths.len().saturating_sub(NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("{}{more} ({code})", named.join(", "))
        })
        .collect();
    if reasons.is_empty() {
        return None;
    }
    let read = pages.iter().filter(|visited| visited.first_party()).count();
    let whole = match read {
        0 | 1 => "None of the linked pages could be read",
        _ => "Some linked pages could not be read",
    };
    Some(format!("{whole}: {}.", reasons.join("; ")))
}
