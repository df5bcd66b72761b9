//! URLs of a manifest in which a setting may stand.

use gtm_domain::{Failure, FailureKind};

use super::grant::CallGrant;
use super::inject;
use crate::manifest::template::{self, Piece};

/// A URL of the manifest with its settings put in. Credentials have no place in it. Where a setting
/// ends with a slash and the text goes on with one, there is one.
pub(super) fn render_url(grant: &CallGrant, text: &str) -> Result<String, Failure> {
    let invalid = || {
        Failure::new(
            FailureKind::Internal,
            "invalid_manifest",
            "the manifest holds a URL that can't be filled in",
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
