//! Notations of Markdown's dialects that its reader does not know: footnotes, and small figures below or above the line.
//!
//! A footnote stands in brackets where it is referred to: a document has no other place for it.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// Longest name of a footnote, in characters, and most footnotes.
const NAME_CHARS: usize = 24;
const MOST_NOTES: usize = 200;
/// Most figures below or above the line.
const MOST_FIGURES: usize = 3;

/// The text without such notations.
pub fn without(text: &str) -> Cow<'_, str> {
    if text.contains("```") || !text.contains(['~', '^']) {
        return Cow::Borrowed(text);
    }
    let text = with_notes_in_brackets(text);
    Cow::Owned(with_small_figures(&text))
}

/// The name of the footnote that a line defines, and its text.
fn definition(line: &str) -> Option<(&str, &str)> {
    let (name, said) = line.strip_prefix("[^")?.split_once("]:")?;
    let fits = (1..=NAME_CHARS).contains(&name.chars().count()) && !name.contains([' ', ']']);
    fits.then_some((name, said.trim()))
}

fn with_notes_in_brackets(text: &str) -> String {
    let mut notes: BTreeMap<&str, String> = BTreeMap::new();
    let mut kept: Vec<&str> = Vec::new();
    let mut open: Option<&str> = None;
    for line in text.lines() {
        let goes_on = line.starts_with([' ', '\t']) && !line.trim().is_empty();
        if let Some((name, said)) = definition(line).filter(|_| notes.len() < MOST_NOTES) {
            notes.insert(name, said.to_owned());
            open = Some(name);
        } else if let Some(note) = open
            .filter(|_| goes_on)
            .and_then(|name| notes.get_mut(name))
        {
            note.push_str(&format!(" {}", line.trim()));
        } else {
            open = None;
            kept.push(line);
        }
    }
    let mut text = kept.join("\n");
    if notes.is_empty() {
        return text;
    }
    text.push('\n');
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once("[^") {
        out.push_str(before);
        let name = behind.split_once(']').map(|(name, _)| name);
        let note = name.and_then(|name| Some((name, notes.get_mut(name)?)));
        let Some((name, note)) = note else {
            out.push_str("[^");
            rest = behind;
            continue;
        };
        // A second reference to the same note repeats nothing.
        let said = std::mem::take(note);
        let said = said.trim_end_matches(['.', '。']);
        if !said.is_empty() {
            let end = out.trim_end_matches(['.', ',', ';', ':', '。', '、']).len();
            let marks = out.split_off(end);
            out.push_str(&format!(" ({said}){marks}"));
        }
        rest = behind.get(name.len() + 1..).unwrap_or_default();
    }
    out.push_str(rest);
    // What nobody refers to stands at the end.
    for said in notes.values().filter(|said| !said.is_empty()) {
        out.push_str(&format!("\n{said}\n"));
    }
    out
}

/// The text with `H2O` for `H~2~O` and `m²` for `m^2^`.
fn with_small_figures(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['~', '^']) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        let sign = if behind.starts_with('~') { '~' } else { '^' };
        let inner = behind.get(1..).unwrap_or_default();
        let figures = inner.split_once(sign).map(|(figures, _)| figures);
        let figures = figures.filter(|figures| {
            (1..=MOST_FIGURES).contains(&figures.len())
                && figures.bytes().all(|byte| byte.is_ascii_digit())
                && out.ends_with(char::is_alphabetic)
        });
        match figures {
            Some(figures) => {
                out.extend(figures.chars().map(|figure| match (sign, figure) {
                    ('^', '1') => '¹',
                    ('^', '2') => '²',
                    ('^', '3') => '³',
                    _ => figure,
                }));
                rest = inner.get(figures.len() + 1..).unwrap_or_default();
            }
            None => {
                out.push(sign);
                rest = inner;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::super::Brief;
    use super::*;

    #[test]
    fn footnotes_stand_where_they_are_referred_to() {
        let brief = Brief::read(
            "# A\n\n## B\n\nHalden lost 19 days.[^1] Two gates leak[^leak], and no more.\n\n[^1]: Counted in May 2026.\n[^leak]: Both in\n  the north.\n",
            "en",
        );
        assert_eq!(
            brief.text().lines().nth(2),
            Some(
                "Halden lost 19 days (Counted in May 2026). Two gates leak (Both in the north), and no more."
            )
        );
        let brief = Brief::read("# A\n\n## B\n\nRange [^0-9] stays.\n", "en");
        assert!(brief.text().contains("[^0-9]"), "{}", brief.text());
        // A private one is none of the document.
        let brief = Brief::read(
            "# A\n\n## B\n\nHalden lost 19 days.[^1]\n\n[^1]: internal: they hide more",
            "en",
        );
        assert!(!brief.text().contains("hide"), "{}", brief.text());
    }

    #[test]
    fn small_figures_stand_on_the_line() {
        for (text, expected) in [
            ("H~2~O and CO~2~ on 40 m^2^", "H2O and CO2 on 40 m²"),
            ("~40~ and 5~6~7", "~40~ and 5~6~7"),
            ("a ~~struck~~ b ^ c", "a ~~struck~~ b ^ c"),
            ("about ~40 to ~50", "about ~40 to ~50"),
        ] {
            assert_eq!(without(text), expected);
        }
    }
}
