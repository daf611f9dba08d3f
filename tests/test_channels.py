"""Channels as values: names, what may be added to what, losses, levels, and the line in one call."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import channels
from bench.audio import Clip, clip
from bench.channels import LINES, Channel, burst, frames, g711, level, loss, loss_seed, parse, phone_line
from bench.fault import Fault
from bench.level import active_level

NAMED = (
    *("fb", "native", "nb8k", "g711a", "g711u", "g711a+loss=1%", "g711u+loss=3%", "g711a+burst=3%x4"),
    *("g722", "g726", "g726-24k", "opus-nb", "opus-wb", "opus-wb-32k"),
    *("handset", "handset+loss=1%", "handset+loss=3%", "g711u+level=-26+loss=3%", "fb+level=-26"),
)


@pytest.fixture(scope="module")
def sound() -> Clip:
    """Three and a half seconds of noise at 24 kHz whose loudness wavers as that of speech does."""
    size = 84_120  # 28,040 samples at 8 kHz: 175 frames and a quarter
    loudness = 0.1 * (1.1 + np.sin(np.arange(size) / 1000))
    return clip(np.random.default_rng(3).standard_normal(size) * loudness, 24_000)


rates = st.floats(0.001, 0.5).map(lambda rate: float(f"{rate:.4g}"))
drops = st.one_of(st.builds(loss, rates), st.builds(burst, rates, st.floats(2, 50)))


@st.composite
def any_channel(draw: st.DrawFn) -> Channel:
    channel = Channel(draw(st.sampled_from(sorted(LINES))))
    if draw(st.booleans()):
        channel = channel + level(draw(st.floats(-80, 0)))
    if channel.line in ("g711a", "g711u") and draw(st.booleans()):
        channel = channel + draw(drops)
    return channel


@settings(derandomize=True, max_examples=300)
@given(channel=any_channel())
def test_a_name_reads_back_as_its_channel(channel: Channel) -> None:
    assert parse(str(channel)) == channel
    assert hash(parse(str(channel))) == hash(channel)
    assert repr(channel) == str(channel) == channel.name


@pytest.mark.parametrize("name", NAMED)
def test_the_named_conditions_exist(name: str) -> None:
    assert str(parse(name)) == name


def test_a_channel_is_written_in_python_as_it_is_named() -> None:
    assert str(channels.g711u + loss(0.03)) == "g711u+loss=3%"
    assert channels.g711u + loss(0.03) == parse("g711u+loss=3%")
    assert str(channels.g711a + burst(0.03, 4)) == "g711a+burst=3%x4"
    assert channels.g711u + loss(0.03) + level(-26) == channels.g711u + level(-26) + loss(0.03)
    assert parse("g711+loss=1%") == channels.g711a + loss(0.01)
    assert parse("opus-wb-24k") == channels.opus_wb
    assert parse("g726-32k") == channels.g726


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("g729", r"line 'g729' is unknown; known are fb, nb8k, g711a.*handset"),
        ("", r"line '' is unknown"),
        ("g711u+los=3%", r"a part 'los=3%' that is unknown; expected loss=3%"),
        ("g711u+loss=3", r"a part 'loss=3' that is unknown"),
        ("g711u+loss=1%+loss=3%", r"cannot have loss=3% too"),
        ("g711u+level=-26+level=-20", r"cannot have level=-20 too"),
        ("g711u+loss=0%", r"rate of loss is 0.0"),
        ("g711u+loss=101%", r"at most 1"),
        ("g711u+loss=..%", r"a part 'loss=..%' that is unknown"),
        ("g711u+burst=3%x1", r"expected at least that"),
        ("g711u+burst=100%x4", r"below 1"),
        ("g711u+level=3", r"from -80 to 0"),
        ("fb+loss=3%", r"Nothing is lost on the line fb; loss=3% can be added to g711a, g711u, handset"),
        ("handset+loss=2%", r"no condition with loss=2%"),
        ("handset+burst=3%x4", r"no condition with burst"),
    ],
)
def test_a_name_that_means_nothing_is_a_fault(name: str, message: str) -> None:
    with pytest.raises(Fault, match=message):
        parse(name)


def test_a_seed_comes_from_text_set_segment_and_take_and_never_from_the_condition() -> None:
    key = ("dialtone_v1", "dt-0001", 1)
    seeds = {parse(name).seed(*key) for name in NAMED if not name.startswith("handset")}
    assert seeds == {loss_seed(*key)}
    others = [
        ("tr", "dt-0001", 1),
        ("dialtone_v1", "dt-0002", 1),
        ("dialtone_v1", "dt-0001", 2),
        ("a|b", "c", 1),
        ("a", "b|c", 1),
    ]
    assert len({loss_seed(*key), *(loss_seed(*other) for other in others)}) == 6


def test_losses_are_the_published_ones() -> None:
    """Golden: a change here changes every published result with loss."""
    seed = loss_seed("dialtone_v1", "dt-0001", 1)
    assert seed == 51197721290349
    assert np.flatnonzero(loss(0.03).lost(200, seed)).tolist() == [13, 51, 53, 100, 135, 139, 163, 197]
    assert np.flatnonzero(burst(0.03, 4).lost(200, seed)).tolist() == [51, 52, 53, 54, 197]


@settings(derandomize=True, max_examples=100)
@given(seed=st.integers(0, 2**48 - 1), low=rates, high=rates, length=st.floats(2, 20), size=st.integers(0, 400))
def test_a_lower_rate_loses_only_what_a_higher_one_loses(
    seed: int, low: float, high: float, length: float, size: int
) -> None:
    low, high = sorted((low, high))
    for fewer, more in ((loss(low), loss(high)), (burst(low, length), burst(high, length))):
        assert not (fewer.lost(size, seed) & ~more.lost(size, seed)).any()
        np.testing.assert_array_equal(more.lost(size, seed), more.lost(size + 100, seed)[:size])


@pytest.mark.parametrize("drop", [loss(0.03), loss(0.2), burst(0.03, 4), burst(0.1, 8), burst(0.2, 1.25)], ids=str)
def test_losses_have_the_rate_and_the_bursts_that_their_name_says(drop: Any) -> None:
    lost = drop.lost(400_000, 5)
    rate = drop.percent / 100
    starts = np.count_nonzero(np.diff(lost.astype(int), prepend=0) == 1)
    length = getattr(drop, "length", 1 / (1 - rate))
    assert lost.mean() == pytest.approx(rate, rel=0.05)
    assert lost.sum() / starts == pytest.approx(length, rel=0.05)


@pytest.mark.parametrize(("line", "law", "silence"), [("g711a", "a", 8), ("g711u", "mu", 0)])
def test_a_lost_frame_is_20_ms_of_the_laws_silence_and_the_rest_is_untouched(
    sound: Clip, line: str, law: g711.Law, silence: int
) -> None:
    whole = phone_line(sound.samples, sound.rate, law=law, loss=0)
    holed = phone_line(sound.samples, sound.rate, law=law, loss=0.2, seed=9)
    lost = loss(0.2).lost(176, 9)
    gone = np.repeat(lost, 160)[: len(whole)]
    assert 0 < gone.sum() < len(gone)
    np.testing.assert_array_equal(holed[gone] * 32768, silence)
    np.testing.assert_array_equal(holed[~gone], whole[~gone])
    sent = parse(f"{line}+loss=20%").carry(sound, seed=9)
    assert (sent.lost, sent.frames) == (tuple(np.flatnonzero(lost)), 176)


def test_a_partial_last_frame_counts_as_a_frame() -> None:
    samples = np.full(161, 0.5)
    seed = next(seed for seed in range(100) if frames.loss(0.3).lost(2, seed).tolist() == [False, True])
    heard = phone_line(samples, 8_000, loss=0.3, seed=seed)
    assert len(heard) == 161
    assert heard[160] == 0
    assert heard[:160].any()


@pytest.mark.parametrize("name", NAMED)
def test_a_channel_gives_16_khz_float32_of_the_same_length_and_repeats_itself(name: str, sound: Clip) -> None:
    channel = parse(name)
    heard = channel.transmit(sound, seed=7)
    assert (heard.rate, heard.samples.dtype, len(heard.samples)) == (16_000, np.float32, 56_080)
    assert channel.transmit(sound, seed=7).checksum == heard.checksum
    assert (channel.transmit(sound, seed=8).checksum != heard.checksum) == ("loss" in name or "burst" in name)


def test_the_input_is_left_as_it_was(sound: Clip) -> None:
    before = sound.checksum
    for name in NAMED:
        parse(name).transmit(sound, seed=0)
    assert sound.checksum == before


def test_nothing_levels_a_clip_unless_its_name_says_so(sound: Clip) -> None:
    quiet = Clip(sound.samples * np.float32(0.1), sound.rate)
    for line in ("fb", "nb8k", "g711a", "g711u"):
        apart = active_level(parse(line).transmit(sound, seed=0)) - active_level(parse(line).transmit(quiet, seed=0))
        assert apart == pytest.approx(20, abs=0.1)
    at_16_khz = Clip(quiet.samples, 16_000)  # at 24 kHz the line would take away what lies above 8 kHz
    assert active_level(parse("fb+level=-26").transmit(at_16_khz, seed=0)) == pytest.approx(-26)
    aligned = parse("g711u+level=-26")
    np.testing.assert_allclose(
        aligned.transmit(quiet, seed=0).samples, aligned.transmit(sound, seed=0).samples, atol=0.02
    )


def test_samples_that_clip_are_counted_where_a_line_codes() -> None:
    loud = clip(2 * np.sin(2 * np.pi * 1000 * np.arange(16_000) / 16_000), 16_000)
    assert parse("g711u").carry(loud, seed=0).clipped == pytest.approx(8_000 * 2 / 3, rel=0.3)
    assert parse("fb").carry(loud, seed=0).clipped == 0
    assert parse("g711u").carry(Clip(loud.samples / 4, 16_000), seed=0).clipped == 0


@pytest.mark.parametrize(
    ("samples", "rate", "message"),
    [
        ([], 8_000, "no samples"),
        ([0.1, math.nan], 8_000, "not finite at sample 1"),
        ([0.1, math.inf], 8_000, "not finite at sample 1"),
        ([0.1], 0, "sampling rate is 0"),
        ([0.1], -8_000, "sampling rate"),
        ([[[0.1]]], 8_000, "shape"),
        (["a"], 8_000, "type"),
    ],
)
def test_bad_input_is_a_fault(samples: Any, rate: int, message: str) -> None:
    with pytest.raises(Fault, match=message):
        phone_line(samples, rate)
    if message.startswith("not finite"):
        with pytest.raises(Fault, match=message):
            channels.g711a.transmit(Clip(np.array(samples, dtype=np.float32), rate), seed=0)


def test_the_line_in_one_call(sound: Clip) -> None:
    heard = phone_line(sound.samples, sound.rate)
    assert (heard.dtype, heard.shape) == (np.float32, (28_040,))
    np.testing.assert_array_equal(heard, phone_line(sound.samples, sound.rate, law="mu", loss=0.03, seed=7))
    for law in ("a", "mu"):
        values = phone_line(sound.samples, sound.rate, law=law) * 32768
        assert set(values.tolist()) <= set(g711.decode(np.arange(256).astype(np.uint8), law).tolist())
    with pytest.raises(Fault, match='"a" or "mu"'):
        phone_line(sound.samples, sound.rate, law="u")  # type: ignore[arg-type]


def test_integers_and_stereo_give_the_line_of_their_clip(sound: Clip) -> None:
    pcm = np.rint(sound.samples * 16384).astype(np.int16)
    expected = phone_line(pcm / np.float64(32768), sound.rate)
    np.testing.assert_array_equal(phone_line(pcm, sound.rate), expected)
    np.testing.assert_array_equal(phone_line(np.stack([pcm, pcm], axis=1), sound.rate), expected)


def test_every_line_is_documented() -> None:
    page = (Path(__file__).parents[1] / "docs" / "channels.md").read_text(encoding="utf-8")
    assert [name for name in LINES if f"`{name}`" not in page] == []


def test_a_channel_says_what_it_does() -> None:
    assert channels.parse("fb").meaning == "Full band: 16 kHz, nothing else."
    assert channels.parse("g711u+level=-26+burst=3%x4").meaning == (
        "A telephone line, 300 to 3400 Hz, G.711 mu-law; the clip brought to -26 dBov before it; "
        "3% of its 20 ms frames lost, in bursts of 4 on average."
    )
