"""The active speech level against its anchors and against the standard's own procedure, sample by sample."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.audio import Clip, clip
from bench.level import Level, active_level, align, intake, measure, receive

RATE = 16_000


def noise(seconds: float, level: float, seed: int = 0) -> np.ndarray:
    """White noise at `level` dBov."""
    samples = np.random.default_rng(seed).standard_normal(int(seconds * RATE))
    return samples * 10 ** (level / 20) / np.sqrt(np.mean(samples**2))


def speech(seed: int) -> Clip:
    """Four seconds of noise that comes in words of many lengths and levels, on a faint floor."""
    random = np.random.default_rng(seed)
    words = [(random.uniform(0.05, 0.5), random.choice([0.001, *random.uniform(0.2, 1, 2)])) for _ in range(30)]
    gain = np.concatenate([np.full(int(RATE * seconds), loudness) for seconds, loudness in words])[: 4 * RATE]
    return clip(random.standard_normal(len(gain)) * gain * 0.1, RATE)


def standard(sound: Clip) -> tuple[float, float]:
    """ITU-T P.56, method B, as its text has it: a loop over samples, thresholds 6 dB apart from full scale down."""
    smooth = math.exp(-1 / (0.03 * sound.rate))
    hangover = round(0.2 * sound.rate)
    thresholds = 2.0 ** np.arange(-15, 0)
    active, hanging = np.zeros(15, dtype=int), np.full(15, hangover)
    p = q = 0.0
    for sample in np.abs(sound.samples.astype(np.float64)):
        p = smooth * p + (1 - smooth) * sample
        q = smooth * q + (1 - smooth) * p
        above = q >= thresholds
        hanging = np.where(above, 0, hanging + 1)
        active += hanging <= hangover
    energy = np.square(sound.samples.astype(np.float64)).sum()
    levels = 10 * np.log10(energy / np.maximum(active, 1))
    apart = levels - 20 * np.log10(thresholds) - 15.9
    at = int(np.flatnonzero((apart <= 0) & (active > 0))[0])
    level = np.interp(0, [apart[at], apart[at - 1]], [levels[at], levels[at - 1]])
    return float(level), float(energy / len(sound.samples) / 10 ** (level / 10))


@pytest.mark.parametrize("amplitude", [0.9, 0.5, 0.01])
def test_a_steady_tone_has_its_own_power(amplitude: float) -> None:
    level = measure(clip(amplitude * np.sin(2 * np.pi * 440 * np.arange(10 * RATE) / RATE), RATE))
    assert level.active == pytest.approx(20 * math.log10(amplitude) - 3.01, abs=0.05)
    assert level.overall == pytest.approx(20 * math.log10(amplitude) - 3.01, abs=0.005)
    assert level.activity == pytest.approx(1, abs=0.01)


def test_a_full_scale_square_wave_is_0_dbov() -> None:
    assert active_level(clip(np.tile([1.0, -1.0], 5 * RATE), RATE)) == pytest.approx(0, abs=0.05)


def test_silence_around_speech_does_not_count() -> None:
    level = measure(clip(np.concatenate([noise(10, -26), np.zeros(10 * RATE)]), RATE))
    assert level.overall == pytest.approx(-29.01, abs=0.01)
    assert level.active == pytest.approx(-26, abs=0.15)  # 0.2 s of hangover and the envelope's decay still count
    assert level.activity == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(("pause", "counts"), [(0.15, True), (1.0, False)])
def test_only_a_pause_of_more_than_a_fifth_of_a_second_is_left_out(pause: float, counts: bool) -> None:
    words = [part for seed in range(20) for part in (noise(0.5, -20, seed), np.zeros(int(pause * RATE)))]
    level = measure(clip(np.concatenate(words), RATE))
    assert (level.activity > 0.97) == counts


@pytest.mark.parametrize("seed", range(4))
def test_the_level_is_that_of_the_standards_procedure(seed: int) -> None:
    sound = speech(seed)
    level, activity = standard(sound)
    measured = measure(sound)
    assert measured.active == pytest.approx(level, abs=0.2)  # the standard's thresholds are 6 dB apart, these 1.5 dB
    assert measured.activity == pytest.approx(activity, abs=0.03)


@settings(derandomize=True, max_examples=25, deadline=None)
@given(seed=st.integers(0, 1000), gain=st.floats(-40, 20))
def test_a_gain_moves_the_level_by_itself(seed: int, gain: float) -> None:
    sound = speech(seed)
    louder = Clip(sound.samples * np.float32(10 ** (gain / 20)), RATE)
    assert active_level(louder) - active_level(sound) == pytest.approx(gain, abs=0.001)
    assert measure(louder).activity == pytest.approx(measure(sound).activity, abs=1e-4)


@settings(derandomize=True, max_examples=25, deadline=None)
@given(seed=st.integers(0, 1000), target=st.floats(-60, -10))
def test_alignment_hits_its_target(seed: int, target: float) -> None:
    assert active_level(align(speech(seed), target)) == pytest.approx(target, abs=0.001)


def test_digital_silence_has_no_level_and_cannot_be_aligned() -> None:
    silence = clip(np.zeros(RATE), RATE)
    assert measure(silence) == Level(-math.inf, 0.0, -math.inf)
    assert align(silence, -26) is silence


@pytest.mark.parametrize("size", [1, 2, 100])
def test_a_click_has_a_level(size: int) -> None:
    level = measure(clip(np.full(size, 0.5), RATE))
    assert math.isfinite(level.active)
    assert 0 < level.activity <= 1


def test_the_record_says_how_a_file_came_in(tmp_path: Path) -> None:
    left, right = noise(1, -20, 1), noise(1, -20, 2)
    file = tmp_path / "stereo.wav"
    soundfile.write(file, np.stack([left, right], axis=1), RATE, subtype="PCM_24")
    for source in (file, file.read_bytes()):
        sound, record = receive(source)
        assert (record.rate, record.channels, record.downmixed, record.encoding) == (RATE, 2, True, "WAV PCM_24")
        assert (record.seconds, record.over) == (1.0, 0)
        assert record.level.active == pytest.approx(-23, abs=0.2)  # two unlike channels, averaged
        np.testing.assert_allclose(sound.samples, (left + right) / 2, atol=1e-6)


def test_the_record_of_a_file_that_only_ffmpeg_reads(tmp_path: Path) -> None:
    import av

    file = tmp_path / "speech.m4a"
    with av.open(str(file), "w") as container:
        stream = container.add_stream("aac", RATE, layout="stereo")
        samples = np.stack([noise(1, -20), noise(1, -20)]).astype(np.float32)
        frame = av.AudioFrame.from_ndarray(samples, format="fltp", layout="stereo")
        frame.sample_rate = RATE
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    record = receive(file)[1]
    assert (record.channels, record.downmixed, record.rate) == (2, True, RATE)
    assert record.encoding.endswith(" aac")


def test_the_record_counts_what_lies_beyond_full_scale() -> None:
    record = intake(clip(np.array([0.5, 1.0, 1.5, -2.0]), RATE))
    assert (record.over, record.channels, record.downmixed) == (2, 1, False)
    assert record.peak == pytest.approx(20 * math.log10(2), abs=1e-6)
