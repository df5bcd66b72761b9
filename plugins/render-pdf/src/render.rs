//! The file as a whole.

use std::collections::BTreeMap;

use gtm_document_model::Document;
use gtm_document_model::document::DocumentType;
use gtm_typeset_input::{Assets, Code, Diagnostic, Diagnostics, Input};
use serde_json::{Value, json};
use typst_layout::PagedDocument;

use crate::fonts::Fonts;
use crate::glyphs::Drawable;
use crate::typeset::{self, Refusal};

/// How close things may stand to fit one page.
const DENSITIES: [f64; 5] = [1.0, 0.9, 0.8, 0.7, 0.62];
/// Characters that could not be drawn are looked for so often.
const TRIES: usize = 4;
const MANIFEST: &str = "/evidence-manifest.json";

/// A file, the number of its pages, and what did not go as the document has it.
#[derive(Debug, Clone)]
pub struct Rendered {
    pub bytes: Vec<u8>,
    pub pages: usize,
    pub diagnostics: Vec<Diagnostic>,
}

/// Renders the document with the operator's fonts, by the names of their assets.
///
/// # Errors
/// What the typesetter refuses; that is a fault of this component.
pub fn render(
    document: &Document,
    assets: &dyn Assets,
    given_fonts: Vec<(String, Vec<u8>)>,
    manifest: Option<&[u8]>,
) -> Result<Rendered, Refusal> {
    let mut diagnostics = Diagnostics::default();
    let fonts = Fonts::with(given_fonts, &mut diagnostics);
    let theme = &document.theme.fonts;
    for (font, place) in [(&theme.heading, "heading"), (&theme.body, "body")] {
        fonts.report(font, place, &mut diagnostics);
    }
    let mut input = gtm_typeset_input::of(document, assets, &mut diagnostics);
    add_setting(&mut input, document, &fonts, manifest);
    let mut setter = Setter {
        document,
        fonts: &fonts,
        input,
        drawable: Drawable::default(),
    };
    let (bytes, pages) = match setter.file() {
        Ok(file) => file,
        Err(refusal) if setter.drop_pictures() => {
            let message = format!("The pictures cannot be in an archive: {}.", refusal.0);
            diagnostics.add(Code::ImageUnusable, "/sections", message);
            setter.file()?
        }
        Err(refusal) => return Err(refusal),
    };
    setter.drawable.report(document, &fonts, &mut diagnostics);
    report_overflow(document, &pages, &mut diagnostics);
    Ok(Rendered {
        bytes,
        pages: pages.pages().len(),
        diagnostics: diagnostics.into_list(),
    })
}

/// Adds what the template needs besides the document.
fn add_setting(input: &mut Input, document: &Document, fonts: &Fonts, manifest: Option<&[u8]>) {
    let language = document.meta.language.as_str();
    let (primary, region) = tags(language);
    let theme = &document.theme.fonts;
    input.data["language"] = json!(primary);
    input.data["region"] = json!(region);
    input.data["fonts"] = json!({
        "heading": fonts.stack(&theme.heading, language), "body": fonts.stack(&theme.body, language),
    });
    if let Some(bytes) = manifest {
        input.files.insert(MANIFEST.to_owned(), bytes.to_vec());
        input.data["manifest"] = json!(MANIFEST);
    }
}

/// Language and region, as the typesetter takes them: two or three letters, and two.
fn tags(language: &str) -> (String, Option<String>) {
    let lower = language.to_ascii_lowercase();
    let mut parts = lower.split('-');
    let primary = parts.next().filter(|part| matches!(part.len(), 2 | 3));
    let is_letters =
        |part: &&str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_lowercase());
    (
        primary.unwrap_or("en").to_owned(),
        parts.find(is_letters).map(str::to_owned),
    )
}

/// Sets a document until it can be a file.
struct Setter<'a> {
    document: &'a Document,
    fonts: &'a Fonts,
    input: Input,
    drawable: Drawable,
}

impl Setter<'_> {
    fn file(&mut self) -> Result<(Vec<u8>, PagedDocument), Refusal> {
        let pages = self.pages()?;
        let mut parts = self
            .document
            .meta
            .date
            .split('-')
            .map(|part| part.parse().unwrap_or(1));
        let created = std::array::from_fn(|_| parts.next().unwrap_or(1));
        let bytes = typeset::file(&pages, created)?;
        Ok((bytes, pages))
    }

    /// The pages. What is to fit one page stands as close as that takes.
    fn pages(&mut self) -> Result<PagedDocument, Refusal> {
        if self.document.meta.document_type != DocumentType::OnePager {
            return self.drawn(1.0);
        }
        for density in DENSITIES {
            let pages = self.drawn(density)?;
            if pages.pages().len() == 1 {
                return Ok(pages);
            }
        }
        self.drawn(1.0)
    }

    /// The pages without characters that could not be drawn.
    fn drawn(&mut self, density: f64) -> Result<PagedDocument, Refusal> {
        for _ in 1..TRIES {
            let pages = self.set(density)?;
            if !self.drawable.refuse_missing(&pages) {
                return Ok(pages);
            }
        }
        self.set(density)
    }

    fn set(&self, density: f64) -> Result<PagedDocument, Refusal> {
        let mut data = self.input.data.clone();
        data["density"] = json!(density);
        self.drawable.replace(&mut data, self.fonts);
        let mut files: BTreeMap<String, Vec<u8>> = self.input.files.clone();
        files.insert("/input.json".to_owned(), data.to_string().into_bytes());
        typeset::pages(&files, &self.fonts.all)
    }

    /// Leaves out all pictures. Says whether there were any.
    fn drop_pictures(&mut self) -> bool {
        let pictures = self.input.data["pictures"].as_object_mut();
        let mut had = false;
        for picture in pictures.into_iter().flat_map(|known| known.values_mut()) {
            had |= !picture.is_null();
            *picture = Value::Null;
        }
        had
    }
}

/// Slides that go on on a further page, and a single page that isn't one.
fn report_overflow(document: &Document, pages: &PagedDocument, diagnostics: &mut Diagnostics) {
    let count = pages.pages().len();
    match document.meta.document_type {
        DocumentType::OnePager if count > 1 => {
            let message = format!("The text takes {count} pages, even set closely.");
            diagnostics.add(Code::Overflow, "/sections", message);
        }
        DocumentType::Deck => {
            let starts = typeset::section_pages(pages);
            for (index, start) in starts.iter().enumerate() {
                let next = starts.get(index + 1).copied().unwrap_or(count + 1);
                if next > start + 1 {
                    let message = format!("The slide takes {} pages.", next - start);
                    diagnostics.add(Code::Overflow, &format!("/sections/{index}"), message);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_as_the_typesetter_takes_them() {
        assert_eq!(tags("zh-Hant-TW"), ("zh".to_owned(), Some("tw".to_owned())));
        assert_eq!(tags("en-001"), ("en".to_owned(), None));
        assert_eq!(tags("x-private"), ("en".to_owned(), None));
    }
}
