"""The TR-TTS-Bench row layout, which Earshot's own Turkish and English sets use too.

Conventions: `text_spoken`, `ref_lattice` and `alt_spans` are the published names; a span's type is read from
`type` where a set has it. The card of the data set defines every field.
"""

from __future__ import annotations

from bench.formats.fields import names, optional, others, present, spans, strata, text
from bench.formats.record import Record
from bench.segment import Segment

LAYOUT = "tr-tts-bench"
REQUIRED = frozenset({"id", "text", "text_spoken", "ref_lattice"})
STRATA = (
    "setting",
    "domain",
    "utterance_type",
    "group",
    "phenomenon_primary",
    "difficulty",
    "wer_visible",
    "length_bucket",
    "category",
    "headline",
    "robustness",
)
_MAPPED = {
    *STRATA,
    *REQUIRED,
    "language_tag",
    "alt_spans",
    "subsets",
    "cluster",
    "canary",
    "pron_hint",
    "notes",
    "source",
    "license",
}


def segment(record: Record) -> Segment:
    """One row. A row without a language tag is Turkish, as all rows of the published set are."""
    record = present(record)
    read, rest = spans(record, "alt_spans")
    return Segment(
        id=text(record, "id"),
        language=text(record, "language_tag", "tr"),
        text=text(record, "text"),
        spoken=text(record, "text_spoken"),
        lattice=text(record, "ref_lattice"),
        spans=read,
        strata=strata(record, STRATA),
        subsets=names(record, "subsets"),
        cluster=optional(record, "cluster"),
        canary=optional(record, "canary"),
        pron_hint=text(record, "pron_hint", ""),
        notes=text(record, "notes", ""),
        source=text(record, "source", ""),
        licence=text(record, "license", ""),
        extra=others(record, _MAPPED) | rest,
    )
