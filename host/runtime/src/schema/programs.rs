//! The regular expressions of a schema: which engine runs them, and how large they may become.
//!
//! Danger: a few characters such as `\p{L}{1000}` compile to megabytes, and the engine may visit every part
//! of such a program for every byte of a text. So each program has a bound, and so do those of a manifest
//! together; what remains is counted as the price of a check ([`super::price`]).

use std::collections::BTreeMap;

use jsonschema::{Draft, PatternOptions, Regex, ValidationOptions};
use serde_json::{Value, json};

use super::SchemaError;

/// Longest pattern, in bytes. Translating a pattern takes the square of its length.
pub const MAX_PATTERN_BYTES: usize = 1024;
/// Largest program of one pattern, in bytes.
pub const MAX_PROGRAM_BYTES: usize = 32 * 1024;
/// Largest sum of the programs of one manifest, in bytes.
pub const MAX_PROGRAMS_BYTES: usize = 1024 * 1024;
/// What a pattern counts at least towards the sum: the engine keeps memory for each, however small.
const LEAST_COUNTED: usize = 4 * 1024;
/// Smallest size that is told apart.
const SMALLEST_SIZE: usize = 512;
/// Memory in which the engine remembers where a pattern leads, for each thread that runs it.
const MEMORY_OF_A_RUN: usize = 64 * 1024;

/// The engine's options: linear time, programs up to a size. Patterns that need backtracking do not compile.
pub fn engine(program_bytes: usize) -> PatternOptions<Regex> {
    PatternOptions::regex()
        .size_limit(program_bytes)
        .dfa_size_limit(MEMORY_OF_A_RUN)
}

/// What the library is asked for in every schema.
pub fn library(program_bytes: usize) -> ValidationOptions<'static> {
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_pattern_options(engine(program_bytes))
        .should_validate_formats(true)
        .should_ignore_unknown_formats(true)
        .offline()
}

/// The sizes of the patterns seen so far, and what is left of the sum.
#[derive(Debug)]
pub struct Programs {
    sizes: BTreeMap<String, usize>,
    left: usize,
}

impl Default for Programs {
    fn default() -> Self {
        Self {
            sizes: BTreeMap::new(),
            left: MAX_PROGRAMS_BYTES,
        }
    }
}

impl Programs {
    /// Counts every pattern of a schema towards the sum, also in parts that nothing refers to: the library
    /// may compile them.
    ///
    /// # Errors
    /// If a pattern is invalid or too large, or the sum is.
    pub fn count(&mut self, schema: &Value) -> Result<(), SchemaError> {
        let mut stack = vec![schema];
        while let Some(value) = stack.pop() {
            match value {
                Value::Array(items) => stack.extend(items),
                Value::Object(members) => {
                    if let Some(Value::String(pattern)) = members.get("pattern") {
                        self.add(pattern)?;
                    }
                    if let Some(Value::Object(by_pattern)) = members.get("patternProperties") {
                        for pattern in by_pattern.keys() {
                            self.add(pattern)?;
                        }
                    }
                    stack.extend(members.values());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The size of a counted pattern's program, up to twice too large. One that was not counted has the
    /// largest size.
    pub fn size(&self, pattern: &str) -> usize {
        self.sizes
            .get(pattern)
            .copied()
            .unwrap_or(MAX_PROGRAM_BYTES)
    }

    fn add(&mut self, pattern: &str) -> Result<(), SchemaError> {
        let size = match self.sizes.get(pattern) {
            Some(size) => *size,
            None => {
                let size = measure(pattern)?;
                self.sizes.insert(pattern.to_owned(), size);
                size
            }
        };
        // A pattern that occurs twice is compiled twice if it is in two schemas.
        self.left = self
            .left
            .checked_sub(size.max(LEAST_COUNTED))
            .ok_or(SchemaError::TooManyPatterns)?;
        Ok(())
    }
}

/// The least power of two within which a pattern compiles: the engine does not say how large a program is,
/// only whether it fits.
fn measure(pattern: &str) -> Result<usize, SchemaError> {
    if pattern.len() > MAX_PATTERN_BYTES {
        return Err(SchemaError::PatternTooLong(shortened(pattern)));
    }
    let schema = json!({ "pattern": pattern });
    let mut size = SMALLEST_SIZE;
    while size <= MAX_PROGRAM_BYTES {
        if library(size).build(&schema).is_ok() {
            // A literal pattern needs no program, but is still compared.
            return Ok(size.max(pattern.len()));
        }
        size *= 2;
    }
    Err(SchemaError::Pattern(shortened(pattern)))
}

fn shortened(pattern: &str) -> String {
    pattern.chars().take(100).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_pattern_has_the_size_of_its_program() {
        assert!(measure("^https?://").unwrap() <= 1024);
        assert!(measure("^[a-z]{100}$").unwrap() > 1024);
        for pattern in [
            // Megabytes of program each.
            r"\p{L}{100}",
            "(?:a{1000}){1000}",
            // These need backtracking.
            r"(a)\1",
            "(?=a)b",
            "(?<!a)b",
            // Not a pattern.
            "(",
        ] {
            let refusal = measure(pattern).unwrap_err();
            assert_eq!(refusal, SchemaError::Pattern(pattern.into()), "{pattern}");
        }
        let refusal = measure(&"a".repeat(2000)).unwrap_err();
        assert_eq!(refusal, SchemaError::PatternTooLong("a".repeat(100)));
    }

    #[test]
    fn the_patterns_of_a_manifest_have_a_sum() {
        let mut programs = Programs::default();
        let one =
            json!({ "allOf": [{ "pattern": "^a" }, { "patternProperties": { "^b": true } }] });
        let times = MAX_PROGRAMS_BYTES / LEAST_COUNTED / 2;
        for _ in 0..times {
            programs.count(&one).unwrap();
        }
        assert_eq!(programs.count(&one), Err(SchemaError::TooManyPatterns));
        // A member whose name is `pattern` is none.
        let named = json!({ "properties": { "pattern": { "type": "string" } } });
        assert_eq!(programs.count(&named), Ok(()));
    }
}
