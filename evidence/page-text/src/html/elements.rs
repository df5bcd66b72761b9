//! What the names of HTML elements mean for reading a page.

/// Elements without content (WHATWG HTML, 13.1.2).
pub(super) fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "frame"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

/// Elements that are headings.
#[must_use]
pub fn is_heading_element(name: &str) -> bool {
    matches!(name, "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// Elements that start and end on a line of their own.
pub(super) fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "body"
            | "caption"
            | "center"
            | "dd"
            | "details"
            | "dialog"
            | "dir"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "head"
            | "header"
            | "hgroup"
            | "hr"
            | "html"
            | "legend"
            | "li"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "p"
            | "pre"
            | "search"
            | "section"
            | "summary"
            | "table"
            | "tbody"
            | "tfoot"
            | "thead"
            | "title"
            | "tr"
            | "ul"
    )
}

/// Elements whose content readers do not see as text of the page.
pub(super) fn is_unseen(name: &str) -> bool {
    matches!(
        name,
        "audio"
            | "canvas"
            | "datalist"
            | "head"
            | "iframe"
            | "noembed"
            | "noframes"
            | "noscript"
            | "object"
            | "rp"
            | "script"
            | "select"
            | "style"
            | "svg"
            | "template"
            | "textarea"
            | "title"
            | "video"
    )
}

/// Those elements of [`is_unseen`] whose content is not shown in any form.
pub(super) fn shows_nothing(name: &str) -> bool {
    matches!(
        name,
        "audio"
            | "canvas"
            | "datalist"
            | "iframe"
            | "noembed"
            | "noframes"
            | "noscript"
            | "object"
            | "select"
            | "template"
            | "textarea"
            | "video"
    )
}

/// Elements allowed in `head`; any other start tag closes it.
pub(super) fn belongs_in_head(name: &str) -> bool {
    matches!(
        name,
        "base"
            | "bgsound"
            | "basefont"
            | "head"
            | "html"
            | "link"
            | "meta"
            | "noframes"
            | "noscript"
            | "script"
            | "style"
            | "template"
            | "title"
    )
}

/// Elements that a tag inside them cannot close past.
pub(super) fn is_scope_boundary(name: &str) -> bool {
    matches!(
        name,
        "applet" | "caption" | "html" | "marquee" | "object" | "table" | "td" | "template" | "th"
    )
}

/// The parts of a table; their end tags can close past cells.
pub(super) fn is_table_part(name: &str) -> bool {
    matches!(
        name,
        "caption" | "table" | "tbody" | "td" | "tfoot" | "th" | "thead" | "tr" | "template"
    )
}

/// The level of a heading element.
pub(super) fn heading_level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h', digit @ b'1'..=b'6'] => Some(digit - b'0'),
        _ => None,
    }
}

/// The open elements that a start tag closes, and the open elements at which the search for them stops
/// (WHATWG HTML, 13.2.6.4.7).
pub(super) fn implied_end(
    name: &str,
) -> Option<(&'static [&'static str], &'static [&'static str])> {
    Some(match name {
        "li" => (&["li"], &["ul", "ol", "menu", "dir"]),
        "dd" | "dt" => (&["dd", "dt"], &["dl"]),
        "tr" => (&["tr", "td", "th", "caption"], &["table", "template"]),
        "td" | "th" => (&["td", "th", "caption"], &["table", "tr", "template"]),
        "tbody" | "tfoot" | "thead" => (
            &["tbody", "tfoot", "thead", "tr", "td", "th", "caption"],
            &["table", "template"],
        ),
        "a" => (&["a"], &[]),
        _ if is_heading_element(name) => (&["p"], &["button"]),
        _ if is_block(name) && !is_table_part(name) || name == "table" || name == "hr" => {
            (&["p"], &["button"])
        }
        _ => return None,
    })
}

/// Whether an inline style hides its element.
pub(super) fn style_hides(style: &str) -> bool {
    style.split(';').any(|declaration| {
        let Some((property, value)) = declaration.split_once(':') else {
            return false;
        };
        let value = value.trim().to_ascii_lowercase();
        let value = value.trim_end_matches("!important").trim_end();
        match property.trim().to_ascii_lowercase().as_str() {
            "display" => value == "none",
            "visibility" => value == "hidden" || value == "collapse",
            _ => false,
        }
    })
}
