//! Tests of briefs that are conversations.

use super::super::Brief;

/// The lines that a brief prints, its directions, and what it withholds.
fn read(brief: &str, language: &str) -> (Vec<String>, String, String) {
    let brief = Brief::read(brief, language);
    let text = brief.text();
    let lines = text.lines().filter(|line| !line.is_empty());
    (
        lines.map(str::to_owned).collect(),
        brief.directions.join(" | "),
        [brief.withheld, brief.corrected].concat().join(" | "),
    )
}

#[test]
fn speakers_times_and_asides_are_never_printed() {
    for (language, brief, said) in [
        (
            "en",
            "[09:12] Dan: one-pager for Halden Ports, 1 page\n[09:13] Mia: ok on it\n[09:14] Dan: Halden lost 19 crane days \
             last winter. btw their COO is new\n[09:15] Mia: lead w/ the crane days, make it snappy\n[09:16] Dan: Monitoring \
             costs £96,000 a year, VAT tbc",
            vec!["Halden lost 19 crane days last winter."],
        ),
        (
            "de",
            "09:12 - Jana: Bitte ein Angebot für Tannach, max. 2 Seiten\n09:13 - Piet: alles klar\n09:15 - Jana: Tannach liest \
             900 Zähler von Hand ab.\n09:17 - Piet: fang mit den Zählern an\n09:18 - Jana: Start ist im Mai, glaub ich",
            vec!["Tannach liest 900 Zähler von Hand ab."],
        ),
        (
            "fr",
            "Zoé  09:12\nFais une proposition pour Kerhoz, 2 pages\n\nLuc  09:14\nKerhoz livre 40 magasins chaque nuit.\nau fait, \
             leur directrice part\n\nZoé  09:15\ncommence par les magasins",
            vec!["Kerhoz livre 40 magasins chaque nuit."],
        ),
        (
            "es",
            "Ana: haz una propuesta para Ardiela, 2 páginas\nLeo: vale\nAna: Ardiela etiqueta 900 latas al día.\nLeo: empieza con \
             las latas, el precio por confirmar",
            vec!["Ardiela etiqueta 900 latas al día."],
        ),
    ] {
        let (lines, directions, withheld) = read(brief, language);
        assert_eq!(lines, said, "{directions} / {withheld}");
        assert!(!directions.is_empty() && !withheld.is_empty(), "{brief}");
    }
}

#[test]
fn what_is_taken_back_goes_with_what_takes_it_back() {
    for (language, brief, said) in [
        (
            "en",
            "[09:12] Dan: We read 310 cranes in 14 harbours.\n[09:13] Dan: Monitoring is 10k a month.\n[09:14] Mia: scrap that, \
             make it 12k",
            vec!["We read 310 cranes in 14 harbours."],
        ),
        (
            "en",
            "We read 310 cranes. Monitoring is 10k a month. It starts at once.\n\nActually ignore that, it is 12k.",
            vec!["We read 310 cranes."],
        ),
        (
            "de",
            "Wir lesen 900 Zähler ab. Die Wartung kostet 10.000 € im Jahr. Nein, streich das. Es sind 12.000 €.",
            vec!["Wir lesen 900 Zähler ab."],
        ),
        (
            "nl",
            "Wij lezen 900 meters af.\n\n- Onderhoud: € 10.000\n- Schrap dat, € 12.000\n- Start in mei",
            vec!["Wij lezen 900 meters af.", "Start in mei"],
        ),
        (
            "pt",
            "Lemos 900 contadores.\n\nA manutenção custa 10 mil euros. Esquece isso, são 12 mil.",
            vec!["Lemos 900 contadores."],
        ),
    ] {
        let (lines, _, withheld) = read(brief, language);
        assert_eq!(lines, said, "{withheld}");
        assert!(withheld.contains("12"), "{withheld}");
    }
    let kept = "Systems that ignore that rule fail. Never mind the weather, it works.";
    assert_eq!(read(kept, "en").0, [kept]);
}

#[test]
fn a_speaker_may_go_on_below_another_time() {
    let (lines, _, withheld) = read(
        "Tom  10:41\ncan someone put together a deck for Leeds? 6 slides\n10:42\nthey run 11 pools across Devon\n\nPriya  10:44\nthe \
         covers cost £18,500 incl. fitting\ntheir FM is difficult btw",
        "en",
    );
    assert_eq!(
        lines,
        [
            "They run 11 pools across Devon.",
            "The covers cost £18,500 incl. fitting."
        ]
    );
    assert!(withheld.contains("difficult"), "{withheld}");
}

#[test]
fn rows_corrections_and_questions_without_a_mark_are_known_in_a_chat() {
    let (text, directions, withheld) = read(
        "[09:12] Dan: can someone make a deck for Leeds?\n[09:13] Dan: they run 14 pools\n[09:14] Dan: i mean 12\n[09:15] Mia: when \
         do they need it\n[09:16] Mia: as pdf pls",
        "en",
    );
    assert_eq!(text, ["They run 12 pools."]);
    assert!(withheld.contains("when do they need it"), "{withheld}");
    assert!(directions.contains("as pdf pls"), "{directions}");
}

#[test]
fn plans_of_a_day_questions_and_labels_are_no_conversation() {
    for brief in [
        "09:00 Welcome: Petra Olsen\n09:30 Planning: Jo Marsh\n11:00 Tools: Petra Olsen of Leeds",
        "Question: What does it cost?\nAnswer: £4 a month.\nQuestion: When does it start?\nAnswer: In May.",
        "Risks: two sites have no network.\n\nPrice: £4 a month.\n\nRisks: the cellar is damp in May.",
        "Lunch 12:30\nTalks 14:00\nLunch 12:30",
        "Owner: tbc\nStart: 4 May\nOwner: Jo Marsh, tbc\nBudget: tbd\nOwner: tba",
        "09:00 Welcome: Jo Marsh\n09:30 Session: cranes\n10:15 Break: coffee\n10:30 Session: harbours",
        "Interviewer: And before?\nAnna: Honestly, I'm not sure anybody knew.\nInterviewer: And now?\nAnna: Let's say it is one \
         screen.\nInterviewer: Any advice?\nAnna: Start with one clinic.",
        "Interviewer: What changed?\nPetra: We should have started earlier. We lost 19 days.\nInterviewer: And now?\nPetra: Let's say \
         that 14 cranes run.",
    ] {
        assert_eq!(super::Chat::of(brief, "en"), None, "{brief}");
    }
}
