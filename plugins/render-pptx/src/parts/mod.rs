//! The parts of a presentation besides its slides: master, layouts, notes master, styles of tables, and the
//! presentation itself.

mod master;
mod notes;
mod presentation;
mod table_style;

pub use master::{add_master, footer as footer_text, written_date};
pub use notes::add_notes;
pub use presentation::{Presentation, begin, finish};
pub use table_style::TABLE_STYLE;

/// Content types and relationships of a presentation.
mod kinds {
    macro_rules! kinds {
        ($($name:ident = $type:literal, $relation_name:ident = $relation:literal;)*) => {
            $(
                pub const $name: &str =
                    concat!("application/vnd.openxmlformats-officedocument.presentationml.", $type, "+xml");
                pub const $relation_name: &str =
                    concat!("http://schemas.openxmlformats.org/officeDocument/2006/relationships/", $relation);
            )*
        };
    }
    kinds! {
        MASTER = "slideMaster", TO_MASTER = "slideMaster";
        LAYOUT = "slideLayout", TO_LAYOUT = "slideLayout";
        SLIDE = "slide", TO_SLIDE = "slide";
        NOTES_MASTER = "notesMaster", TO_NOTES_MASTER = "notesMaster";
        NOTES = "notesSlide", TO_NOTES = "notesSlide";
        PRESENTATION_PROPERTIES = "presProps", TO_PRESENTATION_PROPERTIES = "presProps";
        VIEW_PROPERTIES = "viewProps", TO_VIEW_PROPERTIES = "viewProps";
        TABLE_STYLES = "tableStyles", TO_TABLE_STYLES = "tableStyles";
    }
    pub const PRESENTATION: &str =
        "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml";
}

pub use kinds::{SLIDE, TO_LAYOUT};
