//! Secrets in every spelling, whole and in pieces; and parts of secrets, which must change nothing.
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

/// A text without secrets, and how many were removed.
fn cleaned(secrets: &Secrets, text: &str) -> (String, u64) {
    let (text, found) = secrets.clean(text);
    (text, found.replaced)
}

/// Asserts that no body shows the secret where its encoder put it.
fn check_matrix(secret: &str) {
    let s = secrets(secret);
    for (name, body) in encoders(secret) {
        // Letters before and after that every encoding preserves, and something that only looks like an
        // escape.
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
            // Base64 keeps up to one character at each end that depends on its neighbours.
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
fn texts_are_searched_in_turns() {
    let s = secrets("canary-value");
    // With possible escapes of escapes and with line breaks, it has ten readings.
    let long = [&b"%".repeat(2 * BLOCK)[..], b"\ncanary-value"].concat();
    let texts = [&b"none"[..], b"", &long, b"canary-value"];
    let mut search = Texts::new(&s, texts.map(Bytes::copy_from_slice));
    assert!(search.cost() > 2 * TURN);
    let mut turns = 1;
    while search.turn() {
        turns += 1;
    }
    assert!(turns > 1);
    assert_eq!(search.found().replaced, 2);
    assert_eq!(search.holding(), Some(2));
    let cleaned = search.into_cleaned();
    let lengths = cleaned.iter().map(BytesMut::len).collect::<Vec<_>>();
    let of_long = 2 * BLOCK + 1 + REPLACEMENT.len();
    assert_eq!(lengths, [4, 0, of_long, REPLACEMENT.len()]);
}

#[test]
fn a_turn_costs_little_whatever_is_looked_for() {
    // More lengths than tokens are allowed, and one token that makes each turn read far ahead.
    let letters = ["a", "b", "/", "+", "\"", "'", "*", "ü", " ", "<", "&"];
    let spelled = |length: usize| letters.concat().chars().cycle().take(length).collect();
    let tokens: Vec<String> = [40, 150, 500].map(spelled).into();
    let long = "t".repeat(8 * 1024);
    let values = tokens.iter().map(String::as_str).chain([long.as_str()]);
    let (s, _) = Secrets::of(values);
    assert!(s.lengths() >= 64, "{}", s.lengths());
    let escaped = "%2525252541\na";
    let utf16 = |bytes: fn(u16) -> [u8; 2]| escaped.encode_utf16().flat_map(bytes).collect();
    let (little, big): (Vec<u8>, Vec<u8>) = (utf16(u16::to_le_bytes), utf16(u16::to_be_bytes));
    // Read in every possible way, at even and odd alignment.
    let all = [escaped.as_bytes(), &little, &big, b"-"].concat();
    for text in [&all[..], escaped.as_bytes(), b"a"] {
        let mut redactor = s.redactor();
        redactor.take_in(&text.repeat(3 * BLOCK / text.len()));
        redactor.ask_rest();
        let mut out = BytesMut::new();
        looks::taken();
        // The first turns read as far ahead as any.
        for _ in 0..6 {
            redactor.turn(&mut out);
            let looks = looks::taken();
            assert!(looks <= 4 * TURN, "{looks} of {} bytes", text.len());
        }
    }
}

/// Tokens chosen so that many match at each position of a text of one letter, and such a text, which has
/// ten readings.
fn overlapping() -> (Vec<String>, Vec<u8>) {
    let mut tokens: Vec<String> = (6..20).map(|length| "a".repeat(length)).collect();
    tokens.push("a".repeat(4096));
    let letters = "a".repeat(10 * 1024);
    let text = format!("{letters}\na%25252561{letters}");
    (tokens, text.into_bytes())
}

#[test]
fn secrets_that_overlap_are_found_once_at_each_place() {
    let (tokens, text) = overlapping();
    let (s, _) = Secrets::of(tokens.iter().map(String::as_str));
    let stands = s.patterns.find(&text, text.len(), s.reach, |_| true);
    let found: Vec<_> = stands.each().collect();
    assert!(found.len() <= text.len(), "one for each place");
    assert!(found.is_sorted_by_key(|(place, _)| place.start));
    assert_eq!(found[0], (0..4096, false), "the longest");
    assert!(!found.iter().any(|(_, stray)| *stray));

    let carrying = |sent: &[&str]| {
        let sent: Vec<_> = sent.iter().map(|text| (*text).to_owned().into()).collect();
        let mut redactor = s.answering(&sent).redactor();
        redactor.take_in(&text);
        redactor.ask_rest();
        let (mut out, mut turns) = (BytesMut::new(), 0);
        while redactor.is_due() {
            assert!(redactor.turn(&mut out) <= 4 * TURN);
            turns += 1;
        }
        assert!(turns > 1, "the event loop is not blocked");
        let shown = String::from_utf8_lossy(&out).into_owned();
        (shown, redactor.found)
    };
    // The longest contains all of them, and only the line break is left of the text.
    let (shown, found) = carrying(&[&tokens[tokens.len() - 1]]);
    assert_eq!((&*shown, found.uncarried), ("[redacted]", 0));
    // If only a shorter one was sent, the longer ones count as not carried.
    let (_, found) = carrying(&[&tokens[0]]);
    assert!(found.uncarried > 0 && found.uncarried <= text.len() as u64);
    let (_, found) = carrying(&[]);
    assert!(found.uncarried > 0 && found.uncarried <= text.len() as u64);
}

#[test]
fn what_is_held_back_for_a_long_secret_has_a_bound() {
    for (bytes, wanted) in [
        (6, MIN_REACH),
        (43, 4096),
        (2730, MAX_REACH),
        (8 * 1024, MAX_REACH),
        (40 * 1024, 256 * 1024),
    ] {
        let secret = "s".repeat(bytes);
        assert_eq!(secrets(&secret).reach, wanted);
    }
    let secret = "key/".repeat(2048);
    let s = secrets(&secret);
    for spelled in [
        secret.clone(),
        hex::encode(&secret),
        STANDARD.encode(&secret),
        secret.replace('/', "%252F"),
        secret.replace('/', "\\u002F"),
    ] {
        assert_eq!(cleaned(&s, &spelled).1, 1);
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

#[test]
fn base64_in_other_capitals_has_the_hash_and_not_the_proof() {
    let s = secrets("&=% T~");
    assert!(s.any_in(b"Jj0lIFR-"));
    let other = b"jj0lIFR-";
    assert!(s.patterns.occurs_in_any_case(other) && !s.any_in(other));
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
            let mut places = Vec::new();
            Reading::each(&body, |reading| {
                let chains = chains::Chains::of(reading);
                s.patterns.fitting(reading, &chains, body.len(), |at, _, _| places.push(at));
            });
            // Base64 that differs only in case has the same hash.
            prop_assert!(places.is_empty() || s.patterns.occurs_in_any_case(&body));
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
        // A key like base64: it has other spellings in a URL and in JSON.
        ("0123456789+/+/ghijABCDEFGHIJ01234567890=", 10),
        // Every character that some encoder writes in its own way.
        ("\"ü'+/<&0123456789", 22),
    ] {
        assert_eq!(secrets(key).patterns.lengths(), wanted, "{key}");
    }
}
