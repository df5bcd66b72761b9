//! The objects of PDF, and reading them from bytes.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::limits::find;

/// Deepest nesting of arrays and dictionaries.
const MAX_DEPTH: usize = 48;
/// Most objects in one: the operands of an operator, or an indirect object.
const MAX_NODES: usize = 200_000;
/// Longest number or keyword.
const MAX_WORD: usize = 128;

pub(super) type Dict = BTreeMap<Rc<[u8]>, Object>;

#[derive(Debug, Clone)]
pub(super) enum Object {
    Null,
    Number(f64),
    Name(Rc<[u8]>),
    Text(Rc<[u8]>),
    Array(Rc<[Object]>),
    Dict(Rc<Dict>),
    Stream(Rc<Stream>),
    Reference(u32),
    /// `true`, `obj` and the operators of content.
    Keyword(Rc<[u8]>),
}

#[derive(Debug)]
pub(super) struct Stream {
    pub(super) dict: Rc<Dict>,
    /// Where its packed bytes stand in the file.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Object {
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) if number.is_finite() => Some(*number),
            _ => None,
        }
    }

    pub(super) fn integer(&self) -> Option<i64> {
        // The cast saturates.
        #[allow(clippy::cast_possible_truncation)]
        self.number().map(|number| number as i64)
    }

    pub(super) fn index(&self) -> Option<usize> {
        usize::try_from(self.integer()?).ok()
    }

    pub(super) fn name(&self) -> Option<&[u8]> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&[u8]> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn array(&self) -> Option<&[Object]> {
        match self {
            Self::Array(array) => Some(array),
            _ => None,
        }
    }

    /// A dictionary, also that of a stream.
    pub(super) fn dict(&self) -> Option<&Rc<Dict>> {
        match self {
            Self::Dict(dict) => Some(dict),
            Self::Stream(stream) => Some(&stream.dict),
            _ => None,
        }
    }

    pub(super) fn keyword(&self) -> Option<&[u8]> {
        match self {
            Self::Keyword(word) => Some(word),
            _ => None,
        }
    }
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | 9 | 10 | 12 | 13 | 32)
}

fn is_delimiter(byte: u8) -> bool {
    matches!(
        byte,
        b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%'
    )
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte)
        .to_digit(16)
        .and_then(|digit| u8::try_from(digit).ok())
}

/// Reads objects one after another. What is malformed ends early or is left out; nothing fails.
pub(super) struct Lexer<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// Whether `1 0 R` is a reference; there are none in content.
    references: bool,
    /// How many objects the present one may still have.
    nodes: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize, references: bool) -> Self {
        Self {
            bytes,
            at,
            references,
            nodes: MAX_NODES,
        }
    }

    /// Skips a picture in content. `false` if it has no end.
    pub(super) fn skip_picture(&mut self) -> bool {
        while let Some((object, _)) = self.next_object() {
            if object.keyword() == Some(b"ID") {
                break;
            }
        }
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let Some(at) = find(rest, b"EI") else {
                return false;
            };
            let before = at.checked_sub(1).and_then(|at| rest.get(at));
            self.at += at + 2;
            if before.is_none_or(|byte| is_space(*byte))
                && rest.get(at + 2).is_none_or(|byte| is_space(*byte))
            {
                return true;
            }
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                while self
                    .peek()
                    .is_some_and(|byte| byte != b'\n' && byte != b'\r')
                {
                    self.at += 1;
                }
            } else if is_space(byte) {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    /// The next object or keyword, with how many objects are in it; `None` at the end.
    pub(super) fn next_object(&mut self) -> Option<(Object, usize)> {
        self.nodes = MAX_NODES;
        let object = self.object(0)?;
        Some((object, MAX_NODES - self.nodes + 1))
    }

    fn object(&mut self, depth: usize) -> Option<Object> {
        self.skip_space();
        self.nodes = self.nodes.checked_sub(1)?;
        Some(match self.peek()? {
            b'/' => Object::Name(self.name_bytes().into()),
            b'(' => Object::Text(self.literal().into()),
            b'<' if self.bytes.get(self.at + 1) == Some(&b'<') => self.dict(depth)?,
            b'<' => Object::Text(self.hex().into()),
            b'[' => self.array(depth)?,
            b'0'..=b'9' | b'+' | b'-' | b'.' => self.number_or_reference(),
            delimiter if is_delimiter(delimiter) => {
                self.at += 1;
                Object::Keyword([delimiter].into())
            }
            _ => self.word(),
        })
    }

    fn name_bytes(&mut self) -> Vec<u8> {
        self.at += 1;
        let mut name = Vec::new();
        while let Some(byte) = self.peek() {
            if is_space(byte) || is_delimiter(byte) {
                break;
            }
            self.at += 1;
            let escaped = (byte == b'#').then(|| {
                let high = hex_digit(self.peek()?)?;
                let low = hex_digit(*self.bytes.get(self.at + 1)?)?;
                Some(high << 4 | low)
            });
            match escaped.flatten() {
                Some(escaped) => {
                    self.at += 2;
                    name.push(escaped);
                }
                None => name.push(byte),
            }
        }
        name
    }

    fn literal(&mut self) -> Vec<u8> {
        self.at += 1;
        let (mut text, mut open) = (Vec::new(), 1usize);
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'(' => open += 1,
                b')' => {
                    open -= 1;
                    if open == 0 {
                        break;
                    }
                }
                b'\\' => {
                    text.extend(self.escape());
                    continue;
                }
                _ => {}
            }
            text.push(byte);
        }
        text
    }

    fn escape(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(match byte {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'b' => 8,
            b'f' => 12,
            b'\r' => {
                if self.peek() == Some(b'\n') {
                    self.at += 1;
                }
                return None;
            }
            b'\n' => return None,
            b'0'..=b'7' => {
                let mut code = u32::from(byte - b'0');
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = self.peek() else {
                        break;
                    };
                    self.at += 1;
                    code = code * 8 + u32::from(digit - b'0');
                }
                u8::try_from(code & 0xFF).unwrap_or_default()
            }
            other => other,
        })
    }

    fn hex(&mut self) -> Vec<u8> {
        self.at += 1;
        let (mut text, mut high) = (Vec::new(), None);
        while let Some(byte) = self.peek() {
            self.at += 1;
            if byte == b'>' {
                break;
            }
            if let Some(digit) = hex_digit(byte) {
                match high.take() {
                    Some(high) => text.push(high << 4 | digit),
                    None => high = Some(digit),
                }
            }
        }
        text.extend(high.map(|high| high << 4));
        text
    }

    fn array(&mut self, depth: usize) -> Option<Object> {
        if depth >= MAX_DEPTH {
            return None;
        }
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip_space();
            match self.peek() {
                None => break,
                Some(b']') => {
                    self.at += 1;
                    break;
                }
                Some(_) => match self.object(depth + 1) {
                    Some(item) => items.push(item),
                    None => break,
                },
            }
        }
        Some(Object::Array(items.into()))
    }

    fn dict(&mut self, depth: usize) -> Option<Object> {
        if depth >= MAX_DEPTH {
            return None;
        }
        self.at += 2;
        let mut dict = Dict::new();
        loop {
            self.skip_space();
            match self.peek() {
                None => break,
                Some(b'>') => {
                    self.at += 1;
                    if self.peek() == Some(b'>') {
                        self.at += 1;
                    }
                    break;
                }
                Some(b'/') => {
                    let key: Rc<[u8]> = self.name_bytes().into();
                    self.skip_space();
                    // A key without a value.
                    if self.peek() == Some(b'>') {
                        continue;
                    }
                    match self.object(depth + 1) {
                        Some(value) => drop(dict.entry(key).or_insert(value)),
                        None => break,
                    }
                }
                Some(_) => match self.object(depth + 1) {
                    // Damaged: `endobj` tells that the dictionary was never closed.
                    Some(Object::Keyword(word)) if &*word == b"endobj" => break,
                    Some(_) => {}
                    None => break,
                },
            }
        }
        Some(Object::Dict(Rc::new(dict)))
    }

    fn word(&mut self) -> Object {
        let start = self.at;
        while self
            .peek()
            .is_some_and(|byte| !is_space(byte) && !is_delimiter(byte))
        {
            self.at += 1;
        }
        let word = self.bytes.get(start..self.at.min(start + MAX_WORD));
        match word.unwrap_or_default() {
            b"null" => Object::Null,
            word => Object::Keyword(word.into()),
        }
    }

    fn number(&mut self) -> f64 {
        let start = self.at;
        while self
            .peek()
            .is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.'))
        {
            self.at += 1;
        }
        let word = self.bytes.get(start..self.at.min(start + MAX_WORD));
        let word = std::str::from_utf8(word.unwrap_or_default()).unwrap_or_default();
        // Some producers write `--5` and `1.-5`.
        let (sign, digits) = match word.strip_prefix('-') {
            Some(digits) => (-1.0, digits.trim_start_matches('-')),
            None => (1.0, word.trim_start_matches('+')),
        };
        let digits = digits.split(['-', '+']).next().unwrap_or_default();
        sign * digits.parse::<f64>().unwrap_or(0.0)
    }

    /// `12`, or all of `12 0 R`.
    fn number_or_reference(&mut self) -> Object {
        let first = self.number();
        if !self.references {
            return Object::Number(first);
        }
        let after = self.at;
        self.skip_space();
        if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.number();
            self.skip_space();
            let ends = self
                .bytes
                .get(self.at + 1)
                .is_none_or(|byte| is_space(*byte) || is_delimiter(*byte));
            if self.peek() == Some(b'R')
                && ends
                && let Some(number) = Object::Number(first)
                    .integer()
                    .and_then(|n| u32::try_from(n).ok())
            {
                self.at += 1;
                return Object::Reference(number);
            }
        }
        self.at = after;
        Object::Number(first)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(source: &str) -> Object {
        Lexer::new(source.as_bytes(), 0, true)
            .next_object()
            .unwrap()
            .0
    }

    #[test]
    fn objects_are_read() {
        assert_eq!(read(" % note\n -12.5 ").number(), Some(-12.5));
        assert_eq!(read("--5").number(), Some(-5.0));
        assert_eq!(read("/A#20B").name(), Some(b"A B".as_slice()));
        assert_eq!(
            read("(a\\(b(c)\\101\\\n)").text(),
            Some(b"a(b(c)A".as_slice())
        );
        assert_eq!(read("<48 65 6>").text(), Some(b"He`".as_slice()));
        assert!(matches!(read("7 0 R"), Object::Reference(7)));
        assert_eq!(read("[1 2 0 R 3 4]").array().unwrap().len(), 4);
        let dict = read("<</A 1/B<</C(x)>>/D[/E]>>");
        assert_eq!(dict.dict().unwrap().len(), 3);
    }

    #[test]
    fn damage_ends_early_and_always_moves_on() {
        for source in ["[[[[", "<<<<<<", "(((", "<48", "<</A", "]>>)", "<</A<</B"] {
            let mut lexer = Lexer::new(source.as_bytes(), 0, true);
            let mut count = 0;
            while lexer.next_object().is_some() {
                count += 1;
                assert!(count < 20, "{source}");
            }
        }
        let deep = "[".repeat(100_000);
        let mut lexer = Lexer::new(deep.as_bytes(), 0, true);
        while lexer.next_object().is_some() {}
        assert_eq!(lexer.at, deep.len());
    }
}
