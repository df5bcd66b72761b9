//! Turns files of fixed texts and of words into constants, for build scripts.
//!
//! A file of texts has one table for each text: `says` is what the text is for, and each other member is the text in a
//! language. All texts of a file have the same languages, English among them, and the same places (`{date}`) in each. A
//! text may also have one for a region or script, such as `en-GB`, beside that of its language.
//!
//! A file of words has one table for each list: `says`, and `words`, sorted.
#![forbid(unsafe_code)]
#![allow(
    clippy::print_stdout,
    reason = "cargo reads what a build script prints there"
)]

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use gtm_language_tag::primary_language;
use toml::{Table, Value};

/// What a text or list is for.
const SAYS: &str = "says";

/// Writes the constants of `NAME.toml`, beside the build script, to `NAME.rs`: a `FixedText` for each text, and in tests
/// `ALL` of them.
///
/// # Errors
/// If the file cannot be read, or a text lacks a language or a place.
pub fn write_texts(name: &str) -> Result<(), Box<dyn Error>> {
    write(name, texts)
}

/// Writes the constants of `NAME.toml`, beside the build script, to `NAME.rs`: a slice for each list.
///
/// # Errors
/// If the file cannot be read, or a list is not sorted.
pub fn write_lists(name: &str) -> Result<(), Box<dyn Error>> {
    write(name, lists)
}

fn write(
    name: &str,
    constants: fn(&Table) -> Result<String, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let path = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join(format!("{name}.toml"));
    println!("cargo::rerun-if-changed={}", path.display());
    let read: Table = fs::read_to_string(&path)?.parse()?;
    let file = PathBuf::from(env::var("OUT_DIR")?).join(format!("{name}.rs"));
    fs::write(file, constants(&read)?)?;
    Ok(())
}

fn texts(read: &Table) -> Result<String, Box<dyn Error>> {
    let languages = |texts: &Table| -> BTreeSet<String> {
        let members = texts.keys().filter(|member| *member != SAYS);
        let own = members.filter(|member| primary_language(member) == *member);
        own.cloned().collect()
    };
    let first = read.values().next().and_then(Value::as_table);
    let required = languages(first.ok_or("no text")?);
    let mut written = String::new();
    let mut names = String::new();
    for (name, texts) in read {
        let texts = texts.as_table().ok_or(format!("{name} is no table"))?;
        let text = |member: &str| {
            let text = texts.get(member).and_then(Value::as_str);
            text.ok_or(format!("{name} lacks {member}"))
        };
        let says = text(SAYS)?;
        if languages(texts) != required {
            return Err(format!("{name} has other languages than the first text").into());
        }
        let wanted = places(text("en")?)?;
        let mut members: Vec<&String> = texts.keys().filter(|member| *member != SAYS).collect();
        // English stands in for every other language.
        members.sort_by_key(|language| *language != "en");
        let mut of_languages = String::new();
        for language in members {
            if !required.contains(primary_language(language)) {
                return Err(format!("{name} lacks the language of {language}").into());
            }
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
    Ok(written)
}

/// The names of the places in a text: `{date}`.
fn places(text: &str) -> Result<BTreeSet<&str>, String> {
    text.split('{')
        .skip(1)
        .map(|behind| behind.split_once('}').map(|(name, _)| name))
        .collect::<Option<_>>()
        .ok_or(format!("an open place: {text}"))
}

fn lists(read: &Table) -> Result<String, Box<dyn Error>> {
    let mut written = String::new();
    for (name, list) in read {
        let says = list.get(SAYS).and_then(Value::as_str);
        let says = says.ok_or(format!("{name} lacks {SAYS}"))?;
        let words = list.get("words").and_then(Value::as_array);
        let words = words.ok_or(format!("{name} lacks words"))?;
        let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
        let words = words.ok_or(format!("{name} has something else than words"))?;
        if !words.windows(2).all(|pair| pair[0] < pair[1]) {
            return Err(format!("{name} is not sorted").into());
        }
        let name = name.to_uppercase();
        writeln!(
            written,
            "/// {says}\npub(crate) static {name}: &[&str] = &{words:?};"
        )?;
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn texts_of(file: &str) -> Result<String, String> {
        texts(&file.parse().unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_text_becomes_a_constant_english_first() {
        let file = "[hello]\nsays = \"A greeting.\"\nde = \"Hallo {name}\"\nen = \"Hello {name}\"\nen-GB = \"Hey {name}\"";
        let written = texts_of(file).unwrap();
        assert!(
            written.starts_with(
                "/// A greeting.\npub static HELLO: FixedText = FixedText::new(&[(\"en\", \"Hello {name}\"), \
                 (\"de\", \"Hallo {name}\"), (\"en-GB\", \"Hey {name}\"), ]);"
            ),
            "{written}"
        );
        assert!(written.contains("&[&HELLO, ]"), "{written}");
    }

    #[test]
    fn a_text_that_lacks_something_is_refused() {
        for (file, expected) in [
            ("", "no text"),
            ("[a]\nen = \"A\"", "a lacks says"),
            ("[a]\nsays = \"A.\"\nde = \"A\"", "a lacks en"),
            (
                "[a]\nsays = \"A.\"\nen = \"A\"\nde = \"A\"\n[b]\nsays = \"B.\"\nen = \"B\"",
                "b has other languages than the first text",
            ),
            (
                "[a]\nsays = \"A.\"\nen = \"{one}\"\nde = \"{other}\"",
                "a has other places in de",
            ),
            ("[a]\nsays = \"A.\"\nen = \"{one\"", "an open place: {one"),
            (
                "[a]\nsays = \"A.\"\nen = \"A\"\nde-AT = \"A\"",
                "a lacks the language of de-AT",
            ),
        ] {
            assert_eq!(texts_of(file).unwrap_err(), expected);
        }
    }

    #[test]
    fn a_list_becomes_a_slice_if_it_is_sorted() {
        let lists_of = |file: &str| lists(&file.parse().unwrap()).map_err(|e| e.to_string());
        assert_eq!(
            lists_of("[signs]\nsays = \"Signs.\"\nwords = [\"a\", \"b\"]").unwrap(),
            "/// Signs.\npub(crate) static SIGNS: &[&str] = &[\"a\", \"b\"];\n"
        );
        let unsorted = "[signs]\nsays = \"Signs.\"\nwords = [\"b\", \"a\"]";
        assert_eq!(lists_of(unsorted).unwrap_err(), "signs is not sorted");
    }
}
