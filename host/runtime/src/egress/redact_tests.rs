//! Secrets in every spelling, whole and in pieces.
#![allow(clippy::unwrap_used)]

use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use proptest::prelude::*;

use super::*;

const SECRET: &str = "sk-live/9+ü\"q=&<canary>";

fn secrets(value: &str) -> Secrets {
    Secrets::of(std::iter::once(value)).0
}

#[test]
fn the_usual_encodings_are_cut_out() {
    let s = secrets(SECRET);
    let form: String = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("k", SECRET)
        .finish();
    for text in [
        SECRET.to_owned(),
        hex::encode(SECRET),
        hex::encode_upper(SECRET),
        STANDARD.encode(SECRET),
        URL_SAFE.encode(SECRET),
        STANDARD.encode(format!("user:{SECRET}")),
        STANDARD.encode(format!("u:{SECRET}:rest")),
        URL_SAFE.encode(format!("ab{SECRET}")),
        serde_json::json!({ "echo": SECRET }).to_string(),
        serde_json::json!({ "echo": SECRET })
            .to_string()
            .replace('/', "\\/"),
        form,
        utf8_percent_encode(SECRET, NON_ALPHANUMERIC).to_string(),
        SECRET
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
            .replace('"', "&quot;"),
    ] {
        let (clean, count) = s.clean(&format!("before {text} after"));
        assert_eq!(count, 1, "{text}");
        assert!(
            clean.starts_with("before ")
                && clean.ends_with(" after")
                && clean.contains(REPLACEMENT),
            "{clean}"
        );
        assert!(!clean.contains("canary"), "{clean}");
    }
}

#[test]
fn short_secrets_are_counted_and_left_alone() {
    let (s, short) = Secrets::of(["abc", "abcdef"].into_iter());
    assert_eq!(short, 1);
    assert_eq!(s.clean("abc abcdef"), ("abc [redacted]".to_owned(), 1));
}

#[test]
fn the_longest_secret_wins() {
    let (s, _) = Secrets::of(["canary", "canary-long"].into_iter());
    assert_eq!(
        s.clean("canary-long canary-lonx").0,
        "[redacted] [redacted]-lonx"
    );
}

#[test]
fn a_cut_body_does_not_end_within_a_secret() {
    let mut r = secrets("canary-value").redactor();
    let mut out = r.push(b"text canary-val");
    out.extend_from_slice(&r.finish_cut());
    assert_eq!(&out[..], b"text [redacted]");
    let mut r = secrets("canary-value").redactor();
    let mut out = r.push(b"text ca");
    out.extend_from_slice(&r.finish_cut());
    assert_eq!(&out[..], b"text ca", "two letters are no secret");
}

#[test]
fn a_stream_is_held_back_only_where_a_secret_may_begin() {
    let mut r = secrets("canary-value").redactor();
    assert_eq!(&r.push(b"data: 1\n\n")[..], b"data: 1\n\n");
    assert_eq!(&r.push(b"cana")[..], b"");
    assert_eq!(&r.push(b"l\n")[..], b"canal\n");
}

proptest! {
    #[test]
    fn pieces_give_what_the_whole_gives(secret in "[a-zA-Z0-9/+._-]{6,40}", noise in ".{0,60}", cuts in prop::collection::vec(0usize..300, 0..8)) {
        let s = secrets(&secret);
        let text = format!("{noise}{secret}{noise}{}", STANDARD.encode(format!("x{secret}")));
        let (whole, count) = s.clean(&text);
        prop_assert!(count >= 2 && !whole.contains(&secret));
        let mut cuts: Vec<_> = cuts.into_iter().map(|c| c.min(text.len())).collect();
        cuts.extend([0, text.len()]);
        cuts.sort_unstable();
        let mut r = s.redactor();
        let mut out = BytesMut::new();
        for pair in cuts.windows(2) {
            out.extend_from_slice(&r.push(&text.as_bytes()[pair[0]..pair[1]]));
        }
        out.extend_from_slice(&r.finish());
        prop_assert_eq!(String::from_utf8_lossy(&out), whole);
        prop_assert_eq!(r.count, count);
    }
    #[test]
    fn text_without_the_secret_is_unchanged(text in "[ -Z]{0,200}") {
        prop_assert_eq!(secrets("zzzzzz-canary").clean(&text), (text, 0));
    }
}
