//! Packages: content types and relationships fit the parts that are there.
#![allow(clippy::unwrap_used)]

use gtm_ooxml::package::relation;
use gtm_ooxml::zip::{Archive, Limits};
use gtm_ooxml::{Package, PackageError};

fn text(archive: &Archive, name: &str) -> String {
    String::from_utf8(archive.get(name).unwrap().to_vec()).unwrap()
}

#[test]
fn content_types_are_those_of_the_parts() {
    let mut package = Package::new();
    let document = package
        .begin("/a/main.xml", "application/main+xml")
        .unwrap();
    let picture = package.add("/a/media/1.png", "image/png", vec![1]).unwrap();
    let other = package
        .add("/a/plain.xml", "application/xml", b"<a/>".to_vec())
        .unwrap();
    package.relate_root(relation::OFFICE_DOCUMENT, document);
    assert_eq!(package.relate(document, relation::IMAGE, picture), "rId1");
    assert_eq!(
        package.relate(document, relation::CUSTOM_XML, other),
        "rId2"
    );
    assert_eq!(package.relate(document, relation::IMAGE, picture), "rId1");
    let link = "https://a.example/?a=1&b=2";
    assert_eq!(
        package.relate_external(document, relation::HYPERLINK, link),
        "rId3"
    );
    assert_eq!(
        package.write(),
        Err(PackageError::Unfilled("/a/main.xml".to_owned()))
    );
    package.fill(document, b"<a/>".to_vec());

    let archive = Archive::read(&package.write().unwrap(), Limits::default()).unwrap();
    let types = text(&archive, "[Content_Types].xml");
    assert_eq!(types.matches("<Override").count(), 1);
    assert!(
        types.contains(r#"<Override PartName="/a/main.xml" ContentType="application/main+xml"/>"#)
    );
    assert!(types.contains(r#"<Default Extension="png" ContentType="image/png"/>"#));
    let relationships = text(&archive, "a/_rels/main.xml.rels");
    assert!(
        relationships.contains(r#"Target="media/1.png""#),
        "{relationships}"
    );
    assert!(
        relationships.contains(r#"Target="https://a.example/?a=1&amp;b=2" TargetMode="External""#)
    );
    assert!(text(&archive, "_rels/.rels").contains(r#"Target="a/main.xml""#));
}

#[test]
fn two_parts_never_have_one_name() {
    let mut package = Package::new();
    package
        .add("/a/1.xml", "application/xml", Vec::new())
        .unwrap();
    let again = package.add("/A/1.XML", "application/xml", Vec::new());
    assert_eq!(
        again,
        Err(PackageError::DuplicateName("/A/1.XML".to_owned()))
    );
    let invalid = package.add("a.xml", "application/xml", Vec::new());
    assert_eq!(invalid, Err(PackageError::InvalidName("a.xml".to_owned())));
}
