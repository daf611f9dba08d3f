"""The Turkish normaliser, tr_norm: what is compared is what was said, not how it was typed.

Conventions: one function for reference and hypothesis alike. Its output holds lower-case letters, digits, combining
marks on a letter, and single spaces; it is idempotent. No number word is joined or split, no filler dropped, nothing
corrected. The order of the steps is part of the definition: I must be read as Turkish before anything is lowered
(`str.lower()` alone turns İ into two characters), and words written with a Latin I must be known before that.
"""

from __future__ import annotations

import re
import unicodedata

from .lexicon import LATIN_I

VERSION = "1.2.0"

APOSTROPHES = "'\u2018\u2019\u201b\u02bc\u00b4\u0060\u2032\uff07"
DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212/\u2044\u2215\uff0f"

# Deleted before composing, so that they cannot hide a composition.
_INVISIBLE = re.compile("[\u00ad\u200b\u200c\u200d\ufeff]")
# Letters, digits and marks that Unicode 15.0 and 15.1 added. Python 3.11 does not know them, so nobody may.
_NEWER = re.compile(
    "[\u0cf3\u0ece\U00010efd-\U00010eff\U0001123f-\U00011241\U00011f00-\U00011f10\U00011f12-\U00011f3a"
    "\U00011f3e-\U00011f42\U00011f50-\U00011f59\U0001342f\U00013440-\U00013455\U0001b132\U0001b155"
    "\U0001d2c0-\U0001d2d3\U0001df25-\U0001df2a\U0001e030-\U0001e06d\U0001e08f\U0001e4d0-\U0001e4f9"
    "\U0002b739\U0002ebf0-\U0002ee5d\U00031350-\U000323af]"
)
_WORD = re.compile(r"[^\W\d_]+")
_CAPITALS = re.compile("[A-ZÇĞİÖŞÜ]+")
_MARKED = re.compile("([aeiouı])([\u0300-\u036f]+)")
_GLUE = re.compile(rf"[{re.escape(APOSTROPHES)}](?<=\w.)(?=\w)")  # what may be there stands first: searched for fast

# What nearly every transcript is made of. Its normalisation is a pass over bytes, where all punctuation is ASCII.
_PLAIN_PUNCTUATION = ' \t\n\r\u00a0!"#$%&()*+,.:;<=>?@[\\]^_{|}~“”„«»…•€₺£°·' + APOSTROPHES + DASHES
# What is normalised already, with a space at either end at most.
_DONE = re.compile(" ?[0-9a-zçğıöşü]*(?: [0-9a-zçğıöşü]+)* ?")
_SETTLED = re.compile("[0-9a-zçğıöşü ]*")
_PLAIN = re.compile("[0-9A-Za-zÇĞİÖŞÜçğıöşüâîûÂÎÛ" + re.escape(_PLAIN_PUNCTUATION) + "]*")
_ASCII = "".join(filter(str.isascii, _PLAIN_PUNCTUATION))
_SPACED = bytes.maketrans(_ASCII.encode(), b" " * len(_ASCII))
_RARE = re.compile("[âîû" + re.escape(_PLAIN_PUNCTUATION.translate(dict.fromkeys(map(ord, _ASCII)))) + "]")
_FOLDED = dict(zip(map(ord, "âîû"), "aiu", strict=True)) | {ord(c): " " for c in _PLAIN_PUNCTUATION}
_DASH = {ord(c): " " for c in DASHES}


def lower(text: str) -> str:
    """Turkish lower case: İ is i, I is ı."""
    return text.replace("İ", "i").replace("I", "ı").lower()


def compose(text: str) -> str:
    """Invisible characters deleted, letters unknown to Unicode 14 blanked, then NFC; ș, the Romanian letter, is ş."""
    text = _NEWER.sub(" ", _INVISIBLE.sub("", text))
    return unicodedata.normalize("NFC", text).replace("ș", "ş").replace("Ș", "Ş")


def settled(text: str) -> bool:
    """Whether a text has only small Turkish letters, digits and spaces, of which `normalise` keeps every word."""
    return _SETTLED.fullmatch(text) is not None


def plain(text: str) -> bool:
    """Whether every character is one of modern Turkish text, composed."""
    return _PLAIN.fullmatch(text) is not None


def normalise(text: str) -> str:
    """tr_norm: composed, Latin-I words protected, Turkish lower case, circumflex off, apostrophes glued, hyphen,
    slash and punctuation spaced. Never raises."""
    if _DONE.fullmatch(text):
        return text.strip()
    if plain(text):
        if "I" in text:
            text = _WORD.sub(_protect, text)
        text = _GLUE.sub("", lower(text))
        text = text.translate(_FOLDED) if _RARE.search(text) else text.encode().translate(_SPACED).decode()
        return " ".join(text.split())
    text = _WORD.sub(_protect, compose(text))
    text = unicodedata.normalize("NFD", lower(text))
    text = unicodedata.normalize("NFC", _MARKED.sub(_fold, text))
    text = _GLUE.sub("", text).translate(_DASH)
    kept = ""
    letters: list[str] = []
    for character in text:
        mark = unicodedata.category(character) in ("Mn", "Mc")
        kept = character if character.isalnum() or (mark and kept != " " and letters) else " "
        letters.append(kept)
    return " ".join(unicodedata.normalize("NFC", "".join(letters)).split())


def _protect(match: re.Match[str]) -> str:
    """The capital I of a Latin-I word becomes i; also in a capital head before a lower-case suffix, and in IBAN…"""
    word = match[0]
    if "I" not in word:
        return word
    if re.sub("[ıiİ]", "I", word).upper() in LATIN_I:
        return word.replace("I", "i")
    capitals = _CAPITALS.match(word)
    if capitals and capitals[0] in LATIN_I and len(capitals[0]) < len(word):
        return capitals[0].replace("I", "i") + word[capitals.end() :]
    return "iBAN" + word[4:] if word.startswith("IBAN") else word  # no Turkish word begins with ıban


def _fold(match: re.Match[str]) -> str:
    """A circumflex goes from any vowel; a dot above ı or i makes a plain i (Python lowers İ to i and U+0307)."""
    vowel, marks = match[1], match[2].replace("\u0302", "")
    if vowel in "iı" and "\u0307" in marks:
        vowel, marks = "i", marks.replace("\u0307", "")
    return vowel + marks
