//! The table: a line for each file, a column for each tool.

use super::checks::TOOLS;

/// A checked file.
#[derive(Debug, Default)]
pub struct Row {
    pub fixture: String,
    pub format: String,
    /// What rendering gave: pages and time, or a refusal.
    pub rendered: String,
    /// Faults by tool, in the order of [`TOOLS`]; `None` if the tool is not for this format.
    pub tools: Vec<Option<usize>>,
    /// Faults that fail the run, each with its tool.
    pub faults: Vec<String>,
    /// Faults that are waived.
    pub waived: usize,
}

/// The rows as text, without columns that nothing stands in.
pub fn table(rows: &[Row]) -> String {
    let used: Vec<usize> = (0..TOOLS.len())
        .filter(|index| {
            rows.iter()
                .any(|row| row.tools.get(*index).is_some_and(Option::is_some))
        })
        .collect();
    let mut lines = vec![vec![
        "FIXTURE".to_owned(),
        "FORMAT".to_owned(),
        "RENDERED".to_owned(),
    ]];
    lines[0].extend(used.iter().map(|index| TOOLS[*index].to_owned()));
    for row in rows {
        let mut cells = vec![
            row.fixture.clone(),
            row.format.clone(),
            row.rendered.clone(),
        ];
        cells.extend(used.iter().map(|index| match row.tools.get(*index) {
            Some(Some(0)) => "ok".to_owned(),
            Some(Some(count)) => count.to_string(),
            _ => "-".to_owned(),
        }));
        lines.push(cells);
    }
    let widths: Vec<usize> = (0..lines[0].len())
        .map(|column| {
            lines
                .iter()
                .map(|line| line[column].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    lines
        .iter()
        .map(|line| {
            let cells: Vec<String> = (line.iter().zip(&widths))
                .map(|(cell, width)| format!("{cell:<width$}"))
                .collect();
            format!("{}\n", cells.join("  ").trim_end())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_columns_that_say_something() {
        let mut tools = vec![None; TOOLS.len()];
        tools[0] = Some(0);
        tools[9] = Some(2);
        let row = Row {
            fixture: "deck".into(),
            format: "pptx".into(),
            rendered: "3 p".into(),
            tools,
            ..Row::default()
        };
        assert_eq!(
            table(&[row]),
            "FIXTURE  FORMAT  RENDERED  qpdf  lint\ndeck     pptx    3 p       ok    2\n"
        );
    }
}
