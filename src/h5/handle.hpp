#pragma once

#include <hdf5.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "h5/h5.hpp"

/// What the sources of this folder share; nobody else includes it.
namespace hiple::h5 {

/// An HDF5 identifier that closes itself.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close how) : id_(id), close_(how) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this == &other) return *this;
    reset();
    id_ = std::exchange(other.id_, -1);
    close_ = other.close_;
    return *this;
  }
  [[nodiscard]] hid_t get() const { return id_; }
  [[nodiscard]] bool valid() const { return id_ >= 0; }
  /// Closes now and says whether that went well: for files, where closing writes.
  bool close() {
    const hid_t id = std::exchange(id_, -1);
    return id < 0 || close_(id) >= 0;
  }

 private:
  void reset() {
    if (valid()) close();
  }
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// Switches HDF5's own print-out off, for this thread (a build that is safe for threads has one error stack each).
void silence();

/// What HDF5 says of the last error, the deepest cause.
std::string last_error();

/// HDF5's type in memory for T, and the little-endian type that stands in files.
template <Element T>
hid_t memory_type();
template <Element T>
hid_t file_type();

/// "u16", "f32" ...: the element type of an HDF5 type, "text", or "another type".
std::string type_name(hid_t type);
template <Element T>
std::string type_name() {
  return type_name(memory_type<T>());
}

/// A type for texts in UTF-8: of variable length, or of `length` bytes padded with zeros.
Handle text_type(std::optional<std::size_t> length = std::nullopt);

/// Properties for opening a file: default version bounds; without file locks, which some cluster file systems lack and which
/// files that appear whole do not need.
Handle access_properties();

}  // namespace hiple::h5
