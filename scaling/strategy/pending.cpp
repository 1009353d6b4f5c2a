#include "scaling/strategy/pending.hpp"

#include "mpi/check.hpp"

namespace hiple::scaling {

using mpi::check;

Pending::Pending(Communicator& communicator, std::size_t capacity)
    : communicator_(&communicator), requests_(capacity, MPI_REQUEST_NULL) {}

MPI_Request* Pending::next() { return &requests_.at(count_); }

void Pending::sum(std::span<float> values) {
  const Communicator::Timer timer(*communicator_);
  check(
      MPI_Iallreduce(MPI_IN_PLACE, values.data(), message_count(values.size()), MPI_FLOAT, MPI_SUM, communicator_->comm_, next()),
      "MPI_Iallreduce");
  ++count_;
}

void Pending::gather(std::span<const float> own, std::span<float> all, const Parts& parts) {
  const Communicator::Timer timer(*communicator_);
  const bool in_place = own.data() == all.data() + parts.of(communicator_->rank()).begin;
  check(MPI_Iallgatherv(in_place ? MPI_IN_PLACE : own.data(), message_count(own.size()), MPI_FLOAT, all.data(),
                        parts.counts.data(), parts.places.data(), MPI_FLOAT, communicator_->comm_, next()),
        "MPI_Iallgatherv");
  ++count_;
}

void Pending::exchange(std::span<const float> values, const Parts& parts, std::span<float> received,
                       const Parts& received_parts) {
  const Communicator::Timer timer(*communicator_);
  check(MPI_Ialltoallv(values.data(), parts.counts.data(), parts.places.data(), MPI_FLOAT, received.data(),
                       received_parts.counts.data(), received_parts.places.data(), MPI_FLOAT, communicator_->comm_, next()),
        "MPI_Ialltoallv");
  ++count_;
}

void Pending::send(std::span<const float> values, int to, int tag) {
  const Communicator::Timer timer(*communicator_);
  check(MPI_Isend(values.data(), message_count(values.size()), MPI_FLOAT, to, tag, communicator_->comm_, next()), "MPI_Isend");
  ++count_;
}

void Pending::receive(std::span<float> values, int from, int tag) {
  const Communicator::Timer timer(*communicator_);
  check(MPI_Irecv(values.data(), message_count(values.size()), MPI_FLOAT, from, tag, communicator_->comm_, next()), "MPI_Irecv");
  ++count_;
}

void Pending::progress() {
  if (count_ == 0) return;
  const Communicator::Timer timer(*communicator_);
  // One look moves a fragment or two of 128 KiB, and costs little where there is nothing to move.
  constexpr int looks = 16;
  int done = 0;
  for (int look = 0; look < looks && done == 0; ++look)
    check(MPI_Testall(static_cast<int>(count_), requests_.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
}

void Pending::wait() {
  if (count_ == 0) return;
  const Communicator::Timer timer(*communicator_);
  check(MPI_Waitall(static_cast<int>(count_), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  count_ = 0;
}

}  // namespace hiple::scaling
