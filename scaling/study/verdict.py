"""What a claim is judged to be, and how its figures are said."""

from dataclasses import dataclass, field

from catalogue import CLAIMS

HOLDS, FAILS, NOT_SHOWN, HOLDS_SIMULATED = "HOLDS", "FAILS", "NOT SHOWN", "HOLDS IN SIMULATION"
# Open MPI's monitoring counts the messages inside a collective: what deviates is another algorithm, or a few words beside the data.
EXACT = 0.02


@dataclass
class Verdict:
    """`figure` is the one number that tells most, `interval` what is known of it; both are empty where nothing was measured."""

    id: str
    verdict: str = NOT_SHOWN
    figure: str = ""
    interval: str = ""
    sentences: list = field(default_factory=list)

    @property
    def claim(self):
        return CLAIMS[self.id].text

    def json(self):
        claim = CLAIMS[self.id]
        return {"id": self.id, "claim": claim.text, "command": claim.command, "expected": claim.shape, "verdict": self.verdict,
                "figure": self.figure or None, "interval": self.interval or None, "sentences": self.sentences}


def formula(ranks):
    return 2 * (ranks - 1) / ranks


def percent(value):
    return f"{100 * value:.1f} %"


def counted(number, noun):
    """1 launch, 2 launches."""
    return f"{number} {noun if number == 1 else noun + ('es' if noun.endswith('ch') else 's')}"


def span(values):
    """Least and greatest of what was counted, as an interval of it."""
    return f"[{min(values):.4g}, {max(values):.4g}]"


def interval_of(estimate, scale=1.0):
    """The 95 % interval of a median, in words where there is none."""
    return f"[{scale * estimate.low:.4g}, {scale * estimate.high:.4g}]" if estimate.has_interval else "none: too few launches"
