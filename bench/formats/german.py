"""The German case layout: one case a line, with variety and locality as fields of their own.

Conventions: `language_tag` is BCP 47 (RFC 5646), where a two-letter region is a country: `de-BY` is valid and means
German as used in Belarus, so a set that means Bavaria by it is refused. A subnational variety is written as
`de-DE` with `variety_label` and `locality`. A case may carry the further strata of the TR-TTS-Bench rows.
"""

from __future__ import annotations

from bench.fault import Fault
from bench.formats.fields import names, optional, others, present, spans, strata, text
from bench.formats.record import Record
from bench.formats.trtts import STRATA
from bench.segment import Segment

LAYOUT = "german-case"
REQUIRED = frozenset({"case_id", "input_text", "spoken_reference", "language_tag"})
_MAPPED = {
    *REQUIRED,
    *STRATA,
    "variety_label",
    "locality",
    "source",
    "license",
    "alternatives",
    "ref_lattice",
    "subsets",
    "cluster",
    "canary",
    "pron_hint",
    "notes",
}
# The Länder by the code of ISO 3166-2, which BCP 47 does not use.
_LANDS = {
    "BB": "Brandenburg",
    "BE": "Berlin",
    "BW": "Baden-Württemberg",
    "BY": "Bavaria",
    "HB": "Bremen",
    "HE": "Hesse",
    "HH": "Hamburg",
    "MV": "Mecklenburg-Vorpommern",
    "NI": "Lower Saxony",
    "NW": "North Rhine-Westphalia",
    "RP": "Rhineland-Palatinate",
    "SH": "Schleswig-Holstein",
    "SL": "Saarland",
    "SN": "Saxony",
    "ST": "Saxony-Anhalt",
    "TH": "Thuringia",
}


def segment(record: Record) -> Segment:
    """One case. Raises Fault for a language tag that is not valid, or names a country where a Land is meant."""
    record = present(record)
    identity, tag = text(record, "case_id"), text(record, "language_tag")
    refuse(tag, identity)
    read, rest = spans(record, "alternatives")
    locality = optional(record, "locality")
    return Segment(
        id=identity,
        language=tag,
        text=text(record, "input_text"),
        spoken=text(record, "spoken_reference"),
        lattice=optional(record, "ref_lattice"),
        spans=read,
        strata={
            "category": record.get("category"),
            "variety": record.get("variety_label"),
            "locality": locality,
            "headline": locality is None,
        }
        | strata(record, STRATA),
        subsets=names(record, "subsets"),
        cluster=optional(record, "cluster"),
        canary=optional(record, "canary"),
        pron_hint=text(record, "pron_hint", ""),
        notes=text(record, "notes", ""),
        source=text(record, "source", ""),
        licence=text(record, "license", ""),
        extra=others(record, _MAPPED) | rest,
    )


def refuse(tag: str, identity: str) -> None:
    """Raises Fault for a tag that is not valid, or has a Land's code where German is not spoken in the country of that
    code; it is in Belgium, whose code is Berlin's."""
    from langcodes import Language, tag_is_valid  # 40 ms, which a set in another layout need not wait for

    valid = tag_is_valid(tag)
    region = Language.get(tag, normalize=False).territory if valid else tag.rpartition("-")[2].upper()
    land = _LANDS.get(region or "")
    if land and valid and Language.get(f"de-{region}").speaking_population():
        return
    if land:
        country = Language.get(f"de-{region}").territory_name() if valid else ""
        means = f"so this means {country}, not {land}" if country else f"and {region}, {land}, is none"
        raise Fault(
            f"Case {identity} has the language tag {tag!r}. In BCP 47 a two-letter region is a country, {means}. "
            "Write de-DE and put the variety into variety_label and locality."
        )
    if not valid:
        raise Fault(
            f"Case {identity} has the language tag {tag!r}, which is not valid in BCP 47; expected one like de-DE, "
            "gsw-CH or nds-DE."
        )
