//! Without a model: what the reader of facts knows of a company stands in its playbook, each with its words.

use gtm_sdk::{Value, json::json};

use crate::run::{acme, basis};
use crate::web::Web;

fn page(language: &str, main: &str) -> String {
    format!(
        "<html lang={language}><head><title>Acme</title></head><body><nav><a href=/>Home</a> <a href=/about>About us</a> <a href=/imprint>Imprint</a></nav><main>{main}</main></body></html>"
    )
}

fn site() -> Web {
    Web::new()
        .page("https://acme.example/", &page("en", "<h1>Acme</h1><p>Acme builds rail signals for regional lines.</p>\
            <p>We repair the signals of every maker, too.</p><h2>Our customers</h2><ul><li>Port of Ripon</li><li>Globex Rail</li></ul>"))
        .page("https://acme.example/about", &page("en", "<h1>About us</h1><p>Acme was founded in 1987 by two engineers.</p>\
            <h2>Our mission</h2><p>To keep every small line of the north running safely.</p>\
            <h2>Our vision</h2><p>A country in which no village is far from a train.</p>"))
        .page("https://acme.example/imprint", &page("en", "<h1>Imprint</h1><p>Acme Signals Ltd</p><p>4 Mill Lane, Leeds, LS1 4AB, United Kingdom</p>\
            <p>Company number: 09123456</p><p>VAT number: GB 123 4567 82</p>"))
}

fn proofs(draft: &Value) -> Vec<String> {
    let points = draft["result"]["proof_points"].as_array().unwrap().iter();
    points
        .map(|point| point["text"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_playbook_holds_what_identifies_the_company() {
    let draft = acme(site()).draft();
    let proofs = proofs(&draft);
    for (text, quoted) in [
        ("Founded in 1987.", "Acme was founded in 1987"),
        ("Registered name: Acme Signals Ltd", "Acme Signals Ltd"),
        ("Register number: 09123456", "09123456"),
        ("VAT number: GB 123 4567 82", "GB 123 4567 82"),
    ] {
        let at = proofs.iter().position(|proof| proof == text);
        let at = at.unwrap_or_else(|| panic!("{text} in {proofs:#?}"));
        let entry = basis(&draft, &format!("/proof_points/{at}"));
        let excerpts = entry["excerpts"].to_string();
        assert!(excerpts.contains(quoted), "{text}: {excerpts}");
    }
}

#[test]
fn the_summary_tells_the_mission_and_the_priorities_the_vision() {
    let draft = acme(site()).draft();
    let summary = draft["result"]["business_summary"].as_str().unwrap();
    for text in [
        "Acme builds rail signals for regional lines.",
        "To keep every small line of the north running safely.",
    ] {
        assert!(summary.contains(text), "{summary}");
        let entry = basis(&draft, "/business_summary");
        assert!(entry["excerpts"].to_string().contains(text), "{entry}");
    }
    assert_eq!(
        draft["result"]["priorities"],
        json!(["A country in which no village is far from a train."])
    );
    let entry = basis(&draft, "/priorities/0");
    assert!(!entry["excerpts"].as_array().unwrap().is_empty());
}

#[test]
fn many_customers_leave_room_for_what_identifies_the_company() {
    let cards: String = (0..40)
        .map(|n| {
            let name = format!("{}{} Rail", ["Glob", "Init", "Hool", "Umbr"][n % 4], n);
            format!(
                "<h3>{name}</h3><p>For {name} we built {} signals in one winter.</p>",
                20 + n
            )
        })
        .collect();
    let web = site().page("https://acme.example/", &page("en", "<h1>Acme</h1><p>Acme builds rail signals for regional lines.</p><a href=/references>References</a>"))
        .page("https://acme.example/references", &page("en", &format!("<h1>References</h1>{cards}")));
    let proofs = proofs(&acme(web).draft());
    assert!(
        proofs.contains(&"Register number: 09123456".to_owned()),
        "{proofs:#?}"
    );
}

#[test]
fn a_year_that_a_page_tells_by_an_era_is_told_in_its_words() {
    let main = "<h1>Acme</h1><p>Acmeは地方鉄道の信号機を製造する会社です。</p><table><tr><th>会社名</th><td>株式会社アクメ</td></tr><tr><th>設立</th><td>昭和62年4月</td></tr><tr><th>所在地</th><td>東京都千代田区丸の内1-1-1</td></tr></table>";
    let draft = acme(Web::new().page("https://acme.example/", &page("ja", main))).draft();
    let proofs = proofs(&draft);
    assert!(
        proofs.iter().any(|proof| proof.contains("昭和62年4月")),
        "{proofs:#?}"
    );
    assert!(
        !proofs.iter().any(|proof| proof.contains("1987")),
        "{proofs:#?}"
    );
}
