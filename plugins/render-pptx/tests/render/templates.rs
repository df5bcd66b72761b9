//! Decks in an organization's own template: one that our renderer made and that was changed, and one from elsewhere.

use gtm_ooxml::template::{Parts, TemplateError};
use gtm_ooxml::tree::Element;
use gtm_ooxml::zip::Limits;
use gtm_render_pptx::{Code, PptxRenderer, RenderError, Rendered};
use gtm_sdk::DocumentRenderer;
use gtm_sdk::testing::Host;

use crate::documents;
use crate::opened::Presentation;

const FOREIGN: &[u8] = include_bytes!("../templates/python-pptx-default.pptx");
const DOCUMENTS: [&str; 3] = ["deck", "one_pager", "right_to_left"];

fn with(document: &str, template: &[u8]) -> Rendered {
    let read = |name: &str| match name {
        "template.pptx" => Some(template.to_vec()),
        name => documents::asset(name),
    };
    gtm_render_pptx::render(&documents::read(document), &read).unwrap()
}

/// A deck of ours as a template, after a change of its parts.
fn own(change: impl FnOnce(&mut Parts)) -> Vec<u8> {
    let deck = gtm_render_pptx::render(&documents::read("deck"), &documents::asset).unwrap();
    let mut parts = Parts::read(&deck.bytes, Limits::default()).unwrap();
    change(&mut parts);
    parts.write().unwrap()
}

fn change(parts: &mut Parts, name: &str, change: impl FnOnce(&mut Element)) {
    let mut root = parts.tree(name).unwrap();
    change(&mut root);
    parts.fill(name, &root);
}

/// The part that a slide's relationship of a kind leads to.
fn related(parts: &Parts, from: &str, word: &str) -> String {
    let part = parts.get(from).unwrap();
    part.related(word).next().unwrap().1.to_owned()
}

#[test]
fn the_masters_layouts_and_theme_are_the_template_s() {
    let template = own(|parts| {
        change(parts, "/ppt/theme/theme1.xml", |root| {
            let accent = root.at_mut(&["a:themeElements", "a:clrScheme", "a:accent1", "a:srgbClr"]);
            accent.unwrap().set("val", "7A1FA2");
        });
        change(parts, "/ppt/slideMasters/slideMaster1.xml", |root| {
            let shape = root.at_mut(&["p:cSld", "p:spTree", "p:sp", "p:nvSpPr", "p:cNvPr"]);
            shape.unwrap().set("name", "The organization's mark");
        });
        change(parts, "/ppt/slideLayouts/slideLayout4.xml", |root| {
            root.child_mut("p:cSld")
                .unwrap()
                .set("name", "House content");
        });
    });
    for name in DOCUMENTS {
        let rendered = with(name, &template);
        let opened = Presentation::open(&rendered.bytes);
        opened.assert_whole();
        assert_eq!(
            opened.slides().len(),
            rendered.pages,
            "{name}: none of the template's"
        );
        assert!(opened.text("ppt/theme/theme1.xml").contains("7A1FA2"));
        assert!(
            opened
                .text("ppt/slideMasters/slideMaster1.xml")
                .contains("mark")
        );
        let parts = Parts::read(&rendered.bytes, Limits::default()).unwrap();
        let mut layouts: Vec<String> = Vec::new();
        for slide in opened.slides() {
            layouts.push(related(&parts, &format!("/{slide}"), "slideLayout"));
        }
        assert!(
            parts
                .iter()
                .filter(|(part, _)| part.contains("/slideLayouts/"))
                .count()
                == 9,
            "{layouts:?}"
        );
        let text = opened.all_texts().join("\n");
        let bare = gtm_render_pptx::render(&documents::read(name), &documents::asset).unwrap();
        for paragraph in Presentation::open(&bare.bytes).all_texts() {
            // Numbers of slides, and `1/2` where a section takes several.
            let is_counted = paragraph.contains(" / ")
                || paragraph.chars().all(|c| c.is_ascii_digit() || c == '/');
            assert!(
                is_counted || text.contains(&paragraph),
                "{name}: {paragraph}"
            );
        }
    }
}

#[test]
fn a_template_from_elsewhere_carries_every_deck() {
    for name in DOCUMENTS {
        let rendered = with(name, FOREIGN);
        let opened = Presentation::open_foreign(&rendered.bytes);
        opened.assert_whole();
        assert_eq!(opened.slides().len(), rendered.pages);
        let presentation = opened.text("ppt/presentation.xml");
        assert!(
            presentation.contains("cx=\"9144000\""),
            "its slides are 4:3"
        );
        for slide in opened.slides() {
            for frame in opened.frames(&slide) {
                assert!(
                    frame.x + frame.w <= 9_144_000,
                    "{slide}: {} leaves the slide",
                    frame.name
                );
            }
        }
        // It has all kinds of layouts, so none of ours is added.
        let parts = Parts::read(&rendered.bytes, Limits::default()).unwrap();
        let layouts = parts
            .iter()
            .filter(|(part, _)| part.contains("/slideLayouts/"));
        assert_eq!(layouts.count(), 11, "{name}");
    }
}

#[test]
fn a_layout_that_is_missing_is_ours_and_that_is_said() {
    let template = own(|parts| {
        let names: Vec<String> = parts.iter().map(|(name, _)| name.to_owned()).collect();
        for name in names
            .iter()
            .filter(|name| name.starts_with("/ppt/slideLayouts/"))
        {
            change(parts, name, |root| {
                let is_cover = root.attribute("type") == Some("title");
                root.unset("type");
                if is_cover {
                    // Without a title that is centred, nothing tells it from the others.
                    root.visit_mut(&mut |element| {
                        if element.attribute("type") == Some("ctrTitle") {
                            element.set("type", "title");
                        }
                    });
                }
            });
        }
    });
    let rendered = with("deck", &template);
    let codes: Vec<Code> = rendered.diagnostics.iter().map(|d| d.code).collect();
    assert!(
        codes.contains(&Code::Template),
        "{:?}",
        rendered.diagnostics
    );
    let opened = Presentation::open(&rendered.bytes);
    opened.assert_whole();
    let parts = Parts::read(&rendered.bytes, Limits::default()).unwrap();
    let cover = related(&parts, "/ppt/slides/slide1.xml", "slideLayout");
    assert!(
        opened
            .text(cover.trim_start_matches('/'))
            .contains("ctrTitle")
    );
    let master = related(&parts, &cover, "slideMaster");
    assert!(
        parts
            .get(&master)
            .unwrap()
            .related("slideLayout")
            .any(|(_, name)| name == cover)
    );
}

#[test]
fn the_same_template_gives_the_same_bytes() {
    assert_eq!(with("deck", FOREIGN).bytes, with("deck", FOREIGN).bytes);
}

#[test]
fn what_is_no_template_is_refused() {
    let read = |name: &str| (name == "template.pptx").then(|| b"PK broken".to_vec());
    let refused = gtm_render_pptx::render(&documents::read("deck"), &read);
    assert!(matches!(
        refused,
        Err(RenderError::Template(TemplateError::Archive(_)))
    ));
    let document = serde_json::to_value(documents::read("deck")).unwrap();
    let host = Host::new().asset("template.pptx", "application/octet-stream", b"PK broken");
    let run = host.run(|| PptxRenderer::render(document));
    assert_eq!(run.output.unwrap_err().code, "invalid_template");
    assert!(run.artifacts.is_empty());
}
