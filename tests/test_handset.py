"""The line of handset-bench 0.1.0: its seeds, its losses, its curve, and the codes that it really makes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.audio import Clip, clip
from bench.channels import handset, loss, native, parse, published

# What the package itself answered, with the versions that it ran on.
GOLDEN = json.loads((Path(__file__).parent / "data" / "handset_bench.json").read_text())
RATES = [int(rate) for rate in GOLDEN["codes"]]


@pytest.mark.parametrize(
    ("utterance", "name", "seed", "lost"),
    [
        ("dt-0001", "handset+loss=1%", 1980045210, []),
        ("dt-0001", "handset+loss=3%", 135446606, [16, 100]),
        ("dt-0002", "handset+loss=1%", 1372653387, [89, 146]),
        ("dt-0002", "handset+loss=3%", 478181690, [17, 34]),
        ("dt-0150", "handset+loss=1%", 634077491, [28, 29]),
        ("dt-0150", "handset+loss=3%", 862435685, [8, 29, 77, 120]),
    ],
)
def test_seeds_and_lost_frames(utterance: str, name: str, seed: int, lost: list[int]) -> None:
    channel = parse(name)
    assert channel.seed("dialtone_v1", utterance, 0) == seed
    three_seconds = channel.carry(clip(np.full(24_000, 0.1), 8_000), seed=seed)
    assert (list(three_seconds.lost), three_seconds.frames) == (lost, 150)


def test_a_partial_last_frame_is_never_lost() -> None:
    channel = handset + loss(0.03)
    assert channel.carry(clip(np.full(8 * 160 + 159, 0.1), 8_000), seed=862435685).frames == 8


@pytest.mark.parametrize(
    ("sample", "code", "heard"),
    [
        (0, 128, 8.621e-5),
        (0.001, 133, 0.00105976),
        (0.1, 203, 0.10067459),
        (0.5, 239, 0.49667674),
        (1, 255, 1),
        (-1, 0, -1),
    ],
)
def test_the_curve(sample: float, code: int, heard: float) -> None:
    codes = published.encode(np.array([sample], dtype=np.float64))
    assert codes.tolist() == [code]
    assert published.decode(codes)[0] == pytest.approx(heard, rel=1e-4)


@pytest.mark.parametrize(
    ("frequency", "rms"), [(200, 0.01375), (300, 0.24951), (1000, 0.35460), (3400, 0.21547), (3700, 0.10138)]
)
def test_the_band(frequency: int, rms: float) -> None:
    sine = clip(0.5 * np.sin(2 * np.pi * frequency * np.arange(24_000) / 24_000), 24_000)
    line = published.handset(sine, np.zeros(50, dtype=np.bool_))
    assert np.sqrt(np.square(line[4000:]).mean()) == pytest.approx(rms, abs=2e-4)


def signal(rate: int) -> Clip:
    time = np.arange(rate // 4) / rate
    chirp = 0.3 * np.sin(2 * np.pi * (200 * time + 6800 * time**2))
    return clip((chirp + 0.1 * np.sin(2 * np.pi * 1234.5 * time)).astype(np.float32), rate)


def golden(part: str, rate: int) -> NDArray[np.int64]:
    return np.frombuffer(bytes.fromhex(GOLDEN[part][str(rate)]), dtype=np.uint8).astype(np.int64)


@pytest.mark.parametrize("rate", RATES)
def test_the_codes_are_those_of_handset_bench_in_the_same_precision(rate: int) -> None:
    line = published.resample(published.band_limit(signal(rate)), rate, 8_000)
    np.testing.assert_array_equal(published.encode(line), golden("exact", rate))


@pytest.mark.parametrize("rate", RATES)
def test_the_codes_with_loss_are_those_of_handset_bench_but_for_its_rounding(rate: int) -> None:
    expected = golden("codes", rate)
    lost = published.handset_lost(len(expected) // 160, GOLDEN["loss_p"], GOLDEN["seed"])
    assert lost.any()
    codes = published.encode(published.handset(signal(rate), lost).astype(np.float64))
    # It filters in float32, so that a code on the edge of its step may fall either way; more of them at higher rates,
    # where the poles of the 300 Hz sections lie nearer to the unit circle.
    apart = np.abs(codes - expected)
    assert apart.max() <= 1
    assert (apart > 0).mean() <= 0.005


def test_native_is_the_systems_own_output() -> None:
    sound = clip(np.random.default_rng(0).uniform(-0.5, 0.5, 1600), 16_000)
    np.testing.assert_array_equal(native.transmit(sound, seed=0).samples, sound.samples)
