//! Files made to cost much, to go in circles or to reach outside: each is refused with its code or read in part,
//! soon.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod build;
mod hidden;

use std::time::Duration;

use build::{Entry, document, docx, entry, page, pdf, stream, zip};
use gtm_file_text::{FileKind, FileText, Refusal, read};

/// The most work that any of these may be, without optimization. On a busy machine it takes longer.
const SOON: Duration = Duration::from_secs(30);

/// Time that a processor has spent on this thread.
fn worked() -> Duration {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(spent.split(' ').next().unwrap().parse().unwrap())
}

fn outcome(bytes: &[u8]) -> Result<FileText, Refusal> {
    outcome_as(FileKind::Docx, bytes)
}

fn outcome_as(kind: FileKind, bytes: &[u8]) -> Result<FileText, Refusal> {
    let start = worked();
    let outcome = read(Some(kind.media_type()), bytes).expect("a document");
    assert!(worked() - start < SOON, "took {:?}", worked() - start);
    outcome
}

fn refusal(bytes: &[u8]) -> &'static str {
    outcome(bytes).expect_err("refused").code()
}

fn text(bytes: &[u8]) -> String {
    outcome(bytes).expect("readable").into_page_text().text()
}

/// Two hundred million spaces, deflated.
fn bomb() -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec(&vec![b' '; 200_000_000], 1)
}

#[test]
fn a_bomb_of_200_megabytes_is_refused_whatever_it_says_of_its_size() {
    let packed = bomb();
    for claimed in [200_000_000, 1_000] {
        let entry = Entry {
            name: "word/document.xml",
            packed: packed.clone(),
            claimed,
            flags: 0,
        };
        let bytes = zip(&[entry]);
        let start = worked();
        assert_eq!(refusal(&bytes), "document_too_large");
        assert!(
            (worked() - start) < Duration::from_secs(5),
            "took {:?}",
            (worked() - start)
        );
    }
    let mut objects = page("");
    // RFC 1950 puts two bytes before it, and a checksum behind that nobody gets to.
    let zlib = [b"\x78\xDA".as_slice(), &packed].concat();
    objects[3] = [
        format!("<</Filter/FlateDecode/Length {}>>stream\n", zlib.len()).into_bytes(),
        zlib,
        b"\nendstream".to_vec(),
    ]
    .concat();
    assert_eq!(refusal(&pdf(&objects, true)), "document_too_large");
    assert_eq!(refusal(&pdf(&objects, false)), "document_too_large");
}

#[test]
fn bombs_in_bombs_and_bombs_beside_the_text() {
    // The filter is applied twice.
    let inner = miniz_oxide::deflate::compress_to_vec_zlib(&vec![b' '; 100_000_000], 1);
    let mut objects = page("");
    let twice = miniz_oxide::deflate::compress_to_vec_zlib(&inner, 9);
    objects[3] = [
        format!(
            "<</Filter[/FlateDecode/FlateDecode]/Length {}>>stream\n",
            twice.len()
        )
        .into_bytes(),
        twice,
        b"\nendstream".to_vec(),
    ]
    .concat();
    assert_eq!(refusal(&pdf(&objects, true)), "document_too_large");
    // What isn't needed isn't unpacked.
    let beside = Entry {
        name: "word/media/image1.png",
        packed: inner,
        claimed: 100_000_000,
        flags: 0,
    };
    let body = document("<w:p><w:r><w:t>Seen</w:t></w:r></w:p>");
    assert_eq!(
        text(&zip(&[entry("word/document.xml", body.as_bytes()), beside])),
        "Seen"
    );
}

#[test]
fn definitions_of_entities_are_refused_and_none_is_ever_opened() {
    let bombs = [
        "<!DOCTYPE d [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]><d>&b;</d>",
        "<!DOCTYPE d [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><d>&x;</d>",
        "<!DOCTYPE d SYSTEM 'http://127.0.0.1/evil.dtd'><d/>",
        "<d>&undefined;</d>",
    ];
    for bomb in bombs {
        assert_eq!(
            refusal(&zip(&[entry("word/document.xml", bomb.as_bytes())])),
            "unreadable_document"
        );
    }
    let relations = "<Relationships><Relationship Id='1' Type='x/officeDocument' TargetMode='External' \
        Target='http://127.0.0.1/'/><Relationship Id='2' Type='x/officeDocument' Target='../../etc/passwd'/></Relationships>";
    let body = document("<w:p><w:r><w:t>Own</w:t></w:r></w:p>");
    let files = [
        entry("_rels/.rels", relations.as_bytes()),
        entry("word/document.xml", body.as_bytes()),
    ];
    assert_eq!(text(&zip(&files)), "Own");
}

#[test]
fn deep_and_broken_markup_is_refused() {
    assert_eq!(
        refusal(&docx(&"<w:tbl>".repeat(100_000))),
        "unreadable_document"
    );
    assert_eq!(refusal(&docx("<w:p></w:r>")), "unreadable_document");
    assert_eq!(refusal(b"PK\x03\x04 and no more"), "unreadable_document");
    assert_eq!(
        refusal(&zip(&[entry("word/other.xml", b"<x/>")])),
        "unreadable_document"
    );
}

#[test]
fn empty_elements_without_end_cost_little() {
    for element in [
        "<w:p/>",
        "<w:tr><w:tc/></w:tr>",
        "<w:r/>",
        "<w:p><w:pPr><w:pStyle w:val='x'/></w:pPr></w:p>",
    ] {
        let body = element.repeat(3_000_000 / element.len());
        // Stored rather than deflated, so that only the reader bounds it.
        let body = document(&body);
        let stored = Entry {
            packed: miniz_oxide::deflate::compress_to_vec(body.as_bytes(), 0),
            ..entry("word/document.xml", b"")
        };
        assert_eq!(text(&zip(&[stored])), "");
    }
}

#[test]
fn styles_in_a_circle_end() {
    let styles = "<styles><style styleId='a'><basedOn val='b'/></style><style styleId='b'><basedOn val='a'/></style></styles>";
    let relations =
        "<Relationships><Relationship Id='1' Type='x/styles' Target='styles.xml'/></Relationships>";
    let body =
        document("<w:p><w:pPr><w:pStyle w:val='a'/></w:pPr><w:r><w:t>Round</w:t></w:r></w:p>");
    let files = [
        entry("word/document.xml", body.as_bytes()),
        entry("word/_rels/document.xml.rels", relations.as_bytes()),
        entry("word/styles.xml", styles.as_bytes()),
    ];
    assert_eq!(text(&zip(&files)), "Round");
}

#[test]
fn encrypted_files_say_so() {
    let mut locked = entry("word/document.xml", b"<x/>");
    locked.flags = 1;
    assert_eq!(refusal(&zip(&[locked])), "encrypted_document");
    let mut compound = vec![0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];
    compound.extend([0; 1024]);
    compound.extend("EncryptedPackage".bytes().flat_map(|byte| [byte, 0]));
    assert_eq!(refusal(&compound), "encrypted_document");
    let plain = String::from_utf8_lossy(&pdf(&page("BT (x) Tj ET"), true)).into_owned();
    let locked = plain.replace("/Root 1 0 R", "/Encrypt<</Filter/Standard>>/Root 1 0 R");
    assert_eq!(refusal(locked.as_bytes()), "encrypted_document");
}

const HELLO: &str = "BT /F 12 Tf 72 700 Td (Hello, reader) Tj ET";

#[test]
fn a_pdf_with_broken_cross_references_is_read_all_the_same() {
    assert_eq!(text(&pdf(&page(HELLO), true)), "Hello, reader");
    assert_eq!(text(&pdf(&page(HELLO), false)), "Hello, reader");
    let whole = pdf(&page(HELLO), true);
    let at = whole
        .windows(9)
        .rposition(|window| window == b"startxref")
        .unwrap();
    for number in ["0", "99999999999999999999", "7", "-1"] {
        let mut broken = whole[..at].to_vec();
        broken.extend(format!("startxref\n{number}\n%%EOF").bytes());
        assert_eq!(text(&broken), "Hello, reader", "{number}");
    }
    // Everything is shifted by something that was put before it, or between.
    let mut shifted = b"junk before\n".to_vec();
    shifted.extend(&whole);
    let declared = read(Some("application/pdf"), &shifted).unwrap().unwrap();
    assert_eq!(declared.into_page_text().text(), "Hello, reader");
    let mut moved = whole[..9].to_vec();
    moved.extend(b"%%%%%%%%%%%%%%%%%\n");
    moved.extend(&whole[9..]);
    assert_eq!(text(&moved), "Hello, reader");
}

#[test]
fn objects_in_compressed_streams_are_found_with_and_without_a_table() {
    let inner = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
    ];
    let mut header = String::new();
    let mut body = String::new();
    for (number, object) in (1..).zip(inner) {
        header.push_str(&format!("{number} {} ", body.len()));
        body.push_str(object);
        body.push(' ');
    }
    let packed = stream(
        &format!("/Type/ObjStm/N 3/First {}", header.len()),
        format!("{header}{body}").as_bytes(),
    );
    let font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec();
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (number, object) in [(4, stream("", HELLO.as_bytes())), (5, font), (6, packed)] {
        offsets.push(bytes.len());
        bytes.extend(format!("{number} 0 obj\n").bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    let start = bytes.len();
    let mut table = vec![0, 0, 0, 0];
    table.extend([0, 1, 2].map(|index| [2, 0, 6, index]).concat());
    for offset in offsets {
        let offset = u16::try_from(offset).unwrap().to_be_bytes();
        table.extend([1, offset[0], offset[1], 0]);
    }
    let references = stream("/Type/XRef/W[1 2 1]/Size 7/Root 1 0 R", &table);
    let mut with_table = bytes.clone();
    with_table.extend(b"7 0 obj\n");
    with_table.extend(&references);
    with_table.extend(format!("\nendobj\nstartxref\n{start}\n%%EOF").bytes());
    assert_eq!(text(&with_table), "Hello, reader");
    // Cut off, so that only a search finds the object stream; the catalog is in it, and only it says so.
    bytes.extend(b"trailer <</Root 1 0 R>>");
    assert_eq!(text(&bytes), "Hello, reader");
}

#[test]
fn circles_and_depths_end() {
    let with = |at: usize, object: &str| {
        let mut objects = page(HELLO);
        objects[at] = object.as_bytes().to_vec();
        pdf(&objects, true)
    };
    // Pages that contain themselves.
    let circle = with(1, "<</Type/Pages/Kids[2 0 R 2 0 R 3 0 R 3 0 R]/Count 9>>");
    assert_eq!(text(&circle), "Hello, reader");
    // References to themselves and to each other.
    assert_eq!(refusal(&with(1, "2 0 R")), "unreadable_document");
    // A length that is the stream itself.
    let mut objects = page(HELLO);
    objects[3] = [
        b"<</Length 4 0 R>>stream\n".as_slice(),
        HELLO.as_bytes(),
        b"\nendstream",
    ]
    .concat();
    assert_eq!(text(&pdf(&objects, true)), "Hello, reader");
    // A form that shows itself twice.
    let mut objects = page(&format!("{HELLO} /X Do"));
    objects.push(stream(
        "/Subtype/Form/Resources<</XObject<</X 6 0 R>>>>",
        b"/X Do /X Do",
    ));
    assert_eq!(text(&pdf(&objects, true)), "Hello, reader");
    // Forms that show one another hundreds of times: too much, and told as such.
    let mut objects = page("/X Do");
    objects.push(stream(
        "/Subtype/Form/Resources<</XObject<</X 6 0 R>>>>",
        "/X Do ".repeat(500).as_bytes(),
    ));
    assert_eq!(refusal(&pdf(&objects, true)), "document_too_large");
    // Arrays and dictionaries without end.
    for deep in [
        "[".repeat(500_000),
        "<</A".repeat(200_000),
        "(".repeat(500_000),
    ] {
        let outcome = outcome(&with(1, &deep));
        assert!(outcome.is_err() || outcome.unwrap().passages.is_empty());
        let mut objects = page(HELLO);
        objects[3] = stream("", format!("{HELLO} {deep}").as_bytes());
        assert_eq!(text(&pdf(&objects, true)), "Hello, reader");
    }
    // A chain of lengths, each of which is that of a stream with the next.
    let mut objects = page(HELLO);
    objects.push(b"<<>>".to_vec());
    for next in 8..3_000 {
        objects.push(format!("<</Length {next} 0 R>>stream\nx\nendstream").into_bytes());
    }
    objects[3] = [
        b"<</Length 7 0 R>>stream\n".as_slice(),
        HELLO.as_bytes(),
        b"\nendstream",
    ]
    .concat();
    assert_eq!(text(&pdf(&objects, true)), "Hello, reader");
}

#[test]
fn more_than_a_page_can_have_is_cut() {
    let content = format!(
        "BT /F 12 Tf 72 700 Td {} ET",
        "(aaaaaaaaaa) Tj ".repeat(60_000)
    );
    let file = outcome(&pdf(&page(&content), true)).unwrap();
    assert!(file.cut);
    let huge = format!(
        "<w:p><w:r><w:t>{}</w:t></w:r></w:p>",
        "word ".repeat(100_000)
    );
    let file = outcome(&zip(&[Entry {
        packed: miniz_oxide::deflate::compress_to_vec(document(&huge.repeat(8)).as_bytes(), 1),
        ..entry("word/document.xml", b"")
    }]))
    .unwrap();
    assert!(file.cut && file.passages.len() == 6);
}

#[test]
fn a_file_above_the_bound_is_not_even_opened() {
    let mut bytes = pdf(&page(HELLO), true);
    bytes.resize(gtm_file_text::limits::MAX_FILE_BYTES + 1, b'\n');
    assert_eq!(refusal(&bytes), "document_too_large");
}

#[test]
fn other_archives_are_no_documents() {
    let sheet = zip(&[entry("xl/workbook.xml", b"<workbook/>")]);
    assert!(read(None, &sheet).is_none());
    assert!(read(Some("application/zip"), &sheet).is_none());
    assert_eq!(
        read(Some(FileKind::Docx.media_type()), &sheet),
        Some(Err(Refusal::Unreadable))
    );
}
