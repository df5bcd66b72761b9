//! Events that no page of news tells in items: lists of dated lines, entries of a history, sentences that begin now.

use gtm_sdk::{Value, json::json};

use crate::run::acme;
use crate::web::Web;

/// The signals of a company that builds, with its pages by their paths.
fn signals(language: &str, pages: &[(&str, &str)]) -> Value {
    let links: String = pages
        .iter()
        .map(|(path, _)| {
            let label = match *path {
                "/news" if language == "ja" => "お知らせ",
                "/news" => "News",
                "/about" => "About us",
                _ => "Home",
            };
            format!("<a href={path}>{label}</a>")
        })
        .collect();
    let web = pages.iter().fold(Web::new(), |web, (path, main)| {
        let html = format!(
            "<html lang={language}><head><title>Acme</title></head><body><nav>{links}</nav><main>{main}</main></body></html>"
        );
        web.page(&format!("https://acme.example{path}"), &html)
    });
    acme(web).draft()["result"]["buying_signals"].clone()
}

fn event(signal: &str, kind: &str, date: Option<&str>) -> Value {
    json!({"signal": signal, "kind": kind, "observed_at": date})
}

const JAPANESE: &str = "<h1>Acme</h1><p>Acmeは鉄道用の信号機を製造しています。</p>";
const HOME: &str = "<h1>Acme</h1><p>Acme builds rail signals for regional lines.</p>";
const GERMAN: &str = "<h1>Acme</h1><p>Acme baut Signale für Bahnen im ganzen Land.</p>";

#[test]
fn lists_of_dates_and_texts_are_news_each() {
    let list = "<dl><dt>2026.10.01</dt><dd>第二工場が稼働しました</dd>\
        <dt>2026.09.12</dt><dd>夏季休業のお知らせ</dd>\
        <dt>2026.08.03</dt><dd><span>お知らせ</span></dd><dd>鉄道技術展に出展します</dd></dl>";
    let expected = json!([
        event("第二工場が稼働しました", "expansion", Some("2026-10-01")),
        event("鉄道技術展に出展します", "other", Some("2026-08-03")),
    ]);
    let news = format!("<h1>お知らせ</h1>{list}");
    assert_eq!(
        signals("ja", &[("/", JAPANESE), ("/news", &news)]),
        expected
    );
    let home = format!("{JAPANESE}<h2>お知らせ</h2>{list}<h2>製品</h2><p>信号機</p>");
    assert_eq!(signals("ja", &[("/", &home)]), expected);
    let table = "<h1>News</h1><table><tr><td>16/06/2026</td><td>Second plant opened in Leeds</td></tr>\
        <tr><td>14/05/2026</td><td>Closed on Whit Monday</td></tr></table>";
    assert_eq!(
        signals("en", &[("/", HOME), ("/news", table)]),
        json!([event(
            "Second plant opened in Leeds",
            "expansion",
            Some("2026-06-16")
        )])
    );
}

#[test]
fn dates_below_their_texts_belong_to_what_stands_above() {
    let news = "<h1>News</h1><div><p>Second plant opened in Leeds</p><span>14 Oct 2026</span></div>\
        <div><p>A new paint line is in use</p><span>3 May 2026</span></div>\
        <div><p>Acme wins the award for quiet signals</p><span>2 April 2026</span></div>";
    assert_eq!(
        signals("en", &[("/", HOME), ("/news", news)]),
        json!([
            event(
                "Second plant opened in Leeds",
                "expansion",
                Some("2026-10-14")
            ),
            event(
                "Acme wins the award for quiet signals",
                "other",
                Some("2026-04-02")
            ),
        ])
    );
}

#[test]
fn cards_of_news_on_other_pages_have_their_own_dates() {
    let home = format!(
        "{HOME}<h2>News</h2><div><h3>Acme opens a second plant</h3><p>14 Oct 2026</p><p>It is in Leeds.</p></div>\
         <div><h3>Five tips for quiet evenings</h3><p>3 May 2026</p><p>Read them all.</p></div>\
         <div><h3>A new plant in a book that we like</h3><p>It is a novel.</p></div>"
    );
    assert_eq!(
        signals("en", &[("/", &home)]),
        json!([event(
            "Acme opens a second plant",
            "expansion",
            Some("2026-10-14")
        )])
    );
}

#[test]
fn this_year_s_entries_of_a_history_are_events() {
    let about = "<h1>About us</h1><p>Acme was founded in 1987.</p><div>2019</div><p>New office in York.</p>\
        <div>2025</div><div><h3>Second plant</h3><p>We move to a new hall in Leeds.</p></div><p>2026 – New machine for long rails</p>\
        <p>2026 is a good year for walks.</p>";
    assert_eq!(
        signals("en", &[("/", HOME), ("/about", about)]),
        json!([
            event("We move to a new hall in Leeds.", "expansion", None),
            event("New machine for long rails", "technology", None),
        ])
    );
}

#[test]
fn what_begins_now_is_an_event_of_the_company() {
    let about = "<h1>Über uns</h1><p>Ab sofort liefert Acme auch in die Schweiz und nach Tirol.</p>\
        <p>Bestellen Sie Ihre Signale bei Acme ab sofort auch am Telefon.</p>\
        <p>Ab sofort gilt auf allen Strecken im Land ein neuer Fahrplan.</p>";
    assert_eq!(
        signals("de", &[("/", GERMAN), ("/about", about)]),
        json!([event(
            "Ab sofort liefert Acme auch in die Schweiz und nach Tirol.",
            "other",
            None
        )])
    );
}

#[test]
fn whom_a_company_looks_for_may_stand_in_a_sentence() {
    let home = format!(
        "{GERMAN}<p>Wir suchen ab sofort einen Monteur für unsere Werkstatt in Ulm.</p><p>Wir suchen gute Leute und das ganze Jahr über nette Gäste.</p>"
    );
    assert_eq!(
        signals("de", &[("/", &home)]),
        json!([event(
            "Wir suchen ab sofort einen Monteur für unsere Werkstatt in Ulm.",
            "hiring",
            None
        )])
    );
}
