"""Roman numerals as numbers.

Conventions: only the standard form counts (IV, not IIII), up to MMMCMXCIX; anything else is no numeral.
"""

from __future__ import annotations

import re

PATTERN = r"(?=[MDCLXVI])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def value(numeral: str) -> int | None:
    """The number that a Roman numeral in capitals writes, or None where it is none."""
    if not re.fullmatch(PATTERN, numeral):
        return None
    numbers = [_VALUES[letter] for letter in numeral]
    return sum(-one if one < after else one for one, after in zip(numbers, [*numbers[1:], 0], strict=True))
