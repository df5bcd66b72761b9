//! What a document says about itself: the core, application and custom properties, and the evidence manifest
//! as a part of its own.

use crate::package::{Package, PackageError, PartId, relation};
use crate::xml::Xml;
use gtm_document_model::Meta;

const CORE: &str = "application/vnd.openxmlformats-package.core-properties+xml";
const EXTENDED: &str = "application/vnd.openxmlformats-officedocument.extended-properties+xml";
const CUSTOM: &str = "application/vnd.openxmlformats-officedocument.custom-properties+xml";
const CUSTOM_XML_PROPERTIES: &str =
    "application/vnd.openxmlformats-officedocument.customXmlProperties+xml";

/// The application that readers see as the file's maker.
const APPLICATION: &str = "gtm";
/// Namespace of the part that holds the evidence manifest.
pub const EVIDENCE_NAMESPACE: &str = "urn:gtm:evidence-manifest:1";

/// Adds core, application and custom properties. `custom` has names and values.
///
/// # Errors
/// Where the package has such parts already.
pub fn add(
    package: &mut Package,
    meta: &Meta,
    custom: &[(&str, &str)],
) -> Result<(), PackageError> {
    let part = package.add("/docProps/core.xml", CORE, core(meta))?;
    package.relate_root(relation::CORE_PROPERTIES, part);
    let part = package.add("/docProps/app.xml", EXTENDED, extended(meta))?;
    package.relate_root(relation::EXTENDED_PROPERTIES, part);
    if !custom.is_empty() {
        let part = package.add("/docProps/custom.xml", CUSTOM, custom_properties(custom))?;
        package.relate_root(relation::CUSTOM_PROPERTIES, part);
    }
    Ok(())
}

/// When the document was made: its date at midnight, because a file must not depend on the moment.
fn created(meta: &Meta) -> String {
    format!("{}T00:00:00Z", meta.date)
}

fn core(meta: &Meta) -> Vec<u8> {
    let created = created(meta);
    let mut xml = Xml::document();
    xml.open(
        "cp:coreProperties",
        &[
            (
                "xmlns:cp",
                &"http://schemas.openxmlformats.org/package/2006/metadata/core-properties",
            ),
            ("xmlns:dc", &"http://purl.org/dc/elements/1.1/"),
            ("xmlns:dcterms", &"http://purl.org/dc/terms/"),
            ("xmlns:dcmitype", &"http://purl.org/dc/dcmitype/"),
            ("xmlns:xsi", &"http://www.w3.org/2001/XMLSchema-instance"),
        ],
    );
    let author = meta.author.as_ref().or(meta.organization.as_ref());
    xml.leaf("dc:title", &[], &meta.title);
    if let Some(subtitle) = &meta.subtitle {
        xml.leaf("dc:subject", &[], subtitle);
    }
    if let Some(author) = author {
        xml.leaf("dc:creator", &[], author);
    }
    if !meta.keywords.is_empty() {
        xml.leaf("cp:keywords", &[], meta.keywords.join(", "));
    }
    if let Some(author) = author {
        xml.leaf("cp:lastModifiedBy", &[], author);
    }
    let w3cdtf: [(&'static str, &dyn std::fmt::Display); 1] = [("xsi:type", &"dcterms:W3CDTF")];
    xml.leaf("dcterms:created", &w3cdtf, &created);
    xml.leaf("dcterms:modified", &w3cdtf, &created);
    if let Some(classification) = &meta.classification {
        xml.leaf("cp:category", &[], classification);
    }
    xml.leaf("dc:language", &[], &meta.language);
    xml.finish()
}

fn extended(meta: &Meta) -> Vec<u8> {
    let mut xml = Xml::document();
    xml.open(
        "Properties",
        &[(
            "xmlns",
            &"http://schemas.openxmlformats.org/officeDocument/2006/extended-properties",
        )],
    );
    xml.leaf("Application", &[], APPLICATION);
    if let Some(organization) = &meta.organization {
        xml.leaf("Company", &[], organization);
    }
    xml.finish()
}

fn custom_properties(custom: &[(&str, &str)]) -> Vec<u8> {
    let mut xml = Xml::document();
    xml.open(
        "Properties",
        &[
            (
                "xmlns",
                &"http://schemas.openxmlformats.org/officeDocument/2006/custom-properties",
            ),
            (
                "xmlns:vt",
                &"http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes",
            ),
        ],
    );
    for (index, (name, value)) in custom.iter().enumerate() {
        // Numbers below 2 are taken, and the identifier of the format is the same in every file.
        xml.open(
            "property",
            &[
                ("fmtid", &"{D5CDD505-2E9C-101B-9397-08002B2CF9AE}"),
                ("pid", &(index + 2)),
                ("name", name),
            ],
        );
        xml.leaf("vt:lpwstr", &[], value).close();
    }
    xml.finish()
}

/// Adds the evidence manifest as a custom XML part of `document`. The text of its root element is the
/// manifest's JSON. Whether it was added: what is not UTF-8 cannot stand in XML.
///
/// # Errors
/// Where the package has such a part already.
pub fn add_evidence(
    package: &mut Package,
    document: PartId,
    manifest: &[u8],
) -> Result<bool, PackageError> {
    let Ok(json) = std::str::from_utf8(manifest) else {
        return Ok(false);
    };
    let mut xml = Xml::document();
    xml.leaf(
        "evidenceManifest",
        &[
            ("xmlns", &EVIDENCE_NAMESPACE),
            ("mediaType", &"application/json"),
        ],
        carried(json),
    );
    let item = package.add("/customXml/item1.xml", "application/xml", xml.finish())?;
    let mut xml = Xml::document();
    xml.open(
        "ds:datastoreItem",
        &[
            // It only tells the items of one file apart.
            ("ds:itemID", &"{6A1F3B52-77C1-4C39-9B0E-5D1E8F2A4C01}"),
            (
                "xmlns:ds",
                &"http://schemas.openxmlformats.org/officeDocument/2006/customXml",
            ),
        ],
    );
    xml.open("ds:schemaRefs", &[]);
    xml.empty("ds:schemaRef", &[("ds:uri", &EVIDENCE_NAMESPACE)]);
    let properties = package.add(
        "/customXml/itemProps1.xml",
        CUSTOM_XML_PROPERTIES,
        xml.finish(),
    )?;
    package.relate(item, relation::CUSTOM_XML_PROPERTIES, properties);
    package.relate(document, relation::CUSTOM_XML, item);
    Ok(true)
}

/// The JSON in characters that XML carries. Others can only stand inside JSON's strings, which have another
/// way to write them.
fn carried(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut units = [0; 2];
    for character in json.chars() {
        if crate::xml::is_character(character) {
            out.push(character);
        } else {
            for unit in character.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    out
}
