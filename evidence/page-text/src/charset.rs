//! Decodes bytes into characters.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::media::Media;

/// How many bytes of a body are searched for its own declaration of an encoding.
const DECLARATION_WINDOW: usize = 4096;
/// How many bytes of a body are looked at to tell its encoding.
const DETECTION_WINDOW: usize = 256 * 1024;
/// Fewest bytes outside of ASCII from which an encoding is told with more certainty than a declaration has.
const SURE_BYTES: usize = 40;
/// A declaration is wrong when more than one in this many characters outside of ASCII is malformed.
const MALFORMED: usize = 10;

/// Decoded text and the encoding it was decoded with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The characters; malformed sequences are replaced by U+FFFD.
    pub text: String,
    /// WHATWG name of the encoding, for example `windows-1252`.
    pub charset: &'static str,
}

/// Decodes a body. The encoding comes from the first of these that gives one: byte order mark, `charset` of
/// the content type, the document's own declaration, the bytes themselves. Since servers and templates declare
/// encodings that their texts don't have, the bytes overrule a declaration where they leave no doubt: they are
/// valid UTF-8, they are malformed in the declared encoding, or they spell words of another script.
pub fn decode(content_type: Option<&str>, media: Media, bytes: &[u8]) -> Decoded {
    let encoding = Encoding::for_bom(bytes)
        .map(|(encoding, _)| encoding)
        .unwrap_or_else(|| {
            let declared = [
                content_type.and_then(from_content_type),
                from_declaration(media, bytes),
            ];
            encoding_of(bytes, declared.into_iter().flatten())
        });
    let (text, encoding, _) = encoding.decode(bytes);
    Decoded {
        text: text.into_owned(),
        charset: encoding.name(),
    }
}

fn encoding_of(
    bytes: &[u8],
    declared: impl Iterator<Item = &'static Encoding> + Clone,
) -> &'static Encoding {
    let first = declared.clone().next();
    if let Some(wide) = first.filter(|first| *first == UTF_16BE || *first == UTF_16LE) {
        return wide;
    }
    let foreign = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    if foreign == 0 {
        // ISO-2022-JP is written in ASCII alone.
        return first.unwrap_or_else(|| detected(bytes, Iso2022JpDetection::Allow));
    }
    // A truncated body may end inside a character; exactly then, `error_len` is `None`.
    let is_cut = std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none());
    if fits(UTF_8, bytes) || (is_cut && first.is_none()) {
        return UTF_8;
    }
    let detected = detected(bytes, Iso2022JpDetection::Deny);
    if first.is_none()
        || (foreign >= SURE_BYTES
            && !is_latin(detected)
            && fits(detected, bytes)
            && first != Some(UTF_8))
    {
        return detected;
    }
    let mut all = declared.chain([detected]);
    all.find(|encoding| fits(encoding, bytes))
        .or(first)
        .unwrap_or(detected)
}

/// Whether hardly any of the text is malformed in this encoding.
fn fits(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    let (mut foreign, mut malformed) = (0usize, 0usize);
    for character in text.chars().filter(|character| !character.is_ascii()) {
        foreign += 1;
        malformed += usize::from(character == char::REPLACEMENT_CHARACTER);
    }
    malformed * MALFORMED <= foreign
}

/// Whether an encoding is one of Latin letters, which differ in so few of them that bytes alone don't tell
/// them apart.
fn is_latin(encoding: &'static Encoding) -> bool {
    matches!(
        encoding.name(),
        "UTF-8"
            | "windows-1250"
            | "windows-1252"
            | "windows-1254"
            | "windows-1257"
            | "windows-1258"
            | "ISO-8859-2"
            | "ISO-8859-4"
    )
}

fn detected(bytes: &[u8], iso_2022_jp: Iso2022JpDetection) -> &'static Encoding {
    let window = bytes.get(..DETECTION_WINDOW).unwrap_or(bytes);
    let mut detector = EncodingDetector::new(iso_2022_jp);
    detector.feed(window, window.len() == bytes.len());
    detector.guess(None, Utf8Detection::Allow)
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
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

    const JAPANESE: &str = "<title>会社概要</title><p>当社は一九八五年に設立され、建物の施設管理と清掃を行っています。</p>\
        <p>お客様の信頼にお応えするため、社員一同努力してまいります。</p>";
    const RUSSIAN: &str = "<title>О компании</title><p>Мы производим счётчики тепла для жилых домов и продаём их по всей стране.</p>";
    const CHINESE: &str = "<title>公司简介</title><p>我们公司成立于一九九八年,生产建筑用的热量表,产品销往全国各地。</p>\
        <p>欢迎广大客户来电咨询,我们将竭诚为您服务。</p>";

    #[test]
    fn old_encodings_are_told_without_and_against_declarations() {
        for (label, text) in [
            ("Shift_JIS", JAPANESE),
            ("EUC-JP", JAPANESE),
            ("windows-1251", RUSSIAN),
            ("gb18030", CHINESE),
        ] {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            for declared in [
                "",
                "<meta charset=utf-8>",
                "<meta charset=iso-8859-1>",
                "<meta charset=Shift_JIS>",
                "<meta charset=euc-jp>",
            ] {
                if label == "windows-1251" && declared.contains("JIS") {
                    continue;
                }
                let page = format!("{declared}{text}");
                let (bytes, _, unmappable) = encoding.encode(&page);
                assert!(!unmappable, "{label}");
                let decoded = html(None, &bytes);
                assert_eq!(decoded.text, page, "{label} {declared}");
                let decoded = html(Some("text/html; charset=ISO-8859-1"), &bytes);
                assert_eq!(
                    decoded.text, page,
                    "{label} {declared} and a server's default"
                );
            }
        }
    }

    #[test]
    fn declared_latin_letters_stay_what_they_are() {
        for (label, text) in [
            (
                "iso-8859-1",
                "<p>Größe, Prüfung, Übersicht: für Städte, Ämter und Häuser, die Wärme sparen möchten und müssen, natürlich überall.</p>",
            ),
            (
                "iso-8859-2",
                "<p>Żółw i gęś: spółka wytwarza urządzenia pomiarowe dla przemysłu, źródła ciepła i wody, także części zamienne.</p>",
            ),
            (
                "windows-1254",
                "<p>Şirketimiz ısı sayaçları üretir, müşterilerine güvenilir ölçüm sağlar; çözümlerimiz için bize ulaşın.</p>",
            ),
        ] {
            let (bytes, ..) = Encoding::for_label(label.as_bytes()).unwrap().encode(text);
            let header = format!("text/html; charset={label}");
            assert_eq!(html(Some(&header), &bytes).text, text, "{label}");
        }
        // One broken byte does not make a text in UTF-8 another one.
        let mut bytes = "Größe, Prüfung, Übersicht, für Städte, Ämter und Häuser, Wärme, müssen, natürlich, überall, Öl, Äpfel, fünf".as_bytes().to_vec();
        bytes.push(0xE4);
        bytes.extend_from_slice(b" end");
        let decoded = html(Some("text/html; charset=utf-8"), &bytes);
        assert!(decoded.text.starts_with("Größe"), "{}", decoded.text);
        // What is valid UTF-8 is UTF-8, whatever a server says.
        let utf8 = "Zähler für Häuser".as_bytes();
        assert_eq!(
            html(Some("text/html; charset=iso-8859-1"), utf8).charset,
            "UTF-8"
        );
    }
}
