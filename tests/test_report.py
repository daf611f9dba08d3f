"""Reports: nothing enters unescaped, the same parts give the same bytes, a CSV runs nothing, and size stays small."""

from __future__ import annotations

import base64
import csv
import gc
import io
import itertools
import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import altair as alt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import charts
from bench.audio import clip, encode
from bench.fault import Fault
from bench.part import POINTS
from bench.player import Take, align
from bench.report import (
    Chart,
    Clips,
    Conflict,
    Figure,
    Folded,
    KeyFigures,
    Prose,
    Signature,
    Table,
    comma,
    display,
    render,
    write,
)

HOSTILE = [
    "<script>window.hit = 1</script>",
    "</script><img src=x onerror=alert(1)>",
    "\"'><svg onload=alert(1)>",
    "&lt;b&gt; &amp; <!-- -->",
    "]]> ${1} `",
    "abc\u202edef\u2066ghi\u2069",
    "a\x00b\x1bc",
    "=cmd|' /C calc'!A0",
    "ş" * 10_000,
]


def tone(hertz: float = 440, seconds: float = 1.0) -> bytes:
    t = np.arange(int(16_000 * seconds)) / 16_000
    return encode(clip((0.2 * np.sin(2 * np.pi * hertz * t)).astype(np.float32), 16_000))


def rates() -> pd.DataFrame:
    cells = itertools.product(("alpha", "beta"), ("fb", "g711u"), ("one", "two"))
    return pd.DataFrame(
        [
            {"system": s, "channel": c, "recogniser": r, "wer": 0.05 + 0.01 * i, "lo": 0.04, "hi": 0.2 + 0.01 * i}
            for i, (s, c, r) in enumerate(cells)
        ]
    )


def everything(text: str = "plain", parts: int = 1) -> list[object]:
    """Every kind of part with `text` in every field that takes some."""
    said = {"fb": {text: text}}
    frame = pd.DataFrame({"system": [text, "beta"], text + "!": ["x", text], "wer": [0.1, -0.25]})
    bar = alt.Chart(pd.DataFrame({"a": [text], "b": [1]})).mark_bar().encode(x="b:Q", y="a:N").interactive(bind_y=False)
    take = Take(text, text, text, {"fb": tone()}, said, {"fb": {text: align("hello there", f"hello {text}")}})
    return parts * [
        Prose(f"# {text}\n\n{text}"),
        KeyFigures((Figure(text, text, text, text, text),)),
        Table(frame, text, {"wer": ".1%"}, {text + "!": text}, {"wer": text}, text, text),
        Folded(frame.astype(str), (text + "!",), text, {"system": text}, text, text, text),
        Chart(bar, text, text, text),
        Clips((take,), text, text),
        Conflict({text: text}),
        Signature(text, text),
    ]


class _Elements(HTMLParser):
    """The elements and the text of a page, as a parser other than ours reads them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def elements(page: str) -> _Elements:
    parser = _Elements()
    parser.feed(page)
    return parser


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_changes_no_element_of_the_page(text: str) -> None:
    tame, wild = (elements(render(t, everything(t), subtitle=t)) for t in ("plain", text))
    markup = {
        "p",
        "h1",
        "h2",
        "h3",
        "h4",
        "em",
        "strong",
        "code",
        "hr",
        "ol",
        "ul",
        "li",
        "blockquote",
        "pre",
        "a",
        "bdi",
    }
    kinds = [{tag for tag, _ in page.tags} - markup for page in (tame, wild)]
    assert kinds[1] <= kinds[0]
    assert sum(tag == "script" for tag, _ in wild.tags) == sum(tag == "script" for tag, _ in tame.tags)
    assert not [name for _, attributes in wild.tags for name in attributes if name.startswith("on")]


def test_every_script_that_runs_is_named_by_its_hash_and_nothing_may_be_fetched() -> None:
    page = render("t", everything())
    policy = next(a["content"] for t, a in elements(page).tags if t == "meta" and "http-equiv" in a)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in policy
    assert "'unsafe-inline'" not in policy.split("style-src")[0]
    links = [a.get("src") or a.get("href") for _, a in elements(page).tags if a.get("src") or a.get("href")]
    assert [link for link in links if not link.startswith(("#", "data:"))] == []


def test_a_part_of_prose_links_to_no_script() -> None:
    page = render("t", [Prose("[a](javascript:alert(1)) ![b](http://c/d.png) <b>e</b>")])
    assert 'href="javascript' not in page
    assert "<img" not in page
    assert "&lt;b&gt;e&lt;/b&gt;" in page


def test_half_a_character_still_gives_a_page_that_can_be_written() -> None:
    assert "a?b" in render("t", [Prose("x"), Clips((Take("a\ud83db", "s", "", {}),)), Conflict({"s": "a\ud83db"})])


def test_two_renders_are_identical_to_the_byte() -> None:
    first = render("t", everything())
    alt.Chart(pd.DataFrame({"a": [1]})).mark_bar().interactive().to_dict()  # moves Altair's counters
    gc.collect()
    assert render("t", everything()) == first


def test_write_replaces_the_page_whole(tmp_path: Path) -> None:
    path = tmp_path / "report" / "index.html"
    write(path, "one", [Prose("x")])
    write(path, "two", [Prose("y")])
    assert "<title>two</title>" in path.read_text("utf-8")
    assert os.listdir(path.parent) == ["index.html"]


def test_a_list_of_parts_holds_only_parts() -> None:
    with pytest.raises(Fault, match="found str"):
        render("t", ["# text"])


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.lists(st.text(st.characters(exclude_categories=("Cs",))), min_size=1, max_size=4))
def test_a_csv_reads_back_and_no_cell_is_a_formula(cells: list[str]) -> None:
    rows = list(csv.reader(io.StringIO(comma(Table(pd.DataFrame({"a": cells}))), newline="")))
    assert len(rows) == len(cells) + 1
    for row, cell in zip(rows[1:], cells, strict=True):
        read = row[0] if row else ""
        assert read in (cell, f"'{cell}")
        assert not read.startswith(tuple("=+-@\t\r\n"))


def test_numbers_in_a_csv_keep_their_sign_and_precision() -> None:
    frame = pd.DataFrame({"=x": [-0.1 - 0.2, np.nan], "b": ["-1", None]})
    assert comma(Table(frame, formats={"=x": ".1%"})) == "'=x,b\r\n-0.30000000000000004,'-1\r\n,\r\n"


def test_numbers_stand_right_show_their_format_and_keep_their_precision() -> None:
    page = render("t", [Table(pd.DataFrame({"wer": [0.123456, np.nan, -0.5]}), formats={"wer": ".1%"})])
    assert re.findall(r'<td class="number" data-value="([^"]*)"><bdi>([^<]*)</bdi>', page) == [
        ("0.123456", "12.3%"),
        ("", "–"),
        ("-0.5", "−50.0%"),
    ]


def test_an_interval_stands_under_its_number_and_what_is_missing_is_said() -> None:
    frame = pd.DataFrame({"lo": [0.1, np.nan], "wer": [0.25, np.nan], "hi": [0.4, np.nan], "gain": [0.019, -1e-9]})
    table = Table(
        frame, formats={"wer": ".1%", "gain": POINTS}, intervals={"wer": ("lo", "hi")}, missing={"wer": "none"}
    )
    page = re.sub("</?bdi>", "", render("t", [table]))
    assert re.findall('<td class="number[^>]*>.*?</td>', page) == [
        '<td class="number" data-value="0.25" data-lo="0.1" data-hi="0.4">25.0%<small>10.0 to 40.0%</small></td>',
        '<td class="number" data-value="0.019">+1.9</td>',
        '<td class="number quiet" data-value="" data-lo="" data-hi="">none</td>',
        '<td class="number" data-value="-1e-09">+0.0</td>',
    ]
    assert comma(table).splitlines()[:2] == ['wer,"wer, from","wer, to",gain', "0.25,0.1,0.4,0.019"]


def test_a_signature_is_numbered_once_and_stands_in_the_appendix() -> None:
    table = Table(pd.DataFrame({"a": [1], "b": [2]}), signatures={"a": "sig|x", "b": "sig|y"})
    page = render("t", [KeyFigures((Figure("n", "1", signature="sig|x"),)), table])
    assert re.findall(r'href="#signature-(\d)" title="(sig\|.)"', page) == [
        ("1", "sig|x"),
        ("1", "sig|x"),
        ("2", "sig|y"),
    ]
    assert re.findall(r'<li id="signature-(\d)">', page) == ["1", "2"]


def test_the_same_sound_is_held_once() -> None:
    takes = tuple(Take(f"s{i}", "alpha", "x", {"fb": tone(), "g711u": tone(300)}) for i in range(5))
    page = render("t", [Clips(takes)])
    assert len(re.findall(r'<script type="text/plain" id="bytes-\d">', page)) == 2


def test_the_charts_library_is_held_once_and_only_where_a_chart_is() -> None:
    without, one, three = (len(render("t", n * [Chart(charts.error_rates(rates()))])) for n in (0, 1, 3))
    assert without < 60_000
    assert one < 1_100_000
    assert three - one < 30_000


def test_a_system_keeps_its_colour_whatever_the_order() -> None:
    assert charts.colours(["b", "a", "b"]) == charts.colours(["a", "b"])
    few = charts.error_rates(rates(), systems=["aardvark", "alpha", "beta"]).to_dict()
    scales = re.findall(r'"range": (\["#[^]]*\])', json.dumps(few["spec"]))
    assert {tuple(json.loads(scale)) for scale in scales} == {charts.PALETTE[1:3]}


def _linear(colour: str) -> np.ndarray:
    c = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def _oklab(c: np.ndarray) -> np.ndarray:
    """Linear sRGB to Oklab (Ottosson 2020)."""
    m = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566]]
    m += [[0.0883024619, 0.2817188376, 0.6299787005]]
    n = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099]]
    n += [[0.0259040371, 0.7827717662, -0.8086757660]]
    return np.array(n) @ np.cbrt(np.array(m) @ np.clip(c, 0, 1))


# Machado, Oliveira & Fernandes 2009, severity 1.0
BLINDNESS = {
    "none": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}


@pytest.mark.parametrize("kind", BLINDNESS)
def test_the_palette_stays_apart_for_every_eye(kind: str) -> None:
    seen = [_oklab(np.array(BLINDNESS[kind]) @ _linear(colour)) for colour in charts.PALETTE]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) > 0.065


@pytest.mark.parametrize("paper", ["#ffffff", "#15181e"])
def test_the_palette_is_seen_on_both_papers(paper: str) -> None:
    y = [float(_linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (*charts.PALETTE, paper)]
    assert all((max(a, y[-1]) + 0.05) / (min(a, y[-1]) + 0.05) >= 3 for a in y[:-1])


def test_a_chart_says_which_column_it_lacks() -> None:
    with pytest.raises(Fault, match="needs the columns wer; the table has system"):
        charts.error_rates(pd.DataFrame({"system": ["a"], "channel": ["b"], "recogniser": ["c"]}))
    with pytest.raises(Fault, match="no row"):
        charts.error_rates(rates().head(0))


@settings(derandomize=True, deadline=None)
@given(st.text("ab ", max_size=20), st.text("ab ", max_size=20))
def test_an_alignment_for_show_loses_no_word(reference: str, hypothesis: str) -> None:
    operations = align(reference, hypothesis)
    assert [ref for ref, _, _ in operations if ref is not None] == reference.split()
    assert [hyp for _, hyp, _ in operations if hyp is not None] == hypothesis.split()
    for ref, hyp, op in operations:
        assert op == ("D" if hyp is None else "I" if ref is None else "=" if ref == hyp else "S")


@pytest.mark.parametrize("part", everything(), ids=lambda part: type(part).__name__)
def test_a_notebook_shows_every_part(part: object) -> None:
    assert display(part).text


def test_sound_in_a_page_is_the_sound_given() -> None:
    flac = tone(523)
    page = render("t", [Clips((Take("a", "alpha", "x", {"fb": flac}),))])
    held = re.search(r'id="bytes-1">([^<]*)<', page)
    assert held
    assert base64.b64decode(held[1]) == flac
