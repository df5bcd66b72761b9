//! Addresses of pages and mailboxes in a passage that are no links. Mail programs make links of them, which nobody counted or
//! allowed.

use std::ops::Range;

use gtm_domain::message::page_addresses::{Likeness, places};
use gtm_lexicon::legal_forms;

use super::passage::{Passage, Source};

/// Where words look like addresses of pages, but in the parts that are left out. A host alone and a mailbox count only in
/// parts that `names_no_site`, and not where the word `may_stand`.
pub(super) fn bare_addresses(
    passage: &Passage,
    is_left_out: impl Fn(usize, Source) -> bool,
    names_no_site: impl Fn(Source) -> bool,
    may_stand: impl Fn(&str) -> bool,
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
        Likeness::HostAlone | Likeness::Mailbox => {
            let (first, last) = (passage.part_at(place.start), passage.part_at(place.end - 1));
            let parts = passage.parts.get(first..=last).unwrap_or_default();
            let word = passage.text.get(place.clone()).unwrap_or_default();
            parts.iter().any(|part| names_no_site(part.source))
                && !ends_in_legal_form(word)
                && !may_stand(word)
        }
    };
    places(&shown)
        .into_iter()
        .filter(|(place, likeness)| counts(place, *likeness))
        .map(|(place, _)| place)
        .collect()
}

/// Whether it is a name such as `Meyer & Co.KG`, whose legal form is also the suffix of a country.
fn ends_in_legal_form(word: &str) -> bool {
    let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    let last = bare.rsplit('.').next().unwrap_or_default();
    last.chars().all(char::is_uppercase)
        && bare.contains(char::is_lowercase)
        && legal_forms()
            .iter()
            .any(|form| form.written.contains(&last))
}

/// Whether one of these texts has the word, other marks around it aside.
pub(super) fn is_word_of(word: &str, texts: &[String]) -> bool {
    let bare = |word: &str| {
        word.trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase()
    };
    let wanted = bare(word);
    let mut words = texts.iter().flat_map(|text| text.split_whitespace());
    words.any(|word| bare(word) == wanted)
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
