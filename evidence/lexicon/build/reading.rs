//! Reads files of words: what is in a table, and nothing that is not known.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::Path;

use toml::{Table, Value};

/// The words of one section, by language.
pub type ByLanguage = BTreeMap<String, BTreeSet<String>>;

pub fn read_table(file: &Path) -> Result<Table, Box<dyn Error>> {
    let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(text.parse()?)
}

/// Refuses members that nothing reads: most likely, their names are misspelled.
pub fn only(table: &Table, known: &[&str]) -> Result<(), String> {
    let unknown = table.keys().find(|key| !known.contains(&key.as_str()));
    unknown.map_or(Ok(()), |key| Err(format!("{key} is read by nothing")))
}

pub fn table<'t>(table: &'t Table, name: &str) -> Result<&'t Table, String> {
    let found = table.get(name).and_then(Value::as_table);
    found.ok_or(format!("{name} is read by nothing"))
}

pub fn array<'t>(table: &'t Table, name: &str) -> Result<&'t [Value], String> {
    let found = table.get(name).and_then(Value::as_array);
    found.map(Vec::as_slice).ok_or(format!("it lacks {name}"))
}

pub fn texts(value: &Value) -> Result<Vec<&str>, &'static str> {
    let values = value.as_array().ok_or("no list")?;
    let texts: Option<Vec<&str>> = values.iter().map(Value::as_str).collect();
    texts
        .filter(|texts| !texts.is_empty())
        .ok_or("no list of texts")
}

/// The phrases of each class, by its name.
pub fn classes(table: &Table) -> Result<ByLanguage, &'static str> {
    let class = |(name, list): (&String, &Value)| {
        let phrases = texts(list)?.into_iter().map(str::to_owned);
        Ok((name.clone(), phrases.collect()))
    };
    table.iter().map(class).collect()
}

pub fn values(table: &Table) -> Result<BTreeMap<String, f64>, &'static str> {
    let number = |value: &Value| match value {
        #[allow(clippy::cast_precision_loss)]
        Value::Integer(whole) => Some(*whole as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    };
    table
        .iter()
        .map(|(word, value)| Some((word.clone(), number(value)?)))
        .collect::<Option<_>>()
        .ok_or("a word without a number")
}

pub fn text<'t>(table: &'t Table, name: &str) -> Result<Option<&'t str>, String> {
    let found = table.get(name);
    found
        .map(|value| value.as_str().ok_or(format!("{name} is no text")))
        .transpose()
}

pub fn flag(table: &Table, name: &str) -> Result<bool, String> {
    let found = table.get(name);
    found.map_or(Ok(false), |value| {
        value
            .as_bool()
            .ok_or(format!("{name} is neither true nor false"))
    })
}
