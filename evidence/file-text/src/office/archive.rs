//! ZIP archives: the directory, and single entries of it.
//!
//! Entries are read by name and only if a reader asks for them, so what else an archive contains, overlapping
//! entries and archives in it included, costs nothing.

use std::collections::BTreeMap;

use crate::Refusal;
use crate::limits::{Budget, Wrapping};

/// Most entries of an archive.
const MAX_ENTRIES: usize = 20_000;
const END_SIGNATURE: &[u8] = b"PK\x05\x06";
const DIRECTORY_SIGNATURE: &[u8] = b"PK\x01\x02";
const LOCAL_SIGNATURE: &[u8] = b"PK\x03\x04";
/// The end of the directory has 22 bytes and a comment of at most 65,535.
const END_WINDOW: usize = 22 + 65_535;
const IS_ENCRYPTED: u16 = 1;

#[derive(Debug)]
struct Entry {
    flags: u16,
    method: u16,
    packed: usize,
    unpacked: usize,
    offset: usize,
}

/// An archive's directory.
#[derive(Debug)]
pub(crate) struct Archive<'a> {
    bytes: &'a [u8],
    /// By name, in lower case with forward slashes: OPC compares names without case.
    entries: BTreeMap<String, Entry>,
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let field = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(field.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    usize::try_from(u32::from_le_bytes(field.try_into().ok()?)).ok()
}

fn key(name: &str) -> String {
    let name = name.trim_start_matches('/').replace('\\', "/");
    name.to_ascii_lowercase()
}

impl<'a> Archive<'a> {
    /// Reads the directory at the end of the bytes.
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, Refusal> {
        let tail = bytes.len().saturating_sub(END_WINDOW);
        let window = bytes.get(tail..).unwrap_or_default();
        let end = window
            .windows(END_SIGNATURE.len())
            .rposition(|at| at == END_SIGNATURE)
            .ok_or(Refusal::Unreadable)?
            + tail;
        let count = usize::from(u16_at(bytes, end + 10).ok_or(Refusal::Unreadable)?);
        let mut at = u32_at(bytes, end + 16).ok_or(Refusal::Unreadable)?;
        if count > MAX_ENTRIES {
            return Err(Refusal::TooLarge);
        }
        let mut entries = BTreeMap::new();
        for _ in 0..count {
            let (name, entry, next) = Self::entry(bytes, at).ok_or(Refusal::Unreadable)?;
            // Of two with one name, the first counts: a second can't put other words into a document.
            entries.entry(name).or_insert(entry);
            at = next;
        }
        Ok(Self { bytes, entries })
    }

    fn entry(bytes: &[u8], at: usize) -> Option<(String, Entry, usize)> {
        let head = bytes.get(at..at.checked_add(46)?)?;
        if !head.starts_with(DIRECTORY_SIGNATURE) {
            return None;
        }
        let length = |field| u16_at(head, field).map(usize::from);
        let (name, extra, comment) = (length(28)?, length(30)?, length(32)?);
        let name_bytes = bytes.get(at + 46..at + 46 + name)?;
        let entry = Entry {
            flags: u16_at(head, 8)?,
            method: u16_at(head, 10)?,
            packed: u32_at(head, 20)?,
            unpacked: u32_at(head, 24)?,
            offset: u32_at(head, 42)?,
        };
        let name_key = key(&String::from_utf8_lossy(name_bytes));
        Some((name_key, entry, at + 46 + name + extra + comment))
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.entries.contains_key(&key(name))
    }

    /// Unpacks an entry; `None` if there is none of this name.
    pub(crate) fn read(&self, name: &str, budget: &mut Budget) -> Result<Option<Vec<u8>>, Refusal> {
        let Some(entry) = self.entries.get(&key(name)) else {
            return Ok(None);
        };
        if entry.flags & IS_ENCRYPTED != 0 {
            return Err(Refusal::Encrypted);
        }
        let packed = self.packed(entry).ok_or(Refusal::Unreadable)?;
        // What says of itself that it is too large isn't unpacked. What lies is stopped on the way.
        if entry.unpacked > budget.room(packed.len()) {
            return Err(Refusal::TooLarge);
        }
        match entry.method {
            0 => {
                budget.take(packed.len())?;
                Ok(Some(packed.to_vec()))
            }
            8 => match budget.inflate(packed, Wrapping::Raw)? {
                (bytes, true) => Ok(Some(bytes)),
                (_, false) => Err(Refusal::Unreadable),
            },
            _ => Err(Refusal::Unreadable),
        }
    }

    fn packed(&self, entry: &Entry) -> Option<&'a [u8]> {
        let head = self
            .bytes
            .get(entry.offset..entry.offset.checked_add(30)?)?;
        if !head.starts_with(LOCAL_SIGNATURE) {
            return None;
        }
        let (name, extra) = (u16_at(head, 26)?, u16_at(head, 28)?);
        let start = entry.offset + 30 + usize::from(name) + usize::from(extra);
        self.bytes.get(start..start.checked_add(entry.packed)?)
    }
}
