//! Who the company is, from differently built pages: names, headquarters, years and numbers.

use gtm_sdk::{Value, json::json};

use crate::run::{acme, at, basis, conflict, members, site};
use crate::web::Web;

/// A page with a header, built as themes do it.
fn page(title: &str, header: &str, main: &str, footer: &str) -> String {
    format!(
        "<html lang=en><head><title>{title}</title></head><body><header>{header}</header><main>{main}</main><footer>{footer}</footer></body></html>"
    )
}

const NAVIGATION: &str = "<nav><a href=/about>About</a><a href=/contact>Contact</a><a href=/legal>Legal notice</a></nav>";

/// Home, about and contact pages that share a header and footer.
fn themed(titles: [&str; 3], brand: &str, footer: &str) -> Web {
    let header = format!("{brand}{NAVIGATION}");
    let make = |title: &str, main: &str| page(title, &header, main, footer);
    Web::new()
        .page(
            "https://acme.example/",
            &make(
                titles[0],
                "<h1>Signals that stay green</h1><p>We build signals for regional lines.</p>",
            ),
        )
        .page(
            "https://acme.example/about",
            &make(
                titles[1],
                "<h1>About</h1><p>Everything is made in our own hall.</p>",
            ),
        )
        .page(
            "https://acme.example/contact",
            &make(titles[2], "<h1>Contact</h1><p>Write to us.</p>"),
        )
}

#[test]
fn a_footer_on_every_page_does_not_shout_a_name_up() {
    let web = themed(
        ["Acme | Signals", "About | Acme", "Contact | Acme"],
        "<a href=/>Acme</a>",
        "<p>© 2026 Acme Rail Holdings Ltd, Leeds – Acme and Greenline are trademarks of Acme Rail Holdings Ltd, Leeds</p>",
    );
    let draft = acme(web).draft();
    assert_eq!(at(&draft, "/identity/brand_name"), "Acme");
    assert_eq!(at(&draft, "/identity/legal_name"), "Acme Rail Holdings Ltd");
}

#[test]
fn a_name_in_another_script_is_what_the_titles_share() {
    let web = Web::new()
        .page(
            "https://rimal.example/",
            "<html lang=ar dir=rtl><head><title>رمال للأثاث | مكاتب من جدة</title></head><body><header><a href=/>رمال للأثاث</a>\
             <nav><a href=/man>من نحن</a><a href=/call>اتصل بنا</a></nav></header><main><h1>مكاتب تدوم</h1><p>نبيع مكاتب في السعودية والكويت.</p>\
             <p><a href=/call>اطلب عرض سعر</a></p></main></body></html>",
        )
        .page(
            "https://rimal.example/man",
            "<html lang=ar><head><title>من نحن | رمال للأثاث</title></head><body><main><p>تأسست رمال للأثاث عام ١٩٩٤ في جدة على يد مهندس في ورشة صغيرة.</p>\
             <p>يعمل معنا ٢٢٠ موظفاً.</p></main></body></html>",
        )
        .page(
            "https://rimal.example/call",
            "<html lang=ar><head><title>اتصل بنا | رمال للأثاث</title></head><body><main>\
             <p>شركة رمال للأثاث المحدودة<br>شارع الملك فهد، جدة، المملكة العربية السعودية</p></main></body></html>",
        );
    let draft = site(web, "https://rimal.example/").draft();
    assert_eq!(at(&draft, "/identity/brand_name"), "رمال للأثاث");
    assert_eq!(
        at(&draft, "/identity/legal_name"),
        "شركة رمال للأثاث المحدودة"
    );
    assert_eq!(at(&draft, "/identity/founded_year"), 1994);
    assert_eq!(at(&draft, "/identity/employee_range"), "201-500");
    assert_eq!(
        at(&draft, "/identity/headquarters"),
        &json!({"locality": "جدة", "region": null, "country": "SA"})
    );
    assert_eq!(at(&draft, "/audience/markets"), &json!(["SA", "KW"]));
    assert_eq!(
        at(&draft, "/messaging/calls_to_action"),
        &json!(["اطلب عرض سعر"])
    );
}

#[test]
fn a_theme_puts_the_tagline_beside_the_name() {
    let titles = ["Acme – Home", "About – Acme", "Contact – Acme"];
    let brand = "<p class=site-title><a href=/>Acme</a></p><p class=site-description>Green lights since the first day</p>";
    let draft = acme(themed(titles, brand, "")).draft();
    assert_eq!(
        at(&draft, "/identity/tagline"),
        "Green lights since the first day"
    );
    // A legal form with an address is not a tagline.
    let draft = acme(themed(
        titles,
        "<p>Acme Ltd, Hazel Way 4, Leeds LS1 4AP</p>",
        "",
    ))
    .draft();
    assert_eq!(at(&draft, "/identity/tagline"), "Signals that stay green");
}

#[test]
fn old_pages_tell_who_the_company_was() {
    let old = "<html lang=en><head><title>Acme moves</title></head><body><main><h1>Acme moves</h1><p>9 March 2015</p>\
        <p>Acme Signals, founded in 2005, has moved its headquarters to 3 Bute Quay, Cardiff CF10 4PL.</p>\
        <p>About Acme: Acme Signals Limited is a maker of signals that is proud of its own foundry.</p></main><footer>© 2015 Acme Signals Limited</footer></body></html>";
    let new = "<html lang=en><head><title>Acme grows</title></head><body><main><h1>Acme grows</h1><p>21 May 2024</p>\
        <p>About Acme: founded in 2006, Acme makes signals for regional lines and mends them for as long as they stand.</p></main><footer>© 2026 Acme Rail Ltd</footer></body></html>";
    let home = "<html lang=en><head><title>Acme</title></head><body><nav><a href=/about>About</a><a href=/contact>Contact</a><a href=/terms>Terms</a>\
        <a href=/press/a>Press: Acme moves</a><a href=/press/b>Press: Acme grows</a></nav><main><h1>Acme</h1><p>We make signals.</p></main><footer>© 2026 Acme Rail Ltd</footer></body></html>";
    let web = Web::new()
        .page("https://acme.example/", home)
        .page("https://acme.example/press/a", old)
        .page("https://acme.example/press/b", new)
        .text("https://acme.example/about", "<p>Acme was founded in 2006 by two guards who were tired of waiting.</p><p>Our head office is at Unit 9, Hazel Way, Bristol BS11 8DB, with a depot in Gdynia.</p>")
        .text("https://acme.example/contact", "<p>Acme Rail Ltd<br>Unit 9, Hazel Way<br>Bristol BS11 8DB<br>United Kingdom</p>")
        .text("https://acme.example/terms", "<p>These terms are between you and Acme Signals Limited, registered in England and Wales under number 05619284.</p>");
    let draft = acme(web).draft();
    assert_eq!(at(&draft, "/identity/legal_name"), "Acme Rail Ltd");
    assert_eq!(
        conflict(&draft, "/identity/legal_name"),
        ["Acme Rail Ltd", "Acme Signals Limited"]
    );
    assert_eq!(at(&draft, "/identity/founded_year"), 2006);
    assert_eq!(conflict(&draft, "/identity/founded_year"), [2006, 2005]);
    assert_eq!(at(&draft, "/identity/headquarters")["locality"], "Bristol");
    let seats = Value::from(conflict(&draft, "/identity/headquarters"));
    assert_eq!(members(&seats, "locality"), ["Bristol", "Cardiff"]);
    assert!(
        at(&draft, "/messaging/boilerplate")
            .as_str()
            .unwrap()
            .starts_with("founded in 2006, Acme makes")
    );
}

#[test]
fn lists_of_terms_and_tables_are_read() {
    let web = Web::new().page(
        "https://acme.example/",
        "<html lang=fr><head><title>Acme</title></head><body><nav><a href=/entreprise>Entreprise</a></nav><main><h1>Acme</h1></main></body></html>",
    );
    let french = "<dl><dt>Raison sociale</dt><dd>Acme Signalisation SAS</dd><dt>Année de création</dt><dd>1987</dd><dt>Effectif</dt><dd>85</dd>\
        <dt>Siège social</dt><dd>Lyon, France</dd><dt>Secteur</dt><dd>Signalisation ferroviaire</dd></dl>";
    let draft = acme(web.clone().text("https://acme.example/entreprise", french)).draft();
    assert_eq!(at(&draft, "/identity/legal_name"), "Acme Signalisation SAS");
    assert_eq!(at(&draft, "/identity/founded_year"), 1987);
    assert_eq!(at(&draft, "/identity/employee_range"), "51-200");
    assert_eq!(
        at(&draft, "/identity/headquarters"),
        &json!({"locality": "Lyon", "region": null, "country": "FR"})
    );
    assert_eq!(
        at(&draft, "/identity/industries")[0]["label"],
        "Signalisation ferroviaire"
    );
    let table = "<table><tr><th>Founded</th><td>1987</td></tr><tr><th>Employees</th><td>about 85</td></tr>\
        <tr><th>Company number</th><td>09123456</td></tr><tr><th>Warranty</th><td>10 years</td></tr><tr><th>Head office</th><td>Leeds, United Kingdom</td></tr></table>";
    let draft = acme(web.clone().text("https://acme.example/entreprise", table)).draft();
    assert_eq!(at(&draft, "/identity/founded_year"), 1987);
    assert_eq!(at(&draft, "/identity/employee_range"), "51-200");
    assert_eq!(at(&draft, "/identity/headquarters")["locality"], "Leeds");
    // Numbers under unrelated labels are not facts of the company.
    let other = "<dl><dt>Model year</dt><dd>2019</dd><dt>Seats</dt><dd>85</dd><dt>Colour</dt><dd>Lyon, France</dd></dl>";
    let draft = acme(web.text("https://acme.example/entreprise", other)).draft();
    for field in ["founded_year", "employee_range", "headquarters"] {
        assert!(
            at(&draft, &format!("/identity/{field}")).is_null(),
            "{field}"
        );
    }
}

#[test]
fn since_when_something_is_done_is_no_founding() {
    let web = |body: &str| {
        Web::new().page(
            "https://acme.example/",
            &format!("<html lang=es><head><title>Acme</title></head><body><main><h1>Acme</h1>{body}</main></body></html>"),
        )
    };
    let year = |body: &str| at(&acme(web(body)).draft(), "/identity/founded_year").clone();
    assert_eq!(
        year("<ul><li>Sin herbicidas desde 2008</li></ul>"),
        Value::Null
    );
    assert_eq!(year("<p>No plastic since 2008</p>"), Value::Null);
    assert_eq!(year("<p>Hecho a mano desde 1952</p>"), 1952);
    assert_eq!(
        year(
            "<p>En 1952, Eusebio Roca fundó la bodega en Cebreros con dos tinajas y un carro.</p><p>Hecho a mano desde 1960</p>"
        ),
        1952
    );
    assert_eq!(
        year(
            "<p>En 2012 Eusebio Roca fundó la escuela de música del pueblo, que hoy tiene cien alumnos.</p>"
        ),
        Value::Null
    );
}

/// A distributor may come before the company itself, and the maker of the website after it.
#[test]
fn a_contact_page_also_names_others() {
    let page = |main: &str| {
        format!(
            "<html lang=it><head><title>Acme</title></head><body><nav><a href=/contatti>Contatti</a></nav><main>{main}</main>\
             <footer><p>Acme Segnali S.r.l. – Via Roma 4, 25068 Sarezzo (BS), Italia</p><p>Sito realizzato da Pixel Studio s.n.c. – Bergamo – P.IVA 09658720173</p></footer></body></html>"
        )
    };
    let contact = "<h1>Contatti</h1><table><tr><th>Distributore per la Germania</th><td>Globex Vertrieb GmbH<br>Formerstraße 4<br>73430 Aalen<br>Germania</td></tr>\
        <tr><th>Sede</th><td>Acme Segnali S.r.l.<br>Via Roma 4<br>25068 Sarezzo (BS)<br>Italia</td></tr></table>";
    let draft = acme(
        Web::new()
            .page("https://acme.example/", &page("<h1>Acme</h1>"))
            .page("https://acme.example/contatti", &page(contact)),
    )
    .draft();
    assert_eq!(at(&draft, "/identity/headquarters")["locality"], "Sarezzo");
    assert_eq!(
        conflict(&draft, "/identity/headquarters"),
        Vec::<Value>::new()
    );
    assert_eq!(
        at(&draft, "/identity/identifiers"),
        &Value::from(Vec::<Value>::new())
    );
}

#[test]
fn an_imprint_also_names_others() {
    let home = Web::new().page(
        "https://acme.example/",
        "<html lang=fr><head><title>Acme</title></head><body><nav><a href=/mentions-legales>Mentions légales</a><a href=/actualites>Actualités</a></nav><main><h1>Acme</h1></main></body></html>",
    );
    let imprint = "<h1>Mentions légales</h1><h2>Hébergement</h2><p>Globex SAS, 2 rue du Port, 59100 Roubaix, France. RCS Lille Métropole 424 761 419.</p>\
        <h2>Éditeur</h2><p>Acme Signalisation SAS, 12 quai des Lices, 44200 Nantes, France. RCS Lyon 404 833 048.</p><p>Conception : Initech SARL, 1 rue du Bac, 75007 Paris</p>";
    let draft = acme(
        home.text("https://acme.example/mentions-legales", imprint)
            .text(
                "https://acme.example/actualites",
                "<p>L'autorité a son siège à Paris, où elle emploie 300 personnes.</p>",
            ),
    )
    .draft();
    assert_eq!(at(&draft, "/identity/legal_name"), "Acme Signalisation SAS");
    assert_eq!(at(&draft, "/identity/headquarters")["locality"], "Nantes");
    assert_eq!(
        members(at(&draft, "/identity/identifiers"), "value"),
        ["RCS Lyon 404 833 048"]
    );
    assert_eq!(
        conflict(&draft, "/identity/headquarters"),
        Vec::<Value>::new()
    );
}

#[test]
fn reasons_are_in_the_language_of_the_site() {
    let page = |main: &str| {
        format!(
            "<html lang=de><head><title>Acme</title></head><body><nav><a href=/impressum>Impressum</a></nav><main><h1>Acme</h1>{main}</main></body></html>"
        )
    };
    let web = Web::new()
        .page(
            "https://acme.example/",
            &page("<p>Acme ist eine Gießerei für Bronze am Rand der Stadt.</p>"),
        )
        .page(
            "https://acme.example/impressum",
            &page("<p>Acme Guss gGmbH<br>Hauptstraße 1<br>60311 Frankfurt am Main</p>"),
        );
    let draft = acme(web).draft();
    assert_eq!(at(&draft, "/identity/ownership"), "nonprofit");
    assert_eq!(
        basis(&draft, "/identity/ownership")["reasoning"],
        "Die Rechtsform im eingetragenen Namen lässt nichts anderes zu."
    );
}

#[test]
fn addresses_stand_in_one_paragraph_or_in_the_only_line_that_has_one() {
    let seat = |language: &str, main: &str| {
        let page = |main: &str| {
            format!(
                "<html lang={language}><head><title>Acme</title></head><body><nav><a href=/contact>Contact</a></nav><main>{main}</main></body></html>"
            )
        };
        let web = Web::new().page("https://acme.example/", &page(main)).page(
            "https://acme.example/contact",
            &page(&format!("{main}<p>Acme</p>")),
        );
        at(&acme(web).draft(), "/identity/headquarters").clone()
    };
    let place = |locality: &str, region: Option<&str>, country: &str| json!({"locality": locality, "region": region, "country": country});
    assert_eq!(
        seat(
            "es",
            "<h1>Acme</h1><div>Dirección</div><p>Calle 1180, B1704ABC<br>Villa Ulma, Buenos Aires<br>Argentina</p>"
        ),
        place("Villa Ulma", Some("Buenos Aires"), "AR")
    );
    assert_eq!(
        seat(
            "pt",
            "<h1>Acme</h1><p>A Acme cresce em Ulmela, onde começou.</p><h4>Endereço</h4><p>R. do Moinho, 118-E<br>Bairro São Jorge<br>Ulmela - SC, 80020-300</p>"
        ),
        place("Ulmela", Some("SC"), "BR")
    );
    assert_eq!(
        seat(
            "it",
            "<h1>Acme</h1><div><span>Via Roma 10<br/>40010 Ulmeto (BO)</span></div><div>Tel. +39 051 860066</div>"
        ),
        place("Ulmeto", Some("BO"), "IT")
    );
}

#[test]
fn structured_data_dates_the_founding_and_nothing_else() {
    let web = Web::new().page(
        "https://acme.example/",
        r#"<html lang=de><head><title>Acme</title><script type="application/ld+json">{"@type": "Organization", "name": "Acme", "url": "https://acme.example/", "foundingDate": "1996"}</script></head>
        <body><main><h1>Acme</h1><p>Acme wurde 2004 in eine AG umgewandelt.</p><p>Geprüfter Betrieb seit 2011</p></main></body></html>"#,
    );
    assert_eq!(at(&acme(web).draft(), "/identity/founded_year"), 1996);
}

#[test]
fn of_two_spellings_behind_a_label_the_first_is_the_name() {
    let web = Web::new().page(
        "https://acme.example/",
        "<html lang=ja><head><title>空調用フィルタのアオバフィルタ</title></head><body><main><h1>会社概要</h1><table><tr><th>商号</th><td>アオバフィルタ株式会社<br>Aoba Filter Limited</td></tr>\
         <tr><th>本社</th><td>〒332-0012 埼玉県川口市本町1-1</td></tr><tr><th>設立</th><td>平成１７年６月１日</td></tr><tr><th>資本金</th><td>2500万円</td></tr></table></main><footer>©2006 Aoba Filter LTD.</footer></body></html>",
    );
    let draft = acme(web).draft();
    assert_eq!(at(&draft, "/identity/legal_name"), "アオバフィルタ株式会社");
    assert_eq!(at(&draft, "/identity/founded_year"), 2005);
}

#[test]
fn a_line_of_the_company_itself_says_who_owns_it() {
    let ownership = |language: &str, main: &str, about: &str| {
        let page = |main: &str| {
            format!(
                "<html lang={language}><head><title>Acme</title></head><body><nav><a href=/about>About us</a></nav><main>{main}</main></body></html>"
            )
        };
        let web = Web::new()
            .page("https://acme.example/", &page(main))
            .page("https://acme.example/about", &page(about));
        at(&acme(web).draft(), "/identity/ownership").clone()
    };
    for (language, home, about, expected) in [
        (
            "de",
            "<h1>Ein Familienunternehmen mit Weitblick</h1>",
            "",
            json!("private"),
        ),
        (
            "de",
            "<h1>Acme</h1>",
            "<h1>Acme</h1><ul><li>Familiengeführt — 3. Generation</li><li>Werkstatt am Fluss</li></ul>",
            json!("private"),
        ),
        (
            "en",
            "<h1>Acme</h1>",
            "<h1>Acme</h1><h2>A family business since 1951</h2><p>Ropes for boats.</p>",
            json!("private"),
        ),
        (
            "fr",
            "<h1>Acme</h1><p>Filiales du groupe Grandrive depuis 2001, nous tressons des cordes pour les bateaux.</p>",
            "",
            json!("subsidiary"),
        ),
        // Lines about buyers, other companies and the company's own subsidiaries.
        (
            "de",
            "<h1>Nachfolge für ein Familienunternehmen</h1><h2>Branchen</h2><ul><li>Inhabergeführte Läden</li><li>Vereine</li></ul>",
            "",
            json!(null),
        ),
        (
            "en",
            "<h1>Acme</h1><h3>A family business finds its heir</h3><p>Read their story.</p>",
            "",
            json!(null),
        ),
        (
            "fr",
            "<h1>Acme</h1>",
            "<h1>Acme</h1><h2>Filiales du groupe Acme</h2><p>Elles tressent des cordes.</p>",
            json!(null),
        ),
    ] {
        assert_eq!(ownership(language, home, about), expected, "{home}{about}");
    }
}
