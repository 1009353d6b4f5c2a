#include "run/run_size.hpp"

#include <algorithm>
#include <fstream>

#include "h5/h5.hpp"
#include "law/decision.hpp"
#include "law/model.hpp"
#include "run/asked_cases.hpp"
#include "run/estimate.hpp"

namespace hiple {

namespace {

constexpr std::uint64_t bytes_of_cell = 9;  ///< the value, and whether it is known

/// Bytes of one judgment in its file, as docs/architecture.md lists them.
std::uint64_t judgment_bytes(const EngineConfig& engine, std::size_t classes) {
  constexpr std::uint64_t id = 8, label = 2, confidence = 4, typicality = 4, status = 1;
  const std::uint64_t probabilities = engine.probabilities == "all" ? sizeof(float) * classes : 0;
  return id + label + confidence + typicality + status + probabilities;
}

/// The checkpoint and the one before it: weights, two moments of Adam and the best weights so far.
std::uint64_t checkpoint_bytes(const EngineEstimate& estimated) { return 2 * 4 * sizeof(float) * estimated.parameters; }

/// An HDF5 file with nothing in it, and the small files of an engine.
constexpr std::uint64_t folder_bytes = 64 << 10;

}  // namespace

std::uint64_t about_rows(const std::filesystem::path& table) {
  if (h5::is_hdf5(table)) return h5::Reader(table, "hiple table", 1, h5::Verify::parts).shape("/case_id").at(0);
  constexpr std::size_t looked_at = 1 << 16;
  std::string head(looked_at, '\0');
  std::ifstream stream(table, std::ios::binary);
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(stream.gcount()));
  const auto lines = static_cast<std::uint64_t>(std::count(head.begin(), head.end(), '\n'));
  if (lines < 2) return 0;
  const std::uint64_t bytes = head.rfind('\n') + 1;
  return std::filesystem::file_size(table) * lines / bytes - 1;  // without the header
}

RunSize run_size(const PreparedRun& run) {
  RunSize size;
  size.rows = about_rows(run.config.data.table);
  const auto& model = run.law.model();
  const std::uint64_t questions = model.questions.size(), engines = run.config.engines.size();
  std::uint64_t judgments = 0;
  for (std::size_t i = 0; i < run.config.engines.size(); ++i) {
    const EngineConfig& engine = run.config.engines[i];
    const EngineEstimate estimated = estimate(engine, run.schema);
    const std::uint64_t own = size.rows * judgment_bytes(engine, run.engines[i].classes.size());
    judgments += own;
    size.disk += checkpoint_bytes(estimated) + folder_bytes;
    size.training.push_back(size.rows * bytes_of_cell * columns_to_read(run, engine).size() + own + estimated.memory);
  }
  // status, reason, finding, rule, flags; then the case's id, its rounds and the engines that were asked.
  const std::uint64_t decisions = size.rows * (questions * (1 + 1 + 2 + 4 + 1) + 8 + 1 + 8 * ((engines + 63) / 64));
  size.disk += judgments + decisions + folder_bytes;
  const auto read = std::count(model.column_is_read.begin(), model.column_is_read.end(), true);
  size.deciding =
      judgments + size.rows * (bytes_of_cell * static_cast<std::uint64_t>(read) + questions * sizeof(law::Decision) + 17);
  return size;
}

}  // namespace hiple
