//! The domain names no status code, no header and no path of the API: all three belong to `api`.

use super::{has_word, rust_files};

/// Receipts describe the exchanges of connectors, which are HTTP themselves; the address of a page has a
/// scheme.
const OF_CONNECTORS: [&str; 2] = ["host/domain/src/receipt.rs", "host/domain/src/usage/mod.rs"];

/// A company has a location as well, so the word is looked for only as the name of a header.
const WORDS: [&str; 9] = [
    "HTTP",
    "StatusCode",
    "HeaderMap",
    "HeaderName",
    "HeaderValue",
    "header",
    "headers",
    "Location",
    "status_code",
];

/// The numbers of status codes that the API answers with.
const STATUSES: [&str; 22] = [
    "201", "202", "204", "304", "400", "401", "402", "403", "404", "405", "406", "408", "409",
    "410", "413", "414", "415", "422", "429", "431", "500", "503",
];

/// What a line says of HTTP.
fn of_http(line: &str) -> Vec<String> {
    // The scheme of an address, and the crate's own promise.
    let line = &line.replace("HTTP://", "").replace("no HTTP", "");
    let words = WORDS.iter().filter(|word| has_word(line, word));
    // A status is told of in a comment (`404: absent`) or is a value of its own type.
    let of_status = ["///", "//!"]
        .iter()
        .any(|mark| line.trim_start().starts_with(mark))
        || line.contains("status");
    let statuses = STATUSES
        .iter()
        .filter(|status| of_status && has_word(line, status));
    let mut found: Vec<String> = words
        .chain(statuses)
        .map(|word| (*word).to_owned())
        .collect();
    if line.contains("/v1/") {
        found.push("/v1/".to_owned());
    }
    found
}

#[test]
fn the_domain_names_no_status_no_header_and_no_path() {
    let mut found = Vec::new();
    for (path, text) in rust_files("host/domain/src") {
        if OF_CONNECTORS.contains(&path.as_str()) {
            continue;
        }
        for (number, line) in (1..).zip(text.lines()) {
            for word in of_http(line) {
                found.push(format!("{path}:{number}: {word}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_is_of_http_is_found() {
    for line in [
        "    pub headers: Vec<(String, String)>,",
        "    /// 404: absent in this scope.",
        "    format!(\"/v1/brands/{brand}/guideline\")",
        "    Self::NotFound => status(404),",
        "    /// The HTTP status that carries the code.",
    ] {
        assert!(!of_http(line).is_empty(), "{line}");
    }
    for line in [
        "    let url = \"https://a.example/\";",
        "const MAX_URL_BYTES: usize = 500;",
        "    pub headquarters: Claim<Headquarters>,",
    ] {
        assert_eq!(of_http(line), Vec::<String>::new(), "{line}");
    }
}
