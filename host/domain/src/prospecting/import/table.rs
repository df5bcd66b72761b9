//! Turns a CSV file into the same value that a JSON file has, and remembers where each part of it stood. Lines with
//! the same address belong to one candidate; each has one evidence record.

use std::collections::BTreeMap;

use csv::ReaderBuilder;
use serde_json::{Map, Value, json};

use super::{ImportFault, MAX_CANDIDATES, MAX_EVIDENCE, MAX_FAULTS};
use crate::csv_lines::{
    LineFault, Lines, delimiter, headings, hint_of_separators, is_no_heading, malformed,
    wrong_count,
};

/// A column, and what it holds.
pub(super) struct Column {
    pub(super) name: &'static str,
    /// Members on the way to the value, from the candidate or from the evidence record.
    path: &'static [&'static str],
    of: Of,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Candidate,
    Evidence,
}

#[derive(Clone, Copy)]
enum Form {
    Text,
    /// `true` or `false`.
    Flag,
}

const fn candidate(name: &'static str, path: &'static [&'static str]) -> Column {
    Column {
        name,
        path,
        of: Of::Candidate,
        form: Form::Text,
    }
}

const fn evidence(name: &'static str, path: &'static [&'static str]) -> Column {
    Column {
        of: Of::Evidence,
        ..candidate(name, path)
    }
}

const fn flag(column: Column) -> Column {
    Column {
        form: Form::Flag,
        ..column
    }
}

const ADDRESS: &str = "address";

/// The columns, in any order. What a file does not need may be left out.
pub(super) const COLUMNS: &[Column] = &[
    candidate(ADDRESS, &["address"]),
    flag(candidate("synthetic", &["synthetic"])),
    candidate("qualification_status", &["qualification", "status"]),
    candidate("qualification_reason", &["qualification", "reason"]),
    candidate("qualification_decided_at", &["qualification", "decided_at"]),
    candidate("first_name", &["person", "first_name"]),
    candidate("full_name", &["person", "full_name"]),
    candidate("role", &["person", "role"]),
    candidate("company_name", &["company", "name"]),
    candidate("company_domain", &["company", "domain"]),
    candidate("company_country", &["company", "country"]),
    candidate("company_legal_form", &["company", "legal_form"]),
    candidate("company_industry", &["company", "industry"]),
    candidate("company_location", &["company", "location"]),
    candidate("expires_at", &["expires_at"]),
    evidence("evidence_kind", &["kind"]),
    evidence("evidence_url", &["url"]),
    evidence("evidence_source_label", &["source_label"]),
    evidence("evidence_retrieved_at", &["retrieved_at"]),
    evidence("evidence_observed_on", &["observed_on"]),
    evidence("evidence_content_digest", &["content_digest"]),
    evidence("evidence_content", &["content"]),
    evidence("evidence_content_base64", &["content_base64"]),
    evidence("evidence_excerpt", &["excerpt"]),
    evidence("evidence_hook", &["hook"]),
    evidence("evidence_address_source_class", &["address_source_class"]),
    evidence("evidence_lawful_basis", &["lawful_basis"]),
    flag(evidence("evidence_synthetic", &["synthetic"])),
];

/// The column that holds the value at a pointer into the file's value.
pub(super) fn column_of(pointer: &str) -> Option<&'static str> {
    let path: Vec<&str> = pointer.split('/').collect();
    let (of, path) = match path.as_slice() {
        ["", "candidates", _, "evidence", _, path @ ..] => (Of::Evidence, path),
        ["", "candidates", _, path @ ..] => (Of::Candidate, path),
        _ => return None,
    };
    let held = COLUMNS
        .iter()
        .find(|column| column.of == of && column.path == path);
    held.map(|column| column.name)
}

/// The value of the file, and the place of each pointer into it.
type Read = (Value, BTreeMap<String, String>);

fn told(fault: &LineFault) -> ImportFault {
    ImportFault {
        place: format!("line {}", fault.line),
        message: fault.message.clone(),
    }
}

fn fault(line: u64, message: impl Into<String>) -> ImportFault {
    ImportFault {
        place: format!("line {line}"),
        message: message.into(),
    }
}

pub(super) fn read(file: &[u8]) -> Result<Read, Vec<ImportFault>> {
    let mut lines = ReaderBuilder::new()
        .delimiter(delimiter(file))
        .flexible(true)
        .has_headers(false)
        .from_reader(file);
    let mut records = lines.records();
    let mut places = Lines::of(file);
    let headings = headings(&mut records, &mut places).map_err(|fault| vec![told(&fault)])?;
    let columns = columns_of(&headings)?;
    let mut table = Table::default();
    for record in records {
        if table.faults.len() >= MAX_FAULTS {
            break;
        }
        match record {
            Err(error) => {
                let malformed = malformed(&error, &mut places, &headings);
                table.faults.push(told(&malformed));
            }
            Ok(record) if record.len() != columns.len() => {
                let message = wrong_count(record.len(), &headings);
                let line = places.line_of(record.position());
                table.faults.push(fault(line, message));
            }
            Ok(record) => {
                let cells = columns.iter().zip(record.iter().map(str::trim));
                let cells: Vec<_> = cells.filter(|(_, text)| !text.is_empty()).collect();
                if !cells.is_empty() {
                    table.line(places.line_of(record.position()), &cells);
                }
            }
        }
        // Without this bound, a file of any length would be kept whole before it is refused.
        if table.candidates.len() > MAX_CANDIDATES {
            break;
        }
    }
    if table.faults.is_empty() {
        let candidates: Vec<Value> = table.candidates;
        Ok((json!({ "candidates": candidates }), table.places))
    } else {
        table.faults.truncate(MAX_FAULTS);
        Err(table.faults)
    }
}

fn columns_of(headings: &csv::StringRecord) -> Result<Vec<&'static Column>, Vec<ImportFault>> {
    // No message repeats whom a file names.
    if is_no_heading(headings) {
        return Err(vec![fault(1, "must name the columns")]);
    }
    let mut columns: Vec<&'static Column> = Vec::new();
    let mut faults = Vec::new();
    for heading in headings {
        let heading = heading.trim().to_lowercase();
        match COLUMNS.iter().find(|column| column.name == heading) {
            Some(column) if columns.iter().any(|one| one.name == column.name) => {
                faults.push(fault(1, format!("has the column {heading:?} twice")));
            }
            Some(column) => columns.push(column),
            None => {
                let known: Vec<&str> = super::csv_columns().collect();
                let known = known.join(", ");
                faults.push(fault(
                    1,
                    format!(
                        "has a column {heading:?}, which is not known; known are {known}{}",
                        hint_of_separators(headings)
                    ),
                ));
            }
        }
    }
    if faults.is_empty() && !columns.iter().any(|column| column.name == ADDRESS) {
        faults.push(fault(1, "lacks the column address"));
    }
    if faults.is_empty() {
        Ok(columns)
    } else {
        faults.truncate(MAX_FAULTS);
        Err(faults)
    }
}

#[derive(Default)]
struct Table {
    candidates: Vec<Value>,
    /// Index of the candidate with an address, which is in lower case.
    by_address: BTreeMap<String, usize>,
    places: BTreeMap<String, String>,
    faults: Vec<ImportFault>,
}

impl Table {
    fn line(&mut self, line: u64, cells: &[(&&'static Column, &str)]) {
        let address = cells.iter().find(|(column, _)| column.name == ADDRESS);
        let Some((_, address)) = address else {
            self.faults.push(fault(line, "has no address"));
            return;
        };
        let key = address.to_lowercase();
        let next = self.candidates.len();
        let index = *self.by_address.entry(key).or_insert(next);
        if index == next {
            self.candidates.push(json!({ "evidence": [] }));
            self.places
                .insert(format!("/candidates/{index}"), format!("line {line}"));
        }
        let at = format!("/candidates/{index}");
        self.cells(line, &at, &[], Of::Candidate, cells);
        if cells.iter().any(|(column, _)| column.of == Of::Evidence) {
            let list = self.candidates[index].get_mut("evidence");
            let Some(list) = list.and_then(Value::as_array_mut) else {
                return;
            };
            let record = list.len();
            if record > MAX_EVIDENCE {
                return;
            }
            list.push(Value::Object(Map::new()));
            let path = ["evidence".to_owned(), record.to_string()];
            self.places
                .insert(format!("{at}/{}", path.join("/")), format!("line {line}"));
            self.cells(line, &at, &path, Of::Evidence, cells);
        }
    }

    /// Puts the cells of a candidate or of an evidence record where they belong.
    fn cells(
        &mut self,
        line: u64,
        at: &str,
        within: &[String],
        of: Of,
        cells: &[(&&'static Column, &str)],
    ) {
        let Some(index) = at.rsplit('/').next().and_then(|text| text.parse().ok()) else {
            return;
        };
        let index: usize = index;
        for (column, text) in cells.iter().filter(|(column, _)| column.of == of) {
            let own = column.path.iter().map(|name| (*name).to_owned());
            let path: Vec<String> = within.iter().cloned().chain(own).collect();
            let value = match (column.form, *text) {
                (Form::Flag, "true" | "TRUE" | "True") => Value::Bool(true),
                (Form::Flag, "false" | "FALSE" | "False") => Value::Bool(false),
                // What is no flag is told of by the reader.
                (Form::Flag | Form::Text, text) => Value::from(text),
            };
            let place = format!("line {line}, column {},", column.name);
            let Some(slot) = slot(&mut self.candidates[index], &path) else {
                continue;
            };
            if slot.is_null() {
                *slot = value;
                self.places
                    .insert(format!("{at}/{}", path.join("/")), place);
            } else if !same(slot, &value) {
                self.faults.push(ImportFault {
                    place,
                    message: "differs from what an earlier line of this candidate says".to_owned(),
                });
            }
        }
    }
}

/// Whether two lines say the same of a candidate; addresses in any case.
fn same(a: &Value, b: &Value) -> bool {
    match (a.as_str(), b.as_str()) {
        (Some(a), Some(b)) => a == b || (a.contains('@') && a.to_lowercase() == b.to_lowercase()),
        _ => a == b,
    }
}

/// The place of a member, null if there is nothing yet.
fn slot<'v>(value: &'v mut Value, path: &[String]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, name| match value {
        Value::Array(list) => list.get_mut(name.parse::<usize>().ok()?),
        Value::Null => {
            *value = Value::Object(Map::new());
            Some(
                value
                    .as_object_mut()?
                    .entry(name.clone())
                    .or_insert(Value::Null),
            )
        }
        Value::Object(members) => Some(members.entry(name.clone()).or_insert(Value::Null)),
        _ => None,
    })
}
