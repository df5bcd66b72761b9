//! Which publishers the operator trusts, and for which plug-ins.

use std::fmt;
use std::str::FromStr;

use gtm_domain::Timestamp;

use crate::manifest::PluginKind;

/// A publisher key that the operator trusts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedPublisher {
    /// Key id, as it stands in `manifest.sig`.
    pub id: String,
    /// The publisher who owns the key, as manifests name it.
    pub publisher: String,
    /// Raw Ed25519 public key.
    pub public_key: [u8; 32],
    /// What the key may sign, and nothing else.
    pub keys: Vec<PluginPattern>,
    /// First instant at which the key is valid.
    pub not_before: Option<Timestamp>,
    /// Last instant at which the key is valid.
    pub not_after: Option<Timestamp>,
}

impl TrustedPublisher {
    /// Whether the key may sign a plug-in.
    #[must_use]
    pub fn may_sign(&self, kind: PluginKind, key: &str) -> bool {
        self.keys.iter().any(|pattern| pattern.covers(kind, key))
    }
}

/// Plug-ins of one kind: one by its key, or all whose keys begin alike, such as `connector/acme-*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginPattern {
    kind: PluginKind,
    key: String,
    prefix: bool,
}

impl PluginPattern {
    #[must_use]
    pub fn covers(&self, kind: PluginKind, key: &str) -> bool {
        self.kind == kind
            && if self.prefix {
                key.starts_with(&self.key)
            } else {
                key == self.key
            }
    }
}

impl fmt::Display for PluginPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let star = if self.prefix { "*" } else { "" };
        write!(f, "{}/{}{star}", self.kind, self.key)
    }
}

/// Why a text is not a [`PluginPattern`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected KIND/KEY or KIND/PREFIX*, such as connector/acme-*, with one of the kinds {}",
    PluginKind::ALL.map(PluginKind::key).join(", ")
)]
pub struct ParsePluginPatternError;

impl FromStr for PluginPattern {
    type Err = ParsePluginPatternError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (kind, key) = text.split_once('/').ok_or(ParsePluginPatternError)?;
        let kind = PluginKind::from_key(kind).ok_or(ParsePluginPatternError)?;
        let (key, prefix) = match key.strip_suffix('*') {
            Some(prefix) => (prefix, true),
            None => (key, false),
        };
        let in_keys = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-".contains(c);
        if (key.is_empty() && !prefix) || !key.chars().all(in_keys) {
            return Err(ParsePluginPatternError);
        }
        Ok(Self {
            kind,
            key: key.to_owned(),
            prefix,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_pattern_covers_one_kind_and_one_key_or_prefix() {
        let covers = |pattern: &str, kind, key| {
            let pattern: PluginPattern = pattern.parse().unwrap();
            pattern.covers(kind, key)
        };
        assert!(covers(
            "connector/acme-*",
            PluginKind::Connector,
            "acme-crm"
        ));
        assert!(!covers("connector/acme-*", PluginKind::Connector, "acme"));
        assert!(!covers(
            "connector/acme-*",
            PluginKind::Evaluator,
            "acme-crm"
        ));
        assert!(covers("connector/acme", PluginKind::Connector, "acme"));
        assert!(!covers("connector/acme", PluginKind::Connector, "acme-crm"));
        assert!(covers("evaluator/*", PluginKind::Evaluator, "x"));
    }

    #[test]
    fn whatever_is_no_pattern_is_refused_with_the_form() {
        for text in [
            "",
            "*",
            "acme-*",
            "connector",
            "connector/",
            "*/acme",
            "connectors/acme",
            "connector/*acme",
            "connector/a*b*",
            "connector/Acme",
            "connector/a/b",
            "connector/a ",
        ] {
            let error = text.parse::<PluginPattern>().unwrap_err().to_string();
            assert!(error.contains("connector/acme-*"), "{text}");
        }
        let text = "generation_backend/acme.*";
        assert_eq!(text.parse::<PluginPattern>().unwrap().to_string(), text);
    }
}
