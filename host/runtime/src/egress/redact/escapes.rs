//! Reads one escape sequence: what it stands for and how many characters it has. Knows percent, JSON,
//! JavaScript and HTML escapes.
//!
//! An escape ends at the same character whatever follows it.

/// Length of the longest escapes: `\ud83d\ude00`, `&#x0000002B;`.
pub(super) const LONGEST: usize = 12;
/// Maximum number of digits of a numeric reference; leading zeros would have no end otherwise.
const DIGITS: usize = 8;
/// Maximum number of letters of a named reference.
const NAME: usize = 10;

/// What an escape stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A byte, perhaps only part of a character.
    Byte(u8),
    /// A code point, or a number that is not one.
    Point(u32),
}

/// Whether an escape may begin with this character.
pub(super) const fn begins(character: u8) -> bool {
    matches!(character, b'%' | b'\\' | b'&')
}

/// Reads the escape whose characters `next` returns, as far as they are ASCII, and its length.
pub(super) fn read(mut next: impl FnMut(usize) -> Option<u8>) -> Option<(Meaning, usize)> {
    let (point, length) = match next(0)? {
        b'%' => match hex(&mut next, 1, 2) {
            Some(byte) => return Some((Meaning::Byte(u8::try_from(byte).ok()?), 3)),
            None if matches!(next(1)?, b'u' | b'U') => code_unit(&mut next)?,
            None => return None,
        },
        b'\\' => match next(1)? {
            b'u' if next(2)? == b'{' => {
                let (point, digits) = number(&mut next, 3, 16)?;
                (next(3 + digits)? == b'}').then_some((point, 4 + digits))?
            }
            b'u' => code_unit(&mut next)?,
            b'x' => (hex(&mut next, 2, 2)?, 4),
            b'b' => (0x08, 2),
            b't' => (0x09, 2),
            b'n' => (0x0a, 2),
            b'f' => (0x0c, 2),
            b'r' => (0x0d, 2),
            other if other.is_ascii_punctuation() => (u32::from(other), 2),
            _ => return None,
        },
        b'&' => reference(&mut next)?,
        _ => return None,
    };
    Some((Meaning::Point(point), length))
}

/// What `\u` or `%u` with four digits stands for, or two of them that form a surrogate pair.
fn code_unit(next: &mut impl FnMut(usize) -> Option<u8>) -> Option<(u32, usize)> {
    let high = hex(next, 2, 4)?;
    let again = next(6) == next(0) && next(7) == next(1);
    let low = again.then(|| hex(next, 8, 4)).flatten();
    Some(match low {
        Some(low) if is_high(high) && is_low(low) => (pair(high, low), 12),
        _ => (high, 6),
    })
}

/// Reads an HTML character reference.
fn reference(next: &mut impl FnMut(usize) -> Option<u8>) -> Option<(u32, usize)> {
    if next(1)? == b'#' {
        let (begin, radix) = match next(2)? {
            b'x' | b'X' => (3, 16),
            _ => (2, 10),
        };
        let (point, digits) = number(next, begin, radix)?;
        return (next(begin + digits)? == b';').then_some((point, begin + digits + 1));
    }
    let mut name = [0; NAME];
    let mut length = 0;
    loop {
        match next(1 + length)? {
            b';' => return Some((named(&name[..length])?, length + 2)),
            letter if letter.is_ascii_alphanumeric() && length < NAME => {
                name[length] = letter;
                length += 1;
            }
            _ => return None,
        }
    }
}

/// The number written with exactly `digits` hexadecimal digits.
fn hex(next: &mut impl FnMut(usize) -> Option<u8>, begin: usize, digits: usize) -> Option<u32> {
    (begin..begin + digits).try_fold(0, |number, index| {
        Some(number * 16 + char::from(next(index)?).to_digit(16)?)
    })
}

/// The number written with as many digits as there are, and how many that is.
fn number(
    next: &mut impl FnMut(usize) -> Option<u8>,
    begin: usize,
    radix: u32,
) -> Option<(u32, usize)> {
    let mut number: u32 = 0;
    let mut digits = 0;
    while digits < DIGITS
        && let Some(digit) = next(begin + digits).and_then(|c| char::from(c).to_digit(radix))
    {
        number = number.saturating_mul(radix).saturating_add(digit);
        digits += 1;
    }
    (digits > 0).then_some((number, digits))
}

pub(super) const fn is_high(unit: u32) -> bool {
    matches!(unit, 0xd800..=0xdbff)
}

pub(super) const fn is_low(unit: u32) -> bool {
    matches!(unit, 0xdc00..=0xdfff)
}

pub(super) const fn pair(high: u32, low: u32) -> u32 {
    0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)
}

/// The code point with this HTML name, for ASCII and Latin-1. Some encoders write names in capitals.
fn named(name: &[u8]) -> Option<u32> {
    let name = std::str::from_utf8(name).ok()?;
    if let Some((_, character)) = ASCII.iter().find(|(known, _)| *known == name) {
        return Some(u32::from(*character));
    }
    let place = LATIN_1.iter().position(|known| *known == name)?;
    u32::try_from(0xa0 + place).ok()
}

const ASCII: [(&str, char); 43] = [
    ("amp", '&'),
    ("AMP", '&'),
    ("lt", '<'),
    ("LT", '<'),
    ("gt", '>'),
    ("GT", '>'),
    ("quot", '"'),
    ("QUOT", '"'),
    ("apos", '\''),
    ("Tab", '\t'),
    ("NewLine", '\n'),
    ("excl", '!'),
    ("num", '#'),
    ("dollar", '$'),
    ("percnt", '%'),
    ("lpar", '('),
    ("rpar", ')'),
    ("ast", '*'),
    ("midast", '*'),
    ("plus", '+'),
    ("comma", ','),
    ("period", '.'),
    ("sol", '/'),
    ("colon", ':'),
    ("semi", ';'),
    ("equals", '='),
    ("quest", '?'),
    ("commat", '@'),
    ("lsqb", '['),
    ("lbrack", '['),
    ("bsol", '\\'),
    ("rsqb", ']'),
    ("rbrack", ']'),
    ("Hat", '^'),
    ("lowbar", '_'),
    ("UnderBar", '_'),
    ("grave", '`'),
    ("lcub", '{'),
    ("lbrace", '{'),
    ("verbar", '|'),
    ("vert", '|'),
    ("rcub", '}'),
    ("rbrace", '}'),
];

/// U+00A0 to U+00FF.
const LATIN_1: [&str; 96] = [
    "nbsp", "iexcl", "cent", "pound", "curren", "yen", "brvbar", "sect", "uml", "copy", "ordf",
    "laquo", "not", "shy", "reg", "macr", "deg", "plusmn", "sup2", "sup3", "acute", "micro",
    "para", "middot", "cedil", "sup1", "ordm", "raquo", "frac14", "frac12", "frac34", "iquest",
    "Agrave", "Aacute", "Acirc", "Atilde", "Auml", "Aring", "AElig", "Ccedil", "Egrave", "Eacute",
    "Ecirc", "Euml", "Igrave", "Iacute", "Icirc", "Iuml", "ETH", "Ntilde", "Ograve", "Oacute",
    "Ocirc", "Otilde", "Ouml", "times", "Oslash", "Ugrave", "Uacute", "Ucirc", "Uuml", "Yacute",
    "THORN", "szlig", "agrave", "aacute", "acirc", "atilde", "auml", "aring", "aelig", "ccedil",
    "egrave", "eacute", "ecirc", "euml", "igrave", "iacute", "icirc", "iuml", "eth", "ntilde",
    "ograve", "oacute", "ocirc", "otilde", "ouml", "divide", "oslash", "ugrave", "uacute", "ucirc",
    "uuml", "yacute", "thorn", "yuml",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_escape_is_longer_than_the_longest() {
        for longest in [r"\ud83d\ude00", "&#x0000002B;", r"\u{0000002b}"] {
            let (_, length) = read(|index| longest.as_bytes().get(index).copied())
                .unwrap_or((Meaning::Byte(0), 0));
            assert_eq!(length, LONGEST, "{longest}");
        }
        assert!(
            ASCII
                .iter()
                .map(|(name, _)| name)
                .chain(&LATIN_1)
                .all(|name| name.len() <= NAME)
        );
        assert_eq!(named(b"yuml"), Some(0xff));
    }
}
