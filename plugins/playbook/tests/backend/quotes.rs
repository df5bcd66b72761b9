//! Without a model: the draft quotes the sample site.

use gtm_sdk::{Value, json::json};

use crate::run::{ALL, acme, basis, sample, units};
use crate::web::Web;

#[test]
fn summary_and_angles_are_the_sites_own_sentences() {
    let draft = sample().draft();
    let result = &draft["result"];
    assert_eq!(
        result["target"],
        json!({"company": "Tarnbeck", "domain": "tarnbeck.example"})
    );
    assert_eq!(result["language"], "en-GB");
    let summary = result["business_summary"].as_str().unwrap();
    assert!(
        summary.starts_with("Tarnbeck is a temperature-controlled warehousing company"),
        "{summary}"
    );
    assert_eq!(basis(&draft, "/business_summary")["basis"], "stated");
    let angles = result["sales_angles"].as_array().unwrap();
    assert!((3..=5).contains(&angles.len()), "{angles:#?}");
    for (index, angle) in angles.iter().enumerate() {
        let entry = basis(&draft, &format!("/sales_angles/{index}"));
        assert_eq!(entry["basis"], "stated");
        assert_eq!(
            &entry["excerpts"][0]["text"], angle,
            "an angle is its excerpt"
        );
        assert!(!summary.contains(angle.as_str().unwrap()));
    }
}

#[test]
fn the_profile_holds_what_the_site_states() {
    let draft = sample().draft();
    let profile = &draft["result"]["company_profile"];
    assert_eq!(profile["headquarters"], "Lancaster, England");
    assert_eq!(profile["employee_range"], "340 people");
    assert_eq!(profile["industry"], "temperature-controlled warehousing");
    assert!(
        profile["business_model"]
            .as_str()
            .unwrap()
            .starts_with("Storage is billed per pallet position")
    );
    let offerings: Vec<&str> = profile["offerings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|o| o.as_str().unwrap())
        .collect();
    assert_eq!(
        offerings,
        [
            "Chilled storage",
            "Deep-freeze storage",
            "Pharma vault",
            "Loading slots",
            "ColdView"
        ]
    );
    let markets = profile["markets"].as_array().unwrap();
    assert_eq!(markets[0], "Dairy and cheese");
    assert_eq!(markets.len(), 4);
}

#[test]
fn signals_priorities_roles_and_proofs_are_found() {
    let draft = sample().draft();
    let result = &draft["result"];
    let signals = result["buying_signals"].as_array().unwrap();
    assert_eq!(
        signals[0],
        json!({"signal": "Tarnbeck opens fifth cold store in Dundee", "kind": "expansion", "observed_at": "2026-10-14"})
    );
    let kinds: Vec<&str> = signals
        .iter()
        .map(|signal| signal["kind"].as_str().unwrap())
        .collect();
    for kind in [
        "expansion",
        "product",
        "funding",
        "leadership",
        "hiring",
        "regulatory",
    ] {
        assert!(kinds.contains(&kind), "{kind} in {signals:#?}");
    }
    assert!(result["priorities"].as_array().unwrap().iter().any(|p| {
        p.as_str()
            .unwrap()
            .starts_with("Our goal is to cut the electricity")
    }));
    let roles: Vec<&str> = result["buying_committee"]
        .as_array()
        .unwrap()
        .iter()
        .map(|member| member["role"].as_str().unwrap())
        .collect();
    assert_eq!(
        roles,
        [
            "Managing Director",
            "Head of Operations",
            "Head of Quality",
            "Head of Engineering"
        ]
    );
    let proofs = result["proof_points"].as_array().unwrap();
    assert!(proofs.iter().any(
        |proof| proof["text"].as_str().unwrap().contains("43 percent")
            && proof["origin"] == "public"
    ));
}

#[test]
fn what_nobody_states_stays_empty_and_is_named_as_unknown() {
    let draft = sample().draft();
    let result = &draft["result"];
    for section in [
        "pain_points",
        "value_map",
        "discovery_questions",
        "objections",
        "competitive_position",
        "next_steps",
    ] {
        assert_eq!(result[section], json!([]), "{section}");
    }
    assert_eq!(
        result["talk_track"],
        json!({"opening": null, "bridge": null, "ask": null})
    );
    let risks = result["risks"].as_array().unwrap();
    assert!(
        risks.iter().all(|risk| risk["kind"] == "unknown"),
        "{risks:#?}"
    );
    assert!(risks.iter().any(|risk| {
        risk["text"]
            .as_str()
            .unwrap()
            .contains("discovery questions")
    }));
}

#[test]
fn each_section_can_be_asked_for_alone() {
    for section in ALL {
        let draft = sample().only(&[section]).draft();
        for (pointer, _) in units(&draft) {
            assert!(
                pointer.starts_with(&format!("/{section}")),
                "{pointer} when only {section} was asked for"
            );
        }
        if section != "risks" {
            assert_eq!(draft["result"]["risks"], json!([]));
        }
    }
}

#[test]
fn the_sellers_subject_decides_the_order_of_angles() {
    let first = |product: Value| {
        sample().with("/product_info", product).draft()["result"]["sales_angles"][0].clone()
    };
    let sensors = first(json!(
        "Gateways that copy sensor readings into maintenance systems."
    ));
    assert!(
        sensors
            .as_str()
            .unwrap()
            .contains("copied into the maintenance system by hand"),
        "{sensors}"
    );
    let jackets = first(json!(
        "Tablets that replace paper checklists in loading bays."
    ));
    assert!(
        jackets.as_str().unwrap().contains("paper checklists"),
        "{jackets}"
    );
}

#[test]
fn the_direct_tone_says_less() {
    let direct = sample().with("/tone", json!("direct")).draft();
    assert!(direct["result"]["sales_angles"].as_array().unwrap().len() <= 3);
    assert_eq!(
        basis(&direct, "/business_summary")["excerpts"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[test]
fn offers_and_brands_give_proofs_that_need_no_source() {
    let mut job = sample().with(
        "/product_info",
        json!("Our loggers cut alarm time by 60 percent. They are nice."),
    );
    job.brand = json!({"guideline": {"positioning": {"proof_points": [{"value": {"text": "18,000 flats billed monthly"}}]}}});
    let draft = job.draft();
    let proofs = &draft["result"]["proof_points"];
    assert_eq!(
        proofs[0],
        json!({"text": "Our loggers cut alarm time by 60 percent.", "origin": "offer"})
    );
    assert_eq!(
        proofs[1],
        json!({"text": "18,000 flats billed monthly", "origin": "brand"})
    );
    assert_eq!(basis(&draft, "/proof_points/0")["basis"], "provided");
}

#[test]
fn consent_banners_and_calls_to_act_are_never_quoted() {
    let web = Web::new().page(
        "https://acme.example/",
        "<html lang=en><body><p>We use cookies and similar technologies, 12 of them, to make Acme better for you.</p>\
         <main><h1>Acme</h1><p>Contact us today and Acme will send you 3 free samples.</p>\
         <p>Acme builds rail signals for regional lines in 9 countries.</p></main><footer>© 2026 Acme. All rights reserved by Acme.</footer></body></html>",
    );
    let draft = acme(web).draft();
    assert_eq!(
        draft["result"]["business_summary"],
        "Acme builds rail signals for regional lines in 9 countries."
    );
    assert!(!draft.to_string().contains("cookies") && !draft.to_string().contains("free samples"));
}

#[test]
fn german_pages_are_read_as_german() {
    let web = Web::new()
        .page(
            "https://acme.example/",
            "<html lang=de><body><nav><a href=/ueber-uns>Über uns</a><a href=/karriere>Karriere</a><a href=/impressum>Impressum</a></nav><main>\
             <p>Die Acme GmbH entwickelt Messtechnik für Stadtwerke und betreibt seit dem 12. März 2019 ein eigenes Prüflabor.</p></main></body></html>",
        )
        .page(
            "https://acme.example/ueber-uns",
            "<html lang=de><body><main><p>Wir sind rund 85 Mitarbeitende mit Sitz in Frankfurt am Main.</p><p>Bis Ende 2027 wollen wir alle Zähler per Funk auslesen.</p></main></body></html>",
        )
        .page(
            "https://acme.example/karriere",
            "<html lang=de><body><main><h1>Karriere</h1><ul><li>Entwicklungsingenieur Funk (m/w/d)</li></ul></main></body></html>",
        );
    let draft = acme(web).draft();
    let result = &draft["result"];
    assert_eq!(result["language"], "de");
    assert!(
        result["business_summary"]
            .as_str()
            .unwrap()
            .contains("12. März 2019 ein eigenes Prüflabor.")
    );
    assert_eq!(
        result["company_profile"]["employee_range"],
        "rund 85 Mitarbeitende"
    );
    assert_eq!(
        result["company_profile"]["headquarters"],
        "Frankfurt am Main"
    );
    assert_eq!(result["buying_signals"][0]["kind"], "hiring");
    assert_eq!(
        result["priorities"][0],
        "Bis Ende 2027 wollen wir alle Zähler per Funk auslesen."
    );
    assert!(
        result["risks"]
            .to_string()
            .contains("imprint page could not be read")
    );
}

#[test]
fn contradictions_and_old_news_are_risks() {
    let web = Web::new()
        .text(
            "https://acme.example/",
            "<p>Acme builds rail signals for regional lines.</p><p>Acme has 120 employees.</p><a href=/about>About</a><a href=/news>News</a>",
        )
        .text("https://acme.example/about", "<p>Acme employs 95 people in Leeds today.</p>")
        .text("https://acme.example/news", "<h1>News</h1><h2>Acme opens a new plant in Leeds</h2><p>3 May 2021</p><p>It is large.</p>");
    let draft = acme(web).draft();
    let kinds: Vec<&str> = draft["result"]["risks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|risk| risk["kind"].as_str().unwrap())
        .collect();
    assert!(
        kinds.contains(&"conflict") && kinds.contains(&"stale"),
        "{}",
        draft["result"]["risks"]
    );
    assert_eq!(draft["result"]["buying_signals"], json!([]));
}

#[test]
fn paragraphs_without_a_full_stop_are_better_than_nothing() {
    let web = Web::new().text("https://acme.example/", "<p>Acme builds rail signals for regional lines across nine countries</p><p>Short claim</p>");
    assert_eq!(
        acme(web).draft()["result"]["business_summary"],
        "Acme builds rail signals for regional lines across nine countries."
    );
}

#[test]
fn another_companys_structured_data_names_neither_company_nor_seat() {
    let page = |url: &str| {
        format!(
            r#"<html lang=en><head><title>Signals</title><script type="application/ld+json">{{"@type":"Organization","name":"Globex","url":"{url}",
            "address":{{"@type":"PostalAddress","addressLocality":"Springfield"}}}}</script></head><body><main><h1>Signals that stay green</h1>
            <p>We make signals for regional railway lines and mend them for as long as they stand.</p><p>Globex of Springfield uses them on every line that it runs.</p>
            <p>Every signal is tested for a whole winter before it leaves our hall.</p></main></body></html>"#
        )
    };
    let result = |url: &str| {
        let web = Web::new().page("https://acme.example/", &page(url));
        let mut job = acme(web);
        job = job.with("/target_company", Value::Null);
        job.draft()["result"].clone()
    };
    let other = result("https://globex.example/");
    assert_ne!(other["target"]["company"], "Globex");
    assert!(other["company_profile"]["headquarters"].is_null());
    let own = result("https://acme.example/");
    assert_eq!(own["target"]["company"], "Globex");
    assert_eq!(own["company_profile"]["headquarters"], "Springfield");
}
