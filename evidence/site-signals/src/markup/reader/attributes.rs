//! Reads the attributes of elements.

use gtm_page_text::html::Element;
use gtm_page_text::normalize;

const MAX_MARK: usize = 80;
const MAX_MARKS: usize = 40;
const MAX_TEXT: usize = 300;

/// The marks by which selectors can name an element.
pub(super) fn kind_of(element: &Element<'_>) -> String {
    let fits = |mark: &&str| mark.len() <= MAX_MARK;
    let class = element.attribute("class").unwrap_or_default();
    let mut classes: Vec<&str> = class.split_ascii_whitespace().filter(fits).collect();
    classes.sort_unstable();
    classes.dedup();
    let mut kind = element.name.to_owned();
    for class in classes.into_iter().take(MAX_MARKS) {
        kind.push_str(" .");
        kind.push_str(class);
    }
    let id = element.attribute("id").map(str::trim);
    if let Some(id) = id.filter(|id| !id.is_empty() && !id.contains(char::is_whitespace))
        && fits(&id)
    {
        kind.push_str(" #");
        kind.push_str(id);
    }
    kind.to_lowercase()
}

/// The first address of a `srcset`.
pub(super) fn first_candidate(srcset: &str) -> Option<&str> {
    srcset
        .split_whitespace()
        .next()
        .map(|address| address.trim_end_matches(','))
        .filter(|address| !address.is_empty())
}

pub(super) fn classes(element: &Element<'_>) -> Option<String> {
    let both = ["class", "id"]
        .into_iter()
        .filter_map(|name| element.attribute(name))
        .collect::<Vec<_>>()
        .join(" ");
    tidy(&both)
}

pub(super) fn lower(element: &Element<'_>, name: &str) -> String {
    element
        .attribute(name)
        .map(normalize)
        .unwrap_or_default()
        .to_lowercase()
}

pub(super) fn text_of(element: &Element<'_>, name: &str) -> Option<String> {
    element.attribute(name).and_then(tidy)
}

pub(super) fn tidy(text: &str) -> Option<String> {
    let text: String = normalize(text).chars().take(MAX_TEXT).collect();
    (!text.is_empty()).then_some(text)
}

pub(super) fn pixels(element: &Element<'_>, name: &str) -> Option<u32> {
    let value = element.attribute(name)?.trim();
    let value = value.strip_suffix("px").unwrap_or(value);
    value
        .parse()
        .ok()
        .filter(|pixels| (1..=20_000).contains(pixels))
}
