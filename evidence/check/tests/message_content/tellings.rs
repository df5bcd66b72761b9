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
        (
            "it",
            "I nostri apprendisti vincono un premio. I nostri falegnami insegnano.",
            "I vostri falegnami vincono un premio.",
        ),
        (
            "nl",
            "Onze leerlingen winnen een prijs. Onze timmerlieden geven avondles.",
            "Uw timmerlieden winnen een prijs.",
        ),
        (
            "pt",
            "Os nossos aprendizes ganham um prémio. Os nossos carpinteiros ensinam.",
            "Os vossos carpinteiros ganham um prémio.",
        ),
        // Two places that differ in a number alone.
        (
            "en",
            "The new press stands in hall 2, the old press stands in hall 5.",
            "Your old press stands in hall 2.",
        ),
        // A pronoun that stands for nothing goes on with nothing.
        (
            "en",
            "Hollis Rail closes its depot in Goole. It is known that Tarn Rail opens a depot in Hull.",
            "Tarn Rail closes a depot in Hull.",
        ),
    ] {
        assert!(is_refused(language, excerpt, hook), "{hook}");
    }
    for (language, excerpt, hook) in [
        ("en", DEPOTS, "Your depot in Goole will close in March."),
        ("en", DEPOTS, "Your depot in Hull stays open."),
        (
            "en",
            "The new press stands in hall 2, the old press stands in hall 5.",
            "Your old press stands in hall 5.",
        ),
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
        (
            "it",
            "I nostri apprendisti vincono un premio. I nostri falegnami insegnano.",
            "I vostri apprendisti vincono un premio.",
        ),
        (
            "nl",
            "Onze leerlingen winnen een prijs. Onze timmerlieden geven avondles.",
            "Uw timmerlieden geven avondles.",
        ),
        (
            "pt",
            "Os nossos aprendizes ganham um prémio. Os nossos carpinteiros ensinam.",
            "Os vossos aprendizes ganham um prémio.",
        ),
        // `It` stands for the depot, and goes on with it.
        (
            "en",
            "We extend our depot in Hull. It will open in May.",
            "Your depot in Hull will open in May.",
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
        (
            "it",
            "Il gruppo Tarn compra Hollis.",
            "Hollis compra il gruppo Tarn.",
        ),
        ("nl", "Tarn koopt Hollis.", "Hollis koopt Tarn."),
        ("pt", "A Tarn compra a Hollis.", "A Hollis compra a Tarn."),
        // The ending of a verb says who acts where no pronoun does.
        (
            "es",
            "Desde octubre entregamos leche a 30 escuelas de Lugo.",
            "Desde octubre 30 escuelas de Lugo os entregan leche.",
        ),
        (
            "it",
            "Il consorzio Alba ci vende il grano.",
            "Vendete il grano al consorzio Alba.",
        ),
        // What stands first in German is not always who acts: `den` shows that the article behind the verb is who does.
        (
            "de",
            "Die Firma Hollis kauft der Konzern Tarn.",
            "Die Firma Hollis kauft den Konzern Tarn.",
        ),
        (
            "de",
            "Die Halle in Selm saniert der Konzern Tarn.",
            "Die Halle in Selm saniert den Konzern Tarn.",
        ),
        // No article of a feminine noun tells it, so order counts, and what is true is refused.
        (
            "de",
            "Die Halle in Selm kauft die Stadt.",
            "Die Stadt kauft die Halle in Selm.",
        ),
        // The verb may stand behind both, in the active as well.
        (
            "de",
            "Die Firma Tarn hat Hollis gekauft.",
            "Hollis hat die Firma Tarn gekauft.",
        ),
        (
            "de",
            "Hollis wurde von Tarn übernommen.",
            "Hollis hat Tarn übernommen.",
        ),
        (
            "de",
            "Tarn hat Hollis übernommen.",
            "Tarn wurde von Hollis übernommen.",
        ),
        (
            "nl",
            "Tarn heeft Hollis overgenomen.",
            "Hollis heeft Tarn overgenomen.",
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
        (
            "de",
            "Den Auftrag gewann die Firma Holm.",
            "Die Firma Holm hat den Auftrag gewonnen.",
        ),
        (
            "de",
            "Die Firma Tarn hat Hollis gekauft.",
            "Hollis wurde von der Firma Tarn gekauft.",
        ),
        (
            "de",
            "Hollis wurde von Tarn übernommen.",
            "Tarn hat Hollis übernommen.",
        ),
        (
            "nl",
            "Tarn heeft Hollis overgenomen.",
            "Hollis is door Tarn overgenomen.",
        ),
        (
            "es",
            "Desde octubre entregamos leche a 30 escuelas de Lugo.",
            "Desde octubre entregan leche a 30 escuelas de Lugo.",
        ),
        (
            "it",
            "Vendiamo il grano al consorzio Alba.",
            "Vendete il grano al consorzio Alba.",
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
        (
            "de",
            "Die Halle in Selm saniert der Konzern Tarn.",
            "Der Konzern Tarn saniert die Halle in Selm.",
        ),
    ] {
        assert!(!is_refused(language, excerpt, hook), "{hook}");
    }
}

/// Where no lists tell a true hook from a lie, only the excerpt's own words may stand.
#[test]
fn a_language_without_lists_fails_closed() {
    for (language, excerpt, verbatim, reworded) in [
        (
            "pl",
            "W maju otwieramy drugą klinikę w Gdyni.",
            "otwieramy drugą klinikę w Gdyni",
            "Państwa druga klinika w Gdyni.",
        ),
        (
            "ja",
            "大阪に新しい工場を開設します。",
            "大阪に新しい工場を開設します。",
            "大阪の工場を閉鎖します。",
        ),
    ] {
        assert!(!is_refused(language, excerpt, verbatim), "{verbatim}");
        assert!(is_refused(language, excerpt, reworded), "{reworded}");
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

/// Who buys stands before the verb, and who sells behind a preposition.
#[test]
fn who_buys_from_whom_is_not_turned_round() {
    for (language, excerpt, hook) in [
        (
            "en",
            "We bought 40 vans from Hollis.",
            "Hollis bought 40 vans from you.",
        ),
        (
            "en",
            "Hollis bought 40 vans from us.",
            "You bought 40 vans from Hollis.",
        ),
        (
            "en",
            "Hollis bought a mill from Tarn in May.",
            "Tarn bought a mill from Hollis in May.",
        ),
        (
            "en",
            "In May we purchased two kilns from Hollis.",
            "In May Hollis purchased two kilns from you.",
        ),
        (
            "de",
            "Wir kaufen 40 Wagen von Hollis.",
            "Hollis kauft 40 Wagen von Ihnen.",
        ),
        (
            "nl",
            "Wij kopen 40 wagens van Hollis.",
            "Hollis koopt 40 wagens van u.",
        ),
    ] {
        assert!(is_refused(language, excerpt, hook), "{hook}");
    }
    for (language, excerpt, hook) in [
        (
            "en",
            "We bought 40 vans from Hollis.",
            "You bought 40 vans from Hollis.",
        ),
        (
            "en",
            "Hollis bought 40 vans from us.",
            "Hollis bought 40 vans from you.",
        ),
        (
            "en",
            "Hollis bought a mill from Tarn in May.",
            "In May Hollis bought a mill from Tarn.",
        ),
        (
            "en",
            "We are moving our stock from Hull to Goole.",
            "You are moving your stock from Hull to Goole.",
        ),
        (
            "de",
            "Wir kaufen 40 Wagen von Hollis.",
            "Sie kaufen 40 Wagen von Hollis.",
        ),
        (
            "nl",
            "Wij kopen 40 wagens van Hollis.",
            "U koopt 40 wagens van Hollis.",
        ),
    ] {
        assert!(!is_refused(language, excerpt, hook), "{hook}");
    }
}
