//! Reads one character of a text, the way in which somebody may have escaped it: percent, JSON and
//! JavaScript, HTML, in bytes or in UTF-16.
//!
//! Every way ends at the same place whatever follows, and none of them looks at a secret: what a reading
//! costs and gives depends on the text alone.

use zeroize::Zeroizing;

/// Longest spelling of one character in bytes: `&#x0000002B;` in UTF-16.
pub(super) const LONGEST: usize = 24;
/// Digits of a numeric reference at most; leading zeros have no end otherwise.
const DIGITS: usize = 8;
/// Letters of a named reference at most.
const NAME: usize = 10;

/// How bytes make up code units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Units {
    Bytes,
    Utf16Le,
    Utf16Be,
}

/// A way of reading a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reading {
    pub units: Units,
    /// Whether escapes stand for their characters, or for themselves.
    pub escapes: bool,
    /// Bytes before the first code unit.
    pub offset: usize,
}

/// A character of a text: its UTF-8 (or the byte that stands there, if it is no text), and how many
/// bytes of the text spell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Character {
    utf8: [u8; 4],
    length: u8,
    pub spelled: usize,
}

impl Character {
    const fn byte(byte: u8, spelled: usize) -> Self {
        Self {
            utf8: [byte, 0, 0, 0],
            length: 1,
            spelled,
        }
    }

    /// The character of a code point; what is none is told from all text by a byte that no text has.
    fn point(point: u32, spelled: usize) -> Self {
        let Some(character) = char::from_u32(point) else {
            return Self::byte(0xff, spelled);
        };
        let mut utf8 = [0; 4];
        let length = character.encode_utf8(&mut utf8).len();
        Self {
            utf8,
            // At most four.
            length: u8::try_from(length).unwrap_or(4),
            spelled,
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.utf8[..usize::from(self.length)]
    }
}

impl Reading {
    /// Bytes with escapes.
    pub(super) const ESCAPED: Self = Self {
        units: Units::Bytes,
        escapes: true,
        offset: 0,
    };

    /// The ways in which this text can be read at all.
    pub(super) fn all(text: &[u8]) -> Vec<Self> {
        let mut ways = vec![Self {
            escapes: false,
            ..Self::ESCAPED
        }];
        if text.iter().any(|b| matches!(b, b'%' | b'\\' | b'&')) {
            ways.push(Self::ESCAPED);
        }
        // A Latin letter in UTF-16 has a zero.
        if text.contains(&0) {
            for units in [Units::Utf16Le, Units::Utf16Be] {
                for offset in 0..2 {
                    ways.push(Self {
                        units,
                        escapes: true,
                        offset,
                    });
                }
            }
        }
        ways
    }

    /// The character that begins here. There must be a byte.
    pub(super) fn character(self, text: &[u8], at: usize) -> Character {
        let Some(first) = self.unit(text, at) else {
            return Character::byte(0xff, text.len() - at);
        };
        if self.escapes
            && let Some(escaped) = self.escaped(text, at, first)
        {
            return escaped;
        }
        if self.units == Units::Bytes {
            return Character::byte(text[at], 1);
        }
        match self.unit(text, at + 2) {
            Some(second) if is_high(first) && is_low(second) => {
                Character::point(pair(first, second), 4)
            }
            _ => Character::point(first, 2),
        }
    }

    /// Where a character may begin in a text of this length.
    pub(super) fn places(self, length: usize) -> impl Iterator<Item = usize> {
        (self.offset..length).step_by(self.width())
    }

    /// All characters of a text.
    pub(super) fn whole(self, text: &[u8]) -> Zeroizing<Vec<u8>> {
        let (mut out, mut at) = (Zeroizing::new(Vec::with_capacity(text.len())), 0);
        while at < text.len() {
            let character = self.character(text, at);
            out.extend_from_slice(character.bytes());
            at += character.spelled;
        }
        out
    }

    /// Bytes of one code unit.
    const fn width(self) -> usize {
        match self.units {
            Units::Bytes => 1,
            Units::Utf16Le | Units::Utf16Be => 2,
        }
    }

    fn unit(self, text: &[u8], at: usize) -> Option<u32> {
        let bytes = text.get(at..at + self.width())?;
        Some(match (self.units, bytes) {
            (Units::Utf16Le, &[low, high]) | (Units::Utf16Be, &[high, low]) => {
                u32::from(u16::from_be_bytes([high, low]))
            }
            _ => u32::from(bytes[0]),
        })
    }

    /// The ASCII character `index` code units on.
    fn ascii(self, text: &[u8], at: usize, index: usize) -> Option<u8> {
        let unit = self.unit(text, at + index * self.width())?;
        u8::try_from(unit).ok().filter(u8::is_ascii)
    }

    fn escaped(self, text: &[u8], at: usize, first: u32) -> Option<Character> {
        let next = |index| self.ascii(text, at, index);
        let (point, units) = match u8::try_from(first).ok()? {
            b'%' => match self.hex(text, at, 1, 2) {
                // A byte, and perhaps only a part of a character.
                Some(byte) => {
                    return Some(Character::byte(u8::try_from(byte).ok()?, 3 * self.width()));
                }
                None if matches!(next(1)?, b'u' | b'U') => self.code_unit(text, at)?,
                None => return None,
            },
            b'\\' => match next(1)? {
                b'u' if next(2)? == b'{' => {
                    let (point, digits) = self.number(text, at, 3, 16)?;
                    (next(3 + digits)? == b'}').then_some((point, 4 + digits))?
                }
                b'u' => self.code_unit(text, at)?,
                b'x' => (self.hex(text, at, 2, 2)?, 4),
                b'b' => (0x08, 2),
                b't' => (0x09, 2),
                b'n' => (0x0a, 2),
                b'f' => (0x0c, 2),
                b'r' => (0x0d, 2),
                other if other.is_ascii_punctuation() => (u32::from(other), 2),
                _ => return None,
            },
            b'&' => self.reference(text, at)?,
            _ => return None,
        };
        Some(Character::point(point, units * self.width()))
    }

    /// What `\u` or `%u` with four digits stands for, or two of them that are a surrogate pair.
    fn code_unit(self, text: &[u8], at: usize) -> Option<(u32, usize)> {
        let high = self.hex(text, at, 2, 4)?;
        let next = |index| self.ascii(text, at, index);
        let again = next(6) == next(0) && next(7) == next(1);
        let low = again.then(|| self.hex(text, at, 8, 4)).flatten();
        Some(match low {
            Some(low) if is_high(high) && is_low(low) => (pair(high, low), 12),
            _ => (high, 6),
        })
    }

    /// A reference of HTML, and its code units.
    fn reference(self, text: &[u8], at: usize) -> Option<(u32, usize)> {
        let next = |index| self.ascii(text, at, index);
        if next(1)? == b'#' {
            let (begin, radix) = match next(2)? {
                b'x' | b'X' => (3, 16),
                _ => (2, 10),
            };
            let (point, digits) = self.number(text, at, begin, radix)?;
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

    /// The number of exactly so many hexadecimal digits.
    fn hex(self, text: &[u8], at: usize, begin: usize, digits: usize) -> Option<u32> {
        (begin..begin + digits).try_fold(0, |number, index| {
            Some(number * 16 + char::from(self.ascii(text, at, index)?).to_digit(16)?)
        })
    }

    /// The number of as many digits as stand there, and how many they are.
    fn number(self, text: &[u8], at: usize, begin: usize, radix: u32) -> Option<(u32, usize)> {
        let mut number: u32 = 0;
        let mut digits = 0;
        while digits < DIGITS
            && let Some(digit) = self
                .ascii(text, at, begin + digits)
                .and_then(|c| char::from(c).to_digit(radix))
        {
            number = number.saturating_mul(radix).saturating_add(digit);
            digits += 1;
        }
        (digits > 0).then_some((number, digits))
    }
}

const fn is_high(unit: u32) -> bool {
    matches!(unit, 0xd800..=0xdbff)
}

const fn is_low(unit: u32) -> bool {
    matches!(unit, 0xdc00..=0xdfff)
}

/// The code point of a surrogate pair.
const fn pair(high: u32, low: u32) -> u32 {
    0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)
}

/// The code point of HTML's name for it, for ASCII and Latin-1. Some encoders write capitals.
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

    fn bytes(text: &str) -> String {
        String::from_utf8_lossy(&Reading::ESCAPED.whole(text.as_bytes())).into_owned()
    }

    #[test]
    fn escapes_stand_for_their_characters() {
        for (spelled, meant) in [
            ("a%2Fb%2fc%c3%BC", "a/b/cü"),
            ("%u00fc%U20AC", "ü€"),
            (r"\u002B\u00fc\ud83d\ude00", "+ü😀"),
            (r#"\/\\\"\'\n\x2b\u{1F600}\+"#, "/\\\"'\n+😀+"),
            ("&#43;&#x2B;&#X2b;&#00000043;&#x0000002B;", "+++++"),
            ("&amp;&lt;&gt;&quot;&apos;&sol;&uuml;", "&<>\"'/ü"),
        ] {
            assert_eq!(bytes(spelled), meant, "{spelled}");
        }
        for no_escape in [
            "%",
            "%2",
            "%zz",
            "%uzzzz",
            r"\",
            r"\u12",
            r"\q",
            "&",
            "&;",
            "&#;",
            "&#x;",
            "&unknown;",
            "&amp",
            "&#000000043;",
        ] {
            assert_eq!(bytes(no_escape), no_escape);
        }
    }

    #[test]
    fn no_spelling_is_longer_than_the_longest() {
        let longest = "&#x0000002B;"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<_>>();
        assert_eq!(longest.len(), LONGEST);
        let way = Reading {
            units: Units::Utf16Le,
            escapes: true,
            offset: 0,
        };
        assert_eq!(way.character(&longest, 0), Character::point(43, LONGEST));
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
