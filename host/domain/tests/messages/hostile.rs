//! What no input can bring about: markup of its own, characters that are not seen, a second line in the subject, a
//! placeholder that nobody listed, a link that is not https, or HTML and text that say different things.

use std::collections::BTreeMap;

use gtm_domain::Digest;
use gtm_domain::message::characters::{clean, is_refused};
use gtm_domain::message::link::HttpsAddress;
use gtm_domain::message::render::render;
use gtm_domain::message::structure::{Block, Structure, check};
use gtm_domain::message::{
    BlockKind, Href, Inline, Piece, PieceSource, Placeholder, RenderedMessage, TemplateOptions,
    ValueKind, draft,
};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::json;

use super::golden::options;
use super::html::{as_plain_text, is_sound};

/// What texts are made of.
const FRAGMENTS: &[&str] = &[
    "word",
    "Wort ",
    " ",
    ", ",
    "é",
    "e\u{301}",
    "👩\u{200d}🚒",
    "مرحبا",
    "\u{5d3}\u{5e0}\u{5d4} 5",
    "Z\u{316}\u{317}\u{318}\u{319}\u{31c}\u{31d}",
    "\\\\server\\share",
    "{",
    "}}",
    "{{company.name}}",
    "{{recipient.email}}",
    "]]>",
    "\"",
    "'",
    "\r\n",
    "\r\nBcc: x@y.example",
    "\t",
    "\0",
    "\u{85}",
    "\u{2028}",
    "\u{202e}",
    "\u{2066}",
    "\u{feff}",
    "\u{fff9}",
    "\u{fffb}",
    "\u{ff1c}b>",
    "<\u{338}",
    "(",
    ")",
    "[b](https://b.example",
    "[b](https://b.example\u{202e})",
    "[b]({{offer.url}})",
    "[b]({{company.name}})",
    "[b](https://b.example/{{company.name}})",
    "{{offer.url}}",
    "{{Company.Name}}",
    "{\u{200b}{company.name}}",
    "[a](http://b.example)",
    "[a](https://b.example)",
    "javascript:alert(1)",
    "https://b.example/",
];

/// What no template may have, and a value may. Few of them, so that enough templates are left.
const MARKUP: &[&str] = &[
    "<b>",
    "<script>alert(1)</script>",
    "</td></tr></table>",
    "<!--",
    "&amp;",
    "&#0;",
    "[<i>b</i>](https://b.example)",
];

const ADDRESSES: [&str; 8] = [
    "https://a.example",
    "https://a.example/ä?b=\"<c>\"&d='#e",
    "HTTPS://A.example:8443/",
    "http://a.example",
    "javascript:alert(1)",
    "https://bücher.example",
    "https://b@a.example",
    "//a.example",
];

fn fragment() -> impl Strategy<Value = &'static str> {
    prop_oneof![90 => select(FRAGMENTS), 1 => select(MARKUP)]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::collection::vec(fragment(), 0..4).prop_map(|parts| parts.concat()),
        1 => any::<String>(),
    ]
}

/// Mostly what is right.
fn address() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => select(&ADDRESSES[..3]).prop_map(str::to_owned),
        1 => select(&ADDRESSES[..]).prop_map(str::to_owned),
        1 => text(),
    ]
}

fn placeholder() -> impl Strategy<Value = String> {
    prop_oneof![
        12 => select(Placeholder::ALL).prop_map(|it| it.name().to_owned()),
        1 => text(),
    ]
}

fn inline() -> impl Strategy<Value = Inline> {
    let href = prop_oneof![
        address().prop_map(Href::Https),
        select(vec!["offer.url", "next_step.url"]).prop_map(|name| Href::Var(name.to_owned())),
        placeholder().prop_map(Href::Var),
    ];
    prop_oneof![
        4 => text().prop_map(|v| Inline::Text { v }),
        3 => placeholder().prop_map(|name| Inline::Var { name }),
        1 => (href, text()).prop_map(|(href, label)| Inline::Link { href, label }),
    ]
}

/// Mostly what may stand where nothing can be missing and no link may be.
fn plain() -> impl Strategy<Value = Inline> {
    let certain = select(vec![
        "company.name",
        "offer.value_proposition",
        "sender.role",
    ]);
    prop_oneof![
        10 => text().prop_map(|v| Inline::Text { v }),
        5 => certain.prop_map(|name| Inline::Var { name: name.to_owned() }),
        1 => inline(),
    ]
}

fn plain_line(most: usize) -> impl Strategy<Value = Vec<Inline>> {
    prop::collection::vec(plain(), 0..=most)
}

fn line(most: usize) -> impl Strategy<Value = Vec<Inline>> {
    prop::collection::vec(inline(), 0..=most)
}

fn block(kind: BlockKind) -> impl Strategy<Value = Block> {
    (line(3), any::<bool>(), plain_line(1)).prop_map(move |(inlines, optional, fallback)| Block {
        id: kind.as_str().to_owned(),
        kind,
        inlines,
        optional,
        fallback,
    })
}

/// A block that must have these values, mostly with nothing else that it may not have.
fn closing(kind: BlockKind, names: &'static [&str]) -> impl Strategy<Value = Block> {
    let pieces = prop_oneof![5 => Just(Vec::new()), 1 => line(1)];
    (block(kind), pieces).prop_map(move |(mut block, mut inlines)| {
        let value = |name: &&str| Inline::Var {
            name: (*name).to_owned(),
        };
        inlines.extend(names.iter().map(value));
        block.inlines = inlines;
        block.fallback = Vec::new();
        block
    })
}

prop_compose! {
    fn structure()(
        subject in plain_line(2),
        preview_text in plain_line(1),
        greeting in block(BlockKind::Greeting),
        value in block(BlockKind::Value),
        cta in block(BlockKind::Cta),
        signature in closing(BlockKind::Signature, &["sender.full_name", "sender.organization"]),
        postal in closing(BlockKind::PostalIdentity, &["compliance.postal_identity"]),
    ) -> Structure {
        let opt_out = Block {
            id: "last".to_owned(),
            kind: BlockKind::OptOut,
            inlines: vec![Inline::Var { name: "compliance.opt_out".to_owned() }],
            optional: false,
            fallback: Vec::new(),
        };
        // Every block says something, and nothing in it must be there.
        let mut blocks = [greeting, value, cta].map(|mut block| {
            let v = "Words".to_owned();
            block.inlines.push(Inline::Text { v: v.clone() });
            block.fallback.push(Inline::Text { v });
            block
        }).to_vec();
        blocks.extend([signature, postal]);
        let mut subject = subject;
        subject.push(Inline::Text { v: " Subject ".to_owned() });
        blocks.push(opt_out);
        Structure { subject, preview_text, blocks }
    }
}

/// Values for all placeholders, mostly right.
fn values() -> impl Strategy<Value = BTreeMap<Placeholder, String>> {
    let value = |placeholder: &Placeholder| {
        let right = match placeholder.kind() {
            ValueKind::Name | ValueKind::Text | ValueKind::Sentence => text().boxed(),
            ValueKind::Date => Just("2026-03-01".to_owned()).boxed(),
            ValueKind::AddrSpec => Just("a@b.example".to_owned()).boxed(),
            ValueKind::HttpsUrl => address().boxed(),
        };
        let mixed = prop_oneof![20 => right, 1 => text()];
        // A value that must be there is not blank.
        let required = placeholder.is_required() && placeholder.kind() != ValueKind::AddrSpec;
        let mixed = mixed.prop_map(move |text| if required { format!("{text}x") } else { text });
        (Just(*placeholder), mixed)
    };
    let all: Vec<_> = Placeholder::ALL.iter().map(value).collect();
    all.prop_map(|values| values.into_iter().collect())
}

fn generous() -> TemplateOptions {
    TemplateOptions {
        max_links: 5,
        ..options()
    }
}

/// Fills what keeps the rules with those of the values that it uses.
fn filled(
    structure: &Structure,
    values: &BTreeMap<Placeholder, String>,
) -> Option<(RenderedMessage, BTreeMap<String, String>)> {
    let variables = check(structure, &generous()).ok()?;
    let used = variables.iter().map(|variable| {
        let placeholder = Placeholder::from_name(&variable.name).expect("only listed ones");
        (variable.name.clone(), values[&placeholder].clone())
    });
    let used: BTreeMap<String, String> = used.collect();
    let message = render(structure, "en", &used, Digest::of(b"")).ok()?;
    Some((message, used))
}

fn part(text: &str, piece: &Piece) -> String {
    let chars = text.chars().skip(piece.start);
    chars.take(piece.end - piece.start).collect()
}

fn is_harmless(message: &RenderedMessage, values: &BTreeMap<String, String>) {
    assert!(
        !message.subject.contains(is_refused),
        "{:?}",
        message.subject
    );
    assert!(message.subject.chars().count() <= 150);
    let paragraphs: Vec<&str> = message.text.split("\r\n\r\n").collect();
    for paragraph in &paragraphs {
        assert!(!paragraph.contains(is_refused), "{paragraph:?}");
        assert_eq!(paragraph.trim(), *paragraph);
    }
    is_sound(message);
    assert_eq!(as_plain_text(&message.html), message.text);
    // The last words are the notice, whole.
    let notice = clean(&values["compliance.opt_out"]);
    assert_eq!(paragraphs.last(), Some(&notice.trim()));

    let mut end = 0;
    let mut literal = String::new();
    for piece in &message.pieces {
        let apart = piece.start - end;
        assert!(apart == 0 || apart == 4, "{piece:?} begins at {end}");
        if apart > 0 {
            literal.clear();
        }
        end = piece.end;
        let text = part(&message.text, piece);
        match piece.source {
            PieceSource::Literal => {
                literal.push_str(&text);
                assert!(!literal.contains("{{"), "{literal:?}");
            }
            PieceSource::Value(placeholder) => {
                literal.clear();
                let given = clean(&values[placeholder.name()]);
                let is_link = placeholder.kind() == ValueKind::HttpsUrl;
                assert!(
                    is_link || text.trim() == given.trim(),
                    "{text:?} for {given:?}"
                );
            }
        }
    }
    assert_eq!(end, message.text.chars().count());
}

proptest! {
    #[test]
    fn no_template_and_no_value_harms_a_message(structure in structure(), values in values()) {
        if let Some((message, values)) = filled(&structure.clone().cleaned(), &values) {
            is_harmless(&message, &values);
        }
        // What is not cleaned is refused or the same.
        if check(&structure, &generous()).is_ok() {
            prop_assert_eq!(&structure.clone().cleaned(), &structure);
        }
    }

    #[test]
    fn no_draft_harms_a_message(
        subject in text(),
        texts in prop::collection::vec((text(), text()), 4),
        values in values(),
    ) {
        let kinds = ["value", "cta", "signature", "postal_identity"];
        let own = ["", "", "{{sender.full_name}}, {{sender.organization}}", "{{compliance.postal_identity}}"];
        let blocks = kinds.iter().zip(own).zip(&texts).map(|((kind, own), (text, fallback))| {
            // Where own values must stand, a text that is long enough to break the rules does not.
            let (text, fallback) = if own.is_empty() { (text.as_str(), fallback.as_str()) } else { (own, "") };
            json!({"kind": kind, "text": text, "optional": true, "fallback": fallback})
        });
        let mut blocks: Vec<_> = blocks.collect();
        blocks.push(json!({"kind": "opt_out", "text": "{{compliance.opt_out}}"}));
        let draft = json!({"subject": subject, "preview_text": subject, "blocks": blocks});
        if let Ok(structure) = draft::read(&draft) {
            prop_assert_eq!(&structure.clone().cleaned(), &structure);
            if let Some((message, values)) = filled(&structure, &values) {
                is_harmless(&message, &values);
            }
        }
    }
}

/// All pieces of a structure.
fn pieces(structure: &Structure) -> impl Iterator<Item = &Inline> {
    let blocks = structure.blocks.iter();
    let of_blocks = blocks.flat_map(|block| block.inlines.iter().chain(&block.fallback));
    (structure.subject.iter())
        .chain(&structure.preview_text)
        .chain(of_blocks)
}

/// What a draft becomes, whether or not it keeps the rules of a structure.
fn is_closed(structure: &Structure) {
    for piece in pieces(structure) {
        match piece {
            Inline::Text { v } => {
                assert!(!v.contains("{{") && !v.contains("}}"), "{v:?}");
                assert!(!v.contains(is_refused) && clean(v) == *v, "{v:?}");
            }
            Inline::Var { name } => assert!(Placeholder::from_name(name).is_some(), "{name:?}"),
            Inline::Link { href, label } => {
                assert!(
                    !label.contains("{{") && !label.contains(is_refused),
                    "{label:?}"
                );
                match href {
                    Href::Https(text) => {
                        let read = HttpsAddress::read(text).unwrap();
                        assert!(
                            text.starts_with("https://") && read.as_str() == text,
                            "{text:?}"
                        );
                    }
                    Href::Var(name) => {
                        let kind = Placeholder::from_name(name).map(Placeholder::kind);
                        assert_eq!(kind, Some(ValueKind::HttpsUrl), "{name:?}");
                    }
                }
            }
        }
    }
}

/// Whatever a backend answers.
fn any_draft() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        4 => text().prop_map(serde_json::Value::from),
        1 => Just(serde_json::Value::Null),
        1 => any::<bool>().prop_map(serde_json::Value::from),
        1 => any::<i32>().prop_map(serde_json::Value::from),
    ];
    leaf.prop_recursive(4, 60, 8, |inner| {
        let name = "subject|preview_text|blocks|kind|text|optional|fallback|html|[a-z~/]{0,4}";
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::from),
            prop::collection::btree_map(name, inner, 0..5)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_is_read_of_a_draft_is_closed(
        subject in text(),
        blocks in prop::collection::vec((select(&BlockKind::ALL[..]), text(), any::<bool>(), text()), 0..6),
        other in any_draft(),
    ) {
        let blocks = blocks.iter().map(|(kind, text, optional, fallback)| {
            json!({"kind": kind, "text": text, "optional": optional, "fallback": fallback})
        });
        let blocks: Vec<_> = blocks.collect();
        let good = json!({"subject": subject, "preview_text": subject, "blocks": blocks});
        for draft in [good, other] {
            match draft::read(&draft) {
                Ok(structure) => is_closed(&structure),
                Err(faults) => {
                    // A backend's own words are in none of them (decision 0055).
                    let told = serde_json::to_string(&faults).unwrap();
                    prop_assert!(!told.contains("alert") && !told.contains("Bcc"), "{told}");
                    let places = faults.iter().map(|fault| fault.pointer.len());
                    prop_assert!(places.max() < Some(30), "{told}");
                }
            }
        }
    }
}

/// The tests above would say nothing if hardly any input got as far as a message.
#[test]
fn enough_of_the_inputs_become_messages() {
    let mut runner = TestRunner::deterministic();
    let both = (structure(), values());
    let become_messages = |_: &usize| {
        let (structure, values) = both.new_tree(&mut runner).unwrap().current();
        filled(&structure.cleaned(), &values).is_some()
    };
    let count = (0..500_usize).filter(become_messages).count();
    assert!(count > 50, "{count} of 500");
}
