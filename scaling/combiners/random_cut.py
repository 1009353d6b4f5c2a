"""The control: a study's engines with what they read, and the cases that they learn from, dealt at random."""

import numpy as np

CUT = "hiple_cut"  # the column that says whose case it is


def cut_of(engines, columns, random):
    """Entries of run.yaml; `columns`: what engines may read, as schema.yaml has it. Each engine keeps its network: single columns are dealt
    among the engines that read such, and series among those that read series of that length. Each goes to one engine, or to
    several where there are fewer of them than engines."""
    length = {str(each["name"]): int(each.get("length", 0)) for each in columns}
    kind_of = lambda name: length.get(str(name), 0)  # a point of a series is a single column
    dealt = [[] for _ in engines]
    for kind in sorted({kind_of(name) for engine in engines for name in engine["features"]}):
        readers = [number for number, engine in enumerate(engines) if any(kind_of(name) == kind for name in engine["features"])]
        names = random.permutation(sorted({str(name) for engine in engines for name in engine["features"] if kind_of(name) == kind}))
        for reader, mine in zip(readers, np.array_split(np.resize(names, max(len(names), len(readers))), len(readers))):
            dealt[reader] += mine.tolist()
    return [{**engine, "features": sorted(mine), "cases": f"({engine['cases']}) and {CUT} == {number}"}
            for number, (engine, mine) in enumerate(zip(engines, dealt))]
