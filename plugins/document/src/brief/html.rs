//! Tags of HTML in a brief: they go, before Markdown takes whole lines for HTML. What only looks like a tag, such as
//! `<Customer>` or `5 < 6`, stays text.

use std::borrow::Cow;

/// Longest tag, in bytes.
const LONGEST_TAG: usize = 400;

/// Elements that people write into Markdown.
const ELEMENTS: [&str; 45] = [
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
    "strike",
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

/// The text without tags, comments and what is struck out; `<br>` becomes a blank, and any other `<` that Markdown would take for HTML is escaped.
pub fn without_tags(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    let mut searched = Unclosed::default();
    while let Some((before, behind)) = rest.split_once('<') {
        out.push_str(before);
        rest = behind;
        if let Some(comment) = behind.strip_prefix("!--") {
            // One without an end hides its paragraph: printed, it would tell what was to be hidden.
            rest = match comment.split_once("-->") {
                Some((_, behind)) => behind,
                None => comment
                    .find("\n\n")
                    .and_then(|end| comment.get(end..))
                    .unwrap_or_default(),
            };
            continue;
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
                rest = behind_hidden(tag, behind, &mut searched).unwrap_or(behind);
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

/// Elements whose content nobody is to read: struck out, or code.
const HIDDEN: [&str; 5] = ["del", "s", "script", "strike", "style"];

/// Which of the hidden elements have no end tag in what is left, so that nobody looks for it again.
type Unclosed = [bool; HIDDEN.len() + 1];

/// What stands behind the end of a hidden element; none if the tag opens no such element, or it is never closed.
fn behind_hidden<'t>(tag: &str, behind: &'t str, unclosed: &mut Unclosed) -> Option<&'t str> {
    if tag.starts_with('/') || tag.ends_with('/') {
        return None;
    }
    let name = name_of(tag);
    let folded = tag.to_ascii_lowercase().replace(' ', "");
    let is_hidden = name.len() < tag.len()
        && (tag
            .split_ascii_whitespace()
            .skip(1)
            .any(|it| it == "hidden")
            || folded.contains("display:none"));
    let at = HIDDEN
        .iter()
        .position(|known| known.eq_ignore_ascii_case(name));
    // Of all other elements, one is remembered.
    let unclosed = unclosed.get_mut(at.or(is_hidden.then_some(HIDDEN.len()))?)?;
    if *unclosed {
        return None;
    }
    let mut ends = behind.match_indices("</");
    let end = ends.find_map(|(at, _)| {
        let tag = behind.get(at + 1..)?;
        let end = tag
            .bytes()
            .take(LONGEST_TAG)
            .position(|byte| byte == b'>')?;
        let closes = name_of(tag.get(..end)?).eq_ignore_ascii_case(name);
        closes.then(|| at + 1 + end + 1)
    });
    *unclosed = end.is_none();
    behind.get(end?..)
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
            ("<script>alert(1)</script>", ""),
            ("<!-- open", ""),
            ("a <!-- open\n\nb", "a \n\nb"),
            ("a <del>b <i>c</i></DEL > d", "a  d"),
            ("a <s>b", "a b"),
            ("a <span hidden>b</span> c", "a  c"),
            ("a <div style='display: none'>b</div> c", "a  c"),
            ("a <span class=x>b</span> c", "a b c"),
            ("a <strong>b</strong> <strike>c</strike>", "a b "),
            ("x <", "x <"),
        ] {
            assert_eq!(without_tags(text), expected);
        }
    }
}
