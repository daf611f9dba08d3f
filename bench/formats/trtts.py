"""The TR-TTS-Bench row layout, which Earshot's own Turkish and English sets use too.

Conventions: `text_spoken`, `ref_lattice` and `alt_spans` are the published names; a span's type is read from
`type` where a set has it. The card of the data set defines every field.
"""

from __future__ import annotations

from bench.formats.record import Record
from bench.segment import Segment, Span

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
    return Segment(
        id=record["id"],
        language=record.get("language_tag", "tr"),
        text=record["text"],
        spoken=record["text_spoken"],
        lattice=record["ref_lattice"],
        spans=tuple(
            Span(span["span"], tuple(span["alts"]), span.get("type", "other")) for span in record.get("alt_spans", ())
        ),
        strata={name: record[name] for name in STRATA if name in record},
        subsets=tuple(record.get("subsets") or ()),
        cluster=record.get("cluster"),
        canary=record.get("canary"),
        pron_hint=record.get("pron_hint", ""),
        notes=record.get("notes", ""),
        source=record.get("source", ""),
        licence=record.get("license", ""),
        extra={name: value for name, value in record.items() if name not in _MAPPED},
    )
