//! What is accepted as a template, and what is refused: bombs, programs, addresses, other kinds of files.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use gtm_ooxml::template::{Kind, MAX_BYTES, Template, TemplateError};
use gtm_ooxml::zip;

const TYPES: &str = "http://schemas.openxmlformats.org/package/2006/content-types";
const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml";
const W: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/// A text document with further entries, and other content of some.
fn document(changed: &[(&str, String)]) -> Vec<u8> {
    let types = format!(
        "<Types xmlns=\"{TYPES}\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/><Default Extension=\"bin\" ContentType=\"application/octet-stream\"/>\
         <Override PartName=\"/word/document.xml\" ContentType=\"{WORD}.document.main+xml\"/>\
         <Override PartName=\"/word/styles.xml\" ContentType=\"{WORD}.styles+xml\"/></Types>"
    );
    let mut entries = vec![
        ("[Content_Types].xml", types),
        (
            "_rels/.rels",
            relationships(&[("officeDocument", "word/document.xml", false)]),
        ),
        (
            "word/_rels/document.xml.rels",
            relationships(&[("styles", "styles.xml", false)]),
        ),
        (
            "word/document.xml",
            format!("<w:document xmlns:w=\"{W}\"><w:body/></w:document>"),
        ),
        ("word/styles.xml", format!("<w:styles xmlns:w=\"{W}\"/>")),
    ];
    for (name, content) in changed {
        match entries.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => old.clone_from(content),
            None => entries.push((name, content.clone())),
        }
    }
    zip::write(
        entries
            .iter()
            .map(|(name, content)| (*name, content.as_bytes())),
    )
    .unwrap()
}

fn relationships(all: &[(&str, &str, bool)]) -> String {
    let listed = all.iter().enumerate().map(|(index, (word, target, is_external))| {
        let mode = if *is_external { " TargetMode=\"External\"" } else { "" };
        format!("<Relationship Id=\"rId{index}\" Type=\"{OFFICE}/{word}\" Target=\"{target}\"{mode}/>")
    });
    format!(
        "<Relationships xmlns=\"{RELATIONSHIPS}\">{}</Relationships>",
        listed.collect::<String>()
    )
}

fn refused(bytes: &[u8]) -> TemplateError {
    Template::read(bytes, Kind::Document).unwrap_err()
}

#[test]
fn a_plain_document_is_a_template_of_its_kind_alone() {
    let bytes = document(&[]);
    assert!(Template::read(&bytes, Kind::Document).is_ok());
    let other = Template::read(&bytes, Kind::Presentation).unwrap_err();
    assert_eq!(other, TemplateError::OtherKind(Kind::Presentation));
    assert_eq!(other.to_string(), "it is no PPTX file");
}

#[test]
fn macros_are_refused_whatever_the_file_is_called() {
    let program = document(&[("word/vbaProject.bin", "program".to_owned())]);
    assert!(
        matches!(refused(&program), TemplateError::Macros(part) if part.contains("vbaProject"))
    );
    let types = format!(
        "<Types xmlns=\"{TYPES}\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Default Extension=\"xml\" ContentType=\"application/vnd.ms-word.document.macroEnabled.main+xml\"/></Types>"
    );
    assert!(matches!(
        refused(&document(&[("[Content_Types].xml", types)])),
        TemplateError::Macros(_)
    ));
}

#[test]
fn what_a_reader_would_fetch_is_refused_and_a_link_is_not() {
    for (word, target) in [
        ("image", "https://tracker.example/pixel.png"),
        ("hyperlink", "file:///etc/passwd"),
        ("hyperlink", "javascript:alert(1)"),
    ] {
        let relations = relationships(&[("styles", "styles.xml", false), (word, target, true)]);
        let bytes = document(&[("word/_rels/document.xml.rels", relations)]);
        let expected = TemplateError::External("/word/document.xml".to_owned(), target.to_owned());
        assert_eq!(refused(&bytes), expected);
    }
    let link = relationships(&[
        ("styles", "styles.xml", false),
        ("hyperlink", "https://a.example/", true),
        // Where the letter was made from, which is not taken over.
        ("attachedTemplate", "file:///C:/Users/a/Normal.dotm", true),
    ]);
    let bytes = document(&[("word/_rels/document.xml.rels", link)]);
    assert!(Template::read(&bytes, Kind::Document).is_ok());
}

#[test]
fn bombs_are_refused_before_they_are_unpacked() {
    let bomb = document(&[("word/styles.xml", "a".repeat(30 << 20))]);
    assert!(bomb.len() < 1 << 20);
    assert!(matches!(refused(&bomb), TemplateError::Archive(_)));
    assert_eq!(refused(&vec![0; MAX_BYTES + 1]), TemplateError::TooLarge);
    let deep = format!("<w:styles xmlns:w=\"{W}\">{}", "<w:a>".repeat(5_000));
    assert!(matches!(
        refused(&document(&[("word/styles.xml", deep)])),
        TemplateError::Xml { .. }
    ));
    let entities =
        format!("<!DOCTYPE a [<!ENTITY b \"c\">]><w:styles xmlns:w=\"{W}\">&b;</w:styles>");
    assert!(matches!(
        refused(&document(&[("word/styles.xml", entities)])),
        TemplateError::Xml { .. }
    ));
}

#[test]
fn what_is_no_package_of_office_is_refused() {
    assert!(matches!(refused(b"%PDF-1.7"), TemplateError::Archive(_)));
    let archive = zip::write([("a.txt", b"a".as_slice())]).unwrap();
    assert_eq!(refused(&archive), TemplateError::NoPackage);
    let strict =
        "<w:document xmlns:w=\"http://purl.oclc.org/ooxml/wordprocessingml/main\"/>".to_owned();
    assert!(matches!(
        refused(&document(&[("word/document.xml", strict)])),
        TemplateError::Unusual(_)
    ));
    let bare = document(&[("word/_rels/document.xml.rels", relationships(&[]))]);
    assert_eq!(refused(&bare), TemplateError::Missing("styles".to_owned()));
}

#[test]
fn any_cut_of_a_template_is_refused_without_a_panic() {
    let bytes = document(&[]);
    for end in 0..bytes.len() {
        assert!(Template::read(&bytes[..end], Kind::Document).is_err());
    }
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x55;
        let _ = Template::read(&changed, Kind::Document);
    }
}

/// A document with a header that holds `inside`.
fn with_header(inside: &str) -> Vec<u8> {
    let relations = relationships(&[
        ("styles", "styles.xml", false),
        ("header", "header1.xml", false),
    ]);
    document(&[
        ("word/_rels/document.xml.rels", relations),
        (
            "word/header1.xml",
            format!("<w:hdr xmlns:w=\"{W}\" xmlns:r=\"{OFFICE}\">{inside}</w:hdr>"),
        ),
    ])
}

fn complex(pieces: &[&str]) -> String {
    let runs = pieces
        .iter()
        .map(|piece| format!("<w:r><w:instrText>{piece}</w:instrText></w:r>"));
    format!(
        "<w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>{}<w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>\
         <w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>",
        runs.collect::<String>()
    )
}

#[test]
fn fields_that_fetch_or_run_are_refused_however_they_are_written() {
    let fetches = "INCLUDEPICTURE &quot;https://tracker.example/p.png&quot; \\d";
    let nested = complex(&["PAGE"])
        .replace("<w:p>", "")
        .replace("</w:p>", "");
    let begin = "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>";
    let end = "<w:r><w:fldChar w:fldCharType=\"end\"/></w:r>";
    for header in [
        format!("<w:p><w:fldSimple w:instr=\" {fetches} \"/></w:p>"),
        format!("<x:p xmlns:x=\"{W}\"><x:fldSimple x:instr=\"{fetches}\"/></x:p>"),
        complex(&[fetches]),
        complex(&["INC", "LUDE", "PICTURE a"]),
        complex(&["DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe &quot;/k calc&quot;"]),
        complex(&["HYPERLINK file:///etc/passwd"]),
        complex(&["MACROBUTTON AutoOpen click"]),
        // The name of the field is made by another.
        format!("<w:p>{begin}{nested}<w:r><w:instrText> a</w:instrText></w:r>{end}</w:p>"),
        // Shown text, or another field, stands where the name or the address of a link does.
        format!(
            "<w:p>{begin}<w:r><w:t>DDE c:</w:t></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>{end}</w:p>"
        ),
        format!(
            "<w:p>{begin}<w:r><w:instrText>HYPERLINK </w:instrText></w:r>{nested}\
             <w:r><w:instrText> https://acme.example/</w:instrText></w:r>{end}</w:p>"
        ),
        // Without an end, and without a beginning.
        format!("<w:p>{begin}<w:r><w:instrText>PAGE</w:instrText></w:r></w:p>"),
        "<w:p><w:r><w:instrText>DDE a</w:instrText></w:r></w:p>".to_owned(),
        // One reader sees PAGE, the other what follows.
        format!(
            "<w:p>{begin}<mc:AlternateContent xmlns:mc=\"m\"><mc:Choice Requires=\"z\"><w:r><w:instrText>PAGE </w:instrText></w:r>\
             </mc:Choice><mc:Fallback><w:r><w:instrText>{fetches}</w:instrText></w:r></mc:Fallback></mc:AlternateContent>{end}</w:p>"
        ),
    ] {
        let found = refused(&with_header(&header));
        let TemplateError::Field(part, _) = &found else {
            panic!("{found:?} for {header}");
        };
        assert_eq!(part, "/word/header1.xml");
    }
    assert!(
        refused(&with_header(&complex(&[fetches])))
            .to_string()
            .contains("INCLUDEPICTURE")
    );
}

#[test]
fn drawings_that_name_an_address_are_refused() {
    for attribute in ["src", "o:href", "r:href"] {
        let header = format!(
            "<w:p><w:r><w:pict><v:shape xmlns:v=\"v\" xmlns:o=\"o\"><v:imagedata {attribute}=\"https://tracker.example/p.png\"/>\
             </v:shape></w:pict></w:r></w:p>"
        );
        assert!(
            matches!(refused(&with_header(&header)), TemplateError::External(..)),
            "{attribute}"
        );
    }
}

#[test]
fn fields_of_ordinary_letterheads_are_kept() {
    let letterhead = [
        "<w:p><w:fldSimple w:instr=\" PAGE   \\* MERGEFORMAT \"/></w:p>".to_owned(),
        complex(&[" PAGE "]),
        complex(&[" NUM", "PAGES "]),
        complex(&["STYLEREF &quot;Heading 1&quot; \\* MERGEFORMAT"]),
        complex(&[" = 1 + 1 "]),
        complex(&["MACROBUTTON NoMacro [Name]"]),
        // The number of pages without the cover.
        "<w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>=</w:instrText></w:r>\
         <w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>NUMPAGES</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r>\
         <w:r><w:instrText>-1</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>"
            .to_owned(),
        complex(&["date \\@ &quot;d. MMMM yyyy&quot;"]),
        complex(&["HYPERLINK &quot;https://acme.example/&quot;"]),
        complex(&["HYPERLINK \\l &quot;_Toc1&quot;"]),
        "<w:p><w:r><w:pict><v:shape xmlns:v=\"v\" href=\"https://acme.example/\"><v:imagedata r:id=\"rId1\"/></v:shape></w:pict></w:r></w:p>"
            .to_owned(),
        // A field within a field: another text on the first page.
        "<w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>IF </w:instrText></w:r>\
         <w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r>\
         <w:r><w:instrText> = 1 &quot;&quot; &quot;2&quot;</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>"
            .to_owned(),
    ];
    for header in letterhead {
        let read = Template::read(&with_header(&header), Kind::Document);
        assert!(read.is_ok(), "{:?} for {header}", read.err());
    }
}
