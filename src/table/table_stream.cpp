#include "table/table_stream.hpp"

#include <algorithm>
#include <memory>
#include <variant>

#include "h5/h5.hpp"
#include "table/h5_table.hpp"
#include "table/table_reading.hpp"

namespace hiple {

namespace {

/// Rows [first, first + count) of a table in memory.
Table rows_of(const Table& table, std::size_t first, std::size_t count) {
  const auto part = [&](const auto& values) {
    using Values = std::decay_t<decltype(values)>;
    if (values.empty()) return Values();  // a column that is not kept
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    return Values(begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  Table portion;
  portion.schema = table.schema;
  portion.case_id = part(table.case_id);
  for (const Column& column : table.columns)
    portion.columns.push_back(
        {std::visit([&](const auto& values) { return Column::Values(part(values)); }, column.values), part(column.cells)});
  return portion;
}

bool ids_ascend(const reading::H5Table& table) {
  constexpr std::size_t portion = std::size_t{1} << 20;
  std::uint64_t last = 0;
  for (std::size_t first = 0; first < table.rows(); first += portion) {
    const auto ids = table.read_ids(first, std::min(portion, table.rows() - first));
    if (first > 0 && ids.front() <= last) return false;
    if (std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) != ids.end()) return false;
    last = ids.back();
  }
  return true;
}

}  // namespace

struct TableStream::State {
  std::unique_ptr<reading::H5Table> file;  ///< or
  Table table;                             ///< all of it
  std::size_t rows = 0, next = 0;
};

TableStream::TableStream(const std::filesystem::path& path, const Schema& schema, std::span<const std::string> wanted)
    : state_(std::make_unique<State>()) {
  if (h5::is_hdf5(path)) {
    state_->file = std::make_unique<reading::H5Table>(path, schema, reading::kept_columns(schema, wanted));
    state_->rows = state_->file->rows();
    if (ids_ascend(*state_->file)) return;
    state_->file.reset();
  }
  state_->table = read_table(path, schema, wanted);
  state_->rows = state_->table.rows();
}

TableStream::~TableStream() = default;
TableStream::TableStream(TableStream&&) noexcept = default;

std::uint64_t TableStream::rows() const { return state_->rows; }
bool TableStream::in_memory() const { return !state_->file; }
void TableStream::restart() { state_->next = 0; }

Table TableStream::take_whole() {
  Table whole = state_->file ? state_->file->read(0, state_->rows) : std::move(state_->table);
  state_ = std::make_unique<State>();
  return whole;
}

Table TableStream::next(std::size_t most) {
  const std::size_t first = state_->next, count = std::min(most, state_->rows - first);
  state_->next += count;
  return state_->file ? state_->file->read(first, count) : rows_of(state_->table, first, count);
}

}  // namespace hiple
