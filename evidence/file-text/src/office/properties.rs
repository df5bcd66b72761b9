//! A package's core properties: title and language.

use gtm_page_text::normalize;

use super::markup::{Markup, Piece};
use super::package::Package;
use crate::{Refusal, collected};

#[derive(Default)]
pub(crate) struct Properties {
    pub(crate) title: Option<String>,
    pub(crate) language: Option<String>,
}

/// Reads them. A package without properties, or with damaged ones, has none.
pub(crate) fn read(package: &mut Package<'_>) -> Result<Properties, Refusal> {
    let named = package.relationships("")?;
    let part = named
        .into_values()
        .find(|relationship| relationship.kind == "core-properties")
        .map_or_else(|| "docProps/core.xml".to_owned(), |named| named.part);
    let mut properties = Properties::default();
    let Some(text) = package.part(&part)? else {
        return Ok(properties);
    };
    let mut pieces = Markup::of(&text);
    let mut inside = String::new();
    while let Ok(Some(piece)) = pieces.next() {
        package.budget.step(1)?;
        match piece {
            Piece::Open(element) => element.name().clone_into(&mut inside),
            Piece::Close(_) => inside.clear(),
            Piece::Text(text) => match inside.as_str() {
                "title" => properties.title.get_or_insert_default().push_str(&text),
                "language" => properties.language.get_or_insert_default().push_str(&text),
                _ => {}
            },
        }
    }
    Ok(Properties {
        title: properties.title.as_deref().and_then(collected::title),
        language: properties.language.map(|language| normalize(&language)),
    })
}
