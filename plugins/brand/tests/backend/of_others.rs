//! Danger: pages also state facts about others, such as hosting providers, parent companies and firms in the
//! news. None of these may become facts of the company.

use gtm_sdk::{Value, json::json};

use crate::run::{acme, at, conflict, members};
use crate::web::Web;

/// A site in the given language with a legal notice.
fn with_notice(language: &str, notice: &str) -> Web {
    let page = |main: &str| {
        format!(
            "<html lang={language}><head><title>Acme</title></head><body><nav><a href=/about>About</a><a href=/legal>Legal notice</a><a href=/news>News</a></nav>\
             <main>{main}</main></body></html>"
        )
    };
    Web::new()
        .page("https://acme.example/", &page("<h1>Acme</h1>"))
        .page("https://acme.example/legal", &page(notice))
}

fn numbers(web: Web) -> Vec<String> {
    let draft = acme(web).draft();
    members(at(&draft, "/identity/identifiers"), "value")
        .into_iter()
        .map(str::to_owned)
        .collect()
}

#[test]
fn numbers_of_the_host_are_not_the_companys() {
    for (language, notice, expected) in [
        (
            "fr",
            "<h2>Éditeur</h2><p>Acme SAS</p><p>RCS Lyon 404 833 048</p><h2>Hébergement</h2><p>Globex SAS<br>RCS Lille 424 761 419 – TVA : FR40303265045</p>",
            vec!["RCS Lyon 404 833 048"],
        ),
        (
            "fr",
            "<p>Ce site est édité par Acme SAS, TVA FR83404833048, et hébergé par Globex SAS, RCS Lille 424 761 419, TVA FR40303265045.</p>",
            vec!["FR83404833048"],
        ),
        (
            "de",
            "<h2>Impressum</h2><p>Acme GmbH<br>Amtsgericht Ulm, HRB 734512</p><p>Hoster: Globex GmbH</p><p>Hafenweg 1, 20457 Hamburg</p><p>USt-IdNr.: DE136695976</p>",
            vec!["Amtsgericht Ulm, HRB 734512"],
        ),
        (
            "en",
            "<h2>Legal notice</h2><p>Acme Ltd</p><p>Company number 09123456</p><h2>Hosting provider</h2><h3>Globex Ltd</h3><p>VAT GB980780684, company number 07654321</p>",
            vec!["09123456"],
        ),
        (
            "es",
            "<dl><dt>Denominación social</dt><dd>Acme Riegos, S.L.</dd><dt>CIF</dt><dd>B50917467</dd></dl><h2>Alojamiento</h2><p>Alojado por Globex, S.A., con CIF A28015865.</p>",
            vec!["B50917467"],
        ),
        (
            "nl",
            "<p>Acme B.V.<br>KvK 12345678<br>Btw NL004495445B01 IBAN NL60 XBNK 0417 1643 00</p><h2>Webbouw en ontwerp</h2><p>Globex B.V., KvK 87654321</p>",
            vec!["NL004495445B01", "12345678"],
        ),
    ] {
        assert_eq!(numbers(with_notice(language, notice)), expected, "{notice}");
    }
}

#[test]
fn of_two_numbers_that_disagree_the_one_beside_the_name_stands() {
    let beside = "<p>USt-IdNr.: DE129273398</p><p>Acme GmbH, USt-IdNr.: DE136695976</p>";
    assert_eq!(numbers(with_notice("de", beside)), ["DE136695976"]);
    let neither = "<p>USt-IdNr.: DE129273398</p><p>USt-IdNr.: DE136695976</p><p>Acme GmbH</p>";
    assert_eq!(numbers(with_notice("de", neither)), [""; 0]);
    // Numbers of different countries or registers don't conflict.
    let several = "<p>Acme GmbH, HRB 734512, USt-IdNr. DE136695976, UID ATU13585627</p>";
    assert_eq!(
        numbers(with_notice("de", several)),
        ["DE136695976", "ATU13585627", "HRB 734512"]
    );
}

#[test]
fn the_symbol_of_a_parent_is_not_the_companys() {
    let site = |about: &str| {
        Web::new()
            .page(
                "https://acme.example/",
                "<html lang=en><head><title>Acme</title></head><body><a href=/about>About us</a><main><h1>Acme</h1></main></body></html>",
            )
            .text("https://acme.example/about", about)
    };
    for about in [
        "<p>Acme is a wholly owned subsidiary of Globex, Inc. (NYSE: GLX).</p><p>Our shares: NYSE: GLX</p>",
        "<p>Acme is a Globex company (NASDAQ: GLX).</p>",
        "<p>Acme ist ein Unternehmen der Globex AG (XETRA: GLX).</p>",
    ] {
        assert_eq!(numbers(site(about)), [""; 0], "{about}");
    }
    assert_eq!(
        numbers(site("<p>Acme, Inc. (NASDAQ: ACM) builds signals.</p>")),
        ["NASDAQ: ACM"]
    );
}

#[test]
fn news_of_other_firms_tell_no_facts_of_the_company() {
    let post = "<article><h1>Tres pioneras</h1><p>Le contamos tres historias.</p>\
        <h2>Globex, S.A.</h2><p>Fundada en 1987 en Huesca, llegó a tener 420 empleados.</p>\
        <h2>Initech</h2><p>Creada en 2003, con sede en Alcañiz, España.</p><p>Nació en 1994 en Tudela.</p></article>";
    let german = "<article><h1>Unser Partner im Porträt</h1><p>Gegründet 1950 in Ulm.</p><p>Die Globex AG ist ein börsennotiertes Unternehmen, schreiben wir hier. Die Globex AG hat ihren Sitz in Ulm, sagen unsere Kollegen.</p>\
        <h2>Über Globex</h2><p>Wir wurden 1950 gegründet und haben 900 Mitarbeiter.</p></article>";
    for (language, post) in [("es", post), ("de", german)] {
        let draft =
            acme(with_notice(language, "<p>Acme</p>").text("https://acme.example/news", post))
                .draft();
        for pointer in [
            "/identity/founded_year",
            "/identity/headquarters",
            "/identity/employee_range",
            "/identity/ownership",
        ] {
            assert_eq!(
                draft["guideline"].pointer(pointer).unwrap_or(&Value::Null),
                &json!(null),
                "{language} {pointer}"
            );
            assert!(conflict(&draft, pointer).is_empty());
        }
    }
    let own = "<article><h1>Acme zieht um</h1><p>Acme wurde 1998 in Ulm gegründet.</p><h2>Über Acme</h2><p>Acme baut Signale.</p></article>";
    let draft =
        acme(with_notice("de", "<p>Acme</p>").text("https://acme.example/news", own)).draft();
    assert_eq!(at(&draft, "/identity/founded_year"), 1998);
}

#[test]
fn authors_of_quotations_have_their_own_staff() {
    let card = |author: &str| {
        let about = format!(
            "<h1>About us</h1><p>Acme builds rail signals for regional lines.</p>\
            <div><p>\"The signals of Acme have run through two winters without a single fault.\"</p></div>\
            <div>{author}</div>"
        );
        let draft = acme(with_notice("en", "").page(
            "https://acme.example/about",
            &format!(
                "<html lang=en><head><title>Acme</title></head><body><main>{about}</main></body></html>"
            ),
        ))
        .draft();
        at(&draft, "/identity/employee_range").clone()
    };
    for author in [
        "<h4>Director of Operations</h4><p>Major Railway</p><span>Global Operations, 15,000+ Employees</span>",
        "<h4>Jane Roe</h4><p>Founder</p><span>15,000+ Employees</span>",
        "<p>Jane Roe</p><p>Head of Operations</p><p>Major Railway</p><p>Transport</p><p>15,000+ Employees</p>",
    ] {
        assert!(card(author).is_null(), "{author}");
    }
    assert_eq!(
        card("<h2>In numbers</h2><p>Acme has 120 employees.</p>"),
        "51-200"
    );
}
