//! What a utility class declares.

use super::theme::{Theme, is_plain, quoted};
use crate::css::hex_of;

/// The one declaration of a class that matters here, and when it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) property: &'static str,
    pub(super) value: String,
    pub(super) important: bool,
    /// The state in which it holds, such as `hover`.
    pub(super) state: Option<&'static str>,
    /// The least width of a screen on which it holds, in pixels.
    pub(super) least_width: Option<u16>,
}

const STATES: [&str; 5] = ["active", "focus", "focus-visible", "focus-within", "hover"];
const WIDTHS: [(&str, u16); 5] = [
    ("sm", 640),
    ("md", 768),
    ("lg", 1024),
    ("xl", 1280),
    ("2xl", 1536),
];
const WEIGHTS: [(&str, u16); 9] = [
    ("thin", 100),
    ("extralight", 200),
    ("light", 300),
    ("normal", 400),
    ("medium", 500),
    ("semibold", 600),
    ("bold", 700),
    ("extrabold", 800),
    ("black", 900),
];

/// What a class declares of colour or type. `None` for all others, and for those that hold only where a page doesn't
/// tell: in a dark scheme, inside of others, for texts that were chosen, in two states or on two widths at once.
pub(super) fn rule(class: &str, theme: &Theme) -> Option<Rule> {
    let mut state = None;
    let mut least_width = None;
    let mut rest = class;
    while let Some((variant, behind)) = variant(rest) {
        let is_second = if let Some(known) = STATES.into_iter().find(|known| *known == variant) {
            state.replace(known).is_some()
        } else {
            let (_, width) = WIDTHS.into_iter().find(|(known, _)| *known == variant)?;
            least_width.replace(width).is_some()
        };
        if is_second {
            return None;
        }
        rest = behind;
    }
    let bare = rest
        .strip_prefix('!')
        .or_else(|| rest.strip_suffix('!'))
        .unwrap_or(rest);
    let (property, value) = declared(bare, theme)?;
    Some(Rule {
        property,
        value,
        important: bare.len() < rest.len(),
        state,
        least_width,
    })
}

/// The first variant of a class and what is behind it: a colon inside of brackets parts nothing.
fn variant(class: &str) -> Option<(&str, &str)> {
    let end = class.find([':', '['])?;
    let (variant, rest) = class.split_at_checked(end)?;
    Some((variant, rest.strip_prefix(':')?))
}

fn declared(class: &str, theme: &Theme) -> Option<(&'static str, String)> {
    let (kind, name) = class.split_once('-')?;
    match kind {
        "font" => type_of(name, theme),
        "bg" => color(name, theme)
            .map(|value| ("background-color", value))
            .or_else(|| picture(name)),
        "text" => color(name, theme).map(|value| ("color", value)),
        "fill" | "stroke" => color(name, theme).map(|value| ("fill", value)),
        "border" => color(name, theme).map(|value| ("border-color", value)),
        "outline" => color(name, theme).map(|value| ("outline-color", value)),
        // The colours between which a gradient runs.
        "from" | "via" | "to" => color(name, theme).map(|value| {
            (
                "background-image",
                format!("linear-gradient({value},{value})"),
            )
        }),
        _ => None,
    }
}

/// The value of a colour: `brand-500`, `white/70`, `[#0a2540]`.
fn color(name: &str, theme: &Theme) -> Option<String> {
    let (name, opacity) = match name.rsplit_once('/') {
        Some((name, opacity)) => (name, share(opacity)?),
        None => (name, 1.0),
    };
    let Some(written) = arbitrary(name) else {
        return theme.color(name, opacity);
    };
    let value = written.trim_start_matches("color:").replace('_', " ");
    let hex = hex_of(&value);
    match hex {
        Some(hex) if opacity < 1.0 => {
            let alpha = (opacity * 255.0).round() as u8;
            Some(format!("{hex}{alpha:02x}"))
        }
        Some(_) if is_plain(&value) => Some(value),
        None if value.starts_with("var(--") && is_plain(&value) => Some(value),
        None if value.starts_with("--") && is_plain(&value) => Some(format!("var({value})")),
        _ => None,
    }
}

/// A part of a whole, in percent or in brackets: `70`, `[.7]`.
fn share(text: &str) -> Option<f32> {
    let share = match arbitrary(text) {
        Some(text) if text.ends_with('%') => {
            text.trim_end_matches('%').parse::<f32>().ok()? / 100.0
        }
        Some(text) => text.parse().ok()?,
        None => text.parse::<f32>().ok()? / 100.0,
    };
    (0.0..=1.0).contains(&share).then_some(share)
}

/// What is written in brackets, or in parentheses for a custom property.
fn arbitrary(text: &str) -> Option<&str> {
    let within = |open, close| text.strip_prefix(open)?.strip_suffix(close);
    within('[', ']').or_else(|| within('(', ')'))
}

/// A picture as a ground: what colour is behind it, nobody knows.
fn picture(name: &str) -> Option<(&'static str, String)> {
    let written = arbitrary(name)?;
    let is_picture = written.starts_with("url(") || written.contains("gradient(");
    is_picture.then(|| ("background-image", "url(picture)".to_owned()))
}

/// A typeface or a weight: `display`, `semibold`, `['Open_Sans']`, `[550]`.
fn type_of(name: &str, theme: &Theme) -> Option<(&'static str, String)> {
    if let Some(families) = theme.families(name) {
        return Some(("font-family", families.to_owned()));
    }
    if let Some((_, weight)) = WEIGHTS.into_iter().find(|(known, _)| *known == name) {
        return Some(("font-weight", weight.to_string()));
    }
    let written = arbitrary(name)?;
    if let Ok(weight) = written.parse::<u16>() {
        return Some(("font-weight", weight.to_string()));
    }
    let families: Vec<String> = written
        .trim_start_matches("family-name:")
        .split(',')
        .filter_map(|family| quoted(&family.replace('_', " ")))
        .collect();
    let known = !families.is_empty() && !written.contains('(');
    known.then(|| ("font-family", families.join(",")))
}
