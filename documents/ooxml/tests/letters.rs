//! Where letters of several languages have their sender and their signature.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use gtm_document_model::block::{Block, Bullets, Item, Paragraph};
use gtm_document_model::document::Layout;
use gtm_document_model::{Document, Run, Section, plain_text};
use gtm_ooxml::letters::{sender, signed};

fn paragraph(text: &str) -> Block {
    Block::Paragraph(Paragraph::of(vec![Run::plain(text)]))
}

fn letter(head: &[&str], body: &[&str]) -> Document {
    let sample = include_str!("../../model/tests/model/sample.json");
    let mut document = Document::read(sample).unwrap();
    let section = |id: &str, texts: &[&str]| Section {
        id: id.to_owned(),
        title: document.meta.title.clone(),
        blocks: texts.iter().map(|text| paragraph(text)).collect(),
        ..Section::default()
    };
    let mut sections = vec![section("head", head), section("text", body)];
    sections[0].layout = Some(Layout::Letter);
    document.sections = sections;
    document
}

/// The paragraph that signs, and the one above it.
fn signature(body: &[&str]) -> Option<(String, String)> {
    let document = letter(&["To the depot"], body);
    let (parted, place) = signed(&document);
    let place = place?;
    let blocks = &parted.sections[place.section].blocks;
    let text = |at: usize| match &blocks[at] {
        Block::Paragraph(paragraph) => plain_text(&paragraph.runs),
        _ => String::new(),
    };
    Some((text(place.block - 1), text(place.block)))
}

#[test]
fn a_letter_is_signed_below_the_words_that_close_it() {
    for (body, above, name) in [
        (
            &[
                "Dear Mrs Okafor,",
                "The price stays.",
                "Yours sincerely,",
                "Moira Whitcombe\nManaging Director",
            ][..],
            "Yours sincerely,",
            "Moira Whitcombe\nManaging Director",
        ),
        (
            &[
                "Dear Ms Ray,",
                "The price stays.",
                "Kind regards\nJan van der Berg\nHead of sales",
                "Enc.: price list 2027",
            ][..],
            "Kind regards",
            "Jan van der Berg\nHead of sales",
        ),
        (
            &[
                "Sehr geehrte Frau Dr. Vollmer,",
                "der Preis bleibt.",
                "Mit freundlichen Grüßen",
                "Jan Petersen\nLeiter Vertrieb",
                "Anlage: Preisliste",
            ][..],
            "Mit freundlichen Grüßen",
            "Jan Petersen\nLeiter Vertrieb",
        ),
        (
            &[
                "Madame,",
                "Nous vous prions d'agréer, Madame, l'expression de nos salutations distinguées.",
                "Élise Delorme\nDirectrice",
            ][..],
            "Nous vous prions d'agréer, Madame, l'expression de nos salutations distinguées.",
            "Élise Delorme\nDirectrice",
        ),
        (
            &[
                "Estimada señora:",
                "El precio no cambia.",
                "Atentamente",
                "Lucía Prado",
            ][..],
            "Atentamente",
            "Lucía Prado",
        ),
        (
            &[
                "السيد خالد المحترم،",
                "يسري هذا العرض حتى نهاية العام.",
                "وتفضلوا بقبول فائق الاحترام والتقدير،",
                "سلمى الحربي\nمديرة المبيعات",
            ][..],
            "وتفضلوا بقبول فائق الاحترام والتقدير،",
            "سلمى الحربي\nمديرة المبيعات",
        ),
        (
            &[
                "Dear Ms Ray,",
                "We start in May.",
                "Best wishes,\nAnn Lee",
                "P.S. The key is at the gate.",
            ][..],
            "Best wishes,",
            "Ann Lee",
        ),
    ] {
        assert_eq!(
            signature(body),
            Some((above.to_owned(), name.to_owned())),
            "{body:?}"
        );
    }
}

#[test]
fn what_may_be_no_signature_stays_as_it_is() {
    for body in [
        // Nobody signs.
        &["Dear Ms Ray,", "The price stays.", "Enc.: price list 2027"][..],
        &["Dear Ms Ray,", "The price stays."],
        // A salutation before a call.
        &["Hello,", "Ann Lee"],
        // An address in the text.
        &[
            "Dear Ms Ray,",
            "Please send it to this place:",
            "Depot von Bremen\nHafen 4\n28217 Bremen",
            "We thank you.",
        ],
        // Sealed, not signed.
        &["拝啓 料金を改定いたします。", "敬具", "ハルデン\n森 亮"],
    ] {
        assert_eq!(signature(body), None, "{body:?}");
    }
    let mut document = letter(&["To the depot"], &["A text.", "Yours,", "Ann Lee"]);
    assert!(signed(&document).1.is_some());
    document.sections[0].layout = None;
    assert_eq!(signed(&document).1, None, "no letter");
}

#[test]
fn below_a_list_a_letter_is_closed_as_well() {
    let mut document = letter(&["To the depot"], &["Yours,", "Ann Lee"]);
    let item = Item {
        runs: vec![Run::plain("One")],
        items: Vec::new(),
    };
    let list = Block::Bullets(Bullets {
        ordered: false,
        items: vec![item],
    });
    document.sections[1].blocks.insert(0, list);
    let place = signed(&document).1.unwrap();
    assert_eq!((place.section, place.block), (1, 2));
}

#[test]
fn a_paragraph_is_parted_within_and_between_its_runs() {
    let mut document = letter(
        &["To the depot"],
        &["We start in May.", "Yours,\nAnn Lee\nDirector"],
    );
    let bold = Run {
        bold: true,
        ..Run::plain("Ann Lee")
    };
    document.sections[1].blocks[1] = Block::Paragraph(Paragraph::of(vec![
        Run::plain("Yours,"),
        Run::plain("\n"),
        bold.clone(),
        Run::plain("\nDirector"),
    ]));
    let (parted, place) = signed(&document);
    assert_eq!(place.unwrap().block, 2);
    let runs = |at: usize| match &parted.sections[1].blocks[at] {
        Block::Paragraph(paragraph) => paragraph.runs.clone(),
        _ => panic!("no paragraph"),
    };
    assert_eq!(runs(1), [Run::plain("Yours,")]);
    assert_eq!(runs(2), [bold, Run::plain("\nDirector")]);
}

#[test]
fn a_sender_stands_above_whom_it_writes_to() {
    let own = "Example Metering GmbH\nHafen 4\n28217 Bremen";
    let found = |head: &[&str]| sender(&letter(head, &["A text."]));
    let lines = found(&[own, "Mrs Okafor\n2 Harbour Street"]).unwrap();
    assert_eq!(lines, ["Example Metering GmbH", "Hafen 4", "28217 Bremen"]);
    assert_eq!(found(&[own]), None, "whoever is alone is the reader");
    assert_eq!(found(&["Mrs Okafor\n2 Harbour Street", own]), None);
    assert_eq!(
        found(&["Example Metering GmbH", "Mrs Okafor"]),
        None,
        "a name alone"
    );
    let mut document = letter(&[own, "Mrs Okafor"], &["A text."]);
    document.sections[0].layout = None;
    assert_eq!(sender(&document), None, "no letter");
}
