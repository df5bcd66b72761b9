//! The file as a whole.

use std::collections::BTreeMap;
use std::fmt;

use gtm_document_model::document::DocumentType;
use gtm_document_model::{Document, day};
use gtm_typeset_input::{Assets, Code, Diagnostic, Diagnostics, Input};
use serde_json::{Value, json};
use typst_layout::PagedDocument;

use crate::fonts::Fonts;
use crate::glyphs::Drawable;
use crate::typeset::{self, Refusal};

/// How close things may stand to fit one page.
const DENSITIES: [f64; 5] = [1.0, 0.9, 0.8, 0.7, 0.62];
/// And how close a longer text may stand so that its end needs no page of its own. Letters stay above nine points.
const TIGHTER: [f64; 4] = [0.95, 0.9, 0.85, 0.8];
/// Longest text that is drawn so again, in pages. A longer one takes its time with every drawing.
const MOST_PAGES: usize = 12;
/// Part of a page, its head included, that only the end of a text takes: a heading with a few lines or a button.
const LITTLE: f64 = 0.32;
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

/// Why there is no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenderError {
    /// No font has most of the document's letters.
    MissingGlyphs,
    /// What the typesetter refuses; that is a fault of this component.
    Refused(Refusal),
}

impl From<Refusal> for RenderError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingGlyphs => f.write_str("No font has most of the document's letters."),
            Self::Refused(refusal) => f.write_str(&refusal.0),
        }
    }
}

impl std::error::Error for RenderError {}

/// Renders the document with the operator's fonts, by the names of their assets.
///
/// # Errors
/// Why the document would be unreadable, or what the typesetter refuses.
pub fn render(
    document: &Document,
    assets: &dyn Assets,
    given_fonts: Vec<(String, Vec<u8>)>,
    manifest: Option<&[u8]>,
) -> Result<Rendered, RenderError> {
    let mut diagnostics = Diagnostics::default();
    let fonts = Fonts::with(given_fonts, &mut diagnostics);
    let theme = &document.theme.fonts;
    for (font, place) in [(&theme.heading, "heading"), (&theme.body, "body")] {
        fonts.report(font, place, &mut diagnostics);
    }
    // A file of boxes looks like a document, and somebody would send it.
    if Drawable::default().hides_most(document, &fonts) {
        return Err(RenderError::MissingGlyphs);
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
        Err(refusal) => return Err(refusal.into()),
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
    let theme = &document.theme.fonts;
    input.data["fonts"] = json!({
        "heading": fonts.stack(&theme.heading, language), "body": fonts.stack(&theme.body, language),
    });
    if let Some(bytes) = manifest {
        input.files.insert(MANIFEST.to_owned(), bytes.to_vec());
        input.data["manifest"] = json!(MANIFEST);
    }
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
        let created = day::year_month_day(&self.document.meta.date);
        let bytes = typeset::file(&pages, created)?;
        Ok((bytes, pages))
    }

    /// The pages. What is to fit one page stands as close as that takes.
    fn pages(&mut self) -> Result<PagedDocument, Refusal> {
        let meta = &self.document.meta;
        match meta.document_type {
            _ if meta.has_slides() => return self.drawn(1.0),
            _ if self.document.is_letter() => return self.text(),
            DocumentType::OnePager => {}
            _ => return self.text(),
        }
        for density in DENSITIES {
            let pages = self.drawn(density)?;
            if pages.pages().len() == 1 {
                return Ok(pages);
            }
        }
        self.drawn(1.0)
    }

    /// The pages of a longer text. What would leave its last page almost empty is drawn onto the page before. A drawing that
    /// ends no earlier than the one before it ends the search.
    fn text(&mut self) -> Result<PagedDocument, Refusal> {
        let usual = self.drawn(1.0)?;
        let most = usual.pages().len();
        if most > MOST_PAGES || !ends_on_an_empty_page(&usual) {
            return Ok(usual);
        }
        let mut end = typeset::end(&usual);
        for density in TIGHTER {
            let pages = self.drawn(density)?;
            if pages.pages().len() < most {
                return Ok(pages);
            }
            let nearer = typeset::end(&pages);
            if !comes_nearer(end, nearer) {
                break;
            }
            end = nearer;
        }
        Ok(usual)
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

/// Whether little stands on the last of several pages of text.
fn ends_on_an_empty_page(pages: &PagedDocument) -> bool {
    let Some((page, part)) = typeset::end(pages) else {
        return false;
    };
    let first = typeset::section_pages(pages).first().copied();
    first.is_some_and(|first| page > first) && part <= LITTLE
}

/// Whether a text ends earlier than it did, by the page and how far down.
fn comes_nearer(before: Option<(usize, f64)>, now: Option<(usize, f64)>) -> bool {
    before.zip(now).is_some_and(|(before, now)| now < before)
}

/// Slides that go on on a further page, and a single page that isn't one.
fn report_overflow(document: &Document, pages: &PagedDocument, diagnostics: &mut Diagnostics) {
    let count = pages.pages().len();
    match document.meta.document_type {
        DocumentType::OnePager if count > 1 => {
            let message = format!("The text takes {count} pages, even set closely.");
            diagnostics.add(Code::Overflow, "/sections", message);
        }
        _ if document.meta.has_slides() => {
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
