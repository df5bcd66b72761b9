//! What a mailbox shows first, subject and preview text, and words that are cut over two texts.

use gtm_domain::message::compliance::CheckKey;
use gtm_domain::message::{BlockKind, Placeholder};

use super::message::{HOOK, Message, Own, Value, one};

#[test]
fn the_preview_text_is_read_like_the_subject() {
    let shown = |preview| {
        let mut message = Message::good();
        message.preview = vec![preview];
        message.failing()
    };
    assert_eq!(shown(Value(Placeholder::CompanyName, "Acmé Estates")), []);
    // Values rest on what they rest on in the body.
    assert_eq!(shown(Value(Placeholder::EvidenceHook, HOOK)), []);
    assert_eq!(
        shown(Own("40% less")),
        [
            (CheckKey::ApprovedValueAnchors, vec![]),
            (CheckKey::NumericClaims, vec![]),
        ]
    );
    for preview in [
        "Act now",
        "Re: your order",
        "With no risk",
        "The best meters",
    ] {
        assert_eq!(
            shown(Own(preview)),
            one(CheckKey::ProhibitedLanguage, &[]),
            "{preview}"
        );
    }
}

/// The full subject is validated as the body is (specification, rule 8).
#[test]
fn what_subject_and_preview_state_rests_on_something() {
    let in_subject = |words| {
        let mut message = Message::good();
        let company = Value(Placeholder::CompanyName, "Acmé Estates");
        message.subject = vec![company, Own(": "), Own(words)];
        message.failing()
    };
    let in_preview = |words| {
        let mut message = Message::good();
        message.preview = vec![Own(words)];
        message.failing()
    };
    for (words, check) in [
        ("You are hiring in Leeds", CheckKey::EvidenceAnchors),
        ("I saw that you opened a depot", CheckKey::EvidenceAnchors),
        ("As we discussed on the phone", CheckKey::EvidenceAnchors),
        ("We install heat pumps", CheckKey::ApprovedValueAnchors),
        ("Trusted by Morrisons", CheckKey::ApprovedValueAnchors),
        ("Free installation", CheckKey::ApprovedValueAnchors),
    ] {
        assert_eq!(in_subject(words), one(check, &[]), "{words}");
        assert_eq!(in_preview(words), one(check, &[]), "{words}");
    }
    for words in [
        "a question on metering",
        "We bill 18,000 flats monthly",
        "One Bill For Each Flat",
        "meters and who reads them",
    ] {
        assert_eq!(in_subject(words), [], "{words}");
        assert_eq!(in_preview(words), [], "{words}");
    }
}

/// DANGER: a reader sees no seam between two texts.
#[test]
fn a_word_cut_over_two_texts_hides_nothing() {
    for (language, one_half, other, check) in [
        ("en", "La", "st chance.", CheckKey::ProhibitedLanguage),
        ("en", "The be", "st meters.", CheckKey::ProhibitedLanguage),
        ("de", "Letzte Ch", "ance.", CheckKey::ProhibitedLanguage),
        ("ja", "本日", "限り。", CheckKey::ProhibitedLanguage),
        ("en", "It costs hal", "f as much.", CheckKey::NumericClaims),
        ("en", "Reply st", "op to unsub", CheckKey::OptOutFinal),
    ] {
        let mut parts = vec![Own(one_half), Own(other)];
        if check == CheckKey::OptOutFinal {
            parts.push(Own("scribe."));
        }
        let mut message = Message::good().with(BlockKind::Proof, parts);
        message.language = language;
        let failing = message.failing();
        assert!(
            failing.iter().any(|(failed, _)| *failed == check),
            "{one_half}|{other}: {failing:?}"
        );
    }
}

/// DANGER: a mailbox shows subject and preview text in one line.
#[test]
fn what_is_cut_over_subject_and_preview_hides_nothing() {
    let failing = |language, subject, preview| {
        let mut message = Message::good();
        message.language = language;
        let company = Value(Placeholder::CompanyName, "Acmé Estates");
        message.subject = vec![company, Own(subject)];
        message.preview = vec![Own(preview)];
        let mut failing = message.failing().into_iter();
        failing.any(|(failed, _)| failed == CheckKey::ProhibitedLanguage)
    };
    for (language, subject, preview) in [
        ("en", ": last", "chance to see it"),
        ("de", ": letzte", "Chance"),
        ("en", ": metering with no", "risk"),
    ] {
        assert!(failing(language, subject, preview), "{subject}|{preview}");
    }
    for (subject, preview) in [
        (": what we read last", "A chance to see it is on Friday"),
        (": meters with no", "Risk reports come monthly"),
        (
            ": metering",
            "We take no meters away. The risk of a landlord is known",
        ),
    ] {
        assert!(!failing("en", subject, preview), "{subject}|{preview}");
    }
}

/// A claim of many words has more of them on one side of the border than stand beside it.
#[test]
fn no_long_claim_is_cut_over_subject_and_preview() {
    let failing = |subject, preview| {
        let mut message = Message::good();
        message.forbidden = vec!["carbon neutral by next year".to_owned()];
        let company = Value(Placeholder::CompanyName, "Acmé Estates");
        message.subject = vec![company, Own(subject)];
        message.preview = vec![Own(preview)];
        let mut failing = message.failing().into_iter();
        failing.any(|(failed, _)| failed == CheckKey::ProhibitedLanguage)
    };
    assert!(failing(": carbon", "neutral by next year"));
    assert!(failing(": carbon neutral by next", "year, with us"));
    assert!(failing(": Carbon", "Neutral By Next Year"));
    assert!(!failing(": carbon", "Your neutral meters"));
    assert!(!failing(": not carbon neutral by next year", "for flats"));
}
