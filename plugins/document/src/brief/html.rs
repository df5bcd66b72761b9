//! Tags of HTML in a brief: they go, before Markdown takes whole lines for HTML. What only looks like a tag, such as
//! `<Customer>` or `5 < 6`, stays text.

use std::borrow::Cow;

/// Longest tag, in bytes.
const LONGEST_TAG: usize = 400;

/// Elements that people write into Markdown.
const ELEMENTS: [&str; 44] = [
    "a",
    "abbr",
    "article",
    "b",
    "blockquote",
    "body",
    "br",
    "center",
    "code",
    "del",
    "details",
    "div",
    "em",
    "font",
    "footer",
    "head",
    "header",
    "hr",
    "html",
    "i",
    "iframe",
    "img",
    "ins",
    "kbd",
    "li",
    "main",
    "mark",
    "ol",
    "p",
    "pre",
    "s",
    "script",
    "section",
    "small",
    "span",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "svg",
    "u",
    "ul",
    "video",
];

/// The text without tags and comments; `<br>` becomes a blank, and any other `<` that Markdown would take for HTML is escaped.
pub fn without_tags(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('<') {
        out.push_str(before);
        rest = behind;
        if let Some(comment) = behind.strip_prefix("!--") {
            // One without an end hides nothing.
            if let Some((_, behind)) = comment.split_once("-->") {
                rest = behind;
                continue;
            }
        }
        let near = behind
            .bytes()
            .take(LONGEST_TAG)
            .position(|byte| matches!(byte, b'>' | b'<'));
        let inside = near
            .filter(|end| behind.as_bytes().get(*end) == Some(&b'>'))
            .and_then(|end| Some((behind.get(..end)?, behind.get(end + 1..)?)));
        match inside {
            Some((tag, behind)) if is_element(tag) => {
                if name_of(tag).eq_ignore_ascii_case("br") {
                    out.push(' ');
                }
                rest = behind;
            }
            // An address in angle brackets is a link.
            Some((address, _)) if is_address(address) => out.push('<'),
            _ if behind
                .starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')) =>
            {
                out.push_str("\\<")
            }
            _ => out.push('<'),
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn name_of(tag: &str) -> &str {
    let tag = tag.strip_prefix('/').unwrap_or(tag);
    let end = tag
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(tag.len());
    tag.get(..end).unwrap_or(tag)
}

fn is_element(tag: &str) -> bool {
    let name = name_of(tag).to_ascii_lowercase();
    let heading = matches!(name.as_bytes(), [b'h', b'1'..=b'6']);
    let table =
        matches!(name.as_str(), "table") || matches!(name.as_bytes(), [b't', b'd' | b'h' | b'r']);
    heading || table || ELEMENTS.binary_search(&name.as_str()).is_ok()
}

fn is_address(text: &str) -> bool {
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic());
    plain && (text.starts_with("https://") || text.starts_with("http://") || text.contains('@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_go_and_look_alikes_stay() {
        assert!(ELEMENTS.is_sorted());
        for (text, expected) in [
            ("a<br>b<br/>c", "a b c"),
            ("<b class=\"x\">bold</b>", "bold"),
            ("<!-- note -->x", "x"),
            ("5 < 6 and <Customer name>", "5 < 6 and \\<Customer name>"),
            ("<https://a.example/b>", "<https://a.example/b>"),
            ("<script>alert(1)</script>", "alert(1)"),
            ("<!-- open", "\\<!-- open"),
            ("x <", "x <"),
        ] {
            assert_eq!(without_tags(text), expected);
        }
    }
}
