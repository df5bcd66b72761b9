//! Whatever a page contains, the draft matches its schema, and every quotation appears in the page's bytes.

use std::time::Duration;

use gtm_sdk::{Value, json::json};
use gtm_test_support::growth;
use proptest::prelude::*;

use crate::run::acme;
use crate::web::Web;

/// Text fragments that the extraction looks for, and some that break naive parsers.
const PIECES: &[&str] = &[
    "GmbH",
    "& Co. KG",
    "Acme",
    "Rail",
    "Ltd",
    "S.p.A.",
    "Sp. z o.o.",
    "HRB",
    "Amtsgericht Ulm",
    "734512",
    "RCS",
    "404 833 048",
    "DE136695976",
    "GB",
    "980",
    "7806",
    "84",
    "USt-IdNr.:",
    "+49",
    "+",
    "731 55",
    "89073",
    "Ulm",
    "LS1",
    "4AP",
    "TX",
    "78701",
    "Leeds,",
    "headquartered in",
    "mit Sitz in",
    "founded in",
    "1998",
    "2011",
    "gegründet",
    "seit",
    "©",
    "™",
    "employs 95 people",
    "is a",
    "maker",
    "LEI",
    "529900T8BM49AURSDO55",
    "NASDAQ:",
    "ACME",
    "ß",
    "İ",
    "ﬁ",
    "\u{301}",
    "日本",
    "。",
    "—",
    ":",
    ".",
    ",",
    ";",
    "(",
    ")",
    "\u{202e}",
    "1.234",
    "%",
    "Our mission",
    "We",
    "Über",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![8 => proptest::sample::select(PIECES).prop_map(str::to_owned), 1 => "\\PC{0,6}"];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.join(" "))
}

fn data() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        text().prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        let member = proptest::sample::select(vec![
            "name",
            "legalName",
            "url",
            "@id",
            "sameAs",
            "address",
            "addressLocality",
            "addressCountry",
            "foundingDate",
            "numberOfEmployees",
            "vatID",
            "slogan",
            "description",
            "areaServed",
            "logo",
            "value",
        ]);
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((member, inner), 0..6).prop_map(|members| {
                let mut object = json!({"@type": "Organization"});
                for (name, value) in members {
                    object[name] = value;
                }
                object
            }),
        ]
    })
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn drafts_of_any_page_hold(lines in proptest::collection::vec(text(), 1..12), data in data()) {
        let body: Vec<String> = lines
            .iter()
            .enumerate()
            .map(|(at, line)| match at % 4 {
                0 => format!("<h2>{}</h2>", escaped(line)),
                1 => format!("<ul><li>{}</li></ul>", escaped(line)),
                _ => format!("<p>{}</p>", escaped(line)),
            })
            .collect();
        let json_ld = data.to_string().replace("</", "<\\/");
        let page = format!("<html lang=en><head><title>Acme Rail</title><script type='application/ld+json'>{json_ld}</script></head><body><main><h1>Acme Rail</h1>{}</main><a href=/impressum>Impressum</a></body></html>", body.join(""));
        let web = Web::new().page("https://acme.example/", &page).page("https://acme.example/impressum", &page.replace("<h1>Acme Rail", "<h1>Impressum"));
        let draft = acme(web.clone()).draft();
        let schema: Value = include_str!("../../../../wit/results/brand-draft.schema.json").parse().unwrap();
        prop_assert!(jsonschema::is_valid(&schema, &draft), "{}", draft);
        for entry in draft["basis"].as_array().unwrap() {
            for excerpt in entry["excerpts"].as_array().unwrap() {
                let evidence = web.evidence_of(excerpt["receipt_id"].as_str().unwrap());
                prop_assert!(gtm_page_text::find_excerpt(&evidence, excerpt["text"].as_str().unwrap()).is_some(), "{}", entry);
            }
        }
    }
}

#[test]
fn a_page_of_many_claims_takes_no_longer_than_its_length() {
    let site = |lines: usize| {
        let body: String = (0..lines)
            .map(|line| format!("<p>Acme Rail {line} GmbH, {:05} Ulm, HRB {line}, founded in {}, headquartered in Town{line}, DE{line:09}.</p><a href=/x{line}>Book seat {line}</a>", line % 99_999, 1_600 + line % 400))
            .collect();
        let page = format!(
            "<html lang=en><head><title>Acme Rail</title></head><body><main>{body}</main><a href=/impressum>Impressum</a></body></html>"
        );
        Web::new().page("https://acme.example/", &page).page(
            "https://acme.example/impressum",
            &page.replace("Book", "Get"),
        )
    };
    let time = |lines: usize| {
        let web = site(lines);
        growth::work(|| drop(acme(web.clone()).draft()))
    };
    let short = time(80);
    let long = time(320);
    // The input is four times as long: quadratic work would take sixteen times as long.
    assert!(
        long < short * 10 + Duration::from_millis(500),
        "{short:?} {long:?}"
    );
}
