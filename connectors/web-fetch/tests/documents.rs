//! Documents that are files: what the connector reports of them, and how it refuses the hostile ones.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gtm_sdk::testing::{ConnectorFiles, Host};
use gtm_sdk::{Connector, Failure, FailureKind, Value, json::json};
use gtm_web_fetch::WebFetch;

const ADDRESS: &str = "https://www.northwind-metering.example/files/reference";
const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

fn fixture(name: &str) -> Vec<u8> {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../evidence/file-text/tests/fixtures"
    );
    std::fs::read(format!("{folder}/{name}")).unwrap()
}

/// Fetches an answer with this body, and gives the `Accept` header that was sent and the output.
fn fetch(
    accept: &str,
    content_type: Option<&str>,
    body: &[u8],
    truncated: bool,
) -> (String, Result<Value, Failure>) {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let line = |url: &str, response: Value| {
        json!({"request": {"method": "GET", "url": url}, "response": response, "source": "made by this test",
            "recorded_on": "2026-11-23", "origin": "hand_written_from_docs"})
        .to_string()
    };
    let mut headers = json!({});
    if let Some(content_type) = content_type {
        headers["content-type"] = json!(content_type);
    }
    let robots = json!({"status": 404, "headers": {}, "body": ""});
    let answer = json!({"status": 200, "headers": headers, "body_base64": STANDARD.encode(body), "truncated": truncated});
    let lines = [
        line("https://www.northwind-metering.example/robots.txt", robots),
        line(ADDRESS, answer),
    ];
    let thread = format!("{:?}", std::thread::current().id());
    let digits: String = thread.chars().filter(char::is_ascii_digit).collect();
    let path = folder.join(format!("document-{digits}.jsonl"));
    std::fs::write(&path, lines.join("\n")).unwrap();
    let input = json!({"url": ADDRESS, "accept": accept});
    let files = ConnectorFiles::new(env!("CARGO_MANIFEST_DIR"));
    files.check_input("fetch", &input);
    let run = Host::new()
        .settings(json!({}))
        .cassette(&path)
        .run(|| WebFetch::invoke("fetch", input));
    if let Ok(output) = &run.output {
        files.check_output("fetch", output);
    }
    let asked = &run.requests[1];
    let accept = asked.headers.iter().find(|(name, _)| name == "accept");
    (accept.unwrap().1.clone(), run.output)
}

fn document(content_type: Option<&str>, name: &str) -> Value {
    fetch("document", content_type, &fixture(name), false)
        .1
        .unwrap()
}

#[test]
fn documents_have_the_shape_of_pages_and_tell_their_kind() {
    let pdf = document(Some("application/pdf"), "typst.pdf");
    assert_eq!(pdf["title"], "Wärme für alte Häuser");
    assert_eq!(pdf["language"], "de");
    assert_eq!(
        pdf["document"],
        json!({"media_type": "application/pdf", "pages": 1})
    );
    assert_eq!(pdf["charset"], Value::Null);
    let first = json!({"kind": "heading", "level": 1, "text": "Wärme für alte Häuser", "main": true, "page": 1});
    assert_eq!(pdf["blocks"][0], first);
    let foot = pdf["blocks"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&foot["text"], &foot["main"]),
        (&json!("Seite 1"), &json!(false))
    );
    let docx = document(Some(DOCX), "python-docx.docx");
    assert_eq!(docx["document"], json!({"media_type": DOCX, "pages": null}));
    assert_eq!(
        docx["blocks"][2]["text"],
        "We install 18,000 meters a year and send one bill per flat."
    );
    assert_eq!(docx["blocks"][2].get("page"), None);
    let pptx = document(Some("application/octet-stream"), "python-pptx.pptx");
    assert_eq!(pptx["document"]["pages"], 5);
    assert_eq!(
        pptx["blocks"][2],
        json!({"kind": "heading", "level": 2, "text": "三つの利点", "main": true, "page": 2})
    );
}

#[test]
fn the_text_is_what_the_host_computes() {
    for name in [
        "python-docx.docx",
        "python-pptx.pptx",
        "reportlab.pdf",
        "fpdf2.pdf",
    ] {
        let output = document(None, name);
        let blocks = output["blocks"].as_array().unwrap().iter();
        let texts: Vec<&str> = blocks
            .map(|block| block["text"].as_str().unwrap())
            .collect();
        let host = gtm_file_text::read(None, &fixture(name)).unwrap().unwrap();
        assert_eq!(texts.join("\n"), host.into_page_text().text(), "{name}");
    }
}

#[test]
fn documents_are_asked_for_where_they_are_wanted() {
    let (accept, output) = fetch("document", Some("text/html"), b"<h1>A page</h1>", false);
    assert!(accept.starts_with("application/pdf,"), "{accept}");
    let output = output.unwrap();
    assert_eq!(
        (&output["title"], &output["document"]),
        (&json!("A page"), &Value::Null)
    );
    let (accept, output) = fetch(
        "text",
        Some("application/pdf"),
        &fixture("reportlab.pdf"),
        false,
    );
    assert!(accept.starts_with("text/html,"), "{accept}");
    assert_eq!(output.unwrap()["title"], "Metering report 2026");
}

#[test]
fn what_cannot_be_read_is_a_failure_with_its_code() {
    let refused = |content_type: Option<&str>, body: &[u8], truncated| {
        fetch("document", content_type, body, truncated)
            .1
            .unwrap_err()
    };
    let whole = fixture("python-docx.docx");
    for (body, truncated, code) in [
        (&whole[..20_000], true, "document_too_large"),
        (&whole[..20_000], false, "unreadable_document"),
        (
            b"%PDF-1.7\nnothing".as_slice(),
            false,
            "unreadable_document",
        ),
        (
            b"%PDF-1.7\ntrailer<</Root 1 0 R/Encrypt 2 0 R>> 1 0 obj<</Pages 3 0 R>>endobj"
                .as_slice(),
            false,
            "encrypted_document",
        ),
    ] {
        let failure = refused(Some(DOCX), body, truncated);
        assert!(failure.is(FailureKind::Upstream, code), "{failure:?}");
        assert_eq!(failure.detail.unwrap()["bytes"], body.len());
    }
    let failure = refused(Some("application/zip"), b"PK\x03\x04 some archive", false);
    assert!(
        failure.is(FailureKind::Upstream, "unsupported_media_type"),
        "{failure:?}"
    );
}
