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

fn particulars(draft: &Value) -> Vec<String> {
    let told = &draft["result"]["company_profile"]["particulars"];
    let texts = told.as_array().unwrap().iter();
    texts
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_profile_holds_what_identifies_the_company() {
    let draft = acme(site()).draft();
    let told = particulars(&draft);
    for (text, quoted) in [
        ("Founded in 1987.", "Acme was founded in 1987"),
        ("Registered name: Acme Signals Ltd", "Acme Signals Ltd"),
        (
            "Address: 4 Mill Lane, Leeds, LS1 4AB, United Kingdom",
            "4 Mill Lane",
        ),
        ("Register number: 09123456", "09123456"),
        ("VAT number: GB 123 4567 82", "GB 123 4567 82"),
    ] {
        let at = told.iter().position(|known| known == text);
        let at = at.unwrap_or_else(|| panic!("{text} in {told:#?}"));
        let entry = basis(&draft, &format!("/company_profile/particulars/{at}"));
        let excerpts = entry["excerpts"].to_string();
        assert!(excerpts.contains(quoted), "{text}: {excerpts}");
    }
    let proofs = draft["result"]["proof_points"].to_string();
    assert!(
        !proofs.contains("09123456") && !proofs.contains("1987"),
        "{proofs}"
    );
}

#[test]
fn a_profile_tells_how_to_reach_the_company() {
    let of = |language: &str, contact: &str| {
        let home = format!(
            "<h1>Acme</h1><p>Acme builds rail signals for regional lines.</p><a href=/contact>Kontakt</a>{contact}"
        );
        let web = Web::new()
            .page("https://acme.example/", &page(language, &home))
            .page("https://acme.example/contact", &page(language, contact));
        particulars(&acme(web).draft())
    };
    for (language, contact, expected) in [
        (
            "de",
            "<h1>Kontakt</h1><p>Acme GmbH</p><p>Bahnstraße 4</p><p>89073 Ulm</p><p>Telefon: 0731 5550120</p><p>Telefax: 0731 5550121</p>\
             <p>info@acme.example</p><p>jana.roth@acme.example</p><p>Montag bis Freitag 8.00 – 17.00 Uhr</p><p>Samstag 9.00 – 12.00 Uhr</p>",
            vec![
                "Anschrift: Bahnstraße 4, 89073 Ulm",
                "Telefon: 0731 5550120",
                "E-Mail: info@acme.example",
                "Öffnungszeiten: Montag bis Freitag 8.00 – 17.00 Uhr; Samstag 9.00 – 12.00 Uhr",
            ],
        ),
        (
            "it",
            "<h1>Contatti</h1><p>Acme S.r.l., Via Roma 4, 36022 Cassola (VI)</p><p>Tel. <a href='tel:+390424555012'>+39 0424 555012</a></p><p>Lunedì - venerdì: 9:00 - 18:00</p>",
            vec![
                "Indirizzo: Via Roma 4, 36022 Cassola",
                "Telefono: +39 0424 555012",
                "Orari: Lunedì - venerdì: 9:00 - 18:00",
            ],
        ),
        (
            "en",
            "<h1>Contact</h1><p>Acme Signals Ltd, 4 Mill Lane, Leeds, LS1 4AB, United Kingdom</p><p>Telephone: 0113 296 0120</p><p>Open on Saturday 12 December 2026, 9:00 to 12:00</p>",
            vec![
                "Address: 4 Mill Lane, Leeds, LS1 4AB, United Kingdom",
                "Telephone: 0113 296 0120",
            ],
        ),
    ] {
        let told = of(language, contact);
        for text in &expected {
            assert!(
                told.iter().any(|known| known == text),
                "{text} in {told:#?}"
            );
        }
        assert!(
            !told.iter().any(|known| known.contains("jana")),
            "{told:#?}"
        );
        assert!(
            language != "en" || !told.iter().any(|known| known.contains("2026")),
            "{told:#?}"
        );
    }
}

/// What a site tells of how to reach it, whose every page has this footer.
fn reached(language: &str, footer: &str) -> Vec<String> {
    let home = "<h1>Acme</h1><p>Acme builds rail signals for regional lines.</p><a href=/contact>Contact</a><a href=/about>About us</a>";
    let page = |main: &str| {
        format!(
            "<html lang={language}><head><title>Acme</title></head><body><main>{main}</main><footer>{footer}</footer></body></html>"
        )
    };
    let web = Web::new()
        .page("https://acme.example/", &page(home))
        .page(
            "https://acme.example/about",
            &page("<h1>About us</h1><p>Acme was founded in 1987.</p>"),
        )
        .page(
            "https://acme.example/contact",
            &page("<h1>Contact</h1><p>Write to us, or come by.</p>"),
        );
    particulars(&acme(web).draft())
}

#[test]
fn labels_of_telephones_mailboxes_and_hours_may_stand_above_or_be_short() {
    for (language, footer, expected) in [
        (
            "en",
            "<dl><dt>Phone</dt><dd>0113 296 0120</dd><dt>Fax</dt><dd>0113 296 0121</dd></dl><div>hello@acme.example</div><div>Mon - Fri: 9am - 5pm</div>",
            vec![
                "Telephone: 0113 296 0120",
                "E-mail: hello@acme.example",
                "Opening hours: Mon - Fri: 9am - 5pm",
            ],
        ),
        (
            "de",
            "<div>Fon</div><div>0731 5550120</div><div>acme.info@post.example</div><div>Mo–Do</div><div>7.30–16.00 Uhr</div><div>Fr</div><div>7.30–12.00 Uhr</div>",
            vec![
                "Telefon: 0731 5550120",
                "E-Mail: acme.info@post.example",
                "Öffnungszeiten: Mo–Do 7.30–16.00 Uhr; Fr 7.30–12.00 Uhr",
            ],
        ),
        (
            "ja",
            "<div>ＴＥＬ</div><div>03-5550-1234</div><div>平日 9:00～18:00</div>",
            vec!["03-5550-1234", "平日 9:00～18:00"],
        ),
    ] {
        let told = reached(language, footer);
        for text in &expected {
            assert!(
                told.iter().any(|known| known.ends_with(text)),
                "{text} in {told:#?}"
            );
        }
        assert!(
            !told.iter().any(|known| known.contains("0121")),
            "{told:#?}"
        );
    }
}

#[test]
fn persons_and_strangers_have_no_mailbox_for_everybody() {
    let told = reached(
        "en",
        "<p>jane.roe@acme.example</p><p>Design: info@globex.example</p>",
    );
    for stranger in ["jane", "globex"] {
        assert!(
            !told.iter().any(|known| known.contains(stranger)),
            "{told:#?}"
        );
    }
    // What nearly all pages show, customers write to, if nothing says that it is somebody else's.
    let told = reached("en", "<p>Write to us: info@globex.example</p>");
    assert!(
        told.iter()
            .any(|known| known.ends_with("info@globex.example")),
        "{told:#?}"
    );
    let once = "<h1>Imprint</h1><p>Acme Signals Ltd</p><p>Design: info@globex.example</p>";
    let web = site().page("https://acme.example/imprint", &page("en", once));
    let told = particulars(&acme(web).draft());
    assert!(
        !told.iter().any(|known| known.contains("globex")),
        "{told:#?}"
    );
}

#[test]
fn a_number_below_a_person_is_not_the_companys() {
    for (above, is_told) in [
        ("<p>Anna Lindt</p>", false),
        ("<p>Anna Lindt</p><p>anna.lindt@acme.example</p>", false),
        ("<p>Anna Lindt</p><p>Sales Manager</p>", false),
        ("<p>Acme Signals Ltd</p>", true),
        ("<p>Head Office</p>", true),
    ] {
        let told = reached("en", &format!("{above}<p>+44 113 296 0120</p>"));
        let shown = told.iter().any(|known| known.contains("296 0120"));
        assert_eq!(shown, is_told, "{above}: {told:#?}");
    }
}

#[test]
fn a_number_that_a_link_below_a_role_dials_is_a_persons() {
    for (above, is_told) in [
        ("<p>Oluwaseun Adeyemi</p><p>Sales Manager</p>", false),
        ("<p>Get in touch</p>", true),
    ] {
        let link = "<p><a href=tel:+441132960120>+44 113 296 0120</a></p>";
        let told = reached("en", &format!("{above}{link}"));
        let shown = told.iter().any(|known| known.contains("296 0120"));
        assert_eq!(shown, is_told, "{above}: {told:#?}");
    }
}

#[test]
fn structured_data_tells_when_the_company_is_open() {
    let main = r#"<script type="application/ld+json">{"@type":"Organization","name":"Acme","url":"https://acme.example/",
        "openingHoursSpecification":[{"@type":"OpeningHoursSpecification","dayOfWeek":["Monday","Friday"],"opens":"08:00","closes":"17:00"},
        {"@type":"OpeningHoursSpecification","dayOfWeek":"https://schema.org/Saturday","opens":"09:00","closes":"12:00"},
        {"@type":"OpeningHoursSpecification","dayOfWeek":"Sunday","opens":"00:00","closes":"00:00"}]}</script>
        <h1>Acme</h1><p>Acme builds rail signals for regional lines.</p>"#;
    let web = Web::new().page("https://acme.example/", &page("en", main));
    let told = particulars(&acme(web).draft());
    let expected = "Opening hours: Monday, Friday 08:00–17:00; Saturday 09:00–12:00";
    assert!(told.iter().any(|known| known == expected), "{told:#?}");
}

#[test]
fn a_profile_tells_who_owns_the_company_its_staff_and_its_languages() {
    let home = "<h1>Acme</h1><p>Acme builds rail signals for regional lines.</p><p>Acme employs 34 people in Leeds.</p>\
        <p>Acme is a wholly owned subsidiary of Globex Holdings.</p><a href=/de/>Deutsch</a>";
    let told =
        particulars(&acme(Web::new().page("https://acme.example/", &page("en", home))).draft());
    for text in [
        "Belongs to another company.",
        "Acme employs 34 people in Leeds.",
        "Languages of the site: en, de",
    ] {
        assert!(
            told.iter().any(|known| known == text),
            "{text} in {told:#?}"
        );
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
fn many_customers_do_not_push_out_what_identifies_the_company() {
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
    let told = particulars(&acme(web).draft());
    assert!(
        told.contains(&"Register number: 09123456".to_owned()),
        "{told:#?}"
    );
}

#[test]
fn a_year_that_a_page_tells_by_an_era_is_told_in_its_words() {
    let main = "<h1>Acme</h1><p>Acmeは地方鉄道の信号機を製造する会社です。</p><table><tr><th>会社名</th><td>株式会社アクメ</td></tr><tr><th>設立</th><td>昭和62年4月</td></tr><tr><th>所在地</th><td>東京都千代田区丸の内1-1-1</td></tr></table>";
    let draft = acme(Web::new().page("https://acme.example/", &page("ja", main))).draft();
    let told = particulars(&draft);
    assert!(
        told.iter().any(|known| known.contains("昭和62年4月")),
        "{told:#?}"
    );
    assert!(
        !told.iter().any(|known| known.contains("1987")),
        "{told:#?}"
    );
}

#[test]
fn a_notice_of_rights_is_no_summary() {
    for (language, notice, says) in [
        (
            "de",
            "Alle Texte und Bilder sind urheberrechtlich geschützt und dürfen nur mit vorheriger Erlaubnis von Acme verwendet werden.",
            "Acme baut Signale für kleine Bahnen in der ganzen Region.",
        ),
        (
            "en",
            "All texts and pictures are protected by copyright and Acme allows their use only in writing.",
            "Acme builds rail signals for regional lines in the north.",
        ),
        (
            "it",
            "Tutti i testi di Acme sono tutelati dal diritto d'autore ed è vietata la riproduzione anche parziale.",
            "Acme produce segnali per le ferrovie regionali del nord.",
        ),
    ] {
        let main = format!("<h1>Acme</h1><p>{says}</p><h2>©</h2><p>{notice}</p>");
        let draft = acme(Web::new().page("https://acme.example/", &page(language, &main))).draft();
        assert_eq!(draft["result"]["business_summary"], says, "{language}");
    }
}

#[test]
fn a_row_of_addresses_is_no_summary() {
    let says = "Acme builds rail signals for regional lines in the north.";
    let row = "+44 113 296 0120 info@acme.example https://www.acme.example/";
    let main = format!("<h1>Acme</h1><p>{row}</p><p>{says}</p>");
    let draft = acme(Web::new().page("https://acme.example/", &page("en", &main))).draft();
    assert_eq!(draft["result"]["business_summary"], says);
}

#[test]
fn structured_data_tells_how_to_reach_the_company() {
    let main = r#"<script type="application/ld+json">{"@type":"Organization","name":"Acme","url":"https://acme.example/","telephone":"+44 113 296 0120",
        "address":{"@type":"PostalAddress","streetAddress":"4 Mill Lane","postalCode":"LS1 4AB","addressLocality":"Leeds","addressCountry":"GB"}}</script>
        <h1>Acme</h1><p>Acme builds rail signals for regional lines.</p>"#;
    let told =
        particulars(&acme(Web::new().page("https://acme.example/", &page("en", main))).draft());
    for text in [
        "Telephone: +44 113 296 0120",
        "Address: 4 Mill Lane, LS1 4AB, Leeds",
    ] {
        assert!(
            told.iter().any(|known| known == text),
            "{text} in {told:#?}"
        );
    }
}

#[test]
fn structured_data_of_another_tells_nothing_of_how_to_reach_the_company() {
    let data = r#"<script type="application/ld+json">{"@type":"LocalBusiness","name":"Bob's Pizza","url":"URL","telephone":"+44 113 296 0120",
        "openingHours":"Mo-Fr 08:00-17:00",
        "address":{"@type":"PostalAddress","streetAddress":"4 Mill Lane","postalCode":"LS1 4AB","addressLocality":"Leeds","addressCountry":"GB"}}</script>
        <h1>Acme</h1><p>Acme builds rail signals for regional lines.</p>"#;
    for (url, is_told) in [
        ("https://acme.example/bobs", false),
        ("https://acme.example/", true),
    ] {
        let main = data.replace("URL", url);
        let web = Web::new().page("https://acme.example/", &page("en", &main));
        let told = particulars(&acme(web).draft());
        for text in ["Telephone: ", "Address: ", "Opening hours: "] {
            let shown = told.iter().any(|known| known.starts_with(text));
            assert_eq!(shown, is_told, "{url}: {text}: {told:#?}");
        }
    }
}

#[test]
fn numbers_of_telephone_and_fax_between_street_and_town_are_no_street() {
    let footer = "<div>Firmensitz</div><div>Fon 0731 - 55 50 120</div><div>Sandweg 13</div><div>Fax 0 7 31 - 55 50 - 121</div><div>89073 Ulm</div>";
    let home = format!(
        "<html lang=de><head><title>Acme Treppen</title></head><body><main><h1>Acme Treppen</h1><p>Acme Treppen baut Treppen aus Eiche und Esche.</p></main><footer>{footer}</footer></body></html>"
    );
    let web = Web::new().page("https://acme.example/", &home);
    let told = particulars(&acme(web).draft());
    assert!(
        told.contains(&"Anschrift: Sandweg 13, 89073 Ulm".to_owned()),
        "{told:?}"
    );
}
