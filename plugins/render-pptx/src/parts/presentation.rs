//! The presentation part, which names all others, and what belongs to the file as a whole.

use gtm_ooxml::Xml;
use gtm_ooxml::package::{PartId, relation};
use gtm_ooxml::properties;

use super::kinds;
use super::master::FIRST_ID;
use super::table_style;
use crate::context::{Context, Output, Result};
use crate::diagnostics::Code;
use crate::geometry::SLIDE;
use crate::slide::namespaces;
use crate::text::Paragraph;

/// What the presentation part names.
pub struct Presentation {
    pub part: PartId,
    pub master: PartId,
}

/// Writes the presentation part and the properties of the file.
pub fn finish(
    context: &Context<'_>,
    output: &mut Output<'_>,
    presentation: &Presentation,
    evidence: Option<&[u8]>,
) -> Result<()> {
    let part = presentation.part;
    let mut xml = Xml::document();
    let mut attributes = namespaces().to_vec();
    attributes.push(("saveSubsetFonts", &1));
    if context.is_rtl {
        attributes.push(("rtl", &1));
    }
    xml.open("p:presentation", &attributes);
    let id = output
        .package
        .relate(part, kinds::TO_MASTER, presentation.master);
    xml.open("p:sldMasterIdLst", &[]);
    xml.empty("p:sldMasterId", &[("id", &FIRST_ID), ("r:id", &id)]);
    xml.close();
    if let Some(notes) = output.notes_master {
        let id = output.package.relate(part, kinds::TO_NOTES_MASTER, notes);
        xml.open("p:notesMasterIdLst", &[]);
        xml.empty("p:notesMasterId", &[("r:id", &id)]).close();
    }
    xml.open("p:sldIdLst", &[]);
    for (index, slide) in output.slides.iter().enumerate() {
        let relation = output.package.relate(part, kinds::TO_SLIDE, *slide);
        xml.empty("p:sldId", &[("id", &(index + 256)), ("r:id", &relation)]);
    }
    xml.close();
    xml.empty("p:sldSz", &[("cx", &SLIDE.w), ("cy", &SLIDE.h)]);
    xml.empty("p:notesSz", &[("cx", &6_858_000), ("cy", &9_144_000)]);
    xml.element("p:defaultTextStyle", &[], |xml| {
        let other = Paragraph::new(Vec::new(), 1_800);
        context.writer.level_style(xml, "a:lvl1pPr", &other);
    });
    output.package.fill(part, xml.finish());

    let settings: [(&str, &str, &str, &'static str); 2] = [
        (
            "/ppt/presProps.xml",
            kinds::PRESENTATION_PROPERTIES,
            kinds::TO_PRESENTATION_PROPERTIES,
            "p:presentationPr",
        ),
        (
            "/ppt/viewProps.xml",
            kinds::VIEW_PROPERTIES,
            kinds::TO_VIEW_PROPERTIES,
            "p:viewPr",
        ),
    ];
    for (name, content_type, kind, root) in settings {
        let mut xml = Xml::document();
        xml.empty(root, &namespaces());
        let settings = output.package.add(name, content_type, xml.finish())?;
        output.package.relate(part, kind, settings);
    }
    let styles = table_style::part(&context.palette);
    let styles = output
        .package
        .add("/ppt/tableStyles.xml", kinds::TABLE_STYLES, styles)?;
    output.package.relate(part, kinds::TO_TABLE_STYLES, styles);
    output.package.relate_root(relation::OFFICE_DOCUMENT, part);

    let document = context.document;
    let revision = document
        .brand
        .as_ref()
        .map(|brand| brand.revision.to_string());
    let mut custom = Vec::new();
    if let (Some(brand), Some(revision)) = (&document.brand, &revision) {
        custom.push(("Brand", brand.id.as_str()));
        custom.push(("Brand revision", revision.as_str()));
        custom.push(("Brand hash", brand.hash.as_str()));
    }
    properties::add(&mut output.package, &document.meta, &custom)?;
    if let Some(evidence) = evidence
        && !properties::add_evidence(&mut output.package, part, evidence)?
    {
        let message = "The evidence manifest is not UTF-8, so it is not in the file.";
        output.diagnostics.add(Code::EvidenceUnusable, "", message);
    }
    Ok(())
}

/// Begins the presentation part, so that it is the first one.
pub fn begin(output: &mut Output<'_>) -> Result<PartId> {
    output
        .package
        .begin("/ppt/presentation.xml", kinds::PRESENTATION)
}
