//! Tests of briefs that are letters.

use super::*;

fn lines(brief: &Brief) -> Vec<String> {
    let texts = brief
        .chapters
        .iter()
        .flat_map(|chapter| texts_of(&chapter.blocks));
    texts
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

#[test]
fn letters_are_printed_from_salutation_to_signature() {
    for (language, order, letter) in [
        (
            "en",
            "Write this up as a letter, one page, Word.",
            "Dear Ms Olsen,\n\nThank you for the visit. We monitor 310 cranes.\n\nPlease send the drawings by 8 January.\n\nKind \
             regards,\nJo Marsh\nHead of Sales",
        ),
        (
            "de",
            "Bitte als Brief, höchstens eine Seite.",
            "Sehr geehrte Frau Kern,\n\nvielen Dank für den Besuch. Wir lesen 900 Zähler ab.\n\nBitte melden Sie sich.\n\nMit \
             freundlichen Grüßen\n\nJana Voss\nLeiterin Vertrieb",
        ),
        (
            "fr",
            "Format Word.",
            "Madame, Monsieur,\n\nNous livrons 40 magasins.\n\nVeuillez agréer, Madame, Monsieur, l'expression de nos salutations \
             distinguées.\n\nLuc Morel\nDirecteur commercial",
        ),
        (
            "es",
            "Propuesta en PDF, 2 páginas.",
            "Estimada Sra. Ruiz:\n\nEtiquetamos 900 latas al día.\n\nUn cordial saludo,\nAna Gil\nDirectora comercial",
        ),
        (
            "it",
            "Formato Word.",
            "Gentile Dott.ssa Riva,\n\nleggiamo 900 contatori.\n\nCordiali saluti\nPaolo Neri\nResponsabile vendite",
        ),
        (
            "nl",
            "Graag als PDF, max. 1 pagina.",
            "Geachte mevrouw De Wit,\n\nWij lezen 900 meters af.\n\nMet vriendelijke groet,\nPiet Bos\nHoofd verkoop",
        ),
        (
            "pt",
            "Formato PDF.",
            "Exma. Senhora Dra. Lopes,\n\nLemos 900 contadores.\n\nCom os melhores cumprimentos,\nRui Sá\nDiretor comercial",
        ),
        (
            "ja",
            "以下をPDF形式でお願いします。",
            "株式会社ノースポート 山田様\n\nいつもお世話になっております。\n弊社は310台のクレーンを監視しています。\n\nご検討のほど、よろしくお願いいたします。\n\n株式会社エイコー\n営業部 佐藤",
        ),
        (
            "ja",
            "以下をPDF形式でお願いします。",
            "拝啓\n\n弊社は310台のクレーンを監視しています。\n\n敬具\n佐藤 花子",
        ),
    ] {
        let brief = Brief::read(&format!("{order}\n\n{letter}"), language);
        let expected: Vec<&str> = letter.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(lines(&brief), expected, "{:?}", brief.directions);
        assert_eq!(brief.directions, [order]);
        assert!(brief.is_letter && brief.asks.is_empty());
    }
}

#[test]
fn what_stands_around_a_letter_is_told_to_its_writer() {
    let brief = Brief::read(
        "Hi Mia,\n\nplease turn this into a letter as Word.\n\nSubject: Your cranes in May\n\nDear Mr Lund,\n\nYour cranes stood \
         still for 19 days. (internal: they pay late)\n\n- Leeds\n- Hull\n\nYours sincerely,\nJo Marsh\n\nP.S. The drawings are \
         attached.\n\nKeep it to one page.",
        "en",
    );
    assert_eq!(
        lines(&brief),
        [
            "Dear Mr Lund,",
            "Your cranes stood still for 19 days.",
            "Leeds",
            "Hull",
            "Yours sincerely,",
            "Jo Marsh",
            "P.S. The drawings are attached."
        ]
    );
    assert_eq!(brief.title.as_deref(), Some("Your cranes in May"));
    assert_eq!(brief.withheld, ["(internal: they pay late)"]);
    assert_eq!(brief.wishes.pages.map(|pages| pages.number), Some(1));
}

#[test]
fn notes_to_colleagues_are_no_letters() {
    for (language, brief) in [
        (
            "en",
            "Hi team,\n\nNorthwind lost 19 crane days.\n\nCan you make a deck of this?\n\nCheers, Mia",
        ),
        (
            "de",
            "Liebe Anna,\n\nbitte mach ein Angebot für Tannach.\n\nTannach liest 900 Zähler ab.\n\nViele Grüße\nPiet",
        ),
        (
            "fr",
            "Bonjour Luc,\n\nDeck de 10 diapositives pour Kerhoz.\n\nKerhoz livre 40 magasins.\n\nCordialement,\nZoé",
        ),
        (
            "en",
            "# Gates\n\n## Today\n\nDear is what they are.\n\n## Then\n\nBest of all, they close.",
        ),
    ] {
        assert!(!Brief::read(brief, language).is_letter, "{brief}");
    }
}

#[test]
fn requests_in_the_form_of_a_letter_are_notes_without_their_frame() {
    for (language, brief, said) in [
        (
            "en",
            "Dear Sam,\n\nNorthwind lost 19 crane days.\n\nCould you make a proposal for Northwind?\n\nBest,\nJo Marsh\nHead of Sales",
            "Northwind lost 19 crane days.",
        ),
        (
            "en",
            "Hi Sam, could you make a proposal for Northwind? They lost 19 crane days.\n\nBest, Jo",
            "They lost 19 crane days.",
        ),
        (
            "de",
            "Liebe Anna,\n\nTannach liest 900 Zähler ab.\n\nKönntest du daraus ein Angebot machen?\n\nLiebe Grüße\nPiet",
            "Tannach liest 900 Zähler ab.",
        ),
        (
            "fr",
            "Cher Luc,\n\nKerhoz livre 40 magasins.\n\nPeux-tu faire une proposition pour Kerhoz ?\n\nCordialement,\nZoé",
            "Kerhoz livre 40 magasins.",
        ),
        (
            "nl",
            "Beste Piet,\n\nDe Korenaar weegt 40 wagens per dag.\n\nKun je een voorstel maken?\n\nMet vriendelijke groet,\nEls",
            "De Korenaar weegt 40 wagens per dag.",
        ),
        (
            "en",
            "Make a two-page proposal from this mail:\n\nDear Mr Reed,\n\nOur 14 cranes stood still for 19 days.\n\nKind regards,\nPetra \
             Olsen",
            "Our 14 cranes stood still for 19 days.",
        ),
    ] {
        let brief = Brief::read(brief, language);
        assert!(!brief.is_letter, "{}", brief.text());
        assert_eq!(brief.text().trim(), said, "{:?}", brief.directions);
    }
}

#[test]
fn a_letter_may_speak_of_its_offer_and_ask_its_reader() {
    for (language, letter) in [
        (
            "en",
            "Dear Ms Olsen,\n\nPlease find our proposal below. We monitor 310 cranes.\n\nPlease return the signed proposal.\n\nKind \
             regards,\nJo Marsh",
        ),
        (
            "de",
            "Sehr geehrte Frau Kern,\n\nbitte prüfen Sie das Angebot in Ruhe.\n\nBitte senden Sie uns das unterschriebene Angebot.\n\n\
             Freundliche Grüße\nJana Voss",
        ),
    ] {
        let brief = Brief::read(letter, language);
        let expected: Vec<&str> = letter.lines().filter(|line| !line.is_empty()).collect();
        assert!(brief.is_letter, "{:?}", brief.directions);
        assert_eq!(lines(&brief), expected);
    }
}

#[test]
fn days_virtues_and_items_begin_no_letter() {
    for (language, brief) in [
        ("nl", "Dag 1: Hull\n\nWij wegen 40 wagens.\n\nGroeten, Piet"),
        (
            "de",
            "Liebe zum Detail\n\nWir lesen 900 Zähler ab.\n\nFreundliche Grüße",
        ),
        ("en", "- Dear all,\n\nWe read 9 meters.\n\nBest, Jo"),
    ] {
        assert!(!Brief::read(brief, language).is_letter, "{brief}");
    }
}

#[test]
fn a_long_postscript_stays() {
    let postscript = "P.S. The drawings of all fourteen cranes are attached, and the two of the northern quay are the ones that we \
                      spoke of in May.";
    let letter = format!(
        "Dear Ms Olsen,\n\nWe monitor 310 cranes.\n\nKind regards,\nJo Marsh\n\n{postscript}"
    );
    let brief = Brief::read(&letter, "en");
    assert_eq!(lines(&brief).last().map(String::as_str), Some(postscript));
}

#[test]
fn a_note_below_another_loses_its_frame_too() {
    let brief = Brief::read(
        "Hi Mark,\n\nWould you mind drafting a proposal from the below?\n\nWe answer within 30 minutes.\n\nTa,\nLaura\n\nDear \
         Laura,\n\nWe have nine lifts.\n\nCould you send us a proposal by May?\n\nKind regards,\nDev Nand\nProperty manager\n0161 555 0192",
        "en",
    );
    assert_eq!(
        lines(&brief),
        ["We answer within 30 minutes.", "We have nine lifts."]
    );
    let brief = Brief::read(
        "田中さん\n\nお疲れさまです。みなと物流様向けの提案書を作成していただけますか。\n\n棚卸しに毎月48時間かかっています。\n\nよろしくお願いいたします。\n\
         営業部 鈴木",
        "ja",
    );
    assert_eq!(lines(&brief), ["棚卸しに毎月48時間かかっています。"]);
}

#[test]
fn letters_close_in_many_words() {
    for (language, letter) in [
        (
            "en",
            "Dear Dr Hume,\n\nWe make lids for 14,000 boxes.\n\nLooking forward to May,\n\nOwen Pryce\nFfordd Packaging",
        ),
        (
            "fr",
            "Madame Garnier,\n\nDouze tuiles sont fendues.\n\nDans l'attente de votre réponse, nous vous prions d'agréer, Madame, nos \
             salutations distinguées.\n\nPaul Lemaire",
        ),
    ] {
        let brief = Brief::read(letter, language);
        let expected: Vec<&str> = letter.lines().filter(|line| !line.is_empty()).collect();
        assert!(brief.is_letter, "{:?}", brief.directions);
        assert_eq!(lines(&brief), expected);
    }
    // A line above that names a document orders no letter.
    let brief = Brief::read(
        "proposta per palestra Pura - serve per domani\n\nCiao Leo, mi prepari tu la proposta? Massimo due pagine.\nLa palestra ha 60 \
         attrezzi.\nGrazie, Sara",
        "it",
    );
    assert!(
        !brief.is_letter && !brief.text().contains("Leo"),
        "{}",
        brief.text()
    );
}

#[test]
fn a_mail_that_a_letter_answers_is_not_printed_as_its_own() {
    for (language, brief, own) in [
        (
            "de",
            "Sehr geehrte Frau Kern,\n\nwir lesen 900 Zähler ab.\n\nMit freundlichen Grüßen\nJana Voss\n\nAm 3. Mai 2027 um 09:12 \
             schrieb Ute Kern:\n> Können Sie uns bis Freitag antworten?\n> Ute Kern",
            "Jana Voss",
        ),
        (
            "en",
            "Dear Ms Olsen,\n\nwe monitor 310 cranes.\n\nKind regards,\nJo Marsh\n\nOn 3 May 2027 at 09:12, Petra Olsen wrote:\n> Our \
             cranes stand still.\n> Petra",
            "Jo Marsh",
        ),
        (
            "en",
            "Vela Ports Ltd\nPetra Olsen\n4 Quay Road\nHull HU1 4AB\n\n4 May 2027\n\nDear Ms Olsen,\n\nwe monitor 310 cranes.\n\n\
             Kind regards,\nJo Marsh\n\nOn 3 May 2027 at 09:12, Petra Olsen wrote:\n> Our cranes stand still.\n> Petra",
            "Jo Marsh",
        ),
    ] {
        let read = Brief::read(brief, language);
        assert!(read.is_letter, "{:?}", read.directions);
        assert_eq!(lines(&read).last().map(String::as_str), Some(own));
        assert!(read.mail_frame.len() >= 2, "{:?}", read.mail_frame);
    }
    let note = "Dear Mia,\n\nsee below.\n\nKind regards,\nJo\n\nOn 3 May 2027 at 09:12, Petra Olsen wrote:\n> Our cranes stand still.";
    let read = Brief::read(note, "en");
    assert!(
        read.text().contains("Our cranes stand still."),
        "its material"
    );
}

#[test]
fn only_a_name_above_a_text_calls_somebody() {
    for (text, call) in [
        ("Priya,\nthree pages for Northwind.", Some("Priya,")),
        (
            "Anna Lindt,\nthree pages for Northwind.",
            Some("Anna Lindt,"),
        ),
        ("Smarter Metering,\nwithout the van", None),
        ("Priya,", None),
    ] {
        let found = call_at_the_top(text).map(|(call, _)| call);
        assert_eq!(found, call, "{text}");
    }
}

#[test]
fn whom_a_note_greets_it_may_call_again() {
    for (language, note) in [
        (
            "en",
            "Hi Priya,\n\ncan you turn this into a proposal?\n\nThe desk costs 890 pounds.\n\nOh and Priya, keep it short, the boss \
             hates fluff.\n\nCheers\nTom",
        ),
        (
            "de",
            "Hallo Priya,\n\nmach daraus bitte ein Angebot.\n\nDer Tisch kostet 890 Euro. Und Priya, halt dich kurz.\n\nGruß\nTom",
        ),
    ] {
        let brief = Brief::read(note, language);
        assert!(!brief.is_letter, "{note}");
        let text = brief.text();
        assert!(text.contains("890") && !text.contains("Priya"), "{text}");
        let told = brief.directions.join("|");
        assert!(told.contains("Priya, "), "{told}");
    }
    let brief = Brief::read(
        "The desk costs 890 pounds. And Priya, our engineer, fits it.",
        "en",
    );
    assert!(brief.text().contains("Priya"), "{}", brief.text());
}
