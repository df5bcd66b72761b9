//! What proves a company's word, what only looks like it, and what pages say twice.

use gtm_sdk::json::json;

use crate::run::{acme, at, proofs_of};
use crate::web::{Web, home};

fn proofs(language: &str, kind: &str, main: &str) -> Vec<String> {
    let main = format!("<h1>Acme</h1>{main}");
    proofs_of(&acme(home(language, &[], &main, "")).draft(), kind)
}

#[test]
fn tiles_prove_and_formats_dates_and_counts_of_services_do_not() {
    let tiles = |tiles: &[(&str, &str)]| {
        let tiles: String = tiles
            .iter()
            .map(|(number, label)| {
                format!("<div class=tile><div class=number>{number}</div><div class=label>{label}</div></div>")
            })
            .collect();
        proofs("es", "metric", &tiles)
    };
    assert_eq!(
        tiles(&[
            ("+45", "Años de experiencia"),
            ("+90.000", "Hs. mensuales de servicio"),
            ("98%", "Resueltos en 24 h"),
            ("3", "Certificaciones"),
            ("4K", "Cámaras"),
            ("100%", "Compromiso"),
        ]),
        [
            "+45 Años de experiencia",
            "+90.000 Hs. mensuales de servicio",
            "98% Resueltos en 24 h"
        ]
    );
    let joined = "<div><strong>+15 anos</strong> <span>de experiência</span></div><div><strong>21 estados</strong> <span>atendidos no Brasil</span></div>";
    assert_eq!(
        proofs("pt", "metric", joined),
        ["+15 anos de experiência", "21 estados atendidos no Brasil"]
    );
    let history = "<ol><li><span>2017.02</span> Second shop opened in town</li><li><span>2019.04</span> Sales office opened</li><li><span>2020.01</span> Repairs taken up</li></ol>\
        <div>30 Anni di cura 1996 - 2026</div>";
    assert_eq!(proofs("en", "metric", history), [""; 0]);
}

#[test]
fn one_figure_is_told_once_and_selling_is_no_proof() {
    let body = "<div>60+</div><div>Jaar ervaring</div><p>Met ruim 40 jaar werkervaring staan wij voor elke klus klaar.</p>\
        <p>Acme is een bedrijf met meer dan 60 jaar ervaring in grondwerk.</p>";
    assert_eq!(proofs("nl", "metric", body), ["60+ Jaar ervaring"]);
    let body = "<p>We put more than 20 years of experience to work for you and your team.</p>\
        <p>Our clients include more than Fortune 500 companies and local shops.</p>";
    assert_eq!(proofs("en", "metric", body), [""; 0]);
    // Founded in 1987, the company is older today than the tile says.
    let stale = "<p>Acme was founded in 1987 in Leeds by two friends.</p><div>22+</div><div>Years in business</div>";
    let web = home("en", &[], &format!("<h1>Acme</h1>{stale}"), "© 2024 Acme");
    assert_eq!(proofs_of(&acme(web).draft(), "metric"), [""; 0]);
}

#[test]
fn a_quotation_ends_with_its_author_not_with_the_footer() {
    let body = "<h1>Acme</h1><blockquote><p>We stopped phoning the week we moved in.</p></blockquote><p>Supply lead, Moss Dairies</p>";
    let page = home("en", &[], body, "<p>Acme</p><p>Cold stores for food.</p>");
    assert_eq!(
        proofs_of(&acme(page).draft(), "testimonial"),
        ["We stopped phoning the week we moved in. Supply lead, Moss Dairies"]
    );
}

#[test]
fn certificates_are_the_company_s_and_told_once() {
    let body = "<ul><li>ISO 9001 · ISO 14001</li></ul><p>Acme works by ISO 9001 and ISO 14001 in quality and environment.</p>\
        <p>Since 1964 · VCA certified · Leeds area</p><p>We sell new and used lifting trucks, rent them by the day, and offer certified service and spare parts.</p>";
    assert_eq!(
        proofs("en", "certification", body),
        ["ISO 9001 · ISO 14001"]
    );
}

#[test]
fn standards_that_one_works_by_are_no_certificates() {
    for body in [
        "<ul><li>ISO 9001</li><li>ISO 13849</li><li>IEC 62061</li></ul>",
        "<span>Industry specialisation</span><h2>What we know about many key trades</h2><h3>Cars</h3><p>We build lines.</p><div>IATF 16949</div><h3>Food</h3><p>We build ovens.</p><div>HACCP</div>",
        "<p>\"Their ISO 9001 systems let us halve the time of an audit.\" Jo Roe, Globex</p>",
    ] {
        assert_eq!(proofs("en", "certification", body), [""; 0], "{body}");
    }
    let told =
        "<div>ISO 9001</div><h2>Quality</h2><p>Our works are certified to ISO 9001:2015.</p>";
    assert_eq!(proofs("en", "certification", told), ["ISO 9001"]);
}

#[test]
fn pages_about_customers_hold_cases() {
    let cases = |main: &str| {
        let web = home("en", &[("/customers", "Customers")], "<h1>Acme</h1>", "");
        let draft = acme(web.text("https://acme.example/customers", main)).draft();
        proofs_of(&draft, "case_study")
    };
    let main = "<h1>Customers</h1><h2>Globex Baths</h2><span>Cleaning</span><p>We clean the changing rooms of Globex Baths every night, seven days a week.</p>\
        <h2>Initech - Logistics</h2><span>Cleaning</span><p>We keep the warehouses of Initech free of dust all year round. They are large.</p>\
        <h2>Office cleaning</h2><p>We do office cleaning for offices of every size and kind.</p>\
        <h2>Would you like to be next?</h2><p>Write to us and we answer within a day or two at the latest.</p>";
    assert_eq!(
        cases(main),
        [
            "We clean the changing rooms of Globex Baths every night, seven days a week.",
            "We keep the warehouses of Initech free of dust all year round."
        ]
    );
    // One heading that its text takes up is no list of customers.
    assert_eq!(
        cases(
            "<h1>Customers</h1><h2>Globex Baths</h2><p>We clean the changing rooms of Globex Baths every night.</p>"
        ),
        [""; 0]
    );
}

#[test]
fn calls_lead_to_where_one_acts() {
    let calls = |main: &str, footer: &str| {
        let web = home(
            "en",
            &[("/contact", "Contact us"), ("/customers", "Customers")],
            main,
            footer,
        );
        let web = web
            .text("https://acme.example/customers", "<h1>Customers</h1>")
            .text("https://acme.example/contact", "<h1>Contact</h1>");
        at(&acme(web).draft(), "/messaging/calls_to_action").clone()
    };
    let main = "<h1>Acme</h1><a href=/quote>Get a quote</a> <a href=/quote?x=1>Get a free quote</a> <a href=/customers>See our work</a>\
        <a href=/projects/one>View project</a> <a href=/projects/two>View project</a> <a href=https://globex.example>Visit the shop</a>\
        <a href=https://www.youtube.com/@acme>Watch our channel</a> <a href=#services>Explore our services</a> <a href=#contact>Book a visit</a>";
    assert_eq!(calls(main, ""), json!(["Get a quote", "Book a visit"]));
    assert_eq!(
        calls(
            "<h1>Acme</h1>",
            "<p><a href=/about>About us</a> | <a href=/contact>Contact us</a></p>"
        ),
        json!([])
    );
}

#[test]
fn legal_lines_stand_without_the_links_beside_them() {
    let lines = |footer: &str| {
        let draft = acme(home("en", &[], "<h1>Acme</h1>", footer)).draft();
        at(&draft, "/governance/required_legal_lines").clone()
    };
    assert_eq!(
        lines("<p>© 2024 Acme Ltd. All rights reserved. <a href=/blog>Pump blog</a></p>"),
        json!(["© 2024 Acme Ltd. All rights reserved."])
    );
    assert_eq!(
        lines(
            "<p><a href=/about>About us</a> | <a href=/privacy>Privacy</a> | ©2025 Acme Ltd. All rights reserved.</p>"
        ),
        json!(["©2025 Acme Ltd. All rights reserved."])
    );
    // Blanks alone part some footers' links from the line, or nothing does.
    for (line, links) in [
        (
            "© 2026 Acme Ltd · Licensed by Elmham Council",
            "<span><a href=/t>Terms</a><a href=/p>Privacy</a> <a href=/c>Cookies</a></span>",
        ),
        (
            "© 2026 Acme GmbH · Geprüft durch den Kreis Ulm",
            "<a href=/i>Impressum</a> <a href=/d>Datenschutz</a>",
        ),
    ] {
        assert_eq!(lines(&format!("<p>{line}{links}</p>")), json!([line]));
    }
    // The name in a line may be a link, too, and a short form of a line adds nothing to it.
    assert_eq!(
        lines("<p>© 2026 <a href=/>Acme Ltd</a></p><p>© 2026 Acme Ltd. All rights reserved.</p>"),
        json!(["© 2026 Acme Ltd. All rights reserved."])
    );
    // A placeholder for a tax number is not the company's.
    assert_eq!(
        lines("<p>© 2026 Acme S.r.l. - P.IVA 01234567890</p>"),
        json!([])
    );
}

#[test]
fn a_language_is_named_once() {
    let locales = |head: &str| {
        let page = format!(
            "<html lang=de><head><title>Acme</title>{head}</head><body><main><h1>Acme</h1></main></body></html>"
        );
        let draft = acme(Web::new().page("https://acme.example/", &page)).draft();
        at(&draft, "/identity/locales").clone()
    };
    let one = "<meta property=og:locale content=de_AT>";
    assert_eq!(locales(one), json!(["de-AT"]));
    let two =
        "<meta property=og:locale content=de_AT><meta property=og:locale:alternate content=de_CH>";
    assert_eq!(locales(two), json!(["de", "de-AT", "de-CH"]));
}

#[test]
fn praise_by_its_own_people_is_no_testimonial() {
    let quote = |text: &str, author: &[&str]| {
        let author: String = author.iter().map(|line| format!("<p>{line}</p>")).collect();
        proofs(
            "en",
            "testimonial",
            &format!("<blockquote><p>{text}</p></blockquote>{author}"),
        )
    };
    let praise = "I learned more here in three months than in two years of lectures.";
    for author in [
        &["Kim Roe", "Intern"][..],
        &["Kim Roe, trainee"],
        &["Jane Doe", "Founder & CEO"],
    ] {
        assert_eq!(quote(praise, author), [""; 0], "{author:?}");
    }
    // Founders praise others' companies, too.
    for author in [
        &["Jane Doe", "Founder, Fellside Creamery"][..],
        &["Jane Doe", "Founder", "Fellside Creamery"],
    ] {
        assert_eq!(quote(praise, author).len(), 1, "{author:?}");
    }
    let founder = "I founded Acme so that nobody has to carry a churn up the stairs again.";
    assert_eq!(quote(founder, &["Jane Doe, Leeds"]), [""; 0]);
}

#[test]
fn a_discount_proves_nothing() {
    let tile = "<div><strong>25%</strong><p>Sommer-Rabatt</p></div><div><strong>25%</strong><p>weniger Ausschuss</p></div>";
    assert_eq!(proofs("de", "metric", tile), ["25% weniger Ausschuss"]);
}

#[test]
fn a_price_is_no_award() {
    for (language, body) in [
        (
            "de",
            "<p>Wir nennen Ihnen den Preis vor dem ersten Schnitt und halten ihn.</p>",
        ),
        (
            "fr",
            "<p>Nous veillons chaque jour au bon rapport entre service et prix.</p>",
        ),
    ] {
        assert_eq!(proofs(language, "award", body), [""; 0], "{body}");
    }
    let won = "<p>Im Jahr 2021 haben wir den ersten Preis der Musterhafener Messe gewonnen.</p>";
    assert_eq!(proofs("de", "award", won).len(), 1);
    let named = "<p>En 2021 nous avons reçu le Prix Boréal des ateliers.</p>";
    assert_eq!(proofs("fr", "award", named).len(), 1);
}

#[test]
fn certificates_stand_in_footers_too() {
    let footer = |language: &str, footer: &str| {
        let draft = acme(home(language, &[], "<h1>Acme</h1><p>Acme.</p>", footer)).draft();
        proofs_of(&draft, "certification")
    };
    for (language, line) in [
        ("en", "Licensed by Elmham District Council"),
        ("de", "Zertifiziert nach ISO 9001:2015"),
        ("it", "Azienda certificata da Ente Alfa"),
    ] {
        assert_eq!(footer(language, &format!("<p>{line}</p>")), [line]);
    }
    for line in [
        "<p>© 2026 Acme, certified by nobody</p>",
        "<p>Licensed photographs</p>",
        "<h3>Certified partners</h3>",
    ] {
        assert_eq!(footer("en", line), [""; 0], "{line}");
    }
}

#[test]
fn unknown_certificates_stand_beside_known_ones() {
    let list = |heading: &str, items: &[&str]| -> Vec<String> {
        let items: String = items
            .iter()
            .map(|item| format!("<li>{item}</li>"))
            .collect();
        proofs(
            "en",
            "certification",
            &format!("<h2>{heading}</h2><ul>{items}</ul>"),
        )
    };
    let names = ["ISO 9001", "Globmark Gold", "RoofSafe"];
    assert_eq!(list("Accreditations", &names), names);
    assert_eq!(list("Our halls", &names), ["ISO 9001"]);
    assert_eq!(
        list("Certificates", &["Globmark Gold", "RoofSafe"]),
        [""; 0]
    );
    let row: String = names
        .iter()
        .map(|name| format!("<img src=/a.png alt='{name} logo'>"))
        .collect();
    assert_eq!(
        proofs(
            "en",
            "certification",
            &format!("<h2>Certifications</h2>{row}")
        ),
        names
    );
}

#[test]
fn memberships_prove_and_boards_do_not() {
    for (language, line) in [
        ("en", "Member of the Guild of Roofers"),
        ("de", "Mitglied der Innung Musterhafen"),
        ("it", "Associati a Confrope Borgo"),
    ] {
        assert_eq!(
            proofs(language, "certification", &format!("<p>{line}</p>")),
            [line]
        );
    }
    for line in [
        "Member of the Board",
        "member of our newsletter",
        "Jane Roe is a member of the Guild of Roofers",
        "Become a member of the Acme club",
    ] {
        assert_eq!(
            proofs("en", "certification", &format!("<p>{line}</p>")),
            [""; 0],
            "{line}"
        );
    }
    let declared = r#"<script type="application/ld+json">{"@type": "Organization", "name": "Acme", "url": "https://acme.example/", "memberOf": {"@type": "Organization", "name": "Guild of Roofers"}}</script>"#;
    assert_eq!(
        proofs("en", "certification", declared),
        ["Guild of Roofers"]
    );
}

#[test]
fn licences_stand_in_japanese_tables() {
    let table = |label: &str, value: &str| {
        proofs(
            "ja",
            "certification",
            &format!(
                "<table><tr><th>商号</th><td>緑原工務店</td></tr><tr><th>{label}</th><td>{value}</td></tr></table>"
            ),
        )
    };
    assert_eq!(
        table("建設業許可", "川辺県知事許可（般-1）第12345号"),
        ["建設業許可 川辺県知事許可（般-1）第12345号"]
    );
    assert_eq!(table("許可", "お問い合わせください"), [""; 0]);
}

#[test]
fn customers_speak_below_a_mark_of_their_own_and_in_reviews() {
    let said = "They came the same day and left no dust behind.";
    for mark in ["“", "★★★★★"] {
        let main =
            format!("<div>{mark}</div><p>{said}</p><div>Jane Roe</div><div>Moss Dairies</div>");
        assert_eq!(
            proofs("en", "testimonial", &main),
            [format!("{said} Jane Roe Moss Dairies")]
        );
        let ours = format!("<div>{mark}</div><p>{said}</p><div>read more of it</div>");
        assert_eq!(proofs("en", "testimonial", &ours), [""; 0]);
    }
    let plain = format!("<div>5 of 5</div><p>{said}</p><div>Jane Roe</div>");
    assert_eq!(proofs("en", "testimonial", &plain), [""; 0]);
    let review = |author: &str| {
        let data = format!(
            r#"<script type="application/ld+json">{{"@type": "Organization", "name": "Acme", "url": "https://acme.example/",
            "review": {{"@type": "Review", "reviewBody": "{said}"{author}}}}}</script>"#
        );
        proofs("en", "testimonial", &data)
    };
    let author = r#", "author": {"@type": "Person", "name": "Jane Roe"}"#;
    assert_eq!(review(author), [said]);
    assert_eq!(review(""), [""; 0]);
}

#[test]
fn legal_lines_leave_out_who_built_the_site_and_old_years() {
    let lines = |main: &str, footer: &str| {
        let draft = acme(home("en", &[], &format!("<h1>Acme</h1>{main}"), footer)).draft();
        at(&draft, "/governance/required_legal_lines").clone()
    };
    for credit in [
        " | Designed by Globex",
        " · Website by Globex Ltd",
        ". Powered by Globex",
    ] {
        assert_eq!(
            lines(
                "",
                &format!("<p>© 2025 Acme Ltd. All rights reserved{credit}</p>")
            ),
            json!(["© 2025 Acme Ltd. All rights reserved"])
        );
    }
    let whole = "© 2025 Acme Ltd | Regulated by the Board of Ropes";
    assert_eq!(lines("", &format!("<p>{whole}</p>")), json!([whole]));
    assert_eq!(
        lines(
            "",
            "<p>© 2024 Acme Ltd. All rights reserved.</p><p>© 2026 Acme Ltd. All rights reserved.</p>"
        ),
        json!(["© 2026 Acme Ltd. All rights reserved."])
    );
}

#[test]
fn partners_say_what_the_company_is_to_them() {
    let cards = "<h3>Globex</h3><div>Authorised Partner</div><p>Makers of winches.</p><h3>Initech Ropes</h3><div>Recognised System Integrator</div>\
        <h3>Umbrella</h3><div>Maker of ropes</div>";
    assert_eq!(
        proofs(
            "en",
            "certification",
            &format!("<h2>Strategic partnerships</h2>{cards}")
        ),
        [
            "Globex Authorised Partner",
            "Initech Ropes Recognised System Integrator"
        ]
    );
    assert_eq!(
        proofs("en", "certification", &format!("<h2>Our ropes</h2>{cards}")),
        [""; 0]
    );
}

#[test]
fn what_the_company_says_of_itself_is_no_case() {
    let web = home("de", &[("/branchen", "Branchen")], "<h1>Acme</h1>", "");
    let main = "<h1>Branchen</h1><p>Wir sind wirtschaftlich bei Losgrößen von 10 bis 50 Stück, dem Bereich, den viele unserer Kunden brauchen.</p>";
    let draft = acme(web.text("https://acme.example/branchen", main)).draft();
    assert_eq!(proofs_of(&draft, "case_study"), [""; 0]);
}

#[test]
fn a_figure_below_its_label_is_not_of_the_next_label() {
    let rows = [
        ("資本金", "9,990万円"),
        ("役員", "青葉 太郎"),
        ("従業員数", "120名"),
        ("拠点", "長野"),
    ];
    let rows: String = rows
        .iter()
        .map(|(label, value)| format!("<div><div>{label}</div><div>{value}</div></div>"))
        .collect();
    let table = format!("<h2>会社概要</h2><div>{rows}</div>");
    assert_eq!(proofs("ja", "metric", &table), [""; 0]);
}
