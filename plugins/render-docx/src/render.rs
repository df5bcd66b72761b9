//! The file as a whole.

use std::fmt;

use gtm_document_model::Document;
use gtm_document_model::document::Direction;
use gtm_document_model::theme::{Mode, Theme};
use gtm_ooxml::package::relation;
use gtm_ooxml::template::TemplateError;
use gtm_ooxml::{Package, PackageError, Xml, letters, properties, theme};

use crate::body::{Assets, Body};
use crate::contents;
use crate::design::{Cover, Design};
use crate::diagnostics::{Code, Diagnostic};
use crate::parts::furniture::{CLASSIFICATION, Furniture};
use crate::parts::{self, notes, settings, styles};

const DOCUMENT: &str =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
const STYLES: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml";
const NUMBERING: &str =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml";
const SETTINGS: &str =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.settings+xml";
const FONT_TABLE: &str =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.fontTable+xml";
const STYLES_RELATION: &str =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles";
const NUMBERING_RELATION: &str =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering";
const SETTINGS_RELATION: &str =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/settings";
const FOOTNOTES_RELATION: &str =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes";
const FONT_TABLE_RELATION: &str =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/fontTable";

/// How close things may stand to fit one page.
const DENSITIES: [u32; 4] = [100, 78, 60, 45];

/// And how close a longer text may stand so that its end needs no page of its own.
const TIGHTER: [u32; 3] = [88, 76, 66];
/// Part of the text's height on a page that only the end of a text takes.
const LITTLE: f64 = 0.28;

/// A file, the number of its pages by estimate, and what did not go as the document has it.
#[derive(Debug, Clone)]
pub struct Rendered {
    pub bytes: Vec<u8>,
    pub pages: usize,
    /// How much of its last page is filled, from 0 to 1, by estimate.
    pub last_page: f64,
    pub diagnostics: Vec<Diagnostic>,
}

/// Why there is no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenderError {
    /// It would be larger than an archive can be.
    Package(PackageError),
    /// The organization's template cannot be built on.
    Template(TemplateError),
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Package(error) => error.fmt(f),
            Self::Template(error) => error.fmt(f),
        }
    }
}
impl std::error::Error for RenderError {}

impl From<PackageError> for RenderError {
    fn from(error: PackageError) -> Self {
        Self::Package(error)
    }
}

impl From<TemplateError> for RenderError {
    fn from(error: TemplateError) -> Self {
        Self::Template(error)
    }
}

/// Renders the document in the look of its theme.
///
/// # Errors
/// Where the package would be larger than an archive can be.
pub fn in_own_look(
    document: &Document,
    assets: &dyn Assets,
    manifest: Option<&[u8]>,
) -> Result<Rendered, PackageError> {
    let mut design = Design::of(document);
    if design.cover != Cover::Band {
        return text(document, assets, manifest, design);
    }
    // What is to fit one page stands as close as that takes.
    let mut last = None;
    for density in DENSITIES {
        design.density = density;
        let rendered = render_with(document, assets, manifest, &design)?;
        if rendered.pages == 1 {
            return Ok(rendered);
        }
        last = last.or(Some(rendered));
    }
    let mut rendered = match last {
        Some(rendered) => rendered,
        None => render_with(document, assets, manifest, &design)?,
    };
    if rendered.diagnostics.len() < 200 {
        rendered.diagnostics.push(Diagnostic {
            code: Code::Overflow,
            pointer: "/sections".to_owned(),
            message: format!("The text takes {} pages, even set closely.", rendered.pages),
        });
    }
    Ok(rendered)
}

/// A longer text. What would leave its last page almost empty is set onto the page before, if a little closeness does it.
fn text(
    document: &Document,
    assets: &dyn Assets,
    manifest: Option<&[u8]>,
    mut design: Design,
) -> Result<Rendered, PackageError> {
    let usual = render_with(document, assets, manifest, &design)?;
    if usual.pages < 2 || usual.last_page > LITTLE {
        return Ok(usual);
    }
    for density in TIGHTER {
        design.density = density;
        let rendered = render_with(document, assets, manifest, &design)?;
        if rendered.pages < usual.pages {
            return Ok(rendered);
        }
    }
    Ok(usual)
}

/// Renders the document in a design.
///
/// # Errors
/// Where the package would be larger than an archive can be.
pub fn render_with(
    document: &Document,
    assets: &dyn Assets,
    manifest: Option<&[u8]>,
    design: &Design,
) -> Result<Rendered, PackageError> {
    let (signed, signature) = letters::signed(document);
    let document = signed.as_ref();
    let mut package = Package::new();
    let part = package.begin("/word/document.xml", DOCUMENT)?;
    package.relate_root(relation::OFFICE_DOCUMENT, part);
    let is_rtl = document.meta.direction == Direction::Rtl;

    let mut body = Body::new(document, design, package, part, assets);
    body.signature = signature.and_then(|place| {
        let section = document.sections.get(place.section)?;
        section.blocks.get(place.block)
    });
    let logo = match &document.theme.logo {
        Some(logo) => match body.asset(&logo.asset)? {
            Ok(found) => Some(found),
            Err(reason) => {
                let message = format!("The logo cannot be shown: {reason}.");
                body.diagnostics
                    .add(Code::ImageUnusable, "/theme/logo", message);
                None
            }
        },
        None => None,
    };
    // The logo stands in the header where its ground is the page's.
    let mark = document.theme.logo.as_ref().and_then(|logo| logo.r#for);
    let header_logo = logo.filter(|_| mark.is_none_or(|mode| mode == document.theme.mode));
    body.cover(logo, header_logo.is_some());
    if design.has_cover_page() {
        body.end_cover();
    }
    let cover = body.take();
    let words = body.words;
    let furniture = Furniture::add(
        &mut body.package,
        part,
        document,
        design,
        words,
        header_logo,
        1,
    )?;
    body.furniture = furniture;
    body.breaks_page = design.has_contents;
    body.sections()?;
    body.end_wide_section();
    let text = body.take();
    body.last_section();
    let section = body.take();
    let body_pages = body.page();
    let last_page = body.filled();
    let Body {
        mut package,
        mut diagnostics,
        notes,
        lists,
        entries,
        ..
    } = body;
    let chosen = contents::chosen(&entries);
    let has_contents = design.has_contents && !chosen.is_empty();
    let contents_pages = if has_contents {
        contents::pages(chosen.len(), f64::from(design.height()))
    } else {
        0
    };
    let pages = body_pages + contents_pages;

    let mut xml = Xml::document();
    xml.open(
        "w:document",
        &[
            ("xmlns:w", &parts::W),
            ("xmlns:r", &parts::R),
            ("xmlns:wp", &parts::WP),
            ("xmlns:a", &parts::A),
        ],
    );
    if document.theme.mode == Mode::Dark {
        let color = theme::hex(document.theme.colors.background);
        xml.empty(
            "w:background",
            &[("w:color", &color), ("w:themeColor", &"background1")],
        );
    }
    xml.open("w:body", &[]).append(cover);
    if has_contents {
        contents::write(&mut xml, &chosen, words.contents, contents_pages, is_rtl);
    }
    xml.append(text).append(section);
    package.fill(part, xml.finish());

    let theme_part = theme::write(
        &chart_theme(document),
        theme_name(document),
        &document.meta.language,
    );
    let theme_part = package.add("/word/theme/theme1.xml", theme::CONTENT_TYPE, theme_part)?;
    package.relate(part, relation::THEME, theme_part);
    let others = [
        (
            "/word/styles.xml",
            STYLES,
            STYLES_RELATION,
            styles::write(document, design),
        ),
        (
            "/word/numbering.xml",
            NUMBERING,
            NUMBERING_RELATION,
            lists.write(&document.theme),
        ),
        (
            "/word/settings.xml",
            SETTINGS,
            SETTINGS_RELATION,
            settings::write(&document.meta, document.theme.mode == Mode::Dark),
        ),
        (
            "/word/fontTable.xml",
            FONT_TABLE,
            FONT_TABLE_RELATION,
            settings::font_table(&document.theme),
        ),
    ];
    for (name, content_type, relation, content) in others {
        let added = package.add(name, content_type, content)?;
        package.relate(part, relation, added);
    }
    let footnotes = package.begin("/word/footnotes.xml", notes::CONTENT_TYPE)?;
    package.relate(part, FOOTNOTES_RELATION, footnotes);
    let content = notes.write(&mut package, footnotes, &document.meta.language, is_rtl);
    package.fill(footnotes, content);

    let custom = document
        .meta
        .classification
        .as_deref()
        .map(|words| (CLASSIFICATION, words));
    properties::add(&mut package, &document.meta, custom.as_slice())?;
    if let Some(manifest) = manifest
        && !properties::add_evidence(&mut package, part, manifest)?
    {
        diagnostics.add(
            Code::EvidenceUnusable,
            "",
            "The evidence manifest is not UTF-8.",
        );
    }
    Ok(Rendered {
        bytes: package.write()?,
        pages,
        last_page,
        diagnostics: diagnostics.into_list(),
    })
}

/// The theme with its page in the slot `lt1`: Word and others take the text of a document for the darker slot,
/// whatever its colour.
#[must_use]
pub fn chart_theme(document: &Document) -> Theme {
    Theme {
        mode: Mode::Light,
        ..document.theme.clone()
    }
}

fn theme_name(document: &Document) -> &str {
    document.meta.organization.as_deref().unwrap_or("Document")
}
