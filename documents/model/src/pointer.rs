//! A pointer (RFC 6901) that grows and shrinks while a document is walked.

use std::fmt::Write as _;

#[derive(Debug, Default)]
pub(crate) struct Pointer(String);

impl Pointer {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Does something one member deeper.
    pub(crate) fn member<R>(&mut self, name: &str, inside: impl FnOnce(&mut Self) -> R) -> R {
        let length = self.0.len();
        self.0.push('/');
        push_escaped(&mut self.0, name);
        let result = inside(self);
        self.0.truncate(length);
        result
    }

    /// Does something one element deeper.
    pub(crate) fn index<R>(&mut self, index: usize, inside: impl FnOnce(&mut Self) -> R) -> R {
        let length = self.0.len();
        // Writing to a string cannot fail.
        let _ = write!(self.0, "/{index}");
        let result = inside(self);
        self.0.truncate(length);
        result
    }

    /// Does something for each element of a list member.
    pub(crate) fn each<T>(
        &mut self,
        name: &str,
        elements: impl IntoIterator<Item = T>,
        mut inside: impl FnMut(&mut Self, T),
    ) {
        self.member(name, |at| {
            for (index, element) in elements.into_iter().enumerate() {
                at.index(index, |at| inside(at, element));
            }
        });
    }
}

pub(crate) fn push_escaped(pointer: &mut String, name: &str) {
    for character in name.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_escapes_names_and_forgets_what_it_left() {
        let mut pointer = Pointer::default();
        let deep = pointer.member("a/b~c", |at| at.index(7, |at| at.as_str().to_owned()));
        assert_eq!(deep, "/a~1b~0c/7");
        assert_eq!(pointer.as_str(), "");
    }
}
