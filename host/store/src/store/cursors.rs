//! Cursors of lists (annex A10): opaque texts that say where a page ended. They are not stored; a keyed
//! digest authenticates those that the store issued.
//!
//! Base64url of: version, 1 byte; time of issue in microseconds, 8; project, 16; digest of the list, 16;
//! key of the last row; and HMAC-SHA-256 over all of that, cut to 16 bytes.

use std::time::Duration;

use aws_lc_rs::{constant_time, hmac};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use gtm_domain::{Digest, Timestamp};

use super::Store;
use crate::scope::ProjectScope;

const VERSION: u8 = 1;
/// How long a cursor is valid.
const LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);
const TAG: usize = 16;
const LIST: usize = 16;
/// Longest text that is examined; every cursor that we issue is much shorter.
const MAX_TEXT: usize = 1024;

impl Store {
    /// A cursor after the row with this key. `list` is the digest of the list's contents and filters.
    #[must_use]
    pub fn seal_cursor(&self, scope: &ProjectScope, list: &Digest, last_key: &str) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend(self.now().micros().to_be_bytes());
        bytes.extend(scope.project.uuid().as_bytes());
        bytes.extend(&list.as_bytes()[..LIST]);
        bytes.extend(last_key.as_bytes());
        let tag = self.cursor_tag(&bytes);
        bytes.extend(tag);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The key inside a cursor, if this store issued it for the same project, list and filter within the
    /// last 7 days. The caller does not learn why a cursor is refused.
    #[must_use]
    pub fn open_cursor(&self, scope: &ProjectScope, list: &Digest, cursor: &str) -> Option<String> {
        if cursor.len() > MAX_TEXT {
            return None;
        }
        // The decoder accepts only the canonical text of any bytes.
        let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let (sealed, tag) = bytes.split_last_chunk::<TAG>()?;
        constant_time::verify_slices_are_equal(&self.cursor_tag(sealed), tag).ok()?;
        let (version, rest) = sealed.split_first()?;
        let (issued, rest) = rest.split_first_chunk::<8>()?;
        let (project, rest) = rest.split_first_chunk::<16>()?;
        let (of, key) = rest.split_first_chunk::<LIST>()?;
        let issued = Timestamp::from_micros(i64::from_be_bytes(*issued));
        let good = *version == VERSION
            && project == scope.project.uuid().as_bytes()
            && of == &list.as_bytes()[..LIST]
            && self.now().since(issued) <= LIFETIME;
        good.then(|| String::from_utf8(key.to_vec()).ok()).flatten()
    }

    fn cursor_tag(&self, sealed: &[u8]) -> [u8; TAG] {
        let mut context = hmac::Context::with_key(&self.inner.secret);
        // This prefix separates cursors from everything else that this key signs.
        context.update(b"cursor ");
        context.update(sealed);
        let mut tag = [0; TAG];
        tag.copy_from_slice(&context.sign().as_ref()[..TAG]);
        tag
    }
}
