#include "table/slice.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/threads.hpp"

namespace hiple {

namespace {

// Arrays are hashed as they lie in memory.
static_assert(std::endian::native == std::endian::little);

template <class T>
std::span<const std::byte> bytes_of(const T* values, std::size_t count) {
  return std::as_bytes(std::span(values, count));
}

/// A cell that is not known has no value: whatever the array holds there, zero is hashed.
template <class T>
void hash_known(const std::vector<T>& values, const std::vector<Cell>& cells, Sha256& hash) {
  constexpr std::size_t block = 4096;
  std::vector<T> known(std::min(block, values.size()));
  for (std::size_t begin = 0; begin < values.size(); begin += block) {
    const std::size_t count = std::min(block, values.size() - begin);
    const T* from = values.data() + begin;
    const Cell* cell = cells.data() + begin;
    for (std::size_t i = 0; i < count; ++i) known[i] = cell[i] == Cell::known ? from[i] : T{};
    hash.update(bytes_of(known.data(), count));
  }
}

class ColumnHash {
 public:
  explicit ColumnHash(const ColumnSchema& schema) : schema_(schema) {}

  [[nodiscard]] const std::string& name() const { return schema_.name; }
  void append(const Table& portion) {
    const Column& column = portion.column(schema_.name);
    cells_.update(bytes_of(column.cells.data(), column.cells.size()));
    std::visit([&](const auto& values) { hash_known(values, column.cells, values_); }, column.values);
  }
  [[nodiscard]] Sha256::Bytes finish() {
    Sha256 hash;
    hash.update_text(schema_.name).update_text(name_of(schema_.type)).update_text(schema_.unit);
    hash.update_number(schema_.values.size());
    for (const std::string& value : schema_.values) hash.update_text(value);
    return hash.update(cells_.bytes()).update(values_.bytes()).bytes();
  }

 private:
  ColumnSchema schema_;
  Sha256 cells_, values_;
};

}  // namespace

struct SliceHasher::State {
  Sha256 ids;
  std::uint64_t rows = 0;
  std::vector<ColumnHash> columns;
  std::optional<Sha256::Bytes> ended;  ///< the ids'
  std::vector<Sha256::Bytes> digests;  ///< the columns', once it has ended

  void end() {
    if (ended) return;
    ended = ids.bytes();
    for (ColumnHash& column : columns) digests.push_back(column.finish());
  }
  [[nodiscard]] const Sha256::Bytes& digest(const std::string& name) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i].name() == name) return digests[i];
    throw Error("a slice of a column that was not hashed: " + name);
  }
};

SliceHasher::SliceHasher(const Schema& schema, std::span<const std::string> columns) : state_(std::make_unique<State>()) {
  for (const std::string& name : columns) {
    const auto index = schema.find(name);
    if (!index) throw Error("a slice of a column that the table lacks: " + name);
    state_->columns.emplace_back(schema.columns[*index]);
  }
}

SliceHasher::~SliceHasher() = default;
SliceHasher::SliceHasher(SliceHasher&&) noexcept = default;

void SliceHasher::append(const Table& portion, int threads) {
  if (state_->ended) throw Error("a slice that has ended gets more rows");
  state_->rows += portion.rows();
  std::atomic<std::size_t> next = 0;
  const std::size_t count = state_->columns.size() + 1;
  on_threads(static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), count)), [&](int) {
    for (std::size_t i = next++; i < count; i = next++) {
      if (i == 0)
        state_->ids.update(bytes_of(portion.case_id.data(), portion.rows()));
      else
        state_->columns[i - 1].append(portion);
    }
  });
}

std::string SliceHasher::slice(std::span<const std::string> columns) {
  state_->end();
  Sha256 hash;
  hash.update_text("hiple slice 2").update_number(columns.size()).update_number(state_->rows);
  hash.update(*state_->ended);
  for (const std::string& name : columns) hash.update(state_->digest(name));
  return hash.digest();
}

std::string slice_sha256(const Table& table, std::span<const std::string> columns, int threads) {
  SliceHasher hasher(table.schema, columns);
  hasher.append(table, threads);
  return hasher.slice(columns);
}

}  // namespace hiple
