//! The facts that a person would read on the sample sites.

use gtm_sdk::json::json;

use crate::run::{acme, at, basis, conflict, members, reason, site};
use crate::sites;
use crate::web::Web;

#[test]
fn an_english_site_is_read() {
    let draft = site(sites::harrow(), "https://harrowgate.example/").draft();
    assert_eq!(draft["language"], "en-GB");
    assert_eq!(at(&draft, "/identity/brand_name"), "Harrowgate Scales");
    assert_eq!(at(&draft, "/identity/legal_name"), "Harrowgate Scales Ltd");
    assert_eq!(at(&draft, "/identity/tagline"), "Weigh less, know more");
    assert_eq!(
        at(&draft, "/identity/description_short"),
        "Harrowgate Scales makes weighing instruments for small dairies."
    );
    assert_eq!(at(&draft, "/identity/founded_year"), 1987);
    assert_eq!(
        at(&draft, "/identity/headquarters"),
        &json!({"locality": "Ripon", "region": "North Yorkshire", "country": "GB"})
    );
    assert_eq!(at(&draft, "/identity/employee_range"), "11-50");
    assert_eq!(at(&draft, "/identity/ownership"), "private");
    assert_eq!(at(&draft, "/identity/locales"), &json!(["en-GB", "fr"]));
    assert_eq!(
        members(at(&draft, "/identity/profiles"), "network"),
        ["linkedin", "youtube"]
    );
    assert_eq!(
        members(at(&draft, "/identity/identifiers"), "value"),
        ["GB 980 7806 84", "09123456"]
    );
    assert_eq!(
        at(&draft, "/foundations/mission"),
        "We want every dairy, however small, to be paid for what it makes."
    );
    assert_eq!(
        members(at(&draft, "/foundations/values"), "name"),
        ["Plain words", "Long repair"]
    );
    assert_eq!(
        at(&draft, "/foundations/commitments")[0],
        "We repair every scale that we ever sold, at a fixed price."
    );
    assert_eq!(
        at(&draft, "/positioning/category"),
        "weighing instrument maker"
    );
    let propositions = members(at(&draft, "/positioning/value_propositions"), "statement");
    assert!(
        propositions.contains(&"Readings without paper")
            && propositions.contains(&"Repairs in two days"),
        "{propositions:?}"
    );
    let kinds = members(at(&draft, "/positioning/proof_points"), "kind");
    for kind in ["metric", "testimonial", "certification", "case_study"] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    assert!(
        at(&draft, "/messaging/boilerplate")
            .as_str()
            .unwrap()
            .starts_with("Harrowgate Scales makes weighing instruments that keep")
    );
    assert_eq!(
        at(&draft, "/messaging/calls_to_action"),
        &json!(["Request a quote"])
    );
    assert_eq!(
        at(&draft, "/governance/required_legal_lines")[0],
        "© 2026 Harrowgate Scales Ltd. All rights reserved."
    );
    assert_eq!(
        at(&draft, "/governance/trademark_usage")[0],
        "Harrowgate and Churnline are registered trademarks of Harrowgate Scales Ltd."
    );
    assert_eq!(draft["conflicts"], json!([]));
    // Without a model, the parts that only a model writes stay empty.
    for pointer in [
        "/positioning/statement",
        "/voice/summary",
        "/messaging/pitches/seconds_10",
    ] {
        assert!(at(&draft, pointer).is_null());
        assert_eq!(reason(&draft, pointer), "not_found");
    }
    assert_eq!(
        at(&draft, "/messaging/core_message"),
        "We build scales that log each churn by itself, so that a dairy of two people keeps honest books."
    );
    assert_eq!(at(&draft, "/audience/segments"), &json!([]));
}

#[test]
fn a_german_imprint_is_read() {
    let draft = site(sites::tarnbeck(), "https://tarnbeck.example/").draft();
    assert_eq!(draft["language"], "de");
    assert_eq!(at(&draft, "/identity/brand_name"), "Tarnbeck Messtechnik");
    assert_eq!(
        at(&draft, "/identity/legal_name"),
        "Tarnbeck Messtechnik GmbH & Co. KG"
    );
    assert_eq!(
        at(&draft, "/identity/tagline"),
        "Wärme messen, wo sie entsteht"
    );
    assert_eq!(at(&draft, "/identity/founded_year"), 1998);
    assert_eq!(at(&draft, "/identity/employee_range"), "51-200");
    assert_eq!(
        at(&draft, "/identity/headquarters"),
        &json!({"locality": "Ulm", "region": null, "country": "DE"})
    );
    assert_eq!(
        at(&draft, "/identity/identifiers"),
        &json!([{"scheme": "company_register", "value": "Amtsgericht Ulm, HRA 734512"}, {"scheme": "vat", "value": "DE136695976"}])
    );
    assert_eq!(
        at(&draft, "/foundations/values"),
        &json!([{"name": "Sorgfalt", "description": "Wir prüfen jeden Zähler zweimal."}, {"name": "Ruhe", "description": "Wir versprechen nur, was wir messen."}])
    );
    assert_eq!(
        at(&draft, "/messaging/calls_to_action"),
        &json!(["Termin vereinbaren"])
    );
    // The telephone number on the same page gives the country.
    assert!(
        basis(&draft, "/identity/headquarters")
            .to_string()
            .contains("+49 731")
    );
}

#[test]
fn contradictions_are_kept_and_the_better_supported_value_stands() {
    let draft = acme(sites::contradictory()).draft();
    // A page and structured data say 2011; only one page says 2009.
    assert_eq!(at(&draft, "/identity/founded_year"), 2011);
    assert_eq!(
        conflict(&draft, "/identity/founded_year"),
        [json!(2011), json!(2009)]
    );
    // 95 and 140 fall in the same range; 900, from structured data, falls in another.
    assert_eq!(at(&draft, "/identity/employee_range"), "51-200");
    assert_eq!(
        conflict(&draft, "/identity/employee_range"),
        [json!("51-200"), json!("501-1000")]
    );
    // One page contradicts another: neither value wins.
    assert!(at(&draft, "/identity/headquarters").is_null());
    assert_eq!(reason(&draft, "/identity/headquarters"), "conflicting");
    assert_eq!(conflict(&draft, "/identity/headquarters").len(), 2);
}

#[test]
fn french_legal_notices_are_read() {
    let web = Web::new()
        .page(
            "https://filetlaine.example/",
            "<html lang=fr><head><title>Fil et Laine</title></head><body><nav><a href=/mentions-legales>Mentions légales</a></nav><main><h1>Le lin, du champ au drap</h1>\
             <p>Nous tissons le lin de Normandie pour des hôtels qui lavent peu.</p></main></body></html>",
        )
        .page(
            "https://filetlaine.example/mentions-legales",
            "<html lang=fr><body><main><h1>Mentions légales</h1><h2>Éditeur du site</h2><p>Fil et Laine SARL au capital de 10 000 €</p><p>12 rue des Lices, 69002 Lyon</p>\
             <p>RCS Lyon 404 833 048</p><p>N° TVA intracommunautaire : FR83404833048</p><p>Tél. +33 4 72 00 00 00</p></main></body></html>",
        );
    let draft = site(web, "https://filetlaine.example/").draft();
    assert_eq!(at(&draft, "/identity/legal_name"), "Fil et Laine SARL");
    assert_eq!(
        at(&draft, "/identity/headquarters"),
        &json!({"locality": "Lyon", "region": null, "country": "FR"})
    );
    assert_eq!(
        members(at(&draft, "/identity/identifiers"), "value"),
        ["RCS Lyon 404 833 048", "FR83404833048"]
    );
}

#[test]
fn a_name_without_support_is_the_callers() {
    let web = Web::new().page("https://acme.example/", "<html><head><title>Home</title></head><body><main><p>Green lights for regional lines in nine countries.</p></main></body></html>");
    let draft = acme(web).named("Globex").draft();
    assert_eq!(at(&draft, "/identity/brand_name"), "Globex");
    assert_eq!(basis(&draft, "/identity/brand_name")["basis"], "provided");
}

#[test]
fn company_data_fills_gaps_and_says_where_from() {
    let mut job = acme(Web::new().text(
        "https://acme.example/",
        "<h1>Acme Rail</h1><p>We build rail signals for regional lines.</p>",
    ));
    job.company_data = Some(
        json!({"receipt_id": "rcp_facts", "publisher": "Facts Inc", "company": {"domain": "acme.example", "legal_name": "Acme Rail Ltd",
        "description": null, "industry": "Railroad equipment", "founded_year": 2011, "employee_count": 95, "locality": "Leeds", "region": null,
        "country": "United Kingdom", "ticker": null, "profiles": []}}),
    );
    let draft = job.draft();
    assert_eq!(at(&draft, "/identity/founded_year"), 2011);
    assert_eq!(
        at(&draft, "/identity/headquarters"),
        &json!({"locality": "Leeds", "region": null, "country": "GB"})
    );
    assert_eq!(
        at(&draft, "/identity/industries")[0]["label"],
        "Railroad equipment"
    );
    let entry = basis(&draft, "/identity/founded_year");
    assert_eq!(
        entry["excerpts"],
        json!([{"receipt_id": "rcp_facts", "text": "2011"}])
    );
    let source = draft["sources"]
        .as_array()
        .unwrap()
        .iter()
        .find(|source| source["receipt_id"] == "rcp_facts")
        .unwrap();
    assert_eq!(
        (source["kind"].as_str(), source["publisher"].as_str()),
        (Some("other"), Some("Facts Inc"))
    );
}

#[test]
fn the_sample_site_is_read() {
    let draft = site(sites::sample(), "https://tarnbeck.example/").draft();
    assert_eq!(at(&draft, "/identity/brand_name"), "Tarnbeck");
    assert_eq!(
        at(&draft, "/identity/legal_name"),
        "Tarnbeck Cold Storage Ltd"
    );
    assert_eq!(at(&draft, "/identity/founded_year"), 2009);
    assert_eq!(
        at(&draft, "/identity/headquarters")["locality"],
        "Lancaster"
    );
    assert_eq!(at(&draft, "/identity/employee_range"), "201-500");
    assert_eq!(
        at(&draft, "/positioning/category"),
        "temperature-controlled warehousing company"
    );
    assert_eq!(
        members(at(&draft, "/positioning/value_propositions"), "statement"),
        ["Room to grow", "Proof for auditors", "One handover"]
    );
    // Two texts that only a stylesheet separates are not a figure, and a headcount is not a proof.
    let proofs = members(at(&draft, "/positioning/proof_points"), "text").join("\n");
    assert!(
        !proofs.contains("96,000pallet") && !proofs.contains("employs 340"),
        "{proofs}"
    );
    assert_eq!(at(&draft, "/visual/palette")[0]["hex"], "#0d3b4f");
}

#[test]
fn microdata_is_read_like_structured_data() {
    let web = Web::new().page(
        "https://acme.example/",
        r#"<html lang=en><head><title>Acme Rail</title></head><body><main><h1>Signals that stay green</h1>
        <div itemscope itemtype="https://schema.org/Organization"><span itemprop=name>Acme Rail</span><meta itemprop=foundingDate content="2011-03-01">
        <div itemprop=address itemscope itemtype="https://schema.org/PostalAddress"><span itemprop=addressLocality>Leeds</span>, <span itemprop=addressCountry>United Kingdom</span></div></div>
        <div itemscope itemtype="https://schema.org/Review"><div itemprop=author itemscope itemtype="https://schema.org/Organization"><span itemprop=name>Globex</span><meta itemprop=foundingDate content="1950"></div></div></main></body></html>"#,
    );
    let draft = acme(web).draft();
    assert_eq!(at(&draft, "/identity/founded_year"), 2011);
    assert_eq!(
        at(&draft, "/identity/headquarters"),
        &json!({"locality": "Leeds", "region": null, "country": "GB"})
    );
    assert_eq!(draft["conflicts"], json!([]));
}

#[test]
fn markets_are_listed_countries_or_country_versions() {
    let web = Web::new().page(
        "https://acme.example/",
        "<html lang=de-DE><head><title>Acme Rail</title><link rel=alternate hreflang=de-DE href=/><link rel=alternate hreflang=de-AT href=/at><link rel=alternate hreflang=fr href=/fr></head>\
         <body><main><h1>Signale, die grün bleiben</h1><h2>Liefergebiet</h2><ul><li>Schweiz</li><li>Norden</li></ul></main></body></html>",
    );
    let draft = acme(web).draft();
    assert_eq!(at(&draft, "/audience/markets"), &json!(["CH", "AT", "DE"]));
    // One list tells the first, with its words; the others are computed from the markup.
    let words = |at: &str| basis(&draft, at)["excerpts"].as_array().unwrap().len();
    assert_eq!(words("/audience/markets/0"), 1);
    assert_eq!(words("/audience/markets/1"), 0);
    assert_eq!(basis(&draft, "/audience/markets/0")["basis"], "observed");
    assert_eq!(basis(&draft, "/audience/markets/1")["basis"], "observed");
    assert_eq!(
        at(&draft, "/identity/locales"),
        &json!(["de-DE", "de-AT", "fr"])
    );
}

#[test]
fn the_legal_form_says_who_can_own_the_company() {
    let site = |owner: &str| {
        acme(Web::new().text(
            "https://acme.example/",
            &format!("<h1>Acme Rail</h1><p>Acme Rail builds signals for regional lines.</p><p>{owner}</p>"),
        ))
    };
    let ownership = |owner: &str| at(&site(owner).draft(), "/identity/ownership").clone();
    assert_eq!(ownership("© 2026 Acme Rail Pvt. Ltd."), "private");
    assert_eq!(ownership("© 2026 Acme Rail GmbH"), json!(null));
    assert_eq!(
        ownership("Acme Rail is a wholly owned subsidiary of Globex."),
        "subsidiary"
    );
    assert_eq!(ownership("Acme Rail is a registered charity."), "nonprofit");
    assert_eq!(ownership("© 2026 Acme Rail AG"), json!(null));
    assert_eq!(
        ownership("Globex, our customer, is listed on the London stock exchange."),
        json!(null)
    );
}

#[test]
fn right_to_left_sites_are_read() {
    let web = Web::new()
        .page(
            "https://nakhla.example/",
            r#"<html lang=ar dir=rtl><head><title>نخلة للري</title><meta property=og:site_name content="نخلة للري"><meta name=description content="نخلة للري تبني أنظمة ري تقيس الماء لكل شجرة."></head>
            <body><nav><a href=/p/1>من نحن</a><a href=/p/2>اتصل بنا</a></nav><main><h1>ماء أقل لكل نخلة</h1><p>نخلة للري تبني أنظمة ري تقيس الماء لكل شجرة في الواحة.</p></main></body></html>"#,
        )
        .page(
            "https://nakhla.example/p/1",
            "<html lang=ar dir=rtl><body><main><h1>من نحن</h1><p>تأسست نخلة للري عام 2009 في واحة صغيرة.</p><h2>رسالتنا</h2><p>نريد أن تشرب كل شجرة ما تحتاجه فقط ولا قطرة أكثر.</p><p>يعمل معنا 34 موظفا.</p></main></body></html>",
        );
    let draft = site(web, "https://nakhla.example/").draft();
    assert_eq!(draft["language"], "ar");
    assert_eq!(at(&draft, "/identity/brand_name"), "نخلة للري");
    assert_eq!(at(&draft, "/identity/tagline"), "ماء أقل لكل نخلة");
    assert_eq!(
        at(&draft, "/identity/description_short"),
        "نخلة للري تبني أنظمة ري تقيس الماء لكل شجرة."
    );
    assert_eq!(at(&draft, "/identity/founded_year"), 2009);
    assert_eq!(at(&draft, "/identity/employee_range"), "11-50");
    assert_eq!(
        at(&draft, "/foundations/mission"),
        "نريد أن تشرب كل شجرة ما تحتاجه فقط ولا قطرة أكثر."
    );
}
