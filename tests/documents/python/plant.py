"""Makes files with one known fault each, so that a tool that has gone blind is noticed.

The argument is a folder. For each file one line of JSON goes to standard output: `file`, `format`, `tool`, the one
that must report it, and `says`, a part of what it must say.
"""

import io
import json
import pathlib
import re
import sys
import zipfile

from docx import Document
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches


def deck():
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "A title"
    data = CategoryChartData()
    data.categories = ["a", "b"]
    data.add_series("s", (1, 2))
    box = (Inches(1), Inches(2), Inches(5), Inches(4))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *box, data)
    stream = io.BytesIO()
    presentation.save(stream)
    return stream.getvalue()


def letter():
    document = Document()
    document.add_heading("A heading")
    document.add_paragraph("A paragraph")
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def changed(content, part, change):
    """The package with one part changed by `change`, which takes and gives its text."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            text = old.read(name)
            if name == part:
                after = change(text.decode()).encode()
                assert after != text, f"nothing was planted in {part}"
                text = after
            new.writestr(name, text)
    return stream.getvalue()


def replaced(pattern, by):
    return lambda text: re.sub(pattern, by, text, count=1)


PHANTOM = replaced(
    "</Types>",
    '<Override PartName="/ppt/slides/slide9.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.presentationml.slide+xml"/></Types>',
)
LINK = '<w:hyperlink w:anchor="nowhere"><w:r><w:t>see</w:t></w:r></w:hyperlink></w:p>'
SLIDE = "ppt/slides/slide1.xml"
PDF = b"""%PDF-1.7
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9]>> endobj
trailer <</Root 1 0 R /Size 4>>
%%EOF
"""


def planted():
    slides, text = deck(), letter()
    unknown = replaced("<w:body>", "<w:body><w:nonsense/>")
    style = replaced('w:val="Heading1"', 'w:val="NoSuchStyle"')
    empty = replaced(r"(<p:txBody>.*?)<a:p>.*?</a:p>(?=</p:txBody>)", r"\1")
    number = replaced(r"<c:v>2(\.0)?</c:v>", "<c:v>3.0</c:v>")
    far = replaced(r'<a:off x="\d+" y="\d+"/>', '<a:off x="many" y="0"/>')
    yield "element.docx", changed(text, "word/document.xml", unknown), "openxml-audit", "nonsense"
    yield "element-sdk.docx", changed(text, "word/document.xml", unknown), "open-xml-sdk", "nonsense"
    yield "offset.pptx", changed(slides, SLIDE, far), "open-xml-sdk", "many"
    yield "style.docx", changed(text, "word/document.xml", style), "docx-integrity", "NoSuchStyle"
    yield "cut.pptx", slides[: len(slides) // 2], "python-pptx", ""
    yield "cut.docx", text[: len(text) // 2], "python-docx", ""
    yield "number.pptx", changed(slides, "ppt/charts/chart1.xml", number), "openpyxl", "3.0"
    yield "phantom.pptx", changed(slides, "[Content_Types].xml", PHANTOM), "lint", "slide9"
    yield "anchor.docx", changed(text, "word/document.xml", replaced("</w:p>", LINK)), "lint", "nowhere"
    yield "paragraph.pptx", changed(slides, SLIDE, empty), "lint", "without a paragraph"
    yield "no-evidence.docx", text, "evidence", "manifest"
    yield "not-a-deck.pptx", b"PK\x03\x04" + b"\x00\x01\x02" * 100, "libreoffice", ""
    yield "no-table.pdf", PDF, "qpdf", "damaged"
    yield "untagged.pdf", PDF, "verapdf", "ua1"
    yield "bare.pdf", PDF, "evidence", "manifest"


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content, tool, says in planted():
        path = folder / name
        path.write_bytes(content)
        print(json.dumps({"file": str(path), "format": path.suffix[1:], "tool": tool, "says": says}))


main()
