//! Manifest URLs that may contain a setting.

use gtm_domain::{Failure, FailureKind};

use super::grant::CallGrant;
use super::inject;
use crate::manifest::template::{self, Piece};

/// A URL of the manifest with its settings filled in; credentials have no place in it. A slash at the end
/// of a setting and one at the start of the following text become one.
pub(super) fn render_url(grant: &CallGrant, text: &str) -> Result<String, Failure> {
    let invalid = || {
        Failure::new(
            FailureKind::Internal,
            "invalid_manifest",
            "the manifest holds a URL that cannot be filled in",
        )
    };
    let mut url = String::new();
    for piece in template::parse(text).map_err(|_| invalid())? {
        match piece {
            Piece::Literal(text) => {
                if text.starts_with('/') && url.ends_with('/') {
                    url.pop();
                }
                url.push_str(&text);
            }
            Piece::Setting(key) => url.push_str(&inject::setting(&grant.settings, &key)?),
            _ => return Err(invalid()),
        }
    }
    Ok(url)
}
