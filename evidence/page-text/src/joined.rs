//! Scripts whose words stand without blanks between them.

/// Whether a letter is one of Kana or a Chinese character: a text of these has no words between blanks to count.
#[must_use]
pub const fn is_joined(letter: char) -> bool {
    matches!(letter, '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

#[cfg(test)]
mod tests {
    use super::is_joined;

    #[test]
    fn kana_and_han_are_joined_and_signs_between_them_are_not() {
        assert!("緑原製作所と佐々木のネジ".chars().all(is_joined));
        for other in ['a', 'é', '한', ' ', '　', '。', '㈱', '５'] {
            assert!(!is_joined(other), "{other}");
        }
    }
}
