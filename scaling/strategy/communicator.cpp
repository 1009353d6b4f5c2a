#include "scaling/strategy/communicator.hpp"

#include <chrono>
#include <limits>

#include "base/error.hpp"
#include "mpi/check.hpp"

namespace hiple::scaling {

using mpi::check;

namespace {

int count(std::size_t size) {
  if (size > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw Error("a message of " + std::to_string(size) + " elements: MPI counts to 2147483647");
  return static_cast<int>(size);
}

}  // namespace

class Communicator::Timer {
 public:
  explicit Timer(double& seconds) : seconds_(seconds) {}
  ~Timer() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

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
  const Timer timer(seconds_);
  check(MPI_Barrier(comm_), "MPI_Barrier");
}

void Communicator::broadcast(std::span<float> values) {
  const Timer timer(seconds_);
  check(MPI_Bcast(values.data(), count(values.size()), MPI_FLOAT, 0, comm_), "MPI_Bcast");
}

void Communicator::sum(std::span<float> values) {
  const Timer timer(seconds_);
  check(MPI_Allreduce(MPI_IN_PLACE, values.data(), count(values.size()), MPI_FLOAT, MPI_SUM, comm_), "MPI_Allreduce");
}

std::vector<std::string> Communicator::gather(const std::string& bytes) {
  constexpr int tag = 1;
  if (rank_ != 0) {
    const auto size = static_cast<unsigned long long>(bytes.size());
    check(MPI_Send(&size, 1, MPI_UNSIGNED_LONG_LONG, 0, tag, comm_), "MPI_Send");
    check(MPI_Send(bytes.data(), count(bytes.size()), MPI_CHAR, 0, tag, comm_), "MPI_Send");
    return {};
  }
  std::vector<std::string> all(static_cast<std::size_t>(size_));
  all[0] = bytes;
  for (int from = 1; from < size_; ++from) {
    unsigned long long size = 0;
    check(MPI_Recv(&size, 1, MPI_UNSIGNED_LONG_LONG, from, tag, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
    std::string& target = all[static_cast<std::size_t>(from)];
    target.resize(size);
    check(MPI_Recv(target.data(), count(size), MPI_CHAR, from, tag, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
  }
  return all;
}

double Communicator::take_seconds() {
  const double seconds = seconds_;
  seconds_ = 0;
  return seconds;
}

PendingSums::PendingSums(Communicator& communicator, std::size_t capacity)
    : communicator_(communicator), requests_(capacity, MPI_REQUEST_NULL) {}

void PendingSums::start(std::span<float> values) {
  const Communicator::Timer timer(communicator_.seconds_);
  check(MPI_Iallreduce(MPI_IN_PLACE, values.data(), count(values.size()), MPI_FLOAT, MPI_SUM, communicator_.comm_,
                       &requests_.at(count_)),
        "MPI_Iallreduce");
  ++count_;
}

void PendingSums::progress() {
  if (count_ == 0) return;
  const Communicator::Timer timer(communicator_.seconds_);
  // One look moves a fragment or two of 128 KiB, and costs little where there is nothing to move.
  constexpr int looks = 16;
  int done = 0;
  for (int look = 0; look < looks && done == 0; ++look)
    check(MPI_Testall(static_cast<int>(count_), requests_.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
}

void PendingSums::wait() {
  const Communicator::Timer timer(communicator_.seconds_);
  check(MPI_Waitall(static_cast<int>(count_), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  count_ = 0;
}

}  // namespace hiple::scaling
