//! What whoever sends a rendered file should know, each with the place in the document that it is about.

use serde::Serialize;

/// At most so many; the rest would only repeat them.
const MOST: usize = 200;
/// Characters of a message.
const MOST_CHARACTERS: usize = 1_000;

/// One thing that did not go as the document has it; each renderer has its own kinds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic<Code> {
    pub code: Code,
    /// RFC 6901 pointer into the document.
    pub pointer: String,
    /// A sentence for people.
    pub message: String,
}

/// The diagnostics of a file.
#[derive(Debug, Clone)]
pub struct Diagnostics<Code>(Vec<Diagnostic<Code>>);

impl<Code> Default for Diagnostics<Code> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<Code> From<Vec<Diagnostic<Code>>> for Diagnostics<Code> {
    fn from(list: Vec<Diagnostic<Code>>) -> Self {
        Self(list)
    }
}

impl<Code: PartialEq> Diagnostics<Code> {
    /// Adds one, unless there is one of its kind for this place.
    pub fn add(&mut self, code: Code, pointer: &str, message: impl Into<String>) {
        let mut known = self.0.iter();
        let is_known = known.any(|known| known.code == code && known.pointer == pointer);
        if self.0.len() < MOST && !is_known {
            self.0.push(Diagnostic {
                code,
                pointer: pointer.to_owned(),
                message: message.into().chars().take(MOST_CHARACTERS).collect(),
            });
        }
    }

    /// Adds all of another list.
    pub fn extend(&mut self, others: Self) {
        for other in others.0 {
            self.add(other.code, &other.pointer, other.message);
        }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[must_use]
    pub fn into_list(self) -> Vec<Diagnostic<Code>> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_one_diagnostic_of_a_kind() {
        let mut one = Diagnostics::default();
        assert!(one.is_empty());
        one.add('a', "/0", "First");
        one.add('a', "/0", "Again");
        one.add('b', "/0", "Other");
        let mut other = Diagnostics::default();
        other.add('a', "/0", "Once more");
        other.add('a', "/1", "x".repeat(2_000));
        one.extend(other);
        let told = one.into_list();
        let places: Vec<(char, &str)> = (told.iter())
            .map(|told| (told.code, told.pointer.as_str()))
            .collect();
        assert_eq!(places, [('a', "/0"), ('b', "/0"), ('a', "/1")]);
        assert_eq!(
            (told[0].message.as_str(), told[2].message.len()),
            ("First", 1_000)
        );
    }

    #[test]
    fn there_is_an_end_to_them() {
        let mut many = Diagnostics::default();
        for place in 0..300 {
            many.add('a', &format!("/{place}"), "Too wide");
        }
        assert_eq!(many.into_list().len(), MOST);
    }
}
