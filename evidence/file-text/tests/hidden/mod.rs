//! Text that nobody sees who looks at the file is left out and counted; what is seen stays.

use gtm_file_text::{FileKind, FileText, read};

use crate::build::{document, docx, entry, page, pdf, stream, zip};

/// The text of a file, and how many texts of it are hidden.
fn seen(kind: FileKind, bytes: &[u8]) -> (String, usize) {
    let file: FileText = read(Some(kind.media_type()), bytes).unwrap().unwrap();
    let hidden = file.hidden;
    (file.into_page_text().text(), hidden)
}

fn run(properties: &str, text: &str) -> String {
    format!("<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>")
}

#[test]
fn text_of_a_docx_that_nobody_sees_is_left_out() {
    for properties in [
        "<w:vanish/>",
        "<w:color w:val='FFFFFF'/>",
        "<w:color w:val='FEFEFE'/>",
        "<w:strike/>",
        "<w:dstrike/>",
        "<w:sz w:val='2'/>",
        "<w:shd w:val='clear' w:fill='336699'/><w:color w:val='336699'/>",
        "<w:highlight w:val='black'/><w:color w:val='000000'/>",
    ] {
        let body = format!(
            "<w:p>{}{}</w:p>",
            run("", "Rooms."),
            run(properties, "Floor 40.")
        );
        let read = seen(FileKind::Docx, &docx(&body));
        assert_eq!(read, ("Rooms.".to_owned(), 1), "{properties}");
    }
    let deleted = "<w:p><w:r><w:t>Rooms.</w:t></w:r><w:del><w:r><w:delText>40</w:delText></w:r></w:del></w:p>";
    assert_eq!(
        seen(FileKind::Docx, &docx(deleted)),
        ("Rooms.".to_owned(), 1)
    );
}

#[test]
fn text_of_a_docx_that_is_seen_stays() {
    let white = run("<w:color w:val='FFFFFF'/>", "Rooms.");
    for body in [
        format!(
            "<w:p>{}</w:p>",
            run("<w:vanish w:val='0'/><w:color w:val='auto'/>", "Rooms.")
        ),
        format!(
            "<w:p>{}</w:p>",
            run(
                "<w:shd w:val='clear' w:fill='003366'/><w:color w:val='FFFFFF'/>",
                "Rooms."
            )
        ),
        format!("<w:p><w:pPr><w:shd w:val='clear' w:fill='003366'/></w:pPr>{white}</w:p>"),
        format!(
            "<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:fill='003366'/></w:tcPr><w:p>{white}</w:p></w:tc></w:tr></w:tbl>"
        ),
        format!(
            "<w:p><w:r><w:drawing><w:txbxContent><w:p>{white}</w:p></w:txbxContent></w:drawing></w:r></w:p>"
        ),
        format!(
            "<w:p>{}</w:p>",
            run("<w:sz w:val='16'/><w:strike w:val='false'/>", "Rooms.")
        ),
    ] {
        assert_eq!(
            seen(FileKind::Docx, &docx(&body)),
            ("Rooms.".to_owned(), 0),
            "{body}"
        );
    }
}

#[test]
fn styles_of_a_docx_hide_text_too_and_comments_are_counted() {
    let styles = "<w:styles xmlns:w='urn:w'><w:style w:type='paragraph' w:styleId='A'><w:rPr><w:vanish/></w:rPr></w:style>\
        <w:style w:type='character' w:styleId='B'><w:basedOn w:val='C'/></w:style>\
        <w:style w:type='character' w:styleId='C'><w:rPr><w:color w:val='FFFFFF'/></w:rPr></w:style>\
        <w:style w:type='table' w:styleId='T'><w:tblStylePr w:type='firstRow'><w:tcPr><w:shd w:fill='003366'/></w:tcPr></w:tblStylePr></w:style></w:styles>";
    let kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let related = format!(
        "<Relationships xmlns='urn:r'><Relationship Id='1' Type='{kinds}/styles' Target='styles.xml'/>\
         <Relationship Id='2' Type='{kinds}/comments' Target='comments.xml'/></Relationships>"
    );
    let white = run("<w:color w:val='FFFFFF'/>", "Halls.");
    let body = format!(
        "<w:p><w:r><w:t>Rooms.</w:t></w:r></w:p><w:p><w:pPr><w:pStyle w:val='A'/></w:pPr>{}</w:p><w:p>{}</w:p>\
         <w:tbl><w:tblPr><w:tblStyle w:val='T'/></w:tblPr><w:tr><w:tc><w:p>{white}</w:p></w:tc></w:tr></w:tbl>",
        run("", "Floor 40."),
        run("<w:rStyle w:val='B'/>", "Floor 41.")
    );
    let file = zip(&[
        entry("word/document.xml", document(&body).as_bytes()),
        entry("word/styles.xml", styles.as_bytes()),
        entry("word/comments.xml", b"<w:comments xmlns:w='urn:w'><w:comment><w:p><w:r><w:t>42</w:t></w:r></w:p></w:comment></w:comments>"),
        entry("word/_rels/document.xml.rels", related.as_bytes()),
    ]);
    assert_eq!(
        seen(FileKind::Docx, &file),
        ("Rooms.\nHalls.".to_owned(), 3)
    );
}

/// A deck of one slide, 100 by 100, on a white master.
fn deck(shapes: &str) -> Vec<u8> {
    let kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let related = |kind: &str, target: &str| {
        format!(
            "<Relationships xmlns='urn:r'><Relationship Id='r1' Type='{kinds}/{kind}' Target='{target}'/></Relationships>"
        )
    };
    let names = "xmlns:p='urn:p' xmlns:a='urn:a' xmlns:r='urn:o'";
    let part = |text: String| text.into_bytes();
    zip(&[
        entry(
            "ppt/presentation.xml",
            &part(format!(
                "<p:presentation {names}><p:sldIdLst><p:sldId id='1' r:id='r1'/></p:sldIdLst><p:sldSz cx='100' cy='100'/></p:presentation>"
            )),
        ),
        entry(
            "ppt/_rels/presentation.xml.rels",
            &part(related("slide", "slides/slide1.xml")),
        ),
        entry(
            "ppt/slides/slide1.xml",
            &part(format!(
                "<p:sld {names}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"
            )),
        ),
        entry(
            "ppt/slides/_rels/slide1.xml.rels",
            &part(related("slideLayout", "../slideLayouts/slideLayout1.xml")),
        ),
        entry(
            "ppt/slideLayouts/slideLayout1.xml",
            &part(format!("<p:sldLayout {names}/>")),
        ),
        entry(
            "ppt/slideLayouts/_rels/slideLayout1.xml.rels",
            &part(related("slideMaster", "../slideMasters/slideMaster1.xml")),
        ),
        entry(
            "ppt/slideMasters/slideMaster1.xml",
            &part(format!(
                "<p:sldMaster {names}><p:cSld><p:bg><p:bgRef idx='1001'><a:schemeClr val='bg1'/></p:bgRef></p:bg></p:cSld></p:sldMaster>"
            )),
        ),
        entry(
            "ppt/slideMasters/_rels/slideMaster1.xml.rels",
            &part(related("theme", "../theme/theme1.xml")),
        ),
        entry(
            "ppt/theme/theme1.xml",
            &part(format!(
                "<a:theme {names}><a:lt1><a:sysClr val='window' lastClr='FFFFFF'/></a:lt1></a:theme>"
            )),
        ),
    ])
}

fn shape(place: &str, properties: &str, text: &str) -> String {
    let fill = if properties.starts_with("<fill") {
        properties
    } else {
        ""
    };
    let fill = fill
        .replace("<fill>", "<a:solidFill><a:srgbClr val='")
        .replace("</fill>", "'/></a:solidFill>");
    let run = if fill.is_empty() {
        properties
    } else {
        "<a:rPr><a:solidFill><a:srgbClr val='FFFFFF'/></a:solidFill></a:rPr>"
    };
    format!(
        "<p:sp><p:spPr><a:xfrm>{place}</a:xfrm>{fill}</p:spPr><p:txBody><a:p><a:r>{run}<a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
    )
}

#[test]
fn text_of_a_slide_that_nobody_sees_is_left_out() {
    let on = "<a:off x='10' y='10'/><a:ext cx='50' cy='20'/>";
    let seen_shape = shape(on, "", "Rooms.");
    let white = "<a:rPr><a:solidFill><a:srgbClr val='FFFFFF'/></a:solidFill></a:rPr>";
    let light = "<a:rPr><a:solidFill><a:schemeClr val='bg1'/></a:solidFill></a:rPr>";
    for hidden in [
        shape(
            "<a:off x='-60' y='10'/><a:ext cx='50' cy='20'/>",
            "",
            "Floor 40.",
        ),
        shape(
            "<a:off x='10' y='100'/><a:ext cx='50' cy='20'/>",
            "",
            "Floor 40.",
        ),
        shape(on, white, "Floor 40."),
        shape(on, light, "Floor 40."),
        shape(on, "<fill>FFFFFF</fill>", "Floor 40."),
        shape(on, "<a:rPr sz='100'/>", "Floor 40."),
        shape(on, "<a:rPr strike='sngStrike'/>", "Floor 40."),
        format!(
            "<p:grpSp><p:grpSpPr><a:xfrm><a:off x='200' y='0'/><a:ext cx='50' cy='50'/><a:chOff x='0' y='0'/><a:chExt cx='50' cy='50'/></a:xfrm></p:grpSpPr>{}</p:grpSp>",
            shape(on, "", "Floor 40.")
        ),
    ] {
        let read = seen(FileKind::Pptx, &deck(&format!("{seen_shape}{hidden}")));
        assert_eq!(read, ("Rooms.".to_owned(), 1), "{hidden}");
    }
}

#[test]
fn text_of_a_slide_that_is_seen_stays() {
    let on = "<a:off x='10' y='10'/><a:ext cx='50' cy='20'/>";
    let white = "<a:rPr><a:solidFill><a:srgbClr val='FFFFFF'/></a:solidFill></a:rPr>";
    let dark = "<p:pic><p:spPr/></p:pic>";
    for shapes in [
        shape(on, "<fill>003366</fill>", "Rooms."),
        shape(
            "<a:off x='-10' y='10'/><a:ext cx='50' cy='20'/>",
            "",
            "Rooms.",
        ),
        format!("{dark}{}", shape(on, white, "Rooms.")),
        shape(on, white, "Rooms.")
            .replace("<p:spPr>", "<p:nvPr><p:ph type='title'/></p:nvPr><p:spPr>"),
        shape(on, "<a:rPr strike='noStrike' sz='1800'/>", "Rooms."),
    ] {
        let read = seen(FileKind::Pptx, &deck(&shapes));
        assert_eq!(read, ("Rooms.".to_owned(), 0), "{shapes}");
    }
}

fn pdf_of(content: &str) -> (String, usize) {
    let mut objects = page(content);
    objects[2] = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>>".to_vec();
    objects.push(stream(
        "/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8",
        b"\0",
    ));
    seen(FileKind::Pdf, &pdf(&objects, true))
}

const SHOWN: &str = "BT /F 12 Tf 50 700 Td (Rooms.) Tj ET";

#[test]
fn text_of_a_pdf_that_nobody_sees_is_left_out() {
    for hidden in [
        "BT 3 Tr /F 12 Tf 50 600 Td (Floor 40.) Tj ET",
        "BT 1 1 1 rg /F 12 Tf 50 600 Td (Floor 40.) Tj ET",
        "BT 1 g /F 12 Tf 50 600 Td (Floor 40.) Tj ET",
        "BT 0 0 0 0 k /F 12 Tf 50 600 Td (Floor 40.) Tj ET",
        "BT /DeviceRGB cs 1 1 1 sc /F 12 Tf 50 600 Td (Floor 40.) Tj ET",
        "BT /F 12 Tf 50 900 Td (Floor 40.) Tj ET",
        "BT /F 12 Tf 50 -100 Td (Floor 40.) Tj ET",
        "BT /F 1 Tf 50 600 Td (Floor 40.) Tj ET",
        // A dark box that stands elsewhere.
        "0 g 50 100 200 50 re f BT 1 g /F 12 Tf 50 600 Td (Floor 40.) Tj ET",
    ] {
        let read = pdf_of(&format!("{SHOWN} {hidden}"));
        assert_eq!(read, ("Rooms.".to_owned(), 1), "{hidden}");
    }
}

#[test]
fn text_of_a_pdf_that_is_seen_stays() {
    for shown in [
        "0 0 1 rg 40 690 300 40 re f BT 1 g /F 12 Tf 50 700 Td (Rooms.) Tj ET",
        "q 300 0 0 100 40 690 cm /X Do Q BT 1 g /F 12 Tf 50 700 Td (Rooms.) Tj ET",
        // A page that was scanned, and read.
        "q 600 0 0 800 0 0 cm /X Do Q BT 3 Tr /F 12 Tf 50 700 Td (Rooms.) Tj ET",
        "BT 3 Tr /F 12 Tf 50 700 Td (Rooms.) Tj ET q 600 0 0 800 0 0 cm /X Do Q",
        "q 1 g Q BT /F 12 Tf 50 700 Td (Rooms.) Tj ET",
        "BT 1 g 0 g /F 12 Tf 50 700 Td (Rooms.) Tj ET",
        "BT 2 Tr 1 g /F 12 Tf 50 700 Td (Rooms.) Tj ET",
        // In a space of inks, one is full.
        "BT /Ink cs 1 scn /F 12 Tf 50 700 Td (Rooms.) Tj ET",
        "BT /F 1 Tf 12 0 0 12 50 700 Tm (Rooms.) Tj ET",
    ] {
        assert_eq!(pdf_of(shown), ("Rooms.".to_owned(), 0), "{shown}");
    }
}
