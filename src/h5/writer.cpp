#include <unistd.h>

#include <algorithm>

#include "base/build_info.hpp"
#include "base/date.hpp"
#include "base/file.hpp"
#include "h5/seal.hpp"
#include "h5/writer_state.hpp"

namespace hiple::h5 {

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
  state_->append(name, appender, std::as_bytes(rows));
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
