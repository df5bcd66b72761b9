//! Whom the company serves and what its business is, on pages with the markup of real ones.

use gtm_sdk::Value;

use crate::run::{acme, at, members};
use crate::web::Web;

fn draft(language: &str, head: &str, main: &str) -> Value {
    acme(Web::new().page(
        "https://acme.example/",
        &format!("<html lang={language}><head><title>Acme</title>{head}</head><body><main>{main}</main></body></html>"),
    ))
    .draft()
}

fn segments(language: &str, main: &str) -> Vec<String> {
    let draft = draft(language, "", main);
    serde_json::from_value(members(at(&draft, "/audience/segments"), "name").into()).unwrap()
}

#[test]
fn buyers_stand_in_tiles_questions_lines_and_tables() {
    assert_eq!(
        segments(
            "es",
            "<div>Áreas</div><h2>Dónde trabajamos</h2><p>Limpiamos en muchos sectores e industrias.</p>\
             <div>Oficinas</div><div>Centros Médicos</div><div>Hoteles</div><div>Clientes</div><h2>Confían en nosotros</h2>"
        ),
        ["Oficinas", "Centros Médicos", "Hoteles"]
    );
    assert_eq!(
        segments(
            "fr",
            "<h2>Vous êtes...</h2><h3>Vous êtes une Mairie ?</h3><p>Des plans à jour.</p>\
             <h3>Vous êtes une association ?</h3><p>Des cartes pour agir.</p><h3>Vous êtes une entreprise ?</h3><p>Des levés précis.</p>"
        ),
        ["Mairie", "association", "entreprise"]
    );
    assert_eq!(
        segments(
            "de",
            "<p>Segel für Kliniken, Hotels und Verwaltungen.</p><div>Vereine, Schulen &amp; örtliche Behörden</div>"
        ),
        ["Vereine", "Schulen", "örtliche Behörden"]
    );
    assert_eq!(
        segments(
            "nl",
            "<p>Wij bieden een compleet pakket voor gemeenten, bedrijven en particulieren in de regio Zwolle.</p>"
        ),
        ["gemeenten", "bedrijven", "particulieren"]
    );
    assert_eq!(
        segments(
            "ja",
            "<table><tr><th>商号</th><td>青葉株式会社</td></tr><tr><th>主要販売先</th><td>発電所及び研究施設、病院、精密工業、計量メンテナンス会社</td></tr></table>"
        ),
        [
            "発電所及び研究施設",
            "病院",
            "精密工業",
            "計量メンテナンス会社"
        ]
    );
    // Names of companies are no groups.
    assert!(
        segments(
            "ja",
            "<table><tr><th>主要取引先</th><td>青波株式会社、赤川工業株式会社、白山病院</td></tr></table>"
        )
        .is_empty()
    );
}

#[test]
fn cards_part_an_offer_by_who_buys_it() {
    let cards = |names: &[&str]| {
        let cards = names.iter().map(|name| {
            format!("<h3>{name}</h3><p>We hang bells that ring for a hundred years.</p>")
        });
        segments(
            "en",
            &format!(
                "<h1>Bells</h1><h2>Services</h2>{}",
                cards.collect::<String>()
            ),
        )
    };
    assert_eq!(
        cards(&["Domestic", "Commercial", "Industrial", "Inspections"]),
        ["Domestic", "Commercial", "Industrial"]
    );
    assert_eq!(
        cards(&["Residential", "Landlords", "Commercial"]),
        ["Residential", "Landlords", "Commercial"]
    );
    assert!(cards(&["Commercial", "Casting", "Hanging"]).is_empty());
}

#[test]
fn two_groups_that_are_named_again_and_again_are_the_buyers() {
    let page = |main: &str| {
        format!(
            "<html lang=en><head><title>Acme</title></head><body><nav><a href=/>Home</a> <a href=/services>Services</a></nav><main>{main}</main></body></html>"
        )
    };
    let groups = |third: &str| {
        let web = Web::new()
            .page("https://acme.example/", &page("<h1>Acme</h1><p>We hang bells for homes and businesses across the north.</p><p>Our ropes are made for homes and businesses alike.</p>"))
            .page("https://acme.example/services", &page(&format!("<h1>Services</h1><p>{third}</p>")));
        let draft = acme(web).draft();
        serde_json::from_value::<Vec<String>>(
            members(at(&draft, "/audience/segments"), "name").into(),
        )
        .unwrap()
    };
    assert_eq!(
        groups("We repair the doorbells of every maker for homes and businesses."),
        ["homes", "businesses"]
    );
    assert!(groups("We repair the doorbells of every maker.").is_empty());
}

fn industries(language: &str, head: &str, main: &str) -> Vec<String> {
    let draft = draft(language, head, main);
    serde_json::from_value(members(at(&draft, "/identity/industries"), "label").into()).unwrap()
}

#[test]
fn the_business_stands_in_the_description_and_in_tables_with_lists() {
    assert_eq!(
        industries(
            "de",
            "<meta name=description content='Acme GmbH – Ihr Fachbetrieb für Dach und Fassade im Großraum Leipzig.'>",
            "<h1>Gute Luft</h1>"
        ),
        ["Fachbetrieb für Dach und Fassade"]
    );
    assert_eq!(
        industries(
            "ja",
            "",
            "<ul><li><a href=/s>業務内容</a></li><li><a href=/k>会社概要</a></li></ul>\
             <table><tr><th>事業の内容</th><td><ol><li>計量装置の開発、製造及び販売</li><li>前号に付帯する一切の業務</li></ol></td></tr></table>"
        ),
        ["計量装置の開発、製造及び販売"]
    );
    // Where the page says nothing of it, the type of its structured data does, whatever the language (decision 0119).
    let typed = r#"<script type="application/ld+json">{"@context": "https://schema.org", "@type": "GeneralContractor", "name": "Acme", "url": "https://acme.example/"}</script>"#;
    assert_eq!(
        industries("nl", typed, "<h1>Wegen en riolen voor de hele regio</h1>"),
        ["General contractor"]
    );
}

#[test]
fn the_business_stands_in_titles_with_a_year_and_in_descriptions_of_other_pages() {
    for (language, title, heading, description, business) in [
        (
            "en",
            "Rope spinning since 1951 | Acme",
            "Rope spinning",
            "Acme – rope spinning by the sea.",
            vec!["Rope spinning"],
        ),
        (
            "de",
            "Seilerei seit 1951 | Acme",
            "Seilerei",
            "Acme – Seilerei am Wasser.",
            vec!["Seilerei"],
        ),
        (
            "fr",
            "Acme",
            "Bienvenue",
            "Découvrez Acme, fabricant français de cordages depuis 1951.",
            vec!["fabricant français de cordages"],
        ),
        (
            "fr",
            "Acme",
            "Bienvenue",
            "Découvrez nos cordages faits main.",
            vec![],
        ),
    ] {
        let page = format!(
            "<html lang={language}><head><title>{title}</title><meta name=description content='{description}'></head><body><main><h1>{heading}</h1></main></body></html>"
        );
        let draft = acme(Web::new().page("https://acme.example/", &page)).draft();
        assert_eq!(
            members(at(&draft, "/identity/industries"), "label"),
            business,
            "{title}: {description}"
        );
    }
}

#[test]
fn the_business_is_what_the_company_is_specialized_in() {
    for (language, sentence, expected) in [
        (
            "it",
            "Acme è specializzata nella posa di pavimenti dal 1951.",
            vec!["posa di pavimenti"],
        ),
        (
            "en",
            "We specialise in slate roofs for churches.",
            vec!["slate roofs"],
        ),
        ("en", "Globex specialises in slate roofs.", vec![]),
    ] {
        assert_eq!(
            industries(
                language,
                "",
                &format!("<h1>Benvenuti</h1><p>{sentence}</p>")
            ),
            expected,
            "{sentence}"
        );
    }
    let row = |value: &str| {
        let rows = format!(
            "<table><tr><th>商号</th><td>緑原工務店</td></tr><tr><th>事業内容</th><td>{value}</td></tr></table>"
        );
        industries("ja", "", &rows)
    };
    let long = "木造住宅の設計及び施工、店舗の内装工事の請負、公共施設の改修工事、外構及び造園工事の設計、前各号に附帯する一切の事業";
    assert_eq!(
        row(long).first().map(String::as_str),
        Some("木造住宅の設計及び施工")
    );
    assert_eq!(row(long).len(), 5);
}

#[test]
fn one_of_a_list_in_the_title_is_no_trade() {
    let told = |title: &str, heading: &str, description: &str| {
        let page = format!(
            "<html lang=en><head><title>{title}</title><meta name=description content='{description}'></head><body><main><h1>{heading}</h1>\
             <h2>Paving</h2><p>Paving is done in a week.</p><h2>Drainage</h2><p>Drainage is done in a day.</p></main></body></html>"
        );
        let draft = acme(Web::new().page("https://acme.example/", &page)).draft();
        let labels = members(at(&draft, "/identity/industries"), "label").into_iter();
        labels.map(str::to_owned).collect::<Vec<_>>()
    };
    let list = "Paving | Drainage | Fencing | Acme";
    assert_eq!(told(list, "Good ground", "Acme. Paving and more."), [""; 0]);
    assert_eq!(told(list, "Paving", "Acme. Paving done well."), ["Paving"]);
    assert_eq!(
        told("Paving | Acme", "Good ground", "Acme. Done well."),
        ["Paving"]
    );
}

#[test]
fn whom_a_product_is_made_for_stands_under_its_label() {
    for (language, main, expected) in [
        (
            "en",
            "<h2>Pump 40</h2><dl><dt>Ideal for</dt><dd>Dairies, small breweries and farms</dd><dt>Weight</dt><dd>40 kg</dd></dl>",
            vec!["Dairies", "small breweries", "farms"],
        ),
        (
            "de",
            "<h2>Pumpe 40</h2><dl><dt>Geeignet für</dt><dd>Handwerksbetriebe</dd></dl>",
            vec!["Handwerksbetriebe"],
        ),
        (
            "it",
            "<h2>Pompa 40</h2><h4>Per chi</h4><ul><li>Ristoranti</li><li>Piccoli alberghi</li></ul>",
            vec!["Ristoranti", "Piccoli alberghi"],
        ),
        (
            "ja",
            "<h2>注文サービス</h2><dl><dt>対象</dt><dd>物流会社、食品工場</dd><dt>料金</dt><dd>月額です。</dd></dl>",
            vec!["物流会社", "食品工場"],
        ),
        (
            "en",
            "<h2>Pump 40</h2><dl><dt>Ideal for</dt><dd>Wet cellars and long hoses</dd></dl>",
            vec![],
        ),
    ] {
        assert_eq!(
            segments(language, &format!("<h1>Acme</h1>{main}")),
            expected,
            "{main}"
        );
    }
}

#[test]
fn places_of_offices_are_no_markets() {
    let markets = |language: &str, main: &str| {
        let draft = draft(language, "", &format!("<h1>Acme</h1>{main}"));
        at(&draft, "/audience/markets").clone()
    };
    let offices = "<h3>Germany</h3><p>Messweg 12, 89073 Ulm</p><h3>France</h3><p>3 rue du Port, 44000 Nantes</p>";
    for heading in ["Where we work", "Our locations"] {
        assert_eq!(
            markets("en", &format!("<h2>{heading}</h2>{offices}")),
            Value::Array(vec![]),
            "{heading}"
        );
    }
    assert_eq!(
        markets(
            "de",
            "<h2>Unsere Standorte</h2><ul><li>Deutschland</li><li>Frankreich</li></ul>"
        ),
        Value::Array(vec![])
    );
    assert_eq!(
        markets(
            "en",
            "<h2>Where we work</h2><ul><li>Germany</li><li>France</li></ul>"
        )
        .as_array()
        .unwrap()
        .len(),
        2
    );
    let segments = segments(
        "en",
        "<h1>Acme</h1><h2>Our branches</h2><h3>Ripon</h3><p>By the mill.</p><h3>Thirsk</h3><p>By the bridge.</p>",
    );
    assert_eq!(segments, [""; 0]);
}

#[test]
fn cards_address_groups_of_buyers() {
    for (language, main, expected) in [
        (
            "de",
            "<h2>Leistungen</h2><h3>Für Hausverwaltungen</h3><p>Alles aus einer Hand.</p><h3>Für Bootsverleiher</h3><p>Ohne Wartezeit.</p>",
            vec!["Hausverwaltungen", "Bootsverleiher"],
        ),
        (
            "en",
            "<ul><li>For landlords</li><li>For tenants</li><li>For sale</li></ul>",
            vec!["landlords", "tenants"],
        ),
        (
            "fr",
            "<h3>Pour les communes</h3><p>Un devis.</p><h3>Pour les entreprises</h3><p>Un plan.</p>",
            vec!["communes", "entreprises"],
        ),
        (
            "ja",
            "<h3>法人向け</h3><p>設備を整えます。</p><h3>個人向けサービス</h3><p>家を直します。</p>",
            vec!["法人", "個人"],
        ),
        // One alone, things and readers are no audience.
        ("en", "<h3>For landlords</h3><p>A word.</p>", vec![]),
        (
            "en",
            "<h3>For sale</h3><p>Two pumps.</p><h3>For winter</h3><p>One cover.</p>",
            vec![],
        ),
        (
            "de",
            "<h3>Für Sie</h3><p>Alles.</p><h3>Für Unternehmen, die wachsen.</h3><p>Mehr.</p>",
            vec![],
        ),
    ] {
        assert_eq!(
            segments(language, &format!("<h1>Acme</h1>{main}")),
            expected,
            "{main}"
        );
    }
}

#[test]
fn known_kinds_of_buyers_under_a_heading_for_customers_are_groups() {
    let list = |items: [&str; 3]| {
        let items: String = items
            .iter()
            .map(|item| format!("<li>{item}</li>"))
            .collect();
        segments(
            "de",
            &format!("<h1>Acme</h1><h2>Unsere Kunden</h2><ul>{items}</ul>"),
        )
    };
    assert_eq!(
        list(["Hausverwaltungen", "Gemeinden", "Bootsverleiher"]),
        ["Hausverwaltungen", "Gemeinden", "Bootsverleiher"]
    );
    assert_eq!(list(["Globex GmbH", "Moorbad Quell", "INITECH"]), [""; 0]);
}

#[test]
fn the_first_list_of_a_page_about_industries_names_them() {
    let list = "<h1>Branchen</h1><h3>Maschinenbau</h3><p>Teile für Anlagen.</p><h3>Medizintechnik</h3><p>Teile für Geräte.</p>\
        <h2>Klein- und Mittelserien</h2><p>Wir fertigen wirtschaftlich.</p><ul><li>Prototypen und Vorserien</li><li>Einzelteile</li></ul>\
        <h2>Ihre Branche, unser Handwerk.</h2><p>Sprechen Sie mit uns.</p>";
    assert_eq!(segments("de", list), ["Maschinenbau", "Medizintechnik"]);
    let digits = "<h2>Branchen</h2><h3>3D-Druck</h3><p>Teile für Drucker.</p><h3>Bahn</h3><p>Teile für Züge.</p>";
    assert_eq!(segments("de", digits), ["3D-Druck", "Bahn"]);
}

#[test]
fn a_country_is_no_trade() {
    for (end, label) in [
        ("Rope spinning", Some("Rope spinning")),
        ("Ireland", None),
        ("California", None),
        ("United Kingdom", None),
    ] {
        let page = format!(
            "<html lang=en><head><title>Acme - Ropes that hold | {end}</title></head><body><main><h1>Acme</h1><p>All day, {end} keeps us going.</p><p>Ask for {end} by mail.</p></main></body></html>"
        );
        let draft = acme(Web::new().page("https://acme.example/", &page)).draft();
        let found = members(at(&draft, "/identity/industries"), "label");
        assert_eq!(found.first().copied(), label);
    }
}

#[test]
fn the_trade_may_stand_in_the_registered_name() {
    let trade = |name: &str, footer: &str| {
        let page = format!(
            "<html lang=de><head><title>Start</title></head><body><main><h1>Genau so.</h1><p>Teile, die passen.</p></main><footer><p>{footer}</p><p>© 2026 {name}</p></footer></body></html>"
        );
        let imprint = format!(
            "<html lang=de><body><main><h1>Impressum</h1><p>{name}</p><p>Mühlweg 1<br>89073 Ulm</p></main></body></html>"
        );
        let web = Web::new()
            .page(
                "https://acme.example/",
                &page.replace("</main>", "<a href=/impressum>Impressum</a></main>"),
            )
            .page("https://acme.example/impressum", &imprint);
        let draft = acme(web).draft();
        let labels = members(at(&draft, "/identity/industries"), "label");
        labels.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let name = "Acme Präzisionsfertigung GmbH &amp; Co. KG";
    assert_eq!(
        trade(name, "CNC-Präzisionsfertigung mit Schwerpunkt Fräsen"),
        ["Präzisionsfertigung"]
    );
    // The name alone may be old.
    assert_eq!(trade(name, "Fräsen und Drehen"), [""; 0]);
    assert_eq!(trade("Acme Kanten GmbH", "Kanten und Ecken"), [""; 0]);
}

#[test]
fn who_works_around_his_town_does_not_serve_the_country() {
    let markets = |text: &str| {
        let main = format!(
            "<h1>Acme</h1><p>Acme pose des toits.</p><h2>Zone d'intervention</h2><p>{text}</p><ul><li>Belval</li><li>Montclair</li><li>Rochefort</li></ul>\
             <p>Acme, 4 rue du Port, 44000 Nantes, France</p>"
        );
        at(&draft("fr", "", &main), "/audience/markets").clone()
    };
    let near = "Nous travaillons dans un rayon de 50 km autour de Belval.";
    assert_eq!(markets(near), serde_json::json!([]));
    let there = "Nous y travaillons toute l'année.";
    assert_eq!(markets(there), serde_json::json!(["FR"]));
}
