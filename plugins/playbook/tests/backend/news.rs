//! Dated news of a company: items of which no word tells a kind, and dated lines on pages of other kinds.

use gtm_sdk::{Value, json::json};

use crate::run::acme;
use crate::web::Web;

fn signals(home: &str, news: &str) -> Value {
    let page = |main: &str| {
        format!(
            "<html lang=de><head><title>Acme</title></head><body><main>{main}</main></body></html>"
        )
    };
    let web = Web::new()
        .page(
            "https://acme.example/",
            &page(&format!(
                "<h1>Acme</h1><p>Acme baut Seile für Fähren und Aufzüge.</p><a href=/aktuelles>Aktuelles</a>{home}"
            )),
        )
        .page(
            "https://acme.example/aktuelles",
            &page(&format!("<h1>Aktuelles</h1>{news}")),
        );
    acme(web).draft()["result"]["buying_signals"].clone()
}

#[test]
fn dated_news_of_the_company_need_no_known_kind() {
    let told = signals(
        "",
        "<h2>Acme spannt das Dach der Messehalle</h2><p>14.10.2026</p><p>Es wiegt viel.</p>\
         <h2>Fünf Gründe für gute Seile im Alltag</h2><p>12.10.2026</p><p>Ein Seil ist mehr als ein Strick.</p>",
    );
    assert_eq!(
        told,
        json!([{"signal": "Acme spannt das Dach der Messehalle", "kind": "other", "observed_at": "2026-10-14"}])
    );
}

#[test]
fn dated_lines_under_a_heading_for_news_are_signals() {
    let told = signals(
        "<h2>Neuigkeiten</h2><ul><li>14.10.2026 Zweites Werk in Ulm eröffnet</li><li>01.08.2026 Sommerpause bis Ende August</li></ul>\
         <h2>Seile</h2><p>03.09.2026 neue Halle eröffnet</p>",
        "",
    );
    assert_eq!(
        told,
        json!([{"signal": "Zweites Werk in Ulm eröffnet", "kind": "expansion", "observed_at": "2026-10-14"}])
    );
}

#[test]
fn a_line_for_news_announces_nothing_under_the_next_heading() {
    let told = signals(
        "<p>Neuigkeiten</p><p>14.10.2026 Zweites Werk in Ulm eröffnet</p><h2>Seile</h2><p>03.09.2026 neue Halle eröffnet</p>",
        "",
    );
    assert_eq!(
        told,
        json!([{"signal": "Zweites Werk in Ulm eröffnet", "kind": "expansion", "observed_at": "2026-10-14"}])
    );
}

#[test]
fn rules_for_everybody_are_news_of_the_company_only_if_it_speaks_of_itself() {
    let told = signals(
        "",
        "<h2>Seile am Hafen</h2><p>12.10.2026</p><p>An der Grenze gilt für solche Vorhaben ein anderer gesetzlicher Rahmen und eine Verordnung.</p>",
    );
    assert_eq!(told, json!([]));
}
