//! How the text of pages is painted: for each place at which text stands, the colours that the strongest rules give it, with what
//! it takes over from the elements around.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Sheet;
use super::cascade::{self, Rank};
use super::declaration::{Part, parts};
use super::evaluate::{BUDGET, evaluate, variables};
use super::rules::{self, Rule, Style};
use super::selector::Selector;
use super::values::{Back, Values};
use crate::elements::Elements;

/// Most places that are looked at.
const MOST_PLACES: usize = 2_000;
/// Text as a page shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Painted {
    pub(crate) foreground: String,
    /// What is behind, if that is one colour.
    pub(crate) background: Option<String>,
    /// Number of letters.
    pub(crate) letters: u32,
    /// Whether it is running text.
    pub(crate) running: bool,
}

/// What an element gives to those inside of it.
#[derive(Debug, Clone)]
struct Shown {
    foreground: Option<String>,
    background: Ground,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Ground {
    /// Nothing is painted so far.
    None,
    Color(String),
    /// A picture, or several colours through each other.
    Unknown,
}

/// A rule that may paint an element, by one of its selectors.
struct Paints<'a> {
    selector: &'a Selector,
    at: usize,
    rule: &'a Rule,
}

/// The rules of some sheets, by what their subjects must have.
struct Painters<'a> {
    by_mark: HashMap<&'a str, Vec<usize>>,
    /// Those whose subject may be anything.
    of_all: Vec<usize>,
    all: Vec<Paints<'a>>,
    values: Vec<Option<Values>>,
}

/// The text of the pages, painted by these sheets. Empty if nothing is known of where it stands.
pub(crate) fn painted(sheets: &[&Sheet], elements: &Elements) -> Vec<Painted> {
    if elements.texts().next().is_none() {
        return Vec::new();
    }
    let css: String = sheets.iter().map(|sheet| sheet.rules.as_str()).collect();
    let style = rules::read(&css);
    let painters = Painters::of(&style);
    let mut known: HashMap<String, Shown> = HashMap::new();
    let mut found: BTreeMap<(String, Option<String>, bool), u32> = BTreeMap::new();
    for (place, letters) in elements.texts().take(MOST_PLACES) {
        let kinds: Vec<Vec<&str>> = place
            .split(" > ")
            .map(|kind| kind.split(' ').collect())
            .collect();
        let mut names = kinds.iter().filter_map(|kind| kind.first().copied());
        let running = !names.any(is_apart);
        let shown = shown_at(place, &kinds, &painters, &mut known);
        let background = match shown.background {
            Ground::None => Some("#ffffff".to_owned()),
            Ground::Color(hex) => Some(hex),
            Ground::Unknown => None,
        };
        let foreground = shown.foreground.unwrap_or_else(|| "#000000".to_owned());
        let count = found.entry((foreground, background, running)).or_default();
        *count = count.saturating_add(letters);
    }
    found
        .into_iter()
        .map(|((foreground, background, running), letters)| Painted {
            foreground,
            background,
            letters,
            running,
        })
        .collect()
}

/// The part of a page's letters that must have the page's own colour for it to be that of its text: `body` gives it to
/// headings, lists and whatever no other rule paints, however much of the rest is muted.
const OWN_PART: u64 = 8;

/// The colour of running text: the one that the page gives itself, if a fair part of its text shows it, else that of most
/// running text, if most of it has one colour.
pub(crate) fn running_text(
    sheets: &[&Sheet],
    elements: &Elements,
    of_page: Option<&str>,
) -> Option<String> {
    let texts = painted(sheets, elements);
    let count = |wanted: &dyn Fn(&Painted) -> bool| -> u64 {
        let wanted = texts.iter().filter(|text| wanted(text));
        wanted.map(|text| u64::from(text.letters)).sum()
    };
    if let Some(own) = of_page {
        let shown = count(&|text| text.foreground == own);
        if shown > 0 && shown * OWN_PART >= count(&|_| true) {
            return Some(own.to_owned());
        }
    }
    let mut letters: BTreeMap<&str, u64> = BTreeMap::new();
    for text in texts.iter().filter(|text| text.running) {
        *letters.entry(&text.foreground).or_default() += u64::from(text.letters);
    }
    let all: u64 = letters.values().sum();
    let most = letters.into_iter().max_by_key(|(_, letters)| *letters);
    most.filter(|(_, letters)| letters * 2 > all)
        .map(|(hex, _)| hex.to_owned())
}

/// Whether what text in an element is painted in says nothing of running text: that of links, buttons and headings.
fn is_apart(name: &str) -> bool {
    matches!(
        name,
        "a" | "button"
            | "label"
            | "nav"
            | "header"
            | "footer"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
    )
}

/// What is shown at a place: what is shown around it, and what the rules for the last element change.
fn shown_at(
    place: &str,
    kinds: &[Vec<&str>],
    painters: &Painters<'_>,
    known: &mut HashMap<String, Shown>,
) -> Shown {
    let mut shown = Shown {
        foreground: None,
        background: Ground::None,
    };
    // Pages may leave out the elements around everything.
    let mut around: Vec<&[&str]> = Vec::new();
    for name in ["html", "body"] {
        if !kinds.iter().any(|kind| kind.first() == Some(&name)) {
            let bare: &[&str] = if name == "html" { &["html"] } else { &["body"] };
            shown = painters.paint(bare, &around, shown);
            around.push(bare);
        }
    }
    let mut end = 0;
    for kind in kinds {
        let length: usize = kind.iter().map(|mark| mark.len() + 1).sum();
        end = (if end == 0 { 0 } else { end + " > ".len() }) + length - 1;
        let prefix = place.get(..end).unwrap_or(place);
        shown = match known.get(prefix) {
            Some(known) => known.clone(),
            None => {
                let shown = painters.paint(kind, &around, shown);
                known.insert(prefix.to_owned(), shown.clone());
                shown
            }
        };
        around.push(kind);
    }
    shown
}

impl<'a> Painters<'a> {
    fn of(style: &'a Style) -> Self {
        let variables = variables(style, false);
        let mut budget = BUDGET;
        let mut painters = Self {
            by_mark: HashMap::new(),
            of_all: Vec::new(),
            all: Vec::new(),
            values: Vec::new(),
        };
        for (at, rule) in style.rules.iter().enumerate() {
            let paints = |name: &str| name == "color" || name.starts_with("background");
            let paints = rule
                .declarations
                .iter()
                .any(|declared| paints(&declared.name));
            let counts = paints && !rule.dark && rule.conditions.is_empty();
            painters.values.push(
                counts.then(|| evaluate(at, &rule.declarations, &variables, None, &mut budget)),
            );
            for selector in rule
                .selectors
                .iter()
                .filter(|one| counts && one.is_lasting())
            {
                let index = painters.all.len();
                painters.all.push(Paints { selector, at, rule });
                match selector.subject_needs().last() {
                    Some(mark) => painters.by_mark.entry(mark).or_default().push(index),
                    None => painters.of_all.push(index),
                }
            }
        }
        painters
    }

    /// What an element shows inside of others.
    fn paint(&self, kind: &[&str], around: &[&[&str]], outer: Shown) -> Shown {
        let marks = kind.iter().filter_map(|mark| self.by_mark.get(mark));
        let candidates: BTreeSet<usize> = marks.flatten().chain(&self.of_all).copied().collect();
        let mut text: Option<(Rank, Option<String>)> = None;
        let mut ground: Option<(Rank, Ground)> = None;
        for paints in candidates.iter().filter_map(|index| self.all.get(*index)) {
            if !paints.selector.selects(kind, around) {
                continue;
            }
            let Some(values) = self.values.get(paints.at).and_then(Option::as_ref) else {
                continue;
            };
            let rank = |important: bool| {
                cascade::rank(
                    paints.rule,
                    paints.at,
                    paints.selector.specificity,
                    important,
                )
            };
            for declared in &paints.rule.declarations {
                let rank = rank(declared.important);
                if declared.name == "color" && text.as_ref().is_none_or(|(known, _)| rank >= *known)
                {
                    text = Some((rank, text_of(values)));
                }
                let is_ground = declared.name.starts_with("background")
                    && matches!(
                        values.background,
                        Back::Color(_) | Back::Picture | Back::Clear
                    );
                if is_ground && ground.as_ref().is_none_or(|(known, _)| rank >= *known) {
                    ground = Some((rank, ground_of(values, &outer.background)));
                }
            }
        }
        let mut shown = outer.clone();
        if let Some((_, told)) = text {
            shown.foreground = told.or(outer.foreground);
        }
        if let Some((_, told)) = ground {
            shown.background = told;
        }
        let own = kind
            .iter()
            .find_map(|mark| mark.strip_prefix('{')?.strip_suffix('}'));
        for declared in own.unwrap_or_default().split(';') {
            own_style(declared, &mut shown);
        }
        shown
    }
}

/// The colour that a rule gives to text: none if it is the one around, or unknown.
fn text_of(values: &Values) -> Option<String> {
    let paint = values.foreground.as_ref()?;
    paint.opaque.then(|| paint.hex.clone())
}

fn ground_of(values: &Values, outer: &Ground) -> Ground {
    match &values.background {
        Back::Color(paint) if paint.opaque => Ground::Color(paint.hex.clone()),
        Back::Unset | Back::Clear => outer.clone(),
        Back::Color(_) | Back::Picture => Ground::Unknown,
    }
}

/// An element's own styles are stronger than those of sheets.
fn own_style(declared: &str, shown: &mut Shown) {
    let Some((name, value)) = declared.split_once(':') else {
        return;
    };
    let value = value.trim_end_matches("!important");
    let parts = parts(value);
    match (name.to_ascii_lowercase().as_str(), parts.as_slice()) {
        ("color", [Part::Color(paint)]) if paint.opaque => {
            shown.foreground = Some(paint.hex.clone());
        }
        ("background" | "background-color", [Part::Color(paint)]) if paint.opaque => {
            shown.background = Ground::Color(paint.hex.clone());
        }
        ("background" | "background-color" | "background-image", parts)
            if parts.iter().any(|part| !matches!(part, Part::Word(_))) =>
        {
            shown.background = Ground::Unknown;
        }
        _ => {}
    }
}
