//! Measures the quality of a guideline: compares its claims with a site's golden file
//! (`tests/sites/README.md` describes the format and the comparison).

mod claims;
mod comparison;
mod facts;
mod golden;
mod metadata_reader;

use std::collections::BTreeSet;

use serde_json::Value;

pub use self::claims::{Found, claims};
pub use self::golden::golden_faults;
pub use self::metadata_reader::metadata_reader;

use self::claims::{CLOSED, texts_of};
use self::comparison::{fold, fold_tag, same, short_hex};
use self::facts::{conflict_found, facts, places_of};
use crate::company_sites::CompanySite;

/// The score of a guideline.
#[derive(Debug, Clone, Default)]
pub struct Score {
    /// Expected claims, and how many of them were found.
    pub expected: usize,
    pub recalled: usize,
    /// Claims found, and how many of them are true.
    pub found: usize,
    pub right: usize,
    /// Expected conflicts between pages, and how many of them were found.
    pub conflicts_expected: usize,
    pub conflicts_found: usize,
    /// Expected but not found.
    pub missed: Vec<String>,
    /// Found but not known to be true.
    pub unlisted: Vec<String>,
    /// Found although the site does not show it; must be empty.
    pub unsupported: Vec<String>,
}

impl Score {
    pub fn precision(&self) -> f64 {
        ratio(self.right, self.found)
    }
    pub fn recall(&self) -> f64 {
        ratio(self.recalled, self.expected)
    }
    pub fn add(&mut self, other: &Self) {
        self.expected += other.expected;
        self.recalled += other.recalled;
        self.found += other.found;
        self.right += other.right;
        self.conflicts_expected += other.conflicts_expected;
        self.conflicts_found += other.conflicts_found;
        self.missed.extend(other.missed.iter().cloned());
        self.unlisted.extend(other.unlisted.iter().cloned());
        self.unsupported.extend(other.unsupported.iter().cloned());
    }
}

/// The ratio is 1 if there was nothing to get right.
#[allow(clippy::cast_precision_loss)]
fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        1.0
    } else {
        part as f64 / whole as f64
    }
}

/// Compares guidelines with a site's golden file.
pub struct Judge<'s> {
    site: &'s CompanySite,
    /// The address at which the site was served; stands for its own origin.
    served_at: String,
    /// Everything that the site's files say and declare, both text and source, folded for comparison.
    words: String,
}

impl<'s> Judge<'s> {
    /// `served_at` is the address at which the site was served, such as `http://127.0.0.1:4000`.
    pub fn new(site: &'s CompanySite, served_at: &str) -> Self {
        let mut words = String::new();
        for (path, source) in site.texts() {
            if path.ends_with(".html") {
                let text = gtm_page_text::extract(Some("text/html"), source.as_bytes());
                words.push_str(&fold(&text.evidence_text()));
                words.push(' ');
                // A sentence may span two blocks, such as a term and its definition.
                words.push_str(&fold(&text.text().replace('\n', " ")));
                words.push(' ');
            }
            words.push_str(&fold(&source));
            words.push(' ');
        }
        Self {
            site,
            served_at: served_at.trim_end_matches('/').to_owned(),
            words,
        }
    }

    /// Scores a guideline: with a model against all claims, otherwise against those that rules can find.
    pub fn score(&self, guideline: &Value, with_model: bool) -> Score {
        let expected = &self.site.expected;
        let guideline = self.at_home(guideline);
        let found = claims(&guideline);
        let mut score = Score {
            found: found.len(),
            ..Score::default()
        };
        let golden = list(expected, "claims");
        for claim in golden {
            if claim["needs_model"] == true && !with_model {
                continue;
            }
            score.expected += 1;
            let pointer = claim["pointer"].as_str().unwrap();
            if found
                .iter()
                .any(|f| f.pointer == pointer && self.agrees(claim, &f.value))
            {
                score.recalled += 1;
            } else {
                score.missed.push(self.told(pointer, wanted(claim)));
            }
        }
        let accepted: Vec<&Value> = golden.iter().chain(list(expected, "also_true")).collect();
        let silent: BTreeSet<&str> = list(expected, "must_be_null")
            .iter()
            .map(|p| p.as_str().unwrap())
            .collect();
        for claim in &found {
            let told = self.told(claim.pointer, &claim.value);
            let listed = accepted.iter().any(|golden| {
                golden["pointer"] == claim.pointer && self.agrees(golden, &claim.value)
            });
            if listed {
                score.right += 1;
            } else {
                score.unlisted.push(told.clone());
            }
            if silent.contains(claim.pointer) {
                score
                    .unsupported
                    .push(format!("{told}: the site says nothing of it"));
            } else if !listed && !self.shown(claim) {
                score
                    .unsupported
                    .push(format!("{told}: does not stand on the site"));
            }
        }
        for word in list(expected, "never") {
            let word = word.as_str().unwrap();
            for place in places_of(&facts(&guideline), "", &fold(word)) {
                score
                    .unsupported
                    .push(format!("{} {place}: \"{word}\"", self.site.name));
            }
        }
        for conflict in list(expected, "conflicts") {
            score.conflicts_expected += 1;
            let pointer = conflict["pointer"].as_str().unwrap();
            if conflict_found(&guideline, pointer, list(conflict, "values")) {
                score.conflicts_found += 1;
            } else {
                score
                    .missed
                    .push(format!("{} conflict {pointer}", self.site.name));
            }
        }
        if expected["language"].is_string() {
            score.expected += 1;
            score.found += 1;
            if fold_tag(&guideline["language"]) == fold_tag(&expected["language"]) {
                score.recalled += 1;
                score.right += 1;
            } else {
                score
                    .missed
                    .push(self.told("/language", &expected["language"]));
                score
                    .unlisted
                    .push(self.told("/language", &guideline["language"]));
            }
        }
        score
    }

    fn told(&self, pointer: &str, value: &Value) -> String {
        let mut value = value.to_string();
        if let Some((end, _)) = value.char_indices().nth(160) {
            value.truncate(end);
            value.push('…');
        }
        format!("{} {pointer} {value}", self.site.name)
    }

    /// The value with its serving address replaced by the site's own origin.
    fn at_home(&self, value: &Value) -> Value {
        let text = value
            .to_string()
            .replace(&self.served_at, &self.site.origin());
        serde_json::from_str(&text).unwrap()
    }

    fn agrees(&self, golden: &Value, value: &Value) -> bool {
        let how = golden["match"].as_str().unwrap_or("equal");
        match how {
            "any" => true,
            "verbatim" => texts_of(value).iter().all(|text| self.stands(text)),
            _ => match golden["any_of"].as_array() {
                Some(options) => options.iter().any(|option| same(option, value, how)),
                None => same(&golden["value"], value, how),
            },
        }
    }

    fn stands(&self, text: &str) -> bool {
        self.words.contains(&fold(text))
    }

    /// Whether the site shows the words of a claim. Of an inferred claim, only the numbers must be on the
    /// site.
    fn shown(&self, claim: &Found) -> bool {
        if CLOSED.iter().any(|field| claim.pointer.starts_with(field)) {
            return true;
        }
        let texts = texts_of(&claim.value);
        if claim.basis == "inferred" {
            return texts
                .iter()
                .flat_map(|text| text.split(|c: char| !c.is_ascii_digit()))
                .all(|number| self.words.contains(number));
        }
        texts.iter().all(|text| {
            let bare = text.split('#').next().unwrap();
            self.stands(text)
                || (text.starts_with('#') && self.stands(&short_hex(text)))
                || self.relative(bare).is_some_and(|path| self.stands(path))
        })
    }

    fn relative<'t>(&self, url: &'t str) -> Option<&'t str> {
        url.strip_prefix(&self.site.origin())
    }
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn wanted(claim: &Value) -> &Value {
    claim.get("any_of").unwrap_or(&claim["value"])
}
