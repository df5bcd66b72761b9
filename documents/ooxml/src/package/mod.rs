//! A package of the Open Packaging Conventions: parts, their content types and their relationships.
//!
//! What readers repair or refuse cannot be built: content types are written for the parts that are there, a
//! relationship's target is a part of this package, and two parts cannot have one name.

mod name;
mod part;

pub use name::PartName;
pub use part::{Package, PackageError, PartId};

/// Relationship types that both kinds of documents use.
pub mod relation {
    macro_rules! office {
        ($($(#[$doc:meta])* $name:ident = $last:literal),* $(,)?) => {
            $($(#[$doc])* pub const $name: &str =
                concat!("http://schemas.openxmlformats.org/officeDocument/2006/relationships/", $last);)*
        };
    }
    office! {
        OFFICE_DOCUMENT = "officeDocument",
        EXTENDED_PROPERTIES = "extended-properties",
        CUSTOM_PROPERTIES = "custom-properties",
        CUSTOM_XML = "customXml",
        CUSTOM_XML_PROPERTIES = "customXmlProps",
        THEME = "theme",
        CHART = "chart",
        /// The workbook behind a chart.
        PACKAGE = "package",
        IMAGE = "image",
        HYPERLINK = "hyperlink",
    }
    pub const CORE_PROPERTIES: &str =
        "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties";
}
