"""The claims of the study: what each says, the command whose results judge it, and what they look like where it holds. The one place
where they are written: the report, verdicts.json and `hiple-scaling claims` take them from here."""

from dataclasses import dataclass

STRATEGIES = "jobs/scaling.sh scaling/studies/strategies.yaml --results FOLDER"
PROOF = "jobs/scaling.sh scaling/studies/proof.yaml --results FOLDER"
PLANTED = "jobs/planted.sh FOLDER/planted"
COMPARE = "jobs/compare.sh configs/STUDY/run.yaml --output FOLDER/STUDY"
TESTS = "scaling/study/suite.py FOLDER"


@dataclass(frozen=True)
class Claim:
    text: str
    command: str
    shape: str


CLAIMS = {
    "C1": Claim("mixed-precision Adam holds 16 bytes a parameter (2+2+4+4+4), counted from the allocations; sharded ones as the ZeRO formulas say",
                STRATEGIES, "16 bytes a parameter on every rank count; divided ones by ZeRO's table, within 2 %"),
    "C2": Claim("the optimizer step is bound by memory: its bandwidth near that of a plain loop that reads four arrays and writes three in "
                "place, its arithmetic far under peak", PROOF, "bandwidth 0.8 times the plain loop's at least, arithmetic under 0.25 of peak"),
    "C3": Claim("ddp moves 2(N-1)/N of the gradient per rank and step, every rank every step", PROOF, "1 times 2(N-1)/N, within 2 %"),
    "C4": Claim("doubling ranks does not halve the step of a shared objective; past a crossover more ranks are slower", PROOF,
                "above 0.5 times in every doubling, above 1 in some"),
    "C5": Claim("the step axis is serial: critical path in steps, monolith against engines", PROOF,
                "all steps in a row where an objective is shared, those of one rank where none is"),
    "C6": Claim("ZeRO divides memory and keeps the synchronisation; stage 3 moves 1.5 times the bytes", STRATEGIES,
                "model states by ZeRO's table, bytes 1, 1 and 1.5 times those of ddp, within 2 %"),
    "C7": Claim("MoE computes with a fraction of the parameters and still trains one loss with all-to-all every step", STRATEGIES,
                "fewer than all parameters a row, four all-to-alls a step and rank"),
    "C8": Claim("tensor and pipeline parallelism split the computation, not the objective: losses equal the single rank's", STRATEGIES,
                "losses within 1e-5, relative"),
    "C9": Claim("hiple: zero MPI calls, zero bytes and zero waiting between the first and last training step of each rank", PROOF,
                "0, 0 and 0, by a ledger that sees those of ddp"),
    "C10": Claim("the law holds no parameter, gradient or optimizer state (link-time and memory check)", TESTS, "every check passes"),
    "C11": Claim("revising a rule leaves every engine's sha256 unchanged and costs seconds, against retraining the monolith",
                 "jobs/tool_limit.sh FOLDER/tool_limit", "no file changed; seconds under a tenth of training"),
    "C12": Claim("a new domain is one engine and some rules: every other file unchanged, byte for byte", TESTS, "every check passes"),
    "C13": Claim("disagreement gives no answer: every planted conflict abstains, none is averaged", PLANTED, "0 decided of all in which everybody spoke"),
    "C14": Claim("a learned combiner answers confidently on inputs it has no business judging; the law declines", COMPARE,
                 "real data, a finding never trained on: the law leaves more than half open, and answers wrongly less than a learned combiner"),
    "C15": Claim("links find what sits between divisions: CBR with links, without, and flat, with bounds and cost", COMPARE,
                 "real data: recall with links above that of home engines alone, at less than the cost of all"),
    "C16": Claim("critical-miss rate with bounds, law against every combiner at matched coverage", COMPARE,
                 "real data: the law's under every rival's, at each coverage"),
    "C17": Claim("no structure, no trust: a random cut of the same data must fail its gate", PLANTED, "a gate FAILs in every world"),
    "C18": Claim("good on average, bad at the seams: a partition with one link removed keeps its accuracy and fails its gate", PLANTED,
                 "accuracy within 0.05, and the gate of its boundary goes from PASS to FAIL"),
    "C19": Claim("a slow, stopped or dead rank costs its own engine and nobody else's time; under a shared objective it costs everybody", PROOF,
                 "the others' step 1 times as long for hiple, as long as the slow rank's for ddp"),
    "C20": Claim("every decision is explained and replays identically", TESTS, "every check passes"),
}
