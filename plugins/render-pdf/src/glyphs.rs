//! Characters that no font can draw. An archive must not have any, so each is replaced by a sign that says so.

use std::collections::BTreeSet;

use gtm_document_model::walk::{TextRole, Visitor};
use gtm_document_model::{Document, Run};
use gtm_typeset_input::{Code, Diagnostics};
use serde_json::Value;
use typst::layout::{Frame, FrameItem};
use typst_layout::PagedDocument;

use crate::fonts::Fonts;

/// What stands for a character that no font has.
const REPLACEMENT: char = '□';
/// Characters that a message names.
const NAMED: usize = 8;

/// Which characters are drawn.
#[derive(Debug, Clone, Default)]
pub struct Drawable {
    /// Characters that a font has and that could not be drawn all the same, such as a mark on a base of another font.
    refused: BTreeSet<char>,
}

impl Drawable {
    fn is_drawn(&self, character: char, fonts: &Fonts) -> bool {
        if is_unseen(character) {
            return true;
        }
        // What private characters mean is known to nobody but their font.
        let is_private = matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}');
        !is_private
            && character != '\u{fffc}'
            && !self.refused.contains(&character)
            && fonts.covers(character)
    }

    /// Refuses what the pages show as missing. Says whether that was anything new.
    pub fn refuse_missing(&mut self, document: &PagedDocument) -> bool {
        let before = self.refused.len();
        for page in document.pages() {
            self.refuse_in(&page.frame);
        }
        self.refused.len() > before
    }

    fn refuse_in(&mut self, frame: &Frame) {
        for (_, item) in frame.items() {
            match item {
                FrameItem::Group(group) => self.refuse_in(&group.frame),
                FrameItem::Text(text) => {
                    for glyph in text.glyphs.iter().filter(|glyph| glyph.id == 0) {
                        let range = usize::from(glyph.range.start)..usize::from(glyph.range.end);
                        self.refuse(text.text.get(range).unwrap_or(&text.text));
                    }
                }
                _ => {}
            }
        }
    }

    /// Of a base and its marks the marks go, so that the base can stay.
    fn refuse(&mut self, cluster: &str) {
        let mut characters = cluster.chars().filter(|it| !is_unseen(*it));
        let first = characters.next();
        let before = self.refused.len();
        self.refused.extend(characters);
        if self.refused.len() == before {
            self.refused.extend(first);
        }
    }

    /// Replaces what isn't drawn in all texts of the value.
    pub fn replace(&self, value: &mut Value, fonts: &Fonts) {
        match value {
            Value::String(text) => {
                if text
                    .chars()
                    .any(|character| !self.is_drawn(character, fonts))
                {
                    *text = self.replaced(text, fonts);
                }
            }
            Value::Array(elements) => {
                for element in elements {
                    self.replace(element, fonts);
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    // An alternative text is read, not drawn; but it must be text that a reader knows.
                    if !matches!(name.as_str(), "href" | "url" | "asset" | "path") {
                        self.replace(member, fonts);
                    }
                }
            }
            _ => {}
        }
    }

    fn replaced(&self, text: &str, fonts: &Fonts) -> String {
        let mut out = String::with_capacity(text.len());
        for character in text.chars() {
            let follows_replacement = out.ends_with(REPLACEMENT);
            if self.is_drawn(character, fonts) {
                // What joins or varies a character that isn't there has nothing to do.
                if !(follows_replacement
                    && matches!(character, '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0020}'..='\u{e007f}'))
                {
                    out.push(character);
                }
            } else if !follows_replacement {
                out.push(REPLACEMENT);
            }
        }
        out
    }

    /// Whether most letters of the document would be replaced, so that nobody could read it.
    pub fn hides_most(&self, document: &Document, fonts: &Fonts) -> bool {
        let mut count = Count {
            drawable: self,
            fonts,
            letters: 0,
            missing: 0,
        };
        document.walk(&mut count);
        count.missing * 2 > count.letters
    }

    /// Tells in which texts characters are replaced.
    pub fn report(&self, document: &Document, fonts: &Fonts, diagnostics: &mut Diagnostics) {
        let mut search = Search {
            drawable: self,
            fonts,
            found: Vec::new(),
        };
        document.walk(&mut search);
        for (pointer, missing) in search.found {
            let named: Vec<String> = (missing.iter().take(NAMED))
                .map(|character| format!("U+{:04X}", u32::from(*character)))
                .collect();
            let more = if missing.len() > NAMED {
                " and others"
            } else {
                ""
            };
            let message = format!(
                "No font has {}{more}; {REPLACEMENT} stands in.",
                named.join(", ")
            );
            diagnostics.add(Code::MissingGlyph, &pointer, message);
        }
    }
}

/// Counts letters and digits, and those of them that are not drawn.
struct Count<'a> {
    drawable: &'a Drawable,
    fonts: &'a Fonts,
    letters: usize,
    missing: usize,
}

impl Count<'_> {
    fn count(&mut self, role: TextRole, text: &str) {
        if matches!(role, TextRole::Notes | TextRole::Alt) {
            return;
        }
        for character in text.chars().filter(|it| it.is_alphanumeric()) {
            self.letters += 1;
            self.missing += usize::from(!self.drawable.is_drawn(character, self.fonts));
        }
    }
}

impl<'d> Visitor<'d> for Count<'_> {
    fn runs(&mut self, _: &str, role: TextRole, runs: &'d [Run]) {
        for run in runs {
            self.count(role, &run.text);
        }
    }

    fn line(&mut self, _: &str, role: TextRole, line: &'d str) {
        self.count(role, line);
    }
}

struct Search<'a> {
    drawable: &'a Drawable,
    fonts: &'a Fonts,
    found: Vec<(String, BTreeSet<char>)>,
}

impl Search<'_> {
    fn search<'t>(&mut self, pointer: &str, role: TextRole, texts: impl Iterator<Item = &'t str>) {
        // Neither is on a page.
        if matches!(role, TextRole::Notes | TextRole::Alt) {
            return;
        }
        let missing: BTreeSet<char> = texts
            .flat_map(str::chars)
            .filter(|character| !self.drawable.is_drawn(*character, self.fonts))
            .collect();
        if !missing.is_empty() {
            self.found.push((pointer.to_owned(), missing));
        }
    }
}

impl<'d> Visitor<'d> for Search<'_> {
    fn runs(&mut self, pointer: &str, role: TextRole, runs: &'d [Run]) {
        self.search(pointer, role, runs.iter().map(|run| run.text.as_str()));
    }

    fn line(&mut self, pointer: &str, role: TextRole, line: &'d str) {
        self.search(pointer, role, std::iter::once(line));
    }
}

/// Characters that are never drawn: breaks, joiners, marks of direction, selectors.
const fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\n' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}
