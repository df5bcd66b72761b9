//! Vacancies whose list only its marks, or the heading above it, show.

use std::collections::BTreeMap;

use gtm_lexicon::roles::{JOBS, OPENING_NOUNS};
use gtm_site_research::evidence::Passage;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::{fits, is_for_every_sex, is_title};

/// The items of a list that is written by hand into one text, each behind the same mark: `- Welder - Fitter`. A dash also
/// parts a title from its place, `- Welder - Leeds`, so a further item must name a job.
pub(super) fn items_by_hand(text: &str) -> Vec<&str> {
    let mut marks = DASHES.into_iter().chain(LIST_MARKS);
    let Some((mark, rest)) = marks.find_map(|mark| Some((mark, text.strip_prefix(mark)?))) else {
        return vec![text];
    };
    let mut items: Vec<&str> = rest.split(mark).map(str::trim).collect();
    let names_job =
        |item: &&str| JOBS.any_in(&words::split(&words::fold(item))) || is_for_every_sex(item);
    if DASHES.contains(&mark) && !items.iter().skip(1).any(names_job) {
        items = vec![rest.trim()];
    }
    items.retain(|item| !item.is_empty() && fits(item));
    items
}

/// Marks with a blank before each item of a list, and those that part a text elsewhere, too.
const LIST_MARKS: [&str; 2] = ["• ", "* "];
const DASHES: [&str; 2] = ["- ", "– "];

/// Headings of one level under a heading with a noun for vacancies, of which at least one is known as a title: the others
/// are some, too.
pub(super) fn under_nouns(passages: &[&Passage], titles: &BTreeMap<usize, &str>) -> Vec<usize> {
    let mut found = Vec::new();
    for (at, heading) in passages.iter().enumerate() {
        let folded = words::fold(&heading.text);
        if heading.kind != BlockKind::Heading || !OPENING_NOUNS.any_in(&words::split(&folded)) {
            continue;
        }
        let under = passages.iter().enumerate().skip(at + 1);
        let under = under.take_while(|(_, next)| {
            next.page == heading.page
                && !(next.kind == BlockKind::Heading && next.level <= heading.level)
        });
        let smaller: Vec<(usize, &&Passage)> = under
            .filter(|(_, next)| next.kind == BlockKind::Heading)
            .collect();
        let level = smaller.first().map(|(_, first)| first.level);
        let cards: Vec<(usize, &&Passage)> = smaller
            .into_iter()
            .filter(|(_, next)| Some(next.level) == level)
            .collect();
        let known = cards.iter().any(|(at, _)| titles.contains_key(at));
        if known && cards.iter().all(|(_, card)| is_title(&card.text)) {
            found.extend(cards.into_iter().map(|(at, _)| at));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_by_hand_have_marks() {
        assert_eq!(
            items_by_hand("- Schlosser/-in - Kranführer/-in"),
            ["Schlosser/-in", "Kranführer/-in"]
        );
        assert_eq!(items_by_hand("• Roofer • Mason"), ["Roofer", "Mason"]);
        assert_eq!(items_by_hand("- Welder - Fitter"), ["Welder", "Fitter"]);
        assert_eq!(items_by_hand("Roofer - Leeds"), ["Roofer - Leeds"]);
        assert_eq!(items_by_hand("- Roofer - Leeds"), ["Roofer - Leeds"]);
    }
}
