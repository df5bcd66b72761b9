//! What identifies the company, and what it has been since when: particulars that no field of the profile takes.

use gtm_site_facts::draft::{Draft as Facts, FOUNDED_YEAR, IDENTIFIERS, LEGAL_NAME};
use gtm_site_research::claim::Claim;
use gtm_site_research::facts;
use gtm_site_research::fixed_texts::{
    FOUNDED_IN, LEI_IS, REGISTER_NUMBER, REGISTERED_NAME, TICKER_IS, VAT_NUMBER,
};
use gtm_site_research::words;

/// The particulars as texts, each with the words that carry it.
pub fn particulars(told: &Facts, language: &str) -> Vec<Claim> {
    let mut found = Vec::new();
    found.extend(
        told.one(FOUNDED_YEAR)
            .and_then(|claim| founded(claim, language)),
    );
    if let Some(claim) = told.one(LEGAL_NAME)
        && let Some(name) = claim.value.as_str()
    {
        found.push(Claim {
            value: REGISTERED_NAME.filled(language, &[("name", name)]).into(),
            ..claim.clone()
        });
    }
    for claim in told.many(IDENTIFIERS) {
        let text = match claim.value["scheme"].as_str() {
            Some("company_register") => &REGISTER_NUMBER,
            Some("vat") => &VAT_NUMBER,
            Some("lei") => &LEI_IS,
            Some("ticker") => &TICKER_IS,
            _ => continue,
        };
        let number = claim.value["value"].as_str().unwrap_or_default();
        found.push(Claim {
            value: text.filled(language, &[("number", number)]).into(),
            ..claim.clone()
        });
    }
    found
}

/// The year of the founding. DANGER: a page may tell it by an era or in words, and the host knows it only as the page shows
/// it: then the page's own words tell it.
fn founded(claim: &Claim, language: &str) -> Option<Claim> {
    let year = claim.value.as_i64()?.to_string();
    let shown = claim.excerpts.iter().any(|excerpt| {
        let text = words::with_ascii_digits(&excerpt.text);
        facts::numbers(&text).contains(&year)
    });
    let text = match shown {
        true => FOUNDED_IN.filled(language, &[("year", &year)]),
        false => claim.excerpts.first()?.text.clone(),
    };
    Some(Claim {
        value: text.into(),
        ..claim.clone()
    })
}
