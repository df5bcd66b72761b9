//! Speaker notes, and the master that they need.

use gtm_ooxml::Xml;
use gtm_ooxml::package::{PartId, relation};
use gtm_ooxml::theme;

use super::kinds;
use super::master::color_map;
use crate::context::{Context, Output, Result};
use crate::slide::{Canvas, namespaces};
use crate::text::Paragraph;

/// The pages that notes are printed on: a picture of the slide above, text below.
const SHAPES: &str = concat!(
    "<p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"Slide Image 1\"/>",
    "<p:cNvSpPr><a:spLocks noGrp=\"1\" noRot=\"1\" noChangeAspect=\"1\"/></p:cNvSpPr>",
    "<p:nvPr><p:ph type=\"sldImg\" idx=\"2\"/></p:nvPr></p:nvSpPr>",
    "<p:spPr><a:xfrm><a:off x=\"685800\" y=\"1143000\"/><a:ext cx=\"5486400\" cy=\"3086100\"/></a:xfrm>",
    "<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom><a:noFill/>",
    "<a:ln w=\"12700\"><a:solidFill><a:prstClr val=\"black\"/></a:solidFill></a:ln></p:spPr></p:sp>",
    "<p:sp><p:nvSpPr><p:cNvPr id=\"3\" name=\"Notes 2\"/>",
    "<p:cNvSpPr><a:spLocks noGrp=\"1\"/></p:cNvSpPr>",
    "<p:nvPr><p:ph type=\"body\" sz=\"quarter\" idx=\"3\"/></p:nvPr></p:nvSpPr>",
    "<p:spPr><a:xfrm><a:off x=\"685800\" y=\"4400550\"/><a:ext cx=\"5486400\" cy=\"3600450\"/></a:xfrm>",
    "<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></p:spPr>",
    "<p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r><a:rPr lang=\"en\"/><a:t>Notes</a:t></a:r></a:p>",
    "</p:txBody></p:sp>",
);
const STYLE: &str = concat!(
    "<p:notesStyle><a:lvl1pPr marL=\"0\" algn=\"l\"><a:defRPr sz=\"1200\">",
    "<a:solidFill><a:schemeClr val=\"tx1\"/></a:solidFill>",
    "<a:latin typeface=\"+mn-lt\"/><a:ea typeface=\"+mn-ea\"/><a:cs typeface=\"+mn-cs\"/>",
    "</a:defRPr></a:lvl1pPr></p:notesStyle>",
);

/// Adds the notes master with the theme that it must have for itself.
pub fn add_notes_master(context: &Context<'_>, output: &mut Output<'_>) -> Result<PartId> {
    let document = context.document;
    let theme = theme::write(&document.theme, "Notes", &document.meta.language);
    let theme = output
        .package
        .add("/ppt/theme/theme2.xml", theme::CONTENT_TYPE, theme)?;
    let mut xml = Xml::document();
    xml.open("p:notesMaster", &namespaces());
    let master = output
        .package
        .begin("/ppt/notesMasters/notesMaster1.xml", kinds::NOTES_MASTER)?;
    output.package.relate(master, relation::THEME, theme);
    let mut canvas = Canvas::new(master, &context.writer);
    canvas.xml.constant(SHAPES);
    let ground = context.palette.ink(theme::Role::Background);
    canvas.finish(&mut xml, None, Some(ground));
    xml.empty("p:clrMap", &color_map(context));
    xml.constant(STYLE);
    output.package.fill(master, xml.finish());
    Ok(master)
}

/// Adds the notes of a slide.
pub fn add_notes(
    context: &Context<'_>,
    output: &mut Output<'_>,
    slide: PartId,
    number: usize,
    paragraphs: &[Paragraph],
) -> Result<()> {
    let master = match output.notes_master {
        Some(master) => master,
        None => {
            let master = add_notes_master(context, output)?;
            output.notes_master = Some(master);
            master
        }
    };
    let name = format!("/ppt/notesSlides/notesSlide{number}.xml");
    let part = output.package.begin(&name, kinds::NOTES)?;
    output.package.relate(part, kinds::TO_NOTES_MASTER, master);
    output.package.relate(part, kinds::TO_SLIDE, slide);
    output.package.relate(slide, kinds::TO_NOTES, part);
    let mut canvas = Canvas::new(part, &context.writer);
    canvas.notes(&mut output.package, paragraphs);
    let mut xml = Xml::document();
    xml.open("p:notes", &namespaces());
    canvas.finish(&mut xml, None, None);
    xml.constant("<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>");
    output.package.fill(part, xml.finish());
    Ok(())
}
