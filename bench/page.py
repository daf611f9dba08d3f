"""Parts as HTML: every fragment of a report, escaped.

Conventions: `markup(part, page)` gives one part; a `Page` lives for one rendering and holds what its parts share
(the systems' colours, data blocks, sound, headings, signatures). Text enters by `text` or `attribute` and nowhere
else. What may run right to left or hold bidirectional controls stands in <bdi>, which ends their reach. Numbers
carry their full precision in `data-value`, for sorting and for the CSV.
"""

from __future__ import annotations

import html
import json
import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache, singledispatch
from typing import Any

import altair as alt
from markdown_it import MarkdownIt

from bench.charts import colours, styled
from bench.fault import Fault
from bench.part import (
    Chart,
    Clips,
    Conflict,
    Folded,
    KeyFigures,
    Part,
    Prose,
    Rows,
    Signature,
    Table,
    alignments,
    fold,
    numeric,
    pack,
    plain,
    shown,
)
from bench.player import Operation, describe

SHORT, LONG = 32, 600  # characters: a shorter cell keeps to one line, a longer one scrolls


class Page:
    """What the parts of one page share while it is rendered. Raises Fault for a part that is none.

    `systems` are all systems of a run where the parts lack some, so that each keeps its colour.
    """

    def __init__(self, parts: Sequence[Any], systems: Iterable[str] = ()) -> None:
        for part in parts:
            if not isinstance(part, Part):
                kinds = ", ".join(kind.__name__ for kind in Part.__args__)
                raise Fault(f"A report is a list of parts ({kinds}); found {type(part).__name__}.")
        self.colours = colours([*systems, *(name for part in parts for name in _systems(part))])
        self.data: dict[str, Any] = {}  # block id -> what goes in as JSON
        self.held: dict[bytes, str] = {}  # sound or packed rows -> block id
        self.headings: list[tuple[str, str]] = []  # (anchor, text)
        self.signatures: dict[str, str] = {}  # signature -> where it was met first
        self.charts = self.rows = 0

    def keep(self, data: Any) -> str:
        """The id of the block that will hold `data`."""
        self.data[name := f"data-{len(self.data) + 1}"] = data
        return name

    def hold(self, data: bytes) -> str:
        """The id of the block that will hold these bytes; the same bytes are held once."""
        return self.held.setdefault(data, f"bytes-{len(self.held) + 1}")

    def heading(self, words: str) -> str:
        """The anchor of a new entry in the contents."""
        self.headings.append((name := f"part-{len(self.headings) + 1}", words))
        return name

    def sign(self, signature: str, name: str) -> str:
        """The reference from a label to its signature in the appendix, which also shows on hover."""
        if not signature:
            return ""
        self.signatures.setdefault(signature, name)
        n = list(self.signatures).index(signature) + 1
        link = f'href="#signature-{n}" title="{attribute(signature)}" aria-label="signature {n}"'
        return f'<sup class="sig"><a {link}>{n}</a></sup>'

    def dot(self, system: str | None) -> str:
        """The system's colour before its name; nothing before a name that is none of a system with numbers."""
        if system not in self.colours:
            return ""
        return f'<span class="dot" aria-hidden="true" style="background:{self.colours[system]}"></span>'

    def blocks(self) -> tuple[list[str], list[str]]:
        """The data blocks: those that the parts need at once, and those with bytes for later."""
        light = [f'<script type="application/json" id="{n}">{_json(data)}</script>' for n, data in self.data.items()]
        heavy = [f'<script type="text/plain" id="{n}">{encoded(data)}</script>' for data, n in self.held.items()]
        return light, heavy

    def appendix(self) -> str:
        """All signatures, numbered as their references are."""
        if not self.signatures:
            return ""
        anchor = self.heading("Signatures")
        return f'<section><h2 id="{anchor}">Signatures</h2>{self.signed()}</section>'

    def signed(self) -> str:
        """The list of the signatures met so far."""
        lines = "".join(
            f'<li id="signature-{n}">{text(name)}{": " if name else ""}<span class="signature">{text(line)}</span></li>'
            for n, (line, name) in enumerate(self.signatures.items(), 1)
        )
        return f'<ol class="signatures">{lines}</ol>' if lines else ""


@singledispatch
def markup(part: Part, page: Page) -> str:
    """One part as HTML; what it needs beside its own HTML is left with the page."""
    raise NotImplementedError(type(part))


@markup.register
def _prose(part: Prose, page: Page) -> str:
    parser = _markdown()
    tokens = parser.parse(part.text)
    for token, inner in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 1, 6)}"  # the page's title is the only h1
        if token.type == "heading_open" and token.tag == "h2" and inner:
            token.attrSet("id", page.heading("".join(child.content for child in inner.children or [])))
    return f'<div class="prose">{parser.renderer.render(tokens, parser.options, {})}</div>'


@markup.register
def _key_figures(part: KeyFigures, page: Page) -> str:
    figures = "".join(
        f"<div><dt>{page.dot(f.system)}{text(f.name)}{page.sign(f.signature, f.name)}</dt>"
        f'<dd class="value">{text(f.value)}</dd><dd class="detail">{text(f.detail)}</dd></div>'
        for f in part.figures
    )
    return f'<dl class="figures">{figures}</dl>'


@markup.register
def _table(part: Table, page: Page) -> str:
    frame, headings, columns = part.frame, part.headings, part.columns
    numbers = {column for column in columns if numeric(frame[column])}
    marked = {column for column in columns if alignments(frame[column])}

    def head(column: str) -> str:
        name, kind = headings[column], " class=number" if column in numbers else ""
        sign = page.sign(part.signatures.get(column, ""), part.title or name)
        ends = _ends([headings[end] for end in part.intervals.get(column, ())])
        return f'<th scope="col"{kind} data-name="{attribute(name)}"{ends}>{text(name)}{sign}</th>'

    def cell(column: str, row: dict[str, Any]) -> str:
        value, form = row[column], part.formats.get(column)
        raw, read = plain(value), shown(value, form)
        quiet = ""
        if not raw and column in part.missing:
            read, quiet = part.missing[column], " quiet"
        if column in numbers:
            ends = [row[end] for end in part.intervals.get(column, ())]
            spread = [shown(end, form) for end in ends if all(map(plain, ends))]
            under = f"<small>{text(' to '.join(spread).replace('% ', ' '))}</small>" if spread else ""
            held = f'data-value="{attribute(raw)}"{_ends([plain(end) for end in ends])}'
            return f'<td class="number{quiet}" {held}>{text(read)}{under}</td>'
        if column in marked:
            return f'<td class=text data-value="{attribute(raw)}">{aligned(value)}</td>'
        if column == "system":
            return f'<th scope="row">{page.dot(raw)}{text(raw)}</th>'
        size = "short" if len(read) <= SHORT else "text" if len(read) <= LONG else "text long"
        exact = "" if read == raw else f' data-value="{attribute(raw)}"'
        return f'<td class="{size}{quiet}"{exact}>{text(read)}</td>'

    heads = "".join(head(column) for column in columns)
    rows = "".join(
        f"<tr>{''.join(cell(column, row) for column in columns)}</tr>"
        for row in (dict(zip(frame.columns, values, strict=True)) for values in frame.itertuples(index=False))
    )
    name = part.title or "Table"
    return (
        f'<section class="table" data-name="{slug(part.title) or "table"}">{title(part.title)}'
        f'<div class="tools"></div><div class="scroll" tabindex="0" role="group" aria-label="{attribute(name)}">'
        f'<table><caption class="unseen">{text(name)}</caption><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{note(part.note)}{conflict(part.conflict)}</section>"
    )


def _ends(values: Sequence[str]) -> str:
    """The ends of an interval, or their headings, as attributes; nothing where there is none."""
    return "".join(f' data-{end}="{attribute(value)}"' for end, value in zip(("lo", "hi"), values, strict=False))


@markup.register
def _rows(part: Rows, page: Page) -> str:
    spec = page.keep(
        {
            "by": part.by,
            "strata": part.strata,
            "texts": part.texts,
            "colours": page.colours,
            "name": slug(part.title) or "rows",
            "size": len(part.frame),
        }
    )
    page.rows += 1
    sign = page.sign(part.signature, part.title or "Rows")
    head = f"<h3>{text(part.title)}{sign}</h3>" if part.title or sign else ""
    how = (
        "Choose a stratum; the page counts again. Intervals are those of a Poisson bootstrap over the units of "
        "resampling, 1,000 draws, seed 1, made in this page; Wilson's where fewer than five units carry the rate. "
        "Fewer than 20 units are too few for one."
    )
    data = f'data-spec="{spec}" data-rows="{page.hold(pack(part))}"'
    return f'<section>{head}{note(part.note)}<div class="slices" {data}></div>{note(how)}</section>'


@markup.register
def _folded(part: Folded, page: Page) -> str:
    headings = {name: part.names.get(name, str(name).replace("_", " ")) for name in part.frame.columns}
    spec = page.keep({"by": part.by, "headings": headings, "colours": page.colours, "name": slug(part.title) or "rows"})
    sign = page.sign(part.signature, part.title or "Rows")
    head = f"<h3>{text(part.title)}{sign}</h3>" if part.title or sign else ""
    data = f'data-spec="{spec}" data-rows="{page.hold(fold(part))}"'
    return f'<section>{head}{note(part.note)}<div class="folded" {data}></div>{conflict(part.conflict)}</section>'


@markup.register
def _chart(part: Chart, page: Page) -> str:
    page.charts += 1
    name = page.keep(specification(part.chart))
    sign = page.sign(part.signature, part.title or "Chart")
    caption = f"<figcaption>{text(part.title)}{sign}</figcaption>" if part.title or sign else ""
    return f'<figure>{caption}<div class="chart" data-spec="{name}"></div>{note(part.note)}</figure>'


@markup.register
def _clips(part: Clips, page: Page) -> str:
    versions = [{channel: page.hold(take.versions[channel]) for channel in take.versions} for take in part.takes]
    name = page.keep({"takes": describe(part.takes), "colours": page.colours, "versions": versions})
    waiting = '<p class="note">The clips play in a browser that runs this page\'s script.</p>'
    return (
        f'<section>{title(part.title)}{note(part.note)}<div class="clips" data-spec="{name}">{waiting}</div></section>'
    )


@markup.register
def _signature(part: Signature, page: Page) -> str:
    page.sign(part.text, part.name)
    return ""


@markup.register
def _conflict(part: Conflict, page: Page) -> str:
    lines = "".join(
        f"<p>{page.dot(name)}<b>{text(name)}</b> {text(said)}</p>" for name, said in part.statements.items()
    )
    return f'<div class="conflict" role="note"><p><b>Conflicts of interest</b></p>{lines}</div>'


def aligned(operations: Sequence[Operation]) -> str:
    """One alignment: a substituted word has the expected one above it, a deleted one is struck through, an inserted
    one underlined."""
    words = []
    for ref, hyp, op in operations:
        r, w = text(ref or ""), text(hyp or "")
        both = f'<span class="word"><ruby>{w}<rt>{r}</rt></ruby></span>'
        forms = {"=": w, "S": both, "D": f"<del>{r}</del>", "I": f"<ins>{w}</ins>"}
        words.append(forms[op])
    return f'<span class="aligned">{" ".join(words)}</span>'


def specification(chart: Any) -> dict[str, Any]:
    """The chart as Vega-Lite with its data inside, and with the names that Altair counts up counted from 1.

    Altair numbers views and parameters by a counter of the process, so that a second rendering would differ.
    """
    with alt.data_transformers.enable("default", max_rows=None):
        spec: dict[str, Any] = styled(chart).to_dict()
    datasets = spec.pop("datasets", {})
    seen: dict[str, dict[str, str]] = {}

    def counted(match: re.Match[str]) -> str:
        names = seen.setdefault(match[1], {})
        return names.setdefault(match[0], f"{match[1]}_{len(names) + 1}")

    told = json.loads(re.sub(r"\b(view|param)_\d+", counted, json.dumps(spec)))
    return {**told, "datasets": datasets}


def text(value: str) -> str:
    """Text for an element, isolated from the direction of what stands beside it."""
    return f"<bdi>{html.escape(value, quote=False)}</bdi>".replace("\0", "\ufffd")


def attribute(value: str) -> str:
    """Text for a quoted attribute."""
    return html.escape(value, quote=True).replace("\0", "\ufffd")


def encoded(data: bytes) -> str:
    """Bytes as a text that can stand anywhere in a page."""
    return b64encode(data).decode()


def title(words: str) -> str:
    """A part's title."""
    return f"<h3>{text(words)}</h3>" if words else ""


def note(words: str) -> str:
    """The quiet line under a part."""
    return f'<p class="note">{text(words)}</p>' if words else ""


def conflict(words: str) -> str:
    """The conflict-of-interest line under a table."""
    return f'<div class="conflict" role="note"><p><b>Conflict of interest</b> {text(words)}</p></div>' if words else ""


def slug(words: str) -> str:
    """The name of a file after a title."""
    return "-".join(re.findall(r"[a-z0-9]+", words.lower()))[:60]


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _systems(part: Part) -> list[str]:
    match part:
        case Table() | Rows() | Folded() if "system" in part.frame.columns:
            return [str(name) for name in part.frame["system"].unique()]
        case Clips():
            return [take.system for take in part.takes]
        case KeyFigures():
            return [figure.system for figure in part.figures if figure.system]
    return []


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
