//! Mails and chats of colleagues, with what is for nobody else in them: documents must say what is offered, and nothing besides;
//! whatever is left out is told.

use gtm_sdk::json::json;

use crate::hurried::running_prose;
use crate::run::job;
use crate::wishes::run;

/// A brief with its language, what its document says, and what it may not say.
struct Sent {
    language: &'static str,
    brief: &'static str,
    said: &'static [&'static str],
    private: &'static [&'static str],
}

const MAILS: [Sent; 6] = [
    Sent {
        language: "en",
        brief: "Morning Lucy,\n\nquick one, can you knock up a proposal for Harrow Vale? They've four surgeries. Keep it breezy. \
            Don't dwell on the outages, their ops director got a roasting over that.\n\n# Quieter reception\n\n## Where things stand\n\n\
            310 calls a day. 42 ring out. -- Lucy - can you check the dates?\n\n## Costs\n\n| Item | Price |\n|---|---|\n\
            | Set-up | £900 (could do 700 if he digs his heels in) |\n| Monthly | £420 |\n\n(Dave, he will ring you about it)\n\n\
            P.S. Dave - the manager is Steve's wife, so behave.\n\nTa\nGemma",
        said: &["310 calls a day. 42 ring out.", "£900", "£420"],
        private: &[
            "roasting",
            "breezy",
            "check the dates",
            "700",
            "ring you",
            "wife",
            "Gemma",
        ],
    },
    Sent {
        language: "de",
        brief: "Moin Jonas,\n\nmach mal bitte ein Angebot für die Tischlerei Rehwald draus. Briefkopf wie immer. Die Ansprache bitte \
            förmlich, der Rehwald ist da empfindlich. Sein Schwager sitzt im Gemeinderat.\n\nKunde: Tischlerei Rehwald GmbH, Plön\n\
            Betreff: Absauganlage für Halle 2\n\nLeistung\n- Rohrnetz mit 48 m\n- Filter (Jonas, hier guckst du in den Plan)\n\n\
            Preise\nRohrnetz: 4.800 €\nFilter: 11.200 € (notfalls 10.500, wenn er rumeiert)\n\nDanke dir!\nSilke",
        said: &[
            "Absauganlage für Halle 2",
            "Rehwald GmbH",
            "48 m",
            "4.800 €",
            "11.200 €",
        ],
        private: &[
            "Briefkopf",
            "empfindlich",
            "Schwager",
            "guckst",
            "10.500",
            "Silke",
        ],
    },
    Sent {
        language: "nl",
        brief: "Hoi Sjoerd,\n\nWil je hier een offerte van maken? Netjes graag, zij houdt van kort.\n\n# Schone lucht\n\n## Situatie\n\n\
            Er zijn 7 locaties. (Sjoerd: check jij even of dat klopt)\n\n## Aanpak\n\nWij plaatsen 84 meters. Niet in de offerte: de \
            meters komen van een partij die we nog over hadden.\n\nGroetjes,\nMaaike",
        said: &["7 locaties.", "Wij plaatsen 84 meters."],
        private: &["houdt van", "check jij", "over hadden", "Maaike"],
    },
    Sent {
        language: "pt",
        brief: "Olá Rui, preciso disto em PDF até sexta, para a Câmara de Alvorão. Sê breve, que o vereador não tem paciência.\n\n\
            # Rega que poupa água\n\n## O que propomos\n\n- Sensores em 14 jardins\n\n## Quanto custa\n\nInstalação: 5 400 €\n\
            Manutenção: 60 € por mês\n\nAbraço\nTó",
        said: &["O que propomos", "14 jardins", "5 400 €", "60 €"],
        private: &["paciência", "Abraço", "Sê breve"],
    },
    Sent {
        language: "ja",
        brief: "佐藤さん、お疲れさまです。丸岡製作所向けの提案書をお願いします。先方の工場長は気難しいので言葉遣いに注意してください。\n\n# 設備点検の\
            見直し\n\n## 現状\n\n点検箇所は58か所です。（佐藤さん、ここ数字見といて）\n\n## 費用\n\n| 項目 | 金額 |\n|---|---|\n\
            | 設置 | 1,160,000円 |\n| 保守 | 38,000円（35,000円までなら下げてもいい） |\n\nよろしくお願いします。\n高橋",
        said: &["点検箇所は58か所です。", "1,160,000円", "38,000円"],
        private: &["気難しい", "見といて", "35,000", "高橋"],
    },
    Sent {
        language: "ar",
        brief: "مرحبا سامي، جهز لي عرضا لشركة النخيل. مديرهم عصبي فلا تطل.\n\n# صيانة المصاعد\n\n## الوضع الحالي\n\nلدى الشركة 9 مصاعد. \
            (سامي، راجع هذا الرقم مع فهد)\n\n## السعر\n\nالصيانة: 4500 ريال\n\nشكرا\nليلى",
        said: &["9 مصاعد", "4500", "الوضع الحالي"],
        private: &["عصبي", "راجع", "ليلى"],
    },
];

const CHATS: [Sent; 3] = [
    Sent {
        language: "es",
        brief: "[10:32] Ana: oye Luis, lo de la bodega Arrieta lo necesitan ya\n[10:33] Luis: qué era, ¿un dosier?\n[10:34] Ana: una \
            propuesta, dos hojas, que la vea el gerente\n[10:35] Ana: tienen 12 depósitos y miden a mano cada 4 horas\n[10:36] Luis: \
            ya, menudo disgusto se llevó el padre\n[10:37] Ana: eso ni tocarlo\n[10:38] Ana: 3.480 euros con montaje, y de ahí no \
            pases\n[10:39] Ana: bueno si se pone pesado le quitamos 200",
        said: &["12 depósitos", "3.480 euros con montaje"],
        private: &["disgusto", "tocarlo", "pases", "pesado", "Ana", "oye"],
    },
    Sent {
        language: "de",
        brief: "Kathi, 08:40: Du, kannst mir a Angebot für den Huberwirt schreiben?\nSepp, 08:41: passt, was will er\nKathi, 08:42: 40 \
            Stühle und 10 Tisch für die Terrass\nKathi, 08:43: der Huber schaut auf jeden Cent\nKathi, 08:44: Stuhl 89 €, Tisch 240 €\n\
            Kathi, 08:45: Lieferung in KW 18\nSepp, 08:46: Rabatt?\nKathi, 08:47: 3 % wenn er jammert",
        said: &["40 Stühle", "89 €", "240 €", "KW 18"],
        private: &["Cent", "jammert", "was will", "Sepp"],
    },
    Sent {
        language: "fr",
        brief: "Zoé : coucou, tu me fais un devis pour le camping des Pins ?\nBruno : ouais vas-y balance\nZoé : 60 bornes wifi, 1 par \
            emplacement\nZoé : le patron est radin, genre vraiment\nBruno : lol\nZoé : 45 € la borne, pose comprise\nZoé : livraison \
            mi-avril\nBruno : je lui glisse qu'on équipe son voisin ?\nZoé : surtout pas !",
        said: &[
            "60 bornes wifi, 1 par emplacement",
            "45 € la borne, pose comprise",
            "mi-avril",
        ],
        private: &["radin", "balance", "voisin", "surtout", "Bruno"],
    },
];

fn check(sent: &Sent) {
    let mut job = job(sent.brief).alone();
    job.brand = json!({"language": sent.language});
    let (draft, _, text, told) = run(job);
    let prose = running_prose(&draft);
    for said in sent.said {
        let is_told = prose.contains(said);
        assert!(
            is_told || text.contains(said),
            "{said}: {text}\nLEFT: {prose}"
        );
    }
    for private in sent.private {
        assert!(!text.contains(private), "{private}: {text}");
    }
    assert!(!told.is_empty());
}

#[test]
fn mails_to_colleagues_print_what_is_offered_alone() {
    MAILS.iter().for_each(check);
}

#[test]
fn chats_of_colleagues_are_no_documents() {
    for sent in &CHATS {
        let mut job = job(sent.brief).alone();
        job.brand = json!({"language": sent.language});
        assert_eq!(job.failure().code, "insufficient_content", "{}", sent.brief);
    }
}

#[test]
fn what_a_speaker_is_told_stands_on_no_page() {
    let brief = "# Heat for Fairlea\n\nMake a deck of this.\n\n## Where Fairlea loses heat\n\n212 flats lose 30 % of their heat.\n\n\
        Speaker notes: pause here, let it sink in\n\n## What we change\n\nOne heat pump per block.";
    let (draft, _, text, told) = run(job(brief).alone().with("/format", json!("docx")));
    assert!(
        text.contains("212 flats") && !text.contains("sink in"),
        "{text}"
    );
    assert!(told.contains("sink in"), "{told}");
    assert!(draft["left_out"].to_string().contains("/brief/notes"));
    let (_, _, text, _) = run(job(brief).alone().with("/format", json!("pptx")));
    assert!(text.contains("sink in"), "{text}");
}
