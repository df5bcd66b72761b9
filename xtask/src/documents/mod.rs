//! `cargo xtask documents`: renders documents and has them checked by tools that others wrote.
//!
//! `fixtures` are the documents, `tools` installs what checks them, `checks` runs it, `verdicts` are kept for bytes that
//! were checked before, `waivers` are known faults, `report` is the table. Rendering itself is in `crate::rendering`.

pub mod checks;
mod fixtures;
mod report;
pub mod tools;
mod verdicts;
mod waivers;

use std::fs;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use checks::{Findings, Subject, TOOLS};
use fixtures::Fixture;
use report::Row;
use tools::Tools;
use verdicts::Verdicts;
use waivers::Waivers;

use crate::cores::on_all_cores;
use crate::plugins::Purpose;
use crate::process::{capture, is_ci};
use crate::rendering::{FORMATS, Refusal, Rendered, Renderers};
use crate::workspace::Workspace;

/// Render documents, the hostile ones too, and check the files with tools that others wrote.
///
/// Needs python3, node, a JDK, qpdf, poppler and LibreOffice; fetches pinned tools from their package indexes,
/// once. Before each run every tool must find a fault that was planted for it. With CI=true no format may be
/// skipped.
#[derive(clap::Args)]
pub struct Args {
    /// Only documents whose name contains one of these
    filters: Vec<String>,
    /// Only this format; may be given more than once
    #[arg(long, value_name = "FORMAT", value_parser = ["pptx", "docx", "pdf"])]
    format: Vec<String>,
    /// Where the files go [default: documents/checked in cargo's target directory]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Check files again whose bytes the same tools have passed before
    #[arg(long)]
    anew: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let started = Instant::now();
    let workspace = Workspace::load()?;
    let tools = Tools::install(&workspace)?;
    let base = workspace.target.join("documents");
    let output = match &args.output {
        Some(output) => std::path::absolute(output)?,
        None => base.join("checked"),
    };
    if output.exists() {
        fs::remove_dir_all(&output)
            .with_context(|| format!("cannot empty {}", output.display()))?;
    }
    fs::create_dir_all(&output).with_context(|| format!("cannot make {}", output.display()))?;
    let renderers = Renderers::prepare(&workspace, &base, Purpose::Development)?;
    let wanted = |format: &str| args.format.is_empty() || args.format.iter().any(|it| it == format);
    let skipped: Vec<&str> = (FORMATS.iter())
        .map(|(format, _)| *format)
        .filter(|format| wanted(format) && !renderers.can(format))
        .collect();
    for format in &skipped {
        println!("SKIPPED: {format}: its renderer is not in this checkout");
    }
    let chosen: Vec<Fixture> = (fixtures::all().into_iter())
        .filter(|fixture| {
            args.filters.is_empty() || args.filters.iter().any(|word| fixture.name.contains(word))
        })
        .collect();
    let wanted: Vec<(&Fixture, &str)> = (chosen.iter())
        .flat_map(|fixture| {
            let formats = fixture.formats.iter().copied();
            formats.map(move |format| (fixture, format))
        })
        .filter(|(_, format)| wanted(format) && renderers.can(format))
        .collect();
    let planted_in = output.join("planted");
    let (planted, made) = thread::scope(|scope| {
        // The tools mostly start; rendering needs none of them.
        let planted = scope.spawn(|| find_what_was_planted(&tools, &planted_in));
        let made = on_all_cores(&wanted, |(fixture, format)| {
            rendered(&renderers, fixture, format, &output)
        });
        let planted = planted.join().unwrap_or_else(|panic| resume_unwind(panic));
        (planted, made)
    });
    println!("planted faults: {} found", planted?);
    let made: Vec<(Row, Option<Subject>)> = made.into_iter().collect::<Result<_>>()?;
    let (mut rows, subjects): (Vec<Row>, Vec<Option<Subject>>) = made.into_iter().unzip();
    let there: Vec<Subject> = subjects.iter().flatten().cloned().collect();
    let verdicts = Verdicts::open(&tools, base.join("verdicts"))?;
    let (findings, kept) = found(&tools, &verdicts, &there, args.anew, &output)?;
    if kept > 0 {
        println!(
            "checked before, byte for byte: {kept} of {} files",
            there.len()
        );
    }
    let waivers = Waivers::read(&tools.own.join("waivers.toml"))?;
    for (row, subject) in rows.iter_mut().zip(&subjects) {
        if let Some(subject) = subject {
            enter(row, subject, &findings, &waivers);
        }
    }
    report(&rows, started)?;
    if is_ci() && !skipped.is_empty() {
        bail!("in CI no format may be skipped");
    }
    Ok(())
}

/// What the tools find, and of how many files they found it before.
fn found(
    tools: &Tools,
    verdicts: &Verdicts,
    subjects: &[Subject],
    anew: bool,
    output: &Path,
) -> Result<(Findings, usize)> {
    let (mut findings, mut open) = (Findings::new(), Vec::new());
    for subject in subjects {
        let known = if anew { None } else { verdicts.of(subject)? };
        match known {
            Some(known) => findings.extend(known),
            None => open.push(subject.clone()),
        }
    }
    let told = checks::run(tools, &open, output)?;
    verdicts.keep(&open, &told)?;
    findings.extend(told);
    Ok((findings, subjects.len() - open.len()))
}

/// Prints the table and what is wrong.
fn report(rows: &[Row], started: Instant) -> Result<()> {
    print!("{}", report::table(rows));
    for row in rows {
        for fault in &row.faults {
            println!("{}.{}: {fault}", row.fixture, row.format);
        }
    }
    let faults: usize = rows.iter().map(|row| row.faults.len()).sum();
    let waived: usize = rows.iter().map(|row| row.waived).sum();
    println!(
        "documents: {} files, {faults} faults, {waived} waived, {} s",
        rows.len(),
        started.elapsed().as_secs()
    );
    if faults > 0 {
        bail!("{faults} faults in rendered documents");
    }
    Ok(())
}

/// Renders a fixture in a format, and says what came of it.
fn rendered(
    renderers: &Renderers,
    fixture: &Fixture,
    format: &str,
    output: &Path,
) -> Result<(Row, Option<Subject>)> {
    let mut row = Row {
        fixture: fixture.name.clone(),
        format: format.to_owned(),
        ..Row::default()
    };
    let made = renderers.render(
        format,
        output,
        &fixture.name,
        &fixture.document,
        &fixture.assets,
    )?;
    row.rendered = described(&made);
    let manifest = fixture
        .assets
        .iter()
        .position(|asset| asset.name == "evidence-manifest.json")
        .map(|index| {
            output
                .join("input")
                .join(format!("{}.{format}", fixture.name))
                .join(format!("asset-{index}.json"))
        });
    match (made, fixture.expected.refusal(format)) {
        (Ok(made), None) => {
            let subject = Subject {
                file: made.file,
                format: format.to_owned(),
                pages: made.pages,
                evidence: manifest,
                converted: fixture.converted,
            };
            return Ok((row, Some(subject)));
        }
        (Err(refusal), Some(code)) if refusal.code == code => {}
        (Err(refusal), None) => row
            .faults
            .push(format!("render: {} {}", refusal.code, refusal.message)),
        (Err(refusal), Some(code)) => row.faults.push(format!(
            "render: refused as {}, not as {code}: {}",
            refusal.code, refusal.message
        )),
        (Ok(_), Some(code)) => row
            .faults
            .push(format!("render: not refused as {code}, but rendered")),
    }
    Ok((row, None))
}

fn described(made: &Result<Rendered, Refusal>) -> String {
    match made {
        Ok(made) => format!(
            "{} p, {} KiB, {} ms, {} MiB{}",
            made.pages
                .map_or_else(|| "?".to_owned(), |pages| pages.to_string()),
            made.bytes.div_ceil(1024),
            made.wall_ms,
            made.peak_memory_bytes.div_ceil(1 << 20),
            match made.diagnostics.len() {
                0 => String::new(),
                count => format!(", {count} diagnostics"),
            }
        ),
        Err(refusal) if refusal.code.is_empty() => "failed".to_owned(),
        Err(refusal) => refusal.code.clone(),
    }
}

/// Enters what the tools found into the row.
fn enter(row: &mut Row, subject: &Subject, findings: &Findings, waivers: &Waivers) {
    for tool in TOOLS {
        let found = findings.get(&(subject.file.clone(), tool.to_owned()));
        let mut open = 0;
        for fault in found.into_iter().flatten() {
            if waivers
                .reason(&row.fixture, &row.format, tool, fault)
                .is_some()
            {
                row.waived += 1;
            } else {
                open += 1;
                row.faults.push(format!("{tool}: {fault}"));
            }
        }
        row.tools.push(found.map(|_| open));
    }
}

/// Makes files with one fault each and fails if a tool does not report its own. Returns how many there are.
fn find_what_was_planted(tools: &Tools, folder: &Path) -> Result<usize> {
    let told = capture(
        Command::new(&tools.python)
            .arg(tools.own.join("python/plant.py"))
            .arg(folder),
    )?;
    let manifest = folder.join("manifest.json");
    fs::write(&manifest, "{}")?;
    let mut planted = Vec::new();
    for line in told.lines() {
        let value: Value = serde_json::from_str(line)?;
        let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let subject = Subject {
            file: text("file").into(),
            format: text("format"),
            pages: None,
            evidence: Some(manifest.clone()),
            converted: text("tool") == "libreoffice",
        };
        planted.push((subject, text("tool"), text("says")));
    }
    let subjects: Vec<Subject> = planted
        .iter()
        .map(|(subject, ..)| subject.clone())
        .collect();
    let findings = checks::run(tools, &subjects, folder)?;
    for (subject, tool, says) in &planted {
        let found = findings.get(&(subject.file.clone(), tool.clone()));
        let seen = found.is_some_and(|faults| faults.iter().any(|fault| fault.contains(says)));
        if !seen {
            bail!(
                "{tool} does not see the fault in {}: {found:?}",
                subject.file.display()
            );
        }
    }
    for tool in TOOLS {
        if !planted.iter().any(|(_, planted, _)| planted == tool) {
            bail!("no fault is planted for {tool}");
        }
    }
    Ok(planted.len())
}
