//! How long the facts of a page take that is as long as a page may be, in several forms, beside a quarter of it. What
//! grows with the square of a page's length takes sixteen times as long; a job then runs into its limit of time.
//!
//! `cargo bench -p gtm-site-facts`; `long_pages FORM` reads one form alone, for a profiler.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

use std::time::{Duration, Instant};

use gtm_site_facts::draft::Draft;
use gtm_site_facts::facts;
use gtm_site_facts::identity::identified;
use gtm_site_facts::part::Part;
use gtm_site_facts::site::Site;
use gtm_site_research::evidence::{self, Evidence};
use gtm_site_research::page::Page;
use gtm_site_research::reading::{Research, Visited};
use gtm_site_research::roles::Role;
use serde_json::{Value, json};

/// Blocks of the longest page that is read, and of the shorter one.
const LONG: usize = 3_000;
const SHORT: usize = LONG / 4;
/// Most times that the long page may take of the short one. Linear time is four; a busy machine needs some room.
const MOST: f64 = 9.0;
/// What takes less says nothing of how it grows.
const LEAST: Duration = Duration::from_millis(150);

const FORMS: [&str; 6] = [
    "rows of a table",
    "linked items of a list",
    "labels and values",
    "nested headings",
    "cards of a catalogue",
    "long paragraphs",
];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let wanted = wanted.iter().find(|name| FORMS.contains(&name.as_str()));
    println!("{:24} {:>9} {:>9} {:>6}", "form", "750", "3000", "times");
    let mut slow = Vec::new();
    for form in FORMS {
        if wanted.is_some_and(|wanted| wanted != form) {
            continue;
        }
        let short = best(form, SHORT);
        let long = best(form, LONG);
        let times = long.as_secs_f64() / short.as_secs_f64();
        println!("{form:24} {short:>9.1?} {long:>9.1?} {times:>6.1}");
        if times > MOST && long > LEAST {
            slow.push(form);
        }
    }
    assert!(slow.is_empty(), "grow too fast: {slow:?}");
}

/// The shorter of two runs: whatever else runs on the machine only adds.
fn best(form: &str, blocks: usize) -> Duration {
    let run = || {
        let started = Instant::now();
        let (site, evidence) = read(form, blocks);
        let mut draft = Draft::default();
        facts::collect(None, &site, &evidence, &mut draft);
        facts::offerings(&site, &evidence);
        facts::areas(&site, &evidence);
        facts::contact(&site, None);
        started.elapsed()
    };
    run().min(run())
}

fn read(form: &str, blocks: usize) -> (Site, Evidence) {
    let home = json!({
        "receipt_id": "rcp_1", "url": "https://acme.example/", "final_url": "https://acme.example/",
        "title": "Acme Fittings Ltd", "language": "en",
        "blocks": [
            {"kind": "heading", "level": 1, "text": "Acme Fittings Ltd", "main": true},
            {"kind": "paragraph", "text": "We make fittings for pipes in Leeds.", "main": true},
        ],
    });
    let links: Vec<Value> = (0..blocks.min(1_500))
        .map(|at| {
            json!({"url": format!("https://acme.example/parts/{at}"), "text": format!("Fitting no. {at} of brass")})
        })
        .collect();
    let page = json!({
        "receipt_id": "rcp_2", "url": "https://acme.example/parts", "final_url": "https://acme.example/parts",
        "title": "Parts – Acme Fittings Ltd", "language": "en", "links": links,
        "blocks": (0..blocks).map(|at| block(form, at)).collect::<Vec<Value>>(),
    });
    let visited = |page: Value, role| Visited {
        page: Page::read(page).unwrap(),
        role,
    };
    let research = Research {
        company: None,
        names: vec!["Acme Fittings".to_owned()],
        domain: "acme.example".to_owned(),
        language: "en".to_owned(),
        pages: vec![visited(home, Role::Home), visited(page, Role::About)],
        misses: Vec::new(),
    };
    let evidence = evidence::collect(&research);
    let site = identified(research, vec![Part::Home, Part::About], None, None);
    (site, evidence)
}

/// One block of a page of this form; all of them have some two hundred characters.
fn block(form: &str, at: usize) -> Value {
    let filler = "of drawn brass for pipes of heating and cold water, tested to twelve bars before it leaves the works, \
                  packed by the dozen and kept in stock in Leeds";
    let plain = |kind: &str, text: String| json!({"kind": kind, "text": text, "main": true});
    match form {
        "rows of a table" => plain(
            "table_row",
            format!("Fitting {at} DN {} {filler} {}.50", at % 200, at % 90),
        ),
        "linked items of a list" => {
            json!({"kind": "list_item", "text": format!("Coupling {at} {filler}"), "main": at < 2})
        }
        "labels and values" => match at % 2 {
            0 => plain("other", format!("Works {at}")),
            _ => plain(
                "other",
                format!("{at} Mill Lane, Leeds LS1 4AP, telephone 0113 496 {at:04}"),
            ),
        },
        "nested headings" => match at % 4 {
            3 => plain("paragraph", format!("Fitting {at} {filler}.")),
            _ => {
                json!({"kind": "heading", "level": 1 + at % 6, "text": format!("Fittings of kind {at}"), "main": true})
            }
        },
        "cards of a catalogue" => match at % 3 {
            0 => {
                json!({"kind": "heading", "level": 3, "text": format!("Valve VX-{at}"), "main": true})
            }
            1 => plain("paragraph", format!("Valve {at} {filler}.")),
            _ => plain("other", format!("£ {}.90", at % 70)),
        },
        _ => plain(
            "paragraph",
            format!(
                "In {} we built press {at} {filler}. Our {at} customers praise it.",
                1950 + at % 70
            ),
        ),
    }
}
