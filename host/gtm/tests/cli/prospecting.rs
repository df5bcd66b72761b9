//! `gtm prospecting …`, and what the API shows of an imported job.

mod search;

use serde_json::{Value, json};

use crate::process::{Gtm, text};

fn file(gtm: &Gtm, name: &str, content: &str) -> String {
    let path = gtm.data().join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

fn candidates() -> Value {
    json!({ "candidates": [{
        "qualification": {"status": "accepted", "reason": null, "decided_at": "2026-03-01T12:10:00Z"},
        "person": {"first_name": "Sam", "full_name": "Sam Okafor"},
        "company": {"name": "Acme", "domain": "acme.example", "country": "GB"},
        "address": "Sam@acme.example",
        "evidence": [{
            "kind": "address_provenance", "url": "https://acme.example/team", "retrieved_at": "2026-03-01T12:00:00Z",
            "content": "<p>Sam Okafor</p>", "excerpt": "Sam Okafor", "address_source_class": "published_by_company",
        }],
    }]})
}

const CSV: &str = "\
address;qualification_status;full_name;evidence_kind;evidence_url;evidence_retrieved_at;evidence_content;evidence_excerpt;evidence_address_source_class
ada@acme.example;pending;Ada Byron;address_provenance;https://acme.example/team;2026-03-01T12:00:00Z;Ada Byron;Ada;published_by_company
";

#[test]
fn an_import_over_a_quota_is_refused_in_the_words_of_the_api() {
    let gtm = Gtm::new();
    let (project, _) = gtm.tenant();
    let path = file(&gtm, "candidates.json", &candidates().to_string());
    gtm.json(&["quota", "set", "--project", &project, "0"]);
    let refused = gtm.fails(
        1,
        &[
            "prospecting",
            "import",
            &path,
            "--project",
            &project,
            "--synthetic",
            "true",
        ],
    );
    assert!(
        refused.contains("The monthly job quota of the project is 0, so no job is accepted"),
        "{refused}"
    );
}

#[test]
fn an_import_of_nothing_is_told_as_such() {
    let gtm = Gtm::new();
    let (project, _) = gtm.tenant();
    for import in [
        &[
            "prospecting",
            "import",
            "-",
            "--project",
            &project,
            "--synthetic",
            "true",
        ][..],
        &[
            "suppression",
            "import",
            "-",
            "--project",
            &project,
            "--source",
            "s",
        ],
    ] {
        let said = gtm.fails(1, import);
        assert!(said.contains("nothing came on standard input"), "{said}");
    }
    let empty = file(&gtm, "empty.json", " \n");
    let said = gtm.fails(1, &["prospecting", "import", &empty, "--project", &project]);
    assert!(
        said.contains(&format!("there is nothing in {empty}")),
        "{said}"
    );
}

#[test]
fn a_job_that_has_ended_cannot_be_canceled() {
    let gtm = Gtm::new();
    let (project, _) = gtm.tenant();
    let made = imported_from_standard_input(&gtm, &project, &candidates().to_string());
    let said = gtm.fails(1, &["job", "cancel", &text(&made, "id")]);
    assert!(
        said.contains("had already succeeded") && said.contains("gtm job show"),
        "{said}"
    );
}

/// What a file says, on standard input.
fn imported_from_standard_input(gtm: &Gtm, project: &str, text: &str) -> Value {
    use std::io::Write as _;
    let mut command = gtm.command(&[
        "--json",
        "prospecting",
        "import",
        "-",
        "--project",
        project,
        "--synthetic",
        "true",
    ]);
    let mut child = command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(text.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{text}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn standard_input_is_json_or_csv() {
    let gtm = Gtm::new();
    let (project, _) = gtm.tenant();
    for text in [
        candidates().to_string(),
        CSV.to_owned(),
        format!("\u{feff}{CSV}"),
    ] {
        let job = imported_from_standard_input(&gtm, &project, &text);
        assert_eq!(job["candidates"].as_array().unwrap().len(), 1, "{job}");
    }
}

#[test]
fn candidates_are_imported_and_shown() {
    let gtm = Gtm::new();
    let (project, secret) = gtm.tenant();
    let path = file(&gtm, "candidates.json", &candidates().to_string());
    let import = ["prospecting", "import", &path, "--project", &project];
    let unsaid = gtm.fails(1, &import);
    assert!(
        unsaid.contains("/candidates/0/synthetic is required"),
        "{unsaid}"
    );
    let made = gtm.json(
        &[
            &import[..],
            &["--synthetic", "true", "--expires-in-days", "7"],
        ]
        .concat(),
    );
    let job = text(&made, "id");
    assert_eq!(made["status"], "succeeded");
    assert_eq!(
        made["result"],
        json!({"candidates": 1, "accepted": 1, "rejected": 0, "pending": 0, "synthetic": 1})
    );
    let sam = &made["candidates"][0];
    assert_eq!(sam["address"]["masked"], "s***@acme.example");
    assert_eq!(sam["synthetic"], true);
    assert!(text(sam, "expires_at") < text(&made, "expires_at"));
    assert!(!made.to_string().to_lowercase().contains("sam@"), "{made}");

    let csv = file(&gtm, "more.CSV", CSV);
    let more = gtm.json(&[
        "prospecting",
        "import",
        &csv,
        "--project",
        &project,
        "--synthetic",
        "false",
    ]);
    assert_eq!(more["result"]["pending"], 1);
    let list = gtm.json(&["prospecting", "list", "--project", &project]);
    let ids: Vec<String> = list["prospecting_jobs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| text(row, "id"))
        .collect();
    assert_eq!(ids, [text(&more, "id"), job.clone()]);

    let prospect = text(sam, "id");
    let show = ["prospecting", "show", &job, "--prospect", &prospect];
    let shown = gtm.json(&show);
    assert_eq!(shown["evidence"][0]["kind"], "address_provenance");
    assert_eq!(shown["address"]["in_clear"], Value::Null);
    let clear = gtm.json(&[&show[..], &["--address"]].concat());
    assert_eq!(clear["address"]["in_clear"], "sam@acme.example");
    let read = gtm.json(&["audit", "list", "--action", "prospect.address_shown"]);
    assert_eq!(read["entries"][0]["resource"]["id"], prospect.as_str());
    let printed = String::from_utf8(gtm.run(&show).stdout).unwrap();
    assert!(
        printed.contains("s***@acme.example") && !printed.contains("sam@"),
        "{printed}"
    );

    let server = gtm.serve();
    let answer = server
        .get(&format!("/v1/jobs/{job}"), Some(secret.as_str()))
        .unwrap();
    for part in [
        "\"type\":\"prospecting\"",
        "\"candidates\":1",
        "\"accepted\":1",
    ] {
        assert!(
            answer.replace(": ", ":").contains(part),
            "{part} in {answer}"
        );
    }
    assert!(!answer.contains("sam@"), "{answer}");
    drop(server);

    let erased = gtm.json(&["prospecting", "erase", "SAM@acme.example"]);
    assert_eq!(erased["erased"], 1);
    assert_eq!(erased["answers_erased"], 0);
    assert_eq!(erased["searches_under_way"], 0);
    let left = gtm.json(&["prospecting", "show", &job]);
    assert_eq!(left["candidates"], json!([]));
    let listed = || gtm.json(&["suppression", "platform", "list"])["do_not_contact"].clone();
    assert_eq!(listed(), json!([]));
    let again = ["prospecting", "erase", "sam@acme.example", "--suppress"];
    assert_eq!(gtm.json(&again)["suppressed"], true);
    assert_eq!(listed()[0]["source"], "erasure");
    let checked = gtm.run(&["suppression", "check", "sam@acme.example"]);
    assert_eq!(checked.status.code(), Some(1));
    assert_eq!(gtm.json(&["audit", "verify"])["sound"], true);
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let gtm = Gtm::new();
    let (project, _) = gtm.tenant();
    let import = |name: &str, content: &str| {
        let path = file(&gtm, name, content);
        let import = ["prospecting", "import", &path, "--project", &project];
        gtm.fails(1, &[&import[..], &["--synthetic", "true"]].concat())
    };
    let mut faulty = candidates();
    faulty["candidates"][0]["company"]["country"] = json!("UK");
    faulty["candidates"][0]["evidence"][0]["url"] = Value::Null;
    let told = import("faulty.json", &faulty.to_string());
    for part in [
        "nothing was imported",
        "/candidates/0/company/country must be a country",
        "/candidates/0/evidence/0/url is required",
        "gtm help prospecting import",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    let told = import(
        "faulty.csv",
        &CSV.replace("ada@acme.example;pending", "ada;pending"),
    );
    assert!(
        told.contains("line 2, column address, must be an e-mail address"),
        "{told}"
    );
    assert!(import("list.json", "address;kind\n").contains("must end with .csv"));
    let absent = "prj_01jz8p0a1b2c3d4e5f6g7h8j9k";
    let path = file(&gtm, "candidates.json", &candidates().to_string());
    gtm.fails(1, &["prospecting", "import", &path, "--project", absent]);
    gtm.fails(1, &["prospecting", "list", "--project", absent]);
    let told = gtm.fails(
        1,
        &["prospecting", "show", "job_01jz8p0a1b2c3d4e5f6g7h8j9k"],
    );
    assert!(told.contains("does not exist"), "{told}");
    let told = gtm.fails(2, &["prospecting", "erase", "sam"]);
    assert!(
        told.contains("it must be an e-mail address alone"),
        "{told}"
    );
    gtm.fails(
        2,
        &[
            "prospecting",
            "import",
            &path,
            "--project",
            &project,
            "--expires-in-days",
            "31",
        ],
    );
}

#[test]
fn a_job_is_charged_to_a_key() {
    let gtm = Gtm::new();
    let (project, _) = gtm.tenant();
    let keys = gtm.json(&["key", "list", "--project", &project]);
    let key = text(&keys["keys"][0], "id");
    gtm.json(&["key", "revoke", &key]);
    let path = file(&gtm, "candidates.json", &candidates().to_string());
    let import = [
        "prospecting",
        "import",
        &path,
        "--project",
        &project,
        "--synthetic",
        "true",
    ];
    let told = gtm.fails(1, &import);
    assert!(told.contains("has no active key"), "{told}");
    let told = gtm.fails(1, &[&import[..], &["--key", &key]].concat());
    assert!(told.contains("is revoked"), "{told}");
    let list = gtm.json(&["prospecting", "list"]);
    assert_eq!(list["prospecting_jobs"], json!([]));
}

#[test]
fn a_project_is_made_for_an_environment() {
    let gtm = Gtm::new();
    let org = text(&gtm.json(&["org", "create", "Acme"]), "id");
    let create = ["project", "create", "--org", &org];
    let made = gtm.json(&[&create[..], &["main"]].concat());
    assert_eq!(made["environment"], "production");
    let made = gtm.json(&[&create[..], &["--environment", "staging", "tests"]].concat());
    assert_eq!(made["environment"], "staging");
    let shown = gtm.json(&["project", "show", &text(&made, "id")]);
    assert_eq!(shown, made);
    let told = gtm.fails(2, &[&create[..], &["--environment", "live", "x"]].concat());
    assert!(told.contains("production, staging, development"), "{told}");
}
