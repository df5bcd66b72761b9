//! What is read of files that other people's tools wrote (`fixtures/make.py`).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use gtm_file_text::{FileKind, FileText, read};
use gtm_page_text::{Region, find_excerpt};

fn file(name: &str) -> FileText {
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).unwrap();
    read(None, &bytes).expect("a document").expect("readable")
}

/// Kind, level and text of each block of the main text.
fn outline(file: &FileText) -> Vec<String> {
    let main = file
        .passages
        .iter()
        .filter(|passage| passage.block.region == Region::Main);
    main.map(|passage| {
        let block = &passage.block;
        let level = block
            .level
            .map(|level| level.to_string())
            .unwrap_or_default();
        let page = passage
            .page
            .map(|page| format!("{page} "))
            .unwrap_or_default();
        format!("{page}{}{level}: {}", block.kind.as_str(), block.text)
    })
    .collect()
}

#[test]
fn a_docx_has_headings_lists_rows_and_nothing_that_is_hidden() {
    let file = file("python-docx.docx");
    assert_eq!(
        (file.kind, file.pages, file.cut),
        (FileKind::Docx, None, false)
    );
    assert_eq!(file.title.as_deref(), Some("Meters for flats"));
    assert_eq!(
        outline(&file),
        [
            "heading1: Meters for flats",
            "heading1: Why it pays",
            "paragraph: We install 18,000 meters a year and send one bill per flat.",
            "list_item: Installed in one day",
            "list_item: No drilling",
            "list_item: Sign the offer",
            "quote: They were done by lunch.",
            "table_row: Plan Price",
            "table_row: Basic £3.20",
            "table_row: Full £5.80",
            "heading2: 日本語の見出し",
            "paragraph: 水道メーターを一日で設置します。料金は月額四百八十円です。",
            "heading2: لماذا نحن",
            "paragraph: نركب العدادات في يوم واحد، والسعر 12.5 دولار لكل شقة.",
            "paragraph: Straße & Größe <ok>",
        ]
    );
}

#[test]
fn a_pptx_is_read_slide_by_slide_without_notes_and_hidden_slides() {
    let file = file("python-pptx.pptx");
    assert_eq!((file.kind, file.pages), (FileKind::Pptx, Some(5)));
    assert_eq!(
        outline(&file),
        [
            "1 heading1: One bill per flat",
            "1 paragraph: Northwind Metering, spring 2026",
            "2 heading2: 三つの利点",
            "2 list_item: 一日で設置",
            "2 list_item: No drilling",
            "2 list_item: بدون حفر",
            "3 heading2: Prices",
            "3 table_row: Plan Price",
            "3 table_row: Basic £3.20",
            "3 paragraph: Prices per flat and month.",
            "4 heading2: Meters installed",
            "4 table_row: Meters 2024 12000",
            "4 table_row: Meters 2025 18000",
        ]
    );
}

#[test]
fn a_document_says_the_same_as_docx_and_as_pdf() {
    let [docx, pdf] = ["libreoffice.docx", "libreoffice.pdf"].map(file);
    let without_pages = |file: &FileText| -> Vec<String> {
        let lines = outline(file).into_iter();
        lines
            .map(|line| line.trim_start_matches("1 ").to_owned())
            .collect()
    };
    assert_eq!(without_pages(&docx), without_pages(&pdf));
    assert_eq!(
        (pdf.title.as_deref(), pdf.language.as_deref()),
        (Some("Heat pumps for old houses"), Some("en-US"))
    );
}

#[test]
fn fonts_without_unicode_maps_running_heads_and_rows_are_read() {
    let file = file("reportlab.pdf");
    assert_eq!(file.pages, Some(3));
    let outline = outline(&file);
    assert_eq!(outline[0], "1 heading1: Metering report 2026");
    assert_eq!(outline[1], "1 heading1: Results");
    assert!(
        outline[2].ends_with("The café in München saved 23.5 % of its water."),
        "{}",
        outline[2]
    );
    assert!(outline.contains(&"1 table_row: Elm Street 4 24 12 %".to_owned()));
    assert!(outline.contains(&"2 heading1: 日本の事例".to_owned()));
    let text = file.into_page_text();
    assert!(
        find_excerpt(
            &text.text(),
            "東京の集合住宅では、二千二十五年に千八百台の水道メーターを設置しました。"
        )
        .is_some()
    );
    let beside = text
        .blocks
        .iter()
        .filter(|block| block.region == Region::Boilerplate);
    assert_eq!(
        beside.count(),
        6,
        "a running head and a page number on each page"
    );
    assert!(text.evidence_text().ends_with("\nMetering report 2026"));
}

#[test]
fn hyphenated_and_right_to_left_text_reads_as_it_was_written() {
    let file = file("typst.pdf");
    assert_eq!(file.language.as_deref(), Some("de"));
    let text = file.into_page_text().text();
    for excerpt in [
        "Wir messen jeden Raum, bemessen die Pumpe nach dem Gemessenen",
        "die Wirtschaftlichkeitsberechnung liegt bei.",
        "Festpreis von 14.900 €",
        "Klein 6 kW 11.900 €",
        "مضخات حرارية للبيوت القديمة بسعر 14900 يورو، مع ضمان لخمس سنوات.",
        "古い家のためのヒートポンプ。価格は二百万円で、五年間の保証が付きます。",
    ] {
        assert!(
            find_excerpt(&text, excerpt).is_some(),
            "{excerpt} in {text}"
        );
    }
}

#[test]
fn shaped_arabic_and_other_scripts_are_read() {
    let text = file("fpdf2.pdf").into_page_text().text();
    for excerpt in [
        "Zażółć gęślą jaźń. Όλα για 12,50 €. Привет, мир!",
        "عرض للمستأجرين بسعر 480 درهم",
    ] {
        assert!(
            find_excerpt(&text, excerpt).is_some(),
            "{excerpt} in {text}"
        );
    }
}
