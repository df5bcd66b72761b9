//! Encoded words of mail (RFC 2047): `=?utf-8?Q?Re:_offer?=` in the head of a mail is shown as `Re: offer`. DANGER: who
//! approves a text sees these letters, and whoever gets the mail sees others.

/// Whether a text has an encoded word, or a part of one that the value beside it could complete.
#[must_use]
pub fn has_encoded_word(text: &str) -> bool {
    let mut behind = text.split("=?").skip(1);
    behind.any(|it| it.starts_with(|c: char| c.is_ascii_alphanumeric())) || has_encoding(text)
}

/// Whether it names the encoding between charset and words, `?Q?` or `?B?`: the rest may stand in another text.
fn has_encoding(text: &str) -> bool {
    text.as_bytes()
        .windows(3)
        .any(|it| matches!(it, [b'?', b'Q' | b'q' | b'B' | b'b', b'?']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_words_are_told_from_signs() {
        for text in [
            "=?us-ascii?Q?Re:_your_unpaid_order?=",
            "=?UTF-8?B?UmU6IG9mZmVy?=",
            "Offer =?iso-8859-1*en?q?=A3?=",
            "=?us-ascii",
            "?Q?Re:_offer?=",
        ] {
            assert!(has_encoded_word(text), "{text}");
        }
        for text in [
            "",
            "Why?",
            "a = ?",
            "2 + 2 =?",
            "Who? B? C?",
            "Shall we talk?=",
            "A/B? Q & A?",
        ] {
            assert!(!has_encoded_word(text), "{text}");
        }
    }
}
