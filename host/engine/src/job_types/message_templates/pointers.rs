//! Pointers in the messages of checks. They lead into the structure; a writer knows only its draft.

use gtm_domain::message::draft::pointer_into_draft;

/// Beginnings of pointers into a structure.
const BEGINNINGS: [&str; 3] = ["/blocks", "/preview_text", "/subject"];

/// The first place that the message of a check names, and the message itself, both with pointers into the draft. Without
/// a place, the first is the draft as a whole.
pub(super) fn in_draft(message: &str) -> (String, String) {
    let mut first = None;
    let mut told = String::with_capacity(message.len());
    for word in message.split_inclusive(' ') {
        let bare = word.trim_end_matches(|c: char| c.is_whitespace() || ".,;".contains(c));
        let is_pointer = BEGINNINGS.iter().any(|begin| {
            let rest = bare.strip_prefix(begin);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        if !is_pointer {
            told.push_str(word);
            continue;
        }
        let pointer = pointer_into_draft(bare);
        told.push_str(&pointer);
        told.push_str(word.get(bare.len()..).unwrap_or_default());
        first.get_or_insert(pointer);
    }
    (first.unwrap_or_default(), told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_writer_is_told_of_places_in_its_draft() {
        for (message, first, told) in [
            (
                "This is jargon: “synergy” at /blocks/3/inlines/0, “/subject” at /subject/1.",
                "/blocks/3/text",
                "This is jargon: “synergy” at /blocks/3/text, “/subject” at /subject.",
            ),
            (
                "Shorten or split the paragraph at /blocks/1/fallback.",
                "/blocks/1/fallback",
                "Shorten or split the paragraph at /blocks/1/fallback.",
            ),
            ("Write shorter sentences.", "", "Write shorter sentences."),
        ] {
            assert_eq!(in_draft(message), (first.to_owned(), told.to_owned()));
        }
    }
}
