use super::*;

#[test]
fn values_are_listed_in_sentences() {
    for (text, names) in [
        (
            "Wir stehen für klare Wege, flache Hierarchien und ruhige Abläufe.",
            vec!["klare Wege", "flache Hierarchien", "ruhige Abläufe"],
        ),
        (
            "We work with suppliers who share our values – care, calm and candour – every day.",
            vec!["care", "calm", "candour"],
        ),
        (
            "Our values (care, calm and candour) come first.",
            vec!["care", "calm", "candour"],
        ),
        (
            "Measured values – heat, weight and flow – are shown.",
            vec![],
        ),
        ("We stand for good ropes.", vec![]),
        (
            "We believe in honest work, fair pay, and work that lasts.",
            vec!["honest work", "fair pay", "work that lasts"],
        ),
        (
            "We believe in good materials, careful work and treating every customer like family.",
            vec!["good materials", "careful work"],
        ),
        (
            "We believe in honest work, fair pay, and we do not work on Sundays.",
            vec![],
        ),
        (
            "Wir stehen für Fragen, Beratung und Termine gerne zur Verfügung.",
            vec![],
        ),
        (
            "Wir stehen für Sie bereit, wenn Rohre platzen, Heizungen streiken und Keller volllaufen.",
            vec![],
        ),
    ] {
        assert_eq!(told(text), names, "{text}");
    }
}

#[test]
fn values_open_the_sentence_under_their_heading() {
    assert_eq!(
        opened("Sorgfalt, Ruhe und ein offenes Ohr für alle prägen unsere Tage. Wir bauen."),
        ["Sorgfalt", "Ruhe"]
    );
    for text in [
        "With care, patience and skill we work.",
        "Care and calm shape our days.",
        "We build, mend and sell ropes.",
        "Here, today and in every job, we care.",
        "Anna, Tom and the team look after you.",
    ] {
        assert_eq!(opened(text), [""; 0], "{text}");
    }
}

#[test]
fn a_name_may_be_short_for_what_it_stands_for() {
    let own = Own::of(&["acme"], None);
    for (text, expected) in [
        ("Acme steht für Dächer, die hundert Jahre halten.", true),
        ("Acme steht für Sie rund um die Uhr bereit.", false),
        ("Acme steht für Ihre Fragen zur Verfügung.", false),
        ("Acme stands up and stands for you.", false),
        ("Acme steht für Ihre Sicherheit auf dem Dach.", true),
        ("Acme stands for your safety on every roof.", true),
        (
            "ACME stands for Applied Climate Measuring Equipment.",
            false,
        ),
        (
            "ACME stands for applied climate measuring equipment.",
            false,
        ),
    ] {
        assert_eq!(is_of_the_name(text, &own), expected, "{text}");
    }
}
