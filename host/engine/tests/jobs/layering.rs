//! Tests that neither the engine nor the store knows the status codes, headers and paths of the API. They keep the
//! answers that they are given; a second API or a console would give them other ones.

use std::fs;
use std::path::Path;

fn sources(directory: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path.display().to_string(), text));
        }
    }
}

/// What only the API knows.
const OF_HTTP: [&str; 7] = [
    "\"/v1/",
    "StatusCode",
    "HeaderName",
    "\"location\"",
    "\"job-reused\"",
    ".status()",
    "http::",
];

/// The sources of a crate beside this one name none of these.
fn names_none(of: &str, words: impl IntoIterator<Item = &'static str> + Clone) {
    let mut found = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(of);
    sources(&folder.join("src"), &mut found);
    assert!(found.len() > 20, "the sources of {of} were not found");
    for (path, text) in &found {
        for word in words.clone() {
            assert!(!text.contains(word), "{path} has {word}");
        }
    }
}

#[test]
fn the_engine_knows_no_http() {
    // Only the API makes answers; the store makes them again of its rows.
    names_none(".", OF_HTTP.into_iter().chain(["StoredAnswer {"]));
}

#[test]
fn the_store_knows_no_http() {
    names_none("../store", OF_HTTP);
}
