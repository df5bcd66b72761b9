//! `cargo xtask bench renderers`: what one document takes in each renderer, as a component in the host's sandbox, by
//! the same code compiled natively, and by programs that others wrote. All in one run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use gtm_document_gallery::{Asset, SAMPLES, THEMES};
use serde::Deserialize;

use crate::contract::tools::python_packages;
use crate::plugins::Purpose;
use crate::process::{capture, host_cargo, run as run_command};
use crate::rendering::{FORMATS, Renderers};
use crate::workspace::Workspace;

/// The document: it has a chart, tables, a picture and each kind of block that a proposal has.
const SAMPLE: &str = "proposal-en";

/// Measure the renderers.
#[derive(clap::Args)]
pub struct Args {
    /// How often each program makes the file
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
    /// Only try that everything runs: once, with what development builds. The figures say nothing then
    #[arg(long = "try")]
    only_try: bool,
}

/// The file of one program: how long it took, and the memory.
struct Row {
    name: String,
    format: String,
    /// Milliseconds, sorted.
    times: Vec<f64>,
    megabytes: Option<f64>,
    note: String,
}

/// A line that `competitors.py` prints.
#[derive(Deserialize)]
struct Told {
    name: String,
    format: String,
    ms: Vec<f64>,
    kilobytes: Option<f64>,
    missing: Option<String>,
}

/// Builds everything, measures, and prints the table.
pub fn run(workspace: &Workspace, args: &Args) -> Result<()> {
    let (purpose, runs) = match args.only_try {
        true => (Purpose::Development, 1),
        false => (Purpose::Benchmark, args.runs),
    };
    let folder = workspace.target.join("bench-renderers");
    let python = competitors(workspace, &folder)?;
    // What `cargo xtask documents` has compiled does for a try.
    let compiled = match args.only_try {
        true => workspace.target.join("documents"),
        false => folder.clone(),
    };
    let renderers = Renderers::prepare(workspace, &compiled, purpose)?;
    let native = native(workspace, purpose)?;

    let files = folder.join("files");
    if files.exists() {
        fs::remove_dir_all(&files).with_context(|| format!("cannot empty {}", files.display()))?;
    }
    let sample = (SAMPLES.iter().find(|sample| sample.name == SAMPLE))
        .context("the gallery lacks the document")?;
    let theme = THEMES.first().context("the gallery has no theme")?;
    let (document, assets) = (sample.document(theme), sample.assets(theme));
    let source = write_source(&files, &document.to_string(), &assets)?;

    let mut rows = Vec::new();
    for (format, _) in FORMATS {
        if !renderers.can(format) {
            bail!("the renderer of {format} is not in this checkout");
        }
        let mut sandbox = (Vec::new(), 0, Vec::new());
        for _ in 0..runs {
            let begin = Instant::now();
            let made = renderers.render(format, &files, "sandbox", &document, &assets)?;
            let whole = begin.elapsed();
            let made = made.map_err(|refusal| anyhow::anyhow!("{format}: {}", refusal.message))?;
            sandbox
                .0
                .push(milliseconds(Duration::from_millis(made.wall_ms)));
            sandbox.1 = made.peak_memory_bytes.max(sandbox.1);
            sandbox.2.push(milliseconds(whole));
        }
        // Between two starts only the call differs; the rest is the program's start, and loading the component.
        let first = sandbox.2.first().copied().unwrap_or_default();
        let started = median(&mut sandbox.2) - median(&mut sandbox.0);
        rows.push(Row {
            name: "gtm, in the sandbox".to_owned(),
            format: format.to_owned(),
            times: sandbox.0,
            #[expect(clippy::cast_precision_loss, reason = "megabytes for people")]
            megabytes: Some(sandbox.1 as f64 / f64::from(1 << 20)),
            note: format!(
                "start and load {started:.0} ms; the first run, which compiles, {first:.0} ms"
            ),
        });
        if let Some(program) = native.get(format) {
            rows.push(natively(program, format, &source, &files, runs)?);
        }
    }
    rows.extend(by_others(workspace, &python, &source, &files, runs)?);
    print(&mut rows);
    Ok(())
}

/// Installs the libraries of others and returns their interpreter.
fn competitors(workspace: &Workspace, folder: &Path) -> Result<PathBuf> {
    let environment = folder.join("python");
    let pinned = workspace
        .root
        .join("tests/documents/python/competitors.txt");
    python_packages(
        Path::new("python3"),
        &environment,
        pinned,
        "to compare with",
    )?;
    Ok(environment.join("bin/python"))
}

/// The same renderers as programs, by format. That of PDF has a workspace of its own and takes minutes to compile, so it
/// is only there where something is measured.
fn native(workspace: &Workspace, purpose: Purpose) -> Result<BTreeMap<&'static str, PathBuf>> {
    let mut build = host_cargo();
    build
        .current_dir(&workspace.root)
        .args(["build", "--workspace"]);
    let mut programs = BTreeMap::new();
    let profile = match purpose {
        Purpose::Development => {
            // What CI has built: the examples alone have other features.
            build.arg("--all-targets");
            "debug"
        }
        Purpose::Release | Purpose::Benchmark => {
            build.args(["--examples", "--release"]);
            let target = workspace.target.join("bench-renderers/native-pdf");
            run_command(
                host_cargo()
                    .current_dir(workspace.root.join("plugins/render-pdf"))
                    .args([
                        "build",
                        "--release",
                        "--locked",
                        "--example",
                        "render-document",
                    ])
                    .env("CARGO_TARGET_DIR", &target)
                    // Another workspace, whose lints are its own.
                    .env_remove("RUSTC_WORKSPACE_WRAPPER"),
            )?;
            programs.insert("pdf", target.join("release/examples/render-document"));
            "release"
        }
    };
    run_command(&mut build)?;
    let examples = workspace.target.join(profile).join("examples");
    programs.insert("docx", examples.join("render-document"));
    programs.insert("pptx", examples.join("render"));
    Ok(programs)
}

/// Writes the document, and its assets into a folder beside it. Returns the document's place.
fn write_source(files: &Path, document: &str, assets: &[Asset]) -> Result<PathBuf> {
    let folder = files.join("assets");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for asset in assets {
        let path = folder.join(&asset.name);
        fs::write(&path, &asset.bytes)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let source = files.join("document.json");
    fs::write(&source, document).with_context(|| format!("cannot write {}", source.display()))?;
    Ok(source)
}

fn natively(program: &Path, format: &str, source: &Path, files: &Path, runs: u32) -> Result<Row> {
    let told = capture(
        Command::new(program)
            .arg(source)
            .arg(files.join(format!("native.{format}")))
            .arg(files.join("assets"))
            .arg(runs.to_string()),
    )?;
    let times: Vec<f64> = (told.lines())
        .filter_map(|line| line.strip_suffix(" ms")?.parse().ok())
        .collect();
    Ok(Row {
        name: "the same code, natively".to_owned(),
        format: format.to_owned(),
        times,
        megabytes: None,
        note: String::new(),
    })
}

fn by_others(
    workspace: &Workspace,
    python: &Path,
    source: &Path,
    files: &Path,
    runs: u32,
) -> Result<Vec<Row>> {
    let script = workspace.root.join("tests/documents/python/competitors.py");
    let told = capture(
        Command::new(python)
            .arg(script)
            .arg(source)
            .arg(files.join("others"))
            .arg(runs.to_string()),
    )?;
    let lines = told.lines().map(|line| {
        let told: Told = serde_json::from_str(line)
            .with_context(|| format!("competitors.py printed {line:?}"))?;
        Ok(Row {
            name: told.name,
            format: told.format,
            times: told.ms,
            megabytes: told.kilobytes.map(|kilobytes| kilobytes / 1024.0),
            note: told.missing.unwrap_or_default(),
        })
    });
    lines.collect()
}

/// Prints the rows by format, with the ratio of each median to that of ours in the sandbox.
fn print(rows: &mut [Row]) {
    println!(
        "{:34} {:6} {:>9} {:>9} {:>9} {:>8}",
        "program", "format", "median ms", "worst ms", "memory MB", "ratio"
    );
    for (format, _) in FORMATS {
        let mut ours = None;
        for row in rows.iter_mut().filter(|row| row.format == format) {
            if row.times.is_empty() {
                println!("{:34} {format:6} {}", row.name, row.note);
                continue;
            }
            let median = median(&mut row.times);
            let worst = row.times.last().copied().unwrap_or_default();
            let ours = *ours.get_or_insert(median);
            let memory = row
                .megabytes
                .map_or(String::new(), |used| format!("{used:.0}"));
            println!(
                "{:34} {format:6} {median:9.1} {worst:9.1} {memory:>9} {:8.2}  {}",
                row.name,
                median / ours,
                row.note
            );
        }
    }
    println!(
        "ratio: median / median of gtm in the sandbox. What others make has no tags, notes, citations or brand."
    );
}

/// The middle of the values, which are sorted for it.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_of_the_sorted_values() {
        assert!((median(&mut [3.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert!(median(&mut []).abs() < f64::EPSILON);
    }
}
