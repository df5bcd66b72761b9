//! Secrets: encrypted at rest, absent from every answer and log, and useless without the right
//! master key.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use gtm_e2e::Database;
use gtm_e2e::fake_model::{API_KEY, FakeModel, Reply};
use gtm_e2e::fake_site::{FakeSite, Page};
use serde_json::json;

use crate::{World, request, sample_site};

fn bytes_below(folder: &std::path::Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            out.extend(bytes_below(&path))
        } else {
            out.push((path.clone(), std::fs::read(&path).unwrap_or_default()))
        }
    }
    out
}

fn contains(haystack: &[u8], needle: &str) -> bool {
    haystack
        .windows(needle.len())
        .any(|w| w == needle.as_bytes())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_credential_is_nowhere_in_the_clear() {
    let model = FakeModel::start().await;
    let world = World::start_with(
        Database::Sqlite,
        "secrets",
        sample_site().await,
        &[model.address.to_string()],
        "",
    )
    .await
    .unwrap();
    let connection = world.tenant.bind_model(&world.gtm, &model);
    // The provider echoes the key in a body and in a header.
    let echo = json!({"error": {"message": format!("bad request with key {API_KEY}")}}).to_string();
    model.next(
        (0..8).map(|_| Reply::Status(400, vec![("x-echo", API_KEY.to_owned())], echo.clone())),
    );
    let job = world.client.playbook(&request()).await;
    assert!(!job.to_string().contains(API_KEY));
    assert!(!model.requests().is_empty(), "the key was used");
    let shown = world.gtm.cli(&["connection", "show", &connection]);
    assert!(!shown.to_string().contains(API_KEY), "{shown}");
    assert!(
        shown.to_string().contains("api_key"),
        "the field is listed as configured: {shown}"
    );
    for (path, bytes) in bytes_below(world.gtm.dir.path()) {
        assert!(
            !contains(&bytes, API_KEY),
            "the provider's key stands in {}",
            path.display()
        );
        let secret = world.client.key.split('_').nth(3).unwrap();
        assert!(
            !contains(&bytes, secret),
            "the API key's secret stands in {}",
            path.display()
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn evidence_is_readable_by_the_hosts_user_alone() {
    // Too long to be stored in a database row.
    let filler = "<p>Harbour Tools plans the inspections of cranes in ports.</p>".repeat(500);
    let page = format!("<html><body><h1>Harbour Tools</h1>{filler}</body></html>");
    let site = FakeSite::start([("/", Page::html(&page))]).await;
    let world = World::start(Database::Sqlite, "secrets", site)
        .await
        .unwrap();
    world.client.playbook(&request()).await;
    let blobs = bytes_below(&world.gtm.dir.path().join("blobs"));
    assert!(!blobs.is_empty(), "the page is kept in a file");
    for (path, _) in blobs {
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}: {mode:o}", path.display());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_master_key_stops_the_start() {
    let mut world = World::start(Database::Sqlite, "secrets", sample_site().await)
        .await
        .unwrap();
    assert!(world.gtm.terminate(Duration::from_secs(20)));
    let key = world.gtm.dir.path().join("master.key");
    let good = std::fs::read(&key).unwrap();
    std::fs::remove_file(&key).unwrap();
    let other = gtm_e2e::gtm_process::Gtm::prepare(world.gtm.options.clone());
    other.cli(&["org", "create", "Other"]);
    std::fs::copy(other.dir.path().join("master.key"), &key).unwrap();
    let output = world.gtm.cli_output(&["org", "list"], &[]);
    assert!(!output.status.success());
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("master key"), "{message}");
    std::fs::write(&key, good).unwrap();
    world.gtm.start();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_is_never_an_argument() {
    let world = World::start(Database::Sqlite, "secrets", sample_site().await)
        .await
        .unwrap();
    let arguments = [
        "connection",
        "create",
        "--project",
        &world.tenant.project,
        "--provider",
        "openai-compatible",
        "--setting",
        "base_url=http://127.0.0.1:1/v1",
        "--setting",
        "model=m",
        "--setting",
        "api_key=sk-123456789",
    ];
    let output = world.gtm.cli_output(&arguments, &[]);
    assert!(!output.status.success());
    assert!(
        !String::from_utf8_lossy(&output.stderr).contains("sk-123456789"),
        "the message repeats the secret"
    );
}
