//! What others say, and who they are: authors of quotations, requirements of vacancies, labels of lists.

use gtm_sdk::Value;

use crate::run::acme;
use crate::web::Web;

fn site(language: &str, pages: &[(&str, &str)]) -> Web {
    pages.iter().fold(Web::new(), |web, (path, main)| {
        let html = format!(
            "<html lang={language}><head><title>Acme</title></head><body><nav><a href=/about>About</a> <a href=/contact>Contact</a> <a href=/branchen>Branchen</a> <a href=/careers>Careers</a> <a href=/legal>Legal notice</a></nav><main>{main}</main></body></html>"
        );
        web.page(&format!("https://acme.example{path}"), &html)
    })
}

fn result(language: &str, pages: &[(&str, &str)]) -> Value {
    acme(site(language, pages)).draft()["result"].clone()
}

fn texts(list: &Value, member: &str) -> Vec<String> {
    let items = list.as_array().unwrap().iter();
    items
        .map(|item| {
            let text = if member.is_empty() {
                item
            } else {
                &item[member]
            };
            text.as_str().unwrap().to_owned()
        })
        .collect()
}

const HOME: &str = "<h1>Acme</h1><p>Acme builds rail signals for regional lines.</p>";

#[test]
fn authors_of_quotations_are_others() {
    let about = "<h1>About us</h1><p>Acme builds rail signals for regional lines.</p>\
        <div><div><p>\"The signals of Acme have run through two winters without a single fault.\"</p></div>\
        <div><h4>Director of Operations</h4><p>Major Railway</p><span>Global Operations, 15,000+ Employees</span></div></div>\
        <div><blockquote>Acme mended our line within a week, and we would ask them again.</blockquote>\
        <div><h4>Head of Maintenance</h4><p>Regional Line</p></div></div>\
        <h3>Plant Manager</h3><p>Jane Roe</p>";
    let result = result("en", &[("/", HOME), ("/about", about)]);
    assert_eq!(
        texts(&result["buying_committee"], "role"),
        ["Plant Manager"]
    );
    assert_eq!(
        result["company_profile"]["employee_range"],
        Value::Null,
        "{result}"
    );
}

#[test]
fn only_the_first_headings_below_a_heading_are_markets() {
    let trades = "<div>Branchen</div><h1>Branchen</h1>\
        <h3>Bahntechnik</h3><p>Signale und Weichen für alle Strecken im Land.</p>\
        <h3>Hafenbau</h3><p>Leuchten und Masten für die Häfen an der Küste.</p>\
        <h2>Ihre Branche, unser Handwerk.</h2><p>Wir bauen alles selbst.</p>\
        <h3>Klein- und Mittelserien</h3><p>Ab fünf Stück.</p>";
    let home = "<h1>Acme</h1><p>Acme baut Signale für Bahnen im ganzen Land.</p>";
    let result = result("de", &[("/", home), ("/branchen", trades)]);
    assert_eq!(
        texts(&result["company_profile"]["markets"], ""),
        ["Bahntechnik", "Hafenbau"]
    );
}

fn hired(language: &str, careers: &str) -> Vec<String> {
    let result = result(language, &[("/", HOME), ("/careers", careers)]);
    let signals = result["buying_signals"].as_array().unwrap().iter();
    let mut titles: Vec<String> = signals
        .filter(|signal| signal["kind"] == "hiring")
        .map(|signal| signal["signal"].as_str().unwrap().to_owned())
        .collect();
    titles.sort();
    titles
}

#[test]
fn requirements_are_no_vacancies() {
    let card = |title: &str, first: &str, last: &str| {
        format!(
            "<div><h3>{title}</h3><ul><li>{first}</li><li>{last}</li><li>Führerschein Klasse B</li></ul><p>ab sofort</p></div>"
        )
    };
    let careers = format!(
        "<h1>Karriere</h1>{}{}{}{}",
        card(
            "Gleisbauer (m/w/d)",
            "Abgeschlossene Ausbildung als Gleisbauer",
            "Englisch oder Deutsch auf Baustellen-Niveau"
        ),
        card("Elektriker (m/w/d)", "Gesellenbrief", "Schwindelfreiheit"),
        card("Weichenbauer (m/w/d)", "Kraft und Ausdauer", "Reiselust"),
        card("Kranführer (m/w/d)", "Kranschein", "Gute Augen"),
    );
    assert_eq!(
        hired("de", &careers),
        [
            "Elektriker (m/w/d)",
            "Gleisbauer (m/w/d)",
            "Kranführer (m/w/d)",
            "Weichenbauer (m/w/d)"
        ]
    );
}

#[test]
fn vacancies_have_the_ends_of_both_sexes_and_a_label_above_their_heading() {
    let plain = "<h1>Karriere</h1>\
        <div><h3>Zerspanungsmechaniker:in (Fräsen)</h3><p>In Vollzeit.</p><a href=/a>Jetzt bewerben →</a></div>\
        <div><h3>Gleisbauer*in</h3><p>In Vollzeit.</p><a href=/b>Jetzt bewerben</a></div>\
        <div><h3>Schlosser/-in</h3><p>In Vollzeit.</p><a href=/c>Jetzt bewerben</a></div>";
    assert_eq!(
        hired("de", plain),
        [
            "Gleisbauer*in",
            "Schlosser/-in",
            "Zerspanungsmechaniker:in (Fräsen)"
        ]
    );
    let labelled = "<h1>Karriere</h1><span>Offene Stellen</span><h2>Das Team wächst</h2>\
        <div><h3>Signalbau</h3><p>In Vollzeit.</p></div><div><h3>Weichenpflege</h3><p>In Teilzeit.</p></div>";
    assert_eq!(hired("de", labelled), ["Signalbau", "Weichenpflege"]);
    let headed = "<h1>Karriere</h1><h2>Aktuelle Positionen</h2>\
        <div><h3>Signalbau</h3><p>In Vollzeit.</p></div><div><h3>Weichenpflege</h3><p>In Teilzeit.</p></div>";
    assert_eq!(hired("de", headed), ["Signalbau", "Weichenpflege"]);
}

#[test]
fn a_team_in_a_vacancy_is_not_the_staff() {
    let careers = "<h1>Karriere</h1><h3>Bauleiter (m/w/d)</h3><ul><li>Koordination eines Teams von 3–8 Fachkräften</li><li>Leitung eines Teams von 12 Monteuren.</li></ul>";
    let result = result("de", &[("/", HOME), ("/careers", careers)]);
    assert_eq!(result["company_profile"]["employee_range"], Value::Null);
    assert!(
        !result["risks"].to_string().contains("1-10"),
        "{}",
        result["risks"]
    );
}

#[test]
fn countries_have_the_playbooks_language() {
    let home = "<h1>Acme Germany</h1><p>Acme Germany baut Signale für Bahnen im ganzen Land.</p>";
    let legal = "<h1>Impressum</h1><p>Acme Germany GmbH<br>Hafenweg 1<br>02708 Löbau<br>Deutschland</p><p>Amtsgericht Dresden, HRB 734512</p>";
    let result = result("de", &[("/", home), ("/legal", legal)]);
    let place = result["company_profile"]["headquarters"].as_str();
    assert!(
        place.is_some_and(|place| place.ends_with("Deutschland")),
        "{place:?}"
    );
}
