//! Slides in an organization's own template: its slide masters, layouts and theme carry the deck.
//!
//! The slides are planned and drawn as always, in the colours and typefaces of the template. Then they are moved to the
//! template's layouts: `layouts` finds the one for each kind of slide, `slides` fills its placeholders and brings
//! everything else into the room that it leaves, and `joined` puts the slides in the place of the template's own.

mod joined;
mod layouts;
mod slides;

use gtm_document_model::Document;
use gtm_ooxml::template::{Kind, Look, Parts, Template};
use gtm_ooxml::zip::Limits;

use crate::compose::Page;
use crate::context::Context;
use crate::diagnostics::{Code, Diagnostics};
use crate::layout::Layout;
use crate::look::{self, Cover, Head};
use crate::media::ReadAsset;
use crate::render::{RenderError, Rendered, draft};
use layouts::Room;

/// Sizes of body text for templates that leave less room than our own layouts: what is made smaller must begin larger.
const LESS: &[u32] = &[2_200, 2_000, 1_800, 1_600, 1_400];
const LEAST: &[u32] = &[2_400, 2_000, 1_800, 1_600];

/// Renders a document with a template.
///
/// # Errors
/// Where the template is refused, or the file would be larger than an archive can be.
pub fn render(
    document: &Document,
    read: ReadAsset<'_>,
    template: &[u8],
) -> Result<Rendered, RenderError> {
    let template = Template::read(template, Kind::Presentation)?;
    let rooms = layouts::all(&template)?;
    let mut themed = document.clone();
    if let Some(look) = &template.look {
        themed.theme = look.theme(&document.theme);
    }
    let mut context = Context::new(&themed);
    // The template decorates its slides itself.
    context.look = look::Look {
        cover: Cover::Quiet,
        head: Head::Plain,
        title_columns: 12,
        ..context.look
    };
    let scale = slides::usual_scale(&context.look, &rooms);
    context.look.body = match scale {
        Some(scale) if scale < 0.8 => LEAST,
        Some(scale) if scale < 0.93 => LESS,
        _ => context.look.body,
    };
    let mut chosen: Vec<(Layout, Option<Room>)> = Vec::new();
    let drawn = draft(&context, read, &mut |page: &mut Page<'_>| {
        let room = layouts::choose(&rooms, page.layout, page.items.is_empty());
        if room.is_some() {
            page.on_primary = false;
        }
        chosen.push((page.layout, room.cloned()));
    })?;
    let mut diagnostics = Diagnostics::from(drawn.diagnostics);
    for (layout, _) in chosen.iter().filter(|(_, room)| room.is_none()) {
        let (name, _) = layout.name();
        let message = format!(
            "The template has no layout for a slide of the kind {name}; the renderer's own stands in."
        );
        diagnostics.add(Code::Template, &format!("/layouts/{name}"), message);
    }
    if let Some(scale) = scale.filter(|scale| *scale < 0.8) {
        let percent = (scale * 100.0).round();
        let message = format!(
            "The template leaves little room for content: boxes and charts have {percent} % of their usual size."
        );
        diagnostics.add(Code::Template, "", message);
    }
    let limits = Limits {
        entries: 60_000,
        entry_bytes: usize::MAX,
        total_bytes: usize::MAX,
        ratio: usize::MAX,
    };
    let mut own = Parts::read(&drawn.bytes, limits)?;
    let names = joined::slides_of(&own)?;
    for (name, (layout, room)) in names.iter().zip(&chosen) {
        if let Some(room) = room {
            let mut slide = own.tree(name)?;
            let target = slides::Target {
                context: &context,
                layout: *layout,
                room,
            };
            target.adapt(&mut slide, &mut diagnostics);
            own.fill(name, &slide);
        }
    }
    if let Some(look) = &template.look {
        recolor(&mut own, look, &context)?;
    }
    let bytes = joined::join(&template, &own, &names, &chosen)?;
    Ok(Rendered {
        bytes,
        pages: drawn.pages,
        diagnostics: diagnostics.into_list(),
    })
}

/// Where a slot of the template's theme has another colour than the role that we say by it, the colour itself stands.
fn recolor(own: &mut Parts, look: &Look, context: &Context<'_>) -> Result<(), RenderError> {
    let names: Vec<String> = own
        .iter()
        .map(|(name, _)| name)
        .filter(|name| {
            let folders = [
                "/ppt/slides/",
                "/ppt/slideLayouts/",
                "/ppt/charts/",
                "/ppt/tableStyles",
            ];
            name.ends_with(".xml") && folders.iter().any(|folder| name.starts_with(folder))
        })
        .map(str::to_owned)
        .collect();
    for name in names {
        let mut tree = own.tree(&name)?;
        if look.say_colors(&mut tree, &context.document.theme.colors) {
            own.fill(&name, &tree);
        }
    }
    Ok(())
}
