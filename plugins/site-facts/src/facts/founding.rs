//! The founding year that a sentence gives.

use gtm_lexicon::Words;
use gtm_lexicon::company::THE_COMPANY;
use gtm_lexicon::founding::{
    ARTICLES, BEGAN, BEHIND_OBJECTS, CAPITALIZED_ARTICLES, CLAUSE_ENDS, EXPERIENCE, FOLLOWS,
    FOUNDED, FOUNDS_IT, OTHER_OBJECTS, OTHERS, SERVING, SINCE, STARTED, WITHOUT,
};
use gtm_site_research::dates;
use gtm_site_research::words;

/// How surely a sentence gives the founding year, the least sure first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Said {
    /// By a word such as `since` beside experience, which may be older or younger than the company.
    OfExperience,
    /// By a word such as `since`.
    Since,
    /// By a verb such as `founded`.
    ByVerb,
}

/// A founding year, and how it is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Founded {
    /// The founding year.
    pub year: i64,
    /// How the sentence says it.
    pub said: Said,
}

/// Parses a word as a year.
pub fn year(text: &str) -> Option<i64> {
    (text.len() == 4)
        .then(|| text.parse::<i64>().ok())
        .flatten()
        .filter(|year| (1500..=2099).contains(year))
}

/// The first year in the value of a label: four digits, or a year of a Japanese era.
pub fn year_in(folded: &str) -> Option<i64> {
    let plain = folded.split(|c: char| !c.is_ascii_digit()).find_map(year);
    plain.or_else(|| Some(gtm_lexicon::year_of_era(folded)?.0))
}

/// Whether a value is a date or a year and nothing else.
pub fn is_date(value: &str) -> bool {
    let folded = words::fold(value);
    let marks = |c: char| {
        c.is_ascii_digit()
            || c.is_whitespace()
            || matches!(c, '年' | '月' | '日' | '(' | ')' | '（' | '）' | '.')
    };
    let year = year_in(&folded).is_some();
    let bare = folded.chars().filter(|c| !marks(*c)).count();
    year && (bare == 0 || value.contains('年') && bare <= 2 || dates::is_only_a_date(value))
}

/// Whether a verb between the two positions founds the company and not something else: checks the word after
/// it.
fn founds(words: &[&str], from: usize, to: usize, names: &[String]) -> bool {
    (from..to.min(words.len())).any(|at| {
        let is_verb = words.get(at).is_some_and(|word| FOUNDED.contains(word));
        let rest = words.get(at + 1..).unwrap_or_default();
        is_verb
            && rest.first().is_none_or(|next| {
                year(next).is_some()
                    || FOLLOWS.open(rest)
                    || names.iter().any(|name| name == next)
                    || words.get(at).is_some_and(|verb| CLAUSE_ENDS.contains(verb))
            })
    })
}

/// Whether a German clause ends with the participle and mentions the company: `2011 haben sie das Unternehmen
/// in einer alten Bootshalle gegründet`.
fn ends_with_participle(words: &[&str], year_at: usize) -> bool {
    let rest = words.get(year_at..).unwrap_or_default();
    rest.last().is_some_and(|last| CLAUSE_ENDS.contains(last))
        && THE_COMPANY.any_in(rest)
        && rest.iter().filter(|word| year(word).is_some()).count() == 1
}

/// Whether the company follows a verb of beginning, at most a few words before or after the year.
fn starts_company(words: &[&str], year_at: usize, names: &[String]) -> bool {
    (year_at.saturating_sub(10)..words.len().min(year_at + 10)).any(|at| {
        let rest = words.get(at..).unwrap_or_default();
        STARTED.at_start(rest).any(|verb| {
            let object = rest.get(verb.len()..).unwrap_or_default();
            let it = matches!(verb, [verb] if FOUNDS_IT.contains(verb))
                && object.first().is_some_and(|word| ARTICLES.contains(word))
                && !OTHER_OBJECTS.any_in(object.get(..4).unwrap_or(object));
            it || THE_COMPANY.open(object)
                || object
                    .first()
                    .is_some_and(|word| names.iter().any(|name| name == word))
        })
    })
}

/// Whether a founding verb and an article introduce a named company that is not this one: `founded the
/// instrument maker Farrance`. Names are recognized by the capitals in the original sentence.
fn founds_another(sentence: &str, names: &[String]) -> bool {
    let is_break = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’' | '-');
    let tokens: Vec<(&str, String)> = sentence
        .split(is_break)
        .filter(|token| !token.is_empty())
        .map(|token| (token, words::fold(token)))
        .collect();
    let is = |at: usize, list: Words| {
        let token = tokens.get(at);
        token.is_some_and(|(_, folded)| list.contains(folded))
    };
    (0..tokens.len()).any(|at| {
        if !is(at, FOUNDS_IT) || !is(at + 1, ARTICLES) {
            return false;
        }
        let object: Vec<&(&str, String)> = tokens
            .iter()
            .skip(at + 2)
            .take_while(|(_, folded)| !BEHIND_OBJECTS.contains(folded) && year(folded).is_none())
            .collect();
        let capitals = object
            .iter()
            .filter(|(token, _)| token.chars().next().is_some_and(char::is_uppercase))
            .count();
        let nouns = usize::from(is(at + 1, CAPITALIZED_ARTICLES));
        let own = object.iter().any(|(_, folded)| names.contains(folded));
        capitals > nouns && !own
    })
}

/// The founding year that a sentence gives. `is_own` tells whether a text is about the company; `names` holds
/// the first words of its names.
pub fn founding_year(
    sentence: &str,
    names: &[String],
    is_own: impl Fn(&str) -> bool,
) -> Option<Founded> {
    let folded = words::fold(sentence);
    let words = words::split(&folded);
    if OTHERS.any_in(&words) || founds_another(sentence, names) {
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
        let began = short && (BEGAN.any_in(before) || BEGAN.any_in(after));
        let started = starts_company(&words, at, names) || ends_with_participle(&words, at);
        if founded && (short || is_own(sentence)) || began || started {
            return Some(Founded {
                year,
                said: Said::ByVerb,
            });
        }
        let since = before.last().is_some_and(|word| SINCE.has_word(word));
        // `Since 1988 we …`: the company has been there for so long.
        let we = || {
            words.get(at + 1).is_some_and(|next| is_own(next))
                || words.get(at + 1..).is_some_and(|rest| SERVING.open(rest))
        };
        let since_said = if short && EXPERIENCE.any_in(&words) {
            Said::OfExperience
        } else {
            Said::Since
        };
        if since && at == 1 && we() && !WITHOUT.any_in(&words) {
            return Some(Founded {
                year,
                said: since_said,
            });
        }
        if since
            && short
            && words.len() >= 2
            && at + 1 >= words.len().saturating_sub(5)
            && !WITHOUT.any_in(&words)
        {
            return Some(Founded {
                year,
                said: since_said,
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn years_of_labels_may_count_from_an_era() {
        for (value, expected) in [
            ("1977年", Some(1977)),
            ("1977年（昭和52年）4月", Some(1977)),
            ("昭和52年4月1日", Some(1977)),
            ("平成元年", Some(1989)),
            ("平成１７年６月１日", Some(2005)),
            ("令和 2 年", Some(2020)),
            ("12 march 1998", Some(1998)),
            ("55 people", None),
        ] {
            assert_eq!(super::year_in(value), expected, "{value}");
        }
    }

    #[test]
    fn experience_is_less_than_a_founding() {
        use super::Said;
        let said = |sentence: &str| {
            super::founding_year(sentence, &[], |_| true).map(|found| (found.year, found.said))
        };
        assert_eq!(
            said("Esperienza consolidata dal 2010"),
            Some((2010, Said::OfExperience))
        );
        assert_eq!(said("Family-run since 1962"), Some((1962, Said::Since)));
        assert_eq!(said("Fondata nel 2005"), Some((2005, Said::ByVerb)));
    }

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
                |text| text.starts_with("we")
            ),
            None
        );
        assert_eq!(
            founding_year(
                "Since 1988 we have been mending meters for the towns around the lake.",
                &names,
                |text| text.starts_with("we")
            ),
            Some(1988)
        );
        assert_eq!(
            founding_year(
                "Dal 2005 al servizio dei condomini di Ulma, oltre 20 anni di esperienza.",
                &names,
                |_| false
            ),
            Some(2005)
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
        for another in [
            "She founded the instrument maker Farrance Optical in 1987 and mends her own spectacles.",
            "Before that he founded the Zürich agency Globex in 1999.",
            "1999 gründete sie die Agentur Globex in Zürich.",
            "En 1999 elle fonda la maison Globex avec sa soeur.",
        ] {
            assert_eq!(founding_year(another, &names, own), None, "{another}");
        }
        for its_own in [
            "Two sisters founded the workshop in Leeds in 1987.",
            "Anna Beck gründete die Werkstatt 1987 in Ulm.",
            "Anna Beck founded the printer Acme in 1987.",
        ] {
            assert_eq!(founding_year(its_own, &names, own), Some(1987), "{its_own}");
        }
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

    #[test]
    fn turkish_and_polish_sites_tell_their_year() {
        let names = ["acme".to_owned()];
        let year = |sentence: &str| {
            super::founding_year(sentence, &names, |text| text.contains("Acme"))
                .map(|found| found.year)
        };
        for (sentence, expected) in [
            ("2011'den bu yana", Some(2011)),
            ("2011’den beri denizin kıyısındayız", Some(2011)),
            ("Cam işine 2011 yılında yola çıktık.", Some(2011)),
            ("2011 yılında hizmet vermeye başladık.", Some(2011)),
            (
                "Acme, 2011 yılında Karaköy'de iki cam ustası tarafından kurulmuştur.",
                Some(2011),
            ),
            (
                "2011 yılında kurulan firmamız, Acme adıyla limanlara ve tersanelere fener camı üretir.",
                Some(2011),
            ),
            ("2019 yılında İzmir şubemiz kuruldu.", None),
            ("2019 yılında üçüncü fabrikamız faaliyete başladı.", None),
            (
                "2019 yılında kurulan dernek, kıyı köylerinde yaşayan bütün çocuklara ders veriyor.",
                None,
            ),
            ("Od 1994 roku", Some(1994)),
            ("Działamy od 1994 roku", Some(1994)),
            (
                "Acme została założona w 1994 roku przez dwóch zegarmistrzów w małej pracowni nad rzeką.",
                Some(1994),
            ),
            (
                "W 1994 roku dwaj bracia z Torunia założyli firmę Acme w warsztacie swojego ojca.",
                Some(1994),
            ),
            ("Zegary wieżowe od 1999 zł netto", None),
            ("Hala powstała w 2015 roku", None),
            (
                "Fundacja została założona w 2015 roku i uczy dzieci budowania zegarów słonecznych.",
                None,
            ),
        ] {
            assert_eq!(year(sentence), expected, "{sentence}");
        }
    }
}
