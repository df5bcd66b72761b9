//! Cross-reference tables and streams, newest first.

use std::collections::BTreeSet;

use super::super::object::{Lexer, Object, Stream};
use super::{File, MAX_OBJECTS, Place};
use crate::Refusal;

/// How far before the end of the file `startxref` may stand.
const END_WINDOW: usize = 2048;
/// Most sections: a file has one more with each change that was saved.
const MAX_SECTIONS: usize = 256;

/// Reads all sections that can be read. Damage leaves objects out; the caller notices what is missing.
pub(super) fn read(file: &mut File<'_, '_>) -> Result<(), Refusal> {
    let tail = file.bytes.len().saturating_sub(END_WINDOW);
    let window = file.bytes.get(tail..).unwrap_or_default();
    let word = b"startxref";
    let Some(at) = window.windows(word.len()).rposition(|at| at == word) else {
        return Ok(());
    };
    let mut lexer = Lexer::new(file.bytes, tail + at + word.len(), false);
    let mut next = vec![lexer.next_object().and_then(|(offset, _)| offset.index())];
    let mut seen = BTreeSet::new();
    while let Some(offset) = next.pop() {
        let Some(offset) = offset.filter(|offset| *offset < file.bytes.len()) else {
            continue;
        };
        if !seen.insert(offset) || seen.len() > MAX_SECTIONS {
            continue;
        }
        let Some(trailer) = section(file, offset)? else {
            continue;
        };
        let Some(dict) = trailer.dict() else { continue };
        let offset_of = |key: &[u8]| dict.get(key).and_then(Object::index);
        // The one that is read first comes last: the hybrid's stream goes before what it adds to.
        next.push(offset_of(b"Prev"));
        next.push(offset_of(b"XRefStm"));
        for (key, value) in dict.iter() {
            file.trailer
                .entry(key.clone())
                .or_insert_with(|| value.clone());
        }
    }
    Ok(())
}

/// Reads one section, and gives its trailer.
fn section(file: &mut File<'_, '_>, offset: usize) -> Result<Option<Object>, Refusal> {
    let mut lexer = Lexer::new(file.bytes, offset, false);
    lexer.skip_space();
    let is_table = file
        .bytes
        .get(lexer.at..)
        .is_some_and(|bytes| bytes.starts_with(b"xref"));
    if !is_table {
        let stream = file.indirect(offset)?;
        return match stream {
            Some((_, Object::Stream(stream), _)) => {
                self::stream(file, &stream)?;
                Ok(Some(Object::Stream(stream)))
            }
            _ => Ok(None),
        };
    }
    lexer.at += 4;
    loop {
        let Some((first, _)) = lexer.next_object() else {
            return Ok(None);
        };
        if first.keyword() == Some(b"trailer") {
            let mut lexer = Lexer::new(file.bytes, lexer.at, true);
            return Ok(lexer.next_object().map(|(trailer, _)| trailer));
        }
        let count = lexer.next_object().and_then(|(count, _)| count.index());
        let (Some(first), Some(count)) = (first.index(), count) else {
            return Ok(None);
        };
        for at in 0..count {
            file.budget.step(3)?;
            let entry = [
                lexer.next_object(),
                lexer.next_object(),
                lexer.next_object(),
            ];
            let [Some((offset, _)), Some(_), Some((kind, _))] = entry else {
                return Ok(None);
            };
            match kind.keyword() {
                Some(b"n") => {
                    if let Some(offset) = offset.index() {
                        insert(file, first.saturating_add(at), Place::Offset(offset))?;
                    }
                }
                Some(b"f") => {}
                _ => return Ok(None),
            }
        }
    }
}

fn insert(file: &mut File<'_, '_>, number: usize, place: Place) -> Result<(), Refusal> {
    if let Ok(number) = u32::try_from(number) {
        file.places.entry(number).or_insert(place);
    }
    if file.places.len() > MAX_OBJECTS {
        return Err(Refusal::TooLarge);
    }
    Ok(())
}

fn stream(file: &mut File<'_, '_>, stream: &Stream) -> Result<(), Refusal> {
    let data = file.data(stream)?;
    let numbers = |object: Object| -> Vec<usize> {
        object
            .array()
            .unwrap_or_default()
            .iter()
            .filter_map(Object::index)
            .collect()
    };
    let widths = numbers(file.get(&stream.dict, "W")?);
    let &[kind_width, second_width, third_width] = widths.as_slice() else {
        return Ok(());
    };
    let mut index = numbers(file.get(&stream.dict, "Index")?);
    if index.is_empty() {
        index = vec![0, file.get(&stream.dict, "Size")?.index().unwrap_or(0)];
    }
    let record = kind_width
        .saturating_add(second_width)
        .saturating_add(third_width);
    if record == 0 || record > 24 {
        return Ok(());
    }
    let mut records = data.chunks_exact(record);
    for range in index.chunks_exact(2) {
        let &[first, count] = range else { break };
        for at in 0..count {
            let Some(record) = records.next() else {
                return Ok(());
            };
            file.budget.step(1)?;
            let (kind, rest) = record.split_at(kind_width);
            let (second, third) = rest.split_at(second_width);
            let number = first.saturating_add(at);
            // Without a kind, all are in use.
            match if kind_width == 0 { 1 } else { big_endian(kind) } {
                1 => insert(file, number, Place::Offset(big_endian(second)))?,
                2 => {
                    if let Ok(stream) = u32::try_from(big_endian(second)) {
                        let index = big_endian(third);
                        insert(file, number, Place::InStream { stream, index })?;
                    }
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn big_endian(bytes: &[u8]) -> usize {
    bytes.iter().fold(0usize, |value, byte| {
        value.saturating_mul(256).saturating_add(usize::from(*byte))
    })
}
