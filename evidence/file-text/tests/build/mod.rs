//! Packages and PDFs as a test wants them, hostile ones included.

use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};

/// An entry of an archive. Sizes and checksum are those of the data unless a test lies about them.
pub struct Entry {
    pub name: &'static str,
    pub packed: Vec<u8>,
    pub claimed: usize,
    pub flags: u16,
}

pub fn entry(name: &'static str, data: &[u8]) -> Entry {
    Entry {
        name,
        packed: compress_to_vec(data, 9),
        claimed: data.len(),
        flags: 0,
    }
}

pub fn zip(entries: &[Entry]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    let size = |value: usize| u32::try_from(value).unwrap().to_le_bytes();
    for entry in entries {
        let offset = size(bytes.len());
        let mut fields = vec![20, 0];
        fields.extend(entry.flags.to_le_bytes());
        fields.extend([8, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        fields.extend(size(entry.packed.len()));
        fields.extend(size(entry.claimed));
        fields.extend(u16::try_from(entry.name.len()).unwrap().to_le_bytes());
        fields.extend([0, 0]);
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&fields);
        bytes.extend(entry.name.as_bytes());
        bytes.extend(&entry.packed);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&fields);
        directory.extend([0; 10]);
        directory.extend(offset);
        directory.extend(entry.name.as_bytes());
    }
    let start = bytes.len();
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    let count = u16::try_from(entries.len()).unwrap().to_le_bytes();
    bytes.extend(count.iter().chain(&count));
    bytes.extend(size(directory.len()));
    bytes.extend(size(start));
    bytes.extend([0, 0]);
    bytes
}

/// A DOCX with this body.
pub fn docx(body: &str) -> Vec<u8> {
    zip(&[entry("word/document.xml", document(body).as_bytes())])
}

pub fn document(body: &str) -> String {
    format!("<w:document xmlns:w='urn:w'><w:body>{body}</w:body></w:document>")
}

/// A PDF of these objects, numbered from 1; the first is the catalog. With cross-references, or without.
pub fn pdf(objects: &[Vec<u8>], with_table: bool) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (number, object) in (1..).zip(objects) {
        offsets.push(bytes.len());
        bytes.extend(format!("{number} 0 obj\n").bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    if with_table {
        let start = bytes.len();
        bytes.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
        for offset in offsets {
            bytes.extend(format!("{offset:010} 00000 n \n").bytes());
        }
        let size = objects.len() + 1;
        bytes.extend(
            format!("trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF").bytes(),
        );
    }
    bytes
}

/// A stream object, deflated.
pub fn stream(dict: &str, data: &[u8]) -> Vec<u8> {
    let packed = compress_to_vec_zlib(data, 9);
    let mut bytes = format!(
        "<<{dict}/Filter/FlateDecode/Length {}>>stream\n",
        packed.len()
    )
    .into_bytes();
    bytes.extend(packed);
    bytes.extend(b"\nendstream");
    bytes
}

/// The objects of a PDF with one page of this content, in Helvetica.
pub fn page(content: &str) -> Vec<Vec<u8>> {
    vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>>".to_vec(),
        stream("", content.as_bytes()),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_vec(),
    ]
}
