#include "mpi/ledger/engine_share.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "run/engine_record.hpp"

namespace hiple::mpi {

bool EngineShare::is_walled_in() const { return mapped.empty() && internet.starts_with("refused"); }

EngineShares engine_shares(const PreparedRun& run, const RunDirectory& directory) {
  EngineShares found;
  for (const EngineConfig& engine : run.config.engines) {
    try {
      if (!std::filesystem::exists(directory.judgments(engine.name))) throw Error("not finished");
      const EngineResult result = read_result(directory.result(engine.name));
      const IsolationRecord& isolation = result.isolation;
      found.shares.push_back(
          {engine.name, isolation.kind, isolation.attempt, result.steps, isolation.mapped, isolation.internet});
    } catch (const Error&) {
      found.missing.push_back(engine.name);
    }
  }
  return found;
}

}  // namespace hiple::mpi
