//! A file that a person reviewed and that is imported whole: bounded, from a path or from standard input.

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
    /// If it cannot be read, or has more.
    pub fn read(&self, most: u64) -> Result<Vec<u8>, Failure> {
        let bytes = match self.0.as_str() {
            "-" => bounded(io::stdin().lock(), most),
            path => File::open(path).and_then(|file| bounded(file, most)),
        };
        bytes.map_err(|error| Failure::new(format!("cannot read {}: {error}", self.name())))
    }
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
}
