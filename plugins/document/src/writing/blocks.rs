//! The form in which a model writes a section: a list of pieces, each with its citations; and what becomes of them.
//!
//! Pieces are checked one by one, so that a wrong number costs a bullet and not a section.

use gtm_document_model::block::{
    Block, Bullets, Callout, Event, Heading, Item, Kpi, Kpis, Quote, Step, Steps, Timeline, Tone,
};
use gtm_document_model::table::{Table, TableColumn};
use gtm_document_model::text::Run;
use gtm_site_research::claim::Claim;
use gtm_writing::form::{
    Field, Form, Layout, Part, Support, Unit, needed, object, optional, plain,
};
use gtm_writing::wording;
use serde_json::Value;

use crate::brief::{column_kind, one_line};
use crate::chapter::{lead, paragraph};
use crate::runs::{cited, cut};

/// What a piece is.
const KINDS: &[&str] = &[
    "lead",
    "paragraph",
    "bullet",
    "figure",
    "quote",
    "callout",
    "step",
    "event",
    "columns",
    "row",
    "heading",
];

const PROSE: &[Field] = &[
    needed("text", Form::Text(700)),
    optional("kind", Form::Choice(KINDS, None)),
    optional("label", Form::Text(90)),
    optional("cells", Form::List(5, 140)),
];
const SLIDE: &[Field] = &[
    needed("text", Form::Text(130)),
    optional("kind", Form::Choice(KINDS, None)),
    optional("label", Form::Text(60)),
    optional("cells", Form::List(4, 50)),
];
const NOTES: &[Field] = &[needed("text", Form::Text(700))];

const PROSE_FACTS: Layout = Layout::Many(object(PROSE, Support::Fact), 14);
const PROSE_ADVICE: Layout = Layout::Many(object(PROSE, Support::Advice), 14);
const SLIDE_FACTS: Layout = Layout::Group(&[
    ("blocks", Layout::Many(object(SLIDE, Support::Fact), 7)),
    ("notes", Layout::One(plain(NOTES, Support::Advice))),
]);
const SLIDE_ADVICE: Layout = Layout::Group(&[
    ("blocks", Layout::Many(object(SLIDE, Support::Advice), 7)),
    ("notes", Layout::One(plain(NOTES, Support::Advice))),
]);

/// Names of the parts of an answer, one for each section.
const NAMES: [&str; 18] = [
    "s01", "s02", "s03", "s04", "s05", "s06", "s07", "s08", "s09", "s10", "s11", "s12", "s13",
    "s14", "s15", "s16", "s17", "s18",
];
/// Most sections that a model writes.
pub const MOST_SECTIONS: usize = NAMES.len();

/// The title of a section, as a unit to check.
pub const TITLE: Unit =
    plain(&[needed("text", Form::Text(160))], Support::Advice).also_from_caller();

/// The name of the part of a section.
#[must_use]
pub fn name(section: usize) -> &'static str {
    NAMES.get(section).copied().unwrap_or("s18")
}

/// The part of a section: whether it states facts or advises, on a slide or in prose.
#[must_use]
pub fn part(section: usize, advises: bool, slides: bool) -> Part {
    Part {
        name: name(section),
        layout: match (slides, advises) {
            (true, false) => SLIDE_FACTS,
            (true, true) => SLIDE_ADVICE,
            (false, false) => PROSE_FACTS,
            (false, true) => PROSE_ADVICE,
        },
        instruction: "the section of this name in the OUTLINE, its pieces in reading order",
    }
}

/// What a model is told of the form.
#[must_use]
pub fn instructions(slides: bool) -> String {
    let mut text = "Each section is a list of pieces. kind says what one is: lead (opens the section), paragraph, bullet, \
        figure (label is the number with its sign, text is what it counts), quote (text is copied word for word from one \
        excerpt, label is who said it), callout, step (label is what to do, text is how), event (label is when, text is what \
        happens), columns (text is the heading of a table's first column, cells are the other headings), row (text names the \
        row, cells are its other cells, as many as there are headings), heading. label and cells stay empty otherwise."
        .to_owned();
    text.push_str(if slides {
        " These are slides: at most six short pieces each, at most forty words on a slide, no paragraphs. A title states the \
         point; the pieces carry it; notes are what the speaker says, in full sentences."
    } else {
        " This is prose that is read: paragraphs of two to four sentences carry the argument, lists only where things are \
         listed."
    });
    text
}

/// One piece of a section.
#[derive(Debug, Clone)]
pub struct Piece {
    kind: String,
    text: String,
    label: String,
    cells: Vec<String>,
    cite: Vec<String>,
    /// The words of the excerpts that it rests on.
    excerpts: Vec<String>,
}

impl Piece {
    /// A claim of the model's as a piece.
    #[must_use]
    pub fn of(claim: &Claim, cite: Vec<String>) -> Option<Self> {
        let member = |name: &str| {
            claim
                .value
                .get(name)
                .and_then(Value::as_str)
                .map(one_line)
                .unwrap_or_default()
        };
        let cells = claim.value.get("cells").and_then(Value::as_array);
        let text = member("text");
        (!text.is_empty()).then(|| Self {
            kind: member("kind"),
            text,
            label: member("label"),
            cells: cells
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(one_line)
                .collect(),
            cite,
            excerpts: claim
                .excerpts
                .iter()
                .map(|excerpt| excerpt.text.clone())
                .collect(),
        })
    }

    /// Whether it belongs into one block with the piece before it.
    fn joins(&self, before: &Self) -> bool {
        let together = matches!(self.kind.as_str(), "bullet" | "figure" | "step" | "event");
        (together && self.kind == before.kind)
            || (self.kind == "row" && matches!(before.kind.as_str(), "row" | "columns"))
    }

    fn runs(&self) -> Vec<Run> {
        cited(&self.text, &self.cite)
    }

    /// Its label and its text as one text, where its kind cannot be shown.
    fn told(&self) -> Vec<Run> {
        let mut parts: Vec<&str> = vec![self.label.as_str(), self.text.as_str()];
        parts.extend(self.cells.iter().map(String::as_str));
        parts.retain(|part| !part.is_empty());
        cited(&parts.join(" – "), &self.cite)
    }
}

/// The pieces as blocks, and how many were left out: quotations that stand in no excerpt.
#[must_use]
pub fn blocks(pieces: Vec<Piece>) -> (Vec<Block>, usize) {
    let mut groups: Vec<Vec<Piece>> = Vec::new();
    let mut invented = 0;
    for piece in pieces {
        let stands = piece.kind != "quote"
            || piece
                .excerpts
                .iter()
                .any(|excerpt| wording::holds(excerpt, &piece.text));
        if !stands {
            invented += 1;
            continue;
        }
        match groups.last_mut() {
            Some(group) if group.last().is_some_and(|before| piece.joins(before)) => {
                group.push(piece)
            }
            _ => groups.push(vec![piece]),
        }
    }
    let found = groups
        .into_iter()
        .flat_map(|group| of_group(&group))
        .collect();
    (found, invented)
}

fn of_group(group: &[Piece]) -> Vec<Block> {
    let Some(first) = group.first() else {
        return Vec::new();
    };
    let block = match first.kind.as_str() {
        "lead" => lead(first.runs()),
        "bullet" => list(group),
        "figure" => figures(group).unwrap_or_else(|| list(group)),
        "quote" => Block::Quote(Quote {
            runs: vec![Run::plain(&first.text)],
            attribution: Some(first.label.clone()).filter(|who| !who.is_empty()),
            cite: first.cite.clone(),
        }),
        "callout" => Block::Callout(Callout {
            tone: Tone::Info,
            title: Some(first.label.clone()).filter(|label| !label.is_empty()),
            runs: first.runs(),
        }),
        "step" => Block::Steps(Steps {
            items: group
                .iter()
                .map(|piece| match piece.label.is_empty() {
                    true => Step {
                        title: cut(&piece.text, 200),
                        runs: Vec::new(),
                    },
                    false => Step {
                        title: cut(&piece.label, 200),
                        runs: piece.runs(),
                    },
                })
                .collect(),
        }),
        "event" if group.iter().all(|piece| !piece.label.is_empty()) => Block::Timeline(Timeline {
            events: group
                .iter()
                .map(|piece| Event {
                    when: cut(&piece.label, 120),
                    title: cut(&piece.text, 200),
                    runs: Vec::new(),
                })
                .collect(),
        }),
        "columns" | "row" => return table(group),
        "event" => list(group),
        "heading" => Block::Heading(Heading {
            level: 2,
            runs: vec![Run::plain(&first.text)],
        }),
        _ => paragraph(first.runs()),
    };
    vec![block]
}

fn list(group: &[Piece]) -> Block {
    Block::Bullets(Bullets {
        ordered: false,
        items: group
            .iter()
            .map(|piece| Item {
                runs: piece.told(),
                items: Vec::new(),
            })
            .collect(),
    })
}

fn figures(group: &[Piece]) -> Option<Block> {
    let items: Vec<Kpi> = group
        .iter()
        .filter(|piece| {
            piece.label.chars().any(char::is_numeric) && piece.label.chars().count() <= 40
        })
        .map(|piece| Kpi {
            value: piece.label.clone(),
            label: cut(&piece.text, 200),
            detail: None,
            cite: piece.cite.clone(),
        })
        .collect();
    (items.len() == group.len()).then_some(Block::Kpis(Kpis { items }))
}

/// A table, if it has headings and each row as many cells; its rows as a list otherwise.
fn table(group: &[Piece]) -> Vec<Block> {
    let head = group
        .first()
        .filter(|piece| piece.kind == "columns" && !piece.cells.is_empty());
    let rows: Vec<&Piece> = group.iter().filter(|piece| piece.kind == "row").collect();
    let Some(head) = head else {
        let rows: Vec<Piece> = rows.into_iter().cloned().collect();
        return if rows.is_empty() {
            Vec::new()
        } else {
            vec![list(&rows)]
        };
    };
    let whole: Vec<&Piece> = rows
        .iter()
        .copied()
        .filter(|row| row.cells.len() == head.cells.len())
        .collect();
    if whole.len() < rows.len() || whole.is_empty() {
        let rows: Vec<Piece> = rows.into_iter().cloned().collect();
        return if rows.is_empty() {
            Vec::new()
        } else {
            vec![list(&rows)]
        };
    }
    let labels = std::iter::once(&head.text).chain(&head.cells);
    let columns = labels.enumerate().map(|(index, label)| {
        let texts: Vec<String> = whole
            .iter()
            .filter_map(|row| match index {
                0 => Some(row.text.clone()),
                _ => row.cells.get(index - 1).cloned(),
            })
            .collect();
        TableColumn {
            label: cut(label, 200),
            align: None,
            kind: column_kind(&texts),
        }
    });
    vec![Block::Table(Table {
        columns: columns.collect(),
        rows: whole
            .iter()
            .map(|row| {
                let cells = row.cells.iter().map(|cell| cited(cell, &row.cite));
                std::iter::once(vec![Run::plain(&row.text)])
                    .chain(cells)
                    .collect()
            })
            .collect(),
        caption: Vec::new(),
        header_column: true,
    })]
}
