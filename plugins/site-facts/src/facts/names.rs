//! The brand's name.

use gtm_lexicon::company::{NO_NAMES, TRADE_NAME_LABELS};
use gtm_lexicon::numbers::is_unspaced;
use gtm_site_research::claim::Claim;
use gtm_site_research::fixed_texts::NAME_GIVEN;
use gtm_site_research::identity::{
    as_texts_write, home_links, names_a_section, without_site_words, without_words_beside,
};
use gtm_site_research::instructions;
use gtm_site_research::page::{BlockKind, Page};
use gtm_site_research::words;

use super::{legal_names, letters};
use crate::part::Part;
use crate::site::Site;

/// Marks that separate the parts of a page's title.
const TITLE_MARKS: &[&str] = &[
    " | ", " – ", " — ", " - ", " · ", " • ", " :: ", ": ", " » ", "｜", "|", "：",
];

/// What a name loses that is called after one purpose of a company's site, such as finding staff.
const ONE_PURPOSE: i32 = 8;

/// A kind of place that shows the brand's name. A name in several kinds of places is more reliable; repeats
/// within one kind add nothing, since a footer appears on every page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    StructuredData,
    /// Behind a label for it.
    Labelled,
    SiteName,
    ApplicationName,
    /// A segment shared by the titles of most pages.
    Titles,
    HomeTitle,
    HomeLink,
    Heading,
    Picture,
    Notice,
}

impl Place {
    fn worth(self) -> i32 {
        match self {
            Self::StructuredData => 6,
            Self::Labelled | Self::SiteName => 5,
            Self::Titles | Self::HomeLink => 4,
            Self::ApplicationName => 3,
            Self::HomeTitle | Self::Heading | Self::Picture | Self::Notice => 2,
        }
    }
}

struct Named {
    text: String,
    page: usize,
    places: Vec<Place>,
}

impl Named {
    fn score(&self) -> i32 {
        let best = self.places.iter().map(|place| place.worth()).max();
        let further = i32::try_from(self.places.len()).unwrap_or(0) - 1;
        best.unwrap_or(0) + further
    }
}

/// Candidate names with the places that show them.
#[derive(Default)]
struct Candidates {
    found: Vec<Named>,
    domain: String,
}

impl Candidates {
    fn add(&mut self, text: &str, page: usize, place: Place) {
        let text = gtm_page_text::normalize(without_site_words(text.trim()));
        let folded = words::fold(&text);
        let split = words::split(&folded);
        // A name that is the address says only where the site is.
        let address = text.contains('.') && gtm_page_text::bare_host(&folded) == self.domain;
        let fits = (1..=6).contains(&split.len()) && text.chars().count() <= 60 && !address;
        if !fits || is_generic(&text) || instructions::addressed_to_a_model(&text) {
            return;
        }
        let key = letters(&text);
        match self
            .found
            .iter_mut()
            .find(|known| letters(&known.text) == key)
        {
            Some(known) if known.places.contains(&place) => {}
            Some(known) => known.places.push(place),
            None => self.found.push(Named {
                text,
                page,
                places: vec![place],
            }),
        }
    }
}

/// Whether a text could appear on any site, whatever the brand.
pub fn is_generic(text: &str) -> bool {
    let folded = words::fold(text);
    NO_NAMES.contains(&words::split(&folded).join(" "))
}

/// Whether two words of a name appear in the domain, as those of "Tarn Valve Works" do in `tarnvalves`.
fn shares_words(name: &str, label: &str) -> bool {
    let folded = words::fold(name);
    let shared = words::split(&folded)
        .into_iter()
        .filter(|word| word.chars().count() >= 3 && label.contains(word));
    shared.count() >= 2
}

/// The brand's name according to structured data, metadata, titles, first heading and notices.
pub fn name(written: Option<&str>, site: &Site) -> Option<Claim> {
    let home = site.research.pages.first().map(|visited| &visited.page)?;
    let label = site
        .label()
        .map(|label| letters(&label))
        .filter(|label| !label.is_empty());
    let given = written.map(letters);
    let candidates = candidates(site, home, label.as_deref(), given.as_deref());
    let shown = words::fold(&home.text());
    let mut scored: Vec<(i32, Named)> = candidates
        .found
        .into_iter()
        .map(|named| {
            let key = letters(&named.text);
            let mut score = named.score();
            let labels: Vec<String> = label.clone().into_iter().collect();
            if names_a_section(&named.text, &labels) {
                score -= ONE_PURPOSE;
            }
            if let Some(label) = label.as_deref() {
                score += if key == label {
                    4
                } else if key.contains(label) || label.contains(&key) {
                    2
                } else {
                    0
                };
            }
            // A domain has Latin letters only: it says nothing against a name in another script.
            let is_agreed = site
                .research
                .names
                .first()
                .is_some_and(|name| letters(name) == key);
            if is_agreed && !key.is_ascii() && !key.contains(|c: char| c.is_ascii_alphabetic()) {
                score += 4;
            }
            if shown.contains(words::fold(&named.text).as_str()) {
                score += 3;
            }
            if let Some(given) = given.as_deref() {
                score += if given == key {
                    6
                } else if given.contains(&key) || key.contains(given) {
                    3
                } else {
                    0
                };
            }
            (score, named)
        })
        .collect();
    // The sort is stable: among equal scores, the name found first wins.
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    match scored.into_iter().next() {
        Some((score, best)) if score >= 4 => {
            let written = as_texts_write(&best.text, &site.research.pages);
            let (text, page) = written.unwrap_or((best.text, best.page));
            Some(Claim::quoted(&text, page))
        }
        _ => name_given(written, site),
    }
}

/// The caller's name for the brand; it cites a page that shows the name, if one does.
fn name_given(given: Option<&str>, site: &Site) -> Option<Claim> {
    let given = given?;
    let folded = words::fold(given);
    let carrier = site
        .own_pages()
        .find(|(_, _, content)| words::fold(&content.text()).contains(&folded));
    Some(match carrier {
        Some((page, ..)) => Claim::quoted(given, page),
        None => Claim::provided(given, NAME_GIVEN.in_language(&site.research.language)),
    })
}

fn candidates(site: &Site, home: &Page, label: Option<&str>, given: Option<&str>) -> Candidates {
    let mut found = Candidates {
        domain: site.research.domain.to_lowercase(),
        ..Candidates::default()
    };
    for organization in &site.organizations {
        for text in organization.texts("name") {
            // With its legal form, it is the registered name, which may be longer than the brand's.
            let bare = legal_names::without_form(&text);
            let place = if bare == text {
                Place::StructuredData
            } else {
                Place::ApplicationName
            };
            found.add(bare, organization.page, place);
        }
    }
    let metadata = |name: &str| home.metadata.get(name).and_then(|value| value.as_str());
    // The name that several places of the home page agree on.
    let agreed = site.research.names.first().filter(|name| {
        let key = letters(name);
        given != Some(key.as_str())
    });
    if let Some(name) = agreed {
        found.add(legal_names::without_form(name), 0, Place::SiteName);
    }
    // Don't use the page's `site_name`: it may come from structured data about another company.
    if let Some(name) = metadata("og:site_name") {
        found.add(name, 0, Place::SiteName);
    }
    if let Some(name) = metadata("application-name") {
        found.add(name, 0, Place::ApplicationName);
    }
    for (text, page) in shared_by_titles(site) {
        found.add(&text, page, Place::Titles);
    }
    let title = home.title.as_deref().unwrap_or_default();
    // A title segment may be a motto, so it counts only if the domain or the caller confirms it.
    for segment in segments(title) {
        let alike = |text: &str, known: Option<&str>| {
            let key = letters(text);
            !key.is_empty()
                && known.is_some_and(|known| key.contains(known) || known.contains(&key))
        };
        let named = |text: &str| {
            alike(text, label)
                || label.is_some_and(|label| shares_words(text, label))
                || alike(text, given)
        };
        // `Acme, signals for regional lines`: if the text before the comma is a name, use only that.
        let before_comma = segment.split(',').next().map(str::trim);
        match before_comma.filter(|before| *before != segment && named(before)) {
            Some(before) => found.add(before, 0, Place::HomeTitle),
            None if named(segment)
                || label.is_none() && segment.split_whitespace().count() <= 3 =>
            {
                found.add(segment, 0, Place::HomeTitle);
            }
            None => {}
        }
    }
    // A registered name in title or first heading is the company's, whatever the domain is called.
    let first = home.blocks.iter().filter(|block| block.level == Some(1));
    for (text, place) in std::iter::once((title, Place::Titles))
        .chain(first.map(|block| (block.text.as_str(), Place::HomeLink)))
    {
        for legal in legal_names::find(text) {
            found.add(legal_names::without_form(legal), 0, place);
        }
    }
    let title = letters(title);
    let confirmed = |text: &str| {
        let key = letters(text);
        !key.is_empty() && (title.contains(&key) || label.is_some_and(|label| key == label))
    };
    for text in home_links(home, true) {
        if confirmed(&text) {
            found.add(&text, 0, Place::HomeLink);
        }
    }
    // A short heading or image text counts only if the domain or the title confirms it.
    let headings = home
        .blocks
        .iter()
        .filter(|block| block.kind == BlockKind::Heading && block.level == Some(1))
        .map(|block| (block.text.as_str(), Place::Heading));
    let pictures = site
        .styled
        .iter()
        .flat_map(|styled| &styled.markup.images)
        .filter(|image| image.in_home_link)
        .filter_map(|image| image.alt.as_deref())
        .map(|alt| (alt, Place::Picture));
    for (text, place) in headings.chain(pictures) {
        let text = without_words_beside(text);
        if text.split_whitespace().count() <= 3
            && label.is_some_and(|label| letters(&text).contains(label))
        {
            found.add(&text, 0, place);
        }
    }
    for (name, page) in labelled(site) {
        found.add(name, page, Place::Labelled);
    }
    for (page, _, content) in site.own_pages() {
        for block in &content.blocks {
            if block.text.chars().count() > 300 {
                continue;
            }
            let notice = block.text.contains(['©', '®']);
            for legal in legal_names::find(&block.text) {
                let bare = legal_names::without_form(legal);
                // Elsewhere, a registered name counts if the domain is called so.
                if notice || label == Some(letters(bare).as_str()) {
                    found.add(bare, page, Place::Notice);
                }
            }
        }
    }
    found
}

/// What stands behind or below a label for the name under which a house trades: `屋号 みどり製パン所`, `Trading name: Acme`.
fn labelled(site: &Site) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    let is_label = |text: &str| TRADE_NAME_LABELS.are(&words::split(&words::fold(text)));
    let pages = site.own_pages().filter(|(_, part, _)| {
        matches!(
            part,
            Part::Home | Part::About | Part::Legal | Part::Contact | Part::Other
        )
    });
    for (page, _, content) in pages {
        for (at, block) in content.blocks.iter().enumerate() {
            let text = block.text.trim();
            if block.form || text.chars().count() > LONGEST_ROW {
                continue;
            }
            // A blank alone parts a label from its name only where words have no blanks, or between cells: `Enseigne
            // lumineuse` is a sign with lights.
            let by_blank = || {
                let (label, value) = text.split_once(' ')?;
                let in_cells = block.kind == BlockKind::TableRow
                    && value.starts_with(|c: char| c.is_uppercase() || !c.is_alphabetic());
                (label.chars().all(is_unspaced) || in_cells).then_some((label, value))
            };
            let row = text.split_once([':', '：']).or_else(by_blank);
            let inside = row
                .filter(|(label, _)| is_label(label))
                .map(|(_, value)| value.trim());
            let below = || {
                let next = content.blocks.get(at + 1)?;
                let value = next.text.trim();
                let fits = block.kind != BlockKind::Heading && next.kind != BlockKind::Heading;
                (fits && is_label(text) && value.chars().count() <= LONGEST_ROW).then_some(value)
            };
            found.extend(inside.or_else(below).map(|name| (name, page)));
        }
    }
    found
}

/// Most characters of a row with the name of a house.
const LONGEST_ROW: usize = 60;

/// Segments shared by the titles of most pages: what the titles have in common is the site's name.
fn shared_by_titles(site: &Site) -> Vec<(String, usize)> {
    let mut counts: Vec<(String, String, usize, usize)> = Vec::new();
    let mut pages = 0;
    for (page, _, content) in site.own_pages() {
        let Some(title) = &content.title else {
            continue;
        };
        pages += 1;
        let mut seen: Vec<String> = Vec::new();
        for segment in segments(title) {
            let key = letters(segment);
            if key.is_empty() || seen.contains(&key) {
                continue;
            }
            match counts.iter_mut().find(|(known, ..)| *known == key) {
                Some((.., count)) => *count += 1,
                None => counts.push((key.clone(), segment.to_owned(), page, 1)),
            }
            seen.push(key);
        }
    }
    counts.sort_by_key(|(.., count)| std::cmp::Reverse(*count));
    counts
        .into_iter()
        .filter(|(.., count)| *count >= 3 && *count * 2 > pages)
        .take(2)
        .map(|(_, text, page, _)| (text, page))
        .collect()
}

/// The segments of a title, in order.
pub fn segments(title: &str) -> Vec<&str> {
    let mut parts = vec![title];
    for mark in TITLE_MARKS {
        parts = parts
            .into_iter()
            .flat_map(|part| part.split(mark))
            .collect();
    }
    parts
        .into_iter()
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect()
}

/// The company's own registered names on its pages: those that begin like the brand's name.
pub fn registered(site: &Site, brand: &str) -> Vec<String> {
    let first = |name: &str| {
        let folded = words::fold(name);
        words::split(&folded).first().map(|word| (*word).to_owned())
    };
    let own = first(brand).filter(|word| word.chars().count() >= 3);
    let label = site.label().map(|label| letters(&label));
    let mut found: Vec<String> = Vec::new();
    for (_, part, content) in site.own_pages() {
        for block in &content.blocks {
            let begins = || {
                legal_names::find(&block.text)
                    .first()
                    .is_some_and(|name| block.text.starts_with(name))
            };
            let notice =
                matches!(part, Part::Legal | Part::Contact) || block.text.contains('©') || begins();
            if !notice || block.text.chars().count() > 300 || found.len() >= 4 {
                continue;
            }
            for legal in legal_names::find(&block.text) {
                let name = legal_names::without_form(legal);
                let key = letters(name);
                let alike = label
                    .as_deref()
                    .is_some_and(|label| key == label || key.len() >= 4 && label.contains(&key));
                if (own.is_some() && first(name) == own || alike)
                    && !found.iter().any(|known| known == name)
                {
                    found.push(name.to_owned());
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_fall_into_segments() {
        assert_eq!(
            segments("Acme Rail – Signals for regional lines | Home"),
            ["Acme Rail", "Signals for regional lines", "Home"]
        );
        assert!(segments("  ").is_empty());
    }
}
