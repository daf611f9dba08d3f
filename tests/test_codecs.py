"""G.722, G.726 and Opus: aligned in time, in their band, as long as the input, the same every time."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import lfilter

from bench.audio import Clip, clip
from bench.channels import LINES, band, codecs, parse
from bench.fault import Fault

CODED = tuple(name for name in LINES if name.startswith(("g722", "g726", "opus")))


@pytest.fixture(scope="module")
def voice() -> Clip:
    """Two seconds of a voice-like sound: pulses of a gliding pitch through five formants, loud and soft in turn."""
    rate = 16_000
    time = np.arange(2 * rate) / rate
    phase = np.cumsum(110 + 30 * np.sin(2 * np.pi * 0.7 * time)) / rate
    sound = np.diff(np.floor(phase), prepend=0.0)
    for formant, width in ((600, 80), (1400, 100), (2500, 150), (3300, 200), (5500, 400)):
        radius = np.exp(-np.pi * width / rate)
        sound = lfilter([1], [1, -2 * radius * np.cos(2 * np.pi * formant / rate), radius**2], sound)
    sound = lfilter([1, -1], [1, -0.95], sound * (1 + np.sin(2 * np.pi * 3 * time)))
    return clip(0.5 * sound / np.abs(sound).max(), rate)


def delay(heard: Clip, sent: Clip) -> float:
    """Microseconds by which `heard` lags `sent`: the peak of their correlation, found between the samples."""
    size, finer = 2 ** int(np.ceil(np.log2(2 * len(sent.samples)))), 32
    cross = np.fft.rfft(heard.samples, size) * np.conj(np.fft.rfft(sent.samples, size))
    peak = int(np.argmax(np.fft.irfft(cross, size * finer)))
    peak -= size * finer if peak > size * finer / 2 else 0
    return peak / finer / sent.rate * 1e6


@pytest.mark.parametrize("name", CODED)
def test_a_codec_neither_delays_nor_shortens_and_repeats_itself(name: str, voice: Clip) -> None:
    channel = parse(name)
    heard = channel.transmit(voice, seed=0)
    assert len(heard.samples) == len(voice.samples)
    assert abs(delay(heard, voice)) < 31.25  # half a sample at 16 kHz: the nearest sample is the right one
    assert channel.transmit(voice, seed=1).checksum == heard.checksum


@pytest.mark.parametrize("name", CODED)
def test_a_codec_stays_in_its_band_and_resembles_its_input(name: str, voice: Clip) -> None:
    heard = parse(name).transmit(voice, seed=0).samples
    power = np.abs(np.fft.rfft(heard)) ** 2
    frequency = np.fft.rfftfreq(len(heard), 1 / 16_000)
    narrow = not name.startswith(("g722", "opus-wb"))
    assert (10 * np.log10(power[frequency > 4200].sum() / power.sum()) < -50) == narrow
    assert np.corrcoef(heard, voice.samples)[0, 1] > 0.85


def test_each_bit_of_g726_is_worth_5_decibels() -> None:
    noise = clip(np.random.default_rng(0).standard_normal(16_000) * 0.05, 8_000)
    line = band.resampled(Clip(band.telephone(noise), 8_000), 16_000)
    names = ("g726-16k", "g726-24k", "g726", "g726-40k")
    errors = np.array([np.square(parse(name).transmit(noise, seed=0).samples - line).mean() for name in names])
    np.testing.assert_allclose(-np.diff(10 * np.log10(errors)), 5.5, atol=0.5)


@pytest.mark.parametrize("size", [1, 159, 320, 4001])
@pytest.mark.parametrize("name", ["g722", "g726", "opus-nb", "opus-wb"])
def test_short_clips_keep_their_length(name: str, size: int) -> None:
    samples = np.random.default_rng(size).uniform(-0.1, 0.1, size)
    assert len(parse(name).transmit(clip(samples, 16_000), seed=0).samples) == size


def test_samples_that_clip_are_counted(voice: Clip) -> None:
    loud = Clip(voice.samples * 4, voice.rate)
    beyond = int((np.abs(loud.samples) > 1).sum())
    assert beyond > 0
    assert parse("g722").carry(loud, seed=0).clipped == beyond


def test_a_missing_encoder_is_a_fault() -> None:
    with pytest.raises(Fault, match="no encoder 'g729'"):
        codecs.transmit(np.zeros(160, dtype=np.float32), codecs.Codec("g729", "ogg", 8_000, 8_000, 0))
