//! Clauses of a sentence.

/// Whether a character ends a clause. A hyphen may stand within one.
pub const fn parts_clauses(c: char) -> bool {
    matches!(
        c,
        ',' | ';' | ':' | '–' | '—' | '(' | ')' | '：' | '，' | '、'
    )
}
