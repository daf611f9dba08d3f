"""Transcripts that repeat themselves, as a decoder does that has fallen into a loop.

Conventions: the text alone decides, so that a transcript made elsewhere is judged as one of our own panel is. A row
that loops is flagged and counted, never dropped.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter


def looped(text: str) -> bool:
    """Whether a transcript repeats itself as a decoder in a loop does.

    Either the text is long and compresses by zlib to less than 1/2.4 of its bytes, the threshold of Whisper's own
    decoder (Radford et al. 2022, section 4.5); or a phrase follows itself at once at least 4 times and fills 10 words
    or Han characters, which the ratio misses in a short text.
    """
    raw = text.strip().encode()
    tokens = text.lower().split()
    if len(raw) <= 300 and len(tokens) - len(set(tokens)) <= 3 and max(map(len, tokens), default=0) < 16:
        return False  # as most are: too short and too varied for either, and known without compressing
    if len(raw) / len(zlib.compress(raw)) > 2.4:
        return True
    words = re.findall(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+", text.lower())
    if max(Counter(words).values(), default=0) < 4:
        return False
    return any(_repeats(words, length) for length in range(1, len(words) // 4 + 1))


def _repeats(words: list[str], length: int) -> bool:
    run = 0
    for earlier, later in zip(words, words[length:], strict=False):
        run = run + 1 if earlier == later else 0
        if run >= max(3 * length, 10 - length):
            return True
    return False
