//! Runs each tool on the files that it is for.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::tools::Tools;

/// A file to check.
#[derive(Debug, Clone)]
pub struct Subject {
    pub file: PathBuf,
    pub format: String,
    /// Pages as the renderer counted them.
    pub pages: Option<u64>,
    /// The manifest of evidence that the file must carry.
    pub evidence: Option<PathBuf>,
    /// Whether LibreOffice converts it, which takes longest.
    pub converted: bool,
}

/// What each tool found in each file; an empty list is a file without faults.
pub type Findings = BTreeMap<(PathBuf, String), Vec<String>>;

/// The tools in the order of the table.
pub const TOOLS: [&str; 11] = [
    "qpdf",
    "verapdf",
    "open-xml-sdk",
    "openxml-audit",
    "docx-integrity",
    "python-pptx",
    "python-docx",
    "openpyxl",
    "libreoffice",
    "lint",
    "evidence",
];

/// Runs all tools.
///
/// # Errors
/// If a tool does not start or says something that cannot be read.
pub fn run(tools: &Tools, subjects: &[Subject], folder: &Path) -> Result<Findings> {
    let of = |formats: &[&str]| -> Vec<&Subject> {
        (subjects.iter())
            .filter(|subject| formats.contains(&subject.format.as_str()))
            .collect()
    };
    let (office, pdf) = (of(&["pptx", "docx"]), of(&["pdf"]));
    // The four that take longest, side by side.
    std::thread::scope(|scope| {
        let python = scope.spawn(|| libraries(tools, &office));
        let sdk = scope.spawn(|| open_xml_sdk(tools, &office));
        let verapdf = scope.spawn(|| verapdf(tools, &pdf));
        let converted = scope.spawn(|| libreoffice(&office, folder));
        let mut all = qpdf(&pdf)?;
        for found in [python, sdk, verapdf, converted] {
            let found = found
                .join()
                .map_err(|_| anyhow::anyhow!("a check ended unexpectedly"))?;
            all.extend(found?);
        }
        Ok(all)
    })
}

/// The libraries take longest of all, so every other file is for a second process.
fn libraries(tools: &Tools, subjects: &[&Subject]) -> Result<Findings> {
    let (mut even, mut odd) = (Vec::new(), Vec::new());
    for (index, subject) in subjects.iter().enumerate() {
        let side = if index % 2 == 0 { &mut even } else { &mut odd };
        side.push(*subject);
    }
    std::thread::scope(|scope| {
        let beside = scope.spawn(|| libraries_of(tools, &odd));
        let mut all = libraries_of(tools, &even)?;
        let found = beside.join();
        all.extend(found.map_err(|_| anyhow::anyhow!("a check ended unexpectedly"))??);
        Ok(all)
    })
}

fn libraries_of(tools: &Tools, subjects: &[&Subject]) -> Result<Findings> {
    let mut input = String::new();
    for subject in subjects {
        let mut given = json!({"file": subject.file, "format": subject.format});
        if let Some(pages) = subject.pages {
            given["pages"] = pages.into();
        }
        if let Some(evidence) = &subject.evidence {
            given["evidence"] = json!(evidence);
        }
        input.push_str(&format!("{given}\n"));
    }
    let mut command = Command::new(&tools.python);
    command
        .arg(tools.own.join("python/check.py"))
        .env("FONTCONFIG_FILE", &tools.fonts);
    findings(&answered(&mut command, &input)?)
}

fn open_xml_sdk(tools: &Tools, subjects: &[&Subject]) -> Result<Findings> {
    if subjects.is_empty() {
        return Ok(Findings::new());
    }
    let mut command = Command::new("node");
    command
        .arg(&tools.node)
        .args(subjects.iter().map(|subject| &subject.file));
    findings(&answered(&mut command, "")?)
}

/// Lines of JSON: `file`, `tool`, `faults`.
fn findings(lines: &str) -> Result<Findings> {
    let mut all = Findings::new();
    for line in lines.lines() {
        let told: Value =
            serde_json::from_str(line).with_context(|| format!("not a finding: {line}"))?;
        let (Some(file), Some(tool), Some(faults)) = (
            told["file"].as_str(),
            told["tool"].as_str(),
            told["faults"].as_array(),
        ) else {
            bail!("not a finding: {line}");
        };
        let texts = (faults.iter().filter_map(Value::as_str))
            .map(str::to_owned)
            .collect();
        all.insert((file.into(), tool.to_owned()), texts);
    }
    Ok(all)
}

fn verapdf(tools: &Tools, subjects: &[&Subject]) -> Result<Findings> {
    let mut all = Findings::new();
    if subjects.is_empty() {
        return Ok(all);
    }
    let mut command = Command::new("java");
    command
        .args(["-Xmx1g", "-cp", &tools.class_path])
        .arg(tools.own.join("verapdf/Check.java"))
        .args(subjects.iter().map(|subject| &subject.file));
    let told = answered(&mut command, "")?;
    let mut kept: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in told.lines() {
        let fields: Vec<&str> = line.splitn(3, '\t').collect();
        let [file, profile, what] = fields[..] else {
            bail!("veraPDF said {line}");
        };
        kept.entry(file).or_default().insert(profile);
        let faults = all
            .entry((PathBuf::from(file), "verapdf".to_owned()))
            .or_default();
        if what != "ok" {
            faults.push(format!("{profile} {what}"));
        }
    }
    for subject in subjects {
        let file = subject.file.to_string_lossy();
        // Both profiles, or the tool has passed over one.
        if kept.get(&*file).is_none_or(|profiles| profiles.len() < 2) {
            bail!("veraPDF said nothing of {file}");
        }
    }
    Ok(all)
}

fn qpdf(subjects: &[&Subject]) -> Result<Findings> {
    let mut all = Findings::new();
    for subject in subjects {
        let output = Command::new("qpdf")
            .arg("--check")
            .arg(&subject.file)
            .output()
            .context("cannot start qpdf")?;
        let told = String::from_utf8_lossy(&output.stderr);
        let mut faults: Vec<String> = told.lines().map(str::to_owned).collect();
        if !output.status.success() && faults.is_empty() {
            faults.push(format!("qpdf ended with {}", output.status));
        }
        if let Some(pages) = subject.pages {
            let counted = pages_of(&subject.file);
            if counted != Some(pages) {
                faults.push(format!(
                    "{counted:?} pages, but the renderer counted {pages}"
                ));
            }
        }
        all.insert((subject.file.clone(), "qpdf".to_owned()), faults);
        if let Some(evidence) = &subject.evidence {
            let faults = attached(&subject.file, evidence)?;
            all.insert((subject.file.clone(), "evidence".to_owned()), faults);
        }
    }
    Ok(all)
}

/// Whether an attachment is the manifest of evidence, byte for byte.
fn attached(file: &Path, evidence: &Path) -> Result<Vec<String>> {
    let wanted = fs::read(evidence)?;
    let list = Command::new("qpdf")
        .arg("--list-attachments")
        .arg(file)
        .output()?;
    let names = String::from_utf8_lossy(&list.stdout);
    for line in names.lines() {
        let Some((name, _)) = line.split_once(" -> ") else {
            continue;
        };
        let shown = Command::new("qpdf")
            .arg(format!("--show-attachment={name}"))
            .arg(file)
            .output()?;
        if shown.stdout == wanted {
            return Ok(Vec::new());
        }
    }
    Ok(vec!["no attachment is the manifest of evidence".to_owned()])
}

/// Longest that LibreOffice may take for all files.
const CONVERSION: Duration = Duration::from_secs(300);

fn libreoffice(subjects: &[&Subject], folder: &Path) -> Result<Findings> {
    let mut all = Findings::new();
    let chosen: Vec<&&Subject> = (subjects.iter())
        .filter(|subject| subject.converted)
        .collect();
    for format in ["pptx", "docx"] {
        // Into a folder of the format's own: the names differ only in how they end.
        let files: Vec<&Path> = (chosen.iter())
            .filter(|subject| subject.format == format)
            .map(|subject| subject.file.as_path())
            .collect();
        let to = folder.join("converted").join(format);
        convert(&files, &to, folder)?;
        for file in files {
            let converted = to.join(file.file_stem().unwrap_or_default());
            let pages = pages_of(&converted.with_extension("pdf"));
            let faults = match pages {
                Some(pages) if pages > 0 => Vec::new(),
                _ => vec!["LibreOffice does not open it".to_owned()],
            };
            all.insert((file.to_owned(), "libreoffice".to_owned()), faults);
        }
    }
    Ok(all)
}

/// Converts Office files to PDF in `to`. One that cannot be read leaves no PDF behind.
///
/// # Errors
/// If LibreOffice does not start, or takes too long.
pub fn convert(files: &[&Path], to: &Path, folder: &Path) -> Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    let profile = folder.join("libreoffice-profile");
    let log = fs::File::create(folder.join("libreoffice.log"))?;
    let mut process = Command::new("soffice")
        // A profile of its own: a LibreOffice that a person has open would take the files instead.
        .arg(format!(
            "-env:UserInstallation=file://{}",
            profile.display()
        ))
        .args([
            "--headless",
            "--norestore",
            "--convert-to",
            "pdf",
            "--outdir",
        ])
        .arg(to)
        .args(files)
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .spawn()
        .context("cannot start soffice")?;
    let until = std::time::Instant::now() + CONVERSION;
    while process.try_wait()?.is_none() {
        if std::time::Instant::now() > until {
            process.kill()?;
            process.wait()?;
            bail!("LibreOffice took more than {} s", CONVERSION.as_secs());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// Pages of a PDF file, if it can be read.
pub fn pages_of(file: &Path) -> Option<u64> {
    let output = Command::new("pdfinfo").arg(file).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text.lines().find_map(|line| line.strip_prefix("Pages:")))?
        .trim()
        .parse()
        .ok()
}

/// What the command says on standard output when it is given this input.
fn answered(command: &mut Command, input: &str) -> Result<String> {
    let shown = format!("{:?}", command.get_program());
    let mut process = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {shown}"))?;
    let mut stdin = process.stdin.take().context("no standard input")?;
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = process.wait_with_output()?;
    // A process that ends early is reported below.
    let _ = writer.join();
    if !output.status.success() {
        bail!(
            "{shown} ended with {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
