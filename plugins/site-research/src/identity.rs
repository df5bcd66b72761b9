//! Who a site says it is: its names and its language.
//!
//! A name is what several places agree on: title, first heading, the link home in the header, the copyright line,
//! structured data, metadata, and the domain. None of them is needed, and none is enough.

mod spelled;
mod titles;

use std::collections::BTreeSet;

use gtm_lexicon::company::NO_NAMES;
use gtm_page_text::{UNDETERMINED, language_of_texts, normalize};
use url::Url;

use crate::address::comparable;
use crate::instructions;
use crate::organization::{self, Subject};
use crate::page::{BlockKind, Page};
use crate::reading::Visited;
use crate::words::{self, letters};

use self::titles::{copyright_holder, joined_names, segments};
pub use self::titles::{names_a_section, without_site_words, without_words_beside};

/// Longest name, in characters.
const LONGEST: usize = 60;
/// Longest block that can be a copyright line, in characters.
const LONGEST_NOTICE: usize = 300;
/// Fewest places that must agree on a name.
const LEAST_VOTES: usize = 2;

/// A kind of place that shows a name; a name repeated in places of one kind has one vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Title,
    /// What the different titles of most pages have in common.
    Titles,
    Heading,
    HomeLink,
    /// Running text of several pages.
    Text,
    Notice,
    StructuredData,
    SiteName,
    Domain,
}

impl Place {
    /// Whether the place is there for a name. A slogan stands in title and heading too.
    fn is_for_names(self) -> bool {
        !matches!(self, Self::Title | Self::Heading | Self::Text)
    }
}

/// The name that places of the site agree on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgreedName {
    /// As the site writes it.
    pub name: String,
    /// How many kinds of places show it: 2 to 8.
    pub votes: usize,
    /// Other spellings and names that places agree on: with the legal form, or shorter.
    pub variants: Vec<String>,
}

/// The name of the company whose site this is, as far as at least two kinds of places agree on it; the domain is
/// one of them. The home page comes first.
pub fn agreed_name(pages: &[Visited], domain: &str) -> Option<AgreedName> {
    let home = &pages.first()?.page;
    let shown = texts_by_place(pages, home, domain);
    // Who has a place of a host's (`acme.github.io`) is named before it.
    let mut labels: Vec<String> = domain.split('.').rev().skip(1).map(letters).collect();
    labels.retain(|label| label.chars().count() >= 2);
    let own_texts: Vec<String> = pages
        .iter()
        .filter(|visited| visited.first_party())
        .map(|visited| {
            let blocks = visited.page.blocks.iter();
            let running = blocks.filter(|block| block.main && block.kind != BlockKind::Heading);
            let running: Vec<String> = running.map(|block| letters(&block.text)).collect();
            running.join(" ")
        })
        .collect();
    let address = letters(domain);
    // An address is what the name is typed as, not the name.
    let typed = |text: &str| text.contains('.') && letters(text).ends_with(&address);
    let mut candidates: Vec<String> = shown
        .iter()
        .map(|(_, text)| text.clone())
        .filter(|text| could_be_a_name(text) && !typed(text))
        .collect();
    // Where words have no blanks between them, the name stands in a text only without the form.
    let bare: Vec<String> = candidates
        .iter()
        .filter(|name| !name.is_ascii() && !name.contains(char::is_whitespace))
        .map(|name| without_legal_form(name).to_owned())
        .filter(|name| could_be_a_name(name))
        .collect();
    candidates.extend(bare);
    let mut known = BTreeSet::new();
    candidates.retain(|name| known.insert(letters(name)));
    let mut named: Vec<(Vec<Place>, String)> = candidates
        .into_iter()
        .map(|name| {
            let mut places: Vec<Place> = shown
                .iter()
                .filter(|(place, text)| shows(*place, text, &name))
                .map(|(place, _)| *place)
                .collect();
            if labels.iter().any(|label| resembles(&name, label)) {
                places.push(Place::Domain);
            }
            let key = letters(&name);
            let mentions = own_texts.iter().filter(|text| text.contains(&key));
            if key.chars().count() >= 3 && mentions.take(2).count() == 2 {
                places.push(Place::Text);
            }
            places.sort_unstable();
            places.dedup();
            (places, name)
        })
        .collect();
    let is_agreed = |(places, name): &(Vec<Place>, String)| {
        // A legal form makes a name of what a title or a text says.
        // A slogan stands in title and heading, but no texts speak of it.
        let spoken_of = [Place::Title, Place::Heading, Place::Text]
            .iter()
            .all(|place| places.contains(place));
        let is_name = without_legal_form(name) != name
            || spoken_of
            || places.iter().any(|place| place.is_for_names());
        places.len() >= LEAST_VOTES && is_name
    };
    // The sort is stable: of names with as many votes, the one found first wins.
    named.sort_by_key(|(places, name)| {
        std::cmp::Reverse((
            !names_a_section(name, &labels),
            places.len(),
            places.iter().filter(|place| place.is_for_names()).count(),
        ))
    });
    let mut at = named.iter().position(is_agreed)?;
    // A part of the name has the votes of the whole: the society of a branch, one of two companies. The whole
    // is the name if the domain is called so, or if it joins two.
    let part = letters(&named.get(at)?.1);
    let is_whole = |(places, name): &(Vec<Place>, String)| {
        let key = letters(name);
        let joint = joined_names(name).is_some() && places.iter().any(|place| place.is_for_names());
        key != part && key.contains(&part) && (labels.contains(&key) || joint)
    };
    let whole = named.iter().position(|one| is_agreed(one) && is_whole(one));
    at = whole.unwrap_or(at);
    let (places, mut name) = named.remove(at);
    let votes = places.len();
    // A company is called by its name without the legal form; what is left of a form in several parts (`Pvt`) is
    // no end of a name.
    let bare = without_legal_form(&name);
    let whole = bare
        .split_whitespace()
        .next_back()
        .is_some_and(|last| last.chars().count() > 3 || !last.is_ascii());
    if bare != name && whole {
        let bare = bare.to_owned();
        named.insert(0, (places, std::mem::replace(&mut name, bare)));
    }
    let former = spelled::put_instead(&mut name, pages, &shown, &labels);
    let key = letters(&name);
    let variants = named
        .into_iter()
        .filter(|one| {
            let other = letters(&one.1);
            letters(without_legal_form(&one.1)) == key
                || (is_agreed(one) && (other.contains(&key) || key.contains(&other)))
        })
        .map(|(_, other)| other)
        .chain(former)
        .filter(|other| *other != name)
        .collect();
    if let Some(own) = name_in_own_script(&name, pages, home) {
        name = own;
    }
    if let Some((written, _)) = as_texts_write(&name, pages) {
        name = written;
    }
    Some(AgreedName {
        name,
        votes,
        variants,
    })
}

/// The registered name in the script of the site's texts, without its form, where the site's title is in that script and
/// names it: a notice may have a rendering in Latin letters.
fn name_in_own_script(name: &str, pages: &[Visited], home: &Page) -> Option<String> {
    let title = letters(home.title.as_deref()?);
    if !name.is_ascii() || title.contains(&letters(name)) {
        return None;
    }
    let own = pages.iter().filter(|visited| visited.first_party());
    let texts = own.flat_map(|visited| &visited.page.blocks);
    let words = texts.flat_map(|block| block.text.split(|c: char| !c.is_alphanumeric()));
    let bare = words
        .filter(|word| !word.is_ascii() && word.chars().count() <= LONGEST)
        .map(|word| (word, without_legal_form(word)))
        .filter(|(word, bare)| word != bare && !bare.contains(|c: char| c.is_ascii_alphabetic()))
        .map(|(_, bare)| bare);
    let mut named = bare.filter(|bare| could_be_a_name(bare) && title.contains(&letters(bare)));
    named.next().map(str::to_owned)
}

/// A name in capitals as running texts write it, and the page that does, unless they write it in capitals more often.
pub fn as_texts_write(name: &str, pages: &[Visited]) -> Option<(String, usize)> {
    let is_small = |text: &str| text.contains(char::is_lowercase);
    if is_small(name) || name.chars().filter(|c| c.is_uppercase()).count() < 4 {
        return None;
    }
    let wanted = name.to_ascii_lowercase();
    let (mut capitals, mut others) = (0usize, Vec::new());
    for (page, visited) in pages
        .iter()
        .enumerate()
        .filter(|(_, one)| one.first_party())
    {
        let running = visited.page.blocks.iter();
        let running =
            running.filter(|block| block.kind == BlockKind::Paragraph && is_small(&block.text));
        for text in running.map(|block| block.text.as_str()) {
            for (at, _) in text.to_ascii_lowercase().match_indices(&wanted) {
                let written = text.get(at..at + wanted.len()).unwrap_or_default();
                match is_small(written) && written.starts_with(char::is_uppercase) {
                    true => others.push((written.to_owned(), page)),
                    false => capitals += 1,
                }
            }
        }
    }
    (others.len() > capitals)
        .then(|| others.into_iter().next())
        .flatten()
}

/// Texts that may be or contain the name, with the place of each; the surest places first.
fn texts_by_place(pages: &[Visited], home: &Page, domain: &str) -> Vec<(Place, String)> {
    let mut found: Vec<(Place, String)> = Vec::new();
    for key in ["og:site_name", "application-name"] {
        let name = home.metadata.get(key).and_then(serde_json::Value::as_str);
        found.extend(name.map(|name| (Place::SiteName, normalize(name))));
    }
    for text in home_links(home, false) {
        found.push((Place::HomeLink, text));
    }
    let own = || pages.iter().filter(|visited| visited.first_party());
    for block in own().flat_map(|visited| &visited.page.blocks) {
        if block.text.chars().count() <= LONGEST_NOTICE
            && let Some(holder) = copyright_holder(&block.text)
            && !found.contains(&(Place::Notice, holder.clone()))
        {
            found.push((Place::Notice, holder));
        }
    }
    let titles: Vec<&str> = own()
        .filter_map(|visited| visited.page.title.as_deref())
        .collect();
    let distinct = titles.iter().collect::<BTreeSet<_>>().len();
    if let Some(both) = home.title.as_deref().and_then(joined_names) {
        found.push((Place::Title, both.to_owned()));
    }
    for segment in home.title.as_deref().map(segments).unwrap_or_default() {
        let key = letters(segment);
        let has_it = |title: &&&str| segments(title).iter().any(|other| letters(other) == key);
        let of_pages = titles.iter().filter(has_it).count();
        if distinct >= 3 && of_pages >= 3 && of_pages * 2 > titles.len() {
            found.push((Place::Titles, segment.to_owned()));
        }
        found.push((Place::Title, segment.to_owned()));
        if let Some((before, _)) = segment.split_once([',', '、', '(', '（']) {
            found.push((Place::Title, before.trim().to_owned()));
        }
    }
    let mut headings = home
        .blocks
        .iter()
        .filter(|block| block.kind == BlockKind::Heading);
    let first = home
        .blocks
        .iter()
        .find(|block| block.kind == BlockKind::Heading && block.level == Some(1))
        .or_else(|| headings.next());
    found.extend(first.map(|heading| (Place::Heading, heading.text.clone())));
    // A node without an address is about the site if it is called what the site is called elsewhere.
    let names: Vec<String> = found
        .iter()
        .map(|(_, text)| text.clone())
        .filter(|text| could_be_a_name(text))
        .collect();
    if let (Ok(address), Some(visited)) = (Url::parse(&home.final_url), pages.first()) {
        let subject = Subject::new(&address, domain, &names);
        for members in organization::about_this_site(visited, &[], &subject) {
            for member in ["name", "legalName"] {
                let texts = organization::texts(members, member);
                found.extend(texts.into_iter().map(|text| (Place::StructuredData, text)));
            }
        }
    }
    found
}

/// Whether a text of this place shows the name: as a whole, or as words of a longer text.
fn shows(place: Place, text: &str, name: &str) -> bool {
    let (whole, part) = (letters(text), letters(name));
    if whole == part {
        return true;
    }
    let (text, name) = (words::fold(text), words::fold(name));
    let (text, name) = (words::split(&text), words::split(&name));
    let written_apart = part.chars().count() >= 3
        && !name.is_empty()
        && text
            .windows(name.len())
            .any(|window| window == name.as_slice());
    match place {
        // A site's name for itself is the whole text.
        Place::SiteName | Place::StructuredData => without_legal_form_letters(&whole, &part),
        Place::Domain => false,
        // Scripts without blanks: a name of three signs is hardly part of another word.
        _ => {
            written_apart
                || (!part.is_ascii() && part.chars().count() >= 3 && whole.contains(&part))
        }
    }
}

fn without_legal_form_letters(whole: &str, part: &str) -> bool {
    gtm_lexicon::legal_forms()
        .iter()
        .flat_map(|form| form.written)
        .map(|form| letters(form))
        .any(|form| {
            whole.strip_suffix(form.as_str()) == Some(part)
                || whole.strip_prefix(form.as_str()) == Some(part)
        })
}

/// A name without the legal form at its end or, in some languages, at its beginning.
fn without_legal_form(name: &str) -> &str {
    let forms = gtm_lexicon::legal_forms();
    let stripped = forms
        .iter()
        .flat_map(|form| form.written)
        .filter_map(|form| {
            let head = name.get(..name.len().checked_sub(form.len())?)?;
            let tail = name.get(head.len()..)?;
            let parted = head.ends_with([' ', ',', '\u{a0}']) || !form.is_ascii();
            let ends = tail.eq_ignore_ascii_case(form) && parted;
            let begins = !form.is_ascii() && name.starts_with(form);
            match (ends, begins) {
                (true, _) => Some(head),
                (_, true) => name.get(form.len()..),
                _ => None,
            }
        })
        .map(|rest| rest.trim_matches([' ', ',', '\u{a0}', '\u{3000}']))
        .filter(|rest| !rest.is_empty())
        .min_by_key(|rest| rest.len());
    stripped.unwrap_or(name)
}

fn could_be_a_name(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let key = letters(text).chars().count();
    (1..=6).contains(&words.len())
        && (2..=LONGEST).contains(&key)
        && words
            .iter()
            .any(|word| word.chars().any(char::is_alphabetic))
        && !text.ends_with(['!', '?', '。', '…'])
        && !NO_NAMES.contains(&words.join(" "))
        && !instructions::addressed_to_a_model(text)
}

/// Whether a name and a label of the domain are one: one contains the other, or the label is made of the name's
/// initials, of one long word of it, or of several.
fn resembles(name: &str, label: &str) -> bool {
    let key = letters(name);
    if !key.is_ascii() {
        return false;
    }
    let folded = words::fold(name);
    let words = words::split(&folded);
    let initials: String = words
        .iter()
        .filter_map(|word| word.chars().next())
        .collect();
    let shared = words
        .iter()
        .filter(|word| word.len() >= 3 && label.contains(**word))
        .count();
    let contained =
        key.len() >= 3 && label.len() >= 3 && (key.contains(label) || label.contains(&key));
    let most = words
        .iter()
        .any(|word| word.len() >= 5 && word.len() * 2 >= label.len() && label.contains(*word));
    contained || most || (initials.len() >= 2 && initials == label) || shared >= 2
}

/// Texts of the home page's links to itself, perhaps of those in a navigation only: usually the company's name, or what its
/// logo is called.
pub fn home_links(home: &Page, in_navigation: bool) -> Vec<String> {
    let Ok(own) = Url::parse(&home.final_url) else {
        return Vec::new();
    };
    let mut texts: Vec<String> = home
        .links
        .iter()
        .filter(|link| link.navigation || !in_navigation)
        .filter(|link| Url::parse(&link.url).is_ok_and(|url| comparable(&url) == comparable(&own)))
        // A line of copyright may lead home, too.
        .map(|link| copyright_holder(&link.text).unwrap_or_else(|| link.text.clone()))
        .map(|text| without_words_beside(&text))
        .filter(|text| !text.is_empty())
        .collect();
    texts.dedup();
    texts
}

/// Names that the site gives the company, the best first: what its places agree on, then what the home page
/// declares. `domain` is the company's own.
pub fn declared_names(pages: &[Visited], domain: &str) -> Vec<String> {
    let Some(visited) = pages.first() else {
        return Vec::new();
    };
    let home = &visited.page;
    let agreed = agreed_name(pages, domain);
    let site_name = own_site_name(home);
    let known: Vec<String> = site_name
        .iter()
        .cloned()
        .chain(agreed.iter().map(|agreed| agreed.name.clone()))
        .collect();
    let declared = Url::parse(&home.final_url).ok().and_then(|address| {
        let subject = Subject::new(&address, domain, &known);
        organization::about_this_site(visited, &[], &subject)
            .into_iter()
            .find_map(|members| organization::texts(members, "name").into_iter().next())
    });
    let agreed = agreed
        .into_iter()
        .flat_map(|agreed| std::iter::once(agreed.name).chain(agreed.variants));
    let mut seen = BTreeSet::new();
    // Danger: a site's name for itself is untrusted text. So it must be short, on one line, and not
    // addressed to a model.
    agreed
        .chain(declared)
        .chain(site_name)
        .chain(spelled::name(pages, domain))
        .map(|name| name.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|name| !name.is_empty() && name.chars().count() <= 80)
        .filter(|name| words::split(name).len() <= 8 && !instructions::addressed_to_a_model(name))
        .filter(|name| seen.insert(name.clone()))
        .collect()
}

/// The site's name in its metadata. A connector may have taken it from structured data, which names other
/// companies too; that is checked separately.
fn own_site_name(home: &Page) -> Option<String> {
    let name = home.site_name.clone()?;
    let of_metadata = ["og:site_name", "application-name"]
        .iter()
        .any(|key| home.metadata.get(*key).and_then(serde_json::Value::as_str) == Some(&name));
    let of_data = home
        .json_ld_objects()
        .iter()
        .any(|object| organization::texts(object, "name").contains(&name));
    (of_metadata || !of_data).then_some(name)
}

/// Language of the site: what its text shows; what the home page declares is a tie-break.
pub fn site_language(pages: &[Visited]) -> String {
    let declared = pages.first().and_then(|home| home.page.language.as_deref());
    let own = pages.iter().filter(|visited| visited.first_party());
    let texts = own.flat_map(|visited| {
        let marked = visited.page.blocks.iter().any(|block| block.main);
        let blocks = visited.page.blocks.iter();
        blocks.filter(move |block| block.main || !marked)
    });
    language_of_texts(declared, texts.map(|block| block.text.as_str()))
        .unwrap_or_else(|| UNDETERMINED.to_owned())
}

#[cfg(test)]
mod tests;
