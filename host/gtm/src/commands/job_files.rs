//! `gtm job files`: what a job made, and a copy of it in a folder.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use futures::TryStreamExt as _;
use gtm_domain::JobId;
use gtm_domain::job::JobFile;
use gtm_store::Store;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, or_dash, table};

/// Lists the files of a job, and saves them if there is a folder for them.
///
/// # Errors
/// If there is no such job, its retention is over, or a file cannot be read or saved.
pub async fn run(
    id: JobId,
    folder: Option<&Path>,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    let found = operator.show_job(id).await?;
    let found = found.ok_or_else(|| Failure::absent("job", id))?;
    let files = operator.job_files(id).await?;
    if files.is_empty() && found.job.expired {
        return Err(Failure::new(format!(
            "job {id} is past its retention, and what it made is deleted"
        )));
    }
    let mut rows: Vec<(JobFile, Option<PathBuf>)> = Vec::with_capacity(files.len());
    if let Some(folder) = folder {
        fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    }
    for file in files {
        let saved = match folder {
            Some(folder) => Some(save(&installation.store, &file, folder).await?),
            None => None,
        };
        rows.push((file, saved));
    }
    let value: Vec<Value> = rows
        .iter()
        .map(|(file, saved)| as_json(file, saved))
        .collect();
    output.print(&json!({ "files": value }), || {
        let cells = |(file, saved): &(JobFile, Option<PathBuf>)| {
            vec![
                file.id.to_string(),
                file.name.clone(),
                file.media_type.clone(),
                file.size_bytes.to_string(),
                or_dash(saved.as_ref().map(|path| path.display().to_string())),
            ]
        };
        table(
            &["ID", "NAME", "TYPE", "BYTES", "SAVED"],
            &rows.iter().map(cells).collect::<Vec<_>>(),
        )
    })
}

fn as_json(file: &JobFile, saved: &Option<PathBuf>) -> Value {
    json!({
        "file_id": file.id, "filename": file.name, "media_type": file.media_type, "size_bytes": file.size_bytes,
        "content_digest": file.digest, "created_at": file.created_at, "path": saved,
    })
}

/// Saves a file under its own name, which is checked when the job ends: it has no folder in it.
async fn save(store: &Store, file: &JobFile, folder: &Path) -> Result<PathBuf, Failure> {
    let path = folder.join(&file.name);
    let mut content = store.file_stream(file, 0..file.size_bytes).await?;
    let mut copy = create(&path).map_err(|error| unwritable(&path, &error))?;
    let written = async {
        while let Some(portion) = content.try_next().await? {
            copy.write_all(&portion)
                .map_err(|error| unwritable(&path, &error))?;
        }
        copy.sync_all().map_err(|error| unwritable(&path, &error))
    };
    if let Err(failure) = written.await {
        // Half a file would be taken for a whole one.
        let _ = fs::remove_file(&path);
        return Err(failure);
    }
    Ok(path)
}

fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let failure = Failure::new(format!("{} cannot be written: {error}", path.display()));
    match error.kind() {
        io::ErrorKind::AlreadyExists => failure.hint("remove the file, or give another folder"),
        _ => failure,
    }
}
