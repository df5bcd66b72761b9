//! Detached Ed25519 signatures over the RFC 8785 bytes of a whole manifest.

use aws_lc_rs::signature::{ED25519, UnparsedPublicKey};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gtm_domain::{Timestamp, canonical_json};
use serde::Deserialize;
use serde_json::Value;

use super::SignatureStatus;
use crate::manifest::PluginKind;
use crate::publisher::TrustedPublisher;

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

/// Whose signature the manifest of a plug-in carries. All that is known of the manifest is that it is JSON;
/// another check makes sure that it belongs to this plug-in.
///
/// `allow_unsigned` treats a package without a signature, or with one by an unknown key, as unsigned. A
/// signature that names a trusted key and does not match is always refused: somebody changed the manifest.
///
/// # Errors
/// `signature_missing`, `signature_malformed`, `signature_unknown_key`, `signature_not_valid_now`,
/// `signature_invalid`, `publisher_differs` or `plugin_not_granted`, with the reason.
pub fn check(
    (kind, key): (PluginKind, &str),
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
            format!(
                "there is no trusted publisher `{}`",
                shortened(&file.key_id)
            ),
        );
    }
    let message =
        canonical_json(manifest).map_err(|error| ("signature_malformed", error.to_string()))?;
    let (mut out_of_window, mut fitting) = (false, Vec::new());
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
        fitting.push(publisher);
    }
    if !fitting.is_empty() {
        return granted((kind, key), manifest, &fitting);
    }
    if out_of_window {
        Err((
            "signature_not_valid_now",
            format!(
                "the key `{}` is not valid at this time",
                shortened(&file.key_id)
            ),
        ))
    } else {
        Err((
            "signature_invalid",
            "the signature does not match the manifest".to_owned(),
        ))
    }
}

/// Whether the key that signed may sign for the manifest's publisher and for this plug-in. The
/// configuration may list a key several times, for several publishers.
fn granted(
    (kind, key): (PluginKind, &str),
    manifest: &Value,
    fitting: &[&TrustedPublisher],
) -> Result<SignatureStatus, SignatureRefusal> {
    let named = manifest.get("publisher").and_then(Value::as_str);
    let own: Vec<_> = fitting
        .iter()
        .filter(|entry| Some(entry.publisher.as_str()) == named)
        .collect();
    let Some(entry) = own.first() else {
        let publishers: Vec<_> = fitting.iter().map(|e| e.publisher.as_str()).collect();
        let named = named.map_or("none".to_owned(), shortened);
        return Err((
            "publisher_differs",
            format!(
                "the key signs for {}, but the publisher of the manifest is {named}",
                publishers.join(", ")
            ),
        ));
    };
    if own.iter().any(|entry| entry.may_sign(kind, key)) {
        return Ok(SignatureStatus::Trusted {
            key_id: entry.id.clone(),
        });
    }
    Err((
        "plugin_not_granted",
        format!(
            "{kind}/{key} is not among the `keys` that the configuration gives {}",
            entry.publisher
        ),
    ))
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
                publisher: "com.acme".into(),
                public_key,
                keys: vec!["connector/acme-*".parse().unwrap()],
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
    const PLUGIN: (PluginKind, &str) = (PluginKind::Connector, "acme-crm");
    const NOW: Timestamp = Timestamp::from_millis(1_000_000);

    #[test]
    fn a_trusted_signature_counts_whatever_the_order_of_members() {
        let (pair, publisher) = key();
        let signature = signed(&pair, &json!({"publisher": "com.acme", "b": 2}));
        let status = check(
            PLUGIN,
            &json!({"b": 2, "publisher": "com.acme"}),
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
                PLUGIN,
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
        let manifest = json!({"publisher": "com.acme"});
        let foreign = signed(&pair, &manifest);
        assert_eq!(
            check(PLUGIN, &manifest, None, &[publisher], false, NOW)
                .unwrap_err()
                .0,
            "signature_missing"
        );
        assert_eq!(
            check(PLUGIN, &manifest, Some(&foreign), &[], false, NOW)
                .unwrap_err()
                .0,
            "signature_unknown_key"
        );
        assert_eq!(
            check(PLUGIN, &manifest, Some(&foreign), &[], true, NOW).unwrap(),
            SignatureStatus::Unsigned
        );
        assert_eq!(
            check(PLUGIN, &manifest, Some(b"{}"), &[], true, NOW)
                .unwrap_err()
                .0,
            "signature_malformed"
        );
    }

    #[test]
    fn a_key_counts_only_within_its_window() {
        let (pair, mut publisher) = key();
        let manifest = json!({"publisher": "com.acme"});
        let signature = signed(&pair, &manifest);
        publisher.not_after = Some(Timestamp::from_millis(999_999));
        assert_eq!(
            check(
                PLUGIN,
                &manifest,
                Some(&signature),
                &[publisher.clone()],
                true,
                NOW
            )
            .unwrap_err()
            .0,
            "signature_not_valid_now"
        );
        publisher.not_after = Some(NOW);
        publisher.not_before = Some(NOW);
        assert!(
            check(
                PLUGIN,
                &manifest,
                Some(&signature),
                &[publisher],
                false,
                NOW
            )
            .is_ok()
        );
    }

    #[test]
    fn a_key_signs_for_its_publisher_and_the_plugins_that_it_was_given() {
        let (pair, publisher) = key();
        let own = json!({"publisher": "com.acme"});
        let check_as = |kind, key: &str, manifest: &Value, publishers: &[TrustedPublisher]| {
            let signature = signed(&pair, manifest);
            check(
                (kind, key),
                manifest,
                Some(&signature),
                publishers,
                true,
                NOW,
            )
            .map(drop)
            .map_err(|refusal| refusal.0)
        };
        let publishers = [publisher.clone()];
        let connector = PluginKind::Connector;
        assert_eq!(check_as(connector, "acme-crm", &own, &publishers), Ok(()));
        for (kind, key) in [
            (connector, "openai-compatible"),
            (PluginKind::GenerationBackend, "acme-crm"),
        ] {
            let refused = check_as(kind, key, &own, &publishers);
            assert_eq!(refused, Err("plugin_not_granted"), "{kind} {key}");
        }
        for manifest in [json!({"publisher": "com.other"}), json!({}), json!([])] {
            let refused = check_as(connector, "acme-crm", &manifest, &publishers);
            assert_eq!(refused, Err("publisher_differs"), "{manifest}");
        }
        // The same key listed for a second publisher does not gain the first one's plug-ins.
        let second = TrustedPublisher {
            publisher: "com.other".into(),
            keys: vec!["connector/other-*".parse().unwrap()],
            ..publisher.clone()
        };
        let both = [publisher, second];
        let other = json!({"publisher": "com.other"});
        assert_eq!(check_as(connector, "other-crm", &other, &both), Ok(()));
        let refused = check_as(connector, "acme-crm", &other, &both);
        assert_eq!(refused, Err("plugin_not_granted"));
    }
}
