"""What the journals of a run say of time: how long synthesis and recognition took, with honest percentiles.

Conventions: times are those of one run, in seconds, taken on the machine that carried it out and with whatever else
it did then; they are observations and no benchmark of latency. A real-time factor is seconds of work a second of
audio: below 1 is faster than speech. A percentile is the smallest value that at least that share of the observations
does not exceed. Its interval has two order statistics as ends, chosen by the binomial distribution so that it holds
the percentile of the population with at least 95 % (Hahn and Meeker, Statistical Intervals, 5.2); where the
observations are too few for both ends the percentile is undefined: p50 needs 6 of them, p90 36 and p99 368.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import binom
from scipy.stats import t as student

from bench.journal import Entry
from bench.run import Run

CONFIDENCE = 0.95
LEVELS = (0.5, 0.9, 0.99)
FEWEST = 6  # takes that a throughput needs, as a median does
TAKES = ["system", "voice", "track", "segment", "take", "where", "seconds", "synthesis", "first_audio", "rtf"]
HEARINGS = ["recogniser", "system", "channel", "segment", "seconds", "recognition", "rtf"]


def takes(run: Run) -> pd.DataFrame:
    """A row a good take: where it was made, seconds of audio, seconds of synthesis, seconds to the first audio,
    real-time factor.

    `where` is the region of a hosted system, the hardware that the protocol states of a local one, or else the
    machine's processor and cores. What the adapter did not time is missing (NaN).
    """
    rows = []
    for case, entry in run.takes().items():
        if entry["outcome"] != "ok":
            continue
        begun, first, ended = (entry.get(name) for name in ("submitted_ns", "first_audio_ns", "completed_ns"))
        synthesis = (ended - begun) / 1e9 if begun is not None and ended is not None else math.nan
        waited = (first - begun) / 1e9 if begun is not None and first is not None else math.nan
        factor = synthesis / entry["seconds"] if entry["seconds"] else math.nan
        key = (case.system, case.voice, case.track, case.segment, case.take, _where(entry))
        rows.append((*key, entry["seconds"], synthesis, waited, factor))
    return pd.DataFrame(rows, columns=TAKES)


def hearings(run: Run) -> pd.DataFrame:
    """A row a good transcript: seconds of audio, seconds of recognition, real-time factor."""
    spoken = {case: entry["seconds"] for case, entry in run.takes().items() if entry["outcome"] == "ok"}
    rows = []
    for part in run.protocol.recognisers:
        for (case, channel), entry in run.transcripts(part.name).items():
            if entry["outcome"] == "ok" and spoken.get(case):
                seconds, work = spoken[case], entry["seconds"]
                rows.append((part.name, case.system, channel, case.segment, seconds, work, work / seconds))
    return pd.DataFrame(rows, columns=HEARINGS)


def percentile(values: NDArray[np.float64], level: float) -> tuple[float, float, float]:
    """The percentile of values (n,) with both ends of its interval; three NaN where n is too small for it."""
    ordered = np.sort(values[~np.isnan(values)])
    n = len(ordered)
    if not n:
        return math.nan, math.nan, math.nan
    tail = (1 - CONFIDENCE) / 2
    below = int(binom.ppf(tail, n, level))  # P(fewer than `below` values under the percentile) <= tail
    above = int(binom.ppf(1 - tail, n, level)) + 1
    if below < 1 or above > n:
        return math.nan, math.nan, math.nan
    place = max(math.ceil(level * n - 1e-9), 1)
    return float(ordered[place - 1]), float(ordered[below - 1]), float(ordered[above - 1])


def throughput(audio: NDArray[np.float64], work: NDArray[np.float64]) -> tuple[float, float, float]:
    """Seconds of audio a second of synthesis, over all takes together, with both ends of its 95 % interval.

    `audio` and `work` (n,) are in seconds, one request at a time. The estimate is the ratio of the sums with its
    linearised variance (Cochran, Sampling Techniques, 1977, 6.4), taken on the logarithm so that the interval stays
    above 0, with the t of n − 1 degrees of freedom. Three NaN where fewer than FEWEST takes were timed.
    """
    timed = ~np.isnan(work)
    audio, work = audio[timed], work[timed]
    n, total = len(work), float(work.sum())
    if n < FEWEST or total <= 0 or audio.sum() <= 0:
        return math.nan, math.nan, math.nan
    ratio = float(audio.sum()) / total
    left = audio - ratio * work
    error = math.sqrt(n / (n - 1) * float(left @ left)) / float(audio.sum())
    reach = math.exp(float(student.ppf((1 + CONFIDENCE) / 2, n - 1)) * error)
    return ratio, ratio / reach, ratio * reach


def _where(take: Entry) -> str:
    """The machine of a take in words."""
    hardware = take.get("hardware")
    if isinstance(hardware, dict):
        hardware = f"{hardware.get('processor') or 'unknown processor'}, {hardware.get('cores')} cores"
    return take.get("region") or hardware or "not recorded"


def percentiles(frame: pd.DataFrame, by: Sequence[str], column: str, levels: Sequence[float] = LEVELS) -> pd.DataFrame:
    """A row a group: `n` observations, and for each level its percentile with both ends: p50, p50_lo, p50_hi ..."""
    rows = []
    for group, part in frame.groupby(list(by), sort=False):
        values = part[column].to_numpy(float)
        row = {**dict(zip(by, group, strict=True)), "n": int((~np.isnan(values)).sum())}
        for level in levels:
            name = f"p{100 * level:g}"
            row |= dict(zip((name, f"{name}_lo", f"{name}_hi"), percentile(values, level), strict=True))
        rows.append(row)
    names = [f"p{100 * level:g}{end}" for level in levels for end in ("", "_lo", "_hi")]
    return pd.DataFrame(rows, columns=[*by, "n", *names])
