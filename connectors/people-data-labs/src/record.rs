//! A company's record: which of its members are facts of the contract.
//!
//! A fact is returned exactly as the answer has it, else it is null. The only addition is the `https://` of
//! network addresses, which the provider writes without it.

use gtm_sdk::http::Response;
use gtm_sdk::{Failure, Value, json::json};

use crate::texts::{host_of, text};

/// Maximum number of addresses returned.
const MAX_PROFILES: usize = 20;
/// Members with the main address at a network; `profiles` has further ones.
const MAIN_PROFILES: [&str; 3] = ["linkedin_url", "facebook_url", "twitter_url"];

/// The company in a successful answer.
pub(crate) fn company(answer: &Response) -> Result<Value, Failure> {
    let invalid = |failure: Failure| failure.with_detail(json!({"receipt_id": answer.receipt_id}));
    let record: Value = answer.json().map_err(invalid)?;
    // Every record has these; an object without them is not a record.
    if !record["id"].is_string() || !record["name"].is_string() {
        return Err(invalid(Failure::upstream(
            "invalid_provider_response",
            "The provider's answer is not a company record.",
        )));
    }
    let place = &record["location"];
    let industry = text(&record["industry"], 200);
    Ok(json!({
        "domain": text(&record["website"], 253).map(host_of).filter(|host| !host.is_empty()),
        // `name` is in lower case and `display_name` is what the company calls itself: neither is
        // registered.
        "legal_name": null,
        "description": text(&record["summary"], 4000),
        "industry": industry.or_else(|| text(&record["industry_v2"], 200)),
        "founded_year": record["founded"].as_u64().filter(|year| (800..=9999).contains(year)),
        "employee_count": headcount(&record),
        "locality": text(&place["locality"], 200),
        "region": text(&place["region"], 200),
        "country": text(&place["country"], 100),
        "ticker": text(&record["ticker"], 30).filter(|symbol| is_symbol(symbol)),
        "profiles": profiles(&record),
    }))
}

/// The number of employees, unless the range in the same record (`51-200`, `10001+`) contradicts it.
fn headcount(record: &Value) -> Option<u64> {
    let count = record["employee_count"].as_u64()?;
    let Some(range) = record["size"].as_str() else {
        return Some(count);
    };
    let (least, most) = match range.split_once('-') {
        Some((least, most)) => (least.parse().ok()?, most.parse().ok()?),
        None => (range.strip_suffix('+')?.parse().ok()?, u64::MAX),
    };
    (least..=most).contains(&count).then_some(count)
}

/// Whether a text can be a stock symbol, which is written in capitals.
fn is_symbol(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '.' | '-' | ':'))
}

/// Addresses at networks, main ones first, each only once.
fn profiles(record: &Value) -> Vec<String> {
    let main = MAIN_PROFILES.iter().map(|member| &record[*member]);
    let further = record["profiles"].as_array().into_iter().flatten();
    let mut found: Vec<String> = Vec::new();
    for address in main.chain(further).filter_map(|value| text(value, 2000)) {
        let lower = address.to_ascii_lowercase();
        let has_scheme = lower.starts_with("https://") || lower.starts_with("http://");
        let address = if has_scheme {
            address.to_owned()
        } else if lower.contains("://") || !lower.contains('/') {
            continue;
        } else {
            format!("https://{address}")
        };
        if found.len() < MAX_PROFILES && !found.contains(&address) {
            found.push(address);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_headcount_agrees_with_its_range() {
        for (count, size, want) in [
            (json!(83), json!("51-200"), Some(83)),
            (json!(40), json!("51-200"), None),
            (json!(12_000), json!("10001+"), Some(12_000)),
            (json!(83), json!(null), Some(83)),
            (json!(83), json!("many"), None),
            (json!(null), json!("51-200"), None),
            (json!("83"), json!("51-200"), None),
        ] {
            let record = json!({"employee_count": count, "size": size});
            assert_eq!(headcount(&record), want, "{record}");
        }
    }

    #[test]
    fn profiles_are_whole_addresses_and_stand_once() {
        let record = json!({"linkedin_url": "linkedin.com/company/acme", "facebook_url": null, "twitter_url": "",
            "profiles": ["linkedin.com/company/acme", "linkedin.com/company/1441", "https://x.com/acme", "ftp://a/b", "acme", 7]});
        assert_eq!(
            profiles(&record),
            [
                "https://linkedin.com/company/acme",
                "https://linkedin.com/company/1441",
                "https://x.com/acme"
            ]
        );
    }

    #[test]
    fn symbols_are_capitals() {
        assert!(is_symbol("GOOGL") && is_symbol("BRK.B"));
        assert!(!is_symbol("googl") && !is_symbol("Googl Inc"));
    }
}
