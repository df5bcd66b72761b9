//! Turns `labels.toml` and `milestones.toml` into constants at build time, and refuses texts that lack a language or a place.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use toml::{Table, Value};

fn main() -> Result<(), Box<dyn Error>> {
    ["labels", "milestones"].into_iter().try_for_each(write)
}

/// Writes the constants of a file of texts.
fn write(name: &str) -> Result<(), Box<dyn Error>> {
    let path = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join(format!("{name}.toml"));
    println!("cargo::rerun-if-changed={}", path.display());
    let read: Table = fs::read_to_string(&path)?.parse()?;
    let first = read.values().next().and_then(Value::as_table);
    let mut languages: Vec<&str> = (first.ok_or("no text")?.keys())
        .map(String::as_str)
        .filter(|member| *member != "says")
        .collect();
    // English stands in for every other language.
    languages.sort_by_key(|language| *language != "en");
    let mut written = String::new();
    let mut names = String::new();
    for (name, texts) in &read {
        let texts = texts.as_table().ok_or(format!("{name} is no table"))?;
        let text = |member: &str| {
            let text = texts.get(member).and_then(Value::as_str);
            text.ok_or(format!("{name} lacks {member}"))
        };
        let says = text("says")?;
        if texts.len() != languages.len() + 1 {
            return Err(format!("{name} has other languages than the first text").into());
        }
        let wanted = places(text("en")?)?;
        let mut of_languages = String::new();
        for language in &languages {
            let text = text(language)?;
            if places(text)? != wanted {
                return Err(format!("{name} has other places in {language}").into());
            }
            write!(of_languages, "({language:?}, {text:?}), ")?;
        }
        let name = name.to_uppercase();
        writeln!(
            written,
            "/// {says}\npub static {name}: FixedText = FixedText::new(&[{of_languages}]);"
        )?;
        write!(names, "&{name}, ")?;
    }
    writeln!(
        written,
        "#[cfg(test)]\nstatic ALL: &[&FixedText] = &[{names}];"
    )?;
    let file = PathBuf::from(env::var("OUT_DIR")?).join(format!("{name}.rs"));
    fs::write(file, written)?;
    Ok(())
}

/// The names of the places in a text: `{date}`.
fn places(text: &str) -> Result<BTreeSet<&str>, String> {
    text.split('{')
        .skip(1)
        .map(|behind| behind.split_once('}').map(|(name, _)| name))
        .collect::<Option<_>>()
        .ok_or(format!("an open place: {text}"))
}
