//! Finds the objects of a file whose cross-references are damaged.

use super::super::object::{Lexer, Object, is_space};
use super::{File, MAX_OBJECTS, Place};
use crate::Refusal;

/// Bytes that cost as much as one step.
const BYTES_A_STEP: usize = 8;

/// Searches the whole file for `12 0 obj`; of two with one number, the later counts. Object streams and trailers
/// are found on the way.
pub(super) fn search(file: &mut File<'_, '_>) -> Result<(), Refusal> {
    file.budget.step(file.bytes.len() / BYTES_A_STEP + 1)?;
    file.places.clear();
    let mut found: Vec<usize> = Vec::new();
    let mut trailers: Vec<usize> = Vec::new();
    for (at, window) in file.bytes.windows(7).enumerate() {
        if window.starts_with(b"obj") {
            if let Some((number, start)) = numbers_before(file.bytes, at) {
                file.places.insert(number, Place::Offset(start));
                found.push(start);
            }
        } else if window == b"trailer" {
            trailers.push(at + 7);
        }
        if found.len() + trailers.len() > MAX_OBJECTS {
            return Err(Refusal::TooLarge);
        }
    }
    // The last trailer that leads to a catalog counts.
    for at in trailers {
        let mut lexer = Lexer::new(file.bytes, at, true);
        let trailer = lexer.next_object();
        file.budget
            .step(lexer.at.saturating_sub(at) / BYTES_A_STEP + 1)?;
        if let Some((Object::Dict(dict), _)) = trailer {
            for (key, value) in dict.iter() {
                file.trailer.insert(key.clone(), value.clone());
            }
        }
    }
    let mut catalog = None;
    for at in found {
        let Some((number, object, _)) = file.indirect(at)? else {
            continue;
        };
        let Some(dict) = object.dict() else { continue };
        match dict.get(b"Type".as_slice()).and_then(Object::name) {
            Some(b"ObjStm") => {
                for (index, inner) in file.numbers_in(number)?.into_iter().enumerate() {
                    let place = Place::InStream {
                        stream: number,
                        index,
                    };
                    file.places.entry(inner).or_insert(place);
                    if file.places.len() > MAX_OBJECTS {
                        return Err(Refusal::TooLarge);
                    }
                }
            }
            Some(b"XRef") => {
                for (key, value) in dict.iter() {
                    file.trailer.insert(key.clone(), value.clone());
                }
            }
            Some(b"Catalog") => catalog = Some(number),
            _ => {}
        }
    }
    if file.catalog()?.is_none()
        && let Some(number) = catalog
    {
        file.trailer
            .insert(b"Root".as_slice().into(), Object::Reference(number));
    }
    Ok(())
}

/// The number in `12 0 ` before an `obj`, and where it begins.
fn numbers_before(bytes: &[u8], obj: usize) -> Option<(u32, usize)> {
    let back = |from: usize, is_it: fn(u8) -> bool, most: usize| {
        let before = bytes.get(..from).unwrap_or_default();
        from - before
            .iter()
            .rev()
            .take(most)
            .take_while(|byte| is_it(**byte))
            .count()
    };
    let digit: fn(u8) -> bool = |byte| byte.is_ascii_digit();
    let after_generation = back(obj, is_space, 8);
    let generation = back(after_generation, digit, 5);
    let after_number = back(generation, is_space, 8);
    let number = back(after_number, digit, 10);
    let words = [
        (number, after_number),
        (after_number, generation),
        (generation, after_generation),
    ];
    if words.iter().any(|(start, end)| start >= end) {
        return None;
    }
    let text = std::str::from_utf8(bytes.get(number..after_number)?).ok()?;
    Some((text.parse().ok()?, number))
}
