"""The order in which the written spans of German are looked for: the more a pattern says, the earlier it comes.

Conventions: a rule sees what earlier rules have read as a boundary, so the order is part of every rule.
"""

from __future__ import annotations

from bench.language.german import amounts, codes, names, numbers, times
from bench.language.scan import Rule

RULES: tuple[Rule, ...] = (
    codes.address,
    times.iso_date,
    times.month_year,
    codes.phone,
    codes.area_phone,
    codes.extension,
    codes.iban,
    codes.plate,
    times.time,
    times.hour_rule,
    times.duration,
    times.day_range,
    times.numeric_date,
    times.day_month,
    times.month_alone,
    times.weekdays,
    times.weekday,
    amounts.sum,
    amounts.compound_sum,
    amounts.large,
    amounts.percent,
    amounts.degrees,
    amounts.unit_rule,
    amounts.per,
    numbers.always,
    numbers.season,
    codes.slashed,
    codes.groups_rule,
    numbers.fractions,
    numbers.score,
    numbers.ordinal_rule,
    numbers.suffixed,
    codes.dialect_hour,
    codes.alemannic,
    codes.low_german,
    numbers.version,
    codes.mixed,
    numbers.dash,
    numbers.number_rule,
    names.compound,
    names.abbreviation,
    names.bare_abbreviation,
    names.numbered,
    names.counted,
    names.numeral,
    names.dotted,
    names.acronym,
    names.sign,
    names.multiplied,
    names.www,
    numbers.leftover,
)
