//! QR codes as drawings.

use std::fmt::Write as _;

use qrcodegen::{QrCode, QrCodeEcc};

/// Modules of quiet zone that the standard asks for.
const QUIET: i32 = 4;

/// The address as a QR code, dark on white with its quiet zone. None where it has too many characters.
#[must_use]
pub fn svg(address: &str) -> Option<String> {
    let code = QrCode::encode_text(address, QrCodeEcc::Medium).ok()?;
    let side = code.size() + 2 * QUIET;
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let start = x;
            while x < code.size() && code.get_module(x, y) {
                x += 1;
            }
            if x > start {
                // Writing to a string cannot fail.
                let _ = write!(
                    path,
                    "M{} {}h{}v1h-{}z",
                    start + QUIET,
                    y + QUIET,
                    x - start,
                    x - start
                );
            }
            x += 1;
        }
    }
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" width=\"{side}\" height=\"{side}\">\
         <path fill=\"#fff\" d=\"M0 0h{side}v{side}h-{side}z\"/><path d=\"{path}\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_has_the_modules_of_the_address() {
        let drawing = svg("https://example.com/book?day=7").unwrap_or_default();
        // The finder pattern's first row: seven dark modules at the quiet zone's edge.
        assert!(drawing.contains("M4 4h7v1h-7z"), "{drawing}");
        assert_eq!(svg(&"a".repeat(5_000)), None);
    }
}
