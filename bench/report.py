"""A report: one list of parts, which a notebook shows and which becomes one HTML file that opens anywhere, offline.

Conventions: `render` gives the page as text, `write` puts it beside its place and renames it, `display` gives what
a marimo notebook shows for one part. The page holds all that it needs (the charts' library, sound, style) and
forbids itself every connection by its content-security policy: its scripts are named by their hash and `eval` is
not allowed. Nothing enters it unescaped. The same parts give the same bytes.
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import altair as alt
import anywidget
import traitlets
import vl_convert

from bench import __version__, journal
from bench.charts import styled
from bench.page import Page, encoded, markup, note, text, title
from bench.part import (
    Chart,
    Clips,
    Conflict,
    Figure,
    Folded,
    KeyFigures,
    Part,
    Prose,
    Rows,
    Signature,
    Table,
    comma,
)
from bench.player import ClipPlayer, Take, style

__all__ = [
    "Chart",
    "Clips",
    "Conflict",
    "Figure",
    "Folded",
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

PAGED = 2_000  # rows above which a notebook's table is marimo's
VEGA_LITE = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#2871ae" stroke-width="2" '
    'stroke-linecap="round"><path d="M2 7v2M5 4v8M8 2v12M11 5v6M14 7v2"/></svg>'
)


def render(
    heading: str, parts: Iterable[Part], *, subtitle: str = "", language: str = "en", systems: Iterable[str] = ()
) -> str:
    """The report as the text of one HTML file. `systems` are all systems of a run where the parts lack some, so that
    each keeps its colour. Raises Fault where `parts` holds something else than parts."""
    page = Page(parts := list(parts), systems)
    body = "\n".join([markup(part, page) for part in parts])
    appendix = page.appendix()
    links = "".join(f'<a href="#{name}">{text(words)}</a>' for name, words in page.headings)
    contents = f'<nav aria-label="Contents">{links}</nav>' if len(page.headings) > 1 else ""
    light, heavy = page.blocks()
    # Bytes stand behind the script, so that a page is drawn before a browser has read them; rows are cut after that.
    start = 'awaken(document);\naddEventListener("DOMContentLoaded", () => cut(document));'
    scripts = [*([_vega()] if page.charts else []), f"(() => {{\n{_code()}\n{start}\n}})();"]
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
        f'<link rel="icon" href="data:image/svg+xml;base64,{encoded(ICON.encode())}">',
        f"<title>{html.escape(heading)}</title>",
        f"<style>\n{style()}</style>",
        "</head>",
        "<body>",
        f"<header><h1>{text(heading)}</h1>{f'<p>{text(subtitle)}</p>' if subtitle else ''}{contents}</header>",
        f"<main>\n{body}\n{appendix}</main>",
        f"<footer>Made by Earshot {__version__}. This file is complete: it asks no network for anything.</footer>",
        *light,
        *(f"<script>{code}</script>" for code in scripts),
        *heavy,
        "</body>",
        "</html>\n",
    ]
    return "\n".join(lines).encode("utf-8", "replace").decode()  # a lone surrogate becomes a question mark


def write(path: Path, heading: str, parts: Iterable[Part], **options: Any) -> Path:
    """Render into `path`, whose folder is made; a reader sees the old file or the new one, never a part of it."""
    journal.write(path, render(heading, parts, **options).encode())
    return path


def _code() -> str:
    """The scripts of a page as one text; player.js alone is a module of its own, too."""
    text = "\n".join(
        files("bench").joinpath(name).read_text("utf-8") for name in ("player.js", "report.js", "slices.js", "folds.js")
    )
    return text.replace("export default { render };", "")


class Live(anywidget.AnyWidget):
    """A part in a notebook as it is in a report, with all that it does there."""

    _esm = _code() + "\nexport default { render: live };"
    _css = style()
    html = traitlets.Unicode().tag(sync=True)


def display(part: Part, *, systems: Sequence[str] = ()) -> Any:
    """What a marimo notebook shows for a part: the same as the report does, with the sound fetched on demand.

    A table of more than 2,000 rows is marimo's own, which pages lazily.
    """
    import marimo as mo  # only a notebook needs it, and it takes long to import

    page = Page([part], systems)
    match part:
        case Chart():
            below = fragment(note(part.note), _folded(page, part.signature, part.title))
            return mo.vstack([fragment(title(part.title)), styled(part.chart), below])
        case Clips():
            return mo.vstack(
                [fragment(title(part.title), note(part.note)), mo.ui.anywidget(ClipPlayer(part.takes, systems=systems))]
            )
        case Table() if len(part.frame) > PAGED:
            texts = part.frame.rename(columns=part.headings)
            return mo.vstack([fragment(title(part.title)), mo.ui.table(texts, selection=None, show_download=False)])
        case Table() | Rows() | Folded():
            inner = markup(part, page)
            light, heavy = page.blocks()
            return mo.ui.anywidget(Live(html="".join([inner, _folded(page), *light, *heavy])))
    return fragment(markup(part, page), _folded(page))


def fragment(*inner: str) -> Any:
    """HTML of parts for a notebook, in Earshot's style."""
    import marimo as mo

    return mo.Html(f'<style>{style()}</style><div class="earshot">{"".join(inner)}</div>')


def _folded(page: Page, signature: str = "", name: str = "") -> str:
    """The signatures of a part in a notebook, which has no appendix."""
    page.sign(signature, name)
    return f"<details><summary>Signatures</summary>{page.signed()}</details>" if page.signatures else ""


def _hash(code: str) -> str:
    return f"'sha256-{encoded(hashlib.sha256(code.encode()).digest())}'"


@cache
def _vega() -> str:
    """Vega, Vega-Lite and vega-embed as one script, 0.9 MB."""
    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed=vegaEmbed;", vl_version=VEGA_LITE)
    return bundle.replace("</script", "<\\/script")
