//! A provider that counts arrivals: the manifest's limits hold on the wire, for all tenants of an account
//! together, retries and redirects included.

use std::time::Instant;

use gtm_domain::FailureKind;

use super::*;

const LIMIT: usize = 6;
const WINDOW: Duration = Duration::from_millis(400);
const CONCURRENT: usize = 3;
/// Minimum time that the provider takes.
const ANSWER: Duration = Duration::from_millis(40);

/// A provider that records when each request arrived, and answers the first one to each path with 503.
async fn provider(fails_first: bool) -> (Server, Arc<Mutex<Vec<Instant>>>) {
    let arrivals: Arc<Mutex<Vec<Instant>>> = Arc::default();
    let (noted, seen) = (arrivals.clone(), Mutex::new(Vec::new()));
    let server = Server::start(move |_, request| {
        noted.lock().unwrap().push(Instant::now());
        let path = request.lines().next().unwrap_or_default().to_owned();
        let mut seen = seen.lock().unwrap();
        let status = if fails_first && !seen.contains(&path) {
            seen.push(path);
            503
        } else {
            200
        };
        let Reply::Bytes(answer) = Reply::with(status, &[("retry-after", "0")], "ok") else {
            panic!("an answer is bytes");
        };
        Reply::Slow(vec![answer], ANSWER)
    })
    .await;
    (server, arrivals)
}

fn of_tenant(server: &Server, tenant: usize) -> CallGrant {
    let rate = json!({
        "policies": [{"limit": LIMIT, "window_ms": WINDOW.as_millis()}],
        "max_concurrent": CONCURRENT,
        "retry": {"statuses": [503], "max_attempts": 3},
    });
    let mut grant = grant_for(server, json!({ "rate": rate }));
    grant.limit_key = Some(LimitKey {
        account: "conn_1/1.0.0".to_owned(),
        tenant: format!("prj_{tenant}"),
        operation: "search".to_owned(),
    });
    grant
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_never_sees_more_than_its_manifest_allows() {
    let (server, arrivals) = provider(true).await;
    let gate = loopback_gate();
    let calls = (0..18).map(|n| {
        let (gate, grant) = (gate.clone(), of_tenant(&server, n % 3));
        let url = server.url(&format!("/{n}"));
        tokio::spawn(async move { gate.send(&grant, HttpRequest::get(url)).await })
    });
    let calls: Vec<_> = calls.collect();
    for call in calls {
        let done = call.await.unwrap();
        assert_eq!(
            (done.result.unwrap().status, done.receipt.attempts),
            (200, 2)
        );
    }
    let mut arrivals = arrivals.lock().unwrap().clone();
    arrivals.sort_unstable();
    assert_eq!(arrivals.len(), 36, "each was answered 503 once");
    for span in arrivals.windows(LIMIT + 1) {
        let within = span[LIMIT] - span[0];
        assert!(within >= WINDOW, "{} requests in {within:?}", LIMIT + 1);
    }
    // Each was in flight for as long as the provider took to answer.
    for span in arrivals.windows(CONCURRENT + 1) {
        let within = span[CONCURRENT] - span[0];
        assert!(within >= ANSWER, "{} in flight", CONCURRENT + 1);
    }
}

/// Control: without limits the same load exceeds both, so the test above can fail.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_limits_the_provider_sees_more() {
    let (server, arrivals) = provider(false).await;
    let gate = loopback_gate();
    let calls = (0..18).map(|n| {
        let (gate, mut grant) = (gate.clone(), of_tenant(&server, n % 3));
        grant.limit_key = None;
        let url = server.url(&format!("/{n}"));
        async move { gate.send(&grant, HttpRequest::get(url)).await }
    });
    futures::future::join_all(calls).await;
    let arrivals = arrivals.lock().unwrap().clone();
    assert!(
        arrivals
            .windows(LIMIT + 1)
            .any(|s| s[LIMIT] - s[0] < WINDOW)
    );
    assert!(
        arrivals
            .windows(CONCURRENT + 1)
            .any(|s| s[CONCURRENT] - s[0] < ANSWER)
    );
}

#[tokio::test]
async fn a_wait_ends_with_the_call_and_sends_nothing() {
    let (server, arrivals) = provider(false).await;
    let gate = loopback_gate();
    let grant = of_tenant(&server, 0);
    // Open answers are in flight until they are read or dropped.
    let mut open = Vec::new();
    for n in 0..CONCURRENT {
        let request = HttpRequest::get(server.url(&format!("/{n}")));
        let Ok(exchange) = gate.open(&grant, request).await else {
            panic!("there is room");
        };
        open.push(exchange);
    }
    let canceled = of_tenant(&server, 1);
    let waiting = gate.send(&canceled, HttpRequest::get(server.url("/canceled")));
    let cancel = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        canceled.cancel.cancel();
    };
    let (done, ()) = tokio::join!(waiting, cancel);
    assert_eq!((code(&done), done.request_sent), ("canceled", false));

    let mut late = HttpRequest::get(server.url("/late"));
    late.timeout = Some(Duration::from_millis(100));
    let done = gate.send(&of_tenant(&server, 2), late).await;
    let failure = done.result.unwrap_err();
    assert_eq!(
        (failure.kind, failure.code.as_str(), done.request_sent),
        (FailureKind::RateLimited, "provider_rate_limit", false)
    );
    assert_eq!(arrivals.lock().unwrap().len(), CONCURRENT);

    open.pop();
    let done = gate
        .send(&grant, HttpRequest::get(server.url("/after")))
        .await;
    assert_eq!(done.result.unwrap().status, 200, "its place is free again");
}
