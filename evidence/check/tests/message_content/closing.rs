//! How an honest letter ends, and what it honestly does not promise.

use gtm_domain::message::BlockKind;
use gtm_domain::message::compliance::CheckKey;

use super::message::{Message, Own, keys};

fn failing(language: &'static str, kind: BlockKind, words: &'static str) -> Vec<CheckKey> {
    let own = vec![Own(words)];
    let mut message = match kind {
        BlockKind::Value => Message::good().with(kind, own),
        _ => Message::good().and(kind, own),
    };
    message.language = language;
    keys(&message.failing())
}

#[test]
fn wishes_before_the_signature_are_no_praise() {
    for (language, words) in [
        ("en", "All the best"),
        ("en", "I wish you and your team the best of luck."),
        ("de", "Mit den besten Wünschen"),
        ("fr", "Recevez les meilleures salutations."),
        ("es", "Reciba los mejores deseos."),
        ("it", "Con i migliori saluti"),
        ("pt", "Com os melhores cumprimentos,"),
        ("nl", "Met de beste wensen,"),
    ] {
        let found = failing(language, BlockKind::SignOff, words);
        assert!(
            !found.contains(&CheckKey::ProhibitedLanguage),
            "{words}: {found:?}"
        );
    }
    for (language, words) in [
        ("en", "All the best meters in town"),
        ("pt", "Os melhores medidores"),
        ("nl", "De beste meters"),
    ] {
        let found = failing(language, BlockKind::SignOff, words);
        assert!(found.contains(&CheckKey::ProhibitedLanguage), "{words}");
    }
}

#[test]
fn who_promises_nothing_claims_nothing() {
    for (language, words) in [
        ("en", "Savings are not guaranteed."),
        ("en", "We promise no savings."),
        ("en", "Nobody guarantees savings."),
        ("en", "A lower bill is not promised."),
        ("de", "Wir garantieren keine Einsparungen."),
        ("de", "Einsparungen sind nicht zugesichert."),
        ("fr", "Les économies ne sont pas garanties."),
        ("fr", "Nous ne promettons pas d’économies garanties."),
        ("es", "No prometemos ningún ahorro."),
    ] {
        let found = failing(language, BlockKind::Value, words);
        let refuses = [CheckKey::ProhibitedLanguage, CheckKey::ApprovedValueAnchors];
        assert!(
            !found.iter().any(|it| refuses.contains(it)),
            "{words}: {found:?}"
        );
    }
    for (language, words) in [
        ("en", "Savings are guaranteed."),
        ("en", "Your bill never rises, guaranteed."),
        ("en", "No savings are not guaranteed."),
        ("fr", "Vos économies sont garanties."),
    ] {
        let found = failing(language, BlockKind::Value, words);
        assert!(
            found.contains(&CheckKey::ApprovedValueAnchors),
            "{words}: {found:?}"
        );
    }
}
