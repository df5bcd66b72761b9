//! The HTML in the eyes of tools that others wrote: a tokenizer and a parser, neither of which may find a fault, and
//! the list of what mail programs support.

use std::collections::{BTreeMap, BTreeSet};

use gtm_domain::message::RenderedMessage;
use html5gum::{StartTag, Token, Tokenizer};
use scraper::Html;

use super::golden::{LANGUAGES, rendered, template};

/// Everything that the renderer writes: elements with their attributes.
const ELEMENTS: [(&str, &[&str]); 10] = [
    ("html", &["dir", "lang"]),
    ("head", &[]),
    ("meta", &["charset", "content", "name"]),
    ("title", &[]),
    ("body", &["style"]),
    ("div", &["style"]),
    (
        "table",
        &[
            "border",
            "cellpadding",
            "cellspacing",
            "dir",
            "lang",
            "role",
            "style",
            "width",
        ],
    ),
    ("tr", &[]),
    ("td", &["style"]),
    ("a", &["href", "style"]),
];

/// The tokens, of which none is a fault.
pub fn tokens(html: &str) -> Vec<Token> {
    let tokens: Vec<Token> = Tokenizer::new(html).map(Result::unwrap).collect();
    for token in &tokens {
        assert!(!matches!(token, Token::Error(_)), "{token:?} in {html}");
    }
    tokens
}

fn name(tag: &StartTag<()>) -> String {
    String::from_utf8(tag.name.to_vec()).unwrap()
}

fn attribute(tag: &StartTag<()>, name: &str) -> Option<String> {
    let (_, value) = tag
        .attributes
        .iter()
        .find(|(key, _)| key.as_slice() == name.as_bytes())?;
    Some(String::from_utf8(value.to_vec()).unwrap())
}

/// Fails if others find a fault, or anything that the renderer does not write of its own.
pub fn is_sound(message: &RenderedMessage) {
    let html = &message.html;
    let parsed = Html::parse_document(html);
    assert!(parsed.errors.is_empty(), "{:?} in {html}", parsed.errors);
    for token in tokens(html) {
        match token {
            Token::StartTag(tag) => {
                let (_, attributes) = ELEMENTS
                    .iter()
                    .find(|(element, _)| *element == name(&tag))
                    .unwrap_or_else(|| panic!("{} in {html}", name(&tag)));
                for key in tag.attributes.keys() {
                    let key = String::from_utf8(key.to_vec()).unwrap();
                    assert!(attributes.contains(&key.as_str()), "{key} in {html}");
                }
                if let Some(href) = attribute(&tag, "href") {
                    assert!(href.starts_with("https://") && href.is_ascii(), "{href}");
                }
            }
            Token::Comment(comment) => panic!("{comment:?} in {html}"),
            _ => {}
        }
    }
}

/// What a reader of the HTML sees, in the form of the plain text.
pub fn as_plain_text(html: &str) -> String {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut in_cell = false;
    let mut href = String::new();
    for token in tokens(html) {
        match token {
            Token::StartTag(tag) => match name(&tag).as_str() {
                "td" => {
                    in_cell = true;
                    paragraphs.push(String::new());
                }
                "a" => href = attribute(&tag, "href").unwrap(),
                _ => {}
            },
            Token::EndTag(tag) => match tag.name.as_slice() {
                b"td" => in_cell = false,
                b"a" => {
                    let paragraph = paragraphs.last_mut().unwrap();
                    paragraph.push_str(&format!(" ({href})"));
                }
                _ => {}
            },
            Token::String(text) if in_cell => {
                let text = std::str::from_utf8(&text).unwrap();
                paragraphs.last_mut().unwrap().push_str(text);
            }
            _ => {}
        }
    }
    paragraphs.join("\r\n\r\n")
}

#[test]
fn others_find_no_fault_and_read_the_same_words() {
    for language in LANGUAGES {
        let message = rendered(&template(language));
        is_sound(&message);
        assert_eq!(as_plain_text(&message.html), message.text);
    }
}

#[test]
fn root_and_table_say_language_and_direction() {
    for (language, tag, direction) in [
        ("ar", "ar", "rtl"),
        ("de", "de", "ltr"),
        ("en", "en-GB", "ltr"),
    ] {
        let message = rendered(&template(language));
        let told: Vec<_> = tokens(&message.html)
            .into_iter()
            .filter_map(|token| match token {
                Token::StartTag(tag) => Some(tag),
                _ => None,
            })
            .filter(|it| it.attributes.keys().any(|key| key.as_slice() == b"lang"))
            .map(|it| (name(&it), attribute(&it, "lang"), attribute(&it, "dir")))
            .collect();
        let want = |element: &str| {
            let (tag, direction) = (tag.to_owned(), direction.to_owned());
            (element.to_owned(), Some(tag), Some(direction))
        };
        assert_eq!(told, [want("html"), want("table")]);
    }
}

#[test]
fn the_preview_is_the_first_of_the_body_and_hidden() {
    let message = rendered(&template("en"));
    let parsed = Html::parse_document(&message.html);
    let body = scraper::Selector::parse("body > :first-child").unwrap();
    let first = parsed.select(&body).next().unwrap();
    assert!(first.attr("style").unwrap().contains("display:none"));
    let text: String = first.text().collect();
    assert_eq!(Some(text), message.preview_text);
    assert!(!message.text.contains(&message.preview_text.unwrap()));
    // Without a preview text there is no hidden element.
    assert!(!rendered(&template("de")).html.contains("display:none"));
}

/// The CSS properties of all inline styles.
fn properties() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for language in LANGUAGES {
        for token in tokens(&rendered(&template(language)).html) {
            let Token::StartTag(tag) = token else {
                continue;
            };
            let style = attribute(&tag, "style").unwrap_or_default();
            for declaration in style.split(';').filter(|it| !it.is_empty()) {
                let (property, _) = declaration.split_once(':').unwrap();
                found.insert(property.to_owned());
            }
        }
    }
    found
}

/// What a property or attribute is called in `mail_programs.json`.
const FEATURES: [(&str, &str); 8] = [
    ("font-family", "css-font"),
    ("font-size", "css-font-size"),
    ("font-weight", "css-font-weight"),
    ("line-height", "css-line-height"),
    ("margin", "css-margin"),
    ("max-width", "css-max-width"),
    ("padding", "css-padding"),
    ("text-decoration", "css-text-decoration"),
];
/// What hides the preview text. The last is Outlook's own.
const HIDING: [&str; 4] = ["display", "max-height", "overflow", "mso-hide"];
const MARKUP: [&str; 7] = [
    "html-table",
    "html-div",
    "html-lang",
    "html-dir",
    "html-width",
    "html-cellpadding",
    "html-cellspacing",
];

#[derive(serde::Deserialize)]
struct Support {
    features: BTreeMap<String, BTreeMap<String, String>>,
}

impl Support {
    fn of_programs() -> Self {
        serde_json::from_str(include_str!("mail_programs.json")).unwrap()
    }

    /// What is written and some program does not support, each with the program.
    fn lacks(&self, properties: &BTreeSet<String>) -> Vec<(&str, &str)> {
        let of = |feature: &str| &self.features[feature];
        let used = FEATURES.iter().filter(|it| properties.contains(it.0));
        let used = used.map(|(_, feature)| *feature).chain(MARKUP);
        let lacking = used.flat_map(|feature| {
            let programs = of(feature)
                .iter()
                .filter(|(_, supported)| *supported == "n");
            programs.map(move |(program, _)| (feature, program.as_str()))
        });
        let unhidden = of("css-display-none")
            .iter()
            .filter(|(program, supported)| {
                let covered = |feature: &str| of(feature).get(*program).is_some_and(|it| it != "n");
                *supported == "n" && !(covered("css-max-height") && covered("css-overflow"))
            });
        let unhidden = unhidden.map(|(program, _)| ("css-display-none", program.as_str()));
        lacking.chain(unhidden).collect()
    }
}

#[test]
fn mail_programs_support_what_is_written() {
    let properties = properties();
    for property in &properties {
        let known = FEATURES.iter().any(|(name, _)| name == property);
        assert!(known || HIDING.contains(&property.as_str()), "{property}");
    }
    assert_eq!(Support::of_programs().lacks(&properties), []);
}

/// The tests above would say nothing if they found no fault in anything.
#[test]
fn faults_are_found() {
    let sound = rendered(&template("en"));
    for (from, to) in [
        ("<td", "<script>a()</script><td"),
        ("<td", "<td onclick=\"a()\""),
        ("<td", "<td class=\"a\""),
        (
            "</td>",
            "<img src=\"https://a.example/a.png\" alt=\"\"></td>",
        ),
        ("</td>", "<!-- a --></td>"),
        ("</td>", "</b></td>"),
        ("</td>", "a & b &c; </td\n<"),
        ("href=\"https://", "href=\"http://"),
        ("href=\"https://", "href=\"javascript:https://"),
    ] {
        let mut message = sound.clone();
        message.html = message.html.replacen(from, to, 1);
        assert_ne!(message.html, sound.html, "{from}");
        let found = std::panic::catch_unwind(|| is_sound(&message));
        assert!(found.is_err(), "{to}");
    }
    let mut support = Support::of_programs();
    for (feature, program) in [
        ("css-margin", "outlook windows"),
        ("html-table", "gmail ios"),
    ] {
        let programs = support.features.get_mut(feature).unwrap();
        programs.insert(program.to_owned(), "n".to_owned());
    }
    let lacks = support.lacks(&properties());
    assert_eq!(
        lacks,
        [
            ("css-margin", "outlook windows"),
            ("html-table", "gmail ios")
        ]
    );
    // Whoever does not hide what is not displayed has another way to.
    support = Support::of_programs();
    for feature in ["css-display-none", "css-overflow"] {
        let programs = support.features.get_mut(feature).unwrap();
        programs.insert("gmail ios".to_owned(), "n".to_owned());
    }
    assert_eq!(
        support.lacks(&properties()),
        [("css-display-none", "gmail ios")]
    );
}
