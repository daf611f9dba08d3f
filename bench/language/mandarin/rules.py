"""The written numbers of Mandarin and how they are read: the ordered rules behind `bench.language.mandarin.verbalise`.

Conventions: the first rules hold what is unresolved as it stands, so that no later rule reads a part of it. A rule
reads a number only where its neighbours leave no doubt what kind it is; the kinds' words are in the lexicon.
"""

from __future__ import annotations

import re
from typing import Any

from bench.language import scan
from bench.language.mandarin.words import DIGITS, cardinal, decimal, spelled
from bench.language.scan import Rule, one_of, rule

_LEXICON: dict[str, Any] = scan.lexicon("mandarin")


def _any(name: str) -> str:
    return "|".join(re.escape(entry) for entry in sorted(_LEXICON[name], key=len, reverse=True))


_NUMBER = r"[0-9]++(?:,[0-9]{3}(?![0-9]))*+(?:\.[0-9]++)?"
_BETWEEN = r"[-–—~∼〜:/×·•*xX＊±°至到+÷=<>^]"
_AFTER = r"(?:[%‰℃℉°]|[A-Za-zμµΩ²³]+)"
_ALONE = r"(?<![A-Za-z0-9.])"
_MORE = r"[0-9]|[.,][0-9]"
_CODES = frozenset(_LEXICON["codes"])


def _said(number: str) -> str:
    """A counted number, with or without grouping commas and a decimal part."""
    whole, _, fraction = number.replace(",", "").partition(".")
    return decimal(whole, fraction) if fraction else cardinal(whole)


# --- Unresolved -------------------------------------------------------------------------------------------------------


@rule(
    r"(?<![A-Za-z0-9.-])(?:\+?86[- ]?)?(?:0[0-9]{2,3}[- ][0-9]{7,8}|[48]00[- ]?[0-9]{3}[- ]?[0-9]{4}"
    r"|1[3-9][0-9][- ]?[0-9]{4}[- ]?[0-9]{4})(?![A-Za-z0-9%℃.-])"
)
def _phone(match: re.Match[str]) -> str:
    """Telephone numbers: nothing else has their shape."""
    digits = re.findall("[0-9]+", match[0])
    return f"{'加' if match[0].startswith('+') else ''}{spelled(''.join(digits))}"


@rule(
    r"(?<![A-Za-z0-9.])([1-9])(\.5(?=G))?([GKDCB](?![A-Za-z0-9/²³])|A(?=级|景区|游戏|大作|医院)|S(?=(?:专卖|专营|专门)?店))"
    r"|(?<![A-Za-z0-9.])(0[0-9]{2}|[0-9]{2}(?=[A-Z](?:坦克|主战)))([A-Z]{1,2})(?![A-Za-z0-9/²³])"
)
def _generation(match: re.Match[str]) -> str:
    """5G, 5.5G, 4K, 5A级, 4S店, 052D, 99A坦克: the letter is not a unit."""
    if match[4]:
        return f"{spelled(match[4])}{match[5]}"
    return f"{DIGITS[int(match[1])]}{'点五' if match[2] else ''}{match[3]}"


@rule(r"(?<![0-9.])(?![0-9]{2}\.[0-9]{2}\.[0-9]{2}(?![0-9]))[0-9]{1,3}(?:\.[0-9]{1,3}){2,3}(?![0-9A-Za-z%‰℃]|\.[0-9])")
def _version(match: re.Match[str]) -> str:
    """4.1.2; three numbers of two digits may be a date."""
    return "点".join(_part(part) for part in match[0].split("."))


def _part(digits: str) -> str:
    if len(digits) == 1:
        return DIGITS[int(digits)]
    return one_of(cardinal(digits), *_spellings(digits)) if len(digits) == 2 else one_of(*_spellings(digits))


@rule(r"(?<=[A-Za-z])([0-9])(?=[A-Za-z](?![a-z]))")
def _between_letters(match: re.Match[str]) -> str:
    """B2B: the 2 is also said in English."""
    english = {"2": ["to", "兔"], "4": ["for"]}.get(match[1], [])
    return one_of(DIGITS[int(match[1])], *english)


@rule(
    rf"(?<![A-Za-z0-9])(?<![0-9],)(?:{_NUMBER}[%‰℃℉°万亿元级度]?|[A-Za-z]++[0-9]++)"
    rf"(?: ?{_BETWEEN} ?[-+]?{_NUMBER}(?:[%‰℃℉°])?)+"
    r"(?:[A-Za-zμµΩ²³]+(?:/[A-Za-z]+[²³]?)?)?"
)
def _joined(match: re.Match[str]) -> str | None:
    """Numbers joined by a sign: scores, ranges, ratios, fractions, clock times, dates of events."""
    if re.search("[至到xX]", match[0]) and not re.search(r"[0-9] ?[-–—~∼〜:/×·•*＊±xX+÷=<>^] ?[-+]?[0-9]", match[0]):
        return None
    return match[0]


@rule(r"(?<=[年月日号时点分]) ?[-–—~∼〜] ?(?=[0-9])")
def _until(match: re.Match[str]) -> str:  # noqa: ARG001
    """9月10日-12日: the numbers are read; what was said for the sign is not written, and in mode "set" 至 or 到."""
    return one_of("", "至", "到")


@rule(r"(?<![0-9.])(?:[1-9]|1[0-2])\.[0-9]{1,2}(?=事变|事件|惨案|大促|购物节|地震|国家|维权|大选)")
def _event(match: re.Match[str]) -> str:
    """The date of an event, 6.18, is no decimal number."""
    return match[0]


@rule(rf"({_any('index_before')})([0-9]{{2,4}})(?=ETF|LOF)")
def _fund(match: re.Match[str]) -> str:
    """沪深300ETF: the letters are no unit."""
    return match[1] + _index(match[2])


def _index(digits: str) -> str:
    """沪深300 is 三百, 日经225 二二五 and a number too."""
    return cardinal(digits) if digits.endswith("0") or len(digits) < 3 else one_of(spelled(digits), cardinal(digits))


@rule(rf"[-+±≥≤><＞＜≈$€£¥￥₩₽]+ ?{_NUMBER}(?: ?[万亿千百]+)?(?: ?{_AFTER}(?:/[A-Za-zμµ]+[²³]?)?)?")
def _signed(match: re.Match[str]) -> str | None:
    """A number with a sign before it, unless the sign is the hyphen of a model."""
    before = match.string[max(0, match.start() - 6) : match.start()]
    if match[0].startswith("-") and (re.search(rf"[A-Za-z]$|(?:{_any('model_before')})$", before)):
        return None
    return match[0]


@rule(
    rf"(?<![A-Za-z])([A-Za-z]++)([- ]?)([0-9]++)(\.[0-9]+)?"
    rf"(?![0-9.]|{_BETWEEN}[0-9]|[%‰℃])(?![A-Za-z]{{2}}[A-Za-z]*[/²³])"
)
def _model(match: re.Match[str]) -> str:
    """Letters, then digits: C919, Mate 70, PM2.5, G1372; but Top100 is a hundred."""
    head, digits = match[1] + (match[2] if match[2] == " " else ""), match[3]
    if match[4]:
        return f"{head} {'二' if digits == '2' else cardinal(digits)}点{spelled(match[4][1:], one=False)}"
    return f"{head} {cardinal(digits) if match[1].lower() == 'top' else _model_number(digits)}"


def _model_number(digits: str) -> str:
    if len(digits) == 2 and digits[0] != "0":
        return one_of(cardinal(digits), *_spellings(digits))
    return one_of(*_spellings(digits), *([cardinal(digits)] if digits.endswith("000") else []))


def _spellings(digits: str) -> list[str]:
    plain = spelled(digits, one=False)
    return [plain, plain.replace("一", "幺")] if len(digits) > 1 else [plain]


@rule(rf"{_ALONE}{_NUMBER}(?:[万亿千百]+)? ?{_AFTER}(?:/[A-Za-zμµ]+[²³]?)?(?:·m)?")
def _unit(match: re.Match[str]) -> str | None:
    """A number with a sign or Latin letters after it: what was said for them is not written."""
    return match[0]


_OF = "小时|分钟|秒|天|月|年|人|户|次|吨|公斤|千克|平方米|立方米|亩|公顷|千瓦时|度|升"


@rule(rf"{_ALONE}({_NUMBER})(千米|公里|米|公斤|千克|克|毫克|吨|升|立方米|元|万元|千瓦时|人|次)/({_OF})")
def _rate(match: re.Match[str]) -> str:
    """350公里/小时: the number is read; what was said for the sign is not written, and in mode "set" 每."""
    counted = f"{_said(match[1])}{match[2]}"
    return one_of(f"{counted}{match[3]}", f"{counted}每{match[3]}", f"每{match[3]}{counted}")


# --- Kinds that the text tells apart ----------------------------------------------------------------------------------


@rule(rf"(?<![0-9])(?:{_any('model_before')})-?([0-9]+)([A-Z]?)(?![0-9.A-Za-z%℃]|-[0-9]|度|个|万|亿|年|元|人)")
def _han_model(match: re.Match[str]) -> str | None:
    head = match[0][: match.start(1) - match.start()]
    if not head.endswith("-") and len(head) < 2 and len(match[1]) < 2:
        return None
    return head.rstrip("-") + _model_number(match[1]) + match[2]


@rule(rf"{_ALONE}((?:1[0-9]|20)[0-9]{{2}})(?=年|赛季|届|级|款|财年|版|奥运|世界杯|欧洲杯)")
def _year(match: re.Match[str]) -> str:
    digits = spelled(match[1], one=False)
    decade = match[1].endswith("00") and match.string.startswith("年代", match.end())
    return one_of(digits, cardinal(match[1])) if decade else digits


_AND = "[至到、和与及或]"
_FOUR = "(?:1[0-9]|20)[0-9]{2}"


@rule(rf"{_ALONE}{_FOUR}(?=(?:年?{_AND}{_FOUR})+年)|{_ALONE}20(?:0[1-9]|[1-9][0-9])(?={_any('year_before')})")
def _years(match: re.Match[str]) -> str:
    """2021至2025年, 2025春晚"""
    return spelled(match[0], one=False)


@rule(rf"(?<=分之)({_NUMBER})(?!{_BETWEEN}[0-9])|{_ALONE}([0-9]+)(?=分之)")
def _share(match: re.Match[str]) -> str:
    """百分之20, 3分之2: 二 alone."""
    return "二" if match[0] == "2" else _said(match[0])


@rule(r"(?<=公元)(前?)([0-9]{3,4})(?=年)")
def _era(match: re.Match[str]) -> str:
    """公元前221年"""
    return match[1] + one_of(spelled(match[2], one=False), cardinal(match[2]))


@rule(rf"{_ALONE}([0-9]{{1,3}})比([0-9]{{1,3}})(?!{_MORE}|[%‰])")
def _score(match: re.Match[str]) -> str:
    """3比2, 110比108: 二 alone, and digit by digit too."""
    sides = ["二" if side == "2" else cardinal(side) for side in match.groups()]
    digits = "比".join(spelled(side, one=False) for side in match.groups())
    return one_of("比".join(sides), digits, *([digits.replace("一", "幺")] if len(digits) > 3 else []))


@rule(rf"{_ALONE}([0-9]{{2}})(?=(?:[、/和与][0-9]{{2}})*后(?![0-9天年月日个来面]))")
def _born(match: re.Match[str]) -> str:
    return spelled(match[1], one=False)


@rule(rf"{_ALONE}([0-9]0)(?=年代)")
def _decade(match: re.Match[str]) -> str:
    return one_of(cardinal(match[1]), spelled(match[1], one=False)) if match[1] != "00" else "零零"


@rule(rf"{_ALONE}([0-9]{{2}})(?=年(?![代级]))")
def _short_year(match: re.Match[str]) -> str:
    """98年 is a year, 10年 may be ten years."""
    digits = spelled(match[1], one=False)
    if match[1].startswith("0"):
        return digits
    return one_of(digits, cardinal(match[1])) if int(match[1]) >= 80 else one_of(cardinal(match[1]), digits)


@rule(r"第 ?([0-9]+)(?![0-9.A-Za-z%]|-[0-9])")
def _ordinal(match: re.Match[str]) -> str:
    return "第" + (DIGITS[int(match[1])] if len(match[1]) == 1 else cardinal(match[1]).replace("{两|二}", "{二|两}"))


@rule(
    rf"(?<=[零一二三四五六七八九十年月])([0-9]{{1,2}})(?=[月日号])|{_ALONE}(2)(?=(?:{_AND}[0-9]{{1,2}})+(?:月|日|号))"
    rf"|{_ALONE}([0-9]{{1,2}})(?=月(?:[0-9]{{1,2}}[日号]|[^份]|份|$)|日|号(?![楼院机])|号线)"
)
def _day(match: re.Match[str]) -> str:
    digits = match[1] or match[2] or match[3]
    return cardinal(digits.lstrip("0") or "0") if digits != "2" else "二"


@rule(rf"{_ALONE}({_NUMBER})(?=[至到]{_NUMBER}[多余]?(?:{_any('measured')}|{_any('counted')}))")
def _through(match: re.Match[str]) -> str:
    """200至300人: what is counted stands after the second number."""
    return one_of("两", "二") if match[1] == "2" else _said(match[1])


@rule(rf"{_ALONE}(?<![0-9],)[0-9]{{3,}}(?!{_MORE}|{_BETWEEN}[0-9])")
def _code(match: re.Match[str]) -> str | None:
    """Codes, by the word before or after them, or because the number is itself a name."""
    digits = match[0]
    before = match.string[max(0, match.start() - 6) : match.start()]
    after = match.string[match.end() : match.end() + 4]
    counts = re.match(rf"(?:{_any('counted')}|{_any('measured')})", after)
    if re.search(rf"(?:{_any('rank_before')})$", before):
        return cardinal(digits)
    if re.search(rf"(?:{_any('index_before')})$", before):
        return _index(digits)
    coded = re.search(rf"(?:{_any('code_before')})(?:[是为:：]?)$", before) or re.match(
        rf"(?:{_any('code_after')})", after
    )
    if coded or digits.startswith("0") or (digits in _CODES and not counts):
        return spelled(digits)
    return None


@rule(rf"{_ALONE}2(?!年级|大队)(?=个?({_any('counted')})|{_any('paired')})")
def _two(match: re.Match[str]) -> str:
    hours = {"小时": "{|个}"}.get(match[1], "")
    return ("两" if match[1] not in ("点",) else one_of("两", "二")) + hours


@rule(rf"{_ALONE}2(?={_any('ordinal')})|(?<=[0-9一二三四五六七八九][块米])2(?![0-9.万千百])")
def _second(match: re.Match[str]) -> str:  # noqa: ARG001
    return "二"


@rule(
    r"(?<=[0-9一二三四五六七八九][块米])([0-9]{2})"
    rf"(?![0-9.%万千百]|厘米|公分|{_any('measured')}|{_any('counted')})"
)
def _hundredths(match: re.Match[str]) -> str:
    """1米75, 12块85: digit by digit; but not 100米12秒."""
    return spelled(match[1], one=False)


@rule(rf"{_ALONE}({_NUMBER})(万亿|[万亿千百])?(美元|元)(?![素旦件])")
def _money(match: re.Match[str]) -> str:
    """Sums: 元 is also said 块, 美元 also 美金, and 19.9元 also 十九块九."""
    number, scale, unit = match[1], match[2] or "", match[3]
    said = one_of("两", "二") if number == "2" else _said(number)
    names = ["美元", "美金"] if unit == "美元" else ["元"] if scale else ["元", "块"]
    ways = [f"{said}{scale}{one_of(*names)}"]
    whole, _, fraction = number.replace(",", "").partition(".")
    if unit == "元" and not scale and fraction:
        ways += _coins(whole, fraction)
    return one_of(*ways)


def _coins(whole: str, fraction: str) -> list[str]:
    """19.9元 as 十九块九, 3.85元 as 三块八毛五, 0.3元 as 三毛."""
    tenths, hundredths = DIGITS[int(fraction[0])], DIGITS[int(fraction[1:] or "0")] if len(fraction) < 3 else ""
    if not fraction.strip("0"):
        return [f"{cardinal(whole)}{one_of('元', '块')}"]
    if not hundredths:
        return []
    yuan, kuai = (f"{cardinal(whole)}元", f"{cardinal(whole)}块") if whole != "0" else ("", "")
    if tenths == "零":
        return [f"{yuan}{'零' if yuan else ''}{hundredths}分"]
    if hundredths == "零":
        bare = [f"{kuai}{tenths}"] if kuai else []
        return [*bare, f"{yuan}{tenths}角", f"{kuai}{tenths}毛", *(["两毛"] if tenths == "二" and not kuai else [])]
    return [f"{kuai}{tenths}毛{hundredths}{{|分}}", f"{yuan}{tenths}角{hundredths}{{|分}}"]


@rule(rf"{_ALONE}({_NUMBER})(?!时代)(?={_any('measured')}|{_any('counted')})")
def _measured(match: re.Match[str]) -> str:
    if match[1] == "0.5" and match.string.startswith("小时", match.end()):
        return one_of("零点五", "半{|个}")
    return one_of("两", "二") if match[1] == "2" else _said(match[1])


@rule(rf"{_ALONE}([0-9]{{1,3}}(?:,[0-9]{{3}})+(?:\.[0-9]+)?|[0-9]+\.[0-9]+)(?!{_MORE})")
def _written_out(match: re.Match[str]) -> str:
    """A grouping comma or a decimal point: not a code. A version 2.0 is said with 二 alone."""
    return "二点零" if match[1] == "2.0" else _said(match[1])


@rule(rf"{_ALONE}([0-9]{{1,2}})(?!{_MORE})")
def _short(match: re.Match[str]) -> str:
    """One or two digits in a context that no rule knows."""
    digits = match[1]
    if digits == "2":
        return one_of("二", "两")
    before = match.string[max(0, match.start() - 6) : match.start()]
    after = match.string[match.end() : match.end() + 4]
    named = re.search(rf"(?:{_any('index_before')}|{_any('rank_before')})$", before) or re.match(_any("ordinal"), after)
    return cardinal(digits) if len(digits) == 1 or named else one_of(cardinal(digits), spelled(digits, one=False))


@rule(rf"{_ALONE}[0-9]{{3,16}}(?!{_MORE})")
def _bare(match: re.Match[str]) -> str:
    """A long bare number is unresolved; in mode "set" a count and a code are both readings."""
    digits = match[0]
    return one_of(digits, cardinal(digits), spelled(digits))


RULES: tuple[Rule, ...] = (
    _phone, _generation, _version, _between_letters, _han_model, _joined, _until, _event, _fund, _signed, _model,
    _unit, _rate, _years, _year, _share, _era, _born, _decade, _short_year, _score, _ordinal, _day, _through, _code,
    _two, _second, _hundredths, _money, _measured, _written_out, _short, _bare,
)  # fmt: skip
