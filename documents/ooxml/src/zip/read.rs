//! The reader, for templates that somebody else made: everything in them may be hostile.

use std::collections::BTreeMap;
use std::fmt;

use miniz_oxide::inflate::decompress_to_vec_with_limit;

use super::{CENTRAL_FILE, DEFLATED, END, LOCAL_FILE, STORED};

/// How much an archive may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Entries, folders included.
    pub entries: usize,
    pub entry_bytes: usize,
    /// Bytes of all entries.
    pub total_bytes: usize,
    /// How many times larger than the archive its contents may be.
    pub ratio: usize,
}

impl Default for Limits {
    /// Far more than any template of slides or pages needs.
    fn default() -> Self {
        Self {
            entries: 2_000,
            entry_bytes: 32 << 20,
            total_bytes: 64 << 20,
            ratio: 200,
        }
    }
}

/// Why an archive is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadError {
    /// Not a ZIP archive, or a broken one.
    Broken,
    /// More than the limits allow.
    TooLarge,
    /// Encrypted, split over disks, or compressed in a way that packages do not use.
    Unsupported,
    /// Two entries have one name, or a name leads out of the archive.
    InvalidName,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Broken => "the file is not an intact ZIP archive",
            Self::TooLarge => "the archive holds more than is allowed",
            Self::Unsupported => "the archive uses a feature that packages do not use",
            Self::InvalidName => "the archive has an entry with an impossible name",
        })
    }
}
impl std::error::Error for ReadError {}

/// The contents of an archive, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Archive {
    entries: BTreeMap<String, Vec<u8>>,
}

impl Archive {
    /// Reads all entries; folders have none.
    ///
    /// # Errors
    /// Why the archive is refused.
    pub fn read(bytes: &[u8], limits: Limits) -> Result<Self, ReadError> {
        let end = end_of_directory(bytes)?;
        let count = usize::from(u16_at(bytes, end + 10)?);
        if u16_at(bytes, end + 4)? != 0 || u16_at(bytes, end + 8)? != u16_at(bytes, end + 10)? {
            return Err(ReadError::Unsupported);
        }
        if count > limits.entries {
            return Err(ReadError::TooLarge);
        }
        let by_ratio = bytes.len().saturating_mul(limits.ratio);
        let mut left = limits.total_bytes.min(by_ratio);
        let mut at = offset_at(bytes, end + 16)?;
        let mut entries = BTreeMap::new();
        for _ in 0..count {
            let entry = Entry::read(bytes, at)?;
            at = entry.next;
            if entry.name.ends_with('/') {
                continue;
            }
            if !is_plain(&entry.name) {
                return Err(ReadError::InvalidName);
            }
            let content = entry.content(bytes, left.min(limits.entry_bytes))?;
            left = left.saturating_sub(content.len());
            if entries.insert(entry.name, content).is_some() {
                return Err(ReadError::InvalidName);
            }
        }
        Ok(Self { entries })
    }

    /// The bytes of an entry.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.entries.get(name).map(Vec::as_slice)
    }

    /// All entries, ordered by name.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.entries
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }
}

/// An entry of the central directory.
struct Entry {
    name: String,
    method: u16,
    crc: u32,
    packed: usize,
    size: usize,
    local: usize,
    next: usize,
}

impl Entry {
    fn read(bytes: &[u8], at: usize) -> Result<Self, ReadError> {
        if u32_at(bytes, at)? != CENTRAL_FILE {
            return Err(ReadError::Broken);
        }
        const ENCRYPTED: u16 = 1;
        if u16_at(bytes, at + 8)? & ENCRYPTED != 0 {
            return Err(ReadError::Unsupported);
        }
        let name_length = usize::from(u16_at(bytes, at + 28)?);
        let further = usize::from(u16_at(bytes, at + 30)?) + usize::from(u16_at(bytes, at + 32)?);
        let name = slice(bytes, at + 46, name_length)?;
        Ok(Self {
            name: std::str::from_utf8(name)
                .map_err(|_| ReadError::InvalidName)?
                .to_owned(),
            method: u16_at(bytes, at + 10)?,
            crc: u32_at(bytes, at + 16)?,
            packed: offset_at(bytes, at + 20)?,
            size: offset_at(bytes, at + 24)?,
            local: offset_at(bytes, at + 42)?,
            next: at + 46 + name_length + further,
        })
    }

    fn content(&self, bytes: &[u8], limit: usize) -> Result<Vec<u8>, ReadError> {
        if self.size > limit {
            return Err(ReadError::TooLarge);
        }
        if u32_at(bytes, self.local)? != LOCAL_FILE {
            return Err(ReadError::Broken);
        }
        let name_length = usize::from(u16_at(bytes, self.local + 26)?);
        let extra = usize::from(u16_at(bytes, self.local + 28)?);
        let packed = slice(bytes, self.local + 30 + name_length + extra, self.packed)?;
        let content = match self.method {
            STORED => packed.to_vec(),
            // The size that the directory states is not to be trusted: inflating stops there.
            DEFLATED => {
                decompress_to_vec_with_limit(packed, self.size).map_err(|_| ReadError::Broken)?
            }
            _ => return Err(ReadError::Unsupported),
        };
        if content.len() != self.size || crc32fast::hash(&content) != self.crc {
            return Err(ReadError::Broken);
        }
        Ok(content)
    }
}

/// Where the end record begins. It is the last thing in the file, before a comment of up to 64 KiB.
fn end_of_directory(bytes: &[u8]) -> Result<usize, ReadError> {
    const LENGTH: usize = 22;
    let last = bytes.len().checked_sub(LENGTH).ok_or(ReadError::Broken)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    (first..=last)
        .rev()
        .find(|&at| u32_at(bytes, at) == Ok(END))
        .ok_or(ReadError::Broken)
}

/// Relative, without a way up, and with nothing that a system might read as something else.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 300
        && name
            .bytes()
            .all(|byte| byte > 0x1f && !b"\\:".contains(&byte))
        && name.split('/').all(|step| !matches!(step, "" | "." | ".."))
}

// Offsets come from 16- and 32-bit fields, so sums of a few of them have room even in 64 bits; on 32 bits
// they are cut off below what could wrap.
fn offset_at(bytes: &[u8], at: usize) -> Result<usize, ReadError> {
    let offset = usize::try_from(u32_at(bytes, at)?).map_err(|_| ReadError::Broken)?;
    if offset > bytes.len().max(1 << 30) {
        return Err(ReadError::TooLarge);
    }
    Ok(offset)
}

fn slice(bytes: &[u8], at: usize, length: usize) -> Result<&[u8], ReadError> {
    let end = at.checked_add(length).ok_or(ReadError::Broken)?;
    bytes.get(at..end).ok_or(ReadError::Broken)
}

fn u16_at(bytes: &[u8], at: usize) -> Result<u16, ReadError> {
    let field = slice(bytes, at, 2)?;
    Ok(u16::from_le_bytes([field[0], field[1]]))
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32, ReadError> {
    let field = slice(bytes, at, 4)?;
    Ok(u32::from_le_bytes([field[0], field[1], field[2], field[3]]))
}
