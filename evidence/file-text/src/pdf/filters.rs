//! The filters of streams. Each stops at what the budget leaves.

use super::object::{Dict, is_space};
use crate::Refusal;
use crate::limits::{Budget, Wrapping};

/// Longest chain of filters. Real files use at most two.
pub(super) const MAX_FILTERS: usize = 4;

/// Parameters of a predictor, resolved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parameters {
    pub(super) predictor: i64,
    pub(super) colors: usize,
    pub(super) bits: usize,
    pub(super) columns: usize,
    pub(super) early_change: bool,
}

impl Parameters {
    pub(super) fn of(dict: Option<&Dict>) -> Self {
        let number = |name: &str, or: i64| {
            let value = dict.and_then(|dict| dict.get(name.as_bytes()));
            value.and_then(super::object::Object::integer).unwrap_or(or)
        };
        let size = |name, or, most| usize::try_from(number(name, or).clamp(1, most)).unwrap_or(1);
        Self {
            predictor: number("Predictor", 1),
            colors: size("Colors", 1, 32),
            bits: size("BitsPerComponent", 8, 16),
            columns: size("Columns", 1, 1 << 20),
            early_change: number("EarlyChange", 1) != 0,
        }
    }
}

/// Applies one filter. `None` if it is one of pictures, whose bytes have no text.
pub(super) fn apply(
    name: &[u8],
    parameters: Parameters,
    packed: &[u8],
    budget: &mut Budget,
) -> Result<Option<Vec<u8>>, Refusal> {
    Ok(Some(match name {
        b"FlateDecode" | b"Fl" => {
            let (bytes, whole) = budget.inflate(packed, Wrapping::Zlib)?;
            let bytes = if bytes.is_empty() && !whole {
                // Some producers leave the wrapping out.
                budget.inflate(packed, Wrapping::Raw)?.0
            } else {
                bytes
            };
            unpredicted(bytes, parameters)
        }
        b"LZWDecode" | b"LZW" => {
            unpredicted(lzw(packed, parameters.early_change, budget)?, parameters)
        }
        b"ASCIIHexDecode" | b"AHx" => {
            budget.take(packed.len() / 2)?;
            ascii_hex(packed)
        }
        b"ASCII85Decode" | b"A85" => {
            budget.take(packed.len())?;
            ascii_85(packed)
        }
        b"RunLengthDecode" | b"RL" => run_length(packed, budget)?,
        _ => return Ok(None),
    }))
}

fn ascii_hex(packed: &[u8]) -> Vec<u8> {
    let end = packed
        .iter()
        .position(|byte| *byte == b'>')
        .unwrap_or(packed.len());
    let digits: Vec<u8> = packed
        .get(..end)
        .unwrap_or_default()
        .iter()
        .filter_map(|byte| char::from(*byte).to_digit(16))
        .filter_map(|digit| u8::try_from(digit).ok())
        .collect();
    let pairs = digits.chunks(2);
    pairs
        .map(|pair| pair.first().copied().unwrap_or(0) << 4 | pair.get(1).copied().unwrap_or(0))
        .collect()
}

fn ascii_85(packed: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(packed.len() / 5 * 4 + 4);
    let (mut group, mut count) = (0u32, 0usize);
    for byte in packed.iter().copied().filter(|byte| !is_space(*byte)) {
        match byte {
            b'~' => break,
            b'z' if count == 0 => out.extend([0; 4]),
            b'!'..=b'u' => {
                group = group.wrapping_mul(85).wrapping_add(u32::from(byte - b'!'));
                count += 1;
                if count == 5 {
                    out.extend(group.to_be_bytes());
                    (group, count) = (0, 0);
                }
            }
            _ => {}
        }
    }
    if count > 1 {
        for _ in count..5 {
            group = group.wrapping_mul(85).wrapping_add(84);
        }
        out.extend(group.to_be_bytes().into_iter().take(count - 1));
    }
    out
}

fn run_length(packed: &[u8], budget: &mut Budget) -> Result<Vec<u8>, Refusal> {
    let room = budget.room(packed.len());
    let mut out = Vec::new();
    let mut rest = packed;
    while let [length, tail @ ..] = rest {
        match length {
            0..=127 => {
                let count = usize::from(*length) + 1;
                let (run, after) = tail.split_at(count.min(tail.len()));
                out.extend_from_slice(run);
                rest = after;
            }
            128 => break,
            129..=255 => {
                let [byte, after @ ..] = tail else { break };
                out.extend(std::iter::repeat_n(*byte, 257 - usize::from(*length)));
                rest = after;
            }
        }
        if out.len() > room {
            return Err(Refusal::TooLarge);
        }
    }
    budget.take(out.len())?;
    Ok(out)
}

/// Lempel-Ziv-Welch with codes of 9 to 12 bits, most significant bit first.
fn lzw(packed: &[u8], early_change: bool, budget: &mut Budget) -> Result<Vec<u8>, Refusal> {
    const CLEAR: usize = 256;
    const END: usize = 257;
    const MOST: usize = 4096;
    let room = budget.room(packed.len());
    let early = usize::from(early_change);
    let mut out: Vec<u8> = Vec::new();
    // An entry is a piece of what was written already.
    let mut entries: Vec<(usize, usize)> = Vec::new();
    let mut previous: Option<(usize, usize)> = None;
    let (mut bits, mut held, mut width) = (0u32, 0u32, 9u32);
    for byte in packed {
        bits = bits << 8 | u32::from(*byte);
        held += 8;
        if held < width {
            continue;
        }
        held -= width;
        let code = usize::try_from(bits >> held).unwrap_or_default() & ((1 << width) - 1);
        bits &= (1 << held) - 1;
        if code == END {
            break;
        }
        if code == CLEAR {
            entries.clear();
            previous = None;
            width = 9;
            continue;
        }
        let start = out.len();
        if code < CLEAR {
            out.push(u8::try_from(code).unwrap_or_default());
        } else if let Some((from, length)) = entries.get(code - 258).copied() {
            let piece = out.get(from..from + length).unwrap_or_default().to_vec();
            out.extend(piece);
        } else if let (Some((from, length)), true) = (previous, code - 258 == entries.len()) {
            let piece = out.get(from..from + length).unwrap_or_default().to_vec();
            let first = piece.first().copied();
            out.extend(piece);
            out.extend(first);
        } else {
            break;
        }
        if out.len() > room {
            return Err(Refusal::TooLarge);
        }
        if let Some((from, length)) = previous
            && entries.len() + 258 < MOST
        {
            // The new entry is the previous piece and the byte that followed it.
            entries.push((from, length + 1));
        }
        previous = Some((start, out.len() - start));
        width = match entries.len() + 258 + early {
            0..=511 => 9,
            512..=1023 => 10,
            1024..=2047 => 11,
            _ => 12,
        };
    }
    budget.take(out.len())?;
    Ok(out)
}

/// Undoes a predictor: each row was written as its difference from what is left of it or above it.
fn unpredicted(bytes: Vec<u8>, parameters: Parameters) -> Vec<u8> {
    let pixel = (parameters.colors * parameters.bits).div_ceil(8).max(1);
    let row = (parameters.colors * parameters.bits * parameters.columns).div_ceil(8);
    match parameters.predictor {
        2 if parameters.bits == 8 => {
            let mut bytes = bytes;
            for line in bytes.chunks_mut(row.max(1)) {
                for at in pixel..line.len() {
                    let left = line.get(at - pixel).copied().unwrap_or(0);
                    if let Some(byte) = line.get_mut(at) {
                        *byte = byte.wrapping_add(left);
                    }
                }
            }
            bytes
        }
        10.. => png(&bytes, row.max(1), pixel),
        _ => bytes,
    }
}

fn png(bytes: &[u8], row: usize, pixel: usize) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(bytes.len());
    let mut above: Vec<u8> = Vec::new();
    for line in bytes.chunks(row + 1) {
        let [kind, line @ ..] = line else { break };
        let mut current: Vec<u8> = Vec::with_capacity(line.len());
        for (at, byte) in line.iter().copied().enumerate() {
            let left_at = at.checked_sub(pixel);
            let left = left_at.and_then(|at| current.get(at)).copied().unwrap_or(0);
            let up = above.get(at).copied().unwrap_or(0);
            let corner = left_at.and_then(|at| above.get(at)).copied().unwrap_or(0);
            let predicted = match kind {
                1 => left,
                2 => up,
                3 => u8::try_from((u16::from(left) + u16::from(up)) / 2).unwrap_or(0),
                4 => paeth(left, up, corner),
                _ => 0,
            };
            current.push(byte.wrapping_add(predicted));
        }
        out.extend_from_slice(&current);
        above = current;
    }
    out
}

fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let [a, b, c] = [left, up, corner].map(i32::from);
    let estimate = a + b - c;
    let [from_a, from_b, from_c] = [a, b, c].map(|value| (estimate - value).abs());
    if from_a <= from_b && from_a <= from_c {
        left
    } else if from_b <= from_c {
        up
    } else {
        corner
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn filtered(name: &str, packed: &[u8]) -> Vec<u8> {
        let parameters = Parameters::of(None);
        apply(name.as_bytes(), parameters, packed, &mut Budget::default())
            .unwrap()
            .unwrap()
    }

    #[test]
    fn filters_give_back_what_was_packed() {
        assert_eq!(filtered("ASCIIHexDecode", b"48 65 6C6c6F>"), b"Hello");
        assert_eq!(
            filtered("ASCII85Decode", b"87cUR\nD]i,\"Ebo80~>"),
            b"Hello World!"
        );
        assert_eq!(
            filtered("RunLengthDecode", &[1, b'a', b'b', 254, b'c', 128]),
            b"abccc"
        );
        // The example of ISO 32000-1, 7.4.4.2.
        let lzw = [0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01];
        assert_eq!(
            filtered("LZWDecode", &lzw),
            [45, 45, 45, 45, 45, 65, 45, 45, 45, 66]
        );
    }

    #[test]
    fn predictors_are_undone() {
        let rows = [2, 1, 2, 3, 2, 1, 1, 1, 1, 5, 1, 1];
        assert_eq!(png(&rows, 3, 1), [1, 2, 3, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn runs_stop_at_the_bound() {
        let bomb = [129u8, b'x'].repeat(600_000);
        let parameters = Parameters::of(None);
        let refused = apply(b"RL", parameters, &bomb, &mut Budget::default());
        assert_eq!(refused.unwrap_err(), Refusal::TooLarge);
    }
}
