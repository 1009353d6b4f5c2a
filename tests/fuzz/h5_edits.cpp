#include "h5_edits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <sstream>
#include <vector>

#include "base/file.hpp"
#include "base/text.hpp"
#include "feeding.hpp"
#include "h5/handle.hpp"
#include "h5/seal.hpp"

namespace hiple::fuzz {

namespace {

using h5::Handle;
using Words = std::vector<std::string>;

constexpr hsize_t most_numbers = 1 << 16;  ///< that are written
constexpr std::size_t most_changes = 32;   ///< of one file

hid_t type_of(const std::string& name) {
  if (name == "u8") return H5T_STD_U8LE;
  if (name == "u16") return H5T_STD_U16LE;
  if (name == "u32") return H5T_STD_U32LE;
  if (name == "u64") return H5T_STD_U64LE;
  if (name == "i8") return H5T_STD_I8LE;
  if (name == "i32") return H5T_STD_I32LE;
  if (name == "i64") return H5T_STD_I64LE;
  if (name == "f32") return H5T_IEEE_F32LE;
  if (name == "f64") return H5T_IEEE_F64LE;
  return H5I_INVALID_HID;
}

double number_of(const std::string& word) {
  if (word == "nan") return std::nan("");
  if (word == "inf") return HUGE_VAL;
  if (word == "-inf") return -HUGE_VAL;
  return parse_real(word).value_or(0);
}

hsize_t size_of(const std::string& word) { return parse_unsigned(word).value_or(0); }

/// The changes to one file that is open.
class Editor {
 public:
  explicit Editor(hid_t file) : file_(file) {}

  void change(const Words& words) {
    const std::string& what = words[0];
    const std::size_t count = words.size();
    if (what == "values" && count >= 5) values(words);
    if ((what == "claim" || what == "deflated") && count >= 6) chunked(words, what == "deflated");
    if (what == "texts" && count >= 3) texts(words);
    if (what == "number" && count >= 5) number(words);
    if (what == "text" && count >= 3) text(words);
    if (what == "remove" && count >= 2) remove(words[1]);
    if (what == "unset" && count >= 3) H5Adelete_by_name(file_, words[1].c_str(), words[2].c_str(), H5P_DEFAULT);
    if (what == "group" && count >= 2)
      Handle(H5Gcreate2(file_, words[1].c_str(), parents_.get(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    if ((what == "soft" || what == "hard" || what == "external") && count >= 3) link(words);
  }

 private:
  void remove(const std::string& name) const { H5Ldelete(file_, name.c_str(), H5P_DEFAULT); }

  Handle create(const std::string& name, hid_t type, const Handle& space, const Handle& properties) const {
    remove(name);
    return {H5Dcreate2(file_, name.c_str(), type, space.get(), parents_.get(), properties.get(), H5P_DEFAULT), H5Dclose};
  }
  static Handle space_of(hsize_t rows, hsize_t columns) {
    const std::array<hsize_t, 2> sizes = {rows, columns};
    return {H5Screate_simple(columns == 0 ? 1 : 2, sizes.data(), nullptr), H5Sclose};
  }
  static Handle properties() { return {H5Pcreate(H5P_DATASET_CREATE), H5Pclose}; }

  void values(const Words& words) const {
    const hsize_t rows = std::min(size_of(words[3]), most_numbers);
    const hsize_t columns = std::min(size_of(words[4]), most_numbers / std::max<hsize_t>(1, rows));
    const Handle set = create(words[1], type_of(words[2]), space_of(rows, columns), properties());
    std::vector<double> numbers;
    for (const std::string& word : std::span(words).subspan(5)) numbers.push_back(number_of(word));
    if (numbers.empty()) numbers.push_back(0);
    std::vector<double> all(rows * std::max<hsize_t>(1, columns));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = numbers[i % numbers.size()];
    if (set.valid()) H5Dwrite(set.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data());
  }

  void chunked(const Words& words, bool deflated) const {
    const hsize_t columns = size_of(words[4]);
    const Handle how = properties();
    const std::array<hsize_t, 2> chunk = {size_of(words[5]), columns};
    H5Pset_chunk(how.get(), columns == 0 ? 1 : 2, chunk.data());
    if (deflated) H5Pset_deflate(how.get(), 1);
    const Handle set = create(words[1], type_of(words[2]), space_of(size_of(words[3]), columns), how);
    // What is stored of a chunk is all of it: only small ones are.
    if (!set.valid() || !deflated || chunk[0] * std::max<hsize_t>(1, columns) > (hsize_t{1} << 22)) return;
    const Handle space(H5Dget_space(set.get()), H5Sclose), one = space_of(1, 0);
    const std::array<hsize_t, 2> first = {0, 0}, count = {1, 1};
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr);
    const double value = 1;
    H5Dwrite(set.get(), H5T_NATIVE_DOUBLE, one.get(), space.get(), H5P_DEFAULT, &value);
  }

  void texts(const Words& words) const {
    const std::span<const std::string> list = std::span(words).subspan(3);
    const auto length = static_cast<std::size_t>(std::min(size_of(words[2]), most_numbers));
    const Handle type = length == 0 ? h5::text_type() : h5::text_type(length);
    const Handle set = create(words[1], type.get(), space_of(list.size(), 0), properties());
    if (!set.valid()) return;
    std::vector<const char*> pointers;
    std::string block;
    for (const std::string& word : list) {
      pointers.push_back(word.c_str());
      block += word.substr(0, length) + std::string(length - std::min(length, word.size()), '\0');
    }
    const void* from = length == 0 ? static_cast<const void*>(pointers.data()) : block.data();
    H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, from);
  }

  Handle attribute(const Words& words, hid_t type) const {
    H5Adelete_by_name(file_, words[1].c_str(), words[2].c_str(), H5P_DEFAULT);
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    return {
        H5Acreate_by_name(file_, words[1].c_str(), words[2].c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose};
  }

  void number(const Words& words) const {
    const Handle made = attribute(words, type_of(words[3]));
    const double value = number_of(words[4]);
    if (made.valid()) H5Awrite(made.get(), H5T_NATIVE_DOUBLE, &value);
  }

  void text(const Words& words) const {
    std::string value;
    for (const std::string& word : std::span(words).subspan(3)) value += (value.empty() ? "" : " ") + word;
    const Handle type = h5::text_type(std::max<std::size_t>(1, value.size()));
    const Handle made = attribute(words, type.get());
    if (made.valid()) H5Awrite(made.get(), type.get(), value.c_str());
  }

  void link(const Words& words) const {
    remove(words[1]);
    if (words[0] == "soft") H5Lcreate_soft(words[2].c_str(), file_, words[1].c_str(), parents_.get(), H5P_DEFAULT);
    if (words[0] == "hard") H5Lcreate_hard(file_, words[2].c_str(), file_, words[1].c_str(), parents_.get(), H5P_DEFAULT);
    if (words[0] == "external" && words.size() >= 4)
      H5Lcreate_external(words[2].c_str(), words[3].c_str(), file_, words[1].c_str(), parents_.get(), H5P_DEFAULT);
  }

  static Handle making_parents() {
    Handle properties(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(properties.get(), 1);
    return properties;
  }

  hid_t file_;
  Handle parents_ = making_parents();
};

Words words_of(const std::string& line) {
  std::istringstream stream(line);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

EditedFile::EditedFile(std::string name, const std::function<void(const std::filesystem::path&)>& write)
    : name_(std::move(name)) {
  const auto path = file_with(name_, {});
  std::filesystem::remove(path);
  write(path);
  sound_ = read_file(path);
}

std::filesystem::path EditedFile::changed(std::string_view changes) const {
  h5::silence();
  const auto path = file_with(name_, sound_);
  bool seals = true;
  {
    const Handle access = h5::access_properties();
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()), H5Fclose);
    check(file.valid(), "a sound file can be opened");
    Editor editor(file.get());
    std::istringstream stream{std::string(changes)};
    std::size_t count = 0;
    for (std::string line; count < most_changes && std::getline(stream, line); ++count) {
      const Words words = words_of(line);
      if (words.empty()) continue;
      if (words[0] == "unsealed") seals = false;
      editor.change(words);
    }
  }
  if (seals) h5::write_seal(path);
  return path;
}

}  // namespace hiple::fuzz
