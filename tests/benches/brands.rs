//! Measures the quality of brand guidelines on the company sites in `tests/sites`: precision, recall and
//! unsupported claims against the golden files. The same run measures a plain reader of the home page's
//! metadata for comparison. `cargo xtask bench brands` builds and starts it; if the environment names a
//! model, it measures a second time with the model. Without `--bench`, which cargo passes, it only tries one
//! site.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

use gtm_e2e::brand_lane::{Measured, Model, measure, total};
use gtm_e2e::company_sites;
use gtm_e2e::quality::Score;

#[tokio::main]
async fn main() {
    let verbose = std::env::args().any(|argument| argument == "--verbose");
    let mut sites = company_sites::all();
    if !std::env::args().any(|argument| argument == "--bench") {
        sites.truncate(1);
    }
    report("evidence only", &measure(&sites, None).await, verbose);
    match Model::from_environment() {
        Some(model) => {
            let measured = measure(&sites, Some(&model)).await;
            report(&format!("with {}", model.name), &measured, verbose);
        }
        None => println!("\nwith a model: not measured (there is none)"),
    }
}

fn report(title: &str, measured: &[Measured], verbose: bool) {
    println!("\n{title}");
    println!(
        "{:14} {:>9} {:>7} {:>7} {:>7} {:>11} {:>5} {:>6} {:>8} {:>7}  metadata reader",
        "site",
        "precision",
        "recall",
        "claims",
        "of",
        "unsupported",
        "pages",
        "s",
        "bytes",
        "fields"
    );
    for site in measured {
        line(site);
    }
    let (held_out, developed): (Vec<&Measured>, Vec<&Measured>) =
        measured.iter().partition(|site| site.held_out);
    sum("sites that the program was developed on", &developed);
    if !held_out.is_empty() {
        sum("held-out sites", &held_out);
    }
    for site in measured {
        for broken in &site.requests {
            println!("{}: {broken}", site.site);
        }
        if !site.expected_outcome {
            println!("{}: ended {}", site.site, site.outcome);
        }
        details(&site.score, verbose);
    }
}

/// The sum over several sites, next to that of the metadata reader.
#[allow(clippy::cast_precision_loss)]
fn sum(which: &str, measured: &[&Measured]) {
    let all = total(measured.iter().copied(), |site| &site.score);
    let plain = total(measured.iter().copied(), |site| &site.metadata);
    let brands = measured.len() as f64;
    let (known, fields) = measured
        .iter()
        .fold((0, 0), |(k, f), m| (k + m.known, f + m.fields));
    println!(
        "{which}: precision {:.3}, recall {:.3} ({} of {}), unsupported {}, conflicts {} of {}, fields known {:.0} %, {:.1} pages and {:.1} s a brand, {} bytes kept",
        all.precision(),
        all.recall(),
        all.recalled,
        all.expected,
        all.unsupported.len(),
        all.conflicts_found,
        all.conflicts_expected,
        100.0 * known as f64 / (fields.max(1)) as f64,
        measured.iter().map(|m| m.pages).sum::<usize>() as f64 / brands,
        measured.iter().map(|m| m.seconds).sum::<f64>() / brands,
        measured.iter().map(|m| m.bytes_kept).sum::<u64>(),
    );
    println!(
        "  metadata reader (title, description, Open Graph, JSON-LD of the home page): precision {:.3}, recall {:.3} ({} of {}), unsupported {}",
        plain.precision(),
        plain.recall(),
        plain.recalled,
        plain.expected,
        plain.unsupported.len(),
    );
}

#[allow(clippy::cast_precision_loss)]
fn line(site: &Measured) {
    println!(
        "{:14} {:>9.3} {:>7.3} {:>7} {:>7} {:>11} {:>5} {:>6.1} {:>8} {:>5.0} %  {:.3} {:.3} ({} unsupported)",
        site.site,
        site.score.precision(),
        site.score.recall(),
        site.score.found,
        site.score.expected,
        site.score.unsupported.len(),
        site.pages,
        site.seconds,
        site.bytes_kept,
        100.0 * site.known as f64 / (site.fields.max(1)) as f64,
        site.metadata.precision(),
        site.metadata.recall(),
        site.metadata.unsupported.len(),
    );
}

fn details(score: &Score, verbose: bool) {
    for claim in &score.unsupported {
        println!("  unsupported {claim}");
    }
    if verbose {
        for claim in &score.missed {
            println!("  missed      {claim}");
        }
        for claim in &score.unlisted {
            println!("  unlisted    {claim}");
        }
    }
}
