//! Clauses of a sentence.

/// Whether a character ends a clause. A hyphen may stand within one.
pub const fn parts_clauses(c: char) -> bool {
    matches!(
        c,
        ',' | ';' | ':' | '–' | '—' | '(' | ')' | '：' | '，' | '、'
    )
}

/// Whether a character is a colon.
pub const fn is_colon(c: char) -> bool {
    matches!(c, ':' | '：')
}
