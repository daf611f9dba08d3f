"""Earshot's own text sets keep the rules that they were written by, row by row."""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections import Counter
from functools import cache
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bench import formats, normaliser
from bench.formats.newstts_rules import validate
from bench.lattice import canonical, count, locate, parse, paths, spots
from bench.normaliser import LANGUAGES
from bench.segment import SPAN_TYPES, Segment, TextSet
from bench.subsets import SHARES, draw, readable

ROOT = Path(__file__).parents[1]
SETS = ("tr", "de", "en", "zh")
CANARY = "EARSHOT-CANARY-5b0c7a52-0d5e-4f0e-9c57-2f6a8e1d3b94"
MOST_PATHS = 256

every_set = pytest.mark.parametrize("language", SETS)


@cache
def read(language: str) -> TextSet:
    return formats.read(ROOT / f"data/{language}.jsonl")


def normalise(language: str, text: str) -> str:
    return import_module(f"bench.language.{LANGUAGES[language]}").normalise(text)


def row(segment: Segment) -> dict[str, Any]:
    """The fields of a row that a segment has no name for, wherever its layout keeps them."""
    return {"source": segment.source, **segment.extra, **segment.extra.get("metadata", {})}


# ------------------------------------------------------------------------------------------------------- every set


@every_set
def test_a_record_is_a_line_without_escapes(language: str) -> None:
    lines = (ROOT / f"data/{language}.jsonl").read_bytes().decode("utf-8").split("\n")
    assert lines.pop() == ""
    assert len(lines) >= 120
    for line in lines:
        assert json.dumps(json.loads(line), ensure_ascii=False) == line
        assert unicodedata.is_normalized("NFC", line)


@every_set
def test_the_demonstration_pins_the_set(language: str) -> None:
    protocol = tomllib.loads((ROOT / f"protocols/demo-{language}.toml").read_text(encoding="utf-8"))
    assert protocol["text_set"]["sha256"] == read(language).sha256


@every_set
def test_spoken_forms_hold_words_alone(language: str) -> None:
    for segment in read(language).segments:
        said = [segment.spoken, *(reading for span in segment.spans for reading in (span.text, *span.alternatives))]
        for text in said:
            odd = [character for character in text if unicodedata.category(character)[0] in "NS"]
            assert not odd, (segment.id, text, odd)


@every_set
def test_the_lattice_starts_with_the_spoken_form(language: str) -> None:
    for segment in read(language).segments:
        lattice = parse(segment.lattice)
        reading = " ".join(canonical(lattice))
        assert reading == row(segment)["ref_canonical"] == normalise(language, segment.spoken), segment.id


@every_set
def test_paths_are_counted_distinct_and_normalised(language: str) -> None:
    for segment in read(language).segments:
        lattice = parse(segment.lattice)
        assert 1 <= count(lattice) == row(segment)["n_paths"] <= MOST_PATHS, segment.id
        readings = [" ".join(path) for path in paths(lattice)]
        assert len(set(readings)) == len(readings), segment.id
        assert [normalise(language, reading) for reading in readings] == readings, segment.id


@every_set
def test_the_lattice_is_what_the_spans_say(language: str) -> None:
    """Spans lie in the spoken form one after the other; taking any reading of each gives every path and no other."""
    for segment in read(language).segments:
        pieces: list[tuple[str, ...]] = []
        rest = segment.spoken
        for span in segment.spans:
            assert span.type in SPAN_TYPES, segment.id
            before, found, rest = rest.partition(span.text)
            assert found, (segment.id, span)
            pieces += [(before,), (span.text, *span.alternatives)]
        built = {normalise(language, "".join(choice)) for choice in product(*pieces, (rest,))}
        assert built == {" ".join(path) for path in paths(parse(segment.lattice))}, segment.id


@every_set
def test_a_span_is_found_in_the_lattice(language: str) -> None:
    for segment in read(language).segments:
        after = 0
        for span in segment.spans:
            places = locate(spots(parse(segment.lattice)), normalise(language, span.text).split(), after)
            assert places is not None, (segment.id, span)
            after = places.stop


@every_set
def test_a_spoken_form_is_a_perfect_transcript(language: str) -> None:
    rule = normaliser.get("earshot", language)
    for segment in read(language).segments:
        assert rule(segment.spoken) == normalise(language, segment.spoken), segment.id


@every_set
def test_origin_licence_and_canary_stand_in_every_row(language: str) -> None:
    for segment in read(language).segments:
        assert (segment.canary, segment.licence) == (CANARY, "CC-BY-4.0"), segment.id
        assert row(segment)["source"] == "own-text; llm-written; native-review: pending", segment.id


@every_set
def test_subsets_are_the_drawn_ones(language: str) -> None:
    text_set = read(language)
    for name, chosen in draw(text_set).items():
        assert {segment.id for segment in text_set.subset(name).segments} == chosen
        assert len(chosen) == round(SHARES[name] * len(text_set))
    assert all(map(readable, text_set.subset("human_ceiling").segments))


def luhn(digits: str) -> bool:
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return sum(number // 10 + number % 10 for number in doubled) % 10 == 0


def iban(text: str) -> bool:
    return int("".join(str(int(character, 36)) for character in text[4:] + text[:4])) % 97 == 1


def test_the_checksums_are_those_of_the_standards() -> None:
    assert luhn("4111111111111111")
    assert not luhn("4111111111111112")
    assert iban("DE89370400440532013000")
    assert not iban("DE00370400440532013000")


@every_set
def test_identifiers_are_nobodys(language: str) -> None:
    """What looks like an account or a card fails its checksum, and so can belong to nobody."""
    for segment in read(language).segments:
        for found in re.findall(r"\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b", segment.text):
            assert not iban(found.replace(" ", "")), segment.id
        for found in re.findall(r"[0-9](?:[ -]?[0-9]){12,18}", segment.text):
            assert not luhn(re.sub(r"\D", "", found)), segment.id


# ----------------------------------------------------------------------------------------------------- set by set

# Numbers that are kept free for film and fiction: North America 555-0100 to 555-0199; Germany by the list of its
# Federal Network Agency.
FICTIONAL = {
    "en": r"(?:1-)?\(?[2-9]\d\d\)?[ -]555-01\d\d",
    "de": r"(?:030 23125|040 66969|0221 4710|089 99998|\+49 69 90009)[ -]?\d{2,3}|0171 39200\d\d|0176 040690\d\d",
}


@pytest.mark.parametrize("language", ["en", "de"])
def test_telephone_numbers_are_kept_for_fiction(language: str) -> None:
    whole = [
        segment
        for segment in read(language).segments
        if any(span.type == "phone" and len(span.text.split()) > 6 for span in segment.spans)  # not an extension
    ]
    assert len(whole) >= 5
    for segment in whole:
        assert re.search(FICTIONAL[language], segment.text), segment.id


def test_english_keeps_the_shares_of_handset_bench() -> None:
    shares = Counter(segment.strata["category"] for segment in read("en").segments)
    published = {
        "conversational": 70,
        "digits": 60,
        "proper_nouns": 50,
        "addresses": 40,
        "datetime_money": 40,
        "general": 40,
    }
    assert {name: number / len(read("en")) for name, number in shares.items()} == {
        name: number / 300 for name, number in published.items()
    }


# Registered subtags alone: a variety without one is de-DE with its label and locality.
GERMAN = {"de-DE", "de-AT", "de-CH", "gsw-CH", "nds-DE", "bar-DE", "bar-AT", "ksh-DE", "swg-DE"}


def test_german_names_variety_and_locality() -> None:
    localities: Counter[str] = Counter()
    for segment in read("de").segments:
        variety, locality = segment.strata["variety"], segment.strata["locality"]
        assert variety
        assert (segment.strata["category"] == "dialect") == (locality is not None) != segment.strata["headline"]
        assert segment.language in {
            "de-DE",
            "de-AT",
            "de-CH",
            "gsw-CH",
            "nds-DE",
            "bar-DE",
            "bar-AT",
            "ksh-DE",
            "swg-DE",
        }
        if locality is not None:
            localities[locality] += 1
    assert localities.total() >= 24
    assert len(localities) >= 10
    assert {segment.strata["category"] for segment in read("de").segments} == {
        "simple_dialogue",
        "long_compounds",
        "names",
        "dates_times",
        "currency",
        "phone",
        "alphanumeric_id",
        "abbreviations",
        "code_switching",
        "dialect",
    }


def test_mandarin_is_a_dataset_without_findings() -> None:
    """Neither the published validator nor Earshot's own warnings have anything to say."""
    assert validate(ROOT / "data/zh.jsonl") == ()


def test_mandarin_targets_and_spans_agree() -> None:
    """The reading that comes first is the one in the spoken form; homophones in writing are not judged by machine."""
    for segment in read("zh").segments:
        rest = list(segment.spans)
        for target in segment.targets:
            assert target.auto_evaluable == (target.category != "optional_homograph_polyphone"), target.id
            assert target.negative, target.id
            first = target.positive[0] if target.auto_evaluable else target.span
            while rest and rest[0].text != first:
                assert rest.pop(0).type == "name"  # what is named in the line without being a target
            span = rest.pop(0)
            accepted = {normalise("zh", reading) for reading in (span.text, *span.alternatives)}
            if target.auto_evaluable:
                assert accepted == {normalise("zh", reading) for reading in target.positive}, target.id
