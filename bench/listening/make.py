"""From a plan to a frozen design and its clips.

Conventions: every sound is made once and known by its blind id: the run's playback through the channel, aligned to the
study's level after it. The same plan with the same seed gives the same bytes; a seed that the plan does not state is
drawn, so that nobody can work out the blind ids from what is published.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from langcodes import Language

from bench import audio, channels, journal, systems
from bench.fault import Fault
from bench.listening import clips, pilot, scale, sittings
from bench.listening import design as frozen
from bench.listening import plan as plans
from bench.listening.allocate import Heard, allocate
from bench.listening.design import Condition, Design, Kind, Listener, Stimulus, Text, Trial
from bench.listening.plan import Plan, Source
from bench.listening.power import Layout
from bench.protocol import Case
from bench.run import Run
from bench.segment import Segment

ANCHOR = "anchor"
_SAME = {
    "name", "version", "language", "purpose", "conflict_of_interest", "recruitment", "localities", "variety",
    "reference", "track", "level", "checks", "exclusions", "model", "session_minutes",
}  # fmt: skip


@dataclass(frozen=True, eq=False, slots=True)
class Study:
    """A design with the files of its clips, by blind id."""

    design: Design
    files: dict[str, bytes]


def make(path: Path, folder: Path | None = None) -> Study:
    """The study of a plan. A seed that it does not state is that of the design frozen in `folder`, or drawn.

    Raises Fault for what cannot balance, is not in the run, is silent or clips.
    """
    plan = plans.read(path)
    if plan.seed is None:
        held = folder is not None and (folder / "design.json").is_file()
        seed = frozen.read(folder).seed if folder and held else secrets.randbits(64)
        plan = plan.model_copy(update={"seed": seed})
    return build(plan, path.parent)


def write(study: Study, folder: Path) -> None:
    """Freeze a study into its directory: the clips, then the design. Raises Fault as `design.write` does."""
    held = folder / "design.json"
    if held.exists():
        frozen.write(study.design, held)
    for name, content in study.files.items():
        journal.write(folder / "clips" / f"{name}.flac", content)
    frozen.write(study.design, held)


def build(plan: Plan, folder: Path) -> Study:
    """The study of a plan with a seed, whose paths are looked up in a folder. Raises Fault as `make` does."""
    return _Maker(plan, folder, Run.open(folder / plan.run)).study()


def read(folder: Path) -> Study:
    """A frozen study from its directory. Raises Fault where the design or a clip is missing or was changed."""
    design = frozen.read(folder)
    return Study(design, {s.id: clips.read(folder / "clips" / f"{s.id}.flac", s.sha256) for s in design.stimuli})


def draft(
    run: Run, *, questions: Sequence[str] = ("quality",), channel: str = "", groups: int = 6, seed: int = 0
) -> Plan:
    """A plan to begin with: the texts of a run that every system delivered, listeners in whole groups that balance.

    A scale with a reference takes the run's first system for it. Traps, gold items and training are still to be added.
    Raises Fault where no text was delivered by all.
    """
    delivered = {case for case, entry in run.takes().items() if entry["outcome"] == "ok"}
    track = run.protocol.tracks[0]
    cases = {(part.name, part.label) for part in run.protocol.systems}
    segments = tuple(
        segment.id
        for segment in run.frozen.chosen
        if all(Case(name, voice, track, segment.id, 0) in delivered for name, voice in cases)
    )
    if not segments:
        raise Fault(
            "No text of the run was delivered by every system; a listening study has nothing to play.", file=run.path
        )
    first = run.protocol.systems[0]
    several = sum(part.name == first.name for part in run.protocol.systems) > 1
    needs = scale.question(questions[0], run.protocol.language, variety="-").presentation in ("reference", "panel")
    plan = Plan(
        name=run.name,
        version="draft",
        language=run.protocol.language,
        purpose=f"A listening study of the run {run.name}.",
        conflict_of_interest=run.protocol.conflict_of_interest,
        variety=Language.get(run.protocol.language).autonym() if "adherence" in questions else "",
        run=Path(run.path.name),
        track=track,
        channels=(channel or run.channels()[0],),
        segments=segments,
        questions=tuple(questions),
        reference=(f"{first.name}/{first.label}" if several else first.name) if needs else "",
        listeners=1,
        seed=seed,
    )
    maker = _Maker(plan, run.path.parent, run)
    return plan.model_copy(update={"listeners": groups * len(maker.cells())})


class _Maker:
    """One pass over a plan: sounds are made once and known by their blind id."""

    def __init__(self, plan: Plan, folder: Path, run: Run) -> None:
        self.plan, self.folder, self.run = plan, folder, run
        self.seed = plan.seed or 0
        self.questions = tuple(scale.question(key, plan.language, variety=plan.variety) for key in plan.questions)
        if len({question.presentation for question in self.questions}) > 1:
            raise Fault("The questions of one study are asked about the same clips; split these into two studies.")
        self.presentation = self.questions[0].presentation
        self.segments = self._segments()
        self.probes = self._probes() if "probe" in plan.questions else {}
        self.channels = [str(channels.parse(name)) for name in plan.channels]
        self.voices = self._conditions()
        self.takes = run.takes()
        self.sounds: dict[str, audio.Clip] = {}
        self.sources: dict[str, tuple[str, str, str, str]] = {}  # condition, segment, channel, source

    def study(self) -> Study:
        cells = self.cells()
        texts = list(self.segments.values())
        dealt = allocate(len(texts), len(cells), self.plan.listeners, each=self.plan.texts_each, seed=self.seed)
        rng = np.random.default_rng([self.seed, 1])
        pieces = [self._trials(heard, texts, cells, rng) for heard in dealt]
        kinds: tuple[Kind, ...] = ("training", "gold", "trap", "control")
        extras = {kind: self._extras(kind) for kind in kinds}
        texts_of = {name: source[1] for name, source in self.sources.items()}
        seconds = {name: round(size / clips.RATE, 3) for name, size in clips.sizes(self.sounds, texts_of).items()}
        listeners = []
        count = max(sittings.count(self.plan, self.questions, trials, extras, seconds) for trials in pieces)
        for number, trials in enumerate(pieces):
            code = clips.blind(self.seed, "listener", self.plan.name, number)
            sessions = sittings.cut(
                self.plan, self.questions, trials, extras, seconds, number=count, listener=number, rng=rng
            )
            listeners.append(Listener(code=code, sessions=sessions))
        listeners.sort(key=lambda listener: listener.code)
        files = clips.equal(self.sounds, texts_of, self.plan.level)
        stimuli = tuple(
            Stimulus(
                id=name,
                **dict(zip(("condition", "segment", "channel", "source"), self.sources[name], strict=True)),
                seconds=seconds[name],
                sha256=clips.digest(content),
            )
            for name, content in files.items()
        )
        return Study(self._design(listeners, stimuli), files)

    def _segments(self) -> dict[str, Segment]:
        known = {segment.id: segment for segment in self.run.frozen.chosen}
        wanted = [probe.segment for probe in self.plan.probe] if "probe" in self.plan.questions else []
        chosen = wanted or list(self.plan.segments) or list(known)
        for name in chosen:
            if name not in known:
                raise Fault(f"The segment {name!r} is not in the run {self.run.name}.")
        return {name: known[name] for name in chosen}

    def _probes(self) -> dict[str, tuple[tuple[str, ...], str]]:
        """Segment -> the readings to choose between, and the right one: as the plan states it, or from `pron_hint`."""
        if not self.plan.probe:
            hints = [f"{s.id} ({s.pron_hint})" for s in self.run.frozen.chosen if s.pron_hint]
            told = f"segments with a pron_hint are {', '.join(hints[:8])}" if hints else "no segment has a pron_hint"
            raise Fault(f"The question 'probe' needs [[probe]] items with readings to choose between; {told}.")
        found = {}
        for probe in self.plan.probe:
            hint = self.segments[probe.segment].pron_hint
            right = [probe.right] if probe.right else [part for part in hint.split("; ") if part in probe.options]
            if len(right) != 1:
                raise Fault(
                    f"The probe of {probe.segment!r} has no `right`, and its pron_hint {hint!r} does not name exactly "
                    "one of the options."
                )
            found[probe.segment] = probe.options, right[0]
        return found

    def _conditions(self) -> dict[str, tuple[str, str, str]]:
        """Condition -> system, voice, channel."""
        parts = self.run.protocol.systems
        found: dict[str, tuple[str, str, str]] = {}
        for part in parts:
            several = sum(other.name == part.name for other in parts) > 1
            name = f"{part.name}/{part.label}" if several else part.name
            if self.plan.systems and name not in self.plan.systems and name != self.plan.reference:
                continue
            for channel in self.channels:
                label = name if len(self.channels) == 1 else f"{name}, {channel}"
                found[label] = (part.name, part.label, channel)
        for name in (*self.plan.systems, *([self.plan.reference] if self.plan.reference else [])):
            if not any(name in (label, label.rpartition(", ")[0]) for label in found):
                raise Fault(f"The system {name!r} is not in the run; it has {', '.join(p.name for p in parts)}.")
        return found

    def cells(self) -> list[tuple[str, ...]]:
        """What a trial plays of a text: the names of its conditions, in playing order."""
        reference = self.plan.reference
        apart = self.presentation in ("reference", "panel")  # elsewhere a reference is rated as any other condition
        tested = [name for name in self.voices if not (apart and name == reference)]
        if apart and reference not in self.voices:
            raise Fault(
                f"The scale {self.questions[0].key!r} needs the key reference, a system of the run on one channel."
            )
        match self.presentation:
            case "single":
                return [(name,) for name in tested]
            case "reference":
                return [(reference, name) for name in tested]
            case "panel":
                return [(reference, *tested, reference, ANCHOR)]
        pairs = [pair for pair in combinations(tested, 2) if not reference or reference in pair]
        if not pairs:
            raise Fault("A comparison of pairs needs two systems or more.")
        nulls = [(name, name) for name in tested] if any(q.key == "ccr" for q in self.questions) else []
        return [*pairs, *(pair[::-1] for pair in pairs), *nulls]

    def _trials(
        self, heard: list[Heard], texts: list[Segment], cells: list[tuple[str, ...]], rng: np.random.Generator
    ) -> list[Trial]:
        found = []
        for number, (text, cell) in enumerate(heard):
            segment = texts[text].id
            names = list(cells[cell])
            if self.presentation == "panel":  # the open reference stays first
                names[1:] = [names[1:][place] for place in rng.permutation(len(names) - 1)]
            same = self.presentation == "pair" and len(set(names)) == 1
            options, right = self.probes.get(segment, ((), ""))
            found.append(
                Trial(
                    id=f"{number}",
                    kind="control" if same else "test",
                    segment=segment,
                    clips=tuple(
                        self._sound(name, segment, copy=names[:place].count(name)) for place, name in enumerate(names)
                    ),
                    options=tuple(options[place] for place in rng.permutation(len(options))),
                    right=right,
                )
            )
        return found

    def _sound(self, condition: str, segment: str, channel: str = "", copy: int = 0) -> str:
        """The blind id of a condition's clip of a text, whose sound is made if it is not there.

        A clip that one trial plays twice (a null pair, the hidden reference) has two ids, and its copy starts a sample
        later, so that the files differ too.
        """
        name = clips.blind(self.seed, self.plan.name, condition, segment, channel, copy)
        if name not in self.sounds:
            system, voice, line = self.voices[self.plan.reference if condition == ANCHOR else condition]
            line = channel or line
            entry = self.takes.get(Case(system, voice, self.plan.track, segment, 0))
            if entry is None or entry["outcome"] != "ok":
                raise Fault(f"{system} delivered nothing for the segment {segment!r}; leave it out of `segments`.")
            made = channels.parse(line)
            sound = audio.read(self.run.path / entry["playback"])
            sent = made.transmit(sound, seed=made.seed(self.run.frozen.text_set.name, segment, 0))
            if condition == ANCHOR:
                sent = clips.anchor(sent, self.plan.anchor_hz)
            sent = audio.Clip(np.pad(sent.samples, (copy, 0)), sent.rate)
            self._keep(name, sent, (condition, segment, line, f"{system}/{voice}/{self.plan.track}/{segment}.0"))
        return name

    def _keep(self, name: str, sound: audio.Clip, source: tuple[str, str, str, str]) -> None:
        self.sounds[name] = sound
        self.sources[name] = source

    def _extras(self, kind: Kind) -> list[Trial]:
        needed = {"single": 1, "reference": 2, "pair": 2}.get(self.presentation)
        found = []
        for number, extra in enumerate(getattr(self.plan, kind)):
            if needed not in (None, len(extra.clips)):
                raise Fault(f"{kind} item {number + 1} has {len(extra.clips)} clips; its question plays {needed}.")
            if kind in ("gold", "trap") and extra.answer is None:
                raise Fault(f"{kind} item {number + 1} has no answer, so nobody can fail it.")
            names = [self._extra(source) for source in extra.clips]
            segment = self.sources[names[-1]][1]
            if segment in self.segments:
                raise Fault(
                    f"{kind} item {number + 1} is of the text {segment!r}, which is tested too; nobody is to hear "
                    "a text twice. Name the texts to be tested in `segments` and leave this one out."
                )
            found.append(Trial(id="", kind=kind, segment=segment, clips=tuple(names), expected=extra.answer))
        return found

    def _extra(self, source: Source) -> str:
        if source.file:
            name = clips.blind(self.seed, self.plan.name, "file", source.file)
            path = self.folder / source.file
            if not path.is_file():
                raise Fault("There is no such clip.", file=path)
            if name not in self.sounds:
                self._keep(name, audio.read(path), ("", source.segment or f"file {source.file}", "", source.file))
            return name
        if source.say:
            name = clips.blind(self.seed, self.plan.name, "say", source.say, source.adapter, source.voice)
            if name not in self.sounds:
                system = systems.load(source.adapter, {})
                if not isinstance(system, systems.System):
                    raise Fault(f"The adapter {source.adapter!r} holds recordings; it cannot say a new text.")
                spoken = system.synthesise(source.say, voice=source.voice, seed=0)
                label = f"{system.name}: {source.say}"
                self._keep(name, audio.read(spoken.audio), ("", source.segment or f"say {source.say}", "", label))
            return name
        if source.system not in self.voices:
            raise Fault(f"The system {source.system!r} is not in the study; it has {', '.join(self.voices)}.")
        if source.segment not in {segment.id for segment in self.run.frozen.chosen}:
            raise Fault(f"The segment {source.segment!r} is not in the run {self.run.name}.")
        line = str(channels.parse(source.channel)) if source.channel else ""
        return self._sound(source.system, source.segment, "" if line == self.voices[source.system][2] else line)

    def _size(self) -> str:
        plan = self.plan
        if plan.pilot is None:
            return plan.size
        cells = self.cells()
        layout = Layout(
            texts=len(self.segments),
            conditions=len(self.voices) - (self.presentation in ("reference", "panel")),
            presentation=self.presentation,
            each=plan.texts_each,
            cells=len(cells),
            compared=len({frozenset(cell) for cell in cells if len(set(cell)) > 1})
            if self.presentation == "pair"
            else 0,
            alpha=plan.model.alpha,
        )
        return pilot.size(plan.pilot, self.folder, self.questions[0], layout, listeners=plan.listeners, seed=self.seed)

    def _design(self, listeners: list[Listener], stimuli: tuple[Stimulus, ...]) -> Design:
        plan, run = self.plan, self.run
        stated = {(part.name, part.label): part.conflict_of_interest for part in run.protocol.systems}
        return Design(
            **plan.model_dump(include=_SAME),
            seed=self.seed,
            size=self._size(),
            questions=self.questions,
            conditions=tuple(
                Condition(name=n, system=s, voice=v, conflict_of_interest=stated[s, v])
                for n, (s, v, _) in self.voices.items()
            ),
            anchor=f"{ANCHOR}: the reference below {plan.anchor_hz:g} Hz" if self.presentation == "panel" else "",
            channels=tuple(self.channels),
            run=f"{run.name}, protocol sha256 {run.frozen.sha256}",
            text_set=f"{run.frozen.text_set.name}, sha256 {run.frozen.text_set.sha256}",
            texts=tuple(
                Text(id=s.id, text=s.written(plan.track) or "", spoken=s.spoken, lattice=s.lattice)
                for s in self.segments.values()
            ),
            stimuli=stimuli,
            listeners=tuple(listeners),
            playback="FLAC, mono, 16 bit, 16 kHz; clips of one text equally long and equally big",
        )
