//! What the slides of a presentation are painted with: their own ground, or that of their layout and master.

use std::collections::BTreeMap;

use super::looks::{Rgb, rgb};
use super::markup::{Markup, Piece};
use super::package::Package;
use crate::Refusal;

/// The grounds of layouts that were read, by their part.
#[derive(Default)]
pub(super) struct Grounds(BTreeMap<String, Below>);

/// What stands below the shapes of a slide.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Below {
    /// Its one colour; none where it has others, or nobody knows.
    pub(super) colour: Option<Rgb>,
    /// The theme's light colour, in which text may be written.
    pub(super) light: Option<Rgb>,
}

/// What a layout or a master says.
#[derive(Default)]
struct Said {
    ground: Option<Option<Rgb>>,
    is_light: bool,
    has_shapes: bool,
}

impl Grounds {
    /// What stands below the shapes of a slide whose layout this is.
    pub(super) fn of_layout(
        &mut self,
        package: &mut Package<'_>,
        layout: &str,
    ) -> Result<Below, Refusal> {
        if let Some(known) = self.0.get(layout) {
            return Ok(*known);
        }
        let master = related(package, layout, "slideMaster")?;
        let theme = match &master {
            Some(master) => related(package, master, "theme")?,
            None => None,
        };
        let light = match theme {
            Some(theme) => light_of(package, &theme)?,
            None => None,
        };
        let mut said = said(package, layout)?;
        if let Some(master) = master {
            let outer = self::said(package, &master)?;
            said.has_shapes |= outer.has_shapes;
            if said.ground.is_none() && !said.is_light {
                (said.ground, said.is_light) = (outer.ground, outer.is_light);
            }
        }
        let colour = if said.is_light {
            light
        } else {
            said.ground.flatten()
        };
        let below = Below {
            colour: colour.filter(|_| !said.has_shapes),
            light,
        };
        self.0.insert(layout.to_owned(), below);
        Ok(below)
    }
}

fn related(package: &mut Package<'_>, part: &str, kind: &str) -> Result<Option<String>, Refusal> {
    let related = package.relationships(part)?;
    let found = related.into_values().find(|related| related.kind == kind);
    Ok(found.map(|related| related.part))
}

/// Whether the name of a theme's colour is that of its light ground.
pub(super) fn is_light(name: &str) -> bool {
    matches!(name, "bg1" | "lt1")
}

/// The theme's light colour.
fn light_of(package: &mut Package<'_>, theme: &str) -> Result<Option<Rgb>, Refusal> {
    let Some(text) = package.part(theme)? else {
        return Ok(None);
    };
    let mut pieces = Markup::of(&text);
    let mut is_light = false;
    while let Some(piece) = pieces.next()? {
        package.budget.step(1)?;
        match piece {
            Piece::Open(element) if element.name() == "lt1" => is_light = true,
            Piece::Open(element) if is_light => {
                let colour = element.attribute("lastClr").or(element.attribute("val"));
                return Ok(colour.as_deref().and_then(rgb));
            }
            _ => {}
        }
    }
    Ok(None)
}

fn said(package: &mut Package<'_>, part: &str) -> Result<Said, Refusal> {
    let mut said = Said::default();
    let Some(text) = package.part(part)? else {
        return Ok(said);
    };
    let mut pieces = Markup::of(&text);
    let mut path: Vec<String> = Vec::new();
    while let Some(piece) = pieces.next()? {
        package.budget.step(1)?;
        match piece {
            Piece::Open(element) => {
                let name = element.name();
                let inside = |outer: &str| path.iter().any(|open| open == outer);
                match name {
                    "pic" => said.has_shapes = true,
                    "solidFill" | "gradFill" | "blipFill" | "pattFill" if inside("spPr") => {
                        said.has_shapes = true;
                    }
                    "bgPr" | "bgRef" => said.ground = Some(None),
                    "srgbClr" if inside("bg") => {
                        let colour = element.attribute("val").as_deref().and_then(rgb);
                        said.ground = Some(colour.filter(|_| !inside("gradFill")));
                    }
                    "schemeClr" if inside("bg") && !inside("gradFill") => {
                        said.is_light = element.attribute("val").is_some_and(|it| is_light(&it));
                    }
                    // A colour that is changed is another one.
                    "lumMod" | "lumOff" | "shade" | "tint" | "alpha" if inside("bg") => {
                        said.is_light = false;
                        said.ground = Some(None);
                    }
                    _ => {}
                }
                path.push(name.to_owned());
            }
            Piece::Close(_) => drop(path.pop()),
            Piece::Text(_) => {}
        }
    }
    Ok(said)
}
