//! A file that a person wrote or reviewed, and that is read whole: bounded, from a path or from standard input.

use std::convert::Infallible;
use std::fs::File;
use std::io::{self, Read};
use std::str::FromStr;

use crate::failure::Failure;

/// A file, or standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportFile(String);

impl FromStr for ImportFile {
    type Err = Infallible;
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl ImportFile {
    /// What the file is called in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        match self.0.as_str() {
            "-" => "standard input",
            path => path,
        }
    }

    /// Whether it is standard input, which has no name to tell its format.
    #[must_use]
    pub fn is_standard_input(&self) -> bool {
        self.0 == "-"
    }

    /// Its bytes, at most `most`.
    ///
    /// # Errors
    /// If it cannot be read, has more, or has nothing: then whatever was to write it has failed, and its format is not
    /// what is wrong with it.
    pub fn read(&self, most: u64) -> Result<Vec<u8>, Failure> {
        let bytes = match self.0.as_str() {
            "-" => bounded(io::stdin().lock(), most),
            path => File::open(path).and_then(|file| bounded(file, most)),
        };
        let bytes =
            bytes.map_err(|error| Failure::new(format!("cannot read {}: {error}", self.name())))?;
        if !is_blank(&bytes) {
            return Ok(bytes);
        }
        Err(if self.is_standard_input() {
            Failure::new("nothing came on standard input")
                .hint("name the file in place of `-`, or let it come with `< FILE`")
        } else {
            Failure::new(format!("there is nothing in {}", self.name()))
        })
    }

    /// The same as text.
    ///
    /// # Errors
    /// As [`ImportFile::read`], or if it is not in UTF-8.
    pub fn read_text(&self, most: u64) -> Result<String, Failure> {
        String::from_utf8(self.read(most)?)
            .map_err(|_| Failure::new(format!("{} is not in UTF-8", self.name())))
    }
}

/// Whether there is nothing but white space, with or without a byte order mark.
fn is_blank(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    text.trim_ascii().is_empty()
}

fn bounded(source: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("it has more than {most} bytes; split it");
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_file_is_bounded() {
        assert_eq!(bounded(&b"abc"[..], 3).unwrap(), b"abc");
        assert!(bounded(&b"abcd"[..], 3).is_err());
        let failure = ImportFile("/nowhere/file.csv".to_owned())
            .read(3)
            .unwrap_err();
        assert!(
            failure.message.contains("cannot read /nowhere/file.csv"),
            "{failure:?}"
        );
    }

    #[test]
    fn a_file_with_nothing_is_told_as_such() {
        for text in ["", " \n", "\u{feff}\r\n"] {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
            let path = file.path().to_str().unwrap().to_owned();
            let failure = ImportFile(path.clone()).read(10).unwrap_err();
            assert_eq!(failure.message, format!("there is nothing in {path}"));
        }
        assert!(!is_blank(b"# nothing but a comment"));
    }
}
