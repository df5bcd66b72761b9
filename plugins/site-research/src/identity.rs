//! Who a site says it is: its names and its language.

use gtm_page_text::{UNDETERMINED, canonical_tag, detect_language};
use url::Url;

use crate::instructions;
use crate::organization::{self, Subject};
use crate::page::Page;
use crate::reading::Visited;
use crate::words;

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
    // Danger: a site's name for itself is untrusted text. So it must be short, on one line, and not
    // addressed to a model.
    declared
        .into_iter()
        .chain(site_name)
        .map(|name| name.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|name| !name.is_empty() && name.chars().count() <= 80)
        .filter(|name| words::split(name).len() <= 8 && !instructions::addressed_to_a_model(name))
        .collect()
}

/// The site's name in its metadata. A connector may have taken it from structured data, which names other
/// companies too; that is checked separately.
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
        .and_then(canonical_tag)
        .unwrap_or_else(|| {
            let own = pages.iter().filter(|visited| visited.first_party());
            let texts: Vec<String> = own.map(|visited| visited.page.text()).collect();
            let detected = detect_language(texts.iter().map(String::as_str));
            detected.unwrap_or(UNDETERMINED).to_owned()
        })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use serde_json::{Value, json};

    use super::*;
    use crate::roles::Role;

    fn names(site_name: Option<&str>, metadata: Value, json_ld: Value) -> Vec<String> {
        let page = Page::read(json!({
            "receipt_id": "rcp_1", "url": "https://www.acme.example/", "final_url": "https://www.acme.example/",
            "site_name": site_name, "metadata": metadata, "json_ld": json_ld,
            "blocks": [{"kind": "paragraph", "text": "Acme Rail makes signals for Globex.", "main": true}],
        }))
        .unwrap();
        let home = Visited {
            page,
            role: Role::Home,
        };
        declared_names(&[home], "acme.example")
    }

    #[test]
    fn structured_data_names_the_company_only_where_it_is_about_the_site() {
        let own =
            json!([{"@type": "Organization", "name": "Acme Rail", "url": "https://acme.example/"}]);
        assert_eq!(names(None, json!({}), own), ["Acme Rail"]);
        for other in [
            json!([{"@type": "Organization", "name": "Globex", "url": "https://globex.example/"}]),
            json!([{"@type": "Organization", "name": "Globex", "@id": "https://globex.example/#org"}]),
            json!([{"@type": "Organization", "name": "Globex"}]),
            json!([{"@type": "Product", "review": {"author": {"@type": "Organization", "name": "Globex"}}}]),
        ] {
            // Some connectors take the site's name from structured data.
            let named = names(Some("Globex"), json!({}), other.clone());
            assert!(named.is_empty(), "{other}: {named:?}");
        }
        // The site's name in the page's metadata counts, whoever else is named.
        assert_eq!(
            names(
                Some("Acme"),
                json!({"og:site_name": "Acme"}),
                json!([{"@type": "Organization", "name": "Globex", "url": "https://globex.example/"}])
            ),
            ["Acme"]
        );
    }
}
