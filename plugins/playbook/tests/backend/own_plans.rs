//! What the company itself plans, how it earns, and what others say of it in its place.

use gtm_sdk::{Value, json::json};

use crate::run::acme;
use crate::web::Web;

fn result(language: &str, home: &str, about: &str) -> Value {
    let page = |main: &str| {
        format!(
            "<html lang={language}><head><title>Acme</title></head><body><nav><a href=/>Home</a><a href=/about>About us</a></nav><main>{main}</main></body></html>"
        )
    };
    let web = Web::new()
        .page("https://acme.example/", &page(home))
        .page("https://acme.example/about", &page(about));
    acme(web).draft()["result"].clone()
}

fn roles(result: &Value) -> Vec<&str> {
    let committee = result["buying_committee"].as_array().unwrap().iter();
    committee.filter_map(|role| role["role"].as_str()).collect()
}

const HOME: &str = "<h1>Acme</h1><p>Acme builds rail signals for regional lines.</p>";

#[test]
fn what_a_company_works_on_and_invests_in_is_a_priority() {
    for (language, plan, others) in [
        (
            "en",
            "At Acme we are investing in a quieter paint shop and in solar power.",
            "We are working on your signals while you sleep in your own bed.",
        ),
        (
            "it",
            "Acme continua a crescere: stiamo ampliando il reparto di verniciatura.",
            "Acme costruisce segnali per tutte le linee della regione.",
        ),
        (
            "es",
            "En Acme seguimos invirtiendo en hornos que gastan menos gas.",
            "Acme fabrica señales para todas las líneas de la región.",
        ),
    ] {
        let about = format!("<h1>Acme</h1><p>{plan}</p><p>{others}</p>");
        let result = result(language, HOME, &about);
        assert_eq!(result["priorities"], json!([plan]), "{language}");
        let summary = result["business_summary"].to_string();
        assert!(!summary.contains(plan), "{summary}");
    }
}

#[test]
fn how_a_company_sells_is_its_model() {
    for (language, sold, other) in [
        (
            "en",
            "Acme sells through wholesalers and in its own online shop.",
            "You can rent out your flat with the help of our signals.",
        ),
        (
            "de",
            "Wir vermieten Signale an Baufirmen und warten sie.",
            "Die Vermietung von Ferienwohnungen ist in Ulm verboten.",
        ),
        (
            "ja",
            "当社は信号機の受託製造とレンタルを行っています。",
            "信号機はいつも青いわけではありません。",
        ),
    ] {
        let about = format!("<h1>Acme</h1><p>{other}</p><p>{sold}</p>");
        let told = result(language, HOME, &about);
        assert_eq!(
            told["company_profile"]["business_model"], sold,
            "{language}"
        );
        let told = result(language, HOME, &format!("<h1>Acme</h1><p>{other}</p>"));
        assert_eq!(
            told["company_profile"]["business_model"],
            Value::Null,
            "{language}"
        );
    }
}

#[test]
fn customers_below_a_quotation_mark_speak_for_themselves() {
    let card = |said: &str, initials: &str, name: &str, role: &str| {
        format!(
            "<div><div>“</div><p>{said}</p><div>{initials}</div><p>{name}</p><p>{role}</p></div>"
        )
    };
    let home = format!(
        "{HOME}<div>Clients</div><h2>Forty years of good company</h2>{}{}",
        card(
            "We have worked with Acme for 8 years, and we plan to build 3 new lines with them by the end of 2027.",
            "JR",
            "Jane Roe",
            "Head of Purchasing — Railways"
        ),
        card(
            "Acme builds the signals that we like best of all on our coast.",
            "PH",
            "Peter Hill",
            "Head of Engineering — Harbour trade"
        ),
    );
    let about = "<h1>About us</h1><div><h3>Anna Beck</h3><p>Head of Sales</p></div>";
    let told = result("en", &home, about);
    assert_eq!(roles(&told), ["Head of Sales"]);
    assert_eq!(told["priorities"], json!([]));
    assert_eq!(
        told["business_summary"],
        "Acme builds rail signals for regional lines."
    );
}

#[test]
fn a_role_beside_another_company_is_no_role_here() {
    let home = format!(
        "{HOME}<h2>Clients</h2><div><h4>Jane Roe</h4><p>Head of Purchasing — Globex Rail</p></div>\
         <div><h4>Peter Hill</h4><p>Head of Engineering — Acme</p></div>"
    );
    assert_eq!(
        roles(&result("en", &home, "<h1>About us</h1>")),
        ["Head of Engineering"]
    );
}

#[test]
fn who_answers_for_data_and_pages_buys_nothing() {
    for (language, rows) in [
        (
            "fr",
            "<p>Directeur de la publication : Jean Roux</p><p>Gérant : Luc Petit</p>",
        ),
        (
            "es",
            "<p>Responsable del tratamiento: Ana Gil</p><p>Gerente: Luis Gil</p>",
        ),
    ] {
        let expected = if language == "fr" {
            "Gérant"
        } else {
            "Gerente"
        };
        let about = format!("<h1>Acme</h1>{rows}");
        assert_eq!(
            roles(&result(language, HOME, &about)),
            [expected],
            "{language}"
        );
    }
}

#[test]
fn a_statement_stands_once() {
    let about = "<h1>About us</h1><p>Acme opened a second plant in Leeds on 3 May 2026 and plans to hire 40 people there.</p>";
    let told = result("en", HOME, about);
    let sentence = "Acme opened a second plant in Leeds on 3 May 2026";
    let places = ["priorities", "proof_points", "buying_signals"]
        .iter()
        .filter(|section| told[**section].to_string().contains(sentence))
        .count();
    assert_eq!(places, 1, "{told}");
}

#[test]
fn years_of_the_founding_that_contradict_each_other_are_a_risk() {
    let about = "<h1>About us</h1><p>Acme was founded in 1987 by two sisters from Leeds.</p>";
    let told = result("en", HOME, about);
    let particulars = told["company_profile"]["particulars"].to_string();
    assert!(particulars.contains("Founded in 1987."), "{particulars}");
    assert_eq!(told["risks"], json!([]));
    let home = format!("{HOME}<p>Acme was founded in 1992 in a shed.</p>");
    let told = result("en", &home, about);
    let particulars = told["company_profile"]["particulars"].to_string();
    assert!(!particulars.contains("Founded"), "{particulars}");
    let risks = told["risks"].to_string();
    assert!(
        risks.contains("1987") && risks.contains("1992") && risks.contains("conflict"),
        "{risks}"
    );
}
