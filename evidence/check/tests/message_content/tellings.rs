//! Hooks of their excerpts' own words: each part is told by one clause, and whoever acts there acts here.

use gtm_domain::message::compliance::CheckKey;
use gtm_test_support::growth;

use super::message::Message;

fn is_refused(language: &'static str, excerpt: &'static str, hook: &'static str) -> bool {
    let mut message = Message::good().hooked(excerpt, hook);
    message.language = language;
    let failing = message.failing();
    (failing.iter()).any(|(check, _)| *check == CheckKey::EvidenceAnchors)
}

const DEPOTS: &str = "The depot in Hull stays open, and the depot in Goole will close in March.";

#[test]
fn what_is_told_of_one_thing_is_not_told_of_another() {
    for (language, excerpt, hook) in [
        ("en", DEPOTS, "Your depot in Hull will close in March."),
        // Nor with the words of another sentence.
        (
            "en",
            "Our apprentices won a prize for joinery. Our carpenters teach evening classes.",
            "Your carpenters won a prize for joinery.",
        ),
        (
            "de",
            "Im Altbau erneuern wir die Fenster, im Neubau verlegen wir die Leitungen.",
            "Im Neubau erneuern Sie die Fenster.",
        ),
        (
            "fr",
            "La scierie garde ses salariés et le groupe recrute un directeur.",
            "La scierie recrute un directeur.",
        ),
        (
            "es",
            "El restaurante abre todo el año y la piscina cierra en octubre.",
            "La piscina abre todo el año.",
        ),
    ] {
        assert!(is_refused(language, excerpt, hook), "{hook}");
    }
    for (language, excerpt, hook) in [
        ("en", DEPOTS, "Your depot in Goole will close in March."),
        ("en", DEPOTS, "Your depot in Hull stays open."),
        // A circumstance that the clause has none of may stand beside it.
        (
            "en",
            "Our plans for a warehouse at Tarn Lane are approved. Construction starts in September.",
            "Construction of your warehouse at Tarn Lane starts in September.",
        ),
        // The clause goes on with what was told before.
        (
            "fr",
            "Nous avons agrandi notre entrepôt : 3 000 palettes y trouvent place.",
            "Votre entrepôt accueille 3 000 palettes.",
        ),
        // What an enumeration goes on with is no clause of its own.
        (
            "en",
            "We deliver fresh bread, organic butter, and the milk of local farms.",
            "You deliver the milk of local farms.",
        ),
        // A relative clause tells more of what stands before it.
        (
            "de",
            "Wir kaufen den Hof am Bach, der seit Jahren leer steht.",
            "Der Hof am Bach steht seit Jahren leer.",
        ),
        // Without a list of prepositions nothing can be told.
        (
            "it",
            "I nostri apprendisti vincono un premio. I nostri falegnami insegnano.",
            "I vostri falegnami vincono un premio.",
        ),
    ] {
        assert!(!is_refused(language, excerpt, hook), "{hook}");
    }
}

#[test]
fn whoever_acts_in_the_excerpt_acts_in_the_hook() {
    for (language, excerpt, hook) in [
        (
            "en",
            "Maren Oakes succeeds Tobias Lunt.",
            "Tobias Lunt succeeds Maren Oakes.",
        ),
        (
            "en",
            "Maren Oakes succeeds Tobias Lunt.",
            "Maren Oakes is succeeded by Tobias Lunt.",
        ),
        (
            "en",
            "The school was founded by the Quarrington Trust.",
            "The Quarrington Trust was founded by your school.",
        ),
        (
            "en",
            "We supply bread to schools in Kent.",
            "Schools in Kent supply you with bread.",
        ),
        (
            "de",
            "Die Stadt verkauft der Klinik das Grundstück.",
            "Ihre Klinik verkauft der Stadt das Grundstück.",
        ),
        (
            "fr",
            "La coopérative Grandval nous livre ses abricots.",
            "Vous livrez vos abricots à la coopérative Grandval.",
        ),
        (
            "es",
            "Elena Carrión sustituye a Pablo Ferrer.",
            "Pablo Ferrer sustituye a Elena Carrión.",
        ),
    ] {
        assert!(is_refused(language, excerpt, hook), "{hook}");
    }
    for (language, excerpt, hook) in [
        (
            "en",
            "Maren Oakes succeeds Tobias Lunt.",
            "Tobias Lunt is succeeded by Maren Oakes.",
        ),
        (
            "de",
            "Die Stadt verkauft der Klinik das Grundstück.",
            "Die Stadt verkauft Ihrer Klinik das Grundstück.",
        ),
        // The object may stand first, where its form tells it.
        (
            "de",
            "Den Neubau errichtet die Firma Holm.",
            "Die Firma Holm errichtet den Neubau.",
        ),
        // Circumstances may change their places.
        (
            "de",
            "Ab Herbst verzichten wir in unseren Märkten auf Tüten.",
            "In Ihren Märkten verzichten Sie ab Herbst auf Tüten.",
        ),
        // Another word for it may tell it from the other side.
        (
            "fr",
            "Le cabinet Morvan accueille deux associées.",
            "Deux associées rejoignent le cabinet Morvan.",
        ),
        (
            "fr",
            "La coopérative Grandval nous livre ses abricots.",
            "La coopérative Grandval vous livre ses abricots.",
        ),
    ] {
        assert!(!is_refused(language, excerpt, hook), "{hook}");
    }
}

#[test]
fn a_long_excerpt_takes_linear_work() {
    let hook = "Your depot in Hull supplies bread to the schools in Kent, and the depot in Goole supplies you by Fenwick with it.";
    for (what, unit) in [
        (
            "one clause",
            "depot supplies bread to schools by Fenwick is ",
        ),
        ("clauses", "the depot in Hull supplies bread to schools, "),
        ("joints", "and the depot in Hull supplies bread to schools "),
        ("sentences", "The depot in Hull supplies bread to schools. "),
    ] {
        let run = |excerpt: &str| {
            let excerpt: &'static str = excerpt.to_owned().leak();
            Message::good().hooked(excerpt, hook).failing();
        };
        growth::is_linear(what, |size| unit.repeat(size), run);
    }
}
