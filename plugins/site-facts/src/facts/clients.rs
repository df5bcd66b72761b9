//! Names of customers: rows of names or of logos under a heading for them, and labels with lists of them.

mod labelled;

use std::collections::BTreeSet;

use gtm_lexicon::company::BESIDE_NAMES;
use gtm_lexicon::numbers::is_unspaced;
use gtm_lexicon::proofs::{CUSTOMER_HEADINGS, PRAISED_BY};
use gtm_lexicon::segments::NO_NAMES;
use gtm_page_text::primary_language;
use gtm_site_research::boilerplate;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::customers::is_kind;
use super::legal_names;
use super::others::Own;
use super::topics;
use crate::part::Part;
use crate::site::Site;

/// Most customers kept.
pub const MOST: usize = 12;
/// Fewest names of a row; of names with their legal forms, two are enough.
const LEAST: usize = 3;
const LEAST_REGISTERED: usize = 2;
/// Fewest names of a row on a page about customers whose heading says nothing.
const LEAST_OF_PAGE: usize = 5;
/// Most words, and characters, of a name.
const LONGEST: usize = 6;
const NAME: std::ops::RangeInclusive<usize> = 2..=60;
/// Most words of a heading over names.
const LONGEST_HEADING: usize = 10;
/// Most words of a label in the row of a table.
const LONGEST_LABEL: usize = 3;
/// Most passages of a row.
const LONGEST_ROW: usize = 200;
/// Fewest words of a text below a heading.
const LEAST_OF_TEXT: usize = 3;
/// Most passages of text between a heading and its row.
const MOST_LEADS: usize = 2;

/// Endings of names of files with pictures.
const PICTURES: [&str; 7] = [".png", ".jpg", ".jpeg", ".svg", ".webp", ".gif", ".avif"];

/// A customer, where the page names it.
#[derive(Debug, PartialEq, Eq)]
pub struct Customer {
    /// The name, verbatim.
    pub name: String,
    /// Index of the page.
    pub page: usize,
    /// The text that has the name.
    pub carrier: String,
}

/// What a heading says of the names under it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heading {
    /// They may be customers or groups of customers: `Our customers`.
    OfCustomers,
    /// They have names: `Trusted by`.
    OfNames,
}

/// The customers that the site names.
pub fn named(site: &Site, evidence: &Evidence) -> Vec<Customer> {
    let own = Own::new(site, None);
    let tells = |page: usize| {
        let part = site.part(page);
        !matches!(part, Part::External | Part::Legal | Part::Careers)
    };
    let rows = Rows {
        language: primary_language(&site.research.language),
        common: common_words(evidence),
    };
    let mut found: Vec<Customer> = Vec::new();
    for customer in labelled::customers(site, evidence) {
        if !found.iter().any(|known| known.name == customer.name) && found.len() < MOST {
            found.push(customer);
        }
    }
    let mut add = |heading: Heading, names: Vec<(&str, &str)>, page: usize| {
        let names: Vec<(&str, &str)> = names
            .into_iter()
            .filter(|(name, _)| !own.is_named_in(name))
            .collect();
        if !rows.are_customers(heading, &names) || is_menu(site, page, &names) {
            return;
        }
        for (name, carrier) in names {
            let key = words::fold(name);
            let known = found.iter().any(|known| words::fold(&known.name) == key);
            if !known && found.len() < MOST {
                found.push(Customer {
                    name: name.to_owned(),
                    page,
                    carrier: carrier.to_owned(),
                });
            }
        }
    };
    let pages = site.own_pages().map(|(page, ..)| page);
    let of_pages: BTreeSet<usize> = pages
        .filter(|page| topics::is_called(site, *page, &CUSTOMER_HEADINGS))
        .collect();
    for (at, passage) in evidence.passages.iter().enumerate() {
        if !tells(passage.page) {
            continue;
        }
        if let Some(list) = behind_label(passage) {
            let names = split(list).into_iter().filter(|name| may_name(name));
            let names = names.map(|name| (name, passage.text.as_str()));
            add(Heading::OfCustomers, names.collect(), passage.page);
            continue;
        }
        let rest = evidence.passages.get(at + 1..).unwrap_or_default();
        if let Some(heading) = announces(&passage.text).filter(|_| heads(passage, site)) {
            add(heading, row(passage, rest), passage.page);
        } else if passage.kind == BlockKind::Heading {
            let above = at
                .checked_sub(1)
                .and_then(|above| evidence.passages.get(above));
            let label = above.filter(|above| is_label(above, passage));
            let names = row(passage, rest);
            if let Some(heading) = label.and_then(|label| announces(&label.text)) {
                add(heading, names, passage.page);
            } else if of_pages.contains(&passage.page) && names.len() >= LEAST_OF_PAGE {
                add(Heading::OfNames, names, passage.page);
            }
        }
    }
    for styled in site.styled.iter().filter(|styled| tells(styled.page)) {
        for row in &styled.markup.picture_rows {
            let above = [&row.heading, &row.line].into_iter().flatten();
            if let Some(heading) = above.filter_map(|text| announces(text)).next_back() {
                let names = row.names.iter();
                // What is called a logo has a name.
                let is_logo =
                    |alt: &String| of_logo(alt).is_some_and(|name| name.len() < alt.len());
                let heading = match row.names.iter().filter(|alt| is_logo(alt)).count() * 2 {
                    logos if logos >= row.names.len() => Heading::OfNames,
                    _ => heading,
                };
                let names = names.filter_map(|alt| Some((of_logo(alt)?, &**alt)));
                add(heading, names.collect(), styled.page);
            }
        }
    }
    found
}

/// Whether a name of a row is the text of a link in a navigation.
fn is_menu(site: &Site, page: usize, names: &[(&str, &str)]) -> bool {
    let page = site.research.pages.get(page);
    let links = page.into_iter().flat_map(|visited| &visited.page.links);
    let menu: BTreeSet<&str> = links
        .filter(|link| link.navigation)
        .map(|link| link.text.as_str())
        .collect();
    names.iter().any(|(name, _)| menu.contains(name))
}

/// Whether a line right above a heading says what stands under it.
fn is_label(above: &Passage, heading: &Passage) -> bool {
    above.page == heading.page
        && above.block + 1 == heading.block
        && above.main
        && matches!(above.kind, BlockKind::Other | BlockKind::Paragraph)
}

/// What a heading announces, if it says nothing else.
fn announces(text: &str) -> Option<Heading> {
    let are = |text: &str| {
        let folded = words::fold(text);
        CUSTOMER_HEADINGS.are(&words::split(&folded))
    };
    let folded = words::fold(text);
    let words = words::split(&folded);
    if words.len() > LONGEST_HEADING {
        None
    } else if PRAISED_BY.are(&words) {
        Some(Heading::OfNames)
    } else {
        let opening = text
            .split([',', ':', '：', '–', '—', '|', '(', '（'])
            .next();
        [Some(text), opening]
            .into_iter()
            .flatten()
            .any(are)
            .then_some(Heading::OfCustomers)
    }
}

/// Whether a passage may head what follows it: a heading, or a line that is no link to such a place.
fn heads(passage: &Passage, site: &Site) -> bool {
    let is_link = || {
        let page = site.research.pages.get(passage.page);
        page.is_none_or(|visited| {
            let mut links = visited.page.links.iter();
            links.any(|link| link.text == passage.text)
        })
    };
    passage.kind == BlockKind::Heading || !is_link()
}

/// The names right under a heading, each with the text that has it: a row of blocks of one kind, or a list in one block.
pub fn row<'a>(heading: &Passage, rest: &'a [Passage]) -> Vec<(&'a str, &'a str)> {
    let follows = |at: usize, passage: &Passage| {
        passage.page == heading.page && passage.block == heading.block + 1 + at
    };
    let rest: Vec<&Passage> = rest
        .iter()
        .take(LONGEST_ROW)
        .enumerate()
        .take_while(|(at, passage)| follows(*at, passage))
        .map(|(_, passage)| passage)
        .collect();
    let is_lead = |passage: &&&Passage| {
        passage.kind != BlockKind::Heading && passage.text.ends_with(['.', ':', '。', '：', '!'])
    };
    let leads = rest.iter().take(MOST_LEADS).take_while(is_lead).count();
    let Some(first) = rest.get(leads) else {
        return Vec::new();
    };
    let listed = split(&first.text);
    // `Globex, Leeds` above others like it is one of a row.
    let of_row = rest
        .iter()
        .skip(leads)
        .take(LEAST)
        .filter(|next| next.kind == first.kind && split(&next.text).len() <= LEAST_REGISTERED);
    let in_row = listed.len() == LEAST_REGISTERED && of_row.count() == LEAST;
    if listed.len() >= LEAST_REGISTERED && first.kind != BlockKind::Heading && !in_row {
        let names = listed.into_iter().filter(|name| may_name(name));
        return names.map(|name| (name, first.text.as_str())).collect();
    }
    // A name between sentences is somebody's who says them, not one of a row.
    let fits = |passage: &&&Passage| {
        passage.kind == first.kind
            && may_name(&passage.text)
            && (passage.kind != BlockKind::Heading || passage.level > heading.level)
    };
    let mut names: Vec<&'a str> = rest
        .iter()
        .skip(leads)
        .take_while(fits)
        .map(|passage| passage.text.as_str())
        .collect();
    let next = rest.get(leads + names.len());
    let next_is_heading = next.is_some_and(|next| next.kind == BlockKind::Heading);
    // What stands right above the next heading belongs to it.
    if next_is_heading && first.kind == BlockKind::Other {
        names.pop();
    }
    // A heading over a text tells of something, and is no row.
    let is_text = |next: &&&Passage| {
        next.kind != BlockKind::Heading && next.main && words::count(&next.text) >= LEAST_OF_TEXT
    };
    if first.kind == BlockKind::Heading && next.filter(is_text).is_some() {
        names.pop();
    }
    names.into_iter().map(|name| (name, name)).collect()
}

/// The list behind a label in the same block: `Customers: Globex, Initech`, or the row of a table.
fn behind_label(passage: &Passage) -> Option<&str> {
    let text = passage.text.as_str();
    let is_label = |label: &str| CUSTOMER_HEADINGS.are(&words::split(&words::fold(label)));
    if let Some((label, list)) = text.split_once([':', '：'])
        && is_label(label)
    {
        return Some(list.trim());
    }
    if passage.kind != BlockKind::TableRow {
        return None;
    }
    let ends = words::tokens(text).into_iter().take(LONGEST_LABEL);
    let ends = ends.filter_map(|(_, end, _)| Some((text.get(..end)?, text.get(end..)?)));
    ends.filter(|(label, _)| is_label(label))
        .map(|(_, list)| list.trim())
        .rfind(|list| !list.is_empty())
}

/// The names of a list in one text. Where nothing but blanks parts names of a script without blanks, their legal forms
/// show that there are several.
fn split(text: &str) -> Vec<&str> {
    let names: Vec<&str> = if text.contains('、') {
        text.split(['、', '，']).collect()
    } else if text.contains(['•', '·', '|']) {
        text.split(['•', '·', '|']).collect()
    } else if text.contains([',', ';']) {
        text.split([',', ';']).collect()
    } else if text
        .split_whitespace()
        .all(|name| name.contains(is_unspaced))
    {
        text.split_whitespace().collect()
    } else {
        vec![text]
    };
    let trimmed = names.into_iter().map(|name| {
        let name = name.trim().trim_end_matches(['。', '等', '他']);
        // `青波株式会社（敬称略）`
        let registered = name.split_once('（').map(|(before, _)| before.trim());
        let registered = registered.filter(|before| legal_names::find(before) == [*before]);
        let name = registered.unwrap_or(name);
        name.trim_start_matches(['■', '●', '・']).trim()
    });
    trimmed.filter(|name| !name.is_empty()).collect()
}

/// Whether a text can be a name.
fn may_name(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let begins = text.starts_with(|c: char| c.is_alphanumeric() && !c.is_lowercase());
    let is_registered = || !legal_names::find(text).is_empty();
    begins
        && NAME.contains(&text.chars().count())
        && (1..=LONGEST).contains(&words.len())
        && text.contains(char::is_alphabetic)
        && !text.contains(['@', '?', '!', '…', '。', ':', '：', '"', '“', '„'])
        && (!text.ends_with('.') || is_registered())
        && !NO_NAMES.open(&words)
        && announces(text).is_none()
        && !boilerplate::is_call_to_act(text)
}

/// The words that the site writes without a capital somewhere: no names by themselves.
fn common_words(evidence: &Evidence) -> BTreeSet<String> {
    let texts = evidence.passages.iter().map(|passage| &passage.text);
    texts
        .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()))
        .filter(|word| word.starts_with(char::is_lowercase))
        .map(words::fold)
        .collect()
}

/// By what rows of names are judged.
struct Rows<'a> {
    language: &'a str,
    common: BTreeSet<String>,
}

impl Rows<'_> {
    /// Whether the names of a row are those of customers: none is a group of buyers, and most are names by their form.
    fn are_customers(&self, heading: Heading, names: &[(&str, &str)]) -> bool {
        let registered = |name: &str| !legal_names::find(name).is_empty();
        let all = || names.iter().map(|(name, _)| *name);
        let with_form = all().filter(|name| registered(name)).count();
        if with_form < LEAST_REGISTERED && names.len() < LEAST {
            return false;
        }
        // Without capitals, only legal forms tell names from groups.
        if all().any(|name| name.contains(is_unspaced)) {
            return with_form > 0;
        }
        let groups =
            all().filter(|name| is_kind(name) && !registered(name) && !self.is_clear(name));
        if groups.count() > 0 {
            return false;
        }
        let told = all().filter(|name| {
            let capital = |word: &str| word.starts_with(|c: char| !c.is_lowercase());
            let like_a_name = name.split_whitespace().all(capital) && self.is_uncommon(name);
            self.is_clear(name) || heading == Heading::OfNames && like_a_name
        });
        told.count() * 2 >= names.len()
    }

    /// Whether the form of a text shows that it is a name.
    fn is_clear(&self, text: &str) -> bool {
        if !legal_names::find(text).is_empty() {
            return true;
        }
        let parts: Vec<&str> = text.split_whitespace().collect();
        let capitals = |word: &&str| word.chars().filter(|c| c.is_uppercase()).count() >= 2;
        // `Globex GmbH`, `ABC`, `NorthStar`; a hyphen may join two nouns.
        if parts
            .iter()
            .any(|word| capitals(word) && !word.contains('-'))
        {
            return true;
        }
        let capital = |word: &str| word.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
        let few = |word: &str| word.chars().count() <= 3;
        let last = parts.last().copied().unwrap_or_default();
        // In a language that gives a capital to every noun, or to those of titles, several nouns are a group.
        let plural = last.ends_with('s') || self.language == "de" && last.ends_with('n');
        parts.len() >= 2
            && !plural
            && !is_kind(text)
            && capital(last)
            && parts.iter().all(|word| capital(word) || few(word))
            && parts.iter().any(|word| self.is_uncommon(word))
            && !joins_nouns(&parts)
    }

    /// Whether the site never writes a word like other words.
    fn is_uncommon(&self, text: &str) -> bool {
        let folded = words::fold(text);
        let is_common = |word: &&str| self.common.contains(*word);
        self.language != "de" && !words::split(&folded).iter().any(is_common)
            || self.language == "de" && text.split_whitespace().count() >= 2
    }
}

/// Whether a small word joins two others, as in `Industrie und Handel`.
fn joins_nouns(parts: &[&str]) -> bool {
    use gtm_lexicon::segments::JOINTS;
    parts.iter().any(|word| JOINTS.any_has(word))
}

/// The name in the description of a logo: `Logo of Globex` is `Globex`. Names of files and numbers are none.
pub fn of_logo(alt: &str) -> Option<&str> {
    let tokens = words::tokens(alt);
    let beside = |word: &str| {
        let folded = words::fold(word);
        let words = words::split(&folded);
        words.iter().all(|word| BESIDE_NAMES.contains(word))
    };
    let small = |word: &str| word.starts_with(char::is_lowercase) && word.chars().count() <= 4;
    let at = |at: usize| tokens.get(at).map(|(.., word)| *word).unwrap_or_default();
    let begin = (0..tokens.len()).find(|place| !beside(at(*place)) && !small(at(*place)))?;
    let end = (0..tokens.len()).rfind(|place| !beside(at(*place)))?;
    // `Image 3` counts; `ISO 9001` is a name.
    let is_count = |word: &str| word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_digit());
    let numbered = end == begin + 1 && is_count(at(end));
    let (begin, end) = (tokens.get(begin)?.0, tokens.get(end)?.1);
    let name = alt.get(begin..end)?;
    let is_file = name.contains('_') || PICTURES.iter().any(|ending| name.ends_with(ending));
    (!is_file && !numbered && may_name(name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_beside_words_of_logos() {
        for (alt, name) in [
            ("Logo of Globex", Some("Globex")),
            ("Globex GmbH Logo", Some("Globex GmbH")),
            ("Globex", Some("Globex")),
            ("logo", None),
            ("Image 3", None),
            ("globex_logo.png", None),
            ("Globex.svg", None),
        ] {
            assert_eq!(of_logo(alt), name, "{alt}");
        }
    }

    #[test]
    fn what_stands_for_further_ones_is_no_name() {
        assert!(may_name("青波株式会社") && !may_name("他中央省庁"));
    }

    #[test]
    fn lists_are_split_at_their_marks() {
        assert_eq!(
            split("Globex, Initech; Hooli"),
            ["Globex", "Initech", "Hooli"]
        );
        assert_eq!(
            split("青波株式会社 赤川工業株式会社 他"),
            ["青波株式会社", "赤川工業株式会社"]
        );
        assert_eq!(split("Moss & Sons"), ["Moss & Sons"]);
    }
}
