//! Facts on the company: each field's own rule.
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
fn headcounts() {
    let at = "/identity/employee_range";
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
