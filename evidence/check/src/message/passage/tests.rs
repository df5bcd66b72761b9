use gtm_domain::message::Href;
use proptest::prelude::*;

use super::*;

fn text(v: &str) -> Inline {
    Inline::Text { v: v.to_owned() }
}

fn var(name: &str) -> Inline {
    Inline::Var {
        name: name.to_owned(),
    }
}

fn sentences(inlines: &[Inline]) -> Vec<String> {
    let passage = Passage::of_inlines(inlines);
    let found = passage.sentences();
    found
        .into_iter()
        .map(|range| passage.text[range].replace(STAND_IN, "X"))
        .collect()
}

#[test]
fn sentences_end_where_readers_end_them() {
    assert_eq!(
        sentences(&[text(
            "One bill per flat. No reading by hand! Does that help?"
        )]),
        [
            "One bill per flat.",
            "No reading by hand!",
            "Does that help?"
        ]
    );
    assert_eq!(
        sentences(&[text("Am 3. Mai z. B. kommt Dr. Weiß. Danach nicht.")]),
        ["Am 3. Mai z. B. kommt Dr. Weiß.", "Danach nicht."]
    );
    assert_eq!(
        sentences(&[var("evidence.hook"), text(" We bill each flat.")]),
        ["X.", "We bill each flat."]
    );
    assert_eq!(sentences(&[var("next_step.ask"), text("?")]), ["X?"]);
    assert_eq!(
        sentences(&[
            text("At "),
            var("company.name"),
            text(" you bill. "),
            var("company.name"),
            text(" grows.")
        ]),
        ["At X you bill.", "X grows."]
    );
    assert_eq!(
        sentences(&[text("これは文です。次の文です。")]),
        ["これは文です。", "次の文です。"]
    );
    assert_eq!(sentences(&[text(" … ")]), Vec::<String>::new());
    let gap = " ".repeat(30);
    assert_eq!(
        sentences(&[text(&format!("It{gap}is. {gap}Done.{gap} Yes."))]),
        [format!("It{gap}is."), "Done.".to_owned(), "Yes.".to_owned()]
    );
}

#[test]
fn words_are_folded_and_keep_their_places() {
    let passage = Passage::of_inlines(&[
        text("Über\u{ad}haupt L'e\u{301}te\u{301} "),
        var("company.name"),
        text(" A\u{200b}ct ｎｏ𝘄"),
        text(", ʟᴀsᴛ 🅲hance🇩🇪 f r e e"),
    ]);
    let words = passage.words(Source::is_own);
    let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    assert_eq!(
        folded,
        [
            "uberhaupt",
            "l",
            "ete",
            UNREAD,
            "act",
            "now",
            "last",
            "chance",
            "de",
            "free"
        ]
    );
    assert_eq!(&passage.text[words[5].range.clone()], "ｎｏ𝘄");
}

#[test]
fn a_word_cut_over_two_parts_is_one_word() {
    let link = Inline::Link {
        href: Href::Https("https://hollis.example/".to_owned()),
        label: "ce e".to_owned(),
    };
    let pieces = [
        text("La"),
        text("st chan"),
        link,
        text("nds"),
        var("company.name"),
        text(", g r"),
        text(" e a t"),
    ];
    let passage = Passage::of_inlines(&pieces);
    let words = passage.words(Source::is_own);
    let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    assert_eq!(folded, ["last", "chance", "ends", UNREAD, "great"]);
    assert_eq!(&passage.text[words[1].range.clone()], "chance");
}

proptest! {
    #[test]
    fn where_a_text_is_cut_changes_no_word(text in "[a-zé .,!-]{0,40}|\\PC{0,40}", at in 0_usize..40) {
        let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
        let (whole, (before, behind)) = (&text[..], text.split_at(at.min(text.len())));
        let words = |pieces: &[&str]| {
            let pieces: Vec<Inline> = pieces.iter().map(|v| Inline::Text { v: (*v).to_owned() }).collect();
            Passage::of_inlines(&pieces).words(Source::is_own)
        };
        prop_assert_eq!(words(&[before, behind]), words(&[whole]));
    }

    #[test]
    fn parts_and_places_fit_the_text(texts in proptest::collection::vec("\\PC{0,40}|[a-z. !?0-9]{0,40}", 0..5)) {
        let mut inlines = Vec::new();
        for v in &texts {
            inlines.push(text(v));
            inlines.push(var("evidence.hook"));
        }
        let passage = Passage::of_inlines(&inlines);
        let mut end = 0;
        for part in &passage.parts {
            prop_assert_eq!(part.range.start, end);
            end = part.range.end;
        }
        prop_assert_eq!(end, passage.text.len());
        prop_assert_eq!(passage.blanked(Source::is_own).len(), passage.text.len());
        for word in passage.words(Source::is_own) { prop_assert!(passage.text.get(word.range).is_some()); }
        let mut end = 0;
        for sentence in passage.sentences() {
            prop_assert!(sentence.start >= end && passage.text.get(sentence.clone()).is_some());
            end = sentence.end;
        }
    }
}
