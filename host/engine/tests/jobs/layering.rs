//! Tests that the engine does not know the status codes, headers and paths of the API. It stores the
//! answers that it is given; a second API or a console would give it other ones.

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

#[test]
fn the_engine_knows_no_http() {
    let mut found = Vec::new();
    sources(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut found,
    );
    assert!(found.len() > 20, "the sources were not found");
    let of_http = [
        "\"/v1/",
        "StatusCode",
        "HeaderName",
        "\"location\"",
        "\"job-reused\"",
        "StoredAnswer {",
        ".status()",
        "http::",
    ];
    for (path, text) in &found {
        for word in of_http {
            assert!(!text.contains(word), "{path} has {word}");
        }
    }
}
