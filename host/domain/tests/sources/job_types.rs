//! `docs/adding-a-job-type.md` lists the files that a job type touches. These tests hold the list to the
//! sources, so that a new place that must know every type is noticed.

use std::collections::BTreeSet;
use std::fs;

use super::{has_word, root, rust_files};

const GUIDE: &str = "docs/adding-a-job-type.md";

/// More files than this would be a reason to look for a better structure.
const MOST_FILES: usize = 14;

/// The files that a table of the guide lists under this heading.
fn listed(heading: &str) -> BTreeSet<String> {
    let guide = fs::read_to_string(root().join(GUIDE)).unwrap();
    let (_, section) = guide.split_once(&format!("## {heading}\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| {
        let cell = line.strip_prefix("| `")?.split('`').next()?;
        Some(cell.to_owned())
    });
    rows.collect()
}

/// Whether a source names the type: its variant, its constant, or its word in a list of words.
fn names(text: &str, variant: &str) -> bool {
    let lower = variant.to_lowercase();
    let words = ["\"", "|", "("]
        .iter()
        .flat_map(|begin| ["\"", "|", ":"].map(|end| format!("{begin}{lower}{end}")));
    has_word(text, variant)
        || has_word(text, &variant.to_uppercase())
        || words.into_iter().any(|word| text.contains(&word))
}

/// The files that documents have of their own: what every type has, and what no other type must know.
const OWN: [&str; 4] = [
    "host/domain/src/document/",
    "host/engine/src/job_types/documents",
    "host/api/src/routes/documents/",
    "host/gtm/src/document_fonts.rs",
];

#[test]
fn documents_touch_the_listed_files_and_no_other() {
    let mut touched = BTreeSet::new();
    for part in ["domain", "store", "runtime", "engine", "api", "gtm"] {
        for (path, text) in rust_files(&format!("host/{part}/src")) {
            // A sentence about documents in a comment touches nothing.
            let code: Vec<&str> = text.lines().filter(|line| !is_comment(line)).collect();
            if names(&code.join("\n"), "Documents") && !OWN.iter().any(|own| path.starts_with(own))
            {
                touched.insert(path);
            }
        }
    }
    assert_eq!(listed("What documents touch"), touched);
    assert!(touched.len() <= MOST_FILES, "{touched:#?}");
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

#[test]
fn the_finished_types_stand_in_every_file_of_the_guide() {
    let files = listed("What you write");
    let shared = files.iter().filter(|file| !file.contains('<'));
    let shared: Vec<&String> = shared.collect();
    assert!(shared.len() > 5, "{files:?}");
    assert!(files.len() <= MOST_FILES, "{files:#?}");
    for file in shared {
        let text = fs::read_to_string(root().join(file)).unwrap();
        for variant in ["Playbooks", "Brands", "Documents"] {
            let module = format!("{}::", variant.to_lowercase());
            assert!(
                names(&text, variant) || text.contains(&module),
                "{file} does not name {variant}"
            );
        }
    }
}
