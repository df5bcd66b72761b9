//! Signs within a text that no brief has, and that are gone before anybody reads it.

/// The end of a line that is no end of a text. Whoever reads on turns it into a blank.
pub const SOFT_BREAK: &str = "\u{b}";
pub const SOFT_BREAK_CHAR: char = '\u{b}';
/// Stands before a sentence that an order asked for word for word: it is content wherever it stands.
pub const ASKED_FOR: &str = "\u{1}";
/// All of these signs.
pub const SIGNS: [char; 2] = [SOFT_BREAK_CHAR, '\u{1}'];
