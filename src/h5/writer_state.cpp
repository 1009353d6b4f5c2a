#include "h5/writer_state.hpp"

#include <algorithm>

namespace hiple::h5 {

namespace {

/// No chunk is larger than this, however many columns it has.
constexpr std::size_t most_chunk_bytes = std::size_t{16} << 20;

std::vector<hsize_t> sizes(std::size_t rows, std::size_t columns) {
  if (columns == 0) return {rows};
  return {rows, columns};
}

}  // namespace

std::size_t Writer::State::chunk_rows(std::size_t row_bytes) const {
  const std::size_t fitting = std::max<std::size_t>(1, most_chunk_bytes / std::max<std::size_t>(1, row_bytes));
  return std::max<std::size_t>(1, std::min(storage.chunk_rows, fitting));
}

Handle Writer::State::create(const std::string& name, hid_t type, std::size_t rows, std::size_t columns, std::size_t chunk,
                             bool grows) const {
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

void Writer::State::write(const std::string& name, hid_t memory, hid_t type, std::size_t row_bytes, const void* values,
                          std::size_t rows, std::size_t columns) const {
  const Handle dataset = create(name, type, rows, columns, chunk_rows(row_bytes), false);
  if (rows > 0) check(H5Dwrite(dataset.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0, name, "cannot be written");
}

void Writer::State::append(const std::string& name, Appender& appender, std::span<const std::byte> rows) const {
  const std::size_t chunk = appender.chunk_rows * appender.row_bytes;
  auto& waiting = appender.waiting;
  if (waiting.size() + rows.size() >= chunk && !appender.dataset.valid())
    appender.dataset = create(name, appender.file, 0, appender.columns, appender.chunk_rows, true);
  if (!waiting.empty()) {
    const std::size_t taken = std::min(chunk - waiting.size(), rows.size());
    waiting.insert(waiting.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(taken));
    rows = rows.subspan(taken);
    if (waiting.size() < chunk) return;
    flush(name, appender, waiting);
    waiting.clear();
  }
  const std::size_t full = rows.size() - rows.size() % chunk;
  if (full > 0) flush(name, appender, rows.first(full));
  waiting.assign(rows.begin() + static_cast<std::ptrdiff_t>(full), rows.end());
}

void Writer::State::flush(const std::string& name, Appender& appender, std::span<const std::byte> rows) const {
  const std::size_t added = rows.size() / appender.row_bytes;
  const auto total = sizes(appender.written + added, appender.columns);
  check(H5Dset_extent(appender.dataset.get(), total.data()) >= 0, name, "cannot grow");
  const Handle target = handle(H5Dget_space(appender.dataset.get()), H5Sclose, name, "sizes");
  auto start = sizes(appender.written, 0), count = sizes(added, appender.columns);
  if (appender.columns > 0) start.push_back(0);
  check(H5Sselect_hyperslab(target.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) >= 0, name, "sizes");
  const Handle source = handle(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose, name, "sizes");
  check(H5Dwrite(appender.dataset.get(), appender.memory, source.get(), target.get(), H5P_DEFAULT, rows.data()) >= 0, name,
        "cannot be written");
  appender.written += added;
}

void Writer::State::finish(const std::string& name, Appender& appender) const {
  if (!appender.dataset.valid()) {
    const std::size_t rows = appender.waiting.size() / appender.row_bytes;
    write(name, appender.memory, appender.file, appender.row_bytes, appender.waiting.data(), rows, appender.columns);
  } else if (!appender.waiting.empty()) {
    flush(name, appender, appender.waiting);
  }
  appender.dataset = Handle();
  for (const auto& attribute : appender.attributes) attribute();
}

void Writer::State::attribute(const std::string& object, const std::string& name, hid_t memory, hid_t type,
                              const void* value) const {
  const std::string what = object + "@" + name;
  const Handle space = handle(H5Screate(H5S_SCALAR), H5Sclose, what, "sizes");
  const Handle target = handle(H5Oopen(file.get(), object.c_str(), H5P_DEFAULT), H5Oclose, what, "there is no such object");
  const Handle created = handle(H5Acreate2(target.get(), name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                                what, "cannot be created");
  check(H5Awrite(created.get(), memory, value) >= 0, what, "cannot be written");
}

}  // namespace hiple::h5
