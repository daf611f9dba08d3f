"""The alignment against other tools, against enumeration, and against its own twin in plain Python."""

from __future__ import annotations

import random
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein

from bench import align, twin
from bench.align import Alignments, Counts, backtrace, columns, encode_references
from bench.fault import Fault
from bench.lattice import Group, Lattice, canonical, count, linear, locate, parse, paths, spots, text

pytest.importorskip("numba", reason="the kernels need numba")


def some_lattice(rng: random.Random, depth: int = 0, letters: str = "abcd") -> Lattice:
    parts: list[str | Group] = []
    for _ in range(rng.choice((0, 1, 1, 2, 3, 4) if depth else (0, 1, 2, 3, 5, 8))):
        if rng.random() < (0.3 if depth < 3 else 0):
            parts.append(Group(tuple(some_lattice(rng, depth + 1, letters) for _ in range(rng.choice((1, 2, 2, 3))))))
        else:
            parts.append("".join(rng.choices(letters, k=rng.choice((1, 1, 1, 2)))))
    return Lattice(tuple(parts))


def some_words(rng: random.Random, letters: str = "abcd") -> str:
    return " ".join("".join(rng.choices(letters, k=rng.choice((1, 1, 1, 2)))) for _ in range(rng.randrange(10)))


def small(rng: random.Random, limit: int) -> Lattice:
    while count(lattice := some_lattice(rng)) > limit:
        pass
    return lattice


def run(references: list[str | Lattice], hypotheses: list[str | Lattice], **options: bool) -> Alignments:
    return align.align(encode_references(references), hypotheses, **options)


# Against enumeration ---------------------------------------------------------------------------------------------


def test_twenty_thousand_rows_equal_enumeration() -> None:
    rng = random.Random(20_000)
    references = [small(rng, 24) for _ in range(20_000)]
    hypotheses = [some_words(rng) for _ in references]
    found = run([*references], [*hypotheses])
    for row, (lattice, hypothesis) in enumerate(zip(references, hypotheses, strict=True)):
        heard = hypothesis.split()
        every = list(paths(lattice))
        assert found.errors[row] == min(Levenshtein.distance(path, heard) for path in every), text(lattice)
        letters = "".join(heard)
        assert found.least_character_errors[row] == min(Levenshtein.distance("".join(path), letters) for path in every)
        assert found.words[row] == len(canonical(lattice))
        assert found.characters[row] == len("".join(canonical(lattice)))


def test_sets_equal_enumeration() -> None:
    rng = random.Random(2)
    references = [small(rng, 20) for _ in range(2_000)]
    hypotheses = [small(rng, 20) for _ in references]
    found = run([*references], [*hypotheses])
    for row, (lattice, other) in enumerate(zip(references, hypotheses, strict=True)):
        pairs = [(path, heard) for path in paths(lattice) for heard in paths(other)]
        assert found.errors[row] == min(Levenshtein.distance(path, heard) for path, heard in pairs)
        assert found.least_character_errors[row] == min(
            Levenshtein.distance("".join(path), "".join(heard)) for path, heard in pairs
        )
    least = align.least_errors(encode_references(references), [*map(text, hypotheses)], range(len(hypotheses)))
    np.testing.assert_array_equal(least, found.errors)


def routes(lattice: Lattice) -> list[tuple[tuple[int, ...], tuple[str, ...]]]:
    """Every path with the options that it takes, the last group's first."""
    found: list[tuple[tuple[int, ...], tuple[str, ...]]] = [((), ())]
    for part in lattice.parts:
        if isinstance(part, str):
            found = [(options, (*path, part)) for options, path in found]
        else:
            found = [
                ((option, *inner, *options), (*path, *stretch))
                for options, path in found
                for option, branch in enumerate(part.options)
                for inner, stretch in routes(branch)
            ]
    return found


def most_hits(reference: tuple[str, ...], hypothesis: tuple[str, ...]) -> tuple[int, int]:
    """(errors, -hits) of the best alignment of two paths."""
    row = [(y, 0) for y in range(len(hypothesis) + 1)]
    for word in reference:
        before, row = row, [(row[0][0] + 1, row[0][1])]
        for y, other in enumerate(hypothesis):
            same = word == other
            diagonal = (before[y][0] + (not same), before[y][1] - same)
            row.append(min(diagonal, (before[y + 1][0] + 1, before[y + 1][1]), (row[y][0] + 1, row[y][1])))
    return row[-1]


def test_ties_equal_enumeration() -> None:
    """The rule as it is written, on every path: errors, hits, then options from the last group backwards."""
    rng = random.Random(3)
    references = [small(rng, 30) for _ in range(1_500)]
    hypotheses = [linear(some_words(rng).split()) if rng.random() < 0.5 else small(rng, 6) for _ in references]
    found = run([*references], [*hypotheses], trace=True)
    assert found.trace is not None
    for row, (lattice, other) in enumerate(zip(references, hypotheses, strict=True)):
        (errors, misses), _, _, path, heard = min(
            (most_hits(path, heard), mine, theirs, path, heard)
            for mine, path in routes(lattice)
            for theirs, heard in routes(other)
        )
        deletions = errors - (len(heard) - -misses)
        insertions = errors - (len(path) - -misses)
        assert found.counts([row]) == Counts(
            -misses, errors - deletions - insertions, deletions, insertions, len(canonical(lattice))
        )
        assert found.hypothesis_words[row] == len(heard)
        assert found.character_errors[row] == Levenshtein.distance("".join(path), "".join(heard))


# Kernel and twin -------------------------------------------------------------------------------------------------


def same(found: Alignments, expected: Alignments) -> None:
    for field in Alignments.__slots__:
        if field != "trace":
            np.testing.assert_array_equal(getattr(found, field), getattr(expected, field), err_msg=field)
    assert (found.trace is None) == (expected.trace is None)
    if found.trace is not None:
        for field in align.Trace.__slots__:
            np.testing.assert_array_equal(getattr(found.trace, field), getattr(expected.trace, field), err_msg=field)


@pytest.mark.parametrize("mode", ["best", "set"])
def test_kernels_equal_the_twin(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(mode)
    references = [some_lattice(rng) for _ in range(1_500)]
    hypotheses: list[str | Lattice] = [
        some_lattice(rng) if mode == "set" and rng.random() < 0.7 else some_words(rng) for _ in references
    ]
    found = run([*references], hypotheses, trace=True)
    same(run([*references], hypotheses), Alignments(**{f: getattr(found, f) for f in found.__slots__ if f != "trace"}))
    monkeypatch.setattr(align, "compiled", lambda: False)
    same(found, run([*references], hypotheses, trace=True))
    written = [other if isinstance(other, str) else text(other) for other in hypotheses]
    least = align.least_errors(encode_references(references), written, range(len(written)))
    np.testing.assert_array_equal(least, found.errors)


def test_kernels_equal_the_twin_on_any_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every white space of Unicode, and letters beyond the basic plane, long rows and lone surrogates."""
    rng = random.Random(4)
    spaces = [chr(c) for c in range(0x110000) if chr(c).isspace()]
    letters = [*"aıiİşßé\u0301\u200b\u00ad中文двё\U0001f600{|}\\\0\x1b\ud800", *spaces]
    hypotheses = ["".join(rng.choices(letters, k=rng.randrange(40))) for _ in range(400)]
    hypotheses += ["".join(rng.choices("ab ", k=700)) for _ in range(8)]
    references = ["".join(rng.choices("ab {|}中\u3000", k=20)) for _ in range(4_000)]
    references = [*filter(well_formed, references)][:200]
    references += [text(linear(hypothesis.split())) for hypothesis in hypotheses]
    pairs = [(rng.randrange(len(references)), hypothesis) for hypothesis in hypotheses for _ in range(2)]
    pairs += [*enumerate(hypotheses, start=len(references) - len(hypotheses))]
    rows, heard = [row for row, _ in pairs], [hypothesis for _, hypothesis in pairs]
    ready = encode_references(references)
    found = align.align(ready, heard, rows)
    assert not found.errors[-len(hypotheses) :].any()
    monkeypatch.setattr(align, "compiled", lambda: False)
    one_lattice = align.align(ready, [*heard, linear(["a"])], [*rows, 0])  # which makes lattices of all of them
    np.testing.assert_array_equal(one_lattice.errors[:-1], found.errors)
    short = [k for k in range(len(rows)) if len(heard[k]) < 100 and len(references[rows[k]]) < 100]
    expected = align.align(ready, [heard[k] for k in short], [rows[k] for k in short])
    for field in Alignments.__slots__[:-1]:
        np.testing.assert_array_equal(getattr(found, field)[short], getattr(expected, field), err_msg=field)


def well_formed(lattice: str) -> bool:
    try:
        parse(lattice)
    except Fault:
        return False
    return True


def test_faults_are_the_same_in_both(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(5)
    texts = ["".join(rng.choices("ab {{|}}\\", k=rng.randrange(12))) for _ in range(3_000)]
    for lattice in texts:
        if well_formed(lattice):
            encode_references([lattice])
        else:
            with pytest.raises(Fault, match=r"^Reference 1: Column "):
                encode_references(["a", lattice])
    monkeypatch.setattr(align, "compiled", lambda: False)
    with pytest.raises(Fault, match=r"^Reference 1: Column 3: this brace is never closed"):
        encode_references(["a", "b {c"])


# Against other tools ---------------------------------------------------------------------------------------------


def test_characters_equal_rapidfuzz() -> None:
    rng = random.Random(6)
    references = [" ".join(some_words(rng, "abç中") for _ in range(rng.randrange(30))) for _ in range(2_000)]
    hypotheses = [
        " ".join(word for word in reference.split() if rng.random() < 0.9) + some_words(rng, "abç中")
        for reference in references
    ]
    found = run([*references], [*hypotheses])
    for row, (reference, hypothesis) in enumerate(zip(references, hypotheses, strict=True)):
        expected = Levenshtein.distance("".join(reference.split()), "".join(hypothesis.split()))
        assert found.character_errors[row] == found.least_character_errors[row] == expected
        assert found.errors[row] == Levenshtein.distance(reference.split(), hypothesis.split())


def test_totals_equal_sclite(tmp_path: Path) -> None:
    """NIST sclite aligns with lattices too: `{ a / b / @ }`.

    It weighs a substitution 4, a deletion and an insertion 3, which on rows that are mostly wrong is not always the
    fewest errors; hypotheses here err as transcripts do. Words are plain ASCII, on which it folds nothing but case.
    """
    sclite = shutil.which("sclite") or shutil.which("sclite", path="/usr/lib/sctk/bin")
    if sclite is None:
        pytest.skip("needs NIST sclite (Debian package sctk)")
    rng = random.Random(7)
    letters = "bcdfghjklmnpqrst"
    references, hypotheses = [], []
    while len(references) < 5_000:
        lattice = some_lattice(rng, letters=letters)
        every = list(paths(lattice)) if count(lattice) <= 256 else []
        words: list[str] = []
        for word in rng.choice(every) if every else ():
            draw = rng.random()
            words += [word] * (draw > 0.1) + some_words(rng, letters).split()[:1] * (draw < 0.07 or draw > 0.97)
        if words and all(every):  # sclite leaves out rows that are empty
            references.append(lattice)
            hypotheses.append(" ".join(words))
    for name, lines in (("ref", map(alternation, references)), ("hyp", hypotheses)):
        rows = [f"{line} (s-{row:05d})\n" for row, line in enumerate(lines)]
        (tmp_path / name).write_text("".join(rows), encoding="ascii")
    done = subprocess.run(
        [sclite, "-r", "ref", "trn", "-h", "hyp", "trn", "-i", "spu_id", "-o", "pralign", "stdout"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    scores = [
        sum(map(int, line.split())) for line in re.findall(r"Scores: \(#C #S #D #I\) \d+( \d+ \d+ \d+)", done.stdout)
    ]
    found = run([*references], [*hypotheses])
    assert len(scores) == len(references)
    assert (sum(scores), sum(score > 0 for score in scores)) == (int(found.errors.sum()), int((found.errors > 0).sum()))


def alternation(lattice: Lattice) -> str:
    """The lattice as sclite writes it."""
    return " ".join(
        part if isinstance(part, str) else "{ " + " / ".join(alternation(o) or "@" for o in part.options) + " }"
        for part in lattice.parts
    )


# Rules -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected", "options"),
    [
        ("", "", Counts(), ()),
        ("", "a b", Counts(insertions=2), ()),
        ("{|x}", "a b", Counts(insertions=2), (0,)),
        ("a b", "", Counts(deletions=2, words=2), ()),
        ("{a|}", "b", Counts(substitutions=1, words=1), (0,)),
        ("{|a}", "b", Counts(insertions=1), (0,)),
        ("{a|b} {a|b}", "a", Counts(hits=1, deletions=1, words=2), (0, 0)),
        ("{b|a} {b|a}", "a", Counts(hits=1, deletions=1, words=2), (1, 0)),  # the last group settles first
        ("{a {b|c}|a c}", "a c", Counts(hits=2, words=2), (0, 1)),
        ("a b", "b", Counts(hits=1, deletions=1, words=2), ()),
        ("a b c", "b c d", Counts(hits=2, deletions=1, insertions=1, words=3), ()),  # not three substitutions
        ("{a b c|x}", "x", Counts(hits=1, words=3), (1,)),  # the denominator stays the canonical reading's
        ("{{|a}|b} c", "c", Counts(hits=1, words=1), (0, 0)),
    ],
)
@pytest.mark.parametrize("compiled", [True, False])
def test_ties_and_empty_references(
    reference: str,
    hypothesis: str,
    expected: Counts,
    options: tuple[int, ...],
    compiled: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not compiled:
        monkeypatch.setattr(align, "compiled", lambda: False)
    assert run([reference], [hypothesis]).counts() == expected
    assert backtrace(reference, hypothesis).options == options


def test_an_empty_hypothesis_and_an_empty_reference_keep_their_rows() -> None:
    """Tools drop the empty hypothesis of {a: "x y", b: ""}; b is 100 % wrong."""
    found = run(["x y", "x y", "", ""], ["x y", "", "", "z"])
    assert [found.counts([row]).rate for row in range(4)] == [0.0, 1.0, None, None]
    assert found.counts() == Counts(hits=2, deletions=2, insertions=1, words=4)
    assert run([], []).counts().rate is None


def test_characters_follow_the_path_of_the_words() -> None:
    """By words both options have two errors and the first is taken; by characters the second is nearer."""
    found = run(["{xx yy|abc de}"], ["abcd e"])
    assert (found.character_errors[0], found.least_character_errors[0], found.characters[0]) == (5, 0, 4)


def test_counts_add_and_refuse_to_average() -> None:
    rows = [Counts(1, 1, 0, 0, 2), Counts(8, 0, 0, 0, 8)]
    assert sum(rows) == Counts(9, 1, 0, 0, 10)
    assert sum(rows).rate == 0.1
    for average in (statistics.mean, np.mean, lambda counts: sum(counts) / 2):
        with pytest.raises(TypeError):
            average(rows)
    with pytest.raises(TypeError):
        rows[0] + 1  # type: ignore[operator]


def test_micro_and_macro_means_rank_differently() -> None:
    """System a is better by words, system b by the mean of its rows' rates: only the first is ever shown."""
    references = ["a", "a b c d e f g h i j"]
    a = run([*references], ["x", references[1]])
    b = run([*references], ["a", "a b c d e f g x y z"])
    assert (a.counts().rate, b.counts().rate) == (1 / 11, 3 / 11)
    assert np.mean(a.errors / a.words) > np.mean(b.errors / b.words)


def test_rows_choose_references_and_chunks_join(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(8)
    references = [some_lattice(rng) for _ in range(50)]
    rows = [rng.randrange(50) for _ in range(500)]
    hypotheses = [some_words(rng) for _ in rows]
    expected = run([references[row] for row in rows], [*hypotheses], trace=True)
    monkeypatch.setattr(align, "CHUNK", 64)
    monkeypatch.setattr(align, "MANY", 64)
    same(align.align(encode_references(references), hypotheses, np.array(rows), trace=True), expected)


def test_faults_of_the_call() -> None:
    ready = encode_references(["a", "b"])
    with pytest.raises(Fault, match="2 references and 1 hypotheses"):
        align.align(ready, ["a"])
    with pytest.raises(Fault, match="2 row numbers and 1 hypotheses"):
        align.align(ready, ["a"], [0, 1])
    with pytest.raises(Fault, match="Row number 2 is not one of the 2 references"):
        align.align(ready, ["a"], [2])
    with pytest.raises(Fault, match="Row number -1"):
        align.align(ready, ["a"], [-1])


# Columns ---------------------------------------------------------------------------------------------------------


def test_the_backtrace_counts_what_the_alignment_counts() -> None:
    rng = random.Random(9)
    references = [some_lattice(rng) for _ in range(300)]
    hypotheses = [some_lattice(rng) if rng.random() < 0.3 else some_words(rng) for _ in references]
    found = run([*references], [*hypotheses], trace=True)
    assert found.trace is not None
    for row, (reference, hypothesis) in enumerate(zip(references, hypotheses, strict=True)):
        shown = backtrace(reference, hypothesis)
        counts = found.counts([row])
        assert (shown.counts.hits, shown.counts.errors) == (counts.hits, counts.errors)
        assert shown.counts.insertions == counts.insertions
        places = found.trace.reference[found.trace.start[row] : found.trace.start[row + 1]]
        assert [-1 if place is None else place for place in shown.places] == list(places)
        if isinstance(hypothesis, str):
            assert [column.hypothesis for column in shown.columns if column.hypothesis] == hypothesis.split()


def test_many_rows_read_as_one_does() -> None:
    references = ["saat {on yedi|on yediye} {çeyrek|on beş} var", "a b", ""]
    hypotheses = ["saat on yedi yi on beş", "", "x", "a c b"]
    rows = [0, 1, 2, 1]
    expected = [backtrace(references[row], heard).columns for row, heard in zip(rows, hypotheses, strict=True)]
    assert columns(references, hypotheses, rows) == expected


def test_a_backtrace_reads_as_an_alignment() -> None:
    shown = backtrace("saat {on yedi|on yediye} {çeyrek|on beş} var", "saat on yedi yi on beş")
    assert [tuple(column) for column in shown.columns] == [
        ("saat", "saat", "="),
        ("on", "on", "="),
        ("yedi", "yedi", "="),
        (None, "yi", "I"),
        ("on", "on", "="),
        ("beş", "beş", "="),
        ("var", None, "D"),
    ]
    assert shown.options == (0, 1)
    assert shown.places == (0, 1, 2, None, 6, 7, 8)


@pytest.mark.parametrize(
    ("hypothesis", "right"),
    [
        ("tutar yüz elli lira", True),
        ("tutar yüzelli lira", True),
        ("tutar yüz lira", False),
        ("tutar yüz ve elli lira", False),
        ("tutar da yüz elli lira", True),  # inserted before the span, not inside
        ("tutar", False),
    ],
)
def test_a_typed_span_is_right_when_all_of_it_hits(hypothesis: str, right: bool) -> None:
    reference = "tutar {yüz elli|yüzelli} lira"
    found = run([reference], [hypothesis], trace=True)
    places = locate(spots(parse(reference)), ["yüz", "elli"])
    assert found.trace is not None
    assert places is not None
    assert found.trace.right(0, places) is right


def test_the_twin_is_used_where_numba_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(align, "compiled", lambda: False)
    found = run(["a {b|c}"], ["a c"], trace=True)
    assert (found.counts().hits, found.counts().rate) == (2, 0.0)
    assert twin.align(parse("a {b|c}"), linear(["a", "c"])).options == (1,)


def test_loading_the_kernels_leaves_scipy_to_those_who_ask_for_it() -> None:
    program = """
import sys
from bench import align
align.align(align.encode_references(["a {b|c}"]), ["a c"])
assert "scipy.linalg" not in sys.modules
import scipy.linalg.cython_blas
import numba, numpy
assert numba.njit(lambda a: numpy.dot(a, a))(numpy.eye(2)).sum() == 2
print(numba.njit(lambda a: numpy.convolve(a, a))(numpy.arange(3.0)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[0. 0. 1. 4. 4.]\n", "")
