//! `docs/adding-a-job-type.md` lists the files that a job type touches. These tests hold the list to the
//! sources, so that a new place that must know every type is noticed.

use std::collections::BTreeSet;
use std::fs;

use gtm_domain::JobType;

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

/// Whether a source names the type: its variant, its constant, its modules, its name for people, or its word in a list of
/// words.
fn names(text: &str, job_type: JobType) -> bool {
    let key = job_type.as_str();
    let mut words = ["\"", "|", "("]
        .iter()
        .flat_map(|begin| ["\"", "|", ":"].map(|end| format!("{begin}{key}{end}")));
    let for_people = format!("\"{}\"", key.replace('_', " "));
    has_word(text, &format!("{job_type:?}"))
        || has_word(text, &key.to_uppercase())
        || has_module(text, key)
        || text.to_lowercase().contains(&for_people)
        || words.any(|word| text.contains(&word))
}

/// Whether the source names what is in a module.
fn has_module(text: &str, module: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(&format!("{module}::"))
        .any(|(at, _)| !text[..at].ends_with(is_part))
}

/// What a source says outside of its comments and its tests.
fn code(text: &str) -> String {
    let code = text
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default();
    // A sentence about a type in a comment touches nothing.
    let lines = code.lines().filter(|line| !is_comment(line));
    lines.collect::<Vec<_>>().join("\n")
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

/// Every source of the host, with its code.
fn host_sources() -> Vec<(String, String)> {
    let parts = ["domain", "store", "runtime", "engine", "api", "gtm"];
    let files = parts
        .into_iter()
        .flat_map(|part| rust_files(&format!("host/{part}/src")));
    files.map(|(path, text)| (path, code(&text))).collect()
}

/// The files that are about one type alone: what every type has, and what no other type must know.
fn own(job_type: JobType) -> &'static [&'static str] {
    match job_type {
        JobType::Playbooks => &[
            "host/engine/src/job_types/playbooks",
            "host/api/src/routes/playbooks/",
        ],
        JobType::Brands => &[
            "host/store/src/repo/brands.rs",
            "host/engine/src/brands.rs",
            "host/engine/src/job_types/brands",
            "host/api/src/routes/brands/",
        ],
        JobType::Documents => &[
            "host/domain/src/document/",
            "host/engine/src/job_types/documents",
            "host/api/src/routes/documents/",
            "host/gtm/src/document_fonts.rs",
        ],
        JobType::MessageTemplates => &[
            "host/store/src/repo/written_messages.rs",
            "host/engine/src/message_templates.rs",
            "host/engine/src/prospect_messages.rs",
            "host/engine/src/job_types/message_templates/",
            "host/api/src/routes/message_templates/",
            "host/api/src/routes/prospect_messages/",
        ],
        JobType::Prospecting => &[
            "host/store/src/repo/prospects.rs",
            "host/store/src/repo/searches.rs",
            "host/store/src/store/operator_prospecting.rs",
            "host/engine/src/prospecting_jobs.rs",
            "host/engine/src/job_types/prospecting",
            "host/api/src/routes/jobs/candidates.rs",
            "host/gtm/src/commands/prospecting",
        ],
    }
}

fn is_own(job_type: JobType, path: &str) -> bool {
    own(job_type).iter().any(|own| path.starts_with(own))
}

#[test]
fn documents_touch_the_listed_files_and_no_other() {
    let touched: BTreeSet<String> = host_sources()
        .into_iter()
        .filter(|(path, code)| names(code, JobType::Documents) && !is_own(JobType::Documents, path))
        .map(|(path, _)| path)
        .collect();
    assert_eq!(listed("What documents touch"), touched);
    assert!(touched.len() <= MOST_FILES, "{touched:#?}");
}

#[test]
fn code_names_a_type_in_the_listed_files_and_no_other() {
    let of_every_type: BTreeSet<String> = listed("What you write")
        .union(&listed("What documents touch"))
        .cloned()
        .collect();
    let mut besides = BTreeSet::new();
    for (path, code) in host_sources() {
        let is_named = JobType::ALL.into_iter().any(|job_type| {
            has_word(&code, &format!("JobType::{job_type:?}")) && !is_own(job_type, &path)
        });
        if is_named && !of_every_type.contains(&path) {
            besides.insert(path);
        }
    }
    assert_eq!(listed("Where a type is named besides"), besides);
}

/// The files of the guide that are about what callers can ask for. Nobody asks for a type without a capability.
const OF_CAPABILITIES: [&str; 4] = [
    "host/domain/src/permission.rs",
    "host/api/src/routes/mod.rs",
    "host/api/src/routes/jobs/list.rs",
    "host/api/src/openapi.rs",
];

#[test]
fn every_type_stands_in_every_file_of_the_guide() {
    let files = listed("What you write");
    let shared = files.iter().filter(|file| !file.contains('<'));
    let shared: Vec<&String> = shared.collect();
    assert!(shared.len() > 5, "{files:?}");
    assert!(files.len() <= MOST_FILES, "{files:#?}");
    for file in shared {
        let text = fs::read_to_string(root().join(file)).unwrap();
        for job_type in JobType::ALL {
            if job_type.capability().is_none() && OF_CAPABILITIES.contains(&file.as_str()) {
                continue;
            }
            assert!(names(&text, job_type), "{file} does not name {job_type:?}");
        }
    }
}
