//! Content that was made to break things.

use serde_json::json;

use crate::file::File;
use crate::sample_with;

#[test]
fn long_texts_marks_emoji_and_lookalikes_stay_what_they_are() {
    let words = "word ".repeat(9_000);
    let document = sample_with(|value| {
        value["meta"]["title"] = json!("<b>&amp;]]> {TITLE} \\h \" MERGEFIELD".repeat(7));
        value["sections"] = json!([{"id": "a", "title": "</w:p>", "blocks": [
            {"type": "paragraph", "runs": [{"text": words}]},
            {"type": "paragraph", "runs": [{"text": "e\u{301}\u{302}".repeat(300)}, {"text": "👩‍💻🇩🇪\u{0}\u{202e}x"}]},
            {"type": "paragraph", "runs": [{"text": "x".repeat(50_000)}]},
            {"type": "columns", "columns": [
                {"blocks": [{"type": "timeline", "events": [{"when": "w".repeat(300), "title": "t".repeat(300)}]}]},
                {"blocks": [{"type": "comparison", "items": vec!["i".repeat(300); 6], "criteria": [{"label": "l".repeat(300), "cells": vec![json!([]); 6]}]}]},
                {"blocks": [{"type": "kpis", "items": vec![json!({"value": "9".repeat(300), "label": "x"}); 12]}, {"type": "cta", "label": "go", "href": "https://example.com/", "qr": true}]}
            ]},
            {"type": "cta", "label": "go", "href": format!("https://example.com/{}", "a".repeat(2_000)), "qr": true}
        ]}]);
    });
    let file = File::of(&document);
    file.check();
    assert!(file.text().contains("&lt;/w:p&gt;"));
    assert!(!file.part("word/document.xml").contains('\u{202e}'));
    assert!(file.rendered.pages > 20);
}

#[test]
fn many_charts_and_cells_are_bounded_and_reported() {
    let chart = json!({"type": "chart", "kind": "bar", "categories": ["a"], "series": [{"name": "s", "values": [1.0]}], "alt": "What it shows"});
    let row = vec![json!([]); 200];
    let table = json!({"type": "table", "columns": vec![json!({"label": "c"}); 200], "rows": vec![json!(row); 900]});
    let document = sample_with(|value| {
        let sections = (0..4).map(|index| {
            json!({"id": format!("s{index}"), "title": "T", "blocks": vec![chart.clone(); 100]})
        });
        let mut sections = sections.collect::<Vec<_>>();
        sections.push(json!({"id": "t", "title": "T", "blocks": [table]}));
        value["sections"] = json!(sections);
    });
    let file = File::of(&document);
    assert!(
        file.names()
            .iter()
            .filter(|name| name.contains("/charts/chart"))
            .count()
            <= 300
    );
    let codes = file.rendered.diagnostics.iter().map(|d| d.code);
    assert!(
        codes
            .clone()
            .any(|code| code == gtm_render_docx::Code::DroppedBlock)
    );
    assert!(file.rendered.diagnostics.len() <= 200);
    assert!(
        file.text().contains("What it shows"),
        "the words stand in the chart's place"
    );
}
