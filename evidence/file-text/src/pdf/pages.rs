//! The pages of a file in order.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::file::File;
use super::object::{Dict, Object};
use super::paint::Area;
use crate::Refusal;
use crate::limits::{MAX_PAGES, MAX_PART_BYTES};

/// Deepest nesting of the page tree.
const MAX_DEPTH: usize = 64;
/// Most streams of one page.
const MAX_STREAMS: usize = 2_000;

/// A page with the resources and the box that it has or inherits.
pub(super) struct Page {
    pub(super) dict: Rc<Dict>,
    pub(super) resources: Rc<Dict>,
    pub(super) bounds: Option<Area>,
}

/// What a node of the page tree hands down.
#[derive(Clone, Default)]
struct Inherited {
    resources: Rc<Dict>,
    media: Option<Area>,
    crop: Option<Area>,
}

/// The pages, and whether there are more than are read. A node that comes again is left out.
pub(super) fn pages(file: &mut File<'_, '_>, catalog: &Dict) -> Result<(Vec<Page>, bool), Refusal> {
    let mut pages = Vec::new();
    let mut seen: BTreeSet<u32> = BTreeSet::new();
    let root = catalog
        .get(b"Pages".as_slice())
        .cloned()
        .unwrap_or(Object::Null);
    // Nodes that are yet to be read, the next one last.
    let mut open: Vec<(Object, Inherited, usize)> = vec![(root, Inherited::default(), 0)];
    while let Some((node, inherited, depth)) = open.pop() {
        file.budget.step(1)?;
        if let Object::Reference(number) = node
            && !seen.insert(number)
        {
            continue;
        }
        let node = file.resolve(&node)?;
        let Some(dict) = node.dict() else { continue };
        let resources = file.get(dict, "Resources")?;
        let mut own = |name: &str| -> Result<Option<Area>, Refusal> {
            let numbers = file.get(dict, name)?;
            let numbers = numbers.array().unwrap_or_default().to_vec();
            let numbers: Result<Vec<Object>, Refusal> =
                numbers.iter().map(|it| file.resolve(it)).collect();
            Ok(Area::of_box(&numbers?))
        };
        let inherited = Inherited {
            media: own("MediaBox")?.or(inherited.media),
            crop: own("CropBox")?.or(inherited.crop),
            resources: resources.dict().cloned().unwrap_or(inherited.resources),
        };
        match file.get(dict, "Kids")? {
            Object::Array(kids) if depth < MAX_DEPTH => {
                file.budget.step(kids.len())?;
                let kids = kids.iter().rev();
                open.extend(kids.map(|kid| (kid.clone(), inherited.clone(), depth + 1)));
            }
            Object::Array(_) => {}
            _ if pages.len() >= MAX_PAGES => return Ok((pages, true)),
            _ => pages.push(Page {
                dict: Rc::clone(dict),
                resources: inherited.resources,
                bounds: inherited.crop.or(inherited.media),
            }),
        }
    }
    Ok((pages, false))
}

/// A page's content. Several streams are one, divided by white space.
pub(super) fn content(file: &mut File<'_, '_>, page: &Page) -> Result<Vec<u8>, Refusal> {
    let streams = match file.get(&page.dict, "Contents")? {
        Object::Array(streams) => streams.to_vec(),
        single => vec![single],
    };
    let mut all = Vec::new();
    for stream in streams.iter().take(MAX_STREAMS) {
        if let Object::Stream(stream) = file.resolve(stream)? {
            let data = file.data(&stream)?;
            if all.is_empty() {
                all = data;
            } else {
                all.push(b'\n');
                all.extend(data);
            }
            if all.len() > MAX_PART_BYTES {
                return Err(Refusal::TooLarge);
            }
        }
    }
    Ok(all)
}
