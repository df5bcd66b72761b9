//! What the backend tells of its work (`milestones.toml`), in the document's language where there are texts in it.
//!
//! A result has at most fifty milestones, so what is left out is told together, and not once for each.

use gtm_site_research::fixed_texts::FixedText;
use gtm_site_research::host::Host;

use crate::runs::excerpt;

include!(concat!(env!("OUT_DIR"), "/milestones.rs"));

/// Longest milestone, in characters, without what the host would cut.
const LONGEST: usize = 290;
/// Longest quotation of one text.
const LONGEST_QUOTATION: usize = 110;

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
        if texts.is_empty() {
            return;
        }
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
            // What would be torn for want of room is counted instead, if something else is shown.
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
        let more = texts.len() - shown.len();
        let mut said = shown.join(" · ");
        if more > 0 {
            said.push_str(&format!(" +{more}"));
        }
        self.tell(percent, text, &[("texts", &said)]);
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
        assert_eq!(OUTLINE.languages().count(), 7);
    }
}
