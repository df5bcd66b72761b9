//! Two nodes and one Redis: they share a provider's window.
#![allow(clippy::unwrap_used)]

use std::time::Instant;

use gtm_api::rate_limit::redis::RedisConfig;

use super::*;

use gtm_test_support::redis as private_redis;

const LIMIT: u32 = 5;
const WINDOW: Duration = Duration::from_millis(300);

async fn node(url: String) -> Arc<dyn SharedWindows> {
    let config = RedisConfig {
        url,
        root_certificates: None,
        timeout: Duration::from_secs(2),
    };
    ProviderWindows::shared(&RedisWindows::start(&config).await.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_share_a_window_and_waits_are_exact() {
    let Some(server) = private_redis::server("nodes_share_a_window_and_waits_are_exact") else {
        return;
    };
    let nodes = [node(server.url()).await, node(server.url()).await];
    let started = Instant::now();
    let calls = (0..20).map(|n| {
        let node = Arc::clone(&nodes[n % 2]);
        tokio::spawn(async move {
            while let Some(pause) = node.admit("provider:conn_1:0", LIMIT, WINDOW).await {
                assert!(pause <= WINDOW, "{pause:?}");
                tokio::time::sleep(pause).await;
            }
            started.elapsed()
        })
    });
    let mut admitted = Vec::new();
    for call in calls.collect::<Vec<_>>() {
        admitted.push(call.await.unwrap());
    }
    admitted.sort_unstable();
    // The answer takes a moment to arrive after Redis has counted.
    let slack = Duration::from_millis(30);
    for span in admitted.windows(LIMIT as usize + 1) {
        let within = span[LIMIT as usize] - span[0];
        assert!(within + slack >= WINDOW, "{within:?}: {admitted:?}");
    }
    let other = nodes[0].admit("provider:conn_2:0", LIMIT, WINDOW).await;
    assert_eq!(other, None, "another account has its own window");
}

#[tokio::test]
async fn without_redis_each_node_counts_for_itself() {
    let node = node("redis://127.0.0.1:1".to_owned()).await;
    for _ in 0..3 {
        assert_eq!(node.admit("provider:conn_1:0", 1, WINDOW).await, None);
    }
}
