//! The two typefaces of a document, and what stands in where they are missing.

use gtm_document_model::cleaned;
use gtm_document_model::theme::{Font, FontClass, Fonts, ThemePart};

use crate::guideline::claim::Claim;
use crate::guideline::sections::Typeface;
use crate::guideline::words::FontRole;

/// Names in stylesheets that stand for whatever font a device has.
const GENERIC: [(&str, FontClass); 16] = [
    ("serif", FontClass::Serif),
    ("ui-serif", FontClass::Serif),
    ("sans-serif", FontClass::Sans),
    ("ui-sans-serif", FontClass::Sans),
    ("ui-rounded", FontClass::Sans),
    ("system-ui", FontClass::Sans),
    ("-apple-system", FontClass::Sans),
    ("blinkmacsystemfont", FontClass::Sans),
    ("cursive", FontClass::Sans),
    ("fantasy", FontClass::Sans),
    ("math", FontClass::Serif),
    ("emoji", FontClass::Sans),
    ("monospace", FontClass::Mono),
    ("ui-monospace", FontClass::Mono),
    ("inherit", FontClass::Sans),
    ("initial", FontClass::Sans),
];
/// Parts of the names of typefaces that tell their kind.
const NAMED: [(&str, FontClass); 30] = [
    ("mono", FontClass::Mono),
    ("courier", FontClass::Mono),
    ("consolas", FontClass::Mono),
    ("menlo", FontClass::Mono),
    ("sans", FontClass::Sans),
    ("grotesk", FontClass::Sans),
    ("grotesque", FontClass::Sans),
    ("serif", FontClass::Serif),
    ("slab", FontClass::Serif),
    ("antiqua", FontClass::Serif),
    ("georgia", FontClass::Serif),
    ("times", FontClass::Serif),
    ("garamond", FontClass::Serif),
    ("baskerville", FontClass::Serif),
    ("bodoni", FontClass::Serif),
    ("caslon", FontClass::Serif),
    ("didot", FontClass::Serif),
    ("palatino", FontClass::Serif),
    ("cambria", FontClass::Serif),
    ("charter", FontClass::Serif),
    ("minion", FontClass::Serif),
    ("playfair", FontClass::Serif),
    ("merriweather", FontClass::Serif),
    ("lora", FontClass::Serif),
    ("spectral", FontClass::Serif),
    ("crimson", FontClass::Serif),
    ("fraunces", FontClass::Serif),
    ("tiempos", FontClass::Serif),
    ("mincho", FontClass::Serif),
    ("song", FontClass::Serif),
];
/// Fallbacks that the model allows.
const MOST_FALLBACKS: usize = 20;

/// The typefaces of the guideline. Headings may be set in the body's typeface, but not the body in that of
/// headings, which is often made for large sizes only.
pub(super) fn fonts(typography: &[Claim<Typeface>], defaults: &mut Vec<ThemePart>) -> Fonts {
    let of_role = |role: FontRole| {
        let faces = typography.iter().filter_map(|claim| claim.value.as_ref());
        faces.filter(|face| face.role == role).find_map(font)
    };
    let body = of_role(FontRole::Body);
    let heading = of_role(FontRole::Heading).or_else(|| body.clone());
    Fonts {
        heading: heading.unwrap_or_else(|| {
            defaults.push(ThemePart::HeadingFont);
            neutral()
        }),
        body: body.unwrap_or_else(|| {
            defaults.push(ThemePart::BodyFont);
            neutral()
        }),
    }
}

fn neutral() -> Font {
    Font {
        family: "Inter".to_owned(),
        fallbacks: vec!["Arial".to_owned()],
        class: FontClass::Sans,
    }
}

/// The typeface with fallbacks, or `None` if its name only stands for whatever a device has.
fn font(face: &Typeface) -> Option<Font> {
    let family = name(&face.family).filter(|family| generic(family).is_none())?;
    let named: Vec<String> = face
        .fallbacks
        .iter()
        .filter_map(|fallback| name(fallback))
        .collect();
    let class = class(&family, &named);
    let at_hand: &[&str] = match class {
        FontClass::Serif => &["Source Serif 4", "Georgia", "Times New Roman"],
        FontClass::Sans => &["Inter", "Arial"],
        FontClass::Mono => &["Courier New"],
    };
    let of_brand = named.into_iter().filter(|name| generic(name).is_none());
    let of_brand = of_brand.take(MOST_FALLBACKS - at_hand.len());
    let mut fallbacks: Vec<String> = Vec::new();
    for fallback in of_brand.chain(at_hand.iter().map(|name| (*name).to_owned())) {
        let is_known = |known: &String| known.eq_ignore_ascii_case(&fallback);
        if !fallbacks.iter().any(is_known) && !is_known(&family) {
            fallbacks.push(fallback);
        }
    }
    Some(Font {
        family,
        fallbacks,
        class,
    })
}

/// A name without what stylesheets put around it; `None` if nothing or no name is left.
fn name(text: &str) -> Option<String> {
    let text = cleaned(text).replace('\n', " ");
    let name = text.trim().trim_matches(['"', '\'']).trim();
    // A variable of a stylesheet names nothing.
    (!name.is_empty() && !name.contains('(')).then(|| name.to_owned())
}

fn generic(name: &str) -> Option<FontClass> {
    let is_name = |(generic, _): &&(&str, FontClass)| name.eq_ignore_ascii_case(generic);
    GENERIC.iter().find(is_name).map(|(_, class)| *class)
}

/// The kind of a typeface: what its own name says, or the stylesheet's generic name, or the fallbacks' names.
fn class(family: &str, fallbacks: &[String]) -> FontClass {
    let by_name = |name: &str| {
        let name = name.to_lowercase();
        NAMED
            .iter()
            .find(|(part, _)| name.contains(part))
            .map(|(_, class)| *class)
    };
    by_name(family)
        .or_else(|| fallbacks.iter().find_map(|name| generic(name)))
        .or_else(|| fallbacks.iter().find_map(|name| by_name(name)))
        .unwrap_or(FontClass::Sans)
}
