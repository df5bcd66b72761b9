//! Groups of buyers that a company lists without a heading over each: in a sentence, in a line of their own, in a
//! table, or in questions to the reader.

mod enumerated;
mod few;
mod pairs;
mod sectors;

pub use enumerated::below_announcements;
pub use pairs::told_twice;
pub use sectors::listed as listed_in;

use gtm_lexicon::company::{THE_COMPANY, WE_AND_YOU};
use gtm_lexicon::places::ARTICLES;
use gtm_lexicon::segments::{
    BEFORE, EXCLUSIVELY, IDEAL_FOR, JOINTS, KINDS, LABELS, NO_NAMES, YOU_ARE,
};
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words::{self, tokens};

use super::labels::{Labelled, labelled_anywhere, listed};
use super::legal_names;
use super::outline::{Item, Section};
use super::speaker::says_what_it_is;
use crate::part::Part;
use crate::site::Site;

/// Most words of one group in a list.
const LONGEST: usize = 4;
/// Fewest groups of a list: two are often a way of speaking, `businesses and individuals`.
const LEAST: usize = 3;
/// Fewest groups of a known kind by which a list with others is one of buyers.
const LEAST_KINDS: usize = 2;
/// Most words of a group of no known kind.
const LONGEST_UNKNOWN: usize = 2;
/// Most letters of a preposition: `for` opens lists of other things, a verb such as `serve` does not.
const LONGEST_PREPOSITION: usize = 4;
/// Most words of such a line.
const LONGEST_LINE: usize = 9;

/// Groups in the values of labels such as `Customers`: none of them is a company's name, and some are groups.
pub fn labelled_groups(pairs: &[Labelled<'_>]) -> Vec<(String, Claim)> {
    let mut found = Vec::new();
    for pair in labelled_anywhere(pairs, &LABELS).filter(|pair| pair.excerpts.len() == 1) {
        // A middle dot may join two words of one name.
        let names = match pair.value.contains('、') {
            true => pair.value.split('、').map(str::trim).collect(),
            false => listed(pair.value),
        };
        let kinds = names.iter().filter(|name| is_kind(name)).count();
        if kinds >= 2 && legal_names::find(pair.value).is_empty() {
            let claim = |name: &str| Claim::stated(name, pair.excerpts.clone());
            found.extend(names.into_iter().map(|name| (name.to_owned(), claim(name))));
        }
    }
    found
}

/// Groups under or behind labels such as `Ideal for` beside a product: known kinds of buyers, since other things may
/// stand there, too.
pub fn suited(site: &Site, evidence: &Evidence) -> Vec<(String, Claim)> {
    let is_label = |text: &str| IDEAL_FOR.are(&words::split(&words::fold(text)));
    let mut found = Vec::new();
    let mut take = |passage: &Passage, text: &str| {
        let listed = match text.contains(['、', '・']) {
            true => text.split(['、', '・']).map(str::trim).collect(),
            false => with_unknown(elements(text, "").0),
        };
        let kinds = listed.iter().filter(|name| is_kind(name)).count();
        let is_group =
            |name: &&str| (is_kind(name) || kinds >= LEAST_KINDS) && words::count(name) <= LONGEST;
        for name in listed.into_iter().filter(is_group) {
            let excerpt = Excerpt {
                page: passage.page,
                text: passage.text.clone(),
            };
            found.push((name.to_owned(), Claim::stated(name, vec![excerpt])));
        }
    };
    let mut under: Option<(&Passage, usize)> = None;
    for passage in &evidence.passages {
        if site.part(passage.page) == Part::External {
            continue;
        }
        let behind = passage.text.split_once([':', '：']);
        if is_label(&passage.text) {
            under = Some((passage, passage.block));
        } else if let Some((_, text)) = behind.filter(|(label, _)| is_label(label)) {
            take(passage, text);
            under = None;
        } else if let Some((label, last)) = under {
            // A whole list goes on as it begins.
            let follows = passage.page == label.page && passage.block == last + 1;
            let listed = passage.kind == BlockKind::ListItem && label.kind != BlockKind::ListItem;
            let first = last == label.block && passage.kind != BlockKind::Heading;
            let fits = follows && (first || listed);
            if fits {
                take(passage, &passage.text);
            }
            under = fits.then_some((label, passage.block));
        }
    }
    found
}

/// Groups that a line of nothing else lists, or a sentence after words such as `we serve`.
pub fn told_groups(site: &Site, evidence: &Evidence) -> Vec<(String, Claim)> {
    let own = |page: usize| {
        matches!(
            site.part(page),
            Part::Home | Part::About | Part::Product | Part::Customers | Part::Other
        )
    };
    let mut found = Vec::new();
    for passage in evidence.passages.iter().filter(|passage| passage.main) {
        if own(passage.page) && words::count(&passage.text) <= LONGEST_LINE {
            let groups = items(&passage.text);
            let whole = groups
                .last()
                .is_some_and(|last| passage.text.ends_with(last));
            if groups.len() >= LEAST && whole {
                let claim = |name: &str| {
                    let excerpt = Excerpt {
                        page: passage.page,
                        text: passage.text.clone(),
                    };
                    (name.to_owned(), Claim::stated(name, vec![excerpt]))
                };
                return groups.into_iter().map(claim).collect();
            }
        }
    }
    for sentence in &evidence.sentences {
        if own(sentence.page) {
            let excerpt = Excerpt {
                page: sentence.page,
                text: sentence.text.clone(),
            };
            let words = sentence.words();
            let speaks = || says_what_it_is(&sentence.text, site) || THE_COMPANY.any_in(&words);
            let mut groups = in_sentence(&sentence.text);
            if groups.is_empty() && speaks() {
                groups = exclusive(&sentence.text);
            }
            if groups.is_empty() && speaks() {
                groups = few::pair(&sentence.text);
            }
            let groups = groups.into_iter();
            found.extend(groups.map(|name| (name.to_owned(), Claim::told(name, excerpt.clone()))));
        }
    }
    found
}

/// The groups that end the first heading or the title of the home page.
pub fn in_headline(site: &Site) -> Vec<(String, Claim)> {
    few::in_headline(site)
}

/// The groups that headings of one level ask after: `Are you a school?`, `Are you a hospital?`
pub fn asked<'a>(sections: &[Section<'a>]) -> Vec<Item<'a>> {
    let mut found: Vec<Item<'a>> = Vec::new();
    for section in sections {
        let Some(name) = asks(&section.heading.text) else {
            continue;
        };
        let alike = sections.iter().filter(|other| {
            other.heading.page == section.heading.page
                && other.heading.level == section.heading.level
                && asks(&other.heading.text).is_some()
        });
        if alike.count() >= LEAST {
            let text = section.lead();
            found.push(Item {
                name_passage: section.heading,
                name,
                text_passage: text,
                text: text.map(|text| text.text.as_str()),
            });
        }
    }
    found
}

/// What a question asks whether the reader is one of: `Are you a school?`
fn asks(heading: &str) -> Option<&str> {
    let rest = heading.trim_end().strip_suffix(['?', '？'])?.trim_end();
    let folded = words::fold(rest);
    let words = words::split(&folded);
    let opening = YOU_ARE.at_start(&words).map(|phrase| phrase.len()).max()?;
    let tokens = tokens(rest);
    // An article stands before the name.
    let named = tokens.len().checked_sub(opening)?;
    let skipped = opening + usize::from(named >= 2);
    let (start, _, _) = *tokens.get(skipped)?;
    rest.get(start..)
}

/// The folded words of a sentence, one for each of its tokens.
fn folded_tokens(tokens: &[(usize, usize, &str)]) -> Vec<String> {
    let folded = |(_, _, word): &(usize, usize, &str)| words::split(&words::fold(word)).join(" ");
    tokens.iter().map(folded).collect()
}

/// The groups that a sentence lists after words such as `we serve` or `for`.
fn in_sentence(sentence: &str) -> Vec<&str> {
    let tokens = tokens(sentence);
    let folded = folded_tokens(&tokens);
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    let after = |from: usize| {
        let start = tokens.get(from).map(|(start, _, _)| *start)?;
        sentence.get(start..)
    };
    let industries = sectors::in_sentence(sentence);
    if !industries.is_empty() {
        return industries;
    }
    // `Villes, écoles ou entreprises, nous …`
    let opening = items(sentence);
    let is_short = |group: &&str| words::count(group) <= LONGEST_UNKNOWN;
    if opening.len() >= LEAST
        && opening.iter().all(is_short)
        && opening.last().is_some_and(|last| speaks_on(sentence, last))
    {
        return opening;
    }
    for at in 0..all.len() {
        let rest = all.get(at..).unwrap_or_default();
        if let Some(phrase) = BEFORE.at_start(rest).next()
            && let Some(text) = after(at + phrase.len())
        {
            let groups = with_unknown(elements(text, "").0);
            let is_preposition =
                matches!(phrase, [word] if word.chars().count() <= LONGEST_PREPOSITION);
            let begins = groups.first().is_some_and(|first| is_kind(first));
            if groups.len() >= LEAST && (begins || !is_preposition) {
                return groups;
            }
        }
    }
    Vec::new()
}

/// Whether a sentence goes on behind its first words and a comma with the company or the reader.
fn speaks_on(sentence: &str, last: &str) -> bool {
    let behind = sentence.split_once(last).map_or("", |(_, behind)| behind);
    let folded = words::fold(behind.strip_prefix(',').unwrap_or_default());
    let words = words::split(&folded);
    words
        .first()
        .is_some_and(|first| WE_AND_YOU.any_in(&[first]))
}

/// The groups to whom alone a sentence says that the company sells: there, one is enough.
fn exclusive(sentence: &str) -> Vec<&str> {
    let tokens = tokens(sentence);
    let folded = folded_tokens(&tokens);
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    let longest = |at: usize| {
        let rest = all.get(at..).unwrap_or_default();
        EXCLUSIVELY.at_start(rest).max_by_key(|phrase| phrase.len())
    };
    (0..all.len())
        .find_map(|at| Some((at, longest(at)?)))
        .and_then(|(at, phrase)| {
            let (start, _, _) = tokens.get(at + phrase.len())?;
            // The last word stands again before each item: `to builders and to farmers`.
            let again = phrase.last().copied().unwrap_or_default();
            let (groups, _) = elements(sentence.get(*start..)?, again);
            Some(up_to_last_kind(groups))
        })
        .unwrap_or_default()
}

/// The items of a list of which several are known kinds of buyers: the others are buyers, too. Else as far as each
/// is a known kind.
fn with_unknown(groups: Vec<&str>) -> Vec<&str> {
    let groups = up_to_last_kind(groups);
    let kinds = groups.iter().filter(|group| is_kind(group)).count();
    if kinds >= LEAST_KINDS {
        return groups;
    }
    groups
        .into_iter()
        .take_while(|group| is_kind(group))
        .collect()
}

/// The first items that may name buyers, without those behind the last of a known kind.
fn up_to_last_kind(mut groups: Vec<&str>) -> Vec<&str> {
    let fits = |group: &&str| {
        let folded = words::fold(group);
        let words = words::split(&folded);
        is_kind(group) && words.len() <= LONGEST
            || words.len() <= LONGEST_UNKNOWN
                && !NO_NAMES.open(&words)
                && !group.contains(char::is_numeric)
    };
    let fitting = groups
        .iter()
        .take_while(|group| fits(group) && !goes_on(group));
    let fitting = fitting.count();
    groups.truncate(fitting);
    let last = groups.iter().rposition(|group| is_kind(group));
    groups.truncate(last.map_or(0, |last| last + 1));
    groups
}

/// The items of the list with which a text begins, as far as each is a group of buyers.
fn items(text: &str) -> Vec<&str> {
    let (mut found, listed) = elements(text, "");
    let last = found.len().saturating_sub(1);
    let fits = |(at, item): &(usize, &str)| {
        let words = item.split_whitespace().count();
        words <= LONGEST && is_kind(item) && !goes_on(item) && (*at < last || listed)
    };
    let fitting = found.iter().copied().enumerate().take_while(fits).count();
    found.truncate(fitting);
    found
}

/// What stands between the commas and joints of the list with which a text begins, and whether there is a joint. A
/// word that stands `again` before an item is no part of it.
fn elements<'a>(text: &'a str, again: &str) -> (Vec<&'a str>, bool) {
    let mut found = Vec::new();
    let mut first: Option<usize> = None;
    let mut end = 0;
    let mut length = 0;
    let mut listed = false;
    for (start, _, word) in tokens(text) {
        let bare = word.trim_end_matches([',', '.', ';', ':', '!', '?', ')']);
        let folded = words::fold(bare);
        let joint = JOINTS.any_has(&folded) || matches!(word, "&" | "+" | "·" | "•");
        if joint {
            if let Some(from) = first.take() {
                found.extend(text.get(from..end));
                listed = true;
            }
            length = 0;
            continue;
        }
        let article = first.is_none() && (ARTICLES.contains(&folded) || folded == again);
        if article {
            continue;
        }
        first.get_or_insert(start);
        end = start + bare.len();
        length += 1;
        if bare.len() != word.len() {
            let stops = !word.ends_with(',');
            length = 0;
            if stops {
                break;
            }
            if let Some(from) = first.take() {
                found.extend(text.get(from..end));
            }
        } else if length > LONGEST {
            break;
        }
    }
    // The last item ends where the sentence goes on.
    if let Some(from) = first {
        let rest = text.get(from..end).unwrap_or_default();
        found.extend(up_to_kind(rest));
    }
    (found, listed)
}

/// A text up to its first words that name a kind of buyers.
fn up_to_kind(text: &str) -> Option<&str> {
    let ends = tokens(text).into_iter().map(|(_, end, _)| end);
    ends.take(LONGEST)
        .filter_map(|end| text.get(..end))
        .find(|part| is_kind(part))
}

/// Whether the words before a list stand in the text: `Projects for schools`.
fn goes_on(text: &str) -> bool {
    let folded = words::fold(text);
    BEFORE.any_in(&words::split(&folded))
}

/// Whether a text names a known kind of buyers.
pub fn is_kind(text: &str) -> bool {
    let folded = words::fold(text);
    KINDS.any_in(&words::split(&folded))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_list_groups_of_buyers() {
        for (sentence, groups) in [
            (
                "We enable mills to serve growers, food processors, traders and international buyers.",
                vec![
                    "growers",
                    "food processors",
                    "traders",
                    "international buyers",
                ],
            ),
            (
                "Sielbau voor gemeenten, bedrijven en particulieren in de regio Zwolle.",
                vec!["gemeenten", "bedrijven", "particulieren"],
            ),
            (
                "Segel für Vereine, Schulen und die örtlichen Behörden.",
                vec!["Vereine", "Schulen", "örtlichen Behörden"],
            ),
            (
                "Acme accompagne collectivités, associations et entreprises dans leurs projets.",
                vec!["collectivités", "associations", "entreprises"],
            ),
            (
                "We serve industries including Packaging, Electrical & Electronics, Rail and Shipping.",
                vec!["Packaging", "Electrical & Electronics", "Rail", "Shipping"],
            ),
            (
                "Mairies, écoles ou entreprises, nous réparons vos cordes.",
                vec!["Mairies", "écoles", "entreprises"],
            ),
            ("Schools, farmers and companies, all in one street.", vec![]),
            ("We care for tools, time and money.", vec![]),
            ("Made for companies that grow.", vec![]),
            ("We work for businesses and schools.", vec![]),
            ("We buy from farmers and cooperatives.", vec![]),
        ] {
            assert_eq!(in_sentence(sentence), groups, "{sentence}");
        }
    }

    #[test]
    fn one_unknown_word_does_not_end_a_list_of_buyers() {
        for (sentence, groups) in [
            (
                "Seilwerk beliefert Segelmacher, Gemeinden, Schulen und Vereine.",
                vec!["Segelmacher", "Gemeinden", "Schulen", "Vereine"],
            ),
            (
                "Nous accompagnons mairies, voiliers, hôtels et associations.",
                vec!["mairies", "voiliers", "hôtels", "associations"],
            ),
            (
                "The workshop serves sailmakers, farmers, schools and more.",
                vec!["sailmakers", "farmers", "schools"],
            ),
            ("Ropes for repairs, schools and hotels.", vec![]),
            ("We serve tea, cakes and companies.", vec![]),
            ("Wir unterstützen Sie, Schulen und Vereine.", vec![]),
        ] {
            assert_eq!(in_sentence(sentence), groups, "{sentence}");
        }
    }

    #[test]
    fn one_group_is_enough_for_whom_the_company_sells_to_alone() {
        for (sentence, groups) in [
            (
                "Nous vendons exclusivement auprès des cordiers et des communes.",
                vec!["cordiers", "communes"],
            ),
            (
                "Wir liefern ausschließlich an Fachhändler und Behörden.",
                vec!["Fachhändler", "Behörden"],
            ),
            (
                "Vendiamo esclusivamente a professionisti del mare.",
                vec!["professionisti"],
            ),
            ("We sell exclusively to wholesalers.", vec!["wholesalers"]),
            ("We devote ourselves exclusively to ropes.", vec![]),
        ] {
            assert_eq!(exclusive(sentence), groups, "{sentence}");
        }
    }

    #[test]
    fn a_line_may_list_nothing_but_groups() {
        assert_eq!(
            items("Vereine, Schulen & örtliche Behörden"),
            ["Vereine", "Schulen", "örtliche Behörden"]
        );
    }

    #[test]
    fn questions_ask_for_groups() {
        assert_eq!(asks("Vous êtes une Mairie ?"), Some("Mairie"));
        assert_eq!(asks("Are you a school?"), Some("school"));
        assert_eq!(asks("Who are we?"), None);
    }
}
