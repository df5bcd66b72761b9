//! Arbitrary valid documents.

use gtm_document_model::block::{
    Block, Bullets, Callout, Column, Columns, Comparison, Criterion, Cta, Event, Heading, Image,
    Item, Kpi, Kpis, Lead, Paragraph, Quote, Step, Steps, Timeline, Tone,
};
use gtm_document_model::chart::{Chart, ChartKind, Point, Series};
use gtm_document_model::document::{
    Brand, Direction, Document, DocumentType, Layout, Meta, SchemaVersion, Section, Source,
};
use gtm_document_model::table::{Align, ColumnKind, Table, TableColumn};
use gtm_document_model::theme::{
    Colors, Font, FontClass, Fonts, Logo, Mode, Repair, Theme, ThemePart,
};
use gtm_document_model::{Rgb, Run};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// Ids of the sources that every arbitrary document has.
const SOURCES: [&str; 3] = ["src_01", "src_02", "a"];

/// Text of one line that is clean already.
fn line() -> impl Strategy<Value = String> {
    "[\\PC&&\\S][\\PC]{0,20}".prop_map(|text| {
        let clean = gtm_document_model::cleaned(&text).replace('\n', " ");
        // What is left may be nothing but space.
        if clean.trim().is_empty() {
            "x".to_owned()
        } else {
            clean
        }
    })
}

fn maybe_line() -> impl Strategy<Value = Option<String>> {
    option::of(line())
}

fn cite() -> impl Strategy<Value = Vec<String>> {
    vec(
        proptest::sample::select(&SOURCES[..]).prop_map(str::to_owned),
        0..3,
    )
}

fn run() -> impl Strategy<Value = Run> {
    let href = proptest::sample::select(vec![
        None,
        Some("https://example.com/a?b=c#d"),
        Some("mailto:sales@example.com"),
    ]);
    (line(), any::<bool>(), any::<bool>(), href, cite()).prop_map(
        |(text, bold, italic, href, cite)| {
            let href = href.map(str::to_owned);
            Run {
                text: text + "\n",
                bold,
                italic,
                href,
                cite,
            }
        },
    )
}

fn runs() -> impl Strategy<Value = Vec<Run>> {
    vec(run(), 1..4)
}

fn maybe_runs() -> impl Strategy<Value = Vec<Run>> {
    vec(run(), 0..3)
}

fn items(levels: u32) -> BoxedStrategy<Vec<Item>> {
    let inside = if levels > 1 {
        prop_oneof![2 => Just(Vec::new()), 1 => items(levels - 1)].boxed()
    } else {
        Just(Vec::new()).boxed()
    };
    let item = (runs(), inside).prop_map(|(runs, items)| Item { runs, items });
    vec(item, 1..4).boxed()
}

fn table() -> impl Strategy<Value = Table> {
    let align = proptest::sample::select(vec![
        None,
        Some(Align::Start),
        Some(Align::Center),
        Some(Align::End),
    ]);
    let kind = proptest::sample::select(vec![
        ColumnKind::Text,
        ColumnKind::Number,
        ColumnKind::Currency,
        ColumnKind::Percent,
        ColumnKind::Date,
    ]);
    let column =
        (line(), align, kind).prop_map(|(label, align, kind)| TableColumn { label, align, kind });
    vec(column, 1..4).prop_flat_map(|columns| {
        let rows = vec(vec(maybe_runs(), columns.len()), 0..4);
        (Just(columns), rows, maybe_runs(), any::<bool>()).prop_map(
            |(columns, rows, caption, header_column)| Table {
                columns,
                rows,
                caption,
                header_column,
            },
        )
    })
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![-1e6..1e6_f64, (-1000_i32..1000).prop_map(f64::from)]
}

fn values(kind: ChartKind, count: usize) -> BoxedStrategy<Vec<Option<f64>>> {
    match kind {
        ChartKind::Donut => vec((0.001..1e6_f64).prop_map(Some), count).boxed(),
        ChartKind::Waterfall => vec(number().prop_map(Some), count).boxed(),
        // A series must know one number at least.
        _ => (vec(option::of(number()), count), number(), 0..count)
            .prop_map(|(mut values, known, index)| {
                values[index] = Some(known);
                values
            })
            .boxed(),
    }
}

fn chart() -> impl Strategy<Value = Chart> {
    let kind = proptest::sample::select(vec![
        ChartKind::Bar,
        ChartKind::Stacked,
        ChartKind::Grouped,
        ChartKind::Line,
        ChartKind::Area,
        ChartKind::Donut,
        ChartKind::Scatter,
        ChartKind::Waterfall,
    ]);
    let numbers = (kind, 1..5_usize, 1..4_usize).prop_flat_map(|(kind, categories, series)| {
        let has_one = matches!(
            kind,
            ChartKind::Bar | ChartKind::Donut | ChartKind::Waterfall
        );
        let series = if has_one { 1 } else { series };
        if kind == ChartKind::Scatter {
            let point =
                (number(), number(), maybe_line()).prop_map(|(x, y, label)| Point { x, y, label });
            let one = (line(), vec(point, 1..5)).prop_map(|(name, points)| Series {
                name,
                values: Vec::new(),
                points,
            });
            (
                Just(kind),
                Just(Vec::new()).boxed(),
                vec(one, series).boxed(),
            )
        } else {
            let one = (line(), values(kind, categories)).prop_map(|(name, values)| Series {
                name,
                values,
                points: Vec::new(),
            });
            (
                Just(kind),
                vec(line(), categories).boxed(),
                vec(one, series).boxed(),
            )
        }
    });
    let words = (maybe_line(), maybe_line(), maybe_line(), maybe_line());
    (numbers, words, 0..=6_u8, line(), maybe_runs(), cite()).prop_map(
        |(
            (kind, categories, series),
            (title, unit, x_label, y_label),
            decimals,
            alt,
            caption,
            cite,
        )| {
            // Only the first step of an arbitrary waterfall is a total for certain.
            let totals = if kind == ChartKind::Waterfall {
                vec![0]
            } else {
                Vec::new()
            };
            Chart {
                kind,
                title,
                categories,
                series,
                totals,
                unit,
                decimals,
                x_label,
                y_label,
                alt,
                caption,
                cite,
            }
        },
    )
}

fn comparison() -> impl Strategy<Value = Comparison> {
    (2..=6_usize).prop_flat_map(|compared| {
        let criterion = (line(), vec(maybe_runs(), compared))
            .prop_map(|(label, cells)| Criterion { label, cells });
        (
            vec(line(), compared),
            vec(criterion, 1..4),
            option::of(0..compared),
        )
            .prop_map(|(items, criteria, highlight)| Comparison {
                items,
                criteria,
                highlight,
            })
    })
}

fn image() -> impl Strategy<Value = Image> {
    (option::of(line()), maybe_runs()).prop_map(|(alt, caption)| Image {
        asset: "picture".to_owned(),
        decorative: alt.is_none(),
        alt,
        caption,
    })
}

fn plain_block() -> BoxedStrategy<Block> {
    let tone = proptest::sample::select(vec![Tone::Info, Tone::Success, Tone::Warning, Tone::Note]);
    let kpi = (line(), line(), maybe_line(), cite()).prop_map(|(value, label, detail, cite)| Kpi {
        value,
        label,
        detail,
        cite,
    });
    let step = (line(), maybe_runs()).prop_map(|(title, runs)| Step { title, runs });
    let event =
        (line(), line(), maybe_runs()).prop_map(|(when, title, runs)| Event { when, title, runs });
    prop_oneof![
        runs().prop_map(|runs| Block::Lead(Lead { runs })),
        (2..=4_u8, runs()).prop_map(|(level, runs)| Block::Heading(Heading { level, runs })),
        runs().prop_map(|runs| Block::Paragraph(Paragraph::of(runs))),
        (any::<bool>(), items(3))
            .prop_map(|(ordered, items)| Block::Bullets(Bullets { ordered, items })),
        table().prop_map(Block::Table),
        chart().prop_map(Block::Chart),
        vec(kpi, 1..5).prop_map(|items| Block::Kpis(Kpis { items })),
        (runs(), maybe_line(), cite()).prop_map(|(runs, attribution, cite)| Block::Quote(Quote {
            runs,
            attribution,
            cite
        })),
        (tone, maybe_line(), runs()).prop_map(|(tone, title, runs)| Block::Callout(Callout {
            tone,
            title,
            runs
        })),
        image().prop_map(Block::Image),
        vec(step, 1..4).prop_map(|items| Block::Steps(Steps { items })),
        vec(event, 1..4).prop_map(|events| Block::Timeline(Timeline { events })),
        comparison().prop_map(Block::Comparison),
        (line(), maybe_runs(), any::<bool>()).prop_map(|(label, text, qr)| {
            let href = "https://example.com/book".to_owned();
            Block::Cta(Cta {
                label,
                href,
                text,
                qr,
            })
        }),
    ]
    .boxed()
}

fn block() -> impl Strategy<Value = Block> {
    let column = vec(plain_block(), 1..3).prop_map(|blocks| Column { blocks });
    let columns = vec(column, 2..=3).prop_map(|columns| Block::Columns(Columns { columns }));
    prop_oneof![14 => plain_block(), 1 => columns]
}

fn section() -> impl Strategy<Value = Section> {
    let layout = proptest::sample::select(vec![
        None,
        Some(Layout::Cover),
        Some(Layout::Agenda),
        Some(Layout::Divider),
        Some(Layout::Content),
        Some(Layout::Statement),
        Some(Layout::Figures),
        Some(Layout::Comparison),
        Some(Layout::Closing),
    ]);
    (line(), layout, maybe_runs(), vec(block(), 0..4)).prop_map(|(title, layout, notes, blocks)| {
        let id = String::new();
        Section {
            id,
            title,
            layout,
            notes,
            blocks,
        }
    })
}

pub fn rgb() -> impl Strategy<Value = Rgb> {
    any::<[u8; 3]>().prop_map(Rgb)
}

fn font() -> impl Strategy<Value = Font> {
    let class = proptest::sample::select(vec![FontClass::Serif, FontClass::Sans, FontClass::Mono]);
    (line(), vec(line(), 0..3), class).prop_map(|(family, fallbacks, class)| Font {
        family,
        fallbacks,
        class,
    })
}

fn theme() -> impl Strategy<Value = Theme> {
    let mode = || proptest::sample::select(vec![Mode::Light, Mode::Dark]);
    let logo = (line(), 1..4000_u32, 1..4000_u32, option::of(mode())).prop_map(
        |(alt, width, height, r#for)| Logo {
            asset: "logo".to_owned(),
            alt,
            width,
            height,
            r#for,
        },
    );
    let repair =
        (rgb(), rgb(), 1.0..21.0_f64, 1.0..21.0_f64).prop_map(|(from, to, before, after)| Repair {
            role: "text".to_owned(),
            from,
            to,
            against: "background".to_owned(),
            ratio_before: before,
            ratio_after: after,
        });
    let colors = proptest::array::uniform11(rgb()).prop_map(|c| Colors {
        background: c[0],
        surface: c[1],
        text: c[2],
        muted: c[3],
        rule: c[4],
        primary: c[5],
        on_primary: c[6],
        secondary: c[7],
        accent: c[8],
        on_accent: c[9],
        accent_text: c[10],
    });
    let defaults = proptest::sample::subsequence(
        vec![
            ThemePart::Colors,
            ThemePart::HeadingFont,
            ThemePart::BodyFont,
        ],
        0..=3,
    );
    let chart = proptest::array::uniform6(rgb());
    let fonts = (font(), font());
    (
        mode(),
        colors,
        chart,
        fonts,
        option::of(logo),
        defaults,
        vec(repair, 0..3),
    )
        .prop_map(
            |(mode, colors, chart, (heading, body), logo, defaults, repairs)| Theme {
                mode,
                colors,
                chart,
                fonts: Fonts { heading, body },
                logo,
                defaults,
                repairs,
            },
        )
}

fn meta() -> impl Strategy<Value = Meta> {
    let language = proptest::sample::select(vec!["en", "de-AT", "ar", "zh-Hant-TW", "und"]);
    let direction = proptest::sample::select(vec![Direction::Ltr, Direction::Rtl]);
    let kind = proptest::sample::select(vec![
        DocumentType::Proposal,
        DocumentType::Playbook,
        DocumentType::Deck,
        DocumentType::GtmStrategy,
        DocumentType::Report,
        DocumentType::OnePager,
    ]);
    let date = (1900..2200_u32, 1..=12_u32, 1..=28_u32)
        .prop_map(|(year, month, day)| format!("{year}-{month:02}-{day:02}"));
    let words = (maybe_line(), maybe_line(), maybe_line(), maybe_line());
    (
        line(),
        words,
        language,
        direction,
        kind,
        date,
        vec(line(), 0..3),
    )
        .prop_map(
            |(title, words, language, direction, document_type, date, keywords)| {
                let (subtitle, author, organization, classification) = words;
                let language = language.to_owned();
                Meta {
                    title,
                    subtitle,
                    language,
                    direction,
                    author,
                    organization,
                    date,
                    date_words: None,
                    document_type,
                    slides: false,
                    keywords,
                    classification,
                }
            },
        )
}

/// Any valid document, of moderate size.
pub fn document() -> impl Strategy<Value = Document> {
    let brand = option::of((1..99_u64).prop_map(|revision| Brand {
        id: "brd_01".to_owned(),
        revision,
        hash: format!("sha256:{}", "0f".repeat(32)),
    }));
    let sources = (vec(line(), SOURCES.len()), maybe_line(), any::<bool>()).prop_map(
        |(titles, publisher, is_page)| {
            let source = |(id, title): (&&str, String)| Source {
                id: (*id).to_owned(),
                title,
                url: is_page.then(|| "http://example.com/".to_owned()),
                publisher: publisher.clone(),
                retrieved_at: is_page.then(|| "2026-11-23T12:00:00.25Z".to_owned()),
                receipt_id: is_page.then(|| "rcp_01".to_owned()),
            };
            SOURCES.iter().zip(titles).map(source).collect()
        },
    );
    (meta(), brand, theme(), sources, vec(section(), 1..4)).prop_map(
        |(meta, brand, theme, sources, mut sections)| {
            for (index, section) in sections.iter_mut().enumerate() {
                section.id = format!("section-{index}");
            }
            Document {
                schema: SchemaVersion::V1,
                meta,
                brand,
                theme,
                sources,
                sections,
            }
        },
    )
}
