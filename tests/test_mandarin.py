"""Mandarin: digits are read where the text says how, and what it no longer says stays as written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.language import mandarin
from bench.language.mandarin.words import cardinal, decimal, spelled
from tests.paths import covers, readings

HERE = Path(__file__).parent
GOLD = [json.loads(line) for line in (HERE / "data/gold/gold_zh_dev.jsonl").read_text(encoding="utf-8").splitlines()]
ROWS = [json.loads(line) for line in (HERE.parent / "data/zh.jsonl").read_text(encoding="utf-8").splitlines()]

# Gold cases that the verbaliser does not meet, each with its reason.
UNMET: dict[str, str] = {}

# Groups in which a sign or a Latin unit stands for a word that it does not name, by what is written then: such a case
# stays as written. Every other case is read.
UNSAID = {
    "score": "[0-9][-:][0-9]",
    "range": "[0-9]%?[-~][0-9]",
    "fraction": "[0-9][/:][0-9]",
    "percent": "[%‰]",
    "time": "[0-9][:×][0-9]",
    "unit": "[0-9亿][A-Za-z℃]",
    "money": "^[€$]",
    "year": "[0-9][-—·][0-9]",
    "version": r"[A-Z]\+",
}
Verbaliser = Callable[..., str]


def joined(text: str) -> str:
    return mandarin.normalise(text).replace(" ", "")


def read(text: str) -> str:
    return joined(mandarin.verbalise(text))


def unsaid(case: dict) -> bool:
    """Whether the written form no longer says what was spoken."""
    return re.search(UNSAID.get(case["group"], "$^"), case["written"]) is not None


def faults(case: dict, verbalise: Verbaliser) -> list[str]:
    """What a verbaliser gets wrong about a case.

    Every accepted reading is a path and the best is one of them; a case that is unsaid stays as written. Neither a bad
    reading is a path nor the written form of a case that is read.
    """
    right = [case["written"]] if unsaid(case) else case["readings"]
    wrong = {*case["bad"], case["written"], *(case["readings"] if unsaid(case) else ())} - {*right}

    def whole(reading: str) -> str:
        return mandarin.normalise(case["context"].replace(case["written"], reading))

    lattice, best = verbalise(case["context"], "set"), joined(verbalise(case["context"]))
    return [
        *(f"{reading} is no path" for reading in right if not covers(lattice, whole(reading), spaces=False)),
        *(f"{reading} is a path" for reading in sorted(wrong) if covers(lattice, whole(reading), spaces=False)),
        *([] if best in [whole(reading).replace(" ", "") for reading in right] else [f"the best is {best}"]),
    ]


@pytest.mark.parametrize("case", GOLD, ids=lambda case: case["id"])
def test_gold(case: dict) -> None:
    assert bool(faults(case, mandarin.verbalise)) == (case["id"] in UNMET), faults(case, mandarin.verbalise)


def test_a_verbaliser_that_does_nothing_fails_every_gold_case_that_is_to_be_read() -> None:
    def nothing(text: str, mode: str = "best") -> str:
        return text if mode == "best" else mandarin.normalise(text)

    failed = {case["id"] for case in GOLD if faults(case, nothing)}
    assert failed == {case["id"] for case in GOLD if re.search("[0-9]", case["written"]) and not unsaid(case)}
    assert len(failed) > len(GOLD) / 3


def test_a_verbaliser_that_says_what_is_unsaid_fails() -> None:
    for case in filter(unsaid, GOLD):
        for reading in case["readings"]:
            said = mandarin.normalise(case["context"].replace(case["written"], reading))
            assert faults(case, lambda *_, said=said: said)


def test_at_most_two_in_a_hundred_gold_cases_are_unmet() -> None:
    assert len(UNMET) <= 0.02 * len(GOLD)


def test_spoken_forms_come_through_unchanged() -> None:
    for case in GOLD:
        for reading in case["readings"]:
            assert read(reading) == joined(reading)


def test_sanity_floor() -> None:
    """The written text as a transcript: no target is wrong, many are right, the rest unresolved."""
    right = 0
    for row in ROWS:
        said = read(row["text"])
        for target in row["targets"]:
            positive = target.get("positive") or target["positive_readings"]
            negative = target.get("negative") or target.get("negative_readings", [])
            assert not [reading for reading in negative if joined(reading) in said], said
            right += any(joined(reading) in said for reading in positive)
    assert right > len(ROWS) / 2


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("２０２４年", "二零二四年"),
        ("二〇二四年", "二零二四年"),
        ("2026年2月12日", "二零二六年二月十二日"),
        ("2个孩子", "两个孩子"),
        ("2号线", "二号线"),
        ("第2名", "第二名"),
        ("2000元", "两千元"),
        ("1200万千瓦", "一千二百万千瓦"),
        ("12,345人", "一万二千三百四十五人"),
        ("1.05亿", "一点零五亿"),
        ("请拨打110，等待", "请拨打一一零等待"),
        ("C919与A320", "c九一九与a三二零"),
        ("运-20", "运二十"),
        ("5G和4K", "五g和四k"),
        ("去4S专卖店", "去四s专卖店"),
        ("跑100米12秒", "跑一百米十二秒"),
        ("20米50人", "二十米五十人"),
        ("90后", "九零后"),
        ("70、80后", "七零八零后"),
        ("公元前221年", "公元前二二一年"),
        ("110比108", "一百一十比一百零八"),
        ("2比0", "二比零"),
        ("1000.00元", "一千点零零元"),
        ("上证50与Top100", "上证五十与top一百"),
        ("302路公交车", "三零二路公交车"),
        ("2.0版本", "二点零版本"),
        ("100强", "一百强"),
        ("沪深300ETF", "沪深三百etf"),
        ("120例与120急救", "一百二十例与一二零急救"),
        ("360公司与360度", "三六零公司与三百六十度"),
        ("90年代", "九十年代"),
        ("沪深300", "沪深三百"),
        ("13800138000", "一三八零零一三八零零零"),
        ("g d p 增长", "gdp增长"),
        ("5A级景区、4S店、2B铅笔、5.5G", "五a级景区四s店二b铅笔五点五g"),
        ("052D驱逐舰与99A坦克", "零五二d驱逐舰与九九a坦克"),
        ("V4.1.2与2.0时代", "v四点一点二与二点零时代"),
        ("百分之2，3分之2，2分之1", "百分之二三分之二二分之一"),
        ("2021至2025年，2024、2025年", "二零二一至二零二五年二零二四二零二五年"),
        ("2025春晚，2024巴黎奥运会", "二零二五春晚二零二四巴黎奥运会"),
        ("2至3月，2、3月，2至3天", "二至三月二三月两至三天"),
        ("200至300人，1000至2000公里", "两百至三百人一千至两千公里"),
        ("2省2方面2大问题，2年级2字头2大队", "两省两方面两大问题二年级二字头二大队"),
        ("2024会议与2025大赛", "2024会议与2025大赛"),
        ("日经225与双11", "日经二二五与双十一"),
        ("1米75，12块85，米-28", "一米七五十二块八五米二十八"),
        ("208宿舍、863计划、798艺术区", "二零八宿舍八六三计划七九八艺术区"),
        ("骁龙888，120码，100兆", "骁龙八八八一百二十码一百兆"),
    ],
)
def test_kinds(written: str, said: str) -> None:
    assert read(written) == said


@pytest.mark.parametrize(
    "written",
    ["98-95", "3:1", "3/4", "3.5%", "-0.3%", "5‰", "8~10级", "26℃", "$0.35", "720km", "500mL", "9:00-17:30", "9·18",
     "7×24", "10÷2", "1+1=2", "50㎡", "2021-2025年", "787-9", "≥65", "-5度"],
)  # fmt: skip
def test_what_the_text_does_not_say_stays_as_written(written: str) -> None:
    for mode in ("best", "set"):
        assert joined(mandarin.verbalise(written, mode)) == joined(written)


@pytest.mark.parametrize(
    ("written", "said", "wrong"),
    [
        ("9月10日-12日", ["九月十日十二日", "九月十日至十二日", "九月十日到十二日"], ["九月十日减十二日"]),
        ("2021年-2025年", ["二零二一年二零二五年", "二零二一年至二零二五年"], ["二零二一年减二零二五年"]),
        ("350公里/小时", ["三百五十公里小时", "三百五十公里每小时", "每小时三百五十公里"], []),
        ("3.85元", ["三块八毛五", "三元八角五分", "三点八五元"], ["三块八五毛"]),
        ("0.3元", ["三毛", "三角", "零点三元"], ["零三毛"]),
        ("19.9元", ["十九块九", "十九块九毛", "十九元九角"], ["十九九元"]),
        ("1000.00元", ["一千元", "一千块"], ["一千零元"]),
        ("2比0", [], ["两比零"]),
        ("12级台风", ["十二级台风"], ["一二级台风"]),
        ("科创50", ["科创五十"], ["科创五零"]),
        ("110比108", ["幺幺零比幺零八", "一一零比一零八"], ["幺一零比一零八"]),
        ("百分之2", ["百分之二"], ["百分之两"]),
        ("百分之20", ["百分之二十"], ["百分之二零"]),
        ("2.0时代", ["二点零时代"], ["两点零时代"]),
        ("日经225", ["日经两百二十五", "日经二百二十五"], []),
        ("前225名", ["前二百二十五名"], ["前二二五名"]),
        ("麒麟9000", ["麒麟九零零零", "麒麟九千"], []),
        ("20至30岁", ["二十至三十岁"], ["二零至三十岁"]),
        ("双11", ["双十一"], ["双一一"]),
        ("26.11.29", [], ["二十六点十一点二十九"]),
        ("192.168.1.1", ["一九二点一六八点一点一", "幺九二点幺六八点一点一"], []),
        ("2月-3月", ["二月至三月", "二月到三月"], ["二月减三月"]),
    ],
)
def test_the_set(written: str, said: list[str], wrong: list[str]) -> None:
    lattice = mandarin.verbalise(written, "set")
    assert [reading for reading in said if not covers(lattice, reading, spaces=False)] == []
    assert [reading for reading in wrong if covers(lattice, reading, spaces=False)] == []


def test_a_long_bare_number_is_unresolved_and_its_readings_are_in_the_set() -> None:
    assert read("代号4321") == "代号4321"
    for said in ("代号四千三百二十一", "代号四三二一"):
        assert covers(mandarin.verbalise("代号4321", "set"), mandarin.normalise(said))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3.5%", "35%"),
        ("-5度", "5度"),
        ("$5", "€5"),
        ("￥5", "5"),
        ("007", "7"),
        ("有3，120人", "有3,120人"),
        ("98-95", "9895"),
    ],
)
def test_different_things_stay_different(one: str, other: str) -> None:
    assert mandarin.normalise(one) != mandarin.normalise(other)
    assert mandarin.normalise(mandarin.verbalise(one)) != mandarin.normalise(mandarin.verbalise(other))


def test_tokens_are_han_characters_runs_of_letters_and_numbers() -> None:
    assert mandarin.normalise("　中国GDP增长，达3.5 亿！") == "中 国 gdp 增 长 达 3.5 亿"


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("0123456789一二零〇年月日个元-.:%G km，。"))))
@settings(derandomize=True, max_examples=800, deadline=None)
def test_normalise_is_idempotent_and_verbalise_is_total(text: str) -> None:
    once = mandarin.normalise(text)
    assert mandarin.normalise(once) == once
    assert covers(mandarin.verbalise(text, "set"), mandarin.normalise(mandarin.verbalise(text)), spaces=False)


@given(st.text(alphabet="0123456789年月日个元-.:%GC第万两后A度号", max_size=12))
@settings(derandomize=True, max_examples=800, deadline=None)
def test_best_is_in_set(text: str) -> None:
    assert covers(mandarin.verbalise(text, "set"), mandarin.normalise(mandarin.verbalise(text)), spaces=False)


def value(said: str) -> int:
    """A cardinal in characters as a number: the tests' own reader."""
    units = {"十": 10, "百": 100, "千": 1000}
    total = section = digit = 0
    for character in said.replace("万亿", "兆"):
        if character in units:
            section += (digit or 1) * units[character]
            digit = 0
        elif character in "万亿兆":
            size = {"万": 10**4, "亿": 10**8, "兆": 10**12}[character]
            lower = section + digit
            total = (total + lower) * size if character == "亿" and total < 10**8 else total + lower * size
            section = digit = 0
        else:
            digit = {"两": 2}.get(character, "零一二三四五六七八九".find(character))
    return total + section + digit


@given(st.integers(min_value=0, max_value=10**12 - 1))
@settings(derandomize=True, max_examples=500, deadline=None)
def test_a_cardinal_says_its_number_and_no_other(number: int) -> None:
    for said in readings(" ".join(cardinal(str(number)))):
        assert value(said.replace(" ", "")) == number


@pytest.mark.parametrize(
    ("digits", "said"),
    [
        ("0", "零"),
        ("10", "十"),
        ("110", "一百一十"),
        ("108", "一百零八"),
        ("1010", "一千零一十"),
        ("10500", "一万零五百"),
        ("100000", "十万"),
        ("100010", "十万零一十"),
        ("120000000", "一亿{二|两}千万"),
        ("1000000000000", "一万亿"),
    ],
)
def test_cardinals(digits: str, said: str) -> None:
    assert cardinal(digits) == said


def test_other_numbers() -> None:
    assert spelled("010") == "{零一零|零幺零}"
    assert decimal("2", "05") == "{二|两}点零五"


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="expected is 'best' or 'set'"):
        mandarin.verbalise("5", "all")


def test_signature_pins_the_lexicon() -> None:
    assert mandarin.signature().startswith("zh_norm:1.2.0|lexicon:")
