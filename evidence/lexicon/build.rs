//! Turns the files of words into tables, so that nothing is parsed where they are used.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use toml::{Table, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let (languages, forms) = (root.join("languages"), root.join("legal_forms.toml"));
    println!("cargo::rerun-if-changed={}", languages.display());
    println!("cargo::rerun-if-changed={}", forms.display());
    let mut tables = String::from("static LANGUAGES: &[Language] = &[\n");
    let mut files = fs::read_dir(&languages)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>, std::io::Error>>()?;
    // In one order on every machine: plug-ins are built reproducibly.
    files.sort();
    for file in files {
        write_language(&file, &mut tables).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    tables.push_str("];\nstatic LEGAL_FORMS: &[LegalForm] = &[\n");
    let read = read_table(&forms)?;
    for form in array(&read, "form")? {
        write_legal_form(form, &mut tables).map_err(|e| format!("{form}: {e}"))?;
    }
    tables.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("tables.rs"), tables)?;
    Ok(())
}

fn write_language(file: &Path, tables: &mut String) -> Result<(), Box<dyn Error>> {
    let code = file.file_stem().and_then(|stem| stem.to_str());
    let code = code.ok_or("no language's code as a name")?;
    let table = read_table(file)?;
    only(&table, &["months"])?;
    write!(tables, "    Language {{ code: {code:?}, months: [")?;
    let months = array(&table, "months")?;
    if months.len() != 12 {
        return Err(format!("{} months", months.len()).into());
    }
    for names in months {
        write!(tables, "&{:?}, ", texts(names)?)?;
    }
    tables.push_str("] },\n");
    Ok(())
}

fn write_legal_form(form: &Value, tables: &mut String) -> Result<(), Box<dyn Error>> {
    let form = form.as_table().ok_or("no table")?;
    only(
        form,
        &["written", "letters", "means", "elsewhere", "in_domains"],
    )?;
    let written = texts(form.get("written").ok_or("it lacks written")?)?;
    let letters = match text(form, "letters")?.unwrap_or("capital") {
        "capital" => "Capital",
        "any" => "Any",
        "exact" => "Exact",
        "uncased" => "Uncased",
        other => return Err(format!("letters: {other}").into()),
    };
    let means = match text(form, "means")? {
        None => "None",
        Some("private") => "Some(Meaning::Private)",
        Some("nonprofit") => "Some(Meaning::Nonprofit)",
        Some(other) => return Err(format!("means: {other}").into()),
    };
    let (elsewhere, in_domains) = (flag(form, "elsewhere")?, flag(form, "in_domains")?);
    writeln!(
        tables,
        "    LegalForm {{ written: &{written:?}, letters: Letters::{letters}, means: {means}, \
         elsewhere: {elsewhere}, in_domains: {in_domains} }},"
    )?;
    Ok(())
}

fn read_table(file: &Path) -> Result<Table, Box<dyn Error>> {
    let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(text.parse()?)
}

/// Refuses members that nothing reads: most likely one is misspelled.
fn only(table: &Table, known: &[&str]) -> Result<(), String> {
    let unknown = table.keys().find(|key| !known.contains(&key.as_str()));
    unknown.map_or(Ok(()), |key| Err(format!("{key} is read by nothing")))
}

fn array<'t>(table: &'t Table, name: &str) -> Result<&'t [Value], String> {
    let found = table.get(name).and_then(Value::as_array);
    found.map(Vec::as_slice).ok_or(format!("it lacks {name}"))
}

fn texts(value: &Value) -> Result<Vec<&str>, &'static str> {
    let values = value.as_array().ok_or("no list")?;
    let texts: Option<Vec<&str>> = values.iter().map(Value::as_str).collect();
    texts
        .filter(|texts| !texts.is_empty())
        .ok_or("no list of texts")
}

fn text<'t>(table: &'t Table, name: &str) -> Result<Option<&'t str>, String> {
    let found = table.get(name);
    found
        .map(|value| value.as_str().ok_or(format!("{name} is no text")))
        .transpose()
}

fn flag(table: &Table, name: &str) -> Result<bool, String> {
    let found = table.get(name);
    found.map_or(Ok(false), |value| {
        value
            .as_bool()
            .ok_or(format!("{name} is neither true nor false"))
    })
}
