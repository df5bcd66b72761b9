//! Rows of a table that say what the others add up to. What they say is printed as it is given, whether it is right or not: a
//! sum is the sender's own statement. But whoever sends the document is told where it is wrong.

use gtm_document_model::plain_text;
use gtm_document_model::table::{ColumnKind, Table};
use gtm_lexicon::documents::TOTALS;
use gtm_lexicon::{fold, split};

use super::charts::Figure;
use super::one_line;

/// How far a sum of percentages may be off: each was rounded.
const ROUNDING: f64 = 1.5;
/// Words that may stand behind the one for a total: `Total per month`.
const WORDS_BEHIND: usize = 3;

/// A total that is not the sum of its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// Heading of the column.
    pub column: String,
    /// The total as it is given.
    pub given: String,
    /// What the rows add up to.
    pub sum: String,
}

/// The totals of a table that contradict its rows.
pub fn contradictions(table: &Table) -> Vec<Contradiction> {
    let text = |row: &[Vec<gtm_document_model::Run>], column: usize| {
        row.get(column)
            .map_or(String::new(), |cell| one_line(&plain_text(cell)))
    };
    let Some((last, rows)) = table.rows.split_last() else {
        return Vec::new();
    };
    // Of sums between the rows, and of rows that take something off, nobody knows what they count.
    let named = total_of(&text(last, 0));
    if named.is_none() || rows.len() < 2 || rows.iter().any(|row| total_of(&text(row, 0)).is_some())
    {
        return Vec::new();
    }
    let columns = table.columns.iter().enumerate().skip(1);
    let found = columns.filter_map(|(at, column)| {
        let whole = named == Some(true) || column.kind == ColumnKind::Currency;
        let given = text(last, at);
        let total = Figure::read(&given).filter(|_| whole)?;
        let parts: Vec<String> = rows.iter().map(|row| text(row, at)).collect();
        let filled = parts
            .iter()
            .filter(|part| !part.is_empty() && *part != "–" && *part != "-");
        let figures = filled
            .map(|part| Figure::read(part))
            .collect::<Option<Vec<_>>>()?;
        let same = figures.iter().all(|figure| figure.is_measured_as(&total));
        if figures.len() < 2 || !same {
            return None;
        }
        let sum: f64 = figures.iter().map(|figure| figure.value).sum();
        let decimals = figures.iter().chain([&total]).map(|figure| figure.decimals);
        let decimals = decimals.max().unwrap_or(0);
        let most = figures
            .iter()
            .map(|figure| figure.value)
            .fold(f64::MIN, f64::max);
        // What is no greater than the greatest is an average of the column, or its greatest itself.
        let averages = column.kind != ColumnKind::Currency && total.value <= most;
        let tolerance = match total.is_percent() {
            true => ROUNDING,
            false => 0.5 / 10_f64.powi(i32::try_from(total.decimals).unwrap_or(0)),
        };
        ((sum - total.value).abs() > tolerance && !averages).then(|| Contradiction {
            column: column.label.clone(),
            given,
            sum: format!("{sum:.decimals$}"),
        })
    });
    found.collect()
}

/// Whether the name of a row says that it is a total, and nothing else (true) or something else besides (false).
fn total_of(name: &str) -> Option<bool> {
    let folded = fold(name);
    let words = split(&folded);
    if TOTALS.are(&words) {
        return Some(true);
    }
    let length = TOTALS.at_start(&words).map(<[_]>::len).max()?;
    (words.len() <= length + WORDS_BEHIND).then_some(false)
}

#[cfg(test)]
mod tests {
    use gtm_document_model::block::Block;

    use super::super::Brief;
    use super::*;

    fn of(table: &str) -> Vec<(String, String)> {
        let brief = Brief::read(&format!("# A\n\n## Prices\n\n{table}\n"), "en");
        let blocks = brief.chapters.iter().flat_map(|chapter| &chapter.blocks);
        let tables = blocks.filter_map(|block| match block {
            Block::Table(table) => Some(contradictions(table)),
            _ => None,
        });
        let found = tables.flatten();
        found.map(|found| (found.given, found.sum)).collect()
    }

    #[test]
    fn totals_that_contradict_their_rows_are_told() {
        let given = |given: &str, sum: &str| vec![(given.to_owned(), sum.to_owned())];
        assert_eq!(
            of(
                "| Item | Price |\n|---|---|\n| A | £1,440 |\n| B | £960.50 |\n| Total per month | £2,700 |"
            ),
            given("£2,700", "2400.5")
        );
        assert_eq!(
            of(
                "| Posten | Tage | Preis |\n|---|---|---|\n| A | 2 | 18.600 € |\n| B | 3 | 2.520 € |\n| Gesamt | 6 | 21.120 € |"
            ),
            given("6", "5")
        );
    }

    #[test]
    fn totals_that_are_right_or_something_else_are_not() {
        for table in [
            "| Item | Price |\n|---|---|\n| A | £1,440 |\n| B | £960.50 |\n| Total | £2,400.50 |",
            // An average, an outer sum over subtotals, a tax in percent, and parts of another unit.
            "| Site | Score |\n|---|---|\n| A | 8 |\n| B | 6 |\n| Overall | 7 |",
            "| Item | Price |\n|---|---|\n| A | £10 |\n| Subtotal | £10 |\n| B | £5 |\n| Total | £15 |",
            "| Item | Price |\n|---|---|\n| A | £100 |\n| VAT | 20 % |\n| Total | £120 |",
            "| Site | Share |\n|---|---|\n| A | 33 % |\n| B | 33 % |\n| C | 33 % |\n| Total | 100 % |",
            "| Item | Price |\n|---|---|\n| A | £1 |\n| B | on request |\n| Total | £120 |",
        ] {
            assert_eq!(of(table), [], "{table}");
        }
    }
}
