"""The dialtone layout of handset-bench: English utterances as a caller would meet them, in written form only.

Conventions: a row has `utterance_id`, `text`, `category` and `n_words`, the text's white-space words. There is no
spoken form and no list of readings, so that a set of these rows has a track R alone.

Source: github.com/mahimailabs/handset-bench 0.1.0 (MIT), text set dialtone_v1.
"""

from __future__ import annotations

from bench.formats.fields import others, present, text
from bench.formats.record import Record
from bench.segment import Segment

LAYOUT = "dialtone"
REQUIRED = frozenset({"utterance_id", "text", "category"})


def segment(record: Record) -> Segment:
    """One row; all are English."""
    record = present(record)
    return Segment(
        id=text(record, "utterance_id"),
        language="en",
        text=text(record, "text"),
        strata={"category": text(record, "category")},
        extra=others(record, REQUIRED),
    )
