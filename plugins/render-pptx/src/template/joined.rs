//! The template's package with our slides in the place of its own.

use std::collections::BTreeMap;

use gtm_ooxml::package::PackageError;
use gtm_ooxml::template::{Parts, Relation, Template, TemplateError, is_kept};
use gtm_ooxml::tree::Element;

use super::layouts::Room;
use crate::layout::Layout;
use crate::render::RenderError;

const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";
const MAIN: &str =
    "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml";

/// The names of our slides, in their order.
pub fn slides_of(own: &Parts) -> Result<Vec<String>, TemplateError> {
    let main = own.main().ok_or(TemplateError::NoPackage)?;
    let root = own.tree(main)?;
    let part = own.get(main);
    let listed = root
        .child("p:sldIdLst")
        .into_iter()
        .flat_map(Element::elements);
    let slide = |id: &Element| Some(part?.relation(id.attribute("r:id")?)?.part()?.to_owned());
    Ok(listed.filter_map(slide).collect())
}

/// The archive. `chosen` are our layout and the template's of each slide.
pub fn join(
    template: &Template,
    own: &Parts,
    slides: &[String],
    chosen: &[(Layout, Option<Room>)],
) -> Result<Vec<u8>, RenderError> {
    let mut joined = Parts::default();
    let mut taken = BTreeMap::new();
    let keeps = |relation: &Relation| is_kept(relation) || relation.word() == "tableStyles";
    let main = joined.adopt(&template.parts, &template.main, &mut taken, &keeps)?;
    let of_template = |name: &str| taken.get(name).cloned();
    let own_main = own.main().ok_or(TemplateError::NoPackage)?;
    let related = |parts: &Parts, from: &str, word: &str| -> Option<String> {
        let part = parts.get(from)?;
        part.related(word).next().map(|(_, name)| name.to_owned())
    };

    // What our parts relate to in the place of our own masters.
    let mut known = BTreeMap::new();
    let first_master = template.slide_masters()?.into_iter().next();
    let first_master = first_master.and_then(|name| of_template(&name));
    let first_master =
        first_master.ok_or_else(|| TemplateError::Missing("slide master".to_owned()))?;
    if let Some(master) = related(own, own_main, "slideMaster") {
        known.insert(master, first_master.clone());
    }
    let notes_master = related(&joined, &main, "notesMaster");
    let own_notes_master = related(own, own_main, "notesMaster");
    if let (Some(own), Some(theirs)) = (&own_notes_master, &notes_master) {
        known.insert(own.clone(), theirs.clone());
    }

    let mut listed = Vec::new();
    let mut added: BTreeMap<String, String> = BTreeMap::new();
    for (slide, (_, room)) in slides.iter().zip(chosen) {
        let name = joined.adopt(own, slide, &mut known, &|relation| {
            relation.word() != "slideLayout"
        })?;
        let layout = match room {
            Some(room) => of_template(&room.part),
            None => {
                let own_layout = related(own, slide, "slideLayout");
                let own_layout =
                    own_layout.ok_or_else(|| TemplateError::Missing("slide layout".to_owned()))?;
                let name = joined.adopt(own, &own_layout, &mut known, &|_| true)?;
                added.insert(own_layout, name.clone());
                Some(name)
            }
        };
        if let (Some(part), Some(layout)) = (joined.get_mut(&name), layout) {
            part.relate(&format!("{RELATIONS}slideLayout"), &layout);
        }
        listed.push(name);
    }
    if !added.is_empty() {
        list_layouts(&mut joined, &main, &first_master, added.values())?;
    }
    // Slides have notes, so there is a master for them.
    let new_notes_master = match (&notes_master, &own_notes_master) {
        (None, Some(own)) => known.get(own).cloned(),
        _ => None,
    };
    presentation(&mut joined, &main, &listed, new_notes_master.as_deref())?;
    table_styles(&mut joined, own, (&main, own_main), &mut known)?;

    // The evidence, and the properties of the file.
    let of_main: Vec<Relation> = own
        .get(own_main)
        .map_or(Vec::new(), |part| part.relations.clone());
    for relation in of_main
        .iter()
        .filter(|relation| relation.word() == "customXml")
    {
        adopt_to(&mut joined, own, relation, Some(&main), &mut known)?;
    }
    joined.root.push(Relation {
        id: "rId1".to_owned(),
        kind: format!("{RELATIONS}officeDocument"),
        target: gtm_ooxml::template::Target::Part(main.clone()),
    });
    for relation in own
        .root
        .iter()
        .filter(|relation| relation.word() != "officeDocument")
    {
        adopt_to(&mut joined, own, relation, None, &mut known)?;
    }
    if let Some(part) = joined.get_mut(&main) {
        part.content_type = MAIN.to_owned();
    }
    Ok(joined.write().ok_or(PackageError::TooLarge)?)
}

/// Copies what a relationship of ours leads to, and relates a part or the package to it.
fn adopt_to(
    joined: &mut Parts,
    own: &Parts,
    relation: &Relation,
    from: Option<&str>,
    known: &mut BTreeMap<String, String>,
) -> Result<(), TemplateError> {
    let Some(target) = relation.part() else {
        return Ok(());
    };
    let name = joined.adopt(own, target, known, &|_| true)?;
    match from {
        Some(from) => {
            if let Some(part) = joined.get_mut(from) {
                part.relate(&relation.kind, &name);
            }
        }
        None => {
            let id = format!("rId{}", joined.root.len() + 1);
            joined.root.push(Relation {
                id,
                kind: relation.kind.clone(),
                target: gtm_ooxml::template::Target::Part(name),
            });
        }
    }
    Ok(())
}

/// Lists layouts of ours in the template's master. Ids of masters and layouts are numbered together.
fn list_layouts<'a>(
    joined: &mut Parts,
    main: &str,
    master: &str,
    layouts: impl Iterator<Item = &'a String>,
) -> Result<(), TemplateError> {
    let mut highest: i64 = 2_147_483_648;
    let masters: Vec<String> = joined
        .get(main)
        .into_iter()
        .flat_map(|part| part.related("slideMaster").map(|(_, name)| name.to_owned()))
        .collect();
    for name in masters.iter().map(String::as_str).chain([main]) {
        joined.tree(name)?.visit(&mut |element| {
            if matches!(element.name.as_str(), "p:sldLayoutId" | "p:sldMasterId") {
                highest = highest.max(element.number("id").unwrap_or(0));
            }
        });
    }
    let mut root = joined.tree(master)?;
    for layout in layouts {
        highest += 1;
        let id = joined
            .get_mut(master)
            .map(|part| part.relate(&format!("{RELATIONS}slideLayout"), layout));
        let entry = Element::new(
            "p:sldLayoutId",
            &[
                ("id", &highest.to_string()),
                ("r:id", &id.unwrap_or_default()),
            ],
        );
        if let Some(list) = root.child_mut("p:sldLayoutIdLst") {
            list.push(entry);
        }
    }
    joined.fill(master, &root);
    Ok(())
}

/// The presentation part: our slides, and nothing that referred to the template's.
fn presentation(
    joined: &mut Parts,
    main: &str,
    slides: &[String],
    notes_master: Option<&str>,
) -> Result<(), TemplateError> {
    let mut root = joined.tree(main)?;
    root.remove(|part| {
        matches!(
            part.name.as_str(),
            "p:sldIdLst"
                | "p:custShowLst"
                | "p:extLst"
                | "p:custDataLst"
                | "p:modifyVerifier"
                | "p:smartTags"
                | "p:photoAlbum"
                | "p:handoutMasterIdLst"
        )
    });
    let mut list = Element::new("p:sldIdLst", &[]);
    for (index, slide) in slides.iter().enumerate() {
        let relation = joined
            .get_mut(main)
            .map(|part| part.relate(&format!("{RELATIONS}slide"), slide));
        let id = (index + 256).to_string();
        list.push(Element::new(
            "p:sldId",
            &[("id", &id), ("r:id", &relation.unwrap_or_default())],
        ));
    }
    root.insert_before(&["p:sldSz", "p:notesSz"], list);
    if let Some(notes) = notes_master {
        let relation = joined
            .get_mut(main)
            .map(|part| part.relate(&format!("{RELATIONS}notesMaster"), notes));
        let entry = Element::new(
            "p:notesMasterId",
            &[("r:id", &relation.unwrap_or_default())],
        );
        let list = Element::new("p:notesMasterIdLst", &[]).with(entry);
        root.remove(|part| part.name == "p:notesMasterIdLst");
        root.insert_before(&["p:sldIdLst"], list);
    }
    joined.fill(main, &root);
    Ok(())
}

/// Our style of tables beside the template's.
fn table_styles(
    joined: &mut Parts,
    own: &Parts,
    (main, own_main): (&str, &str),
    known: &mut BTreeMap<String, String>,
) -> Result<(), TemplateError> {
    let of_own = own.get(own_main).and_then(|part| {
        let found = part.relations.iter().find(|r| r.word() == "tableStyles");
        found.cloned()
    });
    let Some(of_own) = of_own else {
        return Ok(());
    };
    let theirs = joined
        .get(main)
        .and_then(|part| part.related("tableStyles").next());
    let theirs = theirs.map(|(_, name)| name.to_owned());
    match (theirs, of_own.part()) {
        (Some(theirs), Some(ours)) => {
            let ours = own.tree(ours)?;
            let mut root = joined.tree(&theirs)?;
            for style in ours.elements() {
                root.push(style.clone());
            }
            joined.fill(&theirs, &root);
            Ok(())
        }
        _ => adopt_to(joined, own, &of_own, Some(main), known),
    }
}
