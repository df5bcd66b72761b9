//! What must hold for any bytes: an answer, the same one each time, in normal form and within the bounds.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod build;

use build::{docx, page, pdf};
use gtm_file_text::{FileKind, limits, read};
use gtm_page_text::{find_excerpt, normalize};
use proptest::prelude::*;

fn check(content_type: Option<&str>, bytes: &[u8]) {
    let outcome = read(content_type, bytes);
    assert_eq!(outcome, read(content_type, bytes), "not deterministic");
    let Some(Ok(file)) = outcome else { return };
    assert!(file.passages.len() <= limits::MAX_BLOCKS);
    let text = file.into_page_text();
    for block in &text.blocks {
        assert!(!block.text.is_empty());
        assert_eq!(block.text, normalize(&block.text), "not in normal form");
        assert!(block.level.is_none_or(|level| (1..=6).contains(&level)));
        assert!(find_excerpt(&text.evidence_text(), &block.text).is_some());
    }
    assert!(text.text().len() <= limits::MAX_TEXT_BYTES + limits::MAX_BLOCKS);
}

const TYPES: [Option<&str>; 4] = [
    None,
    Some("application/pdf"),
    Some("application/octet-stream"),
    Some("application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
];

fn fixtures() -> Vec<Vec<u8>> {
    [
        "python-docx.docx",
        "python-pptx.pptx",
        "reportlab.pdf",
        "typst.pdf",
        "fpdf2.pdf",
        "libreoffice.pdf",
    ]
    .iter()
    .map(|name| {
        std::fs::read(format!(
            "{}/tests/fixtures/{name}",
            env!("CARGO_MANIFEST_DIR")
        ))
        .unwrap()
    })
    .collect()
}

/// Operators and pieces of content.
fn content() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("BT "),
        Just("ET "),
        Just("/F 12 Tf "),
        Just("/F 0 Tf "),
        Just("1 0 0 1 72 700 Tm "),
        Just("0 -14 Td "),
        Just("0 1 -1 0 9 9 Tm "),
        Just("1e9 0 0 1e9 0 0 cm "),
        Just("(Hello) Tj "),
        Just("[(a)-300(b)] TJ "),
        Just("<4142> Tj "),
        Just("q "),
        Just("Q "),
        Just("/X Do "),
        Just("/Artifact BMC "),
        Just("/Span<</ActualText(\\376\\377\\000A)>>BDC "),
        Just("EMC "),
        Just("BI /W 1 ID "),
        Just(" EI "),
        Just("(( "),
        Just("<< "),
        Just("] "),
        Just("T* "),
        Just("50 Tz "),
        Just("-5 Tc "),
        Just("' "),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// Elements of a document's body, balanced or not.
fn body() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<w:p>"),
        Just("</w:p>"),
        Just("<w:r>"),
        Just("</w:r>"),
        Just("<w:t>word </w:t>"),
        Just("<w:tbl>"),
        Just("</w:tbl>"),
        Just("<w:tr>"),
        Just("</w:tr>"),
        Just("<w:tc>"),
        Just("</w:tc>"),
        Just("<w:vanish/>"),
        Just("<w:del>"),
        Just("</w:del>"),
        Just("<w:p><w:r><w:t>a&amp;b</w:t></w:r></w:p>"),
        Just("&#x41;"),
        Just("<w:pPr><w:outlineLvl w:val='99'/></w:pPr>"),
        Just("<![CDATA[x]]>"),
        Just("<w:tab/>"),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_bytes(kind in prop::sample::select(TYPES.to_vec()), head in prop::sample::select(vec!["", "%PDF-1.4\n", "PK\u{3}\u{4}"]), bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        check(kind, &[head.as_bytes(), &bytes].concat());
    }

    #[test]
    fn any_content(content in content(), with_table: bool) {
        check(Some("application/pdf"), &pdf(&page(&content), with_table));
    }

    #[test]
    fn any_body(body in body()) {
        check(Some(FileKind::Docx.media_type()), &docx(&body));
    }

    #[test]
    fn any_damage(which in 0usize..6, hits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12), cut in prop::option::of(any::<prop::sample::Index>())) {
        let mut bytes = fixtures().swap_remove(which);
        for (at, byte) in hits {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        check(None, &bytes);
    }
}
