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
    assert_eq!(basis(&draft, "/business_summary")["basis"], "stated");
    let angles = result["sales_angles"].as_array().unwrap();
    assert!((3..=5).contains(&angles.len()), "{angles:#?}");
    for (index, angle) in angles.iter().enumerate() {
        let entry = basis(&draft, &format!("/sales_angles/{index}"));
        assert_eq!(entry["basis"], "observed", "one sentence told by its words");
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
        assert_eq!(entry["basis"], "stated");
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
        basis(&draft, "/business_summary")["reasoning"],
        "Sätze der eigenen Website des Unternehmens, Wort für Wort."
    );
    let risks = result["risks"].as_array().unwrap();
    let risk = risks[0]["text"].as_str().unwrap();
    assert!(
        risk.starts_with("Auf den gelesenen Seiten nicht angegeben: ")
            && risk.ends_with("Geschäftsmodell."),
        "{risks:?}"
    );
}

#[test]
fn contradictions_and_old_news_are_risks() {
    let web = Web::new()
        .text(
            "https://acme.example/",
            "<p>Acme builds rail signals for regional lines.</p><p>Acme has 620 employees.</p><a href=/about>About</a><a href=/news>News</a>",
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

#[test]
fn the_profile_is_read_where_a_guideline_reads_it() {
    let page = |main: &str| {
        format!(
            "<html lang=de><head><title>Acme – Drucklufttechnik</title></head><body><nav><a href=/kontakt>Kontakt</a><a href=/verdichter>Verdichter</a>\
             <a href=/wartung>Wartung vor Ort</a></nav><main>{main}</main><footer>Acme GmbH, Bahnstraße 4, 89073 Ulm, Tel. +49 731 5550120</footer></body></html>"
        )
    };
    let web = Web::new()
        .page(
            "https://acme.example/",
            &page(
                "<h1>Luft, die arbeitet</h1><p>Die Acme GmbH baut Anlagen für Drucklufttechnik und wartet sie rund um die Uhr.</p>\
                 <h2>Unser Angebot</h2><h3>Verdichter</h3><p>Für Werkstatt und Werk.</p><h3>Wartung vor Ort</h3><p>Mit eigenen Leuten.</p>",
            ),
        )
        .page(
            "https://acme.example/kontakt",
            &page("<h1>Kontakt</h1><p>Acme GmbH</p><p>Bahnstraße 4</p><p>89073 Ulm</p><p>Drucklufttechnik seit 1998</p>"),
        );
    let result = acme(web).draft()["result"].clone();
    let profile = &result["company_profile"];
    assert_eq!(profile["headquarters"], "Ulm, Germany");
    assert_eq!(profile["industry"], "Drucklufttechnik");
    assert_eq!(
        profile["offerings"],
        json!(["Verdichter", "Wartung vor Ort"])
    );
}

#[test]
fn an_angle_needs_an_event_and_the_company_as_its_speaker() {
    let web = Web::new()
        .text(
            "https://acme.example/",
            "<p>Acme builds rail signals for regional lines across nine countries.</p><a href=/about>About</a>",
        )
        .text(
            "https://acme.example/about",
            "<p>Acme opened a second plant in Leeds in 2026 and doubled its output.</p>\
             <p>Working at Acme is the best thing that ever happened to me, says Anna, our trainee.</p>\
             <p>This doubled the output of 2025 within a single year of hard work.</p>\
             <blockquote>Acme increased our punctuality by 12 percent in 2025, and we are glad.</blockquote>\
             <p>Acme assumes no liability for increased costs, whatever the contents of external links in 2026.</p>\
             <p>Visitors find Acme behind the old station, right beside the river and the mill.</p>",
        );
    let draft = acme(web).only(&["sales_angles"]).draft();
    assert_eq!(
        draft["result"]["sales_angles"],
        json!(["Acme opened a second plant in Leeds in 2026 and doubled its output."])
    );
}

#[test]
fn prices_and_services_are_no_reason_to_talk_and_no_aims() {
    let told = |about: &str, careers: &str| {
        let home = "<html lang=en><head><title>Acme</title></head><body><nav><a href=/about>About us</a><a href=/careers>Careers</a></nav><main><h1>Acme</h1><p>Acme is an electrical contractor in Leeds.</p></main></body></html>";
        let web = Web::new()
            .page("https://acme.example/", home)
            .text("https://acme.example/about", about)
            .text("https://acme.example/careers", careers);
        acme(web)
            .only(&["sales_angles", "priorities", "buying_signals"])
            .draft()
    };
    let draft = told(
        "<h1>About us</h1><p>An installation by Acme starts from around £850, which will include the certificate.</p>\
        <p>We liaise with tenants and issue certificates within 28 days of every visit.</p>\
        <p>We design and certify systems compliant with BS 5266 and the Fire Safety Order 2005.</p>\
        <p>If you direct your bank to pay us, it will reach our 12 branches within the week.</p>\
        <p>Thanks to our strategic partnership and our volumes, we negotiate fair terms with makers.</p>",
        "<h1>Careers</h1><ul><li>Trainee manager: £1,850 a month</li><li>Workshop manager</li></ul>",
    );
    let result = &draft["result"];
    assert_eq!(result["sales_angles"], json!([]));
    assert_eq!(result["priorities"], json!([]));
    let signals = result["buying_signals"].as_array().unwrap();
    assert!(
        matches!(signals.as_slice(), [only] if only["signal"] == "Workshop manager"),
        "{signals:#?}"
    );
    let draft = told(
        "<h1>About us</h1><p>Acme opened a second workshop with 40 places in Hull.</p><p>Our goal is to reduce the waste of our workshops by 30 percent.</p>",
        "",
    );
    let angles = draft["result"]["sales_angles"].as_array().unwrap();
    assert_eq!(angles.len(), 2, "{angles:#?}");
}

#[test]
fn labels_reasons_steps_and_the_frame_of_pages_are_no_offerings() {
    let frame = "<div><h3>Follow our work</h3><p>On every network.</p></div>";
    let home = format!(
        "<html lang=it><head><title>Acme</title></head><body><nav><a href=/servizi>Servizi</a><a href=/chi-siamo>Chi siamo</a><a href=/espressi>Trasporti espressi</a></nav><main><h1>Acme</h1>\
        <h3>Trasporti espressi</h3><p>In giornata, in tutta la regione.</p>{frame}</main></body></html>"
    );
    let web = Web::new()
        .page("https://acme.example/", &home)
        .text(
            "https://acme.example/servizi",
            &format!(
                "<h1>Servizi</h1><a href=#aiuto>Aiuto in clinica</a><p>PERCHÉ NOI</p><h2>Costruiti sulle tue esigenze</h2><h3>Puntualità</h3><p>Ogni giorno.</p>\
                <h2>Metodo</h2><h3>Ascoltiamo</h3><p>Prima di partire.</p><h3>Consegniamo</h3><p>Puntuali.</p>\
                <h2>Volontari</h2><h3 id=aiuto>Domande</h3><p>Sempre.</p>{frame}"
            ),
        )
        .text(
            "https://acme.example/espressi",
            &format!("<h1>Trasporti espressi</h1><p>In giornata.</p>{frame}"),
        )
        .text(
            "https://acme.example/chi-siamo",
            &format!("<h1>Chi siamo</h1><p>Acme è una ditta di trasporti.</p><h2 id=aiuto>Aiuto in clinica</h2><p>Sempre.</p><a href=#aiuto>Aiuto in clinica</a>{frame}"),
        );
    let draft = acme(web).only(&["company_profile"]).draft();
    let offerings = &draft["result"]["company_profile"]["offerings"];
    assert!(
        offerings
            .as_array()
            .unwrap()
            .iter()
            .any(|name| name == "Trasporti espressi"),
        "{offerings}"
    );
    for wrong in [
        "Follow our work",
        "Puntualità",
        "Ascoltiamo",
        "Consegniamo",
        "Aiuto in clinica",
    ] {
        assert!(
            !offerings
                .as_array()
                .unwrap()
                .iter()
                .any(|name| name == wrong),
            "{wrong}: {offerings}"
        );
    }
}
