//! Lists of font families, and which families are typefaces.

use super::declaration::Part;

/// Generic names, and the names in the font stacks of operating systems.
const GENERIC: [&str; 26] = [
    "serif",
    "sans-serif",
    "monospace",
    "cursive",
    "fantasy",
    "system-ui",
    "ui-serif",
    "ui-sans-serif",
    "ui-monospace",
    "ui-rounded",
    "emoji",
    "math",
    "fangsong",
    "inherit",
    "initial",
    "unset",
    "revert",
    "revert-layer",
    "-apple-system",
    "blinkmacsystemfont",
    "sfmono-regular",
    "normal",
    "none",
    "auto",
    "apple color emoji",
    "segoe ui emoji",
];

/// Prefixes of the names of fonts that draw icons, not text.
const ICON_FONTS: [&str; 24] = [
    "fontawesome",
    "font awesome",
    "fa-",
    "material icons",
    "material symbols",
    "icomoon",
    "dashicons",
    "glyphicons",
    "ionicons",
    "fontello",
    "bootstrap-icons",
    "remixicon",
    "genericons",
    "etmodules",
    "flaticon",
    "tabler-icons",
    "feather",
    "codicon",
    "boxicons",
    "themify",
    "mobirise",
    "moririse",
    "slick",
    "swiper-icons",
];

/// Words that end as `icon` does and name typefaces of texts.
const ENDING_ALIKE: [&str; 3] = ["lexicon", "rubicon", "silicon"];

/// The beginning of the names of typefaces that draw the marks of Japanese texts only: the one behind them draws the text.
const MARKS_ONLY: &str = "yakuhan";

/// A parsed list of families.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FontList {
    /// The typeface.
    pub(super) family: String,
    /// The families that follow it.
    pub(super) fallbacks: Vec<String>,
}

pub(super) fn is_generic(family: &str) -> bool {
    GENERIC.contains(&family.to_ascii_lowercase().as_str())
}

pub(super) fn is_icon_font(family: &str) -> bool {
    let name = family.to_lowercase();
    ICON_FONTS.iter().any(|icons| name.starts_with(icons))
        || name
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| matches!(word, "icon" | "icons" | "iconfont" | "glyphs"))
        || name.ends_with("icons")
        || name.ends_with("icon") && !ENDING_ALIKE.iter().any(|word| name.ends_with(word))
}

/// Whether this can be the name of a family; scripts hide other data in such values.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.chars().count() <= 80
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '+' | '\''))
}

/// The typeface of a `font-family` value; `None` if it is an icon font, or if the list begins with a generic
/// family, as the stacks of operating systems do.
pub(super) fn of_family(parts: &[Part]) -> Option<FontList> {
    let mut families = Vec::new();
    for item in parts.split(|part| *part == Part::Comma) {
        let mut words = Vec::new();
        for part in item {
            match part {
                Part::Word(word) => words.push(word.clone()),
                Part::Quoted(text) => words.push(gtm_page_text::normalize(text)),
                // Neither a word nor a string: not the name of a family.
                _ => return None,
            }
        }
        let name = family_name(&words.join(" "));
        if is_name(&name) && !name.to_lowercase().starts_with(MARKS_ONLY) {
            families.push(name);
        }
    }
    let mut families = families.into_iter();
    let family = families.next()?;
    if is_generic(&family) || is_icon_font(&family) {
        return None;
    }
    let mut fallbacks: Vec<String> = Vec::new();
    for name in families {
        let adjusted = name.to_lowercase().ends_with("fallback");
        if name != family && !adjusted && !fallbacks.contains(&name) && fallbacks.len() < 12 {
            fallbacks.push(name);
        }
    }
    Some(FontList { family, fallbacks })
}

/// The typeface and weight of a `font` shorthand: the weight comes before the size, the families after it.
pub(super) fn of_shorthand(parts: &[Part]) -> (Option<FontList>, Option<u16>) {
    let Some(last_size) = parts
        .iter()
        .rposition(|part| matches!(part, Part::Size | Part::Unknown))
    else {
        return (None, None);
    };
    let first_size = parts
        .iter()
        .position(|part| matches!(part, Part::Size | Part::Unknown))
        .unwrap_or(last_size);
    let before = parts.get(..first_size).unwrap_or_default();
    let weight = before
        .iter()
        .find_map(|part| weight(std::slice::from_ref(part)));
    let mut rest = parts.get(last_size + 1..).unwrap_or_default();
    // A line height without a unit: `12px/1.5 Inter`.
    while let Some((Part::Slash | Part::Number(_), after)) = rest.split_first() {
        rest = after;
    }
    let font = of_family(rest);
    // A shorthand that names no weight resets it to the initial value.
    let weight = font.is_some().then(|| weight.unwrap_or(400));
    (font, weight)
}

/// A `font-weight`; `None` for relative and unknown ones.
pub(super) fn weight(parts: &[Part]) -> Option<u16> {
    match parts {
        [Part::Number(value)] if (1.0..=1000.0).contains(value) => Some(value.round() as u16),
        [Part::Word(word)] if word.eq_ignore_ascii_case("normal") => Some(400),
        [Part::Word(word)] if word.eq_ignore_ascii_case("bold") => Some(700),
        _ => None,
    }
}

/// A family's name without the mark of build tools, as in `__Inter_d65c78`.
pub(super) fn family_name(name: &str) -> String {
    let name = gtm_page_text::normalize(name);
    let marked = name.strip_prefix("__").and_then(|rest| {
        let (family, mark) = rest.rsplit_once('_')?;
        let is_mark = mark.len() == 6 && mark.bytes().all(|b| b.is_ascii_hexdigit());
        (is_mark && !family.is_empty()).then(|| family.replace('_', " "))
    });
    marked.unwrap_or(name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::declaration::parts;
    use super::*;

    fn family(value: &str) -> Option<(String, Vec<String>)> {
        of_family(&parts(value)).map(|list| (list.family, list.fallbacks))
    }

    #[test]
    fn the_first_family_is_the_typeface() {
        let (name, fallbacks) =
            family("\"Open  Sans\", Helvetica Neue, 'Open Sans Fallback', sans-serif").unwrap();
        assert_eq!(name, "Open Sans");
        assert_eq!(fallbacks, ["Helvetica Neue", "sans-serif"]);
        assert_eq!(
            family("'__Source_Sans_3_a1b2c3', '__Source_Sans_3_Fallback_a1b2c3'")
                .unwrap()
                .0,
            "Source Sans 3"
        );
    }

    #[test]
    fn system_stacks_and_icons_are_no_typefaces() {
        for value in [
            "-apple-system, 'Segoe UI', sans-serif",
            "inherit",
            "'Font Awesome 6 Free'",
            "Material Icons Outlined",
            "my-icons",
            "acmeicons",
            "Acmecon Icon",
            "Socialicon",
            "var(--x), Georgia",
            "'small=0em&medium=40em'",
        ] {
            assert_eq!(family(value), None, "{value}");
        }
        for value in ["Silicon Sans", "Silicon", "Lexicon", "Rubicon"] {
            assert!(family(value).is_some(), "{value}");
        }
    }

    #[test]
    fn shorthands_are_read() {
        let read = |value: &str| {
            let (font, weight) = of_shorthand(&parts(value));
            (font.map(|list| list.family), weight)
        };
        let inter = || Some("Inter".to_owned());
        assert_eq!(
            read("italic bold 12px/1.5 'Inter',Arial"),
            (inter(), Some(700))
        );
        assert_eq!(read("600 1rem/2em Inter"), (inter(), Some(600)));
        assert_eq!(read("1rem Inter"), (inter(), Some(400)));
        assert_eq!(read("inherit"), (None, None));
    }
}
