//! Second notices on how to get no more messages, in whatever words and wherever they stand.

use gtm_domain::message::compliance::CheckKey;
use gtm_domain::message::{BlockKind, Placeholder};

use super::message::{Message, Own, Value, keys};

fn is_second_notice(language: &'static str, message: Message) -> bool {
    let mut message = message;
    message.language = language;
    keys(&message.failing()).contains(&CheckKey::OptOutFinal)
}

const NOTICES: &[(&str, &str)] = &[
    ("en", "Answer with the word stop and nothing more comes."),
    ("en", "If you would rather not hear from us, tell us."),
    ("en", "Say no and I will not write to you again."),
    ("en", "We stop our messages as soon as you say so."),
    ("en", "You cannot opt out of this."),
    ("en", "There is no way to end these emails."),
    ("en", "We keep writing to you whatever you answer."),
    ("en", "I take your name off my list on request."),
    ("de", "Antworten Sie mit Stopp, dann ist Schluss."),
    (
        "de",
        "Wenn Sie nichts mehr von uns hören möchten, sagen Sie es.",
    ),
    ("de", "Sie können unsere Nachrichten nicht beenden."),
    ("de", "Auf Wunsch streichen wir Sie von der Liste."),
    ("fr", "Répondez STOP et c’est fini."),
    ("fr", "Vous ne recevrez plus nos messages."),
    ("fr", "Impossible d’arrêter ces courriels."),
    ("es", "Responda STOP y no recibirá nada más."),
    ("es", "Puede cancelar nuestros mensajes."),
    ("it", "Risponda STOP e finisce qui."),
    ("it", "Non riceverà i nostri messaggi."),
    ("pt", "Responda STOP e acaba aqui."),
    ("pt", "Não receberá as nossas mensagens."),
    ("nl", "Antwoord met stop en het is klaar."),
    ("nl", "Wij stoppen met onze berichten."),
    ("ja", "ご連絡が不要な方は、その旨をご返信ください。"),
    ("ja", "このメールの停止はできません。"),
    ("zh", "如需退订，请回复。"),
    ("ko", "수신 거부를 원하시면 답장해 주세요."),
    ("ar", "لإلغاء الاشتراك يرجى الرد"),
];

#[test]
fn a_second_notice_is_refused_in_other_words() {
    for (language, words) in NOTICES {
        let message = Message::good().and(BlockKind::PrivacyNotice, vec![Own(words)]);
        assert!(is_second_notice(language, message), "{words}");
    }
}

#[test]
fn a_second_notice_is_refused_wherever_it_stands() {
    const WORDS: &str = "Write back stop and you hear no more from us.";
    let mut subject = Message::good();
    subject.subject = vec![Own(WORDS)];
    let mut preview = Message::good();
    preview.preview = vec![Own(WORDS)];
    let mut fallback = Message::good();
    fallback.fallback = vec![Own(WORDS)];
    let ask = vec![Value(Placeholder::NextStepAsk, WORDS)];
    for message in [
        subject,
        preview,
        fallback,
        Message::good().with(BlockKind::Cta, ask),
        Message::good().with(BlockKind::Proof, vec![Own(WORDS)]),
        Message::good().signed(Placeholder::SenderRole, WORDS),
    ] {
        assert!(is_second_notice("en", message));
    }
}

#[test]
fn the_notice_is_not_told_twice() {
    // Most words of the notice, in another order.
    let words = "You get no more messages from us: reply with “stop”.";
    let message = Message::good().with(BlockKind::Value, vec![Own(words)]);
    assert!(is_second_notice("en", message));
}

#[test]
fn what_only_speaks_of_messages_is_no_notice() {
    for (language, words) in [
        ("en", "Tenants get no more reminder letters by hand."),
        (
            "en",
            "No reading is missed, and messages to tenants go out on time.",
        ),
        ("en", "It does not end with the first bill."),
        ("en", "The meters stop on request."),
        ("en", "You have not heard of it before."),
        ("de", "Mieter bekommen keine Briefe von Hand."),
        ("de", "Die Meldung geht nicht verloren."),
        (
            "fr",
            "Les locataires ne reçoivent pas de lettres à la main.",
        ),
        ("es", "Los inquilinos no reciben cartas a mano."),
        ("it", "Gli inquilini non ricevono lettere a mano."),
        ("pt", "Os inquilinos não recebem cartas à mão."),
        ("nl", "Huurders krijgen geen brieven met de hand."),
        ("ja", "検針の連絡を自動で送ります。"),
    ] {
        let message = Message::good().with(BlockKind::Value, vec![Own(words)]);
        assert!(!is_second_notice(language, message), "{words}");
    }
}
