//! What each page says, in its own words, stands in every playbook.

use gtm_sdk::{Value, json::json};

use crate::run::{Job, acme, basis};
use crate::web::Web;

const HOME: &str = "<html lang=en><head><title>Acme – Pumps</title></head><body><nav><a href=/plans.html>Plans</a> \
    <a href=/news.html>News</a></nav><main><h1>Pumps for quarries</h1><p>Acme builds pumps that run for fifty years in quarries \
    and mines.</p><h2>What we do</h2><h6>We never leave a pit under water</h6><p>Lorries with spare pumps wait at the gates of \
    the county. Call us.</p><h6>Repairs</h6><p>In our own foundry, within a week of the call.</p></main></body></html>";
const PLANS: &str = "<html lang=en><head><title>Plans – Acme</title></head><body><nav><a href=/>Home</a> <a href=/plans.html>Plans</a></nav>\
    <main><h1>Plans</h1><h2>What a pump costs</h2><table><tr><th>Plan</th><th>Pumps</th><th>Rent</th></tr><tr><td>Pit</td><td>2 \
    pumps</td><td>90 pounds a month</td></tr><tr><td>Quarry</td><td>8 pumps</td><td>310 pounds a month</td></tr></table></main></body></html>";
const NEWS: &str = "<html lang=en><head><title>News – Acme</title></head><body><nav><a href=/>Home</a> <a href=/news.html>News</a></nav>\
    <main><h1>News</h1><h2>2026</h2><ul><li>14 May: the harbour of Whitby is dry again</li></ul></main></body></html>";

fn job() -> Job {
    acme(
        Web::new()
            .page("https://acme.example/", HOME)
            .page("https://acme.example/plans.html", PLANS)
            .page("https://acme.example/news.html", NEWS),
    )
}

/// The entry whose text has these words, with its pointer.
fn entry<'a>(draft: &'a Value, words: &str) -> (String, &'a Value) {
    let entries = draft["result"]["site_digest"].as_array().unwrap();
    let at = entries
        .iter()
        .position(|entry| entry["text"].as_str().unwrap().contains(words));
    let at = at.unwrap_or_else(|| panic!("{words} is in none of {entries:#?}"));
    (format!("/site_digest/{at}"), &entries[at])
}

#[test]
fn tiles_tables_and_dated_lines_stand_below_their_page_and_heading() {
    let draft = job().draft();
    for (words, page, heading) in [
        (
            "Lorries with spare pumps wait at the gates of the county.",
            json!("Acme – Pumps"),
            "We never leave a pit under water",
        ),
        (
            "Quarry 8 pumps 310 pounds a month",
            json!("Plans"),
            "What a pump costs",
        ),
    ] {
        let (pointer, entry) = entry(&draft, words);
        assert_eq!(entry["page"], page);
        assert_eq!(entry["heading"], heading);
        let basis = basis(&draft, &pointer);
        assert_eq!(basis["basis"], "stated");
        let excerpts = basis["excerpts"].as_array().unwrap();
        assert!(
            excerpts
                .iter()
                .any(|excerpt| excerpt["text"].as_str().unwrap().contains(words))
        );
    }
    // The signals have the dated line already, or the digest has it below its year.
    let signals = draft["result"]["buying_signals"].to_string();
    if !signals.contains("Whitby") {
        let (_, entry) = entry(&draft, "14 May: the harbour of Whitby is dry again");
        assert_eq!(
            (&entry["page"], &entry["heading"]),
            (&json!("News"), &json!("2026"))
        );
    }
}

#[test]
fn what_another_field_says_is_not_said_again() {
    let draft = job().draft();
    let result = &draft["result"];
    let summary = result["business_summary"].as_str().unwrap();
    assert!(
        summary.contains("pumps that run for fifty years"),
        "{summary}"
    );
    assert!(!result["site_digest"].to_string().contains("fifty years"));
}

#[test]
fn it_comes_with_the_profile_of_the_company() {
    let with = job().only(&["company_profile"]).draft();
    assert_ne!(with["result"]["site_digest"], json!([]));
    let without = job().only(&["business_summary", "buying_signals"]).draft();
    assert_eq!(without["result"]["site_digest"], json!([]));
}
