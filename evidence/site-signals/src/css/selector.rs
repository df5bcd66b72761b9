//! Selectors, reduced to what they tell about the elements they select.

mod read;

use gtm_lexicon::class_names::{
    BANNERS, BODY_TEXT, BUTTONS, CODE, HEADINGS, LINKS, LOGOS, MESSAGES, STATUS, THEMES, WIDGETS,
};
use gtm_lexicon::{Words, networks};
use gtm_page_text::html::is_heading_element;

use super::FontRole;

pub(crate) use read::list;

/// One simple step of a selector: an element with its classes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Compound {
    element: String,
    /// Class and id names as written, lower case.
    names: Vec<String>,
    pseudo: Vec<String>,
    attributes: bool,
    /// Marks that an element must have to be selected, as [`crate::elements`] writes them: its name, its
    /// classes with a full stop, its id with a hash. Marks inside a function, such as one of several
    /// alternatives, are not required.
    needs: Vec<String>,
}

/// One selector of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Selector {
    /// As written, white space collapsed, truncated.
    pub(super) text: String,
    /// The same, not truncated.
    pub(super) key: String,
    /// Ids, classes and elements that it names.
    pub(super) specificity: [u16; 3],
    /// What it selects.
    subject: Compound,
    /// The elements that it must be inside or next to, nearest last.
    around: Vec<Compound>,
    /// Whether the element that has its class is a button.
    on_button: bool,
    /// How many kinds of such elements have its class; 0 if nobody counted.
    kinds: u16,
}

/// The kind of thing that a selector selects, which tells how central its style is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// The page itself.
    Page,
    /// The logo or the site's name.
    Logo,
    Button,
    /// A message of success or failure, which has the same colours on every site.
    Status,
    Heading,
    /// The page's header, navigation, hero or footer.
    Banner,
    Link,
    /// Anything else.
    Other,
}

/// The words of a class name: `site-header__nav-link` has site, header, nav and link.
pub(crate) fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
}

fn has_word(compound: &Compound, wanted: Words) -> bool {
    compound
        .names
        .iter()
        .any(|name| words(name).any(|word| wanted.contains(word)))
}

/// States that last as long as a pointer or the focus is there.
const MOMENTARY: [&str; 5] = ["hover", "focus", "focus-visible", "focus-within", "active"];

impl Selector {
    /// The marks that its subject needs, and those that each element around the subject needs.
    pub(crate) fn needs(&self) -> impl Iterator<Item = &[String]> {
        let compounds = self.around.iter().chain([&self.subject]);
        compounds.map(|compound| compound.needs.as_slice())
    }

    /// The marks that its subject needs.
    pub(super) fn subject_needs(&self) -> &[String] {
        &self.subject.needs
    }

    /// The one class that it names, if it names nothing else but a state.
    pub(super) fn only_class(&self) -> Option<&str> {
        let subject = &self.subject;
        let [name] = subject.names.as_slice() else {
            return None;
        };
        let bare = self.around.is_empty()
            && subject.element.is_empty()
            && !subject.attributes
            && subject
                .needs
                .first()
                .is_some_and(|need| need.starts_with('.'))
            && (subject.pseudo.is_empty() || self.is_state());
        bare.then_some(name.as_str())
    }

    /// The same for elements of one name that have its class, as strong as before.
    pub(super) fn at(&self, element: &str, on_button: bool, kinds: u16) -> Self {
        let mut placed = self.clone();
        placed.subject.element = element.to_owned();
        placed.on_button = on_button;
        placed.kinds = kinds;
        if matches!(element, "html" | "body") && placed.subject.pseudo.is_empty() {
            placed.subject.names.clear();
            placed.subject.needs.clear();
        }
        placed
    }

    /// Whether pages have a button of its class.
    pub(super) fn is_on_button(&self) -> bool {
        self.kinds > 0 && self.subject() == Subject::Button
    }

    /// How often it shows, as far as that is known: 1 to 3.
    pub(super) fn spread(&self) -> u32 {
        u32::from(self.kinds.clamp(1, 3))
    }

    /// Whether it paints what it selects for good, wherever that stands among its neighbours.
    pub(super) fn is_lasting(&self) -> bool {
        let mut compounds = self.around.iter().chain([&self.subject]);
        let always = ["root", "link", "any-link"];
        compounds.all(|compound| {
            let mut pseudo = compound.pseudo.iter();
            // What only a function names may be one of several.
            let whole = !compound.needs.is_empty()
                || compound.names.is_empty()
                    && (matches!(compound.element.as_str(), "*" | "html" | "body")
                        || compound.pseudo == ["root"]);
            whole && !compound.attributes && pseudo.all(|pseudo| always.contains(&pseudo.as_str()))
        })
    }

    /// Whether it selects an element of these marks inside of others, the outermost first.
    pub(super) fn selects(&self, kind: &[&str], around: &[&[&str]]) -> bool {
        let has = |compound: &Compound, kind: &[&str]| {
            // The page itself has no marks.
            let page = match compound.element.as_str() {
                "html" | "body" => Some(compound.element.as_str()),
                _ if compound.pseudo == ["root"] => Some("html"),
                _ => None,
            };
            (page.is_none() || kind.first().copied() == page)
                && compound
                    .needs
                    .iter()
                    .all(|need| kind.contains(&need.as_str()))
        };
        let mut outer = around.iter().rev();
        has(&self.subject, kind)
            && self
                .around
                .iter()
                .rev()
                .all(|compound| outer.by_ref().any(|kind| has(compound, kind)))
    }

    /// Whether it selects the page itself, unconditionally.
    pub(super) fn is_page(&self) -> bool {
        let subject = &self.subject;
        let named = matches!(subject.element.as_str(), "html" | "body")
            || (subject.element.is_empty() && subject.pseudo == ["root"]);
        named
            && subject.names.is_empty()
            && !subject.attributes
            && subject.pseudo.iter().all(|pseudo| pseudo == "root")
            && self
                .around
                .iter()
                .all(|outer| outer.element == "html" && outer.names.is_empty())
    }

    /// Whether it selects `body`, the part that pages show, rather than what contains it.
    pub(super) fn is_body(&self) -> bool {
        self.subject.element == "body"
    }

    /// Whether custom properties defined here apply everywhere.
    pub(super) fn is_root(&self) -> bool {
        self.is_page()
            || (self.around.is_empty()
                && self.subject.names.is_empty()
                && (self.subject.element == "*" || self.subject.pseudo == ["host"]))
    }

    /// Whether it applies only while a dark theme is chosen.
    pub(super) fn is_dark(&self) -> bool {
        self.around.iter().chain([&self.subject]).any(|compound| {
            compound.names.iter().any(|name| {
                matches!(
                    name.as_str(),
                    "dark" | "theme-dark" | "dark-theme" | "dark-mode" | "is-dark" | "darkmode"
                )
            }) && (compound.names.len() == 1 || compound.attributes)
        })
    }

    /// Whether it applies only while some theme is chosen.
    pub(super) fn is_theme(&self) -> bool {
        has_word(&self.subject, THEMES)
    }

    /// Whether it names only elements, and nothing around them, so that its text is directly on the page.
    pub(super) fn is_plain(&self) -> bool {
        self.around.is_empty()
            && self.subject.names.is_empty()
            && !self.subject.attributes
            && !self.subject.element.is_empty()
            // These have a background of their own.
            && !matches!(self.subject.element.as_str(), "button" | "input" | "select" | "option" | "textarea" | "mark" | "dialog")
    }

    /// Whether it paints a network's sign, which has that network's colours on every site.
    pub(super) fn is_network(&self) -> bool {
        // A single letter is ambiguous: `x` also closes a window.
        let names_one = |word: &str| {
            let mut all = networks().iter().filter(|network| network.coloured);
            word.len() > 1 && all.any(|network| network.is_called(word))
        };
        let mut names = self.subject.names.iter();
        names.any(|name| words(name).any(names_one))
    }

    /// Whether it styles a widget that sites embed, such as a slider or a banner for consent.
    pub(super) fn is_widget(&self) -> bool {
        let mut compounds = self.around.iter().chain([&self.subject]);
        compounds.any(|compound| {
            let mut names = compound.names.iter();
            names.any(|name| {
                words(name)
                    .next()
                    .is_some_and(|word| WIDGETS.contains(word))
            })
        })
    }

    /// Whether its text needs no contrast: disabled controls, placeholders and logos.
    pub(super) fn is_exempt(&self) -> bool {
        let is_sign = self.is_network();
        is_sign
            || self
                .subject
                .pseudo
                .iter()
                .chain(&self.subject.names)
                .any(|name| {
                    matches!(
                        name.as_str(),
                        "disabled"
                            | "is-disabled"
                            | "aria-disabled"
                            | "placeholder"
                            | "before"
                            | "after"
                            | "-webkit-input-placeholder"
                            | "-moz-placeholder"
                    )
                })
    }

    /// Whether it selects something inside a message of success or failure.
    pub(super) fn is_in_message(&self) -> bool {
        self.around.iter().any(|outer| has_word(outer, MESSAGES))
    }

    /// Whether it applies only for a moment, such as while the pointer is over it.
    pub(super) fn is_state(&self) -> bool {
        let mut pseudo = self.subject.pseudo.iter();
        pseudo.any(|pseudo| MOMENTARY.contains(&pseudo.as_str()) || pseudo == "visited")
    }

    /// Whether it applies only while something around it or itself is pointed at, or has the focus.
    pub(super) fn is_momentary(&self) -> bool {
        let mut pseudo = self.around.iter().flat_map(|outer| &outer.pseudo);
        self.is_state() || pseudo.any(|pseudo| MOMENTARY.contains(&pseudo.as_str()))
    }

    /// Whether it is one of the classes that a site builder generates for every colour it offers, used or
    /// not.
    pub(super) fn is_preset(&self) -> bool {
        self.subject.names.iter().any(|name| {
            name.starts_with("has-")
                && (name.ends_with("-color")
                    || name.ends_with("-background")
                    || name.ends_with("-color-background"))
        })
    }

    /// What it selects.
    pub(super) fn subject(&self) -> Subject {
        let subject = &self.subject;
        let element = subject.element.as_str();
        let is = |wanted: Words| has_word(subject, wanted);
        if self.is_page() {
            Subject::Page
        } else if is(STATUS)
            || subject
                .pseudo
                .iter()
                .any(|pseudo| STATUS.contains(pseudo.trim_start_matches("user-")))
        {
            Subject::Status
        } else if is(LOGOS) {
            Subject::Logo
        } else if element == "button" || self.on_button || is(BUTTONS) {
            Subject::Button
        } else if is_heading_element(element) || is(HEADINGS) {
            Subject::Heading
        } else if element == "a" || is(LINKS) {
            Subject::Link
        } else if matches!(element, "header" | "nav" | "footer") || is(BANNERS) {
            Subject::Banner
        } else {
            Subject::Other
        }
    }

    /// The role of its text, for typefaces.
    pub(super) fn font_role(&self) -> FontRole {
        let subject = &self.subject;
        let element = subject.element.as_str();
        let is = |wanted: Words| has_word(subject, wanted);
        if matches!(element, "pre" | "code" | "kbd" | "samp" | "tt") || is(CODE) {
            FontRole::Mono
        } else if is_heading_element(element)
            || is(HEADINGS)
            || subject
                .names
                .iter()
                .any(|name| words(name).any(is_heading_element))
        {
            FontRole::Heading
        } else if self.is_root()
            || matches!(
                element,
                "p" | "li" | "td" | "article" | "main" | "div" | "section" | "blockquote" | "dd"
            ) && subject.names.is_empty()
                && !subject.attributes
            || matches!(element, "html" | "body")
            || is(BODY_TEXT)
        {
            FontRole::Body
        } else {
            FontRole::Other
        }
    }

    /// The keys under which its background is stored: its element or its class. Empty for a variant, since
    /// several classes or a state select something more specific.
    pub(super) fn own_keys(&self) -> Vec<String> {
        if self.is_combined() || !self.subject.pseudo.is_empty() {
            return Vec::new();
        }
        self.subject_keys()
    }

    /// The keys of its subject, whatever its state.
    pub(super) fn subject_keys(&self) -> Vec<String> {
        keys(&self.subject)
    }

    /// Whether it needs several classes: a variant about which the rules of the single classes say nothing
    /// certain.
    pub(super) fn is_combined(&self) -> bool {
        self.subject.names.len() > 1
    }

    /// Whether it names elements around its subject.
    pub(super) fn has_context(&self) -> bool {
        !self.around.is_empty()
    }

    /// The keys of the blocks of which, by its class name, it is a part or variant.
    pub(super) fn block_keys(&self) -> Vec<String> {
        let blocks = self.subject.names.iter().flat_map(|name| {
            [name.split_once("__"), name.split_once("--")]
                .into_iter()
                .flatten()
                .map(|(block, _)| format!(".{block}"))
        });
        blocks.collect()
    }

    /// The keys of the elements around it, nearest first.
    pub(super) fn context_keys(&self) -> Vec<String> {
        self.around.iter().rev().flat_map(keys).collect()
    }

    /// The class of which this one is a variant: `btn` for `btn--primary` and `btn-primary`.
    pub(super) fn base_keys(&self) -> Vec<String> {
        self.subject
            .names
            .iter()
            .filter_map(|name| base_of(name))
            .map(|base| format!(".{base}"))
            .collect()
    }
}

/// The class of which, by its name, this one is a variant.
fn base_of(name: &str) -> Option<&str> {
    let variant = name.split_once("--").or_else(|| {
        name.split_once('-')
            .filter(|(base, _)| matches!(*base, "btn" | "button"))
    });
    variant.map(|(base, _)| base)
}

fn keys(compound: &Compound) -> Vec<String> {
    if compound.names.is_empty() {
        let element = compound.element.as_str();
        let has_one = !matches!(element, "" | "*" | "html" | "body");
        return has_one.then(|| element.to_owned()).into_iter().collect();
    }
    compound
        .names
        .iter()
        .map(|name| format!(".{name}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Selector {
        list(text).remove(0)
    }

    #[test]
    fn lists_are_taken_apart() {
        let texts: Vec<_> = list("a , .b:is(.x,.y)  > c,\n:root")
            .into_iter()
            .map(|selector| selector.text)
            .collect();
        assert_eq!(texts, ["a", ".b:is(.x,.y) > c", ":root"]);
    }

    #[test]
    fn subjects_are_known() {
        for (text, subject) in [
            ("body", Subject::Page),
            ("html body", Subject::Page),
            (":root", Subject::Page),
            ("body .x", Subject::Other),
            (".btn-primary:hover", Subject::Button),
            (".btn-danger", Subject::Status),
            ("input[type=\"submit\"]", Subject::Button),
            (".site-logo path", Subject::Other),
            (".site-logo", Subject::Logo),
            ("h2.x", Subject::Heading),
            ("nav a", Subject::Link),
            (".site-header", Subject::Banner),
        ] {
            assert_eq!(one(text).subject(), subject, "{text}");
        }
    }

    #[test]
    fn dark_themes_are_told_apart() {
        assert!(one("[data-theme='dark'] .x").is_dark());
        assert!(one(".dark a").is_dark());
        assert!(one("html.theme-dark").is_dark());
        assert!(!one(".btn.dark").is_dark());
        assert!(!one(".dark-blue").is_dark());
    }

    #[test]
    fn depth_is_bounded() {
        assert!(list(&":is(".repeat(50_000)).len() <= 1);
    }
}
