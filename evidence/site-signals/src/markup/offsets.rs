//! Maps offsets in decoded text to offsets in the received bytes.

use encoding_rs::{Encoding, UTF_8};
use gtm_page_text::Decoded;

use super::InlineSvg;

/// Converts the drawings' offsets from the decoded text to the received bytes.
pub(super) fn received(drawings: &mut [InlineSvg], decoded: &Decoded, bytes: &[u8]) {
    let mut wanted: Vec<usize> = drawings
        .iter()
        .flat_map(|drawing| [drawing.start, drawing.end])
        .collect();
    if wanted.is_empty() {
        return;
    }
    wanted.sort_unstable();
    wanted.dedup();
    let found = map(&wanted, decoded, bytes);
    let place = |offset: usize| {
        wanted
            .binary_search(&offset)
            .ok()
            .and_then(|at| found.get(at).copied())
            .unwrap_or(bytes.len())
    };
    for drawing in drawings {
        drawing.start = place(drawing.start);
        drawing.end = place(drawing.end);
    }
}

/// For each offset in the text, ascending: the offset of the first byte of its character.
fn map(wanted: &[usize], decoded: &Decoded, bytes: &[u8]) -> Vec<usize> {
    let encoding = Encoding::for_label(decoded.charset.as_bytes()).unwrap_or(UTF_8);
    // Usually the text is the bytes without the byte order mark.
    let mark = bytes.len().saturating_sub(decoded.text.len());
    if encoding == UTF_8 && bytes.get(mark..) == Some(decoded.text.as_bytes()) {
        return wanted.iter().map(|offset| offset + mark).collect();
    }
    // Otherwise decode byte by byte, noting how much text each byte produces.
    let mut decoder = encoding.new_decoder();
    let mut found = Vec::with_capacity(wanted.len());
    let mut rest = wanted.iter().copied().peekable();
    let mut written = 0;
    let mut buffer = [0; 64];
    for (at, byte) in bytes.iter().enumerate() {
        while rest.next_if(|offset| *offset <= written).is_some() {
            found.push(at);
        }
        if rest.peek().is_none() {
            break;
        }
        let (_, _, more, _) =
            decoder.decode_to_utf8(std::slice::from_ref(byte), &mut buffer, false);
        // Characters that start in the text this byte produced start at this byte.
        while rest.next_if(|offset| *offset < written + more).is_some() {
            found.push(at);
        }
        written += more;
    }
    found.resize(wanted.len(), bytes.len());
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use gtm_page_text::{Media, decode};

    use super::*;

    fn check(content_type: &str, bytes: &[u8]) {
        let decoded = decode(Some(content_type), Media::Html, bytes);
        let at = decoded.text.find('<').unwrap();
        let expected = bytes.iter().position(|byte| *byte == b'<').unwrap();
        assert_eq!(
            map(&[at, at + 1], &decoded, bytes),
            [expected, expected + 1],
            "{bytes:?}"
        );
    }

    #[test]
    fn offsets_are_those_of_the_bytes() {
        check("text/html; charset=utf-8", "Zähler <x".as_bytes());
        check("text/html; charset=utf-8", b"\xEF\xBB\xBFZ\xC3\xA4<x");
        check("text/html; charset=utf-8", b"broken \xC3<x");
        check("text/html; charset=windows-1252", b"Z\xE4\xF6\xFC <x");
        check("text/html; charset=shift_jis", b"\x83\x65\x83\x58<x");
        check("text/html; charset=gb18030", b"\x81\x30\x81\x30<x");
        // UTF-16: the character takes two bytes, of which the first is zero here.
        let bytes: Vec<u8> = "ä<x".encode_utf16().flat_map(u16::to_be_bytes).collect();
        let decoded = decode(Some("text/html; charset=utf-16be"), Media::Html, &bytes);
        assert_eq!(map(&[2, 3], &decoded, &bytes), [2, 4]);
    }
}
