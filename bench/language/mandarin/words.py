"""Mandarin numbers as readings: cardinals, digit strings, years, decimals.

Conventions: numbers come as strings of ASCII digits, since a leading zero is information. 两 and 二 are both right
before 百, 千, 万 and 亿, 两 first where it leads the number; inside tens and at the end only 二. In digit strings 一 is
also 幺. 〇 is not written: `normalise` folds it into 零.
"""

from __future__ import annotations

from bench.language.scan import one_of

DIGITS = "零一二三四五六七八九"
_POWERS = ["", "十", "百", "千"]
_SECTIONS = ["", "万", "亿", "万亿"]
_LONGEST_CARDINAL = 16


def cardinal(digits: str) -> str:
    """A number in characters; digit by digit where it has a leading zero or passes 万亿."""
    if (digits != "0" and digits.startswith("0")) or len(digits) > _LONGEST_CARDINAL:
        return spelled(digits)
    if digits == "0":
        return "零"
    padded = digits.zfill(_LONGEST_CARDINAL)
    sections = [padded[place : place + 4] for place in range(0, _LONGEST_CARDINAL, 4)]
    said = ""
    gap = False
    for section, name in zip(sections, reversed(_SECTIONS), strict=True):
        if section == "0000":
            gap = bool(said)
            continue
        if said and (gap or section.startswith("0")):
            said += "零"
        # 万亿 counts 亿 by 万: the 亿 is said once, after the last of them.
        if name == "万亿":
            name = "万亿" if sections[1] == "0000" else "万"
        two = section == "0002" and name
        said += (one_of("两", "二") if two else _section(section, leading=not said)) + name
        gap = section.endswith("0")
    return said


def _section(section: str, *, leading: bool) -> str:
    """Four digits of a number, 0110 as 一百一十; ten to nineteen lead a number without 一."""
    said = ""
    zero = False
    for place, digit in enumerate(section):
        power = 3 - place
        if digit == "0":
            zero = bool(said)
            continue
        if zero:
            said += "零"
            zero = False
        if digit == "2" and power > 1:
            said += one_of("二", "两") if said or not leading else one_of("两", "二")
        elif not (digit == "1" and power == 1 and not said and leading):
            said += DIGITS[int(digit)]
        said += _POWERS[power]
    return said


def spelled(digits: str, *, one: bool = True) -> str:
    """Digit by digit; `one` says that 一 may be 幺, chosen once for the whole string."""
    plain = "".join(DIGITS[int(digit)] for digit in digits)
    return one_of(plain, plain.replace("一", "幺")) if one else plain


def decimal(whole: str, fraction: str) -> str:
    """`3.05` is 三点零五; a leading 2 is 二, also 两."""
    head = one_of("二", "两") if whole == "2" else cardinal(whole)
    return f"{head}点{spelled(fraction, one=False)}"
