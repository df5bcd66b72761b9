//! Reads the characters of a text in each way they may have been written: in bytes or UTF-16, plain,
//! escaped, with nested escapes, and with line breaks and indentation in between.
//!
//! Nothing here looks at a secret: the cost and result of a reading depend on the text alone.

use zeroize::{Zeroize as _, Zeroizing};

use super::escapes::{self, Meaning, is_high, is_low, pair};

/// Longest spelling of one character that is read, in bytes. `&#x0000002B;` with each of its characters
/// percent-encoded is shorter, and so is one in UTF-16 within another HTML text.
pub(super) const LONGEST: usize = 48;
/// Maximum depth of escapes within escapes. Servers routinely put a URL into a redirect's URL into a page,
/// or JSON into JSON; deeper nesting is made on purpose.
const NESTING: usize = 4;
/// Maximum number of characters in a line break.
const BREAK: usize = 2;

/// A character of a text: its UTF-8 (or the byte that stands there, if it is not text), and how many bytes
/// of the text spell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Character {
    utf8: [u8; 4],
    length: u8,
    spelled: u8,
    /// Whether it includes a line break before it.
    broken: bool,
}

impl Character {
    const fn byte(byte: u8, spelled: u8) -> Self {
        Self {
            utf8: [byte, 0, 0, 0],
            length: 1,
            spelled,
            broken: false,
        }
    }

    /// The character of a code point. An invalid one becomes a byte that never occurs in text.
    fn point(point: u32, spelled: u8) -> Self {
        let Some(character) = char::from_u32(point) else {
            return Self::byte(0xff, spelled);
        };
        let mut utf8 = [0; 4];
        let length = character.encode_utf8(&mut utf8).len();
        Self {
            utf8,
            // UTF-8 has at most four bytes.
            length: u8::try_from(length).unwrap_or(4),
            spelled,
            broken: false,
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.utf8[..usize::from(self.length)]
    }

    /// How many bytes of the text spell it.
    pub(super) fn spelled(&self) -> usize {
        self.spelled.into()
    }

    fn ascii(&self) -> Option<u8> {
        (self.length == 1 && self.utf8[0].is_ascii()).then_some(self.utf8[0])
    }

    fn may_escape(&self) -> bool {
        self.ascii().is_some_and(escapes::begins)
    }

    fn is_break(&self) -> bool {
        matches!(self.ascii(), Some(b'\r' | b'\n'))
    }

    fn is_blank(&self) -> bool {
        matches!(self.ascii(), Some(b' ' | b'\t'))
    }

    fn is_of_base64(&self) -> bool {
        self.ascii()
            .is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, b'+' | b'/' | b'-' | b'_'))
    }
}

/// How two bytes form a UTF-16 code unit.
type Unit = fn([u8; 2]) -> u16;
const UNITS: [Unit; 2] = [u16::from_le_bytes, u16::from_be_bytes];

/// One reading of a text: the character that begins at each of its bytes.
pub(super) struct Reading {
    characters: Vec<Character>,
    /// Where the first code unit begins, and the bytes of each.
    offset: usize,
    width: usize,
}

impl Reading {
    /// Calls back with every possible reading of the text.
    #[cfg(test)]
    pub(super) fn each(text: &[u8], mut see: impl FnMut(&Self)) {
        for units in 0..Self::units(text) {
            Self::each_of(units, text, &mut see);
        }
    }

    /// How many kinds of code units the text may consist of: bytes, and UTF-16 in either byte order at
    /// either alignment. A Latin letter in UTF-16 has a zero byte.
    pub(super) fn units(text: &[u8]) -> usize {
        if text.contains(&0) {
            1 + UNITS.len() * 2
        } else {
            1
        }
    }

    /// Calls back with every reading of the text in one kind of code units.
    pub(super) fn each_of(units: usize, text: &[u8], mut see: impl FnMut(&Self)) {
        let reading = match units.checked_sub(1) {
            None => Self::bytes(text),
            Some(number) => Self::utf16(text, UNITS[number / 2 % UNITS.len()], number % 2),
        };
        reading.nested(&mut see);
    }

    /// Maximum number of readings of a text: the text itself and with its escapes resolved, each also with
    /// its lines joined. Escapes may stand for line breaks.
    pub(super) fn at_most(text: &[u8]) -> usize {
        let escapes = text.iter().any(|byte| escapes::begins(*byte));
        let breaks = escapes || text.iter().any(|byte| matches!(byte, b'\r' | b'\n'));
        Self::units(text) * if escapes { NESTING + 1 } else { 1 } * if breaks { 2 } else { 1 }
    }

    /// What a secret reads as when escapes inside it are resolved: part of a secret may look like an
    /// escape.
    pub(super) fn unescaped_secret(secret: &[u8]) -> Vec<Zeroizing<Vec<u8>>> {
        let mut wholes = Vec::new();
        let mut reading = Self::bytes(secret);
        for _ in 0..NESTING {
            let Some(next) = reading.unescaped() else {
                break;
            };
            reading.forget();
            wholes.push(Zeroizing::new(next.whole()));
            reading = next;
        }
        reading.forget();
        wholes
    }

    /// The character that begins at a byte, which must exist.
    pub(super) fn character(&self, at: usize) -> Character {
        self.characters[at]
    }

    /// Length of the text in bytes.
    pub(super) fn len(&self) -> usize {
        self.characters.len()
    }

    /// Positions where a character may begin.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> {
        (self.offset..self.len()).step_by(self.width)
    }

    /// Whether a secret may begin here. Where line breaks are skipped, the one before a secret is not part
    /// of it.
    pub(super) fn may_begin(&self, at: usize) -> bool {
        !self.characters[at].broken
    }

    fn bytes(text: &[u8]) -> Self {
        Self {
            characters: text.iter().map(|byte| Character::byte(*byte, 1)).collect(),
            offset: 0,
            width: 1,
        }
    }

    fn utf16(text: &[u8], unit: Unit, offset: usize) -> Self {
        let unit = |at: usize| match text.get(at..at + 2) {
            Some(&[one, two]) => Some(u32::from(unit([one, two]))),
            _ => None,
        };
        let character = |at: usize| match (unit(at), unit(at + 2)) {
            // The last byte has no partner; between code units nothing begins.
            (None, _) => Character::byte(0xff, 1),
            (Some(high), Some(low)) if is_high(high) && is_low(low) => {
                Character::point(pair(high, low), 4)
            }
            (Some(unit), _) => Character::point(unit, 2),
        };
        let places = 0..text.len();
        Self {
            characters: places
                .map(|at| {
                    if at % 2 == offset {
                        character(at)
                    } else {
                        Character::byte(0xff, 1)
                    }
                })
                .collect(),
            offset,
            width: 2,
        }
    }

    /// Calls back with this reading, and with those that resolve its escapes.
    fn nested(self, see: &mut impl FnMut(&Self)) {
        let mut reading = self;
        for nesting in 0..=NESTING {
            see(&reading);
            if let Some(joined) = reading.joined() {
                see(&joined);
            }
            match reading.unescaped().filter(|_| nesting < NESTING) {
                Some(next) => reading = next,
                None => return,
            }
        }
    }

    /// Resolves escapes, if there are any. Escapes are looked for at every position, because a secret may
    /// begin inside what reads as an escape from an earlier one.
    fn unescaped(&self) -> Option<Self> {
        if !self.characters.iter().any(Character::may_escape) {
            return None;
        }
        self.reread(|at| self.escaped(at))
    }

    /// Replaces the characters at the positions for which `other` returns one, if there are any.
    fn reread(&self, other: impl Fn(usize) -> Option<Character>) -> Option<Self> {
        let mut any = false;
        let characters = (0..self.len())
            .map(|at| match other(at) {
                Some(character) => {
                    any = true;
                    character
                }
                None => self.characters[at],
            })
            .collect();
        any.then_some(Self {
            characters,
            ..*self
        })
    }

    fn escaped(&self, at: usize) -> Option<Character> {
        if !self.characters[at].may_escape() {
            return None;
        }
        // The characters from here on, as far as they were asked for, and where each ends.
        let (mut ascii, mut ends) = ([0; escapes::LONGEST], [at; escapes::LONGEST]);
        let (mut known, mut end) = (0, at);
        let (meaning, length) = escapes::read(|index| {
            while known <= index {
                let character = self.characters.get(end)?;
                *ascii.get_mut(known)? = character.ascii()?;
                end += character.spelled();
                ends[known] = end;
                known += 1;
            }
            Some(ascii[index])
        })?;
        let spelled = u8::try_from(ends[length - 1] - at).ok()?;
        if usize::from(spelled) > LONGEST {
            return None;
        }
        Some(match meaning {
            Meaning::Byte(byte) => Character::byte(byte, spelled),
            Meaning::Point(point) => Character::point(point, spelled),
        })
    }

    /// Skips line breaks and the indentation after them, as in base64 broken into lines, if any stand
    /// before possible base64.
    fn joined(&self) -> Option<Self> {
        self.reread(|at| self.after_break(at))
    }

    fn after_break(&self, at: usize) -> Option<Character> {
        if !self.characters[at].is_break() {
            return None;
        }
        let mut next = at;
        for _ in 0..BREAK {
            let character = self.characters.get(next)?;
            if !character.is_break() {
                break;
            }
            next += character.spelled();
        }
        // Lines may be indented as far as the longest spelling of one character allows.
        while next - at < LONGEST
            && let Some(blank) = self.characters.get(next).filter(|c| c.is_blank())
        {
            next += blank.spelled();
        }
        let after = self.characters.get(next).filter(|c| c.is_of_base64())?;
        let spelled = u8::try_from(next + after.spelled() - at).ok()?;
        (usize::from(spelled) <= LONGEST).then_some(Character {
            spelled,
            broken: true,
            ..*after
        })
    }

    /// All characters, in order.
    fn whole(&self) -> Vec<u8> {
        let (mut out, mut at) = (Vec::with_capacity(self.len()), self.offset);
        while let Some(character) = self.characters.get(at) {
            out.extend_from_slice(character.bytes());
            at += character.spelled();
        }
        out
    }

    fn forget(mut self) {
        for character in &mut self.characters {
            character.utf8.zeroize();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> String {
        let reading = Reading::bytes(text.as_bytes());
        let whole = reading.unescaped().unwrap_or(reading).whole();
        String::from_utf8_lossy(&whole).into_owned()
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

    /// What the first character of a text may be, over all readings.
    fn firsts(text: &[u8]) -> Vec<Character> {
        let mut firsts = Vec::new();
        Reading::each(text, |reading| {
            if let Some(at) = reading.places().next() {
                firsts.push(reading.character(at));
            }
        });
        firsts
    }

    #[test]
    fn no_text_is_read_in_more_ways_than_are_told() {
        for (text, wanted) in [
            (&b"plain"[..], 1),
            (b"two\nlines", 2),
            (b"%2525252561", 10),
            (b"\na%2525252561", 10),
            (b"%\0\na\0", 50),
        ] {
            let mut seen = 0;
            Reading::each(text, |_| seen += 1);
            assert_eq!(Reading::at_most(text), wanted);
            assert!((1..=wanted).contains(&seen), "{seen} of {wanted}");
        }
    }

    #[test]
    fn escapes_within_escapes_are_read_up_to_a_depth() {
        for spelled in [
            "%2F",
            "%252F",
            "%25252F",
            "%2525252F",
            "%26%23x2F%3B",
            "%26%23%78%30%30%30%30%30%30%32%46%3B",
            "%2526%2523x2F%253B",
            "&amp;#x2F;",
            "&amp;amp;#x2F;",
            r"\/",
            r"\\/",
            r"\\\\\\\\/",
            r"\u002F",
            r"\\u002F",
            r"\\\\u002F",
            r"\u0026#x2F;",
            "&#92;u002F",
        ] {
            let wanted = Character::byte(b'/', u8::try_from(spelled.len()).unwrap_or(u8::MAX));
            assert!(firsts(spelled.as_bytes()).contains(&wanted), "{spelled}");
        }
        let deeper = "%252525252F";
        assert!(firsts(deeper.as_bytes()).iter().all(|c| c.bytes() != b"/"));
    }

    #[test]
    fn no_spelling_is_longer_than_the_longest() {
        // Each character percent-encoded twice, in UTF-16: 120 bytes.
        let long: Vec<u8> = "%2526%2523%2578%2532%2542%253B"
            .encode_utf16()
            .flat_map(|unit| unit.to_le_bytes().repeat(2))
            .collect();
        for text in [&long[..], &b"%25".repeat(100), &b"\\".repeat(100)] {
            Reading::each(text, |reading| {
                for at in reading.places() {
                    let spelled = reading.character(at).spelled();
                    assert!((1..=LONGEST).contains(&spelled) && at + spelled <= text.len());
                }
            });
        }
    }

    #[test]
    fn line_breaks_before_base64_are_passed_over() {
        let joined = |text: &str| {
            let joined = Reading::bytes(text.as_bytes()).joined();
            joined.map(|reading| String::from_utf8_lossy(&reading.whole()).into_owned())
        };
        assert_eq!(joined("ab\r\ncd\nef").as_deref(), Some("abcdef"));
        assert_eq!(joined("ab\n\ncd").as_deref(), Some("abcd"));
        assert_eq!(joined("ab\n\n\ncd").as_deref(), Some("ab\ncd"));
        assert_eq!(joined("ab\n  cd\r\n\t ef").as_deref(), Some("abcdef"));
        let indented = |blanks: usize| format!("ab\n{}cd", " ".repeat(blanks));
        assert_eq!(joined(&indented(LONGEST - 2)).as_deref(), Some("abcd"));
        assert_eq!(joined(&indented(LONGEST - 1)), None, "no end of blanks");
        assert_eq!(joined("{\n  \"a\": 1\n}\n"), None);
    }
}
