//! What stands in cards and lists under headings, and on pages, that say what it is: certificates, work for customers,
//! awards, values and commitments.

use gtm_sdk::Value;

use crate::languages::site;
use crate::run::{acme, at, members, proofs_of};

/// The draft of a site with one page besides its home page.
pub fn with_page(language: &str, page: (&str, &str, &str)) -> Value {
    acme(site(
        language,
        "<h1>Acme</h1><p>Acme makes ropes.</p>",
        &[page],
    ))
    .draft()
}

/// Cards with a heading and a text each.
pub fn cards(level: u8, cards: &[(&str, &str)]) -> String {
    let card = |(name, text): &(&str, &str)| {
        format!("<div><h{level}>{name}</h{level}><p>{text}</p></div>")
    };
    cards.iter().map(card).collect()
}

#[test]
fn pages_about_certificates_name_each_in_a_card() {
    let main = format!(
        "<p>Geprüft und gelistet</p><h1>Güte, die man messen kann.</h1>{}<h2>So begleiten wir Sie.</h2><p>Mit Papier und Stempel bis zum Schluss.</p>",
        cards(
            2,
            &[
                (
                    "DIN EN 1261",
                    "Die Norm für Seile aus Fasern, nach der wir im eigenen Haus schlagen."
                ),
                (
                    "QVX-Zulassung",
                    "Seile für Aufzüge dürfen wir nach dem Regelwerk der Länder fertigen."
                ),
                (
                    "Globex D6-17",
                    "Die Vorgabe eines Herstellers von Aufzügen für alle Seile.",
                ),
                (
                    "DIN EN ISO 3834-2",
                    "Die Norm für das Schweißen von Beschlägen, mit geprüftem Personal."
                ),
                (
                    "Unser Labor",
                    "Hier reißen wir jede Probe, bevor ein Seil das Haus verlässt."
                ),
            ]
        )
    );
    let draft = with_page("de", ("/zertifikate", "Zertifikate", &main));
    assert_eq!(
        proofs_of(&draft, "certification"),
        [
            "DIN EN 1261",
            "QVX-Zulassung",
            "Globex D6-17",
            "DIN EN ISO 3834-2"
        ]
    );
}

#[test]
fn titles_of_certificates_may_be_long_and_goods_are_none() {
    let main = format!(
        "<h1>Certificazioni</h1>{}<h2>Prodotti</h2><p>Si applica a</p><div>QVX Corda QVX Rete</div><div>Ambiente</div><div>QVX Nodo QVX Filo</div><div>Difesa</div>",
        cards(
            2,
            &[
                (
                    "Attestazione QVX per la Qualificazione all’esecuzione di lavori pubblici",
                    "Riguarda la fornitura e la posa in opera di reti."
                ),
                (
                    "Certificazione del Sistema di Gestione per la Qualità ISO 9001",
                    "La norma dice come lavoriamo ogni giorno."
                ),
            ]
        )
    );
    let draft = with_page("it", ("/certificazioni", "Certificazioni", &main));
    assert_eq!(
        proofs_of(&draft, "certification"),
        [
            "Attestazione QVX per la Qualificazione all’esecuzione di lavori pubblici",
            "Certificazione del Sistema di Gestione per la Qualità ISO 9001"
        ]
    );
}

#[test]
fn sections_about_certificates_name_each_in_a_card() {
    let main = format!(
        "<h1>About us</h1><h2>Certifications</h2>{}<h2>Our people</h2>{}",
        cards(
            3,
            &[
                (
                    "IATF 16949 Certified",
                    "Quality management for makers of cars."
                ),
                (
                    "QRX 6.3 Qualified",
                    "Qualified by a maker of cars for its processes."
                ),
            ]
        ),
        cards(
            3,
            &[
                ("The HR Team", "They look after all of us."),
                ("The IT Team", "They look after machines.")
            ]
        )
    );
    let draft = with_page("en", ("/about", "About us", &main));
    assert_eq!(
        proofs_of(&draft, "certification"),
        ["IATF 16949 Certified", "QRX 6.3 Qualified"]
    );
}

#[test]
fn a_noun_before_initials_names_a_certificate() {
    let main = "<h1>Références</h1><p>Qualification</p><h2>Certification QUVA Rhône.</h2><p>Un référentiel pour les chantiers difficiles.</p>";
    let draft = with_page("fr", ("/references", "Références", main));
    assert_eq!(
        proofs_of(&draft, "certification"),
        ["Certification QUVA Rhône"]
    );
    let main = "<h1>Formations</h1><h2>Certification de vos équipes</h2><p>Nous formons vos équipes aux cordages.</p>";
    let draft = with_page("fr", ("/formations", "Formations", main));
    assert_eq!(proofs_of(&draft, "certification"), [""; 0]);
}

#[test]
fn pages_about_projects_tell_of_each_in_a_card() {
    let main = format!(
        "<p>Referenzen</p><h1>Gespannt und geliefert.</h1>{}<h2>Ihr Projekt könnte das nächste sein.</h2><p>Sprechen Sie mit uns über Ihre Seile.</p>",
        cards(
            2,
            &[
                (
                    "Freibad Moorquell — neue Leinen",
                    "Sechs Bahnen mit 300 Metern Leine, in zwei Nächten getauscht. Ohne Sperrung."
                ),
                (
                    "Globex AG — Abspannung der Halle",
                    "Zwölf Seile halten das Dach bei jedem Sturm."
                ),
                (
                    "Leinen für Segelschulen",
                    "Robust und leicht zu greifen, auch für kleine Hände."
                ),
            ]
        )
    );
    let draft = with_page("de", ("/referenzen", "Referenzen", &main));
    assert_eq!(
        proofs_of(&draft, "case_study"),
        [
            "Freibad Moorquell — neue Leinen Sechs Bahnen mit 300 Metern Leine, in zwei Nächten getauscht.",
            "Globex AG — Abspannung der Halle Zwölf Seile halten das Dach bei jedem Sturm.",
            "Leinen für Segelschulen Robust und leicht zu greifen, auch für kleine Hände."
        ]
    );
    let main = format!(
        "<h1>Realizzazioni</h1>{}",
        cards(
            4,
            &[
                ("GLOBEX S.P.A.", "Funivia di Montalto, otto cabine"),
                ("INITECH S.R.L.", "Teleferica da 400 kg per il rifugio"),
            ]
        )
    );
    let draft = with_page("it", ("/realizzazioni", "Realizzazioni", &main));
    assert_eq!(
        proofs_of(&draft, "case_study"),
        [
            "GLOBEX S.P.A. Funivia di Montalto, otto cabine",
            "INITECH S.R.L. Teleferica da 400 kg per il rifugio"
        ]
    );
}

#[test]
fn kinds_of_projects_and_what_customers_say_are_no_projects() {
    for rows in [
        [
            (
                "Residential Projects",
                "We splice ropes for homes of every size and kind.",
            ),
            (
                "Commercial Projects",
                "We splice ropes for offices of every size and kind.",
            ),
            (
                "Industrial Projects",
                "We splice ropes for plants of every size and kind.",
            ),
        ],
        [
            (
                "Anna Moss",
                "I called Acme on a Friday and had my rope on Monday.",
            ),
            ("Ben Field", "I would buy at Acme again and again."),
            ("Cara Lane", "My Acme rope holds to this very day."),
        ],
        [
            ("Director of Operations", "Large Maker of Lifts in Leeds"),
            ("Plant Manager", "Second Maker of Cars in Ripon"),
            ("Chief Engineer", "Northern Port of Hull"),
        ],
    ] {
        let main = format!("<h1>Projects</h1>{}", cards(2, &rows));
        let draft = with_page("en", ("/projects", "Projects", &main));
        assert_eq!(proofs_of(&draft, "case_study"), [""; 0], "{main}");
    }
}

#[test]
fn labels_name_the_customer_of_a_project() {
    let main = "<h1>Nos chantiers</h1><h2>Halle de Montval</h2><dl><dt>Client</dt><dd>Globex</dd><dt>Travaux</dt><dd>Pose de filets</dd></dl>\
        <h2>Gymnase</h2><dl><dt>Client</dt><dd>Collectivités</dd></dl>";
    let draft = with_page("fr", ("/realisations", "Réalisations", main));
    assert_eq!(proofs_of(&draft, "case_study"), ["Globex"]);
}

#[test]
fn memberships_in_initials_are_spelled_out() {
    let cards: String = [
        ("GORA", "Guild of Rope Artisans"),
        ("NWRC", "Northern Wire Rope Council"),
        ("SPL", "Society of Professional Linesmen"),
    ]
    .iter()
    .map(|(short, long)| format!("<article><div>{short}</div><p>{long}</p></article>"))
    .collect();
    let main = format!("<h1>Associations</h1><h2>Memberships (3)</h2>{cards}");
    let draft = with_page("en", ("/associations", "Associations", &main));
    assert_eq!(
        proofs_of(&draft, "certification"),
        [
            "GORA Guild of Rope Artisans",
            "NWRC Northern Wire Rope Council",
            "SPL Society of Professional Linesmen"
        ]
    );
}

#[test]
fn a_heading_may_be_the_vision_itself() {
    let main = "<h1>About us</h1><p>Vision</p><h2>To be the rope that every climber in the north trusts.</h2><p>We get there by testing each strand twice and writing down what we see.</p>";
    let draft = with_page("en", ("/about", "About us", main));
    assert_eq!(
        at(&draft, "/foundations/vision"),
        "To be the rope that every climber in the north trusts."
    );
}

#[test]
fn customers_stand_in_chips() {
    let chips = "<div><span class=chip>Globex GmbH</span> <span class=chip>Moorbad Quell</span> <span class=chip>INITECH</span> <span class=chip>Hoolibo AG</span></div>";
    let main = format!("<h1>Acme</h1><h2>Unsere Kunden</h2>{chips}");
    let draft = acme(site("de", &main, &[])).draft();
    assert_eq!(
        proofs_of(&draft, "case_study"),
        ["Globex GmbH", "Moorbad Quell", "INITECH", "Hoolibo AG"]
    );
}

#[test]
fn lists_of_awards_have_their_years() {
    let main = "<h1>About us</h1><h2>Awards and recognition</h2><ul><li>Northern Rope of Merit, 2023</li><li>Splicer of the Year (Guild of Riggers)</li><li>And many more</li></ul>";
    let draft = with_page("en", ("/about", "About us", main));
    assert_eq!(
        proofs_of(&draft, "award"),
        [
            "Northern Rope of Merit, 2023",
            "Splicer of the Year (Guild of Riggers)"
        ]
    );
}

#[test]
fn headings_count_values_and_commitments() {
    let rules = cards(
        3,
        &[
            ("Nodi puliti", "Ogni nodo si scioglie a mano."),
            ("Prezzi scritti", "Il prezzo non cambia più."),
            ("Niente scorciatoie", "Proviamo ogni corda due volte."),
        ],
    );
    let values = |heading: &str| {
        let main = format!("<h1>Chi siamo</h1><h2>{heading}</h2>{rules}");
        let draft = with_page("it", ("/chi-siamo", "Chi siamo", &main));
        members(at(&draft, "/foundations/values"), "name").len()
    };
    assert_eq!(values("Tre regole non negoziabili"), 3);
    assert_eq!(values("Quattro regole non negoziabili"), 0);
    assert_eq!(values("Tre passi per la tua corda"), 0);
}

#[test]
fn pages_about_commitments_have_a_card_for_each() {
    let main = format!(
        "<p>Politique de direction</p><h1>Prévenir, tenir, transmettre.</h1>{}",
        cards(
            2,
            &[
                (
                    "Qualité",
                    "Acme s'engage à fournir des cordes conformes aux exigences de ses clients."
                ),
                (
                    "Environnement",
                    "Acme trie les chutes de chaque atelier et les rend à la filière."
                ),
                (
                    "Vos contacts",
                    "Écrivez à votre interlocuteur habituel pour toute question."
                ),
            ]
        )
    );
    let draft = with_page("fr", ("/engagements", "Engagements", &main));
    assert_eq!(
        at(&draft, "/foundations/commitments"),
        &gtm_sdk::json::json!([
            "Acme s'engage à fournir des cordes conformes aux exigences de ses clients.",
            "Acme trie les chutes de chaque atelier et les rend à la filière."
        ])
    );
}

#[test]
fn offerings_may_be_numbered() {
    let rows = cards(
        2,
        &[
            (
                "01 Splicing",
                "We splice ropes of every fibre up to a hundred metres.",
            ),
            (
                "02 Rope inspection",
                "We look at every strand and write down what we find.",
            ),
            (
                "03 Net making",
                "We knot nets to measure for ports and stages.",
            ),
        ],
    );
    let offerings = |title: &str, path: &str| {
        let main = format!("<h1>{title}</h1>{rows}");
        let draft = with_page("en", (path, title, &main));
        at(&draft, "/voice/vocabulary/preferred").clone()
    };
    assert_eq!(
        offerings("Our services", "/services"),
        gtm_sdk::json::json!(["Splicing", "Rope inspection", "Net making"])
    );
    assert_eq!(
        offerings("How we work", "/process"),
        gtm_sdk::json::json!([])
    );
}

#[test]
fn pages_about_customers_name_them_by_region() {
    let region = |name: &str, chips: &[&str]| {
        let chips: String = chips
            .iter()
            .map(|chip| format!("<span data-reveal class=\"rounded chip-2\">{chip}</span>\n"))
            .collect();
        format!(
            "<div><h2>{name} <span>({})</span></h2></div><div class=row>{chips}</div>",
            chips.len()
        )
    };
    let main = format!(
        "<p>Our clients</p><h1>400+ harbours. One rope.</h1><p>From single jetties to great ports, all of them trust Acme.</p>{}{}<h2>Talk to us</h2>",
        region(
            "Middle East",
            &[
                "Chuck E. Harbour Stores",
                "Fun Quay, Kuwait",
                "Magic Jetty, Bahrain",
                "Osool Moorings, KSA",
                "Al Montzah Port",
                "Jais Quay"
            ]
        ),
        region(
            "Europe",
            &[
                "Globex Pier, UK",
                "Umbra Park, UK",
                "Initech Docks, Ireland",
                "M&amp;Ds, Scotland",
                "Hoolibo, Slovakia",
                "Kart Pier, Croatia"
            ]
        ),
    );
    let draft = with_page("en", ("/clients", "Our clients", &main));
    assert_eq!(proofs_of(&draft, "case_study").len(), 10);
}
