//! Amounts that words tell, and signs of numbers.

use gtm_domain::message::BlockKind;
use gtm_domain::message::compliance::CheckKey;

use super::message::{Message, Own, keys};

fn has_unapproved_number(language: &'static str, words: &'static str) -> bool {
    let mut message = Message::good().with(BlockKind::Proof, vec![Own(words)]);
    message.language = language;
    keys(&message.failing()).contains(&CheckKey::NumericClaims)
}

#[test]
fn amounts_in_words_need_an_approval() {
    for (language, words) in [
        ("en", "It costs a third less."),
        ("en", "Readings are a quarter cheaper."),
        ("en", "Thousands of offices rely on it."),
        ("en", "Hundreds of landlords chose it."),
        ("en", "A million readings a day."),
        ("en", "Half a million bills."),
        ("en", "Every second company uses it."),
        ("en", "Every other landlord has it."),
        ("de", "Dreimal so viele Ablesungen."),
        ("de", "Fünfmal mehr Ablesungen."),
        ("de", "Tausende Wohnungen vertrauen darauf."),
        ("de", "Jedes zweite Unternehmen nutzt es."),
        ("de", "Es kostet ein Drittel weniger."),
        ("de", "Eine Million Ablesungen."),
        ("fr", "Un tiers de moins sur la facture."),
        ("fr", "Trois fois plus de relevés."),
        ("fr", "Des milliers de logements."),
        ("fr", "Un quart des logements."),
        ("es", "Tres veces más lecturas."),
        ("es", "Un tercio menos de coste."),
        ("es", "Miles de viviendas."),
        ("es", "La tercera parte del coste."),
        ("it", "Un terzo in meno."),
        ("it", "Tre volte più letture."),
        ("it", "Migliaia di appartamenti."),
        ("pt", "Um terço a menos."),
        ("pt", "Três vezes mais leituras."),
        ("pt", "Milhares de casas."),
        ("nl", "Een derde minder kosten."),
        ("nl", "Drie keer zo veel metingen."),
        ("nl", "Duizenden woningen."),
        ("ja", "数百の住宅で使われています。"),
        ("ja", "費用は三分の一です。"),
        ("zh", "数千家企业使用。"),
        ("ko", "수백 개의 기업이 사용합니다."),
        ("ar", "آلاف الشركات تستخدمه"),
    ] {
        assert!(has_unapproved_number(language, words), "{words}");
    }
    for (language, words) in [
        ("en", "Every second counts."),
        ("en", "Somebody reads them every second week."),
        ("en", "A meter for each flat."),
        ("en", "The second reading is free of errors."),
        ("de", "Jeden zweiten Tag wird abgelesen."),
        ("de", "Der zweite Zähler hängt im Keller."),
        ("fr", "Un quart d’heure suffit."),
        ("fr", "Une fois plus tard, on lit."),
        ("nl", "Elke tweede week wordt er gemeten."),
        ("es", "Una vez más se lee."),
        ("it", "Una volta si legge."),
        ("ja", "毎月の検針です。"),
    ] {
        assert!(!has_unapproved_number(language, words), "{words}");
    }
}

/// The offer bills 18,000 flats.
#[test]
fn an_amount_of_an_approved_number_may_be_told() {
    assert!(!has_unapproved_number(
        "en",
        "We bill thousands of flats monthly."
    ));
    assert!(has_unapproved_number(
        "en",
        "We bill millions of flats monthly."
    ));
    assert!(has_unapproved_number("en", "We bill thousands of offices."));
}

fn hook_fails(language: &'static str, excerpt: &'static str, hook: &'static str) -> bool {
    let mut message = Message::good().hooked(excerpt, hook);
    message.language = language;
    keys(&message.failing()).contains(&CheckKey::NumericClaims)
}

#[test]
fn a_number_keeps_its_sign() {
    for (language, excerpt, hook) in [
        (
            "en",
            "Our store cools to -25 degrees.",
            "Your store cools to 25 degrees.",
        ),
        (
            "en",
            "Our store cools to −30 °C.",
            "Your store cools to 30 °C.",
        ),
        (
            "en",
            "Our store cools to 18 degrees.",
            "Your store cools to -18 degrees.",
        ),
        (
            "en",
            "Our store cools to minus 40 degrees.",
            "Your store cools to 40 degrees.",
        ),
        (
            "de",
            "Unser Lager kühlt auf minus 25 Grad.",
            "Ihr Lager kühlt auf 25 Grad.",
        ),
        (
            "fr",
            "Notre entrepôt descend à -25 degrés.",
            "Votre entrepôt descend à 25 degrés.",
        ),
    ] {
        assert!(hook_fails(language, excerpt, hook), "{hook}");
    }
    for (language, excerpt, hook) in [
        (
            "en",
            "Our store cools to -25 degrees.",
            "Your store cools to -25 degrees.",
        ),
        (
            "en",
            "Our store cools to -25 degrees.",
            "Your store cools to minus 25 degrees.",
        ),
        (
            "en",
            "Our store cools to 25 degrees below zero.",
            "Your store cools to -25 degrees.",
        ),
        (
            "en",
            "Our store opened in 2019-20.",
            "Your store opened in 2019-20.",
        ),
        (
            "de",
            "Unser Lager kühlt auf minus 25 Grad.",
            "Ihr Lager kühlt auf -25 Grad.",
        ),
    ] {
        assert!(!hook_fails(language, excerpt, hook), "{hook}");
    }
}
