//! Names of customers in rows, lists, tables and pictures, and what only looks like them.

use crate::languages::site;
use crate::run::{acme, proofs_of};
use crate::web::home;

fn customers(language: &str, main: &str) -> Vec<String> {
    let main = format!("<h1>Acme</h1>{main}");
    proofs_of(&acme(home(language, &[], &main, "")).draft(), "case_study")
}

#[test]
fn customers_stand_in_rows_under_their_heading() {
    for (language, main) in [
        (
            "de",
            "<h2>Unsere Kunden</h2><div>Globex GmbH</div><div>Moorbad Quell</div><div>INITECH</div>",
        ),
        (
            "en",
            "<h2>Some of our clients</h2><ul><li>Globex GmbH</li><li>Moorbad Quell</li><li>INITECH</li></ul>",
        ),
        (
            "fr",
            "<p>Nos références</p><p>Voici quelques maisons.</p><span>Globex GmbH</span><p>x</p>\
             <h2>Ils nous font confiance</h2><h4>Globex GmbH</h4><h4>Moorbad Quell</h4><h4>INITECH</h4>",
        ),
        (
            "it",
            "<h3>Clienti</h3><p>Ecco chi lavora con noi da anni.</p><p>Globex GmbH, Moorbad Quell, INITECH</p>",
        ),
        (
            "en",
            "<p>Customers: Globex GmbH, Moorbad Quell, INITECH</p>",
        ),
    ] {
        assert_eq!(
            customers(language, main),
            ["Globex GmbH", "Moorbad Quell", "INITECH"],
            "{main}"
        );
    }
}

#[test]
fn japanese_tables_name_customers_with_their_forms() {
    for value in [
        "青波株式会社、赤川工業株式会社、白山病院",
        "青波株式会社<br>赤川工業株式会社<br>白山病院",
    ] {
        let main = format!(
            "<table><tr><th>商号</th><td>緑原印刷</td></tr><tr><th>主要取引先</th><td>{value}</td></tr></table>"
        );
        assert_eq!(
            customers("ja", &main),
            ["青波株式会社", "赤川工業株式会社", "白山病院"],
            "{value}"
        );
    }
    let groups = "<table><tr><th>主要取引先</th><td>研究施設、病院、精密工業</td></tr></table>";
    assert_eq!(customers("ja", groups), [""; 0]);
}

#[test]
fn names_without_a_form_count_where_the_heading_says_that_they_are_names() {
    let row = "<span>Globex</span><div>Initech</div><div>Hoolibo</div><div>Umbra</div>";
    assert_eq!(
        customers("en", &format!("<h2>Trusted by</h2>{row}")).len(),
        4
    );
    assert_eq!(
        customers("en", &format!("<h2>Our customers</h2>{row}")),
        [""; 0]
    );
    let groups = "<h2>Trusted by</h2><div>Retail</div><div>Health</div><div>Transport</div><p>We know retail, health and transport.</p>";
    assert_eq!(customers("en", groups), [""; 0]);
}

#[test]
fn groups_people_and_sentences_are_no_customers() {
    for (language, main) in [
        (
            "de",
            "<h2>Unsere Kunden</h2><ul><li>Hausverwaltungen</li><li>Gemeinden</li><li>Private Bauherren</li></ul>",
        ),
        (
            "en",
            "<h2>Our clients</h2><ul><li>Local Authorities</li><li>Care Homes</li><li>Housing Associations</li></ul>",
        ),
        (
            "en",
            "<h2>Our clients</h2><p>Jane Doe</p><p>They came the same day and left no dust.</p><p>Kim Roe</p><p>We call nobody else.</p>\
             <p>Sam Poe</p><p>Good work at a fair price.</p>",
        ),
        (
            "en",
            "<h2>What our clients say</h2><div>Jane Doe</div><div>Kim Roe</div><div>Sam Poe</div>",
        ),
        (
            "en",
            "<h2>Our values</h2><div>Globex Ltd</div><div>Initech Ltd</div><div>Hoolibo Ltd</div>",
        ),
        (
            "es",
            "<h2>Clientes</h2><div>Atención Personal</div><div>entrega en 24 horas</div><div>Sin compromiso</div>",
        ),
    ] {
        assert_eq!(customers(language, main), [""; 0], "{main}");
    }
}

#[test]
fn a_menu_names_no_customers() {
    let footer = "<h4>Customers</h4><ul><li><a href=/p>Customer Portal</a></li><li><a href=/s>ABC Support</a></li><li><a href=/d>Site Docs</a></li></ul>";
    let draft = acme(home("en", &[], "<h1>Acme</h1>", footer)).draft();
    assert_eq!(proofs_of(&draft, "case_study"), [""; 0]);
}

#[test]
fn logos_of_customers_are_named_by_their_pictures() {
    let row = |alts: &[&str]| -> String {
        alts.iter()
            .map(|alt| format!("<div><img src='/a.png' alt='{alt}'></div>"))
            .collect()
    };
    let names = ["Globex GmbH", "Moorbad Quell", "INITECH"];
    for heading in ["<h2>Referenzen</h2>", "<p>Sie vertrauen uns</p>"] {
        let main = format!(
            "{heading}{}",
            row(&["Logo Globex GmbH", "Moorbad Quell Logo", "INITECH"])
        );
        assert_eq!(customers("de", &main), names, "{heading}");
    }
    for main in [
        format!(
            "<h2>Referenzen</h2>{}",
            row(&["logo", "Bild 3", "image_4.png"])
        ),
        format!("<h2>Unser Team</h2>{}", row(&names)),
        format!(
            "<h2>Referenzen</h2><p>Mehr dazu.</p><h2>Partner</h2>{}",
            row(&names)
        ),
    ] {
        assert_eq!(customers("de", &main), [""; 0], "{main}");
    }
}

#[test]
fn labels_name_no_private_customer_and_none_whose_name_is_withheld() {
    for value in [
        "Particulier",
        "Confidentiel",
        "Famille Kunze",
        "Petra Kunze",
    ] {
        let main = format!(
            "<h1>Nos chantiers</h1><h2>Halle de Montval</h2><dl><dt>Client</dt><dd>Globex</dd><dt>Travaux</dt><dd>Pose de filets</dd></dl>\
             <h2>Gymnase</h2><dl><dt>Client</dt><dd>{value}</dd></dl>"
        );
        let web = site(
            "fr",
            "<h1>Acme</h1>",
            &[("/realisations", "Réalisations", &main)],
        );
        assert_eq!(
            proofs_of(&acme(web).draft(), "case_study"),
            ["Globex"],
            "{value}"
        );
    }
}

#[test]
fn rows_of_several_columns_name_no_customer() {
    let main = "<h1>Our projects</h1><table><tr><th>Client</th><th>Project</th><th>Year</th></tr>\
                <tr><td>Client</td><td>Moorbad</td><td>Year</td><td>2020</td></tr></table>";
    let web = site("en", "<h1>Acme</h1>", &[("/projects", "Projects", main)]);
    assert_eq!(proofs_of(&acme(web).draft(), "case_study"), [""; 0]);
}
