#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use std::collections::BTreeSet;

use gtm_site_research::evidence;
use gtm_site_research::page::Page;
use gtm_site_research::reading::{Research, Visited};
use serde_json::{Value, json};

use super::*;
use crate::part::Part;

/// A page by its path, title and HTML.
type Written<'a> = (Part, &'a str, &'a str, &'a str);

fn site(language: &str, pages: &[Written<'_>]) -> Site {
    let visited = pages.iter().map(|(part, path, title, html)| {
        let text = gtm_page_text::extract(Some("text/html; charset=utf-8"), html.as_bytes());
        let blocks: Vec<Value> = text
            .blocks
            .iter()
            .map(|block| {
                let main = block.region != gtm_page_text::Region::Boilerplate;
                json!({"kind": block.kind.as_str(), "level": block.level, "text": block.text, "main": main,
                    "title": block.title, "form": block.form})
            })
            .collect();
        let url = format!("https://acme.example{path}");
        let page = Page::read(json!({
            "receipt_id": format!("rcp_{path}"), "url": url, "final_url": url, "title": title, "language": language,
            "blocks": blocks,
        }));
        Visited {
            page: page.unwrap(),
            role: part.role(),
        }
    });
    Site {
        research: Research {
            company: None,
            names: Vec::new(),
            domain: "acme.example".to_owned(),
            language: language.to_owned(),
            pages: visited.collect(),
            misses: Vec::new(),
        },
        parts: pages.iter().map(|(part, ..)| *part).collect(),
        organizations: Vec::new(),
        styled: Vec::new(),
        logos: Vec::new(),
        company_data: None,
        blocked: BTreeSet::new(),
        unread: BTreeSet::new(),
        assets: Vec::new(),
    }
}

fn digest_of(language: &str, pages: &[Written<'_>], told: &Value) -> Vec<Claim> {
    let site = site(language, pages);
    let evidence = evidence::collect(&site.research);
    let claims = digest(&site, &evidence, &Told::of(told));
    for claim in &claims {
        let text = claim.value["text"].as_str().unwrap();
        for excerpt in &claim.excerpts {
            let page = site.research.pages[excerpt.page].page.text();
            let found = gtm_page_text::find_excerpt(&page, &excerpt.text);
            assert!(found.is_some(), "{} is not on the page", excerpt.text);
        }
        for part in text.split(BETWEEN_QUOTATIONS) {
            let carried = claim.excerpts.iter().any(|e| e.text.contains(part));
            assert!(carried, "{part} has no excerpt");
        }
    }
    claims
}

/// The entries as `page | heading | text`.
fn entries(claims: &[Claim]) -> Vec<String> {
    let shown = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let entry = |claim: &Claim| {
        ["page", "heading", "text"]
            .map(|member| shown(&claim.value[member]))
            .join(" | ")
    };
    claims.iter().map(entry).collect()
}

fn home(language: &str, html: &str) -> Vec<String> {
    let page = (Part::Home, "/", "Acme", html);
    entries(&digest_of(language, &[page], &Value::Null))
}

#[test]
fn a_tile_is_its_heading_and_the_sentence_below_it() {
    for (language, html, expected) in [
        (
            "en",
            "<h2>What we make</h2><h6>Pumps that run dry without harm</h6><p>For quarries from 20 to 400 litres a second. \
             Ask us.</p><h6>Valves</h6><p>Of bronze, cast in our own foundry in Ripon.</p>",
            [
                "Acme | Pumps that run dry without harm | For quarries from 20 to 400 litres a second.",
                "Acme | Valves | Of bronze, cast in our own foundry in Ripon.",
            ],
        ),
        (
            "de",
            "<h2>Leistungen</h2><h4>Wir sanieren Ihr Dach</h4><p>Mit Ziegeln aus der Region und einem Aufmaß per Drohne. \
             Rufen Sie an.</p><h4>Gauben</h4><p>In vier Wochen geplant, in zwei Tagen gesetzt.</p>",
            [
                "Acme | Wir sanieren Ihr Dach | Mit Ziegeln aus der Region und einem Aufmaß per Drohne.",
                "Acme | Gauben | In vier Wochen geplant, in zwei Tagen gesetzt.",
            ],
        ),
        (
            "ja",
            "<h2>事業内容</h2><h4>精密板金加工</h4><p>半導体製造装置の筐体を一個から製作しています。お問い合わせください。</p>\
             <h4>塗装</h4><p>粉体塗装の専用ラインを二本備えています。</p>",
            [
                "Acme | 精密板金加工 | 半導体製造装置の筐体を一個から製作しています。",
                "Acme | 塗装 | 粉体塗装の専用ラインを二本備えています。",
            ],
        ),
    ] {
        let found = home(language, html);
        for entry in expected {
            assert!(
                found.contains(&entry.to_owned()),
                "{entry} not in {found:#?}"
            );
        }
    }
}

#[test]
fn rows_and_items_stand_in_a_row_below_their_heading() {
    let found = home(
        "fr",
        "<h2>Nos formules</h2><table><tr><th>Formule</th><th>Prix</th></tr><tr><td>Base</td><td>12 € par mois</td></tr>\
         <tr><td>Atelier</td><td>40 € par mois</td></tr></table><h2>Certifications</h2><ul><li>ISO 9001</li><li>Qualibat 5111</li>\
         <li>RGE</li></ul>",
    );
    assert_eq!(
        found,
        [
            "Acme | Nos formules | Formule Prix · Base 12 € par mois · Atelier 40 € par mois",
            "Acme | Certifications | ISO 9001 · Qualibat 5111 · RGE",
        ]
    );
}

#[test]
fn a_date_stands_with_what_it_dates() {
    let above = "<h2>News</h2><p>12 March 2026</p><h3>Second foundry in Leeds opens</h3><p>3 May 2026</p>\
                 <h3>Acme hires 40 founders</h3><p>All of them are trained in Ripon for a year.</p>";
    assert_eq!(
        home("en", above),
        [
            "Acme | News | 12 March 2026 · Second foundry in Leeds opens",
            "Acme | Acme hires 40 founders | 3 May 2026 · All of them are trained in Ripon for a year.",
        ]
    );
    let below = "<h3>Zweite Gießerei in Leeds</h3><p>12.03.2026</p><p>Die Halle misst 4000 Quadratmeter und hat drei Öfen.</p>\
                 <h3>Messe in Köln</h3><p>03.05.2026</p><p>Wir zeigen unsere neuen Ventile in Halle 7.</p>";
    assert_eq!(
        home("de", below),
        [
            "Acme | Zweite Gießerei in Leeds | 12.03.2026 · Die Halle misst 4000 Quadratmeter und hat drei Öfen.",
            "Acme | Messe in Köln | 03.05.2026 · Wir zeigen unsere neuen Ventile in Halle 7.",
        ]
    );
    let years =
        "<h2>2026</h2><ul><li>March: a second foundry</li><li>May: the first robot</li></ul>";
    assert_eq!(
        home("en", years),
        ["Acme | 2026 | March: a second foundry · May: the first robot"]
    );
}

#[test]
fn figures_stand_with_their_labels() {
    let counters = "<h2>Acme in numbers</h2><div><div>250+</div><div>projects</div></div><div><div>12</div><div>countries</div></div>";
    assert_eq!(
        home("en", counters),
        ["Acme | Acme in numbers | 250+ · projects · 12 · countries"]
    );
}

#[test]
fn menus_forms_buttons_and_what_is_told_stay_out() {
    let html = "<nav><ul><li>Products 2026</li></ul></nav><h1>Pumps for quarries</h1>\
                <p>We have built pumps in Ripon since 1968.</p><p>Our foundry melts 300 tonnes of bronze a year.</p>\
                <form><p>Your message of at most 2000 characters.</p></form>";
    let page = (Part::Home, "/", "Acme", html);
    let told = json!({"business_summary": "We have built pumps in Ripon since 1968."});
    assert_eq!(
        entries(&digest_of("en", &[page], &told)),
        ["Acme | Pumps for quarries | Our foundry melts 300 tonnes of bronze a year."]
    );
}

#[test]
fn what_stands_on_several_pages_is_shown_once_and_of_jobs_only_titles() {
    let note = "<p>Acme has been certified to ISO 14001 since 2019.</p>";
    let about = format!("<h1>About Acme</h1><p>Acme was founded in 1968 by two smiths.</p>{note}");
    let jobs = format!(
        "<h1>Jobs</h1><p>We look for people with steady hands.</p><h2>Founder in Ripon</h2>\
         <p>You melt 300 kilos of bronze a day and like it hot.</p><h2>Welder in Leeds</h2><p>You weld 40 seams a day.</p>{note}"
    );
    let pages = [
        (
            Part::Home,
            "/",
            "Acme",
            "<h1>Acme pumps</h1><p>Pumps that have run for 50 years.</p>",
        ),
        (Part::Careers, "/jobs", "Jobs at Acme", jobs.as_str()),
        (Part::About, "/about", "About", about.as_str()),
    ];
    assert_eq!(
        entries(&digest_of("en", &pages, &Value::Null)),
        [
            "Acme | Acme pumps | Pumps that have run for 50 years.",
            "About | About Acme | Acme was founded in 1968 by two smiths.",
            "About | About Acme | Acme has been certified to ISO 14001 since 2019.",
            "Jobs at Acme | Jobs | We look for people with steady hands.",
            "Jobs at Acme | Jobs | Founder in Ripon · Welder in Leeds",
        ]
    );
}

#[test]
fn a_large_site_stays_readable_and_every_page_is_heard() {
    for (language, sentence) in [
        (
            "en",
            "Plant NUM of Acme makes valves of size NUM for the mines of region NUM, by hand.",
        ),
        (
            "ja",
            "第NUM工場では直径NUMミリの弁を年間NUM万個、手作業で製造しています。",
        ),
    ] {
        let html = |page: usize| -> String {
            let tile = |at: usize| {
                let number = (page * 100 + at).to_string();
                format!(
                    "<h3>Plant {number}</h3><p>{}</p>",
                    sentence.replace("NUM", &number)
                )
            };
            format!(
                "<h1>Plants {page}</h1>{}",
                (0..40).map(tile).collect::<String>()
            )
        };
        let texts: Vec<String> = (0..12).map(html).collect();
        let paths: Vec<String> = (0..12).map(|page| format!("/{page}")).collect();
        let pages: Vec<Written<'_>> = (texts.iter().zip(&paths))
            .map(|(html, path)| (Part::Product, path.as_str(), path.as_str(), html.as_str()))
            .collect();
        let found = digest_of(language, &pages, &Value::Null);
        let wide: usize = (found.iter())
            .flat_map(|claim| {
                ["heading", "text"].map(|member| claim.value[member].as_str().unwrap_or(""))
            })
            .map(score::width)
            .sum();
        assert!(found.len() <= 60 && wide <= 9_000, "{} {wide}", found.len());
        let heard: BTreeSet<&str> = found
            .iter()
            .map(|claim| claim.value["page"].as_str().unwrap())
            .collect();
        assert_eq!(heard.len(), 12, "{language}");
    }
}
