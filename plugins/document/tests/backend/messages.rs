//! Mails, chats and dictations with something dangerous in the middle, as different people write them: without a model, nothing of
//! their prose is printed, their tables, lists and priced lines are, and the job says in whole what it left out (decision 0130).

use gtm_sdk::json::Value;

use crate::run::job;
use crate::wishes::run;

/// A message with its language, what its document says, and what it may not say.
struct Message {
    language: &'static str,
    brief: &'static str,
    said: &'static [&'static str],
    private: &'static [&'static str],
}

const MESSAGES: [Message; 16] = [
    Message {
        language: "en",
        brief: "Hiya Priya, hope the holiday did you good. Quick deck for Brackenfield please, six slides or so. Where we are: \
            they have been with Hollis for nine years and old Hollis is retiring, which nobody there has heard yet so for heaven's \
            sake be careful. Margin on the racking works out at 40 % once Lenny does his thing.\n\n\
            | Phase | Weeks | Price |\n|---|---|---|\n| Survey | 2 | £1,900 |\n| Racking | 6 | £38,400 |\n\n\
            Ring when you are back on the ground.\nMx",
        said: &["Survey", "£1,900", "£38,400"],
        private: &["Hollis", "retiring", "40 %", "Lenny", "heaven", "holiday"],
    },
    Message {
        language: "en",
        brief: "[10:02] Nell: need the Orchard Lane thing by 4\n[10:03] Sim: what goes in it\n[10:05] Nell: the usual plus this\n\
            - 14 fire doors, hung and certified\n- 3 nights, no disruption to residents\n\
            [10:07] Nell: Gareth over there has had his notice, we are dealing with whoever comes next\n\
            [10:08] Sim: lol ok. and the discount Petra signed off stays between these walls?\n[10:09] Nell: obviously",
        said: &["14 fire doors", "3 nights"],
        private: &[
            "Gareth",
            "notice",
            "discount",
            "Petra",
            "walls",
            "obviously",
        ],
    },
    Message {
        language: "en",
        brief: "um okay so this is for Castlegate Dental, one pager. new paragraph. right so what they get is a full reception \
            set up, uh, and the thing to know is their partner walked out with half the patients, not common knowledge. \
            new paragraph. we would take two hundred a month at a push.\n\n## What is included\n\n- Call answering, 8 to 8\n\
            - Recall letters, twice a year\n\nCall answering £260 a month\nRecall letters £45 a month",
        said: &["Call answering, 8 to 8", "Recall letters", "£260", "£45"],
        private: &[
            "walked out",
            "half the patients",
            "two hundred",
            "at a push",
            "partner",
        ],
    },
    Message {
        language: "en",
        brief: "Subject: Fwd: Ridgeway\nFrom: Dot Pemberton <dot@ridge.example>\nTo: Abe\n\nAbe\n\nthe below wants turning into \
            something presentable. The board vote is 4 to 3 and Mrs Ansah is the wobbly one. Our cost is 61 a unit.\n\n\
            # Ridgeway lighting\n\n## Scope\n\nAll 220 fittings are replaced within three weeks.\n\n\
            The council wobbles, so I'd keep the warranty vague.\n\nUnit cost to us is 61.\n\n## Price\n\n£94 a fitting, installed.",
        said: &["All 220 fittings", "£94 a fitting"],
        private: &["Ansah", "wobbl", "61", "vague", "4 to 3"],
    },
    Message {
        language: "de",
        brief: "Servus Korbinian, schau bitte mal: für die Brauerei Moosgruber brauch ma was Gscheits auf zwei Seiten. Der alte \
            Moosgruber hat's am Herzen und der Sohn will verkaufen, das weiß außer mir koana. Unterm Strich bleiben uns 38 Prozent.\n\n\
            - Abfüllanlage mit 6.000 Flaschen in der Stunde\n- Einweisung an zwei Tagen\n\n\
            Abfüllanlage 84.000 €\nEinweisung 2.400 €\n\nPfiat di, Vroni",
        said: &[
            "6.000 Flaschen",
            "Einweisung an zwei Tagen",
            "84.000 €",
            "2.400 €",
        ],
        private: &[
            "Herzen",
            "verkaufen",
            "38 Prozent",
            "koana",
            "Vroni",
            "Korbinian",
        ],
    },
    Message {
        language: "de",
        brief: "Kurze Notiz zum Termin von heute früh, daraus machst du bitte eine Präsentation. Frau Dr. Ilgner hat durchblicken \
            lassen, dass Werk 2 zum Jahresende dichtgemacht wird. Die Konkurrenz liegt übrigens elf Prozent unter uns.\n\n\
            ## Leistung\n\nDie Wartung umfasst 18 Pressen an zwei Standorten.\n\n## Termine\n\n| Schritt | Woche |\n|---|---|\n\
            | Aufnahme | 14 |\n| Umbau | 19 |",
        said: &["18 Pressen", "Aufnahme", "Umbau"],
        private: &[
            "Ilgner",
            "dichtgemacht",
            "Konkurrenz",
            "elf Prozent",
            "durchblicken",
        ],
    },
    Message {
        language: "de",
        brief: "Hallo zusammen,\n\nanbei die Eckdaten. Wer das Angebot baut: die Geschäftsführung wechselt im März, Stillschweigen! \
            Einkaufspreis liegt bei 310.\n\n| Posten | Preis |\n|---|---|\n| Pumpe P4 | 540 € |\n| Montage | 190 € |\n\nGrüße\nHenrike",
        said: &["Pumpe P4", "540 €", "190 €"],
        private: &[
            "Geschäftsführung",
            "März",
            "310",
            "Stillschweigen",
            "Henrike",
        ],
    },
    Message {
        language: "fr",
        brief: "Coucou Maëlle, tu me fais une fiche pour les Ateliers Corvaisier ? Deux pages maxi. Leur DAF est sur le départ, il \
            me l'a glissé à la machine à café. On marge à 42 sur la pose, qu'ils croient offerte.\n\n\
            - 26 postes de travail réglables\n- Pose le week-end\n\n| Lot | Prix |\n|---|---|\n| Postes | 31 200 € |\n| Pose | 2 800 € |\n\nBises, Tanguy",
        said: &["26 postes", "Pose le week-end", "31 200 €", "2 800 €"],
        private: &["DAF", "départ", "café", "marge", "offerte", "Tanguy"],
    },
    Message {
        language: "fr",
        brief: "Bonjour, il nous faudrait une proposition pour la mairie de Plouvern. Le maire ne se représente pas, cela reste entre \
            nous. Le concurrent a retiré son offre hier soir.\n\n## Prestation\n\nLe nettoyage des 12 écoles se fait avant 7 heures.\n\n\
            ## Tarif\n\n4 900 € par mois, fournitures comprises.",
        said: &["12 écoles", "4 900 € par mois"],
        private: &["représente", "entre nous", "concurrent", "hier soir"],
    },
    Message {
        language: "es",
        brief: "Oye Nacho, móntame una presentación para Conservas Lubián, anda. Ojo que el gerente está a punto de firmar con otros \
            y su mujer lleva las cuentas. Nosotros lo sacamos por 17 la caja.\n\n- 4 líneas de envasado\n- Puesta en marcha en 5 semanas\n\n\
            Línea básica 21.000 €\nLínea completa 34.500 €\n\nUn abrazo, Charo",
        said: &["4 líneas de envasado", "5 semanas", "21.000 €", "34.500 €"],
        private: &["gerente", "mujer", "17 la caja", "Charo", "Nacho", "firmar"],
    },
    Message {
        language: "es",
        brief: "De: Berta\nPara: Quique\nAsunto: Hotel Zarauz\n\nLo hablado: hace falta un informe corto. El director se jubila en junio \
            y aún no lo ha contado en casa. Podemos llegar a 11.000 si aprietan.\n\n## Alcance\n\n| Planta | Habitaciones |\n|---|---|\n\
            | Primera | 22 |\n| Segunda | 24 |",
        said: &["Primera", "Segunda", "22"],
        private: &["jubila", "junio", "11.000", "aprietan"],
    },
    Message {
        language: "it",
        brief: "Ciao Ludo, mi prepari due paginette per la Cantina Brenzone? Il titolare sta litigando con il fratello e forse vende, \
            acqua in bocca. A noi la bottiglia costa 2,10.\n\n- Etichette per 8 vini\n- Consegna in 12 giorni\n\n\
            | Voce | Prezzo |\n|---|---|\n| Etichette | 1.450 € |\n\nUn bacio, Fede",
        said: &["Etichette per 8 vini", "12 giorni", "1.450 €"],
        private: &["litigando", "fratello", "acqua in bocca", "2,10", "Fede"],
    },
    Message {
        language: "it",
        brief: "allora segnati questo per la Tessitura Olmo, serve una proposta. il responsabile acquisti ha già deciso per noi ma deve \
            far finta di confrontare. il nostro ricarico è il doppio.\n\n## Servizio\n\nLa manutenzione copre 30 telai.\n\n\
            ## Prezzo\n\n780 € al mese.",
        said: &["30 telai", "780 € al mese"],
        private: &["acquisti", "finta", "ricarico", "doppio"],
    },
    Message {
        language: "nl",
        brief: "Hoi Sjoukje, wil je hier een offerte van maken voor Bakkerij Terpstra? Die zitten krap, de bank kijkt mee, dus niks \
            over termijnen. Wij houden er een kleine veertig procent aan over.\n\n- Oven met 12 platen\n- Onderhoud per kwartaal\n\n\
            | Post | Prijs |\n|---|---|\n| Oven | € 18.900 |\n| Onderhoud | € 310 |\n\nGroetjes, Wytse",
        said: &["12 platen", "Onderhoud per kwartaal", "€ 18.900", "€ 310"],
        private: &["krap", "bank", "veertig", "Wytse", "termijnen"],
    },
    Message {
        language: "ja",
        brief: "高橋さん\n\nお疲れさまです。三浦製作所向けの提案書をお願いします。先方の工場長は来春で退任されるそうですが、まだ社内でも伏せられています。\
            当社の原価は一台42万円です。\n\n| 項目 | 価格 |\n|---|---|\n| 検査装置 | 98万円 |\n| 設置作業 | 12万円 |\n\nよろしくお願いします。\n石田",
        said: &["検査装置", "98万円", "12万円"],
        private: &["退任", "伏せ", "原価", "42万円", "石田", "高橋"],
    },
    Message {
        language: "ja",
        brief: "明日の打ち合わせ用に資料を作ってもらえますか。大山物流さんは資金繰りが苦しいらしいので、値段の話は慎重に。\n\n\
            ## 導入範囲\n\n- 倉庫3か所\n- 端末40台\n\n競合はすでに辞退しました。誰にも言わないで。",
        said: &["倉庫3か所", "端末40台"],
        private: &["資金繰り", "慎重", "競合", "辞退", "誰にも"],
    },
];

/// What the draft says that it left out, as one text.
fn left_out(draft: &Value) -> String {
    let left = draft["not_printed"].as_array().unwrap();
    let texts = left.iter().map(|left| left["text"].as_str().unwrap());
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn no_prose_of_a_message_is_printed_and_its_tables_and_lists_are() {
    let mut wrong = Vec::new();
    for message in &MESSAGES {
        let language = gtm_sdk::json::json!(message.language);
        let (draft, _, text, told) = run(job(message.brief).set("language", language));
        for word in message.private {
            if text.contains(word) {
                wrong.push(format!("printed {word}: {text}"));
            }
        }
        for word in message.said {
            if !text.contains(word) {
                wrong.push(format!("lost {word}: {text}\n{}", left_out(&draft)));
            }
        }
        let first = told.lines().next().unwrap_or_default();
        if left_out(&draft).is_empty() || !first.contains("left_out") {
            wrong.push(format!("untold: {told}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n---\n"));
}

#[test]
fn what_is_left_out_is_told_whole() {
    let note = "Their manager is on his way out and nobody has been told, so keep to the facts, and whatever you do say nothing of the \
        nine per cent that Ada let slip at the fair, because Hull would have our heads for it and rightly so, all things considered.";
    let brief = format!("Hi Tom,\n\n{note}\n\n| Item | Price |\n|---|---|\n| Gate | £900 |");
    let (draft, _, text, _) = run(job(&brief));
    assert!(text.contains("£900") && !text.contains("manager"), "{text}");
    assert!(left_out(&draft).contains(note), "{}", left_out(&draft));
}

#[test]
fn a_message_of_nothing_but_prose_fails() {
    let mut job =
        job("Hi Tom, need a deck for Vela. They have 40 gates and we mend them for £480.");
    job.offer = None;
    let failure = job.failure();
    assert_eq!(failure.code, "insufficient_content");
    assert!(
        failure.message.contains("Bind a model"),
        "{}",
        failure.message
    );
}

#[test]
fn orders_in_what_is_left_out_still_count() {
    let brief = "Hi Tom,\n\ncould you make a 5-slide deck as PPTX for Vela Harbour?\n\n## Gates\n\n- 40 gates\n- 2 harbours";
    let (draft, _, text, _) = run(job(brief));
    assert_eq!(draft["format"], "pptx");
    assert!(
        text.contains("40 gates") && !text.contains("could you"),
        "{text}"
    );
}
