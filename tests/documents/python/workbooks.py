"""The workbooks inside charts: each opens, and its cells are the numbers and names that the chart shows."""

import io
import posixpath
import zipfile

import openpyxl
from lxml import etree

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


def faults(path):
    found = []
    with zipfile.ZipFile(path) as package:
        names = set(package.namelist())
        for name in sorted(names):
            folder, file = posixpath.split(name)
            if posixpath.basename(folder) != "charts" or not file.endswith(".xml"):
                continue
            chart = etree.fromstring(package.read(name), etree.XMLParser(huge_tree=True))
            if chart.tag != C + "chartSpace":
                continue
            relations = f"{folder}/_rels/{file}.rels"
            target = None
            if relations in names:
                for item in etree.fromstring(package.read(relations)).iter(RELATIONSHIP):
                    if item.get("Type").endswith("/package"):
                        target = posixpath.normpath(posixpath.join(folder, item.get("Target")))
            if target is None:
                found.append(f"{name} has no workbook: nobody can edit its numbers")
                continue
            book = openpyxl.load_workbook(io.BytesIO(package.read(target)))
            found += [f"{name}: {fault}" for fault in compared(chart, book)]
    return found


def compared(chart, book):
    for reference in chart.iter(C + "numRef", C + "strRef", C + "multiLvlStrRef"):
        formula = reference.findtext(C + "f")
        sheet, _, cells = formula.rpartition("!")
        sheet = sheet.strip("'").replace("''", "'")
        if sheet not in book.sheetnames:
            yield f"{formula} names a sheet that the workbook does not have"
            continue
        area = book[sheet][cells.replace("$", "")]
        rows = area if isinstance(area, tuple) else ((area,),)
        values = [cell.value for row in rows for cell in (row if isinstance(row, tuple) else (row,))]
        cache = reference.find(C + "numCache")
        is_number = cache is not None
        if cache is None:
            cache = reference.find(C + "strCache")
        if cache is None:
            continue
        count = int(cache.find(C + "ptCount").get("val"))
        if count != len(values):
            yield f"{formula} has {len(values)} cells, the chart {count} points"
            continue
        shown = {int(point.get("idx")): point.findtext(C + "v") for point in cache.iter(C + "pt")}
        for index, value in enumerate(values):
            there = shown.get(index)
            if is_number:
                same = (there is None) == (value is None) and (there is None or float(there) == float(value))
            else:
                same = (there or "") == ("" if value is None else str(value))
            if not same:
                yield f"{formula}: the chart shows {there!r}, the workbook has {value!r}"
                break
