//! What everything that is drawn must know, and what everything that is drawn adds to.

use std::collections::BTreeMap;

use gtm_document_model::Document;
use gtm_document_model::document::Direction;
use gtm_ooxml::package::{Package, PackageError, PartId};
use gtm_ooxml::theme::{Palette, Role, title_role};

use crate::citations::Citations;
use crate::diagnostics::Diagnostics;
use crate::geometry::{BODY_END, Emu};
use crate::labels::{self, Labels};
use crate::look::{self, Look};
use crate::media::Media;
use crate::text::{Measure, Writer};

/// What is known before the first slide.
pub struct Context<'d> {
    pub document: &'d Document,
    pub look: Look,
    pub labels: Labels,
    pub palette: Palette,
    pub measure: Measure,
    pub writer: Writer,
    pub citations: Citations<'d>,
    pub is_rtl: bool,
    /// Where the pieces of a slide end at the latest.
    pub body_end: Emu,
}

impl<'d> Context<'d> {
    pub fn new(document: &'d Document) -> Self {
        let meta = &document.meta;
        let theme = &document.theme;
        let is_rtl = meta.direction == Direction::Rtl;
        let palette = Palette::of(theme);
        let fonts = &theme.fonts;
        let mut look = look::of(meta.document_type);
        if theme.logo.is_some() {
            look.title_columns = 10;
        }
        if look.title_role == Role::Primary {
            look.title_role = title_role(theme);
        }
        Self {
            document,
            look,
            labels: labels::of(&meta.language),
            measure: Measure::new(fonts),
            writer: Writer::new(
                palette.clone(),
                &meta.language,
                is_rtl,
                &fonts.heading,
                &fonts.body,
            ),
            palette,
            citations: Citations::of(document),
            is_rtl,
            body_end: BODY_END,
        }
    }
}

/// What comes of it.
pub struct Output<'a> {
    pub package: Package,
    pub diagnostics: Diagnostics,
    pub media: Media<'a>,
    /// Charts so far.
    pub charts: usize,
    /// Slides so far, in their order.
    pub slides: Vec<PartId>,
    /// The parts of the layouts by their place among the layouts.
    pub layouts: BTreeMap<crate::layout::Layout, PartId>,
    pub notes_master: Option<PartId>,
}

/// Something that must not fail, because the code that made the parts gave them their names.
pub type Result<T> = std::result::Result<T, PackageError>;
