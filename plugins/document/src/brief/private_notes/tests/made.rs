//! Notes in confidence whose words nobody can list, and what only looks like them.

use super::unclear::{said_in, withholds};
use super::*;

#[test]
fn what_is_struck_out_or_in_a_comment_is_no_text() {
    for note in [
        "~~internal margin 40 %~~",
        "~~marge 40 %~~",
        "<del>Anna pays 40</del>",
        "<s>Anna pays 40</s>",
        "<strike>Anna pays 40</strike>",
        "<!-- Anna pays 40",
        "// don't send: Anna pays 40",
        "// Anna pays 40",
        "TODO check the 40 with Anna",
        "FIXME Anna wants 40",
        "Check the 40 with Anna TODO",
    ] {
        for content in [
            format!("Room.\n\n{note}\n\nA visit."),
            format!("- Room.\n- {note}\n\nA visit."),
        ] {
            let (text, withheld) = of_part(&content);
            assert!(!text.contains("40") && !text.contains("Anna"), "{text}");
            assert!(
                text.contains("Room.") && text.contains("A visit."),
                "{text}"
            );
            assert!(withheld > 0 || note.starts_with('<'), "{note}");
        }
    }
    for said in [
        "We see https://a.example/b // and more.",
        "Leeds // York // Hull",
        "About ~20 to ~30 rooms.",
    ] {
        assert_eq!(of_part(said), (said.to_owned(), 0));
    }
    let (text, _) = said_in("es", "TODO incluido en 40 salas.");
    assert!(text.contains("40"), "{text}");
    let (text, _) = of_part("A place was ~~£40~~ £30.");
    assert_eq!(text, "A place was £30.");
}

#[test]
fn labels_are_put_together_in_many_ways() {
    for note in [
        "Please don't forward to the client: Anna pays 40.",
        "Quick note for our sales team: Anna pays 40.",
        "Just for our own team: Anna pays 40.",
        "PS just for us: Anna pays 40.",
        "Reminder to myself: Anna pays 40.",
        "Info for colleagues – Anna pays 40.",
        "Bitte nicht an den Kunden weitergeben: Anna zahlt 40.",
        "Nicht weiterleiten: Anna zahlt 40.",
        "Hinweis für das Team: Anna zahlt 40.",
        "Kurze Info an unsere Kollegen: Anna zahlt 40.",
        "Nur für den Vertrieb: Anna zahlt 40.",
        "Pour nous seulement : Anna paie 40.",
        "Note pour l'équipe : Anna paie 40.",
        "À ne pas transmettre au client : Anna paie 40.",
        "Ne pas envoyer : Anna paie 40.",
        "Info pour nos collègues : Anna paie 40.",
        "Solo para nosotros: Anna paga 40.",
        "Nota para el equipo: Anna paga 40.",
        "No enviar al cliente: Anna paga 40.",
        "Solo per noi: Anna paga 40.",
        "Alleen voor ons: Anna betaalt 40.",
        "Apenas para nós: Anna paga 40.",
        "[Note to our team] Anna pays 40.",
        "Note to self: Anna pays 40.",
        "Nota: uso interno, Anna paga 40.",
        "Nota – uso interno: Anna paga 40.",
        "Note : usage interne, Anna paie 40.",
        "Nota: solo uso interno. Anna paga 40.",
        "Observação: uso interno – Anna paga 40.",
        "Hinweis: intern, Anna zahlt 40.",
        "Please don't send the 40 of Anna to the client.",
        "Do not under any circumstances show Anna's 40 to them.",
        "Die 40 von Anna nicht an den Kunden weitergeben.",
        "Bitte Anna und die 40 nicht dem Kunden zeigen.",
        "Ne montrez surtout pas les 40 d'Anna au client.",
        "Por favor, no mostrar los 40 de Anna al cliente.",
        "The client must not see Anna's 40.",
    ] {
        withholds("en", &format!("Room.\n\n{note}\n\nA visit."));
        withholds("en", &format!("Room. {note}"));
    }
}

#[test]
fn labels_and_sentences_for_readers_stay() {
    for said in [
        "For your team: 40 rooms.",
        "Note for your guests: 40 rooms.",
        "A note on prices: 40 rooms.",
        "Note: internal walls are not included, 40 rooms are.",
        "Nota: interna ed esterna, la luce costa 40.",
        "What we never share: the data of 40 customers.",
        "We do not send data to other customers, in any of 40 countries.",
        "Wir geben Daten von 40 Räumen nicht an andere Kunden weiter.",
        "Our 40 filters never show adverts to customers of others.",
        "No costs to pass on to customers: 40 rooms are free.",
        "Nous ne communiquons pas vos 40 adresses à d'autres clients.",
        "Information: 40 rooms.",
        "Team: 40 people.",
        "Only: 40 rooms.",
        "Kick-off on 40 May (tbc).",
    ] {
        let (text, withheld) = of_part(said);
        assert_eq!((text.as_str(), withheld), (said, 0));
    }
    let (text, _) = of_part("## Notes for the sales team\n\nForty rooms.");
    assert!(text.contains("Forty"), "{text}");
    let (text, _) = of_part("## Only for our team\n\nForty rooms.");
    assert!(!text.contains("Forty"), "{text}");
}

#[test]
fn orders_to_keep_silent_are_made_of_many_words() {
    for (language, note) in [
        ("en", "Dont mention the 40 of Anna."),
        ("en", "Do not under any circumstances talk about Anna's 40."),
        ("en", "We never mention Anna's 40."),
        ("en", "Avoid mentioning the 40 of Anna."),
        ("en", "The client doesn't know that Anna pays 40."),
        ("de", "Bitte nicht reinschreiben: Anna zahlt 40."),
        ("de", "Der Kunde weiß nicht, dass Anna 40 zahlt."),
        ("fr", "Ne parlez pas des 40 d'Anna."),
        ("es", "No hablar de los 40 de Anna."),
        ("en", "Highly confidential: Anna pays 40."),
        ("en", "Internal floor: 40, Anna says."),
        ("en", "internal & confidential: Anna pays 40."),
        ("en", "#internal Anna pays 40."),
        ("en", "FYI Anna pays 40."),
        ("en", "Btw they still owe Anna 40."),
        ("en", "I reckon we get £40 out of Anna."),
        ("en", "Btw I reckon we get 40k out of Anna."),
        ("de", "Ich denke, wir holen 40k aus Anna raus."),
        ("en", "I reckon we clear £40k on Anna."),
        ("en", "I reckon we made 40k on Anna last year."),
        ("en", "Btw we cleared £40k on Anna."),
        ("de", "Ich denke, wir machen 40k mit Anna."),
        ("en", "TBC with Anna: the 40 rooms."),
        ("fr", "Dis-leur pas que Anna paie 40."),
        ("en", "(floor 40 for Anna, internal)"),
        ("en", "Our lowest price is £40 for Anna."),
        ("de", "Unsere Marge liegt bei 40 %, sagt Anna."),
        ("fr", "Prix de revient : 40 € pour Anna."),
        ("es", "Descuento máximo 40 % para Anna."),
        ("en", "Our internal cost for Anna is £40."),
        ("en", "```internal\nAnna pays 40\n```"),
        ("en", "<span hidden>Anna pays 40</span> ~~35~~"),
    ] {
        let (text, withheld) = said_in(language, &format!("Room.\n\n{note}\n\nA visit."));
        assert!(!text.contains("40") && !text.contains("Anna"), "{text}");
        assert!(
            text.contains("Room.") && text.contains("A visit."),
            "{text}"
        );
        assert!(withheld > 0, "{note}");
    }
    for said in [
        "Don't forget to mention that the 40 rooms are new.",
        "Training (two days, internal) is free.",
        "Our 40 guests say so.",
    ] {
        let (_, withheld) = of_part(said);
        assert_eq!(withheld, 0, "{said}");
    }
}

/// What an offer may well say, and what earlier rules took for a note.
#[test]
fn sentences_of_offers_stay() {
    for (language, said) in [
        (
            "en",
            "Your data is strictly confidential, as 40 people sign.",
        ),
        ("en", "US only: 40 rooms."),
        ("en", "Staff only: 40 rooms."),
        (
            "en",
            "Never write a meter reading by hand again in 40 rooms.",
        ),
        ("en", "We do not include travel in this price of £40."),
        ("en", "Your bottom line grows by 40 %."),
        ("en", "NDA: signed by 40 people."),
        ("en", "Sensitive: 40 rooms need filters."),
        ("en", "The store must not reach 8 °C in 40 rooms."),
        ("en", "An internal rate of return of 40 %."),
        ("en", "We do not copy data to other customers' 40 rooms."),
        ("en", "Do not write to us by 40 letters, call."),
        ("de", "Ohne Login sehen Ihre Kunden 40 Räume."),
        ("de", "Die Verfügbarkeit liegt nicht unter 99,5 %."),
        ("de", "Im Team: 40 Räume."),
        ("fr", "Installé sans mettre vos 40 salles hors service."),
        ("fr", "Pas moins de 40 % d'économies."),
        ("fr", "Off : 40 salles."),
        ("es", "Precio de 40 € sin incluir IVA."),
        ("es", "Por debajo de 40 € al mes."),
        (
            "de",
            "Zeigen Sie ihnen nicht nur 40 Zahlen, sondern ein Bild.",
        ),
        ("fr", "Parlez-leur des 40 salles sans jargon."),
        (
            "de",
            "Vermutlich zahlen sich die 40 Sensoren schon 2027 aus.",
        ),
        ("en", "Just so you know, your manager sees all 40 readings."),
        ("en", "Watch out for the client portal in 40 days."),
        (
            "fr",
            "Entre nous et le client, un seul interlocuteur pour 40 salles.",
        ),
        ("en", "Our pilot – run by Hollis – saved 40 %."),
        (
            "en",
            "Confirm with One Tap: the driver signs in 40 seconds.",
        ),
        (
            "en",
            "Confirm with DocuSign: the driver signs in 40 seconds.",
        ),
        ("en", "I think we save you £40 a day."),
        ("en", "Btw our day rate is £480."),
        ("en", "I think we charge £20 a month per site."),
        ("de", "Ich denke, wir sparen Ihnen 40 € am Tag."),
        (
            "de",
            "Wir rüsten 40 Wagen für sechs Wochen aus, ohne Kosten für Sie.",
        ),
        ("en", "We reckon with £40 a day."),
        ("fr", "Valider avec Chorus Pro : 40 jours."),
        ("es", "Consultar con SAP: 40 datos."),
        ("nl", "Pas op, er staan 40 machines aan."),
        ("de", "Nur so zur Info, die 40 Sensoren halten zehn Jahre."),
        ("fr", "Montrez-leur qu'il ne faut plus 40 jours."),
        ("nl", "Vertel hun dat het niet 40 dagen duurt."),
    ] {
        let (text, withheld) = said_in(language, said);
        if said.starts_with("Do not write") {
            // An order to the writer, as far as anyone can tell.
            assert_eq!(withheld, 1, "{said}");
            continue;
        }
        assert_eq!((text.as_str(), withheld), (said, 0));
    }
    let (text, _) = of_part("## Confidential staff reviews\n\nForty rooms.");
    assert!(text.contains("Forty"), "{text}");
    for said in [
        "About ~40 rooms~ and ~30.",
        "See //server/share for 40 rooms.",
    ] {
        assert_eq!(of_part(said), (said.to_owned(), 0));
    }
}

#[test]
fn marks_of_what_is_to_be_done_are_private_everywhere() {
    for note in [
        "FIXME: Anna pays 40.",
        "FIXME Anna pays 40.",
        "- Bleibt bei uns, nicht zeigen: Anna zahlt 40.",
        "Die 40 von Anna bleiben bei uns, nicht zeigen.",
        "Coût interne : 40 € pour Anna.",
        "Never tell them that Anna pays 40.",
        "We don't talk about Anna's 40.",
    ] {
        for language in ["en", "es", "de"] {
            let (text, withheld) = said_in(language, &format!("Room.\n\n{note}\n\nA visit."));
            assert!(!text.contains("40") && !text.contains("Anna"), "{text}");
            assert!(withheld > 0, "{note}");
        }
    }
    let (text, _) = of_part("## FIXME ask Anna about 40\n\nShe pays 40.\n\n## Rooms\n\nForty.");
    assert!(!text.contains("Anna") && text.contains("Forty"), "{text}");
    let (text, _) = of_part("| Room | Price |\n|---|---|\n| One | 30 |\n| FIXME ask Anna | 40 |\n");
    assert!(!text.contains("Anna") && text.contains("30"), "{text}");
}

#[test]
fn orders_to_keep_something_from_the_reader_need_no_list() {
    for (language, note) in [
        ("en", "They must not learn that Anna pays 40."),
        (
            "en",
            "Best if the client never finds out that Anna pays 40.",
        ),
        ("en", "No need for them to know that Anna pays 40."),
        ("en", "Please keep Anna's 40 to ourselves."),
        (
            "en",
            "Anna would pay 40, but that stays between you and me.",
        ),
        ("en", "pls dont put in the doc that Anna pays 40"),
        (
            "en",
            "Under no circumstances should Anna's 40 show up anywhere in the proposal.",
        ),
        ("en", "Omit the fact that Anna pays 40."),
        ("en", "@Jess - Anna pays 40, please check"),
        (
            "de",
            "Der Kunde darf auf keinen Fall erfahren, dass Anna 40 zahlt.",
        ),
        ("de", "Die 40 von Anna behalten wir schön für uns."),
        (
            "de",
            "Anna zahlt 40, das sollte aber so nicht im Angebot stehen.",
        ),
        ("de", "bitte lass weg, dass Anna 40 zahlt"),
        (
            "fr",
            "Il ne faut surtout pas que le client sache qu'Anna paie 40.",
        ),
        ("fr", "On garde pour nous les 40 d'Anna."),
        ("es", "Que no se enteren de que Anna paga 40."),
        ("es", "mejor no poner en la oferta los 40 de Anna"),
        ("it", "Il cliente non deve sapere che Anna paga 40."),
        ("nl", "Die 40 van Anna houden we nog even onder ons."),
        ("pt", "O cliente não pode saber que Anna paga 40."),
    ] {
        let (text, withheld) = said_in(language, &format!("Room.\n\n{note}\n\nA visit."));
        assert!(!text.contains("40") && !text.contains("Anna"), "{text}");
        assert!(
            text.contains("Room.") && text.contains("A visit."),
            "{text}"
        );
        assert!(withheld > 0, "{note}");
    }
    for (language, said) in [
        ("en", "Customers who do not know their 40 numbers call us."),
        ("en", "Your client never finds out about the 40 rooms."),
        ("en", "They learn 40 words a day."),
        ("en", "We keep your 40 addresses to ourselves."),
        ("en", "Travel for 40 people does not appear in the offer."),
        (
            "de",
            "Kosten für 40 Räume, die nicht im Angebot stehen, tragen wir.",
        ),
        ("de", "Ihre 40 Räume bleiben für uns wichtig."),
        ("fr", "Vos 40 salles restent pour nous une priorité."),
        ("it", "Le 40 sale restano per noi una priorità."),
        ("en", "Note: the 40 rooms are new."),
        ("en", "Our margin of error is below 40 %."),
        ("en", "@acme has 40 rooms."),
    ] {
        let (text, withheld) = said_in(language, said);
        assert_eq!((text.as_str(), withheld), (said, 0));
    }
}

#[test]
fn orders_to_tell_them_nothing_are_private_wherever_the_verb_stands() {
    for (language, note) in [
        ("de", "Sag denen nicht, dass Anna 40 zahlt."),
        ("de", "Und sag ihnen nichts von den 40 von Anna."),
        ("de", "Verrat dem Kunden bloß nicht, was Anna zahlt: 40."),
        ("it", "Non dirgli che Anna paga 40."),
        ("it", "Ma non dire che Anna paga 40."),
        ("fr", "Ne leur dis pas qu'Anna paie 40."),
        ("fr", "Mais surtout ne leur raconte pas qu'Anna paie 40."),
        ("fr", "Dis-leur pas qu'Anna paie 40."),
        ("es", "No les digas que Anna paga 40."),
        ("es", "Pero no les digas que Anna paga 40."),
        ("pt", "Não lhes diga que a Anna paga 40."),
        ("nl", "Zeg ze niet dat Anna 40 betaalt."),
        ("nl", "En vertel hun niets over de 40 van Anna."),
        ("en", "But tell them nothing about Anna's 40."),
        ("ja", "Annaの40は伏せておいてください。"),
    ] {
        withholds_alone(language, note);
    }
    for (language, said) in [
        (
            "de",
            "Sagt Ihnen das nicht zu, zahlen Sie für die 40 Räume nichts.",
        ),
        (
            "de",
            "Zeigen Sie Ihren Kunden nicht 40 Zahlen, sondern ein Bild.",
        ),
        ("fr", "Dites adieu à 40 relevés par mois."),
        ("es", "No olvide contar las 40 salas."),
        ("it", "Non serve altro per 40 sale."),
        ("nl", "Zeg 40 dagen voor het einde op."),
    ] {
        assert_eq!(said_in(language, said), (said.to_owned(), 0));
    }
}

#[test]
fn what_is_to_be_settled_with_a_colleague_is_private() {
    for (language, note) in [
        ("fr", "À vérifier avec Luc : Anna paie 40."),
        ("it", "Da verificare con Luca: Anna paga 40."),
        ("de", "Mit Luca klären: Anna zahlt 40."),
        ("de", "Noch mit Luca abstimmen: Anna zahlt 40."),
        ("en", "Check with Luca: Anna pays 40."),
        ("es", "Confirmar con Luca: Anna paga 40."),
        ("pt", "Confirmar com Luca: a Anna paga 40."),
        ("nl", "Checken met Luca: Anna betaalt 40."),
        ("ja", "田中さんに確認：Annaは40。"),
        ("en", "Anna pays 40 – check with Luca"),
        ("en", "Anna pays 40 (check with Luca)."),
    ] {
        withholds_alone(language, note);
    }
    for (language, said) in [
        ("en", "Check with your installer: 40 rooms need a cable."),
        ("de", "Mit Ihrem Betriebsrat abstimmen: 40 Räume."),
        ("fr", "À valider avec vos équipes : 40 salles."),
    ] {
        assert_eq!(said_in(language, said), (said.to_owned(), 0));
    }
}

#[test]
fn what_colleagues_say_of_the_reader_is_private() {
    for (language, note) in [
        ("en", "Fyi their buyer Anna is a pain, 40 calls so far."),
        ("en", "I think they'd go to 40, says Anna."),
        ("de", "Ich denke, die gehen bis 40 hoch, sagt Anna."),
        (
            "de",
            "Unter uns gesagt ist der Einkäufer Anna mit 40 zufrieden.",
        ),
        ("fr", "Je pense qu'ils iraient à 40, dit Anna."),
        ("fr", "Entre nous la directrice Anna a 40 ans de retard."),
        ("es", "Ojo, el de compras (Anna) aprieta con el 40."),
        ("es", "Creo que llegarían a 40, dice Anna."),
        ("it", "Secondo me pagherebbero 40, dice Anna."),
        ("en", "Anna, between us, pays 40."),
    ] {
        withholds_alone(language, note);
    }
    for (language, said) in [
        ("en", "Note: the client portal is free for 40 people."),
        ("en", "Between us we have 40 years of experience."),
        ("en", "I think you will accept 40 rooms."),
        ("es", "Ojo: se entrega en 40 días."),
        ("de", "Achtung: Der Kunde stellt 40 Räume."),
    ] {
        assert_eq!(said_in(language, said), (said.to_owned(), 0));
    }
}

/// Whether a note between two paragraphs is withheld as a whole, and they are not.
fn withholds_alone(language: &str, note: &str) {
    let (text, withheld) = said_in(language, &format!("Room.\n\n{note}\n\nA visit."));
    assert!(!text.contains("40") && !text.contains("Anna"), "{text}");
    assert!(
        text.contains("Room.") && text.contains("A visit."),
        "{text}"
    );
    assert!(withheld > 0, "{note}");
}
