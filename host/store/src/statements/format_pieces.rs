//! Splits a format string into its pieces.

/// Literal text, or the name of a placeholder; empty for the next positional argument.
pub(super) enum Piece {
    Plain(String),
    Hole(String),
}

/// The pieces of a format string; `None` if it uses more than plain placeholders.
pub(super) fn pieces(format: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('{', Some('{')) | ('}', Some('}')) => {
                plain.push(c);
                rest.next();
            }
            ('{', _) => {
                pieces.push(Piece::Plain(std::mem::take(&mut plain)));
                let name: String = rest.by_ref().take_while(|c| *c != '}').collect();
                if name.contains(':') {
                    return None;
                }
                pieces.push(Piece::Hole(name));
            }
            (c, _) => plain.push(c),
        }
    }
    pieces.push(Piece::Plain(plain));
    Some(pieces)
}
