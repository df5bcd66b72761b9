//! The writer. Entries stand in the order in which they are given, all of them at the first moment that ZIP
//! can name, so that equal contents give equal bytes.

use miniz_oxide::deflate::compress_to_vec;

use super::{CENTRAL_FILE, DEFLATED, END, LOCAL_FILE, STORED};

/// 1980-01-01, in the form of MS-DOS.
const DATE: u16 = 0x0021;
/// Names are UTF-8.
const UTF8: u16 = 0x0800;
const VERSION: u16 = 20;
const LEVEL: u8 = 6;

/// The archive of the entries, or nothing where one of its numbers has no room in the format: 65,535 entries
/// and 4 GiB.
#[must_use]
pub fn write<'a>(entries: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    let mut count = 0_u16;
    for (name, bytes) in entries {
        let offset = u32::try_from(out.len()).ok()?;
        let deflated = compress_to_vec(bytes, LEVEL);
        // Pictures do not become smaller.
        let (method, data) = if deflated.len() < bytes.len() {
            (DEFLATED, deflated.as_slice())
        } else {
            (STORED, bytes)
        };
        let mut common = Vec::new();
        for number in [VERSION, UTF8, method, 0, DATE] {
            common.extend(number.to_le_bytes());
        }
        for number in [
            crc32fast::hash(bytes),
            u32::try_from(data.len()).ok()?,
            u32::try_from(bytes.len()).ok()?,
        ] {
            common.extend(number.to_le_bytes());
        }
        common.extend(u16::try_from(name.len()).ok()?.to_le_bytes());
        common.extend(0_u16.to_le_bytes());

        out.extend(LOCAL_FILE.to_le_bytes());
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(data);

        directory.extend(CENTRAL_FILE.to_le_bytes());
        directory.extend(VERSION.to_le_bytes());
        directory.extend(&common);
        // No comment, first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
        count = count.checked_add(1)?;
    }
    let offset = u32::try_from(out.len()).ok()?;
    let length = u32::try_from(directory.len()).ok()?;
    out.extend(directory);
    out.extend(END.to_le_bytes());
    for number in [0, 0, count, count] {
        out.extend(number.to_le_bytes());
    }
    out.extend(length.to_le_bytes());
    out.extend(offset.to_le_bytes());
    out.extend(0_u16.to_le_bytes());
    Some(out)
}
