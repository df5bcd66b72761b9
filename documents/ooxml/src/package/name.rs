//! Names of parts.

use std::fmt;

/// The name of a part, such as `/ppt/slides/slide1.xml`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartName(String);

impl PartName {
    /// The name, or nothing where it isn't one: absolute, of plain ASCII, no empty step, none of dots alone,
    /// and with an extension.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Option<Self> {
        let name = name.into();
        let steps = name.strip_prefix('/')?;
        let is_step = |step: &str| {
            !step.is_empty()
                && !step.ends_with('.')
                && step
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"._-[]".contains(&byte))
        };
        let has_extension = name
            .rsplit_once('.')
            .is_some_and(|(_, extension)| !extension.contains('/'));
        (steps.split('/').all(is_step) && has_extension).then_some(Self(name))
    }

    /// The name with its leading slash.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of the entry in the archive.
    #[must_use]
    pub fn entry(&self) -> &str {
        self.0.strip_prefix('/').unwrap_or(&self.0)
    }

    /// The extension in lower case.
    #[must_use]
    pub fn extension(&self) -> String {
        let extension = self.0.rsplit_once('.').map_or("", |(_, after)| after);
        extension.to_ascii_lowercase()
    }

    /// The entry that holds the part's relationships.
    #[must_use]
    pub fn relationships_entry(&self) -> String {
        let (folder, file) = self.0.rsplit_once('/').unwrap_or(("", &self.0));
        format!("{}/_rels/{file}.rels", folder.trim_start_matches('/'))
            .trim_start_matches('/')
            .to_owned()
    }

    /// How `self` is reached from another part: `../media/image1.png`.
    #[must_use]
    pub fn relative_to(&self, other: &Self) -> String {
        let (mine, theirs): (Vec<_>, Vec<_>) = (
            self.entry().split('/').collect(),
            other.entry().split('/').collect(),
        );
        let folders = mine.len().min(theirs.len()).saturating_sub(1);
        let shared = (0..folders)
            .take_while(|&index| mine.get(index) == theirs.get(index))
            .count();
        let up = theirs.len() - 1 - shared;
        "../".repeat(up) + &mine.get(shared..).unwrap_or_default().join("/")
    }
}

impl fmt::Display for PartName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn relationships_are_relative() {
        let name = |name: &str| PartName::new(name).unwrap();
        let slide = name("/ppt/slides/slide1.xml");
        assert_eq!(
            name("/ppt/media/image1.png").relative_to(&slide),
            "../media/image1.png"
        );
        assert_eq!(
            name("/ppt/slides/slide2.xml").relative_to(&slide),
            "slide2.xml"
        );
        assert_eq!(
            name("/docProps/app.xml").relative_to(&slide),
            "../../docProps/app.xml"
        );
        assert_eq!(
            slide.relative_to(&name("/ppt/presentation.xml")),
            "slides/slide1.xml"
        );
        assert_eq!(
            slide.relationships_entry(),
            "ppt/slides/_rels/slide1.xml.rels"
        );
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for name in [
            "",
            "a.xml",
            "/",
            "//a.xml",
            "/a/../b.xml",
            "/a b.xml",
            "/a",
            "/a.b/c",
            "/ä.xml",
        ] {
            assert_eq!(PartName::new(name), None, "{name}");
        }
    }
}
