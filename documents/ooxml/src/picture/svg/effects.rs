//! What the declarations of a shape add to what is drawn.

use simplecss::DeclarationTokenizer;

use super::super::PictureError;

/// What declarations add to a shape.
#[derive(Debug, Clone, Default)]
pub(super) struct Effects {
    /// Ids of elements that are drawn with the shape.
    pub(super) targets: Vec<String>,
    /// Whether it needs a picture of its own.
    pub(super) has_layer: bool,
}

impl Effects {
    pub(super) const fn is_none(&self) -> bool {
        self.targets.is_empty() && !self.has_layer
    }

    pub(super) fn declare(&mut self, name: &str, value: &str) -> Result<(), PictureError> {
        let value = value.trim();
        match name {
            // An element, or a function such as `blur(9)`.
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

    /// Of a `style` attribute, as the reader of SVG takes it apart.
    pub(super) fn declare_all(&mut self, declarations: &str) -> Result<(), PictureError> {
        DeclarationTokenizer::from(declarations)
            .try_for_each(|declared| self.declare(declared.name, declared.value))
    }
}
