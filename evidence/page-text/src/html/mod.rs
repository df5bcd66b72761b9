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
mod icons;
mod leads;
mod lines;
mod references;
mod scan;

pub(crate) use blocks::blocks;
pub use elements::is_heading_element;
pub use head::{PageHead, language_of, resolve};
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
