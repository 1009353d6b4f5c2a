#include <unistd.h>

#include <algorithm>
#include <functional>
#include <map>
#include <type_traits>

#include "base/build_info.hpp"
#include "base/date.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "h5/handle.hpp"
#include "h5/seal.hpp"

namespace hiple::h5 {

namespace {

/// No chunk is larger than this, however many columns it has.
constexpr std::size_t most_chunk_bytes = std::size_t{16} << 20;

/// A data set whose rows come in portions. It is created when its first chunk is full or the file is finished, so that a small
/// one takes no more room than its rows.
struct Appender {
  hid_t memory = -1, file = -1;
  std::size_t columns = 0, row_bytes = 0, chunk_rows = 0;
  std::vector<char> waiting;
  hsize_t written = 0;
  Handle dataset;
  std::vector<std::function<void()>> attributes;  ///< that wait for the data set
};

std::vector<hsize_t> sizes(std::size_t rows, std::size_t columns) {
  if (columns == 0) return {rows};
  return {rows, columns};
}

}  // namespace

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

  [[nodiscard]] std::size_t chunk_rows(std::size_t row_bytes) const {
    const std::size_t fitting = std::max<std::size_t>(1, most_chunk_bytes / std::max<std::size_t>(1, row_bytes));
    return std::max<std::size_t>(1, std::min(storage.chunk_rows, fitting));
  }

  /// A chunked data set with checksum; without rows a contiguous one, for there is nothing to check. `limit` none: grows.
  Handle create(const std::string& name, hid_t type, std::size_t rows, std::size_t columns, std::size_t chunk, bool grows) const {
    const auto now = sizes(rows, columns);
    auto most = now;
    if (grows) most[0] = H5S_UNLIMITED;
    const int rank = static_cast<int>(now.size());
    const Handle space = handle(H5Screate_simple(rank, now.data(), most.data()), H5Sclose, name, "sizes");
    const Handle links = handle(H5Pcreate(H5P_LINK_CREATE), H5Pclose, name, "properties");
    check(H5Pset_create_intermediate_group(links.get(), 1) >= 0, name, "properties");
    const Handle layout = handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name, "properties");
    check(H5Pset_obj_track_times(layout.get(), false) >= 0, name, "properties");
    if (grows || rows > 0) {
      const auto chunks = sizes(grows ? chunk : std::min(rows, chunk), columns);
      check(H5Pset_chunk(layout.get(), rank, chunks.data()) >= 0, name, "chunks");
      if (storage.compress > 0) {
        check(H5Pset_shuffle(layout.get()) >= 0, name, "compression");
        check(H5Pset_deflate(layout.get(), static_cast<unsigned>(storage.compress)) >= 0, name, "compression");
      }
      check(H5Pset_fletcher32(layout.get()) >= 0, name, "checksum");
    }
    return handle(H5Dcreate2(file.get(), name.c_str(), type, space.get(), links.get(), layout.get(), H5P_DEFAULT), H5Dclose, name,
                  "cannot be created");
  }

  void write(const std::string& name, hid_t memory, hid_t type, std::size_t row_bytes, const void* values, std::size_t rows,
             std::size_t columns) const {
    const Handle dataset = create(name, type, rows, columns, chunk_rows(row_bytes), false);
    if (rows > 0) check(H5Dwrite(dataset.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0, name, "cannot be written");
  }

  /// Writes the first `rows` waiting rows of an appender behind those that stand in the file.
  void flush(const std::string& name, Appender& appender, std::size_t rows) const {
    const auto total = sizes(appender.written + rows, appender.columns);
    check(H5Dset_extent(appender.dataset.get(), total.data()) >= 0, name, "cannot grow");
    const Handle target = handle(H5Dget_space(appender.dataset.get()), H5Sclose, name, "sizes");
    auto start = sizes(appender.written, 0), count = sizes(rows, appender.columns);
    if (appender.columns > 0) start.push_back(0);
    check(H5Sselect_hyperslab(target.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) >= 0, name, "sizes");
    const Handle source =
        handle(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose, name, "sizes");
    check(
        H5Dwrite(appender.dataset.get(), appender.memory, source.get(), target.get(), H5P_DEFAULT, appender.waiting.data()) >= 0,
        name, "cannot be written");
    appender.written += rows;
    const auto done = static_cast<std::ptrdiff_t>(rows * appender.row_bytes);
    appender.waiting.erase(appender.waiting.begin(), appender.waiting.begin() + done);
  }

  void finish(const std::string& name, Appender& appender) const {
    const std::size_t rows = appender.waiting.size() / appender.row_bytes;
    if (!appender.dataset.valid()) {
      write(name, appender.memory, appender.file, appender.row_bytes, appender.waiting.data(), rows, appender.columns);
    } else if (rows > 0) {
      flush(name, appender, rows);
    }
    appender.dataset = Handle();
    for (const auto& attribute : appender.attributes) attribute();
  }

  void attribute(const std::string& object, const std::string& name, hid_t memory, hid_t type, const void* value) const {
    const std::string what = object + "@" + name;
    const Handle space = handle(H5Screate(H5S_SCALAR), H5Sclose, what, "sizes");
    const Handle target = handle(H5Oopen(file.get(), object.c_str(), H5P_DEFAULT), H5Oclose, what, "there is no such object");
    const Handle created = handle(H5Acreate2(target.get(), name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                                  what, "cannot be created");
    check(H5Awrite(created.get(), memory, value) >= 0, what, "cannot be written");
  }
};

Writer::Writer(const std::filesystem::path& path, const std::string& format, std::uint32_t version, Storage storage)
    : state_(std::make_unique<State>()) {
  silence();
  state_->path = path;
  state_->temporary = temporary_name(path);
  state_->storage = storage;
  if (storage.compress < 0 || storage.compress > 9) throw Error(path.string() + ": the level of compression must be from 0 to 9");
  const Handle access = access_properties();
  const Handle creation = state_->handle(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "/", "properties");
  state_->check(H5Pset_userblock(creation.get(), seal_bytes) >= 0, "/", "properties");
  state_->file = Handle(H5Fcreate(state_->temporary.c_str(), H5F_ACC_EXCL, creation.get(), access.get()), H5Fclose);
  if (!state_->file.valid()) throw Error(path.string() + ": cannot be created: " + last_error());
  attribute("/", "format", format);
  attribute("/", "version", version);
  attribute("/", "software", software());
  attribute("/", "created", utc_now());
}

Writer::~Writer() {
  if (!state_ || state_->temporary.empty()) return;
  state_->appenders.clear();
  state_->file = Handle();
  ::unlink(state_->temporary.c_str());
}

template <Element T>
void Writer::write(const std::string& name, std::span<const T> values) {
  state_->write(name, memory_type<T>(), file_type<T>(), sizeof(T), values.data(), values.size(), 0);
}

template <Element T>
void Writer::write(const std::string& name, std::span<const T> values, std::size_t columns) {
  if (columns == 0 || values.size() % columns != 0)
    state_->fail(name, std::to_string(values.size()) + " values do not fill rows of " + std::to_string(columns));
  state_->write(name, memory_type<T>(), file_type<T>(), sizeof(T) * columns, values.data(), values.size() / columns, columns);
}

void Writer::write(const std::string& name, std::span<const std::string> values) {
  std::size_t longest = 1;
  for (const std::string& value : values) {
    if (value.find('\0') != std::string::npos) state_->fail(name, "a text with a zero byte cannot be stored");
    longest = std::max(longest, value.size());
  }
  std::string block(values.size() * longest, '\0');
  for (std::size_t i = 0; i < values.size(); ++i) values[i].copy(block.data() + i * longest, longest);
  const Handle type = text_type(longest);
  state_->write(name, type.get(), type.get(), longest, block.data(), values.size(), 0);
}

template <Element T>
void Writer::create(const std::string& name, std::size_t columns) {
  Appender appender;
  appender.memory = memory_type<T>();
  appender.file = file_type<T>();
  appender.columns = columns;
  appender.row_bytes = sizeof(T) * std::max<std::size_t>(1, columns);
  appender.chunk_rows = state_->chunk_rows(appender.row_bytes);
  if (!state_->appenders.emplace(name, std::move(appender)).second) state_->fail(name, "is created twice");
}

template <Element T>
void Writer::append(const std::string& name, std::span<const T> rows) {
  const auto found = state_->appenders.find(name);
  if (found == state_->appenders.end()) state_->fail(name, "append without create");
  Appender& appender = found->second;
  if (appender.memory != memory_type<T>()) state_->fail(name, "append with another type than create");
  if (rows.size_bytes() % appender.row_bytes != 0) state_->fail(name, "append of a part of a row");
  const auto bytes = std::as_bytes(rows);
  const char* begin = reinterpret_cast<const char*>(bytes.data());
  appender.waiting.insert(appender.waiting.end(), begin, begin + bytes.size());
  const std::size_t waiting = appender.waiting.size() / appender.row_bytes;
  if (waiting < appender.chunk_rows) return;
  if (!appender.dataset.valid())
    appender.dataset = state_->create(name, appender.file, 0, appender.columns, appender.chunk_rows, true);
  state_->flush(name, appender, waiting - waiting % appender.chunk_rows);
}

template <Element T>
void Writer::attribute(const std::string& object, const std::string& name, T value) {
  const auto write = [state = state_.get(), object, name, value] {
    state->attribute(object, name, memory_type<T>(), file_type<T>(), &value);
  };
  const auto waiting = state_->appenders.find(object);
  if (waiting == state_->appenders.end()) return write();
  waiting->second.attributes.emplace_back(write);
}

void Writer::attribute(const std::string& object, const std::string& name, const std::string& value) {
  if (value.find('\0') != std::string::npos) state_->fail(object + "@" + name, "a text with a zero byte cannot be stored");
  const auto write = [state = state_.get(), object, name, value] {
    const Handle type = text_type();
    const char* text = value.c_str();
    state->attribute(object, name, type.get(), type.get(), &text);
  };
  const auto waiting = state_->appenders.find(object);
  if (waiting == state_->appenders.end()) return write();
  waiting->second.attributes.emplace_back(write);
}

void Writer::group(const std::string& name) {
  const Handle links = state_->handle(H5Pcreate(H5P_LINK_CREATE), H5Pclose, name, "properties");
  state_->check(H5Pset_create_intermediate_group(links.get(), 1) >= 0, name, "properties");
  state_->handle(H5Gcreate2(state_->file.get(), name.c_str(), links.get(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose, name,
                 "cannot be created");
}

void Writer::link_external(const std::string& name, const std::filesystem::path& file, const std::string& object) {
  const Handle links = state_->handle(H5Pcreate(H5P_LINK_CREATE), H5Pclose, name, "properties");
  state_->check(H5Pset_create_intermediate_group(links.get(), 1) >= 0, name, "properties");
  state_->check(H5Lcreate_external(file.c_str(), object.c_str(), state_->file.get(), name.c_str(), links.get(), H5P_DEFAULT) >= 0,
                name, "cannot be linked");
}

void Writer::finish() {
  if (!state_->file.valid()) throw Error(state_->path.string() + ": is finished already");
  for (auto& [name, appender] : state_->appenders) state_->finish(name, appender);
  state_->appenders.clear();
  attribute("/", "complete", std::uint8_t{1});
  state_->check(H5Fflush(state_->file.get(), H5F_SCOPE_GLOBAL) >= 0, "/", "cannot be flushed");
  state_->check(state_->file.close(), "/", "cannot be closed");
  write_seal(state_->temporary);
  publish_file(state_->temporary, state_->path);
  state_->temporary.clear();
}

#define HIPLE_H5_WRITER(T)                                                             \
  template void Writer::write<T>(const std::string&, std::span<const T>);              \
  template void Writer::write<T>(const std::string&, std::span<const T>, std::size_t); \
  template void Writer::create<T>(const std::string&, std::size_t);                    \
  template void Writer::append<T>(const std::string&, std::span<const T>);             \
  template void Writer::attribute<T>(const std::string&, const std::string&, T);
HIPLE_H5_WRITER(std::uint8_t)
HIPLE_H5_WRITER(std::uint16_t)
HIPLE_H5_WRITER(std::uint32_t)
HIPLE_H5_WRITER(std::uint64_t)
HIPLE_H5_WRITER(std::int8_t)
HIPLE_H5_WRITER(std::int32_t)
HIPLE_H5_WRITER(std::int64_t)
HIPLE_H5_WRITER(float)
HIPLE_H5_WRITER(double)
#undef HIPLE_H5_WRITER

}  // namespace hiple::h5
