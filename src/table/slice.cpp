#include "table/slice.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/hash_together.hpp"
#include "base/threads.hpp"

namespace hiple {

namespace {

// Arrays are hashed as they lie in memory.
static_assert(std::endian::native == std::endian::little);

template <class T>
std::span<const std::byte> bytes_of(const T* values, std::size_t count) {
  return std::as_bytes(std::span(values, count));
}

/// Rows that are prepared and hashed while they are in the cache.
constexpr std::size_t block_rows = 4096;

class ColumnHash {
 public:
  explicit ColumnHash(const ColumnSchema& schema) : schema_(schema) {}

  [[nodiscard]] const std::string& name() const { return schema_.name; }
  /// Adds the pieces of rows [first, first + count) of a portion, which are valid until the next call.
  void add(const Table& portion, std::size_t first, std::size_t count, std::vector<Sha256Stream::Piece>& pieces) {
    const Column& column = portion.column(schema_.name);
    pieces.push_back({&cells, bytes_of(column.cells.data() + first, count)});
    std::visit(
        [&](const auto& all) {
          pieces.push_back({&values, known(all.data() + first, column.cells.data() + first, count)});
        },
        column.values);
  }
  [[nodiscard]] Sha256::Bytes digest(const Sha256::Bytes& of_cells, const Sha256::Bytes& of_values) const {
    Sha256 hash;
    hash.update_text(schema_.name).update_text(name_of(schema_.type)).update_text(schema_.unit);
    hash.update_number(schema_.values.size());
    for (const std::string& value : schema_.values) hash.update_text(value);
    return hash.update(of_cells).update(of_values).bytes();
  }
  Sha256Stream cells, values;

 private:
  /// A cell that is not known has no value: whatever the array holds there, zero is hashed.
  template <class T>
  std::span<const std::byte> known(const T* values_of, const Cell* cells_of, std::size_t count) {
    auto* kept = std::get_if<std::vector<T>>(&known_);
    if (kept == nullptr) kept = &known_.emplace<std::vector<T>>(block_rows);
    kept->resize(block_rows);
    for (std::size_t i = 0; i < count; ++i) (*kept)[i] = cells_of[i] == Cell::known ? values_of[i] : T{};
    return bytes_of(kept->data(), count);
  }

  ColumnSchema schema_;
  decltype(Column::values) known_;
};

}  // namespace

struct SliceHasher::State {
  Sha256Stream ids;
  std::uint64_t rows = 0;
  std::vector<ColumnHash> columns;
  std::optional<Sha256::Bytes> ended;  ///< the ids'
  std::vector<Sha256::Bytes> digests;  ///< the columns', once it has ended

  /// Hashes parts [begin, end) of a portion together: the first part is the ids, then comes column after column.
  void append(const Table& portion, std::size_t begin, std::size_t end) {
    for (std::size_t first = 0; first < portion.rows(); first += block_rows) {
      const std::size_t count = std::min(block_rows, portion.rows() - first);
      std::vector<Sha256Stream::Piece> pieces;
      if (begin == 0) pieces.push_back({&ids, bytes_of(portion.case_id.data() + first, count)});
      for (std::size_t i = std::max<std::size_t>(begin, 1); i < end; ++i) columns[i - 1].add(portion, first, count, pieces);
      Sha256Stream::update(pieces);
    }
  }
  void end() {
    if (ended) return;
    std::vector<Sha256Stream*> streams = {&ids};
    for (ColumnHash& column : columns) streams.insert(streams.end(), {&column.cells, &column.values});
    const std::vector<Sha256::Bytes> all = Sha256Stream::digests(streams);
    ended = all[0];
    for (std::size_t i = 0; i < columns.size(); ++i) digests.push_back(columns[i].digest(all[2 * i + 1], all[2 * i + 2]));
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
  // Threads take some columns at a time, as many as are hashed together.
  const std::size_t parts = state_->columns.size() + 1, together = Sha256Stream::best_way().lanes;
  std::atomic<std::size_t> next = 0;
  const std::size_t most = (parts + together - 1) / together;
  on_threads(static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), most)), [&](int) {
    for (std::size_t begin = next.fetch_add(together); begin < parts; begin = next.fetch_add(together))
      state_->append(portion, begin, std::min(begin + together, parts));
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
