//! The year in which a sentence says that the company was founded.

use gtm_site_research::words;

/// Words of founding, folded.
const FOUNDED: &[&str] = &[
    "founded",
    "established",
    "est",
    "incorporated",
    "gegrundet",
    "grundung",
    "grundungsjahr",
    "gegrundete",
    "gegrundetes",
    "grundete",
    "grundeten",
    "fondo",
    "fonde",
    "fondee",
    "fondes",
    "fondees",
    "creee",
    "cree",
    "fundada",
    "fundado",
    "fundo",
    "fundaron",
    "creada",
    "fondata",
    "fondato",
    "nata",
    "nee",
    "ne",
    "nacio",
    "opgericht",
    "تأسست",
    "تأسس",
    "أسست",
    "أسسها",
    "نشأت",
    "انطلقت",
    "נוסדה",
    "הוקמה",
];
/// Words that found something only in a short line: `It all began in 1987`.
const BEGAN: &[&str] = &[
    "started", "began", "begun", "begann", "creation", "created", "set up", "debut*",
];
/// Verbs that found a company in a sentence of any length, if the company is what follows: `We started Acme in
/// 2013`. Folded.
const STARTED: &[&str] = &[
    "started",
    "founded",
    "established",
    "set up",
    "opened",
    "launched",
    "created",
    "built",
    "grundete",
    "grundeten",
    "eroffnete",
    "eroffneten",
    "fonde",
    "cree",
    "ouvert",
    "fonda",
    "crea",
    "creo",
    "creerent",
    "fonderent",
    "fundo",
    "fundaron",
    "abrio",
    "abrieron",
    "fondo",
    "fondarono",
    "apri",
    "aprirono",
    "أسس",
    "أسسنا",
    "أسست",
];
/// What a company is called where it tells its own beginning, folded.
const THE_COMPANY: &[&str] = &[
    "the company",
    "the firm",
    "the business",
    "the studio",
    "the agency",
    "this company",
    "this business",
    "our company",
    "den betrieb",
    "die firma",
    "das unternehmen",
    "das geschaft",
    "das studio",
    "die agentur",
    "unseren betrieb",
    "unsere firma",
    "unser unternehmen",
    "l entreprise",
    "la societe",
    "la maison",
    "l atelier",
    "l agence",
    "la empresa",
    "la compania",
    "el negocio",
    "el taller",
    "l azienda",
    "la societa",
    "l impresa",
    "la ditta",
    "la bottega",
    "الشركة",
    "شركتنا",
];
/// What may follow a word of founding that speaks of the company; `our`, `a` and the like speak of something else.
const FOLLOWS: &[&str] = &[
    "in",
    "by",
    "on",
    "as",
    "over",
    "with",
    "together",
    "near",
    "to",
    "around",
    "back",
    "the company",
    "the firm",
    "the business",
    "am",
    "im",
    "von",
    "das unternehmen",
    "die firma",
    "und",
    "en",
    "par",
    "le",
    "dans",
    "por",
    "el",
    "nel",
    "da",
    "te",
    "door",
    "who",
    "and",
    "عام",
    "سنة",
    "في",
    "على",
    "בשנת",
    "על",
];
/// Words that stand right before the year since which something is so.
pub const SINCE: &[&str] = &["since", "seit", "depuis", "desde", "dal", "sinds"];
/// Who else may have been founded.
const OTHERS: &[&str] = &[
    "customer*",
    "client*",
    "kunde*",
    "acquired",
    "acquisition",
    "subsidiary",
    "charity",
    "foundation",
    "museum",
    "university",
    "born",
    "cliente*",
];
/// What a founder founds besides companies, behind an article, folded.
const OTHER_OBJECTS: &[&str] = &[
    "foundation",
    "charity",
    "school",
    "museum",
    "university",
    "club",
    "prize",
    "award",
    "festival",
    "programme",
    "program",
    "department",
    "office",
    "depot",
    "plant",
    "site",
    "branch",
    "subsidiary",
    "stiftung",
    "schule",
    "verein",
    "niederlassung",
    "filiale",
    "tochter*",
    "abteilung",
    "werk",
    "standort",
    "fondation",
    "ecole",
    "musee",
    "succursale",
    "antenne",
    "agence",
    "fundacion",
    "escuela",
    "museo",
    "sucursal",
    "oficina",
    "filial",
    "fondazione",
    "scuola",
    "sede",
];
/// Verbs of founding and nothing else, folded: whatever stands behind the article is the company.
const FOUNDS_IT: &[&str] = &[
    "founded",
    "grundete",
    "grundeten",
    "fonde",
    "fonda",
    "fonderent",
    "fundo",
    "fundaron",
    "fondo",
    "fondarono",
    "أسس",
];
const ARTICLES: &[&str] = &[
    "the", "den", "die", "das", "la", "le", "l", "el", "il", "lo",
];
/// Words of what a company does without, which it may do since a year.
const WITHOUT: &[&str] = &[
    "no", "not", "without", "ohne", "kein*", "nicht", "sans", "sin", "senza", "zonder", "بدون",
    "دون",
];

/// A year of founding, and whether a verb says it or only a word such as `since`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Founded {
    /// The year.
    pub year: i64,
    /// Whether a verb of founding says it.
    pub by_verb: bool,
}

/// A year, if the word is one.
pub fn year(text: &str) -> Option<i64> {
    (text.len() == 4)
        .then(|| text.parse::<i64>().ok())
        .flatten()
        .filter(|year| (1500..=2099).contains(year))
}

/// Whether the company is founded between two words: what follows the verb is no other thing that is.
fn founds(words: &[&str], from: usize, to: usize, names: &[String]) -> bool {
    (from..to.min(words.len())).any(|at| {
        let is_verb = words.get(at).is_some_and(|word| FOUNDED.contains(word));
        let rest = words.get(at + 1..).unwrap_or_default();
        is_verb
            && rest.first().is_none_or(|next| {
                year(next).is_some()
                    || words::starts_with_any(rest, FOLLOWS)
                    || names.iter().any(|name| name == next)
                    // A participle ends a German clause.
                    || words.get(at) == Some(&"gegrundet")
            })
    })
}

/// Whether a clause of German ends with the participle and has the company in it: `2011 haben sie das Unternehmen
/// in einer alten Bootshalle gegründet`.
fn ends_with_participle(words: &[&str], year_at: usize) -> bool {
    let rest = words.get(year_at..).unwrap_or_default();
    rest.last() == Some(&"gegrundet")
        && words::has_any(rest, THE_COMPANY)
        && rest.iter().filter(|word| year(word).is_some()).count() == 1
}

/// Whether one of the verbs of beginning is followed by the company, with the year a few words before or behind.
fn starts_company(words: &[&str], year_at: usize, names: &[String]) -> bool {
    STARTED.iter().any(|verb| {
        let length = verb.split(' ').count();
        (year_at.saturating_sub(10)..words.len().min(year_at + 10)).any(|at| {
            let rest = words.get(at..).unwrap_or_default();
            let object = rest.get(length..).unwrap_or_default();
            let it = FOUNDS_IT.contains(verb)
                && object.first().is_some_and(|word| ARTICLES.contains(word))
                && !words::has_any(object.get(..4).unwrap_or(object), OTHER_OBJECTS);
            words::starts_with_any(rest, &[verb])
                && (it
                    || words::starts_with_any(object, THE_COMPANY)
                    || object
                        .first()
                        .is_some_and(|word| names.iter().any(|name| name == word)))
        })
    })
}

/// The year in which a sentence says that the company was founded. `is_own` says whether a text speaks of the
/// company, `names` are the first words of its names.
pub fn founding_year(
    sentence: &str,
    names: &[String],
    is_own: impl Fn(&str) -> bool,
) -> Option<Founded> {
    let folded = words::fold(sentence);
    let words = words::split(&folded);
    if words::has_any(&words, OTHERS) {
        return None;
    }
    let short = words.len() <= 8;
    for (at, word) in words.iter().enumerate() {
        let Some(year) = year(word) else { continue };
        let before = words.get(at.saturating_sub(6)..at).unwrap_or_default();
        let after = words
            .get(at + 1..(at + 9).min(words.len()))
            .unwrap_or_default();
        let from = at.saturating_sub(6);
        let founded = founds(&words, from, at, names) || founds(&words, at + 1, at + 9, names);
        let began = short && (words::has_any(before, BEGAN) || words::has_any(after, BEGAN));
        let started = starts_company(&words, at, names) || ends_with_participle(&words, at);
        if founded && (short || is_own(sentence)) || began || started {
            return Some(Founded {
                year,
                by_verb: true,
            });
        }
        let since = before.last().is_some_and(|word| SINCE.contains(word));
        if since
            && short
            && words.len() >= 2
            && at + 1 >= words.len().saturating_sub(5)
            && !words::has_any(&words, WITHOUT)
        {
            return Some(Founded {
                year,
                by_verb: false,
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn years_of_founding_are_told_from_other_years() {
        let founding_year = |sentence: &str, names: &[String], own: fn(&str) -> bool| {
            super::founding_year(sentence, names, own).map(|found| found.year)
        };
        let own = |_: &str| true;
        let names = ["acme".to_owned()];
        assert_eq!(
            founding_year("Acme was founded in 2011 by three engineers.", &names, own),
            Some(2011)
        );
        assert_eq!(
            founding_year("Die Acme GmbH wurde 1998 in Ulm gegründet.", &names, own),
            Some(1998)
        );
        assert_eq!(
            founding_year("Gegründet: 1998", &names, |_| false),
            Some(1998)
        );
        assert_eq!(
            founding_year("Fondée en 1987, la maison tisse le lin.", &names, own),
            Some(1987)
        );
        assert_eq!(
            founding_year("Family-run since 1962", &names, |_| false),
            Some(1962)
        );
        assert_eq!(
            founding_year(
                "Since 2019 every meter that leaves the plant in Leeds has had a radio inside.",
                &names,
                own
            ),
            None
        );
        assert_eq!(
            founding_year(
                "Our client Globex, founded in 1950, reads meters.",
                &names,
                own
            ),
            None
        );
        assert_eq!(
            founding_year("In 2021 we opened a plant.", &names, own),
            None
        );
        assert_eq!(
            founding_year(
                "In 2015 we established our Ghent depot by the canal.",
                &names,
                own
            ),
            None
        );
        assert_eq!(
            founding_year(
                "We started shipping to nine more countries in the north in 2014.",
                &names,
                own
            ),
            None
        );
        assert_eq!(
            founding_year(
                "In 1998 two sisters founded Acme in a barn near the town of Ripon.",
                &names,
                own
            ),
            Some(1998)
        );
        for (text, year) in [
            (
                "We started Acme in 2013 because the library where we met had its lights on at noon.",
                Some(2013),
            ),
            (
                "Alois Huber gründete den Betrieb 1986 in der Garage seines Elternhauses am Rand der Stadt.",
                Some(1986),
            ),
            (
                "En 1998, Jeanne Roux a fondé la maison avec son frère dans une minoterie.",
                Some(1998),
            ),
            (
                "Jeanne Roux et son frère ont créé l'entreprise en 1998 dans une ancienne minoterie.",
                Some(1998),
            ),
            (
                "تأسست Acme عام ٢٠٠٩ حين غرست العائلة ستمئة فسيلة في أرض قديمة.",
                Some(2009),
            ),
            (
                "We started the programme in 2013 because the library where we met was dark.",
                None,
            ),
            (
                "Sie gründete die Stiftung 2019 in der Nähe von Ulm für alle Kinder der Stadt.",
                None,
            ),
        ] {
            assert_eq!(founding_year(text, &names, |_| true), year, "{text}");
        }
        assert_eq!(
            founding_year("It all began in 1987", &names, own),
            Some(1987)
        );
        assert_eq!(
            founding_year(
                "Globex was established in 1950 in a small town far away from here.",
                &names,
                |_| false
            ),
            None
        );
    }
}
