//! Too many rows, columns, points, sections and sources, and numbers at the edge of what numbers can be.

use serde_json::{Value, json};

use super::texts::words;
use super::{Expected, Hostile, paragraph, with_blocks, with_sections};

pub(super) fn documents() -> Vec<Hostile> {
    vec![
        with_blocks("table-of-200-columns", vec![table(200, 20)]),
        with_blocks("table-of-2000-rows", vec![table(6, 2_000)]),
        with_blocks("table-without-rows", vec![table(3, 0)]),
        with_blocks("table-with-long-cells", vec![long_cells()]),
        with_blocks("tables-in-columns", vec![columns_of_tables()]),
        with_blocks("scatter-of-10000-points", vec![scatter(10_000)]),
        with_blocks("line-of-10000-values", vec![line(10_000)]),
        with_blocks("chart-of-50-series", charts_of_50_series()),
        with_blocks("donut-of-200-slices", vec![donut(200)]),
        with_blocks("extreme-numbers", extreme_numbers()),
        with_sections("sections-of-one-line", (0..200).map(section).collect()),
        with_sections(
            "sections-without-blocks",
            (0..50).map(empty_section).collect(),
        ),
        all_sources(),
        Hostile {
            expected: Expected::Refusal("invalid_document"),
            ..with_blocks("ragged-table", vec![ragged()])
        },
        Hostile {
            expected: Expected::Refusal("invalid_document"),
            ..with_blocks("unknown-block", vec![json!({"type": "macro", "runs": []})])
        },
        Hostile {
            expected: Expected::Refusal("invalid_document"),
            ..with_blocks(
                "link-to-a-script",
                vec![
                    json!({"type": "paragraph", "runs": [{"text": "a", "href": "javascript:alert(1)"}]}),
                ],
            )
        },
    ]
}

fn table(columns: usize, rows: usize) -> Value {
    let heads: Vec<Value> = (0..columns)
        .map(|column| json!({"label": format!("Column {column}"), "kind": if column > 0 { "number" } else { "text" }}))
        .collect();
    let rows: Vec<Value> = (0..rows)
        .map(|row| {
            (0..columns)
                .map(|column| json!([{"text": format!("{}", row * 31 + column)}]))
                .collect()
        })
        .collect();
    json!({"type": "table", "columns": heads, "rows": rows, "header_column": true})
}

/// Cells that are each longer than a page.
fn long_cells() -> Value {
    json!({
        "type": "table", "columns": [{"label": "a"}, {"label": "b"}],
        "rows": [[[{"text": words(1_500)}], [{"text": "x".repeat(400)}]], [[{"text": "short"}], []]],
    })
}

fn columns_of_tables() -> Value {
    json!({"type": "columns", "columns": [
        {"blocks": [table(12, 40)]}, {"blocks": [table(12, 40), scatter(50)]}, {"blocks": [paragraph(words(3_000))]},
    ]})
}

fn ragged() -> Value {
    json!({"type": "table", "columns": [{"label": "a"}, {"label": "b"}], "rows": [[[{"text": "alone"}]]]})
}

fn scatter(points: usize) -> Value {
    let points: Vec<Value> = (0..points)
        .map(|index| {
            let x = index as f64;
            json!({"x": x, "y": (x * 7_919.0) % 1_009.0, "label": format!("p{index}")})
        })
        .collect();
    json!({"type": "chart", "kind": "scatter", "series": [{"name": "Points", "points": points}], "alt": "Many points."})
}

fn line(values: usize) -> Value {
    let categories: Vec<String> = (0..values).map(|index| format!("day {index}")).collect();
    let values: Vec<Value> = (0..values)
        .map(|index| {
            // A gap now and then.
            if index % 97 == 0 {
                Value::Null
            } else {
                json!((index * 31 % 500) as f64)
            }
        })
        .collect();
    json!({"type": "chart", "kind": "line", "categories": categories, "series": [{"name": "Values", "values": values}], "alt": "A long line."})
}

fn charts_of_50_series() -> Vec<Value> {
    ["grouped", "stacked", "line", "area"]
        .iter()
        .map(|kind| {
            let series: Vec<Value> = (0..50)
                .map(|index| json!({"name": format!("Series with a long name {index}"), "values": [index as f64, -(index as f64), null]}))
                .collect();
            json!({"type": "chart", "kind": kind, "categories": ["a", "b", "c"], "series": series, "alt": "Fifty series."})
        })
        .collect()
}

fn donut(slices: usize) -> Value {
    let categories: Vec<String> = (0..slices).map(|index| format!("slice {index}")).collect();
    let values: Vec<f64> = (0..slices).map(|index| (index % 7) as f64).collect();
    json!({"type": "chart", "kind": "donut", "categories": categories, "series": [{"name": "Share", "values": values}], "alt": "Many slices."})
}

/// Charts of numbers that overflow, vanish or are all the same.
fn extreme_numbers() -> Vec<Value> {
    let lists: [&[f64]; 6] = [
        &[f64::MAX, f64::MIN, 0.0],
        &[f64::MIN_POSITIVE, 5e-324, -5e-324],
        &[0.0, -0.0, 0.0],
        &[7.0, 7.0, 7.0],
        &[-1.0, -2.0, -3.0],
        &[1e-7, 1e15, 123_456_789.987_654_3],
    ];
    let mut blocks = Vec::new();
    for values in lists {
        for kind in ["bar", "line", "stacked", "area"] {
            blocks.push(json!({"type": "chart", "kind": kind, "categories": ["a", "b", "c"], "decimals": 6, "unit": "€",
                "series": [{"name": "Extreme", "values": values}], "alt": "Extreme numbers."}));
        }
        blocks.push(json!({"type": "chart", "kind": "scatter", "alt": "Extreme points.",
            "series": [{"name": "Extreme", "points": [{"x": values[0], "y": values[1]}, {"x": values[2], "y": values[0]}]}]}));
    }
    blocks.push(json!({"type": "chart", "kind": "donut", "categories": ["a", "b"], "alt": "One slice is all.",
        "series": [{"name": "Share", "values": [0.0, f64::MAX]}]}));
    blocks.push(json!({"type": "chart", "kind": "waterfall", "categories": ["a", "b", "c"], "totals": [2], "alt": "Down and up.",
        "series": [{"name": "Steps", "values": [-5.0, 5.0, 0.0]}]}));
    blocks
}

fn section(index: usize) -> Value {
    json!({"id": format!("s{index}"), "title": format!("Section {index}"), "notes": [{"text": "note"}], "blocks": [paragraph("One line.")]})
}

fn empty_section(index: usize) -> Value {
    const LAYOUTS: [&str; 8] = [
        "cover",
        "agenda",
        "divider",
        "content",
        "statement",
        "figures",
        "comparison",
        "closing",
    ];
    json!({"id": format!("s{index}"), "title": "Nothing below", "layout": LAYOUTS[index % LAYOUTS.len()], "blocks": []})
}

/// As many sources as there may be, each cited.
fn all_sources() -> Hostile {
    let sources: Vec<Value> = (0..2_000)
        .map(|index| json!({"id": format!("s{index}"), "title": format!("Source {index}"), "url": format!("https://source.example/{index}"), "publisher": "A publisher"}))
        .collect();
    let blocks: Vec<Value> = (0..40)
        .map(|group| {
            let cite: Vec<String> = (0..50).map(|index| format!("s{}", group * 50 + index)).collect();
            json!({"type": "paragraph", "runs": [{"text": "Much is cited here", "cite": cite}, {"text": "."}]})
        })
        .collect();
    let mut hostile = with_blocks("sources-2000", blocks);
    hostile.document["sources"] = Value::from(sources);
    hostile
}
