//! Tags of HTML in a brief: they go, before Markdown takes whole lines for HTML. What only looks like a tag, such as
//! `<Customer>` or `5 < 6`, stays text.

use std::borrow::Cow;
use std::collections::BTreeSet;

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

/// The text without tags, comments and what is struck out; `<br>` becomes a blank, items become those of Markdown, and any other `<` that Markdown would take for HTML is escaped.
pub fn without_tags(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    let mut unclosed = Unclosed::new();
    let mut comments_end = true;
    while let Some((before, behind)) = rest.split_once('<') {
        out.push_str(before);
        rest = behind;
        if let Some(comment) = behind.strip_prefix("!--") {
            // `<!-->` is a whole one.
            let empty = comment.strip_prefix('>').or(comment.strip_prefix("->"));
            let end = empty.or_else(|| {
                let end = comments_end.then(|| comment.split_once("-->"));
                end.flatten().map(|(_, behind)| behind)
            });
            comments_end = comments_end && end.is_some();
            // One without an end hides its paragraph: printed, it would tell what was to be hidden.
            rest = end.unwrap_or_else(|| behind_paragraph(comment));
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
                part_blocks(tag, behind, &mut out);
                rest = behind_hidden(tag, behind, &mut unclosed).unwrap_or(behind);
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

/// Parts what stands in elements of their own lines: items of a list become Markdown's, and of other blocks the words stay apart.
fn part_blocks(tag: &str, behind: &str, out: &mut String) {
    let name = name_of(tag).to_ascii_lowercase();
    let ends = tag.starts_with('/');
    match (name.as_str(), ends) {
        ("br", _) => out.push(' '),
        ("li", false) => {
            let line = out.rsplit('\n').next().unwrap_or_default();
            if !line.trim().is_empty() {
                out.push('\n');
            }
            out.push_str("- ");
        }
        ("ol" | "ul", _) if !out.is_empty() => out.push_str("\n\n"),
        ("div" | "p" | "section" | "article" | "td" | "th" | "tr", _) => {
            let glued =
                !out.ends_with(char::is_whitespace) && !behind.starts_with(char::is_whitespace);
            if glued && !out.is_empty() && !behind.is_empty() {
                out.push(' ');
            }
        }
        _ => {}
    }
}

/// Elements whose content nobody is to read: struck out, or code.
const HIDDEN: [&str; 5] = ["del", "s", "script", "strike", "style"];
/// Those of them that only strike out: where one is never closed, what follows stays.
const STRUCK: [&str; 3] = ["del", "s", "strike"];
/// Elements without content.
const VOID: [&str; 3] = ["br", "hr", "img"];

/// Names of elements without an end tag in what is left, so that nobody looks for it again.
type Unclosed = BTreeSet<String>;

/// What stands behind the end of a hidden element; none if the tag opens no such element. One that is never closed hides
/// its paragraph, as a comment does.
fn behind_hidden<'t>(tag: &str, behind: &'t str, unclosed: &mut Unclosed) -> Option<&'t str> {
    let name = name_of(tag).to_ascii_lowercase();
    if tag.starts_with('/') || tag.ends_with('/') || VOID.contains(&name.as_str()) {
        return None;
    }
    let by_attribute = is_hidden(tag);
    if !by_attribute && !HIDDEN.contains(&name.as_str()) {
        return None;
    }
    if !unclosed.contains(&name) {
        if let Some(end) = end_of(&name, behind) {
            return behind.get(end..);
        }
        unclosed.insert(name.clone());
    }
    let stays = !by_attribute && STRUCK.contains(&name.as_str());
    (!stays).then(|| behind_paragraph(behind))
}

/// Whether the attributes of a tag hide the element.
fn is_hidden(tag: &str) -> bool {
    let mut unquoted = String::new();
    let mut quote = None;
    for c in tag.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None => unquoted.push(c),
        }
    }
    let mut attributes = unquoted.split_ascii_whitespace().skip(1);
    let named = attributes.any(|it| {
        let name = it.split('=').next().unwrap_or_default();
        name.eq_ignore_ascii_case("hidden")
    });
    let mut style = tag.to_ascii_lowercase();
    style.retain(|c| !c.is_ascii_whitespace());
    named || style.contains("display:none") || style.contains("visibility:hidden")
}

/// Where the end tag of an element ends, in what stands behind its start tag. Elements of the same name may stand within.
fn end_of(name: &str, behind: &str) -> Option<usize> {
    let mut depth = 1_usize;
    for (at, _) in behind.match_indices('<') {
        let tag = behind.get(at + 1..)?;
        // A tag that is too long, or never ends, is none.
        let Some(end) = tag.bytes().take(LONGEST_TAG).position(|byte| byte == b'>') else {
            continue;
        };
        let inside = tag.get(..end)?;
        if !name_of(inside).eq_ignore_ascii_case(name) {
            continue;
        }
        if inside.starts_with('/') {
            depth -= 1;
            if depth == 0 {
                return Some(at + 1 + end + 1);
            }
        } else if !inside.ends_with('/') {
            depth += 1;
        }
    }
    None
}

/// What stands behind the paragraph: from the line end before the next blank line on.
fn behind_paragraph(text: &str) -> &str {
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        if from > 0 && line.trim().is_empty() {
            return text.get(from - 1..).unwrap_or_default();
        }
        from += line.len();
    }
    ""
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
            ("a <!-- open\r\nc\r\n \r\nb", "a \n \r\nb"),
            ("a <!-- b <!-- c --> d", "a  d"),
            ("a <!--> b <!---> c", "a  b  c"),
            ("a <div hidden=\"\">b <div>c</div> d</div> e", "a  e"),
            ("a <div HIDDEN>b\n\nc <div>d", "a \n\nc d"),
            ("a <p style=\"visibility: hidden\">b</p> c", "a  c"),
            ("a <p title=\"the hidden b\">c</p>", "a c"),
            ("a <img hidden> b <br hidden>c", "a  b  c"),
            ("a <div hidden>b\n\nc <span hidden>d</span>", "a \n\nc "),
            ("a <del>b <i>c</i></DEL > d", "a  d"),
            ("a <s>b", "a b"),
            ("a <span hidden>b</span> c", "a  c"),
            ("a <div style='display: none'>b</div> c", "a  c"),
            ("a <span class=x>b</span> c", "a b c"),
            ("a <strong>b</strong> <strike>c</strike>", "a b "),
            ("x <", "x <"),
            (
                "<ul><li>31 May</li><li>32 drivers<br>on duty</li></ul>\n\nEnd",
                "- 31 May\n- 32 drivers on duty\n\n\n\nEnd",
            ),
            (
                "<div>31 May</div><div>32 drivers</div>",
                "31 May 32 drivers",
            ),
        ] {
            assert_eq!(without_tags(text), expected);
        }
    }
}
