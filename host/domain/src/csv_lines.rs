//! Lines of CSV files, whatever their columns mean: how they are parted, where they stand, and what is wrong with one that
//! cannot be read.

use std::fmt;

use csv::StringRecord;

/// Something that is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineFault {
    /// The line, from 1; the heading counts.
    pub line: u64,
    /// The column; `None` for the line as a whole.
    pub column: Option<&'static str>,
    /// What is wrong, as the end of a sentence.
    pub message: String,
}

impl fmt::Display for LineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(f, "line {}: {column} {}", self.line, self.message),
            None => write!(f, "line {}: {}", self.line, self.message),
        }
    }
}

/// The first line; empty in an empty file.
pub(crate) fn headings(
    records: &mut impl Iterator<Item = csv::Result<StringRecord>>,
    places: &mut Lines<'_>,
) -> Result<StringRecord, LineFault> {
    let first = records.next().transpose();
    first
        .map(Option::unwrap_or_default)
        .map_err(|error| malformed(&error, places, &StringRecord::new()))
}

/// Lines of a file as an editor counts them. DANGER: a reader of CSV counts another way: it takes the end of a line and
/// empty lines for the beginning of the next record.
pub(crate) struct Lines<'f> {
    file: &'f [u8],
    /// Up to where lines were counted, and the line there.
    at: usize,
    line: u64,
}

impl<'f> Lines<'f> {
    pub(crate) const fn of(file: &'f [u8]) -> Self {
        Self {
            file,
            at: 0,
            line: 1,
        }
    }

    /// The line, from 1, at which a record begins. Records are asked about in their order.
    pub(crate) fn line_of(&mut self, position: Option<&csv::Position>) -> u64 {
        let byte = position.map_or(0, csv::Position::byte);
        let byte = usize::try_from(byte).unwrap_or(usize::MAX);
        let rest = self.file.get(byte..).unwrap_or_default();
        let is_end = |b: u8| matches!(b, b'\n' | b'\r');
        let ends = rest.iter().take_while(|b| is_end(**b)).count();
        let start = byte.min(self.file.len()) + ends;
        while self.at < start {
            let end = self.file.get(self.at).is_some_and(|b| is_end(*b));
            let next = self.file.get(self.at..).unwrap_or_default();
            self.line += u64::from(end && !next.starts_with(b"\r\n"));
            self.at += 1;
        }
        self.line
    }
}

/// Says of a line with too few or too many fields which column is the first without a field, or what may have happened.
pub(crate) fn wrong_count(has: usize, headings: &StringRecord) -> String {
    let wants = headings.len();
    let why = match headings.get(has) {
        Some(first) => format!("from the column {:?} on there are none", first.trim()),
        None => "put a field that has the separator in it into quotation marks".to_owned(),
    };
    format!("has {has} fields, and the heading {wants}: {why}")
}

/// The character between fields: spreadsheets of many countries write semicolons, and what is copied from one has tabs. It is
/// the one that the heading has most of; names of columns have none of them.
pub(crate) fn delimiter(file: &[u8]) -> u8 {
    let heading = file.split(|b| matches!(b, b'\n' | b'\r')).next();
    let count = |mark: u8| {
        let heading = heading.unwrap_or_default().iter();
        heading.filter(|b| **b == mark).count()
    };
    let marks = [b'\t', b';', b','].into_iter();
    // Of marks that it has as many of, the last.
    marks.max_by_key(|mark| count(*mark)).unwrap_or(b',')
}

/// Whether the first line already names somebody. DANGER: it must not be repeated then.
pub(crate) fn is_no_heading(headings: &StringRecord) -> bool {
    headings.iter().any(|heading| heading.contains(['@', '＠']))
}

/// What may be wrong with a file whose heading is a single column that is not known.
pub(crate) fn hint_of_separators(headings: &StringRecord) -> &'static str {
    let is_parted =
        |heading: &str| heading.contains(['|', ':', '\u{1f}']) || heading.contains("  ");
    match headings.len() == 1 && headings.iter().any(is_parted) {
        true => "; separate fields by commas, semicolons or tabs",
        false => "",
    }
}

/// A line that is no CSV, or no text.
pub(crate) fn malformed(
    error: &csv::Error,
    places: &mut Lines<'_>,
    headings: &StringRecord,
) -> LineFault {
    let line = places.line_of(error.position());
    let message = match error.kind() {
        csv::ErrorKind::Utf8 { err, .. } => {
            let column = headings.get(err.field());
            let place = column.map_or_else(String::new, |name| {
                format!(" in the column {:?}", name.trim())
            });
            format!("is not UTF-8 text{place}; export the file as UTF-8")
        }
        _ => format!("is not CSV: {error}"),
    };
    LineFault {
        line,
        column: None,
        message,
    }
}
