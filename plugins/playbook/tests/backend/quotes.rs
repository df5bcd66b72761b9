//! Without a model: the draft quotes the sample site.

use gtm_sdk::{Value, json::json};

use crate::run::{ALL, COMPANIONS, acme, basis, sample, units};
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
    assert_eq!(basis(&draft, "/business_summary")["basis"], "observed");
    assert_eq!(
        result["sales_angles"],
        json!([]),
        "nothing is known of the seller"
    );
}

#[test]
fn angles_are_events_that_touch_what_the_seller_offers() {
    let angles = |product: &str| {
        let draft = sample().with("/product_info", json!(product)).draft();
        for (index, angle) in draft["result"]["sales_angles"]
            .as_array()
            .unwrap()
            .iter()
            .enumerate()
        {
            let entry = basis(&draft, &format!("/sales_angles/{index}"));
            assert_eq!(entry["basis"], "observed", "one sentence told by its words");
            assert_eq!(
                &entry["excerpts"][0]["text"], angle,
                "an angle is its excerpt"
            );
        }
        draft["result"]["sales_angles"].clone()
    };
    assert_eq!(
        angles("Tablets that replace paper checklists in loading bays."),
        json!([
            "We plan to replace the paper checklists in our loading bays with tablets during 2027."
        ])
    );
    assert_eq!(angles("Software for lawyers."), json!([]));
}

#[test]
fn the_profile_holds_what_the_site_states() {
    let draft = sample().draft();
    let profile = &draft["result"]["company_profile"];
    assert_eq!(profile["headquarters"], "Lancaster, England");
    assert_eq!(profile["employee_range"], "201-500");
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
    assert_eq!(result["fit"], json!({"verdict": null, "reasons": []}));
    assert_eq!(result["messages_by_persona"], json!([]));
    assert_eq!(result["business_case"], json!([]));
    assert_eq!(result["risks"], json!([]), "no risk of the sale");
    assert_eq!(draft["unknowns"], json!([]));
}

#[test]
fn events_with_a_date_say_why_now() {
    let draft = sample().draft();
    let result = &draft["result"];
    let told = result["why_now"].as_array().unwrap();
    assert_eq!(told.len(), 3, "{told:#?}");
    assert_eq!(told[0], "Tarnbeck opens fifth cold store in Dundee");
    for (index, event) in told.iter().enumerate() {
        let of_event = |signal: &&Value| signal["signal"] == *event;
        let signals = result["buying_signals"].as_array().unwrap();
        let signal = signals.iter().find(of_event).unwrap();
        assert!(signal["observed_at"].is_string(), "{signal}");
        let entry = basis(&draft, &format!("/why_now/{index}"));
        let basis = entry["basis"].as_str().unwrap();
        assert!(["stated", "observed"].contains(&basis), "{entry}");
        assert!(!entry["excerpts"].as_array().unwrap().is_empty());
    }
}

#[test]
fn each_section_can_be_asked_for_alone() {
    for section in ALL {
        let draft = sample().only(&[section]).draft();
        let along = COMPANIONS.iter().find(|(of, _)| *of == section);
        for (pointer, _) in units(&draft) {
            let own = pointer.starts_with(&format!("/{section}"))
                || along.is_some_and(|(_, name)| pointer.starts_with(&format!("/{name}")));
            assert!(own, "{pointer} when only {section} was asked for");
        }
        if section != "risks" {
            assert_eq!(draft["result"]["risks"], json!([]));
        }
    }
}

#[test]
fn the_direct_tone_says_less() {
    let sentences = |tone: &str| {
        let web = Web::new().text(
            "https://acme.example/",
            "<p>We build rail signals for the regional lines of nine countries.</p>\
             <p>We design the interlocking that every small station needs for safety.</p>\
             <p>We supply spare parts for all of our older installations within days.</p>",
        );
        let draft = acme(web)
            .with("/tone", json!(tone))
            .with("/target_company", json!("Nordvik"))
            .draft();
        let entry = basis(&draft, "/business_summary");
        entry["excerpts"].as_array().unwrap().len()
    };
    assert_eq!((sentences("consultative"), sentences("direct")), (3, 2));
}

#[test]
fn offers_and_brands_give_proofs_that_need_no_source() {
    let mut job = sample().with(
        "/product_info",
        json!("Our loggers cut alarm time by 60 percent. They show customers what runs, and when."),
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
fn the_brand_s_own_objections_need_no_model() {
    let mut job = sample().only(&["objections"]);
    job.brand = json!({"guideline": {"messaging": {"objections": [
        {"value": {"objection": "Too dear", "response": "Paid back in 9 months"}}]}}});
    let draft = job.draft();
    assert_eq!(
        draft["result"]["objections"],
        json!([{"objection": "Too dear", "response": "Paid back in 9 months"}])
    );
    assert_eq!(basis(&draft, "/objections/0")["basis"], "provided");
}

#[test]
fn a_provider_s_company_data_fills_the_profile() {
    let web = || {
        Web::new().text(
            "https://acme.example/",
            "<p>Acme builds rail signals for regional lines in 9 countries.</p>",
        )
    };
    let data = |domain: &str| {
        json!({"receipt_id": "rcp_data", "publisher": "Facts Inc", "company": {"domain": domain, "legal_name": null, "description": null,
            "industry": "Railway equipment", "founded_year": null, "employee_count": 140, "locality": null, "region": null, "country": null,
            "ticker": null, "profiles": []}})
    };
    let mut job = acme(web());
    job.company_data = Some(data("acme.example"));
    let draft = job.draft();
    let profile = &draft["result"]["company_profile"];
    assert_eq!(profile["employee_range"], "51-200");
    assert_eq!(profile["industry"], "Railway equipment");
    let entry = basis(&draft, "/company_profile/employee_range");
    assert_eq!(
        entry["excerpts"],
        json!([{"receipt_id": "rcp_data", "text": "140"}])
    );
    let sources = draft["sources"].as_array().unwrap();
    assert!(
        sources
            .iter()
            .any(|source| source["receipt_id"] == "rcp_data"
                && source["publisher"] == "Facts Inc"
                && source["kind"] == "other")
    );
    let mut of_another = acme(web());
    of_another.company_data = Some(data("acme.test"));
    let draft = of_another.draft();
    assert_eq!(
        draft["result"]["company_profile"]["employee_range"],
        Value::Null
    );
    let mut unwanted = acme(web()).only(&["business_summary"]);
    unwanted.company_data = Some(data("acme.example"));
    let run = unwanted.run();
    assert!(
        run.calls
            .iter()
            .all(|call| call.capability != "company.enrich")
    );
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
    assert_eq!(result["company_profile"]["employee_range"], "51-200");
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
        !result["risks"].to_string().contains("imprint"),
        "what could not be read is no risk of the sale"
    );
    assert_eq!(
        result["risks"],
        json!([]),
        "what rules did not find may stand on the pages all the same"
    );
}

#[test]
fn numbers_of_lists_prices_and_hours_are_no_proof() {
    let draft = sample()
        .with(
            "/product_info",
            json!("Meterly offers:\n1. Quotes: 38 customers answer in 4 days instead of 11.\n2. Booking: open 24 hours.\n3. Price: 49 EUR per month."),
        )
        .only(&["proof_points"])
        .draft();
    let proofs = draft["result"]["proof_points"].as_array().unwrap();
    let own: Vec<&str> = proofs
        .iter()
        .filter(|proof| proof["origin"] == "offer")
        .map(|proof| proof["text"].as_str().unwrap())
        .collect();
    assert_eq!(
        own,
        ["Quotes: 38 customers answer in 4 days instead of 11."]
    );
}
