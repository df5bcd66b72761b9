//! Lists that say more than a list: steps, what happens when, and rows of figures.

use gtm_document_model::block::{Block, Bullets, Event, Item, Kpi, Kpis, Step, Steps, Timeline};
use gtm_document_model::bounds;
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::NEXT_STEPS;
use gtm_lexicon::{fold, split};

use super::charts::is_period;
use super::one_line;
use crate::runs::trimmed;

/// Longest title of a step or an event, in characters.
const LONGEST_TITLE: usize = 160;
/// Longest figure and longest label of one, in characters.
const LONGEST_FIGURE: usize = 18;
const LONGEST_LABEL: usize = 90;

/// The blocks with their lists as what they are. `heading` is that of the chapter.
pub fn recognized(blocks: Vec<Block>, heading: &str) -> Vec<Block> {
    let mut heading = heading.to_owned();
    let mut found = Vec::with_capacity(blocks.len());
    for block in blocks {
        match block {
            Block::Heading(inner) => {
                heading = plain_text(&inner.runs);
                found.push(Block::Heading(inner));
            }
            Block::Bullets(list) => found.push(recognize(list, &heading)),
            other => found.push(other),
        }
    }
    found
}

/// Whether a heading announces what is to be done next.
pub fn announces_steps(heading: &str) -> bool {
    let folded = fold(heading);
    let words = split(&folded);
    words.len() <= 8 && NEXT_STEPS.any_in(&words)
}

fn recognize(list: Bullets, heading: &str) -> Block {
    let nested = list.items.iter().any(|item| !item.items.is_empty());
    let many = list.items.len() < 2 || list.items.len() > bounds::ENTRIES;
    if nested || many {
        return Block::Bullets(list);
    }
    if let Some(kpis) = kpis(&list.items) {
        return Block::Kpis(kpis);
    }
    if let Some(events) = events(&list.items) {
        return Block::Timeline(Timeline { events });
    }
    let titled = list.items.iter().all(|item| titled(&item.runs).is_some());
    if (list.ordered && titled) || announces_steps(heading) {
        let steps = list
            .items
            .iter()
            .map(|item| step(&item.runs))
            .collect::<Option<Vec<_>>>();
        if let Some(items) = steps {
            return Block::Steps(Steps { items });
        }
    }
    Block::Bullets(list)
}

/// A bold beginning and what follows it, or what stands before and behind a colon.
fn titled(runs: &[Run]) -> Option<(String, Vec<Run>)> {
    let first = runs.first().filter(|run| run.bold);
    if let Some(first) = first {
        let title = first.text.trim().trim_end_matches([':', '.', '：']).trim();
        let mut rest: Vec<Run> = runs.iter().skip(1).cloned().collect();
        if let Some(next) = rest.first_mut() {
            next.text = next
                .text
                .trim_start_matches([':', '：', '–', '—', '-', '.', ' '])
                .to_owned();
        }
        return fitting(title, trimmed(rest));
    }
    let text = plain_text(runs);
    let (title, rest) = text
        .split_once(": ")
        .or_else(|| text.split_once('：'))
        .or_else(|| text.split_once(" – "))
        .or_else(|| text.split_once(" — "))?;
    let short = title.split_whitespace().count() <= 8;
    let one_look = runs.len() == 1 && runs.first().is_some_and(|run| run.href.is_none());
    if !short || !one_look {
        return None;
    }
    fitting(title.trim(), trimmed(vec![Run::plain(rest)]))
}

fn fitting(title: &str, rest: Vec<Run>) -> Option<(String, Vec<Run>)> {
    let title = one_line(title);
    (1..=LONGEST_TITLE)
        .contains(&title.chars().count())
        .then_some((title, rest))
}

fn step(runs: &[Run]) -> Option<Step> {
    if let Some((title, runs)) = titled(runs) {
        return Some(Step { title, runs });
    }
    let linked = runs.iter().any(|run| run.href.is_some());
    let text = one_line(&plain_text(runs));
    (!linked && text.chars().count() <= LONGEST_TITLE).then_some(Step {
        title: text.trim_end_matches('.').to_owned(),
        runs: Vec::new(),
    })
}

/// What happens when: each item begins with a stretch of time.
fn events(items: &[Item]) -> Option<Vec<Event>> {
    let event = |item: &Item| {
        let (when, rest) = titled(&item.runs)?;
        let text = one_line(&plain_text(&rest));
        let linked = rest.iter().any(|run| run.href.is_some());
        let fits =
            is_period(&when) && !linked && (1..=LONGEST_TITLE).contains(&text.chars().count());
        fits.then_some(Event {
            when,
            title: text,
            runs: Vec::new(),
        })
    };
    items.iter().map(event).collect()
}

/// A row of figures: each item begins with a number in bold and says what it counts.
fn kpis(items: &[Item]) -> Option<Kpis> {
    if !(2..=6).contains(&items.len()) {
        return None;
    }
    let kpi = |item: &Item| {
        let bold = item.runs.first().filter(|run| run.bold)?.text.trim();
        let (_, rest) = titled(&item.runs)?;
        // `**300 hours** of copying` counts hours of copying.
        let end = bold
            .char_indices()
            .rev()
            .find(|(_, c)| c.is_numeric() || matches!(c, '%' | '٪' | '€' | '+' | '×'))
            .map(|(at, c)| at + c.len_utf8())?;
        let (value, unit) = bold.split_at(end);
        let label = one_line(&format!("{unit} {}", plain_text(&rest)));
        let fits = value.chars().any(char::is_numeric)
            && !is_period(bold)
            && value.chars().count() <= LONGEST_FIGURE
            && (1..=LONGEST_LABEL).contains(&label.chars().count());
        fits.then_some(Kpi {
            value: value.to_owned(),
            label: label.trim_end_matches('.').to_owned(),
            detail: None,
            cite: Vec::new(),
        })
    };
    let items = items.iter().map(kpi).collect::<Option<Vec<_>>>()?;
    Some(Kpis { items })
}
