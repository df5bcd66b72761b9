//! The one definition of "the text of a file": DOCX, PPTX and PDF.
//!
//! Lives here: turning the bytes of such a file into ordered blocks of visible text, in the same form as
//! `gtm-page-text` gives the text of a page. The `web-fetch` connector reports reference documents with it and
//! the host checks evidence with it, so both see the same characters at the same offsets.
//!
//! Does not live here: the text of pages (`gtm-page-text`), writing such files (`documents/`, `plugins/`), any
//! I/O, and any judgement about evidence.
//!
//! DANGER: the bytes come from strangers. Nothing is inflated, looked up or kept without a bound ([`limits`]),
//! nothing outside of the file is ever opened, and no entity is expanded. A file that needs more than the bounds
//! allow is refused as too large, so that neither a bomb nor a circle costs more than they do.
#![forbid(unsafe_code)]

mod collected;
pub mod limits;
mod office;
mod pdf;

use gtm_page_text::{Media, PageText};

use collected::Collected;
pub use collected::Passage;
use limits::Budget;

/// The kind of a file that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Docx,
    Pptx,
    Pdf,
}

impl FileKind {
    /// Its registered media type.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Pptx => {
                "application/vnd.openxmlformats-officedocument.presentationml.presentation"
            }
            Self::Pdf => "application/pdf",
        }
    }
}

/// Why a file cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is larger than a bound, or becomes so when it is unpacked.
    #[error("The document is too large, or becomes too large when it is unpacked.")]
    TooLarge,
    /// It can only be read with a password.
    #[error("The document is encrypted.")]
    Encrypted,
    /// It is damaged, or breaks the rules of its format.
    #[error("The document is damaged and cannot be read.")]
    Unreadable,
}

impl Refusal {
    /// The failure code of `web.fetch`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::TooLarge => "document_too_large",
            Self::Encrypted => "encrypted_document",
            Self::Unreadable => "unreadable_document",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileText {
    pub kind: FileKind,
    /// The title in the file's properties, in normal form.
    pub title: Option<String>,
    /// The language that the file declares, as it declares it.
    pub language: Option<String>,
    /// Pages of a PDF or slides of a presentation; a DOCX has none until it is laid out.
    pub pages: Option<u32>,
    /// The text in reading order.
    pub passages: Vec<Passage>,
    /// Whether there was more text than is kept.
    pub cut: bool,
    /// How many texts were left out that nobody sees who looks at the file: hidden, struck, deleted, beside the page or in the
    /// colour of what they stand on, comments, notes of a speaker.
    pub hidden: usize,
}

impl FileText {
    /// The blocks alone, with the title as what the file declares about itself.
    #[must_use]
    pub fn into_page_text(self) -> PageText {
        PageText {
            media: Media::Binary,
            charset: None,
            blocks: self
                .passages
                .into_iter()
                .map(|passage| passage.block)
                .collect(),
            declared: self.title.into_iter().collect(),
        }
    }
}

/// Reads a file. `None` if it is none of the known kinds; the content type decides between a page and a file,
/// and the bytes tell which kind of file it is, because servers often name the wrong one.
#[must_use]
pub fn read(content_type: Option<&str>, bytes: &[u8]) -> Option<Result<FileText, Refusal>> {
    match container(content_type, bytes)? {
        _ if bytes.len() > limits::MAX_FILE_BYTES => Some(Err(Refusal::TooLarge)),
        Container::Pdf => Some(pdf::read(bytes, &mut Budget::default())),
        Container::Package => office::read(bytes, declares_office(content_type)),
        Container::Encrypted => Some(Err(Refusal::Encrypted)),
    }
}

/// Whether these bytes begin a file of one of the kinds, perhaps a cut one.
#[must_use]
pub fn is_file(content_type: Option<&str>, bytes: &[u8]) -> bool {
    match container(content_type, bytes) {
        // Whether a ZIP archive is a document stands at its end, so only its type can tell.
        Some(Container::Package) => declares_office(content_type),
        container => container.is_some(),
    }
}

/// What the bytes are on the outside.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Container {
    Pdf,
    /// A ZIP archive, which may be an OPC package.
    Package,
    /// An OPC package inside of an encrypted compound file.
    Encrypted,
}

/// How far into a file its `%PDF-` may stand: readers accept what mail programs put before it.
const PDF_HEADER_WINDOW: usize = 1024;
const COMPOUND_FILE: &[u8] = &[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];

fn container(content_type: Option<&str>, bytes: &[u8]) -> Option<Container> {
    let essence = essence(content_type);
    if !may_be_file(&essence) {
        return None;
    }
    let head = bytes.get(..PDF_HEADER_WINDOW).unwrap_or(bytes);
    if bytes.starts_with(b"PK\x03\x04") {
        Some(Container::Package)
    } else if head.starts_with(b"%PDF-")
        || essence.ends_with("/pdf") && limits::find(head, b"%PDF-").is_some()
    {
        Some(Container::Pdf)
    } else if bytes.starts_with(COMPOUND_FILE) && names_encrypted_package(bytes) {
        Some(Container::Encrypted)
    } else {
        None
    }
}

fn essence(content_type: Option<&str>) -> String {
    let essence = content_type.and_then(|value| value.split(';').next());
    essence.unwrap_or_default().trim().to_ascii_lowercase()
}

/// Whether content of this type may be a file: not if it is a page, data or a medium of its own.
fn may_be_file(essence: &str) -> bool {
    match essence.split_once('/') {
        Some(("text", subtype)) => subtype == "plain" || subtype == "pdf",
        Some(("application", subtype)) => {
            let is_text = matches!(
                subtype,
                "xhtml+xml" | "xml" | "json" | "javascript" | "ecmascript"
            );
            !is_text && !subtype.ends_with("+xml") && !subtype.ends_with("+json")
        }
        Some(("image" | "audio" | "video" | "font", _)) => false,
        _ => true,
    }
}

/// Whether the content type names an Office document.
fn declares_office(content_type: Option<&str>) -> bool {
    let essence = essence(content_type);
    [
        "wordprocessingml",
        "presentationml",
        "msword",
        "ms-word",
        "ms-powerpoint",
    ]
    .iter()
    .any(|name| essence.contains(name))
}

/// Whether a compound file holds an encrypted package; otherwise it is of an older format.
fn names_encrypted_package(bytes: &[u8]) -> bool {
    let name: Vec<u8> = "EncryptedPackage"
        .bytes()
        .flat_map(|byte| [byte, 0])
        .collect();
    limits::find(bytes, &name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_tells_pages_from_files_and_the_bytes_tell_the_kind() {
        let docx = FileKind::Docx.media_type();
        assert_eq!(container(Some("text/html"), b"%PDF-1.7"), None);
        assert_eq!(container(Some("image/svg+xml"), b"PK\x03\x04"), None);
        assert_eq!(
            container(Some("text/plain"), b"%PDF-1.7"),
            Some(Container::Pdf)
        );
        assert_eq!(container(Some(docx), b"%PDF-1.7"), Some(Container::Pdf));
        assert_eq!(container(None, b"PK\x03\x04"), Some(Container::Package));
        assert_eq!(
            container(Some("application/pdf"), b"\n\n%PDF-1.7"),
            Some(Container::Pdf)
        );
        assert_eq!(container(Some("application/pdf"), b"<!doctype html>"), None);
        assert_eq!(container(Some("application/msword"), COMPOUND_FILE), None);
        let mut encrypted = COMPOUND_FILE.to_vec();
        encrypted.extend("EncryptedPackage".bytes().flat_map(|byte| [byte, 0]));
        assert_eq!(
            container(Some(docx), &encrypted),
            Some(Container::Encrypted)
        );
    }

    #[test]
    fn an_archive_counts_as_a_document_by_its_type_until_it_is_read() {
        assert!(is_file(Some(FileKind::Pptx.media_type()), b"PK\x03\x04"));
        assert!(!is_file(Some("application/zip"), b"PK\x03\x04"));
        assert!(is_file(None, b"%PDF-1.4"));
    }
}
