//! What the letter says, from subject to the notice on how to object.

use gtm_domain::message::compliance::{AnchorKind, CheckKey, Span};
use gtm_domain::message::{BlockKind, Placeholder};

use super::message::{
    ASK, HOOK, Link, Message, NOTICE, Own, Part, Step, VALUE, Value, keys, one, words_at,
};

#[test]
fn a_good_message_passes_all_and_says_what_it_rests_on() {
    let mut message = Message::good();
    message.text_begins_at = 30;
    let ((checks, anchors), text) = message.checked();
    assert_eq!(
        checks.iter().map(|check| check.check).collect::<Vec<_>>(),
        CheckKey::ALL
    );
    assert_eq!(message.failing(), []);
    let found: Vec<(String, AnchorKind, String)> = anchors
        .into_iter()
        .map(|anchor| {
            let span = Span {
                start: anchor.start,
                end: anchor.end,
            };
            (words_at(&text, span, 30), anchor.kind, anchor.reference)
        })
        .collect();
    let expected = [
        ("Zoë", AnchorKind::ApprovedValue, "recipient.first_name"),
        (HOOK, AnchorKind::Evidence, "evd_01jz9c2a1b2c3d4e5f6g7h8j9k"),
        (VALUE, AnchorKind::Offer, "offr_1"),
        ("We bill 18,000 flats monthly.", AnchorKind::Offer, "offr_1"),
        (ASK, AnchorKind::ApprovedValue, "next_step.ask"),
        ("Ana Reyes", AnchorKind::ApprovedValue, "sender.full_name"),
        (NOTICE, AnchorKind::ApprovedValue, "compliance.opt_out"),
    ];
    let expected = expected.map(|(words, kind, of)| (words.to_owned(), kind, of.to_owned()));
    assert_eq!(found, expected);
}

#[test]
fn what_is_said_of_the_recipient_is_in_the_evidence() {
    let made_up = Message::good().with(
        BlockKind::EvidenceHook,
        vec![Value(Placeholder::EvidenceHook, "You opened a new office.")],
    );
    assert_eq!(
        made_up.failing(),
        one(CheckKey::EvidenceAnchors, &["You opened a new office."])
    );
    let guessed = Message::good().with(BlockKind::Proof, vec![Own("I saw that you are hiring.")]);
    assert_eq!(
        guessed.failing(),
        one(CheckKey::EvidenceAnchors, &["I saw that you are hiring."])
    );
    let excerpt = Message::good().with(
        BlockKind::EvidenceHook,
        vec![Value(
            Placeholder::EvidenceHook,
            "The Canal Street block opens in June",
        )],
    );
    assert_eq!(excerpt.failing(), []);
}

#[test]
fn what_is_said_of_the_offer_is_in_its_words() {
    let other = Message::good().with(
        BlockKind::Value,
        vec![Value(
            Placeholder::OfferValueProposition,
            "Bills are free of charge.",
        )],
    );
    assert_eq!(
        other.failing(),
        one(
            CheckKey::ApprovedValueAnchors,
            &["Bills are free of charge."]
        )
    );
    let claimed = Message::good().with(BlockKind::Proof, vec![Own("Our customers save time.")]);
    assert_eq!(
        claimed.failing(),
        one(
            CheckKey::ApprovedValueAnchors,
            &["Our customers save time."]
        )
    );
    let swapped = Message::good().with(
        BlockKind::Signature,
        vec![Value(Placeholder::SenderFullName, "Someone Else")],
    );
    assert_eq!(
        swapped.failing(),
        one(CheckKey::ApprovedValueAnchors, &["Someone Else"])
    );
}

#[test]
fn a_message_to_anybody_is_not_relevant() {
    let mut message = Message::good().with(BlockKind::EvidenceHook, vec![Own("Meters are dull.")]);
    message.subject = vec![Own("Metering")];
    assert_eq!(message.failing(), one(CheckKey::RecipientRelevance, &[]));
}

#[test]
fn numbers_are_approved() {
    let own = Message::good().with(
        BlockKind::Proof,
        vec![Own("Bills cost 40% less than letters.")],
    );
    assert!(
        own.failing()
            .contains(&(CheckKey::NumericClaims, vec!["40%".to_owned()]))
    );
    let elsewhere = Message::good().with(BlockKind::Proof, vec![Own("You save 18,000 hours.")]);
    assert!(
        elsewhere
            .failing()
            .contains(&(CheckKey::NumericClaims, vec!["18,000".to_owned()]))
    );
    let hook = "Your March notice says that 300 flats open in June.";
    let hook = Message::good().with(
        BlockKind::EvidenceHook,
        vec![Value(Placeholder::EvidenceHook, hook)],
    );
    assert!(
        hook.failing()
            .contains(&(CheckKey::NumericClaims, vec!["300".to_owned()]))
    );
    let mut subject = Message::good();
    subject.subject.push(Own(": 40% less"));
    let failing = [
        (CheckKey::ApprovedValueAnchors, vec![]),
        (CheckKey::NumericClaims, vec![]),
    ];
    assert_eq!(subject.failing(), failing);
}

#[test]
fn an_ask_may_propose_a_time_but_claims_nothing() {
    let ask = |words: &'static str| {
        Message::good().with(BlockKind::Cta, vec![Value(Placeholder::NextStepAsk, words)])
    };
    assert_eq!(ask("Do you have 20 minutes on 3 March?").failing(), []);
    assert_eq!(
        ask("Would you like to save 20 hours?").failing(),
        one(CheckKey::NumericClaims, &["20"])
    );
    assert_eq!(
        ask("Would 40% suit you?").failing(),
        one(CheckKey::NumericClaims, &["40%"])
    );
}

#[test]
fn limits_hold() {
    let mut message = Message::good();
    message.max_words = 5;
    message.max_links = 0;
    message = message.with(
        BlockKind::Proof,
        vec![Link("Meters", "https://meters.example/")],
    );
    let failing: Vec<CheckKey> = message
        .failing()
        .into_iter()
        .map(|(check, _)| check)
        .collect();
    assert_eq!(failing, [CheckKey::WordLimit, CheckKey::LinkLimit]);
    // A link of the template's own that leads to nobody the message speaks for.
    let foreign = Message::good().with(
        BlockKind::Proof,
        vec![Link("Meters", "https://elsewhere.example/a")],
    );
    let told = foreign.failing();
    assert_eq!(
        told,
        one(CheckKey::LinkLimit, &["https://elsewhere.example/a"])
    );
    let long = "word word word word word word word word word word word word word word word word word word word word word \
        word word word word word word word word word word word word word word word word word word word word word word \
        word word word word word word word word word word word word word word word word word word word word word";
    let long = Message::good().with(BlockKind::Proof, vec![Own(long)]);
    assert_eq!(long.failing()[0].0, CheckKey::MobileStructure);
    let mut subject = Message::good();
    subject.subject.push(Own(
        " and everything else that one would like to know about meters at all",
    ));
    assert_eq!(subject.failing(), one(CheckKey::MobileStructure, &[]));
}

#[test]
fn a_message_asks_once() {
    let twice = Message::good().with(
        BlockKind::Cta,
        vec![Value(
            Placeholder::NextStepAsk,
            "Is it open? Shall we talk?",
        )],
    );
    assert_eq!(
        twice.failing(),
        one(CheckKey::SingleCta, &["Is it open?", "Shall we talk?"])
    );
    let never = Message::good().with(BlockKind::Cta, vec![Own("Meters are dull.")]);
    assert_eq!(never.failing(), one(CheckKey::SingleCta, &[]));
    // What the evidence or the offer says asks nothing.
    let quoted = "Your March notice says that the Canal Street block opens in June.";
    let quoted = Message::good().with(
        BlockKind::EvidenceHook,
        vec![Value(Placeholder::EvidenceHook, quoted)],
    );
    assert_eq!(quoted.failing(), []);
}

#[test]
fn a_link_to_the_next_step_asks_for_the_same() {
    let cta = |link: Part| {
        let ask = Value(Placeholder::NextStepAsk, ASK);
        let message = Message::good().with(BlockKind::Cta, vec![ask, Own(" "), link]);
        keys(&message.failing())
    };
    assert_eq!(cta(Step("Book a time")), []);
    // Another page, or another thing beside it.
    let other = Link("Book a time", "https://meters.example/demo");
    assert_eq!(cta(other), [CheckKey::SingleCta]);
    assert_eq!(cta(Step("Book a time or call us")), [CheckKey::SingleCta]);
    let beside = vec![
        Value(Placeholder::NextStepAsk, ASK),
        Own(" Reply with a date for "),
        Step("the call"),
    ];
    let beside = Message::good().with(BlockKind::Cta, beside);
    assert_eq!(keys(&beside.failing()), [CheckKey::SingleCta]);
}

#[test]
fn forbidden_and_pressing_words_are_found_in_values_too() {
    let ask = |words: &'static str| {
        Message::good().with(BlockKind::Cta, vec![Value(Placeholder::NextStepAsk, words)])
    };
    assert_eq!(
        ask("Shall we talk about it today only?").failing(),
        one(CheckKey::ProhibitedLanguage, &["today only"])
    );
    let claim = "Do you want guaranteed savings?";
    assert!(
        ask(claim)
            .failing()
            .contains(&(CheckKey::ProhibitedLanguage, vec![claim.to_owned()]))
    );
    let claim = "Do you want it with no risk?";
    assert_eq!(
        ask(claim).failing(),
        one(CheckKey::ProhibitedLanguage, &[claim])
    );
    for subject in ["Re: metering", "URGENT: metering", "The best meters"] {
        let mut message = Message::good();
        message.subject = vec![Own(subject)];
        assert_eq!(
            message.failing(),
            one(CheckKey::ProhibitedLanguage, &[]),
            "{subject}"
        );
    }
}

#[test]
fn the_notice_is_the_last_word() {
    let mut message = Message::good();
    message.notice = "Write to us and you get no more messages.";
    assert_eq!(message.failing(), one(CheckKey::OptOutFinal, &[]));
    let mut message = Message::good();
    message.blocks.swap(5, 6);
    assert_eq!(message.failing(), one(CheckKey::OptOutFinal, &[]));
    let mut message = Message::good();
    message.blocks.pop();
    assert_eq!(message.failing(), one(CheckKey::OptOutFinal, &[]));
    let other = Message::good().with(BlockKind::Proof, vec![Own("Call us to unsubscribe.")]);
    assert_eq!(
        other.failing(),
        one(CheckKey::OptOutFinal, &["unsubscribe"])
    );
}

#[test]
fn no_block_escapes_the_checks() {
    for kind in [
        BlockKind::Signature,
        BlockKind::PostalIdentity,
        BlockKind::PrivacyNotice,
    ] {
        let with = |words: &'static str| {
            let mut message = Message::good();
            message.blocks.insert(6, (kind, vec![Own(words)]));
            message.failing()
        };
        assert_eq!(with("Kind regards"), []);
        assert_eq!(with("40% less"), one(CheckKey::NumericClaims, &["40%"]));
        assert_eq!(
            with("Today only."),
            one(CheckKey::ProhibitedLanguage, &["Today only"])
        );
        assert_eq!(
            with("no risk"),
            one(CheckKey::ProhibitedLanguage, &["no risk"])
        );
        assert_eq!(
            with("Shall we talk?"),
            one(CheckKey::SingleCta, &["Shall we talk?"])
        );
        assert_eq!(
            with("Call us to unsubscribe."),
            one(CheckKey::OptOutFinal, &["unsubscribe"])
        );
    }
    let postal = Value(
        Placeholder::CompliancePostalIdentity,
        "Meters Ltd, 40 Canal Street",
    );
    let privacy = Value(
        Placeholder::CompliancePrivacyNotice,
        "Your 3 rights: https://meters.example/privacy",
    );
    let message = Message::good()
        .and(BlockKind::PostalIdentity, vec![postal])
        .and(BlockKind::PrivacyNotice, vec![privacy]);
    assert_eq!(message.failing(), []);
}

#[test]
fn a_required_privacy_notice_stands_in_the_text() {
    let mut message = Message::good();
    message.privacy_notice_required = true;
    assert_eq!(message.failing(), one(CheckKey::ApprovedValueAnchors, &[]));
    let ((checks, _), _) = message.checked();
    let check = checks
        .into_iter()
        .find(|it| it.check == CheckKey::ApprovedValueAnchors);
    assert_eq!(check.unwrap().observed, Some("no privacy notice".into()));
    let words = message.and(BlockKind::PrivacyNotice, vec![Own("Ask for our notice.")]);
    assert!(
        words
            .failing()
            .contains(&(CheckKey::ApprovedValueAnchors, vec![]))
    );
    let mut told = Message::good().and(
        BlockKind::PrivacyNotice,
        vec![Value(
            Placeholder::CompliancePrivacyNotice,
            "See our notice.",
        )],
    );
    told.privacy_notice_required = true;
    assert_eq!(told.failing(), []);
}

#[test]
fn addresses_outside_of_links_fail() {
    let ask = Message::good().with(
        BlockKind::Cta,
        vec![Value(
            Placeholder::NextStepAsk,
            "Is https://evil.example right?",
        )],
    );
    assert_eq!(
        ask.failing(),
        one(CheckKey::LinkLimit, &["https://evil.example"])
    );
    let role = Message::good().signed(Placeholder::SenderRole, "www.evil.example");
    assert_eq!(
        role.failing(),
        one(CheckKey::LinkLimit, &["www.evil.example"])
    );
    let mut preview = Message::good();
    preview.preview = vec![Own("See evil.example/x")];
    assert_eq!(preview.failing(), one(CheckKey::LinkLimit, &[]));
    let proof = |part| Message::good().with(BlockKind::Proof, vec![part]);
    let link = Link("Our page", "https://meters.example/2026");
    assert_eq!(proof(link).failing(), []);
    let written = Own("Our page (https://meters.example/2026)");
    assert_eq!(
        proof(written).failing(),
        one(CheckKey::LinkLimit, &["(https://meters.example/2026)"])
    );
    // It only looks like a link: the renderer made none.
    let parts = ["Our page", " (", "https://meters.example/2026", ")"];
    let looks = Message::good().with(BlockKind::Proof, parts.map(Own).to_vec());
    assert_eq!(looks.failing(), one(CheckKey::LinkLimit, &[]));
    let notice = "See https://meters.example/privacy";
    let notice = Message::good().and(
        BlockKind::PrivacyNotice,
        vec![Value(Placeholder::CompliancePrivacyNotice, notice)],
    );
    assert_eq!(notice.failing(), []);
}

/// DANGER: a tag without lists of words, or of another language, must be no way past the checks.
#[test]
fn another_language_than_the_tag_hides_nothing() {
    let in_language = |language, words| {
        let mut message = Message::good().with(BlockKind::Proof, vec![Own(words)]);
        message.language = language;
        keys(&message.failing())
    };
    let long = "You rent furnished rooms and sublet them to your apprentices, from the first month on with heating and \
        without a deposit, and nobody has to read a meter by hand.";
    for language in ["pl", "ja", "de"] {
        let failing = in_language(language, long);
        assert!(
            failing.contains(&CheckKey::ProhibitedLanguage),
            "{language}"
        );
    }
    for language in ["pl", "ja", "ga", "mul"] {
        let failing = in_language(language, "We bill 18,000 flats monthly. Last chance.");
        assert!(
            failing.contains(&CheckKey::ProhibitedLanguage),
            "{language}"
        );
        let failing = in_language(language, "Unsubscribe here. We bill 18,000 flats monthly.");
        assert!(failing.contains(&CheckKey::OptOutFinal), "{language}");
    }
    let polish =
        "Rozliczamy co miesiąc mieszkania w całym kraju, bez odczytów na miejscu i bez papieru.";
    let failing = in_language("pl", polish);
    assert!(
        !failing.contains(&CheckKey::ProhibitedLanguage),
        "{failing:?}"
    );
}

#[test]
fn letters_in_another_dress_hide_no_words() {
    for words in [
        "We give ɢᴜᴀʀᴀɴᴛᴇᴇᴅ sᴀᴠɪɴɢs.",
        "You get 🅶🆄🅰🆁🅰🅽🆃🅴🅴🅳 🆂🅰🆅🅸🅽🅶🆂.",
        "ʟᴀsᴛ ᴄʜᴀɴᴄᴇ.",
        "🇱🇦🇸🇹 chance.",
    ] {
        let failing = Message::good()
            .with(BlockKind::Proof, vec![Own(words)])
            .failing();
        let failing = keys(&failing);
        assert!(failing.contains(&CheckKey::ProhibitedLanguage), "{words}");
    }
    let notice = vec![Own("ᴜɴsᴜʙsᴄʀɪʙᴇ ʜᴇʀᴇ.")];
    let failing = Message::good().with(BlockKind::Proof, notice).failing();
    assert!(keys(&failing).contains(&CheckKey::OptOutFinal));
}
