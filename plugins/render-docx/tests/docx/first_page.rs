//! What the first page of a text is: a short one begins below its title, a long one after a cover.

use std::collections::BTreeMap;

use gtm_document_model::Document;
use gtm_ooxml::template::Parts;
use gtm_ooxml::tree::{Element, Node};
use gtm_ooxml::zip::Limits;
use gtm_render_docx::render;
use serde_json::{Value, json};

use crate::file::{File, Given};
use crate::sample_with;

const TEXTS: [&str; 4] = ["proposal", "playbook", "gtm_strategy", "report"];
const LOGO: &[u8] =
    b"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"10\"><rect width=\"40\" height=\"10\"/></svg>";

/// A text of so many sections of one paragraph.
fn text(sections: usize, change: impl FnOnce(&mut Value)) -> Document {
    sample_with(|value| {
        let words = "Vans drove past each meter once a year. ".repeat(10);
        let section = |index: usize| {
            json!({"id": format!("s{index}"), "title": format!("Part {index}"), "blocks": [
                {"type": "paragraph", "runs": [{"text": words}]}
            ]})
        };
        value["sections"] = (0..sections).map(section).collect();
        change(value);
    })
}

fn paragraphs_of(xml: &str, style: &str) -> usize {
    xml.matches(&format!("<w:pStyle w:val=\"{style}\"/>"))
        .count()
}

#[test]
fn a_short_text_stands_below_its_title() {
    for kind in TEXTS {
        let document = text(4, |value| value["meta"]["document_type"] = json!(kind));
        let file = File::of(&document);
        file.check();
        let xml = file.part("word/document.xml");
        assert!(!xml.contains("w:docPartGallery"), "{kind}: no contents");
        assert_eq!(xml.matches("<w:sectPr>").count(), 1, "{kind}: one section");
        assert_eq!(paragraphs_of(&xml, "TitleSmall"), 1);
        assert_eq!(paragraphs_of(&xml, "Heading1"), 4);
        assert!(!xml.contains("w:pageBreakBefore"));
        assert!(file.text().contains("A. Writer  ·  23 November 2026"));
        assert_eq!(file.rendered.pages, 1, "{kind}");
    }
}

/// A letter has no title above its text: day, reader, subject and text follow one another.
#[test]
fn a_letter_begins_as_letters_do() {
    for (kind, language, day, is_centered) in [
        ("one_pager", "de", "23. November 2026", false),
        ("report", "ja", "2026年11月23日", true),
    ] {
        let document = text(2, |value| {
            value["meta"]["document_type"] = json!(kind);
            value["meta"]["language"] = json!(language);
            value["meta"]["subtitle"] = Value::Null;
            let title = value["meta"]["title"].clone();
            value["sections"][0]["layout"] = json!("letter");
            value["sections"][0]["blocks"] = json!([
                {"type": "paragraph", "runs": [{"text": "To the depot"}]}
            ]);
            value["sections"][1]["title"] = title;
            let closing = json!({"type": "paragraph", "runs": [{"text": "Yours"}], "align": "end"});
            value["sections"][1]["blocks"]
                .as_array_mut()
                .unwrap()
                .push(closing);
        });
        let file = File::of(&document);
        file.check();
        let xml = file.part("word/document.xml");
        let places = [
            day,
            "To the depot",
            "<w:pStyle w:val=\"Heading1\"/>",
            "Vans drove",
            "Yours",
        ]
        .map(|said| xml.find(said).unwrap());
        assert!(places.is_sorted(), "{kind}: {places:?}");
        assert_eq!(paragraphs_of(&xml, "Heading1"), 1, "{kind}");
        assert_eq!(
            paragraphs_of(&xml, "Title") + paragraphs_of(&xml, "TitleSmall"),
            0
        );
        assert_eq!(xml.matches("<w:jc w:val=\"right\"/>").count(), 2, "{kind}");
        assert_eq!(
            xml.contains("<w:jc w:val=\"center\"/>"),
            is_centered,
            "{kind}"
        );
        assert_eq!(xml.matches("<w:titlePg/>").count(), 1);
    }
}

/// A letter of these paragraphs, the first of them its head.
fn letter(head: Value, body: &[&str]) -> Document {
    let paragraph = |text: &&str| json!({"type": "paragraph", "runs": [{"text": text}]});
    text(2, |value| {
        value["sections"][0]["layout"] = json!("letter");
        value["sections"][0]["blocks"] = head;
        value["sections"][1]["blocks"] = body.iter().map(paragraph).collect();
    })
}

#[test]
fn a_letter_has_room_to_sign() {
    let head = json!([{"type": "paragraph", "runs": [{"text": "To the depot"}]}]);
    for body in [
        &["The price stays.", "Yours sincerely,", "Ann Lee\nDirector"][..],
        &["The price stays.", "Yours sincerely,\nAnn Lee\nDirector"],
    ] {
        let file = File::of(&letter(head.clone(), body));
        file.check();
        let xml = file.part("word/document.xml");
        let paragraph = |words: &str| {
            let found = xml.split("<w:p>").find(|it| it.contains(words));
            found.unwrap().to_owned()
        };
        let name = paragraph("Ann Lee");
        assert!(name.contains("<w:spacing w:before=\"720\""), "{name}");
        assert!(name.contains("Director") && !name.contains("Yours"));
        for above in ["The price stays.", "Yours sincerely,"] {
            assert!(paragraph(above).contains("<w:keepNext/>"), "{above}");
        }
    }
}

#[test]
fn a_letters_sender_stands_at_the_head_of_its_page() {
    let address = "Example Metering GmbH\nHafen 4";
    let head = json!([
        {"type": "paragraph", "runs": [{"text": address}]},
        {"type": "paragraph", "runs": [{"text": "To the depot"}]},
    ]);
    let file = File::of(&letter(head, &["The price stays."]));
    file.check();
    let header = file.part("word/header3.xml");
    assert!(header.contains("Hafen 4"), "{header}");
    assert_eq!(header.matches("Example Metering GmbH").count(), 1);
    assert!(!file.part("word/document.xml").contains("Hafen 4"));
    assert!(file.part("word/document.xml").contains("To the depot"));
}

#[test]
fn a_long_text_has_a_cover_and_contents() {
    for kind in TEXTS {
        let document = text(16, |value| value["meta"]["document_type"] = json!(kind));
        let file = File::of(&document);
        file.check();
        let xml = file.part("word/document.xml");
        assert!(xml.contains("w:docPartGallery"), "{kind}");
        assert_eq!(xml.matches("<w:sectPr>").count(), 2, "{kind}");
        assert!(!xml.contains("w:titlePg"), "{kind}");
    }
}

/// The title would stand twice on a page, so the first one has the sender in its header.
#[test]
fn the_first_page_has_the_sender_where_others_have_the_title() {
    let document = text(4, |_| ());
    let marked = Given(BTreeMap::from([("logo".to_owned(), LOGO.to_vec())]));
    for (given, has_logo) in [(Given::default(), false), (marked, true)] {
        let file = File::with(&document, &given, None);
        file.check();
        let xml = file.part("word/document.xml");
        assert_eq!(xml.matches("<w:titlePg/>").count(), 1);
        for edge in ["header", "footer"] {
            for kind in ["default", "first"] {
                let reference = format!("<w:{edge}Reference w:type=\"{kind}\"");
                assert_eq!(xml.matches(&reference).count(), 1, "{reference}");
            }
        }
        let header = file.part("word/header3.xml");
        assert!(!header.contains("Meter reading without the van"));
        assert_eq!(header.contains("<w:drawing>"), has_logo);
        assert_eq!(header.contains("Example Metering GmbH"), !has_logo);
        // It is said once.
        assert_eq!(file.text().contains("Example Metering GmbH"), has_logo);
        // Nobody looks for the first page of a text; of others, the number is told.
        assert!(!file.part("word/footer3.xml").contains(" PAGE "));
        assert!(file.part("word/footer1.xml").contains(" NUMPAGES "));
    }
}

#[test]
fn only_the_first_section_has_a_first_page_of_its_own() {
    let document = text(2, |value| {
        let columns = (0..12).map(|index| json!({"label": format!("Column{index}")}));
        let columns = columns.collect::<Vec<_>>();
        let row = vec![json!([{"text": "12,345"}]); columns.len()];
        let table = json!({"type": "table", "columns": columns, "rows": [row]});
        value["sections"][1]["blocks"] = json!([table]);
    });
    let file = File::of(&document);
    file.check();
    let xml = file.part("word/document.xml");
    assert!(xml.contains("w:orient=\"landscape\""));
    assert!(xml.matches("<w:sectPr>").count() > 1);
    assert_eq!(xml.matches("<w:titlePg/>").count(), 1);
}

/// A template of ours, with a header for all pages or one of its own for the first.
fn template(has_first: bool) -> Vec<u8> {
    let rendered = render(&text(4, |_| ()), &Given::default(), None).unwrap();
    let mut parts = Parts::read(&rendered.bytes, Limits::default()).unwrap();
    for (name, words) in [
        ("/word/header1.xml", "House header"),
        ("/word/header3.xml", "House letterhead"),
    ] {
        let mut root = parts.tree(name).unwrap();
        let mut text = Element::new("w:t", &[]);
        text.children.push(Node::Text(words.into()));
        let run = Element::new("w:r", &[]).with(text);
        root.child_mut("w:p").unwrap().push(run);
        parts.fill(name, &root);
    }
    if !has_first {
        let mut root = parts.tree("/word/document.xml").unwrap();
        root.visit_mut(&mut |element| {
            element.remove(|child| {
                child.name == "w:titlePg" || child.attribute("w:type") == Some("first")
            });
        });
        parts.fill("/word/document.xml", &root);
    }
    parts.write().unwrap()
}

#[test]
fn a_template_s_header_stands_on_the_first_page() {
    for has_first in [true, false] {
        let given = Given([("template.docx".to_owned(), template(has_first))].into());
        let file = File::with(&text(4, |_| ()), &given, None);
        file.check();
        let xml = file.part("word/document.xml");
        assert_eq!(xml.contains("<w:titlePg"), has_first);
        let headers = (file.names().into_iter())
            .filter(|name| name.starts_with("word/header"))
            .map(|name| file.part(name))
            .collect::<String>();
        assert!(headers.contains("House header"));
        assert_eq!(headers.contains("House letterhead"), has_first);
    }
}

/// A sheet that is handed over without a date is soon one that nobody trusts.
#[test]
fn one_page_says_who_wrote_it_and_when() {
    let document = text(2, |value| {
        value["meta"]["document_type"] = json!("one_pager");
    });
    let file = File::of(&document);
    file.check();
    assert!(file.text().contains("A. Writer  ·  23 November 2026"));
}

#[test]
fn the_lines_of_a_japanese_title_end_between_phrases() {
    let title = "中堅製造業向け在庫可視化サービスのご提案と全拠点への導入計画";
    let document = text(4, |value| {
        value["meta"]["language"] = json!("ja");
        value["meta"]["title"] = json!(title);
    });
    let file = File::of(&document);
    file.check();
    let xml = file.part("word/document.xml");
    let (_, behind) = xml.split_once("<w:pStyle w:val=\"TitleSmall\"/>").unwrap();
    let (paragraph, _) = behind.split_once("</w:p>").unwrap();
    let texts: Vec<&str> = (paragraph.split("<w:t ").skip(1))
        .map(|text| text.split(['>', '<']).nth(1).unwrap())
        .collect();
    assert_eq!(texts.concat(), title);
    assert!(texts.len() > 1 && paragraph.matches("<w:br/>").count() == texts.len() - 1);
    let mut ends = Vec::new();
    for phrase in gtm_ooxml::phrases::phrases(title, "ja") {
        ends.push(ends.last().unwrap_or(&0) + phrase.len());
    }
    let mut at = 0;
    for text in texts {
        at += text.len();
        assert!(ends.contains(&at), "{text}");
    }
}

/// A page with nothing but a heading and a line or two looks like a mistake.
#[test]
fn the_end_of_a_text_has_no_page_of_its_own() {
    let of = |lines: usize| {
        let document = sample_with(|value| {
            value["sections"] = json!([
                {"id": "a", "title": "Part", "blocks": [{"type": "paragraph", "runs": [{"text": "A line.\n".repeat(lines)}]}]},
                {"id": "b", "title": "Next", "blocks": [{"type": "paragraph", "runs": [{"text": "Call us."}]}]},
            ]);
        });
        File::of(&document).rendered
    };
    let rendered: Vec<_> = (16..60).map(of).collect();
    // One line more, and less of the page is filled, because all stands closer.
    let closer = rendered.windows(2).any(|pair| {
        let [before, after] = pair else {
            return false;
        };
        after.pages == 1 && after.last_page < before.last_page
    });
    assert!(closer);
}
