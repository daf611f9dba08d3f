"""A run as target decisions: from its transcripts to a board, and to a submission.

Conventions: a board is made of one track and one channel of a run; the recognisers that are not diagnostic are the
routes. A case without a good transcript heard nothing, so that its targets stay unknown and in the denominator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

from bench import normaliser as rules
from bench import targets
from bench.audio import Clip
from bench.fault import Fault
from bench.formats.newstts import fold
from bench.formats.submission import Card
from bench.formats.transcripts import Heard
from bench.protocol import Case, SystemPart
from bench.release.submission import export
from bench.run import Run
from bench.targets import Evidence, Fold, Scores
from bench.votes import PUBLISHED, Rule

TAKE = 0  # a board has one utterance a segment: the first take


def evidence(run: Run, channel: str) -> tuple[Evidence, ...]:
    """What the recognisers of a run heard of every system on track R. Raises Fault for a channel that it lacks."""
    own = folding(run.protocol.language)
    asked = targets.questions(run.frozen.chosen, own)
    if not asked:
        raise Fault("No segment of this run has targets; target scoring needs a text set with some.", file=run.path)
    return tuple(
        targets.find(asked, heard(run, part, channel), system=_name(part), fold=own) for part in run.protocol.systems
    )


def folding(language: str) -> Fold:
    """The published folding for Chinese, which writes no spaces; else whole words, normalised but not verbalised, so
    that a number in digits does not pass for one that was read. Raises Fault for a language without a rule."""
    path = rules.module(language)
    return fold if path == "bench.language.mandarin" else targets.words(import_module(path).normalise)


def signature(run: Run, channel: str) -> str:
    """What the numbers of a board of a run rest on: text set, protocol, track, channel and takes."""
    frozen = run.frozen
    return "|".join(
        [
            f"set={frozen.text_set.name}@{frozen.text_set.sha256[:12]}",
            f"protocol={run.protocol.name}@{frozen.sha256[:12]}",
            "track=R",
            f"channel={channel}",
            f"take={TAKE}",
        ]
    )


def routes(run: Run) -> list[str]:
    """The recognisers that vote, in the protocol's order: those that are not diagnostic, or all where all are."""
    panel = run.manifest["recognisers"]
    return [part["name"] for part in panel if not part["diagnostic"]] or [part["name"] for part in panel]


def board(run: Run, channel: str, rule: Rule = PUBLISHED) -> tuple[Scores, ...]:
    """The systems of a run, best first. Raises Fault where the rule asks for more recognisers than the run has."""
    return targets.ranked(evidence(run, channel), rule)


def heard(run: Run, part: SystemPart, channel: str) -> Heard:
    """Segment -> recogniser -> transcript, "" where there is none."""
    if channel not in run.channels():
        raise Fault(f"The run has no channel {channel!r}; it has {', '.join(run.channels())}.", file=run.path)
    if "R" not in run.protocol.tracks:
        raise Fault("Targets are judged on track R, which this run does not have.", file=run.path)
    found: Heard = {segment.id: {} for segment in run.frozen.chosen}
    for member in routes(run):
        entries = run.transcripts(member)
        for segment in run.frozen.chosen:
            entry = entries.get((_case(part, segment.id), channel))
            found[segment.id][member] = (entry["text"] or "") if entry else ""
    return found


def submit(run: Run, out: Path, *, system: str, channel: str, organization: str) -> None:
    """Write a submission of one system of a run. Raises Fault where a clip is missing or the validator would refuse."""
    part = next((part for part in run.protocol.systems if _name(part) == system), None)
    if part is None:
        known = ", ".join(_name(part) for part in run.protocol.systems)
        raise Fault(f"The run has no system {system!r}; it has {known}.", file=run.path)
    transcripts = heard(run, part, channel)
    took = run.takes()

    def spoken() -> Iterator[tuple[str, Clip, Mapping[str, str]]]:
        for segment in run.frozen.chosen:
            clip = run.playback(_case(part, segment.id))
            if clip is None:
                cause = (
                    took[_case(part, segment.id)]["error"] if _case(part, segment.id) in took else "it was never tried"
                )
                raise Fault(f"System {system} has no audio of segment {segment.id} ({cause}); a submission needs all.")
            yield segment.id, clip, transcripts[segment.id]

    version = next(
        s["version"] for s in run.manifest["systems"] if (s["name"], s["voice_label"]) == (part.name, part.label)
    )
    card = Card(
        model_id=system,
        model_name=part.name,
        organization=organization,
        external_frontend=part.raw_track.external_front_end,
        llm_rewrite=part.raw_track.llm_rewriting,
        ssml=part.raw_track.ssml,
        manual_text_fix=part.raw_track.manual_fixes,
        details={
            "api_or_checkpoint": version,
            "voice": part.voice or "default",
            "language": run.protocol.language,
            "generation_date": run.manifest["begun"][:10],
            "license": part.licence,
            "conflict_of_interest": part.conflict_of_interest,
            "notes": f"Earshot protocol {run.protocol.name} {run.frozen.sha256[:12]}, channel {channel}",
        },
    )
    whole = len(run.frozen.chosen) == len(run.frozen.text_set)
    export(out, spoken(), card, dataset=run.frozen.text_set, subset=not whole)


def _name(part: SystemPart) -> str:
    return part.name if part.voice is None else f"{part.name}.{part.label}"


def _case(part: SystemPart, segment: str) -> Case:
    return Case(part.name, part.label, "R", segment, TAKE)
