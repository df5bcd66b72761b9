//! The tables of an HTML brief as Markdown has them. What spans columns or rows stands in each of them, and rows of heads become
//! one: Markdown knows neither spans nor a second row of heads, and a cell that isn't repeated would move those behind it below
//! other heads.

use gtm_page_text::html::Element;

/// Most columns or rows that a cell spans, and most columns of a table.
const MOST_SPAN: usize = 50;
const MOST_COLUMNS: usize = 100;
/// Between the heads of a column that stood one below the other.
const BETWEEN_HEADS: &str = " – ";

/// A table that is being read.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Vec<Cell>>,
    is_open: bool,
}

#[derive(Debug, Clone, Default)]
struct Cell {
    text: String,
    is_head: bool,
    columns: usize,
    rows: usize,
}

/// A row with a cell for each column.
#[derive(Debug)]
struct Line {
    cells: Vec<String>,
    is_head: bool,
    /// Whether one cell spans the whole row.
    is_title: bool,
}

impl Table {
    /// Whether a row is being read.
    pub const fn has_open_row(&self) -> bool {
        self.is_open
    }

    pub fn begin_row(&mut self) {
        self.rows.push(Vec::new());
        self.is_open = true;
    }

    pub const fn end_row(&mut self) {
        self.is_open = false;
    }

    pub fn begin_cell(&mut self, element: &Element<'_>) {
        let span = |name: &str| {
            let said = element.attribute(name)?.trim().parse::<usize>().ok()?;
            Some(said.clamp(1, MOST_SPAN))
        };
        if let Some(row) = self.rows.last_mut().filter(|_| self.is_open) {
            row.push(Cell {
                text: String::new(),
                is_head: element.name == "th",
                columns: span("colspan").unwrap_or(1),
                rows: span("rowspan").unwrap_or(1),
            });
        }
    }

    /// Adds text to the cell at hand.
    pub fn say(&mut self, said: &str) {
        let Some(row) = self.rows.last_mut() else {
            return;
        };
        if row.is_empty() {
            row.push(Cell {
                columns: 1,
                rows: 1,
                ..Cell::default()
            });
        }
        if let Some(cell) = row.last_mut() {
            if !cell.text.is_empty() {
                cell.text.push(' ');
            }
            cell.text.push_str(said);
        }
    }

    /// The table as Markdown; nothing if it has no cells.
    pub fn as_markdown(&mut self) -> String {
        self.is_open = false;
        let mut lines = lines(std::mem::take(&mut self.rows));
        let mut out = String::new();
        let titles = lines
            .iter()
            .take_while(|line| line.is_title && line.is_head);
        for title in lines.drain(..titles.count()).collect::<Vec<_>>() {
            out.push_str(&format!("\n{}\n", title.cells.join(" ").trim()));
        }
        let heads = lines.iter().take_while(|line| line.is_head).count();
        if heads > 1 && heads < lines.len() {
            let behind = lines.split_off(heads);
            let head = merged(lines);
            lines = vec![head];
            lines.extend(behind);
        }
        let width = lines.iter().map(|line| line.cells.len()).max().unwrap_or(0);
        if width == 0 {
            return out;
        }
        out.push('\n');
        for (at, line) in lines.iter().enumerate() {
            let cells = line.cells.iter().map(|cell| cell.replace('|', "\\|"));
            let blanks = std::iter::repeat_n(String::new(), width - line.cells.len());
            let cells: Vec<String> = cells.chain(blanks).collect();
            out.push_str(&format!("| {} |\n", cells.join(" | ")));
            if at == 0 {
                out.push_str(&format!("|{}\n", "---|".repeat(width)));
            }
        }
        out
    }
}

/// The rows with a cell for each column. Of a cell that spans a whole row, only the first column has the text.
fn lines(rows: Vec<Vec<Cell>>) -> Vec<Line> {
    // For each column, the cell that reaches down into it, and over how many rows more.
    let mut below: Vec<(usize, Cell)> = Vec::new();
    let mut lines = Vec::with_capacity(rows.len());
    for row in rows {
        let is_alone = row.len() == 1;
        let is_head = !row.is_empty() && row.iter().all(|cell| cell.is_head);
        let mut line: Vec<String> = Vec::new();
        let mut own = row.into_iter();
        let mut reached = 0_usize;
        while line.len() < MOST_COLUMNS {
            if let Some((left, cell)) = below.get_mut(line.len()).filter(|(left, _)| *left > 0) {
                *left -= 1;
                reached += 1;
                line.push(cell.text.clone());
                continue;
            }
            let Some(cell) = own.next() else { break };
            for _ in 0..cell.columns {
                let column = line.len();
                if below.len() <= column {
                    below.resize(column + 1, (0, Cell::default()));
                }
                if let Some(place) = below.get_mut(column) {
                    *place = (cell.rows - 1, cell.clone());
                }
                line.push(cell.text.clone());
            }
        }
        let is_title = is_alone && reached == 0 && line.len() > 1;
        if is_title {
            line.iter_mut().skip(1).for_each(String::clear);
        }
        if !line.is_empty() {
            lines.push(Line {
                cells: line,
                is_head,
                is_title,
            });
        }
    }
    lines
}

/// Rows of heads as one: in each column, what stands one below the other.
fn merged(heads: Vec<Line>) -> Line {
    let mut cells: Vec<String> = Vec::new();
    for head in heads {
        for (column, said) in head.cells.into_iter().enumerate() {
            match cells.get_mut(column) {
                None => cells.push(said),
                Some(above) if above.is_empty() => *above = said,
                Some(above) if said.is_empty() || *above == said => {}
                Some(above) => above.push_str(&format!("{BETWEEN_HEADS}{said}")),
            }
        }
    }
    Line {
        cells,
        is_head: true,
        is_title: false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::html_document::as_markdown;

    #[test]
    fn what_spans_columns_or_rows_stands_in_each() {
        for (table, expected) in [
            (
                "<tr><th rowspan=2>Service<th colspan=2>Price</tr><tr><th>up to 499<th>500 and more</tr>\
                 <tr><td>Chilled<td>3.55<td>3.37</tr><tr><td>Vault<td colspan=2>9.95</tr>",
                "| Service | Price – up to 499 | Price – 500 and more |\n|---|---|---|\n\
                 | Chilled | 3.55 | 3.37 |\n| Vault | 9.95 | 9.95 |\n",
            ),
            (
                "<tr><th>Site<th>Item<th>Price</tr><tr><td rowspan=2>Leeds<td>Gate<td>40</tr><tr><td>Door<td>2</tr>\
                 <tr><td colspan=3>Hull</tr><tr><td>Hull<td>Gate<td>41</tr>",
                "| Site | Item | Price |\n|---|---|---|\n| Leeds | Gate | 40 |\n| Leeds | Door | 2 |\n\
                 | Hull |  |  |\n| Hull | Gate | 41 |\n",
            ),
            (
                "<tr><th colspan=2>Prices 2027</tr><tr><th>Item<th>Price</tr><tr><td>Gate<td>a|b</tr><tr><td>Door</tr>",
                "\nPrices 2027\n\n| Item | Price |\n|---|---|\n| Gate | a\\|b |\n| Door |  |\n",
            ),
            (
                "<tr><td rowspan=0>Gate<td colspan=-1>40</tr>",
                "| Gate | 40 |\n|---|---|\n",
            ),
        ] {
            let markdown = as_markdown(&format!("<body><table>{table}</table><p>.</p></body>"));
            let markdown = markdown.unwrap_or_default();
            assert!(markdown.contains(expected), "{markdown}");
        }
    }

    #[test]
    fn spans_without_measure_are_bounded() {
        let row = "<tr>".to_owned() + &"<td colspan=9999 rowspan=9999>x".repeat(200) + "</tr>";
        let markdown = as_markdown(&format!(
            "<body><table>{}</table><p>.</p></body>",
            row.repeat(20)
        ));
        let markdown = markdown.unwrap_or_default();
        assert!(markdown.lines().all(|line| line.len() < 1_000));
    }
}
