//! What of the pages may be shown to a model.

use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::numbers::is_unspaced;
use gtm_page_text::primary_language;
use gtm_site_research::boilerplate;
use gtm_site_research::evidence::{Evidence, Passage, Sentence};
use gtm_site_research::instructions;
use gtm_site_research::page::BlockKind;
use gtm_site_research::reading::{Research, Visited};
use gtm_site_research::roles::Role;
use gtm_site_research::{sentences, words};

use super::{LONGEST, MOST_WORDS_OF_A_LABEL};

/// How often a page may show the same short text without digits; more often, it is a button.
const MOST_REPEATS: usize = 3;

/// Fewest pages that show whether a text is a menu's.
const LEAST_PAGES_OF_A_MENU: usize = 3;
/// What one page in so many has is a fact of those pages and no menu.
const PAGES_OF_A_FACT: usize = 4;
/// Fewest words of a label with its value.
const LEAST_WORDS_OF_A_FACT: usize = 2;

/// What templates of sites hold until somebody writes a text.
const PLACEHOLDER: &str = "lorem ipsum";

/// Whether the text has a digit of any script.
pub fn has_digits(text: &str) -> bool {
    text.chars().any(char::is_numeric)
}

/// A text that may be shown.
struct Piece<'a> {
    passage: &'a Passage,
    text: &'a str,
    folded: String,
}

impl Piece<'_> {
    /// What must differ from all that was shown before. A short text says something else beside other texts: the number of a
    /// counter, a word that stands in a menu, too.
    fn identity(&self, before: Option<&Self>, behind: Option<&Self>) -> String {
        let plain = self.folded.trim_end_matches('.');
        let short = length_in_words(self.text, &self.folded) <= MOST_WORDS_OF_A_LABEL;
        // The same question may have another answer.
        let asks = self.text.ends_with(['?', '？', '؟']);
        if !(short || asks) || !self.passage.main {
            return plain.to_owned();
        }
        let of = |other: Option<&Self>| {
            let same_page = other.filter(|other| other.passage.page == self.passage.page);
            same_page.map_or(String::new(), |other| other.folded.clone())
        };
        // A heading belongs to what follows it.
        let before = match self.passage.kind {
            BlockKind::Heading => String::new(),
            _ if asks => String::new(),
            _ => of(before),
        };
        format!("{plain}\n{before}\n{}", of(behind))
    }
}

/// Everything that may be shown, in the order of the pages, each text once; short ones once in each place where they mean something.
pub fn material(research: &Research, evidence: &Evidence) -> Vec<Sentence> {
    let pieces = without_layout(sayings(research, evidence));
    let mut known = BTreeSet::new();
    let mut repeats: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    let mut found: Vec<Sentence> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let passage = piece.passage;
        // Some builders print a title twice in a row, for wide and for narrow screens.
        let is_double = found.last().is_some_and(|last| {
            last.page == passage.page && last.folded == piece.folded && !has_digits(piece.text)
        });
        if is_double {
            continue;
        }
        let before = at.checked_sub(1).and_then(|before| pieces.get(before));
        if !known.insert(piece.identity(before, pieces.get(at + 1))) {
            continue;
        }
        let shown = repeats
            .entry((passage.page, piece.folded.as_str()))
            .or_insert(0);
        if *shown >= MOST_REPEATS && !has_digits(piece.text) {
            continue;
        }
        *shown += 1;
        let position = found
            .last()
            .filter(|last| last.page == passage.page)
            .map_or(0, |last| last.position + 1);
        found.push(Sentence {
            page: passage.page,
            block: passage.block,
            position,
            role: passage.role,
            kind: passage.kind,
            text: piece.text.to_owned(),
            folded: piece.folded.clone(),
        });
    }
    found
}

/// How many pieces behind a row its cells may stand.
const CELLS: usize = 40;
/// Which part of a row its cells must fill.
const FILLED: (usize, usize) = (4, 5);

/// The pieces without rows of tables that only place other blocks: those follow as pieces of their own.
fn without_layout(pieces: Vec<Piece<'_>>) -> Vec<Piece<'_>> {
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let is_layout = |at: usize, row: &Piece<'_>| {
        let behind = pieces.get(at + 1..).unwrap_or_default().iter();
        let cells: usize = behind
            .take(CELLS)
            .filter(|piece| piece.passage.page == row.passage.page)
            .filter(|piece| piece.passage.kind != BlockKind::TableRow)
            .filter(|piece| row.text.contains(piece.text))
            .map(|piece| letters(piece.text))
            .sum();
        cells * FILLED.1 >= letters(row.text) * FILLED.0
    };
    let rows: BTreeSet<usize> = pieces
        .iter()
        .enumerate()
        .filter(|(_, piece)| piece.passage.kind == BlockKind::TableRow)
        .filter(|(at, row)| is_layout(*at, row))
        .map(|(at, _)| at)
        .collect();
    let pieces = pieces.into_iter().enumerate();
    let kept = pieces.filter(|(at, _)| !rows.contains(at));
    kept.map(|(_, piece)| piece).collect()
}

/// All texts that say something, in the order of the pages.
fn sayings<'a>(research: &Research, evidence: &'a Evidence) -> Vec<Piece<'a>> {
    let names: Vec<String> = research
        .names
        .iter()
        .map(|name| words::fold(name))
        .collect();
    let beside = beside_the_main_part(research, evidence);
    let mut found = Vec::new();
    for passage in &evidence.passages {
        let Some(visited) = research.pages.get(passage.page) else {
            continue;
        };
        if words::fold(&passage.text).contains(PLACEHOLDER) {
            continue;
        }
        for text in pieces(passage, visited, research) {
            let folded = words::fold(text);
            let of_others = passage.role == Role::External
                && !names.iter().any(|name| folded.contains(name.as_str()));
            let pages = beside.get(folded.as_str()).copied();
            let read = research.pages.len();
            let own = read >= LEAST_PAGES_OF_A_MENU
                && pages.is_some_and(|pages| pages * PAGES_OF_A_FACT <= read.max(PAGES_OF_A_FACT));
            if says_something(passage, text, &folded, own) && !of_others {
                found.push(Piece {
                    passage,
                    text,
                    folded,
                });
            }
        }
    }
    found
}

/// On how many pages each text stands that is outside of the main part.
fn beside_the_main_part(research: &Research, evidence: &Evidence) -> BTreeMap<String, usize> {
    let mut pages: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for passage in evidence.passages.iter().filter(|passage| !passage.main) {
        let Some(visited) = research.pages.get(passage.page) else {
            continue;
        };
        for text in pieces(passage, visited, research) {
            let of_text = pages.entry(words::fold(text)).or_default();
            of_text.insert(passage.page);
        }
    }
    let counted = pages.into_iter();
    counted
        .map(|(text, of_text)| (text, of_text.len()))
        .collect()
}

/// A passage's sentences; headings and rows stay whole.
fn pieces<'a>(passage: &'a Passage, visited: &Visited, research: &Research) -> Vec<&'a str> {
    let pieces = match passage.kind {
        BlockKind::Heading | BlockKind::TableRow => vec![passage.text.trim()],
        _ => {
            let language = visited
                .page
                .language
                .as_deref()
                .unwrap_or(&research.language);
            sentences::split(&passage.text, primary_language(language))
        }
    };
    pieces
        .into_iter()
        .map(|piece| match piece.char_indices().nth(LONGEST) {
            Some((end, _)) => piece.get(..end).unwrap_or(piece).trim_end(),
            None => piece,
        })
        .collect()
}

/// Whether a text says something. `own`: outside of the main part, few other pages have it.
fn says_something(passage: &Passage, text: &str, folded: &str, own: bool) -> bool {
    if !text.chars().any(char::is_alphanumeric)
        || boilerplate::is_call_to_act(text)
        || is_an_initial(text)
        || is_a_step(text)
    {
        return false;
    }
    let long = length_in_words(text, folded);
    // Outside of the main part stand menus, and the address that a footer gives; and often the title of a page. What few pages
    // have is no menu: a box of facts beside the text, with a label and a value in a row.
    let least = if own { LEAST_WORDS_OF_A_FACT } else { 4 };
    let is_title = passage.kind == BlockKind::Heading && passage.level == 1;
    let wanted = passage.main
        || is_title
        || (passage.kind != BlockKind::Heading
            && passage.role != Role::External
            && (long >= least || text.chars().any(|c| c.is_ascii_digit())));
    wanted && !(long > 3 && instructions::addressed_to_a_model(text))
}

/// Whether a text is one letter of an alphabet, such as stands for a person without a picture.
fn is_an_initial(text: &str) -> bool {
    let mut letters = text.chars().filter(|c| c.is_alphanumeric());
    let first = letters.next();
    letters.next().is_none() && first.is_some_and(|c| c.is_alphabetic() && !is_unspaced(c))
}

/// Whether a text only counts a list: `01`, `02.`. Nobody writes a figure so.
fn is_a_step(text: &str) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    bare.len() == 2 && bare.starts_with('0') && bare.ends_with(|c: char| c.is_ascii_digit())
}

/// How many words a text has. Scripts without spaces are measured by characters: two make about one word.
pub fn length_in_words(text: &str, folded: &str) -> usize {
    let unspaced = text.chars().filter(|c| is_unspaced(*c)).count();
    if unspaced * 2 > text.chars().filter(|c| c.is_alphanumeric()).count() {
        return unspaced / 2;
    }
    words::split(folded).len()
}
