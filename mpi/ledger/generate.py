"""Writes the ledger's wrappers: one C function for each MPI function that mpi.h declares, and for each of NCCL's.

usage: generate.py MPI_H WRAPPERS NCCL_WRAPPERS NAMES

Each wrapper works out its bytes and its communicator by the rules below, times the call of the PMPI twin, and notes both. A
function without a rule is counted and timed with no bytes. NAMES gets the functions' names, for programs without MPI.
"""
import re
import sys

import generate_nccl

# Not interposed: the tools interface, a variadic function without effect, functions that the MPI standard removed.
SKIPPED = re.compile(r"MPI_(T_.*|Pcontrol|Address|Errhandler_(create|get|set)|Type_(extent|hindexed|hvector|lb|struct|ub)"
                     r"|Keyval_(create|free)|Attr_(delete|get|put)|.*_[cf]2[cf]|.*_f08|Status_f.*)")

SEND = "call.sent(bytes(count, {type}));"
RECEIVE = "call.received(bytes(count, {type}));"
SEND_BLOCK = "call.sent(bytes(sendcount, sendtype));"
RECEIVE_BLOCK = "call.received(bytes(recvcount, recvtype));"
SEND_ORIGIN = "call.sent(bytes(origin_count, origin_datatype));"
RECEIVE_RESULT = "call.received(bytes(result_count, result_datatype));"
AT_ROOT = "if (is_root(root, comm)) "
NOT_AT_ROOT = "if (!is_root(root, comm)) "
SENT_UNLESS_IN_PLACE = "if (sendbuf != MPI_IN_PLACE) " + SEND_BLOCK
EVERY_PEER = "call.received(bytes(std::int64_t{recvcount} * peers(comm), recvtype));"
ALL_SEND = ("call.sent(sendbuf == MPI_IN_PLACE ? bytes(std::int64_t{recvcount} * peers(comm), recvtype)"
            " : bytes(std::int64_t{sendcount} * peers(comm), sendtype));")
ALL_SEND_V = ("call.sent(sendbuf == MPI_IN_PLACE ? bytes(recvcounts, peers(comm), recvtype%s)"
              " : bytes(sendcounts, peers(comm), sendtype%s));")

# By name, without the I of non-blocking functions; {type} is the parameter of type MPI_Datatype.
RULES = {
    **{name: [SEND] for name in ("Send", "Bsend", "Ssend", "Rsend")},
    **{name: [RECEIVE] for name in ("Recv", "Mrecv")},
    "Sendrecv": [SEND_BLOCK, RECEIVE_BLOCK],
    "Sendrecv_replace": [SEND, RECEIVE],
    "Bcast": [AT_ROOT + SEND, NOT_AT_ROOT + RECEIVE],
    "Reduce": [SEND, AT_ROOT + RECEIVE],
    **{name: [SEND, RECEIVE] for name in ("Allreduce", "Scan", "Exscan")},
    "Gather": [SENT_UNLESS_IN_PLACE, AT_ROOT + EVERY_PEER],
    "Gatherv": [SENT_UNLESS_IN_PLACE, AT_ROOT + "call.received(bytes(recvcounts, peers(comm), recvtype));"],
    "Scatter": [AT_ROOT + "call.sent(bytes(std::int64_t{sendcount} * peers(comm), sendtype));",
                "if (recvbuf != MPI_IN_PLACE) " + RECEIVE_BLOCK],
    "Scatterv": [AT_ROOT + "call.sent(bytes(sendcounts, peers(comm), sendtype));",
                 "if (recvbuf != MPI_IN_PLACE) " + RECEIVE_BLOCK],
    "Allgather": ["call.sent(sendbuf == MPI_IN_PLACE ? bytes(recvcount, recvtype) : bytes(sendcount, sendtype));", EVERY_PEER],
    "Allgatherv": ["call.sent(sendbuf == MPI_IN_PLACE ? bytes(recvcounts[rank_in(comm)], recvtype)"
                   " : bytes(sendcount, sendtype));", "call.received(bytes(recvcounts, peers(comm), recvtype));"],
    "Alltoall": [ALL_SEND, EVERY_PEER],
    "Alltoallv": [ALL_SEND_V % ("", ""), "call.received(bytes(recvcounts, peers(comm), recvtype));"],
    "Alltoallw": [ALL_SEND_V % ("s", "s"), "call.received(bytes(recvcounts, peers(comm), recvtypes));"],
    "Reduce_scatter": ["call.sent(bytes(recvcounts, peers(comm), {type}));",
                       "call.received(bytes(recvcounts[rank_in(comm)], {type}));"],
    "Reduce_scatter_block": ["call.sent(bytes(std::int64_t{recvcount} * peers(comm), {type}));",
                             "call.received(bytes(recvcount, {type}));"],
    "Neighbor_allgather": [SEND_BLOCK, "call.received(bytes(std::int64_t{recvcount} * sources(comm), recvtype));"],
    "Neighbor_allgatherv": [SEND_BLOCK, "call.received(bytes(recvcounts, sources(comm), recvtype));"],
    "Neighbor_alltoall": ["call.sent(bytes(std::int64_t{sendcount} * destinations(comm), sendtype));",
                          "call.received(bytes(std::int64_t{recvcount} * sources(comm), recvtype));"],
    "Neighbor_alltoallv": ["call.sent(bytes(sendcounts, destinations(comm), sendtype));",
                           "call.received(bytes(recvcounts, sources(comm), recvtype));"],
    "Neighbor_alltoallw": ["call.sent(bytes(sendcounts, destinations(comm), sendtypes));",
                           "call.received(bytes(recvcounts, sources(comm), recvtypes));"],
    **{name: [SEND_ORIGIN] for name in ("Put", "Rput", "Accumulate", "Raccumulate")},
    **{name: ["call.received(bytes(origin_count, origin_datatype));"] for name in ("Get", "Rget")},
    **{name: [SEND_ORIGIN, RECEIVE_RESULT] for name in ("Get_accumulate", "Rget_accumulate")},
    **{name: ["call.sent(bytes(1, {type}));", "call.received(bytes(1, {type}));"]
       for name in ("Fetch_and_op", "Compare_and_swap")},
}
FILE_RULES = ((re.compile(r"File_i?write(_at|_shared|_ordered)?(_all)?(_begin)?$"), SEND),
              (re.compile(r"File_i?read(_at|_shared|_ordered)?(_all)?(_begin)?$"), RECEIVE))

# Functions that the standard does not let return before another process has done something, or lets an implementation hold back
# until then (a standard send): all of their time is wait time. It is an upper bound: who arrives last waits for nobody.
WAITS = re.compile(
    r"Wait(all|any|some)?|M?[Pp]robe|(M|Send)?[Rr]ecv|Sendrecv_replace|[SR]?[Ss]end|Buffer_detach|Init(_thread)?|Finalize"
    r"|Barrier|Bcast|Gatherv?|Scatterv?|Allgatherv?|Alltoall[vw]?|(All)?[Rr]educe|Reduce_scatter(_block)?|(Ex)?[Ss]can"
    r"|Neighbor_all(gatherv?|toall[vw]?)|Cart_(create|sub)|(Dist_)?[Gg]raph_create(_adjacent)?|Intercomm_(create|merge)"
    r"|Comm_(accept|connect|create(_group)?|disconnect|dup(_with_info)?|free|join|set_info|spawn(_multiple)?|split(_type)?)"
    r"|Win_(allocate(_shared)?|create(_dynamic)?|free|fence|(un)?lock(_all)?|flush(_local)?(_all)?|start|complete|wait)"
    r"|File_(open|close|preallocate|seek_shared|set_(atomicity|info|size|view)|sync)"
    r"|File_(read|write)(_at)?_(all|ordered)(_begin|_end)?")
# Functions that ask whether something has happened and return at once.
POLLS = re.compile(r"Test(all|any|some)?|Iprobe|Improbe|Request_get_status|Win_test")

# Statements around the whole of a call.
HOOKS = {"Init": ([], ["after_init();"]), "Init_thread": ([], ["after_init();"]),
         "Finalize": (["before_finalize();"], ["after_finalize();"])}
HANDLES = ("MPI_Win", "MPI_File", "MPI_Message")


class Parameter:
    """One parameter of a function as the header declares it."""

    def __init__(self, declaration):
        self.declaration = " ".join(declaration.split())
        match = re.fullmatch(r"(.*?)(\w+)((?:\[\d*\])*)", self.declaration)
        self.type, self.name = match.group(1).replace("const ", "").strip(), match.group(2)
        if match.group(3):
            self.type += "[]"


def functions(header):
    """{name: [Parameter]} of every int MPI_X(...) that has a PMPI twin."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", header, flags=re.S)
    found = {}
    for name, parameters in re.findall(r"\bint\s+(P?MPI_\w+)\s*\(([^()]*)\)", text):
        if SKIPPED.fullmatch(name.removeprefix("P")):
            continue
        found[name] = [] if parameters.strip() in ("", "void") else [Parameter(p) for p in parameters.split(",")]
    return {name: found[name] for name in sorted(found) if "P" + name in found}


def bytes_rule(base, parameters):
    base = base.removesuffix("_init")  # a persistent request: its bytes are kept, and counted at each start
    statements = RULES.get(base)
    if statements is None and base[0] == "I":
        statements = RULES.get(base[1:].capitalize())
    if statements is None:
        statements = [statement for pattern, statement in FILE_RULES if pattern.match(base)]
    types = [p.name for p in parameters if p.type == "MPI_Datatype"]
    return [s.replace("{type}", types[0] if types else "") for s in statements]


def communicator_rule(base, parameters):
    """(statements before the call, statements after it): whose call it is, and what handles it makes."""
    named = {}
    for parameter in parameters:
        named.setdefault(parameter.type, parameter.name)
    before, after = [], []
    if base == "Comm_set_name":  # counted under its new name
        return ["Handles::of_this_process().forget(comm);"], ["call.on(comm);"]
    if "MPI_Comm" in named:
        before.append(f"call.on({named['MPI_Comm']});")
    elif base in ("Comm_free", "Comm_disconnect"):
        before += ["call.on(*comm);", "Handles::of_this_process().forget(*comm);"]
    elif made_of := [named[handle] for handle in HANDLES if handle in named]:
        before.append(f"call.of({made_of[0]});")
    elif made_of := [named[handle + " *"] for handle in HANDLES if handle + " *" in named]:
        before.append(f"call.of(*{made_of[0]});")
    elif base in ("Start", "Startall"):
        before.append("call.starts(1, request);" if base == "Start" else "call.starts(count, array_of_requests);")
    elif "MPI_Request[]" in named:
        count = next(p.name for p in parameters if p.name in ("count", "incount"))
        before.append(f"call.of_all({count}, {named['MPI_Request[]']});")
    elif "MPI_Request" in named:
        before.append(f"call.of({named['MPI_Request']});")
    elif "MPI_Request *" in named and base != "Grequest_start":
        return [f"call.of(*{named['MPI_Request *']});"], after
    if before and "MPI_Request *" in named and base != "Start":
        after.append(f"call.{'prepared' if base.endswith('_init') else 'made'}(*{named['MPI_Request *']});")
    if "MPI_Comm" in named:
        guard = "if (*flag != 0) " if base == "Improbe" else ""
        after += [f"{guard}call.made(*{named[handle + ' *']});" for handle in HANDLES if handle + " *" in named]
    return before, after


def wrapper(index, name, parameters):
    base = name.removeprefix("MPI_")
    declared = ", ".join(p.declaration for p in parameters) or "void"
    passed = ", ".join(p.name for p in parameters)
    manner = "waits" if WAITS.fullmatch(base) else "polls" if POLLS.fullmatch(base) else "returns"
    before, after = communicator_rule(base, parameters)
    lines = [f"Call call({index}, Manner::{manner});", *before, *bytes_rule(base, parameters), "call.begin();"]
    if after:
        lines += [f"const int code = call.end(P{name}({passed}));", "if (code == MPI_SUCCESS) {",
                  *("  " + statement for statement in after), "}", "return code;"]
    else:
        lines.append(f"return call.end(P{name}({passed}));")
    if base in HOOKS:
        first, last = HOOKS[base]
        lines = [*first, "const int result = [&] {", *("  " + line for line in lines), "}();", *last, "return result;"]
    return f"int {name}({declared}) {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


USED = ("after_finalize", "after_init", "before_finalize", "bytes", "Call", "destinations", "Handles", "is_root", "Manner", "peers", "rank_in",
        "sources")


def main():
    source, wrappers, nccl, names = sys.argv[1:]
    with open(source, encoding="utf-8", errors="replace") as file:
        found = functions(file.read())
    if len(found) < 200 or "MPI_Allreduce" not in found:
        sys.exit(f"{source}: only {len(found)} MPI functions were understood: this mpi.h needs a change in {sys.argv[0]}")
    with open(wrappers, "w", encoding="utf-8") as file:
        file.write('#include "mpi/ledger/call.hpp"\n#include "mpi/ledger/hooks.hpp"\n\n' + "".join(f"using hiple::mpi::{name};\n" for name in USED)
                   + '\nextern "C" {\n\n'
                   + "\n".join(wrapper(i, name, parameters) for i, (name, parameters) in enumerate(found.items()))
                   + "\n}\n")
    generate_nccl.write_wrappers(nccl, len(found))
    listed = "".join(f'    "{name}",\n' for name in [*found, *generate_nccl.FUNCTIONS])
    with open(names, "w", encoding="utf-8") as file:
        file.write('#include "mpi/ledger/ledger.hpp"\n\n'
                   "const std::vector<std::string_view>& hiple::mpi::ledger_functions() {\n"
                   f"  static const std::vector<std::string_view> names = {{\n{listed}  }};\n  return names;\n}}\n")


main()
