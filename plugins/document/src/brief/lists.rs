//! Lists that say more than a list: steps, what happens when, and rows of figures; and tables that are such a row.

use gtm_document_model::block::{Block, Bullets, Event, Item, Kpi, Kpis, Step, Steps, Timeline};
use gtm_document_model::bounds;
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::NEXT_STEPS;
use gtm_lexicon::{fold, split};

use super::charts::is_period;
use super::{key_figures, one_line};
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
            Block::Table(table) => found.push(match key_figures::of_table(&table, &heading) {
                Some(kpis) => Block::Kpis(kpis),
                None => Block::Table(table),
            }),
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
    if let Some(kpis) = kpis(&list.items).filter(|kpis| !key_figures::are_prices(kpis, heading)) {
        return Block::Kpis(kpis);
    }
    if let Some(events) = events(&list.items) {
        return Block::Timeline(Timeline { events });
    }
    let figures = key_figures::of_list(&list, heading);
    if let Some(kpis) = figures.filter(|_| !announces_steps(heading)) {
        return Block::Kpis(kpis);
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

/// How a bold beginning goes on.
#[derive(Debug, PartialEq, Eq)]
enum Joint {
    /// With a mark that sets it apart: it is a title.
    Apart,
    /// With the next word of the sentence: `**300 hours** of copying`.
    Running,
    /// With anything else: `**2 sites**, so that`.
    Other,
}

fn joint(bold: &str, rest: &str) -> Joint {
    let behind = rest.trim_start();
    let mut letters = behind.chars();
    let first = letters.next();
    let then_blank = letters.next().is_none_or(char::is_whitespace);
    let spaced = rest.starts_with(char::is_whitespace) || bold.ends_with(char::is_whitespace);
    match first {
        _ if bold.trim_end().ends_with([':', '.', '：']) || rest.starts_with('\n') => Joint::Apart,
        None | Some(':' | '：' | '–' | '—') => Joint::Apart,
        Some('-' | '.') if then_blank => Joint::Apart,
        Some(c) if spaced && (c.is_alphanumeric() || matches!(c, '(' | '„' | '“' | '"')) => {
            Joint::Running
        }
        Some(_) => Joint::Other,
    }
}

/// A bold beginning that is set apart and what follows it, or what stands before and behind a colon.
fn titled(runs: &[Run]) -> Option<(String, Vec<Run>)> {
    let first = runs.first().filter(|run| run.bold);
    if let Some(first) = first {
        let mut rest: Vec<Run> = runs.iter().skip(1).cloned().collect();
        if joint(&first.text, &plain_text(&rest)) != Joint::Apart {
            return None;
        }
        let title = first.text.trim().trim_end_matches([':', '.', '：']).trim();
        if let Some(next) = rest.first_mut() {
            next.text = without_joint(&next.text).to_owned();
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

/// A text without the mark that sets it apart from a title.
fn without_joint(text: &str) -> &str {
    let bare = text.trim_start();
    let rest = bare.trim_start_matches([':', '：', '–', '—']);
    let rest = match rest.strip_prefix(['-', '.']) {
        Some(behind) if behind.is_empty() || behind.starts_with(char::is_whitespace) => behind,
        _ => rest,
    };
    rest.trim_start()
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
        let bold = &item.runs.first().filter(|run| run.bold)?.text;
        let rest = plain_text(item.runs.get(1..)?);
        if joint(bold, &rest) == Joint::Other {
            return None;
        }
        let (bold, rest) = (bold.trim(), without_joint(&rest));
        // `**300 hours** of copying` counts hours of copying.
        let end = bold
            .char_indices()
            .rev()
            .find(|(_, c)| c.is_numeric() || matches!(c, '%' | '٪' | '€' | '+' | '×'))
            .map(|(at, c)| at + c.len_utf8())?;
        let (value, unit) = bold.split_at(end);
        let unit = unit.trim_end_matches([':', '：', '.']);
        let label = one_line(&format!("{unit} {rest}"));
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

#[cfg(test)]
mod tests {
    use super::super::{Brief, texts_of};
    use super::*;

    fn blocks(brief: &str) -> Vec<Block> {
        let chapters = Brief::read(brief, "en").chapters.into_iter();
        chapters.flat_map(|chapter| chapter.blocks).collect()
    }

    #[test]
    fn emphasis_inside_of_a_sentence_costs_no_word_and_adds_no_blank() {
        for list in [
            "- **2 sites**, so that the rest can follow\n- **40 minutes** saved per shift",
            "- **Discount** -5 % for all\n- **Start**ing now",
            "1. **Visit** the site\n2. **Test**, then decide",
        ] {
            let brief = format!("# A\n\n## Next\n\n{list}\n");
            let said = texts_of(&blocks(&brief));
            let lines = list.replace("**", "");
            let lines = lines
                .lines()
                .filter_map(|line| line.split_once(' ').map(|(_, said)| said));
            assert_eq!(said, lines.collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_is_set_apart_is_a_title_or_a_figure() {
        let figures =
            blocks("# A\n\n## B\n\n- **300 hours** of copying\n- **5 %**: fewer alarms\n");
        let Some(Block::Kpis(kpis)) = figures.first() else {
            unreachable!("{figures:?}")
        };
        let told: Vec<(&str, &str)> = kpis
            .items
            .iter()
            .map(|kpi| (kpi.value.as_str(), kpi.label.as_str()))
            .collect();
        assert_eq!(told, [("300", "hours of copying"), ("5 %", "fewer alarms")]);
        let steps = blocks(
            "# A\n\n## B\n\n1. **Visit**: one hour\n2. **Test.** Two weeks\n3. **Report** – in May\n",
        );
        assert!(
            matches!(steps.first(), Some(Block::Steps(steps)) if steps.items.iter().map(|step| step.title.as_str()).eq(["Visit", "Test", "Report"]))
        );
    }
}
