//! What the styles of a DOCX say of structure, which are headings and which are lists, and of how text looks.

use std::collections::BTreeMap;

use super::looks::Look;
use super::markup::{Markup, Piece};
use super::package::Package;
use crate::Refusal;

/// Longest chain of styles that are based on one another.
const MAX_CHAIN: usize = 16;

#[derive(Default)]
struct Style {
    /// In lower case. The names of built-in styles are English in every language of the program.
    name: String,
    based_on: Option<String>,
    outline: Option<u8>,
    numbered: Option<bool>,
    look: Look,
    /// Whether it paints something, be it only in some rows of a table.
    paints: bool,
}

#[derive(Default)]
pub(crate) struct Styles {
    styles: BTreeMap<String, Style>,
    /// Language of the document's text unless a run says otherwise.
    pub(crate) language: Option<String>,
    /// How text looks unless something else is said.
    pub(super) default_look: Look,
}

impl Styles {
    pub(crate) fn read(package: &mut Package<'_>, part: &str) -> Result<Self, Refusal> {
        let mut all = Self::default();
        let Some(text) = package.part(part)? else {
            return Ok(all);
        };
        let mut pieces = Markup::of(&text);
        let mut open: Option<(String, Style)> = None;
        let mut in_defaults = false;
        // A style of a table has others for its rows, which are no text's own.
        let mut in_rows = 0_usize;
        while let Some(piece) = pieces.next()? {
            package.budget.step(1)?;
            match piece {
                Piece::Open(element) => match (element.name(), &mut open) {
                    ("docDefaults", _) => in_defaults = true,
                    ("lang", None) if in_defaults => {
                        all.language = element.attribute("val").or(all.language.take());
                    }
                    ("style", _) => {
                        let id = element.attribute("styleId").unwrap_or_default();
                        open = Some((id, Style::default()));
                    }
                    ("name", Some((_, style))) => {
                        let name = element.attribute("val").unwrap_or_default();
                        style.name = name.to_lowercase();
                    }
                    ("basedOn", Some((_, style))) => style.based_on = element.attribute("val"),
                    ("outlineLvl", Some((_, style))) => {
                        style.outline = element
                            .attribute("val")
                            .and_then(|value| value.parse().ok());
                    }
                    ("numId", Some((_, style))) => {
                        style.numbered = Some(element.attribute("val").is_some_and(|id| id != "0"));
                    }
                    ("tblStylePr", Some(_)) => in_rows += 1,
                    ("shd", Some((_, style))) => {
                        style.paints = true;
                        if in_rows == 0 {
                            style.look.note(&element);
                        }
                    }
                    (_, Some((_, style))) if in_rows == 0 => style.look.note(&element),
                    (_, None) if in_defaults => all.default_look.note(&element),
                    _ => {}
                },
                Piece::Close(name) => match name.as_str() {
                    "tblStylePr" => in_rows = in_rows.saturating_sub(1),
                    "docDefaults" => in_defaults = false,
                    "style" => all.styles.extend(open.take()),
                    _ => {}
                },
                Piece::Text(_) => {}
            }
        }
        Ok(all)
    }

    fn chain<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a Style> {
        let first = self.styles.get(id);
        std::iter::successors(first, |style| self.styles.get(style.based_on.as_deref()?))
            .take(MAX_CHAIN)
    }

    /// How text of the style looks.
    pub(super) fn look(&self, id: &str) -> Look {
        self.chain(id)
            .fold(Look::default(), |look, style| look.over(style.look))
    }

    /// Whether the style may paint what stands behind its text.
    pub(crate) fn paints(&self, id: &str) -> bool {
        self.chain(id).any(|style| style.paints)
    }

    /// Level of the heading that the style makes, from 1.
    pub(crate) fn heading(&self, id: &str) -> Option<u8> {
        self.chain(id).find_map(|style| {
            let numbered = style
                .name
                .strip_prefix("heading ")
                .and_then(|n| n.trim().parse().ok());
            let titled = (style.name == "title").then_some(1);
            // The ninth outline level is running text.
            let outlined = style
                .outline
                .filter(|level| *level < 9)
                .map(|level| level + 1);
            numbered.or(titled).or(outlined)
        })
    }

    pub(crate) fn is_list(&self, id: &str) -> bool {
        let by_name = |style: &Style| {
            let name = style.name.as_str();
            name.starts_with("list bullet") || name.starts_with("list number")
        };
        self.chain(id)
            .find_map(|style| style.numbered.or(by_name(style).then_some(true)))
            .unwrap_or(false)
    }

    pub(crate) fn is_quote(&self, id: &str) -> bool {
        self.chain(id)
            .any(|style| style.name == "quote" || style.name == "intense quote")
    }
}
