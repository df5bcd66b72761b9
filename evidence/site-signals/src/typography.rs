//! The company's typefaces with their roles.

use serde::{Deserialize, Serialize};

use crate::css::{FontFace, FontRole, FontUse, Sheet, joined};
use crate::elements::Elements;

/// A typeface in one role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Typeface {
    /// Name as written.
    pub family: String,
    pub role: FontRole,
    /// Weights (1 to 1000), ascending: those that rules ask for, as far as they are loaded, otherwise those that are loaded.
    pub weights: Vec<u16>,
    /// Families that follow it in the list.
    pub fallbacks: Vec<String>,
    /// SPDX identifier of its licence, if known.
    pub license: Option<String>,
}

/// Most typefaces for anything else.
const OTHERS: usize = 2;

/// The typefaces of a page's sheets, read together: headings, running text, code, and those used for anything
/// else only. One per role, since a second one for headings or text is that of a single part. If the elements of pages are given, a typeface for code or anything else
/// counts only if one of them can use it: frameworks bring along the code typefaces that computers already
/// have. A code typeface that computers lack was chosen, so it always counts.
pub fn typography(sheets: &[&Sheet], elements: Option<&Elements>) -> Vec<Typeface> {
    let page = joined(sheets, elements);
    let elements = elements.filter(|elements| elements.show_colors(&page));
    let mut found: Vec<Typeface> = Vec::new();
    for role in [
        FontRole::Heading,
        FontRole::Body,
        FontRole::Mono,
        FontRole::Other,
    ] {
        // A typeface with another role is not a second one because buttons use it too.
        let fonts: Vec<&FontUse> = page
            .fonts
            .iter()
            .filter(|font| font.role == role)
            .filter(|font| {
                matches!(role, FontRole::Heading | FontRole::Body)
                    || (role == FontRole::Mono && !comes_along(&font.family))
                    || elements.is_none_or(|elements| elements.can_match(&font.selectors))
            })
            .filter(|font| {
                !matches!(role, FontRole::Mono | FontRole::Other)
                    || !found.iter().any(|known| known.family == font.family)
            })
            .take(if role == FontRole::Other { OTHERS } else { 1 })
            .collect();
        for font in fonts {
            found.push(typeface(font, &page));
        }
    }
    // What nothing asks for by name is asked for by what nobody could read.
    if found.is_empty() {
        let named = page
            .faces
            .iter()
            .filter(|face| face.family.contains(char::is_uppercase));
        found.extend(named.take(OTHERS).map(|face| {
            let font = FontUse {
                family: face.family.clone(),
                role: FontRole::Other,
                weights: Vec::new(),
                fallbacks: Vec::new(),
                count: 0,
                selectors: Vec::new(),
            };
            typeface(&font, &page)
        }));
    }
    found
}

/// Whether a face is of this family: some libraries of fonts write `open-sans` for `Open Sans`.
fn is_of(face: &FontFace, family: &str) -> bool {
    face.family == family || face.family == family.to_lowercase().replace(' ', "-")
}

/// Whether a typeface for code ships with an operating system.
fn comes_along(family: &str) -> bool {
    matches!(
        family.to_lowercase().as_str(),
        "andale mono"
            | "cascadia code"
            | "cascadia mono"
            | "consolas"
            | "courier"
            | "courier new"
            | "dejavu sans mono"
            | "droid sans mono"
            | "liberation mono"
            | "lucida console"
            | "lucida sans typewriter"
            | "menlo"
            | "monaco"
            | "sf mono"
            | "ubuntu mono"
    )
}

fn typeface(font: &FontUse, page: &Sheet) -> Typeface {
    let face = page.faces.iter().find(|face| is_of(face, &font.family));
    let loads = |weight: &&u16| face.is_none_or(|face| face.loads(**weight));
    let mut weights: Vec<u16> = font.weights.iter().filter(loads).copied().collect();
    if weights.is_empty() {
        weights = face.map(|face| face.weights.clone()).unwrap_or_default();
    }
    Typeface {
        family: font.family.clone(),
        role: font.role,
        weights,
        fallbacks: font.fallbacks.clone(),
        license: face
            .and_then(|face| face.license.clone())
            .or_else(|| known_license(&font.family).map(str::to_owned)),
    }
}

/// Licences of families that many sites use, by name in lower case. Taken on 2026-11-21 from the licence
/// field of the families' Fontsource packages, which matches the Google Fonts catalogue.
fn known_license(family: &str) -> Option<&'static str> {
    let name = family.to_lowercase();
    // Variable versions say so in their name.
    let name = name.strip_suffix(" variable").unwrap_or(&name);
    match name {
        "ubuntu" | "ubuntu mono" => Some("Ubuntu-font-1.0"),
        "roboto slab" => Some("Apache-2.0"),
        name if OPEN.binary_search(&name).is_ok() => Some("OFL-1.1"),
        _ => None,
    }
}

/// Families under the SIL Open Font License 1.1, in alphabetical order.
const OPEN: [&str; 114] = [
    "abril fatface",
    "albert sans",
    "alegreya",
    "alegreya sans",
    "almarai",
    "amiri",
    "anton",
    "archivo",
    "arvo",
    "asap",
    "assistant",
    "atkinson hyperlegible",
    "barlow",
    "be vietnam pro",
    "bebas neue",
    "bitter",
    "bricolage grotesque",
    "cabin",
    "cairo",
    "cardo",
    "changa",
    "comfortaa",
    "cormorant garamond",
    "crimson pro",
    "crimson text",
    "dm mono",
    "dm sans",
    "dm serif display",
    "dosis",
    "eb garamond",
    "exo 2",
    "figtree",
    "fira code",
    "fira mono",
    "fira sans",
    "fjalla one",
    "fraunces",
    "geist",
    "geist mono",
    "hanken grotesk",
    "heebo",
    "hind",
    "ibm plex mono",
    "ibm plex sans",
    "ibm plex sans arabic",
    "ibm plex serif",
    "inconsolata",
    "instrument sans",
    "instrument serif",
    "inter",
    "jetbrains mono",
    "josefin sans",
    "kanit",
    "karla",
    "lato",
    "lexend",
    "libre baskerville",
    "libre franklin",
    "lora",
    "manrope",
    "merriweather",
    "merriweather sans",
    "montserrat",
    "mulish",
    "newsreader",
    "noto kufi arabic",
    "noto sans",
    "noto sans arabic",
    "noto sans hebrew",
    "noto sans jp",
    "noto serif",
    "noto serif jp",
    "nunito",
    "nunito sans",
    "onest",
    "open sans",
    "oswald",
    "outfit",
    "overpass",
    "oxygen",
    "playfair display",
    "plus jakarta sans",
    "poppins",
    "pt sans",
    "pt serif",
    "public sans",
    "quicksand",
    "raleway",
    "readex pro",
    "red hat display",
    "red hat text",
    "roboto",
    "roboto condensed",
    "roboto mono",
    "rubik",
    "schibsted grotesk",
    "sora",
    "source code pro",
    "source sans 3",
    "source sans pro",
    "source serif 4",
    "source serif pro",
    "space grotesk",
    "space mono",
    "spectral",
    "syne",
    "tajawal",
    "titillium web",
    "urbanist",
    "vazirmatn",
    "vollkorn",
    "work sans",
    "zen kaku gothic new",
    "zilla slab",
];
