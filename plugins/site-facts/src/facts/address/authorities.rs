//! Addresses of those to whom a legal page sends complaints: who supervises, licenses, judges or mediates.

use gtm_lexicon::others::AUTHORITIES;
use gtm_lexicon::seats::NOTICES;
use gtm_site_research::words;

use super::place_in;
use crate::facts::Line;
use crate::facts::others::Own;
use crate::part::Part;
use crate::site::Site;

/// Most lines between an authority's name and its address.
const NEAR: usize = 3;
/// Fewest words before an address that make the line running text.
const RUNNING: usize = 10;

/// Whether the address in a line may be an authority's: its name stands before the address, in the line or above
/// it, and the company's does not stand between; or it stands within running text that says nothing of the
/// company.
pub fn is_of_authority(lines: &[Line<'_>], at: usize, site: &Site, own: &Own) -> bool {
    let Some(line) = lines.get(at) else {
        return false;
    };
    let town = place_in(line.text, site).map(|place| place.locality);
    let town_at = town.and_then(|town| line.text.rfind(town.as_str()));
    let before = line.text.get(..town_at.unwrap_or(line.text.len()));
    let before = before.unwrap_or_default();
    match names_authority(before, own) {
        Some(named) => named,
        None if line.part == Part::Legal && is_running(before) => {
            !NOTICES.any_in(&words::split(&words::fold(before)))
        }
        None if matches!(line.part, Part::Legal | Part::Contact) && line.main => {
            let above = lines.get(at.saturating_sub(NEAR)..at).unwrap_or_default();
            above
                .iter()
                .rev()
                .take_while(|other| other.page == line.page)
                .find_map(|other| names_authority(other.text, own))
                .unwrap_or_default()
        }
        None => false,
    }
}

/// Whether an authority is named last in a text, or the company; none if neither is.
fn names_authority(text: &str, own: &Own) -> Option<bool> {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let last = AUTHORITIES.places(&words).map(|(at, _)| at).max();
    match last {
        Some(at) => {
            let behind = words.get(at..).unwrap_or_default().join(" ");
            Some(!own.is_named_in(&behind))
        }
        None => own.is_named_in(text).then_some(false),
    }
}

/// Whether the words before an address are those of a sentence: many, and most of them small.
fn is_running(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let small = |word: &&&str| word.starts_with(char::is_lowercase);
    words.len() >= RUNNING && words.iter().filter(small).count() * 2 > words.len()
}
