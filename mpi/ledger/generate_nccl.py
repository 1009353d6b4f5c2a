"""Writes the ledger's wrappers of NCCL: one C function for each that starts communication, makes or ends a communicator.

Used by generate.py. The functions and their parameters are those of NCCL's documentation; mpi/ledger/nccl.hpp says what else a wrapper needs. A call on a
stream returns before the device has communicated: seconds are those of the call, and the wait of a stream is not among them.
"""

SEND = "call.sent(nccl::bytes(count, datatype));"
RECEIVE = "call.received(nccl::bytes(count, datatype));"
ROOT, NOT_ROOT = "if (nccl::is_root(root, comm)) ", "if (!nccl::is_root(root, comm)) "
SEND_TO_ALL = "call.sent(nccl::bytes(count * nccl::peers(comm), datatype));"
RECEIVE_FROM_ALL = "call.received(nccl::bytes(count * nccl::peers(comm), datatype));"

BUFFERS, END = "const void* sendbuff, void* recvbuff, std::size_t count, int datatype", "void* comm, void* stream"

# {name: (parameters, statements before the call, statements after it where it went well)}; the communicator of a call is `comm`.
FUNCTIONS = {
    "ncclAllGather": (f"{BUFFERS}, {END}", [SEND, RECEIVE_FROM_ALL], []),
    "ncclAllReduce": (f"{BUFFERS}, int op, {END}", [SEND, RECEIVE], []),
    "ncclAlltoAll": (f"{BUFFERS}, {END}", [SEND_TO_ALL, RECEIVE_FROM_ALL], []),
    "ncclBcast": (f"void* buff, std::size_t count, int datatype, int root, {END}", [ROOT + SEND, NOT_ROOT + RECEIVE], []),
    "ncclBroadcast": (f"{BUFFERS}, int root, {END}", [ROOT + SEND, NOT_ROOT + RECEIVE], []),
    "ncclCommAbort": ("void* comm", [], ["nccl::forget(comm);"]),
    "ncclCommDestroy": ("void* comm", [], ["nccl::forget(comm);"]),
    "ncclCommFinalize": ("void* comm", [], []),
    "ncclCommInitAll": ("void** comms, int ndev, const int* devlist", [], []),
    "ncclCommInitRank": ("void** made, int nranks, nccl::UniqueId id, int rank", [], []),
    "ncclCommInitRankConfig": ("void** made, int nranks, nccl::UniqueId id, int rank, void* config", [], []),
    "ncclCommInitRankScalable": ("void** made, int nranks, int rank, int ids, nccl::UniqueId* id, void* config", [], []),
    "ncclCommSplit": ("void* comm, int color, int key, void** made, void* config", [], []),
    "ncclGather": (f"{BUFFERS}, int root, {END}", [SEND, ROOT + RECEIVE_FROM_ALL], []),
    "ncclGetUniqueId": ("nccl::UniqueId* id", [], []),
    "ncclGroupEnd": ("", [], []),
    "ncclGroupStart": ("", [], []),
    "ncclRecv": (f"void* recvbuff, std::size_t count, int datatype, int peer, {END}", [RECEIVE], []),
    "ncclReduce": (f"{BUFFERS}, int op, int root, {END}", [SEND, ROOT + RECEIVE], []),
    "ncclReduceScatter": (f"{BUFFERS}, int op, {END}", [SEND_TO_ALL, RECEIVE], []),
    "ncclScatter": (f"{BUFFERS}, int root, {END}", [ROOT + SEND_TO_ALL, RECEIVE], []),
    "ncclSend": (f"const void* sendbuff, std::size_t count, int datatype, int peer, {END}", [SEND], []),
}
# Functions that return when other processes have done their part.
WAITS = ("ncclCommInit", "ncclCommSplit", "ncclCommFinalize", "ncclCommDestroy")


def wrapper(name, first):
    """`first`: the index of the first of these functions in the ledger's list."""
    parameters, before, after = FUNCTIONS[name]
    names = [parameter.split()[-1].lstrip("*") for parameter in parameters.split(",") if parameter]
    if "comm" in names:
        before = ["call.on_number(nccl::communicator(comm));", *before]
    manner = "waits" if name.startswith(WAITS) else "returns"
    index = f"{first} + {list(FUNCTIONS).index(name)}"
    lines = [f"static auto* const behind = reinterpret_cast<decltype({name})*>(nccl::behind(\"{name}\"));",
             "if (behind == nullptr) return nccl::internal_error;",
             f"Call call({index}, Manner::{manner});", *before, "call.begin();",
             f"const int code = call.end(behind({', '.join(names)}));",
             *(f"if (code == 0) {statement}" for statement in after), "return code;"]
    return f"int {name}({parameters}) {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


def write_wrappers(path, first):
    with open(path, "w", encoding="utf-8") as file:
        file.write('#include "mpi/ledger/call.hpp"\n#include "mpi/ledger/nccl.hpp"\n\n'
                   "using hiple::mpi::Call;\nusing hiple::mpi::Manner;\nnamespace nccl = hiple::mpi::nccl;\n"
                   '\nextern "C" {\n\n' + "\n".join(wrapper(name, first) for name in FUNCTIONS) + "\n}\n")
