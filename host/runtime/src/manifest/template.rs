//! `${…}` templates of a manifest: which values the host fills in where.
//!
//! Templates are only parsed here. The egress gate fills them in, after it has checked the allow-list.

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Literal text.
    Literal(String),
    /// `${credential.<key>}`.
    Credential(String),
    /// `${setting.<key>}`.
    Setting(String),
    /// `${token}`: the token of a token request.
    Token,
    /// `${basic(credential.<user>,credential.<password>)}`: base64 of `user:password`.
    Basic {
        /// Credential that is the user.
        user: String,
        /// Credential that is the password.
        password: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// A `${` without its `}`.
    #[error("a `${{` is never closed")]
    Unclosed,
    /// Something else between the braces.
    #[error(
        "`${{{0}}}` is not an expression: use credential.<key>, setting.<key>, token or basic(credential.<a>,credential.<b>)"
    )]
    Unknown(String),
}

/// The pieces of a template, in order.
///
/// # Errors
/// If a brace is not closed or an expression is unknown.
pub fn parse(text: &str) -> Result<Vec<Piece>, TemplateError> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        if start > 0 {
            pieces.push(Piece::Literal(rest[..start].to_owned()));
        }
        let after = &rest[start + 2..];
        let end = after.find('}').ok_or(TemplateError::Unclosed)?;
        pieces.push(expression(&after[..end])?);
        rest = &after[end + 1..];
    }
    if !rest.is_empty() {
        pieces.push(Piece::Literal(rest.to_owned()));
    }
    Ok(pieces)
}

/// The setting that makes up the whole text, as in `${setting.base_url}`.
#[must_use]
pub fn whole_setting(text: &str) -> Option<String> {
    match parse(text).ok()?.as_slice() {
        [Piece::Setting(key)] => Some(key.clone()),
        _ => None,
    }
}

fn expression(text: &str) -> Result<Piece, TemplateError> {
    let unknown = || TemplateError::Unknown(text.to_owned());
    if text == "token" {
        return Ok(Piece::Token);
    }
    if let Some(key) = text.strip_prefix("setting.") {
        return if is_key(key) {
            Ok(Piece::Setting(key.to_owned()))
        } else {
            Err(unknown())
        };
    }
    if text.starts_with("credential.") {
        return credential(text).map(Piece::Credential).ok_or_else(unknown);
    }
    let inside = text
        .strip_prefix("basic(")
        .and_then(|t| t.strip_suffix(')'))
        .ok_or_else(unknown)?;
    let (user, password) = inside.split_once(',').ok_or_else(unknown)?;
    match (credential(user.trim()), credential(password.trim())) {
        (Some(user), Some(password)) => Ok(Piece::Basic { user, password }),
        _ => Err(unknown()),
    }
}

fn credential(text: &str) -> Option<String> {
    text.strip_prefix("credential.")
        .filter(|key| is_key(key))
        .map(str::to_owned)
}

fn is_key(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn pieces_come_in_order() {
        assert_eq!(
            parse("Bearer ${credential.api_key}").unwrap(),
            [
                Piece::Literal("Bearer ".into()),
                Piece::Credential("api_key".into())
            ]
        );
        assert_eq!(
            parse("Basic ${basic(credential.user,credential.pass)}").unwrap()[1],
            Piece::Basic {
                user: "user".into(),
                password: "pass".into()
            }
        );
        assert_eq!(
            whole_setting("${setting.base_url}").as_deref(),
            Some("base_url")
        );
        assert_eq!(whole_setting("x${setting.base_url}"), None);
        assert_eq!(
            parse("$5 and {}").unwrap(),
            [Piece::Literal("$5 and {}".into())]
        );
    }

    #[test]
    fn anything_else_is_refused() {
        assert_eq!(parse("${credential.a"), Err(TemplateError::Unclosed));
        for bad in [
            "${}",
            "${env.HOME}",
            "${credential.}",
            "${credential.A}",
            "${basic(credential.a)}",
            "${setting.a-b}",
        ] {
            assert!(
                matches!(parse(bad), Err(TemplateError::Unknown(_))),
                "{bad}"
            );
        }
    }
}
