//! Documents that are files: whatever the bytes are, they are read or refused, twice alike and within the bounds.

use gtm_file_text::{limits, read};
use gtm_page_text::normalize;

pub const TARGET: crate::Target = crate::Target {
    name: "file_text",
    run,
    dictionary: &[
        b"%PDF-1.7\n",
        b"PK\x03\x04",
        b"PK\x01\x02",
        b"PK\x05\x06",
        b"word/document.xml",
        b"ppt/presentation.xml",
        b"_rels/.rels",
        b"1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n",
        b"2 0 obj<</Kids[3 0 R]>>endobj\n",
        b"3 0 obj<</Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n",
        b"4 0 obj<<>>stream\nBT /F 9 Tf (x) Tj ET\nendstream endobj\n",
        b"5 0 obj<</Subtype/Type0/Encoding/Identity-H/ToUnicode 4 0 R>>endobj\n",
        b"trailer<</Root 1 0 R>>",
        b"startxref\n0",
        b"/Filter/FlateDecode",
        b"/Filter[/ASCIIHexDecode/LZWDecode]",
        b"/Type/ObjStm/N 9/First 9",
        b"beginbfrange <00> <ff> <0041> endbfrange",
        b"/Length 4 0 R",
        b"<<",
        b"[",
        b"(",
    ],
};

fn run(input: &[u8]) -> String {
    let outcome = read(None, input);
    assert_eq!(outcome, read(None, input), "two readings differ");
    let file = match outcome {
        None => return "no document".to_owned(),
        Some(Err(refusal)) => return refusal.code().to_owned(),
        Some(Ok(file)) => file,
    };
    assert!(file.passages.len() <= limits::MAX_BLOCKS, "too many blocks");
    let word = format!(
        "{:?} {} {}",
        file.kind,
        file.passages.len().min(9),
        file.title.is_some()
    );
    let bytes: usize = file
        .passages
        .iter()
        .map(|passage| {
            let text = &passage.block.text;
            assert_eq!(*text, normalize(text), "not in normal form");
            text.len()
        })
        .sum();
    assert!(bytes <= limits::MAX_TEXT_BYTES, "too much text");
    word
}
