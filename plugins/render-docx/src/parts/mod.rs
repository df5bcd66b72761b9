//! The parts around the body: styles, numbering, settings, notes, headers and footers.

pub mod furniture;
pub mod notes;
pub mod numbering;
pub mod settings;
pub mod styles;
pub mod table_styles;

/// Namespaces that the parts declare.
pub const W: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
pub const R: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
pub const WP: &str = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing";
pub const A: &str = "http://schemas.openxmlformats.org/drawingml/2006/main";
