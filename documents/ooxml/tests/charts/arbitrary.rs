//! Properties of all valid charts.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use gtm_document_model::chart::{Chart, ChartKind, Point};
use gtm_document_model::document::Direction;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::package::{between, chart_of, parts, scatter_of};

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1e6..1e6_f64,
        1 => proptest::sample::select(vec![f64::MAX, f64::MIN, f64::MIN_POSITIVE, 0.0, -0.0, 1e300, 1e-300]),
    ]
}

fn charts() -> impl Strategy<Value = Chart> {
    let kind = proptest::sample::select(vec![
        ChartKind::Bar,
        ChartKind::Stacked,
        ChartKind::Grouped,
        ChartKind::Line,
        ChartKind::Area,
        ChartKind::Donut,
        ChartKind::Waterfall,
    ]);
    let unit = option::of("[\\PC]{0,10}");
    let by_category = (
        kind,
        vec("[\\PC]{1,30}", 1..12),
        1..6_usize,
        unit.clone(),
        0..=6_u8,
    )
        .prop_flat_map(|(kind, names, count, unit, decimals)| {
            let single = matches!(
                kind,
                ChartKind::Bar | ChartKind::Donut | ChartKind::Waterfall
            );
            let value = match kind {
                ChartKind::Donut => number().prop_map(|n| Some(n.abs())).boxed(),
                ChartKind::Waterfall => number().prop_map(Some).boxed(),
                _ => option::of(number()).boxed(),
            };
            let values = vec(vec(value, names.len()), if single { 1 } else { count });
            (values, "[\\PC]{1,20}").prop_map(move |(values, name)| {
                let names = names.iter().map(String::as_str).collect::<Vec<_>>();
                let series = values
                    .iter()
                    .map(|values| (name.as_str(), values.as_slice()))
                    .collect::<Vec<_>>();
                let mut chart = chart_of(kind, &names, &series);
                (chart.unit, chart.decimals) = (unit.clone(), decimals);
                chart
            })
        });
    let point = (number(), number(), option::of("[\\PC]{1,20}")).prop_map(|(x, y, label)| Point {
        x,
        y,
        label,
    });
    let scatter = vec(point, 1..12).prop_map(|points| {
        let mut chart = scatter_of(&[]);
        chart.series[0].points = points;
        chart
    });
    prop_oneof![6 => by_category, 1 => scatter]
}

/// The text of the cell, or its number.
fn cell(sheet: &str, strings: &[&str], at: &str) -> Option<String> {
    let inside = between(sheet, &format!("<c r=\"{at}\""), "</c>");
    let inside = inside.first()?;
    let value = between(inside, "<v>", "</v>")[0];
    let text = inside
        .starts_with(" t=\"s\"")
        .then(|| strings[value.parse::<usize>().unwrap()]);
    Some(text.unwrap_or(value).replace("_x005F_", "_"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_reference_leads_to_cells_that_say_the_same(chart in charts(), rtl in any::<bool>()) {
        let direction = if rtl { Direction::Rtl } else { Direction::Ltr };
        let found = parts(&chart, direction);
        prop_assert_eq!(&found.bytes, &parts(&chart, direction).bytes);
        let strings = between(&found.strings, "<t xml:space=\"preserve\">", "</t>");
        for reference in between(&found.chart, "Ref><c:f>", "Cache>") {
            let (formula, cache) = reference.split_once("</c:f>").unwrap();
            let range = formula.strip_prefix("Data!$").unwrap();
            let (column, rows) = range.split_once('$').unwrap();
            let first = rows.split(':').next().unwrap().parse::<usize>().unwrap();
            for point in between(cache, "<c:pt idx=\"", "</c:v>") {
                let (index, value) = point.split_once("\"><c:v>").unwrap();
                let at = format!("{column}{}", first + index.parse::<usize>().unwrap());
                let found = cell(&found.sheet, &strings, &at);
                prop_assert_eq!(found, Some(value.to_owned()), "{}", at);
            }
        }
    }

    #[test]
    fn nothing_that_office_repairs_occurs(chart in charts()) {
        let xml = parts(&chart, Direction::Ltr).chart;
        let defined = between(&xml, "Ax><c:axId val=\"", "\"");
        let unique = defined.iter().collect::<BTreeSet<_>>();
        prop_assert_eq!(unique.len(), defined.len());
        for id in &defined {
            prop_assert!(id.parse::<u32>().unwrap() > 0);
        }
        let indices = between(&xml, "<c:ser><c:idx val=\"", "\"");
        prop_assert_eq!(indices.iter().collect::<BTreeSet<_>>().len(), indices.len());
        for value in between(&xml, "<c:v>", "</c:v>") {
            prop_assert!(!["NaN", "inf", "-inf"].contains(&value));
        }
        // Positions that only bars beside each other have.
        if xml.contains("val=\"stacked\"") || xml.contains("doughnut") {
            prop_assert!(!xml.contains("outEnd"));
        }
    }
}
