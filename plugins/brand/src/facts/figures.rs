//! Figures that prove something, told from prices, addresses and dates.

use gtm_site_research::facts;
use gtm_site_research::words;

/// Words before a number that make it a claim of size.
const AT_LEAST: &[&str] = &[
    "more than",
    "over",
    "nearly",
    "almost",
    "around",
    "some",
    "mehr als",
    "uber",
    "rund",
    "fast",
    "knapp",
    "plus de",
    "pres de",
    "environ",
    "mas de",
    "cerca de",
    "casi",
    "piu di",
    "oltre",
    "meer dan",
    "ruim",
    "أكثر من",
    "bijna",
    "circa",
    "ongeveer",
    "quasi",
    "circa",
    "mais de",
    "quase",
    "encima de",
];
/// Words behind a number that multiply it.
const MAGNITUDES: &[&str] = &[
    "million",
    "billion",
    "trillion",
    "millions",
    "billions",
    "mio",
    "mrd",
    "millionen",
    "milliarden",
    "milliards",
    "millones",
    "milioni",
    "miliardi",
    "miljoen",
    "مليون",
    "miljard",
    "milhoes",
    "milhao",
    "mille millones",
    "milione",
    "miliardo",
    "mil millones",
];
/// Words beside an amount of money that make it a price.
const PRICES: &[&str] = &[
    "price*",
    "pricing",
    "per",
    "from",
    "start*",
    "month",
    "year",
    "fee",
    "fees",
    "cost",
    "costs",
    "preis*",
    "ab",
    "monat*",
    "kostet",
    "jahr",
    "a partir de",
    "mois",
    "tarif*",
    "desde",
    "mes",
    "precio*",
    "per maand",
    "vanaf",
    "maand",
    "jaar",
    "kost",
    "prijs*",
    "mese",
    "prezzo",
    "prezzi",
    "da",
    "al mese",
    "anno",
    "preco*",
    "ano",
    "a partir",
];
/// Words of a result.
pub const RESULTS: &[&str] = &[
    "reduc*",
    "cut",
    "cuts",
    "saved",
    "saves",
    "saving*",
    "increas*",
    "percent",
    "customers",
    "clients",
    "trusted by",
    "used by",
    "rely on",
    "relies on",
    "projects",
    "installed",
    "delivered",
    "shipped",
    "countries",
    "sites",
    "faster",
    "fewer",
    "less",
    "senk*",
    "kunden",
    "prozent",
    "projekte",
    "lander*",
    "standorte*",
    "weniger",
    "schneller",
    "ausgeliefert",
    "clients",
    "pays",
    "projets",
    "reduit*",
    "clientes",
    "paises",
    "proyectos",
    "years",
    "jahre*",
    "litres",
    "tonnes",
    "hours",
    "homes",
    "sooner",
    "quicker",
    "uptime",
    "fruher",
    "plus vite",
    "flats",
    "users",
    "members",
    "bespaart",
    "bespaarde",
    "besparen",
    "bespaard*",
    "minder",
    "sneller",
    "klanten",
    "gebruikers",
    "projecten",
    "landen",
    "vestigingen",
    "procent",
    "geleverd",
    "geinstalleerd",
    "uren",
    "verlaag*",
    "verminder*",
    "clienti",
    "utenti",
    "progetti",
    "paesi",
    "ridott*",
    "riduc*",
    "risparmi*",
    "aument*",
    "per cento",
    "ore",
    "utilizadores",
    "usuarios",
    "projetos",
    "reduz*",
    "poup*",
    "horas",
    "reduj*",
    "ahorr*",
    "aumento",
    "usuarios",
    "por ciento",
    "moins",
    "economis*",
    "augment*",
    "pour cent",
    "baisse*",
    "heures",
    "utilisateurs",
];
/// A number that isn't only a year.
pub fn has_number(text: &str) -> bool {
    facts::numbers(text).iter().any(|number| {
        !(number.len() == 4 && (number.starts_with("19") || number.starts_with("20")))
    })
}

/// A number of three digits or more that isn't only a year.
pub fn has_hundreds(text: &str) -> bool {
    facts::numbers(text).iter().any(|number| {
        let whole = number.split('.').next().unwrap_or_default();
        whole.len() >= 3 && has_number(whole)
    })
}

/// Whether a number is introduced as one that is reached or passed: `more than 1,200 roofs`.
pub fn at_least(words: &[&str]) -> bool {
    AT_LEAST.iter().any(|phrase| {
        let length = phrase.split(' ').count();
        (0..words.len()).any(|at| {
            let rest = words.get(at..).unwrap_or_default();
            words::starts_with_any(rest, &[phrase])
                && rest
                    .get(length)
                    .is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()))
        })
    })
}

/// Whether a text asks for money rather than tells of it.
pub fn is_price(words: &[&str], text: &str) -> bool {
    text.contains(['€', '$', '£', '¥'])
        && words::has_any(words, PRICES)
        && !words::has_any(words, MAGNITUDES)
}

/// A short block such as `18,000 flats billed monthly`: a quantity, not an address or a date.
pub fn is_figure(words: &[&str], text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let quantity = first.contains(['%', '+', '>'])
        || words.iter().take(4).any(|word| MAGNITUDES.contains(word))
        || (first.contains([',', '.', '\''])
            && facts::numbers(first)
                .iter()
                .any(|number| number.len() >= 4 && !number.contains('.')));
    // `96,000pallets` is two texts that a style sheet keeps apart.
    let glued = first
        .trim_start_matches(|c: char| !c.is_alphabetic())
        .chars()
        .count()
        > 3;
    first.contains(|c: char| c.is_ascii_digit())
        && !glued
        && has_number(text)
        && (2..=14).contains(&words.len())
        && (quantity || words::has_any(words, RESULTS))
        && !text.ends_with('?')
}

/// Whether a short block is a number and nothing else, as pages show one above the words on it: `4,200+`.
pub fn is_bare(text: &str) -> bool {
    let first = text.trim_start_matches(['$', '€', '£', '<', '>', '~']);
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let folded = words::fold(text);
    let words = words::split(&folded);
    let multiplied = words.iter().any(|word| MAGNITUDES.contains(word));
    // Digits in groups without a sign of quantity are a telephone number or a date.
    let one = text.split_whitespace().count() == 1 && words.len() <= 2;
    first.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().count() <= 16
        && (letters <= 1 || multiplied)
        && (one || multiplied || text.contains(['%', '+']))
        && !text.contains(['/', ':', '@', '(', ')'])
        && has_number(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_told_from_prices() {
        let figure = |text: &str| {
            let folded = words::fold(text);
            let words = words::split(&folded);
            is_figure(&words, text) && !is_price(&words, text)
        };
        assert!(figure("$4.1 billion paid to builders in 2025") && figure("98% on time"));
        assert!(!figure("$1,150 per classroom") && !figure("1,290 € pro Monat"));
        let at_least = |text: &str| super::at_least(&words::split(&words::fold(text)));
        assert!(at_least("Mehr als 1.200 Anlagen haben wir gebaut."));
        assert!(at_least("We have fitted over 300 roofs."));
        assert!(!at_least("It is over in 3 days.") && !at_least("We have 12 vans."));
    }

    #[test]
    fn bare_figures_are_numbers_alone() {
        assert!(is_bare("4,200+") && is_bare("98%") && is_bare("$4.1 billion") && is_bare("12k"));
        assert!(
            !is_bare("0731 12345")
                && !is_bare("12.03.2026")
                && !is_bare("2014")
                && !is_bare("12 Mill Lane")
                && !is_bare("01/02")
                && !is_bare("+49 731 12")
        );
    }
}
