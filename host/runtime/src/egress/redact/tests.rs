//! Secrets in every spelling, whole and in pieces, and parts of secrets, which change nothing.
#![allow(clippy::unwrap_used)]

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use proptest::sample::subsequence;

use super::teasing::{encoders, teased};
use super::*;

const SECRET: &str = "sk-live/9+ü\"q=&<canary>";

fn secrets(value: &str) -> Secrets {
    Secrets::of(std::iter::once(value)).0
}

/// A text without secrets, and how many were cut out.
fn cleaned(secrets: &Secrets, text: &str) -> (String, u64) {
    let (text, found) = secrets.clean(text);
    (text, found.replaced)
}

/// Whether a body still shows the secret where its encoder put it.
fn check_matrix(secret: &str) {
    let s = secrets(secret);
    for (name, body) in encoders(secret) {
        // Letters before and after that no encoding hides, and an escape that is none.
        for (before, after) in [
            ("before:", ";after"),
            ("%", "%"),
            ("\\", "\\"),
            ("&#", ";"),
            ("", ""),
        ] {
            let text = [before.as_bytes(), &body, after.as_bytes()].concat();
            let mut redactor = s.redactor();
            let mut out = redactor.push(&text);
            out.extend_from_slice(&redactor.finish());
            assert!(
                redactor.found.replaced >= 1,
                "{name}: {secret} in {}",
                String::from_utf8_lossy(&text)
            );
            // Base64 keeps up to a character at each end that depends on its neighbours.
            assert!(
                out.len() <= before.len() + after.len() + REPLACEMENT.len() + 24,
                "{name}: {}",
                String::from_utf8_lossy(&out)
            );
        }
    }
}

#[test]
fn the_usual_encodings_are_cut_out() {
    for secret in [
        SECRET,
        "pa.ss!word-1",
        "0a1b2c3d4e5f60718293a4b5c6d7e8f9",
        "AKIA!'()*~-_.+/=end",
        "tvly-dev-1234567890",
        "with space and + plus",
        "100%25-and-more",
        "and&amp;-so-on",
        "back\\u0041slash",
        "deadbeef+cafe/",
        "😀 key €",
    ] {
        check_matrix(secret);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn no_alphabet_hides_a_secret(secret in "[a-zA-Z0-9!'()*~_.+/=%&;:@$,<>\" -]{6,40}") {
        prop_assume!(secret.trim().len() >= MIN_SECRET_BYTES);
        check_matrix(&secret);
    }
}

#[test]
fn short_secrets_are_counted_and_left_alone() {
    let (s, short) = Secrets::of(["abc", "abcdef"].into_iter());
    assert_eq!(short, 1);
    assert_eq!(cleaned(&s, "abc abcdef"), ("abc [redacted]".to_owned(), 1));
    let (none, _) = Secrets::of(["abc"].into_iter());
    assert_eq!(none.reach, 0, "nothing is held back for nothing");
}

#[test]
fn the_longest_secret_wins_and_what_overlaps_is_one() {
    let (s, _) = Secrets::of(["canary", "canary-long"].into_iter());
    assert_eq!(
        s.clean("canary-long canary-lonx").0,
        "[redacted] [redacted]-lonx"
    );
    let (s, _) = Secrets::of(["canary-x", "x-and-more"].into_iter());
    assert_eq!(
        cleaned(&s, "a canary-x-and-more b"),
        ("a [redacted] b".to_owned(), 1)
    );
    assert_eq!(secrets("ababab").clean("xabababababx").0, "x[redacted]x");
    assert_eq!(cleaned(&secrets("canary"), "canarycanary").1, 2);
}

#[test]
fn a_search_that_nobody_waits_for_ends_with_its_block() {
    let s = secrets("canary-value");
    let text = [&b"-".repeat(3 * BLOCK)[..], b"canary-value"].concat();
    for (blocks, wanted) in [(2, None), (9, Some(1))] {
        let begun = std::cell::Cell::new(0);
        let found = s.found_unless(&text, || {
            begun.set(begun.get() + 1);
            begun.get() > blocks
        });
        assert_eq!(found.map(|found| found.replaced), wanted);
        // Four blocks, and what is held back behind them.
        assert_eq!(begun.get(), (blocks + 1).min(5));
    }
}

#[test]
fn a_part_of_a_secret_is_ordinary_text() {
    let s = secrets("canary-value");
    for part in [
        "canary-valu",
        "anary-value",
        "canary-",
        "c",
        "canary-valuE-is-found-but-canaryvalue-is-not",
    ] {
        let wanted = part.replace("canary-valuE", REPLACEMENT);
        assert_eq!(s.clean(part).0, wanted);
    }
    let mut cut = s.redactor();
    let mut out = cut.push(b"text canary-val");
    assert_eq!(cut.cut(), s.reach);
    out.extend_from_slice(&cut.push(b"id, as it turns out"));
    out.extend_from_slice(&cut.finish());
    assert_eq!(&out[..], b"text canary-val");
}

#[test]
fn a_secret_that_begins_before_a_cut_is_cut_out() {
    let mut cut = secrets("canary-value").redactor();
    let mut out = cut.push(b"text canary-val");
    cut.cut();
    out.extend_from_slice(&cut.push(b"ue and canary-value"));
    out.extend_from_slice(&cut.finish());
    assert_eq!((&out[..], cut.found.replaced), (&b"text [redacted]"[..], 1));
}

#[test]
fn what_is_held_back_and_where_pieces_end_depends_on_nothing_but_lengths() {
    let s = secrets("canary-value");
    let (reach, piece) = (s.reach, s.reach / 4);
    let mut r = s.redactor();
    let mut given = 0;
    for sent in (7..3 * reach).step_by(7) {
        given += r.push(b"canary-").len();
        assert_eq!(given, sent.saturating_sub(reach) / piece * piece);
    }
}

proptest! {
    #[test]
    fn without_a_whole_secret_all_secrets_are_the_same((secrets, body, sizes) in teased(), cut in any::<Option<u16>>()) {
        let mut seen = Vec::new();
        for secret in &secrets {
            let s = Secrets::of(std::iter::once(secret.as_str())).0;
            prop_assume!(!s.any_in(&body));
            let cut = cut.map_or(body.len(), |cut| usize::from(cut) % (body.len() + 1));
            let mut redactor = s.redactor();
            let (mut pieces, mut rest) = (Vec::new(), &body[..cut]);
            for size in sizes.iter().chain(std::iter::repeat(&1000)) {
                if rest.is_empty() {
                    break;
                }
                let (piece, after) = rest.split_at((*size).min(rest.len()));
                pieces.push(redactor.push(piece).freeze());
                rest = after;
            }
            let beyond = redactor.cut();
            redactor.push(&body[cut..body.len().min(cut + beyond)]);
            pieces.push(redactor.finish());
            prop_assert_eq!(&pieces.concat()[..], &body[..cut], "what is no secret is untouched");
            seen.push((pieces, beyond, redactor.found));
        }
        prop_assert_eq!(&seen[0], &seen[1]);
    }

    #[test]
    fn no_letter_of_a_part_is_compared((secrets, body, _) in teased()) {
        for secret in &secrets {
            let s = Secrets::of(std::iter::once(secret.as_str())).0;
            // Base64 that differs in capitals alone has the same hash.
            prop_assume!(!s.any_in(&body) && !s.any_in(&body.to_ascii_lowercase()));
            let mut places = Vec::new();
            reading::Reading::each(&body, |reading| {
                places.extend(s.patterns.fitting(reading, body.len()).into_iter().map(|(at, _)| at));
            });
            prop_assert_eq!(places, Vec::<usize>::new());
        }
    }

    #[test]
    fn pieces_give_what_the_whole_gives(secret in "[a-zA-Z0-9/+._-]{6,40}", noise in ".{0,60}", cuts in subsequence((0..300_usize).collect::<Vec<_>>(), 0..8)) {
        let s = secrets(&secret);
        let text = format!("{noise}{secret}{noise}{}{}", "-".repeat(3000), STANDARD.encode(format!("x{secret}"))).repeat(2);
        let (whole, count) = cleaned(&s, &text);
        prop_assert!(count >= 4 && !whole.contains(&secret));
        let mut cuts: Vec<_> = cuts.into_iter().map(|c| c * text.len() / 300).collect();
        cuts.extend([0, text.len()]);
        cuts.sort_unstable();
        let mut r = s.redactor();
        let mut out = BytesMut::new();
        for pair in cuts.windows(2) {
            out.extend_from_slice(&r.push(&text.as_bytes()[pair[0]..pair[1]]));
        }
        out.extend_from_slice(&r.finish());
        prop_assert_eq!(String::from_utf8_lossy(&out), whole);
        prop_assert_eq!(r.found.replaced, count);
    }

    #[test]
    fn text_without_the_secret_is_unchanged(text in "[ -Z]{0,200}") {
        prop_assert_eq!(cleaned(&secrets("zzzzzz-canary"), &text), (text, 0));
    }
}

#[test]
fn a_search_costs_a_bounded_number_of_hashes_for_each_place() {
    for (key, wanted) in [
        ("0123456789abcdefghijABCDEFGHIJ0123456789", 5),
        // As a base64 key: other spellings in a URL and in JSON.
        ("0123456789+/+/ghijABCDEFGHIJ01234567890=", 10),
        // Everything that any of them writes in its own way.
        ("\"ü'+/<&0123456789", 22),
    ] {
        assert_eq!(secrets(key).patterns.lengths(), wanted, "{key}");
    }
}
