//! Facts about the company: each field's own rule.
use super::*;

#[test]
fn founding_years() {
    let at = "/identity/founded_year";
    stands(&stated(at, json!(2014), &[(1, "2014")]), "high", "stated");
    for (why, place) in [
        ("a copyright year", stated(at, json!(1999), &[(1, "1999")])),
        (
            "a year of another line",
            stated(at, json!(2014), &[(1, "Acme baut Zähler in 14 Städten")]),
        ),
        ("the future", stated(at, json!(2030), &[(1, "2014")])),
        ("an inference", one(at, json!(1999), "inferred", &[], &[1])),
    ] {
        assert_eq!(verdict(&place), None, "{why}");
    }
}

#[test]
fn founding_years_may_count_from_an_era() {
    let page = "<html lang=ja><body><main><table><tr><th>設立</th><td>平成１７年６月１日</td></tr></table></main></body></html>";
    let mut library = library();
    library.insert(super::page(7, "https://www.acme.example/gaiyo", page));
    let of = |year: i64| {
        one_of(
            &library,
            "/identity/founded_year",
            json!(year),
            "stated",
            &[(7, "設立 平成１７年６月１日")],
            &[],
        )
    };
    assert!(verdict(&of(2005)).is_some());
    assert_eq!(verdict(&of(2006)), None);
}

#[test]
fn headcounts() {
    let at = "/identity/employee_range";
    for (words, range, stands) in [
        ("Acme has more than 500 employees", "501-1000", true),
        ("Acme has 500+ employees", "501-1000", true),
        ("Acme has 500 employees", "501-1000", false),
    ] {
        assert_eq!(
            crate::literals::Literals::of(words)
                .has_integer(crate::buckets::bounds(range).unwrap()),
            stands,
            "{words}"
        );
    }
    stands(
        &stated(at, json!("51-200"), &[(1, "120")]),
        "high",
        "stated",
    );
    stands(
        &stated(at, json!("201-500"), &[(2, "Acme has 400 employees")]),
        "medium",
        "stated",
    );
    assert_eq!(
        verdict(&stated(
            at,
            json!("5001+"),
            &[(2, "Acme has 400 employees")]
        )),
        None
    );
    assert_eq!(
        verdict(&stated(at, json!("11-50"), &[(1, "14")])),
        None,
        "no line of its own"
    );
}

#[test]
fn headquarters_and_markets() {
    let at = "/identity/headquarters";
    let leipzig =
        |country: &str| json!({"locality": "Leipzig", "region": null, "country": country});
    let line = "Kanalstraße 1, 04109 Leipzig, Deutschland";
    stands(&stated(at, leipzig("DE"), &[(1, line)]), "high", "stated");
    stands(
        &stated(at, leipzig("DE"), &[(1, "Leipzig"), (1, "DE")]),
        "high",
        "stated",
    );
    stands(
        &stated(
            at,
            leipzig("DE"),
            &[
                (1, "04109 Leipzig, Deutschland"),
                (1, "Telefon +49 341 1234567"),
            ],
        ),
        "high",
        "stated",
    );
    for (why, place) in [
        ("another country", stated(at, leipzig("FR"), &[(1, line)])),
        ("no country", stated(at, leipzig("XX"), &[(1, line)])),
        (
            "another town",
            stated(
                at,
                json!({"locality": "Berlin", "region": null, "country": "DE"}),
                &[(1, line)],
            ),
        ),
        (
            "no quotation",
            one(at, leipzig("DE"), "inferred", &[], &[1]),
        ),
    ] {
        assert_eq!(verdict(&place), None, "{why}");
    }
    let at = "/audience/markets";
    stands(&stated(at, json!("DE"), &[(1, line)]), "high", "stated");
    stands(
        &one(at, json!("GB"), "observed", &[], &[1]),
        "medium",
        "observed",
    );
    assert_eq!(verdict(&one(at, json!("FR"), "observed", &[], &[1])), None);
    assert_eq!(verdict(&stated(at, json!("US"), &[(1, line)])), None);
}

#[test]
fn a_page_that_declares_no_language_has_the_one_it_is_written_in() {
    let text = "当社は一九八五年に設立され、建物の施設管理と清掃を行っています。お客様の信頼にお応えします。";
    let mut library = Library::default();
    library.insert(page(
        1,
        HOME_URL,
        &format!("<html lang=en><main><p>{text}</p></main></html>"),
    ));
    let by = |tag: &str| {
        let locales = one_of(
            &library,
            "/identity/locales",
            json!(tag),
            "observed",
            &[],
            &[1],
        );
        locales.as_array().unwrap().len()
    };
    assert_eq!((by("ja"), by("ko")), (1, 0));
}

#[test]
fn locales_profiles_and_identifiers() {
    stands(
        &one("/identity/locales", json!("en-gb"), "observed", &[], &[1]),
        "medium",
        "observed",
    );
    assert_eq!(
        verdict(&one(
            "/identity/locales",
            json!("fr-FR"),
            "observed",
            &[],
            &[1]
        )),
        None
    );
    for at in ["/identity/locales", "/audience/markets"] {
        let value = if at.ends_with("markets") {
            "IE"
        } else {
            "en-IE"
        };
        let by = |page| verdict(&one(at, json!(value), "observed", &[], &[page]));
        assert_eq!(by(2), None, "a stranger's page has {value}");
    }
    let at = "/identity/profiles";
    let profile = |network: &str, url: &str| json!({"network": network, "url": url});
    let own = profile("linkedin", "https://www.linkedin.com/company/acme");
    stands(
        &one(at, own.clone(), "observed", &[], &[1]),
        "medium",
        "observed",
    );
    stands(
        &stated(at, own, &[(1, "https://www.linkedin.com/company/acme")]),
        "high",
        "stated",
    );
    for (why, place) in [
        (
            "no link of the page",
            one(
                at,
                profile("linkedin", "https://www.linkedin.com/company/evil"),
                "observed",
                &[],
                &[1],
            ),
        ),
        (
            "another network",
            one(
                at,
                profile("facebook", "https://www.linkedin.com/company/acme"),
                "observed",
                &[],
                &[1],
            ),
        ),
        (
            "another page",
            one(
                at,
                profile("linkedin", "https://www.linkedin.com/company/acme"),
                "observed",
                &[],
                &[2],
            ),
        ),
    ] {
        assert_eq!(verdict(&place), None, "{why}");
    }
    let at = "/identity/identifiers";
    let number = |scheme: &str, value: &str| json!({"scheme": scheme, "value": value});
    stands(
        &stated(
            at,
            number("vat", "DE 136 695 976"),
            &[(1, "USt-IdNr. DE136695976")],
        ),
        "high",
        "stated",
    );
    stands(
        &stated(
            at,
            number("company_register", "HRB 12345"),
            &[(1, "DE136695976, HRB 12345.")],
        ),
        "high",
        "stated",
    );
    stands(
        &stated(at, number("vat", "B50917467"), &[(1, "CIF B50917467")]),
        "high",
        "stated",
    );
    for (why, place) in [
        (
            "wrong check digit",
            stated(
                at,
                number("vat", "DE136695977"),
                &[(1, "USt-IdNr. DE136695976")],
            ),
        ),
        (
            "part of a number",
            stated(
                at,
                number("company_register", "HRB 1234"),
                &[(1, "DE136695976, HRB 12345.")],
            ),
        ),
        (
            "an inference",
            one(
                at,
                number("company_register", "HRB 12345"),
                "inferred",
                &[],
                &[1],
            ),
        ),
        (
            "the host's number",
            stated(
                at,
                number("company_register", "RCS Lille 424 761 419"),
                &[(1, "Gehostet von Globex SAS, RCS Lille 424 761 419")],
            ),
        ),
        (
            "no label of its country",
            stated(at, number("vat", "B50917467"), &[(1, "B50917467")]),
        ),
        (
            "no LEI",
            stated(
                at,
                number("lei", "12345"),
                &[(1, "DE136695976, HRB 12345.")],
            ),
        ),
    ] {
        assert_eq!(verdict(&place), None, "{why}");
    }
}

#[test]
fn ownership_and_prices() {
    let at = "/identity/ownership";
    let line = "Acme Zähler GmbH, Kanalstraße 1";
    stands(
        &stated(at, json!("private"), &[(1, line)]),
        "high",
        "stated",
    );
    stands(
        &stated(at, json!("public"), &[(1, line)]),
        "low",
        "inferred",
    );
    stands(
        &stated(
            "/positioning/price_position",
            json!("premium"),
            &[(1, line)],
        ),
        "low",
        "inferred",
    );
}

/// A provider of company data is one more source, a third party. Its record is cited by whole values and is
/// worth less than the company's own word.
#[test]
fn a_record_of_a_provider() {
    let record = json!({"status": 200, "name": "Acme", "website": "acme.example", "size": "51-200", "employee_count": 83,
        "founded": 2015, "industry": "Metering", "location": {"locality": "Leipzig", "region": "Saxony", "country": "Germany"},
        "linkedin_url": "linkedin.com/company/acme", "ticker": "ACME"});
    let mut library = library();
    library.insert(stored(
        7,
        "https://api.data.example/v5/company/enrich?website=acme.example",
        "application/json",
        record.to_string().as_bytes(),
    ));
    let told = |pointer: &str, value: Value, quoted: &[&str]| {
        let excerpts: Vec<(u128, &str)> = quoted.iter().map(|text| (7, *text)).collect();
        one_of(&library, pointer, value, "stated", &excerpts, &[])
    };
    let seat = json!({"locality": "Leipzig", "region": "Saxony", "country": "DE"});
    let label = json!({"scheme": "free_text", "code": null, "label": "Metering"});
    let symbol = json!({"scheme": "ticker", "value": "ACME"});
    for (pointer, value, quoted) in [
        ("/identity/founded_year", json!(2015), &["2015"][..]),
        ("/identity/employee_range", json!("51-200"), &["83"]),
        (
            "/identity/headquarters",
            seat,
            &["Leipzig", "Saxony", "Germany"],
        ),
        ("/identity/industries", label, &["Metering"]),
        ("/identity/identifiers", symbol, &["ACME"]),
    ] {
        stands(&told(pointer, value, quoted), "medium", "stated");
    }
    // The provider omits the scheme, so the address is not a quotation, but it leads to the profile all the
    // same.
    let at = "/identity/profiles";
    let profile = |path: &str| json!({"network": "linkedin", "url": format!("https://linkedin.com/company/{path}")});
    stands(
        &told(at, profile("acme"), &["https://linkedin.com/company/acme"]),
        "medium",
        "observed",
    );
    let other = told(
        at,
        profile("other"),
        &["https://linkedin.com/company/other"],
    );
    assert_eq!(verdict(&other), None);
    // A range is not a count, and a year that is not a member by itself does not count.
    let year = told("/identity/founded_year", json!(2014), &["2014"]);
    assert_eq!(verdict(&year), None);
}
