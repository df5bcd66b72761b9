//! QR codes as PNG.

use miniz_oxide::deflate::compress_to_vec_zlib;
use qrcodegen::{QrCode, QrCodeEcc};

/// Pixels of a module, so that the picture stays sharp on paper.
const SCALE: i32 = 8;
/// Modules of quiet zone that the standard asks for.
const QUIET: i32 = 4;

/// The address as a QR code, and its pixels in width and height. None where it has too many characters.
#[must_use]
pub fn png(address: &str) -> Option<(Vec<u8>, u32)> {
    let code = QrCode::encode_text(address, QrCodeEcc::Medium).ok()?;
    let side = (code.size() + 2 * QUIET) * SCALE;
    let mut rows = Vec::new();
    for y in 0..side {
        // No filter.
        rows.push(0);
        let mut byte = 0_u8;
        for x in 0..side {
            let is_dark = code.get_module(x / SCALE - QUIET, y / SCALE - QUIET);
            byte = byte << 1 | u8::from(!is_dark);
            if x % 8 == 7 {
                rows.push(byte);
                byte = 0;
            }
        }
    }
    let side = u32::try_from(side).ok()?;
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::new();
    header.extend(side.to_be_bytes());
    header.extend(side.to_be_bytes());
    // One bit for each pixel, grey.
    header.extend([1, 0, 0, 0, 0]);
    chunk(&mut png, b"IHDR", &header)?;
    chunk(&mut png, b"IDAT", &compress_to_vec_zlib(&rows, 9))?;
    chunk(&mut png, b"IEND", &[])?;
    Some((png, side))
}

fn chunk(png: &mut Vec<u8>, kind: &[u8; 4], content: &[u8]) -> Option<()> {
    png.extend(u32::try_from(content.len()).ok()?.to_be_bytes());
    let start = png.len();
    png.extend(kind);
    png.extend(content);
    let crc = crc32fast::hash(&png[start..]);
    png.extend(crc.to_be_bytes());
    Some(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_picture_is_intact() {
        let (bytes, side) = png("https://example.com/book?day=7").unwrap();
        let picture = gtm_ooxml::picture::Picture::read(&bytes).unwrap();
        assert_eq!((picture.width, picture.height), (side, side));
        assert_eq!(side % 8, 0, "rows end with a whole byte");
    }

    #[test]
    fn an_address_that_is_too_long_has_none() {
        assert_eq!(png(&"a".repeat(5_000)), None);
    }
}
