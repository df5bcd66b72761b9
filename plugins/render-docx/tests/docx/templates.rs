//! Documents in an organization's own template: one that our renderer made and that was changed, and one from
//! elsewhere.

use gtm_ooxml::template::{Part, Parts, TemplateError};
use gtm_ooxml::tree::{Element, Node};
use gtm_ooxml::zip::Limits;
use gtm_render_docx::{RenderError, render};

use crate::file::{File, Given};
use crate::{sample, sample_with};

const FOREIGN: &[u8] = include_bytes!("../templates/python-docx-default.docx");

fn with(template: &[u8]) -> Given {
    Given([("template.docx".to_owned(), template.to_vec())].into())
}

fn change(parts: &mut Parts, name: &str, change: impl FnOnce(&mut Element)) {
    let mut root = parts.tree(name).unwrap();
    change(&mut root);
    parts.fill(name, &root);
}

/// A document of ours as a template: German style ids, a page of its own, a header with a picture, a table style.
fn own() -> Vec<u8> {
    let rendered = render(&sample(), &Given::default(), None).unwrap();
    let mut parts = Parts::read(&rendered.bytes, Limits::default()).unwrap();
    change(&mut parts, "/word/styles.xml", |root| {
        for style in root.elements_mut() {
            if style.attribute("w:styleId") == Some("Heading1") {
                style.set("w:styleId", "berschrift1");
                style
                    .child_mut("w:rPr")
                    .unwrap()
                    .push(Element::new("w:smallCaps", &[]));
            }
        }
        root.remove(|style| style.attribute("w:styleId") == Some("BrandTable"));
        root.visit_mut(&mut |element| {
            if element.attribute("w:val") == Some("Heading1") {
                element.set("w:val", "berschrift1");
            }
        });
        root.push(
            Element::new(
                "w:style",
                &[
                    ("w:type", "table"),
                    ("w:customStyle", "1"),
                    ("w:styleId", "House"),
                ],
            )
            .with(Element::new("w:name", &[("w:val", "House Table")]))
            .with(
                Element::new("w:tblStylePr", &[("w:type", "firstRow")]).with(
                    Element::new("w:tcPr", &[]).with(Element::new(
                        "w:shd",
                        &[("w:val", "clear"), ("w:fill", "7A1FA2")],
                    )),
                ),
            ),
        );
    });
    change(&mut parts, "/word/theme/theme1.xml", |root| {
        let accent = root.at_mut(&["a:themeElements", "a:clrScheme", "a:accent1", "a:srgbClr"]);
        accent.unwrap().set("val", "7A1FA2");
    });
    let picture = parts.add(
        "/word/media/house.png",
        Part {
            content_type: "image/png".to_owned(),
            content: b"\x89PNG of the house".to_vec(),
            relations: Vec::new(),
        },
    );
    let kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image";
    let image = parts
        .get_mut("/word/header1.xml")
        .unwrap()
        .relate(kind, &picture);
    change(&mut parts, "/word/header1.xml", |root| {
        let mut text = Element::new("w:t", &[]);
        text.children.push(Node::Text("House header".to_owned()));
        let blip = Element::new("a:blip", &[("r:embed", &image)]);
        root.push(Element::new("w:p", &[]).with(Element::new("w:r", &[]).with(text).with(blip)));
    });
    change(&mut parts, "/word/document.xml", |root| {
        root.visit_mut(&mut |element| {
            if element.name == "w:pgSz" {
                element.attributes = vec![
                    ("w:w".to_owned(), "12240".to_owned()),
                    ("w:h".to_owned(), "15840".to_owned()),
                ];
            }
            if element.name == "w:pgMar" {
                for (side, margin) in [
                    ("w:left", "2000"),
                    ("w:right", "1400"),
                    ("w:top", "2100"),
                    ("w:bottom", "1500"),
                ] {
                    element.set(side, margin);
                }
            }
        });
    });
    parts.write().unwrap()
}

#[test]
fn styles_theme_page_and_header_are_the_template_s() {
    let file = File::with(&sample(), &with(&own()), Some(b"{}"));
    file.check();
    let styles = file.part("word/styles.xml");
    assert!(styles.contains("smallCaps") && styles.contains("House Table"));
    let document = file.part("word/document.xml");
    assert!(
        document.contains("w:val=\"berschrift1\""),
        "headings have the template's id"
    );
    assert!(!document.contains("w:val=\"Heading1\""));
    assert!(document.contains("w:val=\"House\"") && !document.contains("w:val=\"BrandTable\""));
    assert!(document.contains("w:left=\"2000\"") && document.contains("w:right=\"1400\""));
    let themes: Vec<&str> = file
        .names()
        .into_iter()
        .filter(|name| name.contains("theme/"))
        .collect();
    assert_eq!(themes.len(), 1);
    assert!(file.part(themes[0]).contains("7A1FA2"));
    let headers: Vec<String> = file
        .names()
        .into_iter()
        .filter(|name| name.starts_with("word/header") && name.ends_with(".xml"))
        .map(|name| file.part(name))
        .collect();
    assert!(headers.iter().any(|header| header.contains("House header")));
    assert!(
        file.names()
            .iter()
            .any(|name| name.starts_with("word/media/house"))
    );
    // What is said is ours, all of it and nothing else.
    let bare = File::of(&sample());
    let words = |text: &str| -> usize { text.split_whitespace().count() };
    let (ours, theirs) = (words(&bare.text()), words(&file.text()));
    assert!(theirs * 10 >= ours * 9, "{theirs} words of {ours}");
}

/// Makes bullets of all numbered lists.
fn unnumbered(value: &mut serde_json::Value) {
    if let Some(ordered) = value.get_mut("ordered") {
        *ordered = false.into();
    }
    match value {
        serde_json::Value::Object(members) => members.values_mut().for_each(unnumbered),
        serde_json::Value::Array(items) => items.iter_mut().for_each(unnumbered),
        _ => {}
    }
}

#[test]
fn a_template_from_elsewhere_carries_every_kind_of_document() {
    for kind in [
        "proposal",
        "playbook",
        "gtm_strategy",
        "report",
        "deck",
        "one_pager",
    ] {
        let document = sample_with(|value| {
            value["meta"]["document_type"] = kind.into();
            unnumbered(value);
        });
        let file = File::with(&document, &with(FOREIGN), None);
        file.check();
        let xml = file.part("word/document.xml");
        assert!(
            xml.contains("w:val=\"ListBullet\""),
            "{kind}: bullets are the template's"
        );
        assert!(file.part("word/styles.xml").contains("w:latentStyles"));
        assert!(xml.contains("w:left=\"1800\""), "{kind}: its margins");
        // It has no header or footer, so ours stand, without the tabs of its styles for them.
        let footer = file.part("word/footer1.xml");
        assert!(
            footer.contains("<w:tab w:val=\"clear\" w:pos=\"4680\"/>"),
            "{footer}"
        );
        assert!(xml.contains("w:headerReference") && xml.contains("w:footerReference"));
    }
}

#[test]
fn a_document_from_right_to_left_stays_so() {
    let document = sample_with(|value| {
        value["meta"]["language"] = "ar".into();
        value["meta"]["direction"] = "rtl".into();
    });
    let file = File::with(&document, &with(FOREIGN), None);
    file.check();
    let styles = file.part("word/styles.xml");
    let normal = styles.split("w:styleId=\"Normal\"").nth(1).unwrap();
    assert!(
        normal
            .split("</w:style>")
            .next()
            .unwrap()
            .contains("<w:bidi/>")
    );
}

#[test]
fn the_same_template_gives_the_same_bytes() {
    let bytes = || render(&sample(), &with(FOREIGN), None).unwrap().bytes;
    assert_eq!(bytes(), bytes());
}

#[test]
fn what_is_no_template_is_refused() {
    let refused = render(&sample(), &with(b"PK\x03\x04 and nothing behind it"), None);
    assert!(matches!(
        refused,
        Err(RenderError::Template(TemplateError::Archive(_)))
    ));
}
