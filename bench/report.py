"""A report: one list of parts, which a notebook shows and which becomes one HTML file that opens anywhere, offline.

Conventions: parts are frozen values in reading order, the answer before the detail. `render` gives the page as
text, `write` puts it beside its place and renames it, `display` gives what a marimo notebook shows for one part.
The page holds everything it needs (charts' library, sound, style) and forbids itself every connection by its
content-security policy: its scripts are named by their hash, and `eval` is not among them. Nothing enters the
page unescaped, and text that runs right to left or holds bidirectional controls is isolated. The same parts
give the same bytes. A signature is the line that says how a number came about; it stands on the number's label,
and all of them in an appendix.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, singledispatch
from importlib.resources import files
from pathlib import Path
from typing import Any

import altair as alt
import pandas as pd
import vl_convert
from markdown_it import MarkdownIt

from bench import __version__, charts
from bench.fault import Fault
from bench.player import ClipPlayer, Take, describe, script, style

VEGA_LITE = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
FORMULA = tuple("=+-@\t\r\n＝＋－＠")  # what a spreadsheet may take for the start of a formula
LONG = 600  # characters; a longer cell scrolls


@dataclass(frozen=True, slots=True)
class Prose:
    """Text in CommonMark with tables; HTML in it is shown as text and images are left out."""

    text: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One number with its name: `value` as it is read, `detail` what makes it understood (interval, basis, caveat)."""

    name: str
    value: str
    detail: str = ""
    system: str | None = None
    signature: str = ""


@dataclass(frozen=True, slots=True)
class KeyFigures:
    """The answer: a few numbers in large type."""

    figures: tuple[Figure, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """A frame. `formats` {column: format spec, as in `format(value, spec)`}, `signatures` {column: signature},
    `names` {column: heading}. Columns of numbers stand right; missing values show as a dash. The column `system`
    carries the system's colour. A column of alignments (see `bench.player`) shows its words marked."""

    frame: pd.DataFrame
    title: str = ""
    formats: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    signatures: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    conflict: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class Chart:
    """An Altair chart."""

    chart: Any
    title: str = ""
    note: str = ""
    signature: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class Clips:
    """Takes to hear, in the order given."""

    takes: tuple[Take, ...]
    title: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature that belongs to the whole report rather than to one number."""

    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The conflict-of-interest line of each system: {system: statement}."""

    statements: Mapping[str, str]


Part = Prose | KeyFigures | Table | Chart | Clips | Signature | Conflict


def render(title: str, parts: Iterable[Part], *, subtitle: str = "", language: str = "en") -> str:
    """The report as the text of one HTML file. Raises Fault for a part that is none."""
    page = _Page(parts := list(parts))
    body = "\n".join(_html(part, page) for part in parts)
    nav = "".join(f'<a href="#{name}">{_text(heading)}</a>' for name, heading in page.headings)
    scripts = [
        f"(() => {{\n{script().replace('export ', '').replace('default {', 'void {')}\n{_file('report.js')}\n}})();"
    ]
    if page.charts:
        scripts.insert(0, _vega())
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in scripts)
    policy = f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    head = [
        "<!doctype html>",
        f'<html class="earshot" lang="{html.escape(language)}">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f'<link rel="icon" href="data:image/svg+xml;base64,{_icon()}">',
        f"<title>{html.escape(title)}</title>",
        f"<style>\n{style()}</style>",
        "</head>",
        "<body>",
        f"<header><h1>{_text(title)}</h1>{f'<p>{_text(subtitle)}</p>' if subtitle else ''}",
        f'<nav aria-label="Contents">{nav}</nav></header>' if len(page.headings) > 1 else "</header>",
        "<main>",
        body,
        page.appendix(),
        "</main>",
        f"<footer>Made by Earshot {__version__}. This file is complete: it needs no network and sends nothing.</footer>",
        *(f'<script type="application/json" id="{name}">{_json(data)}</script>' for name, data in page.data.items()),
        *(f"<script>{s}</script>" for s in scripts),
        # Sound comes last: the page is drawn before a browser has read this far.
        *(
            f'<script type="text/plain" id="{name}">{base64.b64encode(flac).decode()}</script>'
            for flac, name in page.sounds.items()
        ),
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(head).encode("utf-8", "replace").decode()


def write(path: Path, title: str, parts: Iterable[Part], *, subtitle: str = "", language: str = "en") -> Path:
    """Render into `path`, whose folder is made; a reader sees the old file or the new one, never a part of it."""
    text = render(title, parts, subtitle=subtitle, language=language)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    beside.write_text(text, encoding="utf-8", newline="\n")
    os.replace(beside, path)
    return path


def display(part: Part) -> Any:
    """What a marimo notebook shows for a part: a live table, chart or player, or the part's own HTML."""
    import marimo as mo  # only a notebook needs it

    if isinstance(part, Table):
        shown = part.frame.rename(columns=_name(part))
        heads = {_name(part)[column]: text for column, text in part.signatures.items()}
        formats = {_name(part)[c]: _formatter(spec) for c, spec in part.formats.items()}
        words = {_name(part)[c]: _said for c in part.frame.columns if _alignments(part.frame[c])}
        table = mo.ui.table(
            shown, selection=None, show_download=False, format_mapping={**formats, **words}, header_tooltip=heads
        )
        download = mo.download(
            comma(part).encode("utf-8-sig"), filename=f"{_slug(part.title) or 'table'}.csv", label="CSV"
        )
        rest = _fragment(f"{_note(part.note)}{_conflict_line(part.conflict)}")
        return mo.vstack([_fragment(_title(part.title)), table, download, rest])
    if isinstance(part, Chart):
        drawn = charts.styled(part.chart)
        return mo.vstack([_fragment(_title(part.title)), drawn, _fragment(_note(part.note) + _code(part.signature))])
    if isinstance(part, Clips):
        player = mo.ui.anywidget(ClipPlayer(part.takes))
        return mo.vstack([_fragment(_title(part.title)), player, _fragment(_note(part.note))])
    page = _Page([part])
    return _fragment(_html(part, page) + page.appendix())


def comma(table: Table) -> str:
    """The table as CSV (RFC 4180) at full precision; a text that a spreadsheet would run as a formula gets an
    apostrophe before it."""

    def cell(value: Any, number: bool) -> str:
        text = _raw(value)
        text = f"'{text}" if text.startswith(FORMULA) and not number else text
        return '"' + text.replace('"', '""') + '"' if re.search(r'[",\r\n]', text) else text

    frame = table.frame
    kinds = [_numeric(frame[column]) for column in frame.columns]
    lines = [[cell(_name(table)[column], False) for column in frame.columns]]
    lines += [
        [cell(value, kind) for value, kind in zip(row, kinds, strict=True)] for row in frame.itertuples(index=False)
    ]
    return "".join(",".join(line) + "\r\n" for line in lines)


class _Page:
    """What the parts of one page share while it is being rendered."""

    def __init__(self, parts: Sequence[Any]) -> None:
        for part in parts:
            if not isinstance(part, Part):
                raise Fault(
                    f"A report holds {', '.join(k.__name__ for k in Part.__args__)}; found {type(part).__name__}."
                )
        self.colours = charts.colours(name for part in parts for name in _systems(part))
        self.data: dict[str, Any] = {}
        self.sounds: dict[bytes, str] = {}
        self.headings: list[tuple[str, str]] = []
        self.signatures: dict[str, str] = {}
        self.charts = 0

    def keep(self, data: Any) -> str:
        name = f"data-{len(self.data) + 1}"
        self.data[name] = data
        return name

    def sound(self, flac: bytes) -> str:
        return self.sounds.setdefault(flac, f"sound-{len(self.sounds) + 1}")

    def heading(self, text: str) -> str:
        name = f"part-{len(self.headings) + 1}"
        self.headings.append((name, text))
        return name

    def sign(self, text: str, name: str) -> str:
        """The reference from a label to its signature."""
        if not text:
            return ""
        self.signatures.setdefault(text, name)
        n = list(self.signatures).index(text) + 1
        label = f"Signature {n}: {text}"
        return (
            f'<sup class="sig"><a href="#signature-{n}" title="{_attr(text)}" aria-label="{_attr(label)}">{n}</a></sup>'
        )

    def appendix(self) -> str:
        if not self.signatures:
            return ""
        lines = "".join(
            f'<li id="signature-{n}">{_text(name)}{": " if name else ""}<span class="signature">{_text(text)}</span></li>'
            for n, (text, name) in enumerate(self.signatures.items(), 1)
        )
        return f'<section aria-labelledby="signatures"><h2 id="signatures">Signatures</h2><ol class="signatures">{lines}</ol></section>'


@singledispatch
def _html(part: Any, page: _Page) -> str:
    raise NotImplementedError(type(part))


@_html.register
def _(part: Prose, page: _Page) -> str:
    tokens = _markdown().parse(part.text)
    for i, token in enumerate(tokens):
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"  # the page's title is the only h1
            if token.type == "heading_open" and token.tag == "h2":
                token.attrSet("id", page.heading(tokens[i + 1].content))
    return f'<div class="prose">{_markdown().renderer.render(tokens, _markdown().options, {})}</div>'


@_html.register
def _(part: KeyFigures, page: _Page) -> str:
    return (
        '<dl class="figures">'
        + "".join(
            f"<div><dt>{_dot(f.system, page)}{_text(f.name)}{page.sign(f.signature, f.name)}</dt>"
            f'<dd class="value">{_text(f.value)}</dd>{f"<dd class=detail>{_text(f.detail)}</dd>" if f.detail else ""}</div>'
            for f in part.figures
        )
        + "</dl>"
    )


@_html.register
def _(part: Table, page: _Page) -> str:
    frame, names = part.frame, _name(part)
    kinds = {column: _numeric(frame[column]) for column in frame.columns}
    marked = {column for column in frame.columns if _alignments(frame[column])}
    heads = "".join(
        f'<th scope="col"{" class=number" if kinds[c] else ""} data-name="{_attr(names[c])}"><bdi>{_text(names[c])}</bdi>'
        f"{page.sign(part.signatures.get(c, ''), names[c])}</th>"
        for c in frame.columns
    )
    rows = []
    for row in frame.itertuples(index=False):
        cells = []
        for column, value in zip(frame.columns, row, strict=True):
            raw = _raw(value)
            if kinds[column]:
                cells.append(
                    f'<td class=number data-value="{raw}">{_text(_shown(value, part.formats.get(column)))}</td>'
                )
            elif column in marked:
                cells.append(f'<td class=text data-value="{_attr(raw)}">{aligned(value)}</td>')
            elif column == "system":
                cells.append(f'<th scope="row">{_dot(raw, page)}<bdi>{_text(raw)}</bdi></th>')
            else:
                kind = "text long" if len(raw) > LONG else "text"
                shown = _shown(value, part.formats.get(column))
                exact = "" if shown == raw else f' data-value="{_attr(raw)}"'
                cells.append(f'<td class="{kind}"{exact}><bdi>{_text(shown)}</bdi></td>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<section class="table" data-name="{_slug(part.title) or "table"}">{_title(part.title)}<div class="tools"></div>'
        f'<div class="scroll" tabindex="0" role="group" aria-label="{_attr(part.title or "Table")}"><table><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>{_note(part.note)}{_conflict_line(part.conflict)}</section>"
    )


@_html.register
def _(part: Chart, page: _Page) -> str:
    page.charts += 1
    name = page.keep(_spec(charts.styled(part.chart)))
    caption = f"<figcaption>{_text(part.title)}{page.sign(part.signature, part.title)}</figcaption>"
    return f'<figure>{caption if part.title or part.signature else ""}<div class="chart" data-spec="{name}"></div>{_note(part.note)}</figure>'


@_html.register
def _(part: Clips, page: _Page) -> str:
    versions = [{channel: page.sound(take.versions[channel]) for channel in take.versions} for take in part.takes]
    name = page.keep({"takes": describe(part.takes), "colours": page.colours, "versions": versions})
    return (
        f'<section aria-label="{_attr(part.title or "Clips")}">{_title(part.title)}{_note(part.note)}'
        f'<div class="clips" data-spec="{name}"><p class="note">Clips play once the page\'s script has run.</p></div></section>'
    )


@_html.register
def _(part: Signature, page: _Page) -> str:
    page.sign(part.text, part.name)
    return ""


@_html.register
def _(part: Conflict, page: _Page) -> str:
    lines = "".join(
        f"<p>{_dot(system, page)}<b>{_text(system)}</b> {_text(said)}</p>" for system, said in part.statements.items()
    )
    return f'<div class="conflict" role="note" aria-label="Conflicts of interest">{lines}</div>'


def aligned(operations: Sequence[Any]) -> str:
    """One alignment as HTML: a substituted word with the expected one above it, a deleted one struck through, an
    inserted one underlined."""
    words = []
    for ref, hyp, op in operations:
        r, w = f"<bdi>{_text(ref or '')}</bdi>", f"<bdi>{_text(hyp or '')}</bdi>"
        shapes = {"=": w, "S": f"<ruby>{w}<rt>{r}</rt></ruby>", "D": f"<del>{r}</del>", "I": f"<ins>{w}</ins>"}
        words.append(shapes[op])
    return f'<span class="aligned">{" ".join(words)}</span>'


def _systems(part: Any) -> list[str]:
    if isinstance(part, Table) and "system" in part.frame.columns:
        return [str(name) for name in part.frame["system"].unique()]
    if isinstance(part, Clips):
        return [take.system for take in part.takes]
    if isinstance(part, KeyFigures):
        return [figure.system for figure in part.figures if figure.system]
    return list(part.statements) if isinstance(part, Conflict) else []


def _spec(chart: Any) -> dict[str, Any]:
    """The chart as Vega-Lite with its data inside, and with the names that Altair counts up counted from 1."""
    with alt.data_transformers.enable("default", max_rows=None):
        spec: dict[str, Any] = chart.to_dict()
    datasets = spec.pop("datasets", {})
    seen: dict[str, str] = {}

    def renamed(match: re.Match[str]) -> str:
        return seen.setdefault(match[0], f"{match[1]}_{sum(name.startswith(match[1]) for name in seen) + 1}")

    text = re.sub(r"\b(view|param|concat|layer)_\d+", renamed, json.dumps(spec))
    return {**json.loads(text), "datasets": datasets}


def _numeric(column: pd.Series[Any]) -> bool:
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)


def _alignments(column: pd.Series[Any]) -> bool:
    first = next(iter(column), None)
    return isinstance(first, list | tuple) and all(isinstance(op, list | tuple) and len(op) == 3 for op in first)


def _missing(value: Any) -> bool:
    return value is None or (
        not isinstance(value, list | tuple | dict) and pd.api.types.is_scalar(value) and bool(pd.isna(value))
    )


def _raw(value: Any) -> str:
    """The value at full precision; nothing for what is missing."""
    if _missing(value):
        return ""
    return _said(value) if isinstance(value, list | tuple) else str(value)


def _said(operations: Any) -> str:
    return " ".join(str(op[1]) for op in operations if op[1] is not None)


def _shown(value: Any, spec: str | None) -> str:
    if _missing(value):
        return "–"
    if spec is None and isinstance(value, float):
        spec = ".4g"
    return format(value, spec).replace("-", "−", 1) if spec and not isinstance(value, str) else str(value)


def _formatter(spec: str) -> Any:
    return lambda value: _shown(value, spec)


def _name(table: Table) -> dict[Any, str]:
    return {column: table.names.get(column, str(column).replace("_", " ")) for column in table.frame.columns}


def _text(value: str) -> str:
    return html.escape(value, quote=False).replace("\0", "\ufffd")


def _attr(value: str) -> str:
    return html.escape(value, quote=True).replace("\0", "\ufffd")


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _slug(title: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", title.lower()))[:60]


def _title(text: str) -> str:
    return f"<h3>{_text(text)}</h3>" if text else ""


def _note(text: str) -> str:
    return f'<p class="note"><bdi>{_text(text)}</bdi></p>' if text else ""


def _code(text: str) -> str:
    return f'<p class="note signature"><bdi>{_text(text)}</bdi></p>' if text else ""


def _conflict_line(text: str) -> str:
    return f'<div class="conflict" role="note"><p><b>Conflict of interest</b> {_text(text)}</p></div>' if text else ""


def _dot(system: str | None, page: _Page) -> str:
    return f'<span class="dot" aria-hidden="true" style="background:{page.colours[system]}"></span>' if system else ""


def _fragment(inner: str) -> Any:
    import marimo as mo

    return mo.Html(f'<style>{style()}</style><div class="earshot">{inner}</div>')


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def _file(name: str) -> str:
    return files("bench").joinpath(name).read_text("utf-8")


@cache
def _vega() -> str:
    """Vega, Vega-Lite and vega-embed as one script, 0.9 MB."""
    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed=vegaEmbed;", vl_version=VEGA_LITE)
    return bundle.replace("</script", "<\\/script")


def _icon() -> str:
    image = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="#2871ae" stroke-width="2" '
        'stroke-linecap="round"><path d="M2 7v2M5 4v8M8 2v12M11 5v6M14 7v2"/></svg>'
    )
    return base64.b64encode(image.encode()).decode()
