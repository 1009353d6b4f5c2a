"""The claims about trust, from what other studies of the same results folder left: C11 from the moved limit (tool_limit.json), C13, C17
and C18 from planted worlds (planted.json), C14 to C16 from comparisons on real data (table.json, shifts.json)."""

import pathlib
import sys

from verdict import FAILS, HOLDS, Verdict, counted, span

LEARNED = ("stacking", "learned gate")
LAW, CUT = "the law", "law on a random cut"
CHEAP = 0.1      # of training's seconds
KEPT = 0.05      # of accuracy, that a link's removal may take
REAL = ("thyroid", "hydraulic")
COVERAGES = (0.95, 0.90, 0.80)


def exact_bounds(count, n):
    """Both ends, each at 95 % (Clopper and Pearson)."""
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "combiners"))
    from bounds import lower_bound, upper_bound
    return lower_bound(count, n), upper_bound(count, n)


def rate_interval(count, n):
    low, high = exact_bounds(count, n)
    return f"[{low:.4f}, {high:.4f}]"


def claim_revision(files):
    result = Verdict("C11")
    if not files.tool_limits:
        result.sentences.append("No study of a moved limit in this folder.")
        return result
    for study in files.tool_limits:
        seconds = study["seconds"]
        whose = f"All {study['engine_files']} files of engines are" if study["engines_unchanged"] else f"Of {study['engine_files']} files of engines not all are"
        result.sentences.append(f"{whose} unchanged: accepting a revision and deciding again took {seconds['accept']:.4g} s, training the same engines "
                                f"and deciding {seconds['train_and_decide']:.4g} s.")
    shares = [study["seconds"]["accept"] / study["seconds"]["train_and_decide"] for study in files.tool_limits]
    result.figure, result.interval = f"{max(shares):.4g} of training's seconds", span(shares)
    result.sentences.append("Beside the engines' own training; a monolith's is not in this study.")
    good = all(study["engines_unchanged"] for study in files.tool_limits) and max(shares) <= CHEAP
    result.verdict = HOLDS if good else FAILS
    return result


def claim_conflicts(worlds):
    result = Verdict("C13")
    n = sum(world["conflicts"]["all_spoke"] for world in worlds)
    if not n:
        result.sentences.append("No planted world with a conflict in which everybody spoke.")
        return result
    decided = sum(world["conflicts"]["decided_though_all_spoke"] for world in worlds)
    result.figure, result.interval = f"{decided} of {n} decided", rate_interval(decided, n)
    for world in worlds:
        conflicts = world["conflicts"]
        result.sentences.append(f"{world['domains']} domains: of {conflicts['all_spoke']} conflicts in which everybody spoke "
                                f"{conflicts['decided_though_all_spoke']} were decided; of all {conflicts['n']}, {conflicts['decided']}.")
    result.verdict = FAILS if decided else HOLDS
    return result


def claim_random_cut(worlds):
    result = Verdict("C17")
    failing = {}
    for world in worlds:
        failing[world["domains"]] = [name for name, verdict in world["random_cut"]["verdicts"].items() if verdict == "FAIL"]
    if not failing:
        result.sentences.append("No planted world with a random cut.")
        return result
    result.sentences += [f"{domains} domains: {', '.join(names) or 'no gate'} FAIL{'' if len(names) > 1 else 's'}." for domains, names in failing.items()]
    caught = sum(bool(names) for names in failing.values())
    result.figure, result.interval = f"{caught} of {counted(len(failing), 'world')} fail a gate", rate_interval(caught, len(failing))
    result.verdict = HOLDS if caught == len(failing) else FAILS
    return result


def claim_seams(worlds):
    result = Verdict("C18")
    drops, wrong = [], []
    for world in worlds:
        whole, cut = world["whole"]["exact"], world["one_link_less"]["exact"]
        drop = whole["count"] / whole["n"] - cut["count"] / cut["n"]
        before, after = world["boundary"]["verdict"], world["one_link_less"]["boundary"]["verdict"]
        drops.append(drop)
        result.sentences.append(f"{world['domains']} domains: without one link {drop:.4f} fewer of all cases are right; its boundary goes from {before} to {after}.")
        if abs(drop) > KEPT or (before, after) != ("PASS", "FAIL"):
            wrong.append(world["domains"])
    if not drops:
        result.sentences.append("No planted world with a link removed.")
        return result
    result.figure, result.interval = f"{max(drops):.4f} of accuracy lost at most", span(drops)
    result.verdict = FAILS if wrong else HOLDS
    return result


def real(records):
    """Planted and generated data test instruments; these claims count on real data only."""
    return [record for record in records if record["run"] in REAL]


def nothing_real(result, records):
    made = sorted({record["run"] for record in records})
    result.sentences.append(f"No comparison on real data ({', '.join(REAL)}) in this folder"
                            + (f"; other data count for nothing here: {', '.join(made)}." if made else "."))
    return result


def claim_strange(shifts):
    result = Verdict("C14")
    if not real(shifts):
        return nothing_real(result, shifts)
    held, failed = [], []
    for shift in real(shifts):
        ways = shift["new_class"]["ways"]
        law, n = ways[LAW], ways[LAW]["n"]
        rivals = {name: ways[name] for name in LEARNED if name in ways}
        words = ", ".join(f"{name} {way['wrong']}" for name, way in rivals.items())
        result.sentences.append(f"{shift['run']}, {shift['new_class']['finding']} never trained on: of {n} such cases the law answers {law['wrong']} wrongly "
                                f"and leaves {law['open']} open; wrong by {words}.")
        if not n or not rivals:
            continue
        result.figure, result.interval = f"{law['open']} of {n} left open ({shift['run']})", rate_interval(law["open"], n)
        lowest, highest = exact_bounds(law["open"], n)
        less = exact_bounds(law["wrong"], n)[1] < min(exact_bounds(way["wrong"], n)[0] for way in rivals.values())
        (held if lowest > 0.5 and less else failed if highest < 0.5 else []).append(shift["run"])
    if failed:
        result.verdict = FAILS
    elif held and len(held) == len(real(shifts)):
        result.verdict = HOLDS
    return result


def claim_links(tables):
    result = Verdict("C15")
    if not real(tables):
        return nothing_real(result, tables)
    held, failed, told = [], [], []
    for table in real(tables):
        curve = {point["name"]: point for point in table.get("cost_curve", ())}
        if not {"home", "links", "all"} <= curve.keys() or not curve["home"]["n"]:
            result.sentences.append(f"{table['run']}: no recall by cost in it: a table of several test parts, or no case crosses a boundary.")
            continue
        told.append(table["run"])
        home, links, flat = (curve[name] for name in ("home", "links", "all"))
        words = [f"{name} {point['count']} / {point['n']} {rate_interval(point['count'], point['n'])} at cost {point['cost']:.3f}"
                 for name, point in (("home alone", home), ("with links", links), ("flat", flat))]
        result.sentences.append(f"{table['run']}: recall across boundaries {'; '.join(words)}.")
        low, high = exact_bounds(links["count"], links["n"])
        result.figure, result.interval = f"{links['count']} of {links['n']} found with links ({table['run']})", f"[{low:.4f}, {high:.4f}]"
        if low > exact_bounds(home["count"], home["n"])[1] and links["cost"] < flat["cost"]:
            held.append(table["run"])
        elif high < exact_bounds(home["count"], home["n"])[0] or links["cost"] >= flat["cost"]:
            failed.append(table["run"])
    result.verdict = FAILS if failed else HOLDS if told and len(held) == len(told) else result.verdict
    return result


def claim_misses(tables):
    result = Verdict("C16")
    if not real(tables):
        return nothing_real(result, tables)
    better, open_ = [], []
    for table in real(tables):
        for coverage in COVERAGES:
            level = {row["way"]: row["silent"] for row in table["rows"] if row["at"] == coverage and row["way"] != CUT}
            law = level.pop(LAW)
            low, high = exact_bounds(law["count"], law["n"]) if law["n"] else (0.0, 1.0)
            words = ", ".join(f"{way} {miss['count']}" for way, miss in level.items())
            result.sentences.append(f"{table['run']}, coverage {coverage:.2f}: of {law['n']} critical cases the law misses {law['count']} in silence, at most "
                                    f"{high:.4f}; {words}.")
            result.figure, result.interval = f"{law['count']} of {law['n']} missed at coverage {coverage:.2f} ({table['run']})", f"[{low:.4f}, {high:.4f}]"
            for way, miss in level.items():
                theirs = exact_bounds(miss["count"], miss["n"]) if miss["n"] else (0.0, 1.0)
                if theirs[1] < low:
                    better.append(f"{way} ({table['run']}, {coverage:.2f})")
                elif not theirs[0] > high:
                    open_.append(f"{way} ({table['run']}, {coverage:.2f})")
    if better:
        result.verdict = FAILS
        result.sentences.append(f"Misses fewer than the law: {', '.join(better)}.")
    elif open_:
        result.sentences.append(f"Not told apart from the law, by exact bounds: {', '.join(open_)}.")
    else:
        result.verdict = HOLDS
    return result


def judge(files):
    return [claim_revision(files), claim_conflicts(files.worlds), claim_strange(files.shifts), claim_links(files.tables),
            claim_misses(files.tables), claim_random_cut(files.worlds), claim_seams(files.worlds)]
