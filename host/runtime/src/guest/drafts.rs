//! Files that a renderer makes. They are held in memory within the call's output limit and handed to the
//! caller; the engine hashes and stores them.

use std::collections::BTreeMap;

use bytes::{Bytes, BytesMut};
use gtm_domain::job::file::{MAX_FILES, check_file_name, folded_file_name};
use gtm_domain::{Failure, FailureKind};

use crate::renderer_files::Artifact;

/// Type of the resource `writer`; the file itself is in the call's [`Drafts`].
pub struct ArtifactWriter;

/// Unfinished and finished files.
#[derive(Debug)]
pub struct Drafts {
    open: BTreeMap<u32, (String, String, BytesMut)>,
    done: Vec<Artifact>,
    next: u32,
    bytes_left: u64,
}

impl Drafts {
    /// Room for `max_bytes` bytes, counting all files together.
    pub const fn new(max_bytes: u64) -> Self {
        Self {
            open: BTreeMap::new(),
            done: Vec::new(),
            next: 0,
            bytes_left: max_bytes,
        }
    }

    /// The finished files.
    pub fn finish(self) -> Vec<Artifact> {
        self.done
    }

    pub fn create(&mut self, filename: String, media_type: String) -> Result<u32, Failure> {
        let invalid =
            |code: &str, message: &str| Err(Failure::new(FailureKind::InvalidInput, code, message));
        if let Err(why) = check_file_name(&filename) {
            return invalid(
                "invalid_filename",
                &format!("this is no name of a file: {why}"),
            );
        }
        if !is_media_type(&media_type) {
            return invalid(
                "invalid_media_type",
                "expected a media type such as application/pdf",
            );
        }
        let folded = folded_file_name(&filename);
        let is_taken = |name: &str| folded_file_name(name) == folded;
        let taken = self.done.iter().any(|a| is_taken(&a.filename))
            || self.open.values().any(|d| is_taken(&d.0));
        if taken {
            return invalid(
                "duplicate_filename",
                "there already is a file with this name",
            );
        }
        if self.open.len() + self.done.len() >= MAX_FILES {
            return Err(Failure::new(
                FailureKind::Quota,
                "too_many_artifacts",
                "too many files",
            ));
        }
        let key = self.next;
        self.next += 1;
        self.open
            .insert(key, (filename, media_type, BytesMut::new()));
        Ok(key)
    }

    pub fn write(&mut self, key: u32, bytes: &[u8]) -> Result<(), Failure> {
        let (_, _, content) = self.open.get_mut(&key).ok_or_else(finished)?;
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.bytes_left = self.bytes_left.checked_sub(length).ok_or_else(|| {
            Failure::new(
                FailureKind::Quota,
                "output_too_large",
                "the files are larger than allowed",
            )
        })?;
        content.extend_from_slice(bytes);
        Ok(())
    }

    pub fn close(&mut self, key: u32) -> Result<(), Failure> {
        let (filename, media_type, content) = self.open.remove(&key).ok_or_else(finished)?;
        self.done.push(Artifact {
            filename,
            media_type,
            bytes: Bytes::from(content),
        });
        Ok(())
    }

    /// Drops an unfinished file.
    pub fn discard(&mut self, key: u32) {
        self.open.remove(&key);
    }
}

fn finished() -> Failure {
    Failure::new(
        FailureKind::InvalidInput,
        "artifact_finished",
        "the file is already finished",
    )
}

fn is_media_type(text: &str) -> bool {
    let token = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&b))
    };
    text.len() <= 128
        && text
            .split_once('/')
            .is_some_and(|(kind, sub)| token(kind) && token(sub))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_finished_files_within_the_limit_come_out() {
        let mut drafts = Drafts::new(10);
        let a = drafts
            .create("a.pdf".into(), "application/pdf".into())
            .unwrap();
        let b = drafts
            .create("b.pdf".into(), "application/pdf".into())
            .unwrap();
        assert_eq!(
            drafts
                .create("a.pdf".into(), "application/pdf".into())
                .unwrap_err()
                .code,
            "duplicate_filename"
        );
        drafts.write(a, b"12345").unwrap();
        drafts.write(b, b"12345").unwrap();
        assert_eq!(drafts.write(b, b"6").unwrap_err().code, "output_too_large");
        drafts.close(a).unwrap();
        assert_eq!(drafts.write(a, b"6").unwrap_err().code, "artifact_finished");
        let files = drafts.finish();
        assert_eq!(files.len(), 1);
        assert_eq!(&files[0].bytes[..], b"12345");
    }

    #[test]
    fn names_and_media_types_are_checked() {
        let mut drafts = Drafts::new(10);
        let mut create = |name: &str| {
            let made = drafts.create(name.to_owned(), "text/plain".to_owned());
            made.map_err(|failure| failure.code)
        };
        for bad in ["", "../a", "a/b", "a\u{202e}fdp.exe"] {
            assert_eq!(create(bad), Err("invalid_filename".to_owned()), "{bad:?}");
        }
        assert!(create("Übersicht 2026.pdf").is_ok());
        assert_eq!(
            create("ÜBERSICHT 2026.PDF"),
            Err("duplicate_filename".to_owned())
        );
        assert!(is_media_type(
            "application/vnd.openxmlformats-officedocument.presentationml.presentation"
        ));
        assert!(!is_media_type("text/html; charset=utf-8") && !is_media_type("pdf"));
    }
}
