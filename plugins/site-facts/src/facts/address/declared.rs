//! Addresses in the company's structured data.

use gtm_site_research::claim::Excerpt;
use serde_json::{Map, Value};

use super::super::countries;
use super::countries_shown::Shown;
use super::seat;
use crate::conflicts::Statement;
use crate::organization::texts_of;
use crate::site::Site;

/// Addresses in structured data.
pub(super) fn declared(site: &Site, shown: &Shown) -> Vec<Statement> {
    let mut found = Vec::new();
    for organization in &site.organizations {
        for member in ["address", "location"] {
            for object in organization.objects(member) {
                let address = object
                    .get("address")
                    .and_then(Value::as_object)
                    .unwrap_or(object);
                let Some((locality, region, country)) = parts_of(address) else {
                    continue;
                };
                let mut excerpts: Vec<Excerpt> = Vec::new();
                let mut cite = |text: &str| {
                    excerpts.push(Excerpt {
                        page: organization.page,
                        text: text.to_owned(),
                    });
                };
                locality.iter().for_each(|text| cite(text));
                region.iter().for_each(|text| cite(text));
                let code = match &country {
                    Some(text) => {
                        cite(text);
                        countries::named(text)
                    }
                    None => None,
                };
                let code = code.or_else(|| {
                    let (code, excerpt) = shown.anywhere()?;
                    excerpts.push(excerpt);
                    Some(code)
                });
                if let Some(code) = code {
                    found.push(seat(locality, region, code, excerpts, 2));
                }
            }
        }
    }
    found
}

type Parts = (Option<String>, Option<String>, Option<String>);

pub(super) fn parts_of(address: &Map<String, Value>) -> Option<Parts> {
    let text = |member: &str| {
        let mut texts = Vec::new();
        if let Some(value) = address.get(member) {
            texts_of(value, 0, &mut texts);
        }
        texts
            .into_iter()
            .next()
            .filter(|text| text.chars().count() <= 80)
    };
    let locality = text("addressLocality");
    let country = text("addressCountry");
    (locality.is_some() || country.is_some()).then(|| (locality, text("addressRegion"), country))
}
