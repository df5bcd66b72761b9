//! What is watched must be what the library reads: heads that are made by chance, and broken by chance,
//! end where its parser says that they end, however the bytes are cut; and each request that the library
//! takes is the one that was seen.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, ready};

use http::{Request, Response};
use http_body_util::{BodyExt as _, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use proptest::prelude::*;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, DuplexStream, ReadBuf};

use super::{MAX_HEAD_BYTES, MAX_HEAD_FIELDS, RequestHeads};

/// Pieces of heads and bodies, right and wrong.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let known = proptest::sample::select(vec![
        "GET / HTTP/1.1\r\n",
        "POST /a?b HTTP/1.1\r\n",
        "GET /old HTTP/1.0\n",
        "GET  /  HTTP/1.1\r\n",
        "GET / HTTP/2.0\r\n",
        "PRI * HTTP/2.0\r\n\r\n",
        "host: a\r\n",
        "x-a:\r\n",
        "x-b : c\r\n",
        "x-c: \td \t\n",
        " folded\r\n",
        "no colon\r\n",
        "content-length: 3\r\n",
        "Content-Length: 3\r\n",
        "content-length: 0\r\n",
        "content-length: +3\r\n",
        "content-length: 3, 3\r\n",
        "content-length: 18446744073709551616\r\n",
        "transfer-encoding: chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "connection: close\r\n",
        "expect: 100-continue\r\n",
        "\r\n",
        "\r\n\r\n",
        "\n",
        "\n\n",
        "\r",
        "abc",
        "3\r\nabc\r\n0\r\n\r\n",
        "\0",
        "\u{fc}",
        ":",
        " ",
    ]);
    let known = known.prop_map(|text| text.as_bytes().to_vec());
    let whole = (0u8..4, 0usize..5).prop_map(|(fields, body)| {
        let field = "x-y: z\r\n".repeat(usize::from(fields));
        let body = "b".repeat(body);
        let length = body.len();
        format!("POST /w HTTP/1.1\r\nhost: a\r\n{field}content-length: {length}\r\n\r\n{body}")
            .into_bytes()
    });
    let many = (120usize..136).prop_map(|fields| {
        let fields = "a: b\r\n".repeat(fields);
        format!("GET /m HTTP/1.1\r\n{fields}\r\n").into_bytes()
    });
    prop_oneof![12 => known, 6 => whole, 1 => many]
}

/// Pieces in a row, of which some bytes are others afterwards.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let pieces = proptest::collection::vec(piece(), 1..12);
    let odd = prop_oneof![
        Just(b'\n'),
        Just(b'\r'),
        Just(b' '),
        Just(b':'),
        any::<u8>()
    ];
    let changes = proptest::collection::vec((any::<proptest::sample::Index>(), odd, 0u8..3), 0..3);
    (pieces, changes).prop_map(|(pieces, changes)| {
        let mut bytes = pieces.concat();
        for (place, byte, how) in changes {
            let place = place.index(bytes.len() + 1);
            match how {
                0 if place < bytes.len() => bytes[place] = byte,
                1 if place < bytes.len() => drop(bytes.remove(place)),
                _ => bytes.insert(place, byte),
            }
        }
        bytes
    })
}

/// What the parser says of bytes.
#[derive(Debug, Default)]
struct Parsed {
    /// Where heads end.
    ends: Vec<usize>,
    /// The head after those cannot be read.
    malformed: bool,
    /// The bytes from here on are neither read as heads nor known to be bodies.
    open_from: Option<usize>,
}

fn parsed(bytes: &[u8]) -> Parsed {
    let mut said = Parsed::default();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let mut fields = [httparse::EMPTY_HEADER; MAX_HEAD_FIELDS];
        let mut request = httparse::Request::new(&mut fields);
        match request.parse(rest) {
            Ok(httparse::Status::Complete(length)) => at += length,
            Ok(httparse::Status::Partial) => break,
            Err(_) => {
                said.malformed = true;
                break;
            }
        }
        said.ends.push(at);
        let of = |wanted: &str| -> Vec<&[u8]> {
            let fields = request.headers.iter();
            fields
                .filter(|field| field.name.eq_ignore_ascii_case(wanted))
                .map(|field| field.value)
                .collect()
        };
        let (codings, lengths) = (of("transfer-encoding"), of("content-length"));
        let length = match lengths.as_slice() {
            [] => Some(0),
            [first, others @ ..] => {
                let digits = first.iter().all(u8::is_ascii_digit);
                let same = others.iter().all(|other| other == first);
                let text = std::str::from_utf8(first).ok();
                text.and_then(|text| text.parse::<usize>().ok())
                    .filter(|_| digits && same)
            }
        };
        match length.filter(|_| codings.is_empty()) {
            Some(length) => at = at.saturating_add(length),
            None => {
                said.open_from = Some(at);
                break;
            }
        }
    }
    said
}

/// Heads that are watched, while the library reads them.
struct Tapped(DuplexStream, Arc<Mutex<RequestHeads>>);

impl AsyncRead for Tapped {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.0).poll_read(cx, buffer))?;
        self.1.lock().unwrap().see(&buffer.filled()[before..]);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Tapped {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        // Nobody listens.
        Poll::Ready(Ok(bytes.len()))
    }
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// The request of this number has come out of the library, which has read its head and nothing more.
fn is_the_one_that_was_seen(request: &Request<Incoming>, number: u64, heads: &RequestHeads) {
    let lost = heads.last_watched();
    if lost.is_some_and(|last| last < number) {
        return;
    }
    assert_eq!(heads.complete, number, "{request:?}");
    let mut fields = [httparse::EMPTY_HEADER; MAX_HEAD_FIELDS];
    let mut head = httparse::Request::new(&mut fields);
    assert!(head.parse(heads.head()).unwrap().is_complete());
    assert_eq!(head.method, Some(request.method().as_str()));
    let has = |wanted: &str| {
        let mut fields = head.headers.iter();
        fields.any(|field| field.name.eq_ignore_ascii_case(wanted))
    };
    let coded = request.headers().contains_key("transfer-encoding");
    assert_eq!(has("transfer-encoding"), coded);
    // Where the body ends is known, or it is known that it is not.
    assert_eq!(lost == Some(number), coded);
    assert_eq!(
        heads.both_lengths() == Some(number),
        coded && has("content-length")
    );
}

async fn served(bytes: &[u8]) -> u64 {
    // The library cannot read ahead of what it takes apart.
    let (ours, mut theirs) = tokio::io::duplex(1);
    let heads = Arc::new(Mutex::new(RequestHeads::new()));
    let requests = Arc::new(Mutex::new(0));
    let service = {
        let (heads, requests) = (Arc::clone(&heads), Arc::clone(&requests));
        service_fn(move |request: Request<Incoming>| {
            let number = {
                let mut requests = requests.lock().unwrap();
                *requests += 1;
                *requests
            };
            is_the_one_that_was_seen(&request, number, &heads.lock().unwrap());
            async move {
                let _ = request.into_body().collect().await;
                Ok::<_, Infallible>(Response::new(Empty::<Bytes>::new()))
            }
        })
    };
    let mut library = http1::Builder::new();
    library
        .max_headers(MAX_HEAD_FIELDS)
        .max_buf_size(MAX_HEAD_BYTES);
    let tapped = TokioIo::new(Tapped(ours, heads));
    let serving = library.serve_connection(tapped, service);
    let sending = async {
        // The library may end the connection before all is sent.
        let _ = theirs.write_all(bytes).await;
        drop(theirs);
    };
    let (_, ()) = tokio::join!(serving, sending);
    *requests.lock().unwrap()
}

proptest! {
    #[test]
    fn heads_end_where_the_parser_says(
        bytes in bytes(),
        cuts in proptest::collection::vec(1usize..40, 1..8),
    ) {
        let said = parsed(&bytes);
        let watched = bytes.get(..said.open_from.unwrap_or(bytes.len())).unwrap();
        let mut heads = RequestHeads::new();
        let mut ends = Vec::new();
        for (place, byte) in watched.iter().enumerate() {
            heads.see(&[*byte]);
            if heads.complete > ends.len() as u64 {
                ends.push(place + 1);
            }
        }
        prop_assert_eq!(&ends, &said.ends);
        let next = ends.len() as u64 + 1;
        if said.malformed {
            // It may not have ended yet; it is not taken for a head when it has.
            prop_assert!(heads.is_in_head() || heads.last_watched() == Some(next));
        } else if said.open_from.is_none() {
            prop_assert_eq!(heads.last_watched(), None);
        }
        let mut cut = RequestHeads::new();
        let mut rest = watched;
        for size in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (piece, later) = rest.split_at((*size).min(rest.len()));
            cut.see(piece);
            rest = later;
        }
        prop_assert_eq!(format!("{cut:?}"), format!("{heads:?}"));
    }

    #[test]
    fn each_request_of_the_library_was_seen(bytes in bytes()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(served(&bytes));
    }
}

/// The properties above mean nothing if the library takes nothing.
#[tokio::test]
async fn the_library_takes_what_is_right() {
    let right = b"\r\nPOST /w HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nab\
        GET / HTTP/1.1\n\nPOST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n";
    assert_eq!(served(right).await, 3);
}
