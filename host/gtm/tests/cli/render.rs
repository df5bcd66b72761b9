//! `gtm render` with the fixtures' renderer, which writes the document's title and its assets' names.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::bindings::installation;
use crate::process::Gtm;

fn given(gtm: &Gtm, document: &serde_json::Value) -> [String; 2] {
    let path = gtm.data().join("document.json");
    fs::create_dir_all(gtm.data()).unwrap();
    fs::write(&path, document.to_string()).unwrap();
    [
        path.display().to_string(),
        gtm.data().join("made").display().to_string(),
    ]
}

fn arguments<'a>(renderer: &'a str, [document, output]: &'a [String; 2]) -> Vec<&'a str> {
    vec![
        "render",
        "--renderer",
        renderer,
        "--document",
        document,
        "--output",
        output,
    ]
}

#[test]
fn a_document_becomes_a_file() {
    let Some(gtm) = installation() else { return };
    let paths = given(&gtm, &json!({"title": "Hello"}));
    let logo = gtm.data().join("logo.svg");
    fs::write(&logo, "<svg/>").unwrap();
    let asset = format!("logo={}", logo.display());
    let made = gtm.json(
        &[
            &arguments("echo-renderer@0.1.0", &paths)[..],
            &["--asset", &asset],
        ]
        .concat(),
    );
    assert_eq!(made["answer"], json!({"pages": 1}));
    assert_eq!(made["renderer"]["key"], "echo-renderer");
    assert!(made["peak_memory_bytes"].as_u64().unwrap() > 0, "{made}");
    let file = &made["files"][0];
    assert_eq!(file["size_bytes"], "Hello\nlogo 6".len());
    let path = Path::new(file["path"].as_str().unwrap());
    assert_eq!(path, Path::new(&paths[1]).join("document.txt"));
    assert_eq!(fs::read_to_string(path).unwrap(), "Hello\nlogo 6");
    let shown = String::from_utf8(gtm.run(&arguments("echo-renderer", &paths)).stdout).unwrap();
    assert!(
        shown.contains("pages") && shown.contains("document.txt"),
        "{shown}"
    );
}

#[test]
fn what_cannot_be_rendered_is_told() {
    let Some(gtm) = installation() else { return };
    let untitled = given(&gtm, &json!({}));
    let told = gtm.fails(1, &arguments("echo-renderer", &untitled));
    assert!(
        told.contains("invalid_input") && told.contains("title"),
        "{told}"
    );
    // The limit of the manifest is that of the product.
    let long = given(&gtm, &json!({"title": "a", "bytes": 2_000_000}));
    let told = gtm.fails(1, &arguments("echo-renderer", &long));
    assert!(told.contains("output_too_large"), "{told}");
    let good = given(&gtm, &json!({"title": "a"}));
    let told = gtm.fails(1, &arguments("nobody", &good));
    assert!(
        told.contains("no renderer nobody") && told.contains("echo-renderer@0.1.0"),
        "{told}"
    );
    let told = gtm.fails(
        1,
        &[
            &arguments("echo-renderer", &good)[..],
            &["--asset", "a=nowhere.png"],
        ]
        .concat(),
    );
    assert!(told.contains("cannot read nowhere.png"), "{told}");
    fs::write(&good[0], "{").unwrap();
    let told = gtm.fails(1, &arguments("echo-renderer", &good));
    assert!(told.contains("is not JSON"), "{told}");
}
