//! Where research of a company begins: its domain, and the addresses to try there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use gtm_lexicon::company::{DIRECTORIES, NAME_FILLERS};
use gtm_page_text::bare_host;
use serde_json::{Value, json};
use url::Url;

use crate::failure::{self, Failure, FailureKind};
use crate::host::{Call, Host, WEB_SEARCH, invoke_one};
use crate::words;

/// One-word legal forms that a domain omits, folded.
static LEGAL_FORMS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    gtm_lexicon::legal_forms()
        .iter()
        .filter(|form| !form.in_domains)
        .flat_map(|form| form.written)
        .map(|written| words::fold(written))
        .filter(|form| words::split(form) == [form.as_str()])
        .collect()
});

/// Addresses to try for a domain, in order. `start_urls` overrides where research of a domain begins.
///
/// # Errors
/// `source_not_allowed` when a start address is invalid.
pub fn start_addresses(
    domain: &str,
    start_urls: &BTreeMap<String, String>,
) -> Result<Vec<Url>, Failure> {
    let not_allowed = |text: &str| {
        Failure::new(
            FailureKind::Denied,
            "source_not_allowed",
            format!("{text} is not an address that research can begin at."),
        )
    };
    let parse = |text: &str| {
        Url::parse(text)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
    };
    if let Some(start) = start_urls.get(domain) {
        return Ok(vec![parse(start).ok_or_else(|| not_allowed(start))?]);
    }
    let mut texts = vec![format!("https://{domain}/")];
    if !domain.starts_with("www.") {
        texts.push(format!("https://www.{domain}/"));
    }
    texts.push(format!("http://{domain}/"));
    let found: Vec<Url> = texts.iter().filter_map(|text| parse(text)).collect();
    if found.is_empty() {
        Err(not_allowed(domain))
    } else {
        Ok(found)
    }
}

/// The domain that a search finds for the company's name. `field` names the request's field that would make
/// the search unnecessary.
///
/// # Errors
/// `insufficient_evidence` when no site can be found, or the search's own failure.
pub fn find_domain(host: &dyn Host, company: &str, field: &str) -> Result<String, Failure> {
    if !host.bound(WEB_SEARCH) {
        return Err(failure::insufficient_evidence(
            "site_unknown",
            0,
            format!(
                "The site of {company} is not known: give {field}, or bind a connection for web.search."
            ),
        ));
    }
    host.report(4, &format!("Searching for the site of {company}"));
    let answer = invoke_one(
        host,
        Call {
            capability: WEB_SEARCH,
            input: json!({"query": format!("{company} official website"), "max_results": 10}),
        },
    )
    .map_err(of_search)?;
    best_domain(company, &result_urls(&answer)).ok_or_else(|| {
        failure::insufficient_evidence(
            "site_not_found",
            0,
            format!("No site was found whose name fits {company}: give {field}."),
        )
    })
}

/// The job error for a search that failed.
pub fn of_search(failure: Failure) -> Failure {
    let code = match failure.kind {
        FailureKind::Unauthorized | FailureKind::CredentialMissing => {
            "connector_credentials_rejected"
        }
        FailureKind::Canceled => return failure::canceled(),
        FailureKind::Quota => return failure,
        FailureKind::Timeout | FailureKind::RateLimited | FailureKind::Upstream => {
            "connector_unavailable"
        }
        _ => "connector_error",
    };
    Failure {
        code: code.to_owned(),
        message: format!("The web search failed: {}", failure.message),
        detail: failure::with_call(&failure, WEB_SEARCH),
        ..failure
    }
}

/// Addresses in a `web.search` answer, in order.
pub fn result_urls(answer: &Value) -> Vec<Url> {
    answer
        .get("results")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|result| result.get("url").and_then(Value::as_str))
        .filter_map(|text| Url::parse(text).ok())
        .filter(|url| matches!(url.scheme(), "http" | "https"))
        .collect()
}

/// Whether the host is a directory, encyclopedia or social network.
pub fn is_directory(url: &Url) -> bool {
    url.host_str().is_some_and(|host| {
        let labels: Vec<&str> = host.split('.').collect();
        labels
            .iter()
            .rev()
            .skip(1)
            .any(|label| DIRECTORIES.contains(label))
    })
}

fn best_domain(company: &str, urls: &[Url]) -> Option<String> {
    let folded = words::fold(company);
    let name: Vec<&str> = words::split(&folded)
        .into_iter()
        .filter(|word| !NAME_FILLERS.contains(word) && !LEGAL_FORMS.contains(*word))
        .collect();
    let joined = name.concat();
    if joined.is_empty() {
        return None;
    }
    let mut best: Option<(u8, String)> = None;
    for url in urls.iter().filter(|url| !is_directory(url)) {
        let Some(host) = url.domain() else { continue };
        let host = bare_host(host);
        let fit = host
            .split('.')
            .rev()
            .skip(1)
            .map(|label| {
                let label: String = words::fold(label)
                    .chars()
                    .filter(char::is_ascii_alphanumeric)
                    .collect();
                if label == joined {
                    3
                } else if joined.len() >= 4 && label.contains(&joined) {
                    2
                } else if name
                    .first()
                    .is_some_and(|first| first.len() >= 4 && label == *first)
                {
                    1
                } else {
                    0
                }
            })
            .max()
            .unwrap_or(0);
        if fit > 0 && best.as_ref().is_none_or(|(known, _)| fit > *known) {
            best = Some((fit, host.to_owned()));
        }
    }
    best.map(|(_, host)| host)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn urls(texts: &[&str]) -> Vec<Url> {
        texts.iter().map(|text| Url::parse(text).unwrap()).collect()
    }

    #[test]
    fn the_domain_must_fit_the_name() {
        let found = urls(&[
            "https://www.linkedin.com/company/fernhollow",
            "https://fernhollow-review.example/",
            "https://www.fernhollow.example/about",
            "https://news.example/fernhollow",
        ]);
        assert_eq!(
            best_domain("Fernhollow GmbH & Co. KG", &found).as_deref(),
            Some("fernhollow.example")
        );
        assert_eq!(best_domain("Other Company", &found), None);
        assert_eq!(best_domain("GmbH", &found), None);
    }

    #[test]
    fn a_domain_leaves_every_legal_form_out() {
        let found = urls(&["https://www.acerail.example/"]);
        for name in [
            "Ace Rail Inc",
            "Ace Rail LLP",
            "Ace Rail KGaA",
            "Ace Rail Pte Ltd",
        ] {
            let domain = best_domain(name, &found);
            assert_eq!(domain.as_deref(), Some("acerail.example"), "{name}");
        }
        // EV means a car more often than an association.
        assert_eq!(best_domain("EV Rail", &found), None);
    }

    #[test]
    fn start_addresses_follow_the_settings() {
        let mut starts = BTreeMap::new();
        let texts = |found: Vec<Url>| found.iter().map(Url::to_string).collect::<Vec<_>>();
        assert_eq!(
            texts(start_addresses("a.example", &starts).unwrap()),
            [
                "https://a.example/",
                "https://www.a.example/",
                "http://a.example/"
            ]
        );
        starts.insert("a.example".into(), "http://127.0.0.1:8000".into());
        assert_eq!(
            texts(start_addresses("a.example", &starts).unwrap()),
            ["http://127.0.0.1:8000/"]
        );
        starts.insert("a.example".into(), "file:///etc/passwd".into());
        assert_eq!(
            start_addresses("a.example", &starts).unwrap_err().code,
            "source_not_allowed"
        );
    }
}
