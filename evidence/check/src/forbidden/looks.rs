//! How words look, whatever signs they are written in.

use any_ascii::any_ascii_char;

/// Fewest letters of a word that is known by its look.
const SHORTEST: usize = 4;

/// Whether a folded word of a claim is known by its look.
pub(super) fn has_look(word: &str) -> bool {
    word.len() >= SHORTEST && word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// How a word looks. All that is drawn as one line is one sign.
pub(super) fn look_of(word: &str) -> String {
    let mut look = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            'i' | 'I' | '1' | '!' | '|' => look.push('l'),
            '0' => look.push('o'),
            '3' | '€' => look.push('e'),
            '4' | '@' => look.push('a'),
            '5' | '$' => look.push('s'),
            '7' => look.push('t'),
            '8' => look.push('b'),
            _ => {
                let plain = any_ascii_char(c);
                look.extend(plain.chars().map(|c| c.to_ascii_lowercase()));
            }
        }
    }
    look
}
