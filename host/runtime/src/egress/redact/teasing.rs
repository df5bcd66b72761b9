//! Test data: what encoders make of secrets, and bodies that hold parts of secrets in all their spellings.
#![allow(clippy::unwrap_used)]

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE, URL_SAFE_NO_PAD};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use proptest::prelude::*;

/// Spells each ASCII character that `escape` accepts, and each character outside ASCII, with `spell`.
fn spelled(secret: &str, escape: impl Fn(char) -> bool, spell: impl Fn(char) -> String) -> String {
    secret
        .chars()
        .map(|c| {
            if !c.is_ascii() || escape(c) {
                spell(c)
            } else {
                c.to_string()
            }
        })
        .collect()
}

fn percent(secret: &str, unescaped: &str) -> String {
    spelled(
        secret,
        |c| !c.is_ascii_alphanumeric() && !unescaped.contains(c),
        |c| utf8_percent_encode(&c.to_string(), NON_ALPHANUMERIC).to_string(),
    )
}

fn json_units(c: char, upper: bool) -> String {
    let mut out = String::new();
    for unit in c.encode_utf16(&mut [0; 2]) {
        out.push_str(&if upper {
            format!("\\u{unit:04X}")
        } else {
            format!("\\u{unit:04x}")
        });
    }
    out
}

/// JSON from a library that escapes these characters too.
fn json(secret: &str, also: &str, upper: bool) -> String {
    let plain = serde_json::Value::from(secret).to_string();
    plain[1..plain.len() - 1]
        .chars()
        .map(|c| {
            if also.contains(c) {
                json_units(c, upper)
            } else {
                c.to_string()
            }
        })
        .collect()
}

fn html(secret: &str, names: &[(char, &str)]) -> String {
    secret
        .chars()
        .map(|c| {
            names
                .iter()
                .find(|(known, _)| *known == c)
                .map_or_else(|| c.to_string(), |(_, reference)| (*reference).to_owned())
        })
        .collect()
}

/// A text in lines of five characters, so that even short texts are broken.
fn lines(text: &str, end: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let lines: Vec<String> = letters
        .chunks(5)
        .map(|line| line.iter().collect())
        .collect();
    lines.join(end)
}

/// Pairs of digits with colons in between.
fn colons(digits: &str) -> String {
    let pairs: Vec<&str> = (0..digits.len() / 2)
        .map(|at| &digits[2 * at..2 * at + 2])
        .collect();
    pairs.join(":")
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

/// Characters that `url` does not escape in a path.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@');

/// What well-known encoders make of a secret, each with its name.
pub(super) fn encoders(secret: &str) -> Vec<(&'static str, Vec<u8>)> {
    let form: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
    let lower = |text: &str| {
        // Only the escapes.
        let mut out = String::new();
        let mut digits = 0;
        for c in text.chars() {
            out.push(if digits > 0 {
                c.to_ascii_lowercase()
            } else {
                c
            });
            digits = if c == '%' {
                2_u32
            } else {
                digits.saturating_sub(1)
            };
        }
        out
    };
    let go_html = [
        ('&', "&amp;"),
        ('<', "&lt;"),
        ('>', "&gt;"),
        ('"', "&#34;"),
        ('\'', "&#39;"),
        ('+', "&#43;"),
    ];
    let mustache = [
        ('&', "&amp;"),
        ('<', "&lt;"),
        ('>', "&gt;"),
        ('"', "&quot;"),
        ('\'', "&#x27;"),
        ('/', "&#x2F;"),
        ('`', "&#x60;"),
        ('=', "&#x3D;"),
    ];
    let named = [
        ('&', "&amp;"),
        ('<', "&lt;"),
        ('>', "&gt;"),
        ('"', "&quot;"),
        ('\'', "&apos;"),
        ('+', "&plus;"),
        ('/', "&sol;"),
        ('=', "&equals;"),
        ('_', "&lowbar;"),
        ('.', "&period;"),
        ('(', "&lpar;"),
        (')', "&rpar;"),
        ('*', "&ast;"),
        ('!', "&excl;"),
        ('ü', "&uuml;"),
    ];
    let texts = [
        ("raw", secret.to_owned()),
        ("lower case", secret.to_lowercase()),
        ("upper case", secret.to_ascii_uppercase()),
        ("form", form.clone()),
        ("form, lower case", lower(&form)),
        ("encodeURIComponent", percent(secret, "-_.!~*'()")),
        ("encodeURI", percent(secret, "-_.!~*'();/?:@&=+$,#")),
        ("RFC 3986", percent(secret, "-_.~")),
        ("RFC 3986, lower case", lower(&percent(secret, "-_.~"))),
        (
            "python quote_plus",
            percent(secret, "-_.~").replace("%20", "+"),
        ),
        (
            "java URLEncoder",
            percent(secret, "-_.*").replace("%20", "+"),
        ),
        ("all percent", percent(secret, "")),
        ("path", utf8_percent_encode(secret, PATH).to_string()),
        (
            "js escape",
            spelled(
                secret,
                |c| !c.is_ascii_alphanumeric() && !"@*_+-./".contains(c),
                |c| {
                    if c.is_ascii() {
                        format!("%{:02X}", u32::from(c))
                    } else {
                        json_units(c, true).replace('\\', "%")
                    }
                },
            ),
        ),
        ("json", json(secret, "", false)),
        ("json, slashes", json(secret, "", false).replace('/', "\\/")),
        ("json, go", json(secret, "<>&", false)),
        ("json, .net", json(secret, "<>&'+`\u{fc}\u{20ac}", true)),
        (
            "json, php hex",
            json(secret, "<>&'", true).replace("\\\"", "\\u0022"),
        ),
        ("json, ascii", json(secret, "ü€😀", false)),
        (
            "javascript hex",
            spelled(
                secret,
                |c| !c.is_ascii_alphanumeric(),
                |c| {
                    if u32::from(c) < 256 {
                        format!("\\x{:02x}", u32::from(c))
                    } else {
                        format!("\\u{{{:x}}}", u32::from(c))
                    }
                },
            ),
        ),
        (
            "backslashes",
            spelled(
                secret,
                |c| c.is_ascii_punctuation(),
                |c| {
                    if c.is_ascii() {
                        format!("\\{c}")
                    } else {
                        c.to_string()
                    }
                },
            ),
        ),
        ("html, go", html(secret, &go_html)),
        ("html, mustache", html(secret, &mustache)),
        ("html, named", html(secret, &named)),
        (
            "html, decimal",
            spelled(
                secret,
                |c| !c.is_ascii_alphanumeric(),
                |c| format!("&#{};", u32::from(c)),
            ),
        ),
        (
            "html, all hex",
            spelled(secret, |_| true, |c| format!("&#x{:X};", u32::from(c))),
        ),
        (
            "html, zeros",
            spelled(secret, |_| true, |c| format!("&#{:07};", u32::from(c))),
        ),
        (
            "html in capitals",
            spelled(secret, |_| true, |c| format!("&#X{:04x};", u32::from(c))),
        ),
        ("hex", hex::encode(secret)),
        ("hex, upper case", hex::encode_upper(secret)),
        ("base64", STANDARD.encode(secret)),
        ("base64 for URLs", URL_SAFE.encode(secret)),
        ("base64 in a URL", percent(&STANDARD.encode(secret), "")),
        ("basic", STANDARD.encode(format!("user:{secret}"))),
        ("base64 within", STANDARD.encode(format!("u:{secret}:rest"))),
        (
            "jwt",
            URL_SAFE_NO_PAD.encode(format!("{{\"k\":\"{secret}\"}}")),
        ),
    ];
    // One server's encoding of what another one encoded.
    let uri = percent(secret, "-_.~");
    let page = html(secret, &mustache);
    let dot_net = |text: &str| json(text, "<>&'+`\u{fc}\u{20ac}", true);
    let ascii = |text: &str| spelled(text, |_| false, |c| json_units(c, false));
    let dot_net_all = |text: &str| {
        let also = |c: char| "<>&'+`".contains(c);
        spelled(&json(text, "", false), also, |c| json_units(c, true))
    };
    let slashes = |text: &str| json(text, "", false).replace('/', "\\/");
    let encoded = STANDARD.encode(secret);
    let nested = [
        ("a URL in a URL", percent(&uri, "")),
        ("a URL in a URL in a URL", percent(&percent(&uri, ""), "")),
        (
            "a URL in a URL, lower case",
            lower(&percent(&lower(&uri), "")),
        ),
        ("a form in a URL", percent(&form, "-_.~")),
        ("encodeURI twice", {
            let once = percent(secret, "-_.!~*'();/?:@&=+$,#");
            percent(&once, "-_.!~*'();/?:@&=+$,#")
        }),
        ("html in a URL", percent(&page, "-_.~")),
        (
            "html in a URL in a URL",
            percent(&percent(&page, "-_.~"), ""),
        ),
        (
            "decimal html in a URL",
            percent(&html(secret, &go_html), ""),
        ),
        ("html in html", html(&page, &mustache)),
        ("html in html in html", html(&html(&page, &go_html), &named)),
        ("a URL in html", uri.replace('%', "&#37;")),
        ("a URL in json", uri.replace('%', "\\u0025")),
        ("json in json", dot_net(&dot_net(secret))),
        ("json in json in json", dot_net(&dot_net(&dot_net(secret)))),
        ("json in json, slashes", slashes(&slashes(secret))),
        (
            "json in json in json, slashes",
            slashes(&slashes(&slashes(secret))),
        ),
        ("json in a URL", percent(&dot_net(secret), "-_.~")),
        ("html in json", dot_net(&page)),
        ("json in html", html(&dot_net(secret), &go_html)),
        ("javascript in html", html(&slashes(secret), &named)),
        (
            "base64 in a URL in a URL",
            percent(&percent(&encoded, ""), ""),
        ),
        ("base64 in json in json", slashes(&slashes(&encoded))),
        ("base64 in lines", lines(&encoded, "\r\n")),
        (
            "base64 within lines",
            lines(&STANDARD.encode(format!("u:{secret}:rest")), "\n"),
        ),
        (
            "base64 in lines, in json",
            json(&lines(&encoded, "\r\n"), "", false),
        ),
        ("base64 in lines, in json in json", {
            let once = json(&lines(&encoded, "\n"), "", false);
            json(&once, "", false)
        }),
        ("base64 in lines, in a form", {
            let lines = lines(&encoded, "\r\n");
            url::form_urlencoded::byte_serialize(lines.as_bytes()).collect()
        }),
        ("base64 in lines, in html", lines(&encoded, "&#13;&#10;")),
        ("base64 in indented lines", lines(&encoded, "\n        ")),
        ("base64 in a folded header", lines(&encoded, "\r\n\t")),
        (
            "base64 in indented lines, in json",
            json(&lines(&encoded, "\n  "), "", false),
        ),
    ];
    // A secret encoded together with the text around it.
    let around = |text: &str| format!("a=1&k={text}&z=2");
    let encoded_escapes = [
        ("base64 of a query", STANDARD.encode(around(&uri))),
        (
            "base64 of a query by encodeURIComponent",
            STANDARD.encode(around(&percent(secret, "-_.!~*'()"))),
        ),
        (
            "base64 of a query, lower case",
            URL_SAFE.encode(around(&lower(&uri))),
        ),
        ("base64 of a form", STANDARD.encode(around(&form))),
        (
            "base64 of a form, in json",
            slashes(&STANDARD.encode(around(&form))),
        ),
        ("base64 of json", STANDARD.encode(json(secret, "", false))),
        (
            "base64 of json, slashes",
            STANDARD.encode(around(&slashes(secret))),
        ),
        (
            "base64 of json, ascii",
            STANDARD.encode(around(&ascii(&json(secret, "", false)))),
        ),
        (
            "base64 of json, slashes, ascii",
            STANDARD.encode(around(&ascii(&slashes(secret)))),
        ),
        (
            "jwt by .net",
            URL_SAFE_NO_PAD.encode(format!("{{\"k\":\"{}\"}}", dot_net_all(secret))),
        ),
        ("hex of a query", hex::encode(&uri)),
        ("hex of a form, upper case", hex::encode_upper(&form)),
        ("hex of json, slashes", hex::encode(slashes(secret))),
        ("hex with colons", colons(&hex::encode(secret))),
        (
            "hex with colons, upper case",
            colons(&hex::encode_upper(secret)),
        ),
        (
            "hex with colons in a URL",
            percent(&colons(&hex::encode(secret)), ""),
        ),
    ];
    let mut all: Vec<_> = texts
        .into_iter()
        .chain(nested)
        .chain(encoded_escapes)
        .map(|(name, text)| (name, text.into_bytes()))
        .collect();
    all.push(("utf-16le", utf16(secret, u16::to_le_bytes)));
    all.push(("utf-16be", utf16(secret, u16::to_be_bytes)));
    all.push((
        "utf-16be, json",
        utf16(&json(secret, "<>&'+", true), u16::to_be_bytes),
    ));
    all.push((
        "utf-16le, json in json",
        utf16(&dot_net(&dot_net(secret)), u16::to_le_bytes),
    ));
    all.push((
        "base64 in lines, in utf-16be",
        utf16(&lines(&encoded, "\r\n"), u16::to_be_bytes),
    ));
    all.push((
        "utf-16le, html",
        utf16(&html(secret, &go_html), u16::to_le_bytes),
    ));
    all
}

/// A text made of parts of secrets, their spellings, and noise.
fn teasing(secrets: [String; 2]) -> impl Strategy<Value = Vec<u8>> {
    let spellings = secrets.map(|secret| encoders(&secret));
    let part = (0..2_usize, 0..128_usize, any::<(u16, u16)>()).prop_map(
        move |(which, how, (from, to))| {
            let all = &spellings[which];
            let spelled = &all[how % all.len()].1;
            let (a, b) = (
                usize::from(from) % (spelled.len() + 1),
                usize::from(to) % (spelled.len() + 1),
            );
            spelled[a.min(b)..a.max(b)].to_vec()
        },
    );
    let piece = prop_oneof![
        4 => part,
        1 => prop::collection::vec(any::<u8>(), 0..40),
        1 => "[ -~]{0,40}".prop_map(String::into_bytes),
        1 => Just(b"%".to_vec()),
        1 => Just(b"\\".to_vec()),
        1 => Just(vec![b' '; 700]),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Two unrelated secrets of one length.
fn two_secrets() -> impl Strategy<Value = [String; 2]> {
    let alphabet = r"[a-zA-Z0-9!'()*~_.+/=%&\\ -]";
    (6..48_usize).prop_flat_map(move |length| {
        let one = proptest::string::string_regex(&format!("{alphabet}{{{length}}}")).unwrap();
        let other = proptest::string::string_regex(&format!("{alphabet}{{{length}}}")).unwrap();
        (one, other).prop_map(|(one, other)| [one, other])
    })
}

/// A body of parts of two secrets of one length, with the lengths of the pieces in which it comes.
pub(in crate::egress) fn teased() -> impl Strategy<Value = ([String; 2], Vec<u8>, Vec<usize>)> {
    two_secrets().prop_flat_map(|secrets| {
        let body = teasing(secrets.clone());
        let cuts = prop_oneof![
            prop::collection::vec(1..40_usize, 0..400),
            prop::collection::vec(1..4000_usize, 0..8),
        ];
        (Just(secrets), body, cuts)
    })
}
