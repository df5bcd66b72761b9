//! Office Open XML, as far as the renderers of slides and text documents share it: the package with its parts
//! and relationships, a deterministic ZIP writer and a bounded reader, XML that is always well-formed, charts
//! with their workbook, the theme, properties, pictures and the width of text. `template` reads what an organization
//! made itself, and takes over of it what a renderer builds on. Days in words, words that renderers add, phrases of
//! titles, the parts of letters and the paper of a country are here too, for renderers of all formats.
//!
//! What a slide or a page looks like is not in here. Renderers link this crate into components, so nothing
//! here may import anything: no clock, no randomness, no files. The same input gives the same bytes.
#![forbid(unsafe_code)]

pub mod added_words;
pub mod chart;
pub mod dates;
pub mod letters;
pub mod measure;
pub mod package;
pub mod paper;
pub mod phrases;
pub mod picture;
pub mod properties;
pub mod sources;
pub mod template;
pub mod theme;
pub mod tree;
pub mod workbook;
pub mod xml;
pub mod zip;

pub use package::{Package, PackageError, PartId, PartName};
pub use xml::Xml;
