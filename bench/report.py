"""A report: one list of parts, which a notebook shows and which becomes one HTML file that opens anywhere, offline.

Conventions: `render` gives the page as text, `write` puts it beside its place and renames it, `display` gives what
a marimo notebook shows for one part. The page holds all that it needs (the charts' library, sound, style) and
forbids itself every connection by its content-security policy: its scripts are named by their hash and `eval` is
not allowed. Nothing enters it unescaped. The same parts give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

from bench import __version__
from bench.charts import styled
from bench.page import Page, markup, note, slug, text, title
from bench.page import conflict as conflict_line
from bench.part import (
    Chart,
    Clips,
    Conflict,
    Figure,
    KeyFigures,
    Part,
    Prose,
    Rows,
    Signature,
    Table,
    alignments,
    comma,
    shown,
)
from bench.player import ClipPlayer, Take, script, style

__all__ = [
    "Chart",
    "Clips",
    "Conflict",
    "Figure",
    "KeyFigures",
    "Part",
    "Prose",
    "Rows",
    "Signature",
    "Table",
    "Take",
    "comma",
    "display",
    "render",
    "write",
]

VEGA_LITE = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#2871ae" stroke-width="2" '
    'stroke-linecap="round"><path d="M2 7v2M5 4v8M8 2v12M11 5v6M14 7v2"/></svg>'
)


def render(heading: str, parts: Iterable[Part], *, subtitle: str = "", language: str = "en") -> str:
    """The report as the text of one HTML file. Raises Fault where `parts` holds something else than parts."""
    page = Page(parts := list(parts))
    body = "\n".join([markup(part, page) for part in parts])
    appendix = page.appendix()
    links = "".join(f'<a href="#{name}">{text(words)}</a>' for name, words in page.headings)
    contents = f'<nav aria-label="Contents">{links}</nav>' if len(page.headings) > 1 else ""
    names = ["report.js", *(["slices.js"] if page.rows else [])]
    code = [
        script().replace("export default", "void"),
        *(files("bench").joinpath(name).read_text("utf-8") for name in names),
    ]
    scripts = [*([_vega()] if page.charts else []), f"(() => {{\n{''.join(code)}}})();"]
    policy = (
        f"default-src 'none'; script-src {' '.join(map(_hash, scripts))}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    lines = [
        "<!doctype html>",
        f'<html class="earshot" lang="{html.escape(language)}">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f'<link rel="icon" href="data:image/svg+xml;base64,{_base64(ICON.encode())}">',
        f"<title>{html.escape(heading)}</title>",
        f"<style>\n{style()}</style>",
        "</head>",
        "<body>",
        f"<header><h1>{text(heading)}</h1>{f'<p>{text(subtitle)}</p>' if subtitle else ''}{contents}</header>",
        f"<main>\n{body}\n{appendix}</main>",
        f"<footer>Made by Earshot {__version__}. This file is complete: it asks no network for anything.</footer>",
        *(f'<script type="application/json" id="{name}">{_json(data)}</script>' for name, data in page.data.items()),
        *(f"<script>{code}</script>" for code in scripts),
        # Sound and rows stand last: the page is drawn before a browser has read this far.
        *(f'<script type="text/plain" id="{name}">{_base64(data)}</script>' for data, name in page.held.items()),
        "</body>",
        "</html>\n",
    ]
    return "\n".join(lines).encode("utf-8", "replace").decode()  # a lone surrogate becomes a question mark


def write(path: Path, heading: str, parts: Iterable[Part], *, subtitle: str = "", language: str = "en") -> Path:
    """Render into `path`, whose folder is made; a reader sees the old file or the new one, never a part of it."""
    content = render(heading, parts, subtitle=subtitle, language=language)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    beside.write_text(content, encoding="utf-8", newline="\n")
    os.replace(beside, path)
    return path


def display(part: Part) -> Any:
    """What a marimo notebook shows for a part: a live table, chart or player, or the part's own HTML."""
    import marimo as mo  # only a notebook needs it, and it takes long to import

    def fragment(*inner: str) -> Any:
        return mo.Html(f'<style>{style()}</style><div class="earshot">{"".join(inner)}</div>')

    match part:
        case Table():
            names = part.headings
            specs = {names[column]: part.formats.get(column) for column in part.frame.columns}
            formats: dict[str, str | Callable[..., Any]] = {
                name: (lambda value, spec=spec: shown(value, spec)) for name, spec in specs.items() if spec
            }
            formats |= {names[c]: shown for c in part.frame.columns if alignments(part.frame[c])}
            table = mo.ui.table(
                part.frame.rename(columns=names),
                selection=None,
                show_download=False,  # marimo's own CSV does not guard formulas
                show_data_types=False,
                show_column_summaries=False,
                format_mapping=formats,
                header_tooltip={names[column]: line for column, line in part.signatures.items()},
            )
            name = f"{slug(part.title) or 'table'}.csv"
            csv = mo.download(comma(part).encode("utf-8-sig"), filename=name, label="Download CSV")
            below = fragment(note(part.note), conflict_line(part.conflict))
            return mo.vstack([fragment(title(part.title)), table, mo.hstack([csv], justify="start"), below])
        case Rows():
            counts = (
                part.frame.groupby(list(part.by), sort=False, dropna=False)[["errors", "words"]].sum().reset_index()
            )
            counts.insert(len(part.by), "error_rate", counts["errors"] / counts["words"])
            sums = Table(counts, part.title, {"error_rate": ".1%"}, {}, {"error_rate": part.signature}, part.note)
            return mo.vstack([display(sums), mo.ui.table(part.frame, selection=None, show_download=False)])
        case Chart():
            below = fragment(note(part.note), note(part.signature))
            return mo.vstack([fragment(title(part.title)), styled(part.chart), below])
        case Clips():
            return mo.vstack([fragment(title(part.title), note(part.note)), mo.ui.anywidget(ClipPlayer(part.takes))])
    page = Page([part])
    inner = markup(part, page)
    folded = f"<details><summary>Signatures</summary>{page.signed()}</details>" if page.signatures else ""
    return fragment(inner, folded)


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _hash(code: str) -> str:
    return f"'sha256-{_base64(hashlib.sha256(code.encode()).digest())}'"


@cache
def _vega() -> str:
    """Vega, Vega-Lite and vega-embed as one script, 0.9 MB."""
    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed=vegaEmbed;", vl_version=VEGA_LITE)
    return bundle.replace("</script", "<\\/script")
