//! How much memory the check takes for the largest evidence that a job may cite. A test binary of its own,
//! because the figure is that of the whole process.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

use bytes::Bytes;
use gtm_domain::brand::BrandInput;
use gtm_domain::evidence::ConnectorRef;
use gtm_domain::guideline::fields::Form;
use gtm_domain::receipt::Receipt;
use gtm_domain::start_url::StartUrls;
use gtm_domain::{BrandId, Digest, JobId, ReceiptId, Timestamp};
use gtm_evidence_check::brand::draft::{BrandDraft, drafted};
use gtm_evidence_check::brand::{CheckInput, check};
use gtm_evidence_check::library::{Library, MAX_CITED_BYTES, MAX_READ_BYTES, Reported, Stored};
use gtm_evidence_check::stop_flag::StopFlag;
use serde_json::json;

fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mut lines = status.lines();
    let line = lines.find(|line| line.starts_with("VmHWM")).unwrap();
    let kib: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kib / 1024
}

/// Different numbers of seven digits, or of three in groups.
fn numbers(bytes: usize, grouped: bool) -> String {
    let mut text = String::with_capacity(bytes + 16);
    let mut state = 1_000_003_u64;
    while text.len() < bytes {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let number = (state >> 24) % 10_000_000;
        if grouped {
            text.push_str(&format!("{:03} ", number % 1000));
        } else {
            text.push_str(&format!("{number} "));
        }
    }
    text
}

fn read(library: &mut Library, number: u128, content_type: &str, text: String) {
    let bytes = Bytes::from(text);
    let url = format!("https://acme.example/{number}");
    let receipt = Receipt {
        id: ReceiptId::from_uuid(uuid::Uuid::from_u128(number)),
        method: "GET".into(),
        url: url.clone(),
        final_url: url,
        host: "acme.example".into(),
        port: 443,
        status: Some(200),
        content_type: Some(content_type.into()),
        request_bytes: 0,
        response_bytes: bytes.len() as u64,
        response_digest: Some(Digest::of(&bytes)),
        at: Timestamp::from_millis(1),
        duration_ms: 3,
        attempts: 1,
        decision: "allowed".into(),
        credentials: vec![],
    };
    let connector = ConnectorRef {
        key: "web-fetch".into(),
        version: "1.0.0".into(),
        component_digest: Digest::of(b"wasm"),
    };
    let (facts, room) = (Reported::default(), library.room());
    library.insert(Stored::of(receipt, &bytes, connector, facts, room).unwrap());
}

/// A draft in which nothing is known.
fn empty_draft() -> BrandDraft {
    let mut guideline = json!({});
    for field in drafted() {
        let mut place = &mut guideline;
        for part in field.pointer[1..].split('/') {
            if place.is_null() {
                *place = json!({});
            }
            place = &mut place[part];
        }
        if field.form == Form::Claims {
            *place = json!([]);
        }
    }
    let draft = json!({"language": null, "guideline": guideline, "basis": [], "sources": [], "unknowns": [], "conflicts": []});
    BrandDraft::read(&draft).unwrap()
}

/// What the test process may take for one answer of the largest size that is read.
const LIMIT_MIB: u64 = 400;

/// Makes a text of about so many bytes.
type Make = fn(usize) -> String;

#[test]
fn evidence_that_is_hard_to_keep_takes_bounded_memory() {
    // All that a job may cite takes minutes without optimization; `GTM_CITED_MIB=32` measures it.
    let measured = std::env::var("GTM_CITED_MIB").ok();
    let cited = measured.as_deref().map_or(1, |mib| mib.parse().unwrap()) << 20;
    assert!(cited <= MAX_CITED_BYTES);
    let kinds_checked = if measured.is_some() { 6 } else { 3 };
    let kinds: [(&str, Make); 6] = [
        ("text/plain", |bytes| numbers(bytes, false)),
        ("text/plain", |bytes| numbers(bytes, true)),
        ("application/json", |bytes| {
            format!("[{}1]", "1,".repeat(bytes / 2 - 2))
        }),
        ("text/html", |bytes| "<p>a".repeat(bytes / 4)),
        ("text/html", |bytes| {
            let data = format!("[{}1]", "1,".repeat(99_000));
            let script = format!("<script type=application/ld+json>{data}</script>");
            script.repeat(bytes / script.len())
        }),
        ("text/css", |bytes| "a{color:#123}".repeat(bytes / 13)),
    ];
    let input = BrandInput {
        company_name: None,
        website_url: Some("https://acme.example/".into()),
        is_default: false,
        brand_profile_id: BrandId::from_uuid(uuid::Uuid::from_u128(7)),
    };
    let draft = empty_draft();
    for (content_type, make) in kinds.into_iter().take(kinds_checked) {
        let mut library = Library::default();
        let mut number = 0;
        while number * MAX_READ_BYTES < cited {
            number += 1;
            read(
                &mut library,
                number as u128,
                content_type,
                make(MAX_READ_BYTES),
            );
        }
        let by = CheckInput {
            input: &input,
            start_urls: &StartUrls::default(),
            library: &library,
            job: JobId::from_uuid(uuid::Uuid::from_u128(9)),
            revision: 1,
            previous: None,
            started_at: Timestamp::from_millis(1),
            finished_at: Timestamp::from_millis(2),
            stop: &StopFlag::default(),
        };
        check(&draft, &by).unwrap();
        let peak = peak_mib();
        eprintln!("{content_type}: {peak} MiB");
        assert!(
            measured.is_some() || peak < LIMIT_MIB,
            "{peak} MiB with {content_type}"
        );
    }
}
