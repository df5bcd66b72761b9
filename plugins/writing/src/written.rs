//! What a backend gets back.

use std::collections::BTreeMap;

use gtm_site_research::claim::Claim;

use crate::fault::Fault;
use crate::form::{Layout, Part};
use crate::found::Found;

/// Most places and reasons that are told of what was left out.
pub const MOST_LEFT_OUT: usize = 200;
/// Most claims of a list together with the facts that the model keeps.
const MOST_WITH_KEPT: usize = 12;
/// Reason for a part of which no answer came.
pub const NO_ANSWER: &str = "no_answer";
/// Reason for claims beyond what a list may hold.
pub const TOO_MANY: &str = "too_many";

/// Something that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The path that it belonged to: `talk_track/ask`.
    pub path: String,
    /// Why.
    pub fault: Fault,
    /// Whether it was a claim, not just a sentence or an optional member of one.
    pub whole: bool,
}

/// What was written.
#[derive(Debug, Clone, Default)]
pub struct Written {
    pub(crate) claims: BTreeMap<String, Vec<Claim>>,
    /// What was left out, and why.
    pub losses: Vec<Loss>,
    /// Parts, of the brief too, whose answer could not be used at all.
    pub failed: Vec<&'static str>,
    /// Whether a critic read the claims.
    pub criticized: bool,
    pub(crate) found: Found,
    /// How many claims the list of a path may hold.
    most: BTreeMap<String, usize>,
    /// How many claims were too many for their list, by path.
    pub(crate) surplus: BTreeMap<String, usize>,
}

impl Written {
    /// Nothing yet, of these parts and beside these facts.
    pub(crate) fn of<'a>(parts: impl IntoIterator<Item = &'a Part>, found: Found) -> Self {
        let mut most = BTreeMap::new();
        for part in parts {
            bounds(part.name, part.layout, &mut most);
        }
        Self {
            found,
            most,
            ..Self::default()
        }
    }

    /// The claims of a list, with the facts that stay beside them, the best supported if they are too many. Parts of the brief have
    /// their claims here, too, under their names.
    pub fn list(&mut self, path: &str) -> Vec<Claim> {
        let claims = self.claims.remove(path).unwrap_or_default();
        let all = self.found.beside(path, claims);
        let Some(most) = self.most.get(path).copied() else {
            return all;
        };
        // The bound is that of what the model writes: what it also keeps of the site stands beside it.
        let most = (most + self.found.kept(path, &all)).min(MOST_WITH_KEPT.max(most));
        let surplus = all.len().saturating_sub(most);
        if surplus > 0 {
            *self.surplus.entry(path.to_owned()).or_insert(0) += surplus;
        }
        self.found.best(path, all, most)
    }

    /// The claim of a path that has only one.
    pub fn one(&mut self, path: &str) -> Option<Claim> {
        self.one_if(path, |_| true)
    }

    /// The same, if what the model wrote is as wanted; otherwise the facts decide.
    pub fn one_if(&mut self, path: &str, wanted: impl Fn(&Claim) -> bool) -> Option<Claim> {
        let claim = self
            .claims
            .remove(path)
            .and_then(|claims| claims.into_iter().next());
        self.found.or(path, claim.filter(wanted))
    }

    /// Why claims of a part were left out, each reason once.
    #[must_use]
    pub fn faults(&self, part: &str) -> Vec<Fault> {
        let mut faults: Vec<Fault> = self
            .losses
            .iter()
            .filter(|loss| loss.whole && part_of(&loss.path) == part)
            .map(|loss| loss.fault)
            .collect();
        faults.sort_unstable();
        faults.dedup();
        faults
    }

    /// Everything that was left out, of the brief too: path, reason and how often, in the order of paths and reasons. The reason is a fault's key,
    /// [`NO_ANSWER`] or [`TOO_MANY`]. What lists could not hold is known once they were taken.
    #[must_use]
    pub fn left_out(&self) -> Vec<(String, &'static str, usize)> {
        let mut counts: BTreeMap<(&str, &'static str), usize> = BTreeMap::new();
        for loss in &self.losses {
            *counts.entry((&loss.path, loss.fault.key())).or_insert(0) += 1;
        }
        for (path, count) in &self.surplus {
            *counts.entry((path, TOO_MANY)).or_insert(0) += count;
        }
        for part in &self.failed {
            counts.insert((part, NO_ANSWER), 1);
        }
        counts
            .into_iter()
            .take(MOST_LEFT_OUT)
            .map(|((path, reason), count)| (path.to_owned(), reason, count))
            .collect()
    }
}

/// How many claims the lists of a layout may hold, by path.
fn bounds(path: &str, layout: Layout, most: &mut BTreeMap<String, usize>) {
    match layout {
        Layout::One(_) => {}
        Layout::Many(_, bound) => {
            most.insert(path.to_owned(), bound);
        }
        Layout::Group(members) => {
            for (name, layout) in members {
                bounds(&format!("{path}/{name}"), *layout, most);
            }
        }
    }
}

/// The part that a path begins with.
#[must_use]
pub fn part_of(path: &str) -> &str {
    path.split('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{Field, Form, Support, needed, plain};

    const LINE: &[Field] = &[needed("text", Form::Text(90))];
    const PARTS: [Part; 1] = [Part {
        name: "profile",
        layout: Layout::Group(&[("offers", Layout::Many(plain(LINE, Support::Fact), 2))]),
        instruction: "",
    }];

    #[test]
    fn lists_hold_no_more_than_their_part_says() {
        let mut found = Found::default();
        let offers = ["Signals", "Masts", "Cables"].map(|text| Claim::quoted(text, 0));
        found.add("profile/offers", offers);
        let mut written = Written::of(&PARTS, found);
        assert_eq!(written.list("profile/offers").len(), 2);
        assert_eq!(
            written.left_out(),
            [("profile/offers".to_owned(), TOO_MANY, 1)]
        );
    }

    #[test]
    fn what_was_left_out_is_counted() {
        let loss = |path: &str, fault, whole| Loss {
            path: path.to_owned(),
            fault,
            whole,
        };
        let mut written = Written {
            losses: vec![
                loss("risks", Fault::Number, true),
                loss("angles", Fault::Number, true),
                loss("angles", Fault::Number, false),
                loss("angles", Fault::Contradicted, true),
            ],
            failed: vec!["track"],
            ..Written::default()
        };
        let expected = [
            ("angles", "contradicted", 1),
            ("angles", "number", 2),
            ("risks", "number", 1),
            ("track", "no_answer", 1),
        ]
        .map(|(path, reason, count)| (path.to_owned(), reason, count));
        assert_eq!(written.left_out(), expected);
        written.losses = (0..300)
            .map(|index| loss(&format!("p{index}"), Fault::Name, true))
            .collect();
        assert_eq!(written.left_out().len(), MOST_LEFT_OUT);
    }
}
