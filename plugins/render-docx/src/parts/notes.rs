//! Footnotes: each source that is cited has one, with title, publisher, address and the day it was read.

use std::collections::BTreeMap;

use gtm_document_model::{Document, Source};
use gtm_ooxml::package::relation;
use gtm_ooxml::{Package, PartId, Xml, sources};

use super::styles::id;
use super::{R, W};

pub const CONTENT_TYPE: &str =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml";
/// Citations that a document shows at most.
const MOST_CITATIONS: usize = 10_000;

/// The notes of a document, numbered as its text cites them.
#[derive(Debug)]
pub struct Notes<'d> {
    sources: BTreeMap<&'d str, &'d Source>,
    numbers: BTreeMap<&'d str, usize>,
    cited: Vec<&'d Source>,
    citations: usize,
}

impl<'d> Notes<'d> {
    #[must_use]
    pub fn new(document: &'d Document) -> Self {
        let sources = document
            .sources
            .iter()
            .map(|source| (source.id.as_str(), source))
            .collect();
        Self {
            sources,
            numbers: BTreeMap::new(),
            cited: Vec::new(),
            citations: 0,
        }
    }

    /// The number of a source's note, and whether this is its first citation.
    pub fn number(&mut self, id: &str) -> Option<(usize, bool)> {
        let (id, source) = self.sources.get_key_value(id)?;
        self.citations += 1;
        if self.citations > MOST_CITATIONS {
            return None;
        }
        if let Some(number) = self.numbers.get(id) {
            return Some((*number, false));
        }
        self.cited.push(source);
        self.numbers.insert(id, self.cited.len());
        Some((self.cited.len(), true))
    }

    /// Whether more is cited than is shown.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.citations > MOST_CITATIONS
    }

    /// `word/footnotes.xml`.
    #[must_use]
    pub fn write(
        &self,
        package: &mut Package,
        part: PartId,
        language: &str,
        is_rtl: bool,
    ) -> Vec<u8> {
        let mut xml = Xml::document();
        xml.open("w:footnotes", &[("xmlns:w", &W), ("xmlns:r", &R)]);
        for (kind, note, element) in [
            ("separator", -1, "w:separator"),
            ("continuationSeparator", 0, "w:continuationSeparator"),
        ] {
            xml.open("w:footnote", &[("w:type", &kind), ("w:id", &note)])
                .open("w:p", &[]);
            xml.open("w:pPr", &[]);
            xml.empty(
                "w:spacing",
                &[("w:after", &0), ("w:line", &240), ("w:lineRule", &"auto")],
            )
            .close();
            xml.open("w:r", &[]).empty(element, &[]);
            xml.close().close().close();
        }
        for (index, source) in self.cited.iter().enumerate() {
            xml.open("w:footnote", &[("w:id", &(index + 1))])
                .open("w:p", &[]);
            xml.open("w:pPr", &[])
                .empty("w:pStyle", &[("w:val", &id::FOOTNOTE)])
                .close();
            xml.open("w:r", &[]).open("w:rPr", &[]);
            xml.empty("w:rStyle", &[("w:val", &id::FOOTNOTE_REFERENCE)])
                .close();
            xml.empty("w:footnoteRef", &[]).close();
            let mut text = format!(" {}", source.title);
            if let Some(publisher) = &source.publisher {
                text.push_str(&format!(". {publisher}"));
            }
            text.push_str(". ");
            run(&mut xml, &text, is_rtl, false);
            if let Some(url) = &source.url {
                let target = package.relate_external(part, relation::HYPERLINK, url);
                xml.open("w:hyperlink", &[("r:id", &target), ("w:history", &1)]);
                run(&mut xml, &sources::shown(url), false, true);
                xml.close();
            }
            if let Some(day) = sources::day(source, language) {
                let bracketed = if source.url.is_some() {
                    format!(" ({day})")
                } else {
                    format!("({day})")
                };
                run(&mut xml, &bracketed, is_rtl, false);
            }
            xml.close().close();
        }
        xml.finish()
    }
}

fn run(xml: &mut Xml, text: &str, is_rtl: bool, is_link: bool) {
    xml.open("w:r", &[]);
    if is_rtl || is_link {
        xml.open("w:rPr", &[]);
        if is_link {
            xml.empty("w:rStyle", &[("w:val", &id::HYPERLINK)]);
        }
        if is_rtl {
            xml.empty("w:rtl", &[]);
        }
        xml.close();
    }
    xml.leaf("w:t", &[("xml:space", &"preserve")], text).close();
}
