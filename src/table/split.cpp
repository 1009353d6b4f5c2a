#include "table/split.hpp"

#include <string>

#include "table/cell_reader.hpp"
#include "table/split_column.hpp"
#include "table/split_way.hpp"

namespace hiple {

namespace {

void refuse_empty_part(const char* name, std::uint64_t rows, const SplitConfig& split) {
  throw InputError(split.place, std::string("the split leaves the ") + name + " part empty",
                   "the table has " + std::to_string(rows) + " rows", "change the split, or bring more rows");
}

void check_values(const SplitConfig& split, const SplitColumn& column, const std::vector<std::string>& texts,
                  Problems& problems) {
  for (const std::string& text : texts)
    if (!value_of(column, text)) refuse_value(split, *column.schema, text, problems);
}

}  // namespace

void check_split(const Schema& schema, const SplitConfig& split) {
  if (!split.stratified.empty()) find_column(schema, split.stratified, "stratified", split.place);
  if (!split.group.empty()) find_column(schema, split.group, "group", split.place);
  if (split.column.empty()) return;
  const ColumnSchema& described = schema.columns[find_column(schema, split.column, "column", split.place)];
  const Column empty = make_column(described);
  Problems problems;
  check_values(split, {&described, &empty}, split.train, problems);
  check_values(split, {&described, &empty}, split.test, problems);
  problems.throw_if_any();
}

Divider::Divider(const Schema& schema, const SplitConfig& split, std::uint64_t seed) : split_(split) {
  way_ = split_.column.empty() ? split_by_fraction(schema, split_, seed) : split_by_column(schema, split_);
}

Divider::~Divider() = default;

void Divider::look_at(const Table& portion) { way_->look_at(portion); }
bool Divider::end_pass() { return way_->end_pass(); }

std::vector<Part> Divider::divide(const Table& portion) {
  std::vector<Part> parts = way_->divide(portion);
  rows_ += parts.size();
  for (const Part part : parts) {
    has_train_ |= part == Part::train;
    has_test_ |= part == Part::test;
  }
  return parts;
}

void Divider::refuse_empty() const {
  if (!has_train_) refuse_empty_part("training", rows_, split_);
  if (!has_test_) refuse_empty_part("test", rows_, split_);
}

std::vector<Part> divide(const Table& table, const SplitConfig& split, std::uint64_t seed) {
  Divider divider(table.schema, split, seed);
  do divider.look_at(table);
  while (divider.end_pass());
  std::vector<Part> parts = divider.divide(table);
  divider.refuse_empty();
  return parts;
}

}  // namespace hiple
