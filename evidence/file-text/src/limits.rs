//! How much a file may cost, and how the cost is counted.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_PARSE_ZLIB_HEADER, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use crate::Refusal;

/// Most bytes of a file.
pub const MAX_FILE_BYTES: usize = 10_000_000;
/// Most bytes of one part of a file after unpacking. The XML of a book of 500 pages takes some 10 MB.
pub const MAX_PART_BYTES: usize = 16 * 1024 * 1024;
/// Most bytes of all parts of a file together after unpacking.
pub const MAX_UNPACKED_BYTES: usize = 64 * 1024 * 1024;
/// Most bytes that one packed byte may become, beyond the first mebibyte. Deflate manages 1,032; the XML of a
/// table with thousands of equal rows stays below 200.
pub const MAX_RATIO: usize = 400;
/// Most text that is kept of a file, in bytes: as much as the connector puts into its output.
pub const MAX_TEXT_BYTES: usize = 3_000_000;
/// Most blocks that are kept of a file.
pub const MAX_BLOCKS: usize = 20_000;
/// Most steps of a reader: elements, objects, operators, glyphs. A dense page takes some thousands.
pub const MAX_STEPS: u64 = 8_000_000;
/// Most pages or slides that are read.
pub const MAX_PAGES: usize = 2_000;

const ALWAYS_ALLOWED: usize = 1 << 20;

/// What is left of the bounds for one file.
#[derive(Debug)]
pub(crate) struct Budget {
    bytes: usize,
    steps: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            bytes: MAX_UNPACKED_BYTES,
            steps: MAX_STEPS,
        }
    }
}

/// How deflated bytes are wrapped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Wrapping {
    /// Not at all, as in ZIP archives.
    Raw,
    /// RFC 1950, as in PDF.
    Zlib,
}

impl Budget {
    /// Counts steps.
    pub(crate) fn step(&mut self, count: usize) -> Result<(), Refusal> {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        self.steps = self.steps.checked_sub(count).ok_or(Refusal::TooLarge)?;
        Ok(())
    }

    /// Counts bytes that were unpacked or copied.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), Refusal> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(Refusal::TooLarge)?;
        Ok(())
    }

    /// Most bytes that so many packed bytes may become.
    pub(crate) fn room(&self, packed: usize) -> usize {
        packed
            .saturating_mul(MAX_RATIO)
            .clamp(ALWAYS_ALLOWED, MAX_PART_BYTES)
            .min(self.bytes)
    }

    /// Inflates, and stops at the bound. Bytes that end early or are damaged give what came before, and `false`.
    pub(crate) fn inflate(
        &mut self,
        packed: &[u8],
        wrapping: Wrapping,
    ) -> Result<(Vec<u8>, bool), Refusal> {
        let room = self.room(packed.len());
        let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
            | match wrapping {
                Wrapping::Raw => 0,
                Wrapping::Zlib => TINFL_FLAG_PARSE_ZLIB_HEADER,
            };
        let mut inflater = Box::<DecompressorOxide>::default();
        let mut bytes = vec![0; packed.len().saturating_mul(2).clamp(64, room.max(64))];
        let (mut read, mut written) = (0, 0);
        let whole = loop {
            let rest = packed.get(read..).unwrap_or_default();
            let (status, more_read, more_written) =
                decompress(&mut inflater, rest, &mut bytes, written, flags);
            read += more_read;
            written += more_written;
            match status {
                TINFLStatus::Done => break true,
                TINFLStatus::HasMoreOutput if bytes.len() >= room => {
                    return Err(Refusal::TooLarge);
                }
                TINFLStatus::HasMoreOutput => {
                    bytes.resize(bytes.len().saturating_mul(2).min(room), 0);
                }
                _ => break false,
            }
        };
        bytes.truncate(written);
        self.take(bytes.len())?;
        Ok((bytes, whole))
    }
}

/// Where a sequence of bytes first stands.
pub(crate) fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes
        .windows(wanted.len())
        .position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};

    #[test]
    fn a_bomb_is_stopped_by_its_ratio() {
        let packed = compress_to_vec(&vec![b' '; 16 << 20], 9);
        let refused = Budget::default().inflate(&packed, Wrapping::Raw);
        assert_eq!(refused.unwrap_err(), Refusal::TooLarge);
        let packed = compress_to_vec(&vec![b' '; 1 << 20], 9);
        let (bytes, whole) = Budget::default().inflate(&packed, Wrapping::Raw).unwrap();
        assert_eq!((bytes.len(), whole), (1 << 20, true));
    }

    #[test]
    fn many_small_parts_exhaust_the_budget() {
        let packed = compress_to_vec_zlib(&vec![b' '; 1 << 20], 9);
        let mut budget = Budget::default();
        let parts = (0..1_000).take_while(|_| budget.inflate(&packed, Wrapping::Zlib).is_ok());
        assert_eq!(parts.count(), MAX_UNPACKED_BYTES >> 20);
    }

    #[test]
    fn damaged_bytes_give_what_came_before() {
        let packed = compress_to_vec_zlib(b"so far, so good", 6);
        let (bytes, whole) = Budget::default()
            .inflate(&packed[..packed.len() - 4], Wrapping::Zlib)
            .unwrap();
        assert_eq!(
            (bytes.as_slice(), whole),
            (b"so far, so good".as_slice(), false)
        );
    }
}
