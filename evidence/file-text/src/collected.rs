//! The blocks that a reader has found so far.

use gtm_page_text::{Block, BlockKind, Region, normalize};

use crate::limits::{MAX_BLOCKS, MAX_TEXT_BYTES};

/// One block of a file's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    pub block: Block,
    /// Number of the page or slide, from 1; none in a DOCX.
    pub page: Option<u32>,
}

/// Longest title, in bytes, that is one.
const MAX_TITLE_BYTES: usize = 500;

/// A title in a file's properties, in normal form. `None` if it is a file's name that a program put there.
pub(crate) fn title(raw: &str) -> Option<String> {
    let title = normalize(raw);
    let lower = title.to_lowercase();
    let is_name = lower.starts_with("microsoft ")
        || lower.starts_with("untitled")
        || matches!(lower.as_str(), "word document" | "powerpoint presentation")
        || [".doc", ".docx", ".ppt", ".pptx", ".pdf", ".indd", ".tex"]
            .iter()
            .any(|ending| lower.ends_with(ending));
    (!title.is_empty() && title.len() <= MAX_TITLE_BYTES && !is_name).then_some(title)
}

/// Blocks up to the bounds.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    pub(crate) passages: Vec<Passage>,
    bytes: usize,
    /// Whether something no longer fitted.
    pub(crate) cut: bool,
    /// How many texts nobody sees who looks at the file, and which are left out for that: hidden, struck, deleted, beside the
    /// page or in the colour of what they stand on, and comments.
    pub(crate) hidden: usize,
}

impl Collected {
    /// Adds a block, unless it has nothing visible or no longer fits.
    pub(crate) fn push(
        &mut self,
        kind: BlockKind,
        level: Option<u8>,
        raw: &str,
        page: Option<u32>,
    ) {
        self.push_in(Region::Main, kind, level, raw, page);
    }

    /// The same for a block of any part of the page.
    pub(crate) fn push_in(
        &mut self,
        region: Region,
        kind: BlockKind,
        level: Option<u8>,
        raw: &str,
        page: Option<u32>,
    ) {
        if self.cut {
            return;
        }
        let text = normalize(raw);
        if text.is_empty() {
            return;
        }
        if self.passages.len() >= MAX_BLOCKS || self.bytes + text.len() > MAX_TEXT_BYTES {
            self.cut = true;
            return;
        }
        self.bytes += text.len();
        self.passages.push(Passage {
            block: Block {
                kind,
                level: level.map(|level| level.clamp(1, 6)),
                text,
                region,
                link_chars: 0,
                title: false,
                form: false,
            },
            page,
        });
    }
}
