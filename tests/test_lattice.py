"""Lattice syntax: what it means, what it refuses and where, and that nothing is lost on the way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.fault import Fault
from bench.lattice import (
    DEPTH,
    Group,
    Lattice,
    canonical,
    count,
    escape,
    linear,
    locate,
    mapped,
    parse,
    paths,
    reading,
    spots,
    text,
    words,
)

word = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=4).filter(lambda w: w.split() == [w])
lattices = st.recursive(
    st.lists(word, max_size=4).map(lambda parts: Lattice(tuple(parts))),
    lambda inner: st.lists(
        word | st.lists(inner, min_size=1, max_size=3).map(lambda options: Group(tuple(options))), max_size=4
    ).map(lambda parts: Lattice(tuple(parts))),
    max_leaves=12,
)
quick = settings(derandomize=True, deadline=None, max_examples=300)


def test_parts_options_and_nesting() -> None:
    assert parse("a b {c d|e} f") == Lattice(("a", "b", Group((Lattice(("c", "d")), Lattice(("e",)))), "f"))
    assert parse(" \ta\u3000b\u00a0{ c |} ") == Lattice(("a", "b", Group((Lattice(("c",)), Lattice()))))
    assert canonical(parse("a{b {c|d}|e}f{|g}")) == ("a", "b", "c", "f")
    assert words(parse("a{b {c|d}|e}f{|g}")) == ("a", "b", "c", "d", "e", "f", "g")
    assert list(paths(parse("a{b {c|d}|}"))) == [("a", "b", "c"), ("a", "b", "d"), ("a",)]
    assert parse("") == parse("  ") == Lattice()
    assert parse("{}") == Lattice((Group((Lattice(),)),))


@pytest.mark.parametrize(
    ("lattice", "paths"),
    [("", 1), ("a b", 1), ("{a|b|}", 3), ("{a|b}{c|d}", 4), ("{a {b|c}|d}", 3), ("{a|a}", 2), ("{a|b}" * 500, 2**500)],
)
def test_count_is_exact(lattice: str, paths: int) -> None:
    assert count(parse(lattice)) == paths


@pytest.mark.parametrize(
    ("lattice", "column", "says"),
    [
        ("a {b|c", 3, "never closed"),
        ("a {b|{c", 6, "never closed"),
        ("a {b|c", 3, "closing brace"),
        ("a } b", 3, "no group open"),
        ("{a}}", 4, "no group open"),
        ("a | b", 3, "outside of a group"),
        ("{a|b} |", 7, "outside of a group"),
        ("ab\\c", 3, "backslash"),
        ("a b\\", 4, "backslash"),
        ("ab\\{\\ x", 5, "backslash"),
        ("{" * (DEPTH + 1) + "}" * (DEPTH + 1), DEPTH + 1, "deeper"),
    ],
)
def test_a_fault_names_its_column(lattice: str, column: int, says: str) -> None:
    for read in (parse, reading):
        with pytest.raises(Fault, match=rf"^Column {column}: .*{says}"):
            read(lattice)


@quick
@given(lattices)
def test_text_and_parse_are_inverse(lattice: Lattice) -> None:
    assert parse(text(lattice)) == lattice


@quick
@given(st.text("ab \u3000\t\\{|}", max_size=30))
def test_a_reading_is_that_of_the_parsed_lattice(written: str) -> None:
    try:
        lattice = parse(written)
    except Fault:
        with pytest.raises(Fault, match=r"^Column "):
            reading(written)
        return
    assert reading(written) == " ".join(canonical(lattice))
    assert parse(mapped(written, str)) == lattice


@quick
@given(lattices)
def test_every_run_of_words_is_mapped_and_nothing_else(lattice: Lattice) -> None:
    runs: list[str] = []

    def fold(run: str) -> str:
        runs.append(run)
        return " ".join(f"{word}{word}" for word in run.split())

    def twice(lattice: Lattice) -> Lattice:
        return Lattice(
            tuple(
                2 * part if isinstance(part, str) else Group(tuple(map(twice, part.options))) for part in lattice.parts
            )
        )

    assert parse(mapped(text(lattice), fold)) == twice(lattice)
    assert " ".join(" ".join(runs).split()) == " ".join(words(lattice))
    assert parse(mapped(text(lattice), lambda run: f"{{ {run}")) != lattice or not words(lattice)  # braces are words


@quick
@given(lattices)
def test_paths_count_and_canonical_agree(lattice: Lattice) -> None:
    if count(lattice) <= 1_000:
        every = list(paths(lattice))
        assert len(every) == count(lattice)
        assert every[0] == canonical(lattice)


@quick
@given(st.lists(word))
def test_linear_is_one_path(path: list[str]) -> None:
    assert list(paths(linear(path))) == [tuple(path)]
    assert parse(" ".join(map(escape, path))) == linear(path)


@pytest.mark.parametrize("bad", ["", "a b", " a", "a\u3000"])
def test_linear_refuses_what_is_not_a_word(bad: str) -> None:
    with pytest.raises(Fault, match="Word 1 is"):
        linear(["a", bad])


def test_locate_covers_whole_groups() -> None:
    lattice = parse("bir {yüz elli|yüz {elli|elle}} lira ve yüz elli")
    assert locate(spots(lattice), ["yüz", "elli"]) == range(1, 6)
    assert locate(spots(lattice), ["yüz", "elli"], after=6) == range(8, 10)
    assert locate(spots(lattice), ["elli", "lira"]) == range(1, 7)
    assert locate(spots(lattice), ["elle"]) is None
    assert locate(spots(lattice), []) is None
