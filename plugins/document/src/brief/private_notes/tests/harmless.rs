//! What only looks like a note in confidence: values, asides about one sentence, and reminders.

use super::unclear::said_in;
use super::*;

#[test]
fn a_value_is_no_label() {
    for (language, said) in [
        ("en", "- Training: internal\n- Hosting: external"),
        ("en", "Training: internal. Hosting: external."),
        ("en", "Training: internal, two days"),
        (
            "en",
            "| Training | internal |\n|---|---|\n| Hosting | external |",
        ),
        ("en", "| Item | Kind |\n|---|---|\n| Training | internal |"),
        ("en", "- Training\n  - internal\n  - external"),
        ("en", "The training is internal: we hold it for you."),
        ("en", "Internal audits – twice a year – take a day."),
        ("en", "We keep internal and external audits apart – always."),
        ("de", "- Schulung: intern\n- Betrieb: extern"),
        ("fr", "- Formation : interne\n- Support : externe"),
        ("es", "- Formación: interna\n- Soporte: externo"),
    ] {
        let (text, withheld) = said_in(language, said);
        assert_eq!(withheld, 0, "{said}: {text}");
        assert!(text.contains("nter"), "{text}");
    }
}

#[test]
fn a_value_of_a_heading_has_its_opposite_beside_it() {
    let part = |heading: &str| format!("### {heading}\n\nTwo days.\n\n");
    let training = part("Training: internal");
    let (text, withheld) = of_part(&format!("{training}{}", part("Hosting: external")));
    assert!(
        text.contains("Training: internal") && withheld == 0,
        "{text}"
    );
    // Without it, nobody can tell.
    let (text, withheld) = of_part(&format!("{training}{}", part("Hosting: ours")));
    assert!(!text.contains("Training") && withheld > 0, "{text}");
    let (text, _) = of_part(&format!("{}{}", part("Internal"), part("External")));
    assert_eq!(text, "External | Two days.");
}

#[test]
fn an_aside_before_a_comma_speaks_of_its_sentence() {
    for (language, said) in [
        ("en", "Between us, Anna pays late. A visit."),
        ("de", "Unter uns, Anna zahlt spät. A visit."),
        ("fr", "Entre nous, Anna paie tard. A visit."),
        ("es", "Entre nosotros, Anna paga tarde. A visit."),
    ] {
        assert_eq!(said_in(language, said), ("A visit.".to_owned(), 1));
        let labeled = said.replacen(',', ":", 1);
        assert_eq!(said_in(language, &labeled), (String::new(), 1));
    }
    let (text, withheld) = of_part("The gap between us, them and you is small.");
    assert!(text.contains("gap") && withheld == 0, "{text}");
}

#[test]
fn a_reminder_asks_for_what_stands_behind_it() {
    for (language, order, said) in [
        (
            "en",
            "Don't forget: mention that the gate is new.",
            "The gate is new.",
        ),
        (
            "en",
            "Please do not forget – mention that the gate is new.",
            "The gate is new.",
        ),
        (
            "en",
            "Don't forget! Mention that the gate is new.",
            "The gate is new.",
        ),
        (
            "de",
            "Nicht vergessen: Erwähnen Sie, dass wir SAP unterstützen.",
            "Wir unterstützen SAP.",
        ),
        (
            "fr",
            "N'oubliez pas : mentionnez que la porte est neuve.",
            "La porte est neuve.",
        ),
        (
            "es",
            "No olvide: mencione que la puerta es nueva.",
            "La puerta es nueva.",
        ),
        (
            "it",
            "Non dimenticare: menziona che la porta è nuova.",
            "La porta è nuova.",
        ),
        (
            "nl",
            "Niet vergeten: vermeld dat wij SAP ondersteunen.",
            "Wij ondersteunen SAP.",
        ),
        (
            "pt",
            "Não esqueça: mencione que a porta é nova.",
            "A porta é nova.",
        ),
    ] {
        assert_eq!(
            said_in(language, &format!("Room. {order}")),
            (format!("Room. {said}"), 0),
            "{order}"
        );
    }
    for order in [
        "Don't forget: never say that we leak.",
        "Important: never say that we leak.",
        "Don't forget: do not mention our leak.",
    ] {
        let (text, withheld) = of_part(&format!("Room. {order}"));
        assert_eq!((text.as_str(), withheld), ("Room.", 1), "{order}");
    }
}
