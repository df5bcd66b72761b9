//! A block's text without its markup: links lose their address, placeholders become names.

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Literal words.
    Words(String),
    /// Name of a placeholder.
    Placeholder(String),
}

/// The pieces of a text, in order. What is no complete placeholder stays words.
pub fn pieces(text: &str) -> Vec<Piece> {
    let text = without_addresses(text);
    let mut found = Vec::new();
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once("{{") {
        let Some((name, after)) = behind.split_once("}}") else {
            break;
        };
        push_words(&mut found, before);
        found.push(Piece::Placeholder(name.trim().to_owned()));
        rest = after;
    }
    push_words(&mut found, rest);
    found
}

fn push_words(found: &mut Vec<Piece>, words: &str) {
    if !words.is_empty() {
        found.push(Piece::Words(words.to_owned()));
    }
}

/// `[label](address)` becomes the label, and an address that is a placeholder stays behind it.
fn without_addresses(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("](") {
        let Some((address, after)) = behind.split_once(')') else {
            break;
        };
        match before.rsplit_once('[') {
            Some((head, label)) => {
                read.push_str(head);
                read.push_str(label);
            }
            None => read.push_str(before),
        }
        if address.starts_with("{{") {
            read.push(' ');
            read.push_str(address);
        }
        rest = after;
    }
    read.push_str(rest);
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let pieces = pieces(text).into_iter().map(|piece| match piece {
            Piece::Words(words) => words,
            Piece::Placeholder(name) => format!("<{name}>"),
        });
        pieces.collect()
    }

    #[test]
    fn links_and_placeholders_are_read() {
        for (text, expected) in [
            (
                "Hello {{recipient.first_name}},",
                "Hello <recipient.first_name>,",
            ),
            (
                "See [our page](https://a.example/b) now",
                "See our page now",
            ),
            ("See [it]({{offer.url}}).", "See it <offer.url>."),
            ("{{ company.name }}", "<company.name>"),
            ("a {{b", "a {{b"),
            ("a ](b", "a ](b"),
            ("a](b)c", "ac"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
