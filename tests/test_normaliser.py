"""Normalisers as values: the published figures of other rules, and how a rule is asked for."""

from __future__ import annotations

import pickle

import pytest

from bench import normaliser
from bench.fault import Fault

# What handset-bench 0.1.0 makes of these texts, its known blindness included.
HANDSET = [
    ("(613) 555-0198", "6 1 3 5 5 5 0 1 9 8"),
    ("007", "0 0 7"),
    ("4481", "4 4 8 1"),
    ("forty four eighty one", "4 4 8 1"),
    ("four thousand four hundred eighty one", "4 4 8 1"),
    ("10", "1 0"),
    ("ten", "1 0"),
    ("one zero", "1 0"),
    ("2:15 pm", "2 1 5 pm"),
    ("two fifteen p m", "2 1 5 pm"),
    ("March 3rd", "march 3rd"),
    ("oh I see", "0 i see"),
    ("$5.50", "5 5 0"),
    ("$550", "5 5 0"),
    ("$5", "5"),
    ("£5", "5"),
    ("five dollars", "5"),
    ("50%", "5 0"),
    ("fifty", "5 0"),
    ("fifty percent", "5 0"),
    ("-5", "5"),
    ("−5", "5"),
    ("minus five", "5"),
    ("12:30", "1 2 3 0"),
    ("1230", "1 2 3 0"),
    ("O'Sullivan", "0 sullivan"),
    ("ten o'clock", "1 0 0 clock"),
    ("$1,247.50", "1 2 4 7 5 0"),
]


@pytest.mark.parametrize(("text", "expected"), HANDSET)
def test_handset_gives_the_published_result(text: str, expected: str) -> None:
    assert normaliser.get("handset", "en").apply(text) == expected


def test_handset_cannot_see_a_decimal_point() -> None:
    handset = normaliser.get("handset", "en-US")
    assert handset("1.5 million") == handset("15 million")
    assert handset("1.5 million").startswith("1 5 0 0")


def test_whisper_is_the_english_rule_for_english_and_the_basic_one_elsewhere() -> None:
    assert normaliser.get("whisper", "en")("It's five dollars, Mr. Grey.") == "it is $5 mister gray"
    assert normaliser.get("whisper", "de-AT")("Grüß Gott, 1.250 Euro!") == "grüß gott 1 250 euro"
    assert normaliser.get("whisper", "zh-Hans-CN")("第12名。") == "第 1 2 名"


def shout(text: str) -> str:
    return text.upper()


def test_a_users_function_is_named_by_its_import_path_and_pinned_by_its_source() -> None:
    rule = normaliser.get(f"{__name__}:shout", "en")
    assert rule("so") == "SO"
    assert rule.name == f"{__name__}:shout"
    assert rule.signature != normaliser.get(f"{__name__}:test_handset_cannot_see_a_decimal_point", "en").signature


@pytest.mark.parametrize(
    ("name", "language", "says"),
    [
        ("handset", "de", "for English"),
        ("nemo", "en", "known are earshot, whisper, handset"),
        ("no_such_module:rule", "en", "cannot be imported"),
        ("math:no_such_rule", "en", "cannot be imported"),
        ("math:pi", "en", "expected is a function"),
        ("earshot", "fr", "no rule for the language 'fr'"),
    ],
)
def test_a_rule_that_does_not_exist_is_a_fault_that_says_so(name: str, language: str, says: str) -> None:
    with pytest.raises(Fault, match=says):
        normaliser.get(name, language)


@pytest.mark.parametrize(
    ("language", "written", "spoken"),
    [
        ("en-US", "It's $5.50.", "it's five dollars and fifty cents"),
        ("de-CH", "CHF 12.50", "zwölf franken fünfzig"),
        ("gsw-CH", "Am 6i.", "am sächsi"),
        ("zh-Hans-CN", "2026年", "二 零 二 六 年"),
        ("tr-TR", "%20", "yüzde yirmi"),
    ],
)
def test_earshots_own_rule_reads_both_sides(language: str, written: str, spoken: str) -> None:
    rule = normaliser.get("earshot", language)
    assert rule(written) == rule(spoken) == spoken
    assert "_norm:" in rule.signature


def test_normalisers_are_values_that_travel() -> None:
    for name in ("whisper", "handset", "earshot"):
        rule = normaliser.get(name, "en")
        assert rule == normaliser.get(name, "en")
        assert pickle.loads(pickle.dumps(rule))("ten") == rule("ten")
