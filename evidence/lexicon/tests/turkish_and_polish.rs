//! Links and headings of Turkish and Polish sites are known, also in capitals and in addresses, which have no dotless `ı`.

use gtm_lexicon::{Phrases, calls, fold, foundations, offer, pages, questions, segments, split};

const PAGES: [(&str, &Phrases); 8] = [
    ("about", &pages::ABOUT),
    ("products", &pages::PRODUCTS),
    ("customers", &pages::CUSTOMERS),
    ("news", &pages::NEWS),
    ("careers", &pages::CAREERS),
    ("pricing", &pages::PRICING),
    ("imprint", &pages::IMPRINT),
    ("useless", &pages::USELESS),
];

fn names(known: &'static Phrases, text: &str) -> bool {
    known.any_in(&split(&fold(text)))
}

#[test]
fn links_name_their_pages() {
    for (link, expected) in [
        ("Hakkımızda", "about"),
        ("HAKKIMIZDA", "about"),
        ("hakkimizda", "about"),
        ("Yönetim Kurulu", "about"),
        ("Ürün ve Hizmetlerimiz", "products"),
        ("Faaliyet Alanlarımız", "products"),
        ("Müşteri Yorumları", "customers"),
        ("Basında Biz", "news"),
        ("Açık Pozisyonlar", "careers"),
        ("Fiyatlarımız", "pricing"),
        ("Künye", "imprint"),
        ("Çerez Politikası", "useless"),
        ("SİTE HARİTASI", "useless"),
        ("O spółce", "about"),
        ("Zakres usług", "products"),
        ("Zaufali nam", "customers"),
        ("Informacje prasowe", "news"),
        ("Pracuj z nami", "careers"),
        ("Ceny", "pricing"),
        ("Nota prawna", "imprint"),
        ("Mapa strony", "useless"),
        // Words that only contain another, or say it of something else.
        ("Yönetim sistemleri", ""),
        ("Zarządzanie projektami", ""),
        ("Stajnia", ""),
    ] {
        let named = PAGES.iter().filter(|(_, known)| names(known, link));
        let named: Vec<&str> = named.map(|(page, _)| *page).collect();
        assert_eq!(named.join(" "), expected, "{link}");
    }
}

#[test]
fn headings_say_what_stands_below() {
    let headings: [(&Phrases, &[&str]); 7] = [
        (
            &offer::LABELS,
            &["Ürünlerimiz", "NELER YAPIYORUZ", "Czym się zajmujemy"],
        ),
        (
            &offer::APART_HEADINGS,
            &["Bizi farklı kılan nedir?", "Co nas wyróżnia"],
        ),
        (
            &foundations::MISSION_HEADINGS,
            &["Misyonumuz", "Nasza misja"],
        ),
        (
            &foundations::VALUE_HEADINGS,
            &["Değerlerimiz", "Nasze wartości"],
        ),
        (
            &questions::HEADINGS,
            &["Sık Sorulan Sorular", "Najczęściej zadawane pytania"],
        ),
        (
            &segments::HEADINGS,
            &["Hizmet verdiğimiz sektörler", "Dla jakich firm?"],
        ),
        (&calls::GENERIC, &["Devamını oku", "Dowiedz się więcej"]),
    ];
    for (known, texts) in headings {
        for text in texts {
            assert!(names(known, text), "{text}");
        }
    }
}

/// A word of these languages must not be an everyday word of another one whose sites are read, too.
#[test]
fn everyday_words_of_other_languages_say_nothing() {
    for text in [
        "Choose your size",
        "the river basin",
        "info@acme.biz",
        "a glass vase on my desk",
        "je me lève à six heures",
        "las casas son de madera",
    ] {
        for known in [
            &gtm_lexicon::company::WE,
            &gtm_lexicon::company::YOU,
            &pages::PRESS,
        ] {
            let folded = fold(text);
            let words = split(&folded);
            let own = known.places(&words).map(|(_, phrase)| phrase.join(" "));
            let own: Vec<String> = own
                .filter(|phrase| !["your", "me"].contains(&phrase.as_str()))
                .collect();
            assert!(own.is_empty(), "{text}: {own:?}");
        }
    }
}
