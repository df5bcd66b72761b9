//! How slides are filled: none nearly empty beside a crammed one, and what a slide of the primary colour shows.

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
