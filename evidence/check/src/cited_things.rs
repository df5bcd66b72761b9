//! Things that a claim cites one by one: headings, roles on cards. Their number stands nowhere, but whoever reads the page can count.

use std::collections::BTreeMap;

use gtm_lexicon::{fold, split};

use super::basis::DraftBasis;
use super::library::Library;

/// Most words of a thing.
const LONGEST: usize = 6;
/// As many may be counted.
const COUNTED: std::ops::RangeInclusive<u64> = 2..=12;

/// How many short lines without a number each source has among those that a basis cites. One that is cited twice must stand in its
/// source twice.
pub(crate) fn cited_things(library: &Library, basis: &DraftBasis) -> Vec<u64> {
    let mut cited: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
    for excerpt in &basis.excerpts {
        let text = gtm_page_text::normalize(&excerpt.text);
        let folded = fold(&text);
        let is_thing = (1..=LONGEST).contains(&split(&folded).len())
            && !text.chars().any(char::is_numeric)
            && !text.ends_with(['.', '!', '?', '。', '！', '？']);
        if is_thing {
            let of_source = cited.entry(excerpt.receipt_id.as_str()).or_default();
            *of_source.entry(text).or_insert(0) += 1;
        }
    }
    let counts = cited.into_iter().filter_map(|(receipt, things)| {
        let stored = library.find(receipt)?;
        // A part of a line may stand anywhere; what a page lists has a line of its own.
        let lines = |text: &str| {
            let lines = stored.text.lines();
            lines.filter(|line| line.trim() == text).count()
        };
        let standing = things.iter().map(|(text, times)| (*times).min(lines(text)));
        u64::try_from(standing.sum::<usize>()).ok()
    });
    counts.filter(|count| COUNTED.contains(count)).collect()
}
