//! A connector that receives a gigabyte costs the host disk space, not memory. It runs in a process of its
//! own, so that the measured memory is this call's.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

#[path = "plugins/fixtures.rs"]
#[allow(dead_code, reason = "this process needs few of them")]
mod fixtures;

use std::net::SocketAddr;
use std::os::unix::fs::MetadataExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use gtm_runtime::egress::KeptBody;
use gtm_runtime::{ConnectorOutcome, Runtime};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use fixtures::{catalog_dir, config, connector_call, start};

const MIB: u64 = 1 << 20;
/// Bytes of one answer: the most that the gate allows.
const BODY: u64 = 16 * MIB;
/// How much the host's memory may grow at most during the call: the guest's own 32 MiB, and pieces on their
/// way.
const MAY_GROW: u64 = 128 * MIB;

/// A server whose every answer is `BODY` bytes long.
async fn server() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = [0; 4096];
                let _ = stream.read(&mut request).await;
                let head = format!(
                    "HTTP/1.1 200 OK\r\ncontent-length: {BODY}\r\nconnection: close\r\n\r\n"
                );
                let piece = vec![b'x'; 1 << 18];
                let mut left = BODY;
                if stream.write_all(head.as_bytes()).await.is_err() {
                    return;
                }
                while left > 0 && stream.write_all(&piece).await.is_ok() {
                    left -= piece.len() as u64;
                }
            });
        }
    });
    address
}

async fn read(runtime: &Runtime, server: SocketAddr, times: u64) -> ConnectorOutcome {
    let url = format!("http://{server}/");
    let input = json!({ "url": url, "times": times });
    let mut call = connector_call(runtime, "greedy-connector", "read", input);
    call.settings = json!({ "base_url": url });
    call.deadline = std::time::Duration::from_secs(300);
    runtime.call_connector(call).await
}

/// Memory that this process uses now, in bytes.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    let kib: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kib * 1024
}

/// Samples the memory repeatedly.
struct Watch {
    ended: Arc<AtomicBool>,
    highest: JoinHandle<u64>,
}

impl Watch {
    fn start() -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&ended);
        let highest = std::thread::spawn(move || {
            let mut highest = 0;
            while !until.load(Ordering::SeqCst) {
                highest = memory().max(highest);
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            highest
        });
        Self { ended, highest }
    }

    fn highest(self) -> u64 {
        self.ended.store(true, Ordering::SeqCst);
        self.highest.join().unwrap()
    }
}

fn received(outcome: &ConnectorOutcome) -> u64 {
    outcome.exchanges.iter().map(|e| e.body.len()).sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_gigabyte_of_answers_is_refused_by_default_and_costs_no_memory_where_it_is_let() {
    let server = server().await;
    let runtime = start(config(vec![catalog_dir()])).await;
    let outcome = read(&runtime, server, 64).await;
    assert_eq!(
        outcome.result.as_ref().unwrap_err().code,
        "byte_budget_exceeded"
    );
    assert_eq!(received(&outcome), 64 * MIB);
    drop((outcome, runtime));

    let spool = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut config = config(vec![catalog_dir()]);
    config.limits.egress_bytes_in = 1024 * MIB;
    config.egress.spool_dir = spool.path().to_owned();
    let runtime = start(config).await;
    let before = memory();
    let watch = Watch::start();
    let outcome = read(&runtime, server, 64).await;
    let grown = watch.highest().max(memory()).saturating_sub(before);
    assert_eq!(outcome.result.as_ref().unwrap()["bytes"], 1024 * MIB);
    assert_eq!(received(&outcome), 1024 * MIB);
    println!(
        "1 GiB received: {} MiB more memory at the worst",
        grown / MIB
    );
    assert!(grown < MAY_GROW, "{} MiB", grown / MIB);
    for exchange in &outcome.exchanges {
        let KeptBody::Spooled(spooled) = &exchange.body else {
            panic!("{} bytes in memory", exchange.body.len());
        };
        let metadata = spooled.file().metadata().unwrap();
        assert_eq!((metadata.len(), metadata.nlink()), (BODY, 0));
        assert_eq!(
            exchange.receipt.response_digest,
            Some(exchange.body.digest())
        );
    }
    assert_eq!(std::fs::read_dir(spool.path()).unwrap().count(), 0);
}
