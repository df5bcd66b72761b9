//! Colours and fonts of a stylesheet.

use std::collections::BTreeMap;

use cssparser::color::{parse_hash_color, parse_named_color};
use cssparser::{ParseError, Parser, Token};

/// Colours or fonts that are reported of one sheet.
const MOST: usize = 64;
/// Font names that stand for no font.
const GENERIC: [&str; 23] = [
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
    "normal",
    "none",
    "auto",
];

/// What one stylesheet uses, most frequent first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Sheet {
    /// Where it is; `None` for styles inside the page.
    pub(crate) url: Option<String>,
    /// The host's receipt for it.
    pub(crate) receipt_id: Option<String>,
    /// `#rrggbb` and how often.
    pub(crate) colors: Vec<(String, u64)>,
    /// Family and how often.
    pub(crate) fonts: Vec<(String, u64)>,
}

impl Sheet {
    /// Reads CSS. What can't be read is skipped, as browsers do.
    pub(crate) fn read(url: Option<String>, receipt_id: Option<String>, css: &str) -> Self {
        let mut found = Found::default();
        statements(&mut Parser::new(css), &mut found);
        Self {
            url,
            receipt_id,
            colors: by_frequency(found.colors),
            fonts: by_frequency(found.fonts),
        }
    }
}

/// Equal counts stand in the order of the alphabet, so that the result is the same every time.
fn by_frequency(counts: BTreeMap<String, u64>) -> Vec<(String, u64)> {
    let mut list: Vec<_> = counts.into_iter().collect();
    list.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    list.truncate(MOST);
    list
}

#[derive(Default)]
struct Found {
    colors: BTreeMap<String, u64>,
    fonts: BTreeMap<String, u64>,
}

/// Where in a statement the reader is.
#[derive(PartialEq)]
enum At {
    Start,
    Property(String),
    Value(String),
    /// In something that is no declaration, such as a selector.
    Prelude,
}

/// A part of a value that can belong to a list of fonts.
enum FontPart {
    Word(String),
    Quoted(String),
    Size,
    Comma,
    /// A function, whose value isn't known here.
    Unknown,
}

/// Reads rules and declarations alike: what ends in `{` was a prelude, what ends in `;` was a
/// declaration. That holds at every level, nested rules included.
fn statements(parser: &mut Parser<'_>, found: &mut Found) {
    let mut at = At::Start;
    let mut colors = Vec::new();
    let mut fonts = Vec::new();
    loop {
        let token = match parser.next() {
            Ok(token) => token.clone(),
            Err(_) => {
                commit(&at, &mut colors, &mut fonts, found);
                return;
            }
        };
        match token {
            Token::CurlyBracketBlock => {
                colors.clear();
                fonts.clear();
                at = At::Start;
                let _: Result<(), ParseError<()>> = parser.parse_nested_block(|block| {
                    statements(block, found);
                    Ok(())
                });
            }
            Token::Semicolon => {
                commit(&at, &mut colors, &mut fonts, found);
                at = At::Start;
            }
            token => {
                at = match (at, &token) {
                    (At::Start, Token::Ident(name)) => At::Property(name.to_ascii_lowercase()),
                    (At::Property(name), Token::Colon) => At::Value(name),
                    (At::Value(name), _) => {
                        value(parser, &token, &name, &mut colors, &mut fonts);
                        At::Value(name)
                    }
                    (At::Start | At::Property(_) | At::Prelude, _) => At::Prelude,
                };
            }
        }
    }
}

fn commit(at: &At, colors: &mut Vec<String>, parts: &mut Vec<FontPart>, found: &mut Found) {
    let colors = std::mem::take(colors);
    let parts = std::mem::take(parts);
    let At::Value(property) = at else { return };
    for color in colors {
        *found.colors.entry(color).or_default() += 1;
    }
    if property == "font-family" || property == "font" || is_font_variable(property) {
        for family in families(parts, property == "font") {
            *found.fonts.entry(family).or_default() += 1;
        }
    }
}

/// Custom properties such as `--heading-font-family` carry the site's fonts nowadays.
fn is_font_variable(property: &str) -> bool {
    property.starts_with("--") && (property.contains("font-family") || property.ends_with("font"))
}

fn families(parts: Vec<FontPart>, shorthand: bool) -> Vec<String> {
    // In the shorthand, families follow the size.
    let start = if shorthand {
        match parts
            .iter()
            .rposition(|part| matches!(part, FontPart::Size))
        {
            Some(last_size) => last_size + 1,
            None => return Vec::new(),
        }
    } else {
        0
    };
    let mut families = Vec::new();
    let mut name = String::new();
    let mut known = true;
    for part in parts.into_iter().skip(start).chain([FontPart::Comma]) {
        match part {
            FontPart::Comma => {
                let name = std::mem::take(&mut name);
                let usable = known && !name.is_empty() && name.chars().count() <= 80;
                if usable && !GENERIC.contains(&name.to_ascii_lowercase().as_str()) {
                    families.push(name);
                }
                known = true;
            }
            FontPart::Quoted(text) => name = gtm_page_text::normalize(&text),
            FontPart::Word(word) => {
                if !name.is_empty() {
                    name.push(' ');
                }
                name.push_str(&word);
            }
            FontPart::Size | FontPart::Unknown => known = false,
        }
    }
    families
}

fn value(
    parser: &mut Parser<'_>,
    token: &Token<'_>,
    property: &str,
    colors: &mut Vec<String>,
    fonts: &mut Vec<FontPart>,
) {
    match token {
        Token::Hash(digits) | Token::IDHash(digits) => {
            if let Ok((red, green, blue, alpha)) = parse_hash_color(digits.as_bytes())
                && alpha > 0.0
            {
                colors.push(hex(red, green, blue));
            }
        }
        Token::Ident(word) => {
            if takes_color(property)
                && let Ok((red, green, blue)) = parse_named_color(word)
            {
                colors.push(hex(red, green, blue));
            }
            fonts.push(FontPart::Word(word.to_string()));
        }
        Token::QuotedString(text) => fonts.push(FontPart::Quoted(text.to_string())),
        Token::Dimension { .. } | Token::Percentage { .. } | Token::Number { .. } => {
            fonts.push(FontPart::Size);
        }
        Token::Comma => fonts.push(FontPart::Comma),
        Token::Function(name) => {
            fonts.push(FontPart::Unknown);
            let name = name.to_ascii_lowercase();
            let _: Result<(), ParseError<()>> = parser.parse_nested_block(|arguments| {
                match name.as_str() {
                    "rgb" | "rgba" => colors.extend(rgb(arguments)),
                    "hsl" | "hsla" => colors.extend(hsl(arguments)),
                    // Gradients, `color-mix`, fallbacks of `var`: colours among the arguments.
                    _ => {
                        let mut ignored = Vec::new();
                        while let Ok(token) = arguments.next().cloned() {
                            value(arguments, &token, property, colors, &mut ignored);
                        }
                    }
                }
                Ok(())
            });
        }
        _ => {}
    }
}

fn takes_color(property: &str) -> bool {
    property.starts_with("--")
        || [
            "color",
            "background",
            "border",
            "outline",
            "fill",
            "stroke",
            "shadow",
        ]
        .iter()
        .any(|word| property.contains(word))
}

fn hex(red: u8, green: u8, blue: u8) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// An argument of a colour function.
enum Part {
    Number(f32),
    Percent(f32),
}

/// The numbers of a colour function, or `None` if one of them isn't known here (`var`, `calc`).
fn parts(arguments: &mut Parser<'_>) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    while let Ok(token) = arguments.next().cloned() {
        match token {
            Token::Number { value, .. } => parts.push(Part::Number(value)),
            Token::Percentage { unit_value, .. } => parts.push(Part::Percent(unit_value)),
            Token::Dimension { value, unit, .. } => {
                parts.push(Part::Number(match &*unit.to_ascii_lowercase() {
                    "turn" => value * 360.0,
                    "rad" => value.to_degrees(),
                    "grad" => value * 0.9,
                    _ => value,
                }))
            }
            Token::Comma | Token::Delim('/') => {}
            _ => return None,
        }
    }
    let is_clear =
        matches!(parts.get(3), Some(Part::Number(alpha) | Part::Percent(alpha)) if *alpha <= 0.0);
    (parts.len() >= 3 && !is_clear).then_some(parts)
}

fn rgb(arguments: &mut Parser<'_>) -> Option<String> {
    let parts = parts(arguments)?;
    let channel = |index: usize| {
        let value = match parts.get(index)? {
            Part::Number(value) => *value,
            Part::Percent(share) => share * 255.0,
        };
        Some(to_byte(value))
    };
    Some(hex(channel(0)?, channel(1)?, channel(2)?))
}

fn hsl(arguments: &mut Parser<'_>) -> Option<String> {
    let parts = parts(arguments)?;
    let Part::Number(hue) = parts.first()? else {
        return None;
    };
    let share = |index: usize| {
        let value = match parts.get(index)? {
            Part::Number(value) => value / 100.0,
            Part::Percent(share) => *share,
        };
        Some(value.clamp(0.0, 1.0))
    };
    let (saturation, lightness) = (share(1)?, share(2)?);
    // CSS Color 4, section 7.1.
    let amplitude = saturation * lightness.min(1.0 - lightness);
    let channel = |offset: f32| {
        let k = (offset + hue.rem_euclid(360.0) / 30.0) % 12.0;
        to_byte(255.0 * (lightness - amplitude * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0)))
    };
    Some(hex(channel(0.0), channel(8.0), channel(4.0)))
}

/// Rounds and clamps; the cast of a float saturates and turns NaN into 0.
fn to_byte(value: f32) -> u8 {
    value.round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn colors(css: &str) -> Vec<(String, u64)> {
        Sheet::read(None, None, css).colors
    }

    fn fonts(css: &str) -> Vec<String> {
        Sheet::read(None, None, css)
            .fonts
            .into_iter()
            .map(|(family, _)| family)
            .collect()
    }

    #[test]
    fn every_spelling_becomes_hex() {
        for css in [
            "a{color:#F80}",
            "a{color:#ff8800cc}",
            "a{color:rgb(255,136,0)}",
            "a{color:rgb(100% 53.33% 0% / 50%)}",
            "a{color:hsl(32,100%,50%)}",
            "a{background:hsla(32deg 100% 50% / .5)}",
            ":root{--brand:#f80}",
            "@media (width>1px){a{&:hover{border:1px solid #f80}}}",
            "a{background:linear-gradient(90deg,#f80,transparent)}",
            "a{color:var(--x,#f80)}",
        ] {
            assert_eq!(colors(css), [("#ff8800".to_owned(), 1)], "{css}");
        }
        assert_eq!(colors("a{color:rebeccapurple}")[0].0, "#663399");
    }

    #[test]
    fn what_is_no_colour_is_not_counted() {
        assert_eq!(colors("#fff a, a:hover #abc {margin:0}"), []);
        assert_eq!(
            colors("a{animation-name:red;color:rgba(0,0,0,0);fill:rgb(var(--x))}"),
            []
        );
    }

    #[test]
    fn counts_order_the_list() {
        let css = "a{color:#111;background:#222}b{color:#222}";
        assert_eq!(
            colors(css),
            [("#222222".to_owned(), 2), ("#111111".to_owned(), 1)]
        );
    }

    #[test]
    fn families_are_read_from_lists_and_shorthands() {
        assert_eq!(
            fonts("a{font-family:\"Open  Sans\", Helvetica Neue, sans-serif}"),
            ["Helvetica Neue", "Open Sans"]
        );
        assert_eq!(
            fonts("a{font:italic bold 12px/1.5 'Inter',Arial}"),
            ["Arial", "Inter"]
        );
        assert_eq!(fonts("@font-face{font-family:Brand;src:url(x)}"), ["Brand"]);
        assert_eq!(
            fonts("a{font-family:var(--x), Georgia}b{font:inherit}"),
            ["Georgia"]
        );
        assert_eq!(fonts(":root{--body-font:Lora,serif}"), ["Lora"]);
    }

    #[test]
    fn depth_is_bounded() {
        let css = "a{".repeat(100_000);
        assert_eq!(colors(&css), []);
        let css = format!("a{{color:{}", "f(".repeat(100_000));
        assert_eq!(colors(&css), []);
    }

    proptest! {
        #[test]
        fn no_css_panics(css in "[a-z#0-9{}();:,.%/\"' @-]{0,200}") {
            let sheet = Sheet::read(None, None, &css);
            for (color, _) in sheet.colors {
                prop_assert_eq!(color.len(), 7);
            }
        }
    }
}
