//! Letters bear their reader's name and address, whatever the format and however the brief has them.

use gtm_document_model::document::Layout;
use gtm_sdk::json::json;

use crate::run::job;
use crate::wishes::run;

const FORMATS: [&str; 3] = ["docx", "pdf", "pptx"];

/// Briefs with lines above a salutation, and what each prints of them.
fn letters() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    vec![
        (
            "en",
            "Please write this up as a letter, one page.\n\nTo: Ms Jane Doe, Head of Ops, ACME Ltd, 12 High Street, Leeds\nDate: 4 May \
             2027\nRe: Re: FW: Lifts in hall B\n\nDear Ms Doe,\n\nyour lifts stood still for 19 days.\n\nKind regards,\nTom Hale",
            vec![
                "Ms Jane Doe",
                "Head of Ops",
                "ACME Ltd",
                "12 High Street",
                "Leeds",
            ],
        ),
        (
            "en",
            "To:\nMs Jane Doe\nACME Ltd\n12 High Street\nLeeds LS1 4AP\n\nDate: 4 May 2027\n\nDear Ms Doe,\n\nyour lifts stood still \
             for 19 days.\n\nKind regards,\nTom Hale",
            vec!["Ms Jane Doe", "ACME Ltd", "12 High Street", "Leeds LS1 4AP"],
        ),
        (
            "de",
            "Bitte als Brief, eine Seite.\nAn: Frau Ute Kern, Konzept Bau GmbH, Kai 4, 24376 Kappeln\nBetreff: AW: Tore\n\nSehr geehrte \
             Frau Kern,\n\nzwei von neun Toren lecken.\n\nMit freundlichen Grüßen\nJana Voss",
            vec![
                "Frau Ute Kern",
                "Konzept Bau GmbH",
                "Kai 4",
                "24376 Kappeln",
            ],
        ),
        (
            "fr",
            "Courrier d'une page.\n\nÀ l'attention de Mme Claire Besson, directrice qualité, Laiterie Kerhoz, 12, rue du Port, 29200 \
             Brest\nObjet : vos capteurs\n\nMadame,\n\nvos capteurs ont perdu 40 relevés.\n\nCordialement,\nLuc Morel",
            vec![
                "À l'attention de Mme Claire Besson",
                "directrice qualité",
                "Laiterie Kerhoz",
                "12, rue du Port",
                "29200 Brest",
            ],
        ),
        (
            "es",
            "Haz una carta con esto.\n\nDestinataria: D.ª Inés Vela, Hoteles Alba, C/ Mayor, 12, 11001 Cádiz\n\nEstimada Sra. Vela:\n\n\
             Cada toalla cuesta 1,20 €.\n\nAtentamente,\nRafael Gil",
            vec![
                "D.ª Inés Vela",
                "Hoteles Alba",
                "C/ Mayor, 12",
                "11001 Cádiz",
            ],
        ),
        (
            "it",
            "Scrivi una lettera con questo.\n\nAlla cortese attenzione di: dott.ssa Anna Riva, Vela S.p.A., Via Roma, 12, 20121 \
             Milano\n\nGentile dott.ssa Riva,\n\nleggiamo 900 contatori.\n\nCordiali saluti\nPaolo Neri",
            vec!["Vela S.p.A.", "Via Roma, 12", "20121 Milano"],
        ),
        (
            "nl",
            "Maak hier een brief van.\n\nAan: mevrouw A. de Wit, Bakkerij De Korenaar, Markt 4, 3511 AB Utrecht\n\nGeachte mevrouw De \
             Wit,\n\nuw weegbrug stond 6 dagen stil.\n\nMet vriendelijke groet,\nPiet Bos",
            vec![
                "Mevrouw A. de Wit",
                "Bakkerij De Korenaar",
                "Markt 4",
                "3511 AB Utrecht",
            ],
        ),
        (
            "ja",
            "以下をお客様あての手紙にしてください。\n\n宛先：株式会社ヴェラ 購買部 川村 恵 様、東京都港区港南1-2-3\n件名：Re: Re: 料金改定のお願い\n\n拝啓 \
             貴社ますますご清栄のこととお慶び申し上げます。\\\n料金は480円です。\\\n\n敬具\n\n有限会社ハルデン\n営業部 森 亮",
            vec!["株式会社ヴェラ 購買部 川村 恵 様", "東京都港区港南1-2-3"],
        ),
        (
            "ar",
            "نرجو إعداد خطاب من صفحة واحدة.\n\nإلى: السيد خالد المنصوري، شركة النور، شارع الميناء 12، دبي\nالموضوع: صيانة المخازن\n\nالسيد \
             خالد المنصوري المحترم،\n\nتوقفت أربعة مخازن لمدة 19 يوما.\n\nوتفضلوا بقبول فائق الاحترام،\nسامي حداد",
            vec![
                "السيد خالد المنصوري",
                "شركة النور",
                "شارع الميناء 12",
                "دبي",
            ],
        ),
    ]
}

#[test]
fn a_letter_prints_who_reads_it_with_the_address() {
    for (language, brief, lines) in letters() {
        for format in FORMATS {
            let mut job = job(brief).alone().with("/format", json!(format));
            job.brand = json!({"language": language});
            let (_, document, text, told) = run(job);
            let first = document.sections.first().unwrap();
            let is_letter = first.layout == Some(Layout::Letter) || format == "pptx";
            assert!(is_letter, "{language} {format}");
            let printed: Vec<&str> = text.lines().map(str::trim).collect();
            let mut from = 0;
            for line in &lines {
                let at = printed.iter().skip(from).position(|it| it == line);
                assert!(at.is_some(), "{language} {format}: {line} in {text}");
                from += at.unwrap() + 1;
            }
            assert!(!text.contains('\\') && !text.contains("Re:"), "{text}");
            assert!(!told.contains("cover:"), "{told}");
        }
    }
}

#[test]
fn whoever_only_gets_the_mail_is_no_reader_of_the_letter() {
    for head in [
        "To: Sam",
        "To: sam@vela.example",
        "From: Jo\nTo: Sam Reed",
        "To: everybody in sales, please print it",
    ] {
        let brief = format!(
            "{head}\n\nDear Ms Olsen,\n\nyour lifts stood still for 19 days.\n\nKind regards,\nTom Hale"
        );
        let (_, _, text, _) = run(job(&brief).alone().with("/format", json!("docx")));
        let is_printed =
            text.contains("Sam") || text.contains("sam@") || text.contains("everybody");
        assert!(!is_printed, "{text}");
    }
}

#[test]
fn the_head_of_a_mail_without_addresses_of_mails_is_that_of_its_letter() {
    let brief = "Turn this into a letter.\n\nFrom: Halden Works, 4 Quay Lane, Hull\nTo: Mr Sam Reed, Vela Ports Ltd, 9 Dock Road, Hull \
                 HU1 4AB\nSubject: Crane 4\n\nDear Mr Reed,\n\ncrane 4 stood still for 19 days.\n\nYours sincerely,\nJo Marsh";
    let (_, document, text, _) = run(job(brief).alone().with("/format", json!("docx")));
    assert_eq!(document.meta.title, "Crane 4");
    for line in [
        "Mr Sam Reed",
        "Vela Ports Ltd",
        "9 Dock Road",
        "Hull HU1 4AB",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn a_letter_that_is_only_ordered_has_its_reader_at_its_head() {
    let brief = "Write a letter for Vela Ports.\n\nRecipient: Ms Petra Olsen, Vela Ports Ltd, 9 Dock Road, Hull HU1 4AB\n\n- crane 4 \
                 stood still for 19 days\n- we can mend it by 12 June";
    for format in ["docx", "pptx"] {
        let (draft, _, text, _) = run(job(brief).alone().with("/format", json!(format)));
        assert_eq!(draft["document_type"], "one_pager");
        for line in ["Ms Petra Olsen", "Vela Ports Ltd", "9 Dock Road", "19 days"] {
            assert!(text.contains(line), "{text}");
        }
    }
}

#[test]
fn a_letter_is_a_letter_whatever_else_its_order_names() {
    for (language, order) in [
        (
            "en",
            "Write a letter to Ms Olsen about our proposal, 1 page.",
        ),
        ("de", "Schreib einen Brief an Frau Kern zu unserem Angebot."),
        (
            "fr",
            "Rédige un courrier pour la mairie de Brest sur notre rapport.",
        ),
    ] {
        let brief = format!("{order}\n\n## A\n\nHalden: 19 / 40.\n\nVela: 12 / 60.");
        let mut job = job(&brief).alone();
        job.brand = json!({"language": language});
        let (draft, ..) = run(job);
        assert_eq!(draft["document_type"], "one_pager", "{order}");
    }
}

#[test]
fn what_closes_a_mail_below_its_letter_is_not_printed() {
    for (language, letter, mail) in [
        (
            "de",
            "Sehr geehrte Frau Kern,\n\nzwei von neun Toren lecken.\n\nMit freundlichen Grüßen\nSabine Orth\nVertrieb",
            "Danke dir!\nPiet",
        ),
        (
            "fr",
            "Madame,\n\nvos capteurs ont perdu 40 relevés.\n\nCordialement,\n\nLuc Morel\nDirecteur",
            "Merci !\nZoé",
        ),
        (
            "nl",
            "Geachte mevrouw De Wit,\n\nuw weegbrug stond 6 dagen stil.\n\nMet vriendelijke groet,\nPiet Bos",
            "Alvast bedankt!\nEls",
        ),
    ] {
        let mut job = job(&format!("{letter}\n\n{mail}")).alone();
        job.brand = json!({"language": language});
        let (_, _, text, _) = run(job.with("/format", json!("docx")));
        let printed: Vec<&str> = text.lines().map(str::trim).collect();
        for line in letter.lines().filter(|line| !line.is_empty()) {
            assert!(printed.contains(&line), "{line}: {text}");
        }
        for line in mail.lines() {
            assert!(!printed.contains(&line), "{line}: {text}");
        }
    }
}

#[test]
fn marked_lines_of_a_japanese_letter_are_items_and_headings() {
    let brief = "以下をお客様あての手紙にしてください。\n\n拝啓\n\n料金を改定いたします。\n\n■ 新料金\n・清掃：480円\n・点検：1,200円\n\n敬具\n\n\
                 有限会社ハルデン\n森 亮";
    let mut job = job(brief).alone();
    job.brand = json!({"language": "ja"});
    let (_, _, text, _) = run(job.with("/format", json!("docx")));
    assert!(
        text.contains("- 清掃：480円") && !text.contains('■'),
        "{text}"
    );
}
