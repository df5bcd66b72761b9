//! Which numbers are read, and which bear others out.
use super::*;

fn forms(text: &str, words: InWords<'_>) -> Vec<String> {
    read(text, words)
        .map(|number| {
            let sign = if number.is_percent() { "%" } else { "" };
            format!("{}{sign}", number.form())
        })
        .collect()
}

/// Whether every number of a claim in this language stands in the evidence.
fn stands(language: &str, claim: &str, evidence: &str) -> bool {
    let offered = offered(evidence);
    read(claim, InWords::Of(language)).all(|number| number.stands_in(&[&offered]))
}

#[test]
fn digits_have_one_form() {
    for (text, wanted) in [
        ("3.50", "3.5"),
        ("0.125", "0.125"),
        ("0,125", "0.125"),
        ("1,200", "1200"),
        ("1.200", "1200"),
        ("1 200", "1200"),
        ("1\u{202f}200\u{202f}000", "1200000"),
        ("1\u{2009}200", "1200"),
        ("CHF 1'200", "1200"),
        ("1’200.50", "1200.5"),
        ("1.200,50 EUR", "1200.5"),
        ("１２００円", "1200"),
        ("٢٠٠٩", "2009"),
        ("1.2k users", "1200"),
        ("3 Mio. Euro", "3000000"),
        ("2.4bn", "2400000000"),
        ("€2,4 Mrd", "2400000000"),
        ("1.125 million", "1125000"),
        ("5 M€", "5000000"),
        ("3万円", "30000"),
        ("1億2000万円", "120000000"),
        ("12,5 Tsd.", "12500"),
        ("007", "7"),
        ("£38", "38"),
        ("38¢", "38"),
        ("ISO9001", "iso9001"),
        ("３割", "30%"),
        ("23 %", "23%"),
        ("23 pour cent", "23%"),
        ("23パーセント", "23%"),
        ("30分", "30"),
    ] {
        assert_eq!(forms(text, InWords::Ignored), [wanted], "{text}");
    }
    assert_eq!(
        forms("B2B with 5 t CO2 and 4 m2", InWords::Ignored),
        ["5", "4"]
    );
    assert_eq!(forms("2024-2025", InWords::Ignored), ["2024", "2025"]);
    // The figure behind a word in another script is a number of its own.
    for words in [InWords::All, InWords::Ignored] {
        assert!(forms("k並0", words).contains(&"0".to_owned()));
    }
    assert_eq!(forms("46 km, 29 t", InWords::Ignored), ["46", "29"]);
}

#[test]
fn words_are_numbers() {
    for (language, text, wanted) in [
        ("en", "twenty-five sites", "25"),
        ("en", "two hundred and ten people", "210"),
        ("en", "three thousand four hundred pallets", "3400"),
        ("en", "five million", "5000000"),
        ("en", "a dozen vans", "12"),
        ("en", "roughly eleven percent", "11%"),
        ("de", "fünfundzwanzig Filialen", "25"),
        ("de", "dreihundert Betten", "300"),
        ("de", "zwölf Standorte", "12"),
        ("de", "zwei Drittel der Flotte", "66.7%"),
        ("fr", "quatre-vingt-dix salariés", "90"),
        ("fr", "vingt et une agences", "21"),
        ("fr", "soixante-douze lits", "72"),
        ("es", "treinta y cinco tiendas", "35"),
        ("es", "doscientas camas", "200"),
        ("it", "trentacinque negozi", "35"),
        ("it", "tre quarti dei clienti", "75%"),
        ("nl", "vijfentwintig winkels", "25"),
        ("pt", "trinta e cinco lojas", "35"),
        ("ja", "社員は三十名です", "30"),
    ] {
        assert_eq!(forms(text, InWords::Of(language)), [wanted], "{text}");
    }
}

#[test]
fn other_words_count_nothing() {
    for (language, text) in [
        (
            "en",
            "one of the largest, a one-stop shop, second to none at first",
        ),
        ("en", "a two-way street for hundreds of people"),
        ("en", "on the third floor since the first of May"),
        ("de", "ein Partner und eine Lösung, unter vier Augen"),
        ("de", "die Zweigstelle, das Vierteljahr, beachten"),
        ("fr", "un logiciel neuf pour les deux sites"),
        ("es", "una de las dos plantas: las dos crecen"),
        ("it", "un partner, e sei al sicuro"),
        ("pt", "um dos maiores, os dois crescem"),
        ("ja", "一般的な第三者による十分な確認、三菱、千葉"),
        ("nl", "een van de grootste"),
    ] {
        assert_eq!(forms(text, InWords::Of(language)), [""; 0], "{text}");
    }
}

#[test]
fn numbers_match_by_value() {
    for (language, claim, evidence) in [
        ("en", "20 percent", "a fifth of all tickets"),
        ("en", "a fifth of the tickets", "20 %"),
        (
            "en",
            "nearly a quarter of the mileage",
            "23 % of our kilometres",
        ),
        ("en", "5.1 million tonnes", "5,120,000 tonnes"),
        ("en", "3 to 5 million", "from 3 million to 5 million"),
        ("en", "7 percent", "7 to 11 percent fewer"),
        (
            "de",
            "von 3,2 auf 1,5 Prozent",
            "von 3,2 Prozent auf 1,5 Prozent gesenkt",
        ),
        ("de", "3,2 %", "von 3,2 auf 1,5 Prozent"),
        ("de", "zwölf Standorte", "12 Standorte"),
        ("de", "3 Mio. Euro", "three million euros"),
        ("fr", "deux tiers", "66,7 %"),
        ("fr", "trois sites", "3 sites"),
        ("es", "el 50 %", "la mitad de los pedidos"),
        ("it", "dodici negozi", "12 negozi"),
        ("ja", "30名", "社員三十名"),
        ("ja", "半数の50%", "半数の店舗"),
        ("ja", "３万件", "30,000件"),
        ("ja", "33.3%", "3分の1の店舗"),
        ("en", "twice, so 100 percent more", "double the output"),
        ("en", "on 12.03.2026", "12 March 2026, week 3"),
        ("en", "ISO9001", "certified to ISO 9001"),
        ("en", "23 %", "23.4 % of orders"),
        ("en", "roughly eleven percent", "about one caller in nine"),
        ("de", "20 Prozent", "jeder fünfte: ein Kunde von fünf"),
        ("fr", "25 %", "un client sur quatre"),
        ("es", "20 %", "uno de cada cinco pedidos"),
        ("it", "33,3 %", "un ordine su tre"),
        ("ja", "20%", "5人に1人が使う"),
        ("en", "every four weeks", "the monthly round"),
        ("de", "alle drei Monate", "quartalsweise"),
        ("fr", "tous les quinze jours", "toutes les deux semaines"),
        ("es", "cada siete días", "un informe semanal"),
        ("it", "diciotto mesi", "un anno e mezzo, 1,5 anni"),
        ("ja", "三か月ごと", "四半期ごとに"),
        ("en", "almost 60,000 tonnes", "58,700 tonnes"),
        ("de", "knapp 60.000 Tonnen", "58.700 Tonnen"),
        ("fr", "près de 60 000 tonnes", "58 700 tonnes"),
        ("es", "casi 60.000 toneladas", "58.700 toneladas"),
        ("it", "quasi 60.000 tonnellate", "58.700 tonnellate"),
        ("ja", "約6万トン", "58,700トン"),
        ("es", "mil doscientas camas", "1.200 camas"),
        ("it", "quarantotto negozi", "48 negozi"),
        ("ja", "3工場", "三つの工場"),
        ("ja", "2026年", "二〇二六年"),
        ("ja", "2011年", "平成23年創業"),
        ("ja", "18時", "午後6時まで"),
        ("fr", "18 h", "six heures du soir"),
        ("en", "the two depots", "both depots"),
        ("de", "12.05.2027", "am 12. Mai 2027"),
        ("en", "in 2026", "the season 2025/26"),
        ("en", "12 cents", "$0.12"),
        ("de", "bis 18.30 Uhr", "bis 18:30"),
        (
            "fr",
            "vingt pour cent des lits, cent lits",
            "20 % des 100 lits",
        ),
        ("fr", "30 pour cent", "30 %"),
        ("fr", "sept ateliers", "sept ateliers"),
        ("es", "30 por ciento", "30 %"),
        ("it", "trenta per cento", "30 %"),
        ("fr", "jusqu'à 18 h 30", "fermé à 18h30"),
        ("de", "dreieinhalb, also 3 Standorte", "der dritte Standort"),
    ] {
        assert!(stands(language, claim, evidence), "{claim} / {evidence}");
    }
    for (language, claim, evidence) in [
        ("en", "two trainees for 2026", "two trainees for 2027"),
        ("en", "2,000 people", "2 people"),
        ("en", "3 million", "3 plants"),
        ("en", "20 percent", "20 people"),
        ("en", "seven sites", "six sites"),
        ("de", "dreizehn Filialen", "12 Filialen"),
        ("fr", "quatre sites", "trois sites"),
        ("it", "quindici negozi", "cinque negozi"),
        ("es", "tres fábricas", "dos fábricas"),
        ("ja", "五社", "三社"),
        ("en", "4,370 pounds", "4,380 pounds"),
        ("en", "29 %", "28 %"),
        ("en", "about 60,000 tonnes", "51,000 tonnes"),
        ("en", "60,500 tonnes", "58,700 tonnes"),
        ("en", "every nine months", "a monthly round"),
        ("de", "alle zwei Wochen", "monatlich"),
        ("ja", "約8万トン", "58,700トン"),
    ] {
        assert!(!stands(language, claim, evidence), "{claim} / {evidence}");
    }
}

#[test]
fn lengths_of_meetings_may_be_proposed() {
    for (language, text) in [
        ("en", "Can we take 15–20 minutes next week?"),
        ("en", "A 30-minute call with three colleagues"),
        ("en", "Thirty mins at two in the morning"),
        ("en", "Half an hour, 2 to 3 weeks later"),
        ("en", "On Tuesday at 10:30"),
        ("fr", "Mardi à 14h30"),
        ("de", "Eine 30-minütige Runde mit 3 Kollegen um sechs Uhr"),
        ("de", "Die Pilotphase dauert 6 bis 8 Wochen."),
        ("fr", "Trente minutes à deux personnes"),
        ("es", "Media hora, o 20 minutos, con dos personas"),
        ("it", "Venti minuti alle sei di sera"),
        ("ja", "30分の打ち合わせを3名で"),
    ] {
        let kept = without_proposed(text, InWords::Of(language));
        assert_eq!(forms(&kept, InWords::Of(language)), [""; 0], "{kept}");
    }
    for counted in [
        "You serve 210 producers within 1200 days.",
        "A ratio of 16:9, and of 90:30",
    ] {
        assert_eq!(without_proposed(counted, InWords::Of("en")), counted);
    }
}

#[test]
fn a_row_of_groups_is_joined_from_each_of_its_cells() {
    let row = offered("Plant 3 120 000 t");
    for wanted in ["3", "120000", "3120000"] {
        assert!(row.contains(wanted), "{wanted}");
    }
}

#[test]
fn a_text_bears_itself_out() {
    for (language, text) in [
        (
            "en",
            "Two of 12 sites run 24/7 since 2019, at 3.5 million a year, for a third less",
        ),
        (
            "de",
            "Zwei von zwölf Häusern sparen seit 2019 rund 3,5 Mio. Euro, also zwei Drittel",
        ),
        (
            "fr",
            "Quatre-vingt-dix salariés, 3,5 M€, de 9 h à 18 h, quatre-vingts pour cent",
        ),
        (
            "es",
            "Ciento veinte camas, mil doscientas comidas y dos tercios del personal",
        ),
        (
            "it",
            "Quarantotto negozi, duemila clienti e tre quarti delle vendite, 3,5 milioni",
        ),
        (
            "ja",
            "創業二十三年、三拠点、従業員百二十名、年間1億2000万円、三割減、第二工場、3分の1",
        ),
        (
            "ja",
            "4月〜9月は9時から17時、10人に3人、2〜3週間、二、三社、1,200件、数十社、5年で2倍",
        ),
        (
            "it",
            "Dal 2019 al 2026, 12-15 giorni, tre volte su quattro, il 98,5%",
        ),
    ] {
        assert!(stands(language, text, text), "{text}");
    }
}

#[test]
fn lists_are_counted() {
    let counts = |count: &str, text: &str| {
        let number = read(count, InWords::Of("en")).next();
        number.is_some_and(|number| number.counts(text))
    };
    assert!(counts(
        "three depots",
        "Leeds, Hull and York; only York cools."
    ));
    assert!(counts("two", "Wir liefern nach Kiel und Lübeck"));
    assert!(counts("three", "東京、大阪、名古屋"));
    assert!(!counts("four", "Leeds, Hull and York") && !counts("3 depots", "Leeds, Hull and York"));
}

#[test]
fn numbers_in_any_digits_need_evidence() {
    for (language, claim) in [
        ("en", "𝟵𝟵𝟵 accidents"),
        ("hi", "इसके १२०० ग्राहक"),
        ("th", "มีลูกค้า ๑๒๐๐ ราย"),
        ("en", "⑫ plants, 10 sites"),
        ("en", "3² sites"),
        ("en", "plant Ⅻ"),
        ("en", "site Q⑫"),
        ("en", "9\u{200d}9\u{200d}9 plants"),
        ("en", "9\u{fe0f}\u{20e3}9\u{fe0f}\u{20e3} plants"),
    ] {
        assert!(
            !stands(language, claim, "3 plants, 10 sites, 9, 2, 12"),
            "{claim}"
        );
        assert!(stands(language, claim, claim), "{claim}");
    }
    for (claim, evidence) in [
        ("1200 customers", "इसके १२०० ग्राहक"),
        ("𝟵𝟵𝟵 customers", "999 customers"),
        ("100 m² and 5 t of CO₂", "100 m2, 5 t CO2"),
        ("CO₂-free plant Q⑫", "plant Q12"),
    ] {
        assert!(stands("en", claim, evidence), "{claim}");
    }
}

#[test]
fn a_number_without_bounds_proves_no_rounded_one() {
    let nines = "9".repeat(400);
    for (claim, evidence) in [
        ("4,000,000 customers, about 80 plants", nines.clone()),
        ("it grew by 47 %", format!("{nines}%")),
        ("18 months", format!("{nines} months")),
        (
            "4,000,000 customers",
            format!("{}000 billion", "1".repeat(300)),
        ),
        ("4,000,000 customers", "code 4e6".to_owned()),
    ] {
        assert!(!stands("en", claim, &evidence), "{claim}");
    }
    assert!(stands("en", &nines, &nines));
    assert!(!stands("en", &nines, &"9".repeat(401)));
    // Numbers that binary fractions cannot tell apart.
    assert!(!stands(
        "en",
        "100000000000000000000001",
        "100000000000000000000002"
    ));
}

#[test]
fn groups_of_one_number_are_no_numbers() {
    for (claim, evidence) in [
        ("5 000 000 clients", "10 000 m2, 5 agences, 0 accident"),
        (
            "7 334 000 clients",
            "7 agences, 334 rue de Lyon, 0 accident",
        ),
        ("5 000 000 clients", "5 agences. Tel 0 800 000 456"),
    ] {
        assert!(!stands("fr", claim, evidence), "{claim}");
    }
    assert!(stands("fr", "5 000 000 clients", "5.000.000 clients"));
    // The parts of a date still are.
    assert!(stands("de", "12.05.2027", "am 12. Mai 2027"));
}

#[test]
fn signs_of_currencies_are_those_of_unicode() {
    for sign in ['$', '¢', '£', '¤', '¥', '€', '₺', '₿', '฿', '֏', '＄', '￥'] {
        assert!(is_currency(sign), "{sign}");
    }
    for other in ['%', 'x', '§', '№'] {
        assert!(!is_currency(other), "{other}");
    }
}

#[test]
fn a_tab_ends_a_number() {
    let forms = |text: &str| -> Vec<String> {
        read(text, InWords::Ignored)
            .map(|number| number.form().to_owned())
            .collect()
    };
    assert_eq!(forms("38\t112,00 €\t4.256,00 €"), ["38", "112", "4256"]);
    assert_eq!(forms("38\n112,00"), ["38", "112"]);
}

#[test]
fn a_blank_between_groups_makes_a_point_behind_it_that_of_decimals() {
    let forms = |text: &str| -> Vec<String> {
        read(text, InWords::Ignored)
            .map(|number| number.form().to_owned())
            .collect()
    };
    assert_eq!(forms("12 345.678 kg"), ["12345.678"]);
    assert!(stands("en", "12,345.678 kg", "We ship 12 345.678 kg."));
    assert!(!stands("en", "345.678 kg", "We ship 12 345.678 kg."));
    assert!(!stands("de", "345.678 kg", "Wir liefern 12 345.678 kg."));
    // One blank between two cells cannot be told from that of thousands. The safer reading is one number: it bears out
    // neither of the cells, and two numbers would bear out the end of one.
    assert_eq!(forms("Nord 36 210.000"), ["36210"]);
    for apart in [
        "Nord\t36\t210.000",
        "Nord  36  210.000",
        "Nord | 36 | 210.000",
    ] {
        assert_eq!(forms(apart), ["36", "210000"], "{apart}");
    }
    assert_eq!(
        forms("36 210 and 36 210,50 and 1 200 000.25"),
        ["36210", "36210.5", "1200000.25"]
    );
}
