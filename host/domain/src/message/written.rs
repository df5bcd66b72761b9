//! Lines of a structure as a draft writes them: with tokens and links in place of their pieces. For whoever reads a
//! template as text, such as a judge.

use super::structure::{Href, Inline};

/// The line as a draft would write it.
#[must_use]
pub fn written(line: &[Inline]) -> String {
    line.iter().map(piece).collect()
}

fn piece(inline: &Inline) -> String {
    match inline {
        Inline::Text { v } => v.clone(),
        Inline::Var { name } => format!("{{{{{name}}}}}"),
        Inline::Link {
            href: Href::Var(name),
            label,
        } => format!("[{label}]({{{{{name}}}}})"),
        Inline::Link {
            href: Href::Https(url),
            label,
        } => format!("[{label}]({url})"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::message::draft;

    #[test]
    fn a_line_is_written_as_it_was_read() {
        let text =
            "Hello {{recipient.first_name}}, [more]({{offer.url}}) at [us](https://a.example/).";
        let read = draft::read(&json!({
            "subject": "Hello",
            "preview_text": null,
            "blocks": [{"kind": "opening", "text": text, "optional": false, "fallback": null}],
        }));
        let lines = read.map(|read| read.blocks.first().map(|block| written(&block.inlines)));
        assert_eq!(lines, Ok(Some(text.to_owned())));
    }
}
