//! Pages in an organization's own template: its styles, theme, header, footer and page carry the document.
//!
//! The document is written as always, on the template's page and in its colours and typefaces. Then its parts are
//! joined with the template's: `styles` takes the template's styles for those of ours that have their names, `lists`
//! its numbering, `page` its page, headers and footers.

mod lists;
mod page;
mod styles;

use std::collections::BTreeMap;

use gtm_document_model::Document;
use gtm_document_model::document::Direction;
use gtm_ooxml::PackageError;
use gtm_ooxml::template::{Kind, Look, Parts, Relation, Target, Template, TemplateError, is_kept};
use gtm_ooxml::theme::hex;
use gtm_ooxml::tree::Element;
use gtm_ooxml::zip::Limits;

use crate::body::Assets;
use crate::design::{Cover, Design};
use crate::diagnostics::{Code, Diagnostic};
use crate::render::{RenderError, Rendered, render_with};
use page::Page;

/// Renders a document with a template.
///
/// # Errors
/// Where the template is refused, or the file would be larger than an archive can be.
pub fn render(
    document: &Document,
    assets: &dyn Assets,
    manifest: Option<&[u8]>,
    template: &[u8],
) -> Result<Rendered, RenderError> {
    let template = Template::read(template, Kind::Document)?;
    let page = Page::of(&template)?;
    let mut themed = document.clone();
    if let Some(look) = &template.look {
        themed.theme = look.theme(&document.theme);
    }
    // The template's header has the organization's logo.
    if page.has_header() {
        themed.theme.logo = None;
    }
    let own = Design::of(&themed);
    let mut design = Design {
        cover: match own.cover {
            Cover::Field | Cover::Bar | Cover::Rule => Cover::Rule,
            Cover::Band | Cover::Heading => Cover::Heading,
            Cover::Block => Cover::Block,
            Cover::Letter => Cover::Letter,
        },
        // What would stand there is the template's.
        has_sender_above: own.has_sender_above && !page.has_header(),
        ..own
    };
    let is_used = page.lay_out(&mut design);
    let mut rendered = render_with(&themed, assets, manifest, &design)?;
    if !is_used {
        rendered.diagnostics.push(Diagnostic {
            code: Code::Template,
            pointer: String::new(),
            message: "The template's page leaves too little room for text; the renderer's own page stands in.".to_owned(),
        });
    }
    rendered.bytes = join(&template, &themed, &rendered.bytes, page, is_used)?;
    Ok(rendered)
}

/// The main part of ours.
fn main_of(parts: &Parts) -> Result<String, TemplateError> {
    let main = parts.main().ok_or(TemplateError::NoPackage)?;
    Ok(main.to_owned())
}

/// The part that the main part relates to in this way.
fn related(parts: &Parts, main: &str, word: &str) -> Option<String> {
    let part = parts.get(main)?;
    part.related(word).next().map(|(_, name)| name.to_owned())
}

fn join(
    template: &Template,
    document: &Document,
    own: &[u8],
    page: Page,
    is_page_used: bool,
) -> Result<Vec<u8>, RenderError> {
    let limits = Limits {
        entries: 60_000,
        entry_bytes: usize::MAX,
        total_bytes: usize::MAX,
        ratio: usize::MAX,
    };
    let mut joined = Parts::read(own, limits)?;
    let main = main_of(&joined)?;
    if let Some(look) = &template.look {
        recolor(&mut joined, look, document)?;
    }
    let mut known = BTreeMap::new();
    let missing = |part: &str| TemplateError::Missing(part.to_owned());

    let own_styles = related(&joined, &main, "styles").ok_or_else(|| missing("styles"))?;
    let their_styles = template
        .related("styles")
        .ok_or_else(|| missing("styles"))?;
    let is_rtl = document.meta.direction == Direction::Rtl;
    let merged = styles::Merged::of(
        &joined.tree(&own_styles)?,
        &template.parts.tree(&their_styles)?,
        is_rtl,
    );
    joined.fill(&own_styles, &merged.root);

    for word in ["theme", "fontTable"] {
        if let Some(theirs) = template.related(word) {
            replace(
                &mut joined,
                &main,
                word,
                &template.parts,
                &theirs,
                &mut known,
            )?;
        }
    }
    let offset = match (
        template.related("numbering"),
        related(&joined, &main, "numbering"),
    ) {
        (Some(theirs), Some(ours)) => {
            let (root, offset) =
                lists::merged(&template.parts.tree(&theirs)?, &joined.tree(&ours)?);
            let name = replace(
                &mut joined,
                &main,
                "numbering",
                &template.parts,
                &theirs,
                &mut known,
            )?;
            joined.fill(&name, &root);
            offset
        }
        _ => 0,
    };

    // All parts with paragraphs of ours.
    let names: Vec<String> = joined
        .iter()
        .map(|(name, _)| name)
        .filter(|name| {
            let kinds = ["document", "footnotes", "header", "footer"];
            name.ends_with(".xml")
                && kinds
                    .iter()
                    .any(|kind| name.starts_with(&format!("/word/{kind}")))
        })
        .map(str::to_owned)
        .collect();
    for name in names {
        let mut root = joined.tree(&name)?;
        lists::renumber(&mut root, offset);
        merged.apply(&mut root);
        joined.fill(&name, &root);
    }
    if is_page_used {
        let settings = template.related("settings");
        let settings = settings
            .map(|name| template.parts.tree(&name))
            .transpose()?;
        page.apply(&mut joined, &main, template, settings.as_ref(), &mut known)?;
    }
    Ok(joined.write().ok_or(PackageError::TooLarge)?)
}

/// Puts a part of the template in the place of ours, and returns its name.
fn replace(
    joined: &mut Parts,
    main: &str,
    word: &str,
    from: &Parts,
    theirs: &str,
    known: &mut BTreeMap<String, String>,
) -> Result<String, TemplateError> {
    let old = related(joined, main, word);
    if let Some(old) = &old {
        joined.remove(old);
    }
    let name = joined.adopt(from, theirs, known, &is_kept)?;
    let Some(part) = joined.get_mut(main) else {
        return Ok(name);
    };
    let relation = part.relations.iter_mut().find(|r| r.word() == word);
    match relation {
        Some(relation) => relation.target = Target::Part(name.clone()),
        None => {
            let kind = format!(
                "http://schemas.openxmlformats.org/officeDocument/2006/relationships/{word}"
            );
            part.relate(&kind, &name);
        }
    }
    Ok(name)
}

/// Keeps the name of a slot only where the template has the colour there that is written beside it.
fn recolor(parts: &mut Parts, look: &Look, document: &Document) -> Result<(), TemplateError> {
    let names: Vec<String> = parts
        .iter()
        .map(|(name, _)| name)
        .filter(|name| {
            let is_properties = name.starts_with("/docProps/") || name.starts_with("/customXml/");
            name.ends_with(".xml") && !is_properties && !name.starts_with("/word/theme/")
        })
        .map(str::to_owned)
        .collect();
    for name in names {
        let mut root = parts.tree(&name)?;
        look.say_colors(&mut root, &document.theme.colors);
        root.visit_mut(&mut |element| {
            for (slot, color) in [
                (
                    "w:themeColor",
                    if element.name == "w:color" {
                        "w:val"
                    } else {
                        "w:color"
                    },
                ),
                ("w:themeFill", "w:fill"),
            ] {
                let is_right = match (element.attribute(slot), element.attribute(color)) {
                    (Some(slot), Some(color)) => {
                        slot_of(slot)
                            .and_then(|slot| look.slot(slot))
                            .map(hex)
                            .as_deref()
                            == Some(color)
                    }
                    _ => true,
                };
                if !is_right {
                    element.unset(slot);
                }
            }
        });
        parts.fill(&name, &root);
    }
    Ok(())
}

/// A slot by the name that DrawingML has for it.
fn slot_of(name: &str) -> Option<&str> {
    Some(match name {
        "background1" => "bg1",
        "text1" => "tx1",
        "background2" => "bg2",
        "text2" => "tx2",
        "hyperlink" => "hlink",
        "followedHyperlink" => "folHlink",
        accent if accent.starts_with("accent") => accent,
        _ => return None,
    })
}

/// The relationship of a part with this id, as a name.
fn target(relations: &[Relation], id: &str) -> Option<String> {
    let found = relations.iter().find(|relation| relation.id == id)?;
    found.part().map(str::to_owned)
}

/// The value of a child such as `<w:name w:val="…"/>`.
fn value<'a>(element: &'a Element, child: &str) -> Option<&'a str> {
    element.child(child)?.attribute("w:val")
}
