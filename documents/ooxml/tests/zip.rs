//! Archives: what is written can be read, and what is hostile is refused.
#![allow(clippy::unwrap_used)]

use gtm_ooxml::zip::{self, Archive, Limits, ReadError};
use proptest::prelude::*;

proptest! {
    #[test]
    fn what_is_written_is_read(contents in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..400), 0..8)) {
        let names: Vec<String> = (0..contents.len()).map(|n| format!("folder/{n}.bin")).collect();
        let entries = || names.iter().map(String::as_str).zip(contents.iter().map(Vec::as_slice));
        let bytes = zip::write(entries()).unwrap();
        prop_assert_eq!(&bytes, &zip::write(entries()).unwrap());
        let archive = Archive::read(&bytes, Limits::default()).unwrap();
        prop_assert_eq!(archive.entries().count(), contents.len());
        for (name, content) in entries() {
            prop_assert_eq!(archive.get(name), Some(content));
        }
    }

    #[test]
    fn a_damaged_archive_is_refused_or_read_but_never_traps(at in 0usize..400, byte in any::<u8>()) {
        let mut bytes = zip::write([("a.xml", &b"<a/>"[..]), ("b.bin", &[7; 300][..])]).unwrap();
        let index = at % bytes.len();
        bytes[index] = byte;
        let _ = Archive::read(&bytes, Limits::default());
        bytes.truncate(at);
        let _ = Archive::read(&bytes, Limits::default());
    }

    #[test]
    fn any_bytes_are_refused_or_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut bytes = bytes;
        bytes.extend(b"PK\x05\x06");
        bytes.extend([1; 18]);
        let _ = Archive::read(&bytes, Limits::default());
    }
}

#[test]
fn a_bomb_is_refused() {
    let zeros = vec![0; 8 << 20];
    let bytes = zip::write([("a.bin", zeros.as_slice())]).unwrap();
    assert!(bytes.len() < 20_000);
    assert_eq!(
        Archive::read(&bytes, Limits::default()),
        Err(ReadError::TooLarge)
    );
}

#[test]
fn more_entries_or_bytes_than_allowed_are_refused() {
    let bytes = zip::write([("a", &b"12345"[..]), ("b", &b"12345"[..])]).unwrap();
    let limits = Limits {
        entries: 2,
        entry_bytes: 5,
        total_bytes: 10,
        ratio: 10,
    };
    assert!(Archive::read(&bytes, limits).is_ok());
    for limits in [
        Limits {
            entries: 1,
            ..limits
        },
        Limits {
            entry_bytes: 4,
            ..limits
        },
        Limits {
            total_bytes: 9,
            ..limits
        },
    ] {
        assert_eq!(Archive::read(&bytes, limits), Err(ReadError::TooLarge));
    }
}

#[test]
fn names_that_lead_elsewhere_or_come_twice_are_refused() {
    for names in [
        ["../a", "b"],
        ["/a", "b"],
        ["a\\b", "b"],
        ["c:a", "b"],
        ["a", "a"],
    ] {
        let bytes = zip::write(names.map(|name| (name, &b"x"[..]))).unwrap();
        let read = Archive::read(&bytes, Limits::default());
        assert_eq!(read, Err(ReadError::InvalidName), "{names:?}");
    }
}
