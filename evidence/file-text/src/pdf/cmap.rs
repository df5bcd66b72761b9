//! CMaps: how many bytes a code has, and what a code means.

use std::rc::Rc;

use super::object::{Lexer, Object};
use crate::Refusal;
use crate::limits::Budget;

/// Most entries of one CMap.
const MAX_ENTRIES: usize = 100_000;
/// Longest text of one code, in UTF-16 units. Ligatures have up to four.
const MAX_UNITS: usize = 32;

#[derive(Debug)]
enum Meaning {
    /// The text of the first code; the last character counts up with the code.
    Text(Rc<str>),
    /// The text of each code.
    Texts(Vec<Option<Rc<str>>>),
    /// The character id of the first code.
    Id(u32),
}

#[derive(Debug)]
struct Range {
    length: usize,
    first: u32,
    last: u32,
    meaning: Meaning,
}

#[derive(Debug, Default)]
pub(super) struct CMap {
    /// Length, first and last code of each range of codes.
    spaces: Vec<(usize, u32, u32)>,
    /// Sorted by length and first code.
    ranges: Vec<Range>,
}

fn code_of(bytes: &[u8]) -> Option<(usize, u32)> {
    let code = bytes
        .iter()
        .fold(0u32, |code, byte| code << 8 | u32::from(*byte));
    (1..=4)
        .contains(&bytes.len())
        .then_some((bytes.len(), code))
}

fn utf16(bytes: &[u8]) -> Option<Rc<str>> {
    let units = bytes.chunks(2).take(MAX_UNITS).map(|unit| match unit {
        [high, low] => u16::from(*high) << 8 | u16::from(*low),
        unit => unit.first().copied().map_or(0, u16::from),
    });
    let text: String = char::decode_utf16(units).filter_map(Result::ok).collect();
    // Some producers write that a code means nothing.
    let text = text.trim_matches(['\0', '\u{FFFD}']);
    (!text.is_empty()).then(|| text.into())
}

impl CMap {
    pub(super) fn read(bytes: &[u8], budget: &mut Budget) -> Result<Self, Refusal> {
        let mut map = Self::default();
        let mut lexer = Lexer::new(bytes, 0, false);
        let mut operands: Vec<Object> = Vec::new();
        while let Some((object, values)) = lexer.next_object() {
            budget.step(values)?;
            let Some(word) = object.keyword() else {
                if operands.len() < MAX_ENTRIES {
                    operands.push(object);
                }
                continue;
            };
            match word {
                b"endcodespacerange" => map.add_spaces(&operands),
                b"endbfchar" => map.add(operands.chunks_exact(2), |pair| {
                    (&pair[0], &pair[0], &pair[1])
                }),
                b"endbfrange" | b"endcidrange" => {
                    map.add(operands.chunks_exact(3), |three| {
                        (&three[0], &three[1], &three[2])
                    });
                }
                b"endcidchar" => map.add(operands.chunks_exact(2), |pair| {
                    (&pair[0], &pair[0], &pair[1])
                }),
                _ => {}
            }
            operands.clear();
        }
        // Of two ranges that begin alike, the later counts.
        map.ranges.reverse();
        map.ranges.sort_by_key(|range| (range.length, range.first));
        map.ranges.dedup_by_key(|range| (range.length, range.first));
        Ok(map)
    }

    fn add_spaces(&mut self, operands: &[Object]) {
        for pair in operands.chunks_exact(2) {
            let ends = [&pair[0], &pair[1]].map(|end| end.text().and_then(code_of));
            if let [Some((length, first)), Some((_, last))] = ends
                && self.spaces.len() < 256
            {
                self.spaces.push((length, first, last));
            }
        }
    }

    fn add<'o>(
        &mut self,
        entries: impl Iterator<Item = &'o [Object]>,
        parts: impl Fn(&'o [Object]) -> (&'o Object, &'o Object, &'o Object),
    ) {
        for entry in entries {
            let (first, last, meaning) = parts(entry);
            let ends = [first, last].map(|end| end.text().and_then(code_of));
            let [Some((length, first)), Some((_, last))] = ends else {
                continue;
            };
            let meaning = match meaning {
                Object::Text(text) => utf16(text).map(Meaning::Text),
                Object::Array(texts) => {
                    let texts = texts.iter().map(|text| text.text().and_then(utf16));
                    Some(Meaning::Texts(texts.collect()))
                }
                Object::Number(_) => {
                    let id = meaning.integer().and_then(|id| u32::try_from(id).ok());
                    id.map(Meaning::Id)
                }
                _ => None,
            };
            if let Some(meaning) = meaning
                && first <= last
                && self.ranges.len() < MAX_ENTRIES
            {
                self.ranges.push(Range {
                    length,
                    first,
                    last,
                    meaning,
                });
            }
        }
    }

    /// Number of bytes of the code that these bytes begin with, if the map says so.
    pub(super) fn code_length(&self, bytes: &[u8]) -> Option<usize> {
        (1..=4).find(|length| {
            let code = bytes.get(..*length).and_then(code_of);
            code.is_some_and(|(length, code)| {
                let mut spaces = self.spaces.iter();
                spaces.any(|(of, first, last)| *of == length && within(code, *first, *last, length))
            })
        })
    }

    fn range(&self, length: usize, code: u32) -> Option<&Range> {
        let after = self
            .ranges
            .partition_point(|range| (range.length, range.first) <= (length, code));
        let range = self.ranges.get(after.checked_sub(1)?)?;
        (range.length == length && code <= range.last).then_some(range)
    }

    /// The text of a code.
    pub(super) fn text(&self, length: usize, code: u32) -> Option<Rc<str>> {
        let range = self.range(length, code)?;
        let step = code - range.first;
        match &range.meaning {
            Meaning::Text(text) if step == 0 => Some(Rc::clone(text)),
            Meaning::Text(text) => {
                let mut characters = text.chars();
                let last = characters.next_back()?;
                let last = char::from_u32(u32::from(last).checked_add(step)?)?;
                Some(characters.chain([last]).collect::<String>().into())
            }
            Meaning::Texts(texts) => texts.get(usize::try_from(step).ok()?)?.clone(),
            Meaning::Id(_) => None,
        }
    }

    /// The character id of a code.
    pub(super) fn id(&self, length: usize, code: u32) -> Option<u32> {
        let range = self.range(length, code)?;
        match range.meaning {
            Meaning::Id(id) => id.checked_add(code - range.first),
            _ => None,
        }
    }

    /// How many values it keeps.
    pub(super) fn size(&self) -> usize {
        let ranges = self.ranges.iter().map(|range| match &range.meaning {
            Meaning::Texts(texts) => texts.len(),
            _ => 1,
        });
        ranges.sum()
    }
}

/// Whether each byte of a code is within the bytes of the ends: ranges of codes are boxes, not intervals.
fn within(code: u32, first: u32, last: u32, length: usize) -> bool {
    let [code, first, last] = [code, first, last].map(u32::to_be_bytes);
    let ends = first.iter().zip(last.iter());
    code.iter()
        .zip(ends)
        .skip(4 - length.min(4))
        .all(|(byte, (first, last))| (first..=last).contains(&byte))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_map_to_unicode_is_read() {
        let source = b"/CIDInit /ProcSet findresource begin 1 begincodespacerange <0000> <FFFF> endcodespacerange\n\
            2 beginbfchar <0003> <0020> <0010> <00660066> endbfchar\n\
            2 beginbfrange <0020> <0022> <0041> <0030> <0031> [<D83DDE00> <05D0>] endbfrange end";
        let map = CMap::read(source, &mut Budget::default()).unwrap();
        let text = |code| map.text(2, code).map(|text| text.to_string());
        assert_eq!(map.code_length(&[0, 3, 0]), Some(2));
        assert_eq!(text(3).as_deref(), Some(" "));
        assert_eq!(text(0x10).as_deref(), Some("ff"));
        assert_eq!(text(0x22).as_deref(), Some("C"));
        assert_eq!(text(0x30).as_deref(), Some("😀"));
        assert_eq!(text(0x31).as_deref(), Some("א"));
        assert_eq!(text(0x23), None);
        assert_eq!(map.text(1, 3), None);
    }

    #[test]
    fn a_range_of_all_codes_costs_nothing() {
        let source = b"1 begincidrange <00000000> <FFFFFFFF> 0 endcidrange 1 beginbfrange <0000> <FFFF> <D7FF> endbfrange";
        let map = CMap::read(source, &mut Budget::default()).unwrap();
        assert_eq!(map.id(4, 77), Some(77));
        assert_eq!(map.text(2, 1), None, "a surrogate is no character");
    }
}
