"""Writes the ledger's wrappers: one C function for each MPI function that mpi.h declares.

usage: generate.py MPI_H OUTPUT

Each wrapper times the call, works out its bytes by the rules below, and calls the PMPI twin. A function without a rule is
counted and timed with no bytes.
"""
import re
import sys

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


def functions(header):
    """{name: [(declaration, parameter name, is Datatype)]} of every int MPI_X(...) that has a PMPI twin."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", header, flags=re.S)
    found = {}
    for name, parameters in re.findall(r"\bint\s+(P?MPI_\w+)\s*\(([^()]*)\)", text):
        if SKIPPED.fullmatch(name.removeprefix("P")):
            continue
        found[name] = [] if parameters.strip() in ("", "void") else [parameter(p) for p in parameters.split(",")]
    return {name: found[name] for name in sorted(found) if "P" + name in found}


def parameter(declaration):
    declaration = " ".join(declaration.split())
    match = re.fullmatch(r"(.*?)(\w+)((?:\[\d*\])*)", declaration)
    return declaration, match.group(2), match.group(1).strip() == "MPI_Datatype"


def rule(name, parameters):
    base = name.removeprefix("MPI_")
    statements = RULES.get(base)
    if statements is None and base[0] == "I":
        statements = RULES.get(base[1:].capitalize())
    if statements is None:
        statements = [statement for pattern, statement in FILE_RULES if pattern.match(base)]
    types = [p for _, p, is_type in parameters if is_type]
    return [s.replace("{type}", types[0] if types else "") for s in statements]


def wrapper(index, name, parameters):
    declared = ", ".join(d for d, _, _ in parameters) or "void"
    passed = ", ".join(p for _, p, _ in parameters)
    body = "".join(f"  {statement}\n" for statement in rule(name, parameters))
    return f"int {name}({declared}) {{\n  Call call({index});\n{body}  return P{name}({passed});\n}}\n"


def main():
    source, output = sys.argv[1:]
    with open(source, encoding="utf-8", errors="replace") as file:
        found = functions(file.read())
    if len(found) < 200 or "MPI_Allreduce" not in found:
        sys.exit(f"{source}: only {len(found)} MPI functions were understood: this mpi.h needs a change in {sys.argv[0]}")
    names = "".join(f'    "{name}",\n' for name in found)
    wrappers = "\n".join(wrapper(i, name, parameters) for i, (name, parameters) in enumerate(found.items()))
    with open(output, "w", encoding="utf-8") as file:
        file.write('#include "mpi/ledger/call.hpp"\n#include "mpi/ledger/ledger.hpp"\n\n'
                   "using hiple::mpi::bytes;\nusing hiple::mpi::Call;\nusing hiple::mpi::destinations;\n"
                   "using hiple::mpi::is_root;\nusing hiple::mpi::peers;\nusing hiple::mpi::rank_in;\nusing hiple::mpi::sources;\n\n"
                   "const std::vector<std::string_view>& hiple::mpi::ledger_functions() {\n"
                   f"  static const std::vector<std::string_view> names = {{\n{names}  }};\n  return names;\n}}\n\n"
                   f'extern "C" {{\n\n{wrappers}\n}}\n')


main()
