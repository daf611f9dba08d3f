"""Honest statistics: intervals, paired tests, ranks and ties, from one set of random replicates.

Conventions: scores come as one tidy table, a row an expected utterance; results go as tidy tables with a signature.
Read upwards: `resample` (random weights and their products), `interval`, `test` and `rank` (from replicates to what is
said about them), `sums` (from scores to whole numbers per unit), `estimate` (one slice), `comparison` (the call).
"""

from bench.inference.comparison import Comparison, compare

__all__ = ["Comparison", "compare"]
