"""The clip player: a notebook widget that plays takes through every channel, and the values it shows.

Conventions: a `Take` is one utterance by one system; its `versions` map a channel's name to the bytes of a FLAC
file. An alignment is a list of (reference word or None, hypothesis word or None, operation), the operation being
one of `=` equal, `S` substituted, `D` deleted (no hypothesis word) and `I` inserted (no reference word). The
widget sends the bytes of a version only when someone opens the take, so `versions` may read its files lazily.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import anywidget
import traitlets

from bench.charts import colours

Operation = tuple[str | None, str | None, str]


@dataclass(frozen=True, eq=False, slots=True)
class Take:
    """One utterance by one system: `versions` {channel: FLAC bytes}, `transcripts` {channel: {recogniser: raw text}}.

    `alignments` {channel: {recogniser: [operation, ...]}} marks the words that differ; where there is none, the
    raw text is shown alone.
    """

    id: str
    system: str
    reference: str
    versions: Mapping[str, bytes]
    transcripts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    alignments: Mapping[str, Mapping[str, Sequence[Operation]]] = field(default_factory=dict)


def align(reference: str, hypothesis: str) -> list[Operation]:
    """A readable word alignment of two plain texts, for showing and never for scoring: it may not be minimal."""
    left, right = reference.split(), hypothesis.split()
    operations: list[Operation] = []
    matcher = difflib.SequenceMatcher(None, [w.casefold() for w in left], [w.casefold() for w in right], autojunk=False)
    for _, i1, i2, j1, j2 in matcher.get_opcodes():
        ref: list[str | None] = [*left[i1:i2]]
        hyp: list[str | None] = [*right[j1:j2]]
        width = max(len(ref), len(hyp))
        for r, w in zip(ref + [None] * (width - len(ref)), hyp + [None] * (width - len(hyp)), strict=True):
            same = r is not None and w is not None and r.casefold() == w.casefold()
            operations.append((r, w, "D" if w is None else "I" if r is None else "=" if same else "S"))
    return operations


def describe(takes: Sequence[Take]) -> list[dict[str, Any]]:
    """The takes as plain data for player.js, without their bytes."""
    return [
        {
            "id": take.id,
            "system": take.system,
            "reference": take.reference,
            "channels": list(take.versions),
            "transcripts": {channel: dict(said) for channel, said in take.transcripts.items()},
            "alignments": {
                channel: {name: [list(op) for op in ops] for name, ops in said.items()}
                for channel, said in take.alignments.items()
            },
        }
        for take in takes
    ]


def script() -> str:
    """The text of player.js."""
    return files("bench").joinpath("player.js").read_text("utf-8")


def style() -> str:
    """The text of report.css, which holds the player's rules too."""
    return files("bench").joinpath("report.css").read_text("utf-8")


class ClipPlayer(anywidget.AnyWidget):
    """The player in a notebook.

    `selected` is {"take": index, "channel": name} of what was opened last; `answers` are those of blind ABX trials,
    {"take", "a", "b", "x", "answer"}, x and answer being the name of a channel.
    """

    _esm = script()
    _css = style()
    takes = traitlets.List(traitlets.Dict()).tag(sync=True)
    colours = traitlets.Dict().tag(sync=True)
    selected = traitlets.Dict().tag(sync=True)
    answers = traitlets.List(traitlets.Dict()).tag(sync=True)

    def __init__(self, takes: Sequence[Take], *, systems: Sequence[str] = ()) -> None:
        """`systems` are all systems of the run where the takes lack some, so that colours stay."""
        self._versions = [take.versions for take in takes]
        looks = colours([*systems, *(take.system for take in takes)])
        super().__init__(takes=describe(takes), colours=looks)
        self.on_msg(self._answer)

    def _answer(self, _: object, message: Any, __: object) -> None:
        """Send the bytes of one version; a message that names none is answered with an error, not with silence."""
        take, channel = message.get("take"), message.get("channel")
        try:
            flac = self._versions[take][channel]
        except (LookupError, TypeError, OSError) as error:
            self.send({"take": take, "channel": channel, "error": str(error)})
        else:
            self.send({"take": take, "channel": channel}, buffers=[flac])
