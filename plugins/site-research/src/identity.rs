//! Who a site says it is: its names, its language, and which of its pages are in another one.

use url::Url;

use crate::instructions;
use crate::language;
use crate::organization::{self, Subject};
use crate::page::Page;
use crate::reading::Visited;
use crate::words;

/// Whether the address begins with a language that the home page's address doesn't: `/de/…` beside `/`.
pub fn is_other_language(home: &Url, url: &Url) -> bool {
    const CODES: [&str; 24] = [
        "ar", "cs", "da", "de", "el", "en", "es", "fi", "fr", "hu", "it", "ja", "ko", "nl", "no",
        "pl", "pt", "ro", "ru", "sv", "tr", "uk", "zh", "he",
    ];
    let code = |url: &Url| -> Option<String> {
        let first = url.path_segments()?.next()?.to_lowercase();
        let primary = first.split(['-', '_']).next()?.to_owned();
        (first.len() <= 5 && CODES.contains(&primary.as_str())).then_some(primary)
    };
    match (code(home), code(url)) {
        (home, Some(other)) => home.is_none_or(|home| home != other),
        _ => false,
    }
}

/// Names that the home page gives the company, the best first. `domain` is the company's own.
pub fn declared_names(pages: &[Visited], domain: &str) -> Vec<String> {
    let Some(visited) = pages.first() else {
        return Vec::new();
    };
    let home = &visited.page;
    let site_name = own_site_name(home);
    let known: Vec<String> = site_name.iter().cloned().collect();
    let declared = Url::parse(&home.final_url).ok().and_then(|address| {
        let subject = Subject::new(&address, domain, &known);
        organization::about_this_site(visited, &[], &subject)
            .into_iter()
            .find_map(|members| organization::texts(members, "name").into_iter().next())
    });
    // A site's name for itself is untrusted text: short, one line, and not addressed to a model.
    declared
        .into_iter()
        .chain(site_name)
        .map(|name| name.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|name| !name.is_empty() && name.chars().count() <= 80)
        .filter(|name| words::split(name).len() <= 8 && !instructions::addressed_to_a_model(name))
        .collect()
}

/// The name of the site as its metadata have it. A connector may have taken it from structured data, which names
/// others too; that is judged by itself.
fn own_site_name(home: &Page) -> Option<String> {
    let name = home.site_name.clone()?;
    let of_metadata = ["og:site_name", "application-name"]
        .iter()
        .any(|key| home.metadata.get(*key).and_then(serde_json::Value::as_str) == Some(&name));
    let of_data = home
        .json_ld_objects()
        .iter()
        .any(|object| organization::texts(object, "name").contains(&name));
    (of_metadata || !of_data).then_some(name)
}

/// Language of the site: what the home page declares, else what its words show.
pub fn site_language(pages: &[Visited]) -> String {
    let home = pages.first().map(|visited| &visited.page);
    home.and_then(|page| page.language.as_deref())
        .and_then(language::canonical)
        .unwrap_or_else(|| {
            let text: Vec<String> = pages
                .iter()
                .filter(|visited| visited.first_party())
                .map(|visited| visited.page.text())
                .collect();
            language::detect(&text.join("\n")).to_owned()
        })
}
