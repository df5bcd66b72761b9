//! What the backend tells of its work (`milestones.toml`), in the document's language where there are texts in it.
//!
//! A result has at most fifty milestones, so what is left out is told together, and not once for each. Each of them quotes
//! how what was left out begins: whoever wrote the brief must see whether it was rightly read. They are for whoever sees the
//! brief, too, which the same job shows.

use gtm_site_research::fixed_texts::FixedText;
use gtm_site_research::host::Host;

use crate::runs::excerpt;

include!(concat!(env!("OUT_DIR"), "/milestones.rs"));

/// Longest milestone, in characters: the host keeps 300, and cuts one that is longer.
const LONGEST: usize = 290;
/// Longest quotation of one text, where several are quoted or what it says is not for everybody.
const LONGEST_QUOTATION: usize = 80;
/// Most milestones that quote texts which were left out for one reason.
const MOST_QUOTING: usize = 5;

/// Tells people something.
#[derive(Clone, Copy)]
pub struct Teller<'h> {
    pub host: &'h dyn Host,
    pub language: &'h str,
}

impl Teller<'_> {
    /// Reports a milestone at a percentage.
    pub fn tell(&self, percent: u8, text: &FixedText, places: &[(&str, &str)]) {
        let said = text.filled(self.language, places);
        self.host.report(percent, &crate::runs::cut(&said, LONGEST));
    }

    /// Reports how many of something there are, if there are any.
    pub fn count(&self, percent: u8, text: &FixedText, count: usize) {
        if count > 0 {
            self.tell(percent, text, &[("count", &count.to_string())]);
        }
    }

    /// Reports what texts say, as many as fit, and how many there are besides.
    pub fn quote(&self, percent: u8, text: &FixedText, texts: &[String]) {
        let most = match texts {
            [_] => LONGEST,
            _ => LONGEST_QUOTATION,
        };
        self.several(percent, text, texts, most, |quoted| format!("“{quoted}”"));
    }

    /// Reports how texts begin, as many as fit, and how many there are besides.
    pub fn begin(&self, percent: u8, text: &FixedText, texts: &[String]) {
        self.several(percent, text, texts, LONGEST_QUOTATION, |quoted| {
            format!("“{quoted}”")
        });
    }

    /// Reports how many texts there are, and how the first begins.
    pub fn first(&self, percent: u8, text: &FixedText, texts: &[String]) {
        let Some(first) = texts.first() else { return };
        let first = excerpt(
            &crate::brief::one_line(first),
            LONGEST_QUOTATION,
            self.language,
        );
        let count = texts.len().to_string();
        self.tell(percent, text, &[("count", &count), ("first", &first)]);
    }

    /// Reports names, as many as fit, and how many there are besides.
    pub fn list(&self, percent: u8, text: &FixedText, names: &[String]) {
        self.several(percent, text, names, LONGEST_QUOTATION, |name| name);
    }

    fn several(
        &self,
        percent: u8,
        text: &FixedText,
        texts: &[String],
        most: usize,
        shown_as: impl Fn(String) -> String,
    ) {
        let mut rest = texts;
        for told in 1..=MOST_QUOTING {
            if rest.is_empty() {
                return;
            }
            let shown = self.that_fit(text, rest, most, &shown_as);
            let (count, mut said) = (shown.len(), shown.join(" · "));
            rest = rest.get(count..).unwrap_or_default();
            if told == MOST_QUOTING && !rest.is_empty() {
                said.push_str(&format!(" +{}", rest.len()));
            }
            self.tell(percent, text, &[("texts", &said)]);
        }
    }

    /// The first of the texts, as many as one milestone holds.
    fn that_fit(
        &self,
        text: &FixedText,
        texts: &[String],
        most: usize,
        shown_as: &impl Fn(String) -> String,
    ) -> Vec<String> {
        let frame = text.filled(self.language, &[("texts", "")]).chars().count();
        let mut left = LONGEST.saturating_sub(frame + 6);
        let mut shown: Vec<String> = Vec::new();
        for text in texts {
            let line = crate::brief::one_line(text);
            let quoted = shown_as(excerpt(
                &line,
                most.min(left.saturating_sub(5)),
                self.language,
            ));
            let whole = quoted.chars().count() + 3;
            // What would be torn for want of room is told in the next one, if something else is shown.
            let torn = most.min(left.saturating_sub(5)) < most.min(line.chars().count());
            let Some(rest) = left
                .checked_sub(whole)
                .filter(|_| shown.is_empty() || !torn)
            else {
                break;
            };
            left = rest;
            shown.push(quoted);
        }
        // One that fits nowhere is passed over.
        if shown.is_empty() {
            shown.push("…".to_owned());
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milestones_fit_what_the_host_keeps() {
        assert!(ALL.len() > 40);
        for text in ALL {
            for language in text.languages() {
                let said = text.filled(language, &[("texts", &"x".repeat(100)), ("count", "100")]);
                assert!(said.chars().count() <= LONGEST, "{said}");
            }
        }
        assert_eq!(OUTLINE.languages().count(), 8);
    }
}
