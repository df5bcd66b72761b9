"""The same document by programs that others wrote: what `cargo xtask bench renderers` compares ours with.

Usage: competitors.py DOCUMENT.json FOLDER RUNS

Writes the files into FOLDER and prints a line of JSON for each program: its name, the format, the milliseconds
of each run and the kilobytes that it used at most, or why it did not run. Each writes the same headings,
paragraphs, lists, tables and charts, without our layouts, notes, citations, tags and checks: they do less.
"""

import html
import importlib.metadata
import json
import os
import resource
import shutil
import subprocess
import sys
import time


def text(runs):
    return "".join(run["text"] for run in runs)


def items(block):
    """Lists of what a block without a form of its own says, each a line."""
    kind = block["type"]
    if kind == "bullets" or kind == "numbered":
        return [text(item["runs"]) for item in block["items"]]
    if kind == "kpis":
        return [f"{item['value']} {item['label']}" for item in block["items"]]
    if kind == "steps":
        return [f"{item['title']}: {text(item['runs'])}" for item in block["items"]]
    if kind == "timeline":
        return [f"{event['when']}: {event['title']}. {text(event['runs'])}" for event in block["events"]]
    if kind == "comparison":
        return [
            criterion["label"] + ": " + ", ".join(text(cell) for cell in criterion["cells"])
            for criterion in block["criteria"]
        ]
    if kind == "cta":
        return [block["label"]]
    return []


def blocks(section):
    for block in section.get("blocks", []):
        if block["type"] == "columns":
            for column in block["columns"]:
                yield from column["blocks"]
        else:
            yield block


def rows(block):
    yield [column["label"] for column in block["columns"]]
    for row in block["rows"]:
        yield [text(cell) for cell in row]


def with_numbers(block):
    return [(series["name"], [v or 0 for v in series["values"]]) for series in block.get("series", []) if "values" in series]


def docx_file(document, out):
    import docx

    file = docx.Document()
    file.add_heading(document["meta"]["title"], 0)
    for section in document["sections"]:
        file.add_heading(section["title"], 1)
        for block in blocks(section):
            if block["type"] == "heading":
                file.add_heading(text(block["runs"]), block["level"])
            elif block["type"] == "table":
                lines = list(rows(block))
                table = file.add_table(rows=len(lines), cols=len(lines[0]))
                for row, line in zip(table.rows, lines):
                    for cell, value in zip(row.cells, line):
                        cell.text = value
            elif block["type"] == "chart":
                # python-docx has no charts: their numbers as a table.
                series = with_numbers(block)
                table = file.add_table(rows=len(series) + 1, cols=len(block["categories"]) + 1)
                for row, (name, values) in zip(table.rows[1:], series):
                    for cell, value in zip(row.cells, [name, *values]):
                        cell.text = str(value)
            elif "runs" in block:
                file.add_paragraph(text(block["runs"]))
            else:
                for item in items(block):
                    file.add_paragraph(item, style="List Bullet")
    file.save(out)


def pptx_file(document, out):
    import pptx
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.util import Inches

    deck = pptx.Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[0])
    first.shapes.title.text = document["meta"]["title"]
    box = (Inches(0.5), Inches(1.5), Inches(9), Inches(5))
    for section in document["sections"]:
        lines = []
        for block in blocks(section):
            if block["type"] in ("table", "chart"):
                slide = deck.slides.add_slide(deck.slide_layouts[5])
                slide.shapes.title.text = section["title"]
                if block["type"] == "table":
                    cells = list(rows(block))
                    table = slide.shapes.add_table(len(cells), len(cells[0]), *box).table
                    for at, line in enumerate(cells):
                        for column, value in enumerate(line):
                            table.cell(at, column).text = value
                else:
                    data = CategoryChartData()
                    data.categories = block["categories"]
                    for name, values in with_numbers(block):
                        data.add_series(name, values)
                    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *box, data)
            elif "runs" in block:
                lines.append(text(block["runs"]))
            else:
                lines.extend(items(block))
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = section["title"]
        slide.placeholders[1].text = "\n".join(lines)
    deck.save(out)


def page(document):
    """The document as a page, for what makes a PDF of pages."""
    escape = html.escape
    parts = [f"<h1>{escape(document['meta']['title'])}</h1>"]
    for section in document["sections"]:
        parts.append(f"<h2>{escape(section['title'])}</h2>")
        for block in blocks(section):
            if block["type"] == "table":
                lines = "".join(
                    "<tr>" + "".join(f"<td>{escape(value)}</td>" for value in line) + "</tr>" for line in rows(block)
                )
                parts.append(f"<table border=1>{lines}</table>")
            elif block["type"] == "chart":
                bars = "".join(
                    f"<rect x={at * 30} y={100 - min(value, 100)} width=24 height={min(value, 100)} />"
                    for at, value in enumerate(v for _, values in with_numbers(block) for v in values)
                )
                parts.append(f"<svg width=600 height=100>{bars}</svg>")
            elif "runs" in block:
                parts.append(f"<p>{escape(text(block['runs']))}</p>")
            else:
                parts.append("<ul>" + "".join(f"<li>{escape(item)}</li>" for item in items(block)) + "</ul>")
    language = escape(document["meta"]["language"])
    return f"<!doctype html><html lang={language}><meta charset=utf-8><title>x</title>{''.join(parts)}</html>"


def weasyprint_file(markup, out):
    import weasyprint

    weasyprint.HTML(string=markup).write_pdf(out)


def told(name, form, milliseconds, **more):
    print(json.dumps({"name": name, "format": form, "ms": milliseconds, **more}), flush=True)


def library(package, form, runs, make):
    """Times a library in a process of its own, so that the memory is its own. Its start isn't counted."""
    try:
        version = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return told(package, form, [], missing="not installed")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        times = []
        try:
            make()  # imports, and whatever it reads once
            for _ in range(runs):
                begin = time.monotonic()
                make()
                times.append((time.monotonic() - begin) * 1e3)
        finally:
            used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            with os.fdopen(writing, "w") as pipe:
                json.dump({"ms": times, "kilobytes": used}, pipe)
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = json.load(pipe)
    os.waitpid(child, 0)
    told(f"{package} {version}", form, answer["ms"], kilobytes=answer["kilobytes"])


def program(names, form, runs, arguments, made):
    """Times a program from its start to its end: it is used so."""
    found = next((path for path in map(shutil.which, names) if path), None)
    if not found:
        return told(names[0], form, [], missing="not installed")
    times = []
    used = 0
    for _ in range(runs):
        if os.path.exists(made):
            os.remove(made)
        begin = time.monotonic()
        process = subprocess.Popen(
            [found, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, _, usage = os.wait4(process.pid, 0)
        times.append((time.monotonic() - begin) * 1e3)
        used = max(used, usage.ru_maxrss)
        if not os.path.exists(made):
            return told(names[0], form, [], missing="made no file")
    told(f"{names[0]} (whole process)", form, times, kilobytes=used)


def main():
    source, folder, runs = sys.argv[1], os.path.abspath(sys.argv[2]), int(sys.argv[3])
    with open(source, encoding="utf-8") as file:
        document = json.load(file)
    os.makedirs(folder, exist_ok=True)
    into = lambda name: os.path.join(folder, name)
    library("python-pptx", "pptx", runs, lambda: pptx_file(document, into("python-pptx.pptx")))
    library("python-docx", "docx", runs, lambda: docx_file(document, into("python-docx.docx")))
    markup = page(document)
    with open(into("page.html"), "w", encoding="utf-8") as file:
        file.write(markup)
    library("weasyprint", "pdf", runs, lambda: weasyprint_file(markup, into("weasyprint.pdf")))
    profile = "-env:UserInstallation=file://" + into("libreoffice-profile")
    program(
        ["soffice"],
        "pdf",
        runs,
        [profile, "--headless", "--convert-to", "pdf:writer_web_pdf_Export", "--outdir", folder, into("page.html")],
        into("page.pdf"),
    )
    program(
        ["chromium", "chromium-browser", "google-chrome"],
        "pdf",
        runs,
        [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--user-data-dir=" + into("chromium-profile"),
            "--print-to-pdf=" + into("chromium.pdf"),
            "file://" + into("page.html"),
        ],
        into("chromium.pdf"),
    )


if __name__ == "__main__":
    main()
