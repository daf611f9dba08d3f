"""Earshot's own Turkish text set keeps its rules: fields, readings, lattices, spans, quotas, subsets and fictions.

Conventions: each check collects the ids of the rows that break its rule, so that a failure names them.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bench import lattice
from bench.language import turkish
from bench.segment import SPAN_TYPES, Segment, TextSet

ROOT = Path(__file__).parents[1]
CANARY = "EARSHOT-CANARY-5b0c7a52-0d5e-4f0e-9c57-2f6a8e1d3b94"
FIELDS = (
    "id,version,split,language_tag,setting,domain,domain_name,utterance_type,group,group_name,phenomenon_primary,"
    "phenomena_secondary,difficulty,wer_visible,robustness,headline,text,text_spoken,ref_lattice,ref_canonical,"
    "n_paths,n_words,n_chars,length_bucket,alt_spans,acronyms,pron_hint,notes,subsets,source,license,canary,bid"
)
BACK, FRONT = "aıou", "eiöü"

Row = dict[str, Any]


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return [json.loads(line) for line in (ROOT / "data/tr.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def quota() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "data/tr_quota.json").read_text("utf-8"))
    return found


def bucket(words: int) -> str:
    return "short" if words <= 5 else "medium" if words <= 20 else "long" if words <= 45 else "very_long"


def largest_remainder(counts: Mapping[str, int], n: int) -> dict[str, int]:
    """`n` shared out in proportion to `counts`; what rounding down leaves goes to the largest remainders."""
    total = sum(counts.values())
    shares = {name: divmod(n * count, total) for name, count in counts.items()}
    parts = {name: whole for name, (whole, _) in shares.items()}
    for name in sorted(shares, key=lambda name: (-shares[name][1], name))[: n - sum(parts.values())]:
        parts[name] += 1
    return parts


def stratum(row: Row) -> str:
    return f"{row['setting']}/{row['length_bucket']}"


def draw(rows: Iterable[Row], name: str, n: int, seed: int) -> set[str]:
    """The ids of a named subset: setting x length in proportion to its pool, then the rarest groups so far."""
    pool = list(rows)
    if name == "human_ceiling":
        pool = [row for row in pool if row["difficulty"] != "D4" and not row["robustness"] and row["n_words"] <= 30]
    chosen: set[str] = set()
    groups: Counter[str] = Counter()
    for key, share in sorted(largest_remainder(Counter(map(stratum, pool)), n).items()):
        inside = [row for row in pool if stratum(row) == key]
        inside.sort(key=lambda row: (groups[row["group"]], sha256(f"{name}|{seed}|{row['id']}".encode()).digest()))
        deck = TextSet(name, tuple(Segment(r["id"], "tr", r["text"], strata={"group": r["group"]}) for r in inside), "")
        for segment in deck.sample(share, strata=("group",), seed=seed).segments:
            chosen.add(segment.id)
            groups[segment.strata["group"]] += 1
    return chosen


def test_rows_are_whole_and_named_apart(rows: list[Row]) -> None:
    assert not [row["id"] for row in rows if ",".join(row) != FIELDS]
    assert [row["id"] for row in rows] == [f"trd-{k:05}" for k in range(1, len(rows) + 1)]
    assert len({row["text"] for row in rows}) == len({row["bid"] for row in rows}) == len(rows) >= 300
    fixed = {
        "canary": CANARY,
        "license": "CC-BY-4.0",
        "language_tag": "tr",
        "split": "public",
        "source": "own-text; llm-written; native-review: pending",
    }
    assert not [(row["id"], name) for row in rows for name, value in fixed.items() if row[name] != value]
    for code, name in (("domain", "domain_name"), ("group", "group_name")):
        assert len({(row[code], row[name]) for row in rows}) == len({row[code] for row in rows})


def test_names_of_phenomena_are_listed_and_used(rows: list[Row]) -> None:
    listed = json.loads((ROOT / "data/phenomena_tr.json").read_text("utf-8"))
    used = {name for row in rows for name in (row["phenomenon_primary"], *row["phenomena_secondary"])}
    assert used == set(listed)
    assert not [row["id"] for row in rows if not row["phenomenon_primary"].startswith(row["group"] + ".")]


def test_counts_follow_from_the_row(rows: list[Row]) -> None:
    for row in rows:
        words = turkish.normalise(row["text_spoken"]).split()
        parsed = lattice.parse(row["ref_lattice"])
        assert row["ref_canonical"].split() == words == list(lattice.canonical(parsed)), row["id"]
        assert row["n_paths"] == lattice.count(parsed) <= 256, row["id"]
        assert len(set(lattice.paths(parsed))) == row["n_paths"], row["id"]
        assert (row["n_words"], row["n_chars"]) == (len(words), len(row["text"])), row["id"]
        assert row["length_bucket"] == bucket(len(words)), row["id"]
        assert row["setting"] == ("call_center" if row["domain"].startswith("CC") else "general"), row["id"]
        plain = row["difficulty"] != "D4" and row["wer_visible"] != "N" and not row["robustness"]
        assert row["headline"] == plain, row["id"]


def test_spoken_forms_are_words(rows: list[Row]) -> None:
    for row in rows:
        readings = [row["text_spoken"], *(text for span in row["alt_spans"] for text in (span["span"], *span["alts"]))]
        assert not re.search(r"[\d%€$₺£#*@=+&°/√‰]", " ".join(readings)), row["id"]
        for word in lattice.words(lattice.parse(row["ref_lattice"])):
            assert turkish.normalise(word) == word, (row["id"], word)


def pieces(row: Row) -> list[str]:
    """The spoken form cut at its spans: what is said before the first, each span, and what is said after it."""
    spoken, found, at = row["text_spoken"], [], 0
    for span in row["alt_spans"]:
        match = re.compile(rf"(?<!\w){re.escape(span['span'])}(?!\w)").search(spoken, at)
        assert match, (row["id"], span["span"])
        found += [spoken[at : match.start()], match.group()]
        at = match.end()
    return [*found, spoken[at:]]


def test_lattice_is_the_spoken_form_with_its_spans(rows: list[Row]) -> None:
    for row in rows:
        parts = [turkish.normalise(piece) for piece in pieces(row)]
        for at, span in enumerate(row["alt_spans"]):
            if span["alts"]:
                options = [turkish.normalise(reading) for reading in (span["span"], *span["alts"])]
                parts[2 * at + 1] = "{" + "|".join(options) + "}"
        assert " ".join(part for part in parts if part) == row["ref_lattice"], row["id"]


def test_spans_are_found_where_they_are_said(rows: list[Row]) -> None:
    """Looking a span up in the lattice, from the last one on, does not stop at the same words said before it."""
    for row in rows:
        parsed, after, said = lattice.parse(row["ref_lattice"]), 0, 0
        for before, span in zip(pieces(row)[::2], row["alt_spans"], strict=False):
            said += len(turkish.normalise(before).split())
            words = turkish.normalise(span["span"]).split()
            places = lattice.locate(lattice.spots(parsed), words, after)
            assert places is not None, (row["id"], span["span"])
            assert canonical_words_before(parsed, places.start) == said, (row["id"], span["span"])
            after, said = places.stop, said + len(words)


def canonical_words_before(parsed: lattice.Lattice, place: int) -> int:
    """How many words of the canonical reading lie before a place of the lattice."""
    said = passed = 0
    for part in parsed.parts:
        if passed == place:
            break
        alone = lattice.Lattice((part,))
        passed += len(lattice.words(alone))
        said += len(lattice.canonical(alone))
    return said


def test_what_is_written_in_digits_is_a_typed_span(rows: list[Row]) -> None:
    """Outside of the spans text and spoken form are the same, character for character, and hold no digit."""
    for row in rows:
        pattern = "".join("(.+)" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces(row)))
        assert row["robustness"] or re.fullmatch(pattern, row["text"]), row["id"]
    assert {span["type"] for row in rows for span in row["alt_spans"]} == set(SPAN_TYPES)


def harmonic(word: str, suffix: str) -> bool:
    """Whether `word` ends in `suffix` and its first vowel agrees in backness with the vowel before it."""
    stem = word.removesuffix(suffix)
    before = [c for c in stem if c in BACK + FRONT]
    inside = [c for c in suffix if c in BACK + FRONT]
    return stem != word and bool(before) and (not inside or (before[-1] in BACK) == (inside[0] in BACK))


def broken_suffixes(row: Row) -> list[str]:
    """The suffixes written after a number, a sign or an acronym that no reading of the row takes in that shape."""
    last = [
        turkish.normalise(word)
        for span in row["alt_spans"]
        for reading in (span["span"], *span["alts"])
        for word in reading.split()
    ]
    written = re.findall(r"(?:\d|[A-ZÇĞİÖŞÜ]{2}|\b[a-z]{1,2}|[₺%€$])'([a-zçğıöşü]+)", row["text"])
    return [suffix for suffix in written if not any(harmonic(word, suffix) for word in last)]


def test_written_suffixes_fit_a_reading(rows: list[Row]) -> None:
    assert not {row["id"]: broken_suffixes(row) for row in rows if not row["robustness"] and broken_suffixes(row)}
    wrong = [row for row in rows if row["phenomenon_primary"] == "G02.wrong_suffix"]
    assert wrong
    assert all(row["robustness"] and broken_suffixes(row) for row in wrong)


def test_acronyms_are_spoken_as_listed(rows: list[Row]) -> None:
    for row in rows:
        assert sum(span["type"] == "acronym" for span in row["alt_spans"]) <= len(row["acronyms"]), row["id"]
        for acronym in row["acronyms"]:
            assert acronym["type"] in ("L", "W"), row["id"]
            assert acronym["written"] in row["text"], (row["id"], acronym)
            assert f" {acronym['canonical']}" in f" {row['ref_canonical']}", (row["id"], acronym)
            for reading in (acronym["canonical"], *acronym["alts"]):
                assert turkish.normalise(reading) == reading, (row["id"], acronym)


def test_quotas_are_met(rows: list[Row], quota: dict[str, Any]) -> None:
    columns = {
        "setting_length": stratum,
        "robustness": lambda row: str(row["robustness"]).lower(),
        "multi_reference": lambda row: str(row["n_paths"] > 1).lower(),
    }
    assert quota["n"] == len(rows)
    for name, counts in quota["counts"].items():
        target = largest_remainder(counts, len(rows))
        assert quota["targets"][name] == target
        found = Counter(columns.get(name, lambda row, name=name: row[name])(row) for row in rows)
        off = {key: found[key] - target[key] for key in target if abs(found[key] - target[key]) > quota["tolerance"]}
        assert not off, (name, off)
        assert set(found) <= set(target), name
    assert 0 < quota["tolerance"] <= 2


def test_robustness_rows_show_every_kind(rows: list[Row]) -> None:
    kinds = {row["phenomenon_primary"] for row in rows if row["robustness"]}
    assert kinds == {"G02.wrong_suffix", "G13.llm_markup", "G15.all_caps", "G15.missing_circumflex"}


def test_subsets_are_drawn_by_rule(rows: list[Row], quota: dict[str, Any]) -> None:
    assert {name for row in rows for name in row["subsets"]} == set(quota["subsets"])
    for name, n in quota["subsets"].items():
        members = [row for row in rows if name in row["subsets"]]
        assert {row["id"] for row in members} == draw(rows, name, n, quota["subset_seed"])
        assert len(members) == n
        assert len({row["group"] for row in members}) == 20, name
    ceiling = [row for row in rows if "human_ceiling" in row["subsets"]]
    assert not [row["id"] for row in ceiling if row["difficulty"] == "D4" or row["robustness"] or row["n_words"] > 30]


def test_ids_of_the_grown_part_say_nothing_of_the_stratum(rows: list[Row]) -> None:
    """The first 120 ids are older; those after them were given out in a seeded shuffle."""
    grown = rows[120:]
    same = sum(a["group"] == b["group"] for a, b in pairwise(grown))
    by_chance = sum(count * (count - 1) for count in Counter(row["group"] for row in grown).values()) / len(grown)
    assert abs(same - by_chance) < 4 * math.sqrt(by_chance)


def test_no_two_rows_share_eight_words(rows: list[Row]) -> None:
    owner: dict[tuple[str, ...], str] = {}
    for row in rows:
        words = row["ref_canonical"].split()
        for start in range(len(words) - 7):
            grams = tuple(words[start : start + 8])
            assert owner.setdefault(grams, row["id"]) == row["id"], " ".join(grams)


def luhn(digits: str) -> bool:
    doubled = [int(d) * (2 if k % 2 else 1) for k, d in enumerate(reversed(digits))]
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


def national_id(digits: str) -> bool:
    d = [int(c) for c in digits]
    tenth = (7 * sum(d[0:9:2]) - sum(d[1:8:2])) % 10
    return d[0] != 0 and d[9] == tenth and d[10] == sum(d[:10]) % 10


def tax_number(digits: str) -> bool:
    total = 0
    for k, d in enumerate(int(c) for c in digits[:9]):
        shifted = (d + 9 - k) % 10
        weighed = shifted * 2 ** (9 - k) % 9
        total += 9 if shifted and not weighed else weighed
    return int(digits[9]) == -total % 10


def iban(text: str) -> bool:
    moved = text[4:] + text[:4]
    return int("".join(str(int(c, 36)) for c in moved)) % 97 == 1


def test_checksums_are_those_of_the_standards() -> None:
    """Examples that the issuers or the standards publish pass, so that a failing identifier really fails."""
    assert [luhn(n) for n in ("4111111111111111", "490154203237518", "4111111111111112")] == [True, True, False]
    assert [national_id(n) for n in ("10000000146", "10000000147")] == [True, False]
    assert [tax_number(n) for n in ("1234567890", "1234567891")] == [True, False]
    assert [iban(n) for n in ("TR330006100519786457841326", "TR340006100519786457841326")] == [True, False]


def test_identifiers_fail_their_checks(rows: list[Row]) -> None:
    checks = {10: tax_number, 11: national_id, 15: luhn, 16: luhn}
    seen: set[int] = set()
    for row in rows:
        for run in re.findall(r"TR\d[\d ]+\d", row["text"]):
            assert not iban(run.replace(" ", "")), row["id"]
            seen.add(26)
        for run in re.findall(r"(?<![\w])\d[\d ]*\d", row["text"]):
            digits = run.replace(" ", "")
            if len(digits) in checks:
                seen.add(len(digits))
                assert not checks[len(digits)](digits), (row["id"], digits)
    assert seen >= {10, 11, 15, 26}


def test_phone_numbers_are_unassigned(rows: list[Row]) -> None:
    found = [n for row in rows for n in re.findall(r"\b0\d{3} \d{3} \d{2} \d{2}\b", row["text"])]
    assert len(found) >= 5
    assert not [n for n in found if not n.startswith(("0599 ", "0499 ", "0850 909 "))]


def test_demonstration_pins_the_set() -> None:
    digest = sha256((ROOT / "data/tr.jsonl").read_bytes()).hexdigest()
    assert digest in (ROOT / "protocols/demo-tr.toml").read_text("utf-8")
