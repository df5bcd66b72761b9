"""What makes Office offer a repair, or a click lead nowhere, and what neither the SDK's validator nor openxml-audit
reports: parts that are declared and missing, anchors without a target, relationships that point outside."""

import posixpath
import re
import zipfile
from collections import Counter

from lxml import etree

CONTENT_TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"
RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


def faults(path, form):
    with zipfile.ZipFile(path) as package:
        names = package.namelist()
        found = [f"{name} is in the package twice" for name, count in Counter(names).items() if count > 1]
        folded = Counter(name.lower() for name in set(names))
        found += [f"{name} differs from another part only in case" for name, count in folded.items() if count > 1]
        parts = {name: package.read(name) for name in names if not name.endswith("/")}
    trees = {}
    for name, content in parts.items():
        if name.endswith((".xml", ".rels")):
            trees[name] = etree.fromstring(content, etree.XMLParser(resolve_entities=False, huge_tree=True))
            if b"<!DOCTYPE" in content:
                found.append(f"{name} has a document type")
    found += content_types(parts, trees)
    relations = relationships(parts, trees, found)
    found += references(trees, relations)
    found += anchors(trees) if form == "docx" else shapes(trees)
    return found


def content_types(parts, trees):
    types = trees.get("[Content_Types].xml")
    if types is None:
        return ["there is no [Content_Types].xml"]
    found = []
    defaults = {item.get("Extension").lower() for item in types.iter(CONTENT_TYPES + "Default")}
    overrides = Counter(item.get("PartName") for item in types.iter(CONTENT_TYPES + "Override"))
    for name, count in overrides.items():
        if name.lstrip("/") not in parts:
            found.append(f"[Content_Types].xml has a type for {name}, which is not there")
        if count > 1:
            found.append(f"[Content_Types].xml has {count} types for {name}")
    for name in parts:
        extension = posixpath.basename(name).rpartition(".")[2].lower()
        if name != "[Content_Types].xml" and "/" + name not in overrides and extension not in defaults:
            found.append(f"{name} has no content type")
    return found


def owner(name):
    """The part whose relationships these are."""
    folder, file = posixpath.split(name)
    return posixpath.join(posixpath.dirname(folder), file.removesuffix(".rels"))


def relationships(parts, trees, found):
    """Ids by part. Faults are added to `found`."""
    relations = {}
    reached = set()
    for name, tree in trees.items():
        if not name.endswith(".rels"):
            continue
        part = owner(name)
        if part and part not in parts:
            found.append(f"{name} is for {part}, which is not there")
        ids = relations.setdefault(part, {})
        for item in tree.iter(RELATIONSHIP):
            if item.get("Id") in ids:
                found.append(f"{name} has two relationships {item.get('Id')}")
            target = item.get("Target")
            ids[item.get("Id")] = target
            if item.get("TargetMode") == "External":
                kind = item.get("Type").rsplit("/", 1)[1]
                if kind != "hyperlink":
                    found.append(f"{name} loads {target} from outside ({kind})")
                elif not re.match(r"(?i)(https?://|mailto:)", target):
                    found.append(f"{name} links to {target}")
                continue
            base = posixpath.dirname(part)
            target = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(base, target))
            reached.add(target)
            if target not in parts:
                found.append(f"{name} leads to {target}, which is not there")
    for name in parts:
        if name not in reached and not name.endswith(".rels") and name != "[Content_Types].xml":
            found.append(f"no relationship leads to {name}")
    return relations


def references(trees, relations):
    """Each id of a relationship that a part uses is one of its own."""
    found = []
    for name, tree in trees.items():
        if name.endswith(".rels"):
            continue
        known = relations.get(name, {})
        for element in tree.iter(etree.Element):
            for attribute, value in element.attrib.items():
                if attribute.startswith(R) and value and value not in known:
                    found.append(f"{name} uses the relationship {value}, which it does not have")
    return found


def anchors(trees):
    """Bookmarks of the document, and what leads to them."""
    found = []
    names, ids = Counter(), Counter()
    for name, tree in trees.items():
        if name.startswith("word/") and not name.endswith(".rels"):
            for mark in tree.iter(W + "bookmarkStart"):
                names[mark.get(W + "name")] += 1
                ids[mark.get(W + "id")] += 1
    found += [f"the bookmark {name} is there {count} times" for name, count in names.items() if count > 1]
    found += [f"two bookmarks have the id {id}" for id, count in ids.items() if count > 1]
    for name, tree in trees.items():
        if name.endswith(".rels"):
            continue
        for link in tree.iter(W + "hyperlink"):
            anchor = link.get(W + "anchor")
            if anchor is not None and anchor not in names:
                found.append(f"{name} links to the anchor {anchor}, which is not there")
        texts = [text.text or "" for text in tree.iter(W + "instrText")]
        texts += [field.get(W + "instr") or "" for field in tree.iter(W + "fldSimple")]
        for text in texts:
            field = re.match(r"\s*(?:PAGEREF|REF|NOTEREF)\s+(\S+)", text)
            if field and field[1] not in names:
                found.append(f"{name} has a field for the bookmark {field[1]}, which is not there")
        begun = sum(1 for mark in tree.iter(W + "fldChar") if mark.get(W + "fldCharType") == "begin")
        ended = sum(1 for mark in tree.iter(W + "fldChar") if mark.get(W + "fldCharType") == "end")
        if begun != ended:
            found.append(f"{name} begins {begun} fields and ends {ended}")
        drawings = Counter(element.get("id") for element in tree.iter("{*}docPr") if element.tag != W + "docPr")
        found += [f"{name}: {count} drawings have the id {id}" for id, count in drawings.items() if count > 1]
    return found


def shapes(trees):
    """Ids of shapes are used once on a slide; a text body has a paragraph; a picture says what it shows."""
    found = []
    for name, tree in trees.items():
        if not re.match(r"ppt/(slides|slideLayouts|slideMasters|notesSlides)/[^/]*\.xml$", name):
            continue
        ids = Counter(element.get("id") for element in tree.iter(P + "cNvPr"))
        found += [f"{name}: {count} shapes have the id {id}" for id, count in ids.items() if count > 1]
        for body in tree.iter(P + "txBody", A + "txBody"):
            if body.find(A + "p") is None:
                found.append(f"{name} has a text body without a paragraph")
        for frame in tree.iter(P + "pic", P + "graphicFrame"):
            properties = next(frame.iter(P + "cNvPr"), None)
            decorative = frame.find(".//{*}decorative") is not None
            is_table = frame.find(".//" + A + "tbl") is not None
            if properties is not None and not properties.get("descr") and not decorative and not is_table:
                found.append(f"{name}: {properties.get('name')} has no alternative text")
    return found
