//! What each kind of chart shows.
#![allow(clippy::unwrap_used)]

use gtm_document_model::chart::ChartKind;
use gtm_document_model::document::Direction;

use crate::package::{between, chart_of, parts, scatter_of};

const QUARTERS: [&str; 4] = ["Q1", "Q2", "Q3", "Q4"];

fn known<const N: usize>(values: [f64; N]) -> [Option<f64>; N] {
    values.map(Some)
}

#[test]
fn values_stand_at_bars_and_no_gridlines_are_needed() {
    let mut chart = chart_of(
        ChartKind::Bar,
        &QUARTERS,
        &[("Sales", &known([12.0, 15.5, 9.0, 20.0]))],
    );
    chart.unit = Some("%".to_owned());
    chart.decimals = 1;
    let xml = parts(&chart, Direction::Ltr).chart;
    assert!(xml.contains("<c:showVal val=\"1\"/>"));
    assert!(xml.contains("<c:dLblPos val=\"outEnd\"/>"));
    assert!(xml.contains("formatCode=\"#,##0.0&quot;%&quot;\""));
    assert!(!xml.contains("c:majorGridlines"));
    assert!(!xml.contains("c:legend>"), "one series needs no legend");
    assert!(xml.contains("<c:min val=\"0\"/>"), "bars begin at zero");
}

#[test]
fn bars_without_room_for_values_have_an_axis() {
    let names = (0..120).map(|day| format!("d{day}")).collect::<Vec<_>>();
    let names = names.iter().map(String::as_str).collect::<Vec<_>>();
    let values = (0..120)
        .map(|day| Some(f64::from(day) * 1000.0))
        .collect::<Vec<_>>();
    let xml = parts(
        &chart_of(ChartKind::Bar, &names, &[("Visits", &values)]),
        Direction::Ltr,
    )
    .chart;
    assert!(xml.contains("c:majorGridlines"));
    assert!(!xml.contains("<c:showVal val=\"1\"/>"));
    let skip = between(&xml, "<c:tickLblSkip val=\"", "\"")[0]
        .parse::<usize>()
        .unwrap();
    assert!((2..=12).contains(&skip), "{skip}");
}

#[test]
fn long_names_make_bars_lie() {
    let names = [
        "Manufacturing and engineering",
        "Financial services and insurance",
        "Public administration",
        "Health",
        "Transport and telecommunications",
    ];
    let chart = chart_of(
        ChartKind::Bar,
        &names,
        &[("Share", &known([1.0, 2.0, 3.0, 4.0, 5.0]))],
    );
    let xml = parts(&chart, Direction::Ltr).chart;
    assert!(xml.contains("<c:barDir val=\"bar\"/>"));
    // The first name stands on top.
    assert!(xml.contains("<c:axId val=\"100000001\"/><c:scaling><c:orientation val=\"maxMin\"/>"));
}

#[test]
fn labels_of_near_points_stand_on_different_sides() {
    let points = [
        (6.0, 62.0, Some("Sonnberg")),
        (9.0, 80.0, Some("Fjordmed")),
        (50.0, 300.0, Some("Metropol")),
    ];
    let xml = parts(&scatter_of(&points), Direction::Ltr).chart;
    let labels = between(&xml, "<c:dLbl>", "</c:dLbl>");
    let sides = labels
        .iter()
        .map(|label| between(label, "<c:dLblPos val=\"", "\"")[0])
        .collect::<Vec<_>>();
    assert_eq!(sides, ["t", "b", "t"]);
}

#[test]
fn an_extension_has_one_element() {
    // `c:ext` takes one; with two, validators report the chart.
    let mut steps = chart_of(
        ChartKind::Waterfall,
        &["a", "b", "c"],
        &[("Steps", &known([5.0, -2.0, 3.0]))],
    );
    steps.totals = vec![2];
    let points = scatter_of(&[(1.0, 2.0, Some("p")), (2.0, 1.0, None)]);
    for chart in [steps, points] {
        let xml = parts(&chart, Direction::Ltr).chart;
        let extensions = between(&xml, "<c:ext ", "</c:ext>");
        assert!(!extensions.is_empty());
        for extension in extensions {
            let inside = extension.split_once('>').unwrap().1;
            assert_eq!(roots(inside), 1, "{inside}");
        }
    }
}

/// Elements that stand in no other.
fn roots(xml: &str) -> usize {
    let (mut depth, mut count) = (0_usize, 0);
    for tag in between(xml, "<", ">") {
        if tag.starts_with('/') {
            depth -= 1;
            continue;
        }
        count += usize::from(depth == 0);
        depth += usize::from(!tag.ends_with('/'));
    }
    count
}

#[test]
fn a_number_that_is_not_known_is_a_gap() {
    let values = [Some(1.0), None, Some(3.0)];
    let parts = parts(
        &chart_of(ChartKind::Line, &["a", "b", "c"], &[("s", &values)]),
        Direction::Ltr,
    );
    assert!(parts.chart.contains("<c:dispBlanksAs val=\"gap\"/>"));
    assert!(
        parts
            .chart
            .contains("<c:ptCount val=\"3\"/><c:pt idx=\"0\"><c:v>1</c:v></c:pt><c:pt idx=\"2\">")
    );
    assert!(
        parts.sheet.contains("r=\"B2\"")
            && !parts.sheet.contains("r=\"B3\"")
            && parts.sheet.contains("r=\"B4\"")
    );
}

#[test]
fn labels_on_slices_can_be_read_and_slivers_have_none() {
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let values = known([30.0, 20.0, 15.0, 15.0, 10.0, 9.0, 1.0]);
    let xml = parts(
        &chart_of(ChartKind::Donut, &names, &[("Share", &values)]),
        Direction::Ltr,
    )
    .chart;
    assert_eq!(between(&xml, "<c:dPt>", "</c:dPt>").len(), 7);
    let labels = between(&xml, "<c:dLbl>", "</c:dLbl>");
    assert_eq!(labels.len(), 7);
    assert!(
        labels[0].contains("schemeClr val=\"bg1\""),
        "white on dark blue"
    );
    assert!(labels[6].contains("<c:delete val=\"1\"/>"));
    assert!(!xml.contains("<c:axId"));
}

#[test]
fn a_waterfall_adds_up_also_below_zero() {
    let mut chart = chart_of(
        ChartKind::Waterfall,
        &["Start", "Costs", "Sales", "End"],
        &[("Cash", &known([10.0, -25.0, 40.0, 25.0]))],
    );
    chart.totals = vec![0, 3];
    let xml = parts(&chart, Direction::Ltr).chart;
    let values = between(&xml, "<c:val>", "</c:val>");
    let column = |index: usize| {
        between(values[index], "<c:pt idx=\"", "</c:pt>")
            .iter()
            .map(|p| p.replace("\"><c:v>", "=").replace("</c:v>", ""))
            .collect::<Vec<_>>()
    };
    // Base, increase, decrease, total, then what crosses zero, then the tops that carry labels.
    assert_eq!(column(0), Vec::<String>::new());
    assert_eq!(column(1), ["2=25"]);
    assert_eq!(column(2), ["1=10"]);
    assert_eq!(column(3), ["0=10", "3=25"]);
    assert_eq!(column(4), ["2=-15"]);
    assert_eq!(column(5), ["1=-15"]);
    assert_eq!(column(6), ["0=10", "1=10", "2=25", "3=25"]);
    assert_eq!(
        between(&xml, "<a:t>", "</a:t>"),
        ["10", "\u{2212}25", "+40", "25"]
    );
}

#[test]
fn right_to_left_turns_the_axis_of_names_and_the_legend() {
    let series: [(&str, &[Option<f64>]); 2] = [
        ("أ", &[Some(1.0), Some(2.0)]),
        ("ب", &[Some(1.0), Some(2.0)]),
    ];
    let mut chart = chart_of(ChartKind::Grouped, &["س", "ص"], &series);
    chart.title = Some("عنوان".to_owned());
    let xml = parts(&chart, Direction::Rtl).chart;
    assert!(xml.contains("<c:axId val=\"100000001\"/><c:scaling><c:orientation val=\"maxMin\"/>"));
    assert!(xml.contains("<c:axPos val=\"r\"/>"));
    assert_eq!(
        between(&xml, "<a:pPr rtl=\"", "\"").len(),
        1,
        "of the title alone"
    );
}

#[test]
fn points_have_the_labels_that_stand_in_cells() {
    let parts = parts(
        &scatter_of(&[(1.0, 2.0, Some("Alpha")), (3.0, 4.0, None)]),
        Direction::Ltr,
    );
    assert!(parts.chart.contains("<c15:f>Data!$C$2:$C$3</c15:f>"));
    assert_eq!(between(&parts.chart, "<a:t>", "</a:t>"), ["Alpha"]);
    assert!(parts.strings.contains("Alpha"));
}

#[test]
fn texts_that_look_like_markup_formulas_or_escapes_stay_texts() {
    let names = ["<b>&amp;", "=1+1", "_x0041_"];
    let parts = parts(
        &chart_of(
            ChartKind::Bar,
            &names,
            &[("\"s\"", &known([1.0, 2.0, 3.0]))],
        ),
        Direction::Ltr,
    );
    assert!(parts.chart.contains("<c:v>&lt;b&gt;&amp;amp;</c:v>"));
    assert!(parts.chart.contains("<c:v>_x0041_</c:v>"));
    assert!(parts.strings.contains(">_x005F_x0041_<") && parts.strings.contains(">=1+1<"));
    assert!(!parts.sheet.contains("<f>"));
    assert!(
        parts
            .styles
            .contains("<cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/>")
    );
}

#[test]
fn ten_thousand_points_stay_small() {
    let points = (0..10_000)
        .map(|n| (f64::from(n), f64::from(n % 97), Some("label")))
        .collect::<Vec<_>>();
    let parts = parts(&scatter_of(&points), Direction::Ltr);
    assert!(parts.chart.len() < 2_000_000, "{}", parts.chart.len());
    assert!(between(&parts.chart, "<a:t>", "</a:t>").len() <= 60);
}
