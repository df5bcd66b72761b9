//! Lists.

use gtm_document_model::block::{Bullets, Item};

use super::{Body, Paragraph};
use crate::parts::numbering::BULLETS;
use crate::parts::styles::id;

/// Items of a list that go to the next page with what follows them.
const MOST_HELD: usize = 6;

impl<'d> Body<'d> {
    /// A list; `leads` to what it must not be parted from, such as the call to action below it.
    pub(super) fn bullets(&mut self, bullets: &'d Bullets, leads: bool) {
        let number = if bullets.ordered {
            self.lists.ordered(false)
        } else {
            BULLETS
        };
        let is_whole = leads && bullets.items.len() <= MOST_HELD;
        self.items(&bullets.items, (0, is_whole), number);
        self.flow.add(4.0);
    }

    fn items(&mut self, items: &'d [Item], (level, is_whole): (usize, bool), number: u32) {
        for (index, item) in items.iter().enumerate() {
            let texts = item.runs.iter().map(|run| run.text.as_str());
            // Each level is 15 pt deeper; there are three.
            let height = self.height(id::LIST, texts, 15.0 * (level + 1) as f64);
            self.flow.add(height);
            let is_last = level == 0 && index + 1 == items.len() && item.items.is_empty();
            let paragraph = Paragraph {
                list: Some((level.min(8), number)),
                // The first two and the last two items stay together.
                keep_next: is_whole || (index == 0 && items.len() > 1),
                space: is_last.then(|| (0, 12 * self.design.density / 100)),
                ..Paragraph::of(id::LIST)
            };
            self.paragraph(paragraph, |body| body.runs(&item.runs));
            self.items(&item.items, (level + 1, is_whole), number);
        }
    }
}
