"""The German case layout: one case a line, with variety and locality as fields of their own.

Conventions: `language_tag` is BCP 47, where a two-letter region is a country: `de-BY` is well-formed and means
German as used in Belarus, so a set that means Bavaria by it is refused. A subnational variety is written as
`de-DE` with `variety_label` and `locality`.
"""

from __future__ import annotations

from bench.fault import Fault
from bench.formats.record import Record
from bench.segment import Segment, Span

LAYOUT = "german-case"
REQUIRED = frozenset({"case_id", "input_text", "spoken_reference", "language_tag"})
_MAPPED = {
    *REQUIRED,
    "category",
    "variety_label",
    "locality",
    "source",
    "license",
    "alternatives",
    "ref_lattice",
    "subsets",
    "cluster",
    "canary",
    "headline",
}
# Codes that are both a German Land in common shorthand and a country in ISO 3166-1.
_LAND_CODES = {
    "BY": ("Bavaria", "Belarus"),
    "BE": ("Berlin", "Belgium"),
    "BB": ("Brandenburg", "Barbados"),
    "HE": ("Hesse", "no country"),
    "HH": ("Hamburg", "no country"),
    "MV": ("Mecklenburg-Vorpommern", "the Maldives"),
    "NI": ("Lower Saxony", "Nicaragua"),
    "NW": ("North Rhine-Westphalia", "no country"),
    "RP": ("Rhineland-Palatinate", "no country"),
    "SH": ("Schleswig-Holstein", "Saint Helena"),
    "SL": ("Saarland", "Sierra Leone"),
    "SN": ("Saxony", "Senegal"),
    "ST": ("Saxony-Anhalt", "São Tomé and Príncipe"),
    "TH": ("Thuringia", "Thailand"),
    "BW": ("Baden-Württemberg", "Botswana"),
    "HB": ("Bremen", "no country"),
}


def segment(record: Record) -> Segment:
    """One case. Raises Fault for a language tag that names a country where a Land is meant."""
    tag = record["language_tag"]
    land = _LAND_CODES.get(tag.partition("-")[2].upper())
    if tag.lower().startswith("de-") and land:
        raise Fault(
            f"Case {record['case_id']} has the language tag {tag!r}. In BCP 47 a two-letter region is a country, "
            f"so this means {land[1]}, not {land[0]}. Write de-DE and put the variety into variety_label and locality."
        )
    return Segment(
        id=record["case_id"],
        language=tag,
        text=record["input_text"],
        spoken=record["spoken_reference"],
        lattice=record.get("ref_lattice"),
        spans=tuple(
            Span(span["span"], tuple(span["alts"]), span.get("type", "other"))
            for span in record.get("alternatives", ())
        ),
        strata={
            "category": record.get("category"),
            "variety": record.get("variety_label"),
            "locality": record.get("locality"),
            "headline": record.get("headline", record.get("locality") is None),
        },
        subsets=tuple(record.get("subsets") or ()),
        cluster=record.get("cluster"),
        canary=record.get("canary"),
        source=record.get("source", ""),
        licence=record.get("license", ""),
        extra={name: value for name, value in record.items() if name not in _MAPPED},
    )
