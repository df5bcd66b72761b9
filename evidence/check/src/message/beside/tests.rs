//! Tests of what a number stands beside.

use gtm_domain::message::Inline;
use proptest::prelude::*;

use crate::message::numbers::Approved;
use crate::message::passage::{Passage, Source};
use crate::message::vocabulary::Vocabulary;

fn missing(texts: &[&str], language: &str, text: &str) -> Vec<String> {
    let passage = Passage::of_inlines(&[Inline::Text { v: text.to_owned() }]);
    let approved = Approved::beside_words_of(texts.iter().copied());
    let found = approved.missing_in(&passage, &Vocabulary::of(language), Source::is_own);
    found
        .into_iter()
        .map(|range| text[range].to_owned())
        .collect()
}

#[test]
fn numbers_of_approved_texts_may_stand_where_they_stand_there() {
    let texts = [
        "It posts to Xero and Sage 50 every night.",
        "Setup takes three weeks, with the import of open contracts included.",
        "Le rapport exigé lors d'un contrôle sanitaire est prêt en deux minutes.",
        "from £190 per month",
        "Laufzeit 12 Monate",
        "ISO 17100",
        "Used by 26 food wholesalers.",
        "51-200",
        "Save 40 minutes.",
    ];
    for (language, text) in [
        ("en", "The ledger posts to Xero and Sage 50 every night."),
        ("en", "It works with Xero and Sage 50."),
        ("en", "Set up in three weeks, with open contracts imported"),
        ("en", "Setup takes 3 weeks."),
        ("en", "Your report is ready in two minutes."),
        ("fr", "Votre rapport est prêt en 2 minutes."),
        ("en", "It costs £190 a month."),
        ("de", "Die Laufzeit beträgt 12 Monate."),
        ("en", "We translate by ISO 17100."),
        ("en", "26 food wholesalers use it."),
    ] {
        assert_eq!(
            missing(&texts, language, text),
            Vec::<String>::new(),
            "{text}"
        );
    }
    for (language, text, number) in [
        ("en", "You get 50% savings.", "50%"),
        ("en", "Sage 50 savings", "50"),
        ("en", "You save 50 hours.", "50"),
        ("en", "Setup takes three days.", "three"),
        ("en", "The price is £190 lower.", "190"),
        ("en", "190 users", "190"),
        ("de", "Laufzeit 12 Jahre", "12"),
        ("en", "26% fewer batches", "26%"),
        ("en", "200 customers", "200"),
        ("en", "Save 40.", "40"),
    ] {
        assert_eq!(missing(&texts, language, text), [number], "{text}");
    }
}

#[test]
fn a_sum_of_money_is_one_in_signs_codes_and_names() {
    let texts = [
        "The licence costs €900 per month.",
        "Setup costs €400.",
        "The support costs US$80.",
        "The course costs A$70.",
    ];
    for (language, text) in [
        ("en", "The licence costs EUR 900 a month."),
        ("en", "You pay 900 euros per month."),
        ("en", "The support costs $80."),
        ("en", "The support costs US$ 80."),
        ("en", "The support costs USD 80."),
        ("en", "The course costs AUD 70."),
        ("de", "Die Einrichtung kostet 400 €."),
        ("de", "Die Einrichtung kostet 400 EUR."),
        ("fr", "L’installation coûte 400 euros."),
    ] {
        assert_eq!(
            missing(&texts, language, text),
            Vec::<String>::new(),
            "{text}"
        );
    }
    for text in [
        "The licence costs R$ 900 per month.",
        "The licence costs $900 per month.",
        "The licence costs £900 per month.",
        "The licence costs 900 dollars per month.",
        "You pay CHF 900 per month.",
        "900 licences",
        "You save 900 euros per month.",
    ] {
        assert_eq!(missing(&texts, "en", text), ["900"], "{text}");
    }
    for (text, number) in [
        ("The course costs $70.", "70"),
        ("The support costs HK$80.", "80"),
    ] {
        assert_eq!(missing(&texts, "en", text), [number], "{text}");
    }
}

#[test]
fn a_number_of_one_thing_approves_no_number_of_another() {
    for (language, text, other, number, same) in [
        (
            "en",
            "140 food labs use it.",
            "You save 140 hours.",
            "140",
            "140 labs use it.",
        ),
        (
            "en",
            "140 food labs use it.",
            "140 new customers",
            "140",
            "Used by 140 food labs",
        ),
        (
            "en",
            "40 % of food labs use it.",
            "40 labs use it.",
            "40",
            "40 percent of food labs use it.",
        ),
        (
            "en",
            "The licence costs € 40.",
            "The licence covers 40 plants.",
            "40",
            "The licence costs €40.",
        ),
        (
            "en",
            "Twice the throughput of the old line",
            "Twice the margin",
            "Twice the",
            "Twice the throughput",
        ),
        (
            "de",
            "140 Lebensmittellabore nutzen es.",
            "Sie sparen 140 Stunden.",
            "140",
            "140 Lebensmittellabore arbeiten damit.",
        ),
        (
            "es",
            "Lo usan 140 laboratorios.",
            "Ahorre 140 horas.",
            "140",
            "140 laboratorios lo usan.",
        ),
        (
            "fr",
            "140 laboratoires l’utilisent.",
            "Gagnez 140 heures.",
            "140",
            "Utilisé par 140 laboratoires",
        ),
        (
            "it",
            "140 laboratori lo usano.",
            "Risparmiate 140 ore.",
            "140",
            "Lo usano 140 laboratori.",
        ),
        (
            "nl",
            "140 laboratoria gebruiken het.",
            "Bespaar 140 uur.",
            "140",
            "140 laboratoria werken ermee.",
        ),
        (
            "pt",
            "140 laboratórios usam.",
            "Poupe 140 horas.",
            "140",
            "Usado por 140 laboratórios",
        ),
        (
            "ja",
            "140社が利用",
            "140時間を節約",
            "140時間を節約",
            "140社で利用",
        ),
    ] {
        assert_eq!(missing(&[text], language, other), [number], "{other}");
        assert_eq!(
            missing(&[text], language, same),
            Vec::<String>::new(),
            "{same}"
        );
    }
}

#[test]
fn a_unit_is_one_in_all_its_spellings_and_no_kind_of_another() {
    let texts = [
        "Delivery within 24 working hours",
        "A range of 5 km",
        "Setup takes 3 weeks.",
    ];
    for (language, text) in [
        ("en", "within 24 working hours"),
        ("en", "a range of 5km"),
        ("de", "Einrichtung in 3 Wochen"),
    ] {
        assert_eq!(
            missing(&texts, language, text),
            Vec::<String>::new(),
            "{text}"
        );
    }
    for (text, number) in [
        ("Delivery within 24 hours", "24"),
        ("a range of 5 m", "5"),
        ("Setup takes 3 days.", "3"),
    ] {
        assert_eq!(missing(&texts, "en", text), [number], "{text}");
    }
}

#[test]
fn a_year_is_approved_behind_its_word() {
    let texts = ["85 hotels checked since 2019.", "Seit 1998 in Leeds."];
    for (language, text) in [
        ("en", "Since 2019, 85 hotels were checked."),
        ("en", "We check hotels since 2019 in Leeds."),
        ("de", "seit 1998"),
    ] {
        assert_eq!(
            missing(&texts, language, text),
            Vec::<String>::new(),
            "{text}"
        );
    }
    assert_eq!(missing(&texts, "en", "2019 hotels"), ["2019"]);
    assert_eq!(missing(&texts, "en", "You save since 1998."), ["1998"]);
}

#[test]
fn a_price_or_a_term_approves_no_result() {
    let texts = [
        "The licence costs 20 %",
        "€ 500 per month",
        "notice period 30 days",
        "The setup costs € 900.",
        "Die Kündigungsfrist beträgt 14 Tage.",
    ];
    for (language, text, number) in [
        ("en", "You save 20 %.", "20 %"),
        ("en", "Your saving: 20 %", "20 %"),
        ("en", "Your saving? 20 %.", "20 %"),
        ("en", "20 %, saved.", "20 %"),
        ("en", "You save 20 percent.", "20"),
        ("en", "You save 20 per cent of the licence.", "20"),
        ("en", "Our share of the market is 20 %.", "20 %"),
        ("en", "€ 500 savings", "500"),
        ("en", "You save € 500 per month.", "500"),
        (
            "en",
            "What you save with us every month: € 500 per month",
            "500",
        ),
        ("en", "Earn € 900", "900"),
        ("en", "Cut by 30 days", "30"),
        ("en", "30 days faster", "30"),
        ("de", "Sie sparen 14 Tage.", "14"),
        ("de", "Zeitersparnis: 14 Tage", "14"),
        ("it", "Risparmiate 30 days", "30"),
    ] {
        assert_eq!(missing(&texts, language, text), [number], "{text}");
    }
    for (language, text) in [
        ("en", "The licence fee is 20 %."),
        ("en", "The licence fee is 20 percent."),
        ("en", "It costs € 500 a month."),
        (
            "en",
            "The price is € 500 per month and saves you the paperwork.",
        ),
        ("en", "Save the paperwork: it costs € 500 per month."),
        ("en", "The price is € 900."),
        ("en", "A notice period of no more than 30 days."),
        ("de", "Kündigungsfrist: 14 Tage"),
    ] {
        assert_eq!(
            missing(&texts, language, text),
            Vec::<String>::new(),
            "{text}"
        );
    }
}

#[test]
fn a_price_approves_no_saving_whatever_its_verb() {
    let texts = ["The price is € 900.", "The licence fee is 20 %."];
    for (language, text, number) in [
        ("en", "Your bill falls by € 900.", "900"),
        ("en", "Your licence fee falls by 20 %.", "20 %"),
        ("en", "The price sinks by € 900.", "900"),
        ("en", "The price is down € 900.", "900"),
        ("en", "The licence fee tumbles: 20 %.", "20 %"),
        ("en", "20 % off the licence fee", "20 %"),
        // No word of a direction, but something changes.
        ("en", "The licence fee shrivels by 20 %.", "20 %"),
        ("en", "The licence fee shrivels by up to 20 %.", "20 %"),
        ("en", "The price shrivels by about € 900.", "900"),
        // Money of something else.
        ("en", "Your bill shrivels to € 900.", "900"),
        ("de", "Ihre Rechnung fällt um 900 €.", "900"),
        ("de", "Die Preise fallen um 900 €.", "900"),
        ("de", "Der Preis sinkt auf 900 €.", "900"),
        ("de", "Der Preis schmilzt um bis zu 900 €.", "900"),
        ("fr", "Le prix chute de 900 €.", "900"),
        ("es", "El precio cae 900 €.", "900"),
        ("it", "Il prezzo cala di 900 €.", "900"),
        ("nl", "De prijs daalt met 900 €.", "900"),
        ("pt", "O preço cai 900 €.", "900"),
    ] {
        assert_eq!(missing(&texts, language, text), [number], "{text}");
    }
    for (language, text) in [
        ("en", "The price is € 900."),
        ("en", "It costs € 900."),
        ("en", "A one-off fee of € 900"),
        ("en", "€ 900"),
        ("de", "Der Preis beträgt 900 €."),
        ("de", "Die Einrichtung kostet 900 €."),
        ("fr", "Le prix est de 900 €."),
    ] {
        assert_eq!(
            missing(&texts, language, text),
            Vec::<String>::new(),
            "{text}"
        );
    }
}

#[test]
fn a_price_approves_nothing_that_comes_down_to_it() {
    let texts = [
        "The setup costs € 900.",
        "The licence fee is 20 %.",
        "from € 190 per month",
        "The audit costs € 500.",
        "Die Einrichtung kostet 900 €.",
        "La mise en place coûte 900 €.",
        "La instalación cuesta 900 €.",
    ];
    for (language, text, number) in [
        ("en", "Your costs shrivel to € 900.", "900"),
        ("en", "Your costs shrivel to just € 900.", "900"),
        ("en", "Your costs melt to € 190 per month.", "190"),
        ("en", "The setup costs melt below € 900.", "900"),
        ("en", "See your costs dissolve into € 900.", "900"),
        ("en", "€ 900 is all that your costs shrivel to.", "900"),
        ("en", "Your licence fee shrivels to 20 %.", "20 %"),
        ("en", "Bring your bill down to € 900.", "900"),
        ("de", "Ihre Kosten schmelzen auf 900 €.", "900"),
        ("de", "Wir drücken Ihre Kosten auf nur 900 €.", "900"),
        ("de", "Auf 900 € schmelzen Ihre Kosten.", "900"),
        ("fr", "Vos coûts fondent à 900 €.", "900"),
        ("fr", "Vos coûts passent sous 900 €.", "900"),
        ("es", "Sus costes se derriten a 900 €.", "900"),
        ("es", "Sus costes quedan por debajo de 900 €.", "900"),
    ] {
        assert_eq!(missing(&texts, language, text), [number], "{text}");
    }
    for (language, text) in [
        ("en", "The setup comes to € 900."),
        ("en", "The cost of the setup amounts to € 900."),
        ("en", "A setup fee of up to € 900"),
        ("en", "Prices from € 500 to € 900"),
        ("de", "Die Einrichtung beläuft sich auf 900 €."),
        ("de", "Die Kosten der Einrichtung kommen auf 900 €."),
        ("fr", "La mise en place à 900 €"),
        ("fr", "Le coût s’élève à 900 €."),
        ("es", "La instalación asciende a 900 €."),
        ("es", "La instalación a 900 €"),
    ] {
        assert_eq!(
            missing(&texts, language, text),
            Vec::<String>::new(),
            "{text}"
        );
    }
}

proptest! {
    /// Whatever its verb is called.
    #[test]
    fn no_unknown_verb_makes_a_result_of_a_price(verb in "[bcdfgklmnprtvz][aiou][bdfgklmnprt]{1,2}[ae]q[aiou]") {
        let texts = ["The setup costs € 900.", "Die Einrichtung kostet 900 €.", "La mise en place coûte 900 €.", "La instalación cuesta 900 €."];
        for (language, text) in [
            ("en", format!("Your costs {verb} to € 900.")),
            ("de", format!("Ihre Kosten {verb} auf 900 €.")),
            ("fr", format!("Vos coûts {verb} à 900 €.")),
            ("es", format!("Sus costes {verb} a 900 €.")),
        ] {
            prop_assert_eq!(missing(&texts, language, &text), ["900"], "{}", text);
        }
    }
}

#[test]
fn an_approved_result_may_be_told_in_other_words() {
    let texts = [
        "It saves 20 % of the time.",
        "Cuts billing errors by 35 %.",
        "Revenue grows by 12 %",
        "Customers save 40 hours per month.",
    ];
    for text in [
        "You need 20 % less time.",
        "Your time is cut by 20 %.",
        "35 % fewer billing errors",
        "Your revenue increases by 12 %.",
        "You save 40 hours each month.",
    ] {
        assert_eq!(missing(&texts, "en", text), Vec::<String>::new(), "{text}");
    }
    for (text, number) in [
        // What is cut, or in which direction, is something else.
        ("You need 20 % less staff.", "20 %"),
        ("It saves 20 % of the cost every time.", "20 %"),
        ("20 % faster", "20 %"),
        ("35 % more billing errors", "35 %"),
        ("Your cost falls: 12 % less", "12 %"),
        ("You win 40 hours", "40"),
    ] {
        assert_eq!(missing(&texts, "en", text), [number], "{text}");
    }
}
