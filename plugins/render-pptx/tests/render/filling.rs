//! How slides are filled: none nearly empty beside a crammed one, and what a slide of the primary colour shows.

use gtm_document_model::Document;
use serde_json::{Value, json};

use crate::documents;
use crate::opened::Presentation;
use crate::render;

fn opened(blocks: Value) -> (Presentation, usize) {
    let rendered = render(&documents::with_blocks(blocks));
    assert_eq!(rendered.diagnostics, []);
    (Presentation::open(&rendered.bytes), rendered.pages)
}

fn paragraph(words: usize) -> Value {
    json!({"type": "paragraph", "runs": [{"text": "word ".repeat(words)}]})
}

#[test]
fn the_last_part_of_a_table_has_about_as_many_rows_as_the_others() {
    for rows in [16, 18, 21, 24, 30] {
        let rendered = render(&documents::with_table(rows, 4));
        let opened = Presentation::open(&rendered.bytes);
        let counts: Vec<usize> = opened
            .slides()
            .iter()
            .map(|slide| opened.text(slide).matches("<a:tr ").count())
            .filter(|count| *count > 0)
            .collect();
        let most = counts.iter().max().unwrap();
        assert!(
            counts.iter().all(|count| count * 2 > *most),
            "{rows}: {counts:?}"
        );
    }
}

#[test]
fn a_short_box_does_not_stand_alone_on_its_slide() {
    let steps = json!({"type": "steps", "items": vec![json!({"title": "Step", "runs": [{"text": "word ".repeat(20)}]}); 3]});
    let callout = json!({"type": "callout", "tone": "note", "title": "Mind", "runs": [{"text": "One line."}]});
    let (opened, pages) = opened(json!([steps, paragraph(90), steps, callout]));
    assert!(pages > 2, "{pages}");
    let last = opened.frames(opened.slides().last().unwrap());
    let beside = last
        .iter()
        .filter(|frame| frame.name.starts_with("Step") || frame.name.starts_with("Text"));
    assert!(beside.count() > 0, "the callout is alone");
}

fn bullets(count: usize) -> Value {
    let items = vec![json!({"runs": [{"text": "A short point"}]}); count];
    json!({"type": "bullets", "items": items})
}

/// Where the text of the last slide begins, and its XML.
fn text_of_last(blocks: Value) -> (i64, String) {
    let (opened, _) = opened(blocks);
    let slide = opened.slides().pop().unwrap();
    let frames = opened.frames(&slide);
    let text = frames.iter().max_by_key(|frame| frame.h).unwrap();
    (text.y, opened.text(&slide))
}

#[test]
fn a_few_lines_stand_apart_and_above_the_middle() {
    let (few, sparse) = text_of_last(json!([bullets(2)]));
    let (many, full) = text_of_last(json!([bullets(9)]));
    assert!(few > many + 300_000, "{few} {many}");
    let distance = |xml: &str| {
        let found = xml.split("<a:spcBef><a:spcPts val=\"").skip(1);
        let values = found.filter_map(|rest| rest.split_once('"')?.0.parse::<u32>().ok());
        values.max().unwrap_or(0)
    };
    assert!(distance(&sparse) > 2 * distance(&full), "{sparse}");
}

#[test]
fn an_agenda_names_each_part_once_and_the_last_one_too() {
    let section = |title: &str, layout: &str| json!({"id": title.replace(' ', "-").replace(['(', ')'], ""), "title": title, "layout": layout, "blocks": [paragraph(20)]});
    let mut document = serde_json::to_value(documents::with_blocks(json!([paragraph(3)]))).unwrap();
    document["meta"]["document_type"] = json!("proposal");
    document["sections"] = json!([
        section("Today", "content"),
        section("Price", "content"),
        section("Price (continued)", "content"),
        section("Course", "content"),
        section("People", "content"),
        section("Next steps", "closing"),
    ]);
    let document = gtm_document_model::Document::from_value(document).unwrap();
    let opened = Presentation::open(&render(&document).bytes);
    let agenda = opened.text("ppt/slides/slide2.xml");
    for part in ["Today", "Price", "Course", "People", "Next steps"] {
        assert_eq!(agenda.matches(part).count(), 1, "{part}: {agenda}");
    }
    assert!(!agenda.contains("continued"), "{agenda}");
}

#[test]
fn numbers_of_a_list_have_the_colour_of_their_text_on_the_primary_colour() {
    let list = json!({"type": "bullets", "ordered": true, "items": [{"runs": [{"text": "First"}]}, {"runs": [{"text": "Second"}]}]});
    let mut document = serde_json::to_value(documents::read("deck")).unwrap();
    document["sections"] =
        json!([{"id": "a", "title": "The end", "layout": "closing", "blocks": [list]}]);
    let document = gtm_document_model::Document::from_value(document).unwrap();
    let bytes = render(&document).bytes;
    let opened = Presentation::open(&bytes);
    let slide = opened.text("ppt/slides/slide2.xml");
    let marks: Vec<&str> = slide
        .split("<a:buClr>")
        .skip(1)
        .filter_map(|rest| rest.split_once("</a:buClr>"))
        .map(|(color, _)| color)
        .collect();
    assert_eq!(marks.len(), 2);
    let layout = opened.text("ppt/slideLayouts/slideLayout9.xml");
    for mark in marks {
        assert!(
            layout.contains(&format!("<a:solidFill>{mark}</a:solidFill>")),
            "{mark}"
        );
    }
}

#[test]
fn a_one_pager_has_one_page_with_its_sources() {
    let quote = json!({"type": "quote", "runs": [{"text": "Said in a few words."}], "attribution": "Somebody", "cite": ["s1"]});
    let action = json!({"type": "cta", "label": "Go", "href": "https://a.example/", "text": [{"text": "Now."}], "qr": true});
    let figures = json!({"type": "kpis", "items": vec![json!({"value": "38 %", "label": "fewer", "detail": "in a year"}); 3]});
    let chart = json!({"type": "chart", "kind": "bar", "title": "Bars", "categories": ["a", "b"], "series": [{"name": "s", "values": [1, 2]}], "alt": "Bars", "cite": ["s2"]});
    let columns =
        json!({"type": "columns", "columns": [{"blocks": [paragraph(20)]}, {"blocks": [chart]}]});
    let mut document = serde_json::to_value(documents::read("one_pager")).unwrap();
    document["sections"] = json!([{"id": "a", "title": "All of it", "blocks": [paragraph(30), figures, columns, quote, action]}]);
    let document = gtm_document_model::Document::from_value(document).unwrap();
    let rendered = render(&document);
    assert_eq!((rendered.pages, rendered.diagnostics), (1, vec![]));
    let texts = Presentation::open(&rendered.bytes).all_texts();
    assert!(
        texts
            .iter()
            .any(|text| text.starts_with("Survey of 420 dispatch teams"))
    );
}

#[test]
fn nothing_overlaps_in_the_columns_of_a_one_pager() {
    let table = json!({"type": "table", "columns": vec![json!({"label": "Column"}); 3], "rows": vec![vec![json!([{"text": "Cell"}]); 3]; 4]});
    let quote = json!({"type": "quote", "runs": [{"text": "Said in a few words."}], "attribution": "Somebody"});
    let bullets = json!({"type": "bullets", "items": vec![json!({"runs": [{"text": "word ".repeat(12)}]}); 5]});
    let section = |id: &str, blocks: Value| json!({"id": id, "title": "Part", "blocks": blocks});
    let mut document = serde_json::to_value(documents::read("one_pager")).unwrap();
    document["sections"] = json!([
        section("a", json!([paragraph(20), bullets])),
        section("b", json!([table, quote])),
        section("c", json!([bullets, paragraph(15)])),
        section("d", json!([paragraph(10)])),
    ]);
    let document = gtm_document_model::Document::from_value(document).unwrap();
    let rendered = render(&document);
    let opened = Presentation::open(&rendered.bytes);
    for slide in opened.slides() {
        let frames = opened.frames(&slide);
        for (at, one) in frames.iter().enumerate() {
            for other in frames.iter().skip(at + 1) {
                let apart = one.x + one.w <= other.x
                    || other.x + other.w <= one.x
                    || one.y + one.h <= other.y
                    || other.y + other.h <= one.y;
                assert!(apart, "{one:?} {other:?}");
            }
        }
    }
}

#[test]
fn a_page_has_its_title_once() {
    let count = |section: &str| {
        let mut document = serde_json::to_value(documents::read("one_pager")).unwrap();
        document["meta"]["title"] = json!("Coldwise");
        document["sections"] = json!([{"id": "a", "title": section, "blocks": [paragraph(30)]}]);
        let document = gtm_document_model::Document::from_value(document).unwrap();
        let opened = Presentation::open(&render(&document).bytes);
        let slides = opened.slides();
        let text: String = slides.iter().map(|slide| opened.text(slide)).collect();
        text.matches("<a:t>Coldwise</a:t>").count()
    };
    assert_eq!(count("Coldwise"), count("Another"));
}

#[test]
fn the_one_sentence_of_a_slide_stands_larger_than_its_subject() {
    let lead = json!({"type": "lead", "runs": [{"text": "The stock is counted anew every fifteen minutes."}]});
    let sections =
        json!([{"id": "a", "title": "How it works", "layout": "statement", "blocks": [lead]}]);
    let mut document = serde_json::to_value(documents::read("deck")).unwrap();
    document["sections"] = sections;
    let document = gtm_document_model::Document::from_value(document).unwrap();
    let bytes = render(&document).bytes;
    let slide = Presentation::open(&bytes).text("ppt/slides/slide2.xml");
    let size_of = |text: &str| -> u32 {
        let before = slide.split(text).next().unwrap();
        let (_, size) = before.rsplit_once("sz=\"").unwrap();
        size.split('"').next().unwrap().parse().unwrap()
    };
    assert!(size_of("The stock") > size_of("How it works"));
}

#[test]
fn the_lines_of_a_japanese_title_end_between_phrases() {
    let title = "中堅製造業向け在庫可視化サービスのご提案と全拠点への導入計画について";
    let mut document = serde_json::to_value(documents::read("deck")).unwrap();
    document["meta"]["language"] = json!("ja");
    document["meta"]["title"] = json!(title);
    document["sections"] = json!([{"id": "a", "title": title, "blocks": [paragraph(3)]}]);
    let document = gtm_document_model::Document::from_value(document).unwrap();
    let bytes = render(&document).bytes;
    let opened = Presentation::open(&bytes);
    let mut ends = vec![0];
    for phrase in gtm_ooxml::phrases::phrases(title, "ja") {
        ends.push(ends.last().unwrap() + phrase.len());
    }
    for name in ["ppt/slides/slide1.xml", "ppt/slides/slide2.xml"] {
        let slide = opened.text(name);
        let texts = |shape: &str| -> Vec<String> {
            let texts = shape.split("<a:t>").skip(1);
            texts
                .map(|text| text.split("</a:t>").next().unwrap().to_owned())
                .collect()
        };
        let shapes = slide.split("</p:sp>").map(texts);
        let lines = { shapes }.find(|texts| texts.concat() == title).unwrap();
        assert!(lines.len() > 1, "{name}");
        let mut at = 0;
        for line in lines {
            at += line.len();
            assert!(ends.contains(&at), "{name}: {line}");
        }
    }
}

#[test]
fn words_of_a_timeline_stand_apart() {
    let event = json!({"when": "Week 1", "title": "A word or two more", "runs": [{"text": "word ".repeat(8)}]});
    let (opened, _) = opened(json!([{"type": "timeline", "events": vec![event; 5]}]));
    let slide = opened.slides().pop().unwrap();
    let frames = opened.frames(&slide);
    let words: Vec<_> = frames
        .iter()
        .filter(|frame| frame.name.starts_with("Step"))
        .collect();
    assert_eq!(words.len(), 5);
    for pair in words.windows(2) {
        let gap = pair[1].x - (pair[0].x + pair[0].w);
        assert!(gap >= 24 * 12_700, "{gap}");
    }
}

#[test]
fn a_few_cards_do_not_whisper() {
    let step = json!({"title": "Measure", "runs": [{"text": "A word or two."}]});
    let sample = documents::with_blocks(json!([{"type": "steps", "items": vec![step; 3]}]));
    let mut value = serde_json::to_value(sample).unwrap();
    value["meta"]["document_type"] = json!("playbook");
    let rendered = render(&Document::from_value(value).unwrap());
    let opened = Presentation::open(&rendered.bytes);
    let xml = opened.text(opened.slides().last().unwrap());
    let before = xml.split("A word or two.").next().unwrap();
    let size = before.rsplit(" sz=\"").next().unwrap();
    let size: u32 = size.split('"').next().unwrap().parse().unwrap();
    assert!(size >= 1_600, "{size}");
}

#[test]
fn few_sources_stand_where_they_are_cited() {
    let cited = |at: usize| json!({"type": "paragraph", "runs": [{"text": "A fact.", "cite": [format!("s{at}")]}]});
    let source = |at: usize| json!({"id": format!("s{at}"), "title": format!("Source {at}")});
    for (count, has_slide) in [(2, false), (6, true)] {
        let sample = documents::with_blocks(json!([paragraph(3)]));
        let mut value = serde_json::to_value(sample).unwrap();
        value["sources"] = (0..count).map(source).collect();
        value["sections"][0]["blocks"] = (0..count).map(cited).collect();
        let rendered = render(&Document::from_value(value).unwrap());
        let opened = Presentation::open(&rendered.bytes);
        let slides = opened.slides();
        let last = opened.text(slides.last().unwrap());
        assert!(last.contains("Source 1"), "{count}");
        assert_eq!(!last.contains("A fact."), has_slide, "{count}");
    }
}
