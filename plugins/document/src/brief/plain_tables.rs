//! Tables of plain text, before Markdown reads them: columns that stand below each other, or cells between bars without the
//! line that Markdown wants below the head.
//!
//! Danger: prose with two blanks behind each sentence looks like columns. So a line is one of a table only if its cells are
//! short and end no sentence, and only if its neighbours have as many.

use gtm_lexicon::documents::TOTALS;
use gtm_lexicon::{fold, split};

use super::charts::{Figure, is_period};
use super::line_kinds::{is_heading, is_sentence, item_of};
use super::one_line;

/// Longest cell, in characters.
const LONGEST_CELL: usize = 80;
/// Blanks that part columns.
const GAP: &str = "  ";
/// Fewest lines of a table with two columns, and with more.
const FEWEST_OF_TWO: usize = 3;
const FEWEST_LINES: usize = 2;

/// The table with which the lines begin, as Markdown has it, and how many lines it takes.
pub fn at_start(lines: &[&str]) -> Option<(String, usize)> {
    let first = lines.first()?;
    if has_bars(first) {
        let block = lines
            .iter()
            .take_while(|line| has_bars(line) || is_rule(line));
        let block: Vec<&str> = block.copied().collect();
        // Markdown's own table goes through as a whole, so that no row of it begins another.
        if block.iter().any(|line| is_rule(line)) {
            return Some((format!("{}\n", block.join("\n")), block.len()));
        }
    }
    let (rows, taken) = match has_bars(first) {
        true => of_bars(lines)?,
        false => of_columns(lines)?,
    };
    let width = rows.iter().map(Vec::len).max()?;
    let fewest = match width {
        0 | 1 => return None,
        2 => FEWEST_OF_TWO,
        _ => FEWEST_LINES,
    };
    let fits = |cell: &String| cell.chars().count() <= LONGEST_CELL;
    if rows.len() < fewest || !rows.iter().flatten().all(fits) {
        return None;
    }
    Some((markdown(&rows, width), taken))
}

/// How many lines, from the first on, look like those of one table.
pub fn length(lines: &[&str]) -> usize {
    let bars = lines.first().is_some_and(|first| has_bars(first));
    let belongs = |line: &&&str| match bars {
        true => has_bars(line) || is_rule(line),
        false => is_in_columns(line) || is_rule(line),
    };
    lines.iter().take_while(belongs).count()
}

fn markdown(rows: &[Vec<String>], width: usize) -> String {
    let has_head = has_head(rows);
    // What has two columns and no head is a list of names with what belongs to each.
    if !has_head && width == 2 {
        let items = rows.iter().map(|row| match row.as_slice() {
            [name, said] if !name.is_empty() && !said.is_empty() => format!(
                "- {}: {said}\n",
                name.trim_end_matches([':', '：']).trim_end()
            ),
            cells => format!("- {}\n", cells.concat()),
        });
        return format!("\n{}\n", items.collect::<String>());
    }
    let line = |cells: &[String]| {
        let cell = |at: usize| {
            let text = cells.get(at).map_or("", String::as_str);
            // A bar that the author already escaped stays so.
            text.replace("\\|", "|").replace('|', "\\|")
        };
        let cells: Vec<String> = (0..width).map(cell).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut out = String::from("\n");
    let (head, body) = match rows.split_first() {
        Some((head, body)) if has_head => (line(head), body),
        _ => (line(&[]), rows),
    };
    out.push_str(&head);
    out.push_str(&format!("|{}\n", "---|".repeat(width)));
    body.iter().for_each(|row| out.push_str(&line(row)));
    out.push('\n');
    out
}

/// Whether the first row names the columns: it has no figure where the others have some, and no time where they have times.
fn has_head(rows: &[Vec<String>]) -> bool {
    let Some((head, body)) = rows.split_first() else {
        return false;
    };
    let is_total = |text: &String| {
        let folded = fold(text);
        TOTALS.are(&split(&folded))
    };
    let is_row = head.iter().enumerate().any(|(at, cell)| {
        let column = body.iter().filter_map(|row| row.get(at));
        let filled: Vec<&String> = column
            .filter(|text| !text.is_empty() && !is_total(text))
            .collect();
        let all = |is: &dyn Fn(&str) -> bool| {
            !filled.is_empty() && filled.iter().filter(|text| is(text)).count() * 2 > filled.len()
        };
        // A year names a column of figures.
        let figure = |text: &str| Figure::read(text).is_some();
        let period = is_period(cell);
        // A clock's time is no figure, and names no column either: `09:30`.
        let counted = |text: &str| figure(text) || text.starts_with(|c: char| c.is_ascii_digit());
        (counted(cell) && !period && all(&counted)) || (period && all(&is_period))
    });
    !is_row
}

fn has_bars(line: &str) -> bool {
    let bare = line.trim();
    bare.contains(" | ") || (bare.starts_with('|') && bare.len() > 1)
}

/// Whether a line is the one that Markdown wants below the head of a table, or a stroke that somebody drew there.
fn is_rule(line: &str) -> bool {
    let bare = line.trim();
    bare.contains("--")
        && bare
            .chars()
            .all(|c| matches!(c, '-' | '=' | '|' | ':' | '+' | ' '))
}

fn of_bars(lines: &[&str]) -> Option<(Vec<Vec<String>>, usize)> {
    let block = lines.iter().take_while(|line| has_bars(line));
    let rows: Vec<Vec<String>> = block.map(|line| cells_of(line)).collect();
    let width = rows.first()?.len();
    let fits = |row: &&Vec<String>| (2..=width).contains(&filled_to(row));
    let whole = rows.iter().take_while(fits).count();
    Some((padded(rows.into_iter().take(whole), width), whole))
}

/// How many cells a row has up to its last that says something.
fn filled_to(row: &[String]) -> usize {
    let last = row.iter().rposition(|cell| !cell.is_empty());
    last.map_or(0, |last| last + 1)
}

/// Rows of so many cells each: who types a row leaves its last cells out where they are empty.
fn padded(rows: impl Iterator<Item = Vec<String>>, width: usize) -> Vec<Vec<String>> {
    let rows = rows.map(|mut row| {
        row.resize(width, String::new());
        row
    });
    rows.collect()
}

fn cells_of(line: &str) -> Vec<String> {
    let bare = line.trim();
    let bare = bare.strip_prefix('|').unwrap_or(bare);
    let bare = bare.strip_suffix('|').unwrap_or(bare);
    let mut cells = vec![String::new()];
    let mut escaped = false;
    for c in bare.chars() {
        match (c, cells.last_mut()) {
            ('|', _) if !escaped => cells.push(String::new()),
            (_, Some(cell)) => cell.push(c),
            (_, None) => {}
        }
        escaped = c == '\\';
    }
    cells.iter().map(|cell| one_line(cell)).collect()
}

/// Lines whose cells stand apart by a tab or by two blanks.
fn of_columns(lines: &[&str]) -> Option<(Vec<Vec<String>>, usize)> {
    let block = lines.iter().enumerate().take_while(|(at, line)| {
        is_in_columns(line) || (*at > 0 && (is_rule(line) || names_a_row(line)))
    });
    let block: Vec<&str> = block.map(|(_, line)| *line).collect();
    let taken = block.len();
    let rows: Vec<&str> = block.into_iter().filter(|line| !is_rule(line)).collect();
    let trimmed: Vec<&str> = rows.iter().map(|row| row.trim_end()).collect();
    let found = of_tabs(&rows)
        .or_else(|| of_gaps(&trimmed))
        .or_else(|| of_places(&trimmed))?;
    Some((found, taken))
}

/// Whether a line has cells that stand apart, and none of them is prose.
fn is_in_columns(line: &str) -> bool {
    let bare = line.trim();
    let cells = gaps_of(bare);
    let marked = is_heading(line) || item_of(bare).is_some() || bare.starts_with(['>', '|', '!']);
    let prose = |cell: &&str| is_sentence(cell) && cell.split_whitespace().count() > 3;
    cells.len() > 1 && !marked && !cells.iter().any(prose)
}

/// Whether a line below others has one cell and tabs behind it, where the cells of others stand: `Ground floor⇥⇥`.
fn names_a_row(line: &str) -> bool {
    let behind = line.len() - line.trim_end().len();
    let tabs = line.get(line.len() - behind..).unwrap_or_default();
    tabs.contains('\t') && !line.starts_with(char::is_whitespace) && gaps_of(line).len() == 1
}

/// The cells of a line between tabs and gaps.
fn gaps_of(line: &str) -> Vec<&str> {
    let cells = line.split('\t').flat_map(|part| part.split(GAP));
    let cells = cells.map(str::trim);
    cells.filter(|cell| !cell.is_empty()).collect()
}

/// Rows with a tab behind each cell, so that an empty cell is known. Behind the last one there may be one more or none.
fn of_tabs(rows: &[&str]) -> Option<Vec<Vec<String>>> {
    let cells = |row: &&str| -> Vec<String> { row.split('\t').map(one_line).collect() };
    let found: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let first = found.first()?;
    let width = filled_to(first);
    let fits = width > 1
        && found
            .iter()
            .all(|row| filled_to(row) <= width && row.len() > 1);
    let mut named = first.iter().take(width).skip(1);
    (fits && named.all(|cell| !cell.is_empty())).then(|| padded(found.into_iter(), width))
}

/// Rows of as many cells each.
fn of_gaps(rows: &[&str]) -> Option<Vec<Vec<String>>> {
    let cells = |row: &&str| -> Vec<String> { gaps_of(row).into_iter().map(one_line).collect() };
    let found: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let width = found.first()?.len();
    found.iter().all(|row| row.len() == width).then_some(found)
}

/// Rows of which some lack a cell: a column is what stands between places where all lines are blank.
fn of_places(rows: &[&str]) -> Option<Vec<Vec<String>>> {
    if rows.iter().any(|row| row.contains('\t')) {
        return None;
    }
    let letters: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    let width = letters.iter().map(Vec::len).max()?;
    let blank = |at: usize| {
        let signs = letters.iter().filter_map(|row| row.get(at));
        signs.into_iter().all(|c| *c == ' ')
    };
    let mut columns: Vec<std::ops::Range<usize>> = Vec::new();
    let mut blanks = GAP.len();
    for at in 0..width {
        if blank(at) {
            blanks += 1;
            continue;
        }
        match columns.last_mut() {
            Some(last) if blanks < GAP.len() => last.end = at + 1,
            _ => columns.push(at..at + 1),
        }
        blanks = 0;
    }
    let most = rows.iter().map(|row| gaps_of(row).len()).max()?;
    let cell = |row: &[char], column: &std::ops::Range<usize>| {
        let end = column.end.min(row.len());
        let text: String = row
            .get(column.start..end)
            .unwrap_or_default()
            .iter()
            .collect();
        one_line(&text)
    };
    let found: Vec<Vec<String>> = letters
        .iter()
        .map(|row| columns.iter().map(|column| cell(row, column)).collect())
        .collect();
    (columns.len() == most).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        let lines: Vec<&str> = text.lines().collect();
        at_start(&lines).map(|(markdown, _)| markdown.trim().to_owned())
    }

    #[test]
    fn columns_of_plain_text_are_a_table() {
        for text in [
            "Item      Seats   Price\nLedger    12      £1,440\nTotal             £1,440",
            "Item\tSeats\tPrice\nLedger\t12\t£1,440\nTotal\t\t£1,440",
            "Item | Seats | Price\nLedger | 12 | £1,440\nTotal | | £1,440",
            "| Item | Seats | Price |\n| Ledger | 12 | £1,440 |\n| Total | | £1,440 |",
        ] {
            assert_eq!(
                read(text).as_deref(),
                Some(
                    "| Item | Seats | Price |\n|---|---|---|\n| Ledger | 12 | £1,440 |\n| Total |  | £1,440 |"
                ),
                "{text}"
            );
        }
        assert_eq!(
            read("Item  2025  2026\n----  ----  ----\nLedger  12  14").as_deref(),
            Some("| Item | 2025 | 2026 |\n|---|---|---|\n| Ledger | 12 | 14 |")
        );
    }

    #[test]
    fn rows_that_lack_their_last_cells_belong_to_the_table() {
        let table = "| Item | Seats | Price | Note |\n|---|---|---|---|\n| Ledger | 12 | 473.500 | yearly |\n| Total | 84 | 473.500 |  |";
        for total in [
            "Total\t84\t473.500\t",
            "Total\t84\t473.500",
            "Total\t84\t473.500\t\t",
        ] {
            let text = format!("Item\tSeats\tPrice\tNote\nLedger\t12\t473.500\tyearly\n{total}");
            assert_eq!(read(&text).as_deref(), Some(table), "{total}");
        }
        for total in [
            "Total | 84 | 473.500",
            "Total | 84 | 473.500 |",
            "| Total | 84 | 473.500 |",
        ] {
            let text =
                format!("Item | Seats | Price | Note\nLedger | 12 | 473.500 | yearly\n{total}");
            assert_eq!(read(&text).as_deref(), Some(table), "{total}");
        }
        assert_eq!(
            read("Item\tSeats\tPrice\nGround floor\t\t\nLedger\t12\t95\n").as_deref(),
            Some(
                "| Item | Seats | Price |\n|---|---|---|\n| Ground floor |  |  |\n| Ledger | 12 | 95 |"
            )
        );
        // A tab behind a line of text makes no row of it, and a longer row is none of this table.
        assert_eq!(read("One line of text\t\nand another one\t"), None);
        assert_eq!(read("A\tB\nC\tD\tE\nF\tG"), None);
    }

    #[test]
    fn rows_without_a_head_name_no_columns() {
        assert_eq!(
            read("Setup    £2,000\nRunning  £490\nVisits   £120").as_deref(),
            Some("- Setup: £2,000\n- Running: £490\n- Visits: £120")
        );
        assert_eq!(
            read("09:00    Welcome\n09:30    Planning\n11:00    Tools").as_deref(),
            Some("- 09:00: Welcome\n- 09:30: Planning\n- 11:00: Tools")
        );
        assert!(
            read("Ledger  12  £1,440\nMatching  12  £960\nAudit export  4  £220")
                .is_some_and(|table| table.starts_with("|  |  |  |\n|---|"))
        );
    }

    #[test]
    fn prose_and_markdown_stay() {
        let table = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |";
        assert_eq!(read(table).as_deref(), Some(table));
        for text in [
            "It closes the books in four days.  It needs no import.\nNobody types a number twice.  The audit is a click.\nAll is well.  So it goes.",
            "- a   b\n- c   d\n- e   f",
            "Petra Olsen | COO",
            "Leeds  York",
            "One line of text\nand another one",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
