//! What stands in the file.

use serde_json::json;

use crate::file::{File, Given};
use crate::{sample, sample_with};

const TYPES: [&str; 6] = [
    "proposal",
    "playbook",
    "deck",
    "gtm_strategy",
    "report",
    "one_pager",
];

#[test]
fn every_document_type_and_direction_is_in_order() {
    for kind in TYPES {
        for direction in ["ltr", "rtl"] {
            let document = sample_with(|value| {
                value["meta"]["document_type"] = json!(kind);
                value["meta"]["direction"] = json!(direction);
            });
            let file = File::of(&document);
            file.check();
            assert!(file.rendered.pages >= 1);
            let text = file.text();
            for word in ["Vans drove ", "What it costs"] {
                assert!(text.contains(word), "{kind}: {word}");
            }
        }
    }
}

#[test]
fn styles_are_those_that_word_has_itself() {
    let styles = File::of(&sample()).part("word/styles.xml");
    for name in [
        "Title",
        "Subtitle",
        "heading 1",
        "heading 4",
        "Body Text",
        "List Paragraph",
        "Quote",
        "caption",
        "toc 1",
        "footnote text",
        "Hyperlink",
    ] {
        assert!(
            styles.contains(&format!("<w:name w:val=\"{name}\"/>")),
            "{name}"
        );
    }
}

#[test]
fn the_table_of_contents_is_filled() {
    let document = sample_with(|value| {
        let section = value["sections"][1].clone();
        let sections = value["sections"].as_array_mut().unwrap();
        for index in 0..4 {
            let mut section = section.clone();
            section["id"] = json!(format!("more-{index}"));
            section["title"] = json!(format!("Section number {index}"));
            sections.push(section);
        }
    });
    let file = File::of(&document);
    file.check();
    let xml = file.part("word/document.xml");
    let contents = xml
        .split("<w:sdtContent>")
        .nth(1)
        .unwrap()
        .split("</w:sdtContent>")
        .next()
        .unwrap();
    let pages = contents.split(" \\h </w:instrText>").skip(1).map(|rest| {
        let text = rest.split("preserve\">").nth(1).unwrap();
        text.split('<').next().unwrap().parse::<usize>().unwrap()
    });
    let pages = pages.collect::<Vec<_>>();
    assert!(pages.len() >= 5);
    assert!(
        pages.is_sorted() && pages[0] >= 3,
        "after cover and contents: {pages:?}"
    );
    assert!(*pages.last().unwrap() <= file.rendered.pages);
    assert!(contents.contains("Section number 3"));
}

#[test]
fn a_source_has_one_note_and_is_referred_to_afterwards() {
    let document = sample_with(|value| {
        value["sections"] = json!([{"id": "a", "title": "A", "blocks": [
            {"type": "paragraph", "runs": [{"text": "One", "cite": ["src_01"]}, {"text": "two", "cite": ["src_02", "src_01"]}]}
        ]}]);
    });
    let file = File::of(&document);
    file.check();
    let xml = file.part("word/document.xml");
    assert_eq!(xml.matches("<w:footnoteReference").count(), 2);
    assert_eq!(xml.matches("NOTEREF _RefNote1").count(), 1);
    let notes = file.part("word/footnotes.xml");
    for words in [
        "Annual report 2025",
        "Example Utilities",
        ">example.com/report?year=2025<",
        "(22 November 2026)",
    ] {
        assert!(notes.contains(words), "{words}");
    }
}

#[test]
fn speaker_notes_are_printed_in_a_handout_only() {
    for kind in TYPES {
        let document = sample_with(|value| value["meta"]["document_type"] = json!(kind));
        let has_notes = File::of(&document).text().contains("Pause here.");
        assert_eq!(has_notes, kind == "deck", "{kind}");
    }
}

#[test]
fn text_from_right_to_left_is_marked_and_latin_is_not() {
    let document = sample_with(|value| {
        value["meta"]["language"] = json!("ar");
        value["meta"]["direction"] = json!("rtl");
        value["sections"] = json!([{"id": "a", "title": "نص", "blocks": [
            {"type": "paragraph", "runs": [{"text": "نص Example نص"}]},
            {"type": "table", "columns": [{"label": "أ"}], "rows": [[[{"text": "ب"}]]]}
        ]}]);
    });
    let file = File::of(&document);
    file.check();
    let xml = file.part("word/document.xml");
    assert!(xml.contains("<w:r><w:rPr><w:rtl/></w:rPr><w:t xml:space=\"preserve\">نص </w:t></w:r><w:r><w:t xml:space=\"preserve\">Example </w:t></w:r>"));
    assert!(xml.contains("<w:bidiVisual/>") && xml.contains("<w:bidi/></w:sectPr>"));
    assert!(file.part("word/styles.xml").contains("<w:bidi/>"));
    assert!(file.part("word/styles.xml").contains("w:bidi=\"ar\""));
}

#[test]
fn east_asian_text_has_its_language() {
    let document = sample_with(|value| value["meta"]["language"] = json!("ja"));
    assert!(
        File::of(&document)
            .part("word/styles.xml")
            .contains("w:eastAsia=\"ja\"")
    );
}

#[test]
fn a_wide_table_lies_and_one_of_200_columns_is_split() {
    let wide = |columns: usize| {
        sample_with(|value| {
            let columns = (0..columns)
                .map(|index| json!({"label": format!("Column{index}")}))
                .collect::<Vec<_>>();
            let row = columns
                .iter()
                .map(|_| json!([{"text": "12,345"}]))
                .collect::<Vec<_>>();
            value["sections"] = json!([{"id": "a", "title": "Numbers", "blocks": [
                {"type": "table", "columns": columns, "rows": [row.clone(), row]}
            ]}]);
        })
    };
    let file = File::of(&wide(12));
    file.check();
    let xml = file.part("word/document.xml");
    assert!(xml.contains("w:orient=\"landscape\""));
    let heading = xml.find("Numbers").unwrap();
    let before = xml[..heading].rfind("<w:sectPr>").unwrap();
    assert!(
        !xml[before..heading].contains("landscape"),
        "the heading stands on the page of its table"
    );
    let file = File::of(&wide(200));
    file.check();
    let xml = file.part("word/document.xml");
    assert!(xml.matches("<w:tblHeader/>").count() > 5);
    for index in 0..200 {
        assert!(xml.contains(&format!(">Column{index}<")), "{index}");
    }
    assert_eq!(
        file.rendered.diagnostics.len(),
        2,
        "the logo and the split: {:?}",
        file.rendered.diagnostics
    );
}

#[test]
fn the_evidence_manifest_is_a_custom_part() {
    let manifest = br#"{"schema":"gtm.evidence/1","a":"<&>"}"#;
    let file = File::with(&sample(), &Given::default(), Some(manifest));
    file.check();
    assert!(file.part("customXml/item1.xml").contains("gtm.evidence/1"));
}

#[test]
fn a_dark_theme_has_a_dark_page() {
    let document = sample_with(|value| {
        value["theme"]["mode"] = json!("dark");
        value["theme"]["colors"]["background"] = json!("#101418");
        value["theme"]["colors"]["text"] = json!("#f0f0f0");
    });
    let file = File::of(&document);
    file.check();
    assert!(
        file.part("word/document.xml")
            .contains("<w:background w:color=\"101418\"")
    );
    assert!(
        file.part("word/settings.xml")
            .contains("<w:displayBackgroundShape/>")
    );
}

#[test]
fn a_picture_that_cannot_be_shown_leaves_its_words() {
    let document = sample_with(|value| {
        value["sections"] = json!([{"id": "a", "title": "A", "blocks": [{"type": "image", "asset": "x", "alt": "A map of the depots"}]}]);
    });
    for bytes in [
        None,
        Some(Vec::new()),
        Some(b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>x()</script></svg>".to_vec()),
        Some(b"\x89PNG\r\n\x1a\nbroken".to_vec()),
    ] {
        let given = Given(
            bytes
                .map(|bytes| ("x".to_owned(), bytes))
                .into_iter()
                .collect(),
        );
        let file = File::with(&document, &given, None);
        file.check();
        assert!(file.text().contains("A map of the depots"));
        let about = file
            .rendered
            .diagnostics
            .iter()
            .find(|d| d.pointer == "/sections/0/blocks/0")
            .unwrap();
        assert_eq!(about.code, gtm_render_docx::Code::ImageUnusable);
    }
}
