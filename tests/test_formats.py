"""Layouts onto segments: three containers, one set; nothing lost; every refusal with its line."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from bench import formats, protocol
from bench.fault import Fault
from bench.segment import Span

ROOT = Path(__file__).parents[1]
Row = dict[str, Any]

TR: Row = {
    "id": "trtb-00001",
    "version": "0.1.0",
    "split": "public",
    "setting": "general",
    "domain": "GN10",
    "domain_name": "Navigation",
    "utterance_type": "navigation_prompt",
    "group": "G05",
    "group_name": "Currency & amounts",
    "phenomenon_primary": "G05.symbol_prefix",
    "phenomena_secondary": ["G12.metres"],
    "difficulty": "D2",
    "wer_visible": "W",
    "robustness": False,
    "headline": True,
    "text": "€3'lük otopark bileti 200 metre ileride.",
    "text_spoken": "Üç avroluk otopark bileti iki yüz metre ileride.",
    "ref_lattice": "{üç avroluk|üç euroluk} otopark bileti iki yüz metre ileride",
    "ref_canonical": "üç avroluk otopark bileti iki yüz metre ileride",
    "n_paths": 2,
    "n_words": 8,
    "n_chars": 40,
    "length_bucket": "medium",
    "alt_spans": [{"span": "Üç avroluk", "alts": ["üç euroluk"]}],
    "acronyms": [{"written": "TL", "type": "L", "canonical": "te le", "alts": ["lira"]}],
    "pron_hint": "",
    "notes": "",
    "subsets": ["ci_smoke"],
    "source": "llm-generated+llm-verified; human-review: pending",
    "canary": "TRTTSBENCH-CANARY-ef8cddc1-9f11-406d-9a12-2447f8082e88",
    "bid": "b1-7",
}
DE: Row = {
    "case_id": "de_money_001",
    "input_text": "Der Betrag ist 3.847,26 Euro.",
    "spoken_reference": "Der Betrag ist dreitausendachthundertsiebenundvierzig Euro und sechsundzwanzig Cent.",
    "category": "currency",
    "language_tag": "de-DE",
    "variety_label": "Munich Bavarian",
    "locality": "München",
    "source": "benchmark-authored",
    "license": "CC-BY-4.0",
}
DIALTONE: Row = {"category": "digits", "n_words": 3, "text": "Call 0198 now.", "utterance_id": "dt-0001"}
ZH: Row = {
    "id": "test_000001",
    "split": "test_public",
    "source": "synthetic",
    "domain": "sports",
    "text": "主队以104-99获胜。",
    "targets": [
        {
            "target_id": "test_000001_t1",
            "span": "104-99",
            "start": 3,
            "end": 9,
            "category": "sports_score",
            "group": "number",
            "positive_readings": ["一百零四比九十九"],
            "negative_readings": ["一百零四到九十九"],
            "auto_evaluable": True,
            "rationale": "比分",
        }
    ],
    "metadata": {"language_tag": "zh-Hans-CN", "topic": "score"},
}
LAYOUTS = {"tr-tts-bench": TR, "german-case": DE, "dialtone": DIALTONE, "newstts": ZH}


def jsonl(folder: Path, *rows: Row) -> Path:
    path = folder / "set.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def as_parquet(folder: Path, *rows: Row) -> Path:
    names = list(dict.fromkeys(name for row in rows for name in row))
    whole = [{name: row.get(name) for name in names} for row in rows]
    parquet.write_table(pyarrow.Table.from_pylist(whole), folder / "set.parquet")
    return folder / "set.parquet"


def as_csv(folder: Path, *rows: Row) -> Path:
    names = list(dict.fromkeys(name for row in rows for name in row))
    with (folder / "set.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(names)
        for row in rows:
            writer.writerow([_cell(row.get(name)) for name in names])
    return folder / "set.csv"


def _cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


WRITERS = (jsonl, as_parquet, as_csv)
texts = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1).filter(str.strip)
# What a table in CSV could take for something else.
tricky = st.sampled_from(["[1]", "{}", '{"a": 1}', "true", "750", "007", "null", "a,b", 'say "x"', "two\nlines", "="])
written = texts | tricky
rows = st.fixed_dictionaries(
    {"id": texts, "text": written, "text_spoken": written, "ref_lattice": written},
    optional={
        "notes": written,
        "pron_hint": written,
        "language_tag": st.sampled_from(["tr", "en-GB"]),
        "difficulty": st.sampled_from(["D1", "D4"]),
        "robustness": st.booleans(),
        "headline": st.booleans(),
        "n_words": st.integers(0, 99),
        "n_paths": st.integers(1, 10**12),
        "subsets": st.lists(texts),
        "alt_spans": st.lists(
            st.fixed_dictionaries({"span": texts, "alts": st.lists(texts)}, optional={"type": texts, "why": texts}),
            max_size=3,
        ),
        "cluster": texts,
        "reviewer": texts.filter(lambda text: text[0] not in "[{"),
        "marks": st.lists(st.integers(0, 9), min_size=1),
    },
)


@settings(derandomize=True, max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(rows, min_size=1, max_size=4, unique_by=lambda row: row["id"]))
def test_the_same_rows_in_three_containers_are_the_same_segments(tmp_path: Path, sample: list[Row]) -> None:
    read = [formats.read(write(tmp_path, *sample)) for write in WRITERS]
    assert read[0].segments == read[1].segments == read[2].segments
    assert {text_set.layout for text_set in read} == {"tr-tts-bench"}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_in_three_containers(tmp_path: Path, layout: str) -> None:
    first = LAYOUTS[layout]
    second = {name: value for name, value in first.items() if name not in ("locality", "subsets", "metadata")}
    key = next(name for name in ("id", "case_id", "utterance_id") if name in first)
    read = [formats.read(write(tmp_path, first, second | {key: "second"})) for write in WRITERS]
    assert read[0].segments == read[1].segments == read[2].segments
    assert [text_set.layout for text_set in read] == [layout] * 3


def leaves(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return [leaf for entry in value.values() for leaf in leaves(entry)]
    if isinstance(value, list | tuple | dict):
        return [leaf for entry in value for leaf in leaves(entry)]
    return [value]


unknown = st.dictionaries(
    st.text("abcxyz_", min_size=1).map("own_".__add__),
    st.recursive(texts | st.integers() | st.booleans(), lambda more: st.lists(more) | st.dictionaries(texts, more)),
    max_size=4,
)


@pytest.mark.parametrize("layout", LAYOUTS)
@settings(derandomize=True, max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(extra=unknown)
def test_nothing_of_a_row_is_lost(tmp_path: Path, layout: str, extra: Row) -> None:
    row = LAYOUTS[layout] | extra
    (segment,) = formats.read(jsonl(tmp_path, row)).segments
    assert {name: segment.extra[name] for name in extra} == extra
    kept = leaves(asdict(segment))
    assert [leaf for leaf in leaves(row) if leaf not in kept and leaf is not None] == []


def test_a_turkish_row(tmp_path: Path) -> None:
    (segment,) = formats.read(jsonl(tmp_path, TR)).segments
    assert (segment.language, segment.written("R"), segment.written("S")) == ("tr", TR["text"], TR["text_spoken"])
    assert segment.spans == (Span("Üç avroluk", ("üç euroluk",), "other"),)
    assert (segment.strata["group"], segment.strata["headline"], segment.subsets) == ("G05", True, ("ci_smoke",))
    assert segment.extra["acronyms"] == TR["acronyms"]


def test_what_a_span_says_beyond_its_layout_is_kept(tmp_path: Path) -> None:
    spans = [{"span": "Üç", "alts": [], "type": "amount"}, {"span": "otopark", "alts": [], "why": "compound"}]
    (segment,) = formats.read(jsonl(tmp_path, TR | {"alt_spans": spans})).segments
    assert [span.type for span in segment.spans] == ["amount", "other"]
    assert segment.extra["alt_spans"] == [{}, {"why": "compound"}]


def test_a_german_case_has_variety_and_locality(tmp_path: Path) -> None:
    (dialect,) = formats.read(jsonl(tmp_path, DE)).segments
    assert (dialect.strata["variety"], dialect.strata["locality"]) == ("Munich Bavarian", "München")
    assert dialect.strata["headline"] is False
    (standard,) = formats.read(jsonl(tmp_path, DE | {"locality": None, "difficulty": "D1"})).segments
    assert (standard.strata["headline"], standard.strata["difficulty"]) == (True, "D1")


@pytest.mark.parametrize(
    ("tag", "said"),
    [
        ("de-BY", "line 1: Case de_money_001 has the language tag 'de-BY'.*means Belarus, not Bavaria.*locality"),
        ("bar-BY", "Belarus, not Bavaria"),
        ("de-Latn-BY", "Belarus, not Bavaria"),
        ("de-ST", "São Tomé & Príncipe, not Saxony-Anhalt"),
        ("de-NW", "NW, North Rhine-Westphalia, is none"),
        ("german", "not valid in BCP 47"),
    ],
)
def test_a_german_set_that_takes_a_country_for_a_land_is_refused(tmp_path: Path, tag: str, said: str) -> None:
    with pytest.raises(Fault, match=said):
        formats.read(jsonl(tmp_path, DE | {"language_tag": tag}))


@pytest.mark.parametrize("tag", ["de-DE", "de-AT", "de-CH", "de-BE", "gsw-CH", "nds-DE", "bar", "de-1996", "de-x-by"])
def test_a_german_tag_that_means_what_it_says_is_read(tmp_path: Path, tag: str) -> None:
    assert formats.read(jsonl(tmp_path, DE | {"language_tag": tag})).segments[0].language == tag


def test_a_dialtone_row_has_no_spoken_form(tmp_path: Path) -> None:
    (segment,) = formats.read(jsonl(tmp_path, DIALTONE)).segments
    assert (segment.id, segment.language, segment.spoken, segment.lattice) == ("dt-0001", "en", None, None)
    assert (segment.strata, segment.extra) == ({"category": "digits"}, {"n_words": 3})


PLAIN = {"key": 7, "sentence": "[1]", "said": "one", "lang": "en-GB", "level": "D1", "text": "not this", "tags": ["a"]}
MAPPING = {
    "id": "key",
    "text": "sentence",
    "spoken": "said",
    "language": "lang",
    "difficulty": "level",
    "subsets": "tags",
}


@pytest.mark.parametrize("write", WRITERS)
def test_a_table_with_a_mapping(tmp_path: Path, write: Any) -> None:
    text_set = formats.read(write(tmp_path, PLAIN), mapping=MAPPING)
    (segment,) = text_set.segments
    assert text_set.layout == "plain"
    assert (segment.id, segment.text, segment.spoken, segment.language) == ("7", "[1]", "one", "en-GB")
    assert (segment.strata, segment.subsets) == ({"difficulty": "D1"}, ("a",))
    assert segment.extra == {"text": "not this"}


def test_a_mapping_that_cannot_be_used(tmp_path: Path) -> None:
    path = jsonl(tmp_path, PLAIN)
    with pytest.raises(Fault, match=r"names the field 'sentence'; a segment has id, text"):
        formats.read(path, mapping={"id": "key", "sentence": "text"})
    with pytest.raises(Fault, match="does not say which column holds the field 'text'"):
        formats.read(path, mapping={"id": "key"})
    with pytest.raises(Fault, match=r"line 1: There is no column 'words', which the mapping names; there are key"):
        formats.read(path, mapping={"id": "key", "text": "words"})


FLAGGED_ROWS = [  # each layout, the columns of its two flags, and the mapping that it is read with
    pytest.param({"key": "a", "said": "seven"}, ("shown", "tough"), {"id": "key", "text": "said"}, id="plain"),
    pytest.param(TR, ("headline", "robustness"), None, id="tr-tts-bench"),
    pytest.param(DE, ("headline", "robustness"), None, id="german-case"),
]


def flagged(columns: tuple[str, str], mapping: Mapping[str, str] | None) -> Mapping[str, str] | None:
    return mapping and {**mapping, "headline": columns[0], "robustness": columns[1]}


@pytest.mark.parametrize(("row", "columns", "mapping"), FLAGGED_ROWS)
@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("true", True),
        ("TRUE", True),
        ("1", True),
        ("Yes", True),
        ("false", False),
        ("False", False),
        ("0", False),
        ("NO", False),
    ],
)
def test_a_flag_in_csv_is_no_text(
    tmp_path: Path, row: Row, columns: tuple[str, str], mapping: Mapping[str, str] | None, cell: str, value: bool
) -> None:
    path = as_csv(tmp_path, row | dict.fromkeys(columns, cell))
    (segment,) = formats.read(path, mapping=flagged(columns, mapping)).segments
    assert segment.strata["headline"] is segment.strata["robustness"] is value


@pytest.mark.parametrize(("row", "columns", "mapping"), FLAGGED_ROWS)
@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("flag", [0, 1])
def test_a_flag_that_is_neither_true_nor_false_is_refused_with_its_line(
    tmp_path: Path, row: Row, columns: tuple[str, str], mapping: Mapping[str, str] | None, write: Any, flag: int
) -> None:
    path = write(tmp_path, row | {columns[flag]: "maybe"})
    line = 2 if write is as_csv else 1
    said = rf"line {line}: The field '{('headline', 'robustness')[flag]}' is 'maybe'; expected true or false"
    with pytest.raises(Fault, match=said):
        formats.read(path, mapping=flagged(columns, mapping))


def test_an_empty_flag_in_csv_is_one_that_is_not_there(tmp_path: Path) -> None:
    path = as_csv(tmp_path, {"key": "a", "said": "seven", "shown": ""}, {"key": "b", "said": "ten", "shown": "no"})
    read = formats.read(path, mapping={"id": "key", "text": "said", "headline": "shown"}).segments
    assert [segment.strata for segment in read] == [{}, {"headline": False}]


def test_a_mapped_column_has_the_type_of_its_field_and_not_of_its_name(tmp_path: Path) -> None:
    path = as_csv(tmp_path, {"headline": "no", "n_words": "007", "robustness": "yes"})
    mapping = {"id": "n_words", "text": "headline", "group": "robustness"}
    (segment,) = formats.read(path, mapping=mapping).segments
    assert (segment.id, segment.text, segment.strata) == ("007", "no", {"group": "yes"})


def test_a_protocol_maps_columns(tmp_path: Path) -> None:
    path = as_csv(tmp_path, {"key": "a", "sentence": "Good morning."}, {"key": "b", "sentence": "7"})
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    (tmp_path / "p.toml").write_text(f"""
name = "p"
version = "1"
language = "en-GB"
purpose = "A table of our own."
conflict_of_interest = "none"
tracks = ["R"]
channels = ["fb"]
text_set = {{ file = "set.csv", sha256 = "{digest}", columns = {{ id = "key", text = "sentence" }} }}
[[system]]
name = "espeak"
adapter = "espeak"
licence = "GPL-3.0"
conflict_of_interest = "none"
[[recogniser]]
name = "whisper"
adapter = "faster-whisper"
""")
    frozen = protocol.read(tmp_path / "p.toml")
    assert [(s.id, s.text, s.language) for s in frozen.chosen] == [("a", "Good morning.", "en-GB"), ("b", "7", "en-GB")]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"text": " "}, "line 2: The field 'text' is ' '; expected text that is not blank"),
        ({"text": 5}, "line 2: The field 'text' is 5"),
        ({"text_spoken": None}, "line 2: The field 'text_spoken' is None"),
        ({"alt_spans": [{"alts": []}]}, "line 2: The field 'span' is None"),
        ({"alt_spans": [{"span": "x", "alts": "y"}]}, "line 2: The field 'alts' is 'y'; expected a list of texts"),
        ({"subsets": {"a": 1}}, "line 2: The field 'subsets' is"),
        ({"notes": 1}, "line 2: The field 'notes' is 1; expected text"),
        ({"id": "trtb-00001"}, "line 2: The id 'trtb-00001' stands on line 1 already"),
    ],
)
def test_a_row_that_is_none_of_its_layout(tmp_path: Path, change: Row, said: str) -> None:
    with pytest.raises(Fault, match=said):
        formats.read(jsonl(tmp_path, TR, TR | {"id": "second"} | change))


def test_a_field_that_is_missing_and_a_layout_that_is_unknown(tmp_path: Path) -> None:
    path = jsonl(tmp_path, TR, {"id": "x"})
    with pytest.raises(Fault, match="line 2: The fields 'ref_lattice', 'text', 'text_spoken' are missing; tr-tts"):
        formats.read(path)
    with pytest.raises(Fault, match="line 1: No known layout has the fields a, b"):
        formats.read(jsonl(tmp_path, {"a": 1, "b": 2}))


def test_files_that_are_no_table(tmp_path: Path) -> None:
    (tmp_path / "latin.csv").write_bytes("id,text\n1,gr\xfc\xdfe\n".encode("latin-1"))
    with pytest.raises(Fault, match="Byte 12 is not UTF-8"):
        formats.read(tmp_path / "latin.csv")
    (tmp_path / "twice.jsonl").write_text('{"id": "a", "text": "b", "text": "c"}')
    with pytest.raises(Fault, match=r"line 1: This line is not JSON \(the key 'text' stands twice"):
        formats.read(tmp_path / "twice.jsonl")
    (tmp_path / "short.csv").write_text("utterance_id,text,category\n1,hello\n")
    with pytest.raises(Fault, match="line 2: This row does not have the 3 cells"):
        formats.read(tmp_path / "short.csv")
    (tmp_path / "x.parquet").write_bytes(b"PAR1")
    with pytest.raises(Fault, match="not a parquet file"):
        formats.read(tmp_path / "x.parquet")
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(Fault, match="empty"):
        formats.read(tmp_path / "empty.jsonl")


def test_a_set_that_differs_from_its_pin_is_refused(tmp_path: Path) -> None:
    path = jsonl(tmp_path, TR)
    text_set = formats.read(path)
    assert formats.read(path, sha256=text_set.sha256) == text_set
    path.write_text(path.read_text() + " \n")
    with pytest.raises(Fault, match=f"expected {text_set.sha256}"):
        formats.read(path, sha256=text_set.sha256)
