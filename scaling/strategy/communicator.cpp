#include "scaling/strategy/communicator.hpp"

#include "mpi/check.hpp"

namespace hiple::scaling {

using mpi::check;

Communicator::Communicator() {
  check(MPI_Comm_dup(MPI_COMM_WORLD, &comm_), "MPI_Comm_dup");
  check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_set_name(comm_, "training"), "MPI_Comm_set_name");
  check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
}

Communicator::~Communicator() {
  if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
}

void Communicator::barrier() {
  const Timer timer(*this);
  check(MPI_Barrier(comm_), "MPI_Barrier");
}

void Communicator::broadcast(std::span<float> values) {
  const Timer timer(*this);
  check(MPI_Bcast(values.data(), message_count(values.size()), MPI_FLOAT, 0, comm_), "MPI_Bcast");
}

void Communicator::sum(std::span<float> values) {
  const Timer timer(*this);
  check(MPI_Allreduce(MPI_IN_PLACE, values.data(), message_count(values.size()), MPI_FLOAT, MPI_SUM, comm_), "MPI_Allreduce");
}

void Communicator::gather_all(std::span<const float> own, std::span<float> all, const Parts& parts) {
  const Timer timer(*this);
  check(MPI_Allgatherv(own.data(), message_count(own.size()), MPI_FLOAT, all.data(), parts.counts.data(), parts.places.data(),
                       MPI_FLOAT, comm_),
        "MPI_Allgatherv");
}

std::vector<std::string> Communicator::gather(const std::string& bytes) {
  constexpr int tag = 1;
  if (rank_ != 0) {
    const auto size = static_cast<unsigned long long>(bytes.size());
    check(MPI_Send(&size, 1, MPI_UNSIGNED_LONG_LONG, 0, tag, comm_), "MPI_Send");
    check(MPI_Send(bytes.data(), message_count(bytes.size()), MPI_CHAR, 0, tag, comm_), "MPI_Send");
    return {};
  }
  std::vector<std::string> all(static_cast<std::size_t>(size_));
  all[0] = bytes;
  for (int from = 1; from < size_; ++from) {
    unsigned long long size = 0;
    check(MPI_Recv(&size, 1, MPI_UNSIGNED_LONG_LONG, from, tag, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
    std::string& target = all[static_cast<std::size_t>(from)];
    target.resize(size);
    check(MPI_Recv(target.data(), message_count(size), MPI_CHAR, from, tag, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
  }
  return all;
}

double Communicator::take_seconds() {
  const double seconds = seconds_;
  seconds_ = 0;
  return seconds;
}

}  // namespace hiple::scaling
