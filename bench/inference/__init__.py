"""Honest statistics: intervals, paired tests, ranks and ties, from one set of random replicates.

Conventions: scores come as one tidy table, a row an expected utterance; results go as tidy tables with a signature.
Read upwards: `resample` (random weights and their products), `interval`, `test` and `rank` (from replicates to what is
said about them), `sums` (from scores to whole numbers per unit), `estimate` (one slice), `comparison` (the call).
"""

from bench.inference.comparison import Comparison, Table, compare
from bench.inference.contrast import ceiling, distribution, gap, inversions, penalty
from bench.inference.panel import agreement, disagreement, panel_mean
from bench.inference.plan import plan
from bench.inference.runs import Progress, compare_runs, repeat

__all__ = [
    "Comparison",
    "Progress",
    "Table",
    "agreement",
    "ceiling",
    "compare",
    "compare_runs",
    "disagreement",
    "distribution",
    "gap",
    "inversions",
    "panel_mean",
    "penalty",
    "plan",
    "repeat",
]
