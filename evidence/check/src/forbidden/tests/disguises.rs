//! Claims in torn words, in one word, and in other forms.

use proptest::prelude::*;

use super::{ForbiddenClaims, found};

#[test]
fn a_hyphen_within_a_word_hides_no_claim() {
    for (claim, text) in [
        ("guaranteed savings", "gua-ranteed sav-ings"),
        (
            "guaranteed savings",
            "Your savings are guar\u{2011}an\u{2011}teed.",
        ),
        ("guaranteed savings", "guaran'teed savings"),
        ("guaranteed savings", "guar_anteed sav·ings"),
        ("guaranteed savings", "guaran–teed savings"),
        ("garantierte Einsparung", "Garan-tierte Ein-sparung"),
        ("économies garanties", "Vos écono-mies sont garan-ties."),
        ("klimaneutral", "klima-neutral"),
    ] {
        assert!(found(claim, text), "{claim}: {text}");
    }
    for (claim, text) in [
        ("guaranteed savings", "We can’t guarantee savings."),
        ("guaranteed savings", "Not-guaranteed savings."),
        ("guaranteed savings", "We do not-guarantee savings."),
        ("resign", "Please re sign it."),
        (
            "économies garanties",
            "Nous n’avons pas d’économies garanties.",
        ),
    ] {
        assert!(!found(claim, text), "{claim}: {text}");
    }
}

/// A blank parts words, and a claim's first word by itself is no claim.
#[test]
fn honest_words_are_not_joined() {
    for (claim, text) in [
        ("number one", "We read the numbers of your meters."),
        ("guaranteed ROI", "Guaranteed delivery by Friday."),
        ("service fee", "Our service is new, as our service-app."),
        ("always on", "We always answer."),
        ("Zusage", "Ich habe dazu etwas zu sagen."),
        ("bienfaits garantis", "Un relevé bien fait, c’est garanti."),
    ] {
        assert!(!found(claim, text), "{claim}: {text}");
    }
}

#[test]
fn a_participle_is_a_form_of_its_verb() {
    for (claim, text) in [
        (
            "Kundendaten weitergegeben",
            "Wir werden Kundendaten weitergeben.",
        ),
        (
            "Kundendaten weitergeben",
            "Kundendaten werden weitergegeben.",
        ),
        (
            "Garantiert zurückgezahlt",
            "Wir garantieren, alles zurückzuzahlen.",
        ),
    ] {
        assert!(found(claim, text), "{claim}: {text}");
    }
}

/// DANGER: a reader takes signs for the letters that they look like, and sees no circle around one.
#[test]
fn signs_that_look_like_letters_hide_no_claim() {
    for (claim, text) in [
        ("guaranteed results", "Gu@ranteed results"),
        ("guaranteed results", "\u{1e5}uaranteed resu1ts"),
        ("guaranteed results", "guarante3d re$ults"),
        ("guaranteed results", "g\u{20dd}uarante\u{20dd}ed results"),
        ("guaranteed results", "Guarante\u{489}ed resu1ts!"),
        ("klimaneutral", "Wir sind kIimaneutral."),
        ("klimaneutral", "Unser kIimaneutraler Betrieb"),
        ("risk-free", "A r1sk-fr33 start"),
        ("last chance", "Iast chance"),
        ("carbon neutral", "CARB0N NEUTRAL"),
    ] {
        assert!(found(claim, text), "{claim}: {text}");
    }
    for (claim, text) in [
        ("free mail", "We feel free in the mall."),
        ("never fail", "Prices never fall."),
        ("mail24", "A mall of 24 shops"),
    ] {
        assert!(!found(claim, text), "{claim}: {text}");
    }
}

/// A claim that has a sign, or short words alone, is looked for in torn words as well.
#[test]
fn every_claims_words_are_mended() {
    for (claim, text) in [
        ("30 % mehr Ertrag", "Mit 30 % mehr Er-trag."),
        ("top deal", "A t-op de-al."),
    ] {
        assert!(found(claim, text), "{claim}: {text}");
    }
    let claims = ForbiddenClaims::of(&[&["realsavings plan", "guaranteed savings"]]);
    let made = claims.first_in("Gua-ranteed sav-ings for all");
    assert_eq!(made, Some("guaranteed savings"));
}

#[test]
fn marks_and_blanks_within_japanese_chinese_and_korean_hide_no_claim() {
    for (claim, text) in [
        ("節約を保証します", "節約を、保証します。"),
        ("節約を保証します", "節約を 保 証 します。"),
        ("節約を保証", "必ず節約を「保証」します。"),
        ("保証します", "当社は保・証・します。"),
        ("绝对节省", "我们 绝对、节 省费用。"),
        ("절감을 보장합니다", "비용 절감을, 보장 합니다."),
    ] {
        assert!(found(claim, text), "{claim}: {text}");
    }
    for (claim, text) in [
        (
            "節約を保証します",
            "節約は状況によります。納期を保証します。",
        ),
        ("節約を保証します", "節約を\n保証します"),
        ("절감을 보장합니다", "절감을 보장하지 않습니다."),
    ] {
        assert!(!found(claim, text), "{claim}: {text}");
    }
}

#[test]
fn a_compound_says_what_its_parts_say() {
    for (claim, text) in [
        ("guaranteed savings", "Mit Spargarantie."),
        ("garantierte Einsparung", "Unsere Einspargarantie gilt."),
        ("garantierte Einsparung", "Mit Ersparnisgarantie."),
        ("garantierte Einsparung", "Unser Sparversprechen."),
        ("garantierte Einsparung", "Die Garantieersparnis."),
        ("garantierte Lieferung", "Mit Liefergarantie."),
        ("gegarandeerde besparing", "Met besparingsgarantie."),
        ("gegarandeerde besparing", "Met spaargarantie."),
    ] {
        assert!(found(claim, text), "{claim}: {text}");
    }
    for (claim, text) in [
        ("garantierte Einsparung", "Ohne Spargarantie."),
        ("garantierte Einsparung", "Keine Einspargarantie."),
        ("garantierte Einsparung", "Mit Kostengarantie."),
        (
            "garantierte Einsparung",
            "Die Sparkasse in der Garantiestraße.",
        ),
        ("guaranteed savings", "The savings bank."),
    ] {
        assert!(!found(claim, text), "{claim}: {text}");
    }
}

#[test]
fn other_forms_make_the_claim() {
    for (claim, text) in [
        ("risparmio garantito", "Vi promettiamo un risparmio."),
        ("risparmio garantito", "I risparmi promessi arrivano."),
        ("risparmio garantito", "Pagherete meno, garantito."),
        ("senza rischi", "Non rischiate nulla."),
        ("nessun rischio", "Non rischia niente."),
        ("risk-free", "You risk nothing."),
        ("no risk", "You have nothing to lose."),
        ("ohne Risiko", "Sie riskieren nichts."),
        ("kein Risiko", "Es gibt keinerlei Risiko."),
        ("sans risque", "Vous ne risquez rien."),
        ("sin riesgo", "No arriesga nada."),
        ("sem risco", "Não arrisca nada."),
        ("zonder risico", "U riskeert niets."),
        (
            "économies garanties",
            "Nous promettons que vous paierez moins.",
        ),
        ("ahorro garantizado", "Le prometemos que pague menos."),
        (
            "garantierte Einsparung",
            "Wir versprechen: Sie zahlen weniger.",
        ),
        (
            "gegarandeerde besparing",
            "Wij garanderen dat u minder betaalt.",
        ),
    ] {
        assert!(found(claim, text), "{claim}: {text}");
    }
}

proptest! {
    /// Wherever it is torn, and by whatever mark.
    #[test]
    fn a_torn_word_is_the_word(at in 1..9usize, mark in prop::sample::select(vec!["-", "\u{2010}", "\u{2011}", "·", "_", "."])) {
        let (first, last) = "guaranteed".split_at(at);
        let text = format!("We give {first}{mark}{last} savings.");
        prop_assert!(found("guaranteed savings", &text), "{}", text);
        let denied = format!("We give no {first}{mark}{last} savings.");
        prop_assert!(!found("guaranteed savings", &denied), "{}", denied);
    }

    #[test]
    fn no_text_breaks_the_joining(text in "[a-z.'-]{0,30}|\\PC{0,40}", claim in "\\PC{0,10}") {
        let _ = found("guaranteed savings", &text);
        let _ = found(&claim, &text);
    }
}
