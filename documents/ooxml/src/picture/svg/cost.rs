//! What it would take to draw an SVG, counted before it is drawn.
//!
//! DANGER: a few hundred bytes can unfold to more shapes than any machine can draw: a copy of copies of copies, a
//! clip that is clipped by another. So every reference is followed, and the sum of what it stands for is bounded.
//! What unfolds in ways that cannot be summed up here (patterns, markers, dashes) is refused; logos don't need it.

use std::collections::HashMap;

use resvg::usvg::roxmltree::{Document, Node, NodeId};

use super::super::PictureError;

const MOST_ELEMENTS: usize = 20_000;
/// Nesting, references followed: as deep as the reader of SVG goes on the stack.
const MOST_DEPTH: u32 = 100;
/// The unit is one plain shape.
const MOST_COST: u64 = 60_000;
/// Layers within layers: each holds a picture of its own until the outermost is done.
const MOST_LAYERS: u32 = 6;
/// A clip, a mask and an opacity need a picture of their own.
const LAYER: u64 = 200;
/// Bytes of a path that take as long as a plain shape.
const PATH_BYTES: u64 = 50;
const REFUSED: [&str; 14] = [
    "animate",
    "animateMotion",
    "animateTransform",
    "feImage",
    "filter",
    "font",
    "foreignObject",
    "image",
    "marker",
    "pattern",
    "script",
    "text",
    "textPath",
    "tspan",
];

/// Refuses a drawing that does more than show shapes, or that takes too long to draw. Returns whether some of it
/// needs a layer.
pub(super) fn check(drawing: &Document<'_>) -> Result<bool, PictureError> {
    let mut elements = 0;
    let mut ids = HashMap::new();
    let mut sheet = Sheet::default();
    for node in drawing.descendants().filter(Node::is_element) {
        elements += 1;
        let name = node.tag_name().name();
        if REFUSED.contains(&name) {
            return Err(PictureError::Unsafe);
        }
        if elements > MOST_ELEMENTS {
            return Err(PictureError::TooLarge);
        }
        if name == "style" {
            let texts = node.children().filter_map(|child| child.text());
            sheet.add(&texts.collect::<String>())?;
        }
        if let Some(id) = node.attribute("id") {
            // Readers differ in which of two they take.
            if ids.insert(id.to_owned(), node.id()).is_some() {
                return Err(PictureError::Unsafe);
            }
        }
    }
    let mut costs = Costs {
        drawing,
        ids,
        sheet,
        known: HashMap::new(),
    };
    let whole = costs.of(drawing.root_element(), 0)?;
    if whole.units > MOST_COST || whole.layers > MOST_LAYERS {
        return Err(PictureError::TooLarge);
    }
    Ok(whole.layers > 0)
}

#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    units: u64,
    depth: u32,
    layers: u32,
}

struct Costs<'d, 'i> {
    drawing: &'d Document<'i>,
    ids: HashMap<String, NodeId>,
    sheet: Sheet,
    /// `None` while an element is being summed up: whoever meets it then refers to itself.
    known: HashMap<NodeId, Option<Cost>>,
}

impl<'i> Costs<'_, 'i> {
    fn of(&mut self, node: Node<'_, 'i>, above: u32) -> Result<Cost, PictureError> {
        match self.known.get(&node.id()) {
            Some(Some(cost)) => return Ok(*cost),
            Some(None) => return Err(PictureError::Unsafe),
            None => {}
        }
        if above > MOST_DEPTH {
            return Err(PictureError::TooLarge);
        }
        self.known.insert(node.id(), None);
        let effects = self.effects(node)?;
        let path: usize = ["d", "points"]
            .iter()
            .filter_map(|name| node.attribute(*name))
            .map(str::len)
            .sum();
        let layer = if effects.has_layer { LAYER } else { 0 };
        let mut cost = Cost {
            units: 1 + layer + u64::try_from(path).unwrap_or(u64::MAX) / PATH_BYTES,
            depth: 0,
            layers: 0,
        };
        let drawing = self.drawing;
        let targets = effects.targets.iter();
        let targets: Vec<_> = targets.filter_map(|id| self.ids.get(id)).copied().collect();
        let targets = targets.into_iter().filter_map(|id| drawing.get_node(id));
        let children = node.children().filter(Node::is_element);
        let within: Vec<_> = children.map(|child| child.id()).collect();
        let within = within.into_iter().filter_map(|id| drawing.get_node(id));
        for part in within.chain(targets) {
            let part = self.of(part, above + 1)?;
            cost.units = cost.units.saturating_add(part.units);
            cost.depth = cost.depth.max(part.depth + 1);
            cost.layers = cost.layers.max(part.layers);
        }
        cost.layers += u32::from(effects.has_layer);
        if cost.depth > MOST_DEPTH {
            return Err(PictureError::TooLarge);
        }
        self.known.insert(node.id(), Some(cost));
        Ok(cost)
    }

    fn effects(&self, node: Node<'_, 'i>) -> Result<Effects, PictureError> {
        let mut effects = Effects::default();
        for attribute in node.attributes() {
            match attribute.name() {
                "style" => effects.declare_all(attribute.value())?,
                // A link that a reader might follow, not a part of the drawing.
                "href" if node.tag_name().name() == "a" => {}
                "href" => match attribute.value().trim().strip_prefix('#') {
                    Some(id) => effects.targets.push(id.to_owned()),
                    None => return Err(PictureError::Unsafe),
                },
                name => effects.declare(name, attribute.value())?,
            }
        }
        let classes = node.attribute("class").unwrap_or_default();
        let classes = classes.split_whitespace().map(|class| format!(".{class}"));
        let id = node.attribute("id").map(|id| format!("#{id}"));
        let name = node.tag_name().name().to_owned();
        for selector in classes.chain(id).chain([name]) {
            if let Some(more) = self.sheet.rules.get(&selector) {
                effects.targets.extend(more.targets.iter().cloned());
                effects.has_layer |= more.has_layer;
            }
        }
        Ok(effects)
    }
}

/// What a declaration adds to a shape.
#[derive(Debug, Clone, Default)]
struct Effects {
    targets: Vec<String>,
    has_layer: bool,
}

impl Effects {
    fn declare(&mut self, name: &str, value: &str) -> Result<(), PictureError> {
        let value = value.trim();
        match name {
            // A function, such as `blur(9)`: an element is refused by its name.
            "filter" if value != "none" => return Err(PictureError::Unsafe),
            "stroke-dasharray" if value != "none" => return Err(PictureError::Unsafe),
            // Would refer to what the element above refers to.
            "clip-path" | "mask" if value == "inherit" => return Err(PictureError::Unsafe),
            "clip-path" | "mask" | "opacity" | "mix-blend-mode" | "isolation" => {
                self.has_layer = true;
            }
            _ => {}
        }
        for address in value.split("url(").skip(1) {
            let (address, _) = address.split_once(')').ok_or(PictureError::Unsafe)?;
            let address = address.trim_matches([' ', '\t', '\n', '\r', '"', '\'']);
            let id = address.strip_prefix('#').ok_or(PictureError::Unsafe)?;
            if id.contains(['"', '\'']) {
                return Err(PictureError::Unsafe);
            }
            self.targets.push(id.to_owned());
        }
        Ok(())
    }

    /// # Errors
    /// If a reader of styles could take the declarations otherwise than they are read here.
    fn declare_all(&mut self, declarations: &str) -> Result<(), PictureError> {
        if declarations.contains(['\\', '*', '@', '{']) {
            return Err(PictureError::Unsafe);
        }
        for declaration in declarations.split(';') {
            if let Some((name, value)) = declaration.split_once(':') {
                self.declare(name.trim(), value)?;
            }
        }
        Ok(())
    }
}

/// The rules of a style sheet that add something to draw, by selector.
#[derive(Debug, Default)]
struct Sheet {
    rules: HashMap<String, Effects>,
}

impl Sheet {
    /// # Errors
    /// If it imports, or says in more than simple words what is drawn beside a shape.
    fn add(&mut self, text: &str) -> Result<(), PictureError> {
        if text.contains('\\') || text.contains("@import") {
            return Err(PictureError::Unsafe);
        }
        let mut plain = String::new();
        let mut rest = text;
        while let Some((before, comment)) = rest.split_once("/*") {
            plain.push_str(before);
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
        }
        plain.push_str(rest);
        for rule in plain.split('}') {
            let Some((selectors, declarations)) = rule.split_once('{') else {
                continue;
            };
            let mut effects = Effects::default();
            effects.declare_all(declarations)?;
            if effects.targets.is_empty() && !effects.has_layer {
                continue;
            }
            for selector in selectors.split(',').map(str::trim) {
                let name = selector.strip_prefix(['.', '#']).unwrap_or(selector);
                let is_simple = !name.is_empty()
                    && (name.chars()).all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
                if !is_simple {
                    return Err(PictureError::Unsafe);
                }
                let known = self.rules.entry(selector.to_owned()).or_default();
                known.targets.extend(effects.targets.iter().cloned());
                known.has_layer |= effects.has_layer;
            }
        }
        Ok(())
    }
}
