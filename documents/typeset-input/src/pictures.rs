//! The pictures that a document names: each is one that the typesetter can decode, or is left out.

use std::collections::BTreeMap;

use gtm_document_model::Document;
use gtm_document_model::block::Block;
use gtm_ooxml::picture::{Format, Picture, svg};
use serde_json::{Map, Value, json};

use crate::diagnostics::{Code, Diagnostics};

/// The files that the document names, and who can tell whether they can be shown.
pub trait Assets {
    /// An asset's bytes.
    fn read(&self, name: &str) -> Option<Vec<u8>>;

    /// Whether the typesetter can decode a picture.
    fn decodes(&self, bytes: &[u8], format: Format) -> bool;
}

/// Pixels that are unpacked, at four bytes each.
const MOST_PIXELS: u64 = 25_000_000;
/// Pixels of all pictures together: each stays in memory until the file is written.
const MOST_TOGETHER: u64 = 60_000_000;

/// Reads the pictures; the value has path and size of each by its asset's name.
pub fn read(
    document: &Document,
    assets: &dyn Assets,
    files: &mut BTreeMap<String, Vec<u8>>,
    diagnostics: &mut Diagnostics,
) -> Value {
    let mut reader = Reader {
        assets,
        files,
        diagnostics,
        known: Map::new(),
        left: MOST_TOGETHER,
    };
    if let Some(logo) = &document.theme.logo {
        reader.add(&logo.asset, "/theme/logo");
    }
    for (index, section) in document.sections.iter().enumerate() {
        reader.blocks(&section.blocks, &format!("/sections/{index}"));
    }
    Value::Object(reader.known)
}

struct Reader<'a> {
    assets: &'a dyn Assets,
    files: &'a mut BTreeMap<String, Vec<u8>>,
    diagnostics: &'a mut Diagnostics,
    known: Map<String, Value>,
    left: u64,
}

impl Reader<'_> {
    fn blocks(&mut self, blocks: &[Block], at: &str) {
        for (index, block) in blocks.iter().enumerate() {
            let at = format!("{at}/blocks/{index}");
            match block {
                Block::Image(image) => self.add(&image.asset, &at),
                Block::Columns(columns) => {
                    for (index, column) in columns.columns.iter().enumerate() {
                        self.blocks(&column.blocks, &format!("{at}/columns/{index}"));
                    }
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, name: &str, at: &str) {
        if self.known.get(name).is_some_and(|known| !known.is_null()) {
            return;
        }
        let found = self.usable(name);
        if let Err(reason) = &found {
            let message = format!("The picture {name} cannot be shown: {reason}.");
            self.diagnostics.add(Code::ImageUnusable, at, message);
        }
        self.known.insert(name.to_owned(), json!(found.ok()));
    }

    fn usable(&mut self, name: &str) -> Result<Value, String> {
        let bytes = self.assets.read(name).ok_or("there is no such file")?;
        let bytes = if svg::is_svg(&bytes) {
            svg::to_png(&bytes).map_err(|error| error.reason().to_owned())?
        } else {
            bytes
        };
        let picture = Picture::read(&bytes).map_err(|error| error.reason().to_owned())?;
        let pixels = u64::from(picture.width) * u64::from(picture.height);
        if pixels > MOST_PIXELS || pixels > self.left {
            return Err("it has too many pixels".to_owned());
        }
        let extension = match picture.format {
            Format::Png => "png",
            Format::Jpeg => "jpg",
        };
        if !self.assets.decodes(&bytes, picture.format) {
            return Err("the file is damaged".to_owned());
        }
        self.left -= pixels;
        let path = format!("/pictures/{}.{extension}", self.files.len());
        self.files.insert(path.clone(), bytes);
        Ok(json!({"path": path, "width": picture.width, "height": picture.height}))
    }
}
