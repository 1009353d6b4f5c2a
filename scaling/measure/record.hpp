#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mpi/ledger/certificate.hpp"
#include "scaling/measure/measure.hpp"
#include "scaling/measure/setup.hpp"

namespace hiple::scaling {

/// What one rank has to say, as it is sent to rank 0 after training.
struct RankReport {
  int rank = 0;
  std::string host;
  std::set<int> cores;
  RankTimes times = {};
  std::optional<std::uint64_t> wire_bytes = {};  ///< that left this rank inside MPI's calls while it trained
  struct Model {
    std::string name;
    std::uint64_t parameters = 0, bytes = 0;  ///< trained numbers; of the flat buffer, with its zeros
    std::uint64_t first_step = 0, steps = 0;
    std::string weights_sha256;  ///< of the flat buffer after training
  };
  std::vector<Model> models = {};
  Held held = {};
  std::uint64_t heap_bytes = 0;  ///< that the allocator counted for the strategy and its training, whatever they are for
};

std::string to_bytes(const RankReport& report);
RankReport report_from_bytes(const std::string& bytes);

/// Whether a host has more ranks than cores that they may use between them.
bool is_oversubscribed(const std::vector<RankReport>& reports);

/// Loss of each step: the sum of the ranks' parts, and the mean over the models that have such a step.
std::vector<double> mean_losses(const std::vector<RankReport>& reports);

/// The record of a measurement (format "hiple scaling record", version 1; docs/scaling.md says what each field is).
nlohmann::ordered_json make_record(const Setup& setup, const std::vector<RankReport>& reports,
                                   const mpi::Certificate& certificate, nlohmann::ordered_json metadata);

}  // namespace hiple::scaling
