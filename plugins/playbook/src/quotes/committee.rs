//! Roles in the company that the site itself names; never people.

mod lines;

use std::collections::BTreeSet;

use gtm_lexicon::roles::{LEADS_OF_FUNCTIONS, NO_FUNCTIONS, OFFICERS, OVERSEERS, SHAPES};
use gtm_lexicon::segments::JOINTS;
use serde_json::json;

use gtm_site_facts::facts::says_what_it_is;
use gtm_site_facts::site::Site;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::roles::Role;
use gtm_site_research::words;
use gtm_writing::{has_a_person, small_words};

use self::lines::{before_name, behind_name, behind_role, first_role, has_given_name, reported_to};

/// Longest row with a role and a name, in characters.
const LONGEST_ROW: usize = 60;
/// Most roles of one person.
const MOST_JOINED: usize = 3;
/// Where a role may begin that goes on with a name: among the first words, or later if a colon follows it.
const NEAR: usize = 3;
const LAST_START: usize = 6;
/// Most letters of a title before a name, with its stop.
const LONGEST_TITLE: usize = 5;
/// Most words of a person's name.
const LONGEST_NAME: usize = 4;

/// Roles that fill a block of the about page, or that a vacancy reports to.
pub fn committee(evidence: &Evidence, site: &Site) -> Vec<Claim> {
    let texts = evidence.passages.iter().map(|passage| &passage.text);
    let small: BTreeSet<String> = texts.flat_map(|text| small_words(text)).collect();
    let mut known = BTreeSet::new();
    let mut found = Vec::new();
    for (at, passage) in evidence
        .passages
        .iter()
        .enumerate()
        .filter(|(_, passage)| passage.text.chars().count() <= 1_000)
    {
        let on_card = || stands_beside_person(&evidence.passages, at, &small);
        // A role and another company is what the author of a quotation has.
        let of_others = || {
            behind_role(&passage.text).is_some_and(|rest| {
                !is_role(rest) && !has_given_name(rest) && !says_what_it_is(rest, site)
            })
        };
        let beside = || held(&passage.text).or_else(|| beside_person(&passage.text, &small));
        let named = match passage.role {
            // One word may be the heading over those who have that role, whoever they are.
            Role::About
                if is_role(&passage.text) && (words::count(&passage.text) > 1 || on_card()) =>
            {
                without_person(&passage.text, &small)
            }
            Role::Home | Role::Imprint | Role::Other
                if passage.main && is_role(&passage.text) && on_card() =>
            {
                without_person(&passage.text, &small)
            }
            Role::Home | Role::Imprint | Role::Other
                if passage.main && on_card() && of_others() =>
            {
                None
            }
            Role::About | Role::Home | Role::Imprint | Role::Other
                if passage.main && first_role(&passage.text).is_some() && on_card() =>
            {
                first_role(&passage.text).and_then(|role| without_person(role, &small))
            }
            Role::About | Role::Other
                if passage.main
                    && passage.kind == BlockKind::Heading
                    && behind_name(&passage.text).is_some() =>
            {
                behind_name(&passage.text)
            }
            Role::About | Role::Home | Role::Imprint => beside(),
            Role::Other if passage.main => beside_person(&passage.text, &small),
            Role::Careers if passage.main => reported_to(&passage.text),
            _ => None,
        };
        let presents = matches!(passage.role, Role::About | Role::Home | Role::Imprint);
        let own = || says_what_it_is(&passage.text, site) || passage.role != Role::Home;
        let told = || before_name(&passage.text).filter(|_| presents && passage.main && own());
        let Some(role) = named.or_else(told).filter(|role| !oversees(role)) else {
            continue;
        };
        if found.len() < 8 && known.insert(words::fold(role)) {
            let value = json!({"role": role, "function": function(role), "cares_about": [], "stance": "unknown"});
            found.push(Claim::stated(
                value,
                vec![Excerpt {
                    page: passage.page,
                    text: passage.text.clone(),
                }],
            ));
        }
    }
    found
}

/// Whether a role only oversees what others decide, and buys nothing: `監査役`.
fn oversees(role: &str) -> bool {
    let folded = words::fold(role);
    OVERSEERS.any_in(&words::split(&folded))
}

/// Whether the whole text is the name of a role, or of several that one person has: `Founder & CEO`.
pub fn is_role(text: &str) -> bool {
    let tokens = words::tokens(text);
    let joint = |word: &str| word == "&" || JOINTS.any_has(&words::fold(word));
    let ends = tokens.iter().filter(|(.., word)| joint(word));
    let mut ends: Vec<(usize, usize)> = ends.map(|(start, end, _)| (*start, *end)).collect();
    ends.push((text.len(), text.len()));
    let mut begin = 0;
    let several = ends.iter().all(|(end, next)| {
        let part = text.get(begin..*end).unwrap_or_default().trim();
        begin = *next;
        is_one_role(part)
    });
    is_one_role(text) || (2..=MOST_JOINED).contains(&ends.len()) && several
}

/// Whether the whole text is the name of one role.
fn is_one_role(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    text.chars().count() <= 60
        && !text.contains([',', '.', ':', '–', '—', '|'])
        && (1..=6).contains(&words.len())
        && SHAPES.iter().any(|shape| fits(&words, shape))
}

/// The role before the name of who has it, perhaps behind a label: `代表取締役 山田 太郎`, `Managing Director: Jane Doe`.
/// Only roles that are whole phrases count: of others, nothing tells where they end.
fn held(text: &str) -> Option<&str> {
    let stops = |word: &str| word.ends_with('.') && !is_title(word);
    if text.chars().count() > LONGEST_ROW
        || text.contains(|c: char| c.is_numeric() || "!?。".contains(c))
        || text.split_whitespace().any(stops)
    {
        return None;
    }
    let parted = |c: char| c.is_whitespace() || matches!(c, ':' | '：' | '/' | '／' | '・' | ',');
    let mut starts: Vec<usize> = words::tokens(text).into_iter().map(|(at, ..)| at).collect();
    starts.extend(text.match_indices(parted).map(|(at, mark)| at + mark.len()));
    starts.sort_unstable();
    starts.dedup();
    let ends: Vec<usize> = text.match_indices(parted).map(|(at, _)| at).collect();
    // The longest role of the first place that has one: `代表取締役 社長`.
    let (role, end) = starts
        .iter()
        .take(LAST_START)
        .enumerate()
        .find_map(|(nth, start)| {
            let mut stops = ends.iter().rev().filter(|end| *end > start);
            // Far from the beginning, as in `Represented by the managing director: Jane Roe`, a colon must end it.
            let ends = |end: usize| {
                nth < NEAR
                    || text
                        .get(end..)
                        .is_some_and(|rest| rest.starts_with([':', '：']))
            };
            stops.find_map(|end| {
                let part = text.get(*start..*end).filter(|part| is_exact(part))?;
                ends(*end).then_some((part, *end))
            })
        })?;
    let role = role.trim_end_matches(parted);
    let name = text.get(end..)?.trim_matches(parted);
    // `Founder & Owner` is two roles and no name.
    if role.ends_with('&') || name.starts_with('&') || is_exact(name) {
        return None;
    }
    (1..=4).contains(&words::tokens(name).len()).then_some(role)
}

/// Whether a word is the title of a person: `Dr.`
fn is_title(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && word.chars().count() <= LONGEST_TITLE
}

/// Whether the block above or below is a person's name and nothing else, as on the cards of a team.
fn stands_beside_person(passages: &[Passage], at: usize, small: &BTreeSet<String>) -> bool {
    let Some(here) = passages.get(at) else {
        return false;
    };
    let above = at.checked_sub(1).and_then(|above| passages.get(above));
    let beside = [above, passages.get(at + 1)].into_iter().flatten();
    beside
        .filter(|other| other.page == here.page && other.block.abs_diff(here.block) == 1)
        .any(|other| is_person(without_number(&other.text), small))
}

/// A text without the telephone number that ends it.
fn without_number(text: &str) -> &str {
    let begin = text.find(|c: char| c.is_ascii_digit() || matches!(c, '+' | '('));
    let name = text.get(..begin.unwrap_or(text.len())).unwrap_or(text);
    name.trim_end_matches(|c: char| c.is_whitespace() || "-–—:,.".contains(c))
}

/// Whether a text is nothing but a person's name.
fn is_person(text: &str, small: &BTreeSet<String>) -> bool {
    let words = words::tokens(text).len();
    let is_short = words <= LONGEST_NAME && text.chars().count() <= LONGEST_ROW;
    let mark = |c: char| c.is_numeric() || "!?:|".contains(c);
    is_short && !text.contains(mark) && !is_role(text) && has_a_person(text, small)
}

/// The role that a mark parts from a person's name, or that begins behind it: `Jane Roe, Head of Sales`, `Head of Sales –
/// Jane Roe`, `Jane Roe Head of Sales`. The name is left out.
fn beside_person<'t>(text: &'t str, small: &BTreeSet<String>) -> Option<&'t str> {
    let is_whole = |part: &str| is_role(part) && !has_a_person(part, small);
    let is_row = text.chars().count() <= LONGEST_ROW && !text.ends_with(['.', '!', '?', ':']);
    if !is_row {
        return None;
    }
    let marks = |c: char| matches!(c, ',' | ':' | '|' | '·' | '–' | '—' | '(' | ')' | '/');
    // `1. Jane Roe - Managing Director`
    let numbered = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = numbered
        .strip_prefix(['.', ')'])
        .unwrap_or(text)
        .trim_start();
    let parts: Vec<&str> = text
        .split(marks)
        .flat_map(|part| part.split(" - "))
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    match parts.as_slice() {
        [one] => words::tokens(one)
            .into_iter()
            .skip(2)
            .find_map(|(start, ..)| {
                let (name, role) = one.split_at_checked(start)?;
                let folded = words::fold(role);
                let split = words::split(&folded);
                let opens = SHAPES
                    .iter()
                    .any(|shape| shape.ends_with('*') && fits(&split, shape));
                // Where only the end of a role is fixed, its words must be known as words.
                let known = || {
                    let function = split
                        .get(..split.len().saturating_sub(1))
                        .unwrap_or_default();
                    !function.is_empty() && function.iter().all(|word| small.contains(*word))
                };
                (is_person(name.trim(), small) && is_whole(role) && (opens || known()))
                    .then_some(role)
            }),
        [one, other] => {
            let pair = [(one, other), (other, one)];
            let mut roles = pair.into_iter();
            let (role, _) = roles.find(|(role, name)| is_whole(role) && is_person(name, small))?;
            Some(role)
        }
        _ => None,
    }
}

/// The role in a text that has the form of one. DANGER: `Jane Roe Managing Director` has it too, because anything may stand
/// for a function. So if a person stands there, only a role that is a whole phrase is given, from where it begins.
fn without_person<'t>(text: &'t str, small: &BTreeSet<String>) -> Option<&'t str> {
    let folded = words::fold(text);
    let split = words::split(&folded);
    let tokens = words::tokens(text);
    let function = |shape: &'static str| {
        let (before, after) = around_function(shape)?;
        let last = tokens.len().checked_sub(after.len() + 1)?;
        let (start, ..) = tokens.get(before.len())?;
        let (_, end, _) = tokens.get(last)?;
        text.get(*start..*end)
    };
    let phrase = tokens.iter().skip(1).find_map(|(start, ..)| {
        let (before, rest) = text.split_at_checked(*start)?;
        is_exact(rest).then_some((before, rest))
    });
    let fitting = SHAPES.iter().filter(|shape| fits(&split, shape));
    let named = has_a_person(text, small)
        || phrase.is_some_and(|(before, _)| has_a_person(before, small))
        || fitting
            .filter_map(function)
            .any(|part| has_a_person(part, small));
    match named {
        false => Some(text),
        true => phrase
            .map(|(_, role)| role)
            .or_else(|| beside_person(text, small)),
    }
}

/// Whether a text is a role that is a whole phrase.
fn is_exact(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    !words.is_empty()
        && SHAPES
            .iter()
            .any(|shape| !shape.contains('*') && fits(&words, shape))
}

/// What stands around the function in the shape of a role; `None` if the shape is a whole phrase.
fn around_function(shape: &str) -> Option<(Vec<&str>, Vec<&str>)> {
    let mut parts = shape.split(' ');
    let before = parts.by_ref().take_while(|part| *part != "*").collect();
    shape.contains('*').then(|| (before, parts.collect()))
}

fn fits(words: &[&str], shape: &str) -> bool {
    let Some((before, after)) = around_function(shape) else {
        return words.iter().copied().eq(shape.split(' '));
    };
    let function = words.get(before.len()..words.len().saturating_sub(after.len()));
    // `Responsable et solidaire` names no function.
    let named = |function: &[&str]| {
        let ends = [function.first(), function.last()];
        !function.is_empty() && ends.into_iter().flatten().all(|word| !JOINTS.any_has(word))
    };
    function.is_some_and(named) && words.starts_with(&before) && words.ends_with(&after)
}

/// The part of the company that the role's name mentions.
fn function(role: &str) -> Option<&str> {
    // Of "VP " and "VP of ", the longer one leads to the name.
    let behind_lead = LEADS_OF_FUNCTIONS
        .iter()
        .filter_map(|lead| role.strip_prefix(lead))
        .min_by_key(|rest| rest.len());
    if behind_lead.is_some() {
        return behind_lead;
    }
    OFFICERS
        .iter()
        .find_map(|shape| {
            let (before, behind) = shape.split_once('*')?;
            role.strip_prefix(before)?.strip_suffix(behind)
        })
        .filter(|part| !NO_FUNCTIONS.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_only_oversees_buys_nothing() {
        for role in [
            "監査役",
            "常勤監査役",
            "Statutory Auditor",
            "Vorsitz des Aufsichtsrats",
        ] {
            assert!(oversees(role), "{role}");
        }
        for role in ["代表取締役", "Chief Accountant", "Leitung Einkauf"] {
            assert!(!oversees(role), "{role}");
        }
    }

    #[test]
    fn roles_are_told_from_people_and_sentences() {
        assert!(is_role("Chief Operating Officer"));
        assert!(is_role("Head of Cold Store Operations"));
        assert!(is_role("Leiter Technik"));
        assert!(is_role("Founder & CEO") && is_role("Gründer und Geschäftsführer"));
        assert!(!is_role("Founder & friends") && !is_role("Founder, and CEO"));
        for noun in [
            "Team",
            "Our team",
            "L'équipe",
            "Notre équipe",
            "Équipe",
            "Direction",
            "Il team",
            "Responsable et solidaire",
            "Leitung und Team",
            "Responsabile e sostenibile",
        ] {
            assert!(!is_role(noun), "{noun}");
        }
        assert_eq!(
            beside_person("Jane Roe, Founder & CEO", &BTreeSet::new()),
            Some("Founder & CEO")
        );
        assert!(is_role("Bereichsleiterin Einkauf"));
        let small = BTreeSet::from(["account".to_owned()]);
        for (text, role) in [
            ("Managing Director", Some("Managing Director")),
            ("Sales Director", Some("Sales Director")),
            ("Key Account Manager", Some("Key Account Manager")),
            ("Jane Roe Managing Director", Some("Managing Director")),
            ("Ildikó Varga Managing Director", Some("Managing Director")),
            ("Jane Roe Sales Director", None),
            ("Ildikó Varga Lead", None),
            ("Co-Founder Jane Roe", None),
            ("Jane Roe Account Manager", Some("Account Manager")),
        ] {
            assert!(is_role(text), "{text}");
            assert_eq!(without_person(text, &small), role, "{text}");
        }
        for (text, role) in [
            ("Jane Roe Head of Sales", Some("Head of Sales")),
            ("Jane Roe, Head of Sales", Some("Head of Sales")),
            ("Head of Sales – Jane Roe", Some("Head of Sales")),
            ("Jane Roe (Sales Director)", Some("Sales Director")),
            ("Anna Beck | Leiterin Einkauf", Some("Leiterin Einkauf")),
            ("2. Jane Roe - Head of Sales", Some("Head of Sales")),
            ("Head of Sales: 0113 555 0100", None),
            ("Head of Sales, Leeds", None),
            ("Plant Manager, Quality Manager", None),
            ("Jane Roe, Leeds", None),
        ] {
            assert_eq!(beside_person(text, &small), role, "{text}");
        }
        assert!(!is_role("Jane Doe, Chief Operating Officer"));
        assert!(!is_role("Our head of sales likes it."));
        assert_eq!(held("代表取締役 青葉 太郎"), Some("代表取締役"));
        assert_eq!(held("代表者 代表理事　青葉太郎"), Some("代表理事"));
        assert_eq!(held("代表理事：青葉 太郎"), Some("代表理事"));
        assert_eq!(
            held("Managing Director: Jane Doe"),
            Some("Managing Director")
        );
        for (text, role) in [
            (
                "Vertreten durch den Geschäftsführer: Jane Roe",
                Some("Geschäftsführer"),
            ),
            (
                "Vertreten durch die Geschäftsführerin: Dr. Jane Roe",
                Some("Geschäftsführerin"),
            ),
            (
                "Represented by the Managing Director: Jane Roe",
                Some("Managing Director"),
            ),
            ("We thank the many friends of Managing Director Jane", None),
            ("Jane Roe leads it. Managing Director: Owen", None),
        ] {
            assert_eq!(held(text), role, "{text}");
        }
        assert_eq!(held("代表取締役"), None);
        assert_eq!(held("Gründerin & Inhaberin"), None);
        assert_eq!(held("CEO pay rose by 4 percent"), None);
        assert!(is_role("Co-Founder & Producer") && !is_role("Founder story"));
        assert_eq!(
            reported_to("The role reports to the Head of Operations in Leeds."),
            Some("Head of Operations")
        );
        assert_eq!(
            reported_to("You will be reporting to the Head of Quality, in Leeds."),
            Some("Head of Quality")
        );
        assert_eq!(reported_to("Reports to the moon"), None);
        assert_eq!(function("Head of Quality"), Some("Quality"));
        assert_eq!(function("VP of Sales"), Some("Sales"));
        assert_eq!(function("VP Sales"), Some("Sales"));
        assert_eq!(function("Leiterin der Technik"), Some("Technik"));
        assert_eq!(function("Bereichsleiter Einkauf"), Some("Einkauf"));
        assert_eq!(function("Directeur des ventes"), Some("ventes"));
        assert_eq!(function("Chief Executive Officer"), None);
        assert_eq!(function("Chief Operating Officer"), Some("Operating"));
    }
}
