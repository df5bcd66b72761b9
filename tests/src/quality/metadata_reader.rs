//! The baseline: what anybody could read from a site's metadata.

use serde_json::{Value, json};

use super::list;
use crate::company_sites::CompanySite;

/// What a plain reader of a page's metadata finds, in the form of a guideline: title, description, Open
/// Graph, and the fields of an `Organization` in JSON-LD, as written.
pub fn metadata_reader(site: &CompanySite) -> Value {
    let page = String::from_utf8(site.bytes("index.html")).unwrap();
    let title = between(&page, "<title>", "</title>").unwrap_or_default();
    let name = meta(&page, "og:site_name");
    let description = meta(&page, "description");
    let mut organization = Value::Null;
    if let Some(block) = between(&page, "<script type=\"application/ld+json\">", "</script>") {
        let parsed: Value = serde_json::from_str(block.trim()).unwrap_or_default();
        organization = match parsed["@graph"].as_array() {
            Some(graph) => graph[0].clone(),
            None => parsed,
        };
    }
    let of = |key: &str| organization.get(key).cloned().unwrap_or_default();
    let year = of("foundingDate");
    let year: Option<u64> = year
        .as_str()
        .and_then(|date| date.get(..4))
        .and_then(|y| y.parse().ok());
    let brand = [
        of("name"),
        json!(name),
        json!(title.split(['|', '–', '-', ',', ':']).next().map(str::trim)),
    ]
    .into_iter()
    .find(|candidate| candidate.as_str().is_some_and(|s| !s.is_empty()))
    .unwrap_or_default();
    let profiles: Vec<Value> = list(&organization, "sameAs")
        .iter()
        .filter_map(Value::as_str)
        .map(|url| json!({"url": url, "network": network(url)}))
        .collect();
    let logo = of("logo");
    let logo = logo.get("url").cloned().unwrap_or(logo);
    let mut identifiers = Vec::new();
    for (scheme, key) in [
        ("vat", "vatID"),
        ("lei", "leiCode"),
        ("ticker", "tickerSymbol"),
    ] {
        if let Some(value) = of(key).as_str() {
            identifiers.push(json!({"scheme": scheme, "value": value}));
        }
    }
    let address = of("address");
    let headquarters = address.is_object().then(
        || json!({"locality": address["addressLocality"], "country": address["addressCountry"]}),
    );
    let colour = meta(&page, "theme-color");
    json!({
        "language": between(&page, "lang=\"", "\"").or_else(|| between(&page, "LANG=\"", "\"")),
        "identity": {
            "brand_name": brand, "legal_name": of("legalName"), "tagline": of("slogan"),
            "description_short": description, "founded_year": year, "headquarters": headquarters,
            "profiles": profiles, "identifiers": identifiers,
        },
        "audience": {"markets": of("areaServed")},
        "positioning": {"proof_points": of("award").as_str().map_or_else(
            || of("award"), |award| json!([{"kind": "award", "text": award}]))},
        "visual": {
            "logos": logo.as_str().map(|url| vec![json!({"url": url})]).unwrap_or_default(),
            "palette": colour.map(|hex| vec![json!({"hex": hex, "role": "primary"})]).unwrap_or_default(),
        },
    })
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> Option<&'t str> {
    let from = text.find(start)? + start.len();
    let rest = text.get(from..)?;
    rest.get(..rest.find(end)?)
}

fn meta(page: &str, name: &str) -> Option<String> {
    ["name", "property", "NAME"].iter().find_map(|attribute| {
        let rest = page.split_once(&format!("{attribute}=\"{name}\""))?.1;
        between(rest, "ontent=\"", "\"")
            .or_else(|| between(rest, "CONTENT=\"", "\""))
            .map(str::to_owned)
    })
}

fn network(url: &str) -> &'static str {
    [
        "linkedin",
        "instagram",
        "youtube",
        "github",
        "facebook",
        "x",
    ]
    .into_iter()
    .find(|network| url.contains(&format!("{network}.com")))
    .unwrap_or("other")
}
