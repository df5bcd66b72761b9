#![allow(clippy::unwrap_used)]
use super::*;
use proptest::prelude::*;

mod agreement;

fn seen(parts: &[&[u8]]) -> RequestHeads {
    let mut heads = RequestHeads::new();
    for part in parts {
        heads.see(part);
    }
    heads
}

#[test]
fn both_lengths_are_found_in_either_order_and_behind_other_requests() {
    let before = "GET / HTTP/1.1\r\nhost: x\r\n\r\nPOST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc";
    for both in [
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n",
        "POST / HTTP/1.1\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n",
    ] {
        assert_eq!(seen(&[both.as_bytes()]).both_lengths(), Some(1));
        let behind = format!("{before}\r\n{both}");
        assert_eq!(seen(&[behind.as_bytes()]).both_lengths(), Some(3));
    }
    assert_eq!(seen(&[before.as_bytes()]).both_lengths(), None);
    // A body is no head, whatever it looks like.
    let body = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n";
    let outer = format!(
        "POST / HTTP/1.1\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    assert_eq!(seen(&[outer.as_bytes()]).both_lengths(), None);
}

/// A length is digits and nothing else, although `str::parse` takes more.
#[test]
fn a_length_is_digits() {
    assert_eq!(number(b"0"), Some(0));
    assert_eq!(number(b"30"), Some(30));
    for no_length in [
        "",
        "+3",
        "-3",
        "3,3",
        " 3",
        "3 ",
        "0x3",
        "18446744073709551616",
    ] {
        assert_eq!(number(no_length.as_bytes()), None, "{no_length:?}");
    }
}

/// A head is given up when it is longer than any that is read, and not before.
#[test]
fn a_head_that_is_too_long_ends_the_watching() {
    let start = b"GET / HTTP/1.1\r\nx: ";
    let filling = vec![b'a'; MAX_HEAD_BYTES - start.len()];
    let mut heads = seen(&[start, &filling]);
    assert_eq!((heads.last_watched(), heads.is_in_head()), (None, true));
    heads.see(b"a");
    assert_eq!((heads.last_watched(), heads.is_in_head()), (Some(1), false));
}

#[test]
fn an_unreadable_head_still_names_its_request() {
    let id = |head: &str| seen(&[head.as_bytes()]).request_id();
    assert_eq!(
        id("GET / HTTP/1.1\r\nX-Request-Id:  a-1 \r\nbad header\r\n\r\n").as_deref(),
        Some("a-1")
    );
    for none in [
        "GET / HTTP/1.1\r\nbad\r\n\r\n",
        "GET / HTTP/1.1\r\nx-request-id: a\r\nx-request-id: b\r\n\r\n",
        "GET / HTTP/1.1\r\nx-request-id: a b\r\n\r\n",
        "GET / HTTP/1.1\r\nx-request-id:\r\n\r\n",
    ] {
        assert_eq!(id(none), None, "{none}");
    }
}

proptest! {
    #[test]
    fn how_the_bytes_are_cut_changes_nothing(
        text in "(GET / HTTP/1.1\r\n|a: b\r\n|content-length: [0-9]{1,2}\r\n|transfer-encoding: chunked\r\n|\r\n|\n|[a-z]{1,5}){0,12}",
        size in 1usize..9,
    ) {
        let whole = seen(&[text.as_bytes()]);
        let cut = seen(&text.as_bytes().chunks(size).collect::<Vec<_>>());
        prop_assert_eq!(whole.both_lengths(), cut.both_lengths());
        prop_assert_eq!(whole.complete, cut.complete);
        prop_assert_eq!(whole.head(), cut.head());
    }

    #[test]
    fn nothing_is_too_odd_to_look_at(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let heads = seen(&[&bytes]);
        let _ = (heads.request_id(), heads.is_in_head());
    }
}
