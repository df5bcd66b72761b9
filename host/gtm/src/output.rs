//! What a command prints: JSON for programs, aligned tables for people. Results go to standard output,
//! everything else to standard error.
//!
//! Danger: most of the text comes from others: publishers, tenants, models. A character that controls a
//! terminal, reverses a line or is invisible could hide what the operator is asked to consent to. So each
//! is printed as JSON would escape it, such as `\u001b` or `\u202e`, and a program reads back the original.

use std::io;

use gtm_runtime::shown_character;
use serde_json::Value;

use crate::failure::Failure;

#[derive(Debug, Clone, Copy)]
pub struct Output {
    pub json: bool,
}

impl Output {
    /// Prints a result in the chosen form.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn print(self, value: &Value, human: impl FnOnce() -> String) -> Result<(), Failure> {
        let text = if self.json {
            format!("{value:#}")
        } else {
            human()
        };
        write_line(&mut io::stdout().lock(), &shown_lines(&text))
    }
}

/// Prints the program's own text, such as a shell script, as it is.
///
/// # Errors
/// If standard output cannot be written.
pub fn print_own(text: &str) -> Result<(), Failure> {
    write_line(&mut io::stdout().lock(), text)
}

/// Prints lines as they come, for output of any length. Returns whether anybody still reads.
///
/// # Errors
/// If standard output cannot be written.
pub fn print_lines(lines: &[String]) -> Result<bool, Failure> {
    let mut text = shown_lines(&lines.join("\n"));
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

/// Prints a note beside a result, on standard error.
pub fn note(text: &str) {
    // If standard error is closed, there is nobody to tell.
    let _ = write_line(&mut io::stderr().lock(), &shown_lines(text));
}

/// Prints a failure.
pub fn report(failure: &Failure) {
    let mut text = format!("error: {}", one_line(failure.message.trim_end()));
    if let Some(hint) = &failure.hint {
        text.push_str(&format!("\nhint: {}", one_line(hint.trim_end())));
    }
    // If standard error is closed, only the exit code remains.
    let _ = write_line(&mut io::stderr().lock(), &text);
}

fn write_line(out: &mut impl io::Write, text: &str) -> Result<(), Failure> {
    match writeln!(out, "{}", text.trim_end()) {
        // A reader that has seen enough, such as `head`, is not a failure.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Rows under headings, in aligned columns separated by two spaces.
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

/// Names and values of one item, aligned.
#[must_use]
pub fn fields(pairs: &[(&str, String)]) -> String {
    let width = pairs.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    pairs
        .iter()
        .map(|(name, value)| format!("{name:<width$}  {}\n", one_line(value)))
        .collect()
}

/// The value, or a dash.
#[must_use]
pub fn or_dash<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "-".to_owned(), |v| v.to_string())
}

/// Escapes untrusted text as part of one line.
pub fn one_line(text: &str) -> String {
    shown(text, |_| false)
}

/// Escapes untrusted text of several lines; only the line ends stay.
fn shown_lines(text: &str) -> String {
    shown(text, |character| character == '\n')
}

fn shown(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if stays(character) || shown_character(character) == Some(character) {
            out.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            match unit {
                0x09 => out.push_str("\\t"),
                0x0a => out.push_str("\\n"),
                0x0d => out.push_str("\\r"),
                unit => out.push_str(&format!("\\u{unit:04x}")),
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// C0 and C1 controls, rare line ends, direction marks, invisible characters, and blanks.
    const HIDING: [char; 17] = [
        '\u{0}',
        '\u{7}',
        '\u{8}',
        '\r',
        '\u{1b}',
        '\u{7f}',
        '\u{9b}',
        '\u{2028}',
        '\u{202e}',
        '\u{2066}',
        '\u{200b}',
        '\u{e0041}',
        '\u{e0100}',
        '\u{fe0f}',
        '\u{3164}',
        '\u{2800}',
        '\u{a0}',
    ];

    #[test]
    fn columns_are_aligned_and_harmless() {
        let rows = [
            vec!["a".to_owned(), "x\u{1b}[31m".to_owned()],
            vec!["long".to_owned(), "y\nz".to_owned()],
        ];
        assert_eq!(
            table(&["ID", "NAME"], &rows),
            "ID    NAME\na     x\\u001b[31m\nlong  y\\nz\n"
        );
        assert_eq!(table(&["ID"], &[]), "none");
        assert_eq!(
            fields(&[("id", "a\u{202e}b\nid  c".to_owned())]),
            "id  a\\u202eb\\nid  c\n"
        );
    }

    #[test]
    fn what_hides_others_text_is_shown() {
        for hiding in HIDING {
            let text = format!("widens{hiding}[2K\nbreaks");
            let shown = shown_lines(&text);
            assert_eq!(shown.lines().count(), 2, "{hiding:?}");
            assert!(shown.starts_with("widens\\"), "{shown}");
            let printed = shown.chars().filter(|c| *c != '\n');
            assert!(
                printed.clone().all(|c| shown_character(c) == Some(c)),
                "{hiding:?}"
            );
        }
        assert_eq!(shown_lines("שלום, Grüße, 你好"), "שלום, Grüße, 你好");
    }

    proptest::proptest! {
        /// Programs read what was meant, and a second pass changes nothing.
        #[test]
        fn json_stays_the_same_value(text in ".*", hiding in proptest::sample::select(HIDING.to_vec())) {
            let value = serde_json::json!({ "text": format!("{text}{hiding}"), "more": [text] });
            let shown = shown_lines(&format!("{value:#}"));
            proptest::prop_assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), value);
            proptest::prop_assert_eq!(shown_lines(&shown), shown);
        }
    }
}
