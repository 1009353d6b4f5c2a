#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "h5/h5.hpp"

namespace hiple::mpi {

/// One field of every row, as a column to write.
template <h5::Element T, class Row, class Field>
void write_column(h5::Writer& file, const std::string& name, const std::vector<Row>& rows, Field field) {
  std::vector<T> column;
  column.reserve(rows.size());
  for (const Row& row : rows) column.push_back(static_cast<T>(field(row)));
  file.write<T>(name, column);
}

template <class Row, class Field>
void write_texts(h5::Writer& file, const std::string& name, const std::vector<Row>& rows, Field field) {
  std::vector<std::string> column;
  column.reserve(rows.size());
  for (const Row& row : rows) column.push_back(std::string(field(row)));
  file.write(name, column);
}

/// A column that must be as long as the one that says to which rank each row belongs.
template <h5::Element T>
std::vector<T> read_column(const h5::Reader& file, const std::string& name, std::size_t rows) {
  auto column = file.read<T>(name);
  if (column.size() != rows) throw InputError(Place{file.path().string()}, "columns of different lengths: " + name);
  return column;
}

inline std::vector<std::string> read_texts(const h5::Reader& file, const std::string& name, std::size_t rows) {
  auto column = file.read_texts(name);
  if (column.size() != rows) throw InputError(Place{file.path().string()}, "columns of different lengths: " + name);
  return column;
}

}  // namespace hiple::mpi
