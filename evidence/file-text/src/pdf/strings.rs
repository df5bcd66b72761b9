//! Text strings outside of content: titles, languages, replacement texts.

use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE};

use super::encodings::Base;

/// Decodes by the byte order mark; without one, it is in PDFDocEncoding, whose letters are those of Windows.
pub(super) fn text(bytes: &[u8]) -> String {
    let encoding = match bytes {
        [0xFE, 0xFF, ..] => UTF_16BE,
        [0xFF, 0xFE, ..] => UTF_16LE,
        [0xEF, 0xBB, 0xBF, ..] => UTF_8,
        _ => {
            let characters = bytes
                .iter()
                .map(|byte| Base::WinAnsi.character(*byte).unwrap_or(' '));
            return characters.collect();
        }
    };
    encoding.decode(bytes).0.into_owned()
}
