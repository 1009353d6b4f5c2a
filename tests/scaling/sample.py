"""Results folders made by hand: launches of a world in which a claim holds, or fails where a test wants it to."""

import copy
import json
import random

NETWORKS = {"32-80-80-16": 10416, "64-272-272-16": 96304, "128-896-896-16": 933648}
STEPS, WARMUP = 5, 2
LINKS = {"none": 1e10, "1gbit": 1e9, "10mbit": 1e7}


def formula(ranks):
    return 2 * (ranks - 1) / ranks


class World:
    """What a launch would measure. The attributes are what tests change."""

    def __init__(self, seed=1):
        self.random = random.Random(seed)
        self.noise = 0.01
        self.revision = "abc123"
        self.cores = 2
        self.ddp_bytes = 1.0       # of the formula
        self.ddp_silent = False    # the ledger sees no call of ddp
        self.hiple_calls = 0
        self.certified = True
        self.ddp_speed = 1.0       # below one half at two ranks: the step is halved
        self.straggler_reaches_others = False
        self.headers = 1.05
        self.monitored = True
        self.last_rank = 1.0       # of what the others send
        self.load = 1.0
        self.drift = lambda block: 1.0  # how much slower the machine is in a block
        self.zero3_volume = 1.5    # of what ddp sends
        self.zero2_holds = 1.0     # of what the table says
        self.chosen = 2            # of eight experts
        self.pipeline_loss = 0.0   # relative difference
        self.divided = ("zero1", "zero2", "zero3", "tp", "pp", "moe")
        self.order = 0

    def noisy(self, value):
        return value * (1 + self.noise * self.random.uniform(-1, 1))

    def configuration(self, strategy, network="64-272-272-16", batch=128, ranks=1, link="none", variant=None, scaling=("strong",), straggler="",
                      jitter="0", spread="1", engines=0, most=8):
        variant = variant or ("overlap" if strategy == "ddp" else None)
        arguments = ["--steps", str(STEPS), "--warmup", str(WARMUP), "--jitter", jitter, "--spread", spread, "--engines", str(engines)]
        arguments += ["--straggler", straggler] if straggler else []
        name = "_".join(filter(None, (strategy, variant, network, f"b{batch}", f"r{ranks}", link, straggler, jitter, spread)))
        return {"id": name, "strategy": strategy, "variant": variant, "network": network, "batch": batch, "ranks": ranks, "link": link,
                "scaling": list(scaling), "repetitions": {"least": 6, "most": most, "width": 0.05}, "place": "study.yaml:1:1",
                "arguments": arguments}

    def launch(self, configuration, block=None):
        """One line of records.jsonl."""
        strategy, ranks, link = (configuration[key] for key in ("strategy", "ranks", "link"))
        options = dict(zip(configuration["arguments"][::2], configuration["arguments"][1::2]))
        straggler, jitter, spread, engines = options.get("--straggler"), options["--jitter"], options["--spread"], int(options["--engines"])
        parameters = NETWORKS[configuration["network"]]
        gradient = 4 * parameters
        compute = 1e-9 * 6 * parameters * configuration["batch"] / ranks + 1e-4
        exposed = 8 * formula(ranks) * gradient / LINKS[link] + 0.3 * compute if strategy == "ddp" else 0.0
        slow, factor = (int(straggler.split(":")[0]), float(straggler.split(":")[1])) if straggler else (None, 1.0)
        drift = self.drift(block or 0)
        steps, warmup, per_rank = STEPS, WARMUP, []
        for rank in range(ranks):
            own = compute * (factor if rank == slow else 1.0)
            waits = strategy == "ddp" or self.straggler_reaches_others
            step = max(compute * factor, own) if waits else own
            step = (step + exposed) * (self.ddp_speed if strategy == "ddp" else 1.0) * drift
            per_rank.append({"rank": rank, "memory_bytes": self.memory(strategy, ranks, gradient), "step_seconds": [self.noisy(step) for _ in range(steps)], "compute_seconds": [own] * steps,
                             "exposed_seconds": [max(step - own, 0.0)] * steps, "start": 0.0, "end": step * steps})
        calls = 0 if ranks == 1 else self.hiple_calls if strategy == "hiple" else 0 if self.ddp_silent else 5 * steps * ranks
        volumes = {"ddp": self.ddp_bytes, "zero1": 1.0, "zero2": 1.0, "zero3": self.zero3_volume}
        share = formula(ranks) * volumes.get(strategy, 0.0)
        losses = [2.0 - 0.1 * step for step in range(steps)]
        if strategy == "pp":
            losses[-1] *= 1 + self.pipeline_loss
        slowest = [max(values) for values in zip(*(rank["step_seconds"] for rank in per_rank))]
        count = engines or ranks
        trained = [{"name": f"engine{i}", "rank": i % ranks, "parameters": parameters, "steps": steps,
                    "seconds": steps * compute * (float(spread) if i == 0 else 1.0)} for i in range(count)]
        record = {
            "format": "hiple scaling record", "version": 1, "strategy": strategy, "variant": configuration["variant"], "ranks": ranks,
            "network": configuration["network"], "parameters": parameters, "gradient_bytes": gradient, "global_batch": configuration["batch"],
            "steps": steps, "warmup": warmup, "straggler": {"rank": slow, "factor": factor} if straggler else None, "jitter": float(jitter),
            "spread": float(spread), "engines": trained if strategy == "hiple" else [], "hosts": ["h"] * ranks, "cores": self.cores,
            "oversubscribed": ranks > self.cores, "per_rank": per_rank, "step_seconds": slowest, "makespan_seconds": max(r["end"] for r in per_rank),
            "rank_seconds": sum(r["end"] for r in per_rank), "train_calls": calls, "train_bytes": 0, "seconds_in_mpi": 0.0,
            "certificate": {"verdict": "synchronised" if calls else "synchronisation-free"} if self.certified else None,
            "losses": losses, "options": {"experts": 8, "chosen": self.chosen} if strategy == "moe" else {},
            "wire_bytes": [round(share * gradient * steps)] * ranks if ranks > 1 and self.monitored else None,
            "metadata": {"revision": self.revision, "compiler": "GCC 12", "mpi": "Open MPI v4.1.4", "onednn": "2.6.3", "processor": "P",
                         "kernel": "Linux", "started": "2026-11-30T00:00:00Z"}}
        told = {"link": link, "cores": self.cores, "load": self.load, "shares_cores": ranks > self.cores, "status": 0}
        if link != "none":
            sent = share * gradient * (steps + warmup + 1) * self.headers + 100_000
            told["sent"] = [{"bytes": round(sent * (self.last_rank if rank == ranks - 1 else 1.0)), "packets": 100} for rank in range(ranks)]
        self.order += 1
        return {"format": "hiple scaling launch", "version": 1, "revision": self.revision, "order": self.order,
                **({} if block is None else {"block": block}), "configuration": copy.deepcopy(configuration), "launch": told, "record": record}

    def memory(self, strategy, ranks, gradient):
        """What a rank of ZeRO holds; of the others nobody asks."""
        stage = {"zero1": 1, "zero2": 2, "zero3": 3}.get(strategy, 0)
        held = self.zero2_holds if stage == 2 else 1.0
        shares = {"parameters": 1 / ranks if stage == 3 else 1, "gradients": 1 / ranks if stage >= 2 else 1,
                  "optimizer": 2 / ranks if stage >= 1 else 2}
        return {what: round(share * gradient * held) for what, share in shares.items()}

    def study(self):
        """The configurations of a small study with something for every claim."""
        all_ = [self.configuration("single", network=network, scaling=("weak", "strong")) for network in NETWORKS]
        all_ += [self.configuration("single", batch=256)]
        for network in NETWORKS:
            all_ += [self.configuration("ddp", network=network, ranks=2, link=link, variant=variant) for link in LINKS for variant in ("overlap", "naive")]
        all_ += [self.configuration("ddp", ranks=2, batch=256, scaling=("weak",)), self.configuration("hiple", ranks=2, batch=256, scaling=("weak",))]
        all_ += [self.configuration("hiple", ranks=2, link=link) for link in LINKS]
        all_ += [self.configuration(strategy, batch=128 * ranks, ranks=ranks, link="1gbit")
                 for strategy in ("ddp", "hiple") for ranks in (3, 4)]
        all_ += [self.configuration(strategy, ranks=2, straggler="1:2") for strategy in ("ddp", "hiple")]
        all_ += [self.configuration(strategy, ranks=2, jitter="0.05") for strategy in ("ddp", "hiple")]
        all_ += [self.configuration("hiple", ranks=2, spread="4", engines=6)]
        all_ += [self.configuration(strategy, ranks=ranks) for strategy in self.divided for ranks in (2, 4)]
        return all_


SESSION = {"started": "2026-11-30T00:00:00Z", "ended": "2026-11-30T00:10:00Z", "revision": "abc123", "order_seed": 1, "host": "h", "cores": 2,
           "load_at_end": [0.1, 0.1, 0.1], "launcher": "mpirun", "skipped": [], "failed": [], "out_of_time": False, "interrupted": False, "unsettled": []}


def micro(ranks=1, names=("triad", "four_reads_three_writes", "adam", "product", "multiply_add")):
    """What `hiple-scaling micro` writes."""
    def points(work):
        return [{"size": size, "work": work * size, "seconds": [size * 1e-9] * 8, "median_seconds": size * 1e-9, "rate": 1e9 * work} for size in (1000, 100000)]
    return {"format": "hiple scaling micro", "version": 1, "ranks": ranks, "metadata": {"revision": "abc123"},
            "series": [{"name": name, "points": points(120.0 if name == "multiply_add" else 12.0)} for name in names]}


def write(folder, lines, configurations=(), session=None):
    """A results folder with these launches."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "micro").mkdir(exist_ok=True)
    (folder / "micro/alone.json").write_text(json.dumps(micro()))
    (folder / "micro/10mbit.json").write_text(json.dumps(micro(2, ("point_to_point", "all_reduce"))))
    (folder / "plan.json").write_text(json.dumps({"name": "sample", "configurations": list(configurations)}))
    (folder / "session.json").write_text(json.dumps({**SESSION, **(session or {})}))
    (folder / "records.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def sample(folder, world=None, launches=8, session=None):
    """A whole study of a world, each round of launches a block."""
    world = world or World()
    configurations = world.study()
    return write(folder, [world.launch(one, block) for block in range(1, launches + 1) for one in configurations], configurations, session)
