//! What a command prints: JSON for programs, aligned tables for people. Results go to standard
//! output, everything else to standard error.

use std::io;

use gtm_runtime::shown_character;
use serde_json::Value;

use crate::failure::Failure;

/// How results are printed.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    /// As JSON.
    pub json: bool,
}

impl Output {
    /// Print a result in the chosen form.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn print(self, value: &Value, human: impl FnOnce() -> String) -> Result<(), Failure> {
        let text = if self.json {
            format!("{value:#}")
        } else {
            human()
        };
        write_line(&mut io::stdout().lock(), &text)
    }
}

/// Print lines as they come, for output of any length. Returns whether anybody still reads.
///
/// # Errors
/// If standard output cannot be written.
pub fn print_lines(lines: &[String]) -> Result<bool, Failure> {
    let mut text = lines.join("\n");
    text.push('\n');
    let mut out = io::stdout().lock();
    match io::Write::write_all(&mut out, text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        other => {
            other?;
            Ok(true)
        }
    }
}

/// Say something beside a result, on standard error.
pub fn note(text: &str) {
    // With standard error gone there is nobody to tell.
    let _ = write_line(&mut io::stderr().lock(), text);
}

/// Print a failure.
pub fn report(failure: &Failure) {
    let mut text = format!("error: {}", failure.message);
    if let Some(hint) = &failure.hint {
        text.push_str(&format!("\nhint: {hint}"));
    }
    // With standard error gone, the exit code has to say it alone.
    let _ = write_line(&mut io::stderr().lock(), &text);
}

fn write_line(out: &mut impl io::Write, text: &str) -> Result<(), Failure> {
    match writeln!(out, "{}", text.trim_end()) {
        // A reader that has seen enough, as `head` does, is no failure.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Rows under headings, columns aligned, two spaces between them.
#[must_use]
pub fn table(headings: &[&str], rows: &[Vec<String>]) -> String {
    if rows.is_empty() {
        return "none".to_owned();
    }
    let cells = |row: &[String]| row.iter().map(|cell| one_line(cell)).collect::<Vec<_>>();
    let mut lines = vec![headings.iter().map(|h| (*h).to_owned()).collect::<Vec<_>>()];
    lines.extend(rows.iter().map(|row| cells(row)));
    let width = |column: usize| {
        lines
            .iter()
            .filter_map(|l| l.get(column))
            .map(|c| c.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..headings.len()).map(width).collect();
    let mut out = String::new();
    for line in &lines {
        let padded: Vec<String> = line
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}"))
            .collect();
        out.push_str(padded.join("  ").trim_end());
        out.push('\n');
    }
    out
}

/// Names and values of one thing, aligned.
#[must_use]
pub fn fields(pairs: &[(&str, String)]) -> String {
    let width = pairs.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    pairs
        .iter()
        .map(|(name, value)| format!("{name:<width$}  {}\n", one_line(value)))
        .collect()
}

/// A value that may be absent.
#[must_use]
pub fn or_dash<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "-".to_owned(), |v| v.to_string())
}

/// Names come from users and reasons from plug-ins: what controls a terminal or turns a line around must
/// not reach it.
fn one_line(text: &str) -> String {
    text.chars().filter_map(shown_character).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_harmless() {
        let rows = [
            vec!["a".to_owned(), "x\u{1b}[31m".to_owned()],
            vec!["long".to_owned(), "y".to_owned()],
        ];
        assert_eq!(
            table(&["ID", "NAME"], &rows),
            "ID    NAME\na     x [31m\nlong  y\n"
        );
        assert_eq!(table(&["ID"], &[]), "none");
    }
}
