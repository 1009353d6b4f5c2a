#include <cstring>

#include "base/hash.hpp"
#include "table/table.hpp"

namespace hiple {

namespace {

/// Gathers small pieces, so that the hash is fed in large ones.
class Feed {
 public:
  explicit Feed(Sha256& hash) : hash_(&hash) {}

  template <class T>
  void add(T value) {
    std::uint64_t bits = 0;
    static_assert(sizeof(T) <= sizeof bits);
    std::memcpy(&bits, &value, sizeof value);
    for (std::size_t i = 0; i < sizeof value; ++i) bytes_ += static_cast<char>((bits >> (8 * i)) & 0xff);
    if (bytes_.size() >= (std::size_t{1} << 16)) flush();
  }
  void flush() {
    hash_->update(bytes_);
    bytes_.clear();
  }

 private:
  Sha256* hash_;
  std::string bytes_;
};

}  // namespace

std::string slice_sha256(const Table& table, std::span<const std::string> columns, std::span<const std::uint32_t> rows) {
  Sha256 hash;
  Feed feed(hash);
  hash.update_text("hiple slice 1").update_number(columns.size()).update_number(rows.size());
  for (const std::uint32_t row : rows) feed.add(table.case_id[row]);
  feed.flush();
  for (const std::string& name : columns) {
    const Column& column = table.column(name);
    const ColumnSchema& schema = table.schema.columns[*table.schema.find(name)];
    hash.update_text(name).update_text(name_of(schema.type)).update_text(schema.unit).update_number(schema.values.size());
    for (const std::string& value : schema.values) hash.update_text(value);
    std::visit(
        [&]<class T>(const std::vector<T>& values) {
          for (const std::uint32_t row : rows) {
            feed.add(static_cast<std::uint8_t>(column.cells[row]));
            feed.add(column.cells[row] == Cell::known ? values[row] : T{});
          }
        },
        column.values);
    feed.flush();
  }
  return hash.digest();
}

}  // namespace hiple
