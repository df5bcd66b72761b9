//! `gtm job files`.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use gtm_domain::job::{Finish, NewFile, Product};
use gtm_domain::{Digest, FileId, JobId, JobType, MicroUsd, Timestamp, Usage};
use gtm_store::{NewJob, uuid_v7};
use serde_json::json;

use crate::process::{Gtm, text};
use crate::worker_side::{NOW, WorkerSide};

/// A succeeded job with a file.
async fn made(side: &WorkerSide, name: &str, content: Bytes) -> (JobId, FileId) {
    let new = NewJob {
        created_at: now(),
        ..side.job(JobType::Documents, MicroUsd::ZERO)
    };
    let id = new.id;
    side.store.create_job(&side.scope, new, None).await.unwrap();
    let claimed = side.claim().await;
    let file = NewFile {
        id: FileId::from_uuid(uuid_v7(NOW)),
        name: name.to_owned(),
        media_type: "application/pdf".to_owned(),
        bytes: content,
    };
    let file_id = file.id;
    let finish = Finish::Succeeded {
        result: json!({}),
        product: Product::Files(vec![file]),
    };
    let ended = side.store.finish(&claimed.lease, finish, Usage::default());
    ended.await.unwrap();
    (id, file_id)
}

/// The time by which the binary judges whether a job is past its retention.
#[expect(
    clippy::disallowed_methods,
    reason = "a process of its own cannot be given another clock"
)]
fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap())
}

#[tokio::test]
async fn files_of_a_job_are_listed_and_saved_once() {
    let gtm = Gtm::new();
    // Where the worker's side of these tests keeps its blobs.
    gtm.configure("blob_dir = \"blob\"\n");
    let side = WorkerSide::open(&gtm).await;
    let job = made(&side, "Übersicht.pdf", Bytes::from_static(b"%PDF-1.7")).await;
    let job = job.0.to_string();
    let listed = gtm.json(&["job", "files", &job]);
    let file = &listed["files"][0];
    assert_eq!(
        (&file["filename"], &file["size_bytes"]),
        (&json!("Übersicht.pdf"), &json!(8))
    );
    assert_eq!(file["content_digest"], json!(Digest::of(b"%PDF-1.7")));
    assert_eq!(file["path"], json!(null));

    let folder = gtm.data().join("saved/here");
    let to = folder.to_str().unwrap();
    let saved = gtm.json(&["job", "files", &job, "--output", to]);
    let path = folder.join("Übersicht.pdf");
    assert_eq!(saved["files"][0]["path"], json!(path));
    assert_eq!(fs::read(&path).unwrap(), b"%PDF-1.7");
    fs::write(&path, "changed").unwrap();
    let again = gtm.fails(1, &["job", "files", &job, "--output", to]);
    assert!(again.contains("Übersicht.pdf"), "{again}");
    assert_eq!(
        fs::read(&path).unwrap(),
        b"changed",
        "nothing is overwritten"
    );
    let absent = gtm.fails(1, &["job", "files", "job_01jz8q7b0x5f8s1t4v6w9y2a3c"]);
    assert!(absent.contains("job"), "{absent}");
}

#[tokio::test]
async fn a_server_sends_a_large_file_whole() {
    let gtm = Gtm::new();
    gtm.configure("blob_dir = \"blob\"\n");
    let side = WorkerSide::open(&gtm).await;
    let project = side.scope.project().to_string();
    let key = gtm.json(&["key", "create", "--project", &project, "reader"]);
    let key = text(&key, "secret");
    let content: String = (0..400_000).map(|n| format!("{n:07}\n")).collect();
    let (job, file) = made(&side, "large.pdf", Bytes::from(content.clone())).await;
    let server = gtm.serve();
    let path = format!("/v1/documents/{job}/files/{file}");
    let answer = server.get(&path, Some(&key)).unwrap();
    let (head, sent) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.contains("content-length: 3200000"), "{head}");
    assert!(
        head.contains("attachment; filename=\"large.pdf\""),
        "{head}"
    );
    assert!(sent == content, "{} bytes", sent.len());
    let answer = server.send("HEAD", &path, Some(&key), "").unwrap();
    let (head, sent) = answer.split_once("\r\n\r\n").unwrap();
    assert!(
        head.contains("content-length: 3200000") && sent.is_empty(),
        "{head}"
    );
}
