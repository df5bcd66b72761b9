//! Tests of how chapters become slides.

use gtm_document_model::block::{Heading, Paragraph};

use super::*;
use crate::chapter::paragraph;

fn made(blocks: Vec<Block>) -> Vec<Section> {
    let chapter = Chapter {
        heading: "Our plan".to_owned(),
        blocks,
        ..Chapter::default()
    };
    slides(vec![chapter], "en", false, None)
}

fn said(text: &str) -> Block {
    paragraph(vec![Run::plain(text)])
}

fn heading(text: &str) -> Block {
    Block::Heading(Heading {
        level: 2,
        runs: vec![Run::plain(text)],
    })
}

#[test]
fn a_short_part_stands_below_what_its_chapter_says() {
    let made = made(vec![
        said("We build on your system. Drawings come at night, stock every hour."),
        heading("What is not in it"),
        said("Translations are no part of this."),
    ]);
    let [slide] = made.as_slice() else {
        unreachable!("{made:?}")
    };
    let headings = slide.blocks.iter();
    let headings = headings.filter(|block| matches!(block, Block::Heading(_)));
    assert_eq!(headings.count(), 1, "{slide:?}");
}

#[test]
fn a_long_sentence_stands_where_there_is_room_and_none_repeats_the_title() {
    let long = "It computes each night how much water each field needs and sends the plan to the phone of whoever waters it at \
                six in the morning.";
    let made = made(vec![said(&format!("We fitted 96 probes in May. {long}"))]);
    let texts: Vec<String> = made
        .iter()
        .flat_map(|slide| crate::brief::texts_of(&slide.blocks))
        .collect();
    assert!(
        texts.iter().any(|text| text.contains("each field")),
        "{made:?}"
    );
    let title = made
        .first()
        .map(|slide| slide.title.clone())
        .unwrap_or_default();
    assert!(
        !texts.iter().any(|text| text.trim_end_matches('.') == title),
        "{made:?}"
    );
    let Block::Paragraph(Paragraph { runs, .. }) = said(long) else {
        unreachable!()
    };
    assert!(count_words(&plain_text(&runs)) > LONGEST_ITEM);
}

#[test]
fn a_sentence_that_explains_what_is_shown_stands_below_it_and_none_that_goes_on_is_a_statement() {
    let table = |rows: usize| {
        let row = vec![vec![Run::plain("4")], vec![Run::plain("9")]];
        let column = |label: &str| serde_json::json!({"label": label});
        let columns = serde_json::from_value(serde_json::json!([column("a"), column("b")]));
        Block::Table(Table {
            columns: columns.unwrap_or_default(),
            rows: vec![row; rows],
            caption: Vec::new(),
            header_column: false,
        })
    };
    let why = "In August two of the drivers who know the road well were on leave for all of the month, and nobody stood in.";
    let one = made(vec![table(3), said(why)]);
    assert_eq!(one.len(), 1, "{one:?}");
    let two = made(vec![table(8), table(3), said(why)]);
    assert!(
        two.iter()
            .all(|slide| slide.layout == Some(Layout::Content)),
        "{two:?}"
    );
    let full = made(vec![table(8), said(&format!("{why} {why}"))]);
    assert!(full.len() > 1, "{full:?}");
    assert!(
        full.iter()
            .all(|slide| slide.layout == Some(Layout::Content)),
        "{full:?}"
    );
}
