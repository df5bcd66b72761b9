//! Denials that promise nothing, and words that only look like one.
#![allow(clippy::unwrap_used)]

use super::super::Promise;
use super::found;

/// Sentences that deny a promise of savings, by language, with the claim that they would make.
const DENIALS: &[(&str, &str)] = &[
    ("guaranteed savings", "Savings are not guaranteed."),
    ("guaranteed savings", "We promise no savings."),
    ("guaranteed savings", "Nobody guarantees savings."),
    ("guaranteed savings", "No one promises savings."),
    ("guaranteed savings", "We guarantee no savings of any kind."),
    ("guaranteed savings", "Savings cannot be promised."),
    (
        "guaranteed savings",
        "We do not promise or guarantee savings.",
    ),
    (
        "guaranteed savings",
        "We neither promise nor guarantee savings.",
    ),
    ("guaranteed savings", "Your savings are never guaranteed."),
    (
        "garantierte Einsparung",
        "Wir garantieren keine Einsparungen.",
    ),
    ("garantierte Einsparung", "Niemand garantiert Einsparungen."),
    ("garantierte Einsparung", "Wir versprechen keine Ersparnis."),
    (
        "garantierte Einsparung",
        "Eine Ersparnis ist nicht zugesichert.",
    ),
    ("garantierte Einsparung", "Es gibt keine Spargarantie."),
    (
        "économies garanties",
        "Les économies ne sont pas garanties.",
    ),
    (
        "économies garanties",
        "Nous ne promettons pas d’économies garanties.",
    ),
    ("économies garanties", "Nous ne promettons aucune économie."),
    ("économies garanties", "Personne ne garantit d’économies."),
    ("ahorro garantizado", "No garantizamos ahorros."),
    ("ahorro garantizado", "El ahorro no está garantizado."),
    ("ahorro garantizado", "Nadie garantiza el ahorro."),
    ("risparmio garantito", "Il risparmio non è garantito."),
    ("risparmio garantito", "Non promettiamo alcun risparmio."),
    ("risparmio garantito", "Nessuno garantisce un risparmio."),
    ("poupança garantida", "A poupança não é garantida."),
    ("poupança garantida", "Não prometemos nenhuma poupança."),
    ("poupança garantida", "Ninguém garante a poupança."),
    (
        "gegarandeerde besparing",
        "De besparing is niet gegarandeerd.",
    ),
    ("gegarandeerde besparing", "Wij beloven geen besparing."),
    (
        "gegarandeerde besparing",
        "Niemand garandeert een besparing.",
    ),
];

#[test]
fn honest_denials_make_no_claim() {
    for (claim, text) in DENIALS {
        assert!(!found(claim, text), "{claim}: {text}");
    }
}

/// Nor do they state a result, wherever in them its word stands.
#[test]
fn honest_denials_promise_no_result() {
    for (_, text) in DENIALS {
        let words = text.match_indices(|c: char| c.is_alphabetic());
        let mut words: Vec<usize> = words.map(|(at, _)| at).collect();
        words.retain(|at| {
            let rest = &text[*at..].to_lowercase();
            let begins_word = text[..*at]
                .chars()
                .next_back()
                .is_none_or(|c| !c.is_alphabetic());
            let results = [
                "saving",
                "guarant",
                "promis",
                "einspar",
                "ersparnis",
                "garant",
                "versprech",
                "économie",
                "promett",
                "ahorro",
                "risparmi",
                "poupan",
                "besparing",
                "belov",
            ];
            begins_word && results.iter().any(|it| rest.starts_with(it))
        });
        for at in words {
            assert!(
                Promise::of(text).is_denied_behind(&text[..at]),
                "{text}: {}",
                &text[at..]
            );
        }
    }
}

#[test]
fn what_is_denied_of_another_is_claimed() {
    for (claim, text) in [
        ("guaranteed savings", "We can not not guarantee savings."),
        ("guaranteed savings", "We cannot not promise savings."),
        (
            "guaranteed savings",
            "You can’t not save, guaranteed savings are yours.",
        ),
        (
            "guaranteed savings",
            "There are no guaranteed savings like ours.",
        ),
        (
            "guaranteed savings",
            "There are no guaranteed savings but ours.",
        ),
        ("guaranteed savings", "No guaranteed savings match ours."),
        (
            "guaranteed savings",
            "Savings are not guaranteed, except with us.",
        ),
        (
            "guaranteed savings",
            "Savings are not guaranteed unless you sign.",
        ),
        ("guaranteed savings", "Nobody else guarantees savings."),
        ("guaranteed savings", "Nobody guarantees higher savings."),
        ("guaranteed savings", "We cannot fail to guarantee savings."),
        ("guaranteed savings", "We cannot help but promise savings."),
        (
            "garantierte Einsparung",
            "Wir können nicht nicht Einsparungen garantieren.",
        ),
        (
            "garantierte Einsparung",
            "Keine garantierte Einsparung ausser unserer.",
        ),
        (
            "garantierte Einsparung",
            "Es gibt keine garantierte Einsparung wie unsere.",
        ),
        (
            "garantierte Einsparung",
            "Niemand sonst garantiert Einsparungen.",
        ),
        (
            "économies garanties",
            "Aucunes économies garanties comme les nôtres.",
        ),
        (
            "économies garanties",
            "Nous ne pouvons pas ne pas garantir d’économies.",
        ),
        (
            "économies garanties",
            "Personne d’autre ne garantit d’économies.",
        ),
        (
            "ahorro garantizado",
            "No hay ahorro garantizado como el nuestro.",
        ),
        ("ahorro garantizado", "No podemos no garantizar el ahorro."),
        (
            "risparmio garantito",
            "Nessun risparmio garantito come il nostro.",
        ),
        (
            "risparmio garantito",
            "Non possiamo non garantire il risparmio.",
        ),
        (
            "poupança garantida",
            "Nenhuma poupança garantida como a nossa.",
        ),
        ("poupança garantida", "Não podemos não garantir a poupança."),
        (
            "gegarandeerde besparing",
            "Geen gegarandeerde besparing zoals de onze.",
        ),
        (
            "gegarandeerde besparing",
            "Wij kunnen niet niet een besparing garanderen.",
        ),
    ] {
        assert!(found(claim, text), "{claim}: {text}");
    }
}

#[test]
fn results_that_are_denied_are_promised() {
    for (text, word) in [
        ("It never reduces your quality.", "reduces"),
        ("No savings are not guaranteed.", "savings"),
        ("We do not promise that you will not save.", "save"),
        ("We promise no increases.", "increases"),
        ("Delivery is not guaranteed, savings are.", "savings"),
        ("We guarantee savings.", "savings"),
        ("We guarantee no less than savings.", "savings"),
    ] {
        let at = text.find(word).unwrap();
        assert!(!Promise::of(text).is_denied_behind(&text[..at]), "{text}");
    }
}
