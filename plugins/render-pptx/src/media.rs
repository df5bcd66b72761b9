//! Pictures of the document as parts of the package: each one once, however often it is shown.

use std::collections::BTreeMap;

use gtm_ooxml::package::{Package, PackageError, PartId};
use gtm_ooxml::picture::{Picture, svg};

/// Gives the bytes of an asset.
pub type ReadAsset<'a> = &'a dyn Fn(&str) -> Option<Vec<u8>>;

/// A picture in the package.
#[derive(Debug, Clone, Copy)]
pub struct Medium {
    pub part: PartId,
    pub picture: Picture,
}

/// All pictures so far, and why others cannot be shown.
pub struct Media<'a> {
    read: ReadAsset<'a>,
    known: BTreeMap<String, Result<Medium, &'static str>>,
}

impl<'a> Media<'a> {
    pub fn new(read: ReadAsset<'a>) -> Self {
        Self {
            read,
            known: BTreeMap::new(),
        }
    }

    /// The picture of this name, or why it cannot be shown.
    pub fn get(
        &mut self,
        package: &mut Package,
        name: &str,
    ) -> Result<Result<Medium, &'static str>, PackageError> {
        if let Some(known) = self.known.get(name) {
            return Ok(*known);
        }
        let found = self.add(package, name)?;
        self.known.insert(name.to_owned(), found);
        Ok(found)
    }

    fn add(
        &self,
        package: &mut Package,
        name: &str,
    ) -> Result<Result<Medium, &'static str>, PackageError> {
        let Some(bytes) = (self.read)(name) else {
            return Ok(Err("it is missing"));
        };
        let bytes = if svg::is_svg(&bytes) {
            match svg::to_png(&bytes) {
                Ok(png) => png,
                Err(error) => return Ok(Err(error.reason())),
            }
        } else {
            bytes
        };
        let picture = match Picture::read(&bytes) {
            Ok(picture) => picture,
            Err(error) => return Ok(Err(error.reason())),
        };
        let number = self.known.values().filter(|known| known.is_ok()).count() + 1;
        let format = picture.format;
        let part_name = format!("/ppt/media/image{number}.{}", format.extension());
        let part = package.add(&part_name, format.content_type(), bytes)?;
        Ok(Ok(Medium { part, picture }))
    }
}
