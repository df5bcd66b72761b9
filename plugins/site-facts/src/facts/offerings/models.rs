//! Models on the page of one kind of products: cards below its title whose names have a number or a code, as `Ram 40`.

use gtm_site_research::evidence::Evidence;
use gtm_site_research::words;

use super::Found;
use super::groups::is_card;
use crate::facts::certificates::names_norm;
use crate::facts::figures::is_year;
use crate::facts::numbering::begins_with_number;
use crate::facts::outline::Section;
use crate::part::Part;

/// Fewest models of a page.
const LEAST: usize = 2;
/// Fewest and most words of a model's name.
const NAME: std::ops::RangeInclusive<usize> = 2..=5;

impl Found<'_> {
    /// Adds what nothing but its form calls models.
    pub(super) fn models(&mut self, sections: &[Section<'_>], evidence: &Evidence) {
        for row in rows(sections) {
            self.by_form = true;
            self.group(&row, evidence);
            self.by_form = false;
        }
    }

    /// Adds the names of tiles that have them in two scripts.
    pub(super) fn two_scripts(&mut self, section: &Section<'_>) {
        for tile in section.tiles_in_two_scripts() {
            self.item(&tile);
        }
    }
}

/// The cards of each page of products that name models, where nearly all of a row do.
fn rows<'s, 'a>(sections: &'s [Section<'a>]) -> Vec<Vec<&'s Section<'a>>> {
    let pages = sections.chunk_by(|one, other| one.heading.page == other.heading.page);
    let mut found = Vec::new();
    for page in pages {
        let titled = page
            .first()
            .is_some_and(|first| first.part == Part::Product && first.heading.level == 1);
        let level = page.iter().skip(1).map(|one| one.heading.level).min();
        let row: Vec<&Section<'a>> = page
            .iter()
            .skip(1)
            .filter(|one| Some(one.heading.level) == level)
            .collect();
        let models = row
            .iter()
            .filter(|one| is_card(one) && names_model(&one.heading.text));
        let count = models.count();
        if titled && count >= LEAST && count * 3 >= row.len() * 2 {
            found.push(row.into_iter().filter(|one| is_card(one)).collect());
        }
    }
    found
}

/// Whether a name has a word with a digit that is no year, no place in an order and no standard.
fn names_model(text: &str) -> bool {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let is_code = |word: &str| {
        word.contains(|c: char| c.is_ascii_digit())
            && word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
            && !is_year(word)
    };
    // `ISO 13849`, `DIN 18040`
    let names_standard =
        |word: &str| word.chars().count() > 1 && word.chars().all(char::is_uppercase);
    let mut pairs = tokens.windows(2);
    NAME.contains(&tokens.len())
        && pairs.any(|pair| match pair {
            [before, word] => is_code(word) && !names_standard(before),
            _ => false,
        })
        && !begins_with_number(text)
        && !names_norm(text)
        && !text.ends_with(['.', '!', '?', ':'])
        && words::count(text) <= *NAME.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_have_a_number_in_their_name() {
        for text in ["Orrin Ram 40", "Sand filter S2", "Disc filter D8"] {
            assert!(names_model(text), "{text}");
        }
        for text in [
            "Since 1998",
            "Why us",
            "1. Survey",
            "Certified to ISO 13849",
            "From 40 to 120 metres deep in all wells",
        ] {
            assert!(!names_model(text), "{text}");
        }
    }
}
