//! Runs: text with its look, links and citations.

use gtm_document_model::Run;
use gtm_ooxml::package::relation;

use super::Body;
use super::text_direction::stretches;
use crate::ink::Ink;
use crate::parts::styles::id;

/// How a stretch of text looks beside its paragraph's style.
#[derive(Debug, Clone, Default)]
pub(super) struct Look {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) style: Option<&'static str>,
    pub(super) color: Option<Ink>,
}

impl<'d> Body<'d> {
    /// Runs with their citations behind them.
    pub(super) fn runs(&mut self, runs: &'d [Run]) {
        self.runs_as(runs, false);
    }

    /// The same in bold.
    pub(super) fn bold_runs(&mut self, runs: &'d [Run]) {
        self.runs_as(runs, true);
    }

    fn runs_as(&mut self, runs: &'d [Run], bold: bool) {
        for run in runs {
            let look = Look {
                bold: bold || run.bold,
                italic: run.italic,
                style: run.href.as_ref().map(|_| id::HYPERLINK),
                color: None,
            };
            match &run.href {
                Some(href) => self.link(href, &run.text, &look),
                None => self.styled(&run.text, &look),
            }
            self.cite(&run.cite);
        }
    }

    /// A link to an address.
    pub(super) fn link(&mut self, href: &str, text: &str, look: &Look) {
        let target = self
            .package
            .relate_external(self.part, relation::HYPERLINK, href);
        self.xml
            .open("w:hyperlink", &[("r:id", &target), ("w:history", &1)]);
        self.styled(text, look);
        self.xml.close();
    }

    /// Text as its paragraph has it.
    pub(super) fn text(&mut self, text: &str) {
        self.styled(text, &Look::default());
    }

    pub(super) fn styled(&mut self, text: &str, look: &Look) {
        for (index, line) in text.split('\n').enumerate() {
            if index > 0 {
                self.xml.open("w:r", &[]).empty("w:br", &[]).close();
            }
            for (stretch, is_rtl) in stretches(line, self.is_rtl()) {
                self.xml.open("w:r", &[]);
                self.properties(look, is_rtl);
                self.xml
                    .leaf("w:t", &[("xml:space", &"preserve")], stretch)
                    .close();
            }
        }
    }

    fn properties(&mut self, look: &Look, is_rtl: bool) {
        let is_plain = !look.bold && !look.italic && look.style.is_none() && look.color.is_none();
        if is_plain && !is_rtl {
            return;
        }
        self.xml.open("w:rPr", &[]);
        if let Some(style) = look.style {
            self.xml.empty("w:rStyle", &[("w:val", &style)]);
        }
        for (is_set, names) in [
            (look.bold, ["w:b", "w:bCs"]),
            (look.italic, ["w:i", "w:iCs"]),
        ] {
            for name in names.into_iter().filter(|_| is_set) {
                self.xml.empty(name, &[]);
            }
        }
        if let Some(color) = &look.color {
            color.color(&mut self.xml);
        }
        if is_rtl {
            self.xml.empty("w:rtl", &[]);
        }
        self.xml.close();
    }

    /// The numbers of notes for these sources: the first time a note, afterwards a reference to it.
    pub(super) fn cite(&mut self, ids: &'d [String]) {
        let mut is_first = true;
        for id in ids {
            let Some((number, is_new)) = self.notes.number(id) else {
                continue;
            };
            if !is_first {
                self.superscript(", ");
            }
            is_first = false;
            let bookmark = format!("_RefNote{number}");
            if is_new {
                // The note takes a line at the foot of the page, the first one the line above it too.
                self.flow.add(if number == 1 { 26.0 } else { 13.0 });
                let mark = self.next_id();
                self.xml
                    .empty("w:bookmarkStart", &[("w:id", &mark), ("w:name", &bookmark)]);
                self.xml.open("w:r", &[]).open("w:rPr", &[]);
                self.xml
                    .empty("w:rStyle", &[("w:val", &id::FOOTNOTE_REFERENCE)])
                    .close();
                self.xml
                    .empty("w:footnoteReference", &[("w:id", &number)])
                    .close();
                self.xml.empty("w:bookmarkEnd", &[("w:id", &mark)]);
            } else {
                let instruction = format!(" NOTEREF {bookmark} \\h ");
                self.field(
                    &instruction,
                    &number.to_string(),
                    Some(id::FOOTNOTE_REFERENCE),
                );
            }
        }
    }

    fn superscript(&mut self, text: &str) {
        let look = Look {
            style: Some(id::FOOTNOTE_REFERENCE),
            ..Look::default()
        };
        self.styled(text, &look);
    }

    /// A field with the result that stands there until it is updated.
    pub(super) fn field(&mut self, instruction: &str, result: &str, style: Option<&'static str>) {
        field(&mut self.xml, instruction, result, style);
    }
}

/// A field with the result that stands there until it is updated.
pub fn field(
    xml: &mut gtm_ooxml::Xml,
    instruction: &str,
    result: &str,
    style: Option<&'static str>,
) {
    let open = |xml: &mut gtm_ooxml::Xml| {
        xml.open("w:r", &[]);
        if let Some(style) = style {
            xml.open("w:rPr", &[])
                .empty("w:rStyle", &[("w:val", &style)])
                .close();
        }
    };
    open(xml);
    xml.empty("w:fldChar", &[("w:fldCharType", &"begin")])
        .close();
    open(xml);
    xml.leaf("w:instrText", &[("xml:space", &"preserve")], instruction)
        .close();
    open(xml);
    xml.empty("w:fldChar", &[("w:fldCharType", &"separate")])
        .close();
    open(xml);
    xml.leaf("w:t", &[("xml:space", &"preserve")], result)
        .close();
    open(xml);
    xml.empty("w:fldChar", &[("w:fldCharType", &"end")]).close();
}
