//! Presentations as their readers find them: structure, texts, relationships, bounds, and what hostile documents
//! do. `opened` reads a package without the code that wrote it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod documents;
mod filling;
mod opened;
mod templates;

use gtm_document_model::Document;
use gtm_render_pptx::{Code, Rendered};
use gtm_sdk::DocumentRenderer;
use gtm_sdk::testing::Host;
use opened::Presentation;
use proptest::prelude::*;

fn render(document: &Document) -> Rendered {
    gtm_render_pptx::render(document, &documents::asset).unwrap()
}

#[test]
fn the_structure_is_the_golden_one() {
    for name in ["deck", "one_pager", "right_to_left"] {
        let rendered = render(&documents::read(name));
        let outline = Presentation::open(&rendered.bytes).outline();
        let golden = documents::folder().join(format!("golden/{name}.txt"));
        if std::env::var_os("GTM_WRITE_GOLDEN").is_some() {
            std::fs::write(&golden, &outline).unwrap();
        }
        let expected = std::fs::read_to_string(&golden).unwrap();
        assert_eq!(
            outline, expected,
            "{name}: GTM_WRITE_GOLDEN=1 writes it anew"
        );
    }
}

#[test]
fn every_package_is_whole() {
    for name in ["deck", "one_pager", "right_to_left"] {
        let rendered = render(&documents::read(name));
        let opened = Presentation::open(&rendered.bytes);
        opened.assert_whole();
        assert_eq!(opened.slides().len(), rendered.pages);
    }
}

#[test]
fn the_same_document_gives_the_same_bytes() {
    let document = documents::read("deck");
    assert_eq!(render(&document).bytes, render(&document).bytes);
}

#[test]
fn what_is_seen_has_an_alternative_text() {
    let rendered = render(&documents::read("deck"));
    let opened = Presentation::open(&rendered.bytes);
    for (part, kind, alt) in opened.pictures_and_charts() {
        assert!(alt.is_some_and(|alt| !alt.is_empty()), "{kind} of {part}");
    }
}

#[test]
fn a_picture_that_is_missing_leaves_its_text_and_a_diagnostic() {
    let rendered = render(&documents::read("deck"));
    let [diagnostic] = rendered.diagnostics.as_slice() else {
        panic!("{:?}", rendered.diagnostics);
    };
    assert_eq!(diagnostic.code, Code::ImageUnusable);
    assert_eq!(diagnostic.pointer, "/sections/5/blocks/0");
    let opened = Presentation::open(&rendered.bytes);
    assert!(opened.outline().contains("A chart of tours."));
}

#[test]
fn colours_are_slots_of_the_theme() {
    // Whoever changes the theme's colours changes the deck: only black or white on an accent is fixed.
    let rendered = render(&documents::read("deck"));
    let opened = Presentation::open(&rendered.bytes);
    for (part, color) in opened.fixed_colors() {
        assert!(
            matches!(color.as_str(), "000000" | "FFFFFF"),
            "{part} has {color}"
        );
    }
}

#[test]
fn a_document_read_from_the_right_is_mirrored() {
    let rendered = render(&documents::read("right_to_left"));
    let opened = Presentation::open(&rendered.bytes);
    let slide = opened.text("ppt/slides/slide2.xml");
    assert!(slide.contains("rtl=\"1\"") && !slide.contains("rtl=\"0\""));
    assert!(slide.contains("algn=\"r\"") && slide.contains("lang=\"ar\""));
    // Text stands right of the chart beside it.
    let frames = opened.frames("ppt/slides/slide2.xml");
    let of = |name: &str| {
        frames
            .iter()
            .find(|frame| frame.name.starts_with(name))
            .unwrap()
    };
    assert!(of("Text").x > of("Chart").x + of("Chart").w);
    let table = opened.text("ppt/slides/slide4.xml");
    assert!(table.contains("<a:tblPr rtl=\"1\""));
}

#[test]
fn the_last_words_end_above_their_button() {
    let rendered = render(&documents::read("deck"));
    let opened = Presentation::open(&rendered.bytes);
    let frames = opened.frames("ppt/slides/slide15.xml");
    let of = |name: &str| {
        let found = frames.iter().find(|frame| frame.name.starts_with(name));
        found.unwrap_or_else(|| panic!("no {name} has a place of its own"))
    };
    let (text, button) = (of("Text"), of("Button"));
    assert!(text.y + text.h <= button.y, "{} over {}", text.h, button.y);
}

#[test]
fn a_footer_has_room_for_its_line() {
    let rendered = render(&documents::read("deck"));
    let opened = Presentation::open(&rendered.bytes);
    let frames = opened.frames("ppt/slideMasters/slideMaster1.xml");
    // Eleven points with a line height of 1.3, and the insets that a reader adds where none are said.
    let least = (11 * 13 * 12_700) / 10 + 2 * 45_720;
    for name in ["Footer", "Date", "Slide Number"] {
        let frame = frames.iter().find(|frame| frame.name.starts_with(name));
        assert!(frame.unwrap().h >= least, "{name}");
    }
}

#[test]
fn the_evidence_manifest_is_a_part_of_its_own() {
    let rendered = render(&documents::read("deck"));
    let opened = Presentation::open(&rendered.bytes);
    let manifest = opened.root_text("customXml/item1.xml");
    assert_eq!(manifest, documents::EVIDENCE);
    let relationships = opened.text("ppt/_rels/presentation.xml.rels");
    assert!(relationships.contains("../customXml/item1.xml"));
}

#[test]
fn notes_are_those_of_their_section() {
    let rendered = render(&documents::read("deck"));
    let opened = Presentation::open(&rendered.bytes);
    assert!(
        opened
            .text("ppt/notesSlides/notesSlide2.xml")
            .contains("Begin with the day")
    );
}

#[test]
fn a_long_table_repeats_its_head_and_loses_no_row() {
    let rendered = render(&documents::with_table(120, 4));
    let opened = Presentation::open(&rendered.bytes);
    let texts = opened.all_texts();
    for row in 0..120 {
        assert!(texts.contains(&format!("cell {row}/3")), "row {row}");
    }
    let heads = texts.iter().filter(|text| *text == "Column 2").count();
    assert!(
        heads > 3 && heads == rendered.pages - 1,
        "{heads} of {}",
        rendered.pages
    );
    opened.assert_whole();
}

#[test]
fn a_wide_table_goes_on_to_further_slides() {
    let rendered = render(&documents::with_table(3, 200));
    let opened = Presentation::open(&rendered.bytes);
    let texts = opened.all_texts();
    for column in 0..200 {
        assert!(
            texts.contains(&format!("cell 2/{column}")),
            "column {column}"
        );
    }
    opened.assert_whole();
}

#[test]
fn long_text_goes_on_and_loses_no_word() {
    let rendered = render(&documents::with_words(8_000));
    let opened = Presentation::open(&rendered.bytes);
    let words: usize = opened
        .all_texts()
        .iter()
        .flat_map(|text| text.split_whitespace())
        .filter(|word| word.starts_with("word"))
        .count();
    assert_eq!(words, 8_000);
    assert!(rendered.pages > 10 && rendered.diagnostics.is_empty());
    opened.assert_whole();
}

#[test]
fn rows_of_steps_stay_rows_on_further_slides() {
    let rendered = render(&documents::with_steps(9, 60));
    assert!(rendered.pages > 2 && rendered.diagnostics.is_empty());
    Presentation::open(&rendered.bytes).assert_whole();
}

#[test]
fn hostile_blocks_are_drawn_whole_or_reported() {
    let document = documents::hostile();
    let rendered = render(&document);
    Presentation::open(&rendered.bytes).assert_whole();
    let codes: Vec<Code> = rendered.diagnostics.iter().map(|one| one.code).collect();
    for code in [Code::ImageUnusable, Code::DroppedBlock, Code::Overflow] {
        assert!(codes.contains(&code), "{code:?}");
    }
    assert!(rendered.diagnostics.len() <= 200);
}

#[test]
fn the_component_answers_with_pages_and_a_file() {
    let document = serde_json::to_value(documents::read("deck")).unwrap();
    let run = Host::new()
        .asset(
            "logo.svg",
            "image/svg+xml",
            &documents::asset("logo.svg").unwrap(),
        )
        .run(|| gtm_render_pptx::PptxRenderer::render(document));
    let answer = run.output.unwrap();
    assert_eq!(answer["pages"], 16);
    // The other pictures and the manifest are not among the assets.
    assert_eq!(answer["diagnostics"][0]["code"], "image_unusable");
    let [artifact] = run.artifacts.as_slice() else {
        panic!("one file");
    };
    assert_eq!(artifact.filename, "document.pptx");
    Presentation::open(&artifact.bytes).assert_whole();
}

#[test]
fn what_is_no_document_is_refused_with_its_faults() {
    let run = Host::new()
        .run(|| gtm_render_pptx::PptxRenderer::render(serde_json::json!({"schema": "gtm.doc/1"})));
    let failure = run.output.unwrap_err();
    assert_eq!(failure.code, "invalid_document");
    assert!(failure.detail.unwrap()["faults"][0]["pointer"].is_string());
    assert!(run.artifacts.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn any_document_becomes_a_whole_package(document in documents::any()) {
        let rendered = render(&document);
        let opened = Presentation::open(&rendered.bytes);
        opened.assert_whole();
        prop_assert_eq!(opened.slides().len(), rendered.pages);
        prop_assert!(rendered.pages <= 560);
    }
}
