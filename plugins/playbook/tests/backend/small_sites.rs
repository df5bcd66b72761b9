//! Without a model: what the draft takes from small sites, each made for one question.

use gtm_sdk::{Value, json::json};

use crate::run::acme;
use crate::web::Web;

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
fn what_a_company_says_that_it_will_not_do_is_no_signal() {
    let signals = |language: &str, heading: &str, text: &str| {
        let page = |main: &str| {
            format!(
                "<html lang={language}><head><title>Acme</title></head><body><main>{main}</main></body></html>"
            )
        };
        let web = Web::new()
            .page("https://acme.example/", &page("<h1>Acme</h1><p>Acme builds rail signals for regional lines.</p><a href=/news>News</a>"))
            .page("https://acme.example/news", &page(&format!("<h1>News</h1><h2>{heading}</h2><p>14 Oct 2026</p><p>{text}</p>")));
        acme(web).draft()["result"]["buying_signals"].clone()
    };
    let told = signals("en", "Acme opens an office in Leeds", "It is large.");
    assert_eq!(told[0]["kind"], "expansion");
    for (language, heading, text) in [
        (
            "en",
            "We will not open an office in Leeds",
            "The new plant opens elsewhere, says Acme.",
        ),
        (
            "en",
            "What we decided",
            "Acme won’t open a new plant in Leeds.",
        ),
        (
            "de",
            "Acme eröffnet nicht in Leeds",
            "Die Halle bleibt leer.",
        ),
    ] {
        assert_eq!(signals(language, heading, text), json!([]), "{heading}");
    }
}

#[test]
fn paragraphs_without_a_full_stop_are_better_than_nothing() {
    let web = Web::new().text("https://acme.example/", "<p>Acme builds rail signals for regional lines across nine countries</p><p>Short claim</p>");
    assert_eq!(
        acme(web).draft()["result"]["business_summary"],
        "Acme builds rail signals for regional lines across nine countries"
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
    assert_eq!(profile["headquarters"], "Ulm, Deutschland");
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
    let product = json!(
        "Scheduling that raises the output of every plant by planning increased punctuality."
    );
    let draft = acme(web)
        .only(&["sales_angles"])
        .with("/product_info", product)
        .draft();
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
    assert_eq!(
        draft["result"]["priorities"],
        json!(["Our goal is to reduce the waste of our workshops by 30 percent."])
    );
    let draft = told(
        "<h1>About us</h1><p>Our mission is to build lasting partnerships with all of our clients.</p>",
        "<h1>Careers</h1><p>We are looking for motivated people who want to build the future with us.</p>",
    );
    assert_eq!(
        draft["result"]["priorities"],
        json!([]),
        "a motto has no measure"
    );
    assert_eq!(
        draft["result"]["buying_signals"],
        json!([]),
        "no vacancy is named"
    );
}

#[test]
fn vacancies_are_named_wherever_they_stand() {
    let card = |title: &str| {
        format!(
            "<div><span>Werk</span><div>{title}</div><div>Je legt wegen aan en werkt met je ploeg.</div><div>Ulm</div><a href=/s>Solliciteer nu</a></div>"
        )
    };
    let home = "<html lang=nl><head><title>Acme</title></head><body><nav><a href=/vacatures>Vacatures</a></nav><main><h1>Acme</h1><p>Acme bouwt wegen, riolen en bruggen voor gemeenten in de hele regio.</p></main></body></html>";
    let titles = [
        "Stratenmaker",
        "Grondwerker",
        "Kraanmachinist",
        "Uitvoerder",
    ];
    let cards: String = titles.iter().map(|title| card(title)).collect();
    let careers = format!(
        r#"<html lang=nl><head><title>Vacatures</title><script type="application/ld+json">{{"@graph": [
        {{"@type": "JobPosting", "title": "Grondwerker", "datePosted": "2026-10-20"}},
        {{"@type": "JobPosting", "title": "Kraanmachinist"}},
        {{"@type": "JobPosting", "title": "Schilder", "validThrough": "2024-01-31"}}]}}</script></head><body><main><h1>Kom werken bij Acme</h1>
        <p>Versterk ons team: wij zoeken gemotiveerde vakmensen.</p>{cards}<div>Monteur luchttechniek (m/v/x)</div><p>📌 Vacature: Magazijnhulp</p></main></body></html>"#
    );
    let web = Web::new()
        .page("https://acme.example/", home)
        .page("https://acme.example/vacatures", &careers);
    let draft = acme(web).only(&["buying_signals"]).draft();
    let signals = draft["result"]["buying_signals"].as_array().unwrap();
    let mut told: Vec<&str> = signals
        .iter()
        .map(|signal| signal["signal"].as_str().unwrap())
        .collect();
    told.sort_unstable();
    assert_eq!(
        told,
        [
            "Grondwerker",
            "Kraanmachinist",
            "Magazijnhulp",
            "Monteur luchttechniek (m/v/x)",
            "Stratenmaker",
            "Uitvoerder"
        ]
    );
    assert_eq!(signals[0]["observed_at"], "2026-10-20");
}

#[test]
fn roles_stand_in_rows_and_on_cards() {
    let home = "<html lang=ja><head><title>青葉建設</title></head><body><nav><a href=/company>会社概要</a></nav><main><h1>青葉建設</h1><p>青葉建設は解体工事を行う会社です。</p></main></body></html>";
    let company = "<html lang=ja><body><main><h1>会社概要</h1><table><tr><th>商号</th><td>青葉建設株式会社</td></tr><tr><th>代表者</th><td>代表取締役　青葉太郎</td></tr></table></main></body></html>";
    let web = Web::new()
        .page("https://acme.example/", home)
        .page("https://acme.example/company", company);
    let draft = acme(web).only(&["buying_committee"]).draft();
    assert_eq!(draft["result"]["buying_committee"][0]["role"], "代表取締役");
}

#[test]
fn the_newest_date_of_the_news_says_whether_they_are_old() {
    let risks = |second: &str| {
        let web = Web::new()
            .text("https://acme.example/", "<p>Acme builds rail signals for regional lines.</p><a href=/news>News</a>")
            .text("https://acme.example/news", &format!("<h1>News</h1><div>2 Jan 2023</div><h2>Acme opens a new plant in Leeds</h2><p>It is large.</p><div>{second}</div><h2>Five tips for signals</h2><p>Read them.</p>"));
        acme(web).draft()["result"]["risks"].to_string()
    };
    assert!(risks("12 Feb 2024").contains("2024-02-12"));
    assert!(!risks("Spring 2026").contains("stale"));
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

#[test]
fn offerings_may_be_declared_as_plain_texts() {
    let offerings = |language: &str, known: Value, main: &str| {
        let node = json!({"@type": "Organization", "name": "Acme", "knowsAbout": known});
        let page = format!(
            "<html lang={language}><head><title>Acme</title><script type=\"application/ld+json\">{node}</script></head><body><main>\
             <h1>Acme</h1>{main}</main></body></html>"
        );
        let web = Web::new().page("https://acme.example/", &page);
        acme(web).draft()["result"]["company_profile"]["offerings"].clone()
    };
    assert_eq!(
        offerings(
            "en",
            json!(["Oak ladders", "Rope locks"]),
            "<p>Acme is known for oak ladders that outlive the house they stand in.</p>"
        ),
        json!(["Oak ladders", "Rope locks"])
    );
    assert_eq!(
        offerings(
            "it",
            json!("Scale in rovere"),
            "<p>Acme costruisce scale in rovere che durano più della casa in cui stanno.</p>"
        ),
        json!(["Scale in rovere"])
    );
    // An address names no product.
    assert_eq!(
        offerings(
            "en",
            json!(["https://encyclopedia.example/wiki/Ladder"]),
            "<p>Acme makes ladders and ropes for every ship that calls at the harbour.</p>"
        ),
        json!([])
    );
}

#[test]
fn the_imprint_is_read_beside_the_contact_however_long_the_navigation_is() {
    let parts: String = (0..20)
        .map(|part| format!("<a href=/dach-{part}>Dach {part}</a>"))
        .collect();
    let page = |main: &str| {
        format!(
            "<html lang=de><head><title>Acme Bedachungen</title></head><body><nav>{parts}<a href=/kontakt>Kontakt</a></nav><main>{main}</main>\
             <footer><a href=/impressum>Impressum</a></footer></body></html>"
        )
    };
    let mut web = Web::new()
        .page("https://acme.example/", &page("<h1>Acme</h1><p>Die Acme Bedachungen decken Dächer in Ulmingen und Umgebung.</p>"))
        .page("https://acme.example/kontakt", &page("<h1>Kontakt</h1><p>Schreiben Sie uns, wir melden uns am selben Tag.</p>"))
        .page(
            "https://acme.example/impressum",
            &page("<h1>Impressum</h1><p>Acme Bedachungen GmbH</p><p>Hangweg 4, 73999 Ulmingen</p><p>Telefon 07361 555012</p>"),
        );
    for part in 0..20 {
        web = web.page(
            &format!("https://acme.example/dach-{part}"),
            &page("<h1>Dach</h1><p>Wir decken dieses Dach mit Ziegeln aus der Gegend.</p>"),
        );
    }
    let result = acme(web).draft()["result"].clone();
    assert_eq!(
        result["company_profile"]["headquarters"],
        "Ulmingen, Deutschland"
    );
}

#[test]
fn a_team_gives_roles_without_names() {
    let home = "<html lang=en><head><title>Acme</title></head><body><nav><a href=/team>Team</a></nav><main><h1>Acme</h1><p>Acme builds rail signals for regional lines.</p></main></body></html>";
    let team = "<html lang=en><body><main><h1>Our team</h1><div><h3>Jane Roe</h3><p>Head of Sales</p></div><div><h3>Anna Beck</h3><p>Quality Manager</p></div>\
        <p>Peter Hill, Director of Operations</p></main></body></html>";
    let web = Web::new()
        .page("https://acme.example/", home)
        .page("https://acme.example/team", team);
    let draft = acme(web).only(&["buying_committee"]).draft();
    let committee = draft["result"]["buying_committee"].as_array().unwrap();
    let roles: Vec<&str> = committee
        .iter()
        .filter_map(|member| member["role"].as_str())
        .collect();
    assert_eq!(
        roles,
        ["Head of Sales", "Quality Manager", "Director of Operations"]
    );
}
