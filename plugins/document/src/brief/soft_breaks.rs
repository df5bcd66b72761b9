//! The sign for the end of a line within a text.

/// The end of a line that is no end of a text. Whoever reads on turns it into a blank; no brief has this character.
pub const SOFT_BREAK: &str = "\u{b}";
pub const SOFT_BREAK_CHAR: char = '\u{b}';
