"""Every combiner that stands beside the law, in the order of the tables."""

from conformal import Conformal
from evidence import DempsterShafer, Yager
from guaranteed_risk import GuaranteedRisk
from learned_gate import LearnedGate
from log_odds import LogOdds
from majority import Majority
from monolith import ENGINE, Monolith
from stacking import Stacking

COMBINERS = (Majority, LogOdds, Stacking, LearnedGate, DempsterShafer, Yager, Conformal, GuaranteedRisk)


def fitted(questions, voices, held, gold):
    """All of them, fitted to held-out judgments and their truth: {name: combiner}. Of the monolith nothing is fitted here."""
    made = [kind(questions, voices).fit(held, gold) for kind in COMBINERS]
    return {each.name: each for each in (*made, Monolith(questions))}


def answers(combiners, cases):
    """{name: Answers}. The monolith reads columns and every other one the engines: neither sees the other's."""
    engines = cases.without(ENGINE)
    return {name: combiner.answer(cases if name == Monolith.name else engines) for name, combiner in combiners.items()
            if name != Monolith.name or ENGINE in cases.engines}
