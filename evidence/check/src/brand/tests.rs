//! Drafts over hand-made bytes: what is kept, and every kind of lie.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use bytes::Bytes;
use gtm_domain::BrandId;
use gtm_domain::evidence::{Confidence, ConnectorRef};
use gtm_domain::guideline::fields::Section;

use super::draft::tests::{empty, with};
use super::*;
use crate::library::{MAX_JOB_TEXT, Reported, Stored};
use crate::origin::tests::receipt;
use crate::stop_flag::StopFlag;

mod company;
mod document;
mod looks;
mod vocabulary;
mod words;

const HOME: &str = r##"<html lang="de"><head><title>Acme – Zähler für alle</title>
    <meta property="og:locale" content="de_DE"><link rel="alternate" hreflang="en-GB" href="/en">
    <link rel="icon" href="/icon.png" sizes="32x32"><link rel="stylesheet" href="/site.css">
    <style>:root{--brand-primary:#10243e} h1{font-family:"Source Serif 4",Georgia,serif;font-weight:600;color:var(--brand-primary)} .note{color:#aaaaaa;background:#ffffff} .unused{color:#cccccc;background:#ffffff}</style>
    <script type="application/ld+json">{"@type":"Organization","name":"Acme Zähler GmbH","foundingDate":"2014","numberOfEmployees":120,
      "address":{"@type":"PostalAddress","addressCountry":"DE","addressLocality":"Leipzig"},"vatID":"DE136695976","sameAs":["https://www.linkedin.com/company/acme"]}</script>
    </head><body><header><a href="/"><svg aria-label="Acme logo" class="logo" viewBox="0 0 120 40"><path d="M0 0h120v40H0z"/></svg></a></header>
    <main><h1>Zähler, die jeder versteht</h1><p>Acme baut Zähler in 14 Städten und rechnet 1.200 Wohnungen ab.</p>
    <p class="note">Wir glauben, dass jeder Mieter seinen Verbrauch kennen soll.</p></main>
    <footer>Acme Zähler GmbH, Kanalstraße 1, 04109 Leipzig, Deutschland. USt-IdNr. DE136695976, HRB 12345.
    Telefon +49 341 1234567. © 1999 Acme <span>CIF B50917467</span><br>Gehostet von Globex SAS, RCS Lille 424 761 419</footer></body></html>"##;
const CSS: &str = "body{font-family:Inter,Arial,sans-serif;color:#222222;background:#ffffff}a.button{background:#e4572e;color:#ffffff}";
const PRESS: &str = "<html lang=en-IE><style>p{color:#bbbbbb;background:#ffffff}</style><body><p>Acme opened in Leeds in March 2026, and Acme has 400 employees, people say.</p></body></html>";

fn connector() -> ConnectorRef {
    ConnectorRef {
        key: "web-fetch".into(),
        version: "1.0.0".into(),
        component_digest: Digest::of(b"wasm"),
    }
}

pub(crate) fn stored(number: u128, url: &str, content_type: &str, body: &[u8]) -> Stored {
    let mut receipt = receipt(number, url, body);
    receipt.content_type = Some(content_type.into());
    Stored::of(
        receipt,
        &Bytes::copy_from_slice(body),
        connector(),
        Reported::default(),
        MAX_JOB_TEXT,
    )
    .unwrap()
}

/// A stored HTML page.
pub(crate) fn page(number: u128, url: &str, html: &str) -> Stored {
    stored(number, url, "text/html; charset=utf-8", html.as_bytes())
}

/// A PNG header for 32 by 32 pixels, without image data.
fn png() -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend([
        0, 0, 0, 32, 0, 0, 0, 32, 8, 6, 0, 0, 0, 0x73, 0x7a, 0x7a, 0xf4,
    ]);
    bytes.extend(b"\0\0\0\0IEND\xaeB`\x82");
    bytes
}

const HOME_URL: &str = "https://www.acme.example/";

fn library() -> Library {
    let mut library = Library::default();
    library.insert(page(1, HOME_URL, HOME));
    library.insert(page(2, "https://news.example/a", PRESS));
    library.insert(stored(
        3,
        "https://www.acme.example/site.css",
        "text/css",
        CSS.as_bytes(),
    ));
    library.insert(stored(
        4,
        "https://www.acme.example/icon.png",
        "image/png",
        &png(),
    ));
    library
}

fn id(number: u128) -> String {
    ReceiptId::from_uuid(uuid::Uuid::from_u128(number)).to_string()
}

fn input(name: Option<&str>, website: Option<&str>) -> BrandInput {
    BrandInput {
        company_name: name.map(str::to_owned),
        website_url: website.map(str::to_owned),
        is_default: false,
        brand_profile_id: BrandId::from_uuid(uuid::Uuid::from_u128(77)),
    }
}

fn run_for(input: &BrandInput, draft: &Value) -> Checked {
    run_over(&library(), input, draft)
}

fn run_over(library: &Library, input: &BrandInput, draft: &Value) -> Checked {
    let draft = BrandDraft::read(draft).unwrap();
    let by = CheckInput {
        input,
        start_urls: &StartUrls::default(),
        library,
        job: JobId::from_uuid(uuid::Uuid::from_u128(9)),
        revision: 1,
        previous: None,
        started_at: "2026-03-02T09:00:00Z".parse().unwrap(),
        finished_at: "2026-03-02T09:05:00Z".parse().unwrap(),
        stop: &StopFlag::default(),
    };
    let checked = check(&draft, &by).unwrap();
    let document = &checked.completed.document;
    assert_eq!(
        Guideline::read(document).unwrap(),
        checked.completed.guideline
    );
    assert_whole(document);
    checked
}

fn run(draft: &Value) -> Checked {
    run_for(&input(Some("Acme"), Some(HOME_URL)), draft)
}

/// Invariants of every guideline: a claim's parts agree, its ids exist, and every gap has a reason.
fn assert_whole(document: &Value) {
    let sources = document
        .pointer("/research/sources")
        .unwrap()
        .as_array()
        .unwrap();
    let ids: Vec<&Value> = sources.iter().map(|s| &s["id"]).collect();
    let excerpts: Vec<&Value> = sources
        .iter()
        .flat_map(|s| s["excerpts"].as_array().unwrap())
        .map(|e| &e["id"])
        .collect();
    let unknowns: Vec<&Value> = document
        .pointer("/research/unknowns")
        .unwrap()
        .as_array()
        .unwrap()
        .iter()
        .map(|u| &u["pointer"])
        .collect();
    for field in FIELDS.iter() {
        for (pointer, claim) in field.claims(document) {
            assert!(
                !claim["value"].is_null() && !claim["confidence"].is_null(),
                "{pointer}"
            );
            let cited = claim["source_ids"].as_array().unwrap();
            let quoted = claim["excerpt_ids"].as_array().unwrap();
            assert!(cited.iter().all(|id| ids.contains(&id)), "{pointer}");
            assert!(quoted.iter().all(|id| excerpts.contains(&id)), "{pointer}");
            match claim["basis"].as_str().unwrap() {
                "provided" => assert!(cited.is_empty()),
                "stated" => assert!(!cited.is_empty() && !quoted.is_empty(), "{pointer}"),
                "inferred" => assert_eq!(claim["confidence"], "low", "{pointer}"),
                _ => assert!(!cited.is_empty(), "{pointer}"),
            }
        }
        if !field.is_known(document) {
            assert!(
                unknowns.contains(&&json!(field.pointer)),
                "{}",
                field.pointer
            );
        }
    }
}

fn basis(pointer: &str, kind: &str, excerpts: &[(u128, &str)], receipts: &[u128]) -> Value {
    let excerpts: Vec<Value> = excerpts
        .iter()
        .map(|(receipt, text)| json!({"receipt_id": id(*receipt), "text": text}))
        .collect();
    let receipts: Vec<String> = receipts.iter().map(|r| id(*r)).collect();
    json!({"pointer": pointer, "basis": kind, "reasoning": null, "excerpts": excerpts, "receipt_ids": receipts})
}

/// The finished place of one drafted value with one basis; for a list, the whole list.
fn one(
    pointer: &str,
    value: Value,
    kind: &str,
    excerpts: &[(u128, &str)],
    receipts: &[u128],
) -> Value {
    one_of(&library(), pointer, value, kind, excerpts, receipts)
}

/// Like [`one`], over other stored answers.
fn one_of(
    library: &Library,
    pointer: &str,
    value: Value,
    kind: &str,
    excerpts: &[(u128, &str)],
    receipts: &[u128],
) -> Value {
    let is_list = Field::at(pointer).unwrap().form == Form::Claims;
    let claim = if is_list {
        format!("{pointer}/0")
    } else {
        pointer.to_owned()
    };
    let mut draft = with(pointer, if is_list { json!([value]) } else { value });
    draft["basis"] = json!([basis(&claim, kind, excerpts, receipts)]);
    run_over(library, &input(Some("Acme"), Some(HOME_URL)), &draft)
        .completed
        .document
        .pointer(pointer)
        .unwrap()
        .clone()
}

fn stated(pointer: &str, value: Value, excerpts: &[(u128, &str)]) -> Value {
    one(pointer, value, "stated", excerpts, &[])
}

/// Confidence and basis of the claim, or `None` if it was dropped.
fn verdict(place: &Value) -> Option<(String, String)> {
    let claim = match place {
        Value::Array(list) => list.first()?,
        claim => claim,
    };
    let text = |key: &str| claim[key].as_str().map(str::to_owned);
    Some((text("confidence")?, text("basis")?))
}

fn stands(place: &Value, confidence: &str, basis: &str) {
    assert_eq!(
        verdict(place),
        Some((confidence.into(), basis.into())),
        "{place}"
    );
}
