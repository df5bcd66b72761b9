//! `gtm serve`: starting, requests while commands run on the same data directory, stopping.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

use crate::process::{Gtm, body, get, text};

#[test]
fn zero_configuration_serves_and_stops() {
    let gtm = Gtm::new();
    let mut server = gtm.serve();
    assert!(
        server.log().contains(&format!("http://{}", server.address)),
        "{}",
        server.log()
    );
    let mode = |name: &str| {
        std::fs::metadata(gtm.data().join(name))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!((mode("."), mode("master.key")), (0o700, 0o600));
    for name in [
        "gtm.db",
        "compile-cache.key",
        "compile-cache",
        "blobs",
        "blobs/blobs",
    ] {
        assert_eq!(mode(name) & 0o077, 0, "{name}");
    }

    // Commands work while the server runs, and the server sees their changes.
    let (_, key) = gtm.tenant();
    let created = server
        .send(
            "POST",
            "/v1/playbooks",
            Some(&key),
            r#"{"target_company":"Acme"}"#,
        )
        .unwrap();
    assert!(created.starts_with("HTTP/1.1 202"), "{created}");
    let id = text(&body(&created), "id");
    let started = Instant::now();
    let job = loop {
        let job = body(&server.get(&format!("/v1/jobs/{id}"), Some(&key)).unwrap());
        if job["finished_at"].is_string() {
            break job;
        }
        assert!(started.elapsed() < Duration::from_secs(120), "{job}");
        std::thread::sleep(Duration::from_millis(50));
    };
    // Nothing is bound, so the job fails, and nothing is made up.
    assert_eq!(
        (job["status"].as_str(), job["error"]["code"].as_str()),
        (Some("failed"), Some("backend_not_configured"))
    );
    assert_eq!(gtm.json(&["job", "show", &id])["status"], "failed");
    let events = body(
        &server
            .get(&format!("/v1/jobs/{id}/events"), Some(&key))
            .unwrap(),
    );
    assert_eq!(events["events"][0]["type"], "job.queued");

    assert!(server.terminate(), "{}", server.log());
    let log = server.log();
    assert!(
        log.contains("stopped") && !log.contains(&key),
        "no secret reaches the log:\n{log}"
    );
}

#[test]
fn a_server_without_its_catalog_folder_warns() {
    let gtm = Gtm::new();
    gtm.configure("catalog_dirs = [\"nowhere\"]\n");
    let server = gtm.serve();
    let log = server.log();
    let told = |line: &&str| line.contains("WARN") && line.contains("catalog");
    let warning = log.lines().find(told);
    let warning = warning.unwrap_or_else(|| panic!("no warning in {log}"));
    let folder = gtm.data().join("nowhere");
    for words in [folder.to_str().unwrap(), "cargo xtask plugins"] {
        assert!(warning.contains(words), "{words}: {warning}");
    }
}

#[test]
fn a_permission_under_a_mistyped_name_is_told() {
    let gtm = Gtm::new();
    gtm.configure("[egress]\nopen_web = [\"web-fetsh\"]\nfree_urls = [\"plabook\"]\n");
    let log = gtm.serve().log();
    for (setting, key) in [
        ("egress.open_web", "web-fetsh"),
        ("egress.free_urls", "plabook"),
    ] {
        let told =
            |line: &str| line.contains("WARN") && line.contains(setting) && line.contains(key);
        assert!(log.lines().any(told), "{setting}: {log}");
    }
}

#[test]
fn a_taken_port_is_told_at_once() {
    let gtm = Gtm::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let message = gtm.fails(1, &["serve", "--listen", &address]);
    assert!(
        message.contains(&address) && message.contains("--listen"),
        "{message}"
    );
}

#[test]
fn metrics_and_health_stand_on_a_port_of_their_own() {
    let gtm = Gtm::new();
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    gtm.configure(&format!(
        "metrics_listen = \"{port}\"\n[log]\nformat = \"json\"\n"
    ));
    let server = gtm.serve();
    let public = server.get("/metrics", None).unwrap();
    assert!(public.starts_with("HTTP/1.1 404"), "{public}");
    let metrics = get(port, "/metrics").unwrap();
    assert!(metrics.contains("gtm_http_requests_total"), "{metrics}");
    for path in ["/healthz", "/readyz"] {
        let answer = get(port, path).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    let line: serde_json::Value =
        serde_json::from_str(server.log().lines().next().unwrap()).unwrap();
    assert!(line["timestamp"].is_string(), "the log is JSON: {line}");
}
