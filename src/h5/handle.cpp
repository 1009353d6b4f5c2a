#include "h5/handle.hpp"

#include <string_view>
#include <type_traits>

#include "base/error.hpp"

namespace hiple::h5 {

void silence() {
  // A file that could not be written for want of space stays open in the library, whose work at exit then ends in a crash. All
  // other files were closed by their handles. Must come before anything else of HDF5.
  [[maybe_unused]] static const herr_t no_work_at_exit = H5dont_atexit();
  [[maybe_unused]] thread_local const herr_t once = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string last_error() {
  std::string text;
  const auto first = [](unsigned, const H5E_error2_t* error, void* result) -> herr_t {
    auto& found = *static_cast<std::string*>(result);
    if (found.empty() && error->desc != nullptr) found = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, first, &text);
  if (text.empty()) return "HDF5 gives no reason";
  // A failed write is told with time, addresses and sizes over two lines; what the system said is the cause.
  constexpr std::string_view mark = "error message = '";
  const auto start = text.find(mark);
  if (start == std::string::npos) return text;
  text.erase(0, start + mark.size());
  return text.substr(0, text.find('\''));
}

template <Element T>
hid_t memory_type() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_NATIVE_UINT8;
  if constexpr (std::is_same_v<T, std::uint16_t>) return H5T_NATIVE_UINT16;
  if constexpr (std::is_same_v<T, std::uint32_t>) return H5T_NATIVE_UINT32;
  if constexpr (std::is_same_v<T, std::uint64_t>) return H5T_NATIVE_UINT64;
  if constexpr (std::is_same_v<T, std::int8_t>) return H5T_NATIVE_INT8;
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_NATIVE_INT32;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
}

template <Element T>
hid_t file_type() {
  if constexpr (std::is_same_v<T, std::uint8_t>) return H5T_STD_U8LE;
  if constexpr (std::is_same_v<T, std::uint16_t>) return H5T_STD_U16LE;
  if constexpr (std::is_same_v<T, std::uint32_t>) return H5T_STD_U32LE;
  if constexpr (std::is_same_v<T, std::uint64_t>) return H5T_STD_U64LE;
  if constexpr (std::is_same_v<T, std::int8_t>) return H5T_STD_I8LE;
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_STD_I32LE;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_STD_I64LE;
  if constexpr (std::is_same_v<T, float>) return H5T_IEEE_F32LE;
  if constexpr (std::is_same_v<T, double>) return H5T_IEEE_F64LE;
}

#define HIPLE_H5_TYPES(T)          \
  template hid_t memory_type<T>(); \
  template hid_t file_type<T>();
HIPLE_H5_TYPES(std::uint8_t)
HIPLE_H5_TYPES(std::uint16_t)
HIPLE_H5_TYPES(std::uint32_t)
HIPLE_H5_TYPES(std::uint64_t)
HIPLE_H5_TYPES(std::int8_t)
HIPLE_H5_TYPES(std::int32_t)
HIPLE_H5_TYPES(std::int64_t)
HIPLE_H5_TYPES(float)
HIPLE_H5_TYPES(double)
#undef HIPLE_H5_TYPES

std::string type_name(hid_t type) {
  const std::string bits = std::to_string(H5Tget_size(type) * 8);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return (H5Tget_sign(type) == H5T_SGN_NONE ? "u" : "i") + bits;
    case H5T_FLOAT:
      return "f" + bits;
    case H5T_STRING:
      return "text";
    default:
      return "another type";
  }
}

Handle text_type(std::optional<std::size_t> length) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  const bool fine = type.valid() && H5Tset_size(type.get(), length.value_or(H5T_VARIABLE)) >= 0 &&
                    H5Tset_cset(type.get(), H5T_CSET_UTF8) >= 0 && (!length || H5Tset_strpad(type.get(), H5T_STR_NULLPAD) >= 0);
  if (!fine) throw Error("HDF5: no type for texts: " + last_error());
  return type;
}

Handle access_properties() {
  Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  if (!properties.valid() || H5Pset_file_locking(properties.get(), false, true) < 0)
    throw Error("HDF5: no properties for opening a file: " + last_error());
  return properties;
}

bool is_hdf5(const std::filesystem::path& path) {
  silence();
  return H5Fis_hdf5(path.c_str()) > 0;
}

std::string library_version() {
  silence();
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

}  // namespace hiple::h5
