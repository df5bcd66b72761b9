//! Templates in a manifest: hosts, injected values, request URLs.

use std::fmt::Write as _;

use gtm_runtime::manifest::template::{Piece, TemplateError, parse, whole_setting};

pub const TARGET: crate::Target = crate::Target {
    name: "template",
    run,
    dictionary: &[
        b"${",
        b"}",
        b"$",
        b"{",
        b"${setting.base_url}",
        b"${credential.api_key}",
        b"${token}",
        b"${basic(credential.user,credential.pass)}",
        b"setting.",
        b"credential.",
        b"token",
        b"basic(",
        b",",
        b")",
        b" ",
        b"_",
        b"Bearer ",
        b"https://",
    ],
};

fn run(input: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(input) else {
        return "not text".to_owned();
    };
    let pieces = match parse(text) {
        Ok(pieces) => pieces,
        Err(error) => {
            assert!(text.contains("${"), "a text without expressions is refused");
            assert_eq!(whole_setting(text), None);
            return match error {
                TemplateError::Unclosed => "unclosed",
                TemplateError::Unknown(_) => "unknown",
            }
            .to_owned();
        }
    };
    let mut kinds = [0_usize; 5];
    let mut written = String::new();
    for piece in &pieces {
        let kind = match piece {
            Piece::Literal(literal) => {
                assert!(!literal.is_empty() && !literal.contains("${"));
                written.push_str(literal);
                0
            }
            Piece::Credential(key) => {
                write(&mut written, &format!("credential.{}", checked(key)));
                1
            }
            Piece::Setting(key) => {
                write(&mut written, &format!("setting.{}", checked(key)));
                2
            }
            Piece::Token => {
                write(&mut written, "token");
                3
            }
            Piece::Basic { user, password } => {
                let (user, password) = (checked(user), checked(password));
                let pair = format!("basic(credential.{user},credential.{password})");
                write(&mut written, &pair);
                4
            }
        };
        kinds[kind] += 1;
    }
    assert_eq!(
        parse(&written).as_ref(),
        Ok(&pieces),
        "written again it is another"
    );
    // Nothing may be lost or added, except spaces between two names.
    assert_eq!(without_spaces(&written), without_spaces(text));
    let whole = match pieces.as_slice() {
        [Piece::Setting(key)] => Some(key.clone()),
        _ => None,
    };
    assert_eq!(whole_setting(text), whole);
    format!("{:?}", kinds.map(|count| count.min(2)))
}

fn write(out: &mut String, expression: &str) {
    write!(out, "${{{expression}}}").expect("a text takes everything");
}

/// A key has only these characters, so it can name nothing but one of the connection's values.
fn checked(key: &str) -> &str {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
    assert!(!key.is_empty() && key.bytes().all(plain), "{key}");
    key
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}
