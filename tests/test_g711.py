"""The companding tables against those of the ITU-T Software Tool Library, every input and every octet."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bench.channels import g711
from bench.fault import Fault

TABLES = Path(__file__).parent / "data" / "g711"
LAWS = {"a": "alaw", "mu": "ulaw"}
EVERY_INPUT = np.arange(-32768, 32768).astype(np.int16)
EVERY_OCTET = np.arange(256).astype(np.uint8)


@pytest.mark.parametrize("law", LAWS)
def test_every_input_and_octet_is_that_of_the_software_tool_library(law: g711.Law) -> None:
    octets = np.fromfile(TABLES / f"{LAWS[law]}_encode.u8", dtype=np.uint8)
    values = json.loads((TABLES / f"{LAWS[law]}_decode.json").read_text())
    assert len(octets) == 65536
    np.testing.assert_array_equal(g711.encode(EVERY_INPUT, law), octets)
    np.testing.assert_array_equal(g711.decode(EVERY_OCTET, law), values)
    np.testing.assert_array_equal(g711.sound(EVERY_OCTET, law) * 32768, values)


def test_the_development_data_has_the_same_tables(shared: Path) -> None:
    for file in TABLES.glob("*law_*"):
        assert file.read_bytes() == (shared / "data" / "g711" / file.name).read_bytes()


def test_anchors() -> None:
    def through(value: int, law: g711.Law) -> int:
        return int(g711.decode(g711.encode(np.array([value], dtype=np.int16), law), law)[0])

    def heard(octet: int, law: g711.Law) -> int:
        return int(g711.decode(np.array([octet], dtype=np.uint8), law)[0])

    assert [heard(0xD5, "a"), heard(0x00, "mu"), heard(0x80, "mu")] == [8, -32124, 32124]
    assert [through(1000, "a"), through(8000, "a")] == [1008, 8064]
    assert [through(0, "mu"), through(-1, "mu"), through(32767, "mu"), through(-32768, "mu")] == [0, 0, 32124, -32124]


@pytest.mark.parametrize("law", LAWS)
def test_coding_what_was_decoded_changes_nothing(law: g711.Law) -> None:
    values = g711.decode(EVERY_OCTET, law)
    np.testing.assert_array_equal(g711.decode(g711.encode(values, law), law), values)
    assert g711.SILENCE[law] == g711.encode(np.zeros(1, dtype=np.int16), law)[0]


def test_rounding_is_to_even_and_clipped_samples_are_counted() -> None:
    samples = np.array([0.5, 1.5, -0.5, -1.5, 2.5, 32767, 32767.5, 40000, -32768, -32769], dtype=np.float32) / 32768
    pcm, clipped = g711.quantise(samples)
    assert pcm.tolist() == [0, 2, 0, -2, 2, 32767, 32767, 32767, -32768, -32768]
    assert clipped == 3


def test_an_unknown_law_and_a_changed_table_are_refused() -> None:
    with pytest.raises(Fault, match='"a" or "mu"'):
        g711.encode(EVERY_INPUT, "u")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="read-only"):
        g711._encoding("a")[0] = 0
