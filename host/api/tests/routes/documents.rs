//! `/v1/documents`: creating a job, and downloading its files.

use std::time::Duration;

use bytes::Bytes;
use gtm_domain::job::{Finish, NewFile, Product};
use gtm_domain::offer::OfferInput;
use gtm_domain::{Digest, FileId, Usage, WorkerId};
use gtm_store::uuid_v7;
use serde_json::{Value, json};

use crate::brands::{self, create as create_brand, post, read, succeed};
use crate::jobs::check;
use crate::world::{Answer, World};

const PATH: &str = "/v1/documents";
const BODY: &str = r#"{"brief":"A deck for Acme."}"#;
const PDF: &str = "application/pdf";

async fn send(world: &World, body: &Value) -> Answer {
    post(world, PATH, &[], &body.to_string()).await
}

/// A world with a default brand that has a guideline.
async fn world() -> (World, String) {
    let world = World::start().await;
    let brand = create_brand(&world, r#"{"company_name":"Northwind","is_default":true}"#).await;
    succeed(&world, &brand, 1).await;
    let id = brand.rsplit('/').next().unwrap().to_owned();
    (world, id)
}

/// Ends the queued job with these files: names and media types.
async fn end_with(world: &World, files: &[(&str, &str, Bytes)]) -> Vec<String> {
    let now = world.clock_now();
    let worker = WorkerId::from_uuid(uuid_v7(now));
    let claimed = world
        .store
        .claim_jobs(worker, 1, 10, Duration::from_secs(60));
    let claimed = claimed.await.unwrap().jobs.remove(0);
    let new: Vec<NewFile> = files
        .iter()
        .map(|(name, media_type, bytes)| NewFile {
            id: FileId::from_uuid(uuid_v7(now)),
            name: (*name).to_owned(),
            media_type: (*media_type).to_owned(),
            bytes: bytes.clone(),
        })
        .collect();
    let ids = new.iter().map(|file| file.id.to_string()).collect();
    let listed: Vec<Value> = new.iter().map(|file| json!({"file_id": file.id})).collect();
    let finish = Finish::Succeeded {
        result: json!({"files": listed}),
        product: Product::Files(new),
    };
    let ended = world.store.finish(&claimed.lease, finish, Usage::default());
    ended.await.unwrap();
    ids
}

/// A job with one PDF of 100,000 bytes: its path without the id of the file, and the path of the file.
async fn made(world: &World) -> (String, String, Bytes) {
    let answer = post(world, PATH, &[], BODY).await;
    assert_eq!(answer.status, 202, "{}", answer.json());
    let job = answer.json()["id"].as_str().unwrap().to_owned();
    let bytes: Bytes = (0..100_000_u32).map(|n| n.to_le_bytes()[0]).collect();
    let ids = end_with(world, &[("Übersicht 1.pdf", PDF, bytes.clone())]).await;
    let files = format!("{PATH}/{job}/files");
    (files.clone(), format!("{files}/{}", ids[0]), bytes)
}

#[tokio::test]
async fn a_job_is_accepted_with_everything_bound() {
    let (world, brand) = world().await;
    let body = json!({
        "brief": " A deck. ", "document_type": "deck", "format": "pptx", "brand": brand,
        "target_domain": "https://www.Acme.example/de", "template_urls": ["https://acme.example/a.pdf"],
        "title": "Metering", "external_ref": "crm-7",
    });
    let key = [("idempotency-key", "order-1")];
    let first = post(&world, PATH, &key, &body.to_string()).await;
    let job = first.json();
    assert_eq!(first.status, 202, "{job}");
    check("DocumentJobResponse", &job);
    assert_eq!(
        (&job["type"], &job["status"]),
        (&json!("documents"), &json!("queued"))
    );
    assert_eq!(job["input"]["target_domain"], "acme.example");
    assert_eq!(job["input"]["offer"], Value::Null, "defaults appear");
    let stages: Vec<&str> = (job["stages"].as_array().unwrap().iter())
        .map(|stage| stage["key"].as_str().unwrap())
        .collect();
    assert_eq!(stages, ["plan", "compose", "render"]);
    let again = post(&world, PATH, &key, &body.to_string()).await;
    assert_eq!((again.status.as_u16(), &again.body), (202, &first.body));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    let other = post(&world, PATH, &key, BODY).await;
    assert_eq!(other.error(), (409, "idempotency_key_reused".to_owned()));
    let listed = read(&world, "/v1/jobs?type=documents", &[]).await.json();
    assert_eq!(listed["jobs"].as_array().unwrap().len(), 1);
    check("JobList", &listed);
}

#[tokio::test]
async fn what_cannot_be_bound_is_refused_by_its_own_code() {
    let world = World::start().await;
    let refused = async |body: Value| {
        let answer = send(&world, &body).await;
        let (status, code) = answer.error();
        let reason = answer.json()["error"]["details"]["reason"].clone();
        (status, code, reason.as_str().unwrap_or_default().to_owned())
    };
    let told = |status: u16, code: &str, reason: &str| (status, code.to_owned(), reason.to_owned());
    let missing = "missing_default_brand_profile";
    let none = refused(json!({"brief": "A"})).await;
    assert_eq!(none, told(409, missing, "no_default"));
    let brand = create_brand(&world, r#"{"company_name":"Northwind","is_default":true}"#).await;
    let id = brand.rsplit('/').next().unwrap().to_owned();
    let with = |brand: &str| json!({"brief": "A", "brand": brand});
    let early = refused(with("northwind")).await;
    assert_eq!(early, told(409, "brand_guideline_missing", "no_guideline"));
    for unknown in ["absent", "brd_01jz8q6t7n4w3r9k2m5x0v1c8d", "No-Key!"] {
        let absent = refused(with(unknown)).await;
        assert_eq!(absent, told(404, "brand_not_found", "unknown"), "{unknown}");
    }
    succeed(&world, &brand, 1).await;

    let operator = world.store.operator();
    let content = OfferInput::read(&json!({"name": "Meters"}))
        .unwrap()
        .content;
    let made = operator.create_offer(world.organization, "meters".parse().unwrap(), content);
    let offer = made.await.unwrap().offer.id;
    let selling = |offer: &str| json!({"brief": "A", "offer": offer});
    let draft = refused(selling("meters")).await;
    assert_eq!(draft, told(404, "offer_not_found", "not_approved"));
    let absent = refused(selling("absent")).await;
    assert_eq!(absent, told(404, "offer_not_found", "unknown"));
    operator.approve_offer(offer, Some(1), "Ada").await.unwrap();
    let sold = send(&world, &selling(&offer.to_string())).await;
    assert_eq!(sold.status, 202, "{}", sold.json());
    operator.archive_offer(offer).await.unwrap();
    assert_eq!(
        refused(selling("meters")).await,
        told(409, "offer_archived", "")
    );

    operator.archive_brand(id.parse().unwrap()).await.unwrap();
    let archived = refused(with(&id)).await;
    assert_eq!(archived, told(404, "brand_not_found", "archived"));
    let (status, code, _) = refused(json!({"brief": "A"})).await;
    assert_eq!((status, code.as_str()), (409, missing));
    let invalid = send(&world, &json!({"format": "odt"})).await;
    assert_eq!(invalid.error(), (422, "invalid_request".to_owned()));
    let violations = &invalid.json()["error"]["details"]["violations"];
    assert_eq!(violations.as_array().unwrap().len(), 2, "{violations}");
}

#[tokio::test]
async fn who_may_not_write_documents_is_told() {
    let (world, _) = world().await;
    let reader = world.new_key("files:read,jobs:read", None).await;
    let answer = brands::send(&world, "POST", PATH, &reader, &[], BODY).await;
    assert_eq!(answer.error(), (403, "forbidden".to_owned()));
    let writer = world.new_key("documents:write", None).await;
    let (_, file, _) = made(&world).await;
    let answer = brands::send(&world, "GET", &file, &writer, &[], "").await;
    assert_eq!(answer.error(), (403, "forbidden".to_owned()));
    let answer = brands::send(&world, "GET", &file, &reader, &[], "").await;
    assert_eq!(answer.status, 200);
    let switched = world.store.operator();
    let documents = gtm_domain::Capability::DOCUMENTS;
    switched
        .set_capability(world.organization, documents, false)
        .await
        .unwrap();
    let answer = post(&world, PATH, &[], BODY).await;
    assert_eq!(answer.error(), (403, "capability_disabled".to_owned()));
}

#[tokio::test]
async fn a_file_is_an_attachment_that_nothing_runs() {
    let (world, _) = world().await;
    let (_, file, bytes) = made(&world).await;
    let answer = read(&world, &file, &[]).await;
    assert_eq!(
        (answer.status.as_u16(), answer.body.len()),
        (200, bytes.len())
    );
    assert_eq!(answer.body, bytes);
    let hex = Digest::of(&bytes).to_hex();
    let tag = format!("\"sha256-{hex}\"");
    for (name, value) in [
        ("content-type", PDF),
        ("content-length", "100000"),
        ("accept-ranges", "bytes"),
        ("etag", &tag),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "private, no-store"),
        (
            "content-disposition",
            "attachment; filename=\"_bersicht 1.pdf\"; filename*=UTF-8''%C3%9Cbersicht%201.pdf",
        ),
        (
            "content-security-policy",
            "default-src 'none'; frame-ancestors 'none'; sandbox",
        ),
    ] {
        assert_eq!(answer.header(name), Some(value), "{name}");
    }
    let digest = answer.header("content-digest").unwrap();
    assert!(
        digest.starts_with("sha-256=:") && digest.ends_with("=:"),
        "{digest}"
    );
    assert_eq!(answer.header("repr-digest"), Some(digest));

    let known = read(&world, &file, &[("if-none-match", &tag)]).await;
    assert_eq!((known.status.as_u16(), known.body.len()), (304, 0));
    let other = read(&world, &file, &[("if-none-match", "\"other\"")]).await;
    assert_eq!(other.status, 200);
    let head = brands::send(&world, "HEAD", &file, &world.key, &[], "").await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), Some("100000"));
}

#[tokio::test]
async fn a_part_of_a_file_is_sent() {
    let (world, _) = world().await;
    let (_, file, bytes) = made(&world).await;
    let tag = read(&world, &file, &[])
        .await
        .header("etag")
        .unwrap()
        .to_owned();
    for (range, want, part) in [
        ("bytes=0-9", 0..10, "bytes 0-9/100000"),
        ("bytes=99990-", 99_990..100_000, "bytes 99990-99999/100000"),
        ("bytes=-5", 99_995..100_000, "bytes 99995-99999/100000"),
        (
            "bytes=10000-59999",
            10_000..60_000,
            "bytes 10000-59999/100000",
        ),
    ] {
        let answer = read(&world, &file, &[("range", range)]).await;
        assert_eq!(answer.status, 206, "{range}");
        assert_eq!(answer.header("content-range"), Some(part));
        assert_eq!(answer.body, bytes[want], "{range}");
        assert_eq!(
            answer.header("content-digest"),
            None,
            "it would be that of the part"
        );
        assert!(answer.header("repr-digest").is_some());
    }
    let behind = read(&world, &file, &[("range", "bytes=100000-")]).await;
    assert_eq!(behind.error(), (416, "invalid_request".to_owned()));
    assert_eq!(behind.header("content-range"), Some("bytes */100000"));
    for headers in [
        [("range", "bytes=0-1,5-6"), ("accept", "*/*")],
        [("range", "bytes=0-9"), ("if-range", "\"other\"")],
    ] {
        let whole = read(&world, &file, &headers).await;
        assert_eq!(
            (whole.status.as_u16(), whole.body.len()),
            (200, bytes.len())
        );
    }
    let same = read(&world, &file, &[("range", "bytes=0-9"), ("if-range", &tag)]).await;
    assert_eq!(same.status, 206);
}

#[tokio::test]
async fn only_the_project_of_a_job_has_its_files_and_only_for_30_days() {
    let (world, _) = world().await;
    let answer = post(&world, PATH, &[], BODY).await;
    let job = answer.json()["id"].as_str().unwrap().to_owned();
    let none = "file_01jz8q7b0x5f8s1t4v6w9y2a3c";
    let early = read(&world, &format!("{PATH}/{job}/files/{none}"), &[]).await;
    assert_eq!(early.error(), (409, "not_ready".to_owned()));
    let odd = (
        "strange.bin",
        "application/x-strange",
        Bytes::from_static(b"x"),
    );
    let ids = end_with(&world, &[("a.pdf", PDF, Bytes::from_static(b"%PDF")), odd]).await;
    let strange = read(&world, &format!("{PATH}/{job}/files/{}", ids[1]), &[]).await;
    assert_eq!(
        strange.header("content-type"),
        Some("application/octet-stream")
    );
    let file = format!("{PATH}/{job}/files/{}", ids[0]);
    let shown = read(&world, &format!("/v1/jobs/{job}"), &[]).await.json();
    let listed = &shown["result"]["files"][0];
    assert_eq!(listed["download_path"], json!(file));
    assert!(listed["console_path"].as_str().unwrap().contains(&job));

    let stranger = world.stranger().await;
    let playbook = world.post(r#"{"target_company":"Acme"}"#, &[]).await.json();
    let playbook = playbook["id"].as_str().unwrap();
    for (path, key) in [
        (file.clone(), &stranger),
        (format!("{PATH}/{job}/files/{none}"), &world.key),
        (
            format!("{PATH}/job_01jz8q7b0x5f8s1t4v6w9y2a3c/files/{}", ids[0]),
            &world.key,
        ),
        (format!("{PATH}/{playbook}/files/{}", ids[0]), &world.key),
        (format!("{PATH}/{job}/files/nonsense"), &world.key),
        (format!("{PATH}/nonsense/files/{}", ids[0]), &world.key),
    ] {
        let answer = brands::send(&world, "GET", &path, key, &[], "").await;
        assert_eq!(answer.error(), (404, "not_found".to_owned()), "{path}");
    }
    world.clock.advance(Duration::from_secs(31 * 24 * 60 * 60));
    assert_eq!(
        read(&world, &file, &[]).await.error(),
        (410, "job_expired".to_owned())
    );
}
