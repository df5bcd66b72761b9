//! Graphics that have a frame: tables, charts and pictures, and paths.

use gtm_ooxml::Xml;
use gtm_ooxml::package::{Package, PartId, relation};
use gtm_ooxml::theme::Ink;

use super::{Alt, Canvas};
use crate::geometry::{Emu, Rect};
use crate::media::Medium;

impl Canvas<'_> {
    /// A table; `inside` writes its properties, columns and rows.
    pub fn table(&mut self, rect: Rect, alt: Alt<'_>, inside: impl FnOnce(&mut Self)) {
        self.frame("Table", rect, alt, None);
        let uri = "http://schemas.openxmlformats.org/drawingml/2006/table";
        self.xml.open("a:graphic", &[]);
        self.xml.open("a:graphicData", &[("uri", &uri)]);
        self.xml.open("a:tbl", &[]);
        inside(self);
        self.xml.close().close().close().close();
    }

    /// A chart, in a placeholder of the layout if there is one for it.
    pub fn chart(
        &mut self,
        package: &mut Package,
        rect: Rect,
        chart: PartId,
        alt: &str,
        placeholder: Option<u32>,
    ) {
        let id = package.relate(self.part, relation::CHART, chart);
        self.frame("Chart", rect, Alt::Text(alt), placeholder);
        self.xml.open("a:graphic", &[]);
        let namespace = "http://schemas.openxmlformats.org/drawingml/2006/chart";
        self.xml.open("a:graphicData", &[("uri", &namespace)]);
        self.xml
            .empty("c:chart", &[("xmlns:c", &namespace), ("r:id", &id)]);
        self.xml.close().close().close();
    }

    fn frame(&mut self, name: &str, rect: Rect, alt: Alt<'_>, placeholder: Option<u32>) {
        self.xml.open("p:graphicFrame", &[]);
        self.xml.open("p:nvGraphicFramePr", &[]);
        self.identity(name, alt, None);
        self.xml.constant(
            "<p:cNvGraphicFramePr><a:graphicFrameLocks noGrp=\"1\"/></p:cNvGraphicFramePr>",
        );
        self.xml.open("p:nvPr", &[]);
        if let Some(index) = placeholder {
            self.placeholder_mark(None, Some(index));
        }
        self.xml.close().close();
        self.transform("p:xfrm", rect);
    }

    pub fn picture(&mut self, package: &mut Package, rect: Rect, medium: Medium, alt: Alt<'_>) {
        let id = package.relate(self.part, relation::IMAGE, medium.part);
        self.xml.open("p:pic", &[]).open("p:nvPicPr", &[]);
        self.identity("Picture", alt, None);
        self.xml
            .constant("<p:cNvPicPr><a:picLocks noChangeAspect=\"1\"/></p:cNvPicPr><p:nvPr/>");
        self.xml.close();
        self.xml.open("p:blipFill", &[]);
        self.xml.empty("a:blip", &[("r:embed", &id)]);
        self.xml
            .constant("<a:stretch><a:fillRect/></a:stretch>")
            .close();
        self.xml.open("p:spPr", &[]);
        self.transform("a:xfrm", rect);
        self.xml
            .constant("<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom>");
        self.xml.close().close();
    }

    /// A shape of rectangles in a grid of `size` by `size`, each with its column, row and width.
    pub fn path(
        &mut self,
        rect: Rect,
        alt: &str,
        ink: Ink,
        size: Emu,
        rectangles: &[(Emu, Emu, Emu)],
    ) {
        self.xml.open("p:sp", &[]).open("p:nvSpPr", &[]);
        self.identity("QR code", Alt::Text(alt), None);
        self.xml
            .empty("p:cNvSpPr", &[])
            .empty("p:nvPr", &[])
            .close();
        self.xml.open("p:spPr", &[]);
        self.transform("a:xfrm", rect);
        self.xml.open("a:custGeom", &[]);
        self.xml.constant(
            "<a:avLst/><a:gdLst/><a:ahLst/><a:cxnLst/><a:rect l=\"0\" t=\"0\" r=\"r\" b=\"b\"/>",
        );
        self.xml.open("a:pathLst", &[]);
        self.xml.open("a:path", &[("w", &size), ("h", &size)]);
        for &(x, y, width) in rectangles {
            let point = |xml: &mut Xml, name, x: Emu, y: Emu| {
                xml.element(name, &[], |xml| {
                    xml.empty("a:pt", &[("x", &x), ("y", &y)]);
                });
            };
            point(&mut self.xml, "a:moveTo", x, y);
            point(&mut self.xml, "a:lnTo", x + width, y);
            point(&mut self.xml, "a:lnTo", x + width, y + 1);
            point(&mut self.xml, "a:lnTo", x, y + 1);
            self.xml.empty("a:close", &[]);
        }
        self.xml.close().close().close();
        self.paint(Some(ink), None);
        self.xml.close().close();
    }
}
