//! What it would take to draw an SVG, counted before it is drawn.
//!
//! DANGER: a few hundred bytes can unfold to more shapes than any machine can draw: a copy of copies of copies, a
//! clip that is clipped by another. So every reference is followed, and the sum of what it stands for is bounded.
//! What unfolds in ways that cannot be summed up here (patterns, markers, dashes) is refused; logos don't need it.

use std::collections::{HashMap, HashSet};

use resvg::usvg::roxmltree::{Document, Node, NodeId};

use super::super::PictureError;
use super::effects::Effects;
use super::sheet::Sheet;

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
/// Elements times rules of style sheets: the reader of SVG tries each with each.
const MOST_MATCHES: usize = 10_000_000;
const REFUSED: [&str; 13] = [
    "animate",
    "animateMotion",
    "animateTransform",
    "feImage",
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
    let mut twice = HashSet::new();
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
            for text in node.children().filter_map(|child| child.text()) {
                sheet.add(text)?;
            }
        }
        if let Some(id) = node.attribute("id")
            && ids.insert(id.to_owned(), node.id()).is_some()
        {
            twice.insert(id.to_owned());
        }
    }
    if elements.saturating_mul(sheet.rules()) > MOST_MATCHES {
        return Err(PictureError::TooLarge);
    }
    let mut costs = Costs {
        drawing,
        ids,
        twice,
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
    /// Ids that several elements have.
    twice: HashSet<String>,
    sheet: Sheet<'d>,
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
        let mut effects = self.effects(node)?;
        // What is drawn of a frame within the frame is cut in a layer.
        effects.has_layer |= is_frame_within(node);
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
        // Readers differ in which of two elements with one id they take.
        if effects.targets.iter().any(|id| self.twice.contains(id)) {
            return Err(PictureError::Unsafe);
        }
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
        for more in self.sheet.of(node) {
            effects.targets.extend(more.targets.iter().cloned());
            effects.has_layer |= more.has_layer;
        }
        Ok(effects)
    }
}

fn is_frame_within(node: Node<'_, '_>) -> bool {
    match node.tag_name().name() {
        "symbol" => true,
        "svg" => node.parent_element().is_some(),
        _ => false,
    }
}
