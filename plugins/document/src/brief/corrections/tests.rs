//! Tests of figures that a brief corrects.

use super::super::Brief;

fn read(text: &str) -> (String, usize, usize) {
    let brief = Brief::read(&format!("# A\n\n## B\n\n{text}\n"), "en");
    let said = brief.text();
    let said = said.lines().skip(2).filter(|line| !line.is_empty());
    let said: Vec<&str> = said.collect();
    (
        said.join(" | "),
        brief.corrected.len(),
        brief.doubtful.len(),
    )
}

#[test]
fn the_right_figure_takes_the_place_of_the_corrected_one() {
    for (text, said) in [
        (
            "We fit 14 sensors, sorry 12, in May.",
            "We fit 12 sensors in May.",
        ),
        (
            "We fit 14 … sorry 12 sensors in May.",
            "We fit 12 sensors in May.",
        ),
        ("We fit 12 sensors – sorry 14 not 12.", "We fit 14 sensors."),
        (
            "We fit 14 sensors (sorry, 12) in May.",
            "We fit 12 sensors in May.",
        ),
        ("We fit 14 sensors. Correction: 12.", "We fit 12 sensors."),
        (
            "We fit 14 sensors, scratch that, 12 sensors.",
            "We fit 12 sensors.",
        ),
        ("It costs €14, sorry €12, each.", "It costs €12 each."),
        (
            "It costs 10k a year. Scrap that, make it 12k.",
            "It costs 12k a year.",
        ),
        (
            "Wir setzen 14 Sensoren ein, Entschuldigung, 12.",
            "Wir setzen 12 Sensoren ein.",
        ),
        (
            "Nous posons 14 capteurs, pardon, 12 capteurs.",
            "Nous posons 12 capteurs.",
        ),
        (
            "Posiamo 14 sensori, anzi 12, a maggio.",
            "Posiamo 12 sensori a maggio.",
        ),
        ("Ponemos 14 sensores. Perdón, 12.", "Ponemos 12 sensores."),
        ("- We fit 14 sensors\n- Sorry, 12", "We fit 12 sensors"),
        ("We start at 9:30, sorry, 10:00.", "We start at 10:00."),
        (
            "Wir beginnen am 14/5, sorry, 12/5.",
            "Wir beginnen am 12/5.",
        ),
        ("It takes 10–12, sorry 14–16 days.", "It takes 14–16 days."),
        (
            "Nous posons 1 200, pardon 1 400 capteurs.",
            "Nous posons 1 400 capteurs.",
        ),
        (
            "Call 0113 496 0000, sorry 0113 496 0001.",
            "Call 0113 496 0001.",
        ),
        ("We fit 14 sensors.\n\nSorry, 12.", "We fit 12 sensors."),
        (
            "It costs EUR 14, sorry EUR 12 each.",
            "It costs EUR 12 each.",
        ),
        (
            "Es kostet EUR 14, Entschuldigung, EUR 12.",
            "Es kostet EUR 12.",
        ),
        ("We meet in room 14, sorry, room 12.", "We meet in room 12."),
        (
            "Wir setzen 14 Sensoren, Entschuldigung, 12, die wir liefern.",
            "Wir setzen 12 Sensoren, die wir liefern.",
        ),
        (
            "We fit 14 sensors, sorry 12, the rest follows.",
            "We fit 12 sensors, the rest follows.",
        ),
        (
            "We fit 14 sensors, sorry 12, 3 gateways.",
            "We fit 12 sensors, 3 gateways.",
        ),
        (
            "We fit 14 sensors, sorry 12, gateways and hubs.",
            "We fit 12 sensors, gateways and hubs.",
        ),
        (
            "We fit 14 sensors, sorry 12, gateways.",
            "We fit 12 sensors, gateways.",
        ),
        (
            "We fit 14 sensors, sorry 12, a bargain.",
            "We fit 12 sensors, a bargain.",
        ),
        (
            "It costs EUR 14, sorry 12, a month.",
            "It costs EUR 12 a month.",
        ),
        ("It costs EUR 14. Sorry, EUR 12.", "It costs EUR 12."),
        (
            "It costs EUR 14. Sorry, EUR 12 a month.",
            "It costs EUR 12 a month.",
        ),
        (
            "We fit 14 sensors. Sorry, 12 sensors.",
            "We fit 12 sensors.",
        ),
    ] {
        assert_eq!(read(text), (said.to_owned(), 1, 0), "{text}");
    }
}

#[test]
fn where_it_is_not_clear_both_stay_and_the_doubt_is_told() {
    for text in [
        "We fit 14 sensors at 90 euros, sorry 12.",
        "It takes 14 days, sorry 12 weeks in all.",
        "We fit 14 sensors, sorry 12 not 13.",
        "Two sites cost €400. Make it 3, and the third is free.",
        "Two sites cost 400 euros. Make it 3 sites for less.",
        "It costs EUR 14. Sorry, EUR 12 is only for schools.",
        "It costs EUR 14. Sorry, EUR 12 a month is only for schools.",
        "It costs EUR 400 a year. Sorry, EUR 40 a month.",
        "We deliver on May 14. Sorry, May 12 is a holiday.",
        "We fit 14 sensors. Sorry, 12 sensors are broken.",
        "We start at 9:30, sorry, 10.",
        "Proofreading takes 14 days, correction 5 days.",
        "Satz 14 Tage, Korrektur 5, Druck 3.",
        "We fit 12 sensors at €90, sorry 14 sensors at €90.",
        "We start on 3 May 2026, sorry 5 May 2026.",
        "We grew by 12 % in 2024, sorry 14 %.",
        "We store at 20 °C, sorry -18 °C.",
        "We fit 14 sensors, sorry, twelve.",
        "We fit fourteen sensors, sorry twelve sensors, in May.",
        "It costs EUR 14 for 3 rooms, sorry EUR 12.",
        "Wir setzen 14 Sensoren ein, Entschuldigung, zwölf.",
    ] {
        assert_eq!(read(text), (text.to_owned(), 0, 1), "{text}");
    }
}

#[test]
fn work_that_is_called_a_correction_stays() {
    for text in [
        "- Tornitura: 14 ore\n- Rettifica: 5 ore",
        "- Übersetzung: 14 Tage\n- Korrektur: 5 Tage",
        "- Traduction : 14 jours\n- Correction : 5 jours",
        "- Übersetzung: 400 €\n- Korrektur: 90 €",
        "- Copywriting: £400\n- Correction: £90",
        "- Layout 90 %\n- Korrektur 40 %",
        "- Layout 14\n- Korrektur 5",
    ] {
        let said = text.replace("- ", "").replace('\n', " | ");
        assert_eq!(read(text).0, said, "{text}");
    }
}

#[test]
fn a_text_of_nothing_but_corrections_is_read_in_time() {
    let text = "1 a. nvm 2 b. ".repeat(3_500);
    let (said, ..) = read(&text);
    assert!(said.len() > 1_000);
}

#[test]
fn what_corrects_no_figure_stays() {
    for text in [
        "We fit 14 sensors. Sorry for the 12 days of delay.",
        "We fit 14 sensors that make it 12 percent cheaper.",
        "Sorry, 12 rooms are closed.",
        "We fit 14 sensors. Sorry, two of us are ill.",
        "We fit 14 sensors. Sorry, no one is in.",
        "Others need 14 days. We make it 3.",
        "Other firms take 14 days, we make it 5.",
        "In 2024, that meant 300, in 2025 it was 480.",
        "14 rooms, 12 of them new.",
        "Rooms 14, 12 and 9.",
    ] {
        assert_eq!(read(text), (text.to_owned(), 0, 0), "{text}");
    }
}
