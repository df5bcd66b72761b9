//! Files that jobs make.

use std::collections::HashSet;

use bytes::Bytes;
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::is_nfc;

use crate::{Digest, FileId, JobId, Timestamp};

/// The most files that a job may make.
pub const MAX_FILES: usize = 64;
/// The most bytes that the files of a job may have together.
pub const MAX_FILE_BYTES: u64 = 256 * 1024 * 1024;
/// The longest name of a file in bytes, which every file system takes.
pub const MAX_FILE_NAME_BYTES: usize = 128;

/// Why a job cannot have these files.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilesError {
    #[error("a job makes at most {MAX_FILES} files")]
    TooMany,
    #[error("the files of a job have at most {MAX_FILE_BYTES} bytes together")]
    TooLarge,
    #[error("{0:?} is no name of a file: {1}")]
    Name(String, FileNameError),
    /// File systems that ignore case would keep only one of them.
    #[error("two files have the name {0:?}")]
    SameName(String),
}

/// Why a text is no name of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FileNameError {
    #[error("it has from 1 to {MAX_FILE_NAME_BYTES} bytes")]
    Length,
    #[error("it does not begin with a dot")]
    Hidden,
    /// Windows drops them, so that the name would not be the same there.
    #[error("it neither begins nor ends with a space, and does not end with a dot")]
    Edge,
    #[error("it has no /, \\ or :")]
    Separator,
    /// Control and format characters, line and paragraph separators. DANGER: some of them turn the direction
    /// of the text, so that `fdp.exe` is read as `exe.pdf`.
    #[error("it has only visible characters")]
    Invisible,
    #[error("it is in Unicode's normal form C")]
    NotNormal,
}

/// Checks the name of a file.
///
/// # Errors
/// What is wrong with it.
pub fn check_file_name(name: &str) -> Result<(), FileNameError> {
    use FileNameError as E;
    if !(1..=MAX_FILE_NAME_BYTES).contains(&name.len()) {
        return Err(E::Length);
    }
    if name.starts_with('.') {
        return Err(E::Hidden);
    }
    if name.trim() != name || name.ends_with('.') {
        return Err(E::Edge);
    }
    for c in name.chars() {
        if matches!(c, '/' | '\\' | ':') {
            return Err(E::Separator);
        }
        if !is_visible(c) {
            return Err(E::Invisible);
        }
    }
    if is_nfc(name) {
        Ok(())
    } else {
        Err(E::NotNormal)
    }
}

pub(crate) fn is_visible(c: char) -> bool {
    use GeneralCategory as G;
    !matches!(
        get_general_category(c),
        G::Control
            | G::Format
            | G::LineSeparator
            | G::ParagraphSeparator
            | G::PrivateUse
            | G::Unassigned
    )
}

/// The form in which names are compared: two names with the same form are one on a file system that ignores
/// case.
#[must_use]
pub fn folded_file_name(name: &str) -> String {
    name.to_lowercase()
}

/// Checks the files of a job together.
///
/// # Errors
/// The first rule that they break.
pub fn check_files(files: &[NewFile]) -> Result<(), FilesError> {
    if files.len() > MAX_FILES {
        return Err(FilesError::TooMany);
    }
    let bytes: u64 = files.iter().map(|file| file.bytes.len() as u64).sum();
    if bytes > MAX_FILE_BYTES {
        return Err(FilesError::TooLarge);
    }
    let mut names = HashSet::new();
    for file in files {
        check_file_name(&file.name).map_err(|why| FilesError::Name(file.name.clone(), why))?;
        if !names.insert(folded_file_name(&file.name)) {
            return Err(FilesError::SameName(file.name.clone()));
        }
    }
    Ok(())
}

/// A file to be stored with the end of its job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// Derived from the job, so that a repeated run makes the same file.
    pub id: FileId,
    /// File name without a folder.
    pub name: String,
    pub media_type: String,
    pub bytes: Bytes,
}

/// A stored file, without its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobFile {
    pub id: FileId,
    pub job: JobId,
    /// File name without a folder.
    pub name: String,
    pub media_type: String,
    /// Digest of the content.
    pub digest: Digest,
    /// Size of the content.
    pub size_bytes: u64,
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str) -> NewFile {
        NewFile {
            id: FileId::from_uuid(uuid::Uuid::from_u128(1)),
            name: name.to_owned(),
            media_type: "text/plain".to_owned(),
            bytes: Bytes::from_static(b"x"),
        }
    }

    #[test]
    fn a_name_is_what_it_looks_like() {
        for good in ["a", "Übersicht 2026.pdf", "報告書.docx", "a-b_c (1).pptx"] {
            assert_eq!(check_file_name(good), Ok(()), "{good}");
        }
        use FileNameError as E;
        for (bad, why) in [
            ("", E::Length),
            (&"x".repeat(129), E::Length),
            (".hidden", E::Hidden),
            ("../a", E::Hidden),
            (" a", E::Edge),
            ("a ", E::Edge),
            ("a.", E::Edge),
            ("a/b", E::Separator),
            ("a\\b", E::Separator),
            ("C:a", E::Separator),
            ("a\nb", E::Invisible),
            ("a\u{0}b", E::Invisible),
            ("a\u{7f}b", E::Invisible),
            ("a\u{85}b", E::Invisible),
            // Turns what follows around.
            ("a\u{202e}fdp.exe", E::Invisible),
            ("a\u{2066}b", E::Invisible),
            // Has no width.
            ("a\u{200b}b", E::Invisible),
            ("a\u{feff}b", E::Invisible),
            ("a\u{2028}b", E::Invisible),
            ("a\u{2029}b", E::Invisible),
            // A letter with a mark of its own.
            ("u\u{308}.pdf", E::NotNormal),
        ] {
            assert_eq!(check_file_name(bad), Err(why), "{bad:?}");
        }
    }

    #[test]
    fn names_differ_on_every_file_system() {
        assert_eq!(check_files(&[file("a.pdf"), file("b.pdf")]), Ok(()));
        for (one, other) in [("a.pdf", "a.pdf"), ("a.pdf", "A.PDF"), ("ä", "Ä")] {
            let same = Err(FilesError::SameName(other.to_owned()));
            assert_eq!(check_files(&[file(one), file(other)]), same);
        }
    }

    #[test]
    fn a_job_has_neither_too_many_files_nor_too_many_bytes() {
        let many =
            |count: usize| -> Vec<NewFile> { (0..count).map(|n| file(&n.to_string())).collect() };
        assert_eq!(check_files(&many(MAX_FILES)), Ok(()));
        assert_eq!(check_files(&many(MAX_FILES + 1)), Err(FilesError::TooMany));
        // One buffer, many times: nothing of this size is made.
        let part = Bytes::from(vec![0; 8 * 1024 * 1024]);
        let mut large = many(32);
        for file in &mut large {
            file.bytes = part.clone();
        }
        assert_eq!(check_files(&large), Ok(()));
        large.push(file("more"));
        assert_eq!(check_files(&large), Err(FilesError::TooLarge));
    }
}
