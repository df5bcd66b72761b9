//! Read-only inputs of a renderer.

use crate::host;

/// An asset: a font, a logo, an image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// Media type, for example `font/ttf`.
    pub media_type: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Names of the assets of this call.
pub fn names() -> Vec<String> {
    host::assets_names()
}

/// An asset by its name.
pub fn read(name: &str) -> Option<Asset> {
    host::assets_read(name)
}
