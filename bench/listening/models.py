"""Models of votes beside their means: mixed, paired comparison, and the post-screening of MUSHRA-like studies.

Conventions: votes are a tidy frame as `bench.listening.ratings` gives it, one question, one panel. Nothing here decides
a comparison unless the design says so.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy.stats import binomtest, norm
from statsmodels.tools.sm_exceptions import ConvergenceWarning

from bench.inference.interval import LEVEL
from bench.listening.design import Exclusions

Z = float(norm.ppf((1 + LEVEL) / 2))


@dataclass(frozen=True, eq=False, slots=True)
class Mixed:
    """`means`: condition, mixed, mixed_lo, mixed_hi. Standard deviations of listeners, texts and the rest."""

    means: pd.DataFrame
    listener: float
    text: float
    residual: float
    converged: bool


def mixed(votes: pd.DataFrame) -> Mixed | None:
    """A linear mixed model, condition fixed, listener and text crossed and random (statsmodels MixedLM, REML).

    `votes` has condition, code, segment, value. None where there are fewer than two of either, or no spread.
    """
    few = min(votes["code"].nunique(), votes["segment"].nunique()) < 2
    if few or votes["value"].nunique() < 2 or len(votes) <= votes["condition"].nunique() + 3:
        return None
    frame = votes.assign(one=1)
    parts = {"listener": "0 + C(code)", "text": "0 + C(segment)"}
    model = sm.MixedLM.from_formula("value ~ 0 + C(condition)", frame, groups="one", vc_formula=parts)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            fit = model.fit(reml=True)
        except np.linalg.LinAlgError:
            return None
    names = [name.removeprefix("C(condition)[").removesuffix("]") for name in model.exog_names]
    middle, error = np.asarray(fit.fe_params), np.asarray(fit.bse_fe)
    spread = dict(zip(model.exog_vc.names, np.sqrt(np.maximum(fit.vcomp, 0)), strict=True))
    means = pd.DataFrame(
        {"condition": names, "mixed": middle, "mixed_lo": middle - Z * error, "mixed_hi": middle + Z * error}
    )
    unsure = any(issubclass(one.category, ConvergenceWarning) for one in told)
    return Mixed(means, float(spread["listener"]), float(spread["text"]), float(np.sqrt(fit.scale)), not unsure)


def binomial(votes: pd.DataFrame) -> pd.DataFrame:
    """Preferences of each pair: condition, against, votes, share (of `condition`), lo, hi (Clopper-Pearson), p.

    The test takes votes as independent, which votes of one listener are not: the clustered one stands beside it.
    """
    rows = []
    for (first, second), part in votes.groupby(["condition", "against"], sort=False):
        found = binomtest(int((part["value"] > 0).sum()), len(part))
        ends = found.proportion_ci(LEVEL)
        rows.append((first, second, len(part), found.statistic, ends.low, ends.high, found.pvalue))
    return pd.DataFrame(rows, columns=["condition", "against", "votes", "share", "lo", "hi", "p"])


@dataclass(frozen=True, eq=False, slots=True)
class BradleyTerry:
    """`worth`: condition, log_worth (mean 0), lo, hi, share (the chance to be preferred to the mean condition).

    `order` is the log odds that the first clip is preferred among equals, with its interval.
    """

    worth: pd.DataFrame
    order: tuple[float, float, float]


def bradley_terry(votes: pd.DataFrame) -> BradleyTerry | None:
    """The model of Bradley & Terry (1952) with the effect of the order (Davidson & Beaver 1977), as a logistic one.

    Errors are clustered by listener. `votes` has condition, against, value (above 0 prefers condition), first, code.
    None where a condition always wins or always loses, which has no finite worth, or where there is one listener.
    """
    names = sorted({*votes["condition"], *votes["against"]})
    won = (votes["value"] > 0).to_numpy()
    wins = pd.Series(np.where(won, votes["condition"], votes["against"])).value_counts()
    losses = pd.Series(np.where(won, votes["against"], votes["condition"])).value_counts()
    if len(names) < 2 or not all(wins.get(n, 0) and losses.get(n, 0) for n in names) or votes["code"].nunique() < 2:
        return None
    place = {name: at for at, name in enumerate(names)}
    x = np.zeros((len(votes), len(names)))
    rows = np.arange(len(votes))
    x[rows, votes["condition"].map(place)] += 1
    x[rows, votes["against"].map(place)] -= 1
    first = np.where(votes["first"] == votes["condition"], 1.0, -1.0)
    free = np.column_stack([x[:, :-1] - x[:, -1:], first])  # the last worth is minus the sum of the others
    groups = np.unique(votes["code"], return_inverse=True)[1]
    fit = sm.GLM(won.astype(float), free, family=sm.families.Binomial()).fit(
        cov_type="cluster", cov_kwds={"groups": groups}
    )
    turn = np.zeros((len(names) + 1, len(names)))
    turn[: len(names) - 1, : len(names) - 1] = np.eye(len(names) - 1)
    turn[len(names) - 1, : len(names) - 1] = -1
    turn[len(names), len(names) - 1] = 1
    value = turn @ fit.params
    error = np.sqrt(np.diag(turn @ fit.cov_params() @ turn.T))
    worth = pd.DataFrame(
        {
            "condition": names,
            "log_worth": value[:-1],
            "lo": value[:-1] - Z * error[:-1],
            "hi": value[:-1] + Z * error[:-1],
            "share": 1 / (1 + np.exp(-value[:-1])),
        }
    )
    order = (float(value[-1]), float(value[-1] - Z * error[-1]), float(value[-1] + Z * error[-1]))
    return BradleyTerry(worth.sort_values("log_worth", ascending=False, ignore_index=True), order)


def screened(votes: pd.DataFrame, reference: str, rules: Exclusions) -> dict[str, str]:
    """Post-screening of a MUSHRA-like study (ITU-R BS.1534-3): code -> why the listener is left out.

    A listener who rates the hidden reference below 90 on more than 15 % of the items; items on which more than 25 % of
    the listeners do so are not held against anybody.
    """
    low = _low(votes, reference, rules)
    fair = low[~low["segment"].isin(spared(votes, reference, rules))]
    share = fair.groupby("code")["low"].agg(["mean", "sum", "size"])
    return {
        str(code): f"hidden reference below {rules.reference_below:g} on {int(row['sum'])} of {int(row['size'])} items"
        for code, row in share[share["mean"] > rules.reference_share].iterrows()
    }


def spared(votes: pd.DataFrame, reference: str, rules: Exclusions) -> list[str]:
    """The items of that screening which are held against nobody."""
    hard = _low(votes, reference, rules).groupby("segment")["low"].mean()
    return [str(name) for name in hard.index[hard > rules.item_share]]


def _low(votes: pd.DataFrame, reference: str, rules: Exclusions) -> pd.DataFrame:
    heard = votes[votes["condition"] == reference]
    return heard.assign(low=heard["value"] < rules.reference_below)
