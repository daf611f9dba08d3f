"""What is derived from a run: its rows, scores, table and report. All of it can be deleted and made again.

Conventions: rows are the expected ones, with what the journals say of each. Derived files are written beside their
place and renamed. The table goes to standard output, with its signature and its conflict-of-interest line.
"""

from __future__ import annotations

import hashlib
import io
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from bench import __version__, caveat, journal, terminal
from bench import normaliser as rules
from bench.formats.hypotheses import cause
from bench.pipeline import outstanding_hearings, outstanding_takes
from bench.run import Run
from bench.score import score, summary

PAGE, STAMP, SCORES = "report/index.html", "report/made-from", "scores.parquet"
MADE_FROM = b"made-from"  # the key in the file's metadata
SMALL = 100  # utterances whose clips all go into a report


def rows(asked: Run) -> pd.DataFrame:
    """Every expected (utterance, channel, recogniser) with its raw transcript or the cause of its absence.

    Columns: system, voice, track, segment, take, channel, recogniser, diagnostic, transcript, cause, headline, and the
    strata of the text set.
    """
    takes = asked.takes()
    strata = {segment.id: segment.strata for segment in asked.frozen.chosen}
    clusters = {segment.id: segment.cluster for segment in asked.frozen.chosen}
    table: list[dict[str, Any]] = []
    for part in asked.protocol.recognisers:
        diagnostic = next(r["diagnostic"] for r in asked.manifest["recognisers"] if r["name"] == part.name)
        heard = asked.transcripts(part.name)
        for case in asked.expected():
            for channel in asked.channels():
                entry = heard.get((case, channel))
                text = entry["text"] if entry else None
                table.append(
                    {
                        "system": case.system,
                        "voice": case.voice,
                        "track": case.track,
                        "segment": case.segment,
                        "take": case.take,
                        "channel": channel,
                        "recogniser": part.name,
                        "diagnostic": diagnostic,
                        "transcript": text,
                        "looped": bool(entry and entry.get("looped")),
                        "cause": _cause(takes.get(case), entry),
                        "cluster": clusters[case.segment],
                        "headline": strata[case.segment].get("headline", True) is not False,
                        **{k: v for k, v in strata[case.segment].items() if k != "headline"},
                    }
                )
    return pd.DataFrame(table)


def _cause(take: journal.Entry | None, heard: journal.Entry | None) -> str | None:
    if take is None:
        return caveat.UNTRIED[0]
    if take["outcome"] != "ok":
        return f"audio {take['outcome']}"
    if heard is None:
        return caveat.UNTRIED[1]
    if heard["outcome"] != "ok":
        return "transcript failed"
    return cause(heard["text"])


def scores(asked: Run) -> pd.DataFrame:
    """The scored rows of a run under each normaliser of its protocol; the first is the headline.

    They are read from scores.parquet where that was made from what the run holds now, and made anew elsewhere, as
    always under a normaliser of one's own, whose data nothing pins.
    """
    path = asked.path / SCORES
    pinned = not any(":" in name for name in asked.protocol.normalisers)
    if pinned and path.is_file():
        kept = parquet.read_table(path)
        if (kept.schema.metadata or {}).get(MADE_FROM) == _origin(asked).encode():
            read: pd.DataFrame = kept.to_pandas()
            return read
    return _scored(asked)


def kept(asked: Run) -> pd.DataFrame:
    """The scores as they were last written, made anew where the run has gone on since.

    Raises Fault where the run was never scored.
    """
    found = asked.scores()
    made = (parquet.read_schema(asked.path / SCORES).metadata or {}).get(MADE_FROM)
    return found if made is None else scores(asked)


def _scored(asked: Run) -> pd.DataFrame:
    found = rows(asked)
    named = [
        score(found, asked.frozen.chosen, language=asked.protocol.language, normaliser=name)
        for name in asked.protocol.normalisers
    ]
    return pd.concat(named, ignore_index=True)


def signature(asked: Run, normaliser: str, *, protocol: str | None = None) -> str:
    """What a number of this run rests on, in one line; `protocol` is said in the place of its name and hash."""
    frozen = asked.frozen
    rule = rules.get(normaliser, asked.protocol.language)
    panel = asked.manifest["recognisers"]  # each with every option that can change a transcript, and its weights
    heard = [f"{r['name']}({r['configuration'].replace('|', ',')}; {r['version'].replace('|', ',')})" for r in panel]
    return "|".join(
        [
            f"set={frozen.text_set.name}@{frozen.text_set.sha256[:12]}",
            f"protocol={protocol or f'{asked.protocol.name}@{frozen.sha256[:12]}'}",
            f"recognisers={' & '.join(heard)}",
            f"normaliser={rule.name}({rule.signature.replace('|', ',')})",
            "mode=best",
            "ties=errors,hits,first-option",
            "denominator=canonical",
            f"earshot={__version__}",
        ]
    )


def keep(asked: Run) -> pd.DataFrame:
    """Score the run, keep the scores in its scores.parquet with what they were made from, print the table."""
    scored = _scored(asked)
    table = pa.Table.from_pandas(scored, preserve_index=False)
    held = {**table.schema.metadata, MADE_FROM: _origin(asked).encode()}
    stream = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata(held), stream)
    journal.write(asked.path / SCORES, stream.getvalue())
    show(asked, scored)
    return scored


def usual_clips(asked: Run) -> str:
    """The clips that go into a report unless it is said otherwise: all of a small run, the worst of a large one."""
    return "all" if len(asked.expected()) <= SMALL else f"worst:{SMALL // 2}"


def publish(asked: Run) -> Path:
    """Score the run, keep the scores, print the table, build the report of one page; the page's path."""
    from bench import (
        basis,
        report,
        views,
    )  # plotting and statistics take a second to import, and a status needs neither

    scored = keep(asked)
    headline = asked.protocol.normalisers[0]
    parts = views.overview(
        asked,
        scored[scored["normaliser"] == headline],
        signature=signature(asked, headline),
        clips=usual_clips(asked),
    )
    parts += basis.older(asked.path / PAGE)
    page = report.write(asked.path / PAGE, asked.name, parts, subtitle=asked.protocol.purpose)
    stamp(asked)
    terminal.say(f"Report: {page}")
    return page


def published(asked: Run) -> Path:
    """The path of the run's report, which is made anew only where what it rests on has changed; prints the table."""
    made = asked.path / STAMP
    if not (asked.path / PAGE).is_file() or not made.is_file() or made.read_text() != _origin(asked):
        return publish(asked)
    show(asked, asked.scores())
    terminal.say(f"Report: {asked.path / PAGE}")
    return asked.path / PAGE


def stamp(asked: Run) -> None:
    """Note beside the report what it was made from, so that `published` knows it for up to date."""
    journal.write(asked.path / STAMP, _origin(asked).encode())


def _origin(asked: Run) -> str:
    """One hash of all that the derived files of a run rest on: its measurements, its protocol with the versions of its
    normalisers, and Earshot's code."""
    code = Path(__file__).parent
    held = [asked.path / "protocol.toml", *asked.path.glob("*.jsonl"), *(asked.path / "transcripts").glob("*.jsonl")]
    held += [path for path in code.rglob("*") if path.suffix in (".py", ".js", ".css", ".toml")]
    whole = hashlib.sha256()
    for name in asked.protocol.normalisers:
        whole.update(signature(asked, name).encode())
    for path in sorted(held):
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def show(asked: Run, scored: pd.DataFrame) -> None:
    """Print the word error rates: a table a recogniser and normaliser, a row a system and track, a column a channel."""
    first = asked.protocol.normalisers[0]
    if told := caveat.unfinished(scored[scored["normaliser"] == first]):
        terminal.say(told)
    table = summary(scored[scored["headline"]])
    diagnostic = set(scored.loc[scored["diagnostic"], "recogniser"])
    for (rule, name), part in table.groupby(["normaliser", "recogniser"], sort=False):
        wide = part.pivot(index=["system", "voice", "track"], columns="channel", values="wer")
        failed = part.groupby(["system", "voice", "track"])["failed"].sum()
        shown = wide[asked.channels()].assign(failed=failed).reset_index()
        title = f"WER %, {name}" + (" (diagnostic)" if name in diagnostic else "")
        title += "" if rule == first else f", under the rule {rule}, for comparison"
        terminal.show(shown, title, percent=asked.channels())
    kept = {"takes": [*asked.takes().values()]}
    kept |= {
        f"hearings of {part.name}": [*asked.transcripts(part.name).values()] for part in asked.protocol.recognisers
    }
    for what, entries in kept.items():
        if found := lost(entries):
            terminal.say(f"Lost: {found.total():,} of {len(entries):,} {what}; they count as errors, see bench status.")
            _reasons(found, 3)
    terminal.say(signature(asked, first))
    terminal.say(f"Conflict of interest: {caveat.conflict(asked)}")


def status(asked: Run) -> None:
    """Print what a run has, lacks and lost."""
    expected = len(asked.expected())
    takes = asked.takes().values()
    good = sum(entry["outcome"] == "ok" for entry in takes)
    terminal.say(f"{asked.path}: protocol {asked.protocol.name} {asked.frozen.sha256[:12]}")
    terminal.say(f"takes: {good} of {expected} good, {len(outstanding_takes(asked))} to do")
    _reasons(lost(takes))
    for part in asked.protocol.recognisers:
        heard = asked.transcripts(part.name)
        good = sum(entry["outcome"] == "ok" for entry in heard.values())
        todo = len(outstanding_hearings(asked, part.name))
        terminal.say(f"{part.name}: {good} of {expected * len(asked.channels())} heard, {todo} to do")
        _reasons(lost(heard.values()))


def lost(entries: Iterable[journal.Entry]) -> Counter[str]:
    """How often each system lost a take, or the hearing of one, and why, the most frequent first."""
    return Counter(
        f"{entry['outcome']}, {' '.join(filter(None, (entry['system'], entry['voice'])))}: {entry['error']}"
        for entry in entries
        if entry["outcome"] != "ok"
    )


def _reasons(found: Counter[str], most: int | None = None) -> None:
    for reason, count in found.most_common(most):
        terminal.say(f"  {count:,} {reason}")
    if most is not None and len(found) > most:
        terminal.say(f"  and {len(found) - most} other reasons")
