//! What the caller asks.

use gtm_domain::message::compliance::CheckKey;
use gtm_domain::message::{BlockKind, Placeholder};

use super::message::{Message, Value, keys};

fn ask(words: &'static str) -> Vec<(CheckKey, Vec<String>)> {
    let ask = vec![Value(Placeholder::NextStepAsk, words)];
    Message::good().with(BlockKind::Cta, ask).failing()
}

fn ask_in(language: &'static str, words: &'static str) -> Vec<CheckKey> {
    let ask = vec![Value(Placeholder::NextStepAsk, words)];
    let mut message = Message::good().with(BlockKind::Cta, ask);
    message.language = language;
    let failing = keys(&message.failing());
    let anchors = [CheckKey::EvidenceAnchors, CheckKey::ApprovedValueAnchors];
    // The rest of the message is English.
    failing
        .into_iter()
        .filter(|it| anchors.contains(it))
        .collect()
}

/// Whoever calls the API words an ask for one message, and nobody reviews it.
#[test]
fn an_ask_states_nothing_that_a_block_may_not() {
    for words in [
        "As discussed on our call yesterday, shall I send it?",
        "As we agreed, shall I send it?",
        "You asked for our price list, shall I send it?",
        "Your supplier is going bankrupt, shall we talk?",
        "Your supplier is going bankrupt. Shall we talk?",
        "I saw that you are hiring - shall we talk?",
    ] {
        assert!(
            keys(&ask(words)).contains(&CheckKey::EvidenceAnchors),
            "{words}"
        );
    }
    for words in [
        "We supply Hollis Foods and hold every certificate - shall we start?",
        "Our storage cuts spoilage and pays for itself, shall we start?",
        "Our storage pays for itself. Shall we start?",
        "Shall we reserve your free pallet, which you can cancel at any time?",
        "Would you like the same refund that Hollis got from us?",
        "Please reply, our customers save time.",
    ] {
        assert!(
            keys(&ask(words)).contains(&CheckKey::ApprovedValueAnchors),
            "{words}"
        );
    }
}

#[test]
fn an_ask_for_time_or_interest_passes() {
    for words in [
        "Shall we talk for 15 minutes next week?",
        "Would you like to see a sample plan?",
        "Could you point me to whoever looks after cold storage?",
        "Are you free for a call on Tuesday?",
        "If you look after metering, shall we talk?",
        "I am in Leeds on Tuesday, shall we meet?",
        "Would Tuesday, Wednesday or Thursday suit you?",
    ] {
        assert_eq!(ask(words), [], "{words}");
    }
    let fair = keys(&ask(
        "Shall we meet at Hollis Fair, or is a call easier for you?",
    ));
    assert!(!fair.contains(&CheckKey::EvidenceAnchors), "{fair:?}");
    assert!(!fair.contains(&CheckKey::ApprovedValueAnchors), "{fair:?}");
}

/// A question asks for what it asks for, and states what stands in its clauses.
#[test]
fn a_question_states_nothing_that_a_sentence_may_not() {
    for words in [
        "Did you know that we supply Hollis Foods?",
        "Did you know we supply Hollis Foods?",
        "Did you know that our storage pays for itself?",
        "May I show you how we cut costs for Hollis Foods?",
        "Would you like to know why our customers save time?",
        "Shall we talk, since we are the most trusted by landlords?",
    ] {
        let failing = keys(&ask(words));
        assert!(
            failing.contains(&CheckKey::ApprovedValueAnchors),
            "{words} {failing:?}"
        );
    }
    let failing = keys(&ask("Did you know that we cut costs by half?"));
    assert!(
        failing.contains(&CheckKey::ApprovedValueAnchors),
        "{failing:?}"
    );
    for words in [
        "Did you know that your supplier is going bankrupt?",
        "Did you know your supplier is going bankrupt?",
        "Shall I send the contract that your board approved?",
        "Shall we talk, because your supplier is going bankrupt?",
    ] {
        let failing = keys(&ask(words));
        assert!(
            failing.contains(&CheckKey::EvidenceAnchors),
            "{words} {failing:?}"
        );
    }
    for (language, words, of) in [
        (
            "de",
            "Wussten Sie, dass wir Hollis GmbH beliefern?",
            CheckKey::ApprovedValueAnchors,
        ),
        (
            "de",
            "Wussten Sie, dass unsere Kunden sparen?",
            CheckKey::ApprovedValueAnchors,
        ),
        (
            "de",
            "Soll ich den Vertrag senden, den Ihr Vorstand genehmigt hat?",
            CheckKey::EvidenceAnchors,
        ),
        (
            "de",
            "Wussten Sie, dass Ihr Lieferant insolvent ist?",
            CheckKey::EvidenceAnchors,
        ),
        (
            "fr",
            "Saviez-vous que nous livrons Hollis et ses filiales ?",
            CheckKey::ApprovedValueAnchors,
        ),
        (
            "fr",
            "Saviez-vous que votre fournisseur fait faillite ?",
            CheckKey::EvidenceAnchors,
        ),
        (
            "es",
            "¿Sabía que nuestros clientes ahorran tiempo?",
            CheckKey::ApprovedValueAnchors,
        ),
        (
            "es",
            "¿Le envío el contrato que su junta aprobó ayer?",
            CheckKey::EvidenceAnchors,
        ),
    ] {
        let failing = ask_in(language, words);
        assert!(failing.contains(&of), "{words} {failing:?}");
    }
}

/// What asks for time, interest or a confirmation, in clauses that look alike.
#[test]
fn a_clause_of_a_question_may_ask() {
    for words in [
        "Is it right that you look after metering?",
        "Would that suit your team next week?",
        "Is that your busiest time of year?",
        "Can you tell me whether that works for your team?",
        "May I show you how we bill?",
        "May I ask how you read your meters today?",
        "Could you point me to the person that looks after metering?",
        "Has anything changed since Tuesday?",
    ] {
        assert_eq!(ask(words), [], "{words}");
    }
    for (language, words) in [
        ("de", "Ist es richtig, dass Sie die Zähler betreuen?"),
        ("de", "Möchten Sie, dass Ihr Team ein Muster erhält?"),
        ("de", "Wissen Sie, wer das bei Ihnen betreut?"),
        ("fr", "Est-ce que votre équipe s’en occupe ?"),
        ("fr", "Souhaitez-vous que votre équipe reçoive un exemple ?"),
        ("fr", "À quelle heure votre équipe serait-elle libre ?"),
        ("es", "¿En qué fecha su equipo tiene tiempo?"),
        ("es", "¿Le parece bien que su equipo reciba una muestra?"),
        ("it", "A che ora il vostro team è libero?"),
    ] {
        assert_eq!(ask_in(language, words), ask_in(language, "CEO?"), "{words}");
    }
}
