"""Every combiner that stands beside the law, in the order of the tables."""

from conformal import Conformal
from evidence import DempsterShafer, Yager
from guaranteed_risk import GuaranteedRisk
from learned_gate import LearnedGate
from log_odds import LogOdds
from majority import Majority
from monolith import ENGINE, NETWORKS, engines_alone
from stacking import Stacking

COMBINERS = (Majority, LogOdds, Stacking, LearnedGate, DempsterShafer, Yager, Conformal, GuaranteedRisk)


def fitted(questions, voices, held, gold):
    """All of them, fitted to held-out judgments and their truth: {name: combiner}. Networks on all columns are trained elsewhere."""
    made = [kind(questions, voices).fit(held, gold) for kind in COMBINERS]
    return {each.name: each for each in (*made, *(kind(questions).fit(held, gold) for kind in NETWORKS))}


def answers(combiners, cases):
    """{name: Answers}. Networks on all columns read those, and every other rival the engines: neither sees the other's."""
    networks = {kind.name for kind in NETWORKS}
    questions = next(iter(combiners.values())).questions
    engines = engines_alone(cases, questions)
    return {name: combiner.answer(cases if name in networks else engines) for name, combiner in combiners.items()
            if name not in networks or ENGINE in cases.engines}
