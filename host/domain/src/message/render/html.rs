//! The HTML: one table, a row a block. Mail programs strip much, so every style is inline, and no colour is set,
//! which leaves both of them to the reader's light or dark scheme. It loads nothing.

use super::fill::{Body, Line};
use crate::message::language;

/// DANGER: the preview text must be the first that a mail program reads, and must not be seen in the message.
const HIDDEN: &str = "display:none;max-height:0;overflow:hidden;mso-hide:all";
const BODY: &str = "margin:0;padding:0";
const COLUMN: &str =
    "max-width:600px;font-family:Arial,Helvetica,sans-serif;font-size:16px;line-height:24px";
const CELL: &str = "padding:0 16px 16px 16px";
const MARKED_CELL: &str = "padding:0 16px 16px 16px;font-weight:bold";
const LINK: &str = "text-decoration:underline";

pub(super) fn document(body: &Body, tag: &str, subject: &str, marker: Option<&str>) -> String {
    let direction = language::direction(tag);
    let language = escaped(tag);
    let subject = escaped(subject);
    let mut html = format!(
        r#"<!DOCTYPE html>
<html lang="{language}" dir="{direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>{subject}</title>
</head>
<body style="{BODY}">
"#
    );
    let preview = escaped(&body.preview.text());
    if !preview.is_empty() {
        html.push_str(&format!("<div style=\"{HIDDEN}\">{preview}</div>\n"));
    }
    // Webmail drops the root, so the table repeats what the root says.
    html.push_str(&format!(
        r#"<table role="presentation" lang="{language}" dir="{direction}" width="100%" border="0" cellpadding="0" cellspacing="0" style="{COLUMN}">
"#
    ));
    if let Some(marker) = marker {
        row(&mut html, MARKED_CELL, &escaped(marker));
    }
    for paragraph in &body.paragraphs {
        row(&mut html, CELL, &line(&paragraph.line));
    }
    html.push_str("</table>\n</body>\n</html>\n");
    html
}

fn row(html: &mut String, style: &str, content: &str) {
    html.push_str(&format!(
        "<tr>\n<td style=\"{style}\">{content}</td>\n</tr>\n"
    ));
}

fn line(line: &Line) -> String {
    let parts = line.0.iter().map(|part| {
        let text = escaped(&part.text);
        match &part.link {
            None => text,
            Some(link) => {
                let address = escaped(link.address.as_str());
                format!("<a href=\"{address}\" style=\"{LINK}\">{text}</a>")
            }
        }
    });
    parts.collect()
}

/// A text in which nothing is markup, between tags and in quoted attributes alike.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}
