"""What a claim is judged to be, and how its figures are said."""

from dataclasses import dataclass, field

HOLDS, FAILS, NOT_SHOWN = "HOLDS", "FAILS", "NOT SHOWN"
# Open MPI's monitoring counts the messages inside a collective: what deviates is another algorithm, or a few words beside the data.
EXACT = 0.02


@dataclass
class Verdict:
    id: str
    claim: str
    verdict: str = NOT_SHOWN
    sentences: list = field(default_factory=list)


def formula(ranks):
    return 2 * (ranks - 1) / ranks


def percent(value):
    return f"{100 * value:.1f} %"


def counted(number, noun):
    """1 launch, 2 launches."""
    return f"{number} {noun if number == 1 else noun + ('es' if noun.endswith('ch') else 's')}"
