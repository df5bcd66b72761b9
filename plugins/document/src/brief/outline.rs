//! The parts that a brief wants its document to have: `Sections: summary, volumes, incidents`.
//!
//! The list orders and names what the brief says, as far as its own words tell which part each paragraph belongs to. Parts
//! for which there is nothing to say are not made.

use gtm_document_model::block::Block;
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::{OUTLINE_LABELS, SUMMARIES};
use gtm_lexicon::foundations::AND;
use gtm_lexicon::{fold, split};

use super::{Part, one_line, texts_of};
use crate::capital::capital;

/// Most parts that are listed, and longest name of one, in words.
const MOST_ITEMS: usize = 30;
const ITEM_WORDS: usize = 6;
/// Fewest parts that must have something to say, for the list to be followed.
const LEAST_FILLED: usize = 2;
/// How many words of a paragraph tell what it is about.
const OPENING_WORDS: usize = 8;
/// Fewest letters that two forms of a word share.
const SHARED_LETTERS: usize = 4;

/// Whether a sentence lists the parts of the document.
pub fn is_told(sentence: &str) -> bool {
    !items_of(sentence).is_empty()
}

/// Whether a label announces the parts of the document.
pub fn is_label(label: &str) -> bool {
    let folded = fold(label);
    let words = split(&folded);
    OUTLINE_LABELS.are(&words)
}

/// Whether a line of a list only names a part.
pub fn is_name(line: &str) -> bool {
    let words = line.split_whitespace().count();
    (1..=ITEM_WORDS).contains(&words)
        && !line.contains([':', '：', ';'])
        && !line.contains(char::is_numeric)
        && !line.trim_end().ends_with(['.', '!', '?', ','])
}

/// The parts that the orders list, in their order.
pub fn of(orders: &[String]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for item in orders.iter().flat_map(|order| items_of(order)) {
        if found.len() < MOST_ITEMS && !found.contains(&item) {
            found.push(item);
        }
    }
    found
}

fn items_of(sentence: &str) -> Vec<String> {
    let Some((label, rest)) = sentence.split_once([':', '：']) else {
        return Vec::new();
    };
    if !is_label(label) {
        return Vec::new();
    }
    let rest = rest.trim().trim_end_matches(['.', '。']);
    let items = rest
        .split([',', ';', '→', '>', '、', '/'])
        .flat_map(split_at_and);
    let items: Vec<String> = items.collect();
    match items.iter().all(|item| is_name(item)) {
        true => items,
        false => Vec::new(),
    }
}

/// `incidents and outlook` are two parts behind a comma; a name of one part may have the word as well, and then nobody misses
/// the other half.
fn split_at_and(item: &str) -> Vec<String> {
    let mut parts: Vec<Vec<&str>> = vec![Vec::new()];
    for word in item.split_whitespace() {
        match (AND.contains(fold(word).as_str()), parts.last_mut()) {
            (true, _) => parts.push(Vec::new()),
            (false, Some(part)) => part.push(word),
            (false, None) => {}
        }
    }
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.map(|part| part.join(" ")).collect()
}

/// What stands under one heading of the brief, or one block without any.
#[derive(Debug, Default)]
struct Group {
    heading: Option<(u8, Vec<Run>)>,
    parts: Vec<Part>,
}

/// The parts of the brief in the order of the list; as they are if too few of its names are met.
pub fn followed(parts: Vec<Part>, outline: &[String]) -> Vec<Part> {
    if outline.len() < LEAST_FILLED {
        return parts;
    }
    let top = parts.iter().filter_map(|part| match part {
        Part::Heading { level, .. } => Some(*level),
        Part::Block(_) => None,
    });
    let top = top.min().unwrap_or(2);
    let groups = grouped(parts, top);
    let places = placed(&groups, outline);
    let mut filled: Vec<usize> = places.iter().flatten().copied().collect();
    filled.sort_unstable();
    filled.dedup();
    if filled.len() < LEAST_FILLED {
        return groups
            .into_iter()
            .flat_map(|group| parts_of(group, top))
            .collect();
    }
    let mut opening = Vec::new();
    let mut named: Vec<Vec<Group>> = outline.iter().map(|_| Vec::new()).collect();
    let mut rest = Vec::new();
    for (group, place) in groups.into_iter().zip(places) {
        let list = place.and_then(|at| named.get_mut(at));
        match list {
            Some(list) => list.push(group),
            None if group.heading.is_none() => opening.push(group),
            None => rest.push(group),
        }
    }
    let mut found: Vec<Part> = opening
        .into_iter()
        .flat_map(|group| parts_of(group, top))
        .collect();
    for (name, groups) in outline.iter().zip(named) {
        let is_headed = groups.first().is_some_and(|group| group.heading.is_some());
        if !groups.is_empty() && !is_headed {
            let runs = vec![Run::plain(capital(name))];
            found.push(Part::Heading { level: top, runs });
        }
        for (index, group) in groups.into_iter().enumerate() {
            found.extend(parts_of(group, top + u8::from(index > 0 || !is_headed)));
        }
    }
    found.extend(rest.into_iter().flat_map(|group| parts_of(group, top)));
    found
}

fn parts_of(group: Group, level: u8) -> Vec<Part> {
    let heading = group.heading.map(|(own, runs)| Part::Heading {
        level: own.max(level),
        runs,
    });
    heading.into_iter().chain(group.parts).collect()
}

fn grouped(parts: Vec<Part>, top: u8) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for part in parts {
        match (part, groups.last_mut()) {
            (Part::Heading { level, runs }, _) if level <= top => groups.push(Group {
                heading: Some((level, runs)),
                parts: Vec::new(),
            }),
            // A list belongs to the paragraph that announces it.
            (part, Some(last)) if last.heading.is_some() || announces(last) => {
                last.parts.push(part);
            }
            (part, _) => groups.push(Group {
                heading: None,
                parts: vec![part],
            }),
        }
    }
    groups
}

fn announces(group: &Group) -> bool {
    match group.parts.last() {
        Some(Part::Block(Block::Paragraph(paragraph))) => {
            let text = plain_text(&paragraph.runs);
            text.trim_end().ends_with([':', '：'])
        }
        _ => false,
    }
}

/// For each group the place in the list where it belongs.
fn placed(groups: &[Group], outline: &[String]) -> Vec<Option<usize>> {
    let names: Vec<Vec<String>> = outline.iter().map(|name| telling(name)).collect();
    let summary = outline.iter().position(|name| {
        let folded = fold(name);
        SUMMARIES.open(&split(&folded))
    });
    let mut places: Vec<Option<usize>> = Vec::with_capacity(groups.len());
    let mut last = None;
    for group in groups {
        let text = said(group);
        let folded = fold(&text);
        let sums_up = SUMMARIES.open(&split(&folded)).then_some(summary).flatten();
        let found = sums_up.or_else(|| best(&text, &names));
        // What goes on without a name of its own belongs to what stands before it.
        let place = found.or(last.filter(|_| group.heading.is_none()));
        last = place;
        places.push(place);
    }
    // What opens the brief sums it up, if nothing else does.
    if let (Some(at), Some(first)) = (summary, places.first_mut())
        && first.is_none()
        && groups.first().is_some_and(|group| group.heading.is_none())
    {
        *first = Some(at);
    }
    places
}

/// What tells what a group is about: its heading, else its words.
fn said(group: &Group) -> String {
    if let Some((_, runs)) = &group.heading {
        return one_line(&plain_text(runs));
    }
    let texts = group.parts.iter().flat_map(|part| match part {
        Part::Block(block) => texts_of(std::slice::from_ref(block)),
        Part::Heading { runs, .. } => vec![plain_text(runs)],
    });
    one_line(&texts.collect::<Vec<_>>().join(" "))
}

/// The name that the beginning of a text has in it; else the one that stands in it alone.
fn best(text: &str, names: &[Vec<String>]) -> Option<usize> {
    let words = telling(text);
    let opening = words.get(..OPENING_WORDS.min(words.len()))?;
    let meets = |name: &Vec<String>, words: &[String]| {
        let mut known = name.iter();
        known.any(|known| words.iter().any(|word| are_alike(known, word)))
    };
    if let Some(at) = names.iter().position(|name| meets(name, opening)) {
        return Some(at);
    }
    let mut elsewhere = (0..names.len()).filter(|at| {
        let name = names.get(*at);
        name.is_some_and(|name| meets(name, &words))
    });
    elsewhere.next().filter(|_| elsewhere.next().is_none())
}

/// The words that are long enough to tell something.
fn telling(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = split(&folded);
    let long = words
        .into_iter()
        .filter(|word| word.chars().count() >= SHARED_LETTERS);
    long.map(str::to_owned).collect()
}

/// Whether two words are forms of one: `volume` and `volumes`.
fn are_alike(one: &str, other: &str) -> bool {
    let shared = one
        .chars()
        .zip(other.chars())
        .take_while(|(left, right)| left == right)
        .count();
    let (one, other) = (one.chars().count(), other.chars().count());
    let (short, long) = (one.min(other), one.max(other));
    shared >= SHARED_LETTERS && shared + 1 >= short && long <= short + 2
}

#[cfg(test)]
mod tests {
    use super::super::Brief;
    use super::*;

    fn headings(brief: &str, language: &str) -> Vec<String> {
        let brief = Brief::read(brief, language);
        let headings = brief.chapters.iter();
        headings
            .map(|chapter| chapter.heading.clone().unwrap_or_default())
            .collect()
    }

    #[test]
    fn lists_of_parts_are_told() {
        for sentence in [
            "Sections: summary, volumes, incidents and outlook.",
            "Kapitel: Zusammenfassung, Mengen, Ausblick",
            "Chapitres : résumé, volumes, suite",
            "Secciones: resumen, volúmenes y perspectivas",
        ] {
            assert!(is_told(sentence), "{sentence}");
        }
        for sentence in [
            "Sections: 12",
            "Sections: the hall has a north part. It leaks.",
            "Findings: dust, damp, mould",
            "Folien: 8-10",
        ] {
            assert!(!is_told(sentence), "{sentence}");
        }
    }

    #[test]
    fn prose_is_ordered_and_named_by_the_list() {
        for (language, brief, expected) in [
            (
                "en",
                "Write a report. Sections: summary, volumes, incidents.\n\nOne incident in Hull.\n\nThe volume grew by a fifth.\n\nIn short, a good month.",
                ["Summary", "Volumes", "Incidents"],
            ),
            (
                "de",
                "Schreib einen Bericht. Kapitel: Zusammenfassung, Mengen, Störungen.\n\nDas war ein guter Monat für alle.\n\nDie Menge stieg um ein Fünftel.\n\nEine Störung gab es in Gera.",
                ["Zusammenfassung", "Mengen", "Störungen"],
            ),
            (
                "fr",
                "Rédige un rapport.\nChapitres : résumé, volumes, incidents.\n\nIncident unique à Brest.\n\nLes volumes ont augmenté.\n\nEn bref, un bon mois.",
                ["Résumé", "Volumes", "Incidents"],
            ),
            (
                "es",
                "Redacta un informe.\n\nApartados:\n- resumen\n- volúmenes\n- incidencias\n\nUna incidencia en Vigo.\n\nEl volumen creció un quinto.\n\nEn resumen, un buen mes.",
                ["Resumen", "Volúmenes", "Incidencias"],
            ),
        ] {
            assert_eq!(headings(brief, language), expected, "{brief}");
        }
    }

    #[test]
    fn headings_are_put_into_the_order_of_the_list() {
        let brief = "Write a report. Sections: outlook, volumes.\n\n## Volumes in March\n\nMore.\n\n## Staff\n\nTwo left.\n\n## Outlook\n\nSteady.";
        assert_eq!(
            headings(brief, "en"),
            ["Outlook", "Volumes in March", "Staff"]
        );
    }

    #[test]
    fn a_list_whose_names_nothing_meets_changes_nothing() {
        let brief = "Write a report. Sections: alpha, omega.\n\nMore pallets.\n\nTwo left.";
        assert_eq!(headings(brief, "en"), [""]);
    }
}
