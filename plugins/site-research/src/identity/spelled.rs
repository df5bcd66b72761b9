//! The name that a site's address spells: words in a row of its texts whose letters are those of a label of the domain, such
//! as `Zimmerei Lindt` of `zimmerei-lindt.example`.

use gtm_lexicon::postal;

use super::{Place, letters, without_legal_form};
use crate::organization::{own_address, site_label};
use crate::reading::Visited;
use crate::words;

/// Fewest and most words of such a name.
const WORDS: std::ops::RangeInclusive<usize> = 2..=5;
/// Fewest letters of a label that one text is believed with: shorter ones are words of other texts.
const LEAST_OF_ONE: usize = 8;
/// Fewest letters of a label that several texts are believed with, and how many texts.
const LEAST_OF_SEVERAL: usize = 6;
const SEVERAL: usize = 2;
/// Fewest letters of a word that another name shares with it.
const LEAST_OF_WORD: usize = 3;

/// Such a name, wherever it stands.
pub(super) fn name(pages: &[Visited], domain: &str) -> Option<String> {
    let label = letters(&own_address(domain).as_ref().and_then(site_label)?);
    let found = names(pages, &[&label], LEAST_OF_ONE).into_iter().next();
    found.map(|(name, _)| name)
}

/// Puts such a name that several texts have in the place of one that only shares words with it, such as the owner's in the
/// site's title, and returns the other. What the copyright line or structured data say stays, and an address of a trade and
/// a town is no name.
pub(super) fn put_instead(
    name: &mut String,
    pages: &[Visited],
    shown: &[(Place, String)],
    labels: &[String],
) -> Option<String> {
    let key = letters(name);
    let is_sure = |(place, text): &(Place, String)| {
        matches!(place, Place::Notice | Place::StructuredData)
            && (letters(text) == key || letters(without_legal_form(text)) == key)
    };
    if shown.iter().any(is_sure) {
        return None;
    }
    let labels: Vec<&String> = labels.iter().collect();
    let told = names(pages, &labels, LEAST_OF_SEVERAL).into_iter();
    let told = told.filter(|(_, count)| *count >= SEVERAL);
    let (spelled, _) = told.max_by_key(|(_, count)| *count)?;
    let (own, other) = (words::fold(name), words::fold(&spelled));
    let (own, other) = (words::split(&own), words::split(&other));
    let has = |word: &&&str| own.contains(word);
    let shares = other
        .iter()
        .any(|word| word.chars().count() >= LEAST_OF_WORD && has(&word));
    let rest: Vec<&str> = other.iter().filter(|word| !has(word)).copied().collect();
    (shares && !rest.is_empty() && !is_town(&rest, pages)).then(|| std::mem::replace(name, spelled))
}

/// Whether these words stand behind a postal code of the site.
fn is_town(town: &[&str], pages: &[Visited]) -> bool {
    let own = pages.iter().filter(|visited| visited.first_party());
    own.flat_map(|visited| &visited.page.blocks).any(|block| {
        let tokens = words::tokens(&block.text);
        tokens.iter().enumerate().any(|(at, (_, _, word))| {
            if !word.contains(|c: char| c.is_ascii_digit()) || !postal::is_code(word) {
                return false;
            }
            let behind = tokens.iter().skip(at + 1).take(town.len());
            let behind: Vec<&str> = behind.map(|(_, _, word)| *word).collect();
            let behind = words::fold(&behind.join(" "));
            words::split(&behind).starts_with(town)
        })
    })
}

/// Such names of the site's own texts, and how many blocks have each; the first one comes first.
fn names(pages: &[Visited], labels: &[&String], least: usize) -> Vec<(String, usize)> {
    let labels: Vec<&String> = (labels.iter().copied())
        .filter(|label| label.chars().count() >= least)
        .collect();
    let own = pages.iter().filter(|visited| visited.first_party());
    let mut found: Vec<(String, usize)> = Vec::new();
    for block in own.flat_map(|visited| &visited.page.blocks) {
        let tokens = words::tokens(&block.text);
        for at in 0..tokens.len() {
            let rest = tokens.get(at..).unwrap_or_default();
            let Some(name) = name_at(&block.text, rest, &labels) else {
                continue;
            };
            match found.iter_mut().find(|(known, _)| known == name) {
                Some((_, count)) => *count += 1,
                None => found.push((name.to_owned(), 1)),
            }
        }
    }
    found
}

/// The name that begins with the first of these words.
fn name_at<'t>(
    text: &'t str,
    tokens: &[(usize, usize, &str)],
    labels: &[&String],
) -> Option<&'t str> {
    let &(first, _, opening) = tokens.first()?;
    let lead = opening.find(char::is_alphanumeric)?;
    if opening.get(lead..)?.starts_with(char::is_lowercase) {
        return None;
    }
    let mut joined = String::new();
    for (nth, (start, _, word)) in tokens.iter().take(*WORDS.end()).enumerate() {
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        joined.push_str(&letters(bare));
        if labels.contains(&&joined) && WORDS.contains(&(nth + 1)) {
            return text.get(first + lead..start + bare.len());
        }
        // A mark ends a name.
        let goes_on = bare.len() == word.len()
            && labels
                .iter()
                .any(|label| label.starts_with(joined.as_str()));
        if !goes_on {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::name_at;
    use crate::words;

    #[test]
    fn words_in_a_row_may_spell_the_domain() {
        let label = "tischlereiholmgart".to_owned();
        let named = |text: &str| {
            let tokens = words::tokens(text);
            (0..tokens.len())
                .find_map(|at| name_at(text, tokens.get(at..)?, &[&label]))
                .map(str::to_owned)
        };
        for text in [
            "Die Tischlerei Holmgart baut Treppen.",
            "Willkommen bei der Tischlerei Holmgart!",
            "Die »Tischlerei Holmgart« baut Treppen.",
        ] {
            assert_eq!(
                named(text).as_deref(),
                Some("Tischlerei Holmgart"),
                "{text}"
            );
        }
        for text in [
            "Unsere Tischlerei. Holmgart liegt am See.",
            "eine tischlerei holmgart",
            "Tischlerei Holmgarten",
        ] {
            assert_eq!(named(text), None, "{text}");
        }
    }
}
