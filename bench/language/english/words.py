"""English numbers as readings: cardinals, ordinals, years, decimals, and digit strings read as codes.

Conventions: numbers come as strings of ASCII digits, since a leading zero is information; readings are lattices whose
first path is the North American one ("two hundred six", "and" as an alternative). A pair ending in zero is never
followed by a lone digit inside one group: "twenty six" would then read 206 as well as 26.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from bench.language.scan import one_of

ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SCALES = ["", "thousand", "million", "billion", "trillion"]
_IRREGULAR = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
_LONGEST_CARDINAL = 15
_LONGEST_GROUPING = 6


def below_hundred(number: int) -> str:
    if number < 20:
        return ONES[number]
    tens, ones = divmod(number, 10)
    return f"{TENS[tens]} {ONES[ones]}" if ones else TENS[tens]


def _below_thousand(number: int, a: bool = False) -> str:
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return below_hundred(number)
    head = "{one|a} hundred" if a and hundreds == 1 else f"{ONES[hundreds]} hundred"
    return f"{head} {{|and}} {below_hundred(rest)}" if rest else head


def cardinal(digits: str) -> str:
    """A number in words; digits one by one where it has a leading zero or passes the trillions."""
    if digits == "0":
        return one_of("zero", "oh")
    if digits.startswith("0") or len(digits) > _LONGEST_CARDINAL:
        return spelled(digits)
    number = int(digits)
    readings = [_scaled(number)]
    if len(digits) == 4 and digits[1] != "0":
        hundreds, rest = divmod(number, 100)
        head = f"{below_hundred(hundreds)} hundred"
        readings.append(f"{head} {{|and}} {below_hundred(rest)}" if rest else head)
    return one_of(*readings)


def _scaled(number: int) -> str:
    words: list[str] = []
    for power in range(len(SCALES) - 1, -1, -1):
        part = number // 1000**power % 1000
        if not part:
            continue
        leading = not words
        if power:
            count = "{one|a}" if leading and part == 1 else _below_thousand(part, a=leading)
            words.append(f"{count} {SCALES[power]}")
        elif leading:
            words.append(_below_thousand(part, a=True))
        else:
            words.append(f"{{|and}} {below_hundred(part)}" if part < 100 else _below_thousand(part))
    return " ".join(words)


def ordinal(digits: str) -> str:
    """`21` is twenty first. Leading zeros of a date are silent."""
    digits = digits.lstrip("0") or "0"
    if len(digits) > _LONGEST_CARDINAL:
        return f"{spelled(digits)} th"
    if digits == "0":
        return "zeroth"
    head, _, last = _scaled(int(digits)).rpartition(" ")
    regular = last[:-1] + "ieth" if last.endswith("y") else last + "th"
    return f"{head} {_IRREGULAR.get(last, regular)}".strip()


@cache
def spelled(digits: str) -> str:
    """Digit by digit; zero is also oh, and repeated digits are also double or triple."""
    words: list[str] = []
    place = 0
    while place < len(digits):
        digit = digits[place]
        run = len(digits[place:]) - len(digits[place:].lstrip(digit))
        run = min(run, 4)
        words.append(_run(digit, run))
        place += run
    return " ".join(words)


def _run(digit: str, run: int) -> str:
    names = ["zero", "oh"] if digit == "0" else [ONES[int(digit)]]
    readings = [" ".join([one_of(*names)] * run)]
    for name in names:
        readings += {
            2: [f"double {name}"],
            3: [f"triple {name}", f"{name} double {name}", f"double {name} {name}"],
            4: [f"double {name} double {name}", f"{name} triple {name}"],
        }.get(run, [])
    return one_of(*readings)


@cache
def _grouped(digits: str) -> tuple[str, ...]:
    """All ways to read a digit string in pairs and single digits, pairs first, at least one pair."""
    if len(digits) > _LONGEST_GROUPING:
        pairs = [digits[place : place + 2] for place in range(0, len(digits), 2)]
        ways = [pairs] if all(len(pair) == 2 for pair in pairs) else []
        ways.append([*digits[:-2], digits[-2:]])
    else:
        ways = _ways(digits)
    return tuple(" ".join(map(_part, way)) for way in ways if _sound(way))


def _ways(digits: str) -> list[list[str]]:
    if not digits:
        return [[]]
    ways = [[digits[0], *rest] for rest in _ways(digits[1:])]
    if len(digits) == 1:
        return ways
    paired = [[digits[:2], *rest] for rest in _ways(digits[2:])]
    # An odd group is read with its first digit alone: one eighteen.
    return ways + paired if len(digits) % 2 else paired + ways


def _part(part: str) -> str:
    if part.startswith("0") or len(part) == 1:
        return " ".join("{zero|oh}" if digit == "0" else ONES[int(digit)] for digit in part)
    return below_hundred(int(part))


def _sound(way: list[str]) -> bool:
    if not any(len(part) == 2 and part[0] != "0" for part in way):
        return False
    return not any(
        len(part) == 2 and part[1] == "0" and part[0] > "1" and len(after) == 1 and after != "0"
        for part, after in pairwise(way)
    )


def code(digits: str, *, best: str = "digits") -> str:
    """A digit string in all its readings: `digits`, `pairs` or `cardinal` first, as `best` says."""
    if len(digits) == 1:
        return cardinal(digits)
    ways = {"digits": [spelled(digits)], "pairs": list(_grouped(digits)), "cardinal": []}
    if not digits.startswith("0") and len(digits) <= _LONGEST_CARDINAL:
        ways["cardinal"].append(cardinal(digits))
    if len(digits) == 4 and digits[0] == "0" != digits[1] and digits.endswith("00"):
        ways["pairs"].append(f"{{zero|oh}} {ONES[int(digits[1])]} hundred")  # 555-0100
    order = [best, *(name for name in ("digits", "pairs", "cardinal") if name != best)]
    return one_of(*(reading for name in order for reading in ways[name]))


def year(digits: str) -> str:
    """`2026` is twenty twenty six, also two thousand (and) twenty six; `1905` is nineteen oh five."""
    century, rest = int(digits[:2]), int(digits[2:])
    if digits.startswith("0"):
        return spelled(digits)
    readings = []
    if rest >= 10:
        readings.append(f"{below_hundred(century)} {below_hundred(rest)}")
    elif rest and century % 10:
        readings.append(f"{below_hundred(century)} oh {ONES[rest]}")
    elif not rest and century % 10:
        readings.append(f"{below_hundred(century)} hundred")
    if rest < 10 and century % 10 == 0:
        readings.append(_scaled(int(digits)))
        if rest:
            readings.append(f"{below_hundred(century)} oh {ONES[rest]}")
    if century % 10 == 0 or rest < 10:
        readings.append(_scaled(int(digits)))
    elif century > 10:
        readings.append(f"{below_hundred(century)} hundred {{|and}} {below_hundred(rest)}")
    if digits[1:] == "000":
        readings.append(_scaled(int(digits)))
    return one_of(*readings, spelled(digits))


def decimal(whole: str, fraction: str) -> str:
    """`4.25` is four point two five, also four and a quarter; `0.3` is zero, oh, nought or nothing point three."""
    head = "{zero|oh|nought|}" if whole in ("", "0") else cardinal(whole)
    if whole == "":
        head = "{|zero|oh}"
    digits = spelled(fraction)
    if len(fraction) == 2 and fraction[0] != "0":
        digits = one_of(digits, below_hundred(int(fraction)))
    readings = [f"{head} point {digits}"]
    part = {"5": "{a|one} half", "25": "{a|one} quarter", "75": "three quarters"}.get(fraction.rstrip("0"))
    if part and whole not in ("", "0"):
        readings.append(f"{cardinal(whole)} and {part}")
    return one_of(*readings)
