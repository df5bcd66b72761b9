//! Office Open XML: the package, and the readers of its two kinds of documents.

mod archive;
mod document;
mod drawing;
mod grounds;
mod looks;
mod markup;
mod package;
mod presentation;
mod properties;
mod shapes;
mod styles;

use crate::limits::Budget;
use crate::{Collected, FileKind, FileText, Refusal};

use package::Package;

/// Reads an OPC package. `None` if it is another archive and was not declared as a document.
pub(crate) fn read(bytes: &[u8], declared: bool) -> Option<Result<FileText, Refusal>> {
    let mut package = match Package::open(bytes, Budget::default()) {
        Ok(package) => package,
        // Without its directory, nothing tells an archive from a document.
        Err(refusal) => return (declared || is_package(bytes)).then_some(Err(refusal)),
    };
    let Some((kind, main)) = package.main_part() else {
        return declared.then_some(Err(Refusal::Unreadable));
    };
    Some(text(&mut package, kind, &main))
}

/// Whether the bytes look like a document's package although its directory cannot be read: its first part is the
/// list of content types, or its parts are called as a document's are.
fn is_package(bytes: &[u8]) -> bool {
    let head = bytes.get(..4096).unwrap_or(bytes);
    ["[Content_Types].xml", "_rels/.rels", "word/", "ppt/"]
        .iter()
        .any(|name| crate::limits::find(head, name.as_bytes()).is_some())
}

fn text(package: &mut Package<'_>, kind: FileKind, main: &str) -> Result<FileText, Refusal> {
    let mut collected = Collected::default();
    let (pages, language) = match kind {
        FileKind::Pptx => presentation::read(package, main, &mut collected)?,
        FileKind::Docx | FileKind::Pdf => (None, document::read(package, main, &mut collected)?),
    };
    let properties = properties::read(package)?;
    Ok(FileText {
        kind,
        title: properties.title,
        language: language.or(properties.language),
        pages,
        cut: collected.cut,
        hidden: collected.hidden,
        passages: collected.passages,
    })
}
