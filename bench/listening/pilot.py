"""Is the study that is planned large enough? Answered from a pilot's votes, before the design is frozen.

Conventions: a pilot is a study with ratings of the same question and presentation. Its kept votes give the spread, and
the planned study is simulated over its own allocation. A plan states a power for a true difference, or the half width
of a mean's interval, and is refused while it falls short; how unsure the pilot leaves the figure is said with it. A
pilot's votes are never pooled with the study's.
"""

from __future__ import annotations

from pathlib import Path

from bench.fault import Fault
from bench.listening import analysis, design, power, ratings
from bench.listening.plan import Pilot
from bench.listening.power import Layout
from bench.listening.scale import Question

REPEATS = 2_000
FURTHEST = 8  # times the planned listeners, as far as a number that is enough is looked for


def size(pilot: Pilot, folder: Path, question: Question, layout: Layout, *, listeners: int, seed: int) -> str:
    """What the pilot says of the planned number of listeners, in a sentence for the design.

    Raises Fault where the study falls short, naming a number that does not, and where the pilot cannot tell.
    """
    place = folder / pilot.study
    made = design.read(place)
    if question.key not in [q.key for q in made.questions]:
        raise Fault(f"This pilot says nothing of {question.key!r}; it asked {made.questions[0].key!r}.", file=place)
    found = analysis.analyse(made, ratings.collect(made, ratings.read([place / "ratings"])))
    spread = analysis.pilot(found, question.key)
    step = layout.arrangements * (layout.texts // (layout.each or layout.texts))
    sizes = [listeners * factor // step * step for factor in range(1, FURTHEST + 1)]
    outlooks: list[power.Outlook] = []
    for number in sizes:
        effect = pilot.effect or 0.0
        outlooks.append(power.outlook(spread, layout, effect=effect, listeners=number, repeats=REPEATS, seed=seed))
        if _enough(pilot, outlooks[-1]):
            break
    planned, last = outlooks[0], outlooks[-1]
    wanted = f"a power of {pilot.power:.0%} for a true difference of {pilot.effect:g}" if pilot.effect else ""
    wanted = wanted or f"a half width of {pilot.half_width:g}"
    told = f"half width of a mean {planned.half_width:.3g} (the pilot leaves {planned.half_lo:.3g} to "
    told += f"{planned.half_hi:.3g})"
    if pilot.effect:
        told = f"power {planned.power:.0%} (the pilot leaves {planned.power_lo:.0%} to {planned.power_hi:.0%}), {told}"
    if not _enough(pilot, planned):
        more = (
            f"{last.listeners} listeners would do" if _enough(pilot, last) else "no such number of listeners would do"
        )
        raise Fault(f"{listeners} listeners fall short of {wanted} ({told}); {more}, more texts may.", file=place)
    kept = found.ratings.votes[found.ratings.votes["excluded"] == ""]
    return (
        f"{listeners} listeners, wanted {wanted}: simulated {told}, from the spread of the pilot {made.name} "
        f"(design sha256 {made.sha256[:12]}, {kept['code'].nunique()} listeners)"
    )


def _enough(pilot: Pilot, found: power.Outlook) -> bool:
    if pilot.half_width is not None:
        return found.half_width <= pilot.half_width
    return found.power >= pilot.power
