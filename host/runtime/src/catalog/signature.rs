//! Detached Ed25519 signatures over the RFC 8785 bytes of a whole manifest.

use aws_lc_rs::signature::{ED25519, UnparsedPublicKey};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gtm_domain::{Timestamp, canonical_json};
use serde::Deserialize;
use serde_json::Value;

use super::SignatureStatus;
use crate::config::TrustedPublisher;

/// Why a package is refused for its signature: code and reason.
pub type SignatureRefusal = (&'static str, String);

/// Content of `manifest.sig`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SignatureFile {
    alg: String,
    key_id: String,
    signature: String,
}

/// Whose signature a manifest carries.
///
/// `allow_unsigned` lets a package without a signature, or with one of an unknown key, pass as
/// unsigned. A signature that claims a trusted key and does not fit is refused in any case: somebody
/// changed the manifest.
///
/// # Errors
/// `signature_missing`, `signature_malformed`, `signature_unknown_key`, `signature_not_valid_now` or
/// `signature_invalid`, with the reason.
pub fn check(
    manifest: &Value,
    signature: Option<&[u8]>,
    publishers: &[TrustedPublisher],
    allow_unsigned: bool,
    now: Timestamp,
) -> Result<SignatureStatus, SignatureRefusal> {
    let unsigned = |code: &'static str, reason: String| {
        if allow_unsigned {
            Ok(SignatureStatus::Unsigned)
        } else {
            Err((code, reason))
        }
    };
    let Some(text) = signature else {
        return unsigned("signature_missing", "there is no manifest.sig".to_owned());
    };
    let file: SignatureFile = serde_json::from_slice(text)
        .map_err(|error| ("signature_malformed", format!("manifest.sig: {error}")))?;
    if file.alg != "ed25519" {
        return Err((
            "signature_malformed",
            "manifest.sig: only ed25519 is known".to_owned(),
        ));
    }
    let bytes = STANDARD.decode(&file.signature).map_err(|_| {
        (
            "signature_malformed",
            "manifest.sig: the signature is not base64".to_owned(),
        )
    })?;
    let mut keys = publishers
        .iter()
        .filter(|publisher| publisher.id == file.key_id)
        .peekable();
    if keys.peek().is_none() {
        return unsigned(
            "signature_unknown_key",
            format!("no trusted publisher `{}`", shortened(&file.key_id)),
        );
    }
    let message =
        canonical_json(manifest).map_err(|error| ("signature_malformed", error.to_string()))?;
    let mut out_of_window = false;
    for publisher in keys {
        if UnparsedPublicKey::new(&ED25519, publisher.public_key)
            .verify(&message, &bytes)
            .is_err()
        {
            continue;
        }
        if publisher.not_before.is_some_and(|t| now < t)
            || publisher.not_after.is_some_and(|t| now > t)
        {
            out_of_window = true;
            continue;
        }
        return Ok(SignatureStatus::Trusted {
            key_id: publisher.id.clone(),
        });
    }
    if out_of_window {
        Err((
            "signature_not_valid_now",
            format!(
                "the key `{}` does not count at this time",
                shortened(&file.key_id)
            ),
        ))
    } else {
        Err((
            "signature_invalid",
            "the signature does not fit the manifest".to_owned(),
        ))
    }
}

fn shortened(id: &str) -> String {
    id.chars().filter(|c| !c.is_control()).take(64).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
    use serde_json::json;

    fn key() -> (Ed25519KeyPair, TrustedPublisher) {
        let pair = Ed25519KeyPair::generate().unwrap();
        let public_key = pair.public_key().as_ref().try_into().unwrap();
        (
            pair,
            TrustedPublisher {
                id: "k".into(),
                public_key,
                not_before: None,
                not_after: None,
            },
        )
    }
    fn signed(pair: &Ed25519KeyPair, manifest: &Value) -> Vec<u8> {
        let signature = pair.sign(&canonical_json(manifest).unwrap());
        json!({"alg": "ed25519", "key_id": "k", "signature": STANDARD.encode(signature.as_ref())})
            .to_string()
            .into_bytes()
    }
    const NOW: Timestamp = Timestamp::from_millis(1_000_000);

    #[test]
    fn a_trusted_signature_counts_whatever_the_order_of_members() {
        let (pair, publisher) = key();
        let signature = signed(&pair, &json!({"a": 1, "b": 2}));
        let status = check(
            &json!({"b": 2, "a": 1}),
            Some(&signature),
            &[publisher],
            false,
            NOW,
        )
        .unwrap();
        assert_eq!(status, SignatureStatus::Trusted { key_id: "k".into() });
    }

    #[test]
    fn a_changed_manifest_is_refused_even_where_unsigned_ones_load() {
        let (pair, publisher) = key();
        let signature = signed(&pair, &json!({"a": 1}));
        for allow_unsigned in [false, true] {
            let refusal = check(
                &json!({"a": 2}),
                Some(&signature),
                std::slice::from_ref(&publisher),
                allow_unsigned,
                NOW,
            )
            .unwrap_err();
            assert_eq!(refusal.0, "signature_invalid");
        }
    }

    #[test]
    fn no_signature_or_an_unknown_key_loads_only_where_allowed() {
        let (pair, publisher) = key();
        let manifest = json!({"a": 1});
        let foreign = signed(&pair, &manifest);
        assert_eq!(
            check(&manifest, None, &[publisher], false, NOW)
                .unwrap_err()
                .0,
            "signature_missing"
        );
        assert_eq!(
            check(&manifest, Some(&foreign), &[], false, NOW)
                .unwrap_err()
                .0,
            "signature_unknown_key"
        );
        assert_eq!(
            check(&manifest, Some(&foreign), &[], true, NOW).unwrap(),
            SignatureStatus::Unsigned
        );
        assert_eq!(
            check(&manifest, Some(b"{}"), &[], true, NOW).unwrap_err().0,
            "signature_malformed"
        );
    }

    #[test]
    fn a_key_counts_only_within_its_window() {
        let (pair, mut publisher) = key();
        let manifest = json!({"a": 1});
        let signature = signed(&pair, &manifest);
        publisher.not_after = Some(Timestamp::from_millis(999_999));
        assert_eq!(
            check(&manifest, Some(&signature), &[publisher.clone()], true, NOW)
                .unwrap_err()
                .0,
            "signature_not_valid_now"
        );
        publisher.not_after = Some(NOW);
        publisher.not_before = Some(NOW);
        assert!(check(&manifest, Some(&signature), &[publisher], false, NOW).is_ok());
    }
}
