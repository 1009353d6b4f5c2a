#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "h5/handle.hpp"

namespace hiple::h5 {

/// A data set whose rows come in portions. It is created when its first chunk is full or the file is finished, so that a small
/// one takes no more room than its rows.
struct Appender {
  hid_t memory = -1, file = -1;
  std::size_t columns = 0, row_bytes = 0, chunk_rows = 0;
  std::vector<std::byte> waiting;  ///< less than a chunk
  hsize_t written = 0;
  Handle dataset;
  std::vector<std::function<void()>> attributes;  ///< that wait for the data set
};

/// What a writer holds, and the calls of HDF5 that its functions are made of.
struct Writer::State {
  std::filesystem::path path, temporary;
  Storage storage;
  Handle file;
  std::map<std::string, Appender> appenders;

  [[noreturn]] void fail(const std::string& object, const std::string& doing) const {
    throw Error(path.string() + ": " + object + ": " + doing);
  }
  void check(bool fine, const std::string& object, const std::string& doing) const {
    if (!fine) fail(object, doing + ": " + last_error());
  }
  Handle handle(hid_t id, Handle::Close close, const std::string& object, const std::string& doing) const {
    check(id >= 0, object, doing);
    return {id, close};
  }

  [[nodiscard]] std::size_t chunk_rows(std::size_t row_bytes) const;
  /// A chunked data set with checksum; without rows a contiguous one, for there is nothing to check. One that `grows` has chunks
  /// of `chunk` rows from the start.
  Handle create(const std::string& name, hid_t type, std::size_t rows, std::size_t columns, std::size_t chunk, bool grows) const;
  void write(const std::string& name, hid_t memory, hid_t type, std::size_t row_bytes, const void* values, std::size_t rows,
             std::size_t columns) const;
  /// Full chunks are written from where they are; the rest waits.
  void append(const std::string& name, Appender& appender, std::span<const std::byte> rows) const;
  /// Writes rows behind those that stand in the file.
  void flush(const std::string& name, Appender& appender, std::span<const std::byte> rows) const;
  void finish(const std::string& name, Appender& appender) const;
  void attribute(const std::string& object, const std::string& name, hid_t memory, hid_t type, const void* value) const;
};

}  // namespace hiple::h5
