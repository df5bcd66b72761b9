//! HTML: a scanner that tracks the open elements, and the blocks of visible text.
//!
//! [`scan`] is public so that the `web-fetch` connector can use it for links, metadata and styles; both then
//! agree on what is hidden and what is navigation.

mod blocks;
mod cards;
mod chips;
mod declared;
mod elements;
mod gaps;
mod head;
mod hiding;
mod icons;
mod leads;
mod lines;
mod quoted;
mod references;
mod roles;
mod scan;

pub(crate) use blocks::blocks;
pub use elements::is_heading_element;
pub use head::{PageHead, language_of, resolve};
pub use hiding::{Hiding, Sheets};
pub use scan::{Element, Place, Visitor, scan};

use crate::Block;
use blocks::Builder;
use declared::Declared;

/// Reads, in one pass, the blocks of visible text and the page's other declarations.
pub(crate) fn read(html: &str) -> (Vec<Block>, Vec<String>) {
    let mut both = Both::default();
    scan(html, &mut both);
    (both.blocks.finish(), both.declared.found)
}

/// The same of a document that people wrote, without what its styles hide; and how many texts these are. Of a page with scripts,
/// which open much that a sheet hides, all is read.
pub(crate) fn read_document(html: &str) -> (Vec<Block>, Vec<String>, usize) {
    let mut sheets = Sheets::default();
    scan(html, &mut sheets);
    if sheets.runs_scripts() {
        let (blocks, declared) = read(html);
        return (blocks, declared, 0);
    }
    let mut document = Shown {
        hiding: Hiding::by(&sheets),
        both: Both::default(),
    };
    scan(html, &mut document);
    let Both { blocks, declared } = document.both;
    (blocks.finish(), declared.found, document.hiding.hidden())
}

/// What is shown of a document.
struct Shown {
    hiding: Hiding,
    both: Both,
}

impl Visitor for Shown {
    fn start(&mut self, element: &Element<'_>, place: &Place) {
        let mut place = *place;
        let is_hidden = self.hiding.start(element);
        place.hidden |= is_hidden;
        place.concealed |= is_hidden;
        self.both.start(element, &place);
    }

    fn end(&mut self, name: &str, place: &Place) {
        self.hiding.end();
        self.both.end(name, place);
    }

    fn text(&mut self, text: &str, place: &Place) {
        let mut place = *place;
        // Code and drawings are no text that was hidden.
        let is_text = !place.hidden || self.hiding.is_left_out();
        place.hidden |= is_text && self.hiding.hides(text);
        self.both.text(text, &place);
    }
}

#[derive(Default)]
struct Both {
    blocks: Builder,
    declared: Declared,
}

impl Visitor for Both {
    fn start(&mut self, element: &Element<'_>, place: &Place) {
        self.blocks.start(element, place);
        self.declared.start(element, place);
    }

    fn end(&mut self, name: &str, place: &Place) {
        self.blocks.end(name, place);
        self.declared.end(name, place);
    }

    fn text(&mut self, text: &str, place: &Place) {
        self.blocks.text(text, place);
        self.declared.text(text, place);
    }
}
