//! The documents of briefs of one's own, for whoever reads them: `GTM_BRIEFS=folder`, with files named `name-language-format.md`.
//! `any` leaves the format to the backend. Without the variable there is nothing to do.

use std::path::PathBuf;

use gtm_sdk::json::json;

use crate::run::job;
use crate::wishes::run;

#[test]
fn briefs_of_a_folder_are_printed() {
    let Ok(folder) = std::env::var("GTM_BRIEFS") else {
        return;
    };
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|it| it == "md"));
    files.sort();
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let mut parts = name.rsplitn(3, '-');
        let format = parts.next().unwrap_or("any");
        let language = parts.next().unwrap_or("en");
        let mut job = job(&std::fs::read_to_string(&file).unwrap()).alone();
        job.brand = json!({"language": language});
        if format != "any" {
            job = job.with("/format", json!(format));
        }
        println!("\n=== {name}");
        run(job);
    }
}
