//! Which headers and query parameters a guest may set, and which headers of an answer it may see.

use gtm_domain::Failure;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use percent_encoding::percent_decode_str;
use url::Url;

use super::grant::CallGrant;
use super::reserved::{folded, is_reserved};
use crate::manifest::InjectionPlace;

/// Maximum number of headers in one message, in either direction.
pub(super) const MAX_HEADERS: usize = 128;
/// Maximum bytes of all headers of one message, in either direction.
pub(super) const MAX_HEADER_BYTES: usize = 64 * 1024;

/// Headers that carry a credential, wherever they come from.
pub(super) const CREDENTIAL: [HeaderName; 2] = [header::AUTHORIZATION, header::COOKIE];

/// Headers that ask for part of an answer, and so for part of a credential that it echoes.
const PARTIAL: [&str; 3] = ["range", "if-range", "request-range"];

/// Headers that ask a server whether its answer has this tag, and so whether a guess of a body that echoes
/// a credential is right.
const BY_TAG: [&str; 2] = ["if-match", "if-none-match"];

/// Headers that describe the body as it was before secrets were removed. They let a guest test guesses
/// without asking anybody.
const OF_THE_BODY: [&str; 9] = [
    "content-digest",
    "content-md5",
    "digest",
    "etag",
    "repr-digest",
    "unencoded-digest",
    "x-content-md5",
    "x-goog-hash",
    "x-ms-content-crc64",
];

/// The same, for one provider's family of headers.
const OF_THE_BODY_BEGIN: &str = "x-amz-checksum-";

/// Checks the guest's headers of a request that carries a credential.
///
/// # Errors
/// `header_not_allowed`, naming the header.
pub(super) fn check_with_credential(headers: &HeaderMap) -> Result<(), Failure> {
    let refused = |(name, value): &(&HeaderName, &HeaderValue)| {
        // Servers behind CGI and WSGI read `_` as `-`.
        let name = folded(name.as_str());
        // `*` asks only whether there is anything at all, which is harmless.
        let by_tag = BY_TAG.contains(&name.as_str()) && value.as_bytes().trim_ascii() != b"*";
        PARTIAL.contains(&name.as_str()) || by_tag
    };
    match headers.iter().find(refused) {
        None => Ok(()),
        Some((name, _)) => Err(Failure::denied(
            "header_not_allowed",
            format!("the header `{name}` is not sent together with a credential"),
        )),
    }
}

/// Checks the guest's headers.
///
/// # Errors
/// `header_not_allowed`; the message holds the name, never the value.
pub(super) fn checked(
    headers: &[(String, String)],
    grant: &CallGrant,
) -> Result<HeaderMap, Failure> {
    let size: usize = headers
        .iter()
        .map(|(name, value)| name.len() + value.len() + 4)
        .sum();
    if headers.len() > MAX_HEADERS || size > MAX_HEADER_BYTES {
        return Err(Failure::denied(
            "header_not_allowed",
            "the request has too many or too long headers",
        ));
    }
    let mut out = HeaderMap::with_capacity(headers.len());
    for (name, value) in headers {
        let refused = |why: &str| {
            let shown: String = name
                .chars()
                .filter(|c| c.is_ascii_graphic())
                .take(64)
                .collect();
            Failure::denied("header_not_allowed", format!("the header `{shown}` {why}"))
        };
        let parsed =
            HeaderName::from_bytes(name.as_bytes()).map_err(|_| refused("has an invalid name"))?;
        if is_reserved(name) {
            return Err(refused("is set by the host"));
        }
        if injected_names(grant, InjectionPlace::Header).any(|n| folded(n) == folded(name)) {
            return Err(refused("is injected by the host"));
        }
        let value = HeaderValue::from_str(value).map_err(|_| refused("has an invalid value"))?;
        out.append(parsed, value);
    }
    Ok(out)
}

/// Refuses query parameters with injected names: a lenient server could read them instead of ours.
///
/// # Errors
/// `header_not_allowed`, naming the parameter.
pub(super) fn check_query(url: &Url, grant: &CallGrant) -> Result<(), Failure> {
    for name in parameter_names(url) {
        if injected_names(grant, InjectionPlace::Query).any(|n| n.eq_ignore_ascii_case(&name)) {
            return Err(Failure::denied(
                "header_not_allowed",
                format!("the query parameter `{name}` is injected by the host"),
            ));
        }
    }
    Ok(())
}

/// Names of the parameters, treating `;` as a separator too and `name[]` as `name`.
fn parameter_names(url: &Url) -> impl Iterator<Item = String> {
    url.query()
        .unwrap_or_default()
        .split(['&', ';'])
        .map(|pair| {
            let name = pair.split('=').next().unwrap_or_default().replace('+', " ");
            let name = percent_decode_str(&name).decode_utf8_lossy().into_owned();
            name.split('[').next().unwrap_or_default().trim().to_owned()
        })
}

/// Names that a scheme of the call, or its idempotency key, injects.
pub(super) fn injected_names(
    grant: &CallGrant,
    place: InjectionPlace,
) -> impl Iterator<Item = &str> {
    let schemes = grant
        .schemes
        .iter()
        .flat_map(|s| s.inject())
        .filter(move |i| i.place == place)
        .map(|i| i.name.as_str());
    let key = grant
        .idempotency
        .as_ref()
        .filter(|_| place == InjectionPlace::Header)
        .map(|(name, _)| name.as_str());
    schemes.chain(key)
}

/// Removes the parameters that the gate injects from a URL that a server built from ours.
pub(super) fn without_injected_parameters(url: &mut Url, grant: &CallGrant) {
    let injected: Vec<_> = injected_names(grant, InjectionPlace::Query).collect();
    let hit = |name: &str| injected.iter().any(|n| n.eq_ignore_ascii_case(name));
    if !url.query_pairs().any(|(name, _)| hit(&name)) {
        return;
    }
    let kept: Vec<_> = url
        .query_pairs()
        .into_owned()
        .filter(|(name, _)| !hit(name))
        .collect();
    url.set_query(None);
    if !kept.is_empty() {
        url.query_pairs_mut().extend_pairs(kept);
    }
}

/// Describes the answer whose headers are shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    /// Whether a content coding was removed from its body.
    pub decoded: bool,
    /// Whether it has no body, though its headers may announce one.
    pub bodiless: bool,
    /// Whether its request carried a credential, which its body may echo.
    pub carried: bool,
}

/// Headers of an answer as a guest sees them. Bytes that are not UTF-8 are replaced.
pub(super) fn visible(headers: &HeaderMap, answer: Shown) -> Vec<(String, String)> {
    let of_the_body = |name: &HeaderName| {
        let name = folded(name.as_str());
        OF_THE_BODY.contains(&name.as_str()) || name.starts_with(OF_THE_BODY_BEGIN)
    };
    // The length of a body that the guest never sees may be that of a compressed one, which is the shorter
    // the better a guess matches what the server echoes.
    let length_hidden = answer.decoded || answer.bodiless && answer.carried;
    let hidden = |name: &HeaderName| {
        is_reserved(name.as_str()) && *name != header::CONTENT_LENGTH
            || answer.decoded && *name == header::CONTENT_ENCODING
            || length_hidden && *name == header::CONTENT_LENGTH
            || answer.carried && of_the_body(name)
    };
    headers
        .iter()
        .filter(|(name, _)| !hidden(name))
        .map(|(name, value)| {
            (
                name.as_str().to_owned(),
                String::from_utf8_lossy(value.as_bytes()).into_owned(),
            )
        })
        .collect()
}
