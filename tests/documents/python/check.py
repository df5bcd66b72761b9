"""Opens files with the libraries that people use, and lints what no tool looks at.

Standard input has one line of JSON for each file: `file`, `format`, and optionally `pages` (as the renderer counted
them) and `evidence` (a file whose content the document must carry). For each tool that applies, one line of JSON goes
to standard output: `file`, `tool` and `faults`, a list of texts.
"""

import contextlib
import io
import json
import sys
import warnings
import zipfile

import package_lint
import workbooks
from lxml import etree

OOXML = {"pptx", "docx"}


def audited(path, _given):
    """openxml-audit: schema, semantics and what Office is known to repair."""
    from openxml_audit import FileFormat, OpenXmlValidator

    result = OpenXmlValidator(file_format=FileFormat.MICROSOFT_365, max_errors=50).validate(path)
    return [f"{error.part_uri} {error.path} {error.description}" for error in result.errors]


# What docx-integrity itself calls a guess: it lacks the font, or the text fills its box to some hundredths.
GUESSES = ("widths are a guess", "within measurement tolerance")


def integrity(path, given):
    """docx-integrity: text over its box, shapes over others, undefined styles, dead relationships."""
    import docx_integrity

    check = docx_integrity.check_pptx if given["format"] == "pptx" else docx_integrity.check
    found = [str(finding) for finding in check(path) if finding.severity != docx_integrity.INFO]
    return [text for text in found if not any(guess in text for guess in GUESSES)]


# Points of a chart that python-pptx reads.
MOST_POINTS = 4_000


def opened_by_python_pptx(path, given):
    from pptx import Presentation

    faults = []
    presentation = Presentation(path)
    slides = list(presentation.slides)
    if "pages" in given and len(slides) != given["pages"]:
        faults.append(f"{len(slides)} slides, but the renderer counted {given['pages']}")
    for number, slide in enumerate(slides, 1):
        if slide.shapes.title is None or not slide.shapes.title.text_frame.text.strip():
            faults.append(f"slide {number} has no title")
        if slide.has_notes_slide:
            _ = slide.notes_slide.notes_text_frame.text
        for shape in slide.shapes:
            if shape.has_text_frame:
                _ = shape.text_frame.text
            if shape.has_table:
                _ = [cell.text for row in shape.table.rows for cell in row.cells]
            # It looks each point up among all of them; openpyxl reads the large charts below.
            if shape.has_chart and len(shape.chart.element.xpath(".//c:pt")) < MOST_POINTS:
                for plot in shape.chart.plots:
                    _ = [list(series.values) for series in plot.series]
    return faults


def opened_by_python_docx(path, _given):
    from docx import Document

    document = Document(path)
    faults = []
    for paragraph in document.paragraphs:
        _ = (paragraph.text, paragraph.style.name)
    if not any(paragraph.text.strip() for paragraph in document.paragraphs):
        faults.append("there is no text")
    for table in document.tables:
        _ = [cell.text for row in table.rows for cell in row.cells]
    for section in document.sections:
        _ = [paragraph.text for part in (section.header, section.footer) for paragraph in part.paragraphs]
    return faults


def workbooks_opened(path, _given):
    """openpyxl: each chart's workbook opens and has the numbers that the chart shows."""
    return workbooks.faults(path)


def linted(path, given):
    """Our own lint: what Office stumbles over and no tool above sees."""
    return package_lint.faults(path, given["format"])


def evidence(path, given):
    """The file carries the manifest of its evidence: a part with its bytes, or a custom XML part with its text.

    Word keeps custom XML when somebody saves the file, and such a part must be XML.
    """
    if "evidence" not in given:
        return []
    with open(given["evidence"], "rb") as file:
        wanted = file.read()
    with zipfile.ZipFile(path) as package:
        for name in package.namelist():
            content = package.read(name)
            if content == wanted:
                return []
            if name.startswith("customXml/item") and name.endswith(".xml"):
                text = "".join(etree.fromstring(content).itertext())
                if text.strip() == wanted.decode().strip():
                    return []
    return ["no part has the manifest of evidence"]


TOOLS = [
    ("openxml-audit", OOXML, audited),
    ("docx-integrity", OOXML, integrity),
    ("python-pptx", {"pptx"}, opened_by_python_pptx),
    ("python-docx", {"docx"}, opened_by_python_docx),
    ("openpyxl", OOXML, workbooks_opened),
    ("lint", OOXML, linted),
    ("evidence", OOXML, evidence),
]


def main():
    warnings.simplefilter("ignore")
    answers = sys.stdout
    for line in sys.stdin:
        given = json.loads(line)
        for tool, formats, check in TOOLS:
            if given["format"] not in formats:
                continue
            try:
                # What a library prints must not get between the answers.
                with contextlib.redirect_stdout(io.StringIO()):
                    faults = check(given["file"], given)
            except Exception as error:  # Any error of a library is what a user of it would meet.
                faults = [f"{type(error).__name__}: {error}"]
            faults = sorted({" ".join(fault.split())[:400] for fault in faults})
            print(json.dumps({"file": given["file"], "tool": tool, "faults": faults}), file=answers, flush=True)


main()
