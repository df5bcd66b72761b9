//! Verdicts that are kept: a file whose bytes were checked before by the same tools needs no second check. Renderers
//! give the same bytes for the same input, so a run that changes no renderer checks next to nothing again.
//!
//! Only files without any fault are remembered. Whoever doubts a verdict runs with `--anew`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};

use super::checks::{Findings, Subject};
use super::tools::Tools;

/// What runs the tools and reads their answers; a change of it ends every verdict.
const CHECKS: &str = include_str!("checks.rs");
/// Programs of the system that decide, and how each tells its version.
const PROGRAMS: [(&str, &str); 6] = [
    ("qpdf", "--version"),
    ("pdfinfo", "-v"),
    ("java", "-version"),
    ("node", "--version"),
    ("python3", "--version"),
    ("soffice", "--version"),
];

/// The kept verdicts of one set of tools.
pub struct Verdicts {
    folder: PathBuf,
    /// Digest of everything that decides but the file.
    tools: Vec<u8>,
}

impl Verdicts {
    /// # Errors
    /// If the tools' own files cannot be read, or the folder cannot be made.
    pub fn open(tools: &Tools, folder: PathBuf) -> Result<Self> {
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let mut digest = Sha256::new();
        digest.update(CHECKS);
        for file in files_below(&tools.own)? {
            digest.update(file.to_string_lossy().as_bytes());
            digest.update(Sha256::digest(fs::read(&file)?));
        }
        for (program, version) in PROGRAMS {
            // Some tell it on standard error.
            let told = Command::new(program).arg(version).output();
            let told = told.with_context(|| format!("cannot start {program}"))?;
            digest.update(&told.stdout);
            digest.update(&told.stderr);
        }
        Ok(Self {
            folder,
            tools: digest.finalize().to_vec(),
        })
    }

    /// What is known of the file, if all of it is.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn of(&self, subject: &Subject) -> Result<Option<Findings>> {
        let Ok(text) = fs::read(self.place(subject)?) else {
            return Ok(None);
        };
        // A file that was cut short is no verdict.
        let tools: Option<Vec<String>> = serde_json::from_slice(&text).ok();
        Ok(tools.map(|tools| {
            let found = tools.into_iter();
            found
                .map(|tool| ((subject.file.clone(), tool), Vec::new()))
                .collect()
        }))
    }

    /// Remembers the files that every tool for them passed.
    ///
    /// # Errors
    /// If a file cannot be read or a verdict cannot be written.
    pub fn keep(&self, subjects: &[Subject], findings: &Findings) -> Result<()> {
        let mut passed: BTreeMap<&Path, (Vec<&str>, bool)> = BTreeMap::new();
        for ((file, tool), faults) in findings {
            let (tools, is_clean) = passed.entry(file).or_insert((Vec::new(), true));
            tools.push(tool);
            *is_clean &= faults.is_empty();
        }
        for subject in subjects {
            if let Some((tools, true)) = passed.get(subject.file.as_path()) {
                fs::write(self.place(subject)?, serde_json::to_vec(tools)?)
                    .context("cannot keep a verdict")?;
            }
        }
        Ok(())
    }

    fn place(&self, subject: &Subject) -> Result<PathBuf> {
        let mut digest = Sha256::new();
        digest.update(&self.tools);
        digest.update(Sha256::digest(fs::read(&subject.file)?));
        if let Some(evidence) = &subject.evidence {
            digest.update(Sha256::digest(fs::read(evidence)?));
        }
        digest.update(format!(
            "{} {:?} {}",
            subject.format, subject.pages, subject.converted
        ));
        Ok(self
            .folder
            .join(format!("{}.json", hex::encode(digest.finalize()))))
    }
}

/// The files in a folder and its folders, sorted.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder);
        for entry in entries.with_context(|| format!("cannot read {}", folder.display()))? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                open.push(entry.path());
            } else {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_verdict_holds_for_the_same_bytes_and_tools_and_for_no_fault_only() {
        let folder = tempfile::tempdir().unwrap();
        let of_tools = |tools: u8| Verdicts {
            folder: folder.path().to_owned(),
            tools: vec![tools],
        };
        let subject = |name: &str, text: &str| {
            let file = folder.path().join(name);
            fs::write(&file, text).unwrap();
            Subject {
                file,
                format: "pdf".to_owned(),
                pages: Some(1),
                evidence: None,
                converted: false,
            }
        };
        let (clean, faulty) = (subject("a", "clean"), subject("b", "faulty"));
        let found = |subject: &Subject, tool: &str, faults: &[&str]| {
            let faults = faults.iter().map(|&it| it.to_owned()).collect();
            ((subject.file.clone(), tool.to_owned()), faults)
        };
        let findings = Findings::from([
            found(&clean, "qpdf", &[]),
            found(&clean, "verapdf", &[]),
            found(&faulty, "qpdf", &[]),
            found(&faulty, "verapdf", &["no title"]),
        ]);
        let verdicts = of_tools(1);
        let both = [clean.clone(), faulty.clone()];
        assert!(verdicts.of(&clean).unwrap().is_none());
        verdicts.keep(&both, &findings).unwrap();
        let kept = verdicts.of(&clean).unwrap().unwrap();
        assert_eq!(
            kept,
            Findings::from([found(&clean, "qpdf", &[]), found(&clean, "verapdf", &[])])
        );
        assert!(verdicts.of(&faulty).unwrap().is_none());
        assert!(of_tools(2).of(&clean).unwrap().is_none());
        let mut more = clean.clone();
        more.pages = Some(2);
        assert!(verdicts.of(&more).unwrap().is_none());
        fs::write(&clean.file, "changed").unwrap();
        assert!(verdicts.of(&clean).unwrap().is_none());
    }
}
