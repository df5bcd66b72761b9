//! TLS: the checked address under the target's name, and no way back to plain HTTP with a credential.

use std::path::PathBuf;

use super::*;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _};
use tokio_rustls::TlsAcceptor;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/egress/tests/tls_fixtures"
    ))
    .join(name)
}

/// A TLS server for `api.example` and `cdn.example`; keeps the names that clients asked for.
async fn tls_server(
    handler: impl Fn(usize, &str) -> Reply + Send + Sync + 'static,
) -> (Server, Arc<Mutex<Vec<String>>>) {
    let chain = CertificateDer::pem_file_iter(fixture("server.pem"))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let key = PrivateKeyDer::from_pem_file(fixture("server-key.pem")).unwrap();
    let config = rustls::ServerConfig::builder_with_provider(Arc::new(
        rustls::crypto::aws_lc_rs::default_provider(),
    ))
    .with_safe_default_protocol_versions()
    .unwrap()
    .with_no_client_auth()
    .with_single_cert(chain, key)
    .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = Server {
        address: listener.local_addr().unwrap(),
        connections: Arc::default(),
        requests: Arc::default(),
        written: Arc::default(),
    };
    let names: Arc<Mutex<Vec<String>>> = Arc::default();
    let (connections, requests, seen) = (
        server.connections.clone(),
        server.requests.clone(),
        names.clone(),
    );
    let handler = Arc::new(handler);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(stream) = acceptor.accept(stream).await else {
                continue;
            };
            seen.lock().unwrap().push(
                stream
                    .get_ref()
                    .1
                    .server_name()
                    .unwrap_or_default()
                    .to_owned(),
            );
            let index = connections.fetch_add(1, Ordering::SeqCst);
            tokio::spawn(serve(
                stream,
                index,
                handler.clone(),
                requests.clone(),
                Arc::default(),
            ));
        }
    });
    (server, names)
}

fn trusting(port: u16, roots: Vec<PathBuf>) -> (EgressGate, CallGrant) {
    let names = ["api.example", "cdn.example", "other.example"];
    let resolver = names.iter().fold(FixedResolver::new(), |r, name| {
        r.with(name, &["127.0.0.1".parse().unwrap()])
    });
    let policy = EgressPolicy {
        resolver: ResolverChoice::Custom(Arc::new(resolver)),
        extra_root_certificates: roots,
        ..policy(&names)
    };
    let rules: Vec<_> = names
        .iter()
        .flat_map(|name| {
            [
                json!({ "host": name, "port": port }),
                json!({ "host": name, "scheme": "http", "port": port }),
            ]
        })
        .collect();
    let g = grant(json!({
        "egress": rules,
        "schemes": [{ "type": "api_key", "id": "key", "hosts": ["api.example"], "inject": [{ "in": "header", "name": "X-Api-Key", "value": "${credential.api_key}" }] }],
        "credentials": { "api_key": "canary-secret" },
    }));
    (gate_of(policy), g)
}

#[tokio::test]
async fn the_name_is_asked_for_and_checked() {
    let (server, names) = tls_server(|_, _| Reply::ok("secure")).await;
    let port = server.port();
    let (gate, g) = trusting(port, vec![fixture("root.pem")]);
    assert_eq!(
        body(
            &gate
                .send(
                    &g,
                    HttpRequest::get(format!("https://API.example.:{port}/"))
                )
                .await
        ),
        b"secure"
    );
    assert_eq!(*names.lock().unwrap(), ["api.example"]);
    assert!(
        server
            .request(0)
            .contains(&format!("host: api.example:{port}\r\n")),
        "{}",
        server.request(0)
    );
    let wrong = gate
        .send(
            &g,
            HttpRequest::get(format!("https://other.example:{port}/")),
        )
        .await;
    assert_eq!(
        (code(&wrong), wrong.receipt.attempts, wrong.request_sent),
        ("tls_failed", 1, false)
    );
}

#[tokio::test]
async fn an_unknown_issuer_is_not_trusted() {
    let (server, _) = tls_server(|_, _| Reply::ok("secure")).await;
    let (gate, g) = trusting(server.port(), vec![]);
    let done = gate
        .send(
            &g,
            HttpRequest::get(format!("https://api.example:{}/", server.port())),
        )
        .await;
    assert_eq!((code(&done), server.hits()), ("tls_failed", 0));
}

#[tokio::test]
async fn a_plain_server_is_no_secure_one() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let (gate, g) = trusting(port, vec![fixture("root.pem")]);
    let done = gate
        .send(&g, HttpRequest::get(format!("https://api.example:{port}/")))
        .await;
    assert_eq!((code(&done), done.request_sent), ("tls_failed", false));
}

#[tokio::test]
async fn a_credential_does_not_leave_https() {
    let (server, _) = tls_server(|_, request| {
        let host = request
            .lines()
            .find_map(|l| l.strip_prefix("host: "))
            .unwrap();
        Reply::redirect(302, &format!("http://{host}/plain"))
    })
    .await;
    let (gate, g) = trusting(server.port(), vec![fixture("root.pem")]);
    let request = HttpRequest {
        max_redirects: 5,
        ..HttpRequest::get(format!("https://api.example:{}/", server.port()))
    };
    let with = gate
        .send(
            &g,
            HttpRequest {
                credential: Some("key".into()),
                ..request.clone()
            },
        )
        .await;
    assert_eq!(
        (code(&with), server.hits(), with.receipt.attempts),
        ("redirect_not_allowed", 1, 1)
    );
    let without = gate.send(&g, request).await;
    assert_eq!(
        (code(&without), without.receipt.attempts),
        ("invalid_response", 2),
        "without one the plain hop is tried; this server doesn't speak it"
    );
}

#[test]
fn certificates_that_cannot_be_read_stop_the_start() {
    for path in [fixture("absent.pem"), fixture("../tls.rs")] {
        let policy = EgressPolicy {
            extra_root_certificates: vec![path],
            ..EgressPolicy::default()
        };
        let clock = Arc::new(ManualClock::at("2026-11-21T12:00:00Z".parse().unwrap()));
        assert!(matches!(
            EgressGate::new(policy, clock),
            Err(EgressConfigError::Certificates { .. })
        ));
    }
    let policy = EgressPolicy {
        private_hosts: vec![PrivateHost {
            host: "a b".into(),
            ..private_host("a")
        }],
        ..EgressPolicy::default()
    };
    assert!(matches!(
        EgressGate::new(
            policy,
            Arc::new(ManualClock::at("2026-11-21T12:00:00Z".parse().unwrap()))
        ),
        Err(EgressConfigError::PrivateHost(_))
    ));
}
