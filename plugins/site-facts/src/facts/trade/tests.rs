use super::titles::{business_in, deals_in, without_year};
use super::*;

#[test]
fn a_sentence_without_blanks_ends_with_what_the_company_is() {
    let names = ["青葉社".to_owned()];
    let what = |sentence| what_it_is(sentence, &names);
    assert_eq!(
        what("青葉社は、品質に誇りを持っている総合印刷会社です。"),
        Some("総合印刷会社")
    );
    assert_eq!(what("青葉社は無料です。"), None);
    assert_eq!(what("大切なのは印刷会社です。"), None);
}

#[test]
fn a_list_of_goods_names_no_business() {
    for (value, goods) in [
        ("一般書籍、雑誌、ポスター等", true),
        ("印刷業、製本業", false),
        ("総合印刷", false),
    ] {
        assert_eq!(lists_goods(value), goods, "{value}");
    }
}

#[test]
fn lines_of_a_cell_are_businesses() {
    for (value, lines) in [
        (
            "電気工事業 管工事業 消防施設工事業",
            vec!["電気工事業", "管工事業", "消防施設工事業"],
        ),
        ("1. 印刷業 2. 製本業", vec!["印刷業", "製本業"]),
        ("・印刷業 ・製本業", vec!["印刷業", "製本業"]),
        ("IT システム開発", vec!["IT システム開発"]),
        ("印刷業", vec!["印刷業"]),
        ("お客様に寄り添います。 製本もします。", vec![]),
        ("Roofing and gutters", vec![]),
    ] {
        assert_eq!(lines_of(value), lines, "{value}");
    }
}

#[test]
fn a_company_is_what_two_joined_words_say() {
    let names = ["acme".to_owned()];
    for (sentence, what) in [
        (
            "Acme is a planning and building company for schools.",
            "planning and building company",
        ),
        (
            "Acme is an architecture and design agency in Leeds.",
            "architecture and design agency",
        ),
        ("Acme is an agency and a friend of the sea.", "agency"),
        ("Acme is a bakery and has a garden.", "bakery"),
        (
            "Acme ist eine Planungs- und Baugesellschaft für Schulen.",
            "Planungs- und Baugesellschaft",
        ),
    ] {
        assert_eq!(what_it_is(sentence, &names), Some(what), "{sentence}");
    }
}

#[test]
fn descriptions_begin_with_the_business() {
    for (text, language, business) in [
        (
            "Ihr Fachbetrieb für Dach, Fassade und Gerüst im Großraum Leipzig. Seit 1998.",
            "de",
            Some("Fachbetrieb für Dach, Fassade und Gerüst"),
        ),
        (
            "Erkend aannemersbedrijf voor daken en gevels in de regio Zwolle.",
            "nl",
            Some("Erkend aannemersbedrijf voor daken en gevels"),
        ),
        (
            "Indústria de artefatos de madeira, caixas para frutas e peças.",
            "pt",
            Some("Indústria de artefatos de madeira"),
        ),
        (
            "Vendita, noleggio e assistenza gru mobili a Parma. Dal 1996.",
            "it",
            Some("Vendita, noleggio e assistenza gru mobili"),
        ),
        (
            "Producent lin jutowych dla żeglarzy.",
            "pl",
            Some("Producent lin jutowych"),
        ),
        (
            "Fornitore di cordami a Camogli.",
            "it",
            Some("Fornitore di cordami"),
        ),
        ("Qualität, der man vertraut.", "de", None),
        ("Welcome to our site.", "en", None),
    ] {
        assert_eq!(business_in(text, language), business, "{text}");
    }
}

#[test]
fn a_company_says_what_it_is() {
    let names = ["acme rail".to_owned(), "acme".to_owned()];
    assert_eq!(
        what_it_is(
            "Acme Rail is a signalling manufacturer for regional lines.",
            &names
        ),
        Some("signalling manufacturer")
    );
    assert_eq!(
        what_it_is("We are an independent tea merchant.", &names),
        Some("independent tea merchant")
    );
    assert_eq!(
        what_it_is(
            "Die Acme ist ein Hersteller von Messtechnik für Stadtwerke.",
            &names
        ),
        Some("Hersteller von Messtechnik")
    );
    assert_eq!(
        what_it_is("Acme is a registered trademark of Acme Ltd.", &names),
        None
    );
    assert_eq!(
        what_it_is("Acme is accounts payable software for builders.", &names),
        Some("accounts payable software")
    );
    assert_eq!(what_it_is("Acme is growing fast.", &names), None);
    for (sentence, what) in [
        (
            "Acme is onderhoudssoftware voor installateurs.",
            Some("onderhoudssoftware"),
        ),
        (
            "Acme ist Abrechnungssoftware für Stadtwerke.",
            Some("Abrechnungssoftware"),
        ),
        ("Acme is een adviesbureau voor water.", Some("adviesbureau")),
        ("Acme è una cantina in collina.", Some("cantina")),
        (
            "A Acme é uma consultora de energia.",
            Some("consultora de energia"),
        ),
        (
            "Acme is an installer of wall insulation (EWI) for old houses.",
            Some("installer of wall insulation"),
        ),
        (
            "Acme est un bureau d’ingénierie regroupant des géomètres, des techniciens et des ingénieurs.",
            Some("bureau d’ingénierie"),
        ),
        // `e` without an accent means `and`, not `is`.
        ("Acme produce valvole e un sistema per la rete.", None),
        ("Acme is de enige leverancier met een winkel.", None),
        ("Acme is nieuw in Zwolle.", None),
        ("Acme is een familiebedrijf in Ede.", None),
        ("Acme es una empresa familiar.", None),
    ] {
        assert_eq!(what_it_is(sentence, &names), what, "{sentence}");
    }
    assert_eq!(
        what_it_is("We are a private company backed by our customers.", &names),
        None
    );
    assert_eq!(
        what_it_is("We are an authorised economic operator.", &names),
        None
    );
    assert_eq!(what_it_is("The weather is a surprise.", &names), None);
    assert_eq!(
        what_it_is(
            "Acme is a managed Sourcing, Import and Trading Company.",
            &names
        ),
        None
    );
    assert_eq!(what_it_is("Acme is", &names), None);
}

#[test]
fn a_company_says_what_it_deals_in_without_an_article() {
    let names = ["acme".to_owned()];
    for (sentence, what) in [
        (
            "Siamo fornitori esperti di cordami.",
            Some("fornitori esperti di cordami"),
        ),
        (
            "Somos fabricantes de cuerdas.",
            Some("fabricantes de cuerdas"),
        ),
        (
            "We are manufacturers of ropes.",
            Some("manufacturers of ropes"),
        ),
        (
            "Wir sind Hersteller von Seilen.",
            Some("Hersteller von Seilen"),
        ),
        (
            "Acme, c’est le spécialiste de la corde.",
            Some("spécialiste de la corde"),
        ),
        ("Siamo un gruppo di amici.", None),
        ("Siamo felici di servirvi.", None),
        ("We are distributors.", None),
        ("Acme ist ein Dienstleistungsunternehmen.", None),
        ("Acme ist ein Traditionsbetrieb.", None),
        ("Acme ist ein etablierter Meisterbetrieb.", None),
        ("Acme is an established family business.", None),
        ("Acme ist ein Bauunternehmen.", Some("Bauunternehmen")),
        ("Acme is een handelsonderneming.", None),
        ("Acme is a service company.", None),
        ("Acme est une société de services.", None),
    ] {
        assert_eq!(what_it_is(sentence, &names), what, "{sentence}");
    }
}

#[test]
fn titles_and_descriptions_name_the_business_somewhere() {
    for (text, language, business) in [
        (
            "Découvrez Acme, fabricant français de cordages et filets depuis 1951.",
            "fr",
            Some("fabricant français de cordages et filets"),
        ),
        (
            "Acme, fournisseur d’amarres pour les ports",
            "fr",
            Some("fournisseur d’amarres"),
        ),
        (
            "Taue aus Kiel | Acme, Hersteller von Tauen",
            "de",
            Some("Hersteller von Tauen"),
        ),
        (
            "Acme | Produttore di cordami a Camogli",
            "it",
            Some("Produttore di cordami"),
        ),
        ("Votre distributeur de cordages", "fr", None),
        ("Trouver un distributeur de cordages", "fr", None),
        ("Acme, distributore in Toscana", "it", None),
        ("Acme, fabricant de Bretagne", "fr", None),
        ("Ropes for every ship", "en", None),
    ] {
        assert_eq!(deals_in(text, language), business, "{text}");
    }
}

#[test]
fn a_year_is_no_part_of_a_business() {
    for (segment, rest) in [
        ("Rope makers since 1951", "Rope makers"),
        ("Seilerei seit 1951", "Seilerei"),
        ("Corderia dal 1951", "Corderia"),
        ("Since 1951", "Since 1951"),
        ("Ropes 1951", "Ropes 1951"),
    ] {
        assert_eq!(without_year(segment), rest);
    }
}

#[test]
fn whoever_is_good_in_a_field_is_no_trade() {
    let names = ["acme".to_owned()];
    for (sentence, what) in [
        (
            "Depuis 25 ans, Acme est un acteur incontournable dans le domaine de la corde.",
            None,
        ),
        (
            "Acme è un punto di riferimento nel settore delle corde.",
            None,
        ),
        ("Acme ist ein starker Partner im Bereich Seile.", None),
        ("Acme is a key player in the field of ropes.", None),
        (
            "Acme is a rope manufacturer in the field of sailing.",
            Some("rope manufacturer"),
        ),
    ] {
        assert_eq!(what_it_is(sentence, &names), what, "{sentence}");
    }
}
