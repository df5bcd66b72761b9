//! Bodies of answers: a server on loopback answers with the input, and the egress gate reads it. The first
//! byte chooses the coding, the framing and whether a long body is cut short; the second byte chooses the
//! limit. The rest is the body, either as sent or before it is encoded.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use async_compression::tokio::bufread::{BrotliEncoder, DeflateEncoder, GzipEncoder, ZlibEncoder};
use gtm_domain::Timestamp;
use gtm_domain::clock::ManualClock;
use gtm_runtime::Credentials;
use gtm_runtime::egress::{
    CallBudget, CallGrant, EgressGate, EgressPolicy, GrantParts, HttpRequest, PrivateHost,
};
use gtm_runtime::manifest::{Egress, Rate};
use serde_json::json;
use tokio::io::AsyncReadExt as _;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

pub const TARGET: crate::Target = crate::Target {
    name: "body",
    run,
    dictionary: &[
        b"\x1f\x8b\x08",
        b"\x1f\x8b\x08\x04\0\0\0\0\0\x03\xff\xff",
        b"\x78\x9c",
        b"\x78\x01",
        b"\x03\0\0\0\0\0\0\0\0\0",
        b"\x01\x00\x00\xff\xff",
        b"\x0b\x02\x80",
        b"\xce\xb2\xcf\x81",
        b"\r\n",
        b"0\r\n\r\n",
        b"ffffffffffffffff\r\n",
    ],
};

/// The most bytes that a call may receive.
const BUDGET: u64 = 1 << 20;

struct World {
    answer: Arc<Mutex<Vec<u8>>>,
    port: u16,
    gate: EgressGate,
    runtime: Runtime,
}

static WORLD: LazyLock<World> = LazyLock::new(|| {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback");
    let port = listener.local_addr().expect("bound").port();
    let answer: Arc<Mutex<Vec<u8>>> = Arc::default();
    let served = Arc::clone(&answer);
    std::thread::spawn(move || serve(&listener, &served));
    let runtime = Runtime::new().expect("a runtime starts");
    let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_767_225_600_000)));
    let connectors = ["fuzz".to_owned()].into();
    let private = PrivateHost::new("127.0.0.1".to_owned(), port, connectors, false);
    let policy = EgressPolicy {
        private_hosts: vec![private.expect("a host")],
        retry_base: Duration::ZERO,
        exchange_timeout: Duration::from_secs(15),
        ..EgressPolicy::default()
    };
    let gate = {
        let _inside = runtime.enter();
        EgressGate::new(policy, clock).expect("a gate")
    };
    World {
        answer,
        port,
        gate,
        runtime,
    }
});

fn serve(listener: &TcpListener, answer: &Mutex<Vec<u8>>) {
    for stream in listener.incoming() {
        let Ok(mut stream) = stream else { continue };
        let mut head = Vec::new();
        let mut piece = [0; 1024];
        while !head.ends_with(b"\r\n\r\n") {
            match stream.read(&mut piece) {
                Ok(0) | Err(_) => break,
                Ok(count) => head.extend_from_slice(&piece[..count]),
            }
        }
        let bytes = answer.lock().expect("nobody panics with it").clone();
        // The gate may stop reading before everything is written.
        let _ = stream.write_all(&bytes);
    }
}

fn run(input: &[u8]) -> String {
    let (how, bound, rest) = match input {
        [how, bound, rest @ ..] => (*how, u64::from(*bound) * 64, rest),
        _ => return "too short".to_owned(),
    };
    let world = &*WORLD;
    let coding = how % 5;
    let encoded = how & 0x20 != 0;
    let body = if encoded {
        world.runtime.block_on(encode(coding, rest))
    } else {
        rest.to_vec()
    };
    let truncate = how & 0x40 != 0;
    let chunked = how & 0x80 != 0;
    *world.answer.lock().expect("nobody panics with it") = answer(coding, &body, chunked);
    let request = HttpRequest {
        max_body_bytes: Some(bound),
        truncate,
        ..HttpRequest::get(format!("http://127.0.0.1:{}/", world.port))
    };
    let grant = grant(world.port);
    let exchanged = world.runtime.block_on(world.gate.send(&grant, request));
    let name = ["identity", "gzip", "br", "zlib", "deflate"][usize::from(coding)];
    match exchanged.result {
        Ok(response) => {
            let length = response.body.len() as u64;
            assert!(length <= bound, "{length} bytes over a bound of {bound}");
            assert!(truncate || !response.truncated, "cut, though not asked for");
            if encoded && !response.truncated {
                assert_eq!(response.body.as_ref(), rest, "{name}: not what was coded");
            }
            if encoded && response.truncated {
                assert!(
                    rest.starts_with(&response.body),
                    "{name}: not its beginning"
                );
            }
            let cut = response.truncated;
            format!("{name} read, cut {cut}, empty {}", length == 0)
        }
        Err(failure) => {
            let fits = encoded && rest.len() as u64 <= bound;
            assert!(
                !fits || failure.code == "canceled",
                "{name}: a whole body within its bound fails: {failure}"
            );
            format!("{name} {}", failure.code)
        }
    }
}

fn answer(coding: u8, body: &[u8], chunked: bool) -> Vec<u8> {
    let mut answer = b"HTTP/1.1 200 OK\r\nconnection: close\r\n".to_vec();
    answer.extend_from_slice(match coding {
        1 => b"content-encoding: gzip\r\n".as_slice(),
        2 => b"content-encoding: br\r\n",
        3 | 4 => b"content-encoding: deflate\r\n",
        _ => b"",
    });
    if chunked {
        answer.extend_from_slice(b"transfer-encoding: chunked\r\n\r\n");
        for piece in body.chunks(100) {
            answer.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
            answer.extend_from_slice(piece);
            answer.extend_from_slice(b"\r\n");
        }
        answer.extend_from_slice(b"0\r\n\r\n");
    } else {
        answer.extend_from_slice(format!("content-length: {}\r\n\r\n", body.len()).as_bytes());
        answer.extend_from_slice(body);
    }
    answer
}

async fn encode(coding: u8, plain: &[u8]) -> Vec<u8> {
    let mut coded = Vec::new();
    let read = match coding {
        1 => GzipEncoder::new(plain).read_to_end(&mut coded).await,
        2 => BrotliEncoder::new(plain).read_to_end(&mut coded).await,
        3 => ZlibEncoder::new(plain).read_to_end(&mut coded).await,
        4 => DeflateEncoder::new(plain).read_to_end(&mut coded).await,
        _ => {
            coded.extend_from_slice(plain);
            Ok(0)
        }
    };
    read.expect("memory takes all");
    coded
}

fn grant(port: u16) -> CallGrant {
    let egress: Vec<Egress> = serde_json::from_value(json!([{
        "host": "${setting.base_url}",
        "methods": ["GET"],
        "private_network": "operator_opt_in",
    }]))
    .expect("a rule");
    CallGrant::for_call(GrantParts {
        connector: "fuzz",
        egress: &egress,
        open_web: false,
        schemes: &[],
        rate: &Rate::default(),
        limit_key: None,
        settings: &json!({ "base_url": format!("http://127.0.0.1:{port}") }),
        credentials: Credentials::default(),
        replay_safe: false,
        idempotency: None,
        budget: Arc::new(CallBudget::within(
            4,
            1 << 16,
            BUDGET,
            Duration::from_secs(15),
        )),
        cancel: CancellationToken::new(),
    })
    .expect("a grant")
}
