//! Rows of a table that say what the others add up to. What they say is printed as it is given, whether it is right or not: a
//! sum is the sender's own statement. But whoever sends the document is told where it is wrong.

use gtm_document_model::plain_text;
use gtm_document_model::table::{ColumnKind, Table};
use gtm_lexicon::documents::{TOTALS, UNIT_PRICES};
use gtm_lexicon::{fold, split};

use super::charts::Figure;
use super::one_line;

/// How far a sum of percentages may be off: each was rounded.
const ROUNDING: f64 = 1.5;
/// How far a price may be off from what its pieces cost: it may be rounded to a tenth.
const ROUNDED_PRODUCT: f64 = 0.06;
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
    let columns: Vec<Column> = table
        .columns
        .iter()
        .enumerate()
        .skip(1)
        .map(|(at, column)| Column {
            label: &column.label,
            is_money: column.kind == ColumnKind::Currency,
            given: text(last, at),
            parts: rows.iter().map(|row| text(row, at)).collect(),
        })
        .collect();
    let found = columns.iter().filter_map(|column| {
        let whole = named == Some(true) || column.is_money;
        let total = Figure::read(&column.given).filter(|_| whole)?;
        let figures = column.figures()?;
        let same = figures.iter().all(|figure| figure.is_measured_as(&total));
        if figures.len() < 2 || !same {
            return None;
        }
        let tolerance = match total.is_percent() {
            true => ROUNDING,
            false => 0.5 / 10_f64.powi(i32::try_from(total.decimals).unwrap_or(0)),
        };
        let differs = |sum: f64| (sum - total.value).abs() > tolerance;
        // A row without all its cells has its total in another column.
        let mut sums = columns
            .iter()
            .filter(|other| std::ptr::eq(*other, column) || !is_filled(&other.given))
            .filter_map(Column::sum);
        let mut costs = columns.iter().filter_map(|other| column.times(other));
        if sums.any(|sum| !differs(sum)) || costs.any(|cost| !differs(cost)) {
            return None;
        }
        let sum = match column.has_unit_prices(&columns) {
            true => column.cost(&columns)?,
            false => column.sum()?,
        };
        let decimals = figures.iter().chain([&total]).map(|figure| figure.decimals);
        let decimals = decimals.max().unwrap_or(0);
        let most = figures
            .iter()
            .map(|figure| figure.value)
            .fold(f64::MIN, f64::max);
        // What is no greater than the greatest is an average of the column, or its greatest itself.
        let averages = !column.is_money && total.value <= most;
        (!averages).then(|| Contradiction {
            column: column.label.to_owned(),
            given: column.given.clone(),
            sum: format!("{sum:.decimals$}"),
        })
    });
    found.collect()
}

/// A column of a table above its total.
struct Column<'t> {
    label: &'t str,
    is_money: bool,
    /// What the total says.
    given: String,
    parts: Vec<String>,
}

impl Column<'_> {
    fn figures(&self) -> Option<Vec<Figure>> {
        let filled = self.parts.iter().filter(|part| is_filled(part));
        filled.map(|part| Figure::read(part)).collect()
    }

    fn sum(&self) -> Option<f64> {
        let figures = self.figures()?;
        (!figures.is_empty()).then(|| figures.iter().map(|figure| figure.value).sum())
    }

    /// Whether its rows name a currency, whatever its total does.
    fn has_money(&self) -> bool {
        let mut figures = self.parts.iter().filter_map(|part| Figure::read(part));
        figures.any(|figure| figure.is_money())
    }

    /// What the rows come to if one column counts what the other says the price of.
    fn times(&self, other: &Self) -> Option<f64> {
        let products = self.products(other)?;
        (products.len() > 1).then(|| products.into_iter().map(|(_, product)| product).sum())
    }

    /// The products with the figures of another column, of the rows that have both. Shares of something count nothing.
    fn products(&self, other: &Self) -> Option<Vec<(usize, f64)>> {
        if std::ptr::eq(self, other) || (self.has_money() && other.has_money()) {
            return None;
        }
        let rows = self.parts.iter().zip(&other.parts).enumerate();
        let both = rows.filter(|(_, (one, other))| is_filled(one) && is_filled(other));
        both.map(|(row, (one, other))| {
            let (one, other) = (Figure::read(one)?, Figure::read(other)?);
            let counts = !one.is_percent() && !other.is_percent();
            counts.then_some((row, one.value * other.value))
        })
        .collect()
    }

    /// Whether the column says what one piece costs: its heading says so, or another column times it makes a third.
    fn has_unit_prices(&self, columns: &[Self]) -> bool {
        let folded = fold(self.label);
        if UNIT_PRICES.any_in(&split(&folded)) {
            return true;
        }
        columns
            .iter()
            .filter(|counts| self.has_money() || !counts.has_money())
            .any(|counts| {
                let products = self.products(counts).unwrap_or_default();
                let others = columns
                    .iter()
                    .filter(|costs| !std::ptr::eq(*costs, self) && !std::ptr::eq(*costs, counts));
                let says_all =
                    |costs: &Self| products.iter().all(|(row, cost)| costs.says(*row, *cost));
                products.len() > 1 && others.into_iter().any(says_all)
            })
    }

    fn says(&self, row: usize, value: f64) -> bool {
        let figure = self.parts.get(row).and_then(|part| Figure::read(part));
        figure.is_some_and(|figure| (figure.value - value).abs() < ROUNDED_PRODUCT)
    }

    /// What the rows cost, where only one column can count the pieces.
    fn cost(&self, columns: &[Self]) -> Option<f64> {
        let mut costs = columns.iter().filter_map(|counts| self.times(counts));
        costs.next().filter(|_| costs.next().is_none())
    }
}

fn is_filled(part: &str) -> bool {
    !part.is_empty() && part != "–" && part != "-"
}

/// Whether the name of a row says that it is a total: `Total`, `Total (net)`.
#[must_use]
pub fn names_total(name: &str) -> bool {
    total_of(name).is_some()
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
        // Beside unit prices, what the pieces cost.
        assert_eq!(
            of(
                "| 項目 | 数量 | 単価 |\n|---|---|---|\n| A | 18 | 24,000円 |\n| B | 2 | 56,000円 |\n| 合計 | | 554,000円 |"
            ),
            given("554,000円", "544000")
        );
        // Prices per month are no prices of a piece.
        assert_eq!(
            of(
                "| Item | Price per month |\n|---|---|\n| A | £100 |\n| B | £50 |\n| Total | £160 |"
            ),
            given("£160", "150")
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
            // Unit prices, by their heading or because another column times them makes a third.
            "| 項目 | 数量 | 単価 |\n|---|---|---|\n| A | 18 | 24,000円 |\n| B | 2 | 56,000円 |\n| 合計 | | 544,000円 |",
            "| 項目 | 数量 | 単価 |\n|---|---|---|\n| A | 18 | 24,000円 |\n| B | 2 | 56,000円 |\n| 合計 | 544,000円 | |",
            "| Posten | Einzelpreis |\n|---|---|\n| A | 140 € |\n| B | 380 € |\n| Gesamt | 3.000 € |",
            "| Item | Qty | Price | Cost |\n|---|---|---|---|\n| A | 16 | £140 | £2,240 |\n| B | 2 | £380 | £760 |\n| Total | 18 | £3,000 | £3,000 |",
            "| Voce | Quantità | Prezzo | Totale |\n|---|---|---|---|\n| A | 24 | 320 | 7680 |\n| B | 3 | 610 | 1830 |\n| Totale | 27 | 9510 | 9510 |",
        ] {
            assert_eq!(of(table), [], "{table}");
        }
    }
}
