//! The one definition of "the text of a page".
//!
//! Lives here: turning fetched bytes into ordered blocks of visible text, and finding a quotation in that
//! text. The `web-fetch` connector reports pages with it and the host checks evidence with it, so both see
//! the same characters at the same offsets.
//!
//! Also lives here: what every reader of a page must do alike, namely resolve its links, read its structured
//! data ([`html::PageHead`]), read language tags, detect the language of a text, and tell hosts apart.
//!
//! Does not live here: what a page is *about* (title, links and metadata, which belong to `web-fetch`), any
//! I/O, and any judgement about evidence.
//!
//! DANGER: the bytes come from strangers. Every scanner here is a single pass with bounded depth and no
//! recursion, so time is linear in the input and no input can overflow the stack. For the same reason, HTML
//! goes through a tokenizer with a small stack of open elements instead of a full tree builder, whose worst
//! case is quadratic.
#![forbid(unsafe_code)]

mod charset;
mod excerpt;
mod host_name;
pub mod html;
mod joined;
mod json;
mod language_detection;
mod language_tag;
mod media;
mod normal;
mod plain;
mod xml;

pub use charset::{Decoded, decode};
pub use excerpt::{BETWEEN_QUOTATIONS, SearchText, find_excerpt};
pub use gtm_language_tag::{UNDETERMINED, is_language_range, primary_language, region_subtag};
pub use host_name::{bare_host, is_same_host, is_same_site};
pub use joined::is_joined;
pub use language_detection::{
    detect_language, is_in_another_language, is_rather_in, language_among, language_of_texts,
    other_language,
};
pub use language_tag::canonical_tag;
pub use media::{Media, classify};
pub use normal::normalize;

/// The role of a block of text on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// `h1` to `h6`; [`Block::level`] says which.
    Heading,
    /// Running text.
    Paragraph,
    /// An item of a list or of a definition list.
    ListItem,
    /// Text inside a `blockquote`.
    Quote,
    /// The cells of one table row, in order.
    TableRow,
    /// One line of preformatted text.
    Code,
    /// Text in no element that tells its role, and every scalar of a data document.
    Other,
}

impl BlockKind {
    /// The name in the `web.fetch` contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Heading => "heading",
            Self::Paragraph => "paragraph",
            Self::ListItem => "list_item",
            Self::Quote => "quote",
            Self::TableRow => "table_row",
            Self::Code => "code",
            Self::Other => "other",
        }
    }
}

/// The part of the page that contains a block, as far as the page's own markup tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Region {
    /// Inside `main`, `article` or an element with one of these roles.
    Main,
    /// Inside navigation, the page's header or footer, an aside, a dialog or a consent banner.
    Boilerplate,
    /// The markup does not tell.
    #[default]
    Neutral,
}

/// One block of visible text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub kind: BlockKind,
    /// 1 to 6 for headings.
    pub level: Option<u8>,
    /// The text in normal form (see [`normalize`]); never empty.
    pub text: String,
    /// The part of the page that contains it.
    pub region: Region,
    /// How many of its non-blank characters are in links.
    pub link_chars: usize,
    /// Whether it is the title of a card by its form, though no heading element.
    pub title: bool,
    /// Whether it is inside a form.
    pub form: bool,
}

impl Block {
    /// Makes a block from raw text; `None` if it contains nothing visible.
    fn new(kind: BlockKind, raw: &str) -> Option<Self> {
        let text = normalize(raw);
        (!text.is_empty()).then_some(Self {
            kind,
            level: None,
            text,
            region: Region::Neutral,
            link_chars: 0,
            title: false,
            form: false,
        })
    }
}

/// The text of a page as ordered blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageText {
    /// How the bytes were read.
    pub media: Media,
    /// WHATWG name of the character encoding, for example `UTF-8`; `None` for binary content.
    pub charset: Option<&'static str>,
    /// The blocks in document order; empty for binary content.
    pub blocks: Vec<Block>,
    /// What an HTML page declares about itself besides its visible text, in document order and normal form:
    /// title, descriptions, values of structured data, names of pictures. Empty for other media.
    pub declared: Vec<String>,
}

impl PageText {
    /// The page's text: the blocks joined by a line feed.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.blocks.iter().map(|b| b.text.len() + 1).sum());
        for (index, block) in self.blocks.iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            text.push_str(&block.text);
        }
        text
    }

    /// The text in which evidence is looked for: [`PageText::text`] followed by what the page declares,
    /// joined by line feeds. Offsets of visible text are the same in both.
    pub fn evidence_text(&self) -> String {
        let mut text = self.text();
        for declared in &self.declared {
            text.push('\n');
            text.push_str(declared);
        }
        text
    }
}

/// Extracts the visible text from a fetched body.
///
/// `content_type` is the value of the response header, parameters included. The result depends only on the
/// two arguments. Content that is not text (images, archives, PDF) has no blocks.
pub fn extract(content_type: Option<&str>, bytes: &[u8]) -> PageText {
    text_of(content_type, bytes, |html| {
        let (blocks, declared) = html::read(html);
        (blocks, declared, 0)
    })
    .0
}

/// The same of a document that somebody wrote and handed on, without what its styles hide: white text, say, or what a sheet of
/// its own does not display, unless a script may. The second member is how many texts these are. All text of it is in [`extract`] as well, so that it
/// can be cited.
pub fn extract_document(content_type: Option<&str>, bytes: &[u8]) -> (PageText, usize) {
    text_of(content_type, bytes, html::read_document)
}

fn text_of(
    content_type: Option<&str>,
    bytes: &[u8],
    read_html: impl Fn(&str) -> (Vec<Block>, Vec<String>, usize),
) -> (PageText, usize) {
    let media = classify(content_type, bytes);
    if media == Media::Binary {
        let text = PageText {
            media,
            charset: None,
            blocks: Vec::new(),
            declared: Vec::new(),
        };
        return (text, 0);
    }
    let decoded = decode(content_type, media, bytes);
    let (blocks, declared, hidden) = match media {
        Media::Html => read_html(&decoded.text),
        Media::Xml => (xml::blocks(&decoded.text), Vec::new(), 0),
        Media::Json => (json::blocks(&decoded.text), Vec::new(), 0),
        Media::Text | Media::Binary => (plain::blocks(&decoded.text), Vec::new(), 0),
    };
    let text = PageText {
        media,
        charset: Some(decoded.charset),
        blocks,
        declared,
    };
    (text, hidden)
}
