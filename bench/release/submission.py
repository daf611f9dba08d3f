"""Write a submission to CN-NewsTTS Bench that its own validator takes.

Conventions: `system_card.json`, `manifest.json`, `audio/{id}.wav` (24 kHz, mono, 16 bit) and `{model_id}.asr.jsonl`
with the transcripts of all routes. Items go in the dataset's order; the folder appears whole or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from bench.audio import Clip, encode, resample
from bench.fault import Fault
from bench.formats.submission import CARD, MANIFEST, Card, problems
from bench.formats.transcripts import SUFFIX, Heard, merge, safe
from bench.release.folder import whole
from bench.segment import TextSet

RATE = 24_000


def export(
    out: Path,
    spoken: Iterable[tuple[str, Clip, Mapping[str, str]]],
    card: Card,
    *,
    dataset: TextSet,
    subset: bool = False,
) -> None:
    """Write the submission `out` from (segment id, clip, route -> transcript), one for every segment of `dataset`.

    Clips are taken one at a time, so `spoken` may be a generator. Raises Fault where the validator would refuse the
    result: the card is not of the raw track, an id is unknown, doubled or, without `subset`, missing. `out` is then
    as it was before.
    """
    if not card.raw:
        raise Fault(
            f"The system card of {card.model_id} says that the text was changed before the system got it; "
            "a submission is of the raw track, without front end, rewriting, SSML or manual fixes."
        )
    safe(card.model_id, "system")
    order = [segment.id for segment in dataset.segments]
    known = set(order)
    heard: Heard = {}
    with whole(out, ours=(CARD, MANIFEST, "audio/*.wav", f"*{SUFFIX}")) as folder:
        (folder / "audio").mkdir()
        for segment, clip, routes in spoken:
            if segment not in known or segment in heard:
                cause = "stands twice" if segment in heard else f"is not in the dataset {dataset.name}"
                raise Fault(f"Segment {segment} {cause}; a submission has one clip a segment.")
            wav = encode(resample(clip, RATE), "WAV")
            (folder / "audio" / f"{safe(segment, 'segment')}.wav").write_bytes(wav)
            heard[segment] = dict(routes)
        items = [{"id": segment, "audio_path": f"audio/{segment}.wav"} for segment in order if segment in heard]
        manifest = {"model_id": card.model_id, "dataset": dataset.name, "items": items}
        for name, document in ((CARD, card.document()), (MANIFEST, manifest)):
            text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
        transcripts = merge(heard, order)
        (folder / f"{card.model_id}{SUFFIX}").write_text(transcripts, encoding="utf-8", newline="\n")
        if found := problems(folder, order, subset=subset):
            raise Fault(found[0].removeprefix(f"{folder}/"), file=out)
