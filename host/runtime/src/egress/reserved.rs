//! Header names with special rules: one list for every source of request headers, which are the guest, a
//! scheme's injections and the idempotency key.

/// Headers that only the gate sets, because they frame or route the message.
const RESERVED: [&str; 14] = [
    "accept-encoding",
    "connection",
    "content-length",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "trailers",
    "transfer-encoding",
    "upgrade",
];

/// Headers that make some servers treat a request as one with another method, path or host. There they
/// would bypass the egress rules.
const OVERRIDES: [&str; 11] = [
    "forwarded",
    "x-host",
    "x-http-host-override",
    "x-http-method",
    "x-http-method-override",
    "x-method-override",
    "x-original-host",
    "x-original-method",
    "x-original-uri",
    "x-original-url",
    "x-rewrite-url",
];

/// Headers that carry a credential, wherever they come from.
const CREDENTIALS: [&str; 2] = ["authorization", "cookie"];

/// A name as the most lenient server reads it: servers behind CGI and WSGI take `x_api_key` for
/// `x-api-key`.
#[must_use]
pub fn folded(name: &str) -> String {
    name.to_ascii_lowercase().replace('_', "-")
}

/// Whether only the gate sets this header.
#[must_use]
pub fn is_reserved(name: &str) -> bool {
    let name = folded(name);
    RESERVED.contains(&name.as_str()) || name.starts_with("proxy-")
}

/// Whether this header makes some servers treat a request as another one. It may be sent only to hosts
/// whose egress rule lists it among its `override_headers`.
#[must_use]
pub fn is_override(name: &str) -> bool {
    let name = folded(name);
    OVERRIDES.contains(&name.as_str()) || name.starts_with("x-forwarded-")
}

#[must_use]
pub fn is_credential(name: &str) -> bool {
    CREDENTIALS.contains(&folded(name).as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_in_every_spelling() {
        for name in [
            "Host",
            "TRANSFER_ENCODING",
            "http2_settings",
            "Proxy-Anything",
            "expect",
        ] {
            assert!(is_reserved(name) && !is_override(name), "{name}");
        }
        for name in [
            "X-HTTP-Method-Override",
            "x_original_url",
            "X-Forwarded-Anything",
        ] {
            assert!(is_override(name) && !is_reserved(name), "{name}");
        }
        for name in ["Authorization", "COOKIE"] {
            assert!(is_credential(name), "{name}");
        }
        for name in [
            "accept",
            "x-api-key",
            "hostname",
            "idempotency-key",
            "x-forward",
        ] {
            assert!(
                !is_reserved(name) && !is_override(name) && !is_credential(name),
                "{name}"
            );
        }
    }
}
