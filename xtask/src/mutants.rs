//! `cargo xtask mutants`: breaks the rules that keep tenants and hosts apart, one at a time, and runs
//! the tests that should notice.
//!
//! Only those few functions: each mutant is a build and a test run, so that all of them take hours.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::process::{capture, host_cargo};
use crate::test_run::FEATURES;
use crate::workspace::Workspace;

/// Break the rules of scopes, permits and redirects one at a time, and see whether tests notice.
///
/// Changes one file of the checkout at a time and puts it back; files with uncommitted changes are not
/// touched. If this command is killed, `git checkout` puts the file back.
#[derive(clap::Args)]
pub struct Args {
    /// Only these subjects: scopes, permit, credentials, redirects, known-packages, consent, callers,
    /// repeated-keys, room, request-heads
    #[arg(value_name = "SUBJECT")]
    subjects: Vec<String>,
    /// Name the mutants and stop
    #[arg(long)]
    list: bool,
    /// Only every so many of them
    #[arg(long, default_value_t = 1)]
    every: usize,
}

/// What is broken, and what should notice.
struct Subject {
    name: &'static str,
    /// Files, or folders with files.
    places: &'static [&'static str],
    /// Functions; the whole file if none is named.
    functions: &'static [&'static str],
    rules: &'static [Rule],
    /// Arguments of `cargo test`.
    tests: &'static [&'static str],
}

/// A change of text.
struct Rule {
    from: &'static str,
    to: &'static str,
}

const LOGIC: &[Rule] = &[
    Rule {
        from: " == ",
        to: " != ",
    },
    Rule {
        from: " != ",
        to: " == ",
    },
    Rule {
        from: " && ",
        to: " || ",
    },
    Rule {
        from: " || ",
        to: " && ",
    },
    Rule {
        from: " < ",
        to: " >= ",
    },
    Rule {
        from: " >= ",
        to: " < ",
    },
    Rule {
        from: " > ",
        to: " <= ",
    },
    Rule {
        from: ".any(",
        to: ".all(",
    },
    Rule {
        from: ".all(",
        to: ".any(",
    },
    Rule {
        from: "(true)",
        to: "(false)",
    },
    Rule {
        from: "(false)",
        to: "(true)",
    },
    Rule {
        from: "if !",
        to: "if ",
    },
    Rule {
        from: ".is_some_and(",
        to: ".is_none_or(",
    },
    Rule {
        from: ".is_none_or(",
        to: ".is_some_and(",
    },
    Rule {
        from: "matches!(",
        to: "!matches!(",
    },
];

/// The value is still bound and typed, but decides nothing.
const SCOPES: &[Rule] = &[
    Rule {
        from: "project_id = $1",
        to: "(project_id = $1 OR $1 IS NOT NULL)",
    },
    Rule {
        from: "project_id = $2",
        to: "(project_id = $2 OR $2 IS NOT NULL)",
    },
    Rule {
        from: "project_id = $3",
        to: "(project_id = $3 OR $3 IS NOT NULL)",
    },
    Rule {
        from: "organization_id = $1",
        to: "(organization_id = $1 OR $1 IS NOT NULL)",
    },
    Rule {
        from: "organization_id = $2",
        to: "(organization_id = $2 OR $2 IS NOT NULL)",
    },
];

const EGRESS_TESTS: &[&str] = &["--lib", "--", "egress::"];

const SERVER_TESTS: &[&str] = &[
    "--lib",
    "--test",
    "routes",
    "--",
    "server::",
    "failed_authentications::",
    "authorization::",
    "connections::",
    "rate_limit::",
    "playbooks::",
];

const SUBJECTS: &[Subject] = &[
    Subject {
        name: "scopes",
        places: &["host/store/src/repo"],
        functions: &[],
        rules: SCOPES,
        tests: &["--test", "store", "--test", "routes"],
    },
    Subject {
        name: "permit",
        places: &["host/runtime/src/egress/permit.rs"],
        functions: &["opened_to", "permit", "judge"],
        rules: LOGIC,
        tests: EGRESS_TESTS,
    },
    Subject {
        name: "credentials",
        places: &["host/runtime/src/egress/inject.rs"],
        functions: &["may_go_to"],
        rules: LOGIC,
        tests: EGRESS_TESTS,
    },
    Subject {
        name: "redirects",
        places: &["host/runtime/src/egress/attempt.rs"],
        functions: &["redirected", "redirect_of"],
        rules: LOGIC,
        tests: EGRESS_TESTS,
    },
    Subject {
        name: "known-packages",
        places: &["host/runtime/src/catalog/admission.rs"],
        functions: &["judge", "whose", "record_of", "as_recorded", "by_consent"],
        rules: LOGIC,
        tests: &["--test", "plugins", "--", "packages", "trust"],
    },
    Subject {
        name: "consent",
        places: &[
            "host/runtime/src/manifest/difference.rs",
            "host/runtime/src/manifest/difference/access.rs",
            "host/runtime/src/manifest/difference/operations.rs",
            "host/runtime/src/manifest/difference/settings.rs",
            "host/runtime/src/egress/path_prefix.rs",
        ],
        functions: &[],
        rules: LOGIC,
        tests: &["--lib", "--", "manifest::", "egress::tests::widening"],
    },
    Subject {
        name: "callers",
        places: &["host/api/src/authorization.rs"],
        functions: &["from_request_parts", "caller", "identify", "bearer"],
        rules: LOGIC,
        tests: SERVER_TESTS,
    },
    Subject {
        name: "repeated-keys",
        places: &["host/api/src/failed_authentications.rs"],
        functions: &["judge", "accepted", "refused", "repeated", "note"],
        rules: LOGIC,
        tests: SERVER_TESTS,
    },
    Subject {
        name: "room",
        places: &["host/api/src/server/room.rs"],
        functions: &["enter", "make_room_within", "make_room", "precedence"],
        rules: LOGIC,
        tests: SERVER_TESTS,
    },
    Subject {
        name: "request-heads",
        places: &["host/api/src/server/request_heads.rs"],
        functions: &["see", "body", "number", "request_id"],
        rules: LOGIC,
        tests: SERVER_TESTS,
    },
];

/// One change.
struct Mutant {
    file: PathBuf,
    line: usize,
    place: Range<usize>,
    to: &'static str,
    from: &'static str,
    tests: &'static [&'static str],
    subject: &'static str,
}

/// What became of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// A test failed.
    Noticed,
    /// All tests passed.
    Missed,
    /// It did not compile, which says nothing of the tests.
    Unbuildable,
}

/// Lists or tries the mutants.
pub fn run(args: &Args) -> Result<()> {
    let workspace = Workspace::load()?;
    let known: Vec<&str> = SUBJECTS.iter().map(|subject| subject.name).collect();
    if let Some(unknown) = args.subjects.iter().find(|s| !known.contains(&s.as_str())) {
        bail!(
            "there is no subject {unknown}; there are: {}",
            known.join(", ")
        );
    }
    let mut all = Vec::new();
    for subject in SUBJECTS {
        if args.subjects.is_empty() || args.subjects.iter().any(|name| name == subject.name) {
            all.extend(mutants(&workspace.root, subject)?);
        }
    }
    let chosen = all.iter().step_by(args.every.max(1));
    if args.list {
        for mutant in chosen {
            println!("{}", mutant.told(&workspace));
        }
        println!("{} mutants in all", all.len());
        return Ok(());
    }
    let (mut noticed, mut missed) = (0_usize, Vec::new());
    for mutant in chosen {
        let fate = mutant.try_out(&workspace)?;
        println!("{fate:?}: {}", mutant.told(&workspace));
        match fate {
            Fate::Noticed => noticed += 1,
            Fate::Missed => missed.push(mutant.told(&workspace)),
            Fate::Unbuildable => {}
        }
    }
    println!("mutants: {noticed} of {} noticed", noticed + missed.len());
    if !missed.is_empty() {
        bail!("no test noticed:\n{}", missed.join("\n"));
    }
    Ok(())
}

fn mutants(root: &Path, subject: &Subject) -> Result<Vec<Mutant>> {
    let mut found = Vec::new();
    for file in files(root, subject.places)? {
        let text =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let ranges: Vec<Range<usize>> = if subject.functions.is_empty() {
            std::iter::once(0..text.len()).collect()
        } else {
            let bodies = subject
                .functions
                .iter()
                .filter_map(|name| body(&text, name));
            bodies.collect()
        };
        for (range, rule) in ranges
            .iter()
            .flat_map(|range| subject.rules.iter().map(move |rule| (range, rule)))
        {
            for place in occurrences(&text, range, rule.from) {
                found.push(Mutant {
                    line: text[..place].matches('\n').count() + 1,
                    place: place..place + rule.from.len(),
                    file: file.clone(),
                    from: rule.from,
                    to: rule.to,
                    tests: subject.tests,
                    subject: subject.name,
                });
            }
        }
    }
    if found.is_empty() {
        bail!(
            "{}: nothing to change in {}: was it moved?",
            subject.name,
            subject.places.join(", ")
        );
    }
    Ok(found)
}

fn files(root: &Path, places: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for place in places {
        let path = root.join(place);
        if path.is_dir() {
            for entry in path.read_dir()? {
                files.push(entry?.path());
            }
        } else {
            files.push(path);
        }
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files.sort();
    Ok(files)
}

/// Where the body of a function is: from its first brace to the line that closes it, which rustfmt
/// indents as the function itself.
fn body(text: &str, function: &str) -> Option<Range<usize>> {
    let starts = [format!("fn {function}("), format!("fn {function}<")];
    let head = starts.iter().find_map(|start| text.find(start))?;
    let line = text[..head].rfind('\n').map_or(0, |end| end + 1);
    let indent: String = text[line..].chars().take_while(|c| *c == ' ').collect();
    let begin = head + text[head..].find('{')?;
    let end = begin + text[begin..].find(&format!("\n{indent}}}"))?;
    Some(begin..end)
}

/// Where a text stands, comments left out, and not as a part of a longer name or number.
fn occurrences(text: &str, within: &Range<usize>, wanted: &str) -> Vec<usize> {
    let places = text[within.clone()].match_indices(wanted);
    places
        .map(|(place, _)| within.start + place)
        .filter(|place| {
            let line = text[..*place].rfind('\n').map_or(0, |end| end + 1);
            let before = text[..*place].chars().next_back();
            let after = text[place + wanted.len()..].chars().next();
            let part = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
            let word = wanted.starts_with(|c: char| c.is_ascii_alphanumeric());
            let number = wanted.ends_with(|c: char| c.is_ascii_digit());
            let comment = text[line..*place].trim_start().starts_with("//");
            let within_another = (word && part(before)) || (number && part(after));
            !(comment || within_another)
        })
        .collect()
}

impl Mutant {
    fn told(&self, workspace: &Workspace) -> String {
        format!(
            "{} {}:{}: `{}` for `{}`",
            self.subject,
            workspace.relative(&self.file),
            self.line,
            self.to.trim(),
            self.from.trim()
        )
    }

    fn try_out(&self, workspace: &Workspace) -> Result<Fate> {
        let changed = capture(
            Command::new("git")
                .current_dir(&workspace.root)
                .args(["status", "--porcelain", "--"])
                .arg(&self.file),
        )?;
        if !changed.is_empty() {
            bail!("{} has uncommitted changes", self.file.display());
        }
        let text = fs::read_to_string(&self.file)?;
        let _restored = Restored(&self.file, &text);
        let mut broken = text.clone();
        broken.replace_range(self.place.clone(), self.to);
        fs::write(&self.file, broken)?;
        let test = |arguments: &[&str]| -> Result<bool> {
            let status = host_cargo()
                .current_dir(&workspace.root)
                .args(["test", "--quiet", "--workspace"])
                .args(FEATURES)
                .args(arguments)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()?;
            Ok(status.success())
        };
        let targets = self.tests.split(|argument| *argument == "--").next();
        if !test(&[&["--no-run"], targets.unwrap_or_default()].concat())? {
            return Ok(Fate::Unbuildable);
        }
        Ok(if test(self.tests)? {
            Fate::Missed
        } else {
            Fate::Noticed
        })
    }
}

/// Puts a file back.
struct Restored<'a>(&'a Path, &'a str);

impl Drop for Restored<'_> {
    fn drop(&mut self) {
        if let Err(error) = fs::write(self.0, self.1) {
            eprintln!("{} could not be put back: {error}", self.0.display());
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn every_subject_is_where_it_is_looked_for() {
        let root = Workspace::load().unwrap().root;
        for subject in SUBJECTS {
            for file in files(&root, subject.places).unwrap() {
                let text = fs::read_to_string(&file).unwrap();
                for function in subject.functions {
                    assert!(body(&text, function).is_some(), "{function} in {file:?}");
                }
            }
            assert!(!mutants(&root, subject).unwrap().is_empty());
        }
    }

    #[test]
    fn only_whole_words_of_code_are_changed() {
        let text = "// a == b\nx.project_id = $1 AND y.other_project_id = $1 AND project_id = $12";
        let found = occurrences(text, &(0..text.len()), "project_id = $1");
        assert_eq!(found, [text.find("project_id = $1").unwrap()]);
        assert!(occurrences(text, &(0..text.len()), " == ").is_empty());
    }

    #[test]
    fn a_body_ends_where_its_function_does() {
        let text = "    fn a(x: bool) -> bool {\n        if x {\n            true\n        }\n    }\n    fn b() {}\n";
        let range = body(text, "a").unwrap();
        assert!(text[range.clone()].contains("true") && !text[range].contains("fn b"));
    }
}
