//! What a company offers and promises, told by the form of a page where its words are few: names in bold, names that praise,
//! stars beside what somebody says, texts that a quotation only sets in.

use gtm_sdk::{Value, json::json};

use crate::run::{acme, at, basis, proofs_of};
use crate::web::home;

fn draft(language: &str, main: &str) -> Value {
    acme(home(language, &[], &format!("<h1>Acme</h1>{main}"), "")).draft()
}

fn testimonials(language: &str, main: &str) -> Vec<String> {
    proofs_of(&draft(language, main), "testimonial")
}

#[test]
fn stars_show_that_a_given_name_is_an_authors() {
    let card =
        |said: &str, name: &str| format!("<div><div>★★★★★</div><p>„{said}“</p><p>{name}</p></div>");
    let cards = [
        card(
            "Die Glocke läutet seit dem ersten Tag ohne jeden Fehler.",
            "Timo",
        ),
        card(
            "Am Abend hing sie schon im Turm, und alles war sauber.",
            "Anna Beck, Ulm",
        ),
    ];
    assert_eq!(testimonials("de", &cards.concat()).len(), 2);
    let below = "<div><p>“They hung the bell in one day and left no dust.”</p><div>★★★★★</div><h3>Jane R.</h3></div>";
    assert_eq!(
        testimonials("en", below),
        ["“They hung the bell in one day and left no dust.” Jane R."]
    );
    // Without stars, one word below a text in quotation marks may be anything.
    let motto = "<div><p>„Die Glocke läutet seit dem ersten Tag ohne jeden Fehler.“</p><p>Kontakt</p></div>";
    assert!(testimonials("de", motto).is_empty());
}

#[test]
fn a_text_that_a_quotation_only_sets_in_is_nobodys_word() {
    for (language, main) in [
        (
            "de",
            "<blockquote>Die Werkstatt gießt Glocken für Türme und Uhren aus Bronze.</blockquote><p>Leistungen und Preise</p>",
        ),
        (
            "en",
            "<blockquote>The foundry casts bells for towers of bronze. Each rings for generations. Bronze of the north</blockquote>",
        ),
        (
            "fr",
            "<blockquote><p>La fonderie coule des cloches de bronze pour les tours.</p></blockquote><p>Nos horaires</p><p>Nos tarifs</p>",
        ),
    ] {
        assert!(testimonials(language, main).is_empty(), "{main}");
    }
    let signed =
        "<blockquote>They hung the bell in one day and left no dust.</blockquote><p>Jane Roe</p>";
    assert_eq!(testimonials("en", signed).len(), 1);
}

/// Cards under a heading.
fn cards(heading: &str, cards: &[(&str, &str)]) -> String {
    let cards = cards.iter();
    let cards: String = cards
        .map(|(name, text)| format!("<h3>{name}</h3><p>{text}</p>"))
        .collect();
    format!("<h2>{heading}</h2>{cards}")
}

#[test]
fn cards_that_praise_how_the_company_works_set_it_apart() {
    for (language, main) in [
        (
            "en",
            cards(
                "Bells for every tower",
                &[
                    ("Reliability", "Each bell rings on the day that was agreed."),
                    ("Family run", "Two sisters answer every call themselves."),
                    (
                        "Old towers",
                        "Stairs and beams are checked before the lift.",
                    ),
                ],
            ),
        ),
        (
            "de",
            cards(
                "Glocken für jeden Turm",
                &[
                    ("Zuverlässigkeit", "Jede Glocke läutet am vereinbarten Tag."),
                    ("Termintreue", "Zwei Schwestern gehen selbst ans Telefon."),
                    ("Alte Türme", "Treppen und Balken werden vorher geprüft."),
                ],
            ),
        ),
    ] {
        let told = draft(language, &main);
        let apart = at(&told, "/positioning/differentiators");
        assert_eq!(apart.as_array().unwrap().len(), 3, "{language}: {apart}");
        let basis = basis(&told, "/positioning/differentiators/0");
        assert_eq!(basis["basis"], "inferred", "{language}");
    }
    // Services have other names, though one of them may praise.
    let services = cards(
        "Bells for every tower",
        &[
            (
                "Precision casting",
                "Bronze is poured to the gram and the hertz.",
            ),
            ("Repairs", "Cracks are welded in the tower or in the yard."),
            ("Quality", "Each bell rings on the day that was agreed."),
        ],
    );
    let told = draft("en", &services);
    assert_eq!(at(&told, "/positioning/differentiators"), &json!([]));
}

#[test]
fn what_leads_to_a_list_is_no_mission() {
    for lead in [
        "Our mission is, for every town of the north:",
        "We want for every tower in the north:",
    ] {
        let main = format!(
            "<h2>Our mission</h2><p>{lead}</p><ul><li>Bells that ring</li><li>Clocks that go</li></ul>"
        );
        assert!(
            at(&draft("en", &main), "/foundations/mission").is_null(),
            "{lead}"
        );
    }
}
