//! Names the fields of a draft and their bounds as the draft's schema has them.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

/// The schema, from this folder.
const SCHEMA: &str = "../../wit/results/brand-draft.schema.json";

fn main() -> Result<(), Box<dyn Error>> {
    let path = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join(SCHEMA);
    println!("cargo::rerun-if-changed={}", path.display());
    let schema: Value = serde_json::from_str(&fs::read_to_string(&path)?)?;
    let guideline = schema.pointer("/properties/guideline");
    let mut fields = Vec::new();
    collect(guideline.ok_or("no guideline")?, "", &mut fields)?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("fields.rs"), tables(&fields)?)?;
    Ok(())
}

/// A field of the draft.
struct Field {
    pointer: String,
    is_list: bool,
    /// A Rust expression.
    bounds: String,
}

/// The fields below an object that is there in every draft.
fn collect(object: &Value, at: &str, fields: &mut Vec<Field>) -> Result<(), Box<dyn Error>> {
    for (name, schema) in members(object) {
        let pointer = format!("{at}/{name}");
        match schema["type"].as_str() {
            Some("object") => collect(schema, &pointer, fields)?,
            kind => fields.push(Field {
                is_list: kind == Some("array"),
                bounds: bounds(match kind {
                    Some("array") => &schema["items"],
                    _ => schema,
                })?,
                pointer,
            }),
        }
    }
    Ok(())
}

fn members(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    object["properties"].as_object().into_iter().flatten()
}

/// How long the texts of a value may be, and its lists.
fn bounds(schema: &Value) -> Result<String, Box<dyn Error>> {
    if let Some(first) = schema.pointer("/anyOf/0") {
        return bounds(first);
    }
    if let Some(most) = schema.get("maxLength") {
        return Ok(format!("Bounds::Text({most})"));
    }
    if let Some(items) = schema.get("items") {
        let most = schema.get("maxItems").ok_or("a list without a bound")?;
        return Ok(format!("Bounds::List({most}, &{})", bounds(items)?));
    }
    if schema.get("properties").is_none() {
        return Ok("Bounds::Other".to_owned());
    }
    let mut text = String::from("Bounds::Object(&[");
    for (name, member) in members(schema) {
        write!(text, "({name:?}, {}), ", bounds(member)?)?;
    }
    Ok(text + "])")
}

fn tables(fields: &[Field]) -> Result<String, Box<dyn Error>> {
    let [mut names, mut bounds] = [String::new(), String::new()];
    let mut all = [
        ("One", "ONES", String::new()),
        ("Many", "MANYS", String::new()),
    ];
    for field in fields {
        let pointer = field.pointer.as_str();
        let name = name(pointer, fields);
        let (kind, _, list) = &mut all[usize::from(field.is_list)];
        writeln!(names, "/// Claims at `{pointer}`.")?;
        writeln!(names, "pub const {name}: {kind} = {kind}({pointer:?});")?;
        write!(list, "{name}, ")?;
        writeln!(bounds, "    ({pointer:?}, {}),", field.bounds)?;
    }
    for (kind, table, list) in all {
        writeln!(names, "const {table}: &[{kind}] = &[{list}];")?;
    }
    writeln!(names, "const BOUNDS: &[(&str, Bounds)] = &[\n{bounds}];")?;
    Ok(names)
}

/// What comes last in the pointer; with what stands before it if other fields end alike.
fn name(pointer: &str, fields: &[Field]) -> String {
    let last = |pointer: &str| pointer.rsplit('/').next().map(str::to_owned);
    let alike = fields
        .iter()
        .filter(|field| last(&field.pointer) == last(pointer));
    let parts = if alike.count() > 1 { 2 } else { 1 };
    let mut named: Vec<&str> = pointer.rsplit('/').take(parts).collect();
    named.reverse();
    named.join("_").to_uppercase()
}
