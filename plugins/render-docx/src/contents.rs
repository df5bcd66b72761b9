//! The table of contents: filled, with the pages that were estimated and the fields that correct them.

use gtm_ooxml::Xml;

use crate::body::{Entry, field};
use crate::parts::styles::id;

/// Points that an entry takes.
const ENTRY: f64 = 21.0;
/// Entries that a table of contents has at most; beyond, only sections are named.
const MOST_ENTRIES: usize = 120;

/// Pages that the table of contents takes.
#[must_use]
pub fn pages(entries: usize, height: f64) -> usize {
    let needed = 50.0 + entries.min(MOST_ENTRIES) as f64 * ENTRY;
    (needed / height.max(1.0)).ceil().max(1.0) as usize
}

/// The entries that are named: with subsections where there is room for them.
#[must_use]
pub fn chosen(entries: &[Entry]) -> Vec<&Entry> {
    let level = if entries.len() > 40 { 1 } else { 2 };
    entries
        .iter()
        .filter(|entry| entry.level <= level)
        .take(MOST_ENTRIES)
        .collect()
}

/// The table as a content control, as Word's own button makes it. Pages are `offset` later than estimated.
pub fn write(xml: &mut Xml, entries: &[&Entry], heading: &str, offset: usize, is_rtl: bool) {
    xml.open("w:sdt", &[]).open("w:sdtPr", &[]);
    xml.empty("w:id", &[("w:val", &700_000_001)]);
    xml.open("w:docPartObj", &[]);
    xml.empty("w:docPartGallery", &[("w:val", &"Table of Contents")]);
    xml.empty("w:docPartUnique", &[]);
    xml.close().close().open("w:sdtContent", &[]);
    xml.open("w:p", &[])
        .open("w:pPr", &[])
        .empty("w:pStyle", &[("w:val", &id::TOC_HEADING)]);
    xml.close();
    run(xml, heading, is_rtl);
    xml.close();
    let levels = entries.iter().map(|entry| entry.level).max().unwrap_or(1);
    for (index, entry) in entries.iter().enumerate() {
        let style = id::TOC[(entry.level - 1).min(2)];
        xml.open("w:p", &[])
            .open("w:pPr", &[])
            .empty("w:pStyle", &[("w:val", &style)])
            .close();
        if index == 0 {
            mark(xml, "begin");
            xml.open("w:r", &[]);
            let instruction = format!(" TOC \\o \"1-{levels}\" \\h \\z \\u ");
            xml.leaf("w:instrText", &[("xml:space", &"preserve")], instruction)
                .close();
            mark(xml, "separate");
        }
        xml.open(
            "w:hyperlink",
            &[("w:anchor", &entry.bookmark), ("w:history", &1)],
        );
        run(xml, &entry.text, is_rtl);
        xml.open("w:r", &[]).empty("w:tab", &[]).close();
        let page = (entry.page + offset).to_string();
        field(
            xml,
            &format!(" PAGEREF {} \\h ", entry.bookmark),
            &page,
            None,
        );
        xml.close().close();
    }
    xml.open("w:p", &[])
        .open("w:pPr", &[])
        .empty("w:pStyle", &[("w:val", &id::GAP)])
        .close();
    if !entries.is_empty() {
        mark(xml, "end");
    }
    xml.close().close().close();
}

fn mark(xml: &mut Xml, kind: &'static str) {
    xml.open("w:r", &[])
        .empty("w:fldChar", &[("w:fldCharType", &kind)])
        .close();
}

fn run(xml: &mut Xml, text: &str, is_rtl: bool) {
    xml.open("w:r", &[]);
    if is_rtl {
        xml.open("w:rPr", &[]).empty("w:rtl", &[]).close();
    }
    xml.leaf("w:t", &[("xml:space", &"preserve")], text).close();
}
