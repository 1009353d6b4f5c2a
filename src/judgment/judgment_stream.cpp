#include "judgment/judgment_stream.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "h5/h5.hpp"
#include "judgment/judgment_check.hpp"

namespace hiple {

namespace {

constexpr std::size_t portion_rows = std::size_t{1} << 18;

std::vector<JudgmentStatus> to_status(const std::vector<std::uint8_t>& codes) {
  std::vector<JudgmentStatus> status(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) status[i] = static_cast<JudgmentStatus>(codes[i]);
  return status;
}

void read_attributes(const h5::Reader& file, Judgments& judgments) {
  judgments.engine = file.attribute_text("/", "engine");
  judgments.domain = file.attribute_text("/", "domain");
  judgments.level = file.attribute<std::int32_t>("/", "level");
  judgments.checkpoint_sha256 = file.attribute_text("/", "checkpoint_sha256");
  judgments.data_sha256 = file.attribute_text("/", "data_sha256");
  judgments.config_sha256 = file.attribute_text("/", "config_sha256");
  judgments.training_seconds = file.attribute<double>("/", "training_seconds");
  judgments.steps = file.attribute<std::uint64_t>("/", "steps");
  judgments.samples = file.attribute<std::uint64_t>("/", "samples");
}

}  // namespace

struct JudgmentStream::State {
  explicit State(const std::filesystem::path& path) : file(path, judgments_format, judgments_version) {}

  [[noreturn]] void refuse(const std::string& what, const std::string& why) const {
    throw InputError(Place{file.path().string()}, what, why, "make them again with `hiple judge`");
  }
  /// Case ids up to `limit`, of at least `expected` rows if they are there; those beyond stay in `ahead`.
  std::vector<std::uint64_t> take_ids(std::uint64_t limit, std::size_t expected) {
    std::vector<std::uint64_t> ids = std::move(ahead);
    while (true) {
      const auto end = std::find_if(ids.begin(), ids.end(), [&](std::uint64_t id) { return id > limit; });
      const std::size_t left = rows - next - ids.size();
      if (end != ids.end() || left == 0) {
        ahead.assign(end, ids.end());
        ids.erase(end, ids.end());
        return ids;
      }
      const std::size_t wanted = expected > ids.size() ? expected - ids.size() : std::size_t{1} << 16;
      const auto more = file.read<std::uint64_t>("case_id", next + ids.size(), std::min(left, wanted));
      ids.insert(ids.end(), more.begin(), more.end());
    }
  }

  h5::Reader file;
  Judgments head;
  bool has_probability = false, has_value = false;
  std::size_t rows = 0, next = 0;
  std::vector<std::uint64_t> ahead;  ///< ids that were read behind `next`
};

JudgmentStream::JudgmentStream(const std::filesystem::path& path) : state_(std::make_unique<State>(path)) {
  const h5::Reader& file = state_->file;
  if (file.attribute<std::uint32_t>("/", "version") != judgments_version)
    throw InputError(Place{path.string()}, "the judgments have an older form, whose data were hashed otherwise", {},
                     "make them again with `hiple judge`, or train anew with --fresh");
  Judgments& head = state_->head;
  read_attributes(file, head);
  head.sha256 = file.sha256();
  head.classes = file.read_texts("classes");
  state_->rows = file.shape("case_id").at(0);
  for (const char* name : {"case_id", "label", "confidence", "typicality", "status"})
    if (file.shape(name) != std::vector<std::size_t>{state_->rows})
      state_->refuse(std::string(name) + " is not one value a case", "there are " + std::to_string(state_->rows) + " case ids");
  state_->has_probability = file.has("probability");
  state_->has_value = file.has("value");
  if (state_->has_probability && file.shape("probability") != std::vector<std::size_t>{state_->rows, head.classes.size()})
    state_->refuse("probability is not one value a case and class", "its columns are not the classes, or its rows not the cases");
  if (state_->has_value && file.shape("value") != std::vector<std::size_t>{state_->rows})
    state_->refuse("value is not one value a case", "there are " + std::to_string(state_->rows) + " case ids");
}

JudgmentStream::~JudgmentStream() = default;
JudgmentStream::JudgmentStream(JudgmentStream&&) noexcept = default;

const Judgments& JudgmentStream::head() const { return state_->head; }
std::uint64_t JudgmentStream::rows() const { return state_->rows; }

void JudgmentStream::restart() {
  state_->next = 0;
  state_->ahead.clear();
}

void JudgmentStream::check_rows() {
  if (state_->file.sealed()) return;
  for (restart(); state_->next < state_->rows;) {
    const std::size_t count = std::min(portion_rows, state_->rows - state_->next);
    up_to(state_->file.read<std::uint64_t>("case_id", state_->next + count - 1, 1).front(), count);
  }
  restart();
}

bool JudgmentStream::leaves_cases_out() const {
  for (std::size_t first = 0; first < state_->rows; first += portion_rows) {
    const auto codes = state_->file.read<std::uint8_t>("status", first, std::min(portion_rows, state_->rows - first));
    if (std::find(codes.begin(), codes.end(), static_cast<std::uint8_t>(JudgmentStatus::not_asked)) != codes.end()) return true;
  }
  return false;
}

Judgments JudgmentStream::up_to(std::uint64_t last, std::size_t expected) {
  State& state = *state_;
  Judgments portion = state.head;
  portion.case_id = state.take_ids(last, expected);
  const std::size_t first = state.next, count = portion.size();
  portion.label = state.file.read<std::uint16_t>("label", first, count);
  portion.confidence = state.file.read<float>("confidence", first, count);
  portion.typicality = state.file.read<float>("typicality", first, count);
  portion.status = to_status(state.file.read<std::uint8_t>("status", first, count));
  if (state.has_probability) portion.probability = state.file.read<float>("probability", first, count);
  if (state.has_value) portion.value = state.file.read<float>("value", first, count);
  // Ids behind this portion are beyond `last`: between portions nothing can be out of order.
  if (const std::string fault = fault_of(portion); !fault.empty()) state.refuse(fault, "the judgments are not sound");
  state.next += count;
  return portion;
}

}  // namespace hiple
