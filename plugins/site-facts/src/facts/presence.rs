//! The company's profiles at social networks, and its site's languages.

use std::collections::BTreeSet;

use gtm_lexicon::{networks, no_pages, posts, sharing};
use gtm_page_text::{bare_host, canonical_tag, primary_language, region_subtag};
use gtm_site_research::claim::{Claim, Excerpt};
use serde_json::json;
use url::Url;

use super::letters;
use crate::draft::{Draft, LOCALES, PROFILES};
use crate::site::Site;

/// Most languages kept.
const MOST_LOCALES: usize = 30;

/// Collects profiles and locales.
pub fn collect(site: &Site, draft: &mut Draft) {
    profiles(site, draft);
    locales(site, draft);
}

fn profiles(site: &Site, draft: &mut Draft) {
    let mut networks: Vec<&str> = Vec::new();
    // A profile in the `sameAs` of structured data is stated; a profile from a link is observed.
    for organization in &site.organizations {
        for text in organization.texts("sameAs") {
            if let Some(network) = profile_network(&text)
                && !networks.contains(&network)
            {
                networks.push(network);
                let excerpt = Excerpt {
                    page: organization.page,
                    text: text.clone(),
                };
                draft.push(
                    PROFILES,
                    Claim::stated(json!({"network": network, "url": text}), vec![excerpt]),
                );
            }
        }
    }
    let names: Vec<String> = site
        .research
        .names
        .iter()
        .map(|name| letters(super::legal_names::without_form(name)))
        .chain([letters(
            site.research.domain.split('.').next().unwrap_or_default(),
        )])
        .filter(|name| name.chars().count() >= 3)
        .collect();
    for (_, _, page) in site.own_pages() {
        for link in &page.links {
            let Some(network) = profile_network(&link.url) else {
                continue;
            };
            // A page also links to customers and partners. The company's own profiles are in header or
            // footer, are marked as its own, or contain its name.
            let me = link.rel.as_deref().is_some_and(|rel| {
                rel.split_ascii_whitespace()
                    .any(|word| word.eq_ignore_ascii_case("me"))
            });
            let address = letters(&link.url);
            let named = names.iter().any(|name| address.contains(name.as_str()));
            if networks.contains(&network) || !(link.navigation || me || named) {
                continue;
            }
            networks.push(network);
            draft.push(
                PROFILES,
                Claim::observed(
                    json!({"network": network, "url": link.url}),
                    vec![page.receipt_id.clone()],
                ),
            );
        }
    }
    if let Some(data) = &site.company_data {
        for text in &data.facts.profiles {
            if let Some(network) = profile_network(text)
                && !networks.contains(&network)
            {
                networks.push(network);
                draft.push(
                    PROFILES,
                    Claim::stated(
                        json!({"network": network, "url": text}),
                        vec![data.excerpt(text.as_str())],
                    ),
                );
            }
        }
    }
}

/// The network, if the address is a profile there and not a sharing link or a single post.
pub fn profile_network(address: &str) -> Option<&'static str> {
    let url = Url::parse(address)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"))?;
    let host = url.host_str()?;
    let at = |known: &&str| host == *known || host.ends_with(&format!(".{known}"));
    let network = networks()
        .iter()
        .find(|network| network.hosts.iter().any(at))?;
    let segments: Vec<String> = url
        .path_segments()?
        .filter(|part| !part.is_empty())
        .map(str::to_lowercase)
        .collect();
    let first = segments.first()?;
    let single = segments.iter().any(|part| posts().contains(part));
    let repository = matches!(network.name, "github" | "gitlab") && segments.len() > 1;
    let companies = network.companies;
    let of_another = !companies.is_empty() && !companies.contains(&first.as_str());
    let shared = url.query().is_some_and(|query| {
        query.contains("url=") || query.contains("u=http") || query.contains("text=")
    });
    let is_page = !sharing().contains(first) && !no_pages().contains(first);
    (is_page && !single && !repository && !of_another && !shared).then_some(network.name)
}

fn locales(site: &Site, draft: &mut Draft) {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut seen = |tag: &str, receipt: &str| {
        if let Some(tag) = canonical_tag(tag) {
            found.push((tag, receipt.to_owned()));
        }
    };
    if let Some((_, _, home)) = site.own_pages().next() {
        home.language
            .iter()
            .for_each(|tag| seen(tag, &home.receipt_id));
        for name in ["og:locale", "og:locale:alternate"] {
            if let Some(tag) = home.metadata.get(name).and_then(|value| value.as_str()) {
                seen(tag, &home.receipt_id);
            }
        }
    }
    for styled in &site.styled {
        for alternate in &styled.markup.alternates {
            seen(&alternate.language, &styled.receipt_id);
        }
    }
    // Links of the home page to the same site in another language.
    if let Some((_, _, home)) = site.own_pages().next()
        && let Ok(own) = Url::parse(&home.final_url)
    {
        let mut linked: Vec<(&str, bool)> = Vec::new();
        for link in &home.links {
            let url = Url::parse(&link.url).ok();
            let url =
                url.filter(|url| url.host_str().map(bare_host) == own.host_str().map(bare_host));
            let tag = url.and_then(|url| gtm_lexicon::locale_of_link(url.path(), &link.text));
            linked.extend(tag.map(|tag| (tag, gtm_lexicon::may_be_no_language(&link.text))));
        }
        for (tag, doubtful) in &linked {
            let known = found
                .iter()
                .any(|(known, _)| primary_language(known) == *tag);
            let borne_out = || linked.iter().any(|(other, _)| other != tag);
            if !known && (!doubtful || borne_out()) {
                found.push(((*tag).to_owned(), home.receipt_id.clone()));
            }
        }
    }
    for (tag, receipt) in &found {
        if !is_told_better(tag, &found) && draft.many(LOCALES).len() < MOST_LOCALES {
            draft.push(
                LOCALES,
                Claim::observed(tag.as_str(), vec![receipt.clone()]),
            );
        }
    }
}

/// Whether a language without a region has one region on this site: `de` beside `de-AT`.
fn is_told_better(tag: &str, found: &[(String, String)]) -> bool {
    let with_region =
        |other: &str| primary_language(other) == tag && region_subtag(other).is_some();
    let regions: BTreeSet<&str> = found
        .iter()
        .map(|(other, _)| other.as_str())
        .filter(|other| with_region(other))
        .collect();
    regions.len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_told_from_ways_to_share() {
        for (address, network) in [
            (
                "https://www.linkedin.com/company/acme-rail/",
                Some("linkedin"),
            ),
            ("https://www.linkedin.com/in/jane-doe", None),
            ("https://www.linkedin.com/shareArticle?url=x", None),
            ("https://twitter.com/acmerail", Some("x")),
            ("https://twitter.com/intent/tweet?text=x", None),
            ("https://x.com/acmerail/status/1", None),
            (
                "https://www.facebook.com/sharer/sharer.php?u=https://a",
                None,
            ),
            ("https://www.youtube.com/@acme", Some("youtube")),
            ("https://www.youtube.com/watch?v=1", None),
            ("https://github.com/acme", Some("github")),
            ("https://github.com/acme/tool", None),
            ("https://notlinkedin.com/company/a", None),
            ("https://instagram.com/", None),
        ] {
            assert_eq!(profile_network(address), network, "{address}");
        }
    }
}
