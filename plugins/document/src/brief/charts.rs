//! Charts of tables, where one is clearly apt: a course over time, shares of a whole, or things of one measure.

use gtm_document_model::Chart;
use gtm_document_model::chart::{ChartKind, Series};
use gtm_document_model::plain_text;
use gtm_document_model::table::{ColumnKind, Table};
use gtm_lexicon::documents::{PERIODS, TIME_UNITS, TOTALS};
use gtm_lexicon::numbers::{self, InWords};
use gtm_lexicon::{fold, is_month, split};

use super::one_line;
use crate::labels::CHART_OF;

/// Fewest and most rows that a chart shows.
const ROWS: std::ops::RangeInclusive<usize> = 3..=14;
/// Most times of a course.
const MOST_TIMES: usize = 24;
const MOST_SLICES: usize = 6;
const MOST_SERIES: usize = 4;
/// Longest name of a category, in characters.
const LONGEST_CATEGORY: usize = 40;
/// How far shares may be from a hundred percent: each was rounded.
const ROUNDING: f64 = 1.5;
/// Longest unit, in characters.
const LONGEST_UNIT: usize = 12;
/// Most characters of all values that a chart has room for, were each as long as the longest.
const VALUE_CHARS: usize = 60;
/// Most values of bars in groups, each with its number.
const GROUPED_VALUES: usize = 12;
/// Fewest times of a course that a reader sees better than they are read, where the table says more.
const COURSE_ROWS: usize = 4;

/// A cell that is a number with at most a unit: `€ 1,250`, `38 %`, `4.2 m`.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    pub value: f64,
    pub decimals: usize,
    /// What stands before and behind the number.
    unit: String,
}

impl Figure {
    /// Reads a cell.
    pub fn read(text: &str) -> Option<Self> {
        let text = gtm_lexicon::with_ascii_digits(text.trim());
        if text.chars().count() > 40 {
            return None;
        }
        let begin = text.find(|c: char| c.is_ascii_digit())?;
        let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
        let digits = text.get(begin..end)?;
        let plain = digits.chars().all(|c| {
            c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '\u{a0}' | '\u{202f}' | '\'' | '’')
        });
        let (before, behind) = (text.get(..begin)?, text.get(end..)?);
        let negative = before.trim_end().ends_with(['-', '−', '–']);
        let before = before.trim_end_matches(['-', '−', '–', ' ', '+']).trim();
        let mut read = numbers::read(digits, InWords::Ignored);
        let number = read.next().filter(|_| plain)?;
        if read.next().is_some() {
            return None;
        }
        let value = number.value()?;
        let unit = one_line(&format!("{before} {}", behind.trim()));
        (unit.chars().count() <= LONGEST_UNIT).then_some(Self {
            value: if negative { -value } else { value },
            decimals: number.decimals(),
            unit,
        })
    }

    /// Whether it says nothing of what it counts: `14`.
    pub fn is_bare(&self) -> bool {
        self.unit.is_empty()
    }

    pub fn is_percent(&self) -> bool {
        matches!(self.unit.as_str(), "%" | "٪" | "％")
    }

    pub fn is_money(&self) -> bool {
        self.unit
            .chars()
            .any(|c| matches!(c, '$' | '€' | '£' | '¥' | '円' | '₹'))
            || self
                .unit
                .split(' ')
                .any(|word| word.len() == 3 && word.bytes().all(|c| c.is_ascii_uppercase()))
    }

    /// Whether it is money, a share or a bare number, whose digits are compared line by line.
    pub fn is_amount(&self) -> bool {
        self.unit.is_empty() || self.is_percent() || self.is_money()
    }

    /// Whether it counts a stretch of time: `2 h`, `3 weeks`.
    pub fn is_duration(&self) -> bool {
        let folded = fold(&self.unit);
        let words = split(&folded);
        // `4 €/h` is a price, and `km/h` a speed.
        let plain = !self.unit.contains('/') && !self.is_money();
        plain
            && (TIME_UNITS.are(&words)
                || words.last().is_some_and(|word| TIME_UNITS.has_word(word)))
    }

    /// Whether both count the same, as far as their units say so.
    pub fn is_measured_as(&self, other: &Self) -> bool {
        self.unit == other.unit || (self.unit.is_empty() && !other.is_percent())
    }

    pub fn has_short_unit(&self) -> bool {
        self.unit.split(' ').count() <= 2
    }
}

/// Whether a text names a stretch of time: a year, a quarter, a month, a week.
pub fn is_period(text: &str) -> bool {
    let folded = fold(text);
    let words = split(&folded);
    // `4.100 €/Monat` is a price, and no time.
    let priced = text.contains(['€', '$', '£', '¥', '円', '₹', '%']);
    if words.is_empty() || words.len() > 5 || text.chars().count() > 32 || priced {
        return false;
    }
    let is_year = |word: &str| {
        word.len() == 4
            && word
                .parse::<u32>()
                .is_ok_and(|year| (1900..=2100).contains(&year))
    };
    let is_number = |word: &str| word.len() <= 4 && word.bytes().all(|c| c.is_ascii_digit());
    let is_quarter = |word: &str| {
        let bytes = word.as_bytes();
        matches!(bytes, [b'q' | b'h' | b't' | b's', b'1'..=b'4'])
    };
    let is_date = |word: &&str| {
        is_number(word) || is_quarter(word) || is_month(word) || PERIODS.has_word(word)
    };
    // Chinese and Japanese write the unit behind the number, without a blank.
    let is_sign = |c: char| matches!(c, '年' | '月' | '日' | '週' | '第' | '目');
    if text.chars().any(|c| matches!(c, '年' | '月' | '週'))
        && text
            .chars()
            .all(|c| c.is_numeric() || is_sign(c) || matches!(c, '〜' | '～' | '-' | ' '))
    {
        return true;
    }
    let telling = words
        .iter()
        .any(|word| is_year(word) || is_quarter(word) || is_month(word) || PERIODS.has_word(word));
    telling && words.iter().all(is_date)
}

/// The unit of a column's first figure.
fn unit_of(rows: &[&Vec<Vec<gtm_document_model::Run>>], column: usize) -> Option<String> {
    rows.iter()
        .filter_map(|row| row.get(column))
        .find_map(|cell| Figure::read(&plain_text(cell)))
        .map(|figure| figure.unit)
}

/// The chart that shows a table, in a document of this language; none where a table says it better.
#[must_use]
pub fn of_table(table: &Table, title: Option<&str>, language: &str) -> Option<Chart> {
    let cell = |row: &[Vec<gtm_document_model::Run>], column: usize| {
        row.get(column).map(|runs| one_line(&plain_text(runs)))
    };
    let rows: Vec<&Vec<Vec<gtm_document_model::Run>>> = table
        .rows
        .iter()
        .filter(|row| {
            let label = cell(row, 0).unwrap_or_default();
            let folded = fold(&label);
            !TOTALS.are(&split(&folded))
        })
        .collect();
    let categories: Vec<String> = rows.iter().filter_map(|row| cell(row, 0)).collect();
    let mut distinct = categories.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let named = distinct.len() == rows.len()
        && categories
            .iter()
            .all(|name| (1..=LONGEST_CATEGORY).contains(&name.chars().count()));
    let over_time = categories.iter().all(|name| is_period(name));
    let fits = ROWS.contains(&rows.len()) || (over_time && (3..=MOST_TIMES).contains(&rows.len()));
    if !table.header_column || !named || !fits {
        return None;
    }
    let numeric = |kind: ColumnKind| {
        matches!(
            kind,
            ColumnKind::Number | ColumnKind::Currency | ColumnKind::Percent
        )
    };
    let columns: Vec<usize> = (1..table.columns.len())
        .filter(|index| {
            table
                .columns
                .get(*index)
                .is_some_and(|column| numeric(column.kind))
        })
        .collect();
    let first = table.columns.get(*columns.first()?)?;
    // Of a course, the first measure is shown, and what is measured alike; remarks beside it stay in the table.
    let columns: Vec<usize> = match over_time {
        true => {
            let unit = unit_of(&rows, *columns.first()?);
            let same = |column: &usize| {
                let kind = table.columns.get(*column).map(|column| column.kind);
                kind == Some(first.kind) && unit_of(&rows, *column) == unit
            };
            columns.into_iter().filter(same).take(MOST_SERIES).collect()
        }
        false => columns,
    };
    let alike = columns.iter().all(|index| {
        table
            .columns
            .get(*index)
            .is_some_and(|column| column.kind == first.kind)
    });
    // A column of words beside the numbers is what the table is about.
    let only_numbers = columns.len() + 1 == table.columns.len()
        || table
            .columns
            .iter()
            .skip(1)
            .all(|column| column.kind != ColumnKind::Text);
    if !alike || !(only_numbers || over_time) || columns.len() > MOST_SERIES {
        return None;
    }
    let figures: Vec<Vec<Figure>> = columns
        .iter()
        .map(|column| {
            rows.iter()
                .map(|row| Figure::read(&cell(row, *column)?))
                .collect::<Option<Vec<_>>>()
        })
        .collect::<Option<Vec<_>>>()?;
    let all = || figures.iter().flatten();
    let unit = all().next()?.unit.clone();
    if !all().all(|figure| figure.unit == unit) {
        return None;
    }
    // How long each step takes is read, not compared; how long the same takes from time to time is a course.
    if !over_time && all().any(Figure::is_duration) {
        return None;
    }
    let sum: f64 = figures.first()?.iter().map(|figure| figure.value).sum();
    let is_whole = first.kind == ColumnKind::Percent && (sum - 100.0).abs() <= ROUNDING;
    let positive = all().all(|figure| figure.value > 0.0);
    // Several courses of a few times stand in bars, each with its number; lines have none.
    let few = columns.len() > 1 && columns.len() * rows.len() <= GROUPED_VALUES;
    let kind = match columns.len() {
        _ if over_time && few && positive => ChartKind::Grouped,
        _ if over_time && rows.len() >= 4 => ChartKind::Line,
        1 if over_time => ChartKind::Bar,
        _ if over_time => ChartKind::Grouped,
        1 if is_whole && positive && rows.len() <= MOST_SLICES => ChartKind::Donut,
        // Prices of things are not compared by their length.
        1 if positive && first.kind != ColumnKind::Currency => ChartKind::Bar,
        2..=3 if positive && first.kind == ColumnKind::Percent => ChartKind::Grouped,
        _ => return None,
    };
    let series: Vec<Series> = columns
        .iter()
        .zip(&figures)
        .map(|(column, figures)| Series {
            name: table
                .columns
                .get(*column)
                .map_or(String::new(), |column| column.label.clone()),
            values: figures.iter().map(|figure| Some(figure.value)).collect(),
            points: Vec::new(),
        })
        .collect();
    let names: Vec<&str> = series.iter().map(|series| series.name.as_str()).collect();
    let what = match title {
        Some(title) => format!("{title} – {}", names.join(", ")),
        None => names.join(", "),
    };
    let alt = format!(
        "{} ({})",
        CHART_OF.filled(language, &[("what", &what)]),
        categories.join(", ")
    );
    let decimals = all().map(|figure| figure.decimals).max().unwrap_or(0);
    Some(Chart {
        kind,
        title: Some(names.join(", ")).filter(|title| title.chars().count() <= 120),
        categories,
        series,
        totals: Vec::new(),
        unit: Some(unit).filter(|unit| !unit.is_empty()),
        decimals: u8::try_from(decimals).unwrap_or(0).min(2),
        x_label: None,
        y_label: None,
        alt: alt.chars().take(1_500).collect(),
        caption: Vec::new(),
        cite: Vec::new(),
    })
}

/// How a table with a chart is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// By the chart, which has all that the table says.
    ByChart,
    /// By the table, which says more.
    ByTable,
    /// By both: the chart has the course, and the table its figures or what else it says.
    ByBoth,
}

impl Shown {
    /// Nobody wants to read the same figures twice.
    #[must_use]
    pub fn of(table: &Table, chart: &Chart) -> Self {
        let is_course = chart.categories.iter().all(|name| is_period(name));
        if says_all_of(chart, table) {
            Self::ByChart
        } else if is_course && chart.categories.len() >= COURSE_ROWS {
            Self::ByBoth
        } else {
            Self::ByTable
        }
    }
}

/// Whether a chart has all rows and columns of its table, with each of its numbers.
fn says_all_of(chart: &Chart, table: &Table) -> bool {
    let whole = table.columns.len() == chart.series.len() + 1
        && table.rows.len() == chart.categories.len()
        && table.caption.is_empty();
    let mut cells = table.rows.iter().flatten().flatten();
    let values = chart.series.iter().flat_map(|series| &series.values);
    let length = |value: &f64| format!("{value:.*}", usize::from(chart.decimals)).len();
    let longest = values.flatten().map(length).max().unwrap_or(0);
    let sign = chart.unit.as_deref().map_or(0, |unit| match unit {
        "%" => 2,
        _ => 0,
    });
    let fits = longest
        .saturating_add(sign + 1)
        .saturating_mul(chart.categories.len())
        <= VALUE_CHARS;
    let tells_numbers = match chart.kind {
        // Bars that have no room to stand lie below one another.
        ChartKind::Bar | ChartKind::Donut => true,
        ChartKind::Line => chart.series.len() == 1 && fits,
        ChartKind::Grouped => {
            chart.series.len().saturating_mul(chart.categories.len()) <= GROUPED_VALUES
        }
        ChartKind::Stacked | ChartKind::Area | ChartKind::Scatter | ChartKind::Waterfall => false,
    };
    whole && tells_numbers && !cells.any(|run| run.href.is_some() || !run.cite.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn figures_are_numbers_with_a_unit() {
        let read = |text: &str| Figure::read(text).map(|figure| (figure.value, figure.unit));
        assert_eq!(read("€ 1,250"), Some((1250.0, "€".to_owned())));
        assert_eq!(read("38 %"), Some((38.0, "%".to_owned())));
        assert_eq!(read("−4.5"), Some((-4.5, String::new())));
        assert_eq!(read("22 000"), Some((22000.0, String::new())));
        assert_eq!(read("4–6"), None);
        assert_eq!(read("none"), None);
    }

    #[test]
    fn durations_of_steps_are_no_chart() {
        let charts = |table: &str| {
            let brief = super::super::Brief::read(&format!("# A\n\n## B\n\n{table}"), "en");
            let blocks = brief.chapters.iter().flat_map(|chapter| &chapter.blocks);
            let tables = blocks.filter_map(|block| match block {
                gtm_document_model::block::Block::Table(table) => Some(table.clone()),
                _ => None,
            });
            tables
                .filter_map(|table| of_table(&table, None, "en"))
                .count()
        };
        let steps = |cells: [&str; 3]| {
            let [a, b, c] = cells;
            format!(
                "| Step | Takes |\n|---|---|\n| Visit | {a} |\n| Test | {b} |\n| Start | {c} |\n"
            )
        };
        assert_eq!(charts(&steps(["2 h", "4 h", "3 h"])), 0);
        assert_eq!(charts(&steps(["2 weeks", "3 weeks", "8 weeks"])), 0);
        assert_eq!(charts(&steps(["2 pallets", "3 pallets", "8 pallets"])), 1);
        let course = "| Quarter | Repair |\n|---|---|\n| Q1 2026 | 40 min |\n| Q2 2026 | 35 min |\n| Q3 2026 | 31 min |\n| Q4 2026 | 20 min |\n";
        assert_eq!(charts(course), 1);
        let beside = "| Step | Staff | Takes |\n|---|---|---|\n| Visit | 2 | 2 h |\n| Test | 4 | 3 weeks |\n| Start | 3 | 1 day |\n";
        assert_eq!(charts(beside), 0);
    }

    #[test]
    fn a_chart_that_says_all_stands_alone() {
        let shown = |rows: &str| {
            let brief = super::super::Brief::read(&format!("# A\n\n## B\n\n{rows}"), "en");
            let blocks = brief.chapters.iter().flat_map(|chapter| &chapter.blocks);
            let mut tables = blocks.filter_map(|block| match block {
                gtm_document_model::block::Block::Table(table) => Some(table.clone()),
                _ => None,
            });
            let table = tables.next().unwrap();
            of_table(&table, None, "en").map(|chart| (chart.kind, Shown::of(&table, &chart)))
        };
        let months = |cells: &str, count: usize| {
            let names = [
                "January", "February", "March", "April", "May", "June", "July", "August",
            ];
            let rows = names
                .iter()
                .take(count)
                .map(|name| format!("| {name} | {cells} |\n"));
            rows.collect::<String>()
        };
        for (table, expected) in [
            (
                format!("| Month | Pallets |\n|---|---|\n{}", months("1,200", 8)),
                Some((ChartKind::Line, Shown::ByChart)),
            ),
            (
                format!("| Month | Now | Then |\n|---|---|---|\n{}", months("31 | 22", 5)),
                Some((ChartKind::Grouped, Shown::ByChart)),
            ),
            (
                format!("| Month | Now | Then |\n|---|---|---|\n{}", months("31 | 22", 8)),
                Some((ChartKind::Line, Shown::ByBoth)),
            ),
            (
                format!("| Month | Pallets | Why |\n|---|---|---|\n{}", months("31 | ice", 3)),
                Some((ChartKind::Bar, Shown::ByTable)),
            ),
            (
                "| Cause | Share |\n|---|---|\n| Dust | 60 % |\n| Heat | 25 % |\n| Hands | 15 % |\n".to_owned(),
                Some((ChartKind::Donut, Shown::ByChart)),
            ),
        ] {
            assert_eq!(shown(&table), expected, "{table}");
        }
    }

    #[test]
    fn durations_are_told() {
        for text in [
            "2 h",
            "3 weeks",
            "ca. 4 Std.",
            "5 Tage",
            "2 semaines",
            "40分",
            "3週間",
        ] {
            assert!(Figure::read(text).unwrap().is_duration(), "{text}");
        }
        for text in ["2", "3 %", "4 €/h", "50 km/h", "6 pallets"] {
            assert!(!Figure::read(text).unwrap().is_duration(), "{text}");
        }
    }

    #[test]
    fn periods_are_told() {
        for text in [
            "2009",
            "Q1 2027",
            "March 2027",
            "Week 3",
            "Monat 2",
            "Woche 1–2",
            "2026年4月",
        ] {
            assert!(is_period(text), "{text}");
        }
        for text in ["22,000", "Lancaster", "Hall 3", "4", "Leeds in March"] {
            assert!(!is_period(text), "{text}");
        }
    }
}
