"""German numbers as readings: cardinals, ordinals, years, decimals, and digit strings read as codes.

Conventions: numbers come as strings of ASCII digits, since a leading zero is information. A compound is one word, so
variants inside it (hundert, einhundert) are listed as whole words. `zwei` stands for `zwo` too, which `normalise`
folds. Inside one group of digits no reading is offered that, joined or split, would also read another number: no
"acht zehn" for 810, no "zweihundert fünf" for 2005.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product

from bench.language.scan import one_of

UNITS = ["null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
_TEENS = [
    "zehn", "elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn",
]  # fmt: skip
_TENS = ["", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
_LARGE = [(10**12, "billion"), (10**9, "milliarde"), (10**6, "million")]
_ORDINALS = {1: "erst", 3: "dritt", 7: "siebt", 8: "acht"}
_LONGEST_CARDINAL = 15
_LONGEST_GROUPING = 8


def _below_hundred(number: int, last: bool = True) -> str:
    """`last` says that the word ends here: eins, not ein."""
    if number < 10:
        return UNITS[number] if number != 1 or last else "ein"
    if number < 20:
        return _TEENS[number - 10]
    tens, ones = divmod(number, 10)
    return f"{_below_hundred(ones, False)}und{_TENS[tens]}" if ones else _TENS[tens]


def _below_thousand(number: int, last: bool = True) -> list[str]:
    hundreds, rest = divmod(number, 100)
    tail = _below_hundred(rest, last) if rest else ""
    if not hundreds:
        return [tail]
    heads = ["hundert", "einhundert"] if hundreds == 1 else [f"{UNITS[hundreds]}hundert"]
    said = [head + tail for head in heads]
    # hundertundeins, hundertundzwölf: at the end of a number, up to twelve.
    return said + [f"{head}und{tail}" for head in heads] if last and 0 < rest < 13 else said


def _below_million(number: int, last: bool = True) -> list[str]:
    thousands, rest = divmod(number, 1000)
    if not thousands:
        return _below_thousand(number, last)
    heads = ["eintausend", "tausend"] if thousands == 1 else [f"{n}tausend" for n in _below_thousand(thousands, False)]
    if rest == 0 and thousands == 1:
        heads.reverse()
    tails = _below_thousand(rest, last) if rest else [""]
    if 0 < rest < 13:
        tails.append(f"und{tails[0]}")
    words = [head + tail for head, tail in product(heads, tails)]
    # After a thousand the hundred is counted: zehntausendeinhundertfünfzehn comes first.
    return sorted(words, key=lambda word: "tausendhundert" in word)


def words(number: int) -> list[str]:
    """All ways to say a cardinal as one word (as words from a million on), the usual one first."""
    parts: list[list[str]] = []
    for size, name in _LARGE:
        count, number = divmod(number, size)
        if count:
            plural = name + ("n" if name.endswith("e") else "en")
            parts.append([f"eine {name}"] if count == 1 else [f"{n} {plural}" for n in _below_thousand(count, False)])
    if number or not parts:
        parts.append(_below_million(number) if number else ["null"])
    said = [" ".join(way) for way in product(*parts)]
    if 1100 <= number < 2000 and len(parts) == 1 and not number % 1000 < 100:
        hundreds, rest = divmod(number, 100)
        said.append(f"{_TEENS[hundreds - 10]}hundert" + (_below_hundred(rest) if rest else ""))
    return said


def cardinal(digits: str) -> str:
    if (digits != "0" and digits.startswith("0")) or len(digits) > _LONGEST_CARDINAL:
        return spelled(digits)
    return one_of(*words(int(digits)))


def year(digits: str) -> str:
    """`1998` is neunzehnhundertachtundneunzig, `2026` zweitausendsechsundzwanzig or zwanzigsechsundzwanzig."""
    number = int(digits)
    said = words(number)
    if 1100 <= number < 2000 and number % 1000 >= 100:
        said = [said[-1], *said[:-1]]
    if 2010 <= number < 2100:
        said.append(f"zwanzig{_below_hundred(number % 100)}")
    return one_of(*said)


def ordinal(digits: str, ending: str) -> str:
    """`ordinal("3", "en")` is dritten. The ending stands for all cases; leading zeros of a date are silent."""
    number = int(digits)
    stems = []
    for word in words(number):
        rest = number % 100
        if rest in _ORDINALS:
            stem = word.removesuffix(UNITS[rest]) + _ORDINALS[rest]
            stems += [stem, word + "t"] if rest == 7 else [stem]
        elif 0 < rest < 20:
            stems.append(word + "t")
        else:
            stems.append(word + "st")
    return one_of(*(stem + ending for stem in stems))


def inflected(digits: str, best: str) -> str:
    """An ordinal in every case and gender, the ending `best` first."""
    endings = [best, *(ending for ending in ("en", "e", "er", "es", "em") if ending != best)]
    return one_of(*(ordinal(digits, ending) for ending in endings))


@cache
def spelled(digits: str) -> str:
    """Digit by digit; a digit that comes two or three times is also counted: dreimal die fünf."""
    said: list[str] = []
    place = 0
    while place < len(digits):
        digit = digits[place]
        run = len(digits[place:]) - len(digits[place:].lstrip(digit))
        times = {2: "zweimal", 3: "dreimal", 4: "viermal"}.get(run)
        one_by_one = " ".join([UNITS[int(digit)]] * run)
        said.append(
            one_of(one_by_one, f"{times} die {UNITS[int(digit)]}", f"{times} {UNITS[int(digit)]}")
            if times
            else one_by_one
        )
        place += run
    return " ".join(said)


@cache
def _grouped(digits: str) -> tuple[str, ...]:
    if len(digits) > _LONGEST_GROUPING:
        return ()
    longest = 3 if len(digits) < 6 else 2
    ways = [way for way in _ways(digits, longest) if any(len(part) > 1 for part in way) and _sound(way)]
    if longest == 2:
        ways.append([*digits[:-3], digits[-3:]] if digits[-3] != "0" and digits[-2:] != "00" else [*digits])
    # Pairs first, then what has fewer pieces.
    ways.sort(key=lambda way: (any(len(part) == 3 for part in way), len(way)))
    return tuple(dict.fromkeys(reading for way in ways for reading in _said(way)))


def _ways(digits: str, longest: int) -> list[list[str]]:
    if not digits:
        return [[]]
    sizes = range(1, 2 if digits[0] == "0" else min(longest, len(digits)) + 1)
    return [[digits[:size], *rest] for size in sizes for rest in _ways(digits[size:], longest)]


def _sound(way: list[str]) -> bool:
    return not any(
        (after == "10" and part in ("3", "4", "5", "8", "9")) or (len(part) == 3 and part.endswith("00"))
        for part, after in pairwise(way)
    )


def _said(way: list[str]) -> list[str]:
    parts: list[list[str]] = []
    for place, part in enumerate(way):
        said = words(int(part))
        if len(part) == 3 and part[0] == "1" and place and (len(way[place - 1]) == 1 or "10" < way[place - 1] < "20"):
            said = [word for word in said if word.startswith("ein")]
        parts.append(said)
    return [" ".join(said) for said in product(*parts)]


def code(digits: str, *, best: str = "digits") -> str:
    """A digit string in all its readings: `digits`, `pairs` or `cardinal` first, as `best` says."""
    if len(digits) == 1:
        return UNITS[int(digits)]
    ways = {"digits": [spelled(digits)], "pairs": list(_grouped(digits)), "cardinal": []}
    if not digits.startswith("0") and len(digits) <= _LONGEST_CARDINAL:
        ways["cardinal"].append(cardinal(digits))
        if len(digits) == 4:
            ways["cardinal"].append(year(digits))
    order = [best, *(name for name in ("digits", "pairs", "cardinal") if name != best)]
    return one_of(*(reading for name in order for reading in ways[name]))


def decimal(whole: str, fraction: str, *, point: str = "komma") -> str:
    """`1,5` is eins komma fünf, also anderthalb or eineinhalb; `0,75` also null komma fünfundsiebzig."""
    tail = spelled(fraction)
    if len(fraction) == 2 and fraction[0] != "0":
        tail = one_of(tail, _below_hundred(int(fraction)))
    readings = [f"{cardinal(whole)} {point} {tail}"]
    if (whole, fraction) == ("0", "5") and point == "komma":
        readings.append("{ein halber|einen halben|ein halbes|eine halbe|einer halben|einem halben}")
    if fraction == "5" and point == "komma" and whole != "0":
        readings += ["anderthalb", "eineinhalb"] if whole == "1" else [f"{stem}einhalb" for stem in words(int(whole))]
    return one_of(*readings)
