//! The style sheets of a drawing, read by the parser that the reader of SVG has: another one would miss what it draws.

use resvg::usvg::roxmltree::Node;
use simplecss::{AttributeOperator, Element, PseudoClass, Selector, StyleSheet};

use super::super::PictureError;
use super::effects::Effects;

/// The rules that add something to what is drawn, and how many there are in all.
#[derive(Default)]
pub(super) struct Sheet<'d> {
    effective: Vec<(Selector<'d>, Effects)>,
    rules: usize,
}

impl<'d> Sheet<'d> {
    /// # Errors
    /// If it imports, or adds what no logo needs.
    pub(super) fn add(&mut self, text: &'d str) -> Result<(), PictureError> {
        if text.contains("@import") {
            return Err(PictureError::Unsafe);
        }
        for rule in StyleSheet::parse(text).rules {
            let mut effects = Effects::default();
            for declared in &rule.declarations {
                effects.declare(declared.name, declared.value)?;
            }
            self.rules += 1;
            if !effects.is_none() {
                self.effective.push((rule.selector, effects));
            }
        }
        Ok(())
    }

    pub(super) const fn rules(&self) -> usize {
        self.rules
    }

    /// What the sheets add to an element.
    pub(super) fn of(&self, node: Node<'_, '_>) -> impl Iterator<Item = &Effects> {
        let rules = self.effective.iter();
        let matching = rules.filter(move |(selector, _)| selector.matches(&Styled(node)));
        matching.map(|(_, effects)| effects)
    }
}

/// An element as selectors see it.
struct Styled<'n, 'i>(Node<'n, 'i>);

impl Element for Styled<'_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(Self)
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(Self)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        let value = self.0.attribute(name);
        value.is_some_and(|value| operator.matches(value))
    }

    fn pseudo_class_matches(&self, class: PseudoClass<'_>) -> bool {
        // Whatever else a reader makes of the others, it draws no more than this.
        class != PseudoClass::FirstChild || self.0.prev_sibling_element().is_none()
    }
}
