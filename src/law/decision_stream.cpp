#include "law/decision_stream.hpp"

#include <optional>

#include "base/error.hpp"
#include "law/decide_leaves.hpp"
#include "table/slice.hpp"

namespace hiple::law {

struct DecisionStream::State {
  State(const Law& whole, const std::filesystem::path& path, Decisions names, const DecideOptions& all)
      : law(whole), columnar(whole.model()), decisions(std::move(names)), writer(path, decisions), options(all) {
    decisions.inputs_sha256 = options.inputs_sha256;
  }

  void hash(const Table& portion) {
    if (!options.inputs_sha256.empty()) return;
    if (!inputs) inputs.emplace(portion.schema, law.columns());
    inputs->append(portion, options.threads);
  }

  const Law& law;
  const ColumnarLaw columnar;
  Decisions decisions;  ///< of one portion
  DecisionWriter writer;
  const DecideOptions options;
  std::optional<SliceHasher> inputs;  ///< of the columns that the law reads
  std::vector<Digest> leaves;
  bool ended = false;  ///< a portion was no multiple of a leaf
};

DecisionStream::DecisionStream(const Law& law, const std::filesystem::path& path, const std::vector<EngineJudgments>& engines,
                               const DecideOptions& options)
    : state_(std::make_unique<State>(law, path, names_of(law, engines), options)) {}

DecisionStream::~DecisionStream() = default;

const Decisions& DecisionStream::append(const Table& portion, const std::vector<EngineJudgments>& engines) {
  if (state_->ended) throw Error("decisions: only the last portion may hold no multiple of 4096 cases");
  state_->ended = portion.rows() % cases_a_leaf != 0;
  Decisions& decisions = state_->decisions;
  state_->hash(portion);
  const Inputs inputs(state_->law.model(), portion, engines);
  decisions.case_id = portion.case_id;
  decisions.decisions.resize(portion.rows() * decisions.questions.size());
  decisions.rounds.resize(portion.rows());
  decisions.consulted.assign(portion.rows() * decisions.words(), 0);
  const std::vector<Digest> leaves = decide_leaves(state_->columnar, inputs, state_->options.threads, decisions);
  state_->leaves.insert(state_->leaves.end(), leaves.begin(), leaves.end());
  state_->writer.append(decisions);
  return decisions;
}

std::string DecisionStream::inputs_sha256() {
  std::string& hash = state_->decisions.inputs_sha256;
  const std::vector<std::string> columns = state_->law.columns();
  if (hash.empty() && state_->inputs) hash = state_->inputs->slice(columns);
  return hash;
}

std::string DecisionStream::finish() {
  std::string root = root_of(state_->leaves);
  state_->writer.finish(root, inputs_sha256());
  return root;
}

}  // namespace hiple::law
