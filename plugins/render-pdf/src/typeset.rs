//! The typesetter: a world of virtual files, from which it makes pages, and from pages a file.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use gtm_ooxml::picture::Format;
use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::foundations::{Bytes, Datetime, Duration, Label, Selector, Smart};
use typst::introspection::Introspector as _;
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::{LazyHash, PicoStr};
use typst::visualize::{ExchangeFormat, RasterImage};
use typst::{Feature, Library, LibraryExt as _, World};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards, Timestamp};

macro_rules! template {
    ($($name:literal),* $(,)?) => {
        &[$((concat!("/template/", $name), include_str!(concat!("../template/", $name)))),*]
    };
}

const TEMPLATE: &[(&str, &str)] = template![
    "main.typ",
    "design.typ",
    "text.typ",
    "tables.typ",
    "boxes.typ",
    "charts.typ",
    "blocks.typ",
    "covers.typ",
    "pages.typ",
    "slides.typ",
];
const MAIN: &str = "/template/main.typ";

static LIBRARY: LazyLock<LazyHash<Library>> = LazyLock::new(|| {
    let features = [Feature::A11yExtras].into_iter().collect();
    LazyHash::new(Library::builder().with_features(features).build())
});

/// What the typesetter sees: the template, the document's data and pictures, and fonts. No packages, no clock.
struct Files {
    book: LazyHash<FontBook>,
    fonts: Vec<Font>,
    main: FileId,
    sources: HashMap<FileId, Source>,
    files: HashMap<FileId, Bytes>,
}

impl World for Files {
    fn library(&self) -> &LazyHash<Library> {
        &LIBRARY
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &self.book
    }

    fn main(&self) -> FileId {
        self.main
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        self.sources
            .get(&id)
            .cloned()
            .ok_or(FileError::AccessDenied)
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        self.files.get(&id).cloned().ok_or(FileError::AccessDenied)
    }

    fn font(&self, index: usize) -> Option<Font> {
        self.fonts.get(index).cloned()
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}

/// Why there are no pages or no file, in the typesetter's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(pub String);

impl Refusal {
    fn of(found: &[SourceDiagnostic]) -> Self {
        let told: Vec<&str> = found
            .iter()
            .take(3)
            .map(|one| one.message.as_str())
            .collect();
        Self(told.join("; "))
    }

    fn new(told: impl Into<String>) -> Self {
        Self(told.into())
    }
}

/// Sets the pages of a document.
///
/// # Errors
/// What the typesetter says, which is a fault of the template or of a picture.
pub fn pages(files: &BTreeMap<String, Vec<u8>>, fonts: &[Font]) -> Result<PagedDocument, Refusal> {
    let world = Files {
        book: LazyHash::new(FontBook::from_fonts(fonts)),
        fonts: fonts.to_vec(),
        main: id(MAIN)?,
        sources: (TEMPLATE.iter())
            .map(|(path, text)| {
                let id = id(path)?;
                Ok((id, Source::new(id, (*text).to_owned())))
            })
            .collect::<Result<_, Refusal>>()?,
        files: (files.iter())
            .map(|(path, bytes)| Ok((id(path)?, Bytes::new(bytes.clone()))))
            .collect::<Result<_, Refusal>>()?,
    };
    // What was remembered of earlier tries is in nobody's way but the memory's.
    typst::comemo::evict(0);
    typst::compile::<PagedDocument>(&world)
        .output
        .map_err(|found| Refusal::of(&found))
}

fn id(path: &str) -> Result<FileId, Refusal> {
    let path = VirtualPath::new(path).map_err(|_| Refusal::new(format!("{path} is no path")))?;
    Ok(RootedPath::new(VirtualRoot::Project, path).intern())
}

/// The file: PDF/A-3a, because the evidence manifest is attached, and PDF/UA-1.
///
/// # Errors
/// What of the pages these standards do not allow.
pub fn file(pages: &PagedDocument, created: Option<[i32; 3]>) -> Result<Vec<u8>, Refusal> {
    let standards = PdfStandards::new(&[PdfStandard::A_3a, PdfStandard::Ua_1])
        .map_err(|found| Refusal::new(found.message().as_str()))?;
    let date = created.and_then(|[year, month, day]| {
        let (month, day) = (u8::try_from(month).ok()?, u8::try_from(day).ok()?);
        Datetime::from_ymd_hms(year, month, day, 0, 0, 0)
    });
    let options = PdfOptions {
        creator: Smart::Custom(Some("gtm".to_owned())),
        timestamp: date.map(Timestamp::new_utc),
        standards,
        ..PdfOptions::default()
    };
    typst_pdf::pdf(pages, &options).map_err(|found| Refusal::of(&found))
}

/// On which page each section begins, from 1.
pub fn section_pages(pages: &PagedDocument) -> Vec<usize> {
    let Some(label) = Label::new(PicoStr::intern("section")) else {
        return Vec::new();
    };
    let introspector = pages.introspector();
    (introspector.query(&Selector::Label(label)).iter())
        .filter_map(|mark| introspector.page(mark.location()?))
        .map(std::num::NonZeroUsize::get)
        .collect()
}

/// On which page the text ends, from 1, and how far down, as a part of the page's height.
pub fn end(pages: &PagedDocument) -> Option<(usize, f64)> {
    let label = Label::new(PicoStr::intern("end"))?;
    let introspector = pages.introspector();
    let mark = introspector
        .query(&Selector::Label(label))
        .into_iter()
        .next()?;
    let at = introspector.position(mark.location()?)?;
    let page = at.page.get();
    let height = pages.pages().get(page - 1)?.frame.height();
    Some((page, at.point.y / height))
}

/// Whether the picture can be decoded.
pub fn decodes(bytes: &[u8], format: Format) -> bool {
    let format = match format {
        Format::Png => ExchangeFormat::Png,
        Format::Jpeg => ExchangeFormat::Jpg,
    };
    RasterImage::plain(Bytes::new(bytes.to_vec()), format).is_ok()
}
