//! Labelled facts: `Founded: 1998`, a table row, a list term with its description below.

use std::collections::BTreeSet;

use gtm_lexicon::Phrases;
use gtm_lexicon::numbers::is_unspaced;
use gtm_lexicon::trade::DEEDS;
use gtm_page_text::is_joined;
use gtm_site_research::claim::Excerpt;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::Line;
use super::figures::is_bare;
use super::founding::is_date;
use crate::part::Part;

/// Most words of a label.
const LONGEST_LABEL: usize = 5;
/// Most bytes of a number with its unit.
const LONGEST_NUMBER: usize = 64;
/// Most characters of a value.
const LONGEST_VALUE: usize = 160;

/// A label with the value after or below it.
#[derive(Debug, Clone)]
pub struct Labelled<'a> {
    /// The label's words, folded and joined by single blanks.
    pub label: String,
    /// The value, verbatim.
    pub value: &'a str,
    /// The part that its page plays.
    pub part: Part,
    /// Index of the page.
    pub page: usize,
    /// Whether it stands in the page's main content.
    pub main: bool,
    /// Whether the label is a heading.
    pub headed: bool,
    /// The lines that contain value and label.
    pub excerpts: Vec<Excerpt>,
}

/// Every possible pair of label and value on the pages. Callers filter them by the words of the label.
pub fn pairs<'a>(lines: &[Line<'a>]) -> Vec<Labelled<'a>> {
    let mut found = Vec::new();
    let tiles = under_numbers(lines);
    for (at, line) in lines.iter().enumerate() {
        // A form asks for values and has none.
        if line.form {
            continue;
        }
        if let Some((label, value)) = line.text.split_once([':', '：']) {
            found.extend(pair(label, value.trim(), line, None));
        }
        if line.kind == BlockKind::TableRow {
            for (_, end, _) in words::tokens(line.text).into_iter().take(LONGEST_LABEL) {
                let (label, value) = line.text.split_at(end);
                if !goes_on(value) {
                    found.extend(pair(label, value.trim(), line, None));
                }
            }
        }
        if let Some((label, value)) = line.text.split_once(' ')
            && line.kind != BlockKind::TableRow
            && is_unspaced_label(label)
        {
            found.extend(pair(label, value.trim(), line, None));
        }
        let before = at.checked_sub(1).and_then(|before| lines.get(before));
        let dated = |other: Option<&Line<'a>>| {
            other.is_some_and(|other| other.page == line.page && is_date(other.text))
        };
        let in_tile = tiles.contains(&at);
        // In a history, the date stands above what happened, not below, and so does the number of a tile.
        if let Some(before) =
            before.filter(|_| in_tile || dated(before) && dated(lines.get(at + 1)))
        {
            found.extend(pair(line.text, before.text, before, Some(line)));
        } else if let Some(next) = lines
            .get(at + 1)
            .filter(|next| next.page == line.page && !next.form)
        {
            found.extend(pair(
                line.text.trim_end_matches([':', '：']),
                next.text,
                next,
                Some(line),
            ));
        }
    }
    found
}

/// Whether a label goes on behind its first words with what a stroke parts: `legale / operativa` of `Sede legale / operativa`.
fn goes_on(value: &str) -> bool {
    let mut words = value.split_whitespace();
    let first = words.next().unwrap_or_default();
    first.starts_with(char::is_lowercase) && words.next() == Some("/")
}

/// Most signs of a label in a script without blanks, where one parts it from its value.
const LONGEST_UNSPACED: usize = 8;

/// Whether a text is some signs of a script without blanks: what a blank parts from them may be their value.
fn is_unspaced_label(text: &str) -> bool {
    (2..=LONGEST_UNSPACED).contains(&text.chars().count()) && text.chars().all(is_unspaced)
}

/// The lines that are labels below their numbers, in rows of tiles: `150`, `Employees`, `12`, `Locations`. In a row that
/// begins with a label like the others, each number stands below its label.
fn under_numbers(lines: &[Line<'_>]) -> BTreeSet<usize> {
    let is_number = |at: usize| {
        let line = lines.get(at);
        line.is_some_and(|line| line.text.len() <= LONGEST_NUMBER && is_bare(line.text))
    };
    let beside = |one: usize, other: usize| {
        let both = lines.get(one).zip(lines.get(other));
        both.is_some_and(|(one, other)| one.page == other.page && one.main == other.main)
    };
    let is_label = |at: usize| {
        lines.get(at).is_some_and(|line| {
            (1..=LONGEST_LABEL).contains(&words::count(line.text)) && !is_number(at)
        })
    };
    let mut found = BTreeSet::new();
    let mut at = 0;
    while at < lines.len() {
        let first = at;
        while is_number(at) && is_label(at + 1) && beside(at, at + 1) && beside(first, at) {
            at += 2;
        }
        let labels = first + 1..at;
        // One number alone may be the value of what stands above it.
        if labels.len() < 3 {
            at = at.max(first + 1);
            continue;
        }
        let above = first.checked_sub(1).filter(|above| {
            let alike = lines.get(*above).zip(lines.get(first + 1));
            is_label(*above)
                && beside(*above, first)
                && alike.is_some_and(|(above, label)| above.kind == label.kind)
        });
        if above.is_none() {
            found.extend(labels.step_by(2));
        }
    }
    found
}

fn pair<'a>(
    label: &str,
    value: &'a str,
    line: &Line<'a>,
    above: Option<&Line<'a>>,
) -> Option<Labelled<'a>> {
    let folded = words::fold(label);
    let words = words::split(&folded);
    let fits = (1..=LONGEST_LABEL).contains(&words.len())
        && (1..=LONGEST_VALUE).contains(&value.chars().count());
    fits.then(|| Labelled {
        label: words.join(" "),
        value,
        part: line.part,
        page: line.page,
        main: line.main,
        headed: above.is_some_and(|above| above.kind == BlockKind::Heading),
        excerpts: std::iter::once(line)
            .chain(above)
            .map(Line::excerpt)
            .collect(),
    })
}

/// The pairs with one of these labels, on pages where a company presents itself.
pub fn labelled<'p, 'a>(
    pairs: &'p [Labelled<'a>],
    labels: &'static Phrases,
) -> impl Iterator<Item = &'p Labelled<'a>> {
    labelled_as(pairs, |label| labels.are(&words::split(label)))
}

/// The pairs whose label `is_wanted` accepts, on pages where a company presents itself.
pub fn labelled_as<'p, 'a>(
    pairs: &'p [Labelled<'a>],
    is_wanted: impl Fn(&str) -> bool,
) -> impl Iterator<Item = &'p Labelled<'a>> {
    let presents = |part| {
        matches!(
            part,
            Part::Home | Part::About | Part::Legal | Part::Contact | Part::Press | Part::Careers
        )
    };
    chosen(pairs, move |pair| {
        is_wanted(&pair.label) && presents(pair.part)
    })
}

/// The pairs with one of these labels in the main content of any page of the site.
pub fn labelled_anywhere<'p, 'a>(
    pairs: &'p [Labelled<'a>],
    labels: &'static Phrases,
) -> impl Iterator<Item = &'p Labelled<'a>> {
    chosen(pairs, |pair| {
        pair.main && pair.part != Part::External && labels.are(&words::split(&pair.label))
    })
}

fn chosen<'p, 'a>(
    pairs: &'p [Labelled<'a>],
    is_wanted: impl Fn(&Labelled<'a>) -> bool,
) -> impl Iterator<Item = &'p Labelled<'a>> {
    pairs
        .iter()
        .enumerate()
        .filter(move |(at, pair)| {
            // A table row yields one pair for each possible label length, shortest first and side by side; keep only the
            // longest label. Few pairs are wanted: what is compared for all of them takes the square of a page's length.
            let longer = || {
                let behind = pairs.get(at + 1..).unwrap_or_default().iter();
                let mut same_row = behind
                    .take_while(|other| other.page == pair.page && other.excerpts == pair.excerpts);
                same_row.any(|other| {
                    other.label.len() > pair.label.len()
                        && other.label.starts_with(&pair.label)
                        && is_wanted(other)
                })
            };
            is_wanted(pair) && !longer()
        })
        .map(|(_, pair)| pair)
}

/// The names that nothing but middle dots part, each with signs of Han: the dots of `コンピュータ・システム開発` are within
/// one name.
fn by_middle_dots(value: &str) -> Option<Vec<&str>> {
    let is_han = |c: char| matches!(c, '\u{3400}'..='\u{9fff}');
    let names: Vec<&str> = value.split('・').map(str::trim).collect();
    let is_name = |name: &&str| {
        name.contains(is_han) && name.chars().count() >= LEAST_OF_NAME && !name.contains('、')
    };
    (names.len() > 1 && names.iter().all(is_name)).then_some(names)
}

/// Fewest signs of a name between middle dots.
const LEAST_OF_NAME: usize = 3;

/// The names in the value of a label: its lines, or what its commas separate.
pub fn listed(value: &str) -> Vec<&str> {
    // Where a text needs no blanks, one is the end of a line.
    if value.contains(is_joined) && value.contains(char::is_whitespace) {
        return value.split_whitespace().collect();
    }
    if let Some(names) = by_middle_dots(value) {
        return names;
    }
    // `工業炉、乾燥炉の開発、製造`: what goes on with another deed is one phrase.
    let goes_on = |part: &str| DEEDS.iter().any(|deed| part.trim().starts_with(deed));
    if value.contains('・') && value.split('、').skip(1).any(goes_on) {
        return vec![value];
    }
    // A middle dot may stand within a name beside commas that part several.
    let dotted = value.contains('・') && !value.contains('、');
    let marks: &[char] = if dotted || value.contains(['\n', '●', '■', ';']) {
        &['\n', '●', '■', ';']
    } else {
        &[',', '、', '，', '/', '／']
    };
    value
        .split(marks)
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_with_two_halves_is_whole() {
        assert!(goes_on(" legale / operativa Via Roma 4"));
        assert!(!goes_on(" Via Roma 4 / 5") && !goes_on(" via Roma 4"));
    }

    fn line(text: &str, kind: BlockKind) -> Line<'_> {
        Line {
            page: 0,
            part: Part::About,
            main: true,
            kind,
            form: false,
            text,
        }
    }

    #[test]
    fn middle_dots_part_names_with_signs_of_han() {
        assert_eq!(
            listed("左官工事一式・塗り壁全般"),
            ["左官工事一式", "塗り壁全般"]
        );
        assert_eq!(
            listed("木製家具の設計・製作、建具の修理"),
            ["木製家具の設計・製作", "建具の修理"]
        );
        for one in [
            "コンピュータ・システム開発",
            "左官・塗装",
            "左官工事",
            "空気・ガス等の浄化装置の開発、製造、販売及び輸出入",
        ] {
            assert_eq!(listed(one), [one]);
        }
    }

    #[test]
    fn labels_stand_before_and_above_their_values() {
        let lines = [
            line("Founded: 1998", BlockKind::Paragraph),
            line("Employees about 85", BlockKind::TableRow),
            line("Head office Leeds, England", BlockKind::TableRow),
            line("Siège social", BlockKind::ListItem),
            line("Lyon, France", BlockKind::ListItem),
        ];
        let pairs = pairs(&lines);
        let value = |label: &str| {
            labelled_as(&pairs, |known| known == label)
                .map(|pair| pair.value)
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        assert_eq!(value("founded"), "1998");
        assert_eq!(value("employees"), "about 85");
        assert_eq!(value("siege social"), "Lyon, France");
        assert_eq!(value("lyon"), "");
        let asked = lines.map(|line| Line { form: true, ..line });
        assert!(super::pairs(&asked).is_empty());
        let history = [
            line("2017年10月", BlockKind::Heading),
            line("法人設立", BlockKind::ListItem),
            line("2018年3月", BlockKind::Heading),
        ];
        let of_founding: Vec<&str> = super::pairs(&history)
            .iter()
            .filter(|pair| pair.label == "法人設立")
            .map(|pair| pair.value)
            .collect();
        assert_eq!(of_founding, ["2017年10月"]);
        let tiles = |first: BlockKind| {
            let lines = [
                line("Facts", first),
                line("150", BlockKind::Paragraph),
                line("Employees", BlockKind::Paragraph),
                line("12", BlockKind::Paragraph),
                line("Shops", BlockKind::Paragraph),
                line("Next", BlockKind::Paragraph),
            ];
            let found = super::pairs(&lines).into_iter();
            found
                .map(|pair| (pair.label, pair.value.to_owned()))
                .filter(|(label, _)| matches!(label.as_str(), "employees" | "shops"))
                .map(|(_, value)| value)
                .collect::<Vec<_>>()
        };
        assert_eq!(tiles(BlockKind::Heading), ["150", "12"]);
        // Labels above their numbers begin with one like the others.
        assert_eq!(tiles(BlockKind::Paragraph), ["12", "Next"]);
        let seats: Vec<&str> = labelled_as(&pairs, |label| matches!(label, "head" | "head office"))
            .map(|pair| pair.value)
            .collect();
        assert_eq!(seats, ["Leeds, England"]);
    }
}
