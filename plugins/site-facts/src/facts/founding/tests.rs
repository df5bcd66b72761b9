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
fn whoever_leads_a_company_may_be_younger_than_it() {
    for sentence in [
        "Ana Ruiz, al frente desde 2001.",
        "Alla guida dal 2001",
        "At the helm since 2001",
        "Geschäftsführer seit 2001",
        "À la tête de l'atelier depuis 2001",
    ] {
        let found = super::founding_year(sentence, &[], |_| true);
        assert_eq!(found, None, "{sentence}");
    }
    assert!(super::founding_year("Inhabergeführt seit 1950", &[], |_| true).is_some());
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
    assert_eq!(
        founding_year(
            "Die Acme wurde am 1. April 2013 von Anna Beck am alten Hafen der kleinen Stadt Ulm gegründet.",
            &names,
            own
        ),
        Some(2013)
    );
    for (text, expected) in [
        (
            "Die Acme wurde am 1. April 2013 von Anna Beck und Tom Holm am heutigen Standort in Ulm gegründet.",
            Some(2013),
        ),
        (
            "Die Acme hat im März 2019 mit vielen alten Freunden aus der Region einen Standort in Ulm gegründet.",
            None,
        ),
    ] {
        assert_eq!(founding_year(text, &names, own), expected, "{text}");
    }
    for (text, expected) in [
        (
            "Als Familienbetrieb sind wir seit 1987 in Ulm und überall um Ulm herum für Sie da.",
            Some(1987),
        ),
        (
            "We are a family business and have built boats by the river in Leeds since 1987.",
            Some(1987),
        ),
        (
            "Seit 2017 ist unser Betrieb im Hafen auch ein Ort für Lehrlinge aus der Stadt.",
            None,
        ),
        (
            "Unser Kran ist seit 2019 am Markt und läuft heute in vielen Häfen.",
            None,
        ),
        (
            "Wir sind mit unseren Kränen seit 1987 am Markt und bauen sie in Ulm.",
            Some(1987),
        ),
        (
            "Unsere Schreinerei besteht seit 1950 und steht noch immer am alten Hafen.",
            Some(1950),
        ),
        (
            "Unsere Gießerei besteht seit 1950 und wird heute von Anna Beck in dritter Generation geführt.",
            Some(1950),
        ),
        (
            "Unser Kran ist seit 2019 am Markt und läuft dort nun in zweiter Generation.",
            None,
        ),
        (
            "Unser Betrieb besteht seit 1987 und baut Kräne für die ganze Region.",
            Some(1987),
        ),
        (
            "Im März 2019 haben wir in Ulm gemeinsam mit vielen alten Freunden aus der Region einen Verein für junge Musiker gegründet.",
            None,
        ),
    ] {
        let own = |text: &str| {
            let folded = gtm_site_research::words::fold(text);
            gtm_lexicon::company::WE.any_in(&gtm_site_research::words::split(&folded))
        };
        assert_eq!(founding_year(text, &names, own), expected, "{text}");
    }
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
        super::founding_year(sentence, &names, |text| text.contains("Acme")).map(|found| found.year)
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
