//! Tests of forbidden claims.

mod disguises;
mod honest_denials;
mod other_words;

use proptest::prelude::*;

use super::*;

fn found(claim: &str, text: &str) -> bool {
    ForbiddenClaims::of(&[&[claim]]).first_in(text).is_some()
}

#[test]
fn claims_are_found_in_other_forms_and_orders() {
    for (claim, text) in [
        ("guaranteed savings", "Guaranteed savings!"),
        ("guaranteed savings", "Your savings are guaranteed."),
        (
            "guaranteed savings",
            "Your sav\u{200b}ings are guar\u{ad}anteed.",
        ),
        ("guaranteed savings", "Savings, guaranteed."),
        (
            "guaranteed savings",
            "We guarantee that your saving is at least as high as the fee.",
        ),
        ("HMRC approved", "The ledger is approved by HMRC."),
        ("klimaneutral", "Mit klimaneutralem Versand."),
        ("klimaneutral", "Wir liefern KLIMANEUTRAL."),
        (
            "garantierte Einsparung",
            "Die Einsparungen sind garantiert.",
        ),
        ("économies garanties", "Vos économies sont garanties."),
        (
            "ahorro garantizado",
            "Garantizamos el ahorro: garantizado por contrato, ahorros incluidos.",
        ),
        ("risk-free trial", "risk-free trials for everybody"),
        ("keine Ausfälle", "Keine Ausfällen mehr"),
        ("no hidden costs", "There are no costs that are hidden."),
        ("保証します", "当社は保証します。"),
        ("100 %", "100% uptime"),
    ] {
        assert!(found(claim, text), "{claim}: {text}");
    }
}

#[test]
fn what_claims_something_else_is_left_alone() {
    for (claim, text) in [
        // Denied, or in two sentences.
        ("guaranteed savings", "Savings are not guaranteed."),
        (
            "guaranteed savings",
            "We have guaranteed delivery. Savings depend on your use.",
        ),
        (
            "guaranteed savings",
            "Delivery is guaranteed within two days; savings depend on your use.",
        ),
        (
            "garantierte Einsparung",
            "Einsparungen sind nicht garantiert.",
        ),
        (
            "économies garanties",
            "Les économies ne sont pas garanties.",
        ),
        // Other words.
        ("klimaneutral", "Das Klima in der Halle bleibt neutral."),
        ("guaranteed savings", "guaranteed savingsbook"),
        ("organic", "We organise the delivery."),
        ("secure", "Data security is checked every year."),
        ("leader", "A leadership course."),
        ("market leader", "Ask whoever leads the market."),
        ("contract penalty", "We contribute to penal law."),
        // Short words in another order say something else.
        (
            "zero risk",
            "The risk that you see is not zero, and zero is rare.",
        ),
        ("best price", "The price is best asked on site."),
        ("free trial", "Trials are run free of noise."),
        // Too far apart.
        (
            "guaranteed savings",
            "Guaranteed delivery on each of the five working days of every week of the whole year also brings savings",
        ),
        ("100 %", "100 flats"),
        ("", "anything"),
    ] {
        assert!(!found(claim, text), "{claim}: {text}");
    }
}

#[test]
fn a_negation_denies_only_what_it_governs() {
    for (claim, text) in [
        (
            "guaranteed savings",
            "We do not only promise guaranteed savings.",
        ),
        (
            "guaranteed savings",
            "We do not only promise that your savings are guaranteed.",
        ),
        ("guaranteed savings", "We don’t just guarantee savings."),
        (
            "guaranteed savings",
            "Not a day passes without savings that are guaranteed.",
        ),
        (
            "guaranteed savings",
            "No risk: your savings are guaranteed.",
        ),
        (
            "guaranteed savings",
            "With no risk your savings are guaranteed.",
        ),
        (
            "guaranteed savings",
            "No doubt your savings are guaranteed.",
        ),
        (
            "guaranteed savings",
            "Why not get savings that are guaranteed?",
        ),
        ("guaranteed savings", "Don’t you want savings guaranteed?"),
        (
            "guaranteed savings",
            "Savings guaranteed without any setup.",
        ),
        (
            "guaranteed savings",
            "Do not miss savings that are guaranteed.",
        ),
        (
            "guaranteed savings",
            "This is not cheap, but savings are guaranteed.",
        ),
        (
            "guaranteed savings",
            "We do not guarantee delivery and savings are guaranteed.",
        ),
        (
            "garantierte Einsparung",
            "Wir garantieren nicht nur Einsparungen.",
        ),
        (
            "garantierte Einsparung",
            "Die Einsparungen sind ohne Risiko garantiert.",
        ),
        (
            "économies garanties",
            "Vos économies ne sont pas seulement garanties.",
        ),
        ("ahorro garantizado", "No solo garantizamos el ahorro."),
        ("klimaneutral", "Nicht nur in klimaneutralen Paketen."),
        // What is denied twice is said.
        ("guaranteed savings", "Not without guaranteed savings."),
        (
            "guaranteed savings",
            "We never leave without guaranteed savings.",
        ),
        (
            "guaranteed savings",
            "You are not left without savings that are guaranteed.",
        ),
        (
            "guaranteed savings",
            "It is not true that savings are not guaranteed.",
        ),
        (
            "garantierte Einsparung",
            "Nicht ohne garantierte Einsparung.",
        ),
        (
            "garantierte Einsparung",
            "Es stimmt nicht, dass Einsparungen nicht garantiert sind.",
        ),
        (
            "économies garanties",
            "Jamais sans des économies garanties.",
        ),
        (
            "économies garanties",
            "Il n’est pas vrai que vos économies ne sont pas garanties.",
        ),
        ("ahorro garantizado", "Nunca sin ahorro garantizado."),
        ("risparmio garantito", "Non senza un risparmio garantito."),
        (
            "gegarandeerde besparing",
            "Niet zonder gegarandeerde besparing.",
        ),
        ("poupança garantida", "Nunca sem poupança garantida."),
    ] {
        assert!(found(claim, text), "{claim}: {text}");
    }
    for (claim, text) in [
        ("guaranteed savings", "We do not guarantee savings."),
        ("guaranteed savings", "We cannot guarantee any savings."),
        (
            "guaranteed savings",
            "We do not promise that savings are guaranteed.",
        ),
        ("guaranteed savings", "There is no guarantee of savings."),
        (
            "guaranteed savings",
            "We sell meters without guaranteeing savings.",
        ),
        ("guaranteed savings", "Savings? Not guaranteed."),
        (
            "garantierte Einsparung",
            "Wir garantieren keine Einsparungen.",
        ),
        (
            "garantierte Einsparung",
            "Einsparungen garantieren wir nicht.",
        ),
        (
            "économies garanties",
            "Nous ne pouvons pas garantir vos économies.",
        ),
        ("ahorro garantizado", "No podemos garantizar el ahorro."),
        ("ahorro garantizado", "No garantizamos ningún ahorro."),
        ("risparmio garantito", "Non garantiamo risparmi."),
        (
            "klimaneutral",
            "Wir liefern nicht in klimaneutralen Paketen.",
        ),
    ] {
        assert!(!found(claim, text), "{claim}: {text}");
    }
}

#[test]
fn what_is_denied_word_for_word_is_no_claim() {
    for (claim, text) in [
        ("guaranteed savings", "We don’t promise guaranteed savings."),
        (
            "guaranteed savings",
            "We do not promise any guaranteed savings.",
        ),
        ("guaranteed savings", "There are no guaranteed savings."),
        ("promise", "We don’t promise quick wins."),
        ("obligation", "There is no obligation."),
        ("obligation", "A short call, no obligation."),
        ("obligation", "A short call without any obligation"),
        ("obligation", "There is no further obligation."),
        ("obligation", "No long-term obligation of any kind."),
        (
            "garantierte Einsparung",
            "Wir versprechen keine garantierte Einsparung.",
        ),
        ("Verpflichtung", "Ohne Verpflichtung"),
        ("Verpflichtung", "Es entsteht keine weitere Verpflichtung."),
        (
            "économies garanties",
            "Nous ne promettons pas d’économies garanties.",
        ),
        ("engagement", "Un appel, sans engagement"),
        ("engagement", "Sans aucun engagement de votre part"),
        ("ahorro garantizado", "No prometemos un ahorro garantizado."),
        ("compromiso", "Una llamada, sin compromiso"),
        ("compromiso", "Sin ningún tipo de compromiso"),
    ] {
        assert!(!found(claim, text), "{claim}: {text}");
    }
    for (claim, text) in [
        (
            "guaranteed savings",
            "We don’t just promise guaranteed savings.",
        ),
        (
            "guaranteed savings",
            "We do not promise guaranteed savings, we deliver guaranteed savings.",
        ),
        ("guaranteed savings", "No risk, guaranteed savings."),
        ("guaranteed savings", "No doubt: guaranteed savings."),
        ("guaranteed savings", "Why not get guaranteed savings?"),
        ("guaranteed savings", "Do not miss guaranteed savings."),
        (
            "guaranteed savings",
            "We do not promise guaranteed savings. Guaranteed\nsavings",
        ),
        (
            "guaranteed savings",
            "We never break our guaranteed savings promise.",
        ),
        ("no obligation", "There is no obligation."),
        ("no hidden costs", "No hidden costs."),
        ("ohne Risiko", "Ganz ohne Risiko"),
        ("garantierte Einsparung", "Nicht nur garantierte Einsparung"),
        (
            "économies garanties",
            "Pas seulement des économies garanties",
        ),
        (
            "économies garanties",
            "Vos économies ne sont pas que garanties.",
        ),
        (
            "économies garanties",
            "Nous ne promettons pas que des économies garanties.",
        ),
        ("ahorro garantizado", "No solo ahorro garantizado"),
        ("100 % guaranteed", "No fear: 100 % guaranteed"),
    ] {
        assert!(found(claim, text), "{claim}: {text}");
    }
}

#[test]
fn marks_within_a_claim_do_not_hide_it() {
    for (claim, text) in [
        ("guaranteed savings", "Savings? Guaranteed."),
        ("guaranteed savings", "Your savings. Guaranteed!"),
        ("guaranteed savings", "Your savings? Yes! Guaranteed."),
        ("guaranteed savings", "guaranteed: savings"),
        ("guaranteed savings", "guaranteed - savings"),
        ("guaranteed savings", "Savings – guaranteed."),
        (
            "guaranteed savings",
            "Your ｓａｖｉｎｇｓ are ｇｕａｒａｎｔｅｅｄ",
        ),
        ("guaranteed savings", "Your 𝘀𝗮𝘃𝗶𝗻𝗴𝘀 are 𝗴𝘂𝗮𝗿𝗮𝗻𝘁𝗲𝗲𝗱"),
        ("100 % guaranteed", "100\u{200b} % guar\u{ad}anteed"),
        ("100 % guaranteed", "１００％ ｇｕａｒａｎｔｅｅｄ"),
        ("100 % guaranteed", "100 %: guaranteed"),
    ] {
        assert!(found(claim, text), "{claim}: {text}");
    }
    for (claim, text) in [
        // Each of the two says something of its own.
        ("guaranteed savings", "Guaranteed delivery. Energy savings."),
        ("guaranteed savings", "Guaranteed delivery\nSavings"),
    ] {
        assert!(!found(claim, text), "{claim}: {text}");
    }
}

#[test]
fn what_is_never_lost_or_was_never_so_is_claimed() {
    for (claim, text) in [
        (
            "guaranteed savings",
            "We never break our guarantee of savings.",
        ),
        (
            "guaranteed savings",
            "You will never lose savings that we guarantee.",
        ),
        (
            "guaranteed savings",
            "Never before have your savings been guaranteed like this.",
        ),
        (
            "guaranteed savings",
            "Savings have never been more guaranteed.",
        ),
        (
            "guaranteed savings",
            "Nobody can beat our guaranteed, lasting savings.",
        ),
        (
            "guaranteed savings",
            "Nobody can guarantee savings like we do.",
        ),
        (
            "guaranteed savings",
            "You no longer wait for savings that are guaranteed.",
        ),
        (
            "garantierte Einsparung",
            "Nie waren Einsparungen so garantiert.",
        ),
        (
            "garantierte Einsparung",
            "Noch nie gab es Einsparungen so garantiert.",
        ),
        (
            "garantierte Einsparung",
            "Wir brechen nie unsere Garantie von Einsparungen.",
        ),
        (
            "économies garanties",
            "Jamais vos économies n’ont été aussi garanties.",
        ),
        (
            "ahorro garantizado",
            "Nunca antes fue el ahorro tan garantizado.",
        ),
    ] {
        assert!(found(claim, text), "{claim}: {text}");
    }
    for (claim, text) in [
        ("guaranteed savings", "Savings are no longer guaranteed."),
        ("guaranteed savings", "Savings are in no way guaranteed."),
        ("guaranteed savings", "Savings are by no means guaranteed."),
        ("guaranteed savings", "Nobody can guarantee savings."),
        ("guaranteed savings", "No one can guarantee savings."),
        (
            "guaranteed savings",
            "We never promise savings that are guaranteed.",
        ),
        (
            "garantierte Einsparung",
            "Niemand kann Einsparungen garantieren.",
        ),
        (
            "garantierte Einsparung",
            "Einsparungen sind keineswegs garantiert.",
        ),
        ("ahorro garantizado", "Nadie puede garantizar el ahorro."),
        (
            "économies garanties",
            "Personne ne peut garantir vos économies.",
        ),
    ] {
        assert!(!found(claim, text), "{claim}: {text}");
    }
}

#[test]
fn a_sentence_of_a_claims_words_belongs_to_the_end_of_the_one_before() {
    for text in [
        "Your heating bill will show real savings. Guaranteed.",
        "Your heating bill will show real savings. Yes! Guaranteed.",
        "Your heating bill will show real savings. We guarantee it.",
    ] {
        assert!(found("guaranteed savings", text), "{text}");
    }
    for text in [
        "Your heating bill will show real savings. Not guaranteed.",
        "Your heating bill will show real savings. We do not guarantee them.",
        "Your heating bill will show real savings. Guaranteed delivery.",
        "Your heating bill will show real savings.\nGuaranteed",
        "Savings depend on how your flats are heated and on the weather. Guaranteed.",
    ] {
        assert!(!found("guaranteed savings", text), "{text}");
    }
}

#[test]
fn marks_of_a_claim_do_not_bind_it_to_its_form() {
    for claim in [
        "Guaranteed savings!",
        "“Guaranteed savings”",
        "* guaranteed savings *",
        "guaranteed / savings",
        "guaranteed & savings",
        "guaranteed: savings",
        "(guaranteed) savings",
        "\"guaranteed\" savings",
    ] {
        assert!(found(claim, "Your savings are guaranteed."), "{claim}");
    }
    // A sign says something, at an end, too.
    assert!(!found(
        "guaranteed savings %",
        "Your savings are guaranteed."
    ));
}

proptest! {
    /// A denial excuses its own claim and none beside it.
    #[test]
    fn a_claim_beside_its_denial_is_found(
        denial in prop::sample::select(vec![
            "We do not promise guaranteed savings", "There are no guaranteed savings",
            "Wir versprechen keine guaranteed savings", "Nous ne promettons pas de guaranteed savings",
            "No prometemos guaranteed savings",
        ]),
        between in prop::sample::select(vec![". ", "! ", "; ", "\n", ", but ", ", we have "]),
        claim in prop::sample::select(vec![
            "Guaranteed savings", "your savings are guaranteed", "savings, guaranteed",
        ]),
        first: bool,
    ) {
        prop_assert!(!found("guaranteed savings", denial), "{}", denial);
        let text = match first {
            true => format!("{claim}. {denial}."),
            false => format!("{denial}{between}{claim}."),
        };
        prop_assert!(found("guaranteed savings", &text), "{}", text);
    }

    #[test]
    fn no_text_breaks_the_comparison(claim in "\\PC{0,30}", text in "\\PC{0,80}") {
        let _ = found(&claim, &text);
    }
}
