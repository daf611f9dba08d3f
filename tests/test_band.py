"""The telephone band, measured tone by tone: pass-band, stop-band with its aliases, images, delay and duration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.audio import Clip, Samples, clip
from bench.channels import Channel, band, fb, g711a, g711u, native, nb8k, parse

RATES = (8_000, 16_000, 22_050, 24_000, 44_100, 48_000)
SECONDS = 0.5
INSIDE = slice(2400, 5600)  # 0.15 to 0.35 s at 16 kHz: clear of the tone's hard on- and offset
AMPLITUDE = 0.5


def tone(frequency: float, rate: int) -> Clip:
    time = np.arange(int(rate * SECONDS)) / rate
    return clip(AMPLITUDE * np.sin(2 * np.pi * frequency * time), rate)


def linear(sound: Clip) -> Samples:
    """The telephone line without its coder: to 8 kHz, the band, and back to 16 kHz."""
    return band.resampled(Clip(band.telephone(sound), band.LINE_RATE), band.HEARD_RATE)


def response(samples: Samples, frequency: float) -> tuple[complex, float]:
    """The tone's gain (complex, so that a delay shows), and the dB of all else against the tone that went in."""
    time = (np.arange(len(samples)) / band.HEARD_RATE)[INSIDE]
    basis = np.stack([np.sin(2 * np.pi * frequency * time), np.cos(2 * np.pi * frequency * time)], axis=1)
    heard = samples[INSIDE].astype(np.float64)
    (sine, cosine), *_ = np.linalg.lstsq(basis, heard, rcond=None)
    return complex(sine, cosine) / AMPLITUDE, decibel(heard - basis @ [sine, cosine])


def decibel(samples: Samples) -> float:
    """The power of the samples against that of the tone that went in."""
    return 10 * math.log10(max(float(np.mean(np.square(samples, dtype=np.float64))), 1e-30) / (AMPLITUDE**2 / 2))


@pytest.mark.parametrize("rate", RATES)
def test_every_tone_of_the_band_passes_unchanged_undelayed_and_without_an_image(rate: int) -> None:
    for frequency in np.arange(300, 3401, 25):
        gain, rest = response(linear(tone(frequency, rate)), frequency)
        assert abs(20 * math.log10(abs(gain))) < 0.25, frequency
        assert abs(math.atan2(gain.imag, gain.real)) < 0.01, frequency  # 0.5 microseconds at 3400 Hz
        assert rest < -50, frequency


@pytest.mark.parametrize("rate", RATES)
def test_every_tone_at_and_below_150_hz_is_stopped(rate: int) -> None:
    for frequency in np.arange(10, 151, 10):
        assert decibel(linear(tone(frequency, rate))[INSIDE]) < -50, frequency


@pytest.mark.parametrize("rate", [rate for rate in RATES if rate > 8_400])
def test_every_tone_at_and_above_4200_hz_is_stopped_with_its_alias(rate: int) -> None:
    tones = [*np.arange(4200, rate / 2, 41), rate / 2 - 1]
    for frequency in tones:
        assert decibel(linear(tone(frequency, rate))[INSIDE]) < -50, frequency


def test_no_tone_of_a_narrow_band_leaves_an_image_above_4_khz() -> None:
    for frequency in np.arange(50, 3401, 25):
        gain, rest = response(nb8k.transmit(tone(frequency, 16_000), seed=0).samples, frequency)
        assert abs(abs(gain) - 1) < 0.01, frequency
        assert rest < -50, frequency


@pytest.mark.parametrize("channel", [g711a, g711u], ids=str)
@pytest.mark.parametrize("rate", RATES)
def test_the_whole_line_keeps_the_band_too(channel: Channel, rate: int) -> None:
    for frequency in (300, 440, 1000, 1900, 2600, 3390):
        gain, rest = response(channel.transmit(tone(frequency, rate), seed=0).samples, frequency)
        assert abs(20 * math.log10(abs(gain))) < 0.25, frequency
        assert abs(math.atan2(gain.imag, gain.real)) < 0.02, frequency
        assert rest < -33, frequency  # quantisation noise of 8 bits
    for frequency in (50, 100, 150):
        assert decibel(channel.transmit(tone(frequency, rate), seed=0).samples[INSIDE]) < -50, frequency
    for frequency in np.linspace(4200, rate / 2 - 1, 7) if rate > 8_400 else ():
        assert decibel(channel.transmit(tone(frequency, rate), seed=0).samples[INSIDE]) < -50, frequency


def test_the_filter_is_linear_phase_and_frozen() -> None:
    taps = band.taps()
    assert len(taps) % 2 == 1
    np.testing.assert_allclose(taps, taps[::-1], atol=1e-9)
    with pytest.raises(ValueError, match="read-only"):
        taps[0] = 1


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    size=st.integers(1, 4000),
    rate=st.sampled_from([*RATES, 11_025, 12_345, 32_000, 96_000]),
    channel=st.sampled_from([fb, nb8k, native, g711u, parse("g711a+loss=3%"), parse("handset+loss=1%")]),
)
def test_what_comes_out_lasts_as_long_as_what_went_in(size: int, rate: int, channel: Channel) -> None:
    samples = np.random.default_rng(size).uniform(-0.5, 0.5, size)
    heard = channel.transmit(clip(samples, rate), seed=size)
    assert (len(heard.samples), heard.rate) == (math.ceil(size * 16_000 / rate), 16_000)
    assert heard.samples.dtype == np.float32
    assert np.isfinite(heard.samples).all()
