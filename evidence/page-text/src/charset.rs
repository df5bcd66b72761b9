//! Decodes bytes into characters.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::media::Media;

/// How many bytes of a body are searched for its own declaration of an encoding.
const DECLARATION_WINDOW: usize = 4096;

/// Decoded text and the encoding it was decoded with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The characters; malformed sequences are replaced by U+FFFD.
    pub text: String,
    /// WHATWG name of the encoding, for example `windows-1252`.
    pub charset: &'static str,
}

/// Decodes a body. The encoding comes from the first of these that gives one: byte order mark, `charset` of
/// the content type, the document's own declaration, UTF-8 if the bytes are valid UTF-8. Otherwise it is
/// windows-1252.
pub fn decode(content_type: Option<&str>, media: Media, bytes: &[u8]) -> Decoded {
    let encoding = Encoding::for_bom(bytes)
        .map(|(encoding, _)| encoding)
        .or_else(|| content_type.and_then(from_content_type))
        .or_else(|| from_declaration(media, bytes))
        .unwrap_or_else(|| guess(bytes));
    let (text, encoding, _) = encoding.decode(bytes);
    Decoded {
        text: text.into_owned(),
        charset: encoding.name(),
    }
}

fn from_content_type(value: &str) -> Option<&'static Encoding> {
    value.split(';').skip(1).find_map(|parameter| {
        let (name, label) = parameter.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| Encoding::for_label(label.trim().trim_matches(['"', '\'']).as_bytes()))?
    })
}

/// In `<meta charset=…>`, `<meta http-equiv content="…; charset=…">`, `<?xml encoding=…?>` and CSS's
/// `@charset`, the label follows one of two words.
fn from_declaration(media: Media, bytes: &[u8]) -> Option<&'static Encoding> {
    let window = bytes
        .get(..bytes.len().min(DECLARATION_WINDOW))
        .unwrap_or_default();
    let head = String::from_utf8_lossy(window).to_ascii_lowercase();
    let label = match media {
        Media::Html => head
            .match_indices("<meta")
            .filter_map(|(at, _)| head.get(at..)?.split('>').next())
            .find_map(|tag| label_after(tag, "charset"))
            .or_else(|| xml_label(&head)),
        Media::Xml => xml_label(&head),
        Media::Text => head
            .strip_prefix("@charset \"")
            .and_then(|rest| rest.split('"').next()),
        Media::Json | Media::Binary => None,
    }?;
    let encoding = Encoding::for_label(label.as_bytes())?;
    // A declaration that is readable as ASCII cannot be in UTF-16 (WHATWG HTML, 13.2.3.2).
    Some(if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else {
        encoding
    })
}

fn xml_label(head: &str) -> Option<&str> {
    let head = head.trim_start();
    let declaration = head.strip_prefix("<?xml")?.split("?>").next()?;
    label_after(declaration, "encoding")
}

fn label_after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let at = text.find(word)? + word.len();
    let rest = text.get(at..)?.trim_start().strip_prefix('=')?.trim_start();
    let rest = rest.trim_start_matches(['"', '\'']);
    let label = rest
        .split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';' | '/' | '>'))
        .next()?;
    (!label.is_empty()).then_some(label)
}

fn guess(bytes: &[u8]) -> &'static Encoding {
    match std::str::from_utf8(bytes) {
        Ok(_) => UTF_8,
        // A truncated body may end inside a character; exactly then, `error_len` is `None`.
        Err(error) if error.error_len().is_none() => UTF_8,
        Err(_) => WINDOWS_1252,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(content_type: Option<&str>, bytes: &[u8]) -> Decoded {
        decode(content_type, Media::Html, bytes)
    }

    #[test]
    fn byte_order_mark_beats_the_header() {
        let decoded = html(
            Some("text/html; charset=windows-1252"),
            b"\xEF\xBB\xBF\xC3\xA4",
        );
        assert_eq!((decoded.text.as_str(), decoded.charset), ("ä", "UTF-8"));
    }

    #[test]
    fn header_beats_the_declaration() {
        let decoded = html(
            Some("text/html; charset=\"ISO-8859-2\""),
            b"<meta charset=utf-8>\xB1",
        );
        assert_eq!(decoded.charset, "ISO-8859-2");
        assert!(decoded.text.ends_with('ą'));
    }

    #[test]
    fn declarations_are_found() {
        let old =
            b"<meta http-equiv='Content-Type' content='text/html; charset=Shift_JIS'>\x83\x65";
        assert_eq!(html(None, old).charset, "Shift_JIS");
        let xml = b"<?xml version='1.0' encoding='koi8-r'?><a>\xC1</a>";
        assert_eq!(decode(None, Media::Xml, xml).charset, "KOI8-R");
        assert_eq!(html(None, b"<meta charset='utf-16le'>a").charset, "UTF-8");
    }

    #[test]
    fn undeclared_bytes_are_guessed() {
        assert_eq!(html(None, "Zähler".as_bytes()).charset, "UTF-8");
        assert_eq!(html(None, b"Z\xE4hler").charset, "windows-1252");
        assert_eq!(html(None, b"cut in Z\xC3").charset, "UTF-8");
    }
}
