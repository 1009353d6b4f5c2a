#include <algorithm>
#include <new>
#include <system_error>

#include "h5/reader_state.hpp"

namespace hiple::h5 {

namespace {

/// Where HDF5 puts texts of variable length: no more of them than the file has bytes, though many rows may name one and the same.
struct TextStore {
  std::uint64_t left;  ///< bytes
  std::vector<std::unique_ptr<char[]>> blocks = {};

  static void* take(std::size_t size, void* self) noexcept {
    auto& [left, blocks] = *static_cast<TextStore*>(self);
    if (size > left) return nullptr;
    try {
      blocks.push_back(std::make_unique_for_overwrite<char[]>(size));
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
    left -= size;
    return blocks.back().get();
  }
  static void keep(void*, void*) noexcept {}  // all go with the store
};

/// A list of texts takes more memory than room in the file. It may take this much, or as much as the file.
constexpr std::uint64_t usual_list = std::uint64_t{256} << 20U;

}  // namespace

Reader::Reader(const std::filesystem::path& path, const std::string& format, std::uint32_t newest, Verify verify)
    : state_(std::make_unique<State>()) {
  silence();
  state_->path = path;
  std::error_code problem;
  if (!std::filesystem::exists(path, problem)) throw InputError(Place{path.string()}, "no such file", {}, "check the path");
  if (!std::filesystem::is_regular_file(path, problem))
    throw InputError(Place{path.string()}, "is no file", {}, "check the path");
  state_->bytes = std::filesystem::file_size(path, problem);
  const bool whole = verify == Verify::whole || (verify == Verify::whole_if_small && state_->bytes <= whole_limit);
  state_->open(whole);
  if (!has_attribute("/", "format")) state_->refuse({}, "has no attribute \"format\"", "it is no \"" + format + "\" file");
  if (const std::string found = attribute_text("/", "format"); found != format)
    state_->refuse({}, "is a \"" + found + "\" file", "\"" + format + "\" is expected");
  const std::int64_t version = state_->whole_number("version");
  if (version < 1 || version > newest)
    state_->refuse({}, "has version " + std::to_string(version), "this program reads versions 1 to " + std::to_string(newest));
  if (!has_attribute("/", "complete") || state_->whole_number("complete") != 1)
    state_->refuse({}, "is not complete", "its writer did not finish");
  if (whole && !state_->sealed && has_attribute("/", "software") && attribute_text("/", "software").starts_with("hiple "))
    state_->refuse({}, "is damaged", "the checksum that `hiple` writes is gone");
}

Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

bool Reader::has(const std::string& name) const { return state_->has(name); }

const std::filesystem::path& Reader::path() const { return state_->path; }

const std::string& Reader::sha256() const {
  if (state_->sha256.empty()) throw Error(state_->path.string() + ": was not checked as a whole");
  return state_->sha256;
}

bool Reader::sealed() const { return state_->sealed; }

std::vector<std::size_t> Reader::shape(const std::string& name) const {
  const Dataset data = state_->dataset(name);
  return {data.sizes.begin(), data.sizes.end()};
}

std::string Reader::type_of(const std::string& name) const { return type_name(state_->dataset(name).type.get()); }

template <Element T>
std::vector<T> Reader::read(const std::string& name) const {
  const Dataset data = state_->dataset(name);
  state_->check_type(name, data.type.get(), type_name<T>());
  std::vector<T> values(data.sizes[0] * data.row_values());
  state_->read(name, data, memory_type<T>(), 0, data.sizes[0], values.data());
  return values;
}

template <Element T>
std::vector<T> Reader::read(const std::string& name, std::size_t first, std::size_t count) const {
  const Dataset data = state_->dataset(name);
  state_->check_type(name, data.type.get(), type_name<T>());
  std::vector<T> values(std::min<std::size_t>(count, data.sizes[0]) * data.row_values());
  state_->read(name, data, memory_type<T>(), first, count, values.data());
  return values;
}

std::vector<std::string> Reader::read_texts(const std::string& name) const {
  const Dataset data = state_->dataset(name);
  state_->check_type(name, data.type.get(), "text");
  if (data.sizes.size() != 1) state_->refuse(name, "has two dimensions", "texts are expected in one");
  const std::size_t rows = data.sizes[0];
  const std::size_t length = H5Tget_size(data.type.get());
  if (rows * sizeof(std::string) > std::max<std::uint64_t>(usual_list, state_->bytes))
    state_->refuse(name, "has " + std::to_string(rows) + " texts",
                   "the whole file has " + std::to_string(state_->bytes) + " bytes");
  std::vector<std::string> texts(rows);
  if (H5Tis_variable_str(data.type.get()) > 0) {
    // Other programs write texts this way.
    TextStore store{state_->bytes + rows};
    state_->check(H5Pset_vlen_mem_manager(state_->transfer.get(), TextStore::take, &store, TextStore::keep, &store) >= 0, name,
                  "properties");
    const Handle type = text_type();
    std::vector<char*> pointers(rows, nullptr);
    state_->read(name, data, type.get(), 0, rows, pointers.data());
    std::transform(pointers.begin(), pointers.end(), texts.begin(),
                   [](const char* p) { return std::string(p == nullptr ? "" : p); });
    return texts;
  }
  std::string block(rows * length, '\0');
  state_->read(name, data, data.type.get(), 0, rows, block.data());
  const std::string_view whole = block;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::string_view field = whole.substr(i * length, length);
    texts[i] = field.substr(0, field.find('\0'));
  }
  return texts;
}

template <Element T>
T Reader::attribute(const std::string& object, const std::string& name) const {
  const std::string what = object + "@" + name;
  const Handle attribute = state_->open_attribute(object, name);
  const Handle type = state_->handle(H5Aget_type(attribute.get()), H5Tclose, what, "has no type");
  state_->check_type(what, type.get(), type_name<T>());
  const Handle space = state_->handle(H5Aget_space(attribute.get()), H5Sclose, what, "has no sizes");
  if (H5Sget_simple_extent_npoints(space.get()) != 1) state_->refuse(what, "is not one value");
  T value{};
  state_->check(H5Aread(attribute.get(), memory_type<T>(), &value) >= 0, what, "cannot be read");
  return value;
}

std::string Reader::attribute_text(const std::string& object, const std::string& name) const {
  const std::string what = object + "@" + name;
  const Handle attribute = state_->open_attribute(object, name);
  const Handle type = state_->handle(H5Aget_type(attribute.get()), H5Tclose, what, "has no type");
  state_->check_type(what, type.get(), "text");
  const Handle space = state_->handle(H5Aget_space(attribute.get()), H5Sclose, what, "has no sizes");
  if (H5Sget_simple_extent_npoints(space.get()) != 1) state_->refuse(what, "is not one value");
  if (H5Tis_variable_str(type.get()) > 0) {
    const Handle memory = text_type();
    char* text = nullptr;
    state_->check(H5Aread(attribute.get(), memory.get(), &text) >= 0, what, "cannot be read");
    std::string result = text == nullptr ? "" : text;
    H5free_memory(text);
    return result;
  }
  std::string text(H5Tget_size(type.get()), '\0');
  state_->check(H5Aread(attribute.get(), type.get(), text.data()) >= 0, what, "cannot be read");
  return text.substr(0, text.find('\0'));
}

bool Reader::has_attribute(const std::string& object, const std::string& name) const {
  const Handle target = state_->object(object);
  return H5Aexists(target.get(), name.c_str()) > 0;
}

std::vector<std::string> Reader::names(const std::string& group) const {
  if (!has(group)) state_->refuse(group, "is missing");
  const Handle target = state_->handle(H5Gopen2(state_->file.get(), group.c_str(), H5P_DEFAULT), H5Gclose, group, "is no group");
  std::vector<std::string> found;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  state_->check(H5Literate(target.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &found) >= 0, group, "cannot be listed");
  return found;
}

#define HIPLE_H5_READER(T)                                                                     \
  template std::vector<T> Reader::read<T>(const std::string&) const;                           \
  template std::vector<T> Reader::read<T>(const std::string&, std::size_t, std::size_t) const; \
  template T Reader::attribute<T>(const std::string&, const std::string&) const;
HIPLE_H5_READER(std::uint8_t)
HIPLE_H5_READER(std::uint16_t)
HIPLE_H5_READER(std::uint32_t)
HIPLE_H5_READER(std::uint64_t)
HIPLE_H5_READER(std::int8_t)
HIPLE_H5_READER(std::int32_t)
HIPLE_H5_READER(std::int64_t)
HIPLE_H5_READER(float)
HIPLE_H5_READER(double)
#undef HIPLE_H5_READER

}  // namespace hiple::h5
