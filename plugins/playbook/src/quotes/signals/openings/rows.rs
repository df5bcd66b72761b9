//! Vacancies in rows: a table or a list of labels may be one vacancy with all of its terms, and a table of several tells
//! once whom the company is looking for.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use gtm_lexicon::roles::VACANCY_LABELS;
use gtm_site_research::claim::Excerpt;
use gtm_site_research::evidence::Passage;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::{HIRING_KIND, Signal, is_for_every_sex, is_title, marks_every_sex};

/// Most titles that one signal names, and most characters of all of them.
const MOST: usize = 10;
const LONGEST: usize = 500;

/// What ends a label.
const LABELLING: [char; 2] = [':', '：'];

/// Rows of one kind that follow each other without a gap.
fn runs(passages: &[&Passage]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (at, passage) in passages.iter().enumerate() {
        if !matches!(passage.kind, BlockKind::TableRow | BlockKind::ListItem) {
            continue;
        }
        let above = at.checked_sub(1).and_then(|above| passages.get(above));
        let goes_on = above.is_some_and(|above| {
            above.kind == passage.kind
                && above.page == passage.page
                && above.block + 1 == passage.block
        });
        match found.last_mut().filter(|run| goes_on && run.end == at) {
            Some(run) => run.end = at + 1,
            None => found.push(at..at + 1),
        }
    }
    found.retain(|run| run.len() > 1);
    found
}

/// The places of titles right behind their labels, where each stands in a block of its own.
pub(super) fn behind_labels(passages: &[&Passage]) -> Vec<usize> {
    let is_label =
        |passage: &Passage| VACANCY_LABELS.are(&words::split(&words::fold(&passage.text)));
    let pairs = passages.windows(2).enumerate();
    let found = pairs.filter_map(|(at, pair)| {
        let [label, title] = pair else { return None };
        let beside = label.page == title.page
            && label.block + 1 == title.block
            && label.kind != BlockKind::Heading
            && label.kind == title.kind;
        (beside && is_label(label) && !is_label(title) && is_title(&title.text)).then_some(at + 1)
    });
    found.collect()
}

/// Leaves out what only looks like a title: beside titles behind their labels, all other rows are terms of the vacancy, and
/// rows of a table of which less than half have the words of a title are something else.
pub(super) fn without_terms(
    passages: &[&Passage],
    labelled: &mut BTreeSet<usize>,
    titles: &mut BTreeMap<usize, &str>,
) {
    for run in runs(passages) {
        let is_table = passages
            .get(run.start)
            .is_some_and(|first| first.kind == BlockKind::TableRow);
        let known = titles.range(run.clone()).count();
        // `Position Location Hours` above rows with their own titles names the columns.
        if is_table && labelled.contains(&run.start) && known > 2 && known * 2 > run.len() {
            labelled.remove(&run.start);
            titles.remove(&run.start);
        }
        let is_other = is_table && known * 2 < run.len();
        let has_label = labelled.range(run.clone()).next().is_some();
        // A label in a block of its own, as in `<dt>`, has others below it.
        let in_pairs = labelled
            .range(run.clone())
            .filter_map(|at| passages.get(*at))
            .any(|title| !title.text.contains(LABELLING));
        titles.retain(|at, title| {
            let is_term = has_label && (in_pairs || title.contains(LABELLING));
            !run.contains(at)
                || labelled.contains(at)
                || !is_term && (!is_other || is_for_every_sex(title))
        });
    }
}

/// The rows of tables that name several titles, each table once.
pub(super) fn tables(
    passages: &[&Passage],
    labelled: &BTreeSet<usize>,
    titles: &BTreeMap<usize, &str>,
) -> Vec<Vec<usize>> {
    let is_table = |run: &Range<usize>| {
        (passages.get(run.start)).is_some_and(|first| first.kind == BlockKind::TableRow)
    };
    let rows = |run: Range<usize>| -> Vec<usize> {
        let within = titles.range(run).map(|(at, _)| *at);
        within.filter(|at| !labelled.contains(at)).collect()
    };
    let found = runs(passages).into_iter().filter(is_table).map(rows);
    found.filter(|rows| rows.len() > 1).collect()
}

/// One signal that names the titles of a table.
pub(super) fn signal(
    passages: &[&Passage],
    rows: &[usize],
    titles: &BTreeMap<usize, &str>,
) -> Signal {
    let mut named: Vec<&str> = Vec::new();
    let mut excerpts = Vec::new();
    let mut length = 0;
    for at in rows {
        let (Some(title), Some(row)) = (titles.get(at), passages.get(*at)) else {
            continue;
        };
        let name = without_terms_behind(title);
        length += name.chars().count() + 2;
        if named.len() >= MOST || length > LONGEST || named.contains(&name) {
            continue;
        }
        named.push(name);
        excerpts.push(Excerpt {
            page: row.page,
            text: row.text.clone(),
        });
    }
    Signal {
        text: named.join("; "),
        kind: HIRING_KIND,
        date: None,
        excerpts,
        order: usize::MAX,
    }
}

/// A title up to the letters for every sex, behind which stand the place and the hours.
fn without_terms_behind(title: &str) -> &str {
    let mut tokens = words::tokens(title).into_iter();
    let marked = tokens.find(|(.., word)| marks_every_sex(word));
    let end = marked.map_or(title.len(), |(_, end, _)| end);
    title.get(..end).unwrap_or(title)
}
