"""Turkish: how a transcript is read aloud, and what of it is compared.

Conventions: the hypothesis goes through `verbalise`, then `normalise`; the reference, spelled out already, through
`normalise` alone. Both are pure functions of their text, the same under every Python from 3.11 to 3.13. `signature()`
names the version of the rules and the hash of the word lists; a change of output on any accepted case is a new
version.
"""

from __future__ import annotations

from .lexicon import digest
from .normal import VERSION, normalise, settled
from .verbaliser import MODES, Span, flags, prepare, scan, verbalise

__all__ = ["MODES", "VERSION", "Span", "flags", "normalise", "prepare", "scan", "settled", "signature", "verbalise"]


def signature() -> str:
    """The normaliser's name in the signature of every number: tr_norm:<version>|lexicon:<sha256 of the word lists>."""
    return f"tr_norm:{VERSION}|lexicon:{digest()}"
