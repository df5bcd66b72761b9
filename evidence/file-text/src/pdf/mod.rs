//! PDF: only what its text needs.
//!
//! The reader is our own because each step of it must have a bound: the readers that there are unpack object
//! streams and content as far as they go, or bring a whole renderer along (docs/decisions/0081).

mod cmap;
mod content;
mod encodings;
mod file;
mod filters;
mod font;
mod geometry;
mod layout;
mod lines;
mod object;
mod pages;
mod paint;
mod strings;

use gtm_page_text::normalize;

use crate::limits::{Budget, MAX_TEXT_BYTES};
use crate::{Collected, FileKind, FileText, Refusal, collected};
use content::Interpreter;
use file::File;

/// Reads a PDF.
pub(crate) fn read(bytes: &[u8], budget: &mut Budget) -> Result<FileText, Refusal> {
    let mut file = File::open(bytes, budget)?;
    let catalog = file.catalog()?.ok_or(Refusal::Unreadable)?;
    let (pages, mut cut) = pages::pages(&mut file, &catalog)?;
    if pages.is_empty() {
        return Err(Refusal::Unreadable);
    }
    let mut interpreter = Interpreter::default();
    let mut all = Vec::new();
    let mut text_bytes = 0usize;
    for (page, number) in pages.iter().zip(1u32..) {
        let content = pages::content(&mut file, page)?;
        let glyphs = interpreter.page(&mut file, &content, &page.resources, page.bounds)?;
        let lines = lines::lines(glyphs, number);
        text_bytes += lines.iter().map(|line| line.text.len()).sum::<usize>();
        all.extend(lines);
        if text_bytes > MAX_TEXT_BYTES {
            cut = true;
            break;
        }
    }
    let mut collected = Collected::default();
    layout::blocks(&all, pages.len(), &mut collected);
    let info = file.trailer.get(b"Info".as_slice()).cloned();
    let info = file.resolve(&info.unwrap_or(object::Object::Null))?;
    let title = match info.dict() {
        Some(info) => file.get(info, "Title")?,
        None => object::Object::Null,
    };
    let language = file.get(&catalog, "Lang")?;
    Ok(FileText {
        kind: FileKind::Pdf,
        title: title
            .text()
            .and_then(|title| collected::title(&strings::text(title))),
        language: language
            .text()
            .map(|language| normalize(&strings::text(language))),
        pages: u32::try_from(pages.len()).ok(),
        cut: cut || interpreter.cut || collected.cut,
        hidden: interpreter.hidden,
        passages: collected.passages,
    })
}
