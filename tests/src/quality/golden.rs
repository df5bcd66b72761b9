//! Checks golden files against their sites.

use super::claims::{MANY, ONE, STYLE};
use super::comparison::fold;
use super::list;
use crate::company_sites::CompanySite;

/// Errors in a golden file: quotations that are not on their page, and pointers that are not fields of a
/// guideline.
pub fn golden_faults(site: &CompanySite) -> Vec<String> {
    let mut faults = Vec::new();
    for claim in list(&site.expected, "claims") {
        let page = claim["page"].as_str().unwrap();
        let quote = claim["quote"].as_str().unwrap();
        let bytes = site.bytes(page);
        let stands = if claim["quote_in"] == "bytes" {
            String::from_utf8(bytes).unwrap().contains(quote)
        } else {
            let text = gtm_page_text::extract(Some("text/html"), &bytes);
            // An address may span several lines.
            fold(&text.evidence_text()).contains(&fold(quote))
        };
        if !stands {
            faults.push(format!("{} {page}: {quote}", site.name));
        }
    }
    let pointers = list(&site.expected, "claims")
        .iter()
        .chain(list(&site.expected, "also_true"))
        .chain(list(&site.expected, "conflicts"))
        .map(|claim| &claim["pointer"])
        .chain(list(&site.expected, "must_be_null"));
    for pointer in pointers {
        let pointer = pointer.as_str().unwrap();
        if !ONE.iter().chain(&MANY).chain(&STYLE).any(|p| *p == pointer) {
            faults.push(format!("{}: no field {pointer}", site.name));
        }
    }
    faults
}
