//! The layouts of the master.

use gtm_ooxml::Xml;
use gtm_ooxml::package::PartId;

use super::super::kinds;
use super::{Prompt, footers, logo, placeholder};
use crate::context::{Context, Output, Result};
use crate::geometry::{Rect, columns, pt};
use crate::layout::{Layout, own_decoration};
use crate::look::Cover;
use crate::slide::{Canvas, Shape, namespaces};
use gtm_ooxml::theme::Role;

/// Adds all layouts; each relates to the master.
pub fn add_layouts(context: &Context<'_>, output: &mut Output<'_>, master: PartId) -> Result<()> {
    for (index, layout) in Layout::ALL.into_iter().enumerate() {
        let name = format!("/ppt/slideLayouts/slideLayout{}.xml", index + 1);
        let part = output.package.begin(&name, kinds::LAYOUT)?;
        output.package.relate(part, kinds::TO_MASTER, master);
        output.layouts.insert(layout, part);
        let content = content(context, output, layout, part)?;
        output.package.fill(part, content);
    }
    Ok(())
}

fn content(
    context: &Context<'_>,
    output: &mut Output<'_>,
    layout: Layout,
    part: PartId,
) -> Result<Vec<u8>> {
    let mut canvas = Canvas::new(part, &context.writer);
    for decoration in own_decoration(layout, &context.look) {
        let field = Shape::field(
            "Decoration",
            decoration.rect,
            context.palette.faint(decoration.role, decoration.alpha),
        );
        canvas.shape(&mut output.package, &field);
    }
    if layout == Layout::Cover {
        cover_logo(context, output, &mut canvas)?;
    }
    for place in layout.places(&context.look) {
        let (kind, index) = place.slot.mark(layout);
        let name = place.slot.name();
        let prompt = Prompt {
            kind,
            index,
            name,
            rect: place.rect,
            anchor: place.anchor,
            style: (!is_masters(layout)).then_some(place.style),
            text: name,
        };
        placeholder(&mut canvas, &prompt, context);
    }
    footers(&mut canvas, context, false);

    let mut xml = Xml::document();
    let (name, kind) = layout.name();
    let mut attributes: Vec<(&'static str, &dyn std::fmt::Display)> = namespaces().to_vec();
    if !layout.has_master_shapes() {
        attributes.push(("showMasterSp", &0));
    }
    match &kind {
        Some(kind) => attributes.push(("type", kind)),
        None => attributes.push(("userDrawn", &1)),
    }
    attributes.push(("preserve", &1));
    xml.open("p:sldLayout", &attributes);
    let (ground, _) = layout.ground(&context.look);
    let background = (ground != Role::Background).then(|| context.palette.ink(ground));
    canvas.finish(&mut xml, Some(name), background);
    xml.constant("<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>");
    Ok(xml.finish())
}

/// Whether the text of the layout looks as the master has it.
const fn is_masters(layout: Layout) -> bool {
    matches!(
        layout,
        Layout::Agenda
            | Layout::Content
            | Layout::TwoColumns
            | Layout::Figures
            | Layout::Comparison
    )
}

/// On a cover, the logo stands where lines begin; on the primary colour, on a plate of the page's.
fn cover_logo(
    context: &Context<'_>,
    output: &mut Output<'_>,
    canvas: &mut Canvas<'_>,
) -> Result<()> {
    let from = if context.look.cover == Cover::Band {
        2
    } else {
        0
    };
    let (x, width) = columns(from, from + 3);
    let room = Rect::new(x, pt(48), width, pt(36));
    if context.look.cover == Cover::Full && context.document.theme.logo.is_some() {
        let plate = context.palette.ink(Role::Background);
        let plate_rect = Rect::new(0, pt(34), x + width + pt(16), pt(64));
        canvas.shape(
            &mut output.package,
            &Shape::field("Plate", plate_rect, plate),
        );
    }
    logo(context, output, canvas, room, true)
}
