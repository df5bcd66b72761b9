//! Keys encoded as text.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

use crate::error::StoreError;

/// Decodes a key from base64.
pub(super) fn decode(text: &str) -> Result<[u8; 32], StoreError> {
    let bytes = Zeroizing::new(
        STANDARD
            .decode(text)
            .map_err(|_| StoreError::KeyRing("a key is not base64".to_owned()))?,
    );
    let key = bytes.as_slice().try_into();
    key.map_err(|_| StoreError::KeyRing(format!("a key has {} bytes instead of 32", bytes.len())))
}
