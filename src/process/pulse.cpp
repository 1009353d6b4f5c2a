#include "process/pulse.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/error.hpp"

namespace hiple::process {

static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "a lock would be one process's own");

namespace {

Descriptor new_memory() {
  Descriptor memory(checked(::memfd_create("hiple pulse", MFD_CLOEXEC), "memfd_create"));
  checked(::ftruncate(memory.get(), sizeof(PulseBlock)), "ftruncate");
  return memory;
}

}  // namespace

Pulse::Pulse() : Pulse(new_memory()) {}

Pulse::Pulse(Descriptor memory) : memory_(std::move(memory)) {
  struct stat state {};
  checked(::fstat(memory_.get(), &state), "the engine's pulse");
  if (state.st_size != static_cast<off_t>(sizeof(PulseBlock))) throw Error("the engine's pulse has another size than it should");
  void* address = ::mmap(nullptr, sizeof(PulseBlock), PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (address == MAP_FAILED) checked(-1, "mmap");
  block_ = static_cast<PulseBlock*>(address);
}

Pulse Pulse::attach(int descriptor) { return Pulse(Descriptor(descriptor)); }

Pulse::~Pulse() {
  if (block_ != nullptr) ::munmap(block_, sizeof(PulseBlock));
}

Pulse::Pulse(Pulse&& other) noexcept : memory_(std::move(other.memory_)), block_(std::exchange(other.block_, nullptr)) {}

void Pulse::beat() const {
  block_->last_beat.store(monotonic_now(), std::memory_order_relaxed);
  block_->beats.fetch_add(1, std::memory_order_relaxed);
}

void Pulse::step(std::uint64_t step) const {
  const std::int64_t now = monotonic_now();
  const std::int64_t taken = now - block_->last_beat.load(std::memory_order_relaxed);
  if (taken > block_->longest_step.load(std::memory_order_relaxed)) block_->longest_step.store(taken, std::memory_order_relaxed);
  block_->step.store(step, std::memory_order_relaxed);
  block_->last_beat.store(now, std::memory_order_relaxed);
  block_->beats.fetch_add(1, std::memory_order_relaxed);
}

void Pulse::end(std::uint32_t verdict, const std::string& reason) const {
  const std::size_t size = std::min(reason.size(), sizeof(PulseBlock::reason) - 1);
  std::memcpy(block_->reason, reason.data(), size);
  block_->reason[size] = '\0';
  block_->verdict.store(verdict, std::memory_order_release);
}

std::string Pulse::reason() const { return {block_->reason, ::strnlen(block_->reason, sizeof(PulseBlock::reason))}; }

std::int64_t monotonic_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace hiple::process
