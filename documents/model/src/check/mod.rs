//! The rules that types alone cannot express. A document that a program builds is checked by the same ones.

mod blocks;
mod chart;
mod texts;

use std::collections::{BTreeMap, BTreeSet};

use crate::bounds;
use crate::day;
use crate::document::{Document, Meta, Section, Source};
use crate::fault::{Fault, FaultCode};
use crate::link;
use crate::pointer::Pointer;
use crate::theme::{Font, Theme};

impl Document {
    /// Everything that is wrong with the document, at most [`bounds::FAULTS`] faults.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        let mut check = Check::default();
        let at = &mut Pointer::default();
        at.member("meta", |at| check.meta(&self.meta, at));
        if let Some(brand) = &self.brand {
            at.member("brand", |at| {
                at.member("id", |at| check.id(&brand.id, at));
                check.range(at, "revision", brand.revision, 1, u64::MAX);
                if !is_sha256(&brand.hash) {
                    check.add_at(
                        at,
                        "hash",
                        FaultCode::InvalidId,
                        "expected sha256: and 64 digits",
                    );
                }
            });
        }
        at.member("theme", |at| check.theme(&self.theme, at));
        check.count(at, "sources", self.sources.len(), 0, bounds::SOURCES);
        check.ids(
            at,
            "sources",
            self.sources.iter().map(|source| source.id.as_str()),
        );
        at.each("sources", &self.sources, |at, source| {
            check.source(source, at)
        });
        check.count(at, "sections", self.sections.len(), 1, bounds::SECTIONS);
        check.ids(
            at,
            "sections",
            self.sections.iter().map(|section| section.id.as_str()),
        );
        at.each("sections", &self.sections, |at, section| {
            check.section(section, at)
        });
        let known = self
            .sources
            .iter()
            .map(|source| source.id.as_str())
            .collect::<BTreeSet<_>>();
        self.walk(&mut texts::Texts {
            check: &mut check,
            known: &known,
        });
        check.faults
    }
}

#[derive(Default)]
struct Check {
    faults: Vec<Fault>,
}

impl Check {
    fn add(&mut self, pointer: &str, code: FaultCode, message: impl Into<String>) {
        if self.faults.len() < bounds::FAULTS {
            let (pointer, message) = (pointer.to_owned(), message.into());
            self.faults.push(Fault {
                pointer,
                code,
                message,
            });
        }
    }

    fn add_at(
        &mut self,
        at: &mut Pointer,
        name: &str,
        code: FaultCode,
        message: impl Into<String>,
    ) {
        at.member(name, |at| self.add(at.as_str(), code, message));
    }

    /// A list with too few or too many elements.
    fn count(&mut self, at: &mut Pointer, name: &str, count: usize, least: usize, most: usize) {
        if count < least {
            let code = if least == 1 {
                FaultCode::Empty
            } else {
                FaultCode::OutOfRange
            };
            self.add_at(
                at,
                name,
                code,
                format!("{count} elements, at least {least} needed"),
            );
        }
        if count > most {
            let message = format!("{count} elements, at most {most} allowed");
            self.add_at(at, name, FaultCode::TooMany, message);
        }
    }

    fn range(&mut self, at: &mut Pointer, name: &str, number: u64, least: u64, most: u64) {
        if !(least..=most).contains(&number) {
            let message = format!("expected {least} to {most}");
            self.add_at(at, name, FaultCode::OutOfRange, message);
        }
    }

    fn id(&mut self, id: &str, at: &Pointer) {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        let is_valid = id.len() <= bounds::ID
            && id.bytes().all(is_part)
            && id.starts_with(|first: char| first.is_ascii_alphanumeric());
        if !is_valid {
            let message = "expected 1 to 64 letters, digits, - and _, the first a letter or digit";
            self.add(at.as_str(), FaultCode::InvalidId, message);
        }
    }

    /// The ids of a list: well formed, and each used once.
    fn ids<'d>(&mut self, at: &mut Pointer, name: &str, ids: impl Iterator<Item = &'d str>) {
        let mut first = BTreeMap::new();
        at.each(name, ids.enumerate(), |at, (index, id)| {
            at.member("id", |at| {
                self.id(id, at);
                let earlier = *first.entry(id).or_insert(index);
                if earlier != index {
                    let message = format!("element {earlier} has this id already");
                    self.add(at.as_str(), FaultCode::DuplicateId, message);
                }
            });
        });
    }

    fn meta(&mut self, meta: &Meta, at: &mut Pointer) {
        if meta.language.len() > bounds::ID || !gtm_language_tag::is_language_tag(&meta.language) {
            self.add_at(
                at,
                "language",
                FaultCode::Language,
                "expected a tag of BCP 47",
            );
        }
        if day::year_month_day(&meta.date).is_none() {
            self.add_at(
                at,
                "date",
                FaultCode::Date,
                "expected a day, such as 2026-11-23",
            );
        }
        self.count(at, "keywords", meta.keywords.len(), 0, bounds::KEYWORDS);
    }

    fn theme(&mut self, theme: &Theme, at: &mut Pointer) {
        at.member("fonts", |at| {
            at.member("heading", |at| self.font(&theme.fonts.heading, at));
            at.member("body", |at| self.font(&theme.fonts.body, at));
        });
        if let Some(logo) = &theme.logo {
            at.member("logo", |at| {
                at.member("asset", |at| self.required(&logo.asset, bounds::LINE, at));
                at.member("alt", |at| self.required(&logo.alt, bounds::ALT, at));
                self.range(at, "width", logo.width.into(), 1, u32::MAX.into());
                self.range(at, "height", logo.height.into(), 1, u32::MAX.into());
            });
        }
        self.count(at, "defaults", theme.defaults.len(), 0, 3);
        self.count(at, "repairs", theme.repairs.len(), 0, 100);
        at.each("repairs", &theme.repairs, |at, repair| {
            at.member("role", |at| self.required(&repair.role, bounds::LINE, at));
            at.member("against", |at| {
                self.required(&repair.against, bounds::LINE, at)
            });
            at.member("ratio_before", |at| self.finite(repair.ratio_before, at));
            at.member("ratio_after", |at| self.finite(repair.ratio_after, at));
        });
    }

    fn font(&mut self, font: &Font, at: &mut Pointer) {
        at.member("family", |at| self.required(&font.family, bounds::LINE, at));
        self.count(at, "fallbacks", font.fallbacks.len(), 0, 20);
        at.each("fallbacks", &font.fallbacks, |at, name| {
            self.required(name, bounds::LINE, at)
        });
    }

    fn source(&mut self, source: &Source, at: &mut Pointer) {
        if source.url.as_deref().is_some_and(|url| !link::is_page(url)) {
            self.add_at(
                at,
                "url",
                FaultCode::Link,
                "expected an http or https address in ASCII",
            );
        }
        let time = source.retrieved_at.as_deref();
        if time.is_some_and(|time| time.parse::<jiff::Timestamp>().is_err()) {
            self.add_at(
                at,
                "retrieved_at",
                FaultCode::Date,
                "expected a time of RFC 3339",
            );
        }
        if let Some(receipt) = &source.receipt_id {
            at.member("receipt_id", |at| self.id(receipt, at));
        }
    }

    fn section(&mut self, section: &Section, at: &mut Pointer) {
        let count = blocks::count(&section.blocks);
        self.count(at, "blocks", count, 0, bounds::BLOCKS);
        at.each("blocks", &section.blocks, |at, block| self.block(block, at));
    }

    /// A line of text that says something.
    fn required(&mut self, line: &str, most: usize, at: &Pointer) {
        if line.trim().is_empty() {
            self.add(at.as_str(), FaultCode::Empty, "says nothing");
        }
        self.line(line, most, at.as_str());
    }

    fn line(&mut self, line: &str, most: usize, pointer: &str) {
        if line.contains('\n') {
            self.add(
                pointer,
                FaultCode::LineBreak,
                "a line break in a text of one line",
            );
        }
        self.length(line.chars().count(), most, pointer);
    }

    fn length(&mut self, characters: usize, most: usize, pointer: &str) {
        if characters > most {
            let message = format!("{characters} characters, at most {most} allowed");
            self.add(pointer, FaultCode::TooLong, message);
        }
    }

    fn finite(&mut self, number: f64, at: &Pointer) {
        if !number.is_finite() {
            self.add(
                at.as_str(),
                FaultCode::NotFinite,
                "expected a finite number",
            );
        }
    }
}

fn is_sha256(hash: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    hash.strip_prefix("sha256:")
        .is_some_and(|digits| digits.len() == 64 && digits.bytes().all(is_digit))
}
