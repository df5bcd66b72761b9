//! Decides how to read a body.

/// How a body is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Media {
    /// HTML and XHTML.
    Html,
    /// XML of any other vocabulary.
    Xml,
    /// JSON and its relatives (`+json`, JSON Lines).
    Json,
    /// Any other `text/*`.
    Text,
    /// Not text.
    Binary,
}

/// Decides by the response's content type. If there is none, or only a generic one that servers send by
/// default, decides by the first bytes.
pub fn classify(content_type: Option<&str>, bytes: &[u8]) -> Media {
    let essence = content_type
        .and_then(|value| value.split(';').next())
        .map(|value| value.trim().to_ascii_lowercase())
        .unwrap_or_default();
    match essence.as_str() {
        "text/html" | "application/xhtml+xml" => Media::Html,
        "text/xml" | "application/xml" => xml_or_xhtml(bytes),
        "application/json"
        | "text/json"
        | "application/x-ndjson"
        | "application/jsonl"
        | "application/json-seq" => Media::Json,
        ""
        | "application/octet-stream"
        | "application/unknown"
        | "unknown/unknown"
        | "text/plain" => sniff(&essence, bytes),
        "application/javascript"
        | "application/ecmascript"
        | "application/x-yaml"
        | "application/yaml"
        | "application/toml" => Media::Text,
        other if other.ends_with("+json") => Media::Json,
        "image/svg+xml" => Media::Xml,
        other if other.ends_with("+xml") => Media::Xml,
        other if other.starts_with("text/") => Media::Text,
        _ => Media::Binary,
    }
}

fn xml_or_xhtml(bytes: &[u8]) -> Media {
    let head = lower_head(bytes);
    if head.contains("<html") {
        Media::Html
    } else {
        Media::Xml
    }
}

/// Decides by the first bytes. `text/plain` is believed unless the body is binary: the server wants the
/// markup shown as text.
fn sniff(essence: &str, bytes: &[u8]) -> Media {
    let has_utf16_bom = bytes.starts_with(&[0xFE, 0xFF]) || bytes.starts_with(&[0xFF, 0xFE]);
    let head = bytes.get(..bytes.len().min(1024)).unwrap_or_default();
    if !has_utf16_bom && head.iter().any(|byte| is_binary_byte(*byte)) {
        return Media::Binary;
    }
    if essence == "text/plain" {
        return Media::Text;
    }
    let head = lower_head(bytes);
    let head = head.trim_start_matches('\u{FEFF}').trim_start();
    if head.starts_with("<?xml") {
        xml_or_xhtml(bytes)
    } else if [
        "<!doctype html",
        "<html",
        "<head",
        "<body",
        "<!--",
        "<script",
        "<div",
        "<p>",
        "<h1",
        "<title",
    ]
    .iter()
    .any(|prefix| head.starts_with(prefix))
    {
        Media::Html
    } else if head.starts_with('{') || head.starts_with('[') {
        Media::Json
    } else {
        Media::Text
    }
}

/// The "binary data byte" of the WHATWG MIME Sniffing Standard.
fn is_binary_byte(byte: u8) -> bool {
    matches!(byte, 0x00..=0x08 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F)
}

fn lower_head(bytes: &[u8]) -> String {
    let head = bytes.get(..bytes.len().min(1024)).unwrap_or_default();
    String::from_utf8_lossy(head).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_types_are_believed() {
        assert_eq!(
            classify(Some("Text/HTML; charset=utf-8"), b"{}"),
            Media::Html
        );
        assert_eq!(classify(Some("application/ld+json"), b""), Media::Json);
        assert_eq!(classify(Some("application/rss+xml"), b""), Media::Xml);
        assert_eq!(classify(Some("text/csv"), b"a,b"), Media::Text);
        assert_eq!(classify(Some("application/pdf"), b"%PDF"), Media::Binary);
        assert_eq!(classify(Some("image/png"), b"\x89PNG"), Media::Binary);
    }

    #[test]
    fn unlabelled_bodies_are_sniffed() {
        assert_eq!(classify(None, b"\n<!DOCTYPE html><p>x"), Media::Html);
        assert_eq!(classify(None, b"<?xml version='1.0'?><rss/>"), Media::Xml);
        assert_eq!(classify(None, b"<?xml version='1.0'?><html>"), Media::Html);
        assert_eq!(classify(None, b" [1]"), Media::Json);
        assert_eq!(classify(None, b"hello"), Media::Text);
        assert_eq!(classify(None, b"\x7fELF\x00\x01"), Media::Binary);
        assert_eq!(classify(Some("text/plain"), b"PK\x03\x04"), Media::Binary);
    }
}
