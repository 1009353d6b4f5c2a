"""The layers: which folder may include what. `problems(root)` reads every source of a copy of the project and names what it finds."""

import re
from pathlib import Path

LAYER = {
    "base": 0,
    "h5": 1, "config": 1, "device": 1, "process": 1, "condition": 1,
    "table": 2, "judgment": 2, "plan": 2,
    "engine": 3, "evidence": 3, "law": 3, "submit": 3,
    "audit": 4, "gate": 4, "report": 4,
    "run": 5, "data": 5,
    "mpi": 6,
    "scaling": 7,
}
# Folders of one layer do not know each other, but the report shows what the gates found.
ALSO = {("report", "gate")}
# Rules that hold whatever the layers say: integration has no parameters, and what learns does not see what integrates.
NEVER = {("law", "engine"), ("engine", "law")}

# The folders that may include a third party, by the begin of the header's name.
EVERYBODY = set(LAYER)
THIRD_PARTIES = {
    "hdf5": {"h5"}, "H5": {"h5"},
    "yaml-cpp/": {"config"},
    "csv.h": {"table"},
    "oneapi/": {"engine"}, "dnnl": {"engine"}, "Eigen/": {"engine"},
    "hwy/": {"base", "engine", "law"},
    "z3": {"audit"},
    "cuda": {"device", "engine"}, "cublas": {"device", "engine"}, "cudnn": {"device", "engine"},
    "boost/": {"gate"},
    "openssl/": {"base"},
    "mpi.h": {"mpi", "scaling"}, "seccomp": {"process"}, "CLI/": {"mpi", "scaling"},
    "nccl": {"scaling"}, "smpi/": {"scaling"}, "simgrid/": {"scaling"}, "omp.h": {"engine", "scaling"},
    "fmt/": EVERYBODY, "spdlog/": EVERYBODY, "nlohmann/": EVERYBODY,
}
# The operating system's headers; the standard library's have neither a point nor a slash.
SYSTEM = re.compile(r"[a-z0-9_]+|(sys|arpa|linux|netinet)/[a-z0-9_]+\.h|"
                    r"(cpuid|dirent|dlfcn|errno|execinfo|fcntl|malloc|netdb|poll|pthread|sched|signal|spawn|stdlib|string|time|unistd|x86intrin|immintrin)\.h")

SOURCES = {".cpp", ".hpp", ".c", ".h", ".cu", ".cuh", ".inc"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:<([^>]+)>|"([^"]+)")', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def folders(root):
    """Every folder that is a layer, with its name."""
    return [(path.name, path) for path in sorted((root / "src").iterdir()) if path.is_dir()] + \
           [(name, root / name) for name in ("data", "mpi", "scaling") if (root / name).is_dir()]


def includes(path):
    """(line, name, in quotes) of every include of a file, those in comments left out."""
    text = COMMENT.sub(lambda match: "\n" * match.group().count("\n"), path.read_text(errors="replace"))
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match.group(1) or match.group(2), match.group(2) is not None


def wrong_folder(folder, target):
    """Why `folder` may not include a header of `target`; nothing if it may."""
    if folder == target:
        return None
    if (folder, target) in NEVER:
        return f"{folder} and {target} never know each other"
    if LAYER[target] < LAYER[folder] or (folder, target) in ALSO:
        return None
    return f"{target} (layer {LAYER[target]}) is not below {folder} (layer {LAYER[folder]})"


def wrong_include(root, path, folder, name, quoted):
    """Why this include is wrong; nothing if it is right."""
    target = name.split("/")[0]
    if quoted:
        if (path.parent / name).is_file() and "/" not in name:
            return "write the folder too: the same name must mean the same file everywhere"
        if target not in LAYER:
            return None if name == "revision.inc" else f"{target} is no folder of the project"
        base = root if target in ("data", "mpi", "scaling") else root / "src"
        return wrong_folder(folder, target) if (base / name).is_file() else "there is no such file"
    if target in LAYER and "/" in name:
        return "headers of the project stand in quotes"
    for begin, allowed in THIRD_PARTIES.items():
        if name.startswith(begin):
            return None if folder in allowed else f"only {', '.join(sorted(allowed))} may know it"
    return None if SYSTEM.fullmatch(name) else "a third party that layers.py does not know: say there who may include it"


def problems(root):
    """Every wrong include under `root`, as "FILE:LINE: name: why"."""
    found = []
    for folder, path in folders(root):
        if folder not in LAYER:
            found.append(f"{path.relative_to(root)}: the folder has no layer in layers.py")
            continue
        for source in sorted(p for p in path.rglob("*") if p.suffix in SOURCES and p.is_file()):
            for line, name, quoted in includes(source):
                why = wrong_include(root, source, folder, name, quoted)
                if why:
                    found.append(f"{source.relative_to(root)}:{line}: {name}: {why}")
    return found
