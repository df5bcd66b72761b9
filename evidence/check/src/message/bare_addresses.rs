//! Addresses of pages in a passage that are no links. Mail programs make links of them, which nobody counted or allowed.

use std::ops::Range;

use gtm_domain::message::page_addresses::{Likeness, places};

use super::passage::{Passage, Source};

/// Where words look like addresses of pages, but in the parts that are left out. A host alone counts where it is no name:
/// in parts of which `is_no_name` says so.
pub(super) fn bare_addresses(
    passage: &Passage,
    is_left_out: impl Fn(usize, Source) -> bool,
    is_no_name: impl Fn(Source) -> bool,
) -> Vec<Range<usize>> {
    let mut shown = String::with_capacity(passage.text.len());
    for (at, part) in passage.parts.iter().enumerate() {
        let text = passage.text.get(part.range.clone()).unwrap_or_default();
        match is_left_out(at, part.source) {
            true => shown.extend(std::iter::repeat_n(' ', text.len())),
            false => shown.push_str(text),
        }
    }
    let counts = |place: &Range<usize>, likeness: Likeness| match likeness {
        Likeness::Address => true,
        Likeness::HostAlone => {
            let (first, last) = (passage.part_at(place.start), passage.part_at(place.end - 1));
            let parts = passage.parts.get(first..=last).unwrap_or_default();
            parts.iter().any(|part| is_no_name(part.source))
        }
    };
    places(&shown)
        .into_iter()
        .filter(|(place, likeness)| counts(place, *likeness))
        .map(|(place, _)| place)
        .collect()
}

/// Whether this part is the address that the renderer writes behind the label of a link: `label (https://…)`.
pub(super) fn is_of_link(passage: &Passage, at: usize) -> bool {
    let part = |at: Option<usize>| {
        let part = passage.parts.get(at?)?;
        let text = passage.text.get(part.range.clone())?;
        (part.source == Source::Literal).then_some(text)
    };
    let address = part(Some(at)).unwrap_or_default();
    address.starts_with("https://")
        && !address.contains(char::is_whitespace)
        && part(at.checked_sub(1)) == Some(" (")
        && part(at.checked_add(1)) == Some(")")
}
