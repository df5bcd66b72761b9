//! What the company offers and says about itself: values, proofs, calls to action, and legal lines.

use gtm_sdk::json::json;

use crate::run::{acme, at, members, proofs_of};
use crate::web::{self, Web};

/// A home page with this main content and links to these pages.
pub fn home(language: &str, links: &[(&str, &str)], main: &str) -> Web {
    web::home(language, links, main, "")
}

#[test]
fn values_stand_in_lists_of_terms_and_in_paragraphs() {
    let values = |body: &str| {
        let web = home("de", &[("/ueber-uns", "Über uns")], "<h1>Acme</h1>");
        let draft = acme(web.text("https://acme.example/ueber-uns", body)).draft();
        at(&draft, "/foundations/values").clone()
    };
    let expected = json!([
        {"name": "Sorgfalt", "description": "Wir messen nach, bevor wir gehen."},
        {"name": "Ruhe", "description": "Ein Termin ist ein Versprechen."}
    ]);
    assert_eq!(
        values(
            "<h2>Unsere Werte</h2><dl><dt>Sorgfalt</dt><dd>Wir messen nach, bevor wir gehen.</dd><dt>Ruhe</dt><dd>Ein Termin ist ein Versprechen.</dd></dl>"
        ),
        expected
    );
    assert_eq!(
        values(
            "<h2>Wofür wir stehen</h2><p><b>Sorgfalt:</b> Wir messen nach, bevor wir gehen.</p><p><b>Ruhe:</b> Ein Termin ist ein Versprechen.</p>"
        ),
        expected
    );
    assert_eq!(
        values(
            "<h2>Unsere Werkstatt</h2><p><b>Sorgfalt:</b> Wir messen.</p><p><b>Ruhe:</b> Wir gehen.</p>"
        ),
        json!([])
    );
}

#[test]
fn who_said_it_is_not_what_was_said() {
    let quotes = "<h1>Acme</h1><blockquote><p>We stopped keeping a spare on the shelf.</p><cite>Jane Roe, Controller, Globex</cite></blockquote>\
        <blockquote><p>La mejor señal que he visto en años.</p><footer>— Marta Gil</footer></blockquote>\
        <blockquote>They cast a spare for a part that my grandfather fitted. Owen Rigg, Ambleside Baths</blockquote>\
        <blockquote>Nobody says who said that we are the best of all.</blockquote><p>We are open on weekdays from eight to five.</p>";
    let draft = acme(home("en", &[], quotes)).draft();
    assert_eq!(
        proofs_of(&draft, "testimonial"),
        [
            "We stopped keeping a spare on the shelf. Jane Roe, Controller, Globex",
            "La mejor señal que he visto en años. — Marta Gil",
            "They cast a spare for a part that my grandfather fitted. Owen Rigg, Ambleside Baths"
        ]
    );
}

#[test]
fn figures_prove_and_prices_do_not() {
    let body = "<h1>Acme</h1><div>4,200+</div><div>signals in service</div><div>$1,150</div><div>per classroom</div>\
        <p>Prices start at $1,150 per classroom, installed by us in one day.</p><p>Mehr als 1.200 Anlagen haben wir seit 2004 ans Netz gebracht.</p>\
        <p>We are about 180 colleagues in three countries, and we like it.</p><h2>Numbers our customers report</h2><ul><li>Customers close 6 days sooner on average</li></ul>";
    let draft = acme(home("en", &[], body)).draft();
    let metrics = proofs_of(&draft, "metric");
    for expected in [
        "4,200+ signals in service",
        "Mehr als 1.200 Anlagen haben wir seit 2004 ans Netz gebracht.",
        "Customers close 6 days sooner on average",
    ] {
        assert!(metrics.iter().any(|text| text == expected), "{metrics:?}");
    }
    for wrong in ["1,150", "colleagues"] {
        assert!(
            !metrics.iter().any(|text| text.contains(wrong)),
            "{metrics:?}"
        );
    }
}

#[test]
fn rows_of_counters_are_figures() {
    let metrics = |language: &str, body: &str| {
        let draft = acme(home(language, &[], &format!("<h1>Acme</h1>{body}"))).draft();
        proofs_of(&draft, "metric")
    };
    assert_eq!(
        metrics(
            "fr",
            "<h2>Acme en chiffres</h2><p><b>1\u{202f}250</b> clients suivis</p><p><b>97\u{a0}%</b> des pannes résolues</p>"
        ),
        ["1 250 clients suivis", "97 % des pannes résolues"]
    );
    assert_eq!(
        metrics(
            "es",
            "<h2>Hasta hoy</h2><ul><li>64 sistemas modernizados</li><li>1.900 usuarios formados en 2025</li><li>0 paradas</li></ul>"
        ),
        [
            "64 sistemas modernizados",
            "1.900 usuarios formados en 2025",
            "0 paradas"
        ]
    );
    for body in [
        "<h2>So geht es</h2><ul><li>1 Auswählen</li><li>2 Bestellen</li><li>3 Genießen</li></ul>",
        "<h2>Daten</h2><ul><li>12 V Akku</li><li>30 cm breit</li><li>4 kg leicht</li></ul>",
        "<h2>Hasta hoy</h2><ul><li>64 sistemas modernizados</li><li>Y mucho café</li></ul>",
        "<h2>Onze mensen</h2><ul><li>58 medewerkers</li><li>12 medewerkers in Gent</li><li>3 medewerkers in Delft</li></ul>",
    ] {
        assert_eq!(metrics("de", body), [""; 0], "{body}");
    }
}

#[test]
fn numbers_of_cards_and_steps_are_no_figures() {
    for body in [
        "<h2>Our way</h2><span>01</span><h3>Fixed prices</h3><p>You know them before.</p><span>02</span><h3>Tidy work</h3><p>We sweep.</p>",
        "<p>What we do:</p><span>05</span><h3>Season care</h3><p>Spring and storm.</p><span>06</span><h3>Repairs</h3><p>Paths and lawns.</p>",
        "<h2>Services</h2><span>1</span><h3>Accounts</h3><p>Books kept.</p><span>2</span><h3>Taxes</h3><p>Filed in time.</p><span>3</span><h3>Wages</h3><p>Paid in time.</p>",
        "<h2>Our figures</h2><ul><li>01 Careful work</li><li>02 Fixed-price quoting done well</li></ul>",
    ] {
        let draft = acme(home("en", &[], &format!("<h1>Acme</h1>{body}"))).draft();
        assert_eq!(proofs_of(&draft, "metric"), [""; 0], "{body}");
    }
    let body = "<h1>Acme</h1><div>1</div><div>Choose</div><div>2</div><div>Order</div><div>640</div><div>pumps in service</div>";
    let draft = acme(home("en", &[], body)).draft();
    assert_eq!(proofs_of(&draft, "metric"), ["640 pumps in service"]);
}

#[test]
fn results_of_customers_may_be_told_in_words() {
    let web = home("es", &[("/casos", "Casos de éxito")], "<h1>Acme</h1>").text(
        "https://acme.example/casos",
        "<h2>Globex</h2><p>Globex redujo de nueve horas a cuarenta minutos el cierre diario.</p><p>Initech bajó un 74 % las incidencias de telecontrol en un año.</p>\
         <p>Los tres hermanos fundaron el taller hace mucho tiempo.</p><p>Respondemos a cada avería en menos de cuatro horas laborables.</p><p>Con el código ACME tiene un 20 % de descuento en su pedido.</p>",
    );
    let draft = acme(web).draft();
    assert_eq!(
        proofs_of(&draft, "case_study"),
        [
            "Globex redujo de nueve horas a cuarenta minutos el cierre diario.",
            "Initech bajó un 74 % las incidencias de telecontrol en un año."
        ]
    );
}

#[test]
fn awards_and_certificates_stand_on_pages_of_their_own() {
    let web = home("en", &[("/quality", "Quality")], "<h1>Acme</h1>").text(
        "https://acme.example/quality",
        "<h1>Quality</h1><p>Our plant is certified to ISO 9001:2015 and audited every year.</p><p>En 2023 nous avons reçu le Trophée de la mobilité douce.</p>\
         <h2>Commitments</h2><ul><li>We will tell you about an incident within 24 hours.</li></ul>",
    );
    let draft = acme(web).draft();
    assert_eq!(
        proofs_of(&draft, "certification"),
        ["Our plant is certified to ISO 9001:2015 and audited every year."]
    );
    assert_eq!(
        proofs_of(&draft, "award"),
        ["En 2023 nous avons reçu le Trophée de la mobilité douce."]
    );
    assert_eq!(
        at(&draft, "/foundations/commitments"),
        &json!(["We will tell you about an incident within 24 hours."])
    );
}

#[test]
fn headings_and_mentions_certify_nothing() {
    for (language, body) in [
        (
            "en",
            "<h2>Certifications</h2><h2>Our awards</h2><p>We keep your register ready for every certification visit.</p>",
        ),
        (
            "fr",
            "<h2>Certifications</h2><p>Nous préparons votre registre pour les visites de certification.</p>",
        ),
        (
            "de",
            "<h2>Zertifizierungen</h2><p>Wir bereiten Sie auf jede Zertifizierung gründlich vor.</p>",
        ),
    ] {
        let draft = acme(home(language, &[], &format!("<h1>Acme</h1>{body}"))).draft();
        assert!(proofs_of(&draft, "certification").is_empty(), "{language}");
        assert!(proofs_of(&draft, "award").is_empty(), "{language}");
    }
    let body = "<h1>Acme</h1><h2>Recognition</h2><p>Acme was named Supplier of the Year by Globex in 2024.</p>\
        <p>Globex was named Plant of the Year by its town.</p><p>Acme est certifiée ISO 9001 depuis 2012.</p>";
    let draft = acme(home("en", &[], body)).draft();
    assert_eq!(
        proofs_of(&draft, "award"),
        ["Acme was named Supplier of the Year by Globex in 2024."]
    );
    assert_eq!(
        proofs_of(&draft, "certification"),
        ["Acme est certifiée ISO 9001 depuis 2012."]
    );
}

#[test]
fn what_the_company_must_say_is_kept() {
    let web = home("en", &[("/legal", "Legal"), ("/press", "Press")], "<h1>Acme</h1>")
        .text(
            "https://acme.example/legal",
            "<p>Acme is not a bank. Payment services are provided by Globex Bank, Member FDIC.</p><p>We answer letters.</p>",
        )
        .text(
            "https://acme.example/press",
            "<h2>Brand assets</h2><p>Write our name as one word, without a blank. We write to our friends.</p>",
        );
    let draft = acme(web).draft();
    assert_eq!(
        at(&draft, "/governance/required_legal_lines"),
        &json!(["Acme is not a bank. Payment services are provided by Globex Bank, Member FDIC."])
    );
    assert_eq!(
        at(&draft, "/governance/trademark_usage"),
        &json!(["Write our name as one word, without a blank."])
    );
    let imprint = home("de", &[("/impressum", "Impressum")], "<h1>Acme</h1>").text(
        "https://acme.example/impressum",
        "<h1>Impressum</h1><p>Angaben gemäß § 5 DDG</p><p>Vetter Holzwaren GmbH<br>Hafenweg 7<br>88131 Lindau Deutschland</p>",
    );
    let draft = acme(imprint).draft();
    assert_eq!(
        at(&draft, "/governance/required_legal_lines"),
        &json!(["Vetter Holzwaren GmbH Hafenweg 7 88131 Lindau Deutschland"])
    );
    assert_eq!(
        at(&draft, "/identity/headquarters"),
        &json!({"locality": "Lindau", "region": null, "country": "DE"})
    );
}

#[test]
fn particulars_may_stand_within_a_sentence() {
    let lines = |text: &str| {
        let web = home(
            "fr",
            &[("/mentions-legales", "Mentions légales")],
            "<h1>Acme</h1>",
        )
        .text(
            "https://acme.example/mentions-legales",
            &format!("<h1>Mentions légales</h1><p>{text}</p>"),
        );
        at(&acme(web).draft(), "/governance/required_legal_lines").clone()
    };
    let told =
        "Ce site est édité par Acme SAS, société par actions simplifiée au capital de 50 000 €.";
    assert_eq!(lines(told), json!([told]));
    assert_eq!(
        lines("Ce site est édité par Acme SAS depuis 2012."),
        json!([])
    );
}

#[test]
fn public_money_is_named() {
    for (line, is_kept) in [
        ("Proyecto cofinanciado por la Unión Europea.", true),
        ("Gefördert durch das Bundesministerium für Wirtschaft", true),
        (
            "Part-funded by the European Regional Development Fund",
            true,
        ),
        ("Acme is funded by its customers alone.", false),
        ("Een bedrijf, gefinancierd door zijn klanten.", false),
    ] {
        let draft = acme(home("es", &[], &format!("<h1>Acme</h1><p>{line}</p>"))).draft();
        let lines = at(&draft, "/governance/required_legal_lines");
        assert_eq!(
            lines.as_array().unwrap().contains(&json!(line)),
            is_kept,
            "{line}"
        );
    }
}

#[test]
fn groups_of_customers_stand_under_their_heading() {
    let segments = |language: &str, body: &str| {
        let draft = acme(home(language, &[], &format!("<h1>Acme</h1>{body}"))).draft();
        members(at(&draft, "/audience/segments"), "name")
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        segments(
            "en",
            "<h2>Industries We Serve</h2><h3>Mining</h3><p>Gears that survive dust and rock.</p><h3>Rail</h3><p>Gears for new cars and old.</p><h3>From the shop</h3><p>We cut all day.</p>"
        ),
        ["Mining", "Rail"]
    );
    assert_eq!(
        segments(
            "nl",
            "<h2>Voor wie is Acme?</h2><ul><li>Installatiebedrijven</li><li>Woningcorporaties met eigen dienst</li></ul>"
        ),
        ["Installatiebedrijven", "Woningcorporaties met eigen dienst"]
    );
    assert_eq!(
        segments(
            "fr",
            "<h2>Nos services</h2><h3>Entretien</h3><p>Deux fois par an, chez vous.</p><h3>Dépannage</h3><p>Le jour même, avec les pièces.</p>"
        ),
        [""; 0]
    );
}

#[test]
fn the_company_of_a_paragraph_that_names_it_sells_where_it_says() {
    let markets = |text: &str| {
        let web = home("en", &[("/news", "News")], "<h1>Acme</h1>").text(
            "https://acme.example/news",
            &format!("<h1>News</h1><p>{text}</p>"),
        );
        at(&acme(web).draft(), "/audience/markets").clone()
    };
    assert_eq!(
        markets(
            "Acme makes gears. From its hall the company ships to customers in Canada and Mexico."
        ),
        json!(["CA", "MX"])
    );
    assert_eq!(
        markets(
            "Globex Inc. makes gears. From its hall the company ships to customers in Canada and Mexico."
        ),
        json!([])
    );
}

#[test]
fn the_product_page_speaks_where_the_home_page_is_made_by_scripts() {
    let product = "<h1>The logbook</h1><h2>Every day</h2><h3>Works without a signal</h3><p>In your cellar, too, and it sends later.</p><h3>One tap to the past</h3><p>Scan the label and see every visit.</p>";
    let statements = |main: &str| {
        let page = format!(
            "<html lang=en><head><title>Acme</title></head><body><nav><a href=/product>Product</a></nav><main>{main}</main></body></html>"
        );
        let web = Web::new()
            .page("https://acme.example/", &page)
            .text("https://acme.example/product", product);
        let draft = acme(web).draft();
        members(at(&draft, "/positioning/value_propositions"), "statement")
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        statements(""),
        ["Works without a signal", "One tap to the past"]
    );
    assert_eq!(statements("<h1>Acme</h1><p>We keep logs.</p>"), [""; 0]);
}

#[test]
fn three_cards_of_an_about_page_are_promises() {
    let statements = |language: &str, about: &str| {
        let web = home(
            language,
            &[("/about", "About us")],
            "<h1>Acme</h1><p>Stairs and doors for houses of all ages in town.</p>",
        );
        let page =
            format!("<html lang={language}><body><main><h1>Acme</h1>{about}</main></body></html>");
        let draft = acme(web.page("https://acme.example/about", &page)).draft();
        members(at(&draft, "/positioning/value_propositions"), "statement")
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let two = "<h2>Every detail, considered</h2><h3>Quiet on each step</h3><p>We damp every tread before it leaves the shop.</p>\
        <h3>Ready on the day</h3><p>We name a date and keep it, whatever the weather.</p>";
    let third = "<h3>Clean when we leave</h3><p>We take our dust and our boxes home with us.</p>";
    assert_eq!(statements("en", two), [""; 0]);
    assert_eq!(
        statements("en", &format!("{two}{third}")),
        [
            "Quiet on each step",
            "Ready on the day",
            "Clean when we leave"
        ]
    );
    let german = "<h2>Worauf Verlass ist</h2><h3>Leise auf jeder Stufe</h3><p>Wir dämpfen jede Stufe in der Werkstatt.</p>\
        <h3>Fertig am genannten Tag</h3><p>Wir nennen einen Termin und halten ihn ein.</p><h3>Sauber nach dem Einbau</h3><p>Wir nehmen Staub und Kisten wieder mit.</p>";
    assert_eq!(statements("de", german).len(), 3);
    let others = "<h2>The town</h2><h3>An old mill town</h3><p>It stands on a hill and has two rivers.</p><h3>A bridge of stone</h3><p>It was built for carts.</p><h3>A market each week</h3><p>Farmers come from far away.</p>";
    assert_eq!(statements("en", others), [""; 0]);
}

#[test]
fn what_a_service_consists_of_and_the_tagline_are_no_promises() {
    let statements = |home: &str, page: &str| {
        let web = crate::languages::site("en", home, &[("/services/stairs", "Stairs", page)]);
        let draft = acme(web).draft();
        at(&draft, "/positioning/value_propositions").clone()
    };
    let stairs = "<h1>Stairs</h1><h2>Stairs of all kinds</h2><h3>Stairs for steep roofs</h3><p>We fit stairs under roofs where hardly anybody can stand.</p>\
        <h3>Repair of old steps</h3><p>We mend what a hundred years have worn down.</p><h3>Fitting of new rails</h3><p>We fit rails of oak, ash or steel.</p>";
    let home = "<h1>Acme</h1><p>Acme builds stairs.</p>";
    assert_eq!(statements(home, stairs), json!([]));
    let motto =
        "<h1>Stairs that carry you for a hundred years.</h1><p>We build them of oak and ash.</p>";
    assert_eq!(statements(motto, "<h1>Stairs</h1>"), json!([]));
}

#[test]
fn a_writer_calls_products_and_services_as_the_brand_does() {
    for (language, heading, names) in [
        ("de", "Unsere Leistungen", ["Wangentreppen", "Haustüren"]),
        ("en", "Our services", ["Dry walls", "Yard drains"]),
        ("ja", "事業内容", ["看板製作", "金属加工"]),
    ] {
        let cards: String = names
            .iter()
            .map(|name| format!("<h3>{name}</h3><p>{name}: Acme, Acme, Acme, Acme.</p>"))
            .collect();
        let web = home(
            language,
            &[],
            &format!("<h1>Acme</h1><h2>{heading}</h2>{cards}"),
        );
        let draft = acme(web).draft();
        assert_eq!(at(&draft, "/voice/vocabulary/preferred"), &json!(names));
    }
}
