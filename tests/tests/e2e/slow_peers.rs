//! Thousands of peers read nothing or send almost nothing. Another client is still answered while they hold
//! their connections, however few files the process may open. How quickly is printed, not asserted: the peers
//! and the server share this machine with other tests.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use gtm_e2e::gtm_process::{Gtm, Options};
use gtm_e2e::patience::{FOR_EVER, answered};
use gtm_e2e::tenant::Tenant;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, Interest};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

/// Sets the number of peers.
const PEERS: &str = "GTM_TEST_SLOW_PEERS";
/// How many peers arrive each second at first.
const ARRIVALS: u64 = 1000;
/// How long they stay: longer than every deadline except that of a whole answer.
const SIEGE: Duration = Duration::from_secs(20);
/// How many answers each address must give while a quarter of the peers that it can hold are there.
const ANSWERS: usize = 3;
/// The default value, which other tests raise.
const PER_ADDRESS: (&str, &str) = ("GTM_LIMITS_CONNECTIONS_PER_ADDRESS", "64");
/// Stays below the limit per address.
const PEERS_PER_ADDRESS: usize = 60;
/// Files that the test needs for itself.
const OTHER_FILES: u64 = 512;

/// What a peer does instead of sending a request and reading the answer.
#[derive(Clone, Copy)]
enum Habit {
    /// Asks for a large file and does not read it.
    Unread,
    /// Sends forty requests and reads nothing.
    Pipelined,
    /// Sends one byte of its request head per second.
    Dribbling,
    /// Asks for a large file and reads one byte of it per second.
    Sipping,
    /// Sends nothing.
    Idle,
}

const HABITS: [Habit; 5] = [
    Habit::Unread,
    Habit::Pipelined,
    Habit::Dribbling,
    Habit::Sipping,
    Habit::Idle,
];

/// Number of peers that believe they are connected.
#[derive(Default)]
struct Held(AtomicUsize);

/// The source address of a group of peers. No other peer comes from 127.1.0.0/16.
fn source(group: usize) -> Ipv4Addr {
    let [high, low] = u16::try_from(group).unwrap().to_be_bytes();
    Ipv4Addr::new(127, 1, high, low)
}

async fn connect(from: Ipv4Addr, server: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    // Small buffers on this side, so that they absorb little of an answer.
    socket.set_recv_buffer_size(4096)?;
    socket.bind((from, 0).into())?;
    socket.connect(server).await
}

/// Whether the server has ended the connection, found without reading.
async fn has_ended(stream: &TcpStream) -> bool {
    let soon = Duration::from_millis(1);
    let ready = tokio::time::timeout(soon, stream.ready(Interest::READABLE)).await;
    ready.is_ok_and(|ready| ready.is_ok_and(|ready| ready.is_read_closed()))
        || !matches!(stream.take_error(), Ok(None))
}

async fn stay(mut stream: TcpStream, habit: Habit) {
    let asked = match habit {
        Habit::Unread | Habit::Sipping => {
            "GET /docs/redoc.standalone.js HTTP/1.1\r\nhost: a\r\n\r\n".to_owned()
        }
        Habit::Pipelined => "GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n".repeat(40),
        Habit::Dribbling => "GET /healthz HTTP/1.1\r\nhost: a\r\nx-slow: ".to_owned(),
        Habit::Idle => String::new(),
    };
    if stream.write_all(asked.as_bytes()).await.is_err() {
        return;
    }
    while !has_ended(&stream).await {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let gone = match habit {
            Habit::Dribbling => stream.write_all(b"a").await.is_err(),
            Habit::Sipping => !matches!(stream.read(&mut [0]).await, Ok(1)),
            Habit::Unread | Habit::Pipelined | Habit::Idle => false,
        };
        if gone {
            return;
        }
    }
}

/// Connects, stays until the server ends the connection, and connects again.
async fn besiege(from: Ipv4Addr, server: SocketAddr, habit: Habit, held: Arc<Held>) {
    loop {
        if let Ok(stream) = connect(from, server).await {
            held.0.fetch_add(1, Ordering::Relaxed);
            stay(stream, habit).await;
            held.0.fetch_sub(1, Ordering::Relaxed);
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// Asks without a key, and expects status 200. Returns how long the answer took.
async fn asked(server: SocketAddr, path: &str) -> Duration {
    let asking = async {
        let mut stream = TcpStream::connect(server).await?;
        let head = format!("GET {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok::<_, std::io::Error>(answer)
    };
    let (answer, took) = answered(path, asking).await;
    let answer = answer.unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
    took
}

/// As many peers as this process can open files for, at most `wanted`.
fn allowed_peers(wanted: usize) -> usize {
    let limit = getrlimit(Resource::Nofile);
    let all = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    setrlimit(Resource::Nofile, all).unwrap();
    let files = limit
        .maximum
        .unwrap_or(u64::MAX)
        .saturating_sub(OTHER_FILES);
    wanted.min(usize::try_from(files).unwrap_or(usize::MAX))
}

fn open_files(gtm: &Gtm) -> usize {
    std::fs::read_dir(format!("/proc/{}/fd", gtm.pid())).map_or(0, Iterator::count)
}

async fn health_is_answered_under_siege(peers: usize, open_files_allowed: Option<u32>) {
    let operators = free_port();
    let mut gtm = Gtm::prepare(Options {
        open_files: open_files_allowed,
        env: vec![(PER_ADDRESS.0.to_owned(), PER_ADDRESS.1.to_owned())],
        extra_toml: format!(
            "metrics_listen = \"{operators}\"\n[limits]\nconnections = 30000\n[log]\nlevel = \"warn\"\n"
        ),
        ..Options::default()
    });
    let server = gtm.start();
    let held = Arc::new(Held::default());
    let began = Instant::now();
    let mut siege = JoinSet::new();
    for peer in 0..peers {
        let from = source(peer / PEERS_PER_ADDRESS);
        let habit = HABITS[peer % HABITS.len()];
        let comes = began + Duration::from_micros(peer as u64 * 1_000_000 / ARRIVALS);
        let held = Arc::clone(&held);
        siege.spawn(async move {
            tokio::time::sleep_until(comes.into()).await;
            besiege(from, server, habit, held).await;
        });
    }
    let until = SIEGE + Duration::from_secs(peers as u64 / ARRIVALS);
    let holdable = open_files_allowed.map_or(peers, |files| peers.min(files as usize));
    let enough_hold = |held: &Held| held.0.load(Ordering::Relaxed) > holdable / 4;
    let (mut all_took, mut most_held, mut most_files) = (Vec::new(), 0, 0);
    let mut besieged = [0; 3];
    while began.elapsed() < until || besieged.iter().any(|answers| *answers < ANSWERS) {
        assert!(
            began.elapsed() < FOR_EVER,
            "answers while peers were there: {besieged:?}"
        );
        let asks = [
            (server, "/healthz"),
            (server, "/readyz"),
            (operators, "/healthz"),
        ];
        for (count, (address, path)) in besieged.iter_mut().zip(asks) {
            // An answer that comes when the peers have gone says nothing, so they must be there before and after.
            let before = enough_hold(&held);
            all_took.push(asked(address, path).await);
            *count += usize::from(before && enough_hold(&held));
        }
        most_held = most_held.max(held.0.load(Ordering::Relaxed));
        most_files = most_files.max(open_files(&gtm));
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    all_took.sort_unstable();
    let (asked_for, median) = (all_took.len(), all_took[all_took.len() / 2]);
    let slowest = all_took[asked_for - 1];
    println!(
        "{peers} slow peers, at most {most_held} connected at once, {most_files} files open in the server: {asked_for} times health, median {median:?}, slowest {slowest:?}"
    );
    if let Some(allowed) = open_files_allowed {
        assert!(most_files < allowed as usize, "{most_files} open files");
    } else {
        assert!(
            most_held > peers / 2,
            "only {most_held} of {peers} peers were held"
        );
    }
    siege.shutdown().await;
    // The API still has the files that it needs.
    let client = Tenant::create(&gtm, "Acme").client(&gtm);
    assert_eq!(client.get("/v1/usage").await.status, 200);
    assert!(!gtm.log().contains("could not accept"), "{}", gtm.log());
    assert!(gtm.alive());
}

fn free_port() -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousands_of_slow_peers_do_not_keep_others_out() {
    let wanted = std::env::var(PEERS).map_or(4_000, |text| text.parse().unwrap());
    health_is_answered_under_siege(allowed_peers(wanted), None).await;
}

/// More peers than the server may open files for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nor_where_the_server_may_open_few_files() {
    health_is_answered_under_siege(allowed_peers(2_500), Some(1024)).await;
}
