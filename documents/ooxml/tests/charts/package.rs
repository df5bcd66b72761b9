//! A chart in a package, read back.
#![allow(clippy::unwrap_used)]

use gtm_document_model::Rgb;
use gtm_document_model::chart::{Chart, ChartKind, Point, Series};
use gtm_document_model::document::Direction;
use gtm_document_model::theme::{Colors, Font, FontClass, Fonts, Mode, Theme};
use gtm_ooxml::Package;
use gtm_ooxml::chart::{self, Look};
use gtm_ooxml::zip::{Archive, Limits};

pub fn theme() -> Theme {
    let rgb = |text: &str| text.parse::<Rgb>().unwrap();
    let font = || Font {
        family: "Inter".to_owned(),
        fallbacks: Vec::new(),
        class: FontClass::Sans,
    };
    Theme {
        mode: Mode::Light,
        colors: Colors {
            background: rgb("#ffffff"),
            surface: rgb("#f3f5f8"),
            text: rgb("#10243e"),
            muted: rgb("#526079"),
            rule: rgb("#d3d9e2"),
            primary: rgb("#10243e"),
            on_primary: rgb("#ffffff"),
            secondary: rgb("#4a6785"),
            accent: rgb("#c2410c"),
            on_accent: rgb("#ffffff"),
            accent_text: rgb("#b23a0a"),
        },
        chart: [
            "#10243e", "#c2410c", "#4a6785", "#0f766e", "#7c3aed", "#a16207",
        ]
        .map(rgb),
        fonts: Fonts {
            heading: font(),
            body: font(),
        },
        logo: None,
        defaults: Vec::new(),
        repairs: Vec::new(),
    }
}

/// A chart with nothing but its numbers.
pub fn chart_of(kind: ChartKind, categories: &[&str], series: &[(&str, &[Option<f64>])]) -> Chart {
    let series = series.iter().map(|(name, values)| Series {
        name: (*name).to_owned(),
        values: values.to_vec(),
        points: Vec::new(),
    });
    Chart {
        kind,
        title: None,
        categories: categories.iter().map(|name| (*name).to_owned()).collect(),
        series: series.collect(),
        totals: Vec::new(),
        unit: None,
        decimals: 0,
        x_label: None,
        y_label: None,
        alt: "A chart".to_owned(),
        caption: Vec::new(),
        cite: Vec::new(),
    }
}

pub fn scatter_of(points: &[(f64, f64, Option<&str>)]) -> Chart {
    let mut chart = chart_of(ChartKind::Scatter, &[], &[("Points", &[])]);
    let point = |(x, y, label): &(f64, f64, Option<&str>)| Point {
        x: *x,
        y: *y,
        label: label.map(str::to_owned),
    };
    chart.series[0].points = points.iter().map(point).collect();
    chart
}

/// The chart part and the parts of its workbook.
pub struct Parts {
    pub chart: String,
    pub sheet: String,
    pub strings: String,
    pub styles: String,
    pub bytes: Vec<u8>,
}

pub fn parts(chart: &Chart, direction: Direction) -> Parts {
    let theme = theme();
    let look = Look {
        theme: &theme,
        language: "en-GB",
        direction,
        width: 468.0,
        height: chart::height(chart, 468.0, 9.0),
        font_size: 9.0,
        with_title: true,
    };
    let mut package = Package::new();
    let part = chart::add(
        &mut package,
        "/word/charts/chart1.xml",
        "/word/embeddings/workbook1.xlsx",
        chart,
        &look,
    );
    package.relate_root(gtm_ooxml::package::relation::CHART, part.unwrap());
    let bytes = package.write().unwrap();
    let archive = Archive::read(&bytes, Limits::default()).unwrap();
    let workbook = Archive::read(
        archive.get("word/embeddings/workbook1.xlsx").unwrap(),
        Limits::default(),
    )
    .unwrap();
    let text = |archive: &Archive, name: &str| {
        String::from_utf8(archive.get(name).unwrap().to_vec()).unwrap()
    };
    Parts {
        chart: text(&archive, "word/charts/chart1.xml"),
        sheet: text(&workbook, "xl/worksheets/sheet1.xml"),
        strings: text(&workbook, "xl/sharedStrings.xml"),
        styles: text(&workbook, "xl/styles.xml"),
        bytes,
    }
}

/// The texts between these tags.
pub fn between<'x>(xml: &'x str, before: &str, after: &str) -> Vec<&'x str> {
    xml.split(before)
        .skip(1)
        .filter_map(|rest| rest.split_once(after))
        .map(|(inside, _)| inside)
        .collect()
}
