//! Groups of buyers in cards and lists under headings, and on pages, that say what it is.

use gtm_sdk::Value;

use crate::headed::{cards, with_page};
use crate::languages::site;
use crate::run::{acme, at, members};

fn segments(draft: &Value) -> Vec<&str> {
    members(at(draft, "/audience/segments"), "name")
}

#[test]
fn pages_about_lines_of_business_have_a_card_for_each() {
    let main = format!(
        "<p>Secteurs d'intervention</p><h1>Trois mondes, une corde.</h1>{}<h2>Nous connaissons votre secteur.</h2><p>Parlons de votre projet.</p>",
        cards(
            3,
            &[
                ("Remontées mécaniques", "Des câbles qui tiennent au gel."),
                ("Ports de plaisance", "Des amarres qui ne grincent pas."),
                ("Spectacle vivant", "Des filins que le public ne voit pas."),
            ]
        )
    );
    let draft = with_page("fr", ("/secteurs", "Secteurs", &main));
    assert_eq!(
        segments(&draft),
        [
            "Remontées mécaniques",
            "Ports de plaisance",
            "Spectacle vivant"
        ]
    );
}

#[test]
fn what_each_line_of_business_gets_is_none_of_them() {
    let group = |name: &str| {
        let inner = cards(
            3,
            &[
                (
                    "Câbles sur mesure",
                    "Coupés au mètre près, dans la journée.",
                ),
                ("Contrôle annuel", "Chaque brin est regardé et noté."),
            ],
        );
        format!("<h2>{name}</h2><p>Nous connaissons ce métier depuis vingt ans.</p>{inner}")
    };
    let main = format!(
        "<h1>Une corde pour chacun.</h1>{}{}{}",
        group("Remontées mécaniques"),
        group("Ports de plaisance"),
        group("Spectacle vivant")
    );
    let draft = with_page("fr", ("/secteurs", "Secteurs", &main));
    assert_eq!(
        segments(&draft),
        [
            "Remontées mécaniques",
            "Ports de plaisance",
            "Spectacle vivant"
        ]
    );
}

#[test]
fn a_label_announces_the_cards_below() {
    let card = |name: &str, text: &str| {
        format!("<div class=card><p class=t>{name}</p><p class=d>{text}</p></div>")
    };
    let main = format!(
        "<h1>Acme</h1><p>Cuerdas para todo el país.</p><p>SECTORES</p>{}{}{}",
        card(
            "Minería",
            "Cables que bajan hasta el último nivel de la mina."
        ),
        card(
            "Pesca",
            "Redes que aguantan la sal y el sol de todo el año."
        ),
        card("Teatro", "Cuerdas que suben el telón cada noche sin ruido.")
    );
    let draft = acme(site("es", &main, &[])).draft();
    assert_eq!(segments(&draft), ["Minería", "Pesca", "Teatro"]);
}

#[test]
fn pages_below_a_folder_for_lines_of_business_are_one_each() {
    let links = "<div><a href=/industries/rail>Rail</a> <a href=/industries/ports>Ports and harbours</a> <a href=/industries/stage>Stage</a> <a href=/industries/rail>Learn more</a></div>";
    let main = format!("<h1>Acme</h1><p>Acme makes ropes.</p>{links}");
    let draft = acme(site("en", &main, &[])).draft();
    assert_eq!(segments(&draft), ["Rail", "Ports and harbours", "Stage"]);
}
