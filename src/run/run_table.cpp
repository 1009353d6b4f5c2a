#include "run/run_table.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "run/case_ids.hpp"
#include "run/check_columns.hpp"
#include "run/learned_rows.hpp"
#include "table/slice.hpp"
#include "table/table_stream.hpp"

namespace hiple {

namespace {

std::vector<std::string> hashed_columns(const PreparedRun& run) {
  const std::vector<std::string> law = run.law.columns();
  std::set<std::string> names(law.begin(), law.end());
  for (const EngineConfig& engine : run.config.engines)
    for (const std::string& name : columns_of(run.config, engine, run.schema)) names.insert(name);
  return {names.begin(), names.end()};
}

std::vector<std::string> split_columns(const SplitConfig& split) {
  std::vector<std::string> names;
  for (const std::string& name : {split.column, split.group, split.stratified})
    if (!name.empty()) names.push_back(name);
  return names;
}

}  // namespace

struct RunTable::State {
  State(const PreparedRun& prepared, std::size_t most_cases)
      : run(prepared),
        most(most_cases),
        evidence(run.law, run.evidence.get()),
        stream(std::in_place, run.config.data.table, run.schema),
        hasher(evidence.beside(run.schema), hashed_columns(run)),
        divider(run.schema, run.config.data.split, run.config.seed) {
    const bool streams = !stream->in_memory() && stream->rows() > most;
    if (streams) return;
    table = stream->take_whole();
    evidence.put_beside(*table);
    stream.reset();
  }

  /// The next cases of a table that is not in memory.
  Table next_portion() {
    Table portion = stream->next(most);
    evidence.put_beside(portion);
    return portion;
  }

  /// All rows, a portion after the other, with the columns that divide them.
  template <class Use>
  void for_each_split_portion(Use use) {
    if (!stream) return use(*table);
    std::vector<std::string> wanted = split_columns(run.config.data.split);
    if (wanted.empty()) wanted.push_back(column_of_ids(run.schema));
    TableStream rows(run.config.data.table, run.schema, wanted);
    for (Table portion = rows.next(most); portion.rows() > 0; portion = rows.next(most)) use(portion);
  }

  const PreparedRun& run;
  const std::size_t most;
  const EvidenceColumns evidence;
  std::optional<TableStream> stream;
  std::optional<Table> table;  ///< all of it, or the last portion
  SliceHasher hasher;
  Divider divider;
  std::vector<Part> parts;
  bool at_end = false;
};

RunTable::RunTable(const PreparedRun& run, std::size_t most, int threads)
    : state_(std::make_unique<State>(run, run.config.integrate.on_demand() ? std::numeric_limits<std::size_t>::max() : most)) {
  State& state = *state_;
  if (state.stream)
    for (Table portion = state.next_portion(); portion.rows() > 0; portion = state.next_portion())
      state.hasher.append(portion, threads);
  else
    state.hasher.append(*state.table, threads);
  do state.for_each_split_portion([&](const Table& portion) { state.divider.look_at(portion); });
  while (state.divider.end_pass());
  state.for_each_split_portion([&](const Table& portion) { (void)state.divider.divide(portion); });
  state.divider.refuse_empty();
  restart();
}

RunTable::~RunTable() = default;

bool RunTable::in_memory() const { return !state_->stream; }

const Table& RunTable::whole() const {
  if (!in_memory()) throw Error(state_->run.config.data.table.string() + ": is not in memory as a whole");
  return *state_->table;
}

std::string RunTable::slice(const std::vector<std::string>& columns) { return state_->hasher.slice(columns); }

void RunTable::restart() {
  state_->at_end = false;
  if (state_->stream) state_->stream->restart();
}

const Table* RunTable::next() {
  State& state = *state_;
  if (state.at_end) return nullptr;
  if (state.stream)
    state.table = state.next_portion();
  else
    state.at_end = true;
  if (state.table->rows() == 0) return nullptr;
  state.parts = state.divider.divide(*state.table);
  withhold_learned(*state.table, state.run.config, state.parts);
  return &*state.table;
}

const std::vector<Part>& RunTable::parts() const { return state_->parts; }

}  // namespace hiple
