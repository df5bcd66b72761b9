//! `gtm prospecting search`: a connector of the fixtures asks a scripted provider in the wire format of People Data
//! Labs, workers make candidates of its answer, a person decides, and the API shows nobody's address.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bindings::installation_of;
use crate::process::{Gtm, Server, body, text};

const KEY: &str = "pdl-key-of-a-test-0123456789";

/// Head and body of a request.
type Asked = (String, Value);

/// A provider that always answers the same.
struct Provider {
    url: String,
    port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Provider {
    fn start(status: u16, credits: u32, answer: &Value) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (seen, answer) = (Arc::clone(&asked), answer.to_string());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                let mut request = Vec::new();
                let whole = loop {
                    let mut part = [0; 4096];
                    let Ok(read @ 1..) = stream.read(&mut part) else {
                        break None;
                    };
                    request.extend_from_slice(&part[..read]);
                    let text = String::from_utf8_lossy(&request).into_owned();
                    let Some((head, body)) = text.split_once("\r\n\r\n") else {
                        continue;
                    };
                    if let Ok(body) = serde_json::from_str(body) {
                        break Some((head.to_owned(), body));
                    }
                };
                let Some(whole) = whole else { continue };
                seen.lock().unwrap().push(whole);
                let head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
                     x-call-credits-spent: {credits}\r\nconnection: close\r\n\r\n",
                    answer.len()
                );
                let _ = stream.write_all(format!("{head}{answer}").as_bytes());
            }
        });
        Self {
            url: format!("http://127.0.0.1:{port}"),
            port,
            asked,
        }
    }

    fn finds_two() -> Self {
        let record = |first: &str, email: Value| {
            json!({
                "id": format!("qEnOZ5Oh0poWnQ1luFBfVw_{first}"), "full_name": format!("{first} Okafor"),
                "first_name": first, "job_title": "Head Of Operations", "work_email": email,
                "job_company_name": "Acme Estates", "job_company_website": "acme-estates.example",
                "job_company_industry": "Real Estate", "job_company_location_locality": "Leeds",
                "job_company_location_country": "United Kingdom",
            })
        };
        let data = [
            record("Sam", json!("Sam.Okafor@acme-estates.example")),
            record("Ada", json!("ada@acme-estates.example")),
            record("Eve", json!(true)),
        ];
        Self::start(
            200,
            3,
            &json!({"status": 200, "data": data, "scroll_token": "1$2", "total": 99}),
        )
    }

    fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

/// A project with the connection bound, and its key.
struct Searcher {
    gtm: Gtm,
    project: String,
    secret: String,
}

impl Searcher {
    /// `None` if the fixtures were not built.
    fn new(provider: &Provider) -> Option<Self> {
        let unbound = Self::unbound(provider)?;
        let settings = json!({"base_url": provider.url, "prices": {"per_record_usd": 0.28}});
        unbound.bind(&settings);
        Some(unbound)
    }

    fn unbound(provider: &Provider) -> Option<Self> {
        let more = format!(
            "[engine]\nlease_seconds = 1\n[egress]\nprivate_hosts = [{{ host = \"127.0.0.1\", port = {}, \
             connectors = [\"people-data\"], open_web = false }}]\n",
            provider.port
        );
        let gtm = installation_of(&["connector/people-data"], &more)?;
        let org = gtm.json(&["org", "create", "--billing", "postpaid", "Acme"]);
        let org = text(&org, "id");
        let project = text(
            &gtm.json(&["project", "create", "--org", &org, "main"]),
            "id",
        );
        let secret = text(
            &gtm.json(&["key", "create", "--project", &project, "ci"]),
            "secret",
        );
        Some(Self {
            gtm,
            project,
            secret,
        })
    }

    fn bind(&self, settings: &Value) {
        let settings = settings.to_string();
        let made = self
            .gtm
            .command(&[
                "--json",
                "connection",
                "create",
                "--project",
                &self.project,
                "--provider",
                "people-data",
                "--credential-env",
                "api_key=PEOPLE_KEY",
                "--settings-json",
                &settings,
            ])
            .env("PEOPLE_KEY", KEY)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&made.stderr);
        assert!(made.status.success(), "{told}");
        let made: Value = serde_json::from_slice(&made.stdout).unwrap();
        let connection = text(&made, "id");
        let (project, capability) = (self.project.as_str(), "people.search");
        self.gtm.json(&[
            "binding",
            "create",
            "--project",
            project,
            "--capability",
            capability,
            "--connection",
            &connection,
        ]);
    }

    fn search(&self) -> Vec<&str> {
        vec![
            "prospecting",
            "search",
            &self.project,
            "--role",
            "Head of operations",
            "--company-domain",
            "acme-estates.example",
            "--country",
            "gb",
            "--limit",
            "5",
        ]
    }

    /// The ended job as the API shows it.
    fn ended(&self, server: &Server, job: &str) -> Value {
        let started = Instant::now();
        loop {
            let answer = server.get(&format!("/v1/jobs/{job}"), Some(&self.secret));
            let shown = body(&answer.unwrap());
            if ["succeeded", "failed"].contains(&shown["status"].as_str().unwrap()) {
                return shown;
            }
            let waited = started.elapsed();
            assert!(
                waited < Duration::from_secs(120),
                "{shown}: {}",
                server.log()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn candidates(&self, server: &Server, job: &str) -> (String, Value) {
        let path = format!("/v1/jobs/{job}/candidates");
        let answer = server.get(&path, Some(&self.secret)).unwrap();
        let shown = body(&answer);
        (answer, shown)
    }
}

#[test]
fn people_become_candidates_that_a_person_decides_about() {
    let provider = Provider::finds_two();
    let Some(searcher) = Searcher::new(&provider) else {
        return;
    };
    let gtm = &searcher.gtm;
    let made = gtm.json(&[&searcher.search()[..], &["--expires-in-days", "7"]].concat());
    let job = text(&made, "id");
    assert_eq!(made["status"], "queued");
    assert_eq!(made["input"]["operation"], "search");
    let server = searcher.gtm.serve();
    let ended = searcher.ended(&server, &job);
    assert_eq!(ended["status"], "succeeded", "{ended}");
    assert_eq!(ended["type"], "prospecting");
    assert_eq!(ended["usage"]["candidates"], 2);
    assert_eq!(ended["usage"]["cost_usd"], 0.84, "three records");
    assert_eq!(ended["result"]["found"], 3);
    assert_eq!(ended["result"]["left_out"]["no_address"], 1);

    let asked = provider.asked();
    assert_eq!(asked.len(), 1);
    let (head, query) = &asked[0];
    assert!(
        head.starts_with("POST /v5/person/search HTTP/1.1"),
        "{head}"
    );
    assert!(head.to_lowercase().contains(&format!("x-api-key: {KEY}")));
    assert_eq!(query["size"], 5);
    assert_eq!(
        query["query"]["bool"]["must"][2],
        json!({"terms": {"job_company_location_country": ["united kingdom"]}})
    );

    let (answer, shown) = searcher.candidates(&server, &job);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let list = shown["candidates"].as_array().unwrap();
    assert_eq!(list.len(), 2);
    let sam = &list[0];
    assert_eq!(sam["synthetic"], true, "a fixture makes up its people");
    assert_eq!(sam["qualification"]["status"], "pending");
    assert_eq!(sam["person"]["full_name"], "Sam Okafor");
    assert_eq!(sam["company"]["country"], "GB");
    assert_eq!(sam["address"]["masked"], "s***@acme-estates.example");
    let evidence = &sam["evidence"][0];
    assert_eq!(evidence["kind"], "address_provenance");
    assert_eq!(evidence["address_source_class"], "licensed_provider");
    assert_eq!(evidence["source_label"], "People Data Labs");
    assert_eq!(evidence["id"], sam["address"]["address_evidence_id"]);
    assert_eq!(
        evidence["url"],
        format!("{}/v5/person/search", provider.url)
    );
    assert!(text(sam, "expires_at") < text(&made, "expires_at"));
    let everything = format!("{answer}{ended}").to_lowercase();
    for hidden in ["okafor@", "ada@", KEY] {
        assert!(!everything.contains(hidden), "{hidden}");
    }

    let prospect = text(sam, "id");
    let decide = ["prospecting", "qualify", &job, &prospect, "--status"];
    let accepted = gtm.json(&[&decide[..], &["accepted", "--reason", "ICP match"]].concat());
    assert_eq!(accepted["qualification"]["status"], "accepted");
    let (_, shown) = searcher.candidates(&server, &job);
    let decision = &shown["candidates"][0]["qualification"];
    assert_eq!(decision["status"], "accepted");
    assert_eq!(decision["reason"], "ICP match");
    assert!(decision["decided_at"].is_string());
    let entries = gtm.json(&["audit", "list", "--action", "prospect.qualified"]);
    assert_eq!(entries["entries"][0]["resource"]["id"], prospect.as_str());
    let told = gtm.fails(
        1,
        &[
            &decide[..],
            &["rejected", "--reason", "ask ada@acme-estates.example"],
        ]
        .concat(),
    );
    assert!(told.contains("anybody's address"), "{told}");
    let nobody = "prs_01jz9b0a1b2c3d4e5f6g7h8j9k";
    let told = gtm.fails(
        1,
        &[
            "prospecting",
            "qualify",
            &job,
            nobody,
            "--status",
            "accepted",
        ],
    );
    assert!(told.contains("has no candidate"), "{told}");
    drop(server);
    let replayed = gtm.json(&["job", "replay", &job]);
    assert_eq!(replayed["matches"], true, "{replayed}");
    let shown = String::from_utf8(gtm.run(&["prospecting", "show", &job]).stdout).unwrap();
    assert!(
        shown.contains("s***@") && !shown.contains("okafor@"),
        "{shown}"
    );

    // Eve is no candidate, but the provider's answer tells of the others.
    let erased = gtm.json(&["prospecting", "erase", "sam.okafor@acme-estates.example"]);
    assert_eq!(erased["erased"], 1);
    assert_eq!(erased["answers_erased"], 1);
    let receipts = gtm.json(&["job", "receipts", &job]);
    assert_eq!(receipts["receipts"], json!([]));
    assert_eq!(gtm.json(&["audit", "verify"])["sound"], true);
    assert_eq!(gtm.json(&["ledger", "verify"])["balanced"], true);
}

#[test]
fn a_killed_search_is_resumed_and_never_made_twice() {
    let provider = Provider::finds_two();
    let Some(searcher) = Searcher::new(&provider) else {
        return;
    };
    for (point, resumes, requests) in [
        ("claim.after", true, 1),
        ("step.start.before", true, 1),
        ("step.start.after", false, 0),
        ("step.call.after", false, 1),
        ("step.settle.after", true, 1),
        ("finish.before", true, 1),
        ("finish.after", true, 1),
    ] {
        let before = provider.asked().len();
        let mut dying = searcher.gtm.serve_with(&[("GTM_FAIL_POINT", point)]);
        let job = text(&searcher.gtm.json(&searcher.search()), "id");
        let started = Instant::now();
        while dying.child.try_wait().unwrap().is_none() {
            let waited = started.elapsed();
            assert!(waited < Duration::from_secs(60), "{point}: it goes on");
            std::thread::sleep(Duration::from_millis(20));
        }
        let server = searcher.gtm.serve();
        let ended = searcher.ended(&server, &job);
        assert_eq!(provider.asked().len() - before, requests, "{point}");
        let (answer, shown) = searcher.candidates(&server, &job);
        let found = shown["candidates"].as_array().map_or(0, Vec::len);
        if resumes {
            assert_eq!(ended["status"], "succeeded", "{point}: {ended}");
            assert_eq!(ended["usage"]["cost_usd"], 0.84, "{point}");
            assert_eq!(found, 2, "{point}: {answer}");
        } else {
            assert_eq!(
                ended["error"]["code"], "provider_outcome_unknown",
                "{point}"
            );
            assert_eq!(ended["usage"]["cost_usd"], 0.0, "{point}");
            assert_eq!(found, 0, "{point}: {answer}");
        }
    }
    assert_eq!(searcher.gtm.json(&["ledger", "verify"])["balanced"], true);
}

#[test]
fn a_provider_that_refuses_leaves_no_candidates() {
    for (status, kind, code, provider_code) in [
        (
            401,
            "authentication_error",
            "connector_credentials_rejected",
            "http_401",
        ),
        (
            402,
            "payment_required",
            "quota_exceeded",
            "provider_credit_exhausted",
        ),
        (429, "rate_limit_error", "connector_unavailable", "http_429"),
        (500, "api_error", "connector_unavailable", "http_500"),
    ] {
        let error = json!({"type": kind, "message": "Sam.Okafor@acme-estates.example"});
        let provider = Provider::start(status, 0, &json!({"status": status, "error": error}));
        let Some(searcher) = Searcher::new(&provider) else {
            return;
        };
        let job = text(&searcher.gtm.json(&searcher.search()), "id");
        let server = searcher.gtm.serve();
        let ended = searcher.ended(&server, &job);
        assert_eq!(ended["error"]["code"], code, "{ended}");
        assert_eq!(ended["error"]["details"]["failure_code"], provider_code);
        assert_eq!(ended["usage"]["cost_usd"], 0.0);
        assert_eq!(ended["usage"]["candidates"], Value::Null);
        assert!(!ended.to_string().contains("Okafor"), "{ended}");
        let (_, shown) = searcher.candidates(&server, &job);
        assert_eq!(shown["candidates"], json!([]));
    }
    let none =
        json!({"status": 404, "error": {"type": "not_found", "message": "No records"}, "total": 0});
    let provider = Provider::start(404, 0, &none);
    let Some(searcher) = Searcher::new(&provider) else {
        return;
    };
    let job = text(&searcher.gtm.json(&searcher.search()), "id");
    let server = searcher.gtm.serve();
    let ended = searcher.ended(&server, &job);
    assert_eq!(ended["status"], "succeeded", "{ended}");
    assert_eq!(ended["usage"]["candidates"], 0);
}

#[test]
fn what_would_fail_for_certain_is_told_at_once() {
    let provider = Provider::finds_two();
    let Some(searcher) = Searcher::unbound(&provider) else {
        return;
    };
    let gtm = &searcher.gtm;
    let told = gtm.fails(1, &searcher.search());
    for part in [
        "no connection is bound to people.search",
        "gtm binding create",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    searcher.bind(&json!({ "base_url": provider.url }));
    let told = gtm.fails(1, &searcher.search());
    assert!(told.contains("prices.per_record_usd"), "{told}");
    searcher.bind(&json!({"base_url": provider.url, "prices": {"per_record_usd": 2}}));
    let told = gtm.fails(1, &searcher.search());
    assert!(told.contains("a lower --limit costs less"), "{told}");
    let project = searcher.project.as_str();
    let told = gtm.fails(2, &["prospecting", "search", project, "--country", "GB"]);
    assert!(told.contains("--role"), "{told}");
    for option in [
        ["--country", "UK"],
        ["--limit", "0"],
        ["--limit", "101"],
        ["--company-domain", "no domain"],
    ] {
        let search = ["prospecting", "search", project, "--role", "cfo"];
        gtm.fails(2, &[&search[..], &option].concat());
    }
    assert_eq!(
        gtm.json(&["prospecting", "list"])["prospecting_jobs"],
        json!([])
    );
    assert_eq!(provider.asked().len(), 0);
}
