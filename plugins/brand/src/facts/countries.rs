//! Names of countries in the languages whose sites are read, and what else tells a country: telephone
//! prefixes and marks of national registers.

use gtm_site_research::words;

/// ISO 3166-1 alpha-2 code, telephone prefix, and folded names (English first).
const COUNTRIES: &[(&str, &str, &[&str])] = &[
    (
        "AE",
        "971",
        &[
            "united arab emirates",
            "vereinigte arabische emirate",
            "emirats arabes unis",
            "emiratos arabes unidos",
            "uae",
        ],
    ),
    ("AR", "54", &["argentina", "argentinien", "argentine"]),
    (
        "AT",
        "43",
        &["austria", "osterreich", "autriche", "oostenrijk"],
    ),
    ("AU", "61", &["australia", "australien", "australie"]),
    (
        "BE",
        "32",
        &[
            "belgium", "belgien", "belgique", "belgica", "belgie", "belgio",
        ],
    ),
    ("BG", "359", &["bulgaria", "bulgarien", "bulgarie"]),
    (
        "BR",
        "55",
        &[
            "brazil",
            "brasilien",
            "bresil",
            "brasil",
            "brasile",
            "brazilie",
        ],
    ),
    ("CA", "1", &["canada", "kanada"]),
    (
        "CH",
        "41",
        &[
            "switzerland",
            "schweiz",
            "suisse",
            "svizzera",
            "suiza",
            "zwitserland",
            "suica",
        ],
    ),
    ("CL", "56", &["chile", "chili", "cile"]),
    ("CN", "86", &["china", "chine", "cina"]),
    ("CO", "57", &["colombia", "kolumbien", "colombie"]),
    ("CY", "357", &["cyprus", "zypern", "chypre", "chipre"]),
    (
        "CZ",
        "420",
        &[
            "czech republic",
            "czechia",
            "tschechien",
            "tschechische republik",
            "republique tcheque",
            "republica checa",
            "ceska republika",
        ],
    ),
    (
        "DE",
        "49",
        &[
            "germany",
            "deutschland",
            "allemagne",
            "alemania",
            "germania",
            "duitsland",
            "alemanha",
        ],
    ),
    (
        "DK",
        "45",
        &[
            "denmark",
            "danemark",
            "dinamarca",
            "danmark",
            "denemarken",
            "danimarca",
        ],
    ),
    ("EE", "372", &["estonia", "estland", "estonie", "eesti"]),
    (
        "EG",
        "20",
        &["egypt", "agypten", "egypte", "egipto", "egitto"],
    ),
    (
        "ES",
        "34",
        &[
            "spain", "spanien", "espagne", "espana", "spagna", "spanje", "espanha",
        ],
    ),
    (
        "FI",
        "358",
        &["finland", "finnland", "finlande", "finlandia", "suomi"],
    ),
    (
        "FR",
        "33",
        &["france", "frankreich", "francia", "frankrijk", "franca"],
    ),
    (
        "GB",
        "44",
        &[
            "united kingdom",
            "great britain",
            "england",
            "scotland",
            "wales",
            "northern ireland",
            "uk",
            "u k",
            "grossbritannien",
            "vereinigtes konigreich",
            "royaume uni",
            "reino unido",
            "regno unito",
            "verenigd koninkrijk",
        ],
    ),
    (
        "GR",
        "30",
        &["greece", "griechenland", "grece", "grecia", "griekenland"],
    ),
    ("HK", "852", &["hong kong", "hongkong"]),
    (
        "HR",
        "385",
        &["croatia", "kroatien", "croatie", "croacia", "hrvatska"],
    ),
    (
        "HU",
        "36",
        &[
            "hungary",
            "ungarn",
            "hongrie",
            "hungria",
            "magyarorszag",
            "ungheria",
        ],
    ),
    (
        "IE",
        "353",
        &["ireland", "irland", "irlande", "irlanda", "ierland"],
    ),
    ("IL", "972", &["israel", "israele"]),
    ("IN", "91", &["india", "indien", "inde"]),
    ("IS", "354", &["iceland", "island", "islande", "islandia"]),
    ("IT", "39", &["italy", "italien", "italie", "italia"]),
    ("JP", "81", &["japan", "japon", "giappone", "japao"]),
    (
        "KR",
        "82",
        &[
            "south korea",
            "sudkorea",
            "coree du sud",
            "corea del sur",
            "republic of korea",
        ],
    ),
    ("LI", "423", &["liechtenstein"]),
    (
        "LT",
        "370",
        &["lithuania", "litauen", "lituanie", "lituania", "lietuva"],
    ),
    (
        "LU",
        "352",
        &["luxembourg", "luxemburg", "luxemburgo", "lussemburgo"],
    ),
    (
        "LV",
        "371",
        &["latvia", "lettland", "lettonie", "letonia", "latvija"],
    ),
    ("MA", "212", &["morocco", "marokko", "maroc", "marruecos"]),
    ("MT", "356", &["malta", "malte"]),
    ("MX", "52", &["mexico", "mexiko", "mexique", "messico"]),
    ("MY", "60", &["malaysia", "malaisie", "malasia"]),
    (
        "NL",
        "31",
        &[
            "netherlands",
            "the netherlands",
            "niederlande",
            "pays bas",
            "paises bajos",
            "nederland",
            "paesi bassi",
        ],
    ),
    (
        "NO",
        "47",
        &[
            "norway",
            "norwegen",
            "norvege",
            "noruega",
            "norge",
            "noorwegen",
            "norvegia",
        ],
    ),
    (
        "NZ",
        "64",
        &[
            "new zealand",
            "neuseeland",
            "nouvelle zelande",
            "nueva zelanda",
        ],
    ),
    (
        "PL",
        "48",
        &["poland", "polen", "pologne", "polonia", "polska"],
    ),
    ("PT", "351", &["portugal", "portogallo"]),
    ("QA", "974", &["qatar", "katar"]),
    ("RO", "40", &["romania", "rumanien", "roumanie", "rumania"]),
    ("RS", "381", &["serbia", "serbien", "serbie", "srbija"]),
    (
        "SA",
        "966",
        &[
            "saudi arabia",
            "saudi arabien",
            "arabie saoudite",
            "arabia saudita",
            "saudi arabie",
        ],
    ),
    (
        "SE",
        "46",
        &[
            "sweden", "schweden", "suede", "suecia", "sverige", "zweden", "svezia",
        ],
    ),
    ("SG", "65", &["singapore", "singapur", "singapour"]),
    (
        "SI",
        "386",
        &[
            "slovenia",
            "slowenien",
            "slovenie",
            "eslovenia",
            "slovenija",
        ],
    ),
    (
        "SK",
        "421",
        &[
            "slovakia",
            "slowakei",
            "slovaquie",
            "eslovaquia",
            "slovensko",
        ],
    ),
    (
        "TR",
        "90",
        &[
            "turkey", "turkiye", "turkei", "turquie", "turquia", "turchia",
        ],
    ),
    ("TW", "886", &["taiwan"]),
    ("UA", "380", &["ukraine", "ucrania", "ucraina"]),
    (
        "US",
        "1",
        &[
            "united states",
            "united states of america",
            "usa",
            "u s a",
            "u s",
            "vereinigte staaten",
            "etats unis",
            "estados unidos",
            "stati uniti",
            "verenigde staten",
        ],
    ),
    (
        "ZA",
        "27",
        &["south africa", "sudafrika", "afrique du sud", "sudafrica"],
    ),
];

/// Marks that only one country's companies put on their pages, as folded words.
const MARKS: &[(&str, &[&str])] = &[
    (
        "DE",
        &["amtsgericht", "hrb", "hra", "ust idnr", "ust id nr"],
    ),
    ("AT", &["firmenbuch", "firmenbuchnummer", "uid nr atu"]),
    (
        "GB",
        &[
            "registered in england",
            "registered in scotland",
            "registered in wales",
            "companies house",
        ],
    ),
    ("FR", &["rcs", "siret", "siren"]),
    ("NL", &["kvk", "kamer van koophandel"]),
    ("IT", &["partita iva", "p iva"]),
    ("CH", &["handelsregister des kantons"]),
];

/// The code that a text names: itself as a code in capitals, or a name that is the whole text.
pub fn named(text: &str) -> Option<&'static str> {
    let trimmed = text.trim();
    if let Some((code, ..)) = COUNTRIES.iter().find(|(code, ..)| *code == trimmed) {
        return Some(code);
    }
    let folded = words::fold(trimmed);
    let joined = words::split(&folded).join(" ");
    COUNTRIES
        .iter()
        .find(|(_, _, names)| names.contains(&joined.as_str()))
        .map(|(code, ..)| *code)
}

/// The country whose name the text holds, if it holds that of one only.
pub fn mentioned(text: &str) -> Option<&'static str> {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let mut found = COUNTRIES.iter().filter(|(_, _, names)| {
        names
            .iter()
            // Two letters are a word of many languages.
            .filter(|name| name.len() > 3 || **name == "usa" || **name == "uae")
            .any(|name| words::has(&words, name))
    });
    let (code, ..) = found.next()?;
    found.next().is_none().then_some(*code)
}

/// The country of an international telephone number in the text (`+49 …`), if there is only one country.
pub fn of_telephone(text: &str) -> Option<&'static str> {
    let mut found: Option<&'static str> = None;
    for (at, _) in text.match_indices('+') {
        let digits: String = text
            .get(at + 1..)?
            .chars()
            .take(8)
            .filter(char::is_ascii_digit)
            .collect();
        let country = COUNTRIES
            .iter()
            .filter(|(_, prefix, _)| digits.starts_with(prefix) && digits.len() > prefix.len())
            .max_by_key(|(_, prefix, _)| prefix.len());
        // One prefix is shared by the United States and Canada.
        let Some((code, prefix, _)) = country.filter(|(_, prefix, _)| *prefix != "1") else {
            continue;
        };
        if digits.len() < prefix.len() + 2 || found.is_some_and(|known| known != *code) {
            return None;
        }
        found = Some(code);
    }
    found
}

/// The country whose registers the text names.
pub fn of_register(text: &str) -> Option<&'static str> {
    let folded = words::fold(text);
    let words = words::split(&folded);
    MARKS
        .iter()
        .find(|(_, marks)| words::has_any(&words, marks))
        .map(|(code, _)| *code)
}

/// Whether postal codes of the country have so many digits and stand before the place.
pub fn postal_digits(code: &str) -> Option<usize> {
    match code {
        "DE" | "FR" | "IT" | "ES" | "FI" | "TR" | "HR" => Some(5),
        "AT" | "CH" | "BE" | "DK" | "NO" | "NL" | "LU" | "HU" | "SI" | "LI" => Some(4),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_are_told_from_names_codes_and_telephones() {
        assert_eq!(named("Deutschland"), Some("DE"));
        assert_eq!(named("GB"), Some("GB"));
        assert_eq!(named("The Netherlands"), Some("NL"));
        assert_eq!(named("Österreich "), Some("AT"));
        assert_eq!(named("in"), None);
        assert_eq!(mentioned("89073 Ulm, Germany"), Some("DE"));
        assert_eq!(mentioned("France and Germany"), None);
        assert_eq!(of_telephone("Tel. +49 (0)731 123"), Some("DE"));
        assert_eq!(of_telephone("+1 512 555 0100"), None);
        assert_eq!(of_telephone("+44 113 1, +49 731 2"), None);
        assert_eq!(of_register("Amtsgericht Ulm, HRB 1"), Some("DE"));
    }

    #[test]
    fn codes_are_sorted_and_unique() {
        assert!(COUNTRIES.is_sorted_by(|one, other| one.0 < other.0));
    }
}
