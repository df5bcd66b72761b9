//! How a table fits: widths of columns by what stands in them, smaller text or a page that lies where there are
//! many, and several tables where even that has too little room.

use gtm_document_model::table::{ColumnKind, Table};
use gtm_document_model::theme::Font;
use gtm_ooxml::measure::Face;

/// Rows that are measured; those after them are like these.
const SAMPLE: usize = 200;
/// Points at both sides of a cell's text.
pub(super) const PADDING: f64 = 10.0;
/// A word that is longer is broken.
const LONGEST_WORD: f64 = 110.0;
/// Room for a typeface that is wider than the one that was measured.
const FOREIGN_FONT: f64 = 1.1;
/// No column needs more to be read well.
const LONGEST_TEXT: f64 = 300.0;

/// What a table has: its columns by group, one table each.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TablePlan {
    /// Indices of columns and their widths in points.
    pub(super) groups: Vec<Vec<(usize, u32)>>,
    pub(super) is_wide: bool,
    pub(super) is_small: bool,
}

/// The plan for a table on a page, or in a cell, which cannot lie.
pub(super) fn plan(table: &Table, body: &Font, width: u32, wide: Option<u32>) -> TablePlan {
    let needs = needs(table, body);
    let fits = |scale: f64, room: u32| {
        needs
            .iter()
            .map(|need| need.least * scale + PADDING)
            .sum::<f64>()
            <= f64::from(room)
    };
    let all = (0..needs.len()).collect::<Vec<_>>();
    let one = |room: u32, scale: f64, is_wide: bool| TablePlan {
        groups: vec![shared(&all, &needs, scale, room)],
        is_wide,
        is_small: scale < 1.0,
    };
    const SMALL: f64 = 0.9;
    if needs.len() <= 8 && fits(1.0, width) {
        return one(width, 1.0, false);
    }
    if needs.len() <= 12 && fits(SMALL, width) {
        return one(width, SMALL, false);
    }
    if let Some(wide) = wide.filter(|wide| fits(SMALL, *wide)) {
        return one(wide, SMALL, true);
    }
    let room = wide.unwrap_or(width);
    let groups = split(&needs, SMALL, room);
    TablePlan {
        groups: groups
            .iter()
            .map(|group| shared(group, &needs, SMALL, room))
            .collect(),
        is_wide: wide.is_some(),
        is_small: true,
    }
}

/// What a column wants, in points.
#[derive(Debug, Clone, Copy)]
struct Need {
    least: f64,
    natural: f64,
}

fn needs(table: &Table, body: &Font) -> Vec<Need> {
    let (regular, bold) = (Face::new(body, false), Face::new(body, true));
    let points = |face: Face, text: &str| face.width(text, 1_000) as f64 / 12_700.0;
    let columns = table.columns.iter().enumerate();
    let all = columns.map(|(index, column)| {
        let is_bold = index == 0 && table.header_column;
        let is_number = !matches!(column.kind, ColumnKind::Text);
        let face = if is_bold { bold } else { regular };
        let mut need = Need {
            least: 22.0,
            natural: points(bold, &column.label),
        };
        for word in column.label.split_whitespace() {
            need.least = need.least.max(points(bold, word));
        }
        for row in table.rows.iter().take(SAMPLE) {
            let Some(cell) = row.get(index) else { continue };
            let text = cell.iter().map(|run| run.text.as_str()).collect::<String>();
            for line in text.lines().take(20) {
                let line = line.get(..2_000).unwrap_or(line);
                let natural = points(face, line);
                need.natural = need.natural.max(natural);
                // A number is not broken.
                let least = if is_number && line.chars().count() <= 18 {
                    natural
                } else {
                    line.split_whitespace()
                        .map(|word| points(face, word))
                        .fold(0.0, f64::max)
                };
                need.least = need.least.max(least);
            }
        }
        need.least = (need.least * FOREIGN_FONT).min(LONGEST_WORD);
        need.natural = need.natural.clamp(need.least, LONGEST_TEXT);
        need
    });
    all.collect()
}

/// Columns in groups that fit, each with the first one.
fn split(needs: &[Need], scale: f64, room: u32) -> Vec<Vec<usize>> {
    let width = |index: usize| {
        needs
            .get(index)
            .map_or(0.0, |need| need.least * scale + PADDING)
    };
    let mut groups = Vec::new();
    let mut group = vec![0];
    let mut used = width(0);
    for index in 1..needs.len() {
        if used + width(index) > f64::from(room) && group.len() > 1 {
            groups.push(std::mem::replace(&mut group, vec![0]));
            used = width(0);
        }
        group.push(index);
        used += width(index);
    }
    groups.push(group);
    groups
}

/// The room shared out: each column has what its texts need in one line, up to a limit that is the same for all,
/// so that only the longest texts wrap.
fn shared(group: &[usize], needs: &[Need], scale: f64, room: u32) -> Vec<(usize, u32)> {
    const NONE: Need = Need {
        least: 22.0,
        natural: 22.0,
    };
    let of = |index: &usize| needs.get(*index).copied().unwrap_or(NONE);
    let width = |need: Need, limit: f64| {
        let least = need.least * scale + PADDING;
        (need.natural * scale * FOREIGN_FONT + PADDING)
            .min(limit)
            .max(least)
    };
    let total = |limit: f64| {
        group
            .iter()
            .map(|index| width(of(index), limit))
            .sum::<f64>()
    };
    let (mut low, mut high) = (0.0, 2.0 * LONGEST_TEXT);
    for _ in 0..24 {
        let middle = f64::midpoint(low, high);
        *(if total(middle) <= f64::from(room) {
            &mut low
        } else {
            &mut high
        }) = middle;
    }
    // What is left when nothing wraps is shared by size.
    let used = total(low).max(1.0);
    let growth = (f64::from(room) / used).max(1.0);
    let mut widths = group
        .iter()
        .map(|index| {
            (
                *index,
                (width(of(index), low) * growth).floor().max(12.0) as u32,
            )
        })
        .collect::<Vec<_>>();
    let used = widths.iter().map(|(_, width)| *width).sum::<u32>();
    if let Some((_, last)) = widths.last_mut() {
        *last += room.saturating_sub(used);
    }
    widths
}

/// Widths for rows of plain texts, such as those of a comparison, the first one a head.
pub(super) fn widths_of(rows: &[Vec<String>], body: &Font, scale: f64, room: u32) -> Vec<u32> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(1).max(1);
    let bold = Face::new(body, true);
    let points = |text: &str| bold.width(text, 1_000) as f64 / 12_700.0;
    let needs = (0..count).map(|index| {
        let mut need = Need {
            least: 22.0,
            natural: 22.0,
        };
        for text in rows.iter().filter_map(|row| row.get(index)) {
            let text = text.get(..2_000).unwrap_or(text);
            need.natural = need.natural.max(points(text));
            need.least = text
                .split_whitespace()
                .map(points)
                .fold(need.least, f64::max);
        }
        // Six things and their criteria fit the narrowest place.
        let most = (f64::from(room) / count as f64 - PADDING).max(12.0) / scale;
        need.least = (need.least * FOREIGN_FONT).min(LONGEST_WORD).min(most);
        need.natural = need.natural.clamp(need.least, LONGEST_TEXT.max(need.least));
        need
    });
    let needs = needs.collect::<Vec<_>>();
    let all = (0..count).collect::<Vec<_>>();
    shared(&all, &needs, scale, room)
        .into_iter()
        .map(|(_, width)| width)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gtm_document_model::Run;
    use gtm_document_model::table::TableColumn;
    use gtm_document_model::theme::FontClass;

    fn table(columns: usize, cell: &str) -> Table {
        let column = |index| TableColumn {
            label: format!("Column {index}"),
            ..TableColumn::default()
        };
        Table {
            columns: (0..columns).map(column).collect(),
            rows: vec![vec![vec![Run::plain(cell)]; columns]; 3],
            ..Table::default()
        }
    }

    fn font() -> Font {
        Font {
            family: "Inter".to_owned(),
            fallbacks: Vec::new(),
            class: FontClass::Sans,
        }
    }

    #[test]
    fn columns_share_the_whole_width() {
        for count in 1..=6 {
            let plan = plan(
                &table(count, "some words in a cell"),
                &font(),
                408,
                Some(697),
            );
            assert_eq!((plan.groups.len(), plan.is_wide), (1, false));
            assert_eq!(
                plan.groups[0].iter().map(|(_, width)| width).sum::<u32>(),
                408
            );
        }
    }

    #[test]
    fn two_hundred_columns_become_tables_that_repeat_the_first() {
        let plan = plan(&table(200, "12,345"), &font(), 408, Some(697));
        assert!(plan.is_wide && plan.is_small && plan.groups.len() > 5);
        let mut seen = vec![0];
        for group in &plan.groups {
            assert_eq!(group[0].0, 0);
            assert!(group.iter().map(|(_, width)| width).sum::<u32>() <= 697);
            seen.extend(group[1..].iter().map(|(index, _)| *index));
        }
        assert_eq!(seen, (0..200).collect::<Vec<_>>());
    }

    #[test]
    fn a_dozen_columns_get_a_page_that_lies() {
        let plan = plan(&table(14, "Word"), &font(), 408, Some(697));
        assert_eq!((plan.groups.len(), plan.is_wide), (1, true));
    }
}
