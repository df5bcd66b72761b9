//! Pictures and charts in a line of text.

use gtm_ooxml::package::relation;
use gtm_ooxml::picture::{Picture, PictureError, svg};
use gtm_ooxml::{PackageError, PartId, Xml};

use super::Body;

/// The files that the document names.
pub trait Assets {
    /// An asset's bytes.
    fn read(&self, name: &str) -> Option<Vec<u8>>;
}

/// A thing that is shown in a line.
#[derive(Debug, Clone, Copy)]
pub struct Graphic<'a> {
    /// Points.
    pub width: f64,
    pub height: f64,
    /// What it shows; nothing for one that only decorates.
    pub alt: Option<&'a str>,
    pub title: Option<&'a str>,
}

/// EMU in a point.
const EMU: f64 = 12_700.0;
const PICTURE: &str = "http://schemas.openxmlformats.org/drawingml/2006/picture";
const DECORATIVE: &str = "http://schemas.microsoft.com/office/drawing/2017/decorative";

/// Writes the run with the graphic around what `inside` writes.
pub fn inline(
    xml: &mut Xml,
    graphic: &Graphic<'_>,
    id: u32,
    uri: &'static str,
    inside: impl FnOnce(&mut Xml),
) {
    let (width, height) = extent(graphic);
    xml.open("w:r", &[]).open("w:drawing", &[]);
    xml.open(
        "wp:inline",
        &[("distT", &0), ("distB", &0), ("distL", &0), ("distR", &0)],
    );
    xml.empty("wp:extent", &[("cx", &width), ("cy", &height)]);
    xml.empty(
        "wp:effectExtent",
        &[("l", &0), ("t", &0), ("r", &0), ("b", &0)],
    );
    let name = format!("Graphic {id}");
    let alt = graphic.alt.unwrap_or_default();
    match graphic.title {
        Some(title) => xml.open(
            "wp:docPr",
            &[
                ("id", &id),
                ("name", &name),
                ("descr", &alt),
                ("title", &title),
            ],
        ),
        None => xml.open("wp:docPr", &[("id", &id), ("name", &name), ("descr", &alt)]),
    };
    if graphic.alt.is_none() {
        xml.open("a:extLst", &[]).open(
            "a:ext",
            &[("uri", &"{C183D7F6-B498-43B3-948B-1728B52AA6E4}")],
        );
        xml.empty(
            "adec:decorative",
            &[("xmlns:adec", &DECORATIVE), ("val", &1)],
        );
        xml.close().close();
    }
    xml.close();
    xml.empty("wp:cNvGraphicFramePr", &[]);
    xml.open("a:graphic", &[])
        .open("a:graphicData", &[("uri", &uri)]);
    inside(xml);
    xml.close().close().close().close().close();
}

/// A picture in a line.
pub fn picture(xml: &mut Xml, graphic: &Graphic<'_>, id: u32, relationship: &str) {
    let (width, height) = extent(graphic);
    inline(xml, graphic, id, PICTURE, |xml| {
        xml.open("pic:pic", &[("xmlns:pic", &PICTURE)]);
        xml.open("pic:nvPicPr", &[]);
        let name = format!("Picture {id}");
        xml.empty("pic:cNvPr", &[("id", &id), ("name", &name)]);
        xml.empty("pic:cNvPicPr", &[]).close();
        xml.open("pic:blipFill", &[])
            .empty("a:blip", &[("r:embed", &relationship)]);
        xml.constant("<a:stretch><a:fillRect/></a:stretch>").close();
        xml.open("pic:spPr", &[])
            .open("a:xfrm", &[])
            .empty("a:off", &[("x", &0), ("y", &0)]);
        xml.empty("a:ext", &[("cx", &width), ("cy", &height)])
            .close();
        xml.constant(r#"<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>"#)
            .close();
        xml.close();
    });
}

/// At least a pixel, at most what a page has.
fn extent(graphic: &Graphic<'_>) -> (u64, u64) {
    let emu = |points: f64| (points.clamp(0.75, 1_500.0) * EMU) as u64;
    (emu(graphic.width), emu(graphic.height))
}

impl Body<'_> {
    /// A picture of the document part in a line.
    pub(super) fn picture(&mut self, graphic: &Graphic<'_>, part: PartId, _pixels: (u32, u32)) {
        let id = self.next_id();
        let relationship = self.package.relate(self.part, relation::IMAGE, part);
        picture(&mut self.xml, graphic, id, &relationship);
    }

    pub(super) fn picture_part(
        &mut self,
        bytes: &[u8],
        media_type: &'static str,
        extension: &str,
    ) -> Result<PartId, PackageError> {
        self.media += 1;
        let name = format!("/word/media/image{}.{extension}", self.media);
        self.package.add(&name, media_type, bytes.to_vec())
    }

    /// The part of an asset with its size in pixels, made once, or why it cannot be used.
    pub fn asset(
        &mut self,
        name: &str,
    ) -> Result<Result<(PartId, u32, u32), &'static str>, PackageError> {
        if let Some(known) = self.pictures.get(name) {
            return Ok(*known);
        }
        let found = match self.assets.read(name) {
            None => Err("it is missing"),
            Some(bytes) => match shown(bytes) {
                Err(error) => Err(error.reason()),
                Ok((bytes, picture)) => {
                    let format = picture.format;
                    let part =
                        self.picture_part(&bytes, format.content_type(), format.extension())?;
                    Ok((part, picture.width, picture.height))
                }
            },
        };
        self.pictures.insert(name.to_owned(), found);
        Ok(found)
    }
}

/// The picture as Word shows it everywhere: a drawing as its pixels.
fn shown(bytes: Vec<u8>) -> Result<(Vec<u8>, Picture), PictureError> {
    let bytes = if svg::is_svg(&bytes) {
        svg::to_png(&bytes)?
    } else {
        bytes
    };
    let picture = Picture::read(&bytes)?;
    Ok((bytes, picture))
}

/// The size of a picture that fits into a box, in points, never larger than at 96 pixels to the inch.
#[must_use]
pub fn fitted(width: u32, height: u32, most: (f64, f64)) -> (f64, f64) {
    let (width, height) = (
        f64::from(width.max(1)) * 0.75,
        f64::from(height.max(1)) * 0.75,
    );
    let scale = (most.0 / width).min(most.1 / height).min(1.0);
    (width * scale, height * scale)
}
